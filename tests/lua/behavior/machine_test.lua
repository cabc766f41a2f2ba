--- The behavior of a state machine, seen from outside: through a run on the simulator.
local function machine(t, text, options)
  options = options or {}
  options.robot = options.robot or "ur3e"
  options.source = [[
local brio = require "brio"
local want = brio.want
local b = brio.behavior "b" { start = "one", memory = { log = {} }, SAFE }
local function note(self, what) table.insert(self.memory.log, what) end
]] .. text .. "\nreturn b\n"
  options.source = options.source:gsub("SAFE", options.safe and ("safe = %q"):format(options.safe) or "")
  options.safe = nil
  return t:run("source", options)
end

test("an event leads on, with its data", function(t)
  local run = machine(t, [[
b.one = { on = { go = "two" } }
b.two = { enter = function(self, data) note(self, data.x) end }
]])
  run:advance(0.1)
  run:emit("other")
  run:advance(0.01)
  t:equal(run.state, "one")
  run:emit("go", { x = 7 })
  run:advance(0.01)
  t:equal(run.state, "two")
  t:equal(run.memory.log, { 7 })
end)

test("every timer of a state is armed, the first expiry wins, leaving disarms the rest", function(t)
  local run = machine(t, [[
b.one = { after = { { 0.5, "late" }, { 0.2, "early" } } }
b.early = { after = { 0.4, "one" } }
b.late = {}
]])
  run:advance(0.19)
  t:equal(run.state, "one")
  run:advance(0.02)
  t:equal(run.state, "early")
  run:advance(0.35)
  t:equal(run.state, "early", "the timer of 0.5 s was disarmed")
end)

test("two timers that expire between the same two ticks: the earlier wins whatever the order", function(t)
  local run = machine(t, [[
b.one = { after = { { 0.1024, "second" }, { 0.1021, "first" } } }
b.first = {}
b.second = {}
]])
  run:advance(0.2)
  t:equal(run.state, "first")
end)

test("ties are won in declared order", function(t)
  local run = machine(t, [[
b.one = { after = { { 0.1, "a" }, { 0.1, "b" } } }
b.a = { go = { { when = function() return true end, to = "c" }, { after = 0, to = "d" } } }
b.b = {} b.c = {} b.d = {}
]])
  run:advance(0.11)
  t:ok(run.state == "d" or run.state == "c")
  local tied = machine(t, [[
b.one = { go = { { on = "x", to = "a" }, { when = function(self) return self:elapsed() > 0.05 end, to = "b" } } }
b.a = {} b.b = {}
]])
  tied:advance(0.05)
  tied:emit("x")
  tied:advance(0.005)
  t:equal(tied.state, "a", "the event was declared first")
end)

test("events of one tick that lead nowhere all arrive, each once, whatever their order", function(t)
  local all = { "a", "b", "c", "outer" }
  for _, order in ipairs { { 1, 2, 3, 4 }, { 4, 3, 2, 1 }, { 2, 4, 1, 3 } } do
    local run = machine(t, [[
local function noting(what) return function(self, data) note(self, what .. data.n) end end
b.one = { start = "inner", on = { outer = noting "outer" }, states = {
  inner = { on = { a = noting "a", b = noting "b", c = noting "c", go = "other" } }, other = { on = { a = "one" } } } }
]])
    run:advance(0.1)
    for round = 1, 2 do
      for _, place in ipairs(order) do run:emit(all[place], { n = round }) end
      run:advance(0.01)
    end
    table.sort(run.memory.log)
    t:equal(run.memory.log, { "a1", "a2", "b1", "b2", "c1", "c2", "outer1", "outer2" })
    run:emit("go")
    run:emit("a", { n = 3 })
    run:advance(0.01)
    t:equal(run.state, "one.other", "what a state has taken, or left behind, is not for the next one")
  end
end)

test("a condition is looked at every tick", function(t)
  local run = machine(t, [[
b.one = { when = { function(self) return self.now >= 0.3 end, "two" } }
b.two = { enter = function(self) note(self, self.now) end }
]])
  run:advance(1)
  t:near(run.memory.log[1], 0.3, 1e-9)
end)

test("inner states come first, unanswered events go outward, history comes back", function(t)
  local run = machine(t, [[
b.one = {
  start = "x", history = "shallow",
  states = { x = { on = { step = "y", both = "y" } }, y = { exit = function(self) note(self, "left y") end } },
  on = { leave = "two", both = "two" },
}
b.two = { on = { back = "one" } }
]])
  run:advance(0.02)
  t:equal(run.state, "one.x")
  run:emit("both")
  run:advance(0.01)
  t:equal(run.state, "one.y", "the inner state took it, the outer one did not see it")
  run:emit("leave")
  run:advance(0.01)
  t:equal(run.state, "two")
  t:equal(run.memory.log, { "left y" })
  run:emit("back")
  run:advance(0.01)
  t:equal(run.state, "one.y", "where it was left")
end)

test("deep history remembers what is inside", function(t)
  local run = machine(t, [[
b.one = { start = "x", history = "deep", on = { leave = "two" }, states = {
  x = { start = "p", states = { p = { on = { step = "q" } }, q = {} } },
} }
b.two = { on = { back = "one" } }
]])
  run:advance(0.01)
  run:emit("step")
  run:advance(0.01)
  t:equal(run.state, "one.x.q")
  run:emit("leave")
  run:advance(0.01)
  run:emit("back")
  run:advance(0.01)
  t:equal(run.state, "one.x.q")
end)

test("parallel regions each see an event, and leave together", function(t)
  local run = machine(t, [[
local function region(name)
  return { start = "off", states = {
    off = { on = { switch = "on" } },
    on = { enter = function(self) note(self, name .. " on") end, exit = function(self) note(self, name .. " off") end },
  } }
end
b.one = { regions = { arms = region "arms", gaze = region "gaze" }, on = { leave = "two" } }
b.two = {}
]])
  run:advance(0.01)
  run:emit("switch")
  run:advance(0.01)
  t:equal(run.memory.log, { "arms on", "gaze on" })
  run:emit("leave")
  run:advance(0.01)
  t:equal(run.memory.log, { "arms on", "gaze on", "arms off", "gaze off" })
end)

test("a run function is a straight line of waits", function(t)
  local run = machine(t, [[
b.one = {
  run = function(self)
    note(self, "began")
    self:wait(0.5)
    note(self, self.now)
    local data = self:await("knock")
    note(self, data.who)
    local nothing, why = self:await("silence", 0.2)
    note(self, why)
    self:await_until(function(s) return s.now >= 2 end)
    return "two"
  end,
}
b.two = { run = function(self) self:wait(0.1) end, on = { done = "three" } }
b.three = {}
]])
  run:advance(1)
  run:emit("knock", { who = "ann" })
  run:advance(0.9)
  t:equal(run.memory.log[1], "began")
  t:near(run.memory.log[2], 0.5, 1e-9)
  t:equal(run.memory.log[3], "ann")
  t:equal(run.memory.log[4], "timeout")
  t:equal(run.state, "one")
  run:advance(0.2)
  t:equal(run.state, "two")
  run:advance(0.2)
  t:equal(run.state, "three")
end)

test("a tick may lead on, every() keeps its beat, elapsed() counts", function(t)
  local run = machine(t, [[
b.one = { tick = function(self)
  if self:every(0.1) then note(self, self:elapsed()) end
  if #self.memory.log == 3 then return "two" end
end }
b.two = {}
]])
  run:advance(1)
  t:equal(run.state, "two")
  t:near(run.memory.log, { 0.1, 0.2, 0.3 }, 1e-6)
end)

test("power_on comes first, power_off last and as long as it lasts", function(t)
  local run = machine(t, [[
b.power_on = { enter = function(self) note(self, "on") end }
b.one = { enter = function(self) note(self, "one") end, exit = function(self) note(self, "left one") end }
b.power_off = { enter = function(self) note(self, "off") end, lasts = 0.25 }
]], { recorded = true })
  run:advance(0.5)
  t:equal(run.memory.log, { "on", "one" })
  run.run.engine:stop("script")
  local before = run.now
  t:equal(run:advance(5), false)
  t:near(run.now - before, 0.25, 0.011)
  t:equal(run.memory.log, { "on", "one", "left one", "off" })
  t:equal(run:close(), "finished")
  local rows = run:sql "select state, cause from states order by id"
  t:equal({ rows[3].state, rows[3].cause }, { "power_off", "stop" })
end)

test("a property two states share runs on; what the new state lacks fades to 0 within five time constants",
  function(t)
  local run = machine(t, [[
local shared = want.joint_match { joint = "elbow_joint", goal = 1.0 }
b.one = { blend = 0.1, wants = { shared, want.joint_match { joint = "wrist_1_joint", goal = -1.0 } }, on = { go = "two" } }
b.two = { blend = 0.1, wants = { shared } }
]])
  local function weight_of(text)
    for _, row in ipairs(run.solver:objectives()) do
      if row.key:find(text, 1, true) then return row.weight end
    end
  end
  run:advance(2)
  t:near(weight_of "elbow", 50, 1e-6)
  t:near(weight_of "wrist_1", 50 / math.exp(1 / 2), 1e-6)
  run:emit("go")
  run:advance(0.1)
  local fading = weight_of "wrist_1"
  t:ok(fading > 5 and fading < 20, "after one time constant it is at %.2f", fading)
  run:advance(0.41)
  t:equal(weight_of "wrist_1", 0)
  t:near(weight_of "elbow", 50, 1e-6)
end)

test("an error stops the behavior alone: the run goes on, the pose is held, the fault is recorded",
  function(t)
  local run = machine(t, [[
b.one = { wants = { want.joint_match { joint = "elbow_joint", goal = 1.2 } },
  tick = function(self) if self.now > 0.3 then error("broken on purpose") end end }
]], { recorded = true })
  t:equal(run:advance(1), true)
  t:match(run.failed, "broken on purpose")
  local before = run:command "elbow_joint"
  run:advance(1)
  t:near(run:command "elbow_joint", before, 1e-6)
  t:equal(run:close(), "failed")
  local fault = run:sql("select * from faults")[1]
  t:match(fault.message, "broken on purpose")
  t:match(fault.detail, "traceback")
  t:equal(run:sql("select result from activations")[1].result, "failed")
end)

test("a behavior that fails does what it calls safe, once", function(t)
  local run = machine(t, [[
b.one = { on = { crash = function(self) error "crash" end } }
b.rest = { wants = { want.joint_match { joint = "elbow_joint", goal = 0.7 } },
  on = { again = function(self) error "again" end } }
]], { safe = "rest" })
  run:advance(0.1)
  run:emit("crash")
  run:advance(2)
  t:equal(run.state, "rest")
  t:near(run:command "elbow_joint", 0.7, 0.02)
  run:emit("again")
  run:advance(0.1)
  t:equal(run.state, nil, "it failed twice: the pose is held")
end)

test("a loop without end is stopped, also inside pcall and coroutines", function(t)
  for _, body in ipairs {
    "while true do end",
    "while true do pcall(function() while true do end end) end",
    "coroutine.wrap(function() while true do end end)()",
  } do
    local run = machine(t, "b.one = { tick = function(self) " .. body .. " end }")
    t:equal(run:advance(0.02), true)
    t:match(run.failed, "time budget")
  end
end)

test("transitions that never come to rest are an error, not a hang", function(t)
  local run = machine(t, [[
b.one = { after = { 0, "two" } }
b.two = { after = { 0, "one" } }
]])
  run:advance(0.05)
  t:match(run.failed, "endless loop")
end)

test("a goal that is a function is asked every tick, and rests while it returns nil", function(t)
  local run = machine(t, [[
b.one = { wants = { want.joint_match { joint = "elbow_joint",
  goal = function(self) if self.now < 2 then return 0.5 end end } } }
]])
  run:advance(1.9)
  t:near(run:command "elbow_joint", 0.5, 0.02)
  run:advance(1)
  t:equal(run.solver:objectives()[1].weight, 0)
end)

test("joints of the kinematic tree belong to the solver, DOFs outside it to the behavior", function(t)
  local run = machine(t, [[
b.one = { enter = function(self)
  note(self, self:has "EyeLedBrightness")
  note(self, self:has "Tail")
  self.actuator:target("EyeLedBrightness", 0.25)
  note(self, (select(2, pcall(self.actuator.target, self.actuator, "HeadYaw", 1))))
end }
]], { robot = "pepper" })
  run:advance(1)
  t:equal({ run.memory.log[1], run.memory.log[2] }, { true, false })
  t:match(run.memory.log[3], "'HeadYaw' belongs to the solver")
  t:near(run:command "EyeLedBrightness", 0.25, 1e-9)
end)

test("that a run is done is for its own state and those around it, not for its neighbors", function(t)
  local run = machine(t, [[
b.one = { regions = {
  left = { start = "x", states = { x = { run = function(self) self:wait(0.02) end, on = { done = "y" } }, y = {} } },
  right = { start = "x", states = {
    x = { run = function(self) self:wait(1) end, on = { done = "z" } },
    z = { enter = function(self) note(self, self.now) end },
  } },
} }
]])
  run:advance(0.5)
  t:equal(run.memory.log, {}, "the other region's run goes on")
  run:advance(0.6)
  t:near(run.memory.log[1], 1.0, 0.02)
end)

test("a run may yield to the next tick, and hands nothing but waits to the machine", function(t)
  local run = machine(t, [[
b.one = { run = function(self)
  for _ = 1, 3 do note(self, coroutine.yield() == nil) end
  self:emit("quiet", false)
  note(self, self:await("quiet", 1))
  return "two"
end }
b.two = {}
]])
  run:advance(0.1)
  t:equal(run.memory.log, { true, true, true, false })
  t:equal(run.state, "two")
  for body, expected in pairs {
    ["run = function() coroutine.yield(5) end"] = "run may yield nothing",
    ["run = function() coroutine.yield { kind = 'wait' } end"] = "run may yield nothing",
    ["run = function(self) coroutine.wrap(function() self:wait(1) end)() end"] =
      ":%d+: self:wait may only be used inside",
    ["tick = function(self) self:wait(1) end"] = ":%d+: self:wait may only be used inside",
    ["run = function(self) self:await('x', 'soon') end"] = ":%d+: self:await: timeout must be seconds",
    ["run = function(self) self:wait(0/0) end"] = ":%d+: self:wait expects seconds",
  } do
    local wrong = machine(t, "b.one = { " .. body .. " }")
    wrong:advance(0.05)
    t:match(wrong.failed, expected)
  end
end)

test("a failure is told with the behavior's line and its part of the traceback, whatever was raised",
  function(t)
  for body, expected in pairs {
    ["error { code = 3 }"] = "^/.*:%d+: what was raised is no text but a table value",
    ["error()"] = "^/.*:%d+: what was raised is no text but a nil value",
    ["error(setmetatable({}, { __tostring = function() return 'told' end }))"] = "^/.*:%d+: told",
    ["error(setmetatable({}, { __tostring = function() error 'inner' end }))"] = "inner",
    ["self:where(nil)"] = "^/[^:]*lua_[^:]*:%d+: bad argument",
    ["self:log(nil)"] = "^/[^:]*lua_[^:]*:%d+: bad argument",
    -- under a sanitizer the budget may be used up before the stack is
    ["local function f() return 1 + f() end f()"] = { "stack overflow", "time budget" },
  } do
    local run = machine(t, "b.one = { tick = function(self) " .. body .. " end }", { recorded = true })
    run:advance(0.02)
    if type(expected) == "table" then
      t:ok(run.failed:match(expected[1]) or run.failed:match(expected[2]), "%s", run.failed)
    else
      t:match(run.failed, expected)
    end
    run:close()
    local fault = run:sql("select * from faults")[1]
    t:equal(fault.detail:find("lua/brio/", 1, true), nil, "no frame of brio's own: " .. fault.detail)
    t:equal(fault.detail:match "0x%x%x%x%x%x%x%x%x", nil, "no address: " .. fault.detail)
  end
end)

test("what is held in memory is bounded, and power-off still comes", function(t)
  local run = machine(t, [[
b.one = { tick = function(self) self.memory.text = ("x"):rep(300 * 2^20) end }
b.power_off = { enter = function(self) note(self, "off") end }
]])
  t:equal(run:advance(0.02), true)
  t:match(run.failed, "not enough memory")
  t:equal(run:finish(), "failed")
  t:equal(run.memory.log, { "off" })
end)

test("power-off comes when leaving a state fails, and by a transition of the behavior's own", function(t)
  local broken = machine(t, [[
b.one = { exit = function() error "exit broke" end }
b.power_off = { enter = function(self) note(self, "off") end, lasts = 0.1 }
]], { recorded = true })
  broken:advance(0.1)
  t:equal(broken:finish(), "failed")
  t:equal(broken.memory.log, { "off" })
  t:equal(broken:sql("select count(*) as n from states where left_at is null")[1].n, 0,
    "every stay has its end")
  local own = machine(t, [[
b.one = { after = { 0.1, "power_off" } }
b.power_off = { run = function(self) self:wait(0.2) note(self, self.now) end }
]])
  t:equal(own:advance(1), false)
  t:near(own.now, 0.3, 0.011)
  t:equal(own:close(), "finished")
end)

test("power-off whose run never ends is over after 30 seconds", function(t)
  local run = machine(t, [[
b.one = {}
b.power_off = { run = function(self) self:await("never") end }
]])
  run:advance(0.1)
  run.run.engine:stop("script")
  t:equal(run:advance(29.5), true)
  t:equal(run:advance(1), false)
end)

test("power_on entered again forgets the weights", function(t)
  local run = machine(t, [[
b.power_on = { wants = { want.joint_match { joint = "wrist_1_joint", goal = 0.2 } }, blend = 0.1, after = { 0.3, "one" } }
b.one = { wants = { want.joint_match { joint = "elbow_joint", goal = 0.5 } }, on = { again = "power_on" } }
]])
  run:advance(2)
  run:emit("again")
  run:advance(0.005)
  for _, row in ipairs(run.solver:objectives()) do
    if row.key:find("elbow", 1, true) then t:equal({ row.weight, row.target }, { 0, 0 }) end
    if row.key:find("wrist", 1, true) then t:near(row.weight, 50 * (1 - math.exp(-0.05)), 0.5) end
  end
  run:advance(0.5)
  t:equal(run.state, "one")
end)

test("a change in one region leaves the blending of another alone", function(t)
  local run = machine(t, [[
b.one = { regions = {
  slow = { start = "x", states = { x = { blend = 1, wants = { want.joint_match { joint = "elbow_joint", goal = 0.5 } } } } },
  quick = { start = "x", states = { x = { after = { 0.1, "y" } }, y = { blend = 0.01, after = { 0.1, "x" } } } },
} }
]])
  run:advance(1)
  local row = run.solver:objectives()[1]
  t:near(row.weight, 50 * (1 - math.exp(-1)), 0.5)
end)

test("every() is true to all who ask in the same tick", function(t)
  local run = machine(t, [[
b.one = { tick = function(self)
  if self:every(0.02) then note(self, "first") end
  if self:every(0.02) then note(self, "second") end
end }
]])
  run:advance(0.045)
  t:equal(run.memory.log, { "first", "second", "first", "second" })
end)

test("a state may have any name, and more properties than a solver has places by default", function(t)
  local run = machine(t, [[
b.one = { on = { go = "name" } }
b.name = { on = { go = "states" } }
b.states = { on = { go = "line" } }
b.line = { wants = {} }
for i = 1, 300 do
  b.line.wants[i] = want.joint_match { joint = "elbow_joint", goal = 0.5, name = "n" .. i, weight = 0.1 }
end
]])
  run:advance(0.01)
  for _, state in ipairs { "name", "states", "line" } do
    run:emit("go")
    run:advance(0.01)
    t:equal(run.state, state)
  end
  t:equal(run.failed, nil)
end)

test("deep history keeps what was inside of states that were left before", function(t)
  local run = machine(t, [[
b.one = { start = "x", history = "deep", on = { leave = "two" }, states = {
  x = { start = "p", history = "shallow", states = { p = { on = { step = "q" } }, q = {} }, on = { over = "y" } },
  y = { on = { over = "x" } },
} }
b.two = { on = { back = "one" } }
]])
  run:advance(0.01)
  for event, state in ipairs { "one.x.q", "one.y", "two", "one.y", "one.x.q" } do
    run:emit(({ "step", "over", "leave", "back", "over" })[event])
    run:advance(0.01)
    t:equal(run.state, state)
  end
end)

test("a person's way into a state enters what is around it, and nothing else", function(t)
  local run = t:run("made", { recorded = true, source = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "ur3e", start = "calm", memory = { entered = "" } }
local function note(self) self.memory.entered = self.memory.entered .. self.state .. " " end
made.calm = {}
made.busy = { enter = note, history = "deep", start = "first", states = {
  first = { enter = note },
  second = { enter = note, regions = {
    arms = { start = "up", states = { up = { enter = note }, down = { enter = note } } },
    gaze = { start = "left", states = { left = { enter = note }, right = { enter = note } } },
  } },
} }
return made]] })
  local function go(path, entered)
    run.memory.entered = ""
    local found
    require("brio.behavior").each_state(run.run.host.machine,
      function(state) found = state.path == path and state or found end)
    run.run.host:force(found, "ann")
    run:advance(0.05)
    t:equal(run.memory.entered, entered)
  end
  run:advance(0.05)
  go("busy.second/gaze.right", "busy busy.second busy.second/arms.up busy.second/gaze.right ")
  go("busy.second/arms.down", "busy.second/arms.down ")
  go("calm", "")
  go("busy.first", "busy busy.first ")
  go("busy.second/arms.up", "busy.second busy.second/arms.up busy.second/gaze.right ")
  run:finish()
  local rows = run:sql "SELECT count(*) AS n FROM story WHERE kind = 'state' AND sentence = 'made: starts \z
    in busy.second/gaze.right, forced by ann'"
  t:equal(rows[1].n, 1)
end)

test("what a behavior says cannot steer a terminal", function(t)
  local said = {}
  local run = t:run("source", { source = [[
local brio = require "brio"
local b = brio.behavior "b" { robot = "ur3e", start = "one" }
b.one = { enter = function(self) self:log("\27[2Jgr\195\188n\n\194\155two\r") print("three\7") end }
return b]] })
  run.run.say = function(_, sentence) said[#said + 1] = sentence end
  run:advance(0.02)
  t:equal(said, { "\\27[2Jgr\195\188n\n\\u{9b}two\\13", "three\\7" })
end)
