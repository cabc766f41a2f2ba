/* The world's contents as a simulation of bodies with mass takes them. */
#include "world/fixture.h"

#include <string.h>

#include "world/event.h"
#include "world/mover.h"
#include "world/things/things_internal.h"
#include "world/world_internal.h"

bool brio_world_set_ground(brio_world *world, const brio_world_ground *ground, brio_error *err) {
  /* Written so that NaN is refused, too. */
  if (!(ground->soft >= 0 && ground->soft <= BRIO_WORLD_SOFTEST))
    return brio_fail(err, BRIO_MISUSE, "soft of the ground must be a number from 0 to %g m, not %g",
                     BRIO_WORLD_SOFTEST, ground->soft);
  if (!(ground->friction >= 0 && ground->friction <= 10))
    return brio_fail(err, BRIO_MISUSE, "friction of the ground must be a number from 0 to 10, not %g",
                     ground->friction);
  world->ground = *ground;
  return true;
}

brio_world_ground brio_world_ground_of(const brio_world *world) {
  return world->ground;
}

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

int brio_world_loose_things(const brio_world *world, brio_world_loose *out, int most) {
  const brio_things *all = brio_things_of(world);
  int count = all ? all->count : 0;
  for (int i = 0; i < count && i < most; i++) {
    const brio_thing *thing = &all->list[i];
    out[i] = (brio_world_loose){thing->id,   thing->shape == BRIO_THING_BALL,
                                thing->there, thing->half,
                                thing->pose, thing->mass,
                                thing->puts, thing->friction, thing->rolling};
  }
  return count;
}

bool brio_world_only_bodies(const brio_world *world, const brio_robot *robot, brio_error *err) {
  /* Events that move a joint by force of kinematics, and those that push what is not there. */
  const brio_event *push = brio_world_event_of(world, "push", NULL), *shove = NULL;
  while ((shove = brio_world_event_of(world, "shove", shove)) != NULL)
    if (brio_robot_link(robot, shove->id, err) < 0) return brio_fail_in(err, "the event 'shove'");
  return !push ||
         brio_fail(err, BRIO_MISUSE, "physics does not simulate the event 'push' (of '%s') yet", push->id);
}

void brio_world_set_mover(brio_world *world, const brio_world_mover *mover) {
  world->mover = mover;
  brio_world_find_bodies(world);
}

void brio_world_find_bodies(brio_world *world) {
  /* Names are looked up here, once: bodies have numbers afterwards. */
  for (int i = 0; i < BRIO_WORLD_PARTS; i++)
    if (world->parts[i] && brio_world_part_table[i]->find_bodies)
      brio_world_part_table[i]->find_bodies(world);
}

const brio_world_mover *brio_world_mover_of(const brio_world *world) {
  return world->mover;
}
