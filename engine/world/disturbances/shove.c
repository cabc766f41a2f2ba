/* A person pushes a link of the robot with a force.  Where nothing has mass a force moves nothing. */
#include "world/event.h"
#include "world/mover.h"
#include "world/world_internal.h"

#define STRONGEST 1e5 /* N */

/* A push takes time. */
static bool check(brio_world *world, const brio_event *event, brio_error *err) {
  (void)world;
  /* Written so that NaN is refused, too. */
  if (brio_vec3_norm(event->force) <= STRONGEST && event->seconds > 0) return true;
  return brio_fail(err, BRIO_MISUSE, "the event 'shove': at most %g N, for more than 0 s", STRONGEST);
}

/* The simulation counts the time of the push. */
static void begin(brio_world *world, brio_event *event) {
  const brio_world_mover *mover = brio_world_mover_of(world);
  if (mover && mover->push) mover->push(mover->context, event->id, event->force, event->seconds);
}

const brio_disturbance brio_disturbance_shove = {
    .name = "shove",
    .doc = "A person pushes a link of the robot with a force, N along the world's axes; without physics it "
           "has no effect.",
    .example = "{ at = 3, what = \"shove\", id = \"torso\", force = { 40, 0, 0 }, seconds = 0.2 }",
    .needs = BRIO_EVENT_ID | BRIO_EVENT_FORCE | BRIO_EVENT_SECONDS,
    .check = check,
    .begin = begin,
};
