/* A bus: one device, and in a threaded run the only thread that calls its driver. The motor thread puts the
** newest targets into a triple buffer and wakes the bus; the bus puts its newest reports into another. So a
** device that blocks stalls only its own thread. */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "math/scalar.h"
#include "runtime/motor/motor_internal.h"

#define FIRST_POWER 0.5  /* s after which a refused switching of motors is tried again, doubled each time */
#define MAX_POWER 8.0
#define LOSE_AFTER 0.2   /* s in which every write failed, or every read */
#define STALE 100000000  /* ns: older targets are not sent */
#define WAKE_EVERY 50000000 /* ns: a bus reads at least this often, whatever the motor thread does */

#define PATIENCE 5.0     /* s that a driver has to return at the end */
#define LONGER 1.5       /* times the usual exchange: what still counts as in time */
#define MIN_RATE 0.05    /* of the speed on the path: some devices take a speed of 0 for none */
#define SHARE 0.05       /* weight of the newest exchange in the usual duration */
#define SLOWEST 0.25     /* s: longer exchanges count as this long */
#define STOOD 2000000    /* ns: by such a delay the process may have stood still */
#define LATE 500000      /* ns by which targets may miss their time at the port */
#define LATER 3000000    /* the same, once they were computed again several times */
#define SOON 5000000     /* ns to wait for newer targets after the process stood still */

enum { PRIORITY = 75 };

/* Forget the last frame: the device has no command yet, or none that still counts. */
static void forget_frame(brio_motor_bus *bus) {
  for (int i = 0; i < bus->motor->count && bus->frame; i++) bus->frame[i] = NAN;
}

/* Allocate the buffers of one bus; nothing is allocated after this. */
bool brio_motor_bus_room(brio_motor_bus *bus, brio_motor *motor, brio_device *device, brio_error *err) {
  /* Three numbers per axis: position, speed, power. */
  size_t told = sizeof(brio_motor_telling) + 3 * (size_t)motor->count * sizeof(double);
  if (motor->torques) told += (size_t)motor->count * sizeof(brio_impedance);
  size_t answer = sizeof(brio_motor_answer) + (size_t)device->count * sizeof(brio_axis_state) +
                  (size_t)device->config.ninput * sizeof(brio_input_state) +
                  (size_t)device->count * sizeof(double);
  bus->motor = motor;
  bus->device = device;
  bus->lock = -1;
  memcpy(bus->words, device->words, sizeof bus->words);
  /* Arrays over all axes of the robot, then those over the device's own. */
  bus->on = BRIO_TAKE(&motor->arena, bool, motor->count + 1);
  bus->frame = BRIO_TAKE(&motor->arena, double, motor->count + 1);
  bus->before = BRIO_TAKE(&motor->arena, double, motor->count + 1);
  bus->speeds = BRIO_TAKE(&motor->arena, double, motor->count + 1);
  bus->target = BRIO_TAKE(&motor->arena, double, device->count + 1);
  bus->newest = BRIO_TAKE(&motor->arena, double, device->count + 1);
  bus->paces = BRIO_TAKE(&motor->arena, double, device->count + 1);
  bus->place = BRIO_TAKE(&motor->arena, double, device->count + 1);
  forget_frame(bus);
  /* Backlog, triple buffers and semaphores of both threads. */
  bool good = bus->on && bus->frame && bus->before && bus->speeds && bus->target && bus->newest &&
              bus->paces && bus->place &&
              brio_motor_backlog_start(&bus->backlog, device->count, motor->period) &&
              brio_triple_start(&bus->told, told) && brio_triple_start(&bus->answers, answer) &&
              brio_triple_start(&bus->mappings, ((size_t)device->count + 1) * sizeof(brio_mapping)) &&
              sem_init(&bus->wake, 0, 0) == 0 && sem_init(&bus->done, 0, 0) == 0;
  return good || brio_fail(err, BRIO_NO_MEMORY, "no memory for device '%s'", device->name);
}

void brio_motor_bus_end(brio_motor_bus *bus) {
  if (!bus->device) return;
  brio_motor_bus_stop(bus);
  /* The device itself belongs to the actuator. */
  brio_triple_end(&bus->told);
  brio_triple_end(&bus->answers);
  brio_triple_end(&bus->mappings);
  brio_motor_backlog_end(&bus->backlog);
  sem_destroy(&bus->wake);
  sem_destroy(&bus->done);
  if (bus->lock >= 0) close(bus->lock);
}

/* Switch motors on (holding) or off (limp) where that changed, or where the device was reopened,
** since a device without power forgets it.  After a refusal try again, at growing intervals. */
static void set_power(brio_motor_bus *bus, const double *flags, bool changed, double dt) {
  /* Compare with the last flags, and keep the new ones. */
  unsigned differs = 0;
  for (int i = 0; i < bus->motor->count; i++) differs |= (flags[i] != 0) ^ bus->on[i];
  for (int i = 0; differs && i < bus->motor->count; i++) bus->on[i] = flags[i] != 0;
  changed = changed || differs;
  bus->power_again -= dt;
  if (!changed && !(bus->power_refused && bus->power_again <= 0)) return;
  /* A new state is tried at once; a refused one after FIRST_POWER s, twice that, ... up to MAX_POWER. */
  bus->power_wait = changed ? FIRST_POWER : brio_min(2 * bus->power_wait, MAX_POWER);
  bus->power_again = bus->power_wait;
  /* Until the next answer, since drivers switch motor by motor: see `switches`. */
  atomic_store(&bus->switches, true);
  bus->power_refused = !brio_device_power(bus->device, bus->on, NULL);
}

/* How long a device may be without commands before it counts as late, s: by then its arm stands at its
** target. */
static double patience(const brio_motor_bus *bus) {
  return brio_max(BRIO_MOTOR_MADE_UP, LONGER * bus->cycle);
}

/* When the device's arm stands at its target if no frame leaves before, ns. */
static int64_t rests_at(const brio_motor_bus *bus) { return bus->left_at + (int64_t)(patience(bus) * 1e9); }

/* The expected duration of a part of the driver's next call, s: the shorter of the last two, of which one
** may have been delayed by the system. */
static double usual(const double times[BRIO_MOTOR_CALLS]) {
  double least = INFINITY;
  for (int i = 0; i < BRIO_MOTOR_CALLS; i++) least = brio_min(least, times[i]);
  return least;
}

/* Whether the motor thread also stood still during the last `took` s: then the process did, and the
** delay is not the driver's. */
static bool all_stood(brio_motor_bus *bus, double took) {
  int posts = 0;
  sem_getvalue(&bus->wake, &posts);
  return (double)posts * bus->motor->period < took / 2;
}

/* Record how long a driver's call took that began at `from`: until its bytes left (0: unknown), and after
** that. */
static void note_call(brio_motor_bus *bus, int64_t from, int64_t left, int64_t now) {
  /* `ncall` may wrap: only its remainder counts. */
  unsigned k = bus->ncall++ % BRIO_MOTOR_CALLS;
  if (left == 0) left = from;
  bus->waits[k] = (double)(left - from) * 1e-9;
  bus->sends[k] = (double)(now - left) * 1e-9;
}

/* Record that a driver's call, begun at `from`, returned.  `left`: when its bytes left, 0: unknown; `leaves`,
** `led_to`: when they should have, and the time for which the frame was made.  After a pause the device rests
** at its target by now: the time between two frames on their way counts, as the device sees it. */
static void note_told(brio_motor_bus *bus, int64_t from, int64_t left, int64_t leaves, int64_t led_to) {
  int64_t now = brio_clock_monotonic();
  note_call(bus, from, left, now);
  int64_t at = left > 0 ? left : now;
  bus->stood = at > rests_at(bus);
  bus->left_at = at;
  if (left > 0 && now - left > STOOD && all_stood(bus, (double)(now - left) * 1e-9)) now = left;
  /* A low-pass filter over the time between two calls; a pause counts as SLOWEST at most. */
  double gap = (double)(now - bus->told_at) * 1e-9;
  bus->cycle += SHARE * (brio_min(gap, SLOWEST) - bus->cycle);
  bus->told_at = now;
  /* In time, the next frame leads on from here, however long the call took: no time on the path is lost. */
  bus->led_to = left == 0 ? now : led_to + (left - leaves > LATE ? left - leaves : 0);
}

/* Compute the frame that the device gets when the driver's call returns, `call` s from now, from the newest
** targets and its backlog.  `pauses`: by then the arm rests at its target, so its path starts at rest.  Stale
** targets are not sent: the motor side stands still then, and so must the robot. */
static const double *make_frame(brio_motor_bus *bus, const brio_motor_telling *told, int64_t now, double call,
                                bool pauses) {
  assert(told->at >= 0);
  const brio_device *device = bus->device;
  bool stale = told->at > 0 && now - told->at > STALE;
  double *newest = bus->newest, *place = bus->place, *paces = bus->paces;
  /* In lockstep, or stale: no backlog, the newest targets as they are. */
  if (told->at == 0 || stale) {
    brio_motor_backlog_skip(&bus->backlog);
    for (int i = 0; i < device->count; i++)
      bus->frame[device->axes[i]] = stale ? NAN : told->numbers[device->axes[i]];
    return bus->frame;
  }
  /* The device's own axes out of the robot's: newest targets, their speeds, where the last frame led to. */
  for (int i = 0; i < device->count; i++) {
    newest[i] = told->numbers[device->axes[i]];
    paces[i] = told->numbers[bus->motor->count + device->axes[i]];
    place[i] = bus->frame[device->axes[i]];
  }
  /* Time since the last frame, plus the call's own duration, which the frame must lead on for. */
  double dt = (double)(now - bus->led_to) * 1e-9 + call;
  if (bus->stood || pauses) brio_motor_backlog_stand(&bus->backlog, place);
  if (pauses) dt = bus->motor->period;
  brio_motor_backlog_step(&bus->backlog, device->limits, dt, newest, paces, place);
  for (int i = 0; i < device->count; i++) bus->frame[device->axes[i]] = place[i];
  return bus->frame;
}

/* The speeds for the frame, 1/s: while catching up, those of the targets that the device moves along, times
** its rate. The newest targets may rest already, and at their speed a servo would not follow the frames. */
static const double *speeds_of(const brio_motor_bus *bus, const brio_motor_telling *told) {
  const double *speeds = told->numbers + bus->motor->count;
  const brio_motor_backlog *backlog = &bus->backlog;
  if (!backlog->late) return speeds;
  /* At least MIN_RATE, since some devices take a speed of 0 for none. */
  double share = brio_max(backlog->rate, MIN_RATE);
  for (int i = 0; i < bus->device->count; i++)
    bus->speeds[bus->device->axes[i]] = share * backlog->slope[i];
  return bus->speeds;
}

/* The impedances of a frame: behind positions, speeds and power. */
static brio_impedance *impedances_of(const brio_motor *motor, const brio_motor_telling *told) {
  return (brio_impedance *)(uintptr_t)(told->numbers + 3 * motor->count);
}

/* Whether the device's motors get no targets and hold nothing. */
static bool is_limp(const brio_motor_bus *bus, const brio_motor_telling *told) {
  const double *power = told->numbers + 2 * bus->motor->count;
  for (int i = 0; i < bus->device->count; i++)
    if (!isnan(told->numbers[bus->device->axes[i]]) || power[bus->device->axes[i]] != 0) return false;
  return true;
}

/* Put new mappings into force as soon as the motors are limp: a changed mapping moves a holding
** motor. */
static void take_mappings(brio_motor_bus *bus, const brio_motor_telling *told) {
  unsigned newest = atomic_load_explicit(&bus->remap, memory_order_acquire);
  /* They stay pending in `remaps` until the motors are limp. */
  if (brio_triple_fetch(&bus->mappings)) bus->remaps = true;
  if (!bus->remaps || !is_limp(bus, told)) return;
  bus->remaps = false;
  brio_device_remap(bus->device, brio_triple_front(&bus->mappings));
  atomic_store_explicit(&bus->remapped, newest, memory_order_release);
}

/* A returned device starts where it is found: targets from before its loss are void. */
static void start_over(brio_motor_bus *bus) {
  brio_motor_backlog_skip(&bus->backlog);
  forget_frame(bus);
}

/* Sleep until woken, `most` ns at most, and consume all wake-ups at once. */
static void wait_for_work(brio_motor_bus *bus, int64_t most) {
  int64_t until = brio_clock_monotonic() + most;
  struct timespec t = {until / 1000000000, until % 1000000000};
  sem_clockwait(&bus->wake, CLOCK_MONOTONIC, &t);
  while (sem_trywait(&bus->wake) == 0) {}
}

/* The newest targets.  If the process stood still they are old, and the motor thread is about to
** send newer ones: wait for those, SOON ns at most.  Wake-ups from before the standstill bring none.  If
** newer ones came, the buffer of those before belongs to the motor thread again. */
static const brio_motor_telling *newest(brio_motor_bus *bus) {
  /* Old: by more than a period and what is usual. */
  const brio_motor_telling *told = brio_triple_front(&bus->told);
  int64_t old = LATE + (int64_t)(bus->motor->period * 1e9), now = told->at > 0 ? brio_clock_monotonic() : 0;
  for (int64_t until = now + SOON; now - told->at > old && now < until; now = brio_clock_monotonic()) {
    wait_for_work(bus, until - now);
    brio_triple_fetch(&bus->told);
    told = brio_triple_front(&bus->told);
  }
  return told;
}

/* By how much targets may miss their time at the port, ns: in the first round, and each time they are
** computed again: on a busy machine the thread may lose the processor in any of the rounds. A driver that
** always takes longer has the second limit. In the last round targets are sent at any time, so that the
** rounds end. */
static const int64_t patient[] = {LATE, LATE, LATE, LATER, INT64_MAX / 2};
enum { LAST_ROUND = sizeof patient / sizeof *patient - 1 };

/* Send the device its targets. If they went out of date on the way to the port they are computed again,
** from the frame before: then the port is free, and only sending takes time. Return whether the driver
** accepted them. */
static bool tell(brio_motor_bus *bus) {
  size_t bytes = (size_t)bus->motor->count * sizeof *bus->frame;
  for (int round = 0;; round++) {
    /* One more than there are limits: in the last one the arm may come to rest before the targets leave. */
    assert(round <= LAST_ROUND + 1);
    const brio_motor_telling *told = newest(bus);
    bool threaded = told->at > 0;
    int64_t now = threaded ? brio_clock_monotonic() : 0; /* newest() may have blocked */
    /* Only the first round waits for the port. */
    double wait = round > 0 ? 0 : usual(bus->waits), call = wait + usual(bus->sends);
    int64_t leaves = now + (int64_t)(wait * 1e9), rests = rests_at(bus);
    memcpy(bus->before, bus->frame, bytes);
    const double *frame = make_frame(bus, told, now, call, leaves > rests);
    brio_device_leaving leaving = {.again = round > 0};
    /* A frame that goes on must leave while the arm still moves, else it would be a leap from rest. */
    if (threaded) leaving.latest = leaves + patient[round < LAST_ROUND ? round : LAST_ROUND];
    if (threaded && leaves <= rests && leaving.latest > rests) leaving.latest = rests;
    if (bus->device->torques) brio_device_impede(bus->device, impedances_of(bus->motor, told));
    bool took = brio_device_write_soon(bus->device, frame, speeds_of(bus, told), &leaving, NULL);
    /* Too late: undo the frame and compute it for when the port was reached. */
    if (leaving.late) {
      memcpy(bus->frame, bus->before, bytes);
      brio_motor_backlog_undo(&bus->backlog);
      bus->led_to = now + (int64_t)(call * 1e9);
      continue;
    }
    if (threaded) note_told(bus, now, leaving.at, leaves, now + (int64_t)(call * 1e9));
    return took;
  }
}

/* One exchange: let time pass for the device, write, read. A device that fails for LOSE_AFTER s is lost; it
** is reopened later (brio_device_return). `before`, `after`: s that pass before and after the write. Return
** whether the device is there. */
static bool exchange(brio_motor_bus *bus, const brio_motor_telling *told, double before, double after) {
  brio_device *device = bus->device;
  const double *power = told->numbers + 2 * bus->motor->count;
  bool was_lost = device->lost;
  brio_device_pass(device, before);
  take_mappings(bus, told);
  /* Lost: try to reopen it; it gets no targets until that succeeds. */
  if (!brio_device_return(device)) {
    brio_device_pass(device, after);
    return false;
  }
  /* A device that is back forgot its power, and starts where it is found. */
  if (was_lost) start_over(bus);
  set_power(bus, power, was_lost, before + after);
  bool took = tell(bus);
  brio_device_pass(device, after);
  bool told_us = brio_device_read(device, NULL);
  /* Time in which all writes, or all reads, failed. */
  bus->deaf = took ? 0 : bus->deaf + before + after;
  bus->dumb = told_us ? 0 : bus->dumb + before + after;
  if (bus->deaf < LOSE_AFTER && bus->dumb < LOSE_AFTER) return true;
  bus->deaf = bus->dumb = 0;
  brio_device_lose(device);
  return false;
}

/* The frame that the device got before an answer: behind the inputs. */
static double *frame_of(const brio_motor_bus *bus, const brio_motor_answer *answer) {
  const void *inputs = answer->states + bus->device->count;
  return (double *)(uintptr_t)((const brio_input_state *)inputs + bus->device->config.ninput);
}

/* Publish the newest answer: statistics, reports of axes, inputs, the frame before them. `at`, `called`,
** `woke`: as in brio_motor_answer, ns. */
static void publish(brio_motor_bus *bus, bool there, int64_t at, int64_t called, int64_t woke) {
  brio_device *device = bus->device;
  brio_motor_answer *answer = brio_triple_back(&bus->answers);
  /* Lag, patience and delay decide whether the robot waits for this device (period.c). */
  answer->any = true;
  answer->lost = !there;
  answer->well = there && bus->deaf == 0 && bus->dumb == 0;
  answer->lag = there ? brio_motor_backlog_lag(&bus->backlog) : 0;
  answer->patience = patience(bus);
  answer->delay = bus->device->delay * bus->cycle;
  answer->at = at;
  answer->called = called;
  answer->woke = woke;
  if (answer->stats.failures != device->stats.failures) answer->error = device->error; /* it is long */
  /* States of axes, invalid while the device is lost; the inputs stand behind them. */
  answer->stats = device->stats;
  memcpy(answer->states, device->states, (size_t)device->count * sizeof *answer->states);
  for (int i = 0; i < device->count && !there; i++) answer->states[i].valid = false;
  memcpy(answer->states + device->count, device->inputs,
         (size_t)device->config.ninput * sizeof *device->inputs);
  double *frame = frame_of(bus, answer);
  for (int i = 0; i < device->count; i++) frame[i] = bus->frame[device->axes[i]];
  brio_triple_publish(&bus->answers);
  atomic_store(&bus->switches, false);
}

/* ---- the motor side's end ---- */

/* The bus has no thread yet, so this thread may publish and fetch. */
void brio_motor_bus_leave(brio_motor_bus *bus) {
  publish(bus, false, 0, 0, 0);
  brio_triple_fetch(&bus->answers);
}

/* Fill the outgoing buffer completely and hand it over.  A zero in a slot never written would be a
** command. */
static void fill(brio_motor_bus *bus) {
  const brio_motor *motor = bus->motor;
  brio_motor_telling *told = brio_triple_back(&bus->told);
  /* Positions, speeds, power: one array behind the other. */
  size_t bytes = (size_t)motor->count * sizeof(double);
  /* The newest pose, for latencies, and when this period began. */
  told->made = motor->newest_made;
  told->at = motor->woke;
  memcpy(told->numbers, motor->values, bytes);
  memcpy(told->numbers + motor->count, motor->speeds, bytes);
  for (int i = 0; i < motor->count; i++) told->numbers[2 * motor->count + i] = motor->powered[i];
  if (motor->torques)
    memcpy(impedances_of(motor, told), motor->torques->now, (size_t)motor->count * sizeof(brio_impedance));
  for (int i = 0; i < bus->device->count; i++) bus->target[i] = motor->values[bus->device->axes[i]];
  /* In lockstep there is no lateness, hence no backlog. */
  if (motor->threaded) brio_motor_backlog_put(&bus->backlog, bus->target);
  /* While missed periods are made up only the last one is sent. */
  if (!motor->makes_up) brio_triple_publish(&bus->told);
}

void brio_motor_bus_tell(brio_motor_bus *bus, double h) {
  fill(bus);
  /* Threaded: the bus does the rest.  In lockstep: do the exchange here. */
  if (bus->runs) {
    /* While periods are made up the bus is not woken: only the last one counts. */
    if (!bus->motor->makes_up) sem_post(&bus->wake);
    return;
  }
  brio_triple_fetch(&bus->told);
  publish(bus, exchange(bus, brio_triple_front(&bus->told), 0, h), 0, 0, 0);
}

bool brio_motor_bus_hear(brio_motor_bus *bus) {
  if (!brio_triple_fetch(&bus->answers)) return false;
  const brio_motor_answer *answer = brio_triple_front(&bus->answers);
  const double *frame = frame_of(bus, answer);
  /* Copy the reports of the device's axes to the motor side, and the commands that they got. */
  for (int i = 0; i < bus->device->count; i++) {
    int axis = bus->device->axes[i];
    bus->motor->states[axis] = answer->states[i];
    if (!isnan(frame[i])) bus->motor->sent[axis] = frame[i];
  }
  return true;
}

/* ---- the thread ---- */

/* Sleep in the driver's thread, through signals. */
static void sleep_for(double seconds) {
  struct timespec t = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
  while (clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &t) == EINTR) {}
}

/* One round of the thread: fetch, exchange, measure, publish. */
static void work(brio_motor_bus *bus) {
  bool any = brio_triple_fetch(&bus->told);
  const brio_motor_telling *told = brio_triple_front(&bus->told);
  int64_t now = brio_clock_monotonic(), called = 0;
  double dt = (double)(now - bus->last) * 1e-9;
  bus->last = now;
  /* Latency is measured once per pose, at the first call that carries it. */
  if (any && told->made != bus->made && told->made > 0) called = now - told->made;
  bus->made = told->made;
  int64_t woke = now - told->at; /* now: the exchange may fetch newer targets, and give this buffer back */
  bool there = exchange(bus, told, dt, 0);
  int64_t done = brio_clock_monotonic();
  brio_device_stats *stats = &bus->device->stats;
  double took = (double)(done - now) * 1e-9;
  stats->slowest = brio_max(stats->slowest, took);
  /* Running mean over about 100 exchanges; the first one sets it. */
  stats->typical += (took - stats->typical) / (stats->typical > 0 ? 100 : 1);
  publish(bus, there, now, called, woke);
}

/* The bus's thread. */
static void *run(void *context) {
  brio_motor_bus *bus = context;
  struct sched_param priority = {.sched_priority = PRIORITY};
  sigset_t all;
  /* Signals are for the main thread. */
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority); /* a refusal is reported by thread.c */
  /* Woken by each period, and at least every WAKE_EVERY ns. */
  while (!atomic_load_explicit(&bus->ends, memory_order_acquire)) {
    wait_for_work(bus, WAKE_EVERY);
    work(bus);
  }
  sem_post(&bus->done);
  return NULL;
}

bool brio_motor_bus_start(brio_motor_bus *bus, brio_error *err) {
  bus->device->sleep = sleep_for;
  bus->last = bus->told_at = bus->left_at = bus->led_to = brio_clock_monotonic();
  /* The first round must find a complete frame. */
  atomic_store(&bus->ends, false);
  fill(bus);
  bus->runs = pthread_create(&bus->thread, NULL, run, bus) == 0;
  return bus->runs ||
         brio_fail(err, BRIO_LIMIT, "the system gives no thread for device '%s'", bus->device->name);
}

/* Wait for the thread's end, PATIENCE s at most. False: its driver did not return. */
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
  /* Clear first: a stuck thread is abandoned, and must not be waited for twice. */
  bus->runs = false;
  if (is_done(bus)) {
    pthread_join(bus->thread, NULL);
    bus->device->sleep = NULL;
    return;
  }
  /* The driver may return much later: leave thread and device alone, and report it. */
  pthread_detach(bus->thread);
  bus->device->stuck = true;
  brio_motor_news(bus->motor, (brio_motor_event){.kind = BRIO_MOTOR_STUCK,
                                                 .which = (int)(bus - bus->motor->buses),
                                                 .value = PATIENCE});
}
