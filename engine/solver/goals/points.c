/* A list of points: the corners of an area, a path, or targets of a gaze one after the other. */
#include "solver/goals/goal_internal.h"

/* The names of one point: they repeat for each item of the list. */
static const char *const fields[] = {"x", "y", "z"};

const brio_goal_kind brio_goal_points = {
    .name = "points",
    .doc = "A list of 1 to 64 points in meters; their number can change from goal to goal.",
    .example = "{{0.1, 0.1, 0}, {-0.1, 0.1, 0}, {0, -0.1, 0}}",
    .fields = fields,
    .item = 3,
    .least = 1,
    .most = BRIO_GOAL_ITEMS,
};
