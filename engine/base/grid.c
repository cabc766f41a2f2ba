/* If a unit holds a whole number of steps, as with 1e-6, a count is divided by that number: the
** quotient is the nearest double to the decimal, and multiplying and rounding gives the count back.
** Otherwise a count is multiplied by the size. */
#include "base/grid.h"

#include <assert.h>
#include <math.h>

brio_grid brio_grid_of(double size) {
  /* The negated comparison refuses NaN, too. */
  if (!(size >= 1e-15 && size <= 1e15)) return (brio_grid){0, 0};
  /* Only a size that is exactly 1 / n is divided by n. */
  double per_unit = nearbyint(1 / size);
  return (brio_grid){size, per_unit >= 1 && 1 / per_unit == size ? per_unit : 0};
}
