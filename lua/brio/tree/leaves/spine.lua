--- The leaf `spine`: moves the joints of a trunk to targets, or the chest to a pose.
local moves = require "brio.tree.execution.moves"

return moves.leaf {
  name = "spine", limb = "spine",
  doc = "Brings the joints of the trunk to values, to a named pose of the robot, or the chest to a pose in \z
    any frame.",
  fields = moves.merged(moves.fields, moves.pose_fields, moves.joint_fields, moves.hybrid_fields),
  inherit = { "part", "link", "frame", "speed", "follow", "tolerance", "position_tolerance",
    "orientation_tolerance" },
}
