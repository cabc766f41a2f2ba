/* From rest to rest with the least jerk, as people reach (Flash and Hogan, J. Neurosci. 5, 1985):
** 10x^3 - 15x^4 + 6x^5. */
#include "motion/curve.h"

/* Slope 30 x^2 (1 - x)^2: speed and acceleration are 0 at both ends. */
static void share(const brio_stretch *stretch, double x, double *out, double *slope) {
  (void)stretch;
  double y = 1 - x;
  *out = x * x * x * (10 + x * (6 * x - 15));
  *slope = 30 * x * x * y * y;
}

const brio_curve brio_curve_minimum_jerk = {
  .name = "minimum_jerk",
  .doc = "From rest at one key to rest at the next with the least jerk, as people reach.",
  .share = share,
};
