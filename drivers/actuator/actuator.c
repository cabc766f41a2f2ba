/* An open actuator: axes by name in front, devices behind.  All memory is taken at opening from one
** arena (open.c), so that writing, stepping and reading, O(axes), do not allocate. */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "drivers/actuator/actuator_internal.h"
#include "math/scalar.h"

#define RUN_STEP 0.005   /* s, longest step of brio_actuator_run */
#define LONGEST_RUN 60.0 /* s */

bool brio_actuator_shut(brio_actuator *actuator, brio_error *err) {
  bool all = true;
  for (int i = 0; i < actuator->ndevice; i++) {
    brio_device *device = &actuator->devices[i];
    /* A device that was stuck before was reported then. */
    if (device->stuck || brio_device_close_soon(device, &actuator->arena)) continue;
    all = false;
    if (err) *err = device->error;
  }
  return all;
}

bool brio_actuator_end(brio_actuator *actuator, brio_error *err) {
  if (!actuator) return true;
  bool all = brio_actuator_shut(actuator, err);
  /* A driver that did not return may still use the arena: nothing is given back. */
  for (int i = 0; i < actuator->ndevice; i++)
    if (actuator->devices[i].stuck) return all;
  brio_name_index_end(&actuator->index);
  brio_arena arena = actuator->arena; /* the actuator itself lies in the arena: end a copy */
  brio_arena_end(&arena);
  /* From here on `actuator` is no longer valid. */
  return true;
}

void brio_actuator_close(brio_actuator *actuator) { brio_actuator_end(actuator, NULL); }

const brio_driver_kind *brio_actuator_kind(const brio_actuator *actuator) {
  return actuator->devices[0].kind;
}

brio_device *brio_actuator_devices(const brio_actuator *actuator, int *count) {
  *count = actuator->ndevice;
  return actuator->devices;
}

bool brio_actuator_simulated(const brio_actuator *actuator) {
  for (int i = 0; i < actuator->ndevice; i++)
    if (!actuator->devices[i].kind->simulated) return false;
  return true;
}

bool brio_actuator_repeats(const brio_actuator *actuator) {
  for (int i = 0; i < actuator->ndevice; i++) {
    const brio_driver_kind *kind = actuator->devices[i].kind;
    /* Only the registered driver of that name is known to repeat: one loaded from a file may
    ** differ. */
    brio_error none;
    if (!kind->simulated || brio_driver_find(kind->name, &none) != kind) return false;
  }
  return true;
}

const brio_actuator_axis *brio_actuator_axes(const brio_actuator *actuator, int *count) {
  *count = actuator->count;
  return actuator->axes;
}

const brio_actuator_members *brio_actuator_groups(const brio_actuator *actuator, int *count) {
  *count = actuator->ngroup;
  return actuator->groups;
}

/* List axes for a hint on misspelt names. */
static const char *axis_at(const void *list, int i) {
  const brio_actuator *actuator = list;
  return i < actuator->count ? actuator->axes[i].limits.name : NULL;
}

int brio_actuator_find(const brio_actuator *actuator, const char *name, brio_error *err) {
  int axis = brio_name_index_find(&actuator->index, name);
  /* Look the name up in O(1); on failure suggest the nearest one. */
  char hint[96];
  if (axis < 0)
    brio_fail(err, BRIO_MISUSE, "there is no axis '%.64s'%s", name,
              brio_name_hint(name, axis_at, actuator, hint));
  return axis;
}

/* Targets are clamped when they are set, so the limits hold without another check. */
bool brio_actuator_set_target(brio_actuator *actuator, int axis, double target, brio_error *err) {
  if (axis < 0 || axis >= actuator->count)
    return brio_fail(err, BRIO_MISUSE, "there is no axis %d: there are %d", axis, actuator->count);
  const brio_axis *limits = &actuator->axes[axis].limits;
  /* NaN and infinity are rejected here: clamping would hide them. */
  if (!isfinite(target))
    return brio_fail(err, BRIO_MISUSE, "the target of axis '%.64s' must be a finite number", limits->name);
  actuator->axes[axis].target = brio_clamp(target, limits->lower, limits->upper);
  return true;
}

bool brio_actuator_set_limits(brio_actuator *actuator, int axis, const brio_axis *limits, brio_error *err) {
  if (axis < 0 || axis >= actuator->count)
    return brio_fail(err, BRIO_MISUSE, "there is no axis %d: there are %d", axis, actuator->count);
  brio_actuator_axis *which = &actuator->axes[axis];
  const brio_axis *opened = &which->opened;
  /* Limits can only become narrower than the device was opened with. */
  if (!(limits->lower <= limits->upper && limits->lower >= opened->lower && limits->upper <= opened->upper))
    return brio_fail(err, BRIO_MISUSE, "axis '%.64s': its range may be within %g to %g, not %g to %g",
                     opened->name, opened->lower, opened->upper, limits->lower, limits->upper);
  /* Neither may the speed and the acceleration exceed those at opening. */
  if (!(limits->velocity > 0 && limits->velocity <= opened->velocity && limits->acceleration > 0 &&
        limits->acceleration <= opened->acceleration))
    return brio_fail(
        err, BRIO_MISUSE,
        "axis '%.64s': its velocity may be up to %g and its acceleration up to %g, not %g and %g",
        opened->name, opened->velocity, opened->acceleration, limits->velocity, limits->acceleration);
  /* Accept the limits; the name and the start stay. */
  which->limits.lower = limits->lower, which->limits.upper = limits->upper;
  which->limits.velocity = limits->velocity, which->limits.acceleration = limits->acceleration;
  /* The target stays within; the command moves there within the limits. */
  which->target = brio_clamp(which->target, limits->lower, limits->upper);
  return true;
}

/* Start at the measured position: an axis that is enabled does not jump. */
void brio_actuator_enable(brio_actuator *actuator, int axis, bool enabled) {
  if (axis < 0 || axis >= actuator->count) return;
  /* Enabling an axis that is enabled already changes nothing. */
  brio_actuator_axis *which = &actuator->axes[axis];
  if (enabled && !which->enabled) {
    which->command = brio_clamp(which->measured.position, which->limits.lower, which->limits.upper);
    which->target = which->command;
    which->command_velocity = 0;
  }
  which->enabled = enabled;
}

bool brio_actuator_power(brio_actuator *actuator, brio_error *err) {
  /* Reuse `targets` as an array of flags: it is large enough, and is rewritten before each use. */
  bool *on = (bool *)actuator->targets;
  bool all = true;
  for (int i = 0; i < actuator->count; i++) on[i] = actuator->axes[i].enabled;
  /* Pass on to every device, even after one has failed. */
  for (int i = 0; i < actuator->ndevice; i++) all = brio_device_power(&actuator->devices[i], on, err) && all;
  return all;
}

void brio_actuator_slew(brio_actuator *actuator, int axis, bool slewed) {
  if (axis >= 0 && axis < actuator->count) actuator->axes[axis].slewed = slewed;
}

/* Return the acceleration to brake with: v^2 > 2 a s where the narrowed limits are too weak to stop
** before the device's end. */
static double braking(const brio_actuator_axis *axis) {
  double v = axis->command_velocity, a = axis->limits.acceleration;
  double room = v > 0 ? axis->opened.upper - axis->command : axis->command - axis->opened.lower;
  return v * v > 2 * a * room ? axis->opened.acceleration : a;
}

/* Move a command towards its target: within the limits, or at once. */
static void advance(brio_actuator_axis *axis, double dt) {
  /* A target lies within the limits at opening; only the command may still be outside the narrowed
  ** ones. */
  assert(axis->limits.lower <= axis->limits.upper && axis->target >= axis->opened.lower);
  /* Speed and acceleration within the narrowed limits; the position is clamped to the device's ends
  ** only. */
  if (axis->slewed) {
    brio_slew(&axis->command, &axis->command_velocity, axis->target, axis->limits.velocity, braking(axis),
              dt);
    axis->command = brio_clamp(axis->command, axis->opened.lower, axis->opened.upper);
  } else {
    axis->command_velocity = dt > 0 ? (axis->target - axis->command) / dt : 0;
    axis->command = axis->target;
  }
}

/* Keep a failure of the device; return `well`. */
static bool keep(brio_actuator *actuator, bool well, const brio_error *problem, brio_error *err) {
  /* Keep the newest error and count it; the count saturates. */
  if (well) return true;
  actuator->error = *problem;
  actuator->failures += actuator->failures < INT_MAX;
  if (err) *err = *problem;
  return false;
}

/* Take what an axis reports; an old report stays, marked as not valid, when the new one is not. */
static void take_report(brio_actuator_axis *axis, const brio_axis_state *fresh) {
  axis->measured.valid = fresh->valid && isfinite(fresh->position) && isfinite(fresh->velocity);
  if (axis->measured.valid) axis->measured = *fresh;
}

bool brio_actuator_write(brio_actuator *actuator, double dt, brio_error *err) {
  brio_error problem = {.code = BRIO_DEVICE, .message = "the device took no targets"};
  /* NaN: the device gets no target for this axis. */
  for (int i = 0; i < actuator->count; i++) {
    brio_actuator_axis *axis = &actuator->axes[i];
    if (axis->enabled) advance(axis, dt);
    actuator->targets[i] = axis->enabled ? axis->command : NAN;
  }
  /* A device that fails does not keep the others from their targets. */
  bool all = true;
  for (int i = 0; i < actuator->ndevice; i++) {
    bool well = brio_device_write(&actuator->devices[i], actuator->targets, NULL, &problem);
    all = keep(actuator, well, &problem, err) && all;
  }
  return all;
}

/* Let time pass in the simulated devices. */
void brio_actuator_step(brio_actuator *actuator, double dt) {
  for (int i = 0; i < actuator->ndevice; i++) brio_device_pass(&actuator->devices[i], dt);
  brio_actuator_detect(actuator, NULL, 0); /* so that tracked objects move on, too */
}

bool brio_actuator_read(brio_actuator *actuator, brio_error *err) {
  brio_error problem = {.code = BRIO_DEVICE, .message = "the device reports nothing"};
  bool all = true;
  for (int d = 0; d < actuator->ndevice; d++) {
    /* States of a device that failed are not valid. */
    brio_device *device = &actuator->devices[d];
    bool well = brio_device_read(device, &problem);
    assert(device->count <= actuator->count);
    /* Copy the reports to the axes; channels are numbered per device. */
    for (int i = 0; i < device->count; i++) take_report(&actuator->axes[device->axes[i]], &device->states[i]);
    all = keep(actuator, well, &problem, err) && all;
  }
  /* Inputs are kept by device; copy them to the actuator's order. */
  for (int i = 0; i < actuator->ninput; i++) {
    brio_actuator_sensed *input = &actuator->inputs[i];
    input->state = actuator->devices[input->device].inputs[input->place];
  }
  return all;
}

const brio_actuator_sensed *brio_actuator_inputs(const brio_actuator *actuator, int *count) {
  *count = actuator->ninput;
  return actuator->inputs;
}

void brio_actuator_note_input(brio_actuator *actuator, int input, const brio_input_state *state) {
  assert(input >= 0 && input < actuator->ninput);
  actuator->inputs[input].state = *state;
}

void brio_actuator_note(brio_actuator *actuator, int axis, double command, double velocity,
                        const brio_axis_state *state) {
  assert(axis >= 0 && axis < actuator->count);
  actuator->axes[axis].command = command;
  actuator->axes[axis].command_velocity = velocity;
  take_report(&actuator->axes[axis], state);
}

void brio_actuator_note_failures(brio_actuator *actuator, const brio_error *newest, int count) {
  actuator->error = *newest;
  actuator->failures = count;
}

/* Return the inputs of a device that a name stands for (the device, an input, or all), as bits. */
static uint32_t mark_inputs(const brio_device *device, const char *whom) {
  bool whole = strcmp(whom, "all") == 0 || strcmp(whom, device->name) == 0;
  uint32_t bits = 0;
  for (int i = 0; i < device->config.ninput; i++)
    if (whole || strcmp(device->config.inputs[i].name, whom) == 0) bits |= 1u << i;
  return bits;
}

/* Mark the channels of a device that a name stands for: the device, a group, an axis, or all.
** Return false when there is none. */
static bool mark(const brio_actuator *actuator, const brio_device *device, const char *whom, bool *strikes) {
  /* `all` and the device's own name stand for every channel; otherwise compare axis names. */
  bool any = false, whole = strcmp(whom, "all") == 0 || strcmp(whom, device->name) == 0;
  for (int i = 0; i < device->count; i++) strikes[i] = whole || strcmp(device->limits[i].name, whom) == 0;
  /* A group strikes those of its axes that belong to this device. */
  for (int g = 0; g < actuator->ngroup; g++)
    for (int i = 0; i < actuator->groups[g].count && strcmp(actuator->groups[g].name, whom) == 0; i++) {
      int channel = brio_device_channel(device, actuator->groups[g].axes[i]);
      if (channel >= 0) strikes[channel] = true;
    }
  for (int i = 0; i < device->count; i++) any = any || strikes[i];
  return any;
}

/* Strike every device that the sentence's name touches: read the sentence once, then find in each
** device what its name stands for.  O(devices x axes). */
bool brio_actuator_fault(brio_actuator *actuator, const char *sentence, brio_error *err) {
  bool any = false, *strikes = BRIO_TAKE(&actuator->arena, bool, actuator->count + 1);
  char hint[96];
  brio_fault fault;
  /* Flags of the channels that are struck; each device reuses them. */
  if (!strikes) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a fault");
  if (!brio_fault_parse(sentence, &fault, err)) return false;
  for (int d = 0; d < actuator->ndevice; d++) {
    brio_device *device = &actuator->devices[d];
    fault.feels = fault.kind->sense ? mark_inputs(device, fault.whom) : 0;
    /* Faults of inputs need an input of that name, all others a channel. */
    bool struck = mark(actuator, device, fault.whom, strikes);
    if (fault.kind->sense ? !fault.feels : !struck) continue;
    /* Refuse when the device has no free slot. */
    if (device->nfault == BRIO_DEVICE_FAULTS)
      return brio_fail(err, BRIO_LIMIT, "a device has at most %d faults", BRIO_DEVICE_FAULTS);
    brio_fault *slot = &device->faults[device->nfault];
    *slot = fault;
    /* Each device has its own copy: faults have state. */
    if (!brio_fault_start(slot, strikes, device->count, actuator->seed, err)) return false;
    device->nfault++;
    any = true;
  }
  /* No device matched: report it with the nearest name. */
  return any || brio_fail(err, BRIO_MISUSE,
                          fault.kind->sense ? "fault '%s': no input is '%s'%s"
                                            : "fault '%s': there is no device, group or axis '%s'%s",
                          fault.kind->name, fault.whom, brio_name_hint(fault.whom, axis_at, actuator, hint));
}

bool brio_actuator_run(brio_actuator *actuator, double dt, brio_error *err) {
  /* Without time to pass, only refresh the reports. */
  if (!(dt > 0)) return brio_actuator_read(actuator, err);
  dt = fmin(dt, LONGEST_RUN);
  /* Equal steps, none longer than RUN_STEP. */
  int n = (int)ceil(dt / RUN_STEP - 1e-9);
  bool well = true;
  /* Stop at the first failure; the step and the report of a failed write still take place. */
  for (int k = 0; k < n && well; k++) {
    well = brio_actuator_write(actuator, dt / n, err);
    brio_actuator_step(actuator, dt / n);
    well = brio_actuator_read(actuator, err) && well;
  }
  return well;
}

/* Without room, too, each device has its turn: what it watches moves on. */
int brio_actuator_detect(brio_actuator *actuator, brio_detection *out, int most) {
  int seen = 0;
  for (int i = 0; i < actuator->ndevice && seen <= most; i++) {
    const brio_device *device = &actuator->devices[i];
    if (device->kind->detect)
      /* With room for nothing the device is still called, with most = 0. */
      seen += device->kind->detect(device->handle, seen > 0 ? out + seen : out, most - seen);
  }
  return seen;
}

const brio_error *brio_actuator_error(const brio_actuator *actuator, int *count) {
  if (count) *count = actuator->failures;
  return &actuator->error;
}
