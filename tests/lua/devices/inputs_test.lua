--- Inputs: values and events, paths of the world, pins, records, and faults in rows.
local inputs = require "brio.devices.inputs"
local robots = require "brio.robots"

local source = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "ur3e", start = "calm", memory = { said = {}, seen = {} } }
local function note(self, event, data) table.insert(self.memory.said, ("%s %s %.3f"):format(event, data.name, self.now)) end
made.calm = {
  tick = function(self) if self:senses "front" then self.memory.front = self.inputs.front end end,
  on = {
    touched = function(self, data) note(self, "touched", data) end,
    touch_ended = function(self, data) note(self, "touch_ended", data) end,
    button_pressed = "pressed",
    range_near = function(self, data) note(self, "near", data) end,
    range_clear = function(self, data) note(self, "clear", data) end,
    sound_began = function(self, data) note(self, "sound", data) end,
    tilted = function(self, data) note(self, "tilted", data) end,
  },
}
made.pressed = { enter = function(self, data) self.memory.by = data.name end, after = { 0.1, "calm" } }
return made
]]

local rows = {
  head = { kind = "touch", path = { { 0.5, true }, { 0.7, false } } },
  front = { kind = "range", near = 0.5, linear = true, path = { { 0, 2 }, { 1, 0 }, { 2, 2 } } },
  chest = { kind = "button" },
  ears = { kind = "microphone", loud = -30 },
  body = { kind = "imu", tilt = 0.5 },
}

local function run_with(t, given, options)
  options = options or {}
  options.source, options.world_data = source, { inputs = given }
  return t:run("inputs_made.lua", options)
end

test("the world moves inputs along their paths, and edges are events", function(t)
  local run = run_with(t, rows)
  run:advance(0.25)
  t:near(run.memory.front, 1.5, 0.02)
  t:equal(run.inputs.head, false)
  run:advance(0.35)
  t:equal(run.inputs.head, true)
  run:advance(2)
  t:equal(run.memory.said, { "touched head 0.500", "touch_ended head 0.700", "near front 0.755",
    "clear front 1.280" })
  t:near(run.inputs.front, 2, 1e-9)
end)

test("a threshold has hysteresis: a value that shakes about it makes one event", function(t)
  local run = run_with(t, { ears = { kind = "microphone", loud = -30 } })
  for step = 1, 40 do
    run:input("ears", step % 2 == 0 and -29 or -32)
    run:advance(0.01)
  end
  t:equal(#run.memory.said, 1)
  run:input("ears", -34)
  run:advance(0.01)
  run:input("ears", -10)
  run:advance(0.01)
  t:equal(#run.memory.said, 2)
end)

test("an IMU tells when the robot is tilted", function(t)
  local run = run_with(t, { body = { kind = "imu", tilt = 0.5 } })
  run:input("body", { acceleration = { 0, 0, 9.81 } })
  run:advance(0.01)
  t:equal(run.memory.said, {})
  run:input("body", { orientation = { math.sin(0.3), 0, 0, math.cos(0.3) } })
  run:advance(0.01)
  t:equal(run.memory.said, { "tilted body 0.010" })
  t:near(run.inputs.body.orientation[4], math.cos(0.3), 1e-12)
end)

test("what is set by hand stays until it is set free", function(t)
  local run = run_with(t, rows)
  run:input("head", true)
  run:advance(0.8)
  t:equal(run.inputs.head, true)
  run:free "head"
  run:advance(0.01)
  t:equal(run.inputs.head, false)
  run:input("chest", true)
  run:advance(0.01)
  t:equal(run.state, "pressed")
  t:equal(run.memory.by, "chest")
  run:free "chest"
  run:advance(0.01)
  t:equal(run.inputs.chest, false)
end)

test("a press shorter than a tick is noticed", function(t)
  local run = run_with(t, { chest = { kind = "button" } })
  run:input("chest", true)
  run:input("chest", false)
  run:advance(0.01)
  t:equal(run.memory.by, "chest")
  t:equal(run.inputs.chest, false)
end)

test("every value is recorded, and equal runs record alike", function(t)
  local function recorded()
    local run = run_with(t, rows, { recorded = true })
    run:advance(1)
    run:input("body", { rate = { 0, 0, 1 } })
    run:advance(0.1)
    run:finish()
    return run:sql "SELECT tick, t, name, value, source FROM inputs WHERE name <> 'front' ORDER BY id",
      run:sql "SELECT count(*) AS n FROM inputs WHERE name = 'front'",
        run:sql "SELECT commands_hash FROM runs"
  end
  local first, count, hash = recorded()
  t:equal(first[1], { tick = 0, t = 0, name = "body", value = "{}", source = "rest" })
  t:equal({ table.unpack(first, #first - 2) }, {
    { tick = 100, t = 0.5, name = "head", value = "true", source = "world" },
    { tick = 140, t = 0.7, name = "head", value = "false", source = "world" },
    { tick = 200, t = 1, name = "body", value = '{"rate":[0,0,1]}', source = "test" },
  })
  t:ok(count[1].n > 150, "a range that moves is recorded in every tick")
  local second, count2, hash2 = recorded()
  t:equal({ second, count2, hash2 }, { first, count, hash })
end)

test("behaviors see values, and cannot change them", function(t)
  local run = run_with(t, rows)
  run:advance(0.01)
  local face = run.inputs
  t:raises(function() face.head = true end, "self.inputs.head cannot be set: it is sensed")
  t:raises(function() return face.haed end, "there is no input 'haed' %(did you mean 'head'")
  local names = {}
  for name in pairs(face) do names[#names + 1] = name end
  t:equal(names, { "body", "chest", "ears", "front", "head" })
  run:input("body", { rate = { 1, 2, 3 } })
  run:advance(0.01)
  face.body.rate[1] = 9
  t:equal(face.body.rate, { 1, 2, 3 })
  t:raises(function() run:input("head", 1) end, "head must be true or false")
  t:raises(function() run:input("ears", 0 / 0) end, "ears must be decibels")
  t:raises(function() run:input("body", { rate = { 1, 2 } }) end, "body must be a table of")
end)

test("what is wrong with rows is said by field", function(t)
  local faults = {
    { { a = { kind = "buton" } }, "inputs.a.kind must be one of .-button.-did you mean 'button'" },
    { { a = { kind = "button", near = 1 } }, "inputs.a has no field 'near'" },
    { { a = { kind = "range", near = "x" } }, "inputs.a.near must be a number, not a string" },
    { { a = { kind = "range", rest = -1 } }, "inputs.a.rest must be meters" },
    { { a = 1 }, "inputs.a must be a table" },
    { { ["a b"] = { kind = "button" } }, "'a b' cannot be the name" },
    { { { kind = "button" } }, "'1' cannot be the name" },
    { { a = { kind = "touch", path = { { 1, true }, { 0.5, false } } } },
      "inputs.a.path%[2%]: its time, 0.5 s, must not be before 1 s" },
    { { a = { kind = "touch", path = { { 1, 1 } } } },
      "inputs.a.path%[1%]: its value must be true or false" },
    { { a = { kind = "touch", path = { 1 } } }, "inputs.a.path%[1%] must be {seconds, value}" },
    { { a = { kind = "touch", linear = true, path = { { 1, true } } } }, "inputs.a.linear: only numbers" },
    { 3, "inputs must be a table" },
  }
  for _, case in ipairs(faults) do t:match(inputs.fault(case[1], {}), case[2]) end
  t:match(inputs.fault({ a = { kind = "touch", path = {} } }), "inputs.a has no field 'path'")
  t:match(inputs.fault({ a = { kind = "touch" } }, { a = { kind = "button" } }),
    "must be button, as in the robot's file")
  t:equal(inputs.fault({ a = { path = { { 0, 1 } } } }, { a = { kind = "range" } }), nil)
end)

test("a robot's file declares inputs, and its faults name it", function(t)
  local pepper = robots.find "pepper"
  t:equal(pepper.inputs.touch_head.kind, "touch")
  local folder = t:temporary()
  os.execute("mkdir -p " .. folder .. " && cp drivers/robots/ur3e/model.urdf " .. folder)
  local function with(text)
    local file = assert(io.open(folder .. "/robot.lua", "w"))
    file:write(('return { name = "x", model = "model.urdf", inputs = %s }'):format(text))
    file:close()
    return robots.find(folder .. "/robot.lua")
  end
  t:equal(with('{ a = { kind = "imu", tilt = 1 } }').inputs.a.tilt, 1)
  t:match(select(2, with '{ a = { kind = "image" } }'), "robot.lua: inputs.a.kind must be one of")
  t:match(select(2, with '{ a = 1 }'), "robot.lua: inputs.a must be a table")
  os.remove(folder .. "/robot.lua")
  os.remove(folder .. "/model.urdf")
end)
