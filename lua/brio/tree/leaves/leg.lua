--- The leaf `leg`: brings a leg to joint values, a preset, or a pose of its foot.
local moves = require "brio.tree.execution.moves"

return moves.leaf {
  name = "leg", limb = "leg",
  doc = "Brings a leg to joint values, to a named pose of the robot, or its foot to a pose in any frame; or \z
    through several.",
  fields = moves.merged(moves.fields, moves.pose_fields, moves.joint_fields, moves.hybrid_fields, {
    plan = { "any", value = false, doc = "as for an arm, but false by default: a foot stands on something" },
    side = { "string", doc = "\"left\" or \"right\"" },
  }),
  inherit = { "side", "part", "link", "frame", "speed", "follow", "tolerance", "position_tolerance",
    "orientation_tolerance" },
}
