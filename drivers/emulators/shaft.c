/* A first-order motor: its speed is the distance to the target over a time constant, up to its
** greatest speed.  Both regimes are integrated exactly, so the result does not depend on the step:
** full speed until the distance is speed x constant, then exponential decay.
**
** A motor that controls its torque is integrated by Euler's method (velocities first) in short steps: that is
** stable for springs of up to 4 I / h^2 and dampers of up to 2 I / h. */
#include <math.h>

#include "drivers/emulators/shaft.h"
#include "math/scalar.h"

#define SHORT 1e-4  /* s: a step of a motor that controls its torque */
#define LONGEST 1.0 /* s: of them at once, after a stall */

/* I a = torque - viscous v + push.  O(dt / SHORT) */
static void drive(brio_shaft *shaft, double dt) {
  int count = (int)ceil(fmin(dt, LONGEST) / SHORT);
  double h = fmin(dt, LONGEST) / count;
  for (int i = 0; i < count; i++) {
    shaft->effort =
        brio_impedance_torque(&shaft->impedance, shaft->target, shaft->aim, shaft->position, shaft->velocity);
    double all = shaft->effort + shaft->push - BRIO_SHAFT_VISCOUS * shaft->velocity;
    shaft->velocity = shaft->blocked ? 0 : shaft->velocity + h * all / BRIO_SHAFT_INERTIA;
    shaft->position += h * shaft->velocity;
  }
}

void brio_shaft_step(brio_shaft *shaft, double dt) {
  double away = shaft->target - shaft->position;
  if (!(dt > 0)) return;
  shaft->effort = 0;
  if (shaft->drives && shaft->torque) {
    drive(shaft, dt);
    return;
  }
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
  if (shaft->drives) return shaft->impedance.limit > 0 ? shaft->effort / shaft->impedance.limit : 0;
  double pull = (shaft->target - shaft->position) * 4;
  return brio_clamp(pull, -1, 1);
}
