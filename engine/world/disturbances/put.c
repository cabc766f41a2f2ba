/* A person puts a thing somewhere, wherever it was: on a table, into a chute, back into the world. */
#include "world/event.h"
#include "world/things/thing.h"
#include "world/world_internal.h"

/* The thing must exist, and the place be finite; a height of NaN stands for the highest surface there. */
static bool check(brio_world *world, const brio_event *event, brio_error *err) {
  const brio_world_part *things = brio_world_part_table[BRIO_WORLD_PART_things];
  if (!world->parts[BRIO_WORLD_PART_things] || things->find(world, event->id) < 0)
    return brio_fail(err, BRIO_MISUSE, "the event 'put': the world has no thing '%s'", event->id);
  if (!(fabs(event->to.x) <= 1e4 && fabs(event->to.y) <= 1e4) ||
      !(isnan(event->to.z) || fabs(event->to.z) <= 1e4))
    return brio_fail(err, BRIO_MISUSE, "the event 'put': to must be finite numbers {x, y [, z]}");
  return true;
}

static void begin(brio_world *world, brio_event *event) { brio_world_put_thing(world, event->id, event->to); }

const brio_disturbance brio_disturbance_put = {
    .name = "put",
    .doc = "A person moves a thing to a position; without a height, on top of the things there.",
    .example = "{ at = 3, what = \"put\", id = \"ball_1\", to = { 0.5, 0.1 } }",
    .needs = BRIO_EVENT_ID | BRIO_EVENT_TO,
    .check = check,
    .begin = begin,
};
