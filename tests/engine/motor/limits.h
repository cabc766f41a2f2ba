/* Shared by tests of the motor side: commands checked against limits, from outside. */
#ifndef BRIO_TESTS_MOTOR_LIMITS_H
#define BRIO_TESTS_MOTOR_LIMITS_H

#include "motor/axis_limits.h"
#include "tests/check.h"

/* Three commands in a row, h s apart. */
typedef struct watched {
  double x, v;
  int known;  /* 0: nothing, 1: x, 2: v too */
} watched;

/* Check the next command of an axis against its limits; the greatest share of each limit so far is
** kept in worst[3]: position beyond the range, speed, acceleration. */
static inline void watch_limits(watched *w, const brio_axis_limits *limits, double next, double h,
                                double worst[3], const char *what) {
  double v = (next - w->x) / h, a = (v - w->v) / h;
  CHECK(isfinite(next), "%s: %g", what, next);
  double beyond = fmax(limits->lower - next, next - limits->upper);
  worst[0] = fmax(worst[0], beyond);
  CHECK(beyond <= 1e-8, "%s: %.12g is outside %g to %g", what, next, limits->lower, limits->upper);
  if (w->known > 0) {
    double speed = fabs(v) / limits->velocity;
    worst[1] = fmax(worst[1], speed);
    CHECK(speed <= 1 + 2e-6, "%s: speed %.9g of %g", what, v, limits->velocity);
  }
  if (w->known > 1) {
    double acceleration = fabs(a) / limits->acceleration;
    worst[2] = fmax(worst[2], acceleration);
    CHECK(acceleration <= 1 + 2e-6 + 1e-7 / (limits->acceleration * h), "%s: acceleration %.9g of %g", what,
          a, limits->acceleration);
  }
  *w = (watched){next, v, w->known > 0 ? 2 : 1};
}

#endif
