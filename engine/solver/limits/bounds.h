/* Bounds of a variable in one tick.  Private to the solver room. */
#ifndef BRIO_SOLVER_LIMITS_BOUNDS_H
#define BRIO_SOLVER_LIMITS_BOUNDS_H

typedef struct brio_bounds {
  double lower, upper;  /* rad or m; +-INFINITY: no end */
  double velocity;      /* greatest speed, per s; INFINITY: none */
  double acceleration;  /* greatest change of speed, per s^2; INFINITY: none */
} brio_bounds;

/* Write the interval [*lo, *hi] that the variable, at `x` with speed `v` over the last
** tick, may go to in the `dt` s of this one.  It is never empty and always holds the
** greatest braking, whatever the lengths of later ticks, as long as every earlier value was
** taken from its interval (or v is 0). */
void brio_bounds_interval(const brio_bounds *bounds, double x, double v, double dt, double *lo, double *hi);

/* The same where limits were tightened to `now`, which lie within the `hard` ones: `x` and `v` need only
** be within the hard ones.  Beyond a new end or above a new speed the interval leads back, within the new
** acceleration (or the hard one, where else a hard end would not hold), and then stays within. */
void brio_bounds_tightened(const brio_bounds *hard, const brio_bounds *now, double x, double v, double dt,
                           double *lo, double *hi);

/* Return where the variable comes to rest if it goes from `x` to `next` in a tick of `dt` s and
** then brakes as hard as it may, tick by tick.  Rises with `next`. */
double brio_bounds_rest(const brio_bounds *bounds, double x, double dt, double next);

/* The inverse: return the `next` that lets it come to rest at `rest`, and write d next / d rest, from 0 to
** 1. */
double brio_bounds_next(const brio_bounds *bounds, double x, double dt, double rest, double *slope);

/* Return how many ticks of `dt` s pass until it is at rest, if it goes from `x` to `next` in the
** first and then brakes as hard as it may; at least 1. */
double brio_bounds_ticks(const brio_bounds *bounds, double x, double dt, double next);

/* Return where it then is after `ticks` >= 0, whole or not; between whole ticks it goes evenly. */
double brio_bounds_after(const brio_bounds *bounds, double x, double dt, double next, double ticks);

#endif
