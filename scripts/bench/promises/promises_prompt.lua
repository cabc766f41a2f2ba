--- Promises to people at prompts: events are displayed soon, a flood of lines delays nobody, and lines do not
--- delay ticks.
local tools = require "promises.promises_tools"
local harness, files = tools.harness, tools.files

local behavior = [[
local want = require("brio").want
local made = require("brio").behavior "made" { robot = "ur3e", start = "calm" }
local function sway(self) return 0.9 + 0.3 * math.sin(3 * self.now) end
made.calm = { wants = { want.joint_match { joint = "elbow_joint", goal = sway } }, on = { talk = "talking" } }
made.talking = { enter = function(self) self:log "it was said" end, after = { 0.1, "calm" } }
made.power_off = { lasts = 0.1 }
return made
]]

--- Send a line at one prompt; the time until another one, at a terminal, displays its effect.
local function shown(place)
  local pty = require "pty"
  local run = tools.run(place, behavior)
  local one = pty.start(("exec %s attach %s"):format(files.quote(harness.program), run.socket),
    { folder = run.folder, env = "TERM=xterm" })
  one:sees "brio>"
  local wire = tools.wire(run)
  local from = wire.say "emit talk"
  one:sees "it was said"
  local to = tools.now()
  wire.close()
  return to - from, from, to
end

--- A panic stop at one prompt; the time until `brio monitor` displays it.
local function watched(place)
  local pty = require "pty"
  local run = tools.run(place, behavior)
  local view = pty.start(("exec %s monitor %s"):format(files.quote(harness.program), run.socket),
    { folder = run.folder, width = 100, height = 30, whole = true, env = "TERM=xterm LC_ALL=C.UTF-8" })
  view:sees "~made%S* on ur3e   calm"
  local wire = tools.wire(run)
  local from = wire.say "panic"
  view:sees "held by panic"
  local to = tools.now()
  wire.close()
  return to - from, from, to
end

--- While six prompts send twenty thousand lines each: the time until a seventh gets an answer.
local function answered(place)
  local run = tools.run(place, behavior)
  files.write(run.folder .. "/flood", ("state\nmotors\nwhere\n1 + 1\nfoo(\n"):rep(4000))
  local floods = {}
  for n = 1, 6 do
    floods[n] = harness.start(("sh -c 'exec %s attach %s <%s/flood'"):format(harness.program, run.socket,
      run.folder))
  end
  for _, flood in ipairs(floods) do harness.await_output(flood, "unknown name 'where'") end
  local from = tools.now()
  local answer = harness.say(run, "motors")
  place:code(answer, 0)
  return answer.seconds, from, from + answer.seconds
end

--- Lua with an infinite loop at the prompt, five times; the lateness of the latest tick.
local function late(place)
  local run = tools.run(place, behavior)
  local spin = "while true do pcall(function() while true do end end) end"
  local from = tools.now()
  for _ = 1, 5 do
    local answer = harness.say(run, spin)
    place:check(answer.err:find "time budget", "the line was not stopped: %s", answer.text)
  end
  local to = tools.now()
  harness.go_on(run.store, 0.2)
  return harness.number(run.store, "select max(late_us) from solves") * 1e-6, from, to
end

--- The line `stop`; the time from the key press to the end of the run, by its store.
local function stopped(place)
  local run = tools.run(place, behavior)
  harness.await_row(run.store, "select count(*) > 20 from solves")
  local wire = tools.wire(run)
  local from = wire.say "stop"
  local to = tools.is_over(run.process)
  wire.close()
  local taken = harness.number(run.store, "select late_ms from operator where command = 'stop'")
  return place:check(taken, "the store does not have the stop") * 1e-3, from, to
end

return {
  { name = "`stop` at the prompt until it takes effect", unit = "ms", factor = 1e3, most = 50,
    measure = function() return tools.repeated(10, stopped) end },
  { name = "an event until another prompt shows it", unit = "ms", factor = 1e3, most = 1000,
    measure = function() return tools.repeated(5, shown) end },
  { name = "a panic stop until `brio monitor` shows it", unit = "ms", factor = 1e3, most = 1000,
    measure = function() return tools.repeated(5, watched) end },
  { name = "an answer while six prompts say all they can", unit = "s", factor = 1, most = 5,
    measure = function() return tools.repeated(5, answered) end },
  { name = "the latest tick while Lua spins at the prompt", unit = "ms", factor = 1e3, most = 500,
    measure = function() return tools.repeated(5, late) end },
}
