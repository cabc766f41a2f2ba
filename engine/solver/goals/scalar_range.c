/* A range of numbers about its middle. */
#include "solver/goals/goal_internal.h"

static const char *const fields[] = {"value", "delta"};

/* The value is free; the range on either side of it has no negative width. */
static bool check(brio_goal *goal, brio_error *err) {
  return brio_goal_check_range(goal, 1, 1, 0, HUGE_VAL, err);
}

const brio_goal_kind brio_goal_scalar_range = {
    .name = "scalar_range",
    .doc = "A number, and the permitted deviation from it.",
    .example = "{value = 0.5, delta = 0.1}",
    .count = 2,
    .fields = fields,
    .check = check,
};
