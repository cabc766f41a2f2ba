/* An open device: names in front, the driver's record behind.  All memory is taken at opening
** from one arena, so that writing, stepping and reading touch only what is there. */
#include "drivers/actuator.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/name.h"
#include "math/scalar.h"

#define RUN_STEP 0.005   /* s, longest step of brio_actuator_run */
#define LONGEST_RUN 60.0 /* s */

enum { MOST_AXES = 4096, MOST_GROUPS = 4096, MOST_INPUTS = 1024, BLOCK = 16384 };

struct brio_actuator {
  brio_arena arena;                /* owns everything here, the actuator too */
  brio_device *devices;            /* ndevice */
  int ndevice;
  uint64_t seed;
  int count, ngroup;
  brio_actuator_axis *axes;        /* count */
  brio_actuator_members *groups;   /* ngroup, by name */
  brio_name_index index;           /* name -> axis */
  brio_actuator_sensed *inputs;    /* ninput */
  int ninput;
  double *targets;                 /* count: handed to the device; NAN: leave alone */
  brio_error error;                /* newest failure */
  int failures;
};

static bool no_memory(brio_error *err) {
  return brio_fail(err, BRIO_NO_MEMORY, "no memory to open a device");
}

static const char *setting_at(const void *settings, int i) {
  return ((const brio_driver_setting *)settings)[i].name;
}

/* Put one given text into its place.  Return false when the driver has none of that name. */
static bool take_text(brio_device *device, const brio_actuator_setting *given) {
  const brio_driver_text *texts = device->kind->texts;
  for (int i = 0; texts && texts[i].name; i++) {
    if (strcmp(texts[i].name, given->name) != 0) continue;
    if (given->text) snprintf(device->texts[i], sizeof device->texts[i], "%s", given->text);
    else snprintf(device->texts[i], sizeof device->texts[i], "%.15g", given->value);
    return true;
  }
  return false;
}

/* Put one given setting into its place among the device's. */
static bool take_setting(brio_device *device, const brio_actuator_setting *given, brio_error *err) {
  const brio_driver_kind *kind = device->kind;
  double *values = device->settings;
  if (take_text(device, given)) return true;
  for (int i = 0; kind->settings && kind->settings[i].name; i++) {
    const brio_driver_setting *setting = &kind->settings[i];
    if (strcmp(setting->name, given->name) != 0) continue;
    if (given->text)
      return brio_fail(err, BRIO_MISUSE, "driver '%s': %s must be a number, not '%.64s'", kind->name, setting->name,
                       given->text);
    values[i] = given->value;
    if (given->value >= setting->lower && given->value <= setting->upper) return true;
    return brio_fail(err, BRIO_MISUSE, "driver '%s': %s must be a number from %g to %g (%s), not %g",
                     kind->name, setting->name, setting->lower, setting->upper, setting->unit, given->value);
  }
  char hint[96] = "";
  if (kind->settings) brio_name_hint(given->name, setting_at, kind->settings, hint);
  return brio_fail(err, BRIO_MISUSE, "driver '%s' has no setting '%.64s'%s", kind->name, given->name, hint);
}

/* Fill in the driver's defaults and what was given instead. */
static bool take_settings(brio_device *device, const brio_actuator_setting *given, int count, brio_error *err) {
  const brio_driver_setting *settings = device->kind->settings;
  const brio_driver_text *texts = device->kind->texts;
  for (int i = 0; settings && settings[i].name && i < BRIO_DEVICE_SETTINGS; i++)
    device->settings[i] = settings[i].fallback;
  for (int i = 0; texts && texts[i].name && i < BRIO_DRIVER_TEXTS; i++) {
    snprintf(device->texts[i], sizeof device->texts[i], "%s", texts[i].fallback);
    device->text_list[i] = device->texts[i];
  }
  if (texts) device->context = device->text_list;
  for (int i = 0; i < count; i++)
    if (!take_setting(device, &given[i], err)) return false;
  return true;
}

static bool take_axes(brio_actuator *actuator, const brio_actuator_options *options, brio_error *err) {
  actuator->axes = BRIO_TAKE(&actuator->arena, brio_actuator_axis, options->count + 1);
  actuator->targets = BRIO_TAKE(&actuator->arena, double, options->count + 1);
  if (!actuator->axes || !actuator->targets) return no_memory(err);
  if (!brio_name_index_start(&actuator->index, options->count)) return no_memory(err);
  for (int i = 0; i < options->count; i++) {
    const brio_axis *given = &options->axes[i];
    brio_actuator_axis *axis = &actuator->axes[i];
    if (!brio_axis_check(given, err)) return false;
    axis->limits = *given;
    axis->limits.name = brio_arena_text(&actuator->arena, given->name, strlen(given->name));
    if (!axis->limits.name) return no_memory(err);
    if (!brio_name_index_add(&actuator->index, axis->limits.name, i))
      return brio_fail(err, BRIO_MISUSE, "two axes are named '%.64s'", given->name);
    axis->target = axis->command = brio_clamp(given->start, given->lower, given->upper);
    axis->measured.position = axis->command;
    axis->limits.start = axis->command;
    axis->opened = axis->limits;
    axis->enabled = axis->slewed = true;
    actuator->count++;
  }
  return true;
}

/* Copy one group, resolving its names. */
static bool take_group(brio_actuator *actuator, const brio_actuator_group *given,
                       brio_actuator_members *group, brio_error *err) {
  if (!given->name || !*given->name || given->count < 0)
    return brio_fail(err, BRIO_MISUSE, "a group of axes must have a name");
  int *axes = BRIO_TAKE(&actuator->arena, int, given->count + 1);
  group->name = brio_arena_text(&actuator->arena, given->name, strlen(given->name));
  if (!axes || !group->name) return no_memory(err);
  for (int i = 0; i < given->count; i++) {
    axes[i] = brio_actuator_find(actuator, given->axes[i], err);
    if (axes[i] < 0) return brio_fail_in(err, "group '%.64s'", given->name);
  }
  group->axes = axes;
  group->count = given->count;
  return true;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const brio_actuator_members *)a)->name, ((const brio_actuator_members *)b)->name);
}

static bool take_groups(brio_actuator *actuator, const brio_actuator_options *options, brio_error *err) {
  actuator->groups = BRIO_TAKE(&actuator->arena, brio_actuator_members, options->ngroup + 1);
  if (!actuator->groups) return no_memory(err);
  for (int i = 0; i < options->ngroup; i++)
    if (!take_group(actuator, &options->groups[i], &actuator->groups[i], err)) return false;
  actuator->ngroup = options->ngroup;
  qsort(actuator->groups, (size_t)actuator->ngroup, sizeof *actuator->groups, by_name);
  for (int i = 1; i < actuator->ngroup; i++)
    if (strcmp(actuator->groups[i - 1].name, actuator->groups[i].name) == 0)
      return brio_fail(err, BRIO_MISUSE, "two groups are named '%.64s'", actuator->groups[i].name);
  return true;
}

/* The channel of a device that an axis is; -1: none. */
static int channel_of(const brio_device *device, int axis) {
  for (int i = 0; i < device->count; i++)
    if (device->axes[i] == axis) return i;
  return -1;
}

static bool take_coupling(brio_actuator *actuator, brio_device *device, const brio_actuator_coupling *given, brio_error *err) {
  brio_device_coupling *c = &device->couplings[device->ncoupling];
  if (!brio_coupling_start(&c->coupling, given->matrix, given->count, err)) return false;
  for (int i = 0; i < given->count; i++) {
    int axis = brio_actuator_find(actuator, given->axes[i], err);
    if (axis < 0) return brio_fail_in(err, "a coupling");
    c->channels[i] = channel_of(device, axis);
    if (c->channels[i] < 0) return brio_fail(err, BRIO_MISUSE, "the axes of a coupling must be of one device: '%.64s' is not of '%.64s'", given->axes[i], device->name);
  }
  device->ncoupling++;
  return true;
}

/* The couplings whose first axis is one of the device's. */
static bool take_couplings(brio_actuator *actuator, brio_device *device, const brio_actuator_options *options, brio_error *err) {
  device->couplings = BRIO_TAKE(&actuator->arena, brio_device_coupling, options->ncoupling + 1);
  if (!device->couplings) return no_memory(err);
  for (int i = 0; i < options->ncoupling; i++) {
    const brio_actuator_coupling *given = &options->couplings[i];
    int axis = given->count > 0 ? brio_actuator_find(actuator, given->axes[0], err) : -1;
    if (given->count > 0 && axis < 0) return brio_fail_in(err, "a coupling");
    if (channel_of(device, axis) >= 0 && !take_coupling(actuator, device, given, err)) return false;
  }
  return true;
}

/* The gains of the device's axes, where any is given. */
static bool take_gains(brio_actuator *actuator, brio_device *device, const brio_gains *given, brio_error *err) {
  bool any = false;
  brio_gains *gains = BRIO_TAKE(&actuator->arena, brio_gains, device->count + 1);
  if (!gains) return no_memory(err);
  for (int i = 0; i < device->count && given; i++) {
    const brio_gains *g = &given[device->axes[i]];
    gains[i] = *g;
    any = any || !(isnan(g->p) && isnan(g->i) && isnan(g->d) && isnan(g->velocity) && isnan(g->acceleration));
  }
  device->config.gains = any ? gains : NULL;
  return true;
}

/* The inputs that the device is to sense; `only`: also those that name no device. */
static bool take_inputs(brio_actuator *actuator, brio_device *device, const brio_actuator_options *options, bool only,
                        brio_error *err) {
  brio_driver_input own[BRIO_DRIVER_INPUTS];
  int count = 0;
  for (int i = 0; i < options->ninput; i++) {
    const brio_actuator_input *given = &options->inputs[i];
    if (given->device ? strcmp(given->device, device->name) != 0 : !only) continue;
    if (count == BRIO_DRIVER_INPUTS)
      return brio_fail(err, BRIO_LIMIT, "device '%.64s' may have %d inputs at most", device->name, BRIO_DRIVER_INPUTS);
    brio_actuator_sensed *input = &actuator->inputs[i];
    *input = (brio_actuator_sensed){.name = given->input.name, .device = actuator->ndevice, .place = count,
                                    .width = given->input.width, .panic = given->panic};
    for (int k = 0; k < BRIO_INPUT_NUMBERS; k++) input->state.values[k] = NAN;
    own[count++] = given->input;
  }
  if (!brio_device_take_inputs(device, &actuator->arena, own, count)) return no_memory(err);
  for (int i = 0; i < options->ninput; i++) {
    brio_actuator_sensed *input = &actuator->inputs[i];
    if (input->name && input->device == actuator->ndevice) input->name = device->config.inputs[input->place].name;
  }
  return true;
}

/* What the device is set to whenever it is opened. */
static bool take_config(brio_actuator *actuator, brio_device *device, const brio_actuator_options *options,
                        const brio_actuator_device *given, bool rest, brio_error *err) {
  double usual = device->kind->simulated ? 0 : BRIO_DEVICE_WATCHDOG;
  double watchdog = given->watchdog == 0 ? usual : given->watchdog;
  device->config.watchdog = watchdog > 0 && device->kind->watchdog ? watchdog : 0;
  device->config.limits = given->set_limits;
  return take_gains(actuator, device, options->gains, err) &&
         take_inputs(actuator, device, options, rest || options->ndevice == 1, err);
}

/* Open a device for the axes whose owner it is. */
static bool open_device(brio_actuator *actuator, const brio_actuator_options *options, const brio_actuator_device *given,
                        const int *owner, bool rest, brio_error *err) {
  int count = 0, number = actuator->ndevice;
  for (int i = 0; i < actuator->count; i++) count += owner[i] == number;
  brio_device *device = &actuator->devices[number];
  if (!brio_device_start(device, &actuator->arena, count)) return no_memory(err);
  device->name = brio_arena_text(&actuator->arena, given->name, strlen(given->name));
  if (!device->name) return no_memory(err);
  device->kind = given->kind;
  device->seed = options->seed;
  device->context = options->context;
  if (!take_settings(device, given->settings, given->nsetting, err)) return false;
  for (int i = 0, n = 0; i < actuator->count; i++) {
    if (owner[i] != number) continue;
    device->axes[n] = i;
    device->limits[n] = actuator->axes[i].limits;
    if (options->mappings) device->mappings[n] = options->mappings[i];
    n++;
  }
  if (!take_couplings(actuator, device, options, err) || !take_config(actuator, device, options, given, rest, err))
    return false;
  actuator->ndevice++;
  return brio_device_open(device, err);
}

/* Say for every axis which device it is of. */
static bool find_owners(brio_actuator *actuator, const brio_actuator_options *options, int *owner, brio_error *err) {
  for (int i = 0; i < actuator->count; i++) owner[i] = options->ndevice;
  for (int d = 0; d < options->ndevice; d++) {
    const brio_actuator_device *device = &options->devices[d];
    if (!device->name || !*device->name) return brio_fail(err, BRIO_MISUSE, "a device must have a name");
    for (int i = 0; i < device->count; i++) {
      int axis = brio_actuator_find(actuator, device->axes[i], err);
      if (axis < 0) return brio_fail_in(err, "device '%.64s'", device->name);
      if (owner[axis] != options->ndevice)
        return brio_fail(err, BRIO_MISUSE, "axis '%.64s' is of two devices, '%.64s' and '%.64s'", device->axes[i],
                         options->devices[owner[axis]].name, device->name);
      owner[axis] = d;
    }
  }
  return true;
}

static bool open_devices(brio_actuator *actuator, const brio_actuator_options *options, brio_error *err) {
  int rest = 0, *owner = BRIO_TAKE(&actuator->arena, int, actuator->count + 1);
  actuator->devices = BRIO_TAKE(&actuator->arena, brio_device, options->ndevice + 1);
  if (!owner || !actuator->devices) return no_memory(err);
  if (!find_owners(actuator, options, owner, err)) return false;
  for (int d = 0; d < options->ndevice; d++)
    if (!open_device(actuator, options, &options->devices[d], owner, false, err)) return false;
  for (int i = 0; i < actuator->count; i++) rest += owner[i] == options->ndevice;
  if (rest == 0 && options->ndevice > 0) return true;
  brio_actuator_device others = {.name = options->kind->name, .kind = options->kind, .settings = options->settings,
                                 .nsetting = options->nsetting, .watchdog = options->watchdog,
                                 .set_limits = options->set_limits};
  return open_device(actuator, options, &others, owner, true, err);
}

/* Every input must be of a device that is there, and have a name and a width of its own. */
static bool check_inputs(brio_actuator *actuator, const brio_actuator_options *options, brio_error *err) {
  actuator->inputs = BRIO_TAKE(&actuator->arena, brio_actuator_sensed, options->ninput + 1);
  if (!actuator->inputs) return no_memory(err);
  for (int i = 0; i < options->ninput; i++) {
    const brio_driver_input *input = &options->inputs[i].input;
    if (!input->name || !*input->name || !input->line)
      return brio_fail(err, BRIO_MISUSE, "an input of a device must have a name and a line");
    if (input->width != 1 && input->width != BRIO_INPUT_NUMBERS)
      return brio_fail(err, BRIO_MISUSE, "input '%.64s' must be one number or %d, not %d", input->name, BRIO_INPUT_NUMBERS,
                       input->width);
    for (int k = 0; k < i; k++)
      if (strcmp(input->name, options->inputs[k].input.name) == 0)
        return brio_fail(err, BRIO_MISUSE, "two inputs are named '%.64s'", input->name);
  }
  actuator->ninput = options->ninput;
  return true;
}

static bool check_owners_of_inputs(const brio_actuator *actuator, const brio_actuator_options *options, brio_error *err) {
  for (int i = 0; i < actuator->ninput; i++)
    if (!actuator->inputs[i].name)
      return brio_fail(err, BRIO_MISUSE, "input '%.64s': there is no device '%.64s'", options->inputs[i].input.name,
                       options->inputs[i].device ? options->inputs[i].device : "of its own");
  return true;
}

static bool fill(brio_actuator *actuator, const brio_actuator_options *options, brio_error *err) {
  if (options->count < 0 || options->count > MOST_AXES)
    return brio_fail(err, BRIO_MISUSE, "a device has up to %d axes, not %d", MOST_AXES, options->count);
  if (options->ngroup < 0 || options->ngroup > MOST_GROUPS)
    return brio_fail(err, BRIO_MISUSE, "a device has up to %d groups, not %d", MOST_GROUPS, options->ngroup);
  if (options->ninput < 0 || options->ninput > MOST_INPUTS)
    return brio_fail(err, BRIO_MISUSE, "devices have up to %d inputs, not %d", MOST_INPUTS, options->ninput);
  return take_axes(actuator, options, err) && take_groups(actuator, options, err) && check_inputs(actuator, options, err) &&
         open_devices(actuator, options, err) && check_owners_of_inputs(actuator, options, err);
}

brio_actuator *brio_actuator_open(const brio_actuator_options *options, brio_error *err) {
  brio_arena arena;
  brio_arena_start(&arena, BLOCK);
  brio_actuator *actuator = BRIO_TAKE(&arena, brio_actuator, 1);
  if (!actuator) {
    no_memory(err);
    brio_arena_end(&arena);
    return NULL;
  }
  actuator->arena = arena;
  actuator->seed = options->seed;
  if (fill(actuator, options, err)) return actuator;
  brio_actuator_close(actuator);
  return NULL;
}

void brio_actuator_close(brio_actuator *actuator) {
  if (!actuator) return;
  for (int i = 0; i < actuator->ndevice; i++) brio_device_close(&actuator->devices[i]);
  brio_name_index_end(&actuator->index);
  brio_arena arena = actuator->arena; /* the actuator itself lies in it */
  brio_arena_end(&arena);
}

const brio_driver_kind *brio_actuator_kind(const brio_actuator *actuator) { return actuator->devices[0].kind; }

brio_device *brio_actuator_devices(const brio_actuator *actuator, int *count) {
  *count = actuator->ndevice;
  return actuator->devices;
}

bool brio_actuator_simulated(const brio_actuator *actuator) {
  for (int i = 0; i < actuator->ndevice; i++)
    if (!actuator->devices[i].kind->simulated) return false;
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

static const char *axis_at(const void *list, int i) {
  const brio_actuator *actuator = list;
  return i < actuator->count ? actuator->axes[i].limits.name : NULL;
}

int brio_actuator_find(const brio_actuator *actuator, const char *name, brio_error *err) {
  int axis = brio_name_index_find(&actuator->index, name);
  char hint[96];
  if (axis < 0)
    brio_fail(err, BRIO_MISUSE, "there is no axis '%.64s'%s", name,
              brio_name_hint(name, axis_at, actuator, hint));
  return axis;
}

bool brio_actuator_set_target(brio_actuator *actuator, int axis, double target, brio_error *err) {
  if (axis < 0 || axis >= actuator->count)
    return brio_fail(err, BRIO_MISUSE, "there is no axis %d: there are %d", axis, actuator->count);
  const brio_axis *limits = &actuator->axes[axis].limits;
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
  if (!(limits->lower <= limits->upper && limits->lower >= opened->lower && limits->upper <= opened->upper))
    return brio_fail(err, BRIO_MISUSE, "axis '%.64s': its range may be within %g to %g, not %g to %g", opened->name,
                     opened->lower, opened->upper, limits->lower, limits->upper);
  if (!(limits->velocity > 0 && limits->velocity <= opened->velocity && limits->acceleration > 0 &&
        limits->acceleration <= opened->acceleration))
    return brio_fail(err, BRIO_MISUSE,
                     "axis '%.64s': its velocity may be up to %g and its acceleration up to %g, not %g and %g", opened->name,
                     opened->velocity, opened->acceleration, limits->velocity, limits->acceleration);
  which->limits.lower = limits->lower, which->limits.upper = limits->upper;
  which->limits.velocity = limits->velocity, which->limits.acceleration = limits->acceleration;
  which->target = brio_clamp(which->target, limits->lower, limits->upper);
  return true;
}

void brio_actuator_enable(brio_actuator *actuator, int axis, bool enabled) {
  if (axis < 0 || axis >= actuator->count) return;
  brio_actuator_axis *which = &actuator->axes[axis];
  if (enabled && !which->enabled) {
    which->command = brio_clamp(which->measured.position, which->limits.lower, which->limits.upper);
    which->target = which->command;
    which->command_velocity = 0;
  }
  which->enabled = enabled;
}

bool brio_actuator_power(brio_actuator *actuator, brio_error *err) {
  bool *on = (bool *)actuator->targets; /* room for as many doubles, written anew before each use */
  bool all = true;
  for (int i = 0; i < actuator->count; i++) on[i] = actuator->axes[i].enabled;
  for (int i = 0; i < actuator->ndevice; i++) all = brio_device_power(&actuator->devices[i], on, err) && all;
  return all;
}

void brio_actuator_slew(brio_actuator *actuator, int axis, bool slewed) {
  if (axis >= 0 && axis < actuator->count) actuator->axes[axis].slewed = slewed;
}

/* The acceleration to brake with: one that was tightened may be too little for the device's own end. */
static double braking(const brio_actuator_axis *axis) {
  double v = axis->command_velocity, a = axis->limits.acceleration;
  double room = v > 0 ? axis->opened.upper - axis->command : axis->command - axis->opened.lower;
  return v * v > 2 * a * room ? axis->opened.acceleration : a;
}

/* Move one command towards its target. */
static void advance(brio_actuator_axis *axis, double dt) {
  if (axis->slewed) {
    brio_slew(&axis->command, &axis->command_velocity, axis->target, axis->limits.velocity, braking(axis), dt);
    axis->command = brio_clamp(axis->command, axis->opened.lower, axis->opened.upper);
  } else {
    axis->command_velocity = dt > 0 ? (axis->target - axis->command) / dt : 0;
    axis->command = axis->target;
  }
}

/* Keep a failure of the device; return whether there was none. */
static bool keep(brio_actuator *actuator, bool well, const brio_error *problem, brio_error *err) {
  if (well) return true;
  actuator->error = *problem;
  actuator->failures += actuator->failures < INT_MAX;
  if (err) *err = *problem;
  return false;
}

/* Take what an axis reports, if it is fresh. */
static void take_report(brio_actuator_axis *axis, const brio_axis_state *fresh) {
  axis->measured.valid = fresh->valid && isfinite(fresh->position) && isfinite(fresh->velocity);
  if (axis->measured.valid) axis->measured = *fresh;
}

bool brio_actuator_write(brio_actuator *actuator, double dt, brio_error *err) {
  brio_error problem = {.code = BRIO_DEVICE, .message = "the device took no targets"};
  for (int i = 0; i < actuator->count; i++) {
    brio_actuator_axis *axis = &actuator->axes[i];
    if (axis->enabled) advance(axis, dt);
    actuator->targets[i] = axis->enabled ? axis->command : NAN;
  }
  bool all = true;
  for (int i = 0; i < actuator->ndevice; i++) {
    bool well = brio_device_write(&actuator->devices[i], actuator->targets, NULL, &problem);
    all = keep(actuator, well, &problem, err) && all;
  }
  return all;
}

void brio_actuator_step(brio_actuator *actuator, double dt) {
  for (int i = 0; i < actuator->ndevice; i++) brio_device_pass(&actuator->devices[i], dt);
  brio_actuator_detect(actuator, NULL, 0); /* what is watched moves on, too */
}

bool brio_actuator_read(brio_actuator *actuator, brio_error *err) {
  brio_error problem = {.code = BRIO_DEVICE, .message = "the device reports nothing"};
  bool all = true;
  for (int d = 0; d < actuator->ndevice; d++) {
    brio_device *device = &actuator->devices[d];
    bool well = brio_device_read(device, &problem);
    for (int i = 0; i < device->count; i++) take_report(&actuator->axes[device->axes[i]], &device->states[i]);
    all = keep(actuator, well, &problem, err) && all;
  }
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
  actuator->inputs[input].state = *state;
}

void brio_actuator_note(brio_actuator *actuator, int axis, double command, double velocity, const brio_axis_state *state) {
  actuator->axes[axis].command = command;
  actuator->axes[axis].command_velocity = velocity;
  take_report(&actuator->axes[axis], state);
}

void brio_actuator_note_failures(brio_actuator *actuator, const brio_error *newest, int count) {
  actuator->error = *newest;
  actuator->failures = count;
}

/* Mark the channels of a device that a name stands for: the device, a group, an axis, or all. */
static bool mark(const brio_actuator *actuator, const brio_device *device, const char *whom, bool *strikes) {
  bool any = false, whole = strcmp(whom, "all") == 0 || strcmp(whom, device->name) == 0;
  for (int i = 0; i < device->count; i++) strikes[i] = whole || strcmp(device->limits[i].name, whom) == 0;
  for (int g = 0; g < actuator->ngroup; g++)
    for (int i = 0; i < actuator->groups[g].count && strcmp(actuator->groups[g].name, whom) == 0; i++) {
      int channel = channel_of(device, actuator->groups[g].axes[i]);
      if (channel >= 0) strikes[channel] = true;
    }
  for (int i = 0; i < device->count; i++) any = any || strikes[i];
  return any;
}

bool brio_actuator_fault(brio_actuator *actuator, const char *sentence, brio_error *err) {
  bool any = false, *strikes = BRIO_TAKE(&actuator->arena, bool, actuator->count + 1);
  char hint[96];
  brio_fault fault;
  if (!strikes) return no_memory(err);
  if (!brio_fault_parse(sentence, &fault, err)) return false;
  for (int d = 0; d < actuator->ndevice; d++) {
    brio_device *device = &actuator->devices[d];
    if (!mark(actuator, device, fault.whom, strikes)) continue;
    if (device->nfault == BRIO_DEVICE_FAULTS) return brio_fail(err, BRIO_LIMIT, "a device has at most %d faults", BRIO_DEVICE_FAULTS);
    brio_fault *slot = &device->faults[device->nfault];
    *slot = fault;
    if (!brio_fault_start(slot, strikes, device->count, actuator->seed, err)) return false;
    device->nfault++;
    any = true;
  }
  return any || brio_fail(err, BRIO_MISUSE, "fault '%s': there is no device, group or axis '%s'%s", fault.kind->name, fault.whom,
                          brio_name_hint(fault.whom, axis_at, actuator, hint));
}

bool brio_actuator_run(brio_actuator *actuator, double dt, brio_error *err) {
  if (!(dt > 0)) return brio_actuator_read(actuator, err);
  dt = fmin(dt, LONGEST_RUN);
  int n = (int)ceil(dt / RUN_STEP - 1e-9);
  bool well = true;
  for (int k = 0; k < n && well; k++) {
    well = brio_actuator_write(actuator, dt / n, err);
    brio_actuator_step(actuator, dt / n);
    well = brio_actuator_read(actuator, err) && well;
  }
  return well;
}

int brio_actuator_detect(brio_actuator *actuator, brio_detection *out, int most) {
  int seen = 0;
  for (int i = 0; i < actuator->ndevice && seen <= most; i++) {
    const brio_device *device = &actuator->devices[i];
    if (device->kind->detect) seen += device->kind->detect(device->handle, seen > 0 ? out + seen : out, most - seen);
  }
  return seen;
}

const brio_error *brio_actuator_error(const brio_actuator *actuator, int *count) {
  if (count) *count = actuator->failures;
  return &actuator->error;
}
