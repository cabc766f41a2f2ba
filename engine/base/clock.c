/* The clocks of the system, in ns. */
#include "base/clock.h"

#include <time.h>

static int64_t read_clock(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t brio_clock_monotonic(void) { return read_clock(CLOCK_MONOTONIC); }
int64_t brio_clock_thread_cpu(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
int64_t brio_clock_wall(void) { return read_clock(CLOCK_REALTIME); }
