/* Joint impedance: see impedance.h.  Every function is O(1). */
#include "motor/impedance.h"

#include <math.h>
#include <stddef.h>

#include "math/scalar.h"

#define ROUNDED 1e6 /* parts of a torque greater than this times the limit lose digits in their sum */

const brio_impedance brio_impedance_none = {0, 0, 0, NAN};

bool brio_impedance_is(const brio_impedance *impedance) { return !isnan(impedance->limit); }

/* Comparisons are negated, so that NaN is a fault, too. */
const char *brio_impedance_fault(const brio_impedance *impedance) {
  if (!(impedance->stiffness >= 0 && isfinite(impedance->stiffness)))
    return "its stiffness must be a number of at least 0";
  if (!(impedance->damping >= 0 && isfinite(impedance->damping)))
    return "its damping must be a number of at least 0";
  if (!isfinite(impedance->torque)) return "its torque must be a finite number";
  if (!(impedance->limit > 0 && isfinite(impedance->limit)))
    return "its greatest torque must be a finite number above 0";
  return NULL;
}

double brio_impedance_torque(const brio_impedance *command, double target, double speed, double position,
                             double velocity) {
  double torque = command->stiffness * (target - position) + command->damping * (speed - velocity) +
                  command->torque;
  return isnan(torque) ? 0 : brio_clamp(torque, -command->limit, command->limit);
}

/* Bring a number into [lower, upper]; NaN becomes 0, which lies there. */
static bool bound(double *number, double lower, double upper) {
  double before = *number;
  *number = isnan(before) ? 0 : brio_clamp(before, lower, upper);
  return !(*number == before);
}

/* Return `part` of a torque reduced so that part + rest is within the limit, if it has the sign of the whole
** (1 or -1); a part of the other sign is returned as it is. */
static double remaining(double part, double sign, double rest, double limit) {
  return part * sign > 0 ? sign * brio_min(fabs(part), brio_max(0, limit - sign * rest)) : part;
}

/* Bound the numbers of a command that do not depend on the motor's state.  A target of NaN means none, and is
** kept.  Return whether anything changed. */
static bool bound_command(brio_impedance_command *command, const brio_impedance *hard, double position) {
  brio_impedance *i = &command->impedance;
  bool changed = bound(&i->stiffness, 0, hard->stiffness);
  changed = bound(&i->damping, 0, hard->damping) || changed;
  changed = bound(&i->limit, 0, hard->limit) || changed;
  changed = bound(&i->torque, -i->limit, i->limit) || changed;
  bool finite = isfinite(command->speed) && !isinf(command->target);
  if (!isfinite(command->speed)) command->speed = 0;
  if (isinf(command->target)) command->target = position;
  return changed || !finite;
}

bool brio_impedance_guard(brio_impedance_command *command, const brio_impedance *hard, double position,
                          double velocity) {
  const brio_impedance *i = &command->impedance;
  bool changed = bound_command(command, hard, position);
  if (isnan(command->target) || isnan(position) || isnan(velocity)) return changed;
  double spring = i->stiffness * (command->target - position),
         damper = i->damping * (command->speed - velocity);
  double most = ROUNDED * i->limit;
  bool large = fabs(spring) > most || fabs(damper) > most;
  if (!large && fabs(spring + damper + i->torque) <= i->limit) return changed;
  /* Parts so large that their sum would be rounding alone are cut first. */
  spring = brio_clamp(spring, -most, most);
  damper = brio_clamp(damper, -most, most);
  /* The excess is taken from the spring first, then from the damper; feed-forward is within the limit. */
  double sign = copysign(1, spring + damper + i->torque);
  spring = remaining(spring, sign, damper + i->torque, i->limit);
  damper = remaining(damper, sign, spring + i->torque, i->limit);
  if (i->stiffness > 0) command->target = position + spring / i->stiffness;
  if (i->damping > 0) command->speed = velocity + damper / i->damping;
  return true;
}
