/* A person holds a door, so that it opens no further. */
#include "world/doors/doors.h"
#include "world/event.h"
#include "world/world_internal.h"

/* The door must exist when the event is added. */
static bool check(brio_world *world, const brio_event *event, brio_error *err) {
  if (brio_world_door(world, event->id)) return true;
  return brio_fail(err, BRIO_MISUSE, "the event 'hold_shut': the world has no door '%s'", event->id);
}

static void begin(brio_world *world, brio_event *event) {
  brio_world_hold_door(world, event->id, event->seconds);
}

const brio_disturbance brio_disturbance_hold_shut = {
    .name = "hold_shut",
    .doc = "A person holds a door for a while, so that it opens no further.",
    .example = "{ at = 3, what = \"hold_shut\", id = \"office\", seconds = 5 }",
    .needs = BRIO_EVENT_ID | BRIO_EVENT_SECONDS,
    .check = check,
    .begin = begin,
};
