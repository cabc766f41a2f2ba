/* Catmull and Rom's spline through the keys: the slope at a key is that of the line between its neighbours.
** Rounder than the monotone cubic, and may go a little beyond the keys. */
#include "motion/curve.h"

/* The mean of both slopes, weighted by the widths: that of the line between the neighbors. */
static double tangent(const double width[2], const double slope[2]) {
  return (width[0] * slope[0] + width[1] * slope[1]) / (width[0] + width[1]);
}

const brio_curve brio_curve_catmull_rom = {
  .name = "catmull_rom",
  .doc = "Round through the keys (Catmull-Rom); may go a little beyond them.",
  .share = brio_curve_smooth,
  .value = brio_curve_hermite,
  .tangent = tangent,
};
