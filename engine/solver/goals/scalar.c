/* A number: where one joint should be, or by how much it should move. */
#include "solver/goals/goal_internal.h"

static const char *const fields[] = {"value"};

const brio_goal_kind brio_goal_scalar = {
    .name = "scalar",
    .doc = "One number: an angle in radians, or a length in meters.",
    .example = "0.5",
    .count = 1,
    .fields = fields,
};
