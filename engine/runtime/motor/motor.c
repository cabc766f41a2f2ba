/* The script thread's side of the motor side: setting it up, handing poses over, reading back the state.
** See motor.h. All functions here are for the script thread; the threads share only the rings `poses`,
** `orders` and `news` and the triple buffer `state`. */
#include "runtime/motor/motor.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "runtime/motor/motor_internal.h"
#include "runtime/motor/lock.h"
#include "runtime/motor/panic.h"

enum { BLOCK = 32768, FIRST_ANSWER = 500000000 /* ns for a device to report its positions at the start */ };

#define LONGEST_ADVANCE 100.0 /* s of robot time that one call in lockstep may catch up on */
#define FIRST_MARGIN 0.002    /* s by which a pose may be late at first, on the real clock */

static bool no_memory(brio_error *err) {
  return brio_fail(err, BRIO_NO_MEMORY, "no memory for the motor side");
}

/* One pose in the ring: a position and a braking acceleration for every axis. */
static size_t pose_size(const brio_motor *motor) {
  return sizeof(brio_motor_pose) + 2 * (size_t)motor->count * sizeof(double);
}

/* Upper bound of one record on the tape, bytes: see tape.c. */
static size_t seen_bytes(const brio_motor *motor) {
  size_t axis = BRIO_MOTOR_FIELDS * BRIO_CODE_LONGEST + 64;
  size_t input = BRIO_INPUT_NUMBERS * BRIO_CODE_LONGEST + 16;
  return 256 + sizeof(brio_error) + (size_t)motor->count * axis + (size_t)motor->ninput * input;
}

/* The limits of an axis in the form that the motor side works with. */
static brio_axis_limits guard_of(const brio_axis *axis) {
  return (brio_axis_limits){axis->lower, axis->upper, axis->velocity, axis->acceleration};
}

/* ---- putting it together ---- */

/* Allocate everything that a run needs: after the start nothing allocates. */
static bool take_memory(brio_motor *motor, brio_error *err) {
  /* One element more than axes, so that no array is empty. */
  size_t n = (size_t)motor->count + 1;
  /* Reports and commands of axes. */
  motor->states = BRIO_TAKE(&motor->arena, brio_axis_state, n);
  brio_actuator_inputs(motor->actuator, &motor->ninput);
  motor->inputs = BRIO_TAKE(&motor->arena, brio_motor_input, motor->ninput + 1);
  motor->bus_of = BRIO_TAKE(&motor->arena, int, n);
  motor->values = BRIO_TAKE(&motor->arena, double, n), motor->speeds = BRIO_TAKE(&motor->arena, double, n);
  motor->wanted_on = BRIO_TAKE(&motor->arena, bool, n), motor->powered = BRIO_TAKE(&motor->arena, bool, n);
  motor->blind = BRIO_TAKE(&motor->arena, bool, n);
  motor->unseen = BRIO_TAKE(&motor->arena, double, n);
  motor->reports = BRIO_TAKE(&motor->arena, bool, n);
  motor->failed = BRIO_TAKE(&motor->arena, bool, n);
  motor->known = BRIO_TAKE(&motor->arena, brio_alarm_axis, n);
  /* What the alarms and the following error know of each axis: nothing before its first report. */
  motor->follow = BRIO_TAKE(&motor->arena, brio_follow, n), motor->sent = BRIO_TAKE(&motor->arena, double, n);
  for (size_t i = 0; i < n && motor->known; i++) motor->known[i] = brio_alarm_unknown;
  /* The last values of the scripts' side, by which changes are found. */
  motor->was_on = BRIO_TAKE(&motor->arena, bool, n);
  motor->was_limits = BRIO_TAKE(&motor->arena, brio_axis_limits, n);
  /* The tape's copy of the state, and its predictors. */
  motor->seen.axes = BRIO_TAKE(&motor->arena, brio_motor_axis_state, n);
  motor->seen.inputs = BRIO_TAKE(&motor->arena, brio_input_state, motor->ninput + 1);
  motor->seen.grids = BRIO_TAKE(&motor->arena, brio_grid, n);
  motor->seen.codes = BRIO_TAKE(&motor->arena, brio_motor_codes, n);
  motor->seen.input_codes = BRIO_TAKE(&motor->arena, brio_coded, (motor->ninput + 1) * BRIO_INPUT_NUMBERS);
  motor->seen.shapes = BRIO_TAKE(&motor->arena, brio_code_shape, BRIO_SHAPES);
  motor->seen.changed = BRIO_TAKE(&motor->arena, bool, n);
  for (size_t i = 0; i < n && motor->seen.grids; i++) motor->seen.grids[i] = brio_grid_of(BRIO_GRID_DEFAULT);
  motor->seen.bytes = brio_arena_take(&motor->arena, seen_bytes(motor));
  /* One scratch pose for each end of the ring. */
  motor->pose = brio_arena_take(&motor->arena, pose_size(motor));
  motor->made = brio_arena_take(&motor->arena, pose_size(motor));
  /* A state ends in one entry per device and per input (brio_motor_bus_states,
  ** brio_motor_input_states). */
  int ndevice;
  brio_actuator_devices(motor->actuator, &ndevice);
  motor->seen.lags = BRIO_TAKE(&motor->arena, brio_motor_lag, n);
  motor->live = brio_live_poses_new(motor->count);
  motor->seen.leads = BRIO_TAKE(&motor->arena, int, n);
  size_t behind = (size_t)ndevice * sizeof(brio_motor_bus_state) +
                  (size_t)motor->ninput * sizeof(brio_input_state);
  /* Every array, then the rings and the triple buffer that the threads share. */
  bool good = motor->states && motor->inputs && motor->bus_of && motor->values && motor->speeds &&
              motor->wanted_on && motor->powered && motor->blind && motor->unseen && motor->reports &&
              motor->failed && motor->known && motor->follow && motor->sent && motor->was_on &&
              motor->was_limits && motor->seen.axes && motor->seen.inputs && motor->seen.codes &&
              motor->seen.changed && motor->seen.bytes && motor->pose && motor->made && motor->seen.grids &&
              motor->seen.input_codes && motor->seen.shapes && motor->seen.lags && motor->seen.leads &&
              motor->live &&
              brio_trail_start(&motor->seen.trail, &motor->arena, motor->tree) &&
              brio_ring_start(&motor->poses, pose_size(motor), BRIO_MOTOR_POSES) &&
              brio_ring_start(&motor->orders, sizeof(brio_motor_order),
                              BRIO_MOTOR_ORDERS + 2 * (size_t)motor->count) &&
              brio_ring_start(&motor->news, sizeof(brio_motor_event), BRIO_MOTOR_NEWS) &&
              brio_triple_start(&motor->state,
                                sizeof(brio_motor_state) + n * sizeof(brio_motor_axis_state) + behind);
  return good || no_memory(err);
}

/* Set up one bus per device.  A real device is locked, so that no other engine drives it. */
static bool take_buses(brio_motor *motor, brio_error *err) {
  brio_device *devices = brio_actuator_devices(motor->actuator, &motor->nbus);
  size_t bytes = ((size_t)motor->nbus + 1) * sizeof *motor->buses;
  motor->buses = aligned_alloc(_Alignof(brio_motor_bus), bytes); /* stricter than an arena's alignment */
  if (!motor->buses) return no_memory(err);
  memset(motor->buses, 0, bytes);
  /* After a failure brio_motor_free ends the buses that exist. */
  for (int b = 0; b < motor->nbus; b++) {
    brio_motor_bus *bus = &motor->buses[b];
    if (!brio_motor_bus_room(bus, motor, &devices[b], err)) return false;
    if (!devices[b].kind->simulated && (bus->lock = brio_lock_device(&devices[b], err)) < 0) return false;
    /* Which bus an axis is on; the first axis of its device; the grid of its measured positions. */
    for (int i = 0; i < devices[b].count; i++) {
      motor->bus_of[devices[b].axes[i]] = b;
      motor->seen.leads[devices[b].axes[i]] = devices[b].axes[0];
      if (devices[b].steps[i].size > 0) motor->seen.grids[devices[b].axes[i]] = devices[b].steps[i];
    }
  }
  return true;
}

/* Whether every joint of the tree on this device reports its position. */
static bool all_report(const brio_motor *motor, const brio_device *device) {
  for (int i = 0; i < device->count; i++)
    if (device->axes[i] < motor->tree && !device->states[i].valid) return false;
  return true;
}

/* Read a device until all its joints report, FIRST_ANSWER ns at most. Nothing is commanded meanwhile: a
** frame of NaN keeps the exchange going, which some devices need before they answer. In the device's own
** thread, so that a blocking driver does not stop the set-up. */
static void read_device(void *context, brio_device *device) {
  brio_motor *motor = context;
  for (int i = 0; i < motor->count; i++) motor->values[i] = NAN;
  /* Attempts until the time is up, FIRST_ANSWER / 100 apart; a simulated device has one. */
  int64_t began = brio_clock_monotonic(), patience = FIRST_ANSWER;
  while (!brio_device_read(device, NULL) || !all_report(motor, device)) {
    if (device->kind->simulated || atomic_load(&device->left) || brio_clock_monotonic() - began > patience)
      return;
    brio_device_write(device, motor->values, NULL, NULL);
    nanosleep(&(struct timespec){0, FIRST_ANSWER / 100}, NULL);
  }
}

/* Start where the robot is. Joints that do not report stay off until they do. */
static void find_robot(brio_motor *motor) {
  for (int b = 0; b < motor->nbus; b++) {
    brio_device *device = motor->buses[b].device;
    if (!device->stuck) brio_device_ask_soon(device, &motor->arena, read_device, motor);
    for (int i = 0; i < device->count; i++) {
      /* A driver that is stuck may still write to its states: they are not read. */
      static const brio_axis_state nothing;
      const brio_axis_state *state = device->stuck ? &nothing : &device->states[i];
      /* Axes outside the tree need not report. */
      motor->states[device->axes[i]] = *state;
      motor->blind[device->axes[i]] = device->axes[i] < motor->tree && !state->valid;
      brio_motion_measure(&motor->motion, device->axes[i], state->valid ? state->position : NAN, NAN);
    }
  }
  /* Commands start at the measured positions, and the actuator's targets with them. */
  brio_motion_place(&motor->motion);
  /* Targets and reports start at these positions; blind joints are off. */
  for (int i = 0; i < motor->count; i++) {
    if (motor->blind[i]) brio_motion_turn_on(&motor->motion, i, false);
    brio_actuator_set_target(motor->actuator, i, motor->motion.axes[i].x, NULL);
    brio_actuator_note(motor->actuator, i, motor->motion.axes[i].x, 0, &motor->states[i]);
  }
}

/* Tie the axes of each coupling, translating the device's channels into axes. */
static void tie_axes(brio_motion *motion, const brio_device *device) {
  for (int k = 0; k < device->ncoupling; k++) {
    const brio_device_coupling *coupling = &device->couplings[k];
    int axes[BRIO_COUPLING_MOST];
    for (int i = 0; i < coupling->coupling.count; i++) axes[i] = device->axes[coupling->channels[i]];
    brio_motion_tie(motion, axes, coupling->coupling.count);
  }
}

/* Set up motion with the limits, filters and interlocks of all axes. */
static bool take_motion(brio_motor *motor, const brio_motor_options *options, brio_error *err) {
  const brio_actuator_axis *axes = brio_actuator_axes(motor->actuator, &motor->count);
  brio_motion_setup *setup = BRIO_TAKE(&motor->arena, brio_motion_setup, motor->count + 1);
  double *start = BRIO_TAKE(&motor->arena, double, motor->count + 1);
  if (!setup || !start) return no_memory(err);
  for (int i = 0; i < motor->count; i++) {
    /* Limits, and outside the tree the low-pass filters. */
    setup[i].limits = motor->was_limits[i] = guard_of(&axes[i].limits);
    if (options->stages && i >= motor->tree)
      setup[i].stages = options->stages[i], setup[i].tau = options->tau[i];
    motor->was_on[i] = motor->wanted_on[i] = axes[i].enabled;
    start[i] = axes[i].limits.start;
  }
  if (!brio_motion_start(&motor->motion, &motor->arena, setup, motor->count, motor->tree, start, err))
    return false;
  /* Axes of a coupling move together; axes that are off get no commands. */
  for (int b = 0; b < motor->nbus; b++) tie_axes(&motor->motion, motor->buses[b].device);
  for (int i = 0; i < motor->count; i++)
    if (!axes[i].enabled) brio_motion_turn_on(&motor->motion, i, false);
  return brio_motion_set_rules(&motor->motion, &motor->arena, options->rules, options->nrule, err);
}

/* Validate the options that have a range. */
static bool check(const brio_motor *motor, const brio_motor_options *options, brio_error *err) {
  /* Negated, so that NaN is refused, too. */
  if (!(motor->rate >= 50 && motor->rate <= 2000))
    return brio_fail(err, BRIO_MISUSE, "the motor rate must be from 50 to 2000 Hz, not %g", motor->rate);
  if (options->tree < 0 || options->tree > motor->count)
    return brio_fail(err, BRIO_MISUSE, "the actuator has %d axes, the robot %d variables", motor->count,
                     options->tree);
  return true;
}

/* Watch for collisions, if that is wanted. */
static bool take_collisions(brio_motor *motor, const brio_motor_options *options, brio_error *err) {
  if (!options->collisions) return true;
  if (!options->robot || options->robot->nvariable != motor->tree)
    return brio_fail(err, BRIO_MISUSE, "watching for collisions needs the robot");
  motor->collisions = BRIO_TAKE(&motor->arena, brio_motor_collisions, 1);
  if (!motor->collisions) return no_memory(err);
  return brio_motor_collisions_start(motor->collisions, &motor->arena, options->robot, options->collisions,
                                     err);
}

/* Set everything up in the order of dependence: memory, buses, motion, alarms, the robot's
** position. */
static bool put_together(brio_motor *motor, const brio_motor_options *options, brio_error *err) {
  assert(options->actuator);
  bool simulated = brio_actuator_simulated(options->actuator);
  const brio_actuator_axis *axes = brio_actuator_axes(options->actuator, &motor->count);
  /* Options, and what 0 stands for in them. */
  motor->actuator = options->actuator;
  motor->tree = options->tree;
  motor->rate = options->rate > 0 ? options->rate : 1000;
  motor->period = 1 / motor->rate;
  motor->silence = options->silence > 0 ? options->silence : 0.1;
  motor->goes_on = options->goes_on;
  /* Panics from before this run do not count. */
  motor->panics = motor->panics_told = motor->panics_known = brio_panic_known();
  if (!check(motor, options, err) || !take_memory(motor, err) ||
      !brio_motor_torques_start(motor, options->robot, options->gravity, &motor->torques, err) ||
      !take_collisions(motor, options, err) || !take_buses(motor, err) || !take_motion(motor, options, err))
    return false;
  /* A simulated robot only reports alarms; a real one holds. */
  if (!brio_alarm_start(&motor->alarm, &motor->arena, motor->count,
                        simulated ? BRIO_REACTION_REPORT : BRIO_REACTION_HOLD))
    return no_memory(err);
  if (options->alarms) memcpy(motor->alarm.settings, options->alarms, sizeof motor->alarm.settings);
  for (int i = 0; i < motor->count; i++) motor->alarm.grip[i] = axes[i].grip;
  find_robot(motor);
  /* Simulated devices are armed from the beginning. */
  brio_motion_arm(&motor->motion, simulated || options->armed);
  motor->was_armed = motor->motion.armed;
  if (!motor->was_armed) brio_motor_news(motor, (brio_motor_event){.kind = BRIO_MOTOR_BEGINS_DISARMED});
  motor->seen_anew = motor->motion.anew;
  /* Devices that got stuck while the robot was located publish their loss before the first period. */
  for (int b = 0; b < motor->nbus; b++)
    if (motor->buses[b].device->stuck) brio_motor_bus_leave(&motor->buses[b]);
  /* Publish and fetch once, so that the script thread finds a state before the first tick. */
  brio_motor_publish(motor);
  brio_triple_fetch(&motor->state);
  return true;
}

brio_motor *brio_motor_new(const brio_motor_options *options, brio_error *err) {
  brio_motor *motor = aligned_alloc(64, (sizeof *motor + 63) / 64 * 64);
  if (!motor) {
    no_memory(err);
    return NULL;
  }
  /* Cleared first: brio_motor_free must be able to free it after a failure at any step. */
  memset(motor, 0, sizeof *motor);
  brio_arena_start(&motor->arena, BLOCK);
  if (put_together(motor, options, err)) return motor;
  brio_motor_free(motor);
  return NULL;
}

void brio_motor_free(brio_motor *motor) {
  if (!motor) return;
  brio_motor_stop(motor);
  /* A stuck driver's thread may return later and use this memory: leak it rather than free it. */
  for (int b = 0; b < motor->nbus && motor->buses; b++)
    if (motor->buses[b].device && motor->buses[b].device->stuck) return;
  /* The threads have ended.  Devices stay open: they belong to the actuator. */
  for (int b = 0; b < motor->nbus && motor->buses; b++) brio_motor_bus_end(&motor->buses[b]);
  brio_motor_torques_end(motor->torques);
  brio_motor_collisions_end(motor->collisions);
  brio_ring_end(&motor->poses);
  brio_ring_end(&motor->orders);
  brio_ring_end(&motor->news);
  brio_triple_end(&motor->state);
  brio_live_poses_drop(motor->live);
  brio_arena_end(&motor->arena);
  free(motor->buses);
  free(motor);
}

bool brio_motor_start(brio_motor *motor, brio_error *err) {
  /* On the real clock the first poses may come late: the path waits for them. */
  motor->threaded = true;
  brio_path_pad(&motor->motion.path, FIRST_MARGIN);
  atomic_store(&motor->ends, false);
  /* No bus may command anything before the first period has computed it. */
  for (int i = 0; i < motor->count; i++) motor->values[i] = NAN;
  for (int b = 0; b < motor->nbus; b++)
    if (!brio_motor_bus_start(&motor->buses[b], err)) return false;
  motor->runs = pthread_create(&motor->thread, NULL, brio_motor_thread_run, motor) == 0;
  return motor->runs || brio_fail(err, BRIO_LIMIT, "the system gives no thread for the motors");
}

void brio_motor_stop(brio_motor *motor) {
  /* The motor thread ends first: the buses it hands work to must outlive it. */
  atomic_store_explicit(&motor->ends, true, memory_order_release);
  if (motor->runs) pthread_join(motor->thread, NULL);
  motor->runs = motor->threaded = false;
  for (int b = 0; b < motor->nbus && motor->buses; b++) brio_motor_bus_stop(&motor->buses[b]);
}

/* ---- orders ---- */

/* Orders are executed by the motor thread at the beginning of its next period. */
void brio_motor_hold(brio_motor *motor, unsigned causes) {
  brio_ring_put(&motor->orders, &(brio_motor_order){.kind = BRIO_MOTOR_ORDER_HOLD, .causes = causes});
}

void brio_motor_release(brio_motor *motor, unsigned causes) {
  brio_ring_put(&motor->orders, &(brio_motor_order){.kind = BRIO_MOTOR_ORDER_RELEASE, .causes = causes});
}

void brio_motor_panic(brio_motor *motor) {
  /* This panic is the script thread's own: count it as known, so that the tape records no foreign
  ** one. */
  brio_panic();
  motor->panics_known++;
  motor->panics_told++;
}

void brio_motor_arm(brio_motor *motor, bool armed) {
  brio_ring_put(&motor->orders, &(brio_motor_order){.kind = BRIO_MOTOR_ORDER_ARM, .on = armed});
}

bool brio_motor_remap(brio_motor *motor, const brio_mapping *mappings, brio_error *err) {
  /* Validate all mappings first: either every device gets new ones, or none does. */
  if (brio_motor_report_now(motor).armed)
    return brio_fail(err, BRIO_MISUSE, "how motors count may only change while they are disarmed");
  for (int i = 0; i < motor->count; i++)
    if (!brio_mapping_check(&mappings[i], err)) return false;
  /* Hand each device its channels' mappings; its thread takes them when the motors are limp. */
  for (int b = 0; b < motor->nbus; b++) {
    brio_motor_bus *bus = &motor->buses[b];
    brio_mapping *own = brio_triple_back(&bus->mappings);
    /* The release pairs with the bus's acquire: it finds the mappings. */
    for (int i = 0; i < bus->device->count; i++) own[i] = mappings[bus->device->axes[i]];
    brio_triple_publish(&bus->mappings);
    atomic_fetch_add_explicit(&bus->remap, 1, memory_order_release);
  }
  return true;
}

/* Order what scripts changed of axis i since the last tick.  If the ring is full, the old value
** stays in was_on and was_limits, so the order is repeated with the next tick. */
static void order_changes(brio_motor *motor, int i, const brio_actuator_axis *axis) {
  brio_axis_limits limits = guard_of(&axis->limits);
  /* Axes that scripts switched on or off. */
  if (axis->enabled != motor->was_on[i]) {
    brio_motor_order order = {.kind = BRIO_MOTOR_ORDER_ON, .axis = i, .on = axis->enabled};
    if (brio_ring_put(&motor->orders, &order)) motor->was_on[i] = axis->enabled;
  }
  /* Limits that scripts changed. */
  if (memcmp(&limits, &motor->was_limits[i], sizeof limits) != 0) {
    brio_motor_order order = {.kind = BRIO_MOTOR_ORDER_LIMITS, .axis = i, .limits = limits};
    if (brio_ring_put(&motor->orders, &order)) motor->was_limits[i] = limits;
  }
}

void brio_motor_brake_with(brio_motor *motor, const double *brakes) { motor->brakes = brakes; }

double brio_motor_end(const brio_motor *motor, int axis, double *speed) {
  assert(axis >= 0 && axis < motor->count);
  const brio_motor_axis_state *state =
      &((const brio_motor_state *)brio_triple_front(&motor->state))->axes[axis];
  *speed = state->end_speed;
  return state->end;
}

bool brio_motor_impede(brio_motor *motor, int axis, const brio_impedance *asked, brio_error *err) {
  int count;
  const brio_actuator_axis *axes = brio_actuator_axes(motor->actuator, &count);
  assert(axis >= 0 && axis < count);
  if (!brio_motor_torques_ask(motor->torques, axis, axes[axis].limits.name, asked, err)) return false;
  motor->impedes = true;
  return true;
}

void brio_motor_hand_over(brio_motor *motor, const double *values, double dt) {
  int count;
  /* Changes of limits first: the pose behind them was computed with them. */
  const brio_actuator_axis *axes = brio_actuator_axes(motor->actuator, &count);
  for (int i = 0; i < count; i++) order_changes(motor, i, &axes[i]);
  if (motor->impedes) brio_motor_torques_send(motor->torques);
  motor->impedes = false;
  motor->made->dt = dt;
  motor->made->time = motor->handed_time += dt;
  motor->made->made = motor->threaded ? brio_clock_monotonic() : 0;
  motor->made->anew = motor->seen_anew;
  memcpy(motor->made->numbers, values, (size_t)count * sizeof *values);
  /* The first half of `numbers` is positions, the second braking accelerations. */
  for (int i = 0; i < count; i++)
    motor->made->numbers[count + i] = motor->brakes && i < motor->tree ? motor->brakes[i] : INFINITY;
  brio_trail_add(&motor->seen.trail, values, dt);
  motor->made->number = motor->seen.trail.count;
  /* A full ring drops the pose; the path brakes, and the next read of the state shows where to continue. */
  brio_ring_put(&motor->poses, motor->made);
}

void brio_motor_advance(brio_motor *motor, double dt) {
  /* On the real clock the motor thread has a clock of its own. */
  if (motor->threaded || !(dt > 0)) return;
  assert(motor->owed >= 0);
  /* Whole periods only: the remainder is owed to the next call. */
  motor->owed = fmin(motor->owed + dt, LONGEST_ADVANCE);
  /* 1e-6 of a period for rounding. */
  int n = (int)floor(motor->owed * motor->rate + 1e-6);
  motor->owed = fmax(0, motor->owed - n * motor->period);
  for (int k = 0; k < n; k++) {
    motor->more = k + 1 < n;
    brio_motor_period(motor, motor->period, BRIO_GAP_NONE);
  }
}

/* ---- looking ---- */

/* Sum of the devices' failures, and the newest error of the last device that has one. */
int brio_motor_failures(const brio_motor *motor, const brio_motor_state *state, const brio_error **newest) {
  const brio_motor_bus_state *buses = brio_motor_bus_states(motor, state);
  int64_t count = 0;
  *newest = NULL;
  /* The error is part of the state, and valid as long as that. */
  for (int b = 0; b < motor->nbus; b++) {
    count += buses[b].stats.failures;
    if (buses[b].stats.failures > 0) *newest = &buses[b].error;
  }
  return (int)(count < INT_MAX ? count : INT_MAX);
}

bool brio_motor_take_over(brio_motor *motor, bool fresh, bool failures) {
  const brio_motor_state *state = brio_triple_front(&motor->state);
  const brio_input_state *inputs = brio_motor_input_states(motor, state);
  const brio_error *newest;
  /* Copy the fresh reports into the actuator, where scripts read them. */
  for (int i = 0; i < motor->count && fresh; i++)
    brio_actuator_note(motor->actuator, i, state->axes[i].x, state->axes[i].v, &state->axes[i].state);
  for (int i = 0; i < motor->ninput && fresh; i++) brio_actuator_note_input(motor->actuator, i, &inputs[i]);
  int count = brio_motor_failures(motor, state, &newest);
  if (fresh && failures && newest) brio_actuator_note_failures(motor->actuator, newest, count);
  /* The path broke off, or rests: poses must continue from its end. */
  bool anew = state->report.anew != 0 && state->report.anew != motor->seen_anew;
  if (anew) motor->seen_anew = state->report.anew;
  return anew || state->report.settled;
}

bool brio_motor_look(brio_motor *motor) {
  return brio_motor_take_over(motor, brio_triple_fetch(&motor->state), true);
}

brio_motor_report brio_motor_report_now(const brio_motor *motor) {
  return ((const brio_motor_state *)brio_triple_front(&motor->state))->report;
}

brio_live_poses *brio_motor_live(const brio_motor *motor) { return motor->live; }

bool brio_motor_threaded(const brio_motor *motor) { return motor->threaded; }

int brio_motor_devices(const brio_motor *motor) { return motor->nbus; }

brio_motor_device brio_motor_device_now(const brio_motor *motor, int device) {
  assert(device >= 0 && device < motor->nbus);
  /* Front buffer only: it stays as it is until the next brio_motor_look. */
  const brio_motor_state *state = brio_triple_front(&motor->state);
  const brio_motor_bus_state *bus = &brio_motor_bus_states(motor, state)[device];
  const brio_device *which = motor->buses[device].device;
  /* Exchanges count writes and reads: a round has two. */
  double seconds = (double)state->report.periods * motor->period;
  return (brio_motor_device){.name = which->name,
                             .driver = which->kind->name,
                             .lost = bus->lost,
                             .stats = bus->stats,
                             .error = bus->error,
                             .words = motor->buses[device].words,
                             .open_loop = which->kind->open_loop,
                             .counts = which->kind->count != NULL,
                             .rate = seconds > 0 ? 0.5 * (double)bus->stats.exchanges / seconds : 0};
}
