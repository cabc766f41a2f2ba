/* Shared by the files that keep and move things. */
#ifndef BRIO_WORLD_THINGS_THINGS_INTERNAL_H
#define BRIO_WORLD_THINGS_THINGS_INTERNAL_H

#include "world/things/thing.h"
#include "world/world_internal.h"

typedef struct brio_thing {
  brio_thing_shape shape;
  char kind[BRIO_DETECTION_KIND], id[BRIO_DETECTION_ID];
  double radius, friction, rolling, mass, from;
  brio_vec3 half;          /* m: half lengths */
  float color[3];
  bool colored, there, waits; /* waits: it enters at `from` */
  brio_pose pose;          /* in the world: its middle */
  brio_vec3 velocity;      /* m/s */
  int hand;                /* the hand that holds it; -1: none */
  int body;                /* of the world's mover; -1: none, its motion is kinematic */
  unsigned puts;           /* how often that was told to put it somewhere */
  brio_random noise, dropout;
} brio_thing;

typedef struct brio_things {
  brio_thing *list; /* count, of capacity */
  int count, capacity;
} brio_things;

/* Return the memory of the things; NULL: there are none. */
static inline brio_things *brio_things_of(const brio_world *world) {
  return world->parts[BRIO_WORLD_PART_things];
}

/* Return the height of the thing's middle when it lies on the highest surface under it and below that
** height. */
double brio_thing_rest(const brio_world *world, const brio_thing *thing, double below);

/* A thing was put where it is, or taken away: tell the mover. */
void brio_thing_tell(brio_world *world, brio_thing *thing);

/* Let hands grasp, carry and release, and loose things move, for dt seconds. */
void brio_things_step(brio_world *world, double dt);

#endif
