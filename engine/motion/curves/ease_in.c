/* Slow at first: x^2. */
#include "motion/curve.h"

static void share(const brio_stretch *stretch, double x, double *out, double *slope) {
  (void)stretch;
  *out = x * x;
  *slope = 2 * x;
}

const brio_curve brio_curve_ease_in = {
  .name = "ease_in",
  .doc = "Slow at first, and fast into the next key.",
  .share = share,
};
