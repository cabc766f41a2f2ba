/* The sensor does not see things of one kind, or nothing at all, for a while. */
#include <stdio.h>
#include <string.h>

#include "world/event.h"
#include "world/world_internal.h"

/* Add the kind to the hidden ones, "*" for all. Without room the disturbance has no effect (`kept` is 0). */
static void begin(brio_world *world, brio_event *event) {
  event->kept = world->nblind < BRIO_WORLD_MOST_BLIND;
  if (world->nblind < BRIO_WORLD_MOST_BLIND)
    snprintf(world->blind[world->nblind++], sizeof *world->blind, "%s",
             event->given & BRIO_EVENT_KIND ? event->kind : "*");
}

/* Remove one entry of the kind: another event may hide it, too. */
static void end(brio_world *world, brio_event *event) {
  if (event->kept == 0) return;
  /* The order of the list does not matter: the last entry fills the gap. */
  const char *kind = event->given & BRIO_EVENT_KIND ? event->kind : "*";
  for (int i = 0; i < world->nblind; i++) {
    if (strcmp(world->blind[i], kind) != 0) continue;
    memmove(world->blind[i], world->blind[world->nblind - 1], sizeof *world->blind);
    world->nblind--;
    return;
  }
}

const brio_disturbance brio_disturbance_blind = {
    .name = "blind",
    .doc = "The sensor does not see things of this kind for a while; without a kind, nothing.",
    .example = "{ at = 3, what = \"blind\", kind = \"ball\", seconds = 2 }",
    .needs = BRIO_EVENT_SECONDS,
    .takes = BRIO_EVENT_KIND,
    .begin = begin,
    .end = end,
};
