/* Slow at first: x^2. */
#include "motion/curve.h"

/* The slope is 0 at the beginning and 2 at the end. */
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
