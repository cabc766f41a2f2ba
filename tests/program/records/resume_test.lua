--- A run that was killed is resumed: with its state, its tree, its memory, and the robot in its pose.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio, files = harness.test, harness.brio, harness.files

local source = [[
local brio = require "brio"
local made = brio.behavior "worker" { robot = "pepper", start = "work", memory = { did = {} } }
local function done(name)
  return { "action", name = name, enter = function(self) table.insert(self.memory.did, name) print("did " .. name) end }
end
made.work = { wants = { brio.want.joint_match { joint = "HeadYaw", goal = 0.8 } },
  tree = { "sequence", done "first", { "wait", seconds = 0.2 }, done "second", { "wait", seconds = 1000 } },
  on = { resumed = function(self) print("resumed, did " .. table.concat(self.memory.did, " ")) end } }
return made
]]

--- Start a run in a folder, and kill it when it has worked for a while, turned its head and reported its
--- state.
local function killed_run(folder, ...)
  files.write(folder .. "/worker.lua", source)
  local store = folder .. "/run.db"
  local process = harness.start_brio("run", folder .. "/worker.lua", "--store", store, "--snapshots", "0.25",
    ...)
  harness.await_row(store, "select max(json_extract(pose, '$.HeadYaw')) > 0.5 and max(t) > 1.2 from \z
    snapshots", { seen = function() return harness.output_of(process) end })
  harness.signal(process, "KILL")
  harness.wait(process)
  return store
end

test("after a kill a run goes on where it was", function(t)
  local folder = t:folder()
  local store = killed_run(folder)
  local yaw = harness.number(store, "select json_extract(pose, '$.HeadYaw') from snapshots where pose is \z
    not null order by tick desc limit 1")
  t:check(yaw > 0.5, "the head had turned to %g", yaw)
  local ran = brio("run", "--resume", "last", "--store", store, "--clock", "fast", "--for", "1")
  t:code(ran, 0)
  t:has(ran.text, "resumed, did first second")
  t:check(not ran.text:find "\ndid ", "what was done is not done again: %s", ran.text)
  t:equal(harness.number(store, "select resumes from runs where id = 2"), 1, "the run that it goes on from")
  t:equal(harness.sql(store, "select cause || ' ' || state from states where run = 2 order by id limit 1"),
    "resume work", "its first state")
  local first = tonumber(brio("sql", "SELECT measured FROM samples WHERE run = 2 AND name = 'HeadYaw' ORDER \z
    BY tick LIMIT 1",
    "--store", store, "--csv").out:match "\n([%d.-]+)")
  t:check(math.abs(first - yaw) < 1e-3, "the simulated head stands at %g, where it was, %g", first, yaw)
  t:has(brio("history", "--store", store).text, "worker: starts in work, where the run before was")
end)

test("what cannot go on is told why", function(t)
  local folder = t:folder()
  local store = killed_run(folder)
  local function refused(words, ...)
    local ran = brio("run", "--store", store, "--clock", "fast", "--for", "0.1", ...)
    t:check(ran.code ~= 0, "it is refused")
    t:has(ran.text, words)
  end
  refused("there is no run 9", "--resume", "9")
  refused("'yesterday' is no run of this store", "--resume", "yesterday")
  harness.sql(store, "update snapshots set state = 'return {machine=' where state is not null")
  refused("the snapshot of run 1 is damaged", "--resume", "1")
  harness.sql(store, "delete from snapshots")
  refused("run 1 has no snapshot to resume from", "--resume", "last")
  local none = brio("run", "--resume", "last", "--store", folder .. "/none.db")
  t:code(none, 1)
  t:has(none.text, "none.db")
end)

harness.done()
