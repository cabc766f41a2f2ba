/* What the tick itself (runtime/engine.c) takes from the tape, or notes on it. */
#ifndef BRIO_RUNTIME_TAPE_TICK_H
#define BRIO_RUNTIME_TAPE_TICK_H

#include "math/detection.h"
#include "runtime/tape/tape.h"

/* A tick begins, which carries so many periods.  Return how many. */
int brio_tape_begin(brio_tape *tape, int64_t tick, double time, int periods);

/* Something that is always known. */
bool brio_tape_flag(brio_tape *tape, int channel, bool flag);

/* How long the motion of the tick takes, s; mostly a `period`. */
double brio_tape_motion(brio_tape *tape, double motion, double period);

/* Why the run is to end, once there is a reason ("": none yet): one that came from outside is noted, or
** given.  Return whether it is done. */
bool brio_tape_why(brio_tape *tape, const char **why);

/* What detectors saw: note it; or read it back, at most `most`, and return how many. */
void brio_tape_detected(brio_tape *tape, const brio_detection *seen, int count);
int brio_tape_detections(brio_tape *tape, brio_detection *out, int most);

/* The digest of what the tick commanded. */
void brio_tape_digest(brio_tape *tape, uint64_t digest);

#endif
