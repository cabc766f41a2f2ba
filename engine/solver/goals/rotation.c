/* A rotation. */
#include "solver/goals/goal_internal.h"

/* x, y, z, w in a row are a quaternion: unit length, blended along an arc (goal.c). */
static const char *const fields[] = {"x", "y", "z", "w"};

const brio_goal_kind brio_goal_rotation = {
  .name = "rotation",
  .doc = "A rotation as a quaternion x, y, z, w.",
  .example = "{0, 0, 0, 1}",
  .count = 4,
  .fields = fields,
};
