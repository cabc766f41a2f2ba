/* The motor of an emulated servo: first order, with a greatest speed, a torque switch, and what may
** hold it.  One emulator's shaft is like another's. */
#ifndef BRIO_DRIVERS_EMULATORS_SHAFT_H
#define BRIO_DRIVERS_EMULATORS_SHAFT_H

#include <stdbool.h>

typedef struct brio_shaft {
  double position, velocity; /* rad, rad/s */
  double target;             /* rad */
  double speed;              /* greatest, rad/s */
  double constant;           /* s: how fast it comes near its target */
  bool torque;               /* it pulls */
  bool blocked;              /* something holds it */
} brio_shaft;

/* Let `dt` seconds pass. */
void brio_shaft_step(brio_shaft *shaft, double dt);

/* Return how hard it pulls, -1 to 1: it presses against what blocks it. */
double brio_shaft_load(const brio_shaft *shaft);

#endif
