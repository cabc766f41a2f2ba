/* Motors whose torque is controlled by their driver, of any family: those that its text `torques` names. */
#ifndef BRIO_DRIVERS_TORQUES_H
#define BRIO_DRIVERS_TORQUES_H

#include "drivers/driver.h"

/* What a family calls its motors, what one needs besides `torques` ("" or words that end in "and "), and the
** unit of the constants there. */
typedef struct brio_torques_words {
  const char *motor, *needs, *unit;
} brio_torques_words;

/* Compare axis `i` of the robot's file, which is the motor of that number, with the driver's text: both or
** none must want its torque controlled (`drives`), and then it must have a watchdog (`guarded`).  Otherwise
** return false with a sentence (misuse). */
bool brio_torques_check(const brio_torques_words *words, int number, bool drives,
                        const brio_driver_config *config, int i, bool guarded, brio_error *err);

/* Take the next command of a motor into the one that it keeps.  Return the target that holds, rad.  A command
** without target (NaN) leaves the last one: its spring goes on, as a torque that stays would push on. */
double brio_torques_take(brio_impedance_command *kept, const brio_impedance_command *next);

#endif
