/* A swing back before it goes on (the animators' anticipation): (s + 1) x^3 - s x^2, with s = 1.70158 so that
** it goes back by a tenth of the way (Penner, "Programming Macromedia Flash MX", 2002). */
#include "motion/curve.h"

#define BACK 1.70158

/* The slope is 0 at the beginning and BACK + 3 at the end. */
static void share(const brio_stretch *stretch, double x, double *out, double *slope) {
  (void)stretch;
  *out = x * x * ((BACK + 1) * x - BACK);
  *slope = x * (3 * (BACK + 1) * x - 2 * BACK);
}

const brio_curve brio_curve_anticipate = {
    .name = "anticipate",
    .doc = "Anticipation: first swings back by a tenth of the distance.",
    .share = share,
};
