--- The leaf `pelvis`: brings the pelvis to a height, and turns it.
local geometry = require "brio.lib.geometry"
local moves = require "brio.tree.execution.moves"

local fields = moves.merged(moves.fields, moves.pose_fields, {
  height = { "number", unit = "m", lower = -100, upper = 100, doc = "of its link above the frame" },
  roll = { "number", unit = "rad", lower = -4, upper = 4, doc = "to its right side" },
  pitch = { "number", unit = "rad", lower = -4, upper = 4, doc = "forward" },
  yaw = { "number", unit = "rad", lower = -4, upper = 4, doc = "to its left" },
  position_weight = moves.hybrid_fields.position_weight,
  orientation_weight = moves.hybrid_fields.orientation_weight,
})
fields.pose, fields.tolerance = nil, nil

local function aim(form)
  local turned = form.roll or form.pitch or form.yaw
  if not form.height and not turned then return nil, "it has no goal: give height, roll, pitch or yaw" end
  return { pose = { position = form.height and { 0, 0, form.height } or nil,
    height = form.height and true or nil,
    orientation = turned and geometry.from_rpy(form.roll or 0, form.pitch or 0, form.yaw or 0) or nil } }
end

return moves.leaf {
  name = "pelvis", limb = "pelvis", fields = fields, aim = aim,
  doc = "Brings the pelvis to a height and turns it: by the joints that carry it, or by the base where that \z
    can move.",
  posed = function(form, pose)
    local roll, pitch, yaw = geometry.rpy(pose.orientation)
    local turned = form.roll or form.pitch or form.yaw
    return { height = form.height and pose.position[3], roll = turned and roll, pitch = turned and pitch,
      yaw = turned and yaw }
  end,
  inherit = { "part", "link", "frame", "speed", "follow", "position_tolerance", "orientation_tolerance" },
}
