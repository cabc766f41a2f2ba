/* A trapezoid limiter in steps: the number speeds up, runs and brakes so that it arrives at
** rest, never faster than its limits, from any velocity and towards a target that may change.
**
** In one step of dt, from distance d and velocity v (both towards the target), the greatest next
** velocity u from which braking with a still ends in time fulfills
**   u^2 / (2 a)  <=  d - (v + u) dt / 2
** The step that arrives is taken when some course within the limits goes from v to rest over
** exactly d in dt.  The farthest such course speeds up for (dt - v/a)/2 and brakes for
** (dt + v/a)/2; the nearest does the reverse:
**   v dt / 2  -+  (a dt^2 - v^2 / a) / 4
** so its middle is v dt / 2 and |d - v dt / 2| <= (a dt^2 - v^2 / a) / 4. */
#include "drivers/actuator/actuator.h"

#include <assert.h>
#include <math.h>

#include "math/scalar.h"

/* Return true if a number at distance d that moves at v can be at rest at its target after dt.
** Braking to rest within dt needs |v| <= a dt; covering d within dt needs d <= vmax dt. */
static bool arrives(double d, double v, double vmax, double a, double dt) {
  if (fabs(v) > a * dt || d > vmax * dt) return false;
  return fabs(d - v * dt / 2) <= (a * dt * dt - v * v / a) / 4 + 1e-15;
}

/* Return the greatest velocity after this step from which braking still ends in time: the root of
** the inequality above. */
static double braking_velocity(double d, double v, double a, double dt) {
  assert(a > 0 && dt > 0);
  /* A negative radicand: it is too late to brake, so brake with all that there is. */
  double inside = dt * dt / 4 + 2 * (d - v * dt / 2) / a;
  return inside < 0 ? -INFINITY : a * (sqrt(inside) - dt / 2);
}

void brio_slew(double *position, double *velocity, double target, double greatest_velocity,
               double greatest_acceleration, double dt) {
  /* Mirror the problem so that the target lies ahead: d is the distance, v the velocity towards it. */
  double d = target - *position, side = d < 0 ? -1 : 1, v = side * *velocity, a = greatest_acceleration;
  d = fabs(d);
  if (!(dt > 0)) return;
  assert(greatest_velocity > 0 && a > 0);
  if (isinf(a)) { /* no inertia: straight to the target, or as far as the velocity allows */
    bool near = d <= greatest_velocity * dt;
    *velocity = near ? 0 : side * greatest_velocity;
    *position = near ? target : *position + *velocity * dt;
  } else if (arrives(d, v, greatest_velocity, a, dt)) {
    *position = target;
    *velocity = 0;
  } else {
    /* Brake or accelerate as far as one step allows; move by the mean velocity of the step. */
    double next = fmin(braking_velocity(d, v, a, dt), greatest_velocity);
    next = brio_clamp(next, v - a * dt, v + a * dt);
    *position += side * (v + next) / 2 * dt;
    *velocity = side * next;
  }
}
