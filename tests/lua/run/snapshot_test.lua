--- Runs that continue from a snapshot: a snapshot is read back unchanged, and the run that continues from it
--- does the same as the first run would have done.
local random = require "brio.random"
local snapshot = require "brio.run.snapshot"
local text = require "brio.run.snapshot.text"

-- Texts -----------------------------------------------------------------------------------------------------

local function same(a, b, known)
  if type(a) ~= "table" or type(b) ~= "table" then
    return math.type(a) == math.type(b) and (a == b or a ~= a and b ~= b)
  end
  if known[a] then return known[a] == b end
  known[a] = b
  for key, value in next, a do
    if type(key) ~= "table" and not same(value, b[key], known) then return false end
  end
  for key in next, b do
    if type(key) ~= "table" and a[key] == nil then return false end
  end
  return true
end

local odd = { 0, -0.0, 1, 1.0, -7, 0.1, 1 / 3, 2 ^ 53, 2 ^ 53 + 0.0, 1e300, -1e-310, math.huge, -math.huge,
  0 / 0, math.maxinteger,
  math.mininteger, true, false, "", "a\nb\0c\\\"']]", "end", "\xff\u{1F600}", "local" }

local function draw(stream, depth, pool)
  if depth > 4 or stream:whole(3) > 1 then return odd[stream:whole(#odd)] end
  if #pool > 0 and stream:whole(4) == 1 then return pool[stream:whole(#pool)] end
  local made = {}
  pool[#pool + 1] = made
  for index = 1, stream:whole(5) - 1 do
    local key = stream:whole(2) == 1 and index or odd[stream:whole(#odd)]
    if key == key then made[key] = draw(stream, depth + 1, pool) end
  end
  return made
end

test("random data, also tables that hold each other, reads back to the same", function(t)
  local stream = random.stream(3, "snapshots")
  for _ = 1, 2000 do
    local value = { draw(stream, 0, {}) }
    local told, dropped = text.of(value, "value")
    t:equal(dropped, {})
    local read, why = text.read(told)
    t:ok(read ~= nil and same(value, read, {}), told .. " " .. tostring(why))
    t:equal(text.of(read, "value"), told)
  end
end)

test("what is deep is told, what cannot be is named, and what is too much is refused", function(t)
  local deep = {}
  local at = deep
  for _ = 1, 5000 do at.next = {} at = at.next end
  local read, steps = assert(text.read(text.of(deep, "deep"))), 0
  while read.next do read, steps = read.next, steps + 1 end
  t:equal(steps, 5000)
  local told, dropped = text.of({ a = { f = print, ok = 1 } }, "self")
  t:equal({ told, dropped }, { "return {a={ok=1}}", { "self.a.f (a function)" } })
  local many = {}
  for index = 1, 60000 do many[index] = index end
  t:equal({ text.of(many, "self") }, { nil, "self holds more than 50000 values" })
  t:match(select(2, text.read "return {"), "unexpected symbol")
  t:match(select(2, text.read "while true do end"), "budget")
  t:match(select(2, text.read "return os.exit()"), "nil value")
end)

-- Runs ------------------------------------------------------------------------------------------------------

local source = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "pepper", start = "outer", memory = { count = 0 },
  tune = { far = brio.param(1, "m", 0, 2) } }
made.outer = { start = "one", history = "shallow", after = { 4, "late" },
  states = { one = { enter = function(self) self.memory.entered = (self.memory.entered or 0) + (self.resumed and 100 or 1) end,
    after = { 1, "two" } },
  two = { after = { 2, "one" },
    tree = { "sequence", { "action", name = "first", tick = function(self) self.memory.first = (self.memory.first or 0) + 1 return true end },
      { "wait", seconds = 0.5 },
      { "action", name = "second", tick = function(self) self.memory.second = (self.memory.second or 0) + 1 return true end },
      { "wait", seconds = 30 } } } },
  tick = function(self) self.memory.count = self.memory.count + 1 end,
}
made.late = { run = function(self) self.memory.runs = (self.memory.runs or 0) + 1 self:wait(60) end }
return made
]]

--- Write snapshots of a run of `seconds`, and continue from one.
local function gone_on(t, seconds, other, change)
  local first = t:run("made", { source = source })
  first:advance(seconds)
  local told = assert(snapshot.of(first.run.host))
  local saved = { run = 7, t = first.run.host.now, state = assert(text.read(told)), pose = {} }
  if change then change(first, saved) end
  local second = t:run("again", { source = other or source, resume = saved })
  return second, first
end

test("states, timers and memory go on where they were", function(t)
  local second, first = gone_on(t, 0.6)
  second:advance(0.01)
  t:equal(second.state, "outer.one")
  t:equal({ second.run.host.self.memory.entered, first.run.host.self.memory.entered }, { 101, 1 })
  t:ok(second.run.host.self.memory.count >= first.run.host.self.memory.count)
  second:advance(0.38)
  t:equal(second.state, "outer.one")
  second:advance(0.03) -- 1 s since it was entered in the run before
  t:equal(second.state, "outer.two")
  second:advance(3) -- 4 s since the outer one was
  t:equal({ second.state, second.run.host.self.memory.runs }, { "late", 1 })
end)

test("of a tree what is done stays done, and waits have their time behind them", function(t)
  local second = gone_on(t, 1.3)
  second:advance(0.01)
  t:equal({ second.state, second.run.host.self.memory.first, second.run.host.self.memory.second },
    { "outer.two", 1, nil })
  second:advance(0.17)
  t:equal(second.run.host.self.memory.second, nil)
  second:advance(0.05) -- 0.5 s of waiting are over
  t:equal({ second.run.host.self.memory.first, second.run.host.self.memory.second }, { 1, 1 })
end)

test("a state whose function was under way begins it anew", function(t)
  local second = gone_on(t, 4.5)
  second:advance(0.01)
  t:equal({ second.state, second.run.host.self.memory.runs }, { "late", 2 })
end)

test("what is not there any more begins where it starts, and is said", function(t)
  local second = gone_on(t, 1.3, (source:gsub("two", "deux")))
  second:advance(0.01)
  t:equal(second.state, "outer.one")
  t:match(table.concat(t.said, "\n"), "resumed: there is no longer a state 'two'")
  local third = gone_on(t, 1.3, (source:gsub("seconds = 30", "seconds = 29")))
  third:advance(0.01)
  t:equal({ third.state, third.run.host.self.memory.first }, { "outer.two", 2 })
  t:match(table.concat(t.said, "\n"), "the tree of 'outer.two' is another one than it was: it begins from \z
    its root")
end)

test("a snapshot that was changed by hand does not stop the run", function(t)
  local ways = {
    function(_, saved) saved.state.machine = { state = 7, regions = "x" } end,
    function(_, saved) saved.state.machine.entered = "now" end,
    function(_, saved) saved.state.machine.regions[1].tree = { signature = 1, numbers = { 1, 2 } } end,
    function(_, saved) saved.state.memory = { memory = 3, tune = { far = "x", near = 1 } } end,
    function(_, saved) saved.state.steering = { goals = { nothing = 1 }, inputs = { nobody = true } } end,
    function(_, saved) saved.state.objects = { { name = 3 } } end,
    function(_, saved) saved.state = {} end,
  }
  for _, change in ipairs(ways) do
    local second = gone_on(t, 1.3, nil, change)
    second:advance(0.2)
    t:equal({ second.failed, second.state ~= nil }, { nil, true })
  end
end)

test("what a person has set is set again, and nothing else of the body is taken", function(t)
  local second = gone_on(t, 0.2, nil, function(_, saved)
    saved.state.steering = { goals = {}, weights = {}, inputs = { touch_head = true } }
  end)
  second:advance(0.1)
  t:equal(second.run.host.inputs:find("touch_head") and second.run.host.inputs:find("touch_head").value, true)
end)

test("goals and weights that a person has set stand", function(t)
  local wants = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "pepper", start = "a" }
made.a = { wants = { brio.want.joint_match { joint = "HeadYaw", goal = 0.4 } } }
return made
]]
  local first = t:run("first", { source = wants })
  first:advance(0.1)
  local steering = first.run.steering
  local key, slot = next(steering.handles)
  for name, number in next, steering.handles do
    if name:find "joint_match" then key, slot = name, number end
  end
  steering:steer_goal(slot, -0.3)
  steering:steer_weight(slot, 7)
  local saved = { run = 3, t = 0.1, state = assert(text.read(assert(snapshot.of(first.run.host)))),
    pose = {} }
  local second = t:run("second", { source = wants, resume = saved })
  second:advance(0.05)
  local again = second.run.steering
  t:equal({ again.set_goals[again.handles[key]], again.set_weights[again.handles[key]] }, { -0.3, 7 })
  second:advance(3)
  t:ok(second.run.actuator:state("HeadYaw").command < -0.2)
end)

test("the robot is eased in: for three seconds its joints go at a quarter of their speed", function(t)
  local turns = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "pepper", start = "a" }
made.a = { wants = { brio.want.joint_match { joint = "HeadYaw", goal = 2, weight = 20 } } }
return made
]]
  local plain = t:run("plain", { source = turns })
  plain:advance(0.02)
  local saved = { run = 1, t = plain.run.host.now,
    state = assert(text.read(assert(snapshot.of(plain.run.host)))), pose = {} }
  local eased = t:run("eased", { source = turns, resume = saved })
  local function fastest(run, seconds)
    local most, before = 0, run.run.actuator:state("HeadYaw").command
    for _ = 1, seconds * 200 do
      run:advance(1 / 200)
      local now = run.run.actuator:state("HeadYaw").command
      most, before = math.max(most, math.abs(now - before) * 200), now
    end
    return most
  end
  local limit
  for _, dof in ipairs(plain.run.description.dofs) do
    limit = dof.name == "HeadYaw" and dof.velocity or limit
  end
  t:ok(fastest(plain, 1) > 0.5 * limit)
  local speed = fastest(eased, 1)
  t:ok(speed > 0.1 * limit and speed <= 0.25 * limit + 1e-9, "its speed was " .. speed)
end)

test("a run that is recorded has a row a second, and null where nothing changed", function(t)
  local run = t:run("made", { source = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "pepper", start = "a" }
made.a = { after = { 2.5, "b" } }
made.b = {}
return made
]], recorded = true })
  run.run:go(4)
  run:finish()
  local rows = run:sql "SELECT t, state IS NULL AS same FROM snapshots ORDER BY tick"
  t:equal(#rows, 4)
  t:equal({ rows[1].same, rows[2].same, rows[3].same, rows[4].same }, { 0, 1, 0, 1 })
end)

test("what it felt, where things are, and the objects that it had chosen go on", function(t)
  local feeling = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "probo", start = "a",
  character = { emotion = { needs = { company = { drift = 50 } } }, map = { rooms = { hall = { 0, 0, 4, 4 } } }, control = true } }
made.a = {}
return made
]]
  local first = t:run("first", { source = feeling })
  first:advance(0.1)
  local host = first.run.host
  host.emotion.state:push { 0.7, -0.4 }
  host.control:set_level("emotion", 0.5, 0)
  host.map.memory:remember("desk", { 1, 2, 0 }, 0.5, 0.1)
  host.objects:place { name = "cup", position = { 0.3, 0.1, 0.8 }, kind = "cup" }
  host.scene:freeze "cup"
  first:advance(2)
  local saved = { run = 3, t = host.now, state = assert(text.read(assert(snapshot.of(host)))), pose = {} }
  local second = t:run("second", { source = feeling, resume = saved })
  second:advance(0.01)
  local again = second.run.host
  for axis = 1, 2 do
    t:near(again.emotion.state.emotion[axis], host.emotion.state.emotion[axis], 0.01)
    t:near(again.emotion.state.mood[axis], host.emotion.state.mood[axis], 0.001)
  end
  t:near(again.emotion.needs[1].level, host.emotion.needs[1].level, 0.001)
  t:equal(again.control:level "emotion", 0.5)
  local desk, cup = again.map.memory.places.desk, again.scene:object "cup"
  t:equal({ desk.position, desk.run, again.map.memory.run }, { { 1, 2, 0 }, 1, 2 })
  t:equal({ cup.position, cup.frozen }, { { 0.3, 0.1, 0.8 }, true })
end)
