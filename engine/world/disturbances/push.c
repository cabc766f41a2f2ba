/* A person pushes a joint of the robot away from where it is, holds it there, and releases it: the motor's
** position changes, whatever its command is. The joint moves during the first third of the time. */
#include "world/event.h"
#include "world/things/hand.h"
#include "world/world_internal.h"

/* Start from the measured value; NaN: no robot is known, and nothing happens. */
static void begin(brio_world *world, brio_event *event) {
  int number = brio_world_axis(world, event->id);
  event->kept = number >= 0 ? world->holds[number].value : NAN;
}

/* A linear ramp to the full deflection within the first third; lower = upper holds the axis there. */
static void during(brio_world *world, brio_event *event, double since) {
  int number = brio_world_axis(world, event->id);
  if (number < 0 || isnan(event->kept)) return;
  brio_world_hold *hold = &world->holds[number];
  hold->push_lower = hold->push_upper = event->kept + event->by * fmin(1, 3 * since / event->seconds);
}

/* Free the axis. */
static void end(brio_world *world, brio_event *event) {
  int number = brio_world_axis(world, event->id);
  if (number < 0) return;
  world->holds[number].push_lower = -INFINITY;
  world->holds[number].push_upper = INFINITY;
}

const brio_disturbance brio_disturbance_push = {
    .name = "push",
    .doc = "A person pushes a joint of the robot by a distance, holds it there and releases it, within a "
           "time.",
    .example = "{ at = 3, what = \"push\", id = \"right_elbow\", by = 0.4, seconds = 1 }",
    .needs = BRIO_EVENT_ID | BRIO_EVENT_BY | BRIO_EVENT_SECONDS,
    .begin = begin,
    .during = during,
    .end = end,
};
