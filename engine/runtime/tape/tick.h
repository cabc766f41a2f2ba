/* The tick's own inputs (runtime/engine.c) on the tape. */
#ifndef BRIO_RUNTIME_TAPE_TICK_H
#define BRIO_RUNTIME_TAPE_TICK_H

#include "math/detection.h"
#include "runtime/tape/tape.h"

/* Begin a tick of that many periods.  Return their number. */
int brio_tape_begin(brio_tape *tape, int64_t tick, double time, int periods);

/* A value that is always known. */
bool brio_tape_flag(brio_tape *tape, int channel, bool flag);

/* Duration of the tick's motion, s; mostly a `period`. */
double brio_tape_motion(brio_tape *tape, double motion, double period);

/* The reason why the run is to end, once there is one ("": none yet): a reason from outside is noted, or
** replayed.  Return whether there was one. */
bool brio_tape_why(brio_tape *tape, const char **why);

/* The detectors' input: note it; or replay it, at most `most`, and return how many. */
void brio_tape_detected(brio_tape *tape, const brio_detection *seen, int count);
int brio_tape_detections(brio_tape *tape, brio_detection *out, int most);

/* The digest of the tick's commands. */
void brio_tape_digest(brio_tape *tape, uint64_t digest);

#endif
