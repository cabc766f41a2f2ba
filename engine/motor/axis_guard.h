/* The limits of one axis as the motor side holds them, and the two operations everything else is
** built on: is a next position legal, and where does the hardest braking lead.
**
** With x the last command, v = (x - x1) / h the speed at which it was reached and h the period,
** a next command x' is legal when its speed v' = (x' - x) / h satisfies
**   |v'| <= V,   |v' - v| <= A h,   v'^2 <= 2 A (room left at x'),   lower <= x' <= upper.
** The third says that braking still ends within the limits.  From a legal state the hardest
** braking, v' = v -+ A h or 0, is legal again (see solver/limits/bounds.c, whose rule this is): so
** whatever is asked, there is always a legal next command. */
#ifndef BRIO_MOTOR_AXIS_GUARD_H
#define BRIO_MOTOR_AXIS_GUARD_H

#include <stdbool.h>

/* Legal means: within the limits but for this share of them, for rounding. */
#define BRIO_AXIS_GUARD_TOLERANCE 1e-6

typedef struct brio_axis_guard {
  double lower, upper;           /* rad, m or 1; -INFINITY, INFINITY: no end */
  double velocity, acceleration; /* greatest, above 0; INFINITY: none */
} brio_axis_guard;

/* Whether `next`, h s after x, which was reached at speed v, keeps the limits: of them, not whether braking still ends
** within, which is known where the way ends.  `between`: from the middle of the last period to that of this one, s. */
bool brio_axis_guard_allows(const brio_axis_guard *guard, double x, double v, double next, double h,
                            double between);

/* Whether position x at speed v could still be braked within the limits. */
bool brio_axis_guard_holds(const brio_axis_guard *guard, double x, double v);

/* The next position under the hardest braking. */
double brio_axis_guard_brake(const brio_axis_guard *guard, double x, double v, double h);

/* The next position on the quickest legal way to rest at `target`, which is within the limits. */
double brio_axis_guard_approach(const brio_axis_guard *guard, double x, double v, double target, double h);

/* The limits for an axis found at x: where that is outside, the limit moves there; with every
** later position inwards it moves back towards `given`. */
void brio_axis_guard_follow(brio_axis_guard *guard, const brio_axis_guard *given, double x);

#endif
