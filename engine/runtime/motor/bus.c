/* A bus: one device, and in a threaded run the thread that alone speaks with it.  The motor thread
** leaves the newest targets in a triple buffer and wakes it; it leaves the newest reports in another.
** So a device that blocks stalls its own thread only. */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "runtime/motor/motor_internal.h"

#define FIRST_POWER 0.5  /* s after which a device that refused to switch its motors is told again */
#define LAST_POWER 8.0
#define LOSE_AFTER 0.2   /* s in which every write failed, or every read */
#define STALE 100000000  /* ns after which nothing is told that was not told anew */
#define WAKE_EVERY 50000000 /* ns: a bus reads at least so often, whatever the motor thread does */

#define PATIENCE 5.0     /* s that a driver has to return at the end */
#define LONGER 1.5       /* than usual an exchange may be, and its frame lead on for all of it */
#define LEAST_RATE 0.05  /* of the speed on the path: a speed of 0 would be none */
#define SHARE 0.05       /* of the newest exchange in what is usual */
#define SLOWEST 0.25     /* s: what counts of an exchange */
#define LATE 2000000     /* ns that targets may be late on their way to the driver's port */
#define SOON 5000000     /* ns */

enum { PRIORITY = 75 };

/* The device was told nothing yet, or nothing that counts. */
static void forget_frame(brio_motor_bus *bus) {
  for (int i = 0; i < bus->motor->count && bus->frame; i++) bus->frame[i] = NAN;
}

bool brio_motor_bus_room(brio_motor_bus *bus, brio_motor *motor, brio_device *device, brio_error *err) {
  size_t told = sizeof(brio_motor_telling) + 3 * (size_t)motor->count * sizeof(double);
  size_t answer = sizeof(brio_motor_answer) + (size_t)device->count * sizeof(brio_axis_state) +
                  (size_t)device->config.ninput * sizeof(brio_input_state);
  bus->motor = motor;
  bus->device = device;
  bus->lock = -1;
  memcpy(bus->words, device->words, sizeof bus->words);
  bus->on = BRIO_TAKE(&motor->arena, bool, motor->count + 1);
  bus->frame = BRIO_TAKE(&motor->arena, double, motor->count + 1);
  bus->before = BRIO_TAKE(&motor->arena, double, motor->count + 1);
  bus->speeds = BRIO_TAKE(&motor->arena, double, motor->count + 1);
  bus->target = BRIO_TAKE(&motor->arena, double, device->count + 1);
  bus->newest = BRIO_TAKE(&motor->arena, double, device->count + 1);
  bus->place = BRIO_TAKE(&motor->arena, double, device->count + 1);
  forget_frame(bus);
  bool good = bus->on && bus->frame && bus->before && bus->speeds && bus->target && bus->newest && bus->place &&
              brio_motor_backlog_start(&bus->backlog, device->count, motor->period) &&
              brio_triple_start(&bus->told, told) && brio_triple_start(&bus->answers, answer) &&
              brio_triple_start(&bus->mappings, ((size_t)device->count + 1) * sizeof(brio_mapping)) &&
              sem_init(&bus->wake, 0, 0) == 0 && sem_init(&bus->done, 0, 0) == 0;
  return good || brio_fail(err, BRIO_NO_MEMORY, "no memory for device '%s'", device->name);
}

void brio_motor_bus_end(brio_motor_bus *bus) {
  if (!bus->device) return;
  brio_motor_bus_stop(bus);
  brio_triple_end(&bus->told);
  brio_triple_end(&bus->answers);
  brio_triple_end(&bus->mappings);
  brio_motor_backlog_end(&bus->backlog);
  sem_destroy(&bus->wake);
  sem_destroy(&bus->done);
  if (bus->lock >= 0) close(bus->lock);
}

/* Tell motors to hold their places or to go limp, where that changed, or where the device was opened anew: what was without
** power has forgotten it.  A device that refused is told again, later and later. */
static void set_power(brio_motor_bus *bus, const double *flags, bool changed, double dt) {
  for (int i = 0; i < bus->motor->count; i++) {
    bool on = flags[i] != 0;
    changed = changed || on != bus->on[i];
    bus->on[i] = on;
  }
  bus->power_again -= dt;
  if (!changed && !(bus->power_refused && bus->power_again <= 0)) return;
  bus->power_wait = changed ? FIRST_POWER : fmin(2 * bus->power_wait, LAST_POWER);
  bus->power_again = bus->power_wait;
  bus->power_refused = !brio_device_power(bus->device, bus->on, NULL);
}

/* How long a device may be told nothing before it counts as late: its arm stands by then where it was led to. */
static double patience(const brio_motor_bus *bus) { return fmax(BRIO_MOTOR_MADE_UP, LONGER * bus->cycle); }

/* How long the next call of the driver may take, s: as long as the last ones did, of which one may have been delayed. */
static double usual_call(const brio_motor_bus *bus) {
  double least = INFINITY;
  for (int i = 0; i < BRIO_MOTOR_CALLS; i++) least = fmin(least, bus->calls[i]);
  return least;
}

/* Whether the motor thread stood still in the `took` s until now: so did this one, and not in the driver. */
static bool all_stood(brio_motor_bus *bus, double took) {
  int posts = 0;
  sem_getvalue(&bus->wake, &posts);
  return (double)posts * bus->motor->period < took / 2;
}

/* The driver's call, begun at `from`, has returned: the device has been told, at `left` where it is known when the bytes left
** and the process stood still after that.  After a pause it stands there by now. */
static void note_told(brio_motor_bus *bus, int64_t from, int64_t left) {
  int64_t now = brio_clock_monotonic();
  double took = (double)(now - from) * 1e-9;
  if (left > 0 && now - left > LATE && all_stood(bus, (double)(now - left) * 1e-9)) now = left;
  double gap = (double)(now - bus->told_at) * 1e-9;
  bus->calls[bus->ncall++ % BRIO_MOTOR_CALLS] = took;
  bus->stood = gap > patience(bus);
  bus->cycle += SHARE * (fmin(gap, SLOWEST) - bus->cycle);
  bus->told_at = bus->led_to = now;
}

/* What the device is told when the driver's call returns.  What was left here long ago is told no more: the
** motor side stands still, and so shall the robot. */
static const double *make_frame(brio_motor_bus *bus, const brio_motor_telling *told, int64_t now) {
  const brio_device *device = bus->device;
  bool stale = told->at > 0 && now - told->at > STALE;
  double *newest = bus->newest, *place = bus->place;
  for (int i = 0; i < device->count; i++) {
    newest[i] = stale ? NAN : told->numbers[device->axes[i]];
    place[i] = bus->frame[device->axes[i]];
  }
  if (told->at == 0 || stale) {
    brio_motor_backlog_skip(&bus->backlog);
    memcpy(place, newest, (size_t)device->count * sizeof *place);
  } else {
    double call = usual_call(bus), dt = (double)(now - bus->led_to) * 1e-9 + call;
    bool pauses = (double)(now - bus->told_at) * 1e-9 + call > patience(bus);
    if (bus->stood || pauses) brio_motor_backlog_stand(&bus->backlog, place);
    brio_motor_backlog_step(&bus->backlog, device->limits, pauses ? bus->motor->period : dt, newest, place);
  }
  for (int i = 0; i < device->count; i++) bus->frame[device->axes[i]] = place[i];
  return bus->frame;
}

/* The speeds that go with the frame: where it catches up, slower by as much. */
static const double *speeds_of(const brio_motor_bus *bus, const brio_motor_telling *told) {
  const double *speeds = told->numbers + bus->motor->count;
  if (!bus->backlog.late) return speeds;
  double share = fmax(bus->backlog.rate, LEAST_RATE);
  for (int i = 0; i < bus->motor->count; i++) bus->speeds[i] = share * speeds[i];
  return bus->speeds;
}

/* Whether none of the device's motors is told anything, or holds its place. */
static bool is_limp(const brio_motor_bus *bus, const brio_motor_telling *told) {
  const double *power = told->numbers + 2 * bus->motor->count;
  for (int i = 0; i < bus->device->count; i++)
    if (!isnan(told->numbers[bus->device->axes[i]]) || power[bus->device->axes[i]] != 0) return false;
  return true;
}

/* Mappings that were handed over count as soon as the motors are limp. */
static void take_mappings(brio_motor_bus *bus, const brio_motor_telling *told) {
  unsigned newest = atomic_load_explicit(&bus->remap, memory_order_acquire);
  if (brio_triple_fetch(&bus->mappings)) bus->remaps = true;
  if (!bus->remaps || !is_limp(bus, told)) return;
  bus->remaps = false;
  brio_device_remap(bus->device, brio_triple_front(&bus->mappings));
  atomic_store_explicit(&bus->remapped, newest, memory_order_release);
}

/* A device that is back begins where it is found: what it was told before counts no more. */
static void start_over(brio_motor_bus *bus) {
  brio_motor_backlog_skip(&bus->backlog);
  forget_frame(bus);
}

static void wait_for_work(brio_motor_bus *bus, int64_t most) {
  int64_t until = brio_clock_monotonic() + most;
  struct timespec t = {until / 1000000000, until % 1000000000};
  sem_clockwait(&bus->wake, CLOCK_MONOTONIC, &t);
  while (sem_trywait(&bus->wake) == 0) {}
}

/* What the motor thread left last.  Where the process stood still, that thread did, too, and leaves something newer at once:
** it is waited for, a little. */
static const brio_motor_telling *newest(brio_motor_bus *bus) {
  const brio_motor_telling *told = brio_triple_front(&bus->told);
  int64_t age = told->at > 0 ? brio_clock_monotonic() - told->at : 0;
  if (age <= LATE + (int64_t)(bus->motor->period * 1e9)) return told;
  wait_for_work(bus, SOON);
  brio_triple_fetch(&bus->told);
  return brio_triple_front(&bus->told);
}

/* Tell the device where it is to be.  What goes out of date on its way to the port is worked out anew, once, from where
** the device was told to be before.  Return whether the driver took it. */
static bool tell(brio_motor_bus *bus) {
  size_t bytes = (size_t)bus->motor->count * sizeof *bus->frame;
  for (int again = 0;; again++) {
    const brio_motor_telling *told = newest(bus);
    bool threaded = told->at > 0;
    int64_t now = threaded ? brio_clock_monotonic() : 0; /* what came before may have blocked */
    memcpy(bus->before, bus->frame, bytes);
    const double *frame = make_frame(bus, told, now);
    int64_t there = now + (int64_t)(usual_call(bus) * 1e9);
    brio_device_leaving leaving = {.latest = !threaded ? 0 : again ? INT64_MAX : there + LATE};
    bool took = brio_device_write_soon(bus->device, frame, speeds_of(bus, told), &leaving, NULL);
    if (leaving.late) {
      memcpy(bus->frame, bus->before, bytes);
      bus->led_to = there;
      continue;
    }
    if (threaded) note_told(bus, now, leaving.at);
    return took;
  }
}

/* Write what was told, and read; a device that fails for long is lost, and tried again. */
static bool exchange(brio_motor_bus *bus, const brio_motor_telling *told, double before, double after) {
  brio_device *device = bus->device;
  const double *power = told->numbers + 2 * bus->motor->count;
  bool was_lost = device->lost;
  brio_device_pass(device, before);
  take_mappings(bus, told);
  if (!brio_device_return(device)) {
    brio_device_pass(device, after);
    return false;
  }
  if (was_lost) start_over(bus);
  set_power(bus, power, was_lost, before + after);
  bool took = tell(bus);
  brio_device_pass(device, after);
  bool told_us = brio_device_read(device, NULL);
  bus->deaf = took ? 0 : bus->deaf + before + after;
  bus->dumb = told_us ? 0 : bus->dumb + before + after;
  if (bus->deaf < LOSE_AFTER && bus->dumb < LOSE_AFTER) return true;
  bus->deaf = bus->dumb = 0;
  brio_device_lose(device);
  return false;
}

static void publish(brio_motor_bus *bus, bool there, int64_t at, int64_t called, int64_t woke) {
  brio_device *device = bus->device;
  brio_motor_answer *answer = brio_triple_back(&bus->answers);
  answer->any = true;
  answer->lost = !there;
  answer->well = there && bus->deaf == 0 && bus->dumb == 0;
  answer->lag = there ? brio_motor_backlog_lag(&bus->backlog) : 0;
  answer->patience = patience(bus);
  answer->at = at;
  answer->called = called;
  answer->woke = woke;
  if (answer->stats.failures != device->stats.failures) answer->error = device->error; /* it is long */
  answer->stats = device->stats;
  memcpy(answer->states, device->states, (size_t)device->count * sizeof *answer->states);
  for (int i = 0; i < device->count && !there; i++) answer->states[i].valid = false;
  memcpy(answer->states + device->count, device->inputs, (size_t)device->config.ninput * sizeof *device->inputs);
  brio_triple_publish(&bus->answers);
}

/* ---- the motor side's end ---- */

void brio_motor_bus_leave(brio_motor_bus *bus) {
  publish(bus, false, 0, 0, 0);
  brio_triple_fetch(&bus->answers);
}

/* A zero before every value was ever told would be a command: fill and hand over. */
static void fill(brio_motor_bus *bus) {
  const brio_motor *motor = bus->motor;
  brio_motor_telling *told = brio_triple_back(&bus->told);
  size_t bytes = (size_t)motor->count * sizeof(double);
  told->made = motor->newest_made;
  told->at = motor->woke;
  memcpy(told->numbers, motor->values, bytes);
  memcpy(told->numbers + motor->count, motor->speeds, bytes);
  for (int i = 0; i < motor->count; i++) told->numbers[2 * motor->count + i] = motor->powered[i];
  for (int i = 0; i < bus->device->count; i++) bus->target[i] = motor->values[bus->device->axes[i]];
  if (motor->threaded) brio_motor_backlog_put(&bus->backlog, bus->target);
  if (!motor->makes_up) brio_triple_publish(&bus->told);
}

void brio_motor_bus_tell(brio_motor_bus *bus, double h) {
  fill(bus);
  if (bus->runs) {
    if (!bus->motor->makes_up) sem_post(&bus->wake);
    return;
  }
  brio_triple_fetch(&bus->told);
  publish(bus, exchange(bus, brio_triple_front(&bus->told), 0, h), 0, 0, 0);
}

bool brio_motor_bus_hear(brio_motor_bus *bus) {
  if (!brio_triple_fetch(&bus->answers)) return false;
  const brio_motor_answer *answer = brio_triple_front(&bus->answers);
  for (int i = 0; i < bus->device->count; i++) bus->motor->states[bus->device->axes[i]] = answer->states[i];
  return true;
}

/* ---- the thread ---- */

static void sleep_for(double seconds) {
  struct timespec t = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
  while (clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &t) == EINTR) {}
}

static void work(brio_motor_bus *bus) {
  bool any = brio_triple_fetch(&bus->told);
  const brio_motor_telling *told = brio_triple_front(&bus->told);
  int64_t now = brio_clock_monotonic(), called = 0;
  double dt = (double)(now - bus->last) * 1e-9;
  bus->last = now;
  if (any && told->made != bus->made && told->made > 0) called = now - told->made;
  bus->made = told->made;
  bool there = exchange(bus, told, dt, 0);
  int64_t done = brio_clock_monotonic();
  brio_device_stats *stats = &bus->device->stats;
  double took = (double)(done - now) * 1e-9;
  stats->slowest = fmax(stats->slowest, took);
  stats->typical += (took - stats->typical) / (stats->typical > 0 ? 100 : 1);
  publish(bus, there, now, called, now - told->at);
}

static void *run(void *context) {
  brio_motor_bus *bus = context;
  struct sched_param priority = {.sched_priority = PRIORITY};
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority); /* refused: see thread.c, which says so */
  while (!atomic_load_explicit(&bus->ends, memory_order_acquire)) {
    wait_for_work(bus, WAKE_EVERY);
    work(bus);
  }
  sem_post(&bus->done);
  return NULL;
}

bool brio_motor_bus_start(brio_motor_bus *bus, brio_error *err) {
  bus->device->sleep = sleep_for;
  bus->last = bus->told_at = brio_clock_monotonic();
  atomic_store(&bus->ends, false);
  fill(bus);
  bus->runs = pthread_create(&bus->thread, NULL, run, bus) == 0;
  return bus->runs || brio_fail(err, BRIO_LIMIT, "the system gives no thread for device '%s'", bus->device->name);
}

/* Wait for the thread's end. */
static bool is_done(brio_motor_bus *bus) {
  int64_t until = brio_clock_monotonic() + (int64_t)(PATIENCE * 1e9);
  struct timespec t = {until / 1000000000, until % 1000000000};
  int failed;
  do failed = sem_clockwait(&bus->done, CLOCK_MONOTONIC, &t);
  while (failed != 0 && errno == EINTR);
  return failed == 0;
}

void brio_motor_bus_stop(brio_motor_bus *bus) {
  if (!bus->runs) return;
  atomic_store_explicit(&bus->ends, true, memory_order_release);
  sem_post(&bus->wake);
  bus->runs = false;
  if (is_done(bus)) {
    pthread_join(bus->thread, NULL);
    bus->device->sleep = NULL;
    return;
  }
  pthread_detach(bus->thread);
  bus->device->stuck = true;
  brio_motor_news(bus->motor, (brio_motor_event){.kind = BRIO_MOTOR_STUCK, .which = (int)(bus - bus->motor->buses), .value = PATIENCE});
}
