/* Motors whose torque is controlled by their driver: see torques.h. */
#include "drivers/torques.h"

#include <assert.h>
#include <math.h>

bool brio_torques_check(const brio_torques_words *words, int number, bool drives,
                        const brio_driver_config *config, int i, bool guarded, brio_error *err) {
  assert(i >= 0);
  bool wanted = config->impedances && brio_impedance_is(&config->impedances[i]);
  if (wanted && !drives)
    return brio_fail(err, BRIO_MISUSE,
                     "%s %d has a `control` in the robot's file, but is none of `torques`: it takes "
                     "positions alone (with %storques=\"%d:%s\" it takes torques)",
                     words->motor, number, words->needs, number, words->unit);
  if (drives && !wanted)
    return brio_fail(err, BRIO_MISUSE,
                     "%s %d is one of `torques`, but has no `control` in the robot's file", words->motor,
                     number);
  /* The device itself must end a torque that nobody renews. */
  return !drives || guarded ||
         brio_fail(err, BRIO_MISUSE,
                   "%s %d is one of `torques`: without its watchdog (`watchdog` in the robot's file) it "
                   "would keep its last torque when nobody speaks",
                   words->motor, number);
}

double brio_torques_take(brio_impedance_command *kept, const brio_impedance_command *next) {
  if (!isnan(next->target)) *kept = *next;
  return kept->target;
}
