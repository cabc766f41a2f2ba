--- Reachable poses of a robot's link, and unrelated initial values, for the benchmark of inverse kinematics.
---     build/brio lua scripts/bench/kinematics/inverse_goals.lua MODEL.urdf BASE TIP COUNT SEED
--- Prints the input of inverse.h: joint values with a uniform distribution within the limits (a whole turn if
--- there are none), and their poses by forward kinematics.
local geometry = require "brio.geometry"
local random = require "brio.random"
local robot = require "brio.robot"

local model, base, tip, count, seed = arg[1], arg[2], arg[3], tonumber(arg[4]), tonumber(arg[5])
if not seed then error("usage: inverse_goals.lua MODEL.urdf BASE TIP COUNT SEED", 0) end

local arm = assert(robot.load(model))
local stream = random.stream(seed, "inverse goals")

--- The variables of the joints from the base to the tip, in that order.
local function chain()
  local limits, list = {}, {}
  for _, variable in ipairs(arm:variables()) do limits[variable.joint] = variable end
  local link = arm:link(tip)
  while link.name ~= base do
    assert(link.parent, "the base does not carry the tip")
    if limits[link.joint] then table.insert(list, 1, limits[link.joint]) end
    link = arm:link(link.parent)
  end
  return list
end

local joints = chain()

local function draw()
  local values = {}
  for i, variable in ipairs(joints) do
    local turns = variable.lower == nil or variable.lower == -math.huge
    values[i] = stream:uniform(turns and -math.pi or variable.lower, turns and math.pi or variable.upper)
  end
  return values
end

--- The numbers of several lists, without loss, in one line.
local function print_line(...)
  local words = {}
  for _, list in ipairs { ... } do
    for _, value in ipairs(list) do words[#words + 1] = ("%.17g"):format(value) end
  end
  print(table.concat(words, " "))
end

--- The pose of the tip in the base's frame: position and quaternion.
local function pose_of(values)
  local configuration = { joints = {} }
  for i, variable in ipairs(joints) do configuration.joints[variable.name] = values[i] end
  local links = arm:forward(configuration).links
  local from, to = links[base], links[tip]
  local q, away = from.orientation, {}
  local back = { -q[1], -q[2], -q[3], q[4] }
  for i = 1, 3 do away[i] = to.position[i] - from.position[i] end
  return geometry.turn(back, away), geometry.times(back, to.orientation)
end

local function list_of(field, otherwise)
  local list = {}
  for i, variable in ipairs(joints) do
    local value = variable[field]
    list[i] = value and math.abs(value) < math.huge and value or otherwise
  end
  return list
end

local names = {}
for i, variable in ipairs(joints) do names[i] = variable.name end
print(model, base, tip, #joints, count)
print(table.concat(names, " "))
print_line(list_of("lower", -math.pi))
print_line(list_of("upper", math.pi))
for _ = 1, count do
  local position, orientation = pose_of(draw())
  print_line(position, orientation, draw())
end
