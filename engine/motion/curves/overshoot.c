/* A tenth beyond the next key and back to it: the mirror image of anticipate. */
#include "motion/curve.h"

#define BACK 1.70158

/* The slope is BACK + 3 at the beginning and 0 at the end. */
static void share(const brio_stretch *stretch, double x, double *out, double *slope) {
  (void)stretch;
  double y = x - 1;
  *out = 1 + y * y * ((BACK + 1) * y + BACK);
  *slope = y * (3 * (BACK + 1) * y + 2 * BACK);
}

const brio_curve brio_curve_overshoot = {
  .name = "overshoot",
  .doc = "Goes beyond the next key by a tenth of the way, and comes back to it.",
  .share = share,
};
