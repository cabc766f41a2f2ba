--- The tables that people write for a rig (docs/animation/feasible.md).
local mapping = require "brio.motion.retarget.map"
local standing = require "brio.motion.standing.records"

local records = {}

local points = { "list", of = { "vector", size = 3, unit = "m", lower = -100, upper = 100 } }

--- The pelvis target.
records.pelvis = {
  link = { "text", needed = true, doc = "the link that is the robot's pelvis" },
  part = { "choice", of = { "hips", "chest" }, value = "hips", doc = "what of a person turns it" },
  move = { "vector", size = 3, lower = -100, upper = 100,
    doc = "share of a person's motion along x, y and z that it follows; {1, 1, 1} unless given" },
  turn = { "vector", size = 3, lower = -100, upper = 100,
    doc = "the same of roll, pitch and yaw" },
}

--- A leg: a virtual one goes straight from hip to foot.
records.leg = {
  hip = { "text", needed = true, doc = "the link whose origin is the hip" },
  foot = { "text", needed = true, doc = "the link whose origin is the foot" },
}

--- A joint that another one leads.
records.mimic = {
  joint = { "text", needed = true, doc = "what leads it" },
  scale = { "number", value = 1, doc = "factor" },
  offset = { "number", value = 0, unit = "rad", doc = "what is added" },
}

--- An equation among joints.
records.equation = {
  joints = { "map", of = "number", needed = true, doc = "variable = factor" },
  value = { "number", value = 0, unit = "rad", doc = "what the sum of factor x variable is" },
}

--- A model without closed loops that moves as the robot does, for physics.
records.replay = {
  rigid = { "list", of = "text", doc = "joints that do not move, beside those of the rig" },
  mimic = { "map", of = { "record", fields = records.mimic },
    doc = "joint = what leads it, in place of loops" },
  bare = { "boolean", value = false,
    doc = "links without a shape touch nothing; a box is made up for them otherwise" },
}

--- A rig.
records.rig = {
  name = { "text", doc = "of the robot" },
  model = { "text", doc = "the robot's URDF or MJCF, beside the rig; what --robot says unless given" },
  source = { "list", of = "text", doc = "where its numbers are from" },
  rigid = { "list", of = "text", doc = "joints that do not move, such as stiff springs: held at 0" },
  mimic = { "map", of = { "record", fields = records.mimic }, doc = "joint = what leads it" },
  replay = { "record", fields = records.replay,
    doc = "how physics, which knows no closed loops, moves the robot: without them" },
  equal = { "list", of = { "record", fields = records.equation },
    doc = "equations that every pose of an animation holds" },
  home = { "map", of = "number", needed = true, doc = "variable = value when it stands, rad or m" },
  pelvis = { "record", fields = records.pelvis, needed = true, doc = "the pelvis target" },
  legs = { "map", of = { "record", fields = records.leg }, needed = true,
    doc = "left and right: leg pose targets" },
  feet = { "map", of = points, needed = true,
    doc = "link = points of it that stand on the ground, m: foot targets" },
  joints = mapping.fields.joints, limbs = mapping.fields.limbs, reach = mapping.fields.reach,
  nodes = mapping.fields.nodes,
  rate = { "number", lower = 5, upper = 200, value = 25, unit = "1/s", doc = "frames per second" },
}
for _, name in ipairs { "friction", "margin", "stretch", "scale", "motors", "limits", "window", "overlap",
  "every", "weights", "calm", "tempo" } do
  records.rig[name] = standing.options[name]
end

--- The options of standing motions that a rig may give.
records.optimizing = { "friction", "margin", "stretch", "scale", "motors", "limits", "window", "overlap",
  "every", "weights", "calm", "tempo" }

return records
