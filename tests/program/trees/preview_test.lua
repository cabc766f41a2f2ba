--- `brio preview`, and the prompt's word preview while a robot runs.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files, brio = harness.test, harness.files, harness.brio

local folder = files.temporary()
files.write(folder .. "/reach.lua", [[
local brio = require "brio"
local reach = brio.behavior "reach" { robot = "ur3e", start = "work" }
reach.work = { tree = { "sequence", { "arm", name = "ready", preset = "ready", seconds = 1 },
  { "arm", name = "reach", pose = { position = { 0.3, 0.1, 0.3 } }, seconds = 2, tolerance = 0.05 },
  { "wait", name = "rest", seconds = 1000 }, { "fail", name = "never" } } }
return reach
]])

test("a node is previewed from a pose, a file, the end of a run", function(t)
  local run = brio("preview", folder .. "/reach.lua", "--node", "ready", "--from-pose", "reach", "--json")
  t:code(run, 0)
  local got = require "cjson".decode(run.out)
  t:equal(got.outcome, "success")
  t:equal(#got.leaves, 1)
  files.write(folder .. "/pose.json", '{"elbow_joint": 0.7}')
  run = brio("preview", folder .. "/reach.lua", "--node", "3", "--from-pose", folder .. "/pose.json")
  t:code(run, 0)
  t:has(run.out, "a ghost of ur3e ran 'reach' of reach.lua: success after 2.")
  t:code(brio("run", folder .. "/reach.lua", "--for", "1", "--clock", "fast", "--quiet", "--store",
    folder .. "/x.db"), 0)
  run = brio("preview", folder .. "/reach.lua", "--node", "ready", "--from-pose", "last", "--store",
    folder .. "/x.db")
  t:has(run.out, "success")
  run = brio("preview", folder .. "/reach.lua", "--node", "never")
  t:code(run, 3)
  t:has(run.out, "failure at 'never' after 0.00 s")
  run = brio("preview", "behaviors/door.lua", "--node", "see the knob")
  t:code(run, 0) -- it is in the behavior's own world
  files.write(folder .. "/t.json", '{"kind": "sequence", "children": [{"kind": "wait", "seconds": 2}]}')
  run = brio("preview", folder .. "/t.json", "--robot", "ur3e")
  t:code(run, 0)
  t:has(run.out, "ran state tree of t.json")
end)

test("of another program's tree what exists here runs, and the rest fails with the reason when it is reached",
  function(t)
  files.write(folder .. "/other.json",
    '{"kind": "sequence", "children": [{"kind": "arm", "name": "ready", "preset": "ready", "seconds": 1},'
    .. '{"kind": "arm", "name": "to the cup", "pose": {"position": [0, 0, 0.1]}, "frame": "cup"},'
    .. '{"kind": "arm", "name": "seven", "joints": [0, 0, 0, 0, 0, 0, 0]}, {"kind": "foreign", "name": \z
      "Grasp"}]}')
  local run = brio("preview", folder .. "/other.json", "--robot", "ur3e", "--object", "cup=0.3,0.1,0.2")
  t:code(run, 3)
  t:has(run.out, "a ghost of ur3e ran state tree of other.json: failure at 'seven'")
  t:has(run.out, "~to the cup +succeeded")
  t:has(run.out, "7 values, but the arm has 6 joints")
  run = brio("preview", folder .. "/other.json", "--robot", "ur3e")
  t:has(run.out, "~to the cup +failed")
  t:has(run.out, "no frame 'cup'")
  run = brio("preview", folder .. "/other.json", "--node", "Grasp")
  t:has(run.out, "'Grasp' is not known here")
  for _, place in ipairs { "1,2", "a,1,2", "1,b,2", "1,2,c", "1,2,1e999" } do
    run = brio("preview", folder .. "/other.json", "--object", "cup=" .. place)
    t:code(run, 2)
    t:has(run.err, "NAME=X,Y,Z")
  end
end)

test("what cannot be previewed is refused in words", function(t)
  local rows = {
    { { "--node", "raech" }, 1, "did you mean 'reach'" },
      { { "--from-pose", "raedy" }, 1, "did you mean 'ready'" },
    { { "--from-pose", "/no/such.json" }, 1, "such.json" },
      { { "--tree", "wrok" }, 1, "no state or node 'wrok'" },
    { { "--situation", "x" }, 2, "expects one file" },
  }
  files.write(folder .. "/bad.json", '{"elbow_joint": 99}')
  rows[#rows + 1] = { { "--from-pose", folder .. "/bad.json" }, 1, "elbow_joint cannot be at 99" }
  for _, row in ipairs(rows) do
    local run = brio("preview", folder .. "/reach.lua", table.unpack(row[1]))
    t:code(run, row[2])
    t:has(run.err, row[3])
  end
  local run = brio("preview", "--situation", "-", { input = "{}" })
  t:code(run, 1)
  t:has(run.err, "no situation of a run")
end)

test("at the prompt a node runs on a ghost while the run goes on, and the log tells what comes of it",
  function(t)
  local socket, db = folder .. "/x.sock", folder .. "/live.db"
  local process = harness.start_brio("run", folder .. "/reach.lua", "--store", db, "--socket", socket,
    "--quiet")
  local run = harness.listening { process = process, socket = socket }
  local function say(text) return harness.say(run, text) end
  local answer = say "preview nothing"
  t:has(answer.err, "no state or node 'nothing'")
  answer = say "preview ready"
  t:has(answer.out, "a ghost runs 'ready' from the robot's pose")
  local told = harness.await_row(db, "select json_extract(data, '$.said') from events where name = \z
    'previewed'")
  t:has(told, "a ghost of ur3e ran 'ready' of reach.lua: success after 1.")
  t:equal(harness.sql(db, "select count(*) from operator where command = 'preview'"), "1",
    "it is noted who asked")
  t:has(harness.sql(db, "select sentence from story where sentence like '%ghost%'"),
    "a ghost of ur3e ran 'ready' of reach.lua: success")
  say "preview rest" -- it goes on when the run ends
  say "stop\nstop"
  local code, text = harness.wait(process)
  t:check(code == 0, "the run ends: %s", text)
  t:has(text, "a ghost of ur3e ran 'ready'")
end)

test("a ghost remembers whole numbers as whole numbers", function(t)
  local socket, db = folder .. "/c.sock", folder .. "/count.db"
  files.write(folder .. "/count.lua", [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "ur3e", start = "going", memory = { pose = 1 } }
made.going = { tree = { "sequence", { "action", name = "count",
  tick = function(self) return "p" .. self.memory.pose == "p1", "it is p" .. self.memory.pose end },
  { "wait", seconds = 1000 } } }
return made
]])
  local process = harness.start_brio("run", folder .. "/count.lua", "--store", db, "--socket", socket,
    "--quiet")
  local run = harness.listening { process = process, socket = socket }
  t:has(harness.say(run, "preview count").out, "a ghost runs 'count'")
  local told = harness.await_row(db, "select json_extract(data, '$.said') from events where name = \z
    'previewed'")
  t:has(told, "a ghost of ur3e ran 'count' of count.lua: success")
  harness.say(run, "stop\nstop")
  harness.wait(process)
end)

harness.files.remove(folder)
harness.done()
