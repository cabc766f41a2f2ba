/* Straight from key to key: P(t) = p1 + (t - t1) / (t2 - t1) (p2 - p1), as in Saldien et al., "A Motion
** System for Social and Animated Robots", IJARS 2014.  Its velocity jumps at keys. */
#include "motion/curve.h"

/* The slope is the same everywhere. */
static void share(const brio_stretch *stretch, double x, double *out, double *slope) {
  (void)stretch;
  *out = x;
  *slope = 1;
}

const brio_curve brio_curve_linear = {
  .name = "linear",
  .doc = "Straight to the next key; the velocity jumps at keys.",
  .share = share,
};
