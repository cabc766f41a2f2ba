/* A walker is asked to step aside, and does. */
#include "world/event.h"
#include "world/people/walkers.h"
#include "world/world_internal.h"

/* The walker must exist when the event is added. */
static bool check(brio_world *world, const brio_event *event, brio_error *err) {
  const brio_world_part *walkers = brio_world_part_table[BRIO_WORLD_PART_walkers];
  if (world->parts[BRIO_WORLD_PART_walkers] && walkers->find(world, event->id) >= 0) return true;
  return brio_fail(err, BRIO_MISUSE, "the event 'ask': the world has no walker '%s'", event->id);
}

static void begin(brio_world *world, brio_event *event) { brio_world_ask_walker(world, event->id); }

const brio_disturbance brio_disturbance_ask = {
    .name = "ask",
    .doc = "A person who walks or stands is asked to step aside, and goes there.",
    .example = "{ at = 3, what = \"ask\", id = \"ann\" }",
    .needs = BRIO_EVENT_ID,
    .check = check,
    .begin = begin,
};
