/* A device: the way from the axes' values to a driver's call and back.  Values of axes go through
** couplings (motors = matrix axes) and each motor's mapping, faults on purpose strike what is
** sent and what is reported, and a device that was lost is opened again with a pause that
** doubles.
** Writing and reading are O(count x (nfault + 1)), and neither allocate nor block but in the
** driver. */
#include "drivers/actuator/device.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "drivers/targets.h"

#define FIRST_BACK_OFF 0.25 /* s */
#define LAST_BACK_OFF 8.0   /* s */
#define BACK_BACK_OFF 2.0   /* s, of one that came back, and is lost again */
#define STEADY 5.0          /* s after which one that came back is as if it had never been lost */

/* Counts are within their arrays, and the pause before the next attempt is within its limits. */
static bool is_consistent(const brio_device *device) {
  return device->count >= 0 && device->nfault >= 0 && device->nfault <= BRIO_DEVICE_FAULTS &&
         device->config.ninput >= 0 && device->ncoupling >= 0 &&
         device->back_off >= FIRST_BACK_OFF && device->back_off <= LAST_BACK_OFF;
}

bool brio_device_start(brio_device *device, brio_arena *arena, int count) {
  assert(count >= 0);
  /* One more than needed: a device may have inputs only, and no axes. */
  size_t n = (size_t)count + 1;
  *device = (brio_device){.count = count, .back_off = FIRST_BACK_OFF};
  /* All arrays come from the arena and are never freed one by one. */
  device->axes = BRIO_TAKE(arena, int, n);
  device->limits = BRIO_TAKE(arena, brio_axis, n);
  device->channels = BRIO_TAKE(arena, brio_axis, n);
  device->mappings = BRIO_TAKE(arena, brio_mapping, n);
  device->steps = BRIO_TAKE(arena, brio_grid, n);
  device->targets = BRIO_TAKE(arena, double, n);
  device->speeds = BRIO_TAKE(arena, double, n);
  device->scratch = BRIO_TAKE(arena, double, 2 * n);
  device->on = BRIO_TAKE(arena, bool, n);
  device->states = BRIO_TAKE(arena, brio_axis_state, n);
  if (!device->axes || !device->limits || !device->channels || !device->mappings || !device->steps ||
      !device->targets || !device->speeds || !device->scratch || !device->on || !device->states) return false;
  /* Defaults: a motor counts as its axis does, and reports are not rounded. */
  for (int i = 0; i < count; i++)
    device->mappings[i] = brio_mapping_identity(), device->steps[i] = brio_grid_of(0);
  return true;
}

int brio_device_channel(const brio_device *device, int axis) {
  /* A linear search: devices have few channels, and only opening and faults call this. */
  for (int i = 0; i < device->count; i++)
    if (device->axes[i] == axis) return i;
  return -1;
}

bool brio_device_take_inputs(brio_device *device, brio_arena *arena, const brio_driver_input *inputs,
                             int count) {
  assert(count >= 0);
  /* One more than needed, so that no size is 0. */
  brio_driver_input *copies = BRIO_TAKE(arena, brio_driver_input, count + 1);
  device->inputs = BRIO_TAKE(arena, brio_input_state, count + 1);
  if (!copies || !device->inputs) return false;
  /* Names and lines are copied: the caller's may go away. */
  for (int i = 0; i < count; i++) {
    copies[i] = inputs[i];
    copies[i].name = brio_arena_text(arena, inputs[i].name, strlen(inputs[i].name));
    copies[i].line = brio_arena_text(arena, inputs[i].line, strlen(inputs[i].line));
    if (!copies[i].name || !copies[i].line) return false;
  }
  device->config.inputs = copies;
  device->config.ninput = count;
  return true;
}

/* ---- what the driver sees ---- */

/* Convert values or speeds of axes, in place, to those before each motor's mapping.  A coupling may
** use an axis that an earlier one has set, so the inverse starts at the last. */
static void couple(const brio_device *device, double *numbers) {
  double part[BRIO_COUPLING_MOST], coupled[BRIO_COUPLING_MOST];
  for (int k = 0; k < device->ncoupling; k++) {
    const brio_device_coupling *c = &device->couplings[k];
    /* Gather, multiply, scatter: `part` keeps the input while the output is written. */
    for (int i = 0; i < c->coupling.count; i++) part[i] = numbers[c->channels[i]];
    brio_coupling_forward(&c->coupling, part, coupled);
    for (int i = 0; i < c->coupling.count; i++) numbers[c->channels[i]] = coupled[i];
  }
}

/* Convert values of axes to values of motors in `out`. */
static void to_motors(brio_device *device, const double *in, double *out) {
  /* Of the mapping 1 x + 0 remains that -0 becomes 0. */
  for (int i = 0; i < device->count && device->plain; i++) out[i] = in[i] + 0.0;
  if (device->plain) return;
  memcpy(out, in, (size_t)device->count * sizeof *out);
  couple(device, out);
  for (int i = 0; i < device->count; i++) out[i] = brio_mapping_forward(&device->mappings[i], out[i]);
}

/* Convert values of motors to values of axes in `out`: the mappings first, then the couplings from
** the last to the first. */
static void to_axes(brio_device *device, const double *in, double *out) {
  double part[BRIO_COUPLING_MOST], coupled[BRIO_COUPLING_MOST];
  /* Undo the mappings. */
  for (int i = 0; i < device->count; i++) out[i] = brio_mapping_inverse(&device->mappings[i], in[i]);
  /* Undo the couplings in reverse order. */
  for (int k = device->ncoupling - 1; k >= 0; k--) {
    const brio_device_coupling *c = &device->couplings[k];
    for (int i = 0; i < c->coupling.count; i++) part[i] = out[c->channels[i]];
    brio_coupling_inverse(&c->coupling, part, coupled);
    for (int i = 0; i < c->coupling.count; i++) out[c->channels[i]] = coupled[i];
  }
}

/* Check that the driver can do what the configuration needs.  Return true, with an error, if it
** cannot. */
static bool asks_too_much(const brio_device *device, brio_error *err) {
  const brio_driver_kind *kind = device->kind;
  /* Hardware without axes and inputs would have nothing to do. */
  if (device->count == 0 && !kind->simulated && device->config.ninput == 0) {
    brio_fail(err, BRIO_MISUSE, "device '%.64s' has neither axes nor inputs", device->name);
    return true;
  }
  /* Inputs need a driver that can sense. */
  if (device->config.ninput > 0 && !kind->sense) {
    brio_fail(err, BRIO_MISUSE,
              "device '%.64s': driver '%s' senses nothing, so '%.64s' cannot be an input of it", device->name,
              kind->name, device->config.inputs[0].name);
    return true;
  }
  /* Gains need a driver that can be configured. */
  if (!device->config.gains || kind->configure) return false;
  brio_fail(err, BRIO_MISUSE, "device '%.64s': driver '%s' has no gains to set", device->name, kind->name);
  return true;
}

/* Set all inputs to NaN: unknown. */
static void forget_inputs(brio_device *device) {
  for (int i = 0; i < device->config.ninput; i++)
    for (int k = 0; k < BRIO_INPUT_NUMBERS; k++) device->inputs[i].values[k] = NAN;
}

/* Update the counts: what the driver has counted since it was opened, plus what it counted before. */
static void take_counts(brio_device *device) {
  const brio_driver_counts *before = &device->before;
  brio_driver_counts now = {0};
  if (!device->kind->count || !device->handle) return;
  device->kind->count(device->handle, &now);
  device->stats.counts = (brio_driver_counts){before->retries + now.retries, before->timeouts + now.timeouts,
                                              before->refused + now.refused, before->strays + now.strays};
}

/* Close the driver; its counts are kept, because the next opening starts at 0. */
static void close_driver(brio_device *device) {
  if (!device->handle) return;
  take_counts(device);
  device->before = device->stats.counts;
  device->kind->close(device->handle);
  device->handle = NULL;
}

/* Open the driver's device and set it up; on failure it is closed. */
static bool open_driver(brio_device *device, brio_error *err) {
  const brio_driver_kind *kind = device->kind;
  if (asks_too_much(device, err)) return false;
  /* Drivers that serve several kinds also get the kind. */
  void *handle = kind->open_as ? kind->open_as(kind, device->channels, device->count, device->settings,
                                               device->seed, device->context, err)
                               : kind->open(device->channels, device->count, device->settings, device->seed,
                                            device->context, err);
  if (!handle) return false;
  /* Nobody waits for a device that was abandoned while it opened: close it here. */
  bool good = atomic_load(&device->left) || !kind->configure || kind->configure(handle, &device->config, err);
  if (!good || atomic_load(&device->left)) { /* abandoned, perhaps during `configure` */
    kind->close(handle);
    return false;
  }
  /* Open.  Ask for a description once; the buffer keeps it. */
  device->handle = handle;
  device->words[0] = 0;
  if (kind->describe) kind->describe(device->handle, device->words, sizeof device->words);
  device->delay = kind->delay ? kind->delay(device->handle) : 0;
  return true;
}

void brio_device_remap(brio_device *device, const brio_mapping *mappings) {
  memcpy(device->mappings, mappings, (size_t)device->count * sizeof *mappings);
  /* A simulated device continues from the last measured position. */
  for (int i = 0; i < device->count; i++)
    if (device->states[i].valid) device->limits[i].start = device->states[i].position;
  brio_device_make_channels(device);
  /* After reopening with the new mappings nothing is known and no motor holds, as at first opening. */
  close_driver(device);
  for (int i = 0; i < device->count; i++)
    device->on[i] = device->kind->simulated, device->states[i].valid = false;
  forget_inputs(device);
  if (device->lost || open_driver(device, &device->error)) return;
  device->stats.failures++; /* so that its reason is passed on */
  brio_device_lose(device);
}

bool brio_device_open(brio_device *device, brio_error *err) {
  /* A mapping without an inverse could not convert reports: refuse it. */
  for (int i = 0; i < device->count; i++)
    if (!brio_mapping_check(&device->mappings[i], err))
      return brio_fail_in(err, "axis '%.64s'", device->limits[i].name);
  /* Work out the driver's limits before it is opened. */
  brio_device_make_channels(device);
  device->config.axes = device->channels;
  /* hardware starts limp */
  for (int i = 0; i < device->count; i++) device->on[i] = device->kind->simulated;
  forget_inputs(device);
  return open_driver(device, err);
}

void brio_device_close(brio_device *device) {
  close_driver(device);
  /* Faults own memory outside the arena. */
  for (int i = 0; i < device->nfault; i++) brio_fault_end(&device->faults[i]);
  device->nfault = 0;
}

/* ---- exchanges ---- */

/* A failure of the device for which no driver has given a reason yet. */
static void expect(brio_error *problem) {
  problem->code = BRIO_DEVICE;
  problem->message[0] = 0;
}

/* Count an exchange and keep its failure, which is `else_why` if the driver gave no reason; return `well`. */
static bool keep(brio_device *device, bool well, brio_error *problem, const char *else_why, brio_error *err) {
  device->stats.exchanges += well;
  device->stats.failures += !well;
  if (well) return true;
  if (!problem->message[0]) brio_fail(problem, problem->code, "%s", else_why);
  device->error = *problem;
  if (err) *err = *problem;
  return false;
}

/* Return true while a fault keeps the device busy with its last exchange.  Otherwise the next
** exchange starts: it goes through at once, and the device then does nothing for the fault's
** duration. */
static bool is_blocked(brio_device *device) {
  double longest = 0;
  device->busy = device->time < device->blocked_until - 1e-9;
  if (device->busy) return true;
  /* The longest of all active blocking faults counts. */
  for (int i = 0; i < device->nfault; i++) {
    brio_fault *fault = &device->faults[i];
    if (fault->kind->block && brio_fault_acts(fault, device->time))
      longest = fmax(longest, fault->kind->block(fault));
  }
  /* A device with its own thread really sleeps; otherwise only its time passes. */
  if (device->sleep && longest > 0) device->sleep(longest);
  else device->blocked_until = device->time + longest;
  return false;
}

/* Apply faults to the targets.  Return false if one makes the exchange fail. */
static bool strike_targets(brio_device *device, brio_error *err) {
  for (int i = 0; i < device->nfault; i++) {
    brio_fault *fault = &device->faults[i];
    if (fault->kind->write && brio_fault_acts(fault, device->time) &&
        !fault->kind->write(fault, device->targets, device->time, err)) return false;
  }
  return true;
}

/* Apply faults to the reports, likewise. */
static bool strike_reports(brio_device *device, brio_error *err) {
  for (int i = 0; i < device->nfault; i++) {
    brio_fault *fault = &device->faults[i];
    if (fault->kind->read && brio_fault_acts(fault, device->time) &&
        !fault->kind->read(fault, device->states, device->time, err)) return false;
  }
  return true;
}

/* Return true, with an error, if no exchange can take place. */
static bool is_lost(const brio_device *device, brio_error *problem) {
  if (device->handle && !device->lost) return false;
  brio_fail(problem, BRIO_DEVICE, "device '%s' is lost", device->name);
  return true;
}

/* Convert speeds to motors' units: speed x couplings x slope of the mapping at the target. */
static void map_speeds(brio_device *device, const double *values, const double *speeds) {
  assert(values && speeds);
  double *at = device->scratch, *rates = device->scratch + device->count;
  /* Slopes depend on the position, so convert targets and speeds side by side. */
  for (int i = 0; i < device->count; i++) at[i] = values[device->axes[i]], rates[i] = speeds[device->axes[i]];
  couple(device, at);
  couple(device, rates);
  for (int i = 0; i < device->count; i++)
    device->speeds[i] = fabs(rates[i] * brio_mapping_slope(&device->mappings[i], at[i]));
}

/* Hand targets to the driver, with speeds if both sides have them. */
static bool hand_over(brio_device *device, const double *values, const double *speeds, brio_error *problem) {
  const brio_driver_kind *kind = device->kind;
  if (device->torques) return brio_device_send_impedances(device, speeds, problem);
  if (!speeds || !kind->write_timed) return kind->write(device->handle, device->targets, problem);
  map_speeds(device, values, speeds);
  return kind->write_timed(device->handle, device->targets, device->speeds, problem);
}

/* Pass on which motors hold: those that are switched on and whose power no fault takes. */
static bool tell_power(brio_device *device, brio_error *err) {
  bool *flags = (bool *)device->scratch; /* room for 2 x count doubles */
  if (!device->kind->power || !device->handle) return true;
  for (int i = 0; i < device->count; i++) {
    flags[i] = device->on[i];
    for (int k = 0; k < device->nfault; k++) {
      const brio_fault *fault = &device->faults[k];
      if (fault->kind->limp && fault->strikes[i] && brio_fault_acts(fault, device->time)) flags[i] = false;
    }
  }
  return device->kind->power(device->handle, flags, err);
}

/* Switch motors where a fault that takes the power begins or ends. */
static void strike_power(brio_device *device) {
  bool limp = false;
  /* Does any active fault take power now? */
  for (int i = 0; i < device->nfault; i++)
    limp = limp || (device->faults[i].kind->limp && brio_fault_acts(&device->faults[i], device->time));
  /* Switch only on a change: a power command costs bus time. */
  if (limp == device->limp) return;
  device->limp = limp;
  tell_power(device, NULL);
}

/* Write targets; `again`: once more in the same exchange, which no fault makes longer a second time. */
static bool write_targets(brio_device *device, const double *values, const double *speeds, bool again,
                          brio_error *err) {
  assert(is_consistent(device));
  const char *refused = "the device took no targets";
  brio_error problem;
  expect(&problem);
  if (is_lost(device, &problem)) return keep(device, false, &problem, refused, err);
  /* Order: power, blocking, targets, faults on targets. */
  strike_power(device);
  if (!again && is_blocked(device)) return true;
  /* Gather this device's targets and convert them. */
  for (int i = 0; i < device->count; i++) device->scratch[i] = values[device->axes[i]];
  to_motors(device, device->scratch, device->targets);
  bool well = strike_targets(device, &problem) && hand_over(device, values, speeds, &problem);
  /* Targets that arrived too late are not a failure of the device. */
  if (well || !brio_targets_were_late()) return keep(device, well, &problem, refused, err);
  if (err) *err = problem;
  return false;
}

bool brio_device_write(brio_device *device, const double *values, const double *speeds, brio_error *err) {
  return write_targets(device, values, speeds, false, err);
}

bool brio_device_write_soon(brio_device *device, const double *values, const double *speeds,
                            brio_device_leaving *leaving, brio_error *err) {
  /* The driver checks the time just before it sends (drivers/targets.h). */
  brio_targets_due(leaving->latest);
  bool well = write_targets(device, values, speeds, leaving->again, err);
  leaving->late = brio_targets_were_late();
  leaving->at = brio_targets_left_at();
  brio_targets_due(0);
  return well;
}

bool brio_device_power(brio_device *device, const bool *on, brio_error *err) {
  assert(is_consistent(device));
  brio_error problem;
  expect(&problem);
  /* Store the flags first: they hold for the next opening, too. */
  for (int i = 0; i < device->count; i++) device->on[i] = on[device->axes[i]];
  return tell_power(device, &problem) ||
         keep(device, false, &problem, "the device refuses to switch its motors", err);
}

void brio_device_pass(brio_device *device, double dt) {
  if (!(dt > 0)) return;
  device->time += dt;
  if (device->handle && device->kind->step) device->kind->step(device->handle, dt);
}

/* brio_mapping_slope of motor = x, to the bit, without the calls. */
static double plain_slope(double x) {
  const double step = 1e-6;
  return ((x + step) - (x - step)) / (2 * step);
}

/* Convert reports to the axes' units; speeds by the mappings' slopes only, not through couplings. */
static void take_reports(brio_device *device) {
  double *motors = device->scratch, *axes = device->scratch + device->count;
  bool plain = device->plain;
  for (int i = 0; i < device->count && !plain; i++) motors[i] = device->states[i].position;
  if (!plain) to_axes(device, motors, axes);
  /* Chain rule: axis speed = motor speed / (d motor / d axis). */
  for (int i = 0; i < device->count; i++) {
    brio_axis_state *state = &device->states[i];
    if (!plain) state->position = axes[i];
    if (state->knows & BRIO_KNOWS_TORQUE) state->torque = brio_device_torque_of(device, i, state->torque);
    if (state->velocity == 0) continue;
    double slope = plain ? plain_slope(state->position) : brio_mapping_slope(&device->mappings[i], axes[i]);
    if (slope != 0) state->velocity /= slope;
  }
}

/* Read the inputs into device->inputs and apply faults to them.  While the device does not respond
** they stay unknown. */
static bool take_inputs(brio_device *device, bool well, brio_error *problem) {
  if (device->config.ninput == 0) return well;
  forget_inputs(device);
  well = well && device->kind->sense(device->handle, device->inputs, problem);
  /* Bit k of `feels`: the fault strikes input k. */
  for (int i = 0; i < device->nfault && well; i++) {
    const brio_fault *fault = &device->faults[i];
    for (int k = 0; k < device->config.ninput && fault->kind->sense && brio_fault_acts(fault, device->time);
         k++)
      if (fault->feels >> k & 1) fault->kind->sense(fault, &device->inputs[k]);
  }
  return well;
}

bool brio_device_read(brio_device *device, brio_error *err) {
  assert(is_consistent(device));
  brio_error problem;
  expect(&problem);
  bool well = !is_lost(device, &problem),
       blocked = device->busy && device->time < device->blocked_until - 1e-9;
  /* A busy device keeps its last reports, which are no longer fresh. */
  if (well && !blocked) {
    /* Clear first: a driver fills in only what it knows. */
    memset(device->states, 0, (size_t)device->count * sizeof *device->states);
    well = device->kind->read(device->handle, device->states, &problem);
    take_reports(device);
    well = well && strike_reports(device, &problem);
    well = take_inputs(device, well, &problem) && well;
    take_counts(device);
  }
  /* Reports are fresh if the exchange succeeded and the numbers are finite. */
  bool fresh = well && !blocked;
  for (int i = 0; i < device->count; i++) {
    brio_axis_state *state = &device->states[i];
    state->valid = fresh && state->valid && isfinite(state->position) && isfinite(state->velocity);
    state->position = brio_grid_round(device->steps[i], state->position); /* as the run store keeps it */
  }
  return blocked || keep(device, well, &problem, "the device reports nothing", err);
}

/* Called again while the device is lost, this does nothing. */
void brio_device_lose(brio_device *device) {
  assert(is_consistent(device));
  if (device->lost) return;
  device->lost = true;
  forget_inputs(device);
  device->stats.losses++;
  /* A device that was steady for a while starts again with the shortest pause. */
  if (device->time - device->back_at > STEADY) device->back_off = FIRST_BACK_OFF;
  device->retry_at = device->time + device->back_off;
}

/* Return true while a fault that ends all exchanges is active. */
static bool is_unplugged(brio_device *device) {
  for (int i = 0; i < device->nfault; i++) {
    brio_fault *fault = &device->faults[i];
    /* Such a fault acts on writes and on reads. */
    bool ends_exchanges = fault->kind->write && fault->kind->read;
    if (ends_exchanges && brio_fault_acts(fault, device->time)) return true;
  }
  return false;
}

/* Close and reopen a driver's device.  A simulated one is kept: it would lose its position. */
static bool open_anew(brio_device *device) {
  const brio_driver_kind *kind = device->kind;
  if (kind->simulated && device->handle) return true;
  close_driver(device);
  return open_driver(device, &device->error);
}

bool brio_device_return(brio_device *device) {
  assert(is_consistent(device));
  if (!device->lost) return true;
  /* Too early for the next attempt, or a thread is still inside the driver. */
  if (device->stuck || device->time < device->retry_at) return false;
  /* The pause doubles, up to one limit while the device is away and a lower one once it is back. */
  device->lost = is_unplugged(device) || !open_anew(device);
  device->stats.failures += device->lost;
  device->back_off = fmin(2 * device->back_off, device->lost ? LAST_BACK_OFF : BACK_BACK_OFF);
  device->retry_at = device->time + device->back_off;
  device->back_at = device->time;
  assert(is_consistent(device));
  return !device->lost;
}
