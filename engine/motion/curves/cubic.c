/* The monotone cubic: never beyond the keys on either side, at rest where they turn.  Slopes are the weighted
** harmonic mean of the straight lines' (Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5, 1984), as in
** PCHIP. */
#include "motion/curve.h"

/* The slope is 0 where the keys turn, else between both slopes, nearer to the lesser. */
static double tangent(const double width[2], const double slope[2]) {
  if (!(slope[0] * slope[1] > 0)) return 0;
  double w0 = 2 * width[1] + width[0], w1 = width[1] + 2 * width[0];
  return (w0 + w1) / (w0 / slope[0] + w1 / slope[1]);
}

const brio_curve brio_curve_cubic = {
  .name = "cubic",
  .doc = "Smooth and never beyond its keys (monotone cubic); at rest where the keys turn.",
  .share = brio_curve_smooth,
  .value = brio_curve_hermite,
  .tangent = tangent,
};
