--- The leaf `arm`: brings an arm to joint values, a preset, a pose of its hand, or through several of these.
local moves = require "brio.tree.moves"

return moves.leaf {
  name = "arm", limb = "arm",
  doc = "Brings an arm to joint values, to a named pose of the robot, or its hand to a pose in any frame; or through several.",
  fields = moves.merged(moves.fields, moves.pose_fields, moves.joint_fields, {
    side = { "string", doc = "\"left\" or \"right\", where the robot has two" },
    jointspace_only = { "boolean", value = true,
      doc = "false: the hand's pose is wanted as well as the joints that lead there, and goes straight" },
    position_weight = { "number", unit = "1", lower = 0, upper = 1e6, value = 50,
      doc = "of the hand's position, where it is wanted" },
    orientation_weight = { "number", unit = "1", lower = 0, upper = 1e6, value = 50,
      doc = "of the hand's orientation, where it is wanted" },
    hold_in_world = { "boolean", value = false,
      doc = "afterwards the hand stays where it is in the world, whatever carries the arm; with jointspace_only = false" },
  }),
  inherit = { "side", "part", "link", "frame", "speed", "follow", "tolerance", "position_tolerance", "orientation_tolerance",
    "jointspace_only", "position_weight", "orientation_weight", "hold_in_world" },
}
