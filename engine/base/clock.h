/* The clocks that the engine itself reads.  Behaviors never see them: they get
** the engine's time, which in fast mode is counted in ticks. */
#ifndef BRIO_BASE_CLOCK_H
#define BRIO_BASE_CLOCK_H

#include <stdint.h>

/* Return nanoseconds of the monotonic clock. */
int64_t brio_clock_monotonic(void);

/* Return nanoseconds of CPU time that the calling thread has used. */
int64_t brio_clock_thread_cpu(void);

/* Return nanoseconds since 1970, UTC: for records only, it may step. */
int64_t brio_clock_wall(void);

#endif
