/* A rotation. */
#include "solver/goal_internal.h"

static const char *const fields[] = {"x", "y", "z", "w"};

static bool check(brio_goal *goal, brio_error *err) { return brio_goal_check_rotation(goal, 0, err); }

static void blend(const brio_goal *from, const brio_goal *to, double share, brio_goal *out) {
  brio_goal_blend_arc(from, to, share, 0, out);
}

const brio_goal_kind brio_goal_rotation = {
  .name = "rotation",
  .doc = "A rotation as a quaternion x, y, z, w.",
  .example = "{0, 0, 0, 1}",
  .count = 4,
  .fields = fields,
  .check = check,
  .blend = blend,
};
