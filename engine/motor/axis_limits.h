/* The limits of one axis as the motor side holds them, and the two operations everything else is
** built on: is a next position legal, and where does the hardest braking lead.
**
** With x the last command, v = (x - x1) / h the speed at which it was reached and h the period,
** a next command x' is legal when its speed v' = (x' - x) / h satisfies
**   |v'| <= V,   |v' - v| <= A h,   v'^2 <= 2 A (room left at x'),   lower <= x' <= upper.
** The third condition says that braking still ends within the limits.  From a legal state the
** hardest braking, v' = v -+ A h or 0, is legal again (see solver/bounds.c, which has the same
** rule): so there always is a legal next command. */
#ifndef BRIO_MOTOR_AXIS_LIMITS_H
#define BRIO_MOTOR_AXIS_LIMITS_H

#include <math.h>
#include <stdbool.h>

#include "math/scalar.h"

/* The relative tolerance of all checks, for rounding; and the absolute one, rad, m or 1. */
#define BRIO_AXIS_LIMITS_TOLERANCE 1e-6
#define BRIO_AXIS_LIMITS_SLACK 1e-9

typedef struct brio_axis_limits {
  double lower, upper;           /* rad, m or 1; -INFINITY, INFINITY: no end */
  double velocity, acceleration; /* greatest, above 0; INFINITY: none */
} brio_axis_limits;

/* Whether `next`, h s after x, which was reached at speed v, keeps range, speed and acceleration.
** Whether braking still ends within the range is not checked here: it was checked for the end of
** the path.  `between`: s from the middle of the last period to the middle of this one. */
static inline bool brio_axis_limits_allows(const brio_axis_limits *guard, double x, double v, double next,
                                           double h, double between) {
  double speed = (next - x) / h;
  return fabs(speed) <= guard->velocity * (1 + BRIO_AXIS_LIMITS_TOLERANCE) &&
         fabs(speed - v) <= guard->acceleration * between * (1 + BRIO_AXIS_LIMITS_TOLERANCE) &&
         next >= guard->lower - BRIO_AXIS_LIMITS_SLACK && next <= guard->upper + BRIO_AXIS_LIMITS_SLACK;
}

/* Whether an axis at x with speed v can still brake within the limits. */
bool brio_axis_limits_holds(const brio_axis_limits *guard, double x, double v);

/* The next position under the hardest braking. */
double brio_axis_limits_brake(const brio_axis_limits *guard, double x, double v, double h);

/* The next position on the fastest legal way to rest at `target`, which must be within the limits. */
double brio_axis_limits_approach(const brio_axis_limits *guard, double x, double v, double target, double h);

/* Adapt the limits to an axis at x: a limit that x is beyond moves to x, and returns towards
** `given` with every later position further inwards. */
static inline void brio_axis_limits_follow(brio_axis_limits *guard, const brio_axis_limits *given, double x) {
  /* Inside: the given limit. Outside: the limit is the axis's position, and follows it inwards but never
  ** out. */
  if (!isfinite(x)) return;
  guard->lower = x < given->lower ? brio_max(x, brio_min(guard->lower, given->lower)) : given->lower;
  guard->upper = x > given->upper ? brio_min(x, brio_max(guard->upper, given->upper)) : given->upper;
}

#endif
