/* Things of the simulated world: balls and boxes that lie, roll, fall, are pushed and are carried by
** hands. */
#ifndef BRIO_WORLD_THINGS_THING_H
#define BRIO_WORLD_THINGS_THING_H

#include "world/world.h"

typedef enum brio_thing_shape { BRIO_THING_BALL, BRIO_THING_BOX } brio_thing_shape;

typedef struct brio_thing_form {
  const char *kind, *id;
  brio_thing_shape shape;
  double radius;         /* m, of a ball */
  brio_vec3 size;        /* m, full lengths of a box */
  float color[3];        /* sRGB; NAN: unknown */
  double x, y, z, yaw;   /* where its middle is at first; z NAN: it lies on what is below */
  double friction;       /* 0 to 1: how well a hand holds it (docs/behaviors/world.md) */
  double rolling;        /* of a ball: it rolls by itself down what is steeper than this */
  double from;           /* s: when it comes into the world; before, and after a "take", it is nowhere */
} brio_thing_form;

/* Add a thing.  Errors: misuse, no_memory, limit. */
bool brio_world_add_thing(brio_world *world, const brio_thing_form *form, brio_error *err);

/* Put a thing somewhere else, at rest, out of any hand; or take it out of the world.  Return false when there
** is none of that name. */
bool brio_world_put_thing(brio_world *world, const char *id, brio_vec3 middle);
bool brio_world_take_thing(brio_world *world, const char *id);

#endif
