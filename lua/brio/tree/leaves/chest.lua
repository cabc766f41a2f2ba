--- The leaf `chest`: turns the chest.
local geometry = require "brio.lib.geometry"
local moves = require "brio.tree.execution.moves"

local fields = moves.merged(moves.fields, moves.pose_fields, {
  roll = { "number", unit = "rad", lower = -4, upper = 4, value = 0, doc = "to its right side" },
  pitch = { "number", unit = "rad", lower = -4, upper = 4, value = 0, doc = "forward" },
  yaw = { "number", unit = "rad", lower = -4, upper = 4, value = 0, doc = "to its left" },
})
fields.pose, fields.tolerance, fields.position_tolerance = nil, nil, nil

return moves.leaf {
  name = "chest", limb = "spine", fields = fields,
  doc = "Turns the chest by the joints of the trunk, wherever it comes to be.",
  aim = function(form) return { pose = {
    orientation = geometry.from_rpy(form.roll, form.pitch, form.yaw) } } end,
  posed = function(_, pose)
    local roll, pitch, yaw = geometry.rpy(pose.orientation)
    return { roll = roll, pitch = pitch, yaw = yaw }
  end,
  inherit = { "part", "link", "frame", "speed", "follow", "orientation_tolerance" },
}
