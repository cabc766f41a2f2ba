/* A cone of rotations about its middle. */
#include "solver/goals/goal_internal.h"

static const char *const fields[] = {"orientation.x", "orientation.y", "orientation.z", "orientation.w",
                                     "delta"};

/* The angle is from 0 to half a turn, beyond which no rotation is. */
static bool check(brio_goal *goal, brio_error *err) {
  return brio_goal_check_range(goal, 4, 1, 0, BRIO_PI, err);
}

const brio_goal_kind brio_goal_rotation_range = {
    .name = "rotation_range",
    .doc = "A rotation, and the permitted angle from it in radians.",
    .example = "{orientation = {0, 0, 0, 1}, delta = 0.3}",
    .count = 5,
    .fields = fields,
    .check = check,
};
