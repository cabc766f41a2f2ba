/* The motor of an emulated servo: first order, with a speed limit, a torque switch, and an obstacle. */
#ifndef BRIO_DRIVERS_EMULATORS_SHAFT_H
#define BRIO_DRIVERS_EMULATORS_SHAFT_H

#include <stdbool.h>

typedef struct brio_shaft {
  double position, velocity; /* rad, rad/s */
  double target;             /* rad */
  double speed;              /* greatest, rad/s */
  double constant;           /* s: time constant of its approach to the target */
  bool torque;               /* it is on */
  bool blocked;              /* an obstacle holds it */
} brio_shaft;

/* Advance by `dt` seconds. */
void brio_shaft_step(brio_shaft *shaft, double dt);

/* Return its load, -1 to 1: it presses against what blocks it. */
double brio_shaft_load(const brio_shaft *shaft);

#endif
