/* Motors whose torque is controlled by their driver, of any family: those that its text `torques` names. */
#ifndef BRIO_DRIVERS_TORQUES_H
#define BRIO_DRIVERS_TORQUES_H

#include "drivers/driver.h"

/* The word of a family for its motors, the other settings that a motor needs ("" or words that end in
** "and "), and the unit of the constants there. */
typedef struct brio_torques_words {
  const char *motor, *needs, *unit;
} brio_torques_words;

/* Check motor `number`, axis `i` of `config`.  The robot's file and the driver's text must agree whether its
** torque is controlled (`drives`: the text says so), and a motor whose torque is controlled must have a
** watchdog (`guarded`).  Return false otherwise.  Errors: misuse. */
bool brio_torques_check(const brio_torques_words *words, int number, bool drives,
                        const brio_driver_config *config, int i, bool guarded, brio_error *err);

/* Copy the next command of a motor to the one that is kept, unless its target is NaN (none).  Return the
** target that now holds, rad.  Without a new target the last command stays whole: its spring holds the axis,
** while a torque alone would go on pushing it. */
double brio_torques_take(brio_impedance_command *kept, const brio_impedance_command *next);

#endif
