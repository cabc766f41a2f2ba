/* Amounts along, or about, three axes. */
#include "solver/goals/goal_internal.h"

static const char *const fields[] = {"x", "y", "z"};

/* Amounts have no sign: each is an amplitude, in either direction. */
static bool check(brio_goal *goal, brio_error *err) {
  return brio_goal_check_range(goal, 0, 3, 0, HUGE_VAL, err);
}

const brio_goal_kind brio_goal_size = {
    .name = "size",
    .doc = "A size along each of three axes in meters, or about them in radians.",
    .example = "{0.05, 0.02, 0.02}",
    .count = 3,
    .fields = fields,
    .check = check,
};
