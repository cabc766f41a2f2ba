/* A place: a point, or an offset, in metres. */
#include "solver/goals/goal_internal.h"

static const char *const fields[] = {"x", "y", "z"};

const brio_goal_kind brio_goal_translation = {
    .name = "translation",
    .doc = "A point: meters along x, y and z of the world.",
    .example = "{0.4, 0, 0.6}",
    .count = 3,
    .fields = fields,
};
