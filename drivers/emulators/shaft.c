/* A first-order motor: its speed is the distance to the target over a time constant, up to its
** greatest speed.  Both regimes are integrated exactly, so the result does not depend on the step:
** full speed until the distance is speed x constant, then exponential decay. */
#include <math.h>

#include "drivers/emulators/shaft.h"
#include "math/scalar.h"

void brio_shaft_step(brio_shaft *shaft, double dt) {
  double away = shaft->target - shaft->position;
  if (!(dt > 0)) return;
  /* Without torque, or blocked, it stays. */
  if (!shaft->torque || shaft->blocked || !isfinite(away)) {
    shaft->velocity = 0;
    return;
  }
  /* Time at full speed, then exponential: d(t) = d exp(-t / constant). */
  double near = shaft->speed * shaft->constant, side = away < 0 ? -1 : 1;
  double fast = fabs(away) > near ? fmin(dt, (fabs(away) - near) / shaft->speed) : 0;
  away -= side * fast * shaft->speed;
  away *= shaft->constant > 0 ? exp(-(dt - fast) / shaft->constant) : dt > fast ? 0 : 1;
  shaft->position = shaft->target - away;
  /* The speed of the model at its new distance. */
  shaft->velocity = shaft->constant > 0 ? brio_clamp(away / shaft->constant, -shaft->speed, shaft->speed) : 0;
}

/* A share of the greatest torque: proportional to the distance, full at 0.25 rad. */
double brio_shaft_load(const brio_shaft *shaft) {
  if (!shaft->torque) return 0;
  double pull = (shaft->target - shaft->position) * 4;
  return brio_clamp(pull, -1, 1);
}
