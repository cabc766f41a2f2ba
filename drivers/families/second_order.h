/* The laws of a servo of second order, e'' = -w^2 e - 2 z w e': its exact solution where nothing limits it,
** and its approach where its limits do. */
#ifndef BRIO_DRIVERS_FAMILIES_SECOND_ORDER_H
#define BRIO_DRIVERS_FAMILIES_SECOND_ORDER_H

#include <assert.h>
#include <math.h>

#include "drivers/driver.h"
#include "math/scalar.h"

#define BRIO_BRAKE_SHARE 0.9 /* of the acceleration is planned for braking; the rest corrects */

/* The motion of the unlimited servo in one sub-step: (e, v) -> (m00 e + m01 v, m10 e + m11 v), with
** e = position - target; and the decay of a speed error. */
typedef struct brio_second_order {
  double h, m00, m01, m10, m11, decay;
} brio_second_order;

/* Return the exact solution over h seconds of e'' = -w^2 e - 2 z w e': its matrix exponential, from
** the even and odd parts of the oscillation (z < 1) or of two decays (z >= 1). */
static inline brio_second_order brio_second_order_of(double w, double z, double h) {
  assert(w > 0 && z > 0 && h > 0);
  double rate = w * sqrt(fabs(z * z - 1)), angle = rate * h;
  double even = z < 1 ? cos(angle) : cosh(angle);
  /* At critical damping the odd part tends to h. */
  double odd = angle < 1e-6 ? h : (z < 1 ? sin(angle) : sinh(angle)) / rate;
  double fade = exp(-z * w * h);
  return (brio_second_order){h,
                             fade * (even + z * w * odd),
                             fade * odd,
                             -fade * w * w * odd,
                             fade * (even - z * w * odd),
                             exp(-2 * z * w * h)};
}

/* Return the speed at which an axis at distance e should approach its target: gain |e| close to it,
** further away the speed from which it can still brake.  Both parts meet with the same slope. */
static inline double brio_second_order_approach(const brio_axis *limits, double gain, double e) {
  double brake = BRIO_BRAKE_SHARE * limits->acceleration, linear = brake / (gain * gain);
  double speed = gain * fabs(e);
  if (fabs(e) > linear) speed = sqrt(2 * brake * (fabs(e) - linear / 2));
  return copysign(brio_min(speed, limits->velocity), e);
}

#endif
