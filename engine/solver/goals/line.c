/* A straight line of the world. */
#include "solver/goals/goal_internal.h"

static const char *const fields[] = {"position.x",  "position.y",  "position.z",
                                     "direction.x", "direction.y", "direction.z"};

/* The direction may have any length but 0, which would be no line. */
static bool check(brio_goal *goal, brio_error *err) {
  const double *v = goal->v + 3;
  if (sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) > 1e-9) return true;
  return brio_fail(err, BRIO_MISUSE,
                   "a line goal's direction must be one such as {0, 0, 1}, not {%g, %g, %g}", v[0], v[1],
                   v[2]);
}

const brio_goal_kind brio_goal_line = {
    .name = "line",
    .doc = "A line: a point on it, in meters, and its direction, of any length.",
    .example = "{position = {0.4, 0, 0}, direction = {0, 0, 1}}",
    .count = 6,
    .fields = fields,
    .check = check,
};
