/* The simulated world as a whole: its time, its parts, and the solids they consist of. What each part is
** and how it moves is in a file of its own (parts.def). One thread at a time. */
#include "world/world.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/event.h"
#include "world/world_internal.h"

enum { MAX_SOLIDS = 1 << 16 };

#define HAND_RADIUS 0.03 /* m, of the ball that stands for a hand in the sensor's view */

/* The invariants of the shared arrays; O(1). */
static bool is_consistent(const brio_world *world) {
  return world->nsolid >= 0 && world->nsolid <= world->capacity && world->nhand <= BRIO_WORLD_MOST_HANDS &&
         world->nbody <= BRIO_WORLD_MOST_BODIES && world->nhold <= BRIO_WORLD_MOST_HOLDS;
}

brio_world_sensor brio_world_sensor_plain(void) {
  return (brio_world_sensor){
      .pose = BRIO_POSE_IDENTITY, .range = INFINITY, .view = 2 * BRIO_PI, .occlusion = true};
}

brio_world *brio_world_new(uint64_t seed, brio_error *err) {
  brio_world *world = calloc(1, sizeof *world);
  if (!world) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a world");
    return NULL;
  }
  /* No report and no picture yet, and no robot that carries a sensor. */
  world->seed = seed;
  world->reports = -1;
  world->sensor_index = world->depth_index = -1;
  world->sensor = brio_world_sensor_plain();
  /* Hands stay when contents are exchanged: there is room for all of them beside any contents. */
  if (brio_world_reserve(world, BRIO_WORLD_MOST_HANDS, err)) return world;
  brio_world_free(world);
  return NULL;
}

void brio_world_free(brio_world *world) {
  if (!world) return;
  /* Each part knows how to free its own memory. */
  for (int i = 0; i < BRIO_WORLD_PARTS; i++)
    if (world->parts[i]) brio_world_part_table[i]->free(world->parts[i]);
  brio_world_events_free(world);
  free(world->solids);
  free(world);
}

/* The part that has `id`, and its index there; NULL: no part has it. O(objects), at set-up and in queries. */
static const brio_world_part *find(const brio_world *world, const char *id, int *index) {
  for (int i = 0; i < BRIO_WORLD_PARTS; i++) {
    const brio_world_part *part = brio_world_part_table[i];
    if (world->parts[i] && part->find && (*index = part->find(world, id)) >= 0) return part;
  }
  return NULL;
}

bool brio_world_check_names(const brio_world *world, const char *kind, const char *id, brio_error *err) {
  /* A detection has the same limits, so every object can be reported. */
  int index;
  /* Kinds and ids fit into detections, with their terminator. */
  if (!kind || !*kind || strlen(kind) >= BRIO_DETECTION_KIND)
    return brio_fail(err, BRIO_MISUSE, "a kind in the world must have 1 to %d letters, not '%.64s'",
                     BRIO_DETECTION_KIND - 1, kind ? kind : "");
  if (!id || !*id || strlen(id) >= BRIO_DETECTION_ID)
    return brio_fail(err, BRIO_MISUSE, "an id in the world must have 1 to %d letters, not '%.64s'",
                     BRIO_DETECTION_ID - 1, id ? id : "");
  if (find(world, id, &index)) return brio_fail(err, BRIO_MISUSE, "the world already has a '%s'", id);
  return true;
}

/* Streams are named by id and purpose, so the noise of an object does not depend on which others exist. */
brio_random brio_world_stream(const brio_world *world, const char *id, const char *what) {
  char name[BRIO_DETECTION_ID + 32];
  snprintf(name, sizeof name, "world.%s.%s", what, id);
  return brio_random_stream(world->seed, name);
}

bool brio_world_reserve(brio_world *world, int solids, brio_error *err) {
  assert(is_consistent(world));
  /* `wanted` sums what was reserved: the array never grows within a step. */
  int wanted = world->wanted + solids;
  if (wanted > MAX_SOLIDS)
    return brio_fail(err, BRIO_LIMIT, "the world holds %d solids at most: boards of furniture and things",
                     MAX_SOLIDS);
  if (wanted > world->capacity) {
    /* At least doubled, so that n objects cost O(n). */
    int capacity = wanted > 2 * world->capacity ? wanted + 16 : 2 * world->capacity;
    /* A failure leaves the old array. */
    brio_solid *more = realloc(world->solids, (size_t)capacity * sizeof *more);
    if (!more) return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d solids of the world", capacity);
    world->solids = more;
    world->capacity = capacity;
  }
  world->wanted = wanted;
  return true;
}

void brio_world_put_solid(brio_world *world, const brio_solid *solid) {
  if (world->nsolid < world->capacity) world->solids[world->nsolid++] = *solid;
}

/* Add the ball of a hand, which hides what is behind it; owners below 0 are hands. */
static void put_hand(brio_world *world, int number) {
  const brio_world_hand *hand = &world->hands[number];
  if (!hand->known) return;
  /* Its color is unknown: gray in pictures. */
  brio_solid solid = {.kind = BRIO_SOLID_BALL,
                      .half = {HAND_RADIUS, 0, 0},
                      .hand = true,
                      .owner = -1 - number,
                      .color = {NAN, NAN, NAN}};
  solid.at = brio_transform_of(hand->pose);
  brio_world_put_solid(world, &solid);
}

void brio_world_collect(brio_world *world) {
  assert(is_consistent(world));
  /* Hands first: their order must not depend on the parts. */
  world->nsolid = 0;
  for (int i = 0; i < world->nhand; i++) put_hand(world, i);
  for (int i = 0; i < BRIO_WORLD_PARTS; i++)
    if (world->parts[i] && brio_world_part_table[i]->solids) brio_world_part_table[i]->solids(world);
}

/* Exchange two objects of one type. */
#define SWAP(type, a, b)  \
  do {                    \
    type kept_ = (a);     \
    (a) = (b);            \
    (b) = kept_;          \
  } while (0)

void brio_world_exchange(brio_world *world, brio_world *other) {
  assert(is_consistent(world) && is_consistent(other));
  /* Parts first, then the state that continues: `keep` compares the new part with the old one. */
  for (int i = 0; i < BRIO_WORLD_PARTS; i++) SWAP(void *, world->parts[i], other->parts[i]);
  for (int i = 0; i < BRIO_WORLD_PARTS; i++)
    if (world->parts[i] && other->parts[i] && brio_world_part_table[i]->keep)
      brio_world_part_table[i]->keep(world, other);
  /* Without things every hand is empty. */
  if (!world->parts[BRIO_WORLD_PART_things])
    for (int i = 0; i < world->nhand; i++) world->hands[i].thing = -1;
  /* The solids' memory goes with the parts that reserved it; sensor and camera belong to the contents,
  ** too. */
  SWAP(brio_solid *, world->solids, other->solids);
  SWAP(int, world->capacity, other->capacity);
  SWAP(int, world->wanted, other->wanted);
  /* Reports and pictures are counted in periods of the rate: with another one the count begins again. */
  if (world->sensor.rate != other->sensor.rate) world->reports = other->reports = -1;
  if (world->depth.rate != other->depth.rate) world->pictures = other->pictures = -1;
  SWAP(brio_world_sensor, world->sensor, other->sensor);
  SWAP(brio_world_depth, world->depth, other->depth);
  SWAP(bool, world->has_depth, other->has_depth);
  SWAP(brio_world_ground, world->ground, other->ground);
  brio_world_events_exchange(world, other);
  /* The new sensor and camera may be on other links. */
  brio_error unknown;
  world->sensor_index = world->robot ? brio_robot_link(world->robot, world->sensor.link, &unknown) : -1;
  world->depth_index = world->robot ? brio_robot_link(world->robot, world->depth.link, &unknown) : -1;
  brio_world_find_bodies(world);
  /* Sensors see the new contents at once, before the next step. */
  brio_world_collect(world);
}

/* The caller's time counts from here on; time never decreases. */
void brio_world_lead(brio_world *world, double time) {
  world->led = true;
  if (time > world->time && isfinite(time)) world->time = time;
}

void brio_world_advance(brio_world *world, double time) {
  if (world->led) return;
  /* A device's time; ignored once a caller leads. */
  if (time > world->time && isfinite(time)) world->time = time;
}

bool brio_world_pose(const brio_world *world, const char *id, brio_pose *pose) {
  int index;
  const brio_world_part *part = find(world, id, &index);
  return part && part->pose(world, index, pose);
}

int brio_world_state(const brio_world *world, const char *id, brio_world_fact *facts, int most) {
  int index;
  const brio_world_part *part = find(world, id, &index);
  if (!part) return -1;
  return part->state ? part->state(world, index, facts, most) : 0;
}
