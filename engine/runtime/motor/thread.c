/* The motor thread: it sleeps to absolute times, so that lateness does not accumulate, with real-time
** scheduling and locked memory where the system permits. */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#include "base/clock.h"
#include "runtime/motor/motor_internal.h"

#define LONGEST_GAP 0.1 /* s: after a longer gap nothing known about the robot counts */

enum { PRIORITY = 80 };

/* Lock pages as they are touched, only if the limit is infinite: with a small one allocations would fail.
** False: not locked. */
static bool lock_memory(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) return false;
  return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0;
}

/* Configure the calling thread.  A refused real-time priority is reported; the run continues without it. */
static void prepare(brio_motor *motor) {
  struct sched_param priority = {.sched_priority = PRIORITY};
  sigset_t all;
  sigfillset(&all);
  /* Signals are for the main thread. */
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  /* The shortest slack, 1 ns: the default of 50 us would add to every wake-up. */
  prctl(PR_SET_TIMERSLACK, 1);
  motor->realtime = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) == 0;
  motor->memory_locked = lock_memory();
  if (!motor->realtime) brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_NOT_REALTIME});
}

/* Sleep until `when`, ns of the monotonic clock, through signals. */
static void sleep_until(int64_t when) {
  struct timespec t = {when / 1000000000, when % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {}
}

/* Run the periods that are due, `late` ns after they were. After a short delay missed periods are made up;
** after a gap the path continues from where it is. Return how many periods passed. */
static int64_t catch_up(brio_motor *motor, int64_t late, int64_t period) {
  assert(late >= 0 && period > 0);
  /* Periods that passed entirely; the current one is late as well. */
  int64_t missed = late / period;
  double gap = (double)late * 1e-9;
  brio_motor_gap kind = gap > LONGEST_GAP                               ? BRIO_GAP_LONG
                        : gap > fmax(BRIO_MOTOR_MADE_UP, motor->period) ? BRIO_GAP_SHORT
                                                                        : BRIO_GAP_NONE;
  motor->missed += missed;
  /* In a gap missed periods are left out, but their time passes. */
  if (kind != BRIO_GAP_NONE) motor->time += (double)missed * motor->period;
  if (kind == BRIO_GAP_LONG)
    brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_PAUSED, .value = gap});
  /* Made-up periods advance the path; only the last one is sent to the devices. */
  motor->makes_up = motor->more = true;
  for (int64_t k = 0; k < missed; k++, motor->due += period)
    if (kind == BRIO_GAP_NONE) brio_motor_period(motor, motor->period, BRIO_GAP_NONE);
  motor->makes_up = motor->more = false;
  brio_motor_period(motor, motor->period, kind);
  return missed + 1;
}

void *brio_motor_thread_run(void *context) {
  brio_motor *motor = context;
  int64_t period = (int64_t)llround(motor->period * 1e9), next = brio_clock_monotonic() + period;
  prepare(motor);
  /* `next` stays on the grid of periods from the start, so lateness does not accumulate. */
  while (!atomic_load_explicit(&motor->ends, memory_order_acquire)) {
    /* Lateness is measured from the planned time. */
    sleep_until(next);
    motor->woke = brio_clock_monotonic();
    int64_t late = motor->woke - next;
    brio_histogram_add(&motor->late, (double)late * 1e-3);
    motor->due = next;
    next += catch_up(motor, late < 0 ? 0 : late, period) * period;
  }
  return NULL;
}
