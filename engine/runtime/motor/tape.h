/* The motor side on the tape: the script thread's view of it, for motor sides with a clock or devices of
** their own, which cannot be stepped again; and the panic stops that others raise in lockstep. */
#ifndef BRIO_RUNTIME_MOTOR_TAPE_H
#define BRIO_RUNTIME_MOTOR_TAPE_H

#include "runtime/motor/motor.h"
#include "runtime/tape/tape.h"

/* As brio_motor_look, for a motor side that is noted (or, in a replay, as it was noted).  Reports of other
** threads are rounded first, to a millionth of a joint's unit and the like, so that the tape has exactly the
** values that are used. */
bool brio_motor_look_taped(brio_motor *motor, brio_tape *tape);

/* At the first tick: measured positions of real devices, as targets. */
void brio_motor_targets_taped(brio_motor *motor, brio_tape *tape);

/* At the beginning of a tick in lockstep: panic stops that others raised since the last tick count from here
** on. */
void brio_motor_panics_taped(brio_motor *motor, brio_tape *tape);

#endif
