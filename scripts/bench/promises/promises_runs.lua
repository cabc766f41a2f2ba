--- Promises about whole runs: their ends, the loss of records after a kill, the speed of the fast clock.
local tools = require "promises.promises_tools"
local harness = tools.harness

local sways = [[
local want = require("brio").want
local made = require("brio").behavior "made" { robot = "pepper", start = "left" }
local function tell(self) print(("t=%.4f"):format(self.now)) end
local function yaw(goal) return { want.joint_match { joint = "HeadYaw", goal = goal } } end
made.left = { wants = yaw(0.4), tick = tell, after = { 0.2, "right" } }
made.right = { wants = yaw(-0.4), tick = tell, after = { 0.2, "left" } }
made.power_off = { lasts = LASTS }
return made
]]

--- Kill a run at a random moment; the span of its output that is not in its store, s.
local function killed(place)
  local run = tools.run(place, (sways:gsub("LASTS", "0.1")))
  harness.await_output(run.process, "~t=%d+%.%d+\n")
  harness.sleep(0.2 + 0.8 * math.random())
  harness.signal(run.process, "KILL")
  local at = tools.now()
  while not harness.has_ended(run.process) do harness.sleep(0.005) end
  local told
  for time in harness.output_of(run.process):gmatch "t=(%d+%.%d+)" do told = tonumber(time) end
  local stored = harness.number(run.store,
    "select min((select max(t) from solves), (select max(t) from samples))")
  return math.max(0, told - place:check(stored, "nothing is stored")), at - 0.3, at + 0.02
end

--- Send SIGINT, once or twice, to a run that has printed `piece`; the time from then to its end, s.
local function interrupted(text, piece, twice)
  return function(place)
    local run = tools.run(place, text)
    harness.await_output(run.process, piece)
    local from = tools.now()
    harness.signal(run.process, "INT")
    if twice then
      harness.await_row(run.store, "select count(*) from states where state = 'power_off'")
      from = tools.now()
      harness.signal(run.process, "INT")
    end
    local to = tools.is_over(run.process)
    return to - from, from, to
  end
end

local spins = [[
local made = require("brio").behavior "made" { robot = "ur3e", start = "calm" }
made.calm = { after = { 0.3, "spinning" } }
made.spinning = { tick = function()
  print "spins"
  while true do pcall(function() while true do end end) end
end }
return made
]]

local function fast(options)
  return function(place)
    local ran = harness.brio("run", options.root .. "/behaviors/kiosk.lua", "--for", 10, "--clock", "fast",
      "--store", place:folder() .. "/x.db")
    place:code(ran, 0)
    return ran.seconds
  end
end

return {
  { name = "kill -9: what is lost of the record", unit = "ms", factor = 1e3, most = 100,
    measure = function() return tools.repeated(20, killed) end },
  { name = "SIGINT until a run is over, power-off of 0.1 s", unit = "s", factor = 1, most = 5,
    measure = function() return tools.repeated(5, interrupted((sways:gsub("LASTS", "0.1")), "t=")) end },
  { name = "  a second one in a power-off of 20 s", unit = "s", factor = 1, most = 5,
    measure = function() return tools.repeated(5, interrupted((sways:gsub("LASTS", "20")), "t=", true)) end },
  { name = "  while a script spins", unit = "s", factor = 1, most = 5,
    measure = function() return tools.repeated(5, interrupted(spins, "spins")) end },
  { name = "ten seconds on the fast clock, the kiosk", unit = "s", factor = 1, most = 5,
    measure = function(options) return tools.repeated(5, fast(options)) end },
}
