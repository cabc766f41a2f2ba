/* A person goes and stands somewhere for a while, as in a doorway, then continues as before. */
#include "world/event.h"
#include "world/people/walkers.h"
#include "world/world_internal.h"

/* The walker must exist, and the place be finite. */
static bool check(brio_world *world, const brio_event *event, brio_error *err) {
  const brio_world_part *walkers = brio_world_part_table[BRIO_WORLD_PART_walkers];
  if (!world->parts[BRIO_WORLD_PART_walkers] || walkers->find(world, event->id) < 0)
    return brio_fail(err, BRIO_MISUSE, "the event 'stand': the world has no walker '%s'", event->id);
  if (fabs(event->to.x) <= 1e4 && fabs(event->to.y) <= 1e4) return true;
  return brio_fail(err, BRIO_MISUSE, "the event 'stand': to must be finite numbers {x, y}");
}

static void begin(brio_world *world, brio_event *event) {
  brio_world_send_walker(world, event->id, event->to.x, event->to.y);
}
static void end(brio_world *world, brio_event *event) { brio_world_let_walker_go(world, event->id); }

const brio_disturbance brio_disturbance_stand = {
    .name = "stand",
    .doc = "A person goes to a position, stands there for a while, as in a doorway, and continues.",
    .example = "{ at = 3, what = \"stand\", id = \"ann\", to = { 2, 0 }, seconds = 5 }",
    .needs = BRIO_EVENT_ID | BRIO_EVENT_TO | BRIO_EVENT_SECONDS,
    .check = check,
    .begin = begin,
    .end = end,
};
