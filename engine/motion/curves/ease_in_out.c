/* Slow at both ends: 3x^2 - 2x^3. */
#include "motion/curve.h"

const brio_curve brio_curve_ease_in_out = {
  .name = "ease_in_out",
  .doc = "Slow out of a key and slow into the next.",
  .share = brio_curve_smooth,
};
