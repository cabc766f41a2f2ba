--- Arms that are sent somewhere: the words `reach`, `fetch`, `go to` and `obstacle` of the prompt, and the
--- calls self:reach and self:task of a behavior.  What an arm does is judged by a solver of its own
--- (arm_runs.lua).
package.path = "tests/lua/ways/?.lua;" .. package.path

local cjson = require "cjson"
local operators = require "brio.operator.desk.operators"
local runs = require "arm_runs"

local still = [[
local brio = require "brio"
local still = brio.behavior "still" { robot = "%s", start = "one", memory = {} }
still.one = {}
return still
]]

local Run = {}
Run.__index = Run

--- A run with a prompt: of the text of a behavior, by default one that does nothing.
local function started(t, options)
  local self = setmetatable({ t = t }, Run)
  local robot = options and options.robot or "panda"
  self.handle = t:run("still", { source = options and options.source or still:format(robot), robot = robot,
    recorded = true, operators = assert(operators.read("", "said")), world_data = options and options.world })
  self.host = self.handle.run.host
  self.handle:advance(options and options.wait or 0.05)
  return self
end

--- Send a line as ann.  Return the answer, or nil and the refusal.
function Run:says(line)
  local fields = self.handle.run.prompt:perform { kind = "say", text = line, who = "ann", device = "prompt",
    received = 0 }
  return fields.text, fields.error
end

function Run:refuses(line, pattern)
  local text, why = self:says(line)
  self.t:ok(text == nil, "'%s' is not refused: %s", line, tostring(text))
  self.t:match(why or "", pattern)
end

--- Advance until no task runs; `each()` is called before every tick.  Return the least distances of the
--- robot from the shapes.
function Run:finish(seconds, each)
  local handle, host, ended = self.handle, self.host, { memory = {} }
  local fake = setmetatable({}, { __index = function(_, key)
    if key == "memory" then return ended.memory end
    if key == "advance" then return function(_, dt) handle:advance(dt) end end
    if key == "measured" then return function(_, name) return handle:measured(name) end end
    return handle[key]
  end })
  return runs.finish(fake, seconds or 20, function()
    if each then each() end
    ended.memory.ended = not host.tasks or nil
  end)
end

function Run:hand()
  return self.handle.run.solver:frames().panda_hand_tcp.position
end

function Run:is_near(place, within)
  local at = self:hand()
  for k = 1, 3 do self.t:near(at[k], place[k], within or 0.02) end
end

function Run:said() return table.concat(self.t.said, "\n") end

test("a hand that is sent somewhere goes around an obstacle, also one that comes on its way; undo leads back",
  function(t)
  local run = started(t)
  t:match(run:says "reach 0.4 0.3 0.4", "^reach 0.4 0.3 0.4: begun")
  run:finish()
  run:is_near { 0.4, 0.3, 0.4 }
  t:match(run:says "obstacle post 0.45 0.05 0.6 0.06 0.06 1.2", "'post' is in the way at 0.450 0.050 0.600")
  run:says "reach 0.4 -0.3 0.4"
  local seen, put, drawn
  local least = run:finish(20, function()
    local way = not drawn and run:hand()[2] < 0.2 and cjson.decode((run:says "layers ways")).ways[1]
    drawn = drawn or way and way.points
    if way then
      for k = 1, 3 do t:near(way.points[1][k], run:hand()[k], 0.02) end
    end
    seen = seen or run:says "reach":match "looks for a way around post"
    if not put and run:hand()[2] < -0.1 then put = run:says "obstacle wall 0.35 -0.25 0.15 0.3 0.02 0.3" end
  end)
  t:ok(seen, "it did not say that it looks for a way")
  t:ok(put, "no second obstacle was put")
  for k, value in ipairs { 0.4, -0.3, 0.4 } do t:near(drawn[#drawn][k], value, 0.02) end
  run:is_near { 0.4, -0.3, 0.4 }
  t:ok(least.post > 0.002 and least.wall > 0.002, "it kept %g m and %g m", least.post, least.wall)
  t:match(run:said(), "reach 0.4 %-0.3 0.4: done")
  t:equal(run:says "undo", "obstacle wall 0.35 -0.25 0.15 0.3 0.02 0.3: 'wall' is gone")
  t:match(run:says "undo", "back from 0.4 %-0.3 0.4: begun")
  least = run:finish()
  run:is_near { 0.4, 0.3, 0.4 }
  t:ok(least.post > 0.002, "it kept %g m on the way back", least.post)
  t:match(run:says "reach off", "stopped")
  run.handle:advance(1)
  t:equal(#run.host.motions.list, 0, "joints are still held")
  t:match(run:says "reach off", "nothing to stop")
end)

test("Tab completes poses, links and what is seen", function(t)
  local run = started(t)
  local function offered(text)
    local fields = run.handle.run.prompt:perform { kind = "complete", text = text, who = "ann", received = 0 }
    return table.concat(fields.candidates, " ")
  end
  t:equal(offered "reach re", "reach ready rest")
  t:equal(offered "reach 0.1 0 0.4 in panda_hand_", "panda_hand_tcp")
  run:says "obstacle crate 2 0 1 0.1 0.1 0.1"
  t:equal(offered "obstacle c", "crate")
end)

test("where there is no way the log says why, and nothing moves", function(t)
  local run = started(t)
  run:says "obstacle wall 0.4 0.3 0.4 0.3 0.3 0.3"
  local before = run:hand()
  run:says "reach 0.4 0.3 0.4"
  run:finish()
  t:match(run:said(),
    "reach 0.4 0.3 0.4: no way around wall: .*collides?: panda_%w+ is [%d.]+ mm inside wall")
  run:is_near(before, 1e-3)
  run:says "reach 3 0 0"
  run:finish()
  t:match(run:said(), "reach 3 0 0: the arm cannot get there: it comes as near as")
  run:is_near(before, 1e-3)
end)

test("a line that means nothing is refused with what was expected", function(t)
  local run = started(t)
  for _, row in ipairs {
    { "reach 1 2", "three numbers, x y z in m, not 2" },
    { "reach 1 2 nan", "'nan' is no finite number" },
    { "reach redy", "did you mean 'ready'" },
    { "reach left 0.4 0 0.4", "no left arm: it has one arm" },
    { "reach 0.4 0 0.4 { sped = 1 }", "no field 'sped' %(did you mean 'speed'" },
    { "reach 0.4 0 0.4 { speed = 7 }", "speed must be from 0.01 to 1 1, not 7" },
    { "reach 0.4 0 0.4 { 1 }", "fields of the leaf arm by name, not 1" },
    { 'reach 0.4 0 0.4 { kind = "say" }', "fields of the leaf arm by name, not kind" },
    { "fetch cup", "does not see 'cup'" },
    { "go to 1 0", "the robot panda cannot walk" },
    { "obstacle box 1 2 3", "its three edges" },
    { "obstacle box 1 2 3 0 1 1", "above 0 and at most 100 m, not 0" },
    { "obstacle box 1 2 3 1 1 1 in nowhere", "no frame 'nowhere'" },
    { "obstacle crate off", "no obstacle 'crate'" },
  } do run:refuses(row[1], row[2]) end
  run:says "reach 0.4 0.3 0.4"
  run.handle:advance(0.1)
  run.handle.run.prompt.desk.stop:pressed "ben"
  t:match(run:said(), "reach 0.4 0.3 0.4: panic stop")
  run:refuses("reach 0.4 0 0.4", "`release` first")
  run.handle.run.prompt.desk.stop.on = false
  run:says "joint panda_joint1 0.1"
  run:refuses("reach 0.4 0 0.4", "you have taken panda_joint1: `give panda_joint1` first")
  run:says "give all"
  run:says "hold"
  run:refuses("reach 0.4 0 0.4", "on hold")
end)

test("a thing is fetched: grasped from above and brought to a place, around an obstacle", function(t)
  local run = started(t, { wait = 0.2, world = {
    sensor = { range = 5, view = 6.28, rate = 20, occlusion = false },
    furniture = { { id = "table", shape = "box", at = { 0.5, 0, 0 }, size = { 0.5, 1.2, 0.1 } } },
    things = { { id = "cup", kind = "cup", shape = "box", size = { 0.05, 0.05, 0.08 },
      at = { 0.5, 0.25 } } } } })
  run:says "obstacle post 0.42 -0.1 0.35 0.05 0.05 0.5"
  t:match(run:says "obstacle", "post +box")
  run:says "fetch cup to 0.4 -0.35 0.35"
  local least = run:finish(30)
  t:match(run:said(), "fetch cup to 0.4 %-0.35 0.35: done")
  t:equal(run.handle.world:state("cup").held_by, "hand")
  run:is_near { 0.4, -0.35, 0.35 }
  t:ok(least.post > 0.002, "it kept %g m", least.post)
end)

test("a robot with legs walks to a point", function(t)
  local run = started(t, { robot = "biped" })
  t:match(run:says "go to 0.25 0.1", "go to 0.25 0.1: begun")
  run:finish(15)
  t:match(run:said(), "go to 0.25 0.1: done")
  local at = run.host.stance:walking().position
  t:near(at[1], 0.25, 0.11)
  t:near(at[2], 0.1, 0.11)
  t:match(run:says "undo list", "go to 0")
end)

local caller = [[
local brio = require "brio"
local caller = brio.behavior "caller" { robot = "panda", start = "one", memory = {} }
caller.one = {
  run = function(self)
    local arm = self:reach { name = "aside", joints = { panda_joint1 = 0.5 }, hold = "always" }
    self.memory.first = arm:status()
    local done = self:await "task_done"
    self.memory.done, self.memory.status = done.task, arm:status()
    self:task({ "sequence", { "wait", seconds = 0.1 },
      { "action", name = "broken", tick = function() local none return none.x end } }, "broken")
    local failed = self:await "task_failed"
    self.memory.failed, self.memory.why = failed.node or failed.task, failed.why
    self.memory.arm = self:reach { joints = { panda_joint1 = -1.5 }, seconds = 4 }
    self:wait(1)
    return "two"
  end }
caller.two = {}
return caller
]]

test("a behavior sends an arm somewhere: an error ends its task alone, leaving the state ends them all",
  function(t)
  local run = started(t, { source = caller })
  run.handle:advance(6)
  local memory = run.handle.memory
  t:equal({ memory.first, memory.done, memory.status, memory.failed },
    { "running", "aside", "success", "broken" })
  t:match(memory.why, "attempt to index a nil value")
  t:equal(run.handle.state, "two")
  t:equal({ memory.arm:status() }, { "failure", "its state was left" })
  t:ok(not run.host.tasks and not run.handle.failed, "something runs on")
  local good, why = pcall(run.host.self.reach, run.host.self, { pose = { position = { 1, 2, 3 } }, sped = 1 })
  t:ok(not good, "an unknown field is taken")
  t:match(why, "no field 'sped'")
end)
