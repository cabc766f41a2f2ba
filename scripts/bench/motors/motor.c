/* How punctual the motor thread is, beside an empty loop that sleeps to absolute times the same way.
**   motor empty SECONDS
**   motor alone SECONDS
** The empty loop; or the motor side with 20 simulated joints, to which a pose is handed 200 times a second.
** A line: us that it woke late at p50, p99 and at most, periods, periods lost; and for the motor side us from
** handing over to the driver's call at p50, p99 and most, and at p99 its parts: waiting for the period, in
** it, until the bus wakes. */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "base/clock.h"
#include "base/histogram.h"
#include "drivers/actuator/actuator.h"
#include "runtime/motor/motor.h"

enum { AXES = 20, PERIOD = 1000000, TICK = 5000000 };

static void sleep_until(int64_t when) {
  struct timespec t = {when / 1000000000, when % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {}
}

typedef struct loop {
  double seconds;
  brio_histogram late;
  int64_t periods, lost;
} loop;

static void *run_empty(void *context) {
  loop *self = context;
  struct sched_param priority = {.sched_priority = 80};
  prctl(PR_SET_TIMERSLACK, 1);
  pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority);
  int64_t next = brio_clock_monotonic() + PERIOD, end = next + (int64_t)(self->seconds * 1e9);
  for (; next < end; self->periods++) {
    sleep_until(next);
    int64_t late = brio_clock_monotonic() - next, missed = late > 0 ? late / PERIOD : 0;
    brio_histogram_add(&self->late, (double)late * 1e-3);
    self->lost += missed;
    next += (missed + 1) * PERIOD;
  }
  return NULL;
}

static bool measure_empty(double seconds, brio_error *err) {
  loop self = {.seconds = seconds};
  pthread_t thread;
  if (pthread_create(&thread, NULL, run_empty, &self) != 0)
    return brio_fail(err, BRIO_LIMIT, "no thread to be had");
  pthread_join(thread, NULL);
  printf("%g %g %g %lld %lld\n", brio_histogram_at(&self.late, 0.5), brio_histogram_at(&self.late, 0.99),
         self.late.largest, (long long)self.periods, (long long)self.lost);
  return true;
}

/* Hand a pose over every tick. */
static void drive(brio_motor *motor, double seconds) {
  double values[AXES], dt = TICK * 1e-9;
  int64_t next = brio_clock_monotonic() + TICK, n = (int64_t)(seconds / dt);
  for (int64_t k = 0; k < n; k++, next += TICK) {
    sleep_until(next);
    brio_motor_look(motor);
    for (int i = 0; i < AXES; i++)
      values[i] = 0.3 * (1 - cos(0.8 * (double)k * dt + 0.1 * i)) - 0.3 * (1 - cos(0.1 * i));
    brio_motor_hand_over(motor, values, dt);
  }
  brio_motor_look(motor);
}

static bool measure_motor(double seconds, brio_error *err) {
  char names[AXES][8];
  brio_axis axes[AXES];
  for (int i = 0; i < AXES; i++) {
    snprintf(names[i], sizeof names[i], "j%d", i);
    axes[i] = (brio_axis){names[i], -2, 2, 3, 10, 0};
  }
  brio_actuator_options options = {.kind = brio_driver_find("sim", err), .axes = axes, .count = AXES};
  brio_actuator *actuator = brio_actuator_open(&options, err);
  brio_motor *motor = actuator
                          ? brio_motor_new(&(brio_motor_options){.actuator = actuator, .tree = AXES}, err)
                          : NULL;
  bool good = motor && brio_motor_start(motor, err);
  if (good) {
    drive(motor, seconds);
    brio_motor_report r = brio_motor_report_now(motor);
    printf("%g %g %g %lld %lld %g %g %g %g %g %g\n", r.late_p50, r.late_p99, r.late_max, (long long)r.periods,
           (long long)r.lost, r.call_p50, r.call_p99, r.call_max, r.wait.p99, r.work.p99, r.wake.p99);
  }
  brio_motor_free(motor);
  brio_actuator_close(actuator);
  return good;
}

int main(int argc, char **argv) {
  double seconds = argc > 2 ? atof(argv[2]) : 5;
  brio_error err = {0};
  bool empty = argc > 1 && strcmp(argv[1], "empty") == 0;
  if (empty ? measure_empty(seconds, &err) : measure_motor(seconds, &err)) return 0;
  fprintf(stderr, "motor: %s\n", err.message);
  return 1;
}
