/* The noise of a view: the distance of its focus, its turns about it, and the shifts of the focus. */
#include "solver/goals/goal_internal.h"

static const char *const fields[] = {"focus", "turn.x", "turn.y", "turn.z", "shift.x", "shift.y", "shift.z"};

/* The focus from 1 mm to 1 km away, turns up to half a turn about each axis, shifts of any length. */
static bool check(brio_goal *goal, brio_error *err) {
  return brio_goal_check_range(goal, 0, 1, 1e-3, 1e3, err) &&
         brio_goal_check_range(goal, 1, 3, 0, BRIO_PI, err) &&
         brio_goal_check_range(goal, 4, 3, 0, HUGE_VAL, err);
}

const brio_goal_kind brio_goal_perspective = {
    .name = "perspective",
    .doc = "How far away the focus is, in meters, how much the view may turn about it, in radians about each "
           "axis of the "
           "link, and how much the focus itself may shift, in meters along each axis of the world.",
    .example = "{focus = 0.4, turn = {0, 0.3, 0.3}, shift = {0, 0, 0}}",
    .count = 7,
    .fields = fields,
    .check = check,
};
