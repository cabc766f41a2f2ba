/* Bus servos in current mode: their torque is controlled from here, once a cycle, by the position and
** velocity that they last reported.  A servo keeps its last current when no more come, so it must have a
** watchdog, which lets it go limp. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/servo/driver_internal.h"
#include "drivers/torques.h"
#include "math/scalar.h"

bool brio_servo_driver_take_torques(brio_servo_driver *self, const char *text, brio_error *err) {
  const char *at = text + strspn(text, ", ");
  while (*at) {
    int id;
    double constant;
    const char *next = brio_exchange_pair(at, 252, 1000, &id, &constant);
    if (!next)
      return brio_fail(
          err, BRIO_MISUSE,
          "torques must be ids with N m/A from above 0 to 1000, as in \"5:1.78,6:1.78\", not '%.80s'", text);
    const uint8_t *found = memchr(self->ids, id, (size_t)self->count);
    if (!found) return brio_fail(err, BRIO_MISUSE, "id %d of torques is none of the axes'", id);
    brio_servo_axis *axis = &self->axes[found - self->ids];
    if (axis->wheel) return brio_fail(err, BRIO_MISUSE, "servo %d is one of `wheels` and of `torques`", id);
    axis->drives = true;
    axis->constant = constant;
    axis->command = (brio_impedance_command){.impedance = brio_impedance_none};
    axis->timed = false;
    at = next;
  }
  return true;
}

bool brio_servo_driver_check_torques(const brio_servo_driver *self, const brio_driver_config *config,
                                     brio_error *err) {
  const brio_torques_words words = {"servo", "its mode 0 and ", "N m/A"};
  bool good = true;
  for (int i = 0; i < self->count && good; i++)
    good = brio_torques_check(&words, self->ids[i], self->axes[i].drives, config, i, self->watchdog > 0, err);
  return good;
}

double brio_servo_driver_torque(const brio_servo_axis *axis, double target) {
  const brio_impedance_command *command = &axis->command;
  /* Nothing is known of where it is, or of what is wanted. */
  if (!brio_impedance_is(&command->impedance) || isnan(axis->place) || axis->missing > 0) return 0;
  return brio_impedance_torque(&command->impedance, brio_clamp(target, axis->lower, axis->upper),
                               command->speed, axis->place, axis->velocity);
}

bool brio_servo_driver_write_impedances(void *device, const brio_impedance_command *commands,
                                        brio_error *err) {
  brio_servo_driver *self = device;
  double targets[BRIO_SERVO_AXES], speeds[BRIO_SERVO_AXES];
  assert(self->count >= 0 && self->count <= BRIO_SERVO_AXES);
  for (int i = 0; i < self->count; i++) {
    brio_servo_axis *axis = &self->axes[i];
    targets[i] = axis->drives ? brio_torques_take(&axis->command, &commands[i]) : commands[i].target;
    speeds[i] = fabs(commands[i].speed);
  }
  return brio_servo_driver_write_timed(self, targets, speeds, err);
}
