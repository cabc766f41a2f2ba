/* A person takes a thing away, also out of a hand. */
#include "world/event.h"
#include "world/things/thing.h"
#include "world/world_internal.h"

/* The thing must exist when the event is added. */
static bool check(brio_world *world, const brio_event *event, brio_error *err) {
  const brio_world_part *things = brio_world_part_table[BRIO_WORLD_PART_things];
  if (world->parts[BRIO_WORLD_PART_things] && things->find(world, event->id) >= 0) return true;
  return brio_fail(err, BRIO_MISUSE, "the event 'take': the world has no thing '%s'", event->id);
}

static void begin(brio_world *world, brio_event *event) { brio_world_take_thing(world, event->id); }

const brio_disturbance brio_disturbance_take = {
    .name = "take",
    .doc = "Somebody takes a thing out of the world, also out of a hand.",
    .example = "{ at = 3, what = \"take\", id = \"ball_1\" }",
    .needs = BRIO_EVENT_ID,
    .check = check,
    .begin = begin,
};
