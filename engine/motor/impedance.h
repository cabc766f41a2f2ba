/* Joint impedance: the command of a motor that controls its torque, and the limit that its torque never
** exceeds.  The motor's torque is
**     tau = clamp(stiffness (target - position) + damping (speed - velocity) + torque, -limit, limit),
** so it is a spring and a damper about the path of the position command, and carries what `torque` says: a
** weight, for instance.  Source: Hogan, "Impedance control: an approach to manipulation", 1985.
**
** In the units of an axis: rad, N m; of a slide m, N. */
#ifndef BRIO_MOTOR_IMPEDANCE_H
#define BRIO_MOTOR_IMPEDANCE_H

#include <stdbool.h>

typedef struct brio_impedance {
  double stiffness; /* N m/rad or N/m, >= 0 */
  double damping;   /* N m s/rad or N s/m, >= 0 */
  double torque;    /* N m or N: feed-forward */
  double limit;     /* N m or N, > 0: of the sum; NAN: the axis has a position servo instead */
} brio_impedance;

/* No impedance: a position servo. */
extern const brio_impedance brio_impedance_none;

/* Whether an axis has it. */
bool brio_impedance_is(const brio_impedance *impedance);

/* Return a sentence why a robot's file or a script may not give it, or NULL: a stiffness or damping that is
** not a finite number of at least 0, a torque that is not finite, a limit that is not above 0. */
const char *brio_impedance_fault(const brio_impedance *impedance);

/* Return the torque of a command within its limit. NaN in one of them gives 0. */
double brio_impedance_torque(const brio_impedance *command, double target, double speed, double position,
                             double velocity);

/* What may be sent to a motor. */
typedef struct brio_impedance_command {
  brio_impedance impedance;
  double target, speed; /* rad or m, and per s */
} brio_impedance_command;

/* Bring a command within `hard`, the greatest stiffness, damping and limit of the axis, whatever it was: NaN
** becomes 0, what is beyond a limit becomes the limit, and a target so far from where the motor is
** (`position`, `velocity`; NAN: unknown) that the sum would exceed the limit is moved towards it, until it
** does not; if that is not enough, the speed, too.  A target of NaN, which means none, stays.  Return whether
** something was changed. */
bool brio_impedance_guard(brio_impedance_command *command, const brio_impedance *hard, double position,
                          double velocity);

#endif
