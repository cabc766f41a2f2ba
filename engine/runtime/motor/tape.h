/* The motor side on the tape: what the script thread sees of it where it has a clock or devices of its own,
** so that it cannot be stepped again; and the panic stops that others raise where it is stepped. */
#ifndef BRIO_RUNTIME_MOTOR_TAPE_H
#define BRIO_RUNTIME_MOTOR_TAPE_H

#include "runtime/motor/motor.h"
#include "runtime/tape/tape.h"

/* As brio_motor_look, of a motor side that is noted (or, of a tape that is read back, as it was noted).  What
** a thread of its own tells is rounded first, to a millionth of a joint's unit and the like, so that what is
** noted is what is used. */
bool brio_motor_look_taped(brio_motor *motor, brio_tape *tape);

/* At the first tick: where devices that are no simulation say that axes are, as targets. */
void brio_motor_targets_taped(brio_motor *motor, brio_tape *tape);

/* At the beginning of a tick in lockstep: panic stops that were raised outside of it since the last count
** from here on. */
void brio_motor_panics_taped(brio_motor *motor, brio_tape *tape);

#endif
