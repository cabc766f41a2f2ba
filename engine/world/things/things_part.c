/* Things as a part of the world: what sensors see of them, the facts about them, and what is kept when a
** world file is read again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world/mover.h"
#include "world/things/things_internal.h"

/* Free the part's memory. */
static void free_things(void *memory) {
  brio_things *all = memory;
  free(all->list);
  free(all);
}

/* Add the things that are present to the solids. */
static void put_things(brio_world *world) {
  const brio_things *all = brio_things_of(world);
  for (int i = 0; i < all->count; i++) {
    const brio_thing *thing = &all->list[i];
    if (!thing->there) continue;
    /* `loose`: balls are separated from each other by part_balls, not as solids. */
    brio_solid solid = {.kind = thing->shape == BRIO_THING_BALL ? BRIO_SOLID_BALL : BRIO_SOLID_BOX,
                        .at = brio_transform_of(thing->pose), .half = thing->half, .loose = true,
                        .owner = BRIO_WORLD_OWNER(BRIO_WORLD_PART_things, i)};
    memcpy(solid.color, thing->color, sizeof solid.color);
    brio_world_put_solid(world, &solid);
  }
}

/* The number of things, for sensors. */
static int count_things(const brio_world *world) { return brio_things_of(world)->count; }

/* Index of a thing by id; -1: none. O(things), at set-up and in queries only. */
static int find_thing(const brio_world *world, const char *id) {
  const brio_things *all = brio_things_of(world);
  for (int i = 0; i < all->count; i++)
    if (strcmp(all->list[i].id, id) == 0) return i;
  return -1;
}

/* What a sensor sees of a thing; a ball has no visible orientation. False: absent. */
static bool thing_sight(brio_world *world, int index, brio_world_sight *out) {
  brio_thing *thing = &brio_things_of(world)->list[index];
  *out = (brio_world_sight){.kind = thing->kind,
                            .id = world->sensor.identity ? thing->id : "",
                            .pose = thing->pose,
                            .size = brio_vec3_scale(2, thing->half),
                            .color = thing->colored ? thing->color : NULL,
                            .oriented = thing->shape == BRIO_THING_BOX,
                            .owner = BRIO_WORLD_OWNER(BRIO_WORLD_PART_things, index),
                            .noise = &thing->noise,
                            .dropout = &thing->dropout};
  if (thing->shape == BRIO_THING_BALL) out->pose.q = (brio_quat){0, 0, 0, 1};
  return thing->there;
}

/* The true pose of a thing's middle. False: absent. */
static bool thing_pose(const brio_world *world, int index, brio_pose *pose) {
  const brio_thing *thing = &brio_things_of(world)->list[index];
  *pose = thing->pose;
  return thing->there;
}

/* The id of what a thing lies on or in: the owner of the solid directly below its middle. "floor": none. */
static const char *support_of(const brio_world *world, int index) {
  const brio_thing *thing = &brio_things_of(world)->list[index];
  int self = BRIO_WORLD_OWNER(BRIO_WORLD_PART_things, index), under = 0;
  double nearest = thing->pose.p.z;
  for (int i = 0; i < world->nsolid; i++) {
    const brio_solid *solid = &world->solids[i];
    /* A solid that contains the middle is at distance 0: the thing is in it. */
    if (solid->hand || solid->owner == self) continue;
    double far = brio_solid_ray(solid, thing->pose.p, (brio_vec3){0, 0, -1}, NULL);
    if (far >= nearest) continue;
    nearest = far;
    under = solid->owner;
  }
  /* Owner 0 is the floor; others encode part and index. */
  if (under == 0) return "floor";
  const brio_world_part *part = brio_world_part_table[(under - 1) / BRIO_WORLD_OWNERS];
  return part->name_of ? part->name_of(world, (under - 1) % BRIO_WORLD_OWNERS) : part->name;
}

/* Facts for queries of the world's state; the first `most` of them. */
static int thing_state(const brio_world *world, int index, brio_world_fact *facts, int most) {
  const brio_thing *thing = &brio_things_of(world)->list[index];
  /* Speed in m/s. */
  brio_world_fact all[] = {
      {.name = "speed", .number = brio_vec3_norm(thing->velocity)},
      {.name = "held_by", .text = thing->hand >= 0 ? world->hands[thing->hand].name : "nobody"},
      {.name = "on",
       .text = !thing->there      ? "nowhere"
               : thing->hand >= 0 ? "hand"
                                  : support_of(world, index)},
  };
  int n = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all && n < most; i++) facts[n++] = all[i];
  return n;
}

static const char *name_of_thing(const brio_world *world, int index) {
  return brio_things_of(world)->list[index].id;
}

/* Things that are in both worlds keep their state, also in a hand; hands lose things that are gone. */
static void keep_things(brio_world *now, const brio_world *before) {
  const brio_things *old = brio_things_of(before);
  /* Every hand is empty until a thing is found in it. */
  for (int h = 0; h < now->nhand; h++) now->hands[h].thing = -1;
  /* By id; new things start as the file has them. */
  for (int i = 0; i < brio_things_of(now)->count; i++) {
    brio_thing *thing = &brio_things_of(now)->list[i];
    int same = find_thing(before, thing->id);
    if (same < 0) continue;
    const brio_thing *was = &old->list[same];
    thing->noise = was->noise;
    thing->dropout = was->dropout;
    thing->pose = was->pose;
    thing->velocity = was->velocity;
    thing->there = was->there;
    thing->waits = was->waits;
    thing->hand = was->hand;
    thing->puts = was->puts;
    if (was->hand >= 0 && was->hand < now->nhand) now->hands[was->hand].thing = i;
  }
}

/* A thing of that id, released from its hand and at rest; NULL: none. */
static brio_thing *thing_of(brio_world *world, const char *id) {
  int index = brio_things_of(world) ? find_thing(world, id) : -1;
  if (index < 0) return NULL;
  brio_thing *thing = &brio_things_of(world)->list[index];
  if (thing->hand >= 0) world->hands[thing->hand].thing = -1;
  thing->hand = -1;
  /* Its time of arrival does not count any more. */
  thing->waits = false;
  thing->velocity = (brio_vec3){0, 0, 0};
  return thing;
}

/* The heading of an orientation alone. */
static brio_quat upright(brio_quat q) {
  brio_vec3 x = brio_quat_rotate(q, (brio_vec3){1, 0, 0});
  return brio_quat_from_rpy(0, 0, atan2(x.y, x.x));
}

bool brio_world_put_thing(brio_world *world, const char *id, brio_vec3 middle) {
  brio_thing *thing = thing_of(world, id);
  if (!thing) return false;
  thing->there = true;
  thing->pose.p = middle;
  /* A person puts it upright, whichever way it lay: kinematic things have never been otherwise. */
  if (thing->body >= 0) thing->pose.q = upright(thing->pose.q);
  if (isnan(middle.z)) thing->pose.p.z = brio_thing_rest(world, thing, 100);
  brio_thing_tell(world, thing);
  return true;
}

bool brio_world_take_thing(brio_world *world, const char *id) {
  brio_thing *thing = thing_of(world, id);
  if (!thing) return false;
  thing->there = false;
  brio_thing_tell(world, thing);
  return true;
}

/* Look up the bodies of all things in the world's mover. */
static void find_bodies(brio_world *world) {
  brio_things *all = brio_things_of(world);
  for (int i = 0; i < all->count; i++)
    all->list[i].body = world->mover ? world->mover->body(world->mover->context, all->list[i].id) : -1;
}

const brio_world_part brio_world_part_things = {
    .name = "things",
    .step = brio_things_step,
    .solids = put_things,
    .count = count_things,
    .sight = thing_sight,
    .find = find_thing,
    .pose = thing_pose,
    .state = thing_state,
    .name_of = name_of_thing,
    .keep = keep_things,
    .find_bodies = find_bodies,
    .free = free_things,
};
