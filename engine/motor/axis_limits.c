/* See axis_limits.h for the conditions. Every function here is O(1) and keeps no state. */
#include "motor/axis_limits.h"

#include <math.h>

#include "math/scalar.h"

bool brio_axis_limits_holds(const brio_axis_limits *guard, double x, double v) {
  /* Range left in the direction of motion, of which braking from v needs v^2 / (2 A). */
  double room = v > 0 ? guard->upper - x : x - guard->lower;
  const double slack = BRIO_AXIS_LIMITS_SLACK;
  if (!(x >= guard->lower - slack && x <= guard->upper + slack)) return false;
  return isinf(guard->acceleration) ||
         v * v <= 2 * guard->acceleration * (room + slack) * (1 + BRIO_AXIS_LIMITS_TOLERANCE);
}

/* v' = v -+ A h, but 0 where that would reverse the motion; x' = x + v' h. */
double brio_axis_limits_brake(const brio_axis_limits *guard, double x, double v, double h) {
  double change = guard->acceleration * h;
  double speed = fabs(v) <= change ? 0 : copysign(fabs(v) - change, v);
  return x + speed * h;
}

/* Greatest speed v in the next period towards an end `room` away: v^2 = 2 A (room - v h). The positive root
** in the form that does not cancel: v = 2 A room / (A h + sqrt((A h)^2 + 2 A room)). */
static double stopping_speed(double room, double acceleration, double h) {
  if (!(room > 0)) return 0;
  if (isinf(acceleration)) return room / h;
  double step = acceleration * h;
  return 2 * acceleration * room / (step + sqrt(step * step + 2 * acceleration * room));
}

double brio_axis_limits_approach(const brio_axis_limits *guard, double x, double v, double target, double h) {
  /* The greatest speed that still permits a stop at the target, then as near to it as the acceleration of one
  ** period allows. */
  double change = guard->acceleration * h, d = target - x;
  double wanted = copysign(brio_min(guard->velocity, stopping_speed(fabs(d), guard->acceleration, h)), d);
  double speed = brio_clamp(wanted, v - change, v + change);
  /* Land on the target exactly, so that x compares equal to it at rest. */
  return speed == wanted && fabs(wanted * h - d) <= 1e-15 ? target : x + speed * h;
}
