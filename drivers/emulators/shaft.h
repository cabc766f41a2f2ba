/* The motor of an emulated servo: first order, with a speed limit, a torque switch, and an obstacle; or one
** that controls its torque, with an inertia and viscous friction. */
#ifndef BRIO_DRIVERS_EMULATORS_SHAFT_H
#define BRIO_DRIVERS_EMULATORS_SHAFT_H

#include <stdbool.h>

#include "motor/impedance.h"

typedef struct brio_shaft {
  double position, velocity; /* rad, rad/s */
  double target;             /* rad */
  double speed;              /* greatest, rad/s */
  double constant;           /* s: time constant of its approach to the target */
  bool torque;               /* it is on */
  bool blocked;              /* an obstacle holds it */
  bool drives;               /* its motor controls its torque: `impedance` about `target` and `aim` */
  brio_impedance impedance;
  double aim;    /* rad/s */
  double push;   /* N m: of somebody who pushes it, against a motor that controls its torque */
  double effort; /* N m: of such a motor */
} brio_shaft;

#define BRIO_SHAFT_INERTIA 0.02 /* kg m^2: of what a motor that controls its torque moves */
#define BRIO_SHAFT_VISCOUS 0.05 /* N m s/rad: of its bearings */

/* Advance by `dt` seconds. */
void brio_shaft_step(brio_shaft *shaft, double dt);

/* Return its load, -1 to 1: it presses against what blocks it; of a motor that controls its torque, the share
** of its limit. */
double brio_shaft_load(const brio_shaft *shaft);

#endif
