/* Slow at last: 1 - (1 - x)^2. */
#include "motion/curve.h"

/* The slope is 2 at the beginning and 0 at the end. */
static void share(const brio_stretch *stretch, double x, double *out, double *slope) {
  (void)stretch;
  *out = x * (2 - x);
  *slope = 2 * (1 - x);
}

const brio_curve brio_curve_ease_out = {
  .name = "ease_out",
  .doc = "Fast at first, and slow into the next key.",
  .share = share,
};
