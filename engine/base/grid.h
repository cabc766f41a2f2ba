/* Numbers kept as whole multiples of a step.  A driver's measurements are rounded to a declared step when
** they are read, and the run store keeps the count: both use this, so the stored values are bit for bit those
** that were used. */
#ifndef BRIO_BASE_GRID_H
#define BRIO_BASE_GRID_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* The default step: a millionth of the unit (rad, m, s). */
#define BRIO_GRID_DEFAULT 1e-6

typedef struct brio_grid {
  double size;     /* in the unit; 0: none, values are not rounded */
  /* steps in a unit, when that is a whole number: n / per_unit is the nearest double; else 0 */
  double per_unit;
} brio_grid;

/* Return the step of that size; of a size that is not valid (0, negative, not finite, outside 1e-15 to 1e15),
** the one that rounds nothing. */
brio_grid brio_grid_of(double size);

/* Write the number of steps in `value`, to the nearest.  False: there is no step, or the value is not finite
** or beyond 2^51. */
static inline bool brio_grid_count(brio_grid step, double value, int64_t *count) {
  double steps = step.per_unit > 0 ? value * step.per_unit : value / step.size;
  if (step.size == 0 || !(fabs(steps) <= 2251799813685248.0)) return false; /* 2^51: half a step is exact */
  *count = llrint(steps);
  return true;
}

/* Return the value of `count` steps. */
static inline double brio_grid_value(brio_grid step, int64_t count) {
  return step.per_unit > 0 ? (double)count / step.per_unit : (double)count * step.size;
}

/* Return `value` rounded to the step; unchanged if brio_grid_count returns false. */
static inline double brio_grid_round(brio_grid step, double value) {
  int64_t count;
  return brio_grid_count(step, value, &count) ? brio_grid_value(step, count) : value;
}

#endif
