/* An ellipsoid in the world. */
#include "solver/goals/goal_internal.h"

static const char *const fields[] = {"position.x", "position.y", "position.z",
                                     "orientation.x", "orientation.y", "orientation.z", "orientation.w",
                                     "size.x", "size.y", "size.z"};

enum { SIZE = 7 }; /* where it begins among the numbers */

static const double least = 1e-6; /* m: a half length below it is no volume */

/* Half lengths have a least value; position and orientation are free. */
static bool check(brio_goal *goal, brio_error *err) {
  return brio_goal_check_range(goal, SIZE, 3, least, HUGE_VAL, err);
}

const brio_goal_kind brio_goal_ellipse = {
    .name = "ellipse",
    .doc = "An ellipsoid: its center, its orientation, and its half lengths in meters.",
    .example = "{position = {0.4, 0, 0.6}, orientation = {0, 0, 0, 1}, size = {0.2, 0.1, 0.1}}",
    .count = 10,
    .fields = fields,
    .check = check,
};
