/* Things of the simulated world: balls and boxes that lie, roll, fall, are pushed and carried. */
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
  double x, y, z, yaw;   /* initial middle; z NAN: on top of the objects below */
  double friction;       /* 0 to 1: quality of a grasp on it (docs/behaviors/world.md) */
  double rolling;        /* for a ball: slope from which it rolls */
  double mass;           /* kg, for physics; 0: not stated */
  double from;           /* s: when it enters the world; before, and after a "take", it is nowhere */
} brio_thing_form;

/* Add a thing.  Errors: misuse, no_memory, limit. */
bool brio_world_add_thing(brio_world *world, const brio_thing_form *form, brio_error *err);

/* Move a thing to another place, at rest, out of any hand; or remove it from the world.  Return false when
** there is none of that name. */
bool brio_world_put_thing(brio_world *world, const char *id, brio_vec3 middle);
bool brio_world_take_thing(brio_world *world, const char *id);

#endif
