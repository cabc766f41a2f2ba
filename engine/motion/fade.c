/* The offset is the quintic that begins at a value and a rate, unaccelerated, and ends
** at rest at 0 (inertialization: Bollo, "Inertialization: High-Performance Animation
** Transitions in Gears of War", GDC 2018; where the rate is 0 it is the curve of
** minimum jerk). With x the share of the time that is gone:
**   value (1 - 10x^3 + 15x^4 - 6x^5) + rate length (x - 6x^3 + 8x^4 - 3x^5)
** Its greatest speed is 1.875 value / length and |rate|, its greatest acceleration 5.774 value /
** length^2 and 3.95 rate / length. */
#include "motion/fade.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#define SHARE 0.8 /* of the limits that an offset uses at most: the value it is added to moves, too */

void brio_fade_at(const brio_fade *fade, double *value, double *rate) {
  *value = *rate = 0;
  if (!(fade->gone < fade->length)) return;
  /* Both polynomials have the factor (1 - x)^3, written out to stay exact near the end. */
  double x = fade->gone / fade->length, y = 1 - x, way = fade->rate * fade->length;
  *value = fade->value * y * y * y * (1 + x * (3 + 6 * x)) + way * x * y * y * y * (1 + 3 * x);
  *rate = (-30 * fade->value * x * x * y * y + way * y * y * (1 + x * (2 - 15 * x))) / fade->length;
}

void brio_fade_advance(brio_fade *fade, double dt) {
  fade->gone += dt;
  if (fade->gone < fade->length) return;
  *fade = (brio_fade){0};
}

void brio_fade_add(brio_fade *fade, double value, double rate, double length, double velocity,
                   double acceleration) {
  assert(velocity > 0 && acceleration > 0);
  /* What is left of an earlier offset is part of the jump. */
  double left, speed;
  brio_fade_at(fade, &left, &speed);
  value += left;
  rate += speed;
  /* The remainder of an earlier fade joins the new one; its own end is kept if that is later. */
  double rest = fade->length - fade->gone, way = fabs(value), pace = fabs(rate);
  bool going = fade->length > 0 && rest > length;
  /* The given length, or what the limits need: the longer one. */
  length = fmax(going ? rest : length, 1e-3);
  length = fmax(length, 1.875 * way / (SHARE * velocity));
  length = fmax(length, sqrt(5.774 * way / (SHARE * acceleration)));
  length = fmax(length, 3.95 * pace / (SHARE * acceleration));
  *fade = (brio_fade){value, rate, length, 0};
}
