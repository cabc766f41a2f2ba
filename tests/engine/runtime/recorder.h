/* A mock device for tests of the motor side: not hardware, though it declares to be; it records every target,
** follows at once, and fails on request. */
#ifndef BRIO_TESTS_RECORDER_H
#define BRIO_TESTS_RECORDER_H

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "drivers/actuator/actuator.h"
#include "drivers/targets.h"
#include "tests/check.h"

enum { RECORDED = 1 << 16, RECORDER_AXES = 6 };

typedef struct recorder {
  int count;                     /* axes of the device */
  double position[RECORDER_AXES];
  atomic_int writes;
  double told[RECORDED][RECORDER_AXES]; /* by write; NaN: left alone */
  double speeds[RECORDED][RECORDER_AXES], at[RECORDED]; /* by write: 1/s, 0 without; s */
  atomic_int fails, blocks_us, opens;
  atomic_int blocks, blocked;    /* while `blocks`, no write returns; how many waited for that */
  atomic_int hesitates_us;       /* once: between getting targets and sending them */
  atomic_int lingers_us;         /* once: between sending targets and returning */
  atomic_int late;               /* how often targets were out of date then */
  double late_target[RECORDER_AXES]; /* the newest of those */
  atomic_int silent;             /* a bit for each axis that does not report */
  atomic_int refuses, powered;   /* to switch its motors; how often it was requested */
  atomic_int switches_us;        /* how long it takes to switch them */
  atomic_int input;              /* what its inputs report; -1: nothing */
  double from[RECORDER_AXES];    /* where it is found */
} recorder;

static void *recorder_open(const brio_axis *axes, int count, const double *settings, uint64_t seed,
                           void *context, brio_error *err) {
  recorder *r = context;
  (void)axes, (void)settings, (void)seed;
  if (atomic_load(&r->fails)) return (void)brio_fail(err, BRIO_DEVICE, "nothing is plugged in"), NULL;
  r->count = count;
  if (atomic_fetch_add(&r->opens, 1) == 0) memcpy(r->position, r->from, sizeof r->position);
  return r;
}

static bool recorder_write_timed(void *device, const double *targets, const double *speeds, brio_error *err) {
  recorder *r = device;
  int us = atomic_load(&r->blocks_us), n = atomic_load(&r->writes);
  if (us > 0) nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000L}, NULL);
  if (atomic_load(&r->blocks)) atomic_fetch_add(&r->blocked, 1);
  while (atomic_load(&r->blocks)) nanosleep(&(struct timespec){0, 1000000}, NULL);
  if (atomic_load(&r->fails)) return brio_fail(err, BRIO_DEVICE, "the wire is cut");
  us = atomic_exchange(&r->hesitates_us, 0);
  if (us > 0) nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000L}, NULL);
  if (brio_targets_late(err)) {
    memcpy(r->late_target, targets, (size_t)r->count * sizeof *targets);
    return atomic_fetch_add(&r->late, 1), false;
  }
  for (int i = 0; i < r->count; i++) {
    r->told[n % RECORDED][i] = targets[i];
    r->speeds[n % RECORDED][i] = speeds ? speeds[i] : 0;
    if (!isnan(targets[i])) r->position[i] = targets[i];
  }
  r->at[n % RECORDED] = (double)brio_clock_monotonic() * 1e-9;
  atomic_store(&r->writes, n + 1);
  us = atomic_exchange(&r->lingers_us, 0);
  if (us > 0) nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000L}, NULL);
  return true;
}

static bool recorder_write(void *device, const double *targets, brio_error *err) {
  return recorder_write_timed(device, targets, NULL, err);
}

static bool recorder_read(void *device, brio_axis_state *states, brio_error *err) {
  recorder *r = device;
  if (atomic_load(&r->fails)) return brio_fail(err, BRIO_DEVICE, "the wire is cut");
  for (int i = 0; i < r->count; i++)
    states[i] = (brio_axis_state){.position = r->position[i], .valid = !(atomic_load(&r->silent) >> i & 1)};
  return true;
}

static bool recorder_sense(void *device, brio_input_state *inputs, brio_error *err) {
  recorder *r = device;
  int value = atomic_load(&r->input);
  if (atomic_load(&r->fails)) return brio_fail(err, BRIO_DEVICE, "the wire is cut");
  inputs[0].values[0] = value < 0 ? NAN : value;
  return true;
}

static bool recorder_power(void *device, const bool *on, brio_error *err) {
  recorder *r = device;
  int us = atomic_load(&r->switches_us);
  (void)on;
  if (us > 0) nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000L}, NULL);
  atomic_fetch_add(&r->powered, 1);
  return !atomic_load(&r->refuses) || brio_fail(err, BRIO_DEVICE, "no torque");
}

static void recorder_close(void *device) { (void)device; }

static const brio_driver_kind recorder_kind = {.name = check_own,
                                               .doc = "Keeps what it is told.",
                                               .open = recorder_open,
                                               .write = recorder_write,
                                               .write_timed = recorder_write_timed,
                                               .read = recorder_read,
                                               .sense = recorder_sense,
                                               .power = recorder_power,
                                               .close = recorder_close};

/* Check the targets against limits, where an axis has one in three writes in a row. */
static inline void recorder_check(const recorder *r, const brio_axis *axes, double h, const char *what) {
  int n = atomic_load(&r->writes) < RECORDED ? atomic_load(&r->writes) : RECORDED;
  for (int i = 0; i < r->count; i++)
    for (int k = 2; k < n; k++) {
      double a = r->told[k - 2][i], b = r->told[k - 1][i], c = r->told[k][i];
      if (isnan(a) || isnan(b) || isnan(c)) continue;
      CHECK(c >= axes[i].lower - 1e-8 && c <= axes[i].upper + 1e-8, "%s: axis %d is told %g", what, i, c);
      CHECK(fabs(c - b) / h <= axes[i].velocity * (1 + 2e-6), "%s: axis %d write %d: speed %g", what, i, k,
            (c - b) / h);
      CHECK(fabs(c - 2 * b + a) / (h * h) <= axes[i].acceleration * (1 + 2e-6) + 1e-3,
            "%s: axis %d write %d: acceleration %g", what, i, k, (c - 2 * b + a) / (h * h));
    }
}

#endif
