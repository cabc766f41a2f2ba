--- The leaf `arm`: brings an arm to joint values, a preset, a pose of its hand, or through several of
--- these.
local moves = require "brio.tree.execution.moves"

return moves.leaf {
  name = "arm", limb = "arm",
  doc = "Brings an arm to joint values, to a named pose of the robot, or its hand to a pose in any frame; \z
    or through several.",
  fields = moves.merged(moves.fields, moves.pose_fields, moves.joint_fields, moves.hybrid_fields, {
    side = { "string", doc = "\"left\" or \"right\", where the robot has two" },
  }),
  inherit = { "side", "part", "link", "frame", "speed", "follow", "tolerance", "position_tolerance",
    "orientation_tolerance", "jointspace_only", "position_weight", "orientation_weight", "jointspace_weight",
    "hold_in_world" },
}
