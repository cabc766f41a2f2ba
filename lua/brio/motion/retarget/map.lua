--- The table of a mapping, checked: docs/animation/importing.md describes it.
local field_types = require "brio.lib.fields"
local schema = require "brio.lib.schema"
local skeleton = require "brio.motion.skeleton"
local suggest = require "brio.lib.suggest"

local map = {}

local angles = { "roll", "pitch", "yaw", "bend" }

--- Raise a sentence, which map.fault catches.
local function refuse(...) error({ map = string.format(...) }, 0) end

local function one_of(value, names, where)
  local why = field_types.fault(value, { "choice", of = names })
  if why then refuse("%s %s", where, why) end
end

local scale = { "number", value = 1, doc = "that it is multiplied by" }
local offset = { "number", value = 0, doc = "that is added" }
local weight = { "number", doc = "of the objective" }

--- A track's DOF: its name, { name, scale =, offset = }, or false.
local scaled = { { "text", needed = true, doc = "the DOF" }, scale = scale, offset = offset }

local function dof_fault(spec)
  if spec == false or type(spec) == "string" then return nil end
  return field_types.fault(spec, { "record", fields = scaled })
end

map.joint_fields = {
  { "text", needed = true, doc = "a part of the body; of a node: the angle" },
  { "text", doc = "the angle: roll, pitch, yaw or bend" },
  scale = scale, offset = offset,
  node = { "text", doc = "a node by name, against its own rest" },
  to = { "text", doc = "the part that it is measured against" },
}

map.limb_fields = {
  { "choice", of = { "left", "right" }, needed = true, doc = "the side" },
  chest = { "text", needed = true, doc = "the robot's link" },
  shoulder = { "text", needed = true, doc = "the robot's link" },
  elbow = { "text", needed = true, doc = "the robot's link" },
  hand = { "text", needed = true, doc = "the robot's link" },
}

map.reach_fields = {
  { "text", needed = true, doc = "a part of the body" },
  link = { "text", needed = true, doc = "the link that goes where the part goes" },
  at = { "vector", size = 3, unit = "m", needed = true,
    doc = "where the link is when the part is between the shoulders" },
  scale = scale, weight = weight,
}

local share = { "number", doc = "share that the tool follows" }

map.arm_fields = {
  tool = { "text", needed = true, doc = "the robot's link at the end of the arm" },
  face = { "text", doc = "the pose in which the tool faces forward; default: home" },
  side = { "choice", of = { "left", "right" }, doc = "the person's arm; default: the one that moves more" },
  scale = { "number", lower = 1e-3, upper = 1000,
    doc = "from the person to the arm; default: as large as its reach permits" },
  ahead = { "number", unit = "m", lower = -100, upper = 100,
    doc = "where the person's torso is, ahead of the arm's base; default: so that it reaches most" },
  forward = { "number", unit = "rad", doc = "where the person's front is, about z; default: along x" },
  head = { "record", fields = { yaw = share, pitch = share, roll = share },
    doc = "angles of the head" },
  wrist = { "text", doc = "the link that is led, of an arm without a closed form" },
  joints = { "list", of = "text", doc = "the joints that move; default: all from the base to the tool; of a \z
    robot with two arms, those of each" },
  shoulder = { "boolean", doc = "the arm is like a person's: its places are seen from the shoulder, and the \z
    elbow is led, not the tool's direction; default: of a robot with two arms" },
  tolerance = { "number", unit = "rad", lower = 0, upper = 3.15,
    doc = "of the tool's direction, of an arm without a closed form" },
  obstacles = { "list", of = "table", doc = "solids about the arm, as brio.joints takes them" },
}

--- The fields of a mapping.
map.fields = {
  dofs = { "map", of = { "text, table or boolean", fault = dof_fault },
    doc = "track = DOF, { DOF, scale, offset }, or false: left out" },
  nodes = { "map", of = "text", doc = "part of the body = node of the skeleton" },
  joints = { "map", of = { "record", fields = map.joint_fields }, doc = "DOF = an angle of the person" },
  limbs = { "list", of = { "record", fields = map.limb_fields }, doc = "arms that point as the person's do" },
  reach = { "list", of = { "record", fields = map.reach_fields }, doc = "links that go where parts go" },
  arms = { "list", of = { "record", fields = map.arm_fields }, doc = "arms that dance as a person's do" },
}

--- Names of the parts of a body: the standard ones and those that the mapping defines.
local function parts_of(value)
  local parts = table.move(skeleton.parts, 1, #skeleton.parts, 1, {})
  parts[#parts + 1] = "upright"
  local own = suggest.keys(value.nodes or {})
  return table.move(own, 1, #own, #parts + 1, parts)
end

--- Raise errors beyond the schema: unknown parts and angles.
local function check(value)
  local parts = parts_of(value)
  for _, name in ipairs(suggest.keys(value.joints or {})) do
    local spec, where = value.joints[name], "joints." .. name
    if spec.node then
      one_of(spec[1], angles, where .. "[1]")
    else
      one_of(spec[1], parts, where .. "[1]")
      one_of(spec[2], angles, where .. "[2]")
    end
    if spec.to then one_of(spec.to, parts, where .. ".to") end
  end
  for index, spec in ipairs(value.reach or {}) do
    one_of(spec[1], parts, ("reach[%d][1]"):format(index))
  end
end

--- The error in a mapping, a sentence with its position; nil: none.
function map.fault(value)
  local fault = schema.fault(value, map.fields, "the mapping")
  if fault then return fault end
  local good, why = pcall(check, value)
  if good then return nil end
  if type(why) ~= "table" then error(why, 0) end
  return why.map
end

return map
