/* The world's contents as a simulation of bodies with mass takes them. */
#include "world/fixture.h"

#include <string.h>

#include "world/event.h"
#include "world/mover.h"
#include "world/world_internal.h"

/* Whether an owner is a piece of furniture or a wall. */
static bool is_fixed(int owner) {
  int part = (owner - 1) / BRIO_WORLD_OWNERS;
  return owner > 0 && (part == BRIO_WORLD_PART_furniture || part == BRIO_WORLD_PART_walls);
}

int brio_world_fixtures(brio_world *world, brio_world_fixture *out, int most) {
  int count = 0;
  brio_world_collect(world);
  for (int i = 0; i < world->nsolid; i++) {
    const brio_solid *solid = &world->solids[i];
    if (solid->hand || !is_fixed(solid->owner)) continue;
    /* Its id, by the part that owns it. */
    const brio_world_part *part = brio_world_part_table[(solid->owner - 1) / BRIO_WORLD_OWNERS];
    const char *id = part->name_of(world, (solid->owner - 1) % BRIO_WORLD_OWNERS);
    if (count < most) out[count] = (brio_world_fixture){id, *solid};
    count++;
  }
  return count;
}

bool brio_world_only_fixtures(const brio_world *world, brio_error *err) {
  static const struct {
    int part;
    const char *name;
  } movable[] = {{BRIO_WORLD_PART_things, "thing"}, {BRIO_WORLD_PART_doors, "door"}};
  /* Parts whose contents move by contact. */
  for (size_t i = 0; i < sizeof movable / sizeof *movable; i++) {
    const brio_world_part *part = brio_world_part_table[movable[i].part];
    int count = world->parts[movable[i].part] ? part->count(world) : 0;
    if (count > 0)
      return brio_fail(err, BRIO_MISUSE, "physics does not simulate %ss yet, and the world has the %s '%s'",
                       movable[i].name, movable[i].name, part->name_of(world, 0));
  }
  /* Events that move a joint by force of kinematics. */
  const brio_event *push = brio_world_event_of(world, "push");
  return !push ||
         brio_fail(err, BRIO_MISUSE, "physics does not simulate the event 'push' (of '%s') yet", push->id);
}

void brio_world_set_mover(brio_world *world, const brio_world_mover *mover) {
  world->mover = mover;
}

const brio_world_mover *brio_world_mover_of(const brio_world *world) {
  return world->mover;
}
