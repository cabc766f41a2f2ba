/* If a unit holds a whole number of steps, as with 1e-6, a count is divided by that number: the
** quotient is the nearest double to the decimal, and multiplying and rounding gives the count back.
** Otherwise a count is multiplied by the size. */
#include "base/grid.h"

#include <assert.h>
#include <math.h>

static const double largest = 2251799813685248.0; /* 2^51: a count of this many is exact, and so is half a step */

brio_grid brio_grid_of(double size) {
  /* The negated comparison refuses NaN, too. */
  if (!(size >= 1e-15 && size <= 1e15)) return (brio_grid){0, 0};
  /* Only a size that is exactly 1 / n is divided by n. */
  double per_unit = nearbyint(1 / size);
  return (brio_grid){size, per_unit >= 1 && 1 / per_unit == size ? per_unit : 0};
}

bool brio_grid_count(brio_grid step, double value, int64_t *count) {
  assert(step.per_unit >= 0);
  double steps = step.per_unit > 0 ? value * step.per_unit : value / step.size;
  /* A size of 0 has no steps; NaN and what is beyond 2^51 have no count. */
  if (step.size == 0 || !(fabs(steps) <= largest)) return false;
  *count = llrint(steps);
  return true;
}

double brio_grid_value(brio_grid step, int64_t count) {
  return step.per_unit > 0 ? (double)count / step.per_unit : (double)count * step.size;
}

double brio_grid_round(brio_grid step, double value) {
  int64_t count;
  return brio_grid_count(step, value, &count) ? brio_grid_value(step, count) : value;
}
