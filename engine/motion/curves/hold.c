/* A key's value stays until the next key, and jumps there: for lights and switches. */
#include "motion/curve.h"

/* The share jumps at the end, without a slope. */
static void share(const brio_stretch *stretch, double x, double *out, double *slope) {
  (void)stretch;
  *out = x >= 1;
  *slope = 0;
}

const brio_curve brio_curve_hold = {
  .name = "hold",
  .doc = "Stays until the next key and jumps there; for lights, not for joints.",
  .share = share,
};
