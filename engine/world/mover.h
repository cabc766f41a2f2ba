/* What moves the robot's joints in the simulated world in place of the servos of the simulator: a simulation
** of bodies with mass (engine/physics).  The simulator knows this record alone.
**
** All joints belong to one device, and the functions to that device's thread; `fault` is for any thread. */
#ifndef BRIO_WORLD_MOVER_H
#define BRIO_WORLD_MOVER_H

#include <stdbool.h>

#include "base/error.h"

struct brio_world;

/* A joint's motor. */
typedef struct brio_world_servo {
  double frequency, ratio;   /* Hz, 1: of its controller, for the inertia that it moves at the start */
  double stiffness, damping; /* gains instead, N m/rad and N m s/rad; NAN: from frequency and ratio */
  double torque;             /* N m or N: the greatest; 0: that of the robot's model */
  double friction, viscous;  /* of the gear, in addition to that of the model; 0: none */
} brio_world_servo;

typedef struct brio_world_joint {
  double position, velocity; /* rad or m, per s */
  double load;               /* share of the greatest torque, -1 to 1; NAN: it has none */
} brio_world_joint;

typedef struct brio_world_mover {
  void *context;
  /* A device takes the joints, or gives them back.  Errors: misuse (another has them), device (it has
  ** stopped). */
  bool (*take)(void *context, const void *device, brio_error *err);
  void (*leave)(void *context, const void *device);
  /* Return the number of an axis's joint; -1: it moves no joint. */
  int (*joint)(const void *context, const char *axis);
  /* Put a joint where the run begins.  A device that comes back finds it where it is. */
  void (*place)(void *context, int joint, double position);
  /* All joints are placed.  Errors: misuse (some are not: they are on another device). */
  bool (*ready)(void *context, brio_error *err);
  void (*servo)(void *context, int joint, const brio_world_servo *servo);
  void (*aim)(void *context, int joint, double target, bool on);
  /* Let dt s pass, in whole steps; the rest is kept. */
  void (*pass)(void *context, double dt);
  void (*read)(const void *context, int joint, brio_world_joint *out);
  /* Return the sentence why it has stopped; NULL: it goes on. */
  const char *(*fault)(const void *context);
} brio_world_mover;

/* Set the mover, which outlives the devices; before they open.  NULL: none. */
void brio_world_set_mover(struct brio_world *world, const brio_world_mover *mover);

/* Return it; NULL: none. */
const brio_world_mover *brio_world_mover_of(const struct brio_world *world);

#endif
