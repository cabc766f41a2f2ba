--- The leaf `screw` on robots of the simulator, compared with the exact screw.
local geometry = require "brio.geometry"
local check = require "brio.tree.model.check"
local robots = require "brio.robots"
local screw = require "brio.screw"
local trees = require "brio.tree"

local function text_of(list) return "{ " .. table.concat(list, ", ") .. " }" end

--- A run that brings a hand to a pose and then turns it: its end in memory.ended, .why; .began, the start of
--- the screw.
local function run_of(t, robot, from, axis, fields)
  return t:run("source", { robot = robot, source = ([[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = {} }
local function ended(self, data) self.memory.ended, self.memory.why = self.now, data and data.why return "two" end
b.one = { tree = { "sequence", { "arm", pose = { position = %s, orientation = %s }, seconds = 1, position_tolerance = 0.001 },
  { "action", tick = function(self) self.memory.began = self.now return true end },
  { "screw", axis = { position = %s, orientation = %s }, %s } }, on = { tree_done = ended, tree_failed = ended } }
b.two = {}
return b
]]):format(text_of(from.position), text_of(from.orientation), text_of(axis.position),
  text_of(axis.orientation), fields) })
end

--- The distance of a point from the path of a screw, m.
local function beside(one, point)
  local function far(s) return geometry.distance(screw.pose(one, s).position, point) end
  local best = 0
  for place = 0, 40 do if far(place / 40) < far(best) then best = place / 40 end end
  local low, high = math.max(0, best - 0.025), math.min(1, best + 0.025)
  for _ = 1, 30 do
    local a, b = low + (high - low) / 3, high - (high - low) / 3
    if far(a) < far(b) then high = b else low = a end
  end
  return far((low + high) / 2)
end

--- Run it to its end.  Return the exact screw, the hand's greatest distance from it, and its final pose.
local function follow(run, axis, rotation, translation)
  local tool, one, most = run.description.roles.tool, nil, 0
  while not run.memory.ended and run.now < 25 do
    run:advance(0.025)
    local hand = run.solver:frames()[tool]
    if run.memory.began and not one then
      one = { frame = axis, start = hand, rotation = rotation, translation = translation or 0 }
    end
    if one and not run.memory.ended then most = math.max(most, beside(one, hand.position)) end
  end
  return one, most, run.solver:frames()[tool]
end

local up = { 0, -math.sqrt(0.5), 0, math.sqrt(0.5) } -- its x axis points up
local down = { 1, 0, 0, 0 }
local forward = { 0, math.sqrt(0.5), 0, math.sqrt(0.5) }

test("a hand goes with a door's handle, 0.8 m from the hinge, within a millimeter", function(t)
  local doors = { { "panda", { 0.45, 0.3, 0.45 }, { 1.25, 0.3, 0.45 }, 0.6 },
    { "ur3e", { 0.25, 0.25, 0.3 }, { 1.05, 0.25, 0.3 }, 0.45 } }
  for _, door in ipairs(doors) do
    local axis = { position = door[3], orientation = up }
    local run = run_of(t, door[1], { position = door[2], orientation = down }, axis,
      ("rotation = %g, max_linear = 0.2"):format(door[4]))
    local one, most, hand = follow(run, axis, door[4])
    t:equal(run.memory.why, nil)
    t:ok(most < 0.001, "%s: %.2f mm beside its way", door[1], most * 1000)
    t:near(hand.position, screw.pose(one, 1).position, 1e-3, door[1])
    t:ok(geometry.angle(hand.orientation, screw.pose(one, 1).orientation) < 0.01)
    local exact = screw.plan { frame = axis, start = one.start, rotation = door[4], max_linear = 0.2,
      step_rotation = math.pi / 36 }
    t:near(run.memory.ended - run.memory.began, exact.seconds, 0.1, "in the time that its speeds ask for")
  end
end)

test("a hand turns a knob, and pulls on", function(t)
  local knobs = { { "ur3e", { 0.3, 0.15, 0.3 }, 1.2, 0.05 }, { "panda", { 0.45, 0.1, 0.5 }, -1.2, -0.04 } }
  for _, knob in ipairs(knobs) do
    local axis = { position = { knob[2][1], knob[2][2], knob[2][3] + 0.03 }, orientation = { 0, 0, 0, 1 } }
    local run = run_of(t, knob[1], { position = knob[2], orientation = forward }, axis,
      ("rotation = %g, translation = %g, max_angular = 1.2"):format(knob[3], knob[4]))
    local one, most, hand = follow(run, axis, knob[3], knob[4])
    t:equal(run.memory.why, nil)
    t:ok(most < 0.001, "%s: %.2f mm beside its way", knob[1], most * 1000)
    t:near(hand.position, screw.pose(one, 1).position, 1e-3, knob[1])
    t:ok(geometry.angle(hand.orientation, screw.pose(one, 1).orientation) < 0.01)
  end
end)

test("a screw that leads out of reach fails before the hand moves, and says where", function(t)
  local axis = { position = { 1.25, 0.3, 0.45 }, orientation = up }
  local run = run_of(t, "panda", { position = { 0.45, 0.3, 0.45 }, orientation = down }, axis,
    "rotation = -0.8, max_linear = 0.5")
  local one, _, hand = follow(run, axis, -0.8)
  t:match(run.memory.why, "^at %d+ %% of the way the arm ")
  t:near(hand.position, one.start.position, 1e-3, "it stayed")
end)

test("a screw of next to nothing is done at once", function(t)
  local axis = { position = { 0.3, 0.15, 0.3 }, orientation = { 0, 0, 0, 1 } }
  local run = run_of(t, "ur3e", { position = { 0.3, 0.2, 0.3 }, orientation = down }, axis, "rotation = 1e-9")
  follow(run, axis, 1e-9)
  t:equal(run.memory.why, nil)
  t:ok(run.memory.ended - run.memory.began < 0.2)
end)

test("a screw that goes nowhere is refused when it is loaded", function(t)
  local function fault(form)
    local made, faults = trees.compile(form)
    if not made then return faults[1].message end
    local found = check.faults(made, { description = assert(robots.find "ur3e"), name = "one" }, tostring)
    return found[1] and found[1].message or "nothing"
  end
  t:match(fault { "screw", axis = {} }, "a screw needs a translation or a rotation: both are 0")
  t:match(fault { "screw", rotation = 1 }, "needs 'axis'")
  t:match(fault { "screw", axis = {}, rotation = 1, max_linear = 0 },
    "max_linear must be from 0.0001 to 10 m/s")
  t:equal(fault { "screw", axis = {}, rotation = 1 }, "nothing")
  t:near(trees.kinds.screw.record.seconds(
    { rotation = 1.2, translation = 0.05, max_linear = 0.1, max_angular = 0.6, axis = {} }), 2.25, 1e-9)
end)

test("an arm of five joints turns a lever whose grip turns in the hand", function(t)
  local axis = { position = { 0.25, -0.25, 0.95 }, orientation = { 0, 0, math.sqrt(0.5), math.sqrt(0.5) } }
  local run = t:run("source", { robot = "pepper", source = ([[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = {} }
local function ended(self, data) self.memory.ended, self.memory.why = self.now, data and data.why return "two" end
b.one = { tree = { "sequence", { "arm", side = "right", pose = { position = { 0.25, -0.25, 0.85 } }, seconds = 1 },
  { "action", tick = function(self) self.memory.began = self.now return true end },
  { "screw", side = "right", axis = { position = %s, orientation = %s }, rotation = 0.8, orientation_tolerance = math.pi } },
  on = { tree_done = ended, tree_failed = ended } }
b.two = {}
return b
]]):format(text_of(axis.position), text_of(axis.orientation)) })
  local one, most, hand = follow(run, axis, 0.8)
  t:equal(run.memory.why, nil)
  t:ok(most < 0.001, "%.2f mm beside its way", most * 1000)
  t:near(hand.position, screw.pose(one, 1).position, 1e-3)
end)
