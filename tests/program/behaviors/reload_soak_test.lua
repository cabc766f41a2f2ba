--- Thousands of saves to a running program, half of them faulty in one way or another: it accepts the good
--- ones, refuses or rolls back the others, loses nothing and does not grow.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

local text = [[
local brio = require "brio"
local want = brio.want
local parts = require "parts"
local made = brio.behavior "made" { robot = "pepper", start = "calm", memory = { entered = 0, ticks = 0 },
  tune = { far = brio.param(1, "m", 0, 5) }, check = function(about) return about.tune.far < 2 end }
made.calm = {
  wants = { want.joint_match { joint = "HeadYaw", goal = parts.goal } },
  enter = function(self) self.memory.entered = self.memory.entered + 1 end,
  tick = function(self) self.memory.ticks = self.memory.ticks + 1 end,
  run = function(self) while true do self:wait(0.2) end end, finish = true,
}
made.power_off = {
  enter = function(self) self:emit("told", { entered = self.memory.entered, ticks = self.memory.ticks }) end,
  lasts = 0.05,
}
return made
]]

--- Kinds of faults: the change, and the message when there is time to report it.
local wrongs = {
  { "return made", "return made made", "was not taken" },
  { "HeadYaw", "HeadJaw", "was not taken" },
  { '"calm", memory', '"clam", memory', "was not taken" },
  { "local made", "error 'no' local made", "was not taken" },
  { 'param%(1', "param(3", "was not taken" },
  { 'require "parts"', 'require "part"', "was not taken" },
  { "tick = function%(self%)", "tick = function(self) error 'ouch'", "rolled back to" },
}

local function put(path, content)
  local handle = assert(io.open(path, "w"))
  handle:write(content)
  handle:close()
end

--- The output of a process as it arrives: listener:wait(pattern) returns the output up to the match.
local function listen(process)
  local handle = assert(io.open(process.folder .. "/err"))
  local listener = { said = "" }
  function listener:wait(pattern)
    local last = harness.await("it to say " .. pattern, function()
      self.said = self.said .. (handle:read "a" or "")
      return select(2, self.said:find(pattern))
    end, { seen = function() return self.said end, stop = function()
      return harness.has_ended(process) and "it ended" or nil
    end })
    local before = self.said:sub(1, last)
    self.said = self.said:sub(last + 1)
    return before
  end
  return listener
end

local function resident_mb(process)
  return tonumber((files.read("/proc/" .. process.pid .. "/status") or ""):match "VmRSS:%s+(%d+)") / 1024
end

--- A pair of saves: a faulty one, sometimes waited for, and a good one.
local function save_pair(n, path, listener)
  local wrong = wrongs[n % #wrongs + 1]
  put(path, (text:gsub(wrong[1], wrong[2], 1)) .. "-- " .. n .. "\n")
  local waits = n % 10 == 0 or wrong[3] ~= "was not taken"
  if waits then listener:wait(wrong[3]) end
  if not waits then harness.sleep(0.02) end -- the engine may or may not have read it when the next one comes
  if n % 5 == 0 then
    put(path:match "^(.*)/" .. "/parts.lua", ("return { goal = %g }\n"):format(n % 7 / 10))
  end
  put(path, text .. "-- " .. n .. "\n")
  listener:wait("runs in place of")
end

test("whatever is saved, thousands of times, nothing is lost and nothing grows", function(t)
  local folder, pairs_of_saves = t:folder(), math.floor(100 * harness.scale)
  local path, store = folder .. "/made.lua", folder .. "/x.db"
  files.write(folder .. "/parts.lua", "return { goal = 0.2 }\n")
  files.write(path, text)
  local process = harness.start_brio("run", path, "--store", store, "--quiet")
  local listener, early = listen(process), nil
  harness.await_row(store, "select count(*) > 20 from solves",
    { seen = function() return harness.output_of(process) end })
  for n = 1, pairs_of_saves do
    save_pair(n, path, listener)
    if n == pairs_of_saves // 4 then early = resident_mb(process) end
  end
  local late = resident_mb(process)
  harness.signal(process, "INT")
  local code = harness.wait(process)
  t:equal(code, 0, "exit code")
  print(("# %d saves: %.1f MB after a quarter, %.1f MB in the end (seed 0, scale %g)"):format(
    2 * pairs_of_saves, early, late, harness.scale))
  t:check(late < early * 1.15 + 2, "it grew from %.1f to %.1f MB", early, late)
  t:equal(harness.sql(store, "select json_extract(data, '$.entered') from events where name = 'told'"), "1",
    "times entered")
  local ticks = harness.number(store, "select json_extract(data, '$.ticks') from events where name = 'told'")
  local all = harness.number(store, "select count(*) from solves")
  t:check(ticks > 0.8 * all and ticks <= all, "%d of %d ticks are remembered", ticks, all)
  t:equal(harness.sql(store, "select count(*) from states where state = 'calm'"), "1", "stays in the state")
  t:equal(harness.sql(store, "select count(*) from faults where severity = 'error' and message not like \z
    '%ouch%'"), "0", "faults")
end)

harness.done()
