/* Opening an actuator: axes, groups, devices with their settings, couplings, gains and inputs, each
** checked against the others.  All memory is from one arena, so a failure gives it back as a whole. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/actuator/actuator_internal.h"
#include "math/scalar.h"

/* Limits of the options, and bytes of an arena block. */
enum { MOST_AXES = 4096, MOST_GROUPS = 4096, MOST_INPUTS = 1024, BLOCK = 16384 };

#define SHORT 0.01 /* of an axis's range */

/* Report that an allocation failed.  Return false. */
static bool no_memory(brio_error *err) {
  return brio_fail(err, BRIO_NO_MEMORY, "no memory to open a device");
}

/* Names for hints on misspelt settings. */
static const char *text_at(const void *texts, int i) { return ((const brio_driver_text *)texts)[i].name; }

/* List the driver's number settings, likewise. */
static const char *setting_at(const void *settings, int i) {
  return ((const brio_driver_setting *)settings)[i].name;
}

/* Store a text setting.  Return false if the driver has no text of that name. */
static bool take_text(brio_device *device, const brio_actuator_setting *given) {
  const brio_driver_text *texts = device->kind->texts;
  for (int i = 0; texts && texts[i].name; i++) {
    if (strcmp(texts[i].name, given->name) != 0) continue;
    /* A number in place of a text is written as a number. */
    if (given->text) snprintf(device->texts[i], sizeof device->texts[i], "%s", given->text);
    else snprintf(device->texts[i], sizeof device->texts[i], "%.15g", given->value);
    return true;
  }
  return false;
}

/* Store a setting: a text, or a number within the driver's range. */
static bool take_setting(brio_device *device, const brio_actuator_setting *given, brio_error *err) {
  const brio_driver_kind *kind = device->kind;
  double *values = device->settings;
  if (given->text && strlen(given->text) >= BRIO_DEVICE_TEXT)
    return brio_fail(err, BRIO_MISUSE, "driver '%s': %.64s may have at most %d bytes, not %zu", kind->name,
                     given->name, BRIO_DEVICE_TEXT - 1, strlen(given->text));
  if (take_text(device, given)) return true;
  /* Not a text: a number within the driver's range. */
  for (int i = 0; kind->settings && kind->settings[i].name; i++) {
    const brio_driver_setting *setting = &kind->settings[i];
    if (strcmp(setting->name, given->name) != 0) continue;
    if (given->text)
      return brio_fail(err, BRIO_MISUSE, "driver '%s': %s must be a number, not '%.64s'", kind->name,
                       setting->name, given->text);
    /* Numbers are checked against the driver's range. */
    values[i] = given->value;
    if (given->value >= setting->lower && given->value <= setting->upper) return true;
    return brio_fail(err, BRIO_MISUSE, "driver '%s': %s must be a number from %g to %g (%s), not %g",
                     kind->name, setting->name, setting->lower, setting->upper, setting->unit, given->value);
  }
  /* No such setting: suggest the nearest name. */
  char hint[96] = "";
  if (kind->texts) brio_name_hint(given->name, text_at, kind->texts, hint);
  if (kind->settings && !hint[0]) brio_name_hint(given->name, setting_at, kind->settings, hint);
  return brio_fail(err, BRIO_MISUSE, "driver '%s' has no setting '%.64s'%s", kind->name, given->name, hint);
}

/* Start from the driver's defaults, then apply the given settings. */
static bool take_settings(brio_device *device, const brio_actuator_setting *given, int count,
                          brio_error *err) {
  const brio_driver_setting *settings = device->kind->settings;
  const brio_driver_text *texts = device->kind->texts;
  /* Defaults first: each driver lists its settings and texts with a fallback. */
  for (int i = 0; settings && settings[i].name && i < BRIO_DEVICE_SETTINGS; i++)
    device->settings[i] = settings[i].fallback;
  for (int i = 0; texts && texts[i].name && i < BRIO_DRIVER_TEXTS; i++) {
    snprintf(device->texts[i], sizeof device->texts[i], "%s", texts[i].fallback);
    device->text_list[i] = device->texts[i];
  }
  /* Drivers with text settings receive these in place of a context. */
  if (texts) device->context = device->text_list;
  for (int i = 0; i < count; i++)
    if (!take_setting(device, &given[i], err)) return false;
  return true;
}

/* Copy the axes into the arena and index them by name.  Names must be unique. */
static bool take_axes(brio_actuator *actuator, const brio_actuator_options *options, brio_error *err) {
  /* One more than needed, so that no size is 0. */
  actuator->axes = BRIO_TAKE(&actuator->arena, brio_actuator_axis, options->count + 1);
  actuator->targets = BRIO_TAKE(&actuator->arena, double, options->count + 1);
  if (!actuator->axes || !actuator->targets) return no_memory(err);
  if (!brio_name_index_start(&actuator->index, options->count)) return no_memory(err);
  /* An axis starts enabled, its target at its start position, clamped to its limits. */
  for (int i = 0; i < options->count; i++) {
    const brio_axis *given = &options->axes[i];
    brio_actuator_axis *axis = &actuator->axes[i];
    if (!brio_axis_check(given, err)) return false;
    /* Copy the limits; the name moves into the arena and must be unique. */
    axis->limits = *given;
    axis->limits.name = brio_arena_text(&actuator->arena, given->name, strlen(given->name));
    if (!axis->limits.name) return no_memory(err);
    if (!brio_name_index_add(&actuator->index, axis->limits.name, i))
      return brio_fail(err, BRIO_MISUSE, "two axes are named '%.64s'", given->name);
    /* Nothing is measured yet: assume the start position. */
    axis->target = axis->command = brio_clamp(given->start, given->lower, given->upper);
    axis->measured.position = axis->command;
    axis->limits.start = axis->command;
    axis->opened = axis->limits;
    axis->motor_lower = axis->motor_upper = NAN;
    axis->enabled = axis->slewed = true;
    axis->grip = options->grips && options->grips[i];
    axis->impedance = options->impedances ? options->impedances[i] : brio_impedance_none;
    actuator->count++;
  }
  return true;
}

/* Copy a group; its members become numbers of axes. */
static bool take_group(brio_actuator *actuator, const brio_actuator_group *given,
                       brio_actuator_members *group, brio_error *err) {
  if (!given->name || !*given->name || given->count < 0)
    return brio_fail(err, BRIO_MISUSE, "a group of axes must have a name");
  int *axes = BRIO_TAKE(&actuator->arena, int, given->count + 1);
  group->name = brio_arena_text(&actuator->arena, given->name, strlen(given->name));
  if (!axes || !group->name) return no_memory(err);
  /* Every name must be an axis. */
  for (int i = 0; i < given->count; i++) {
    axes[i] = brio_actuator_find(actuator, given->axes[i], err);
    if (axes[i] < 0) return brio_fail_in(err, "group '%.64s'", given->name);
  }
  group->axes = axes;
  group->count = given->count;
  return true;
}

/* Order groups by name: equal names become neighbors. */
static int by_name(const void *a, const void *b) {
  return strcmp(((const brio_actuator_members *)a)->name, ((const brio_actuator_members *)b)->name);
}

/* Copy the groups, sorted by name.  Names must be unique. */
static bool take_groups(brio_actuator *actuator, const brio_actuator_options *options, brio_error *err) {
  actuator->groups = BRIO_TAKE(&actuator->arena, brio_actuator_members, options->ngroup + 1);
  if (!actuator->groups) return no_memory(err);
  /* Copy first, then sort and look for duplicates in O(n log n). */
  for (int i = 0; i < options->ngroup; i++)
    if (!take_group(actuator, &options->groups[i], &actuator->groups[i], err)) return false;
  actuator->ngroup = options->ngroup;
  qsort(actuator->groups, (size_t)actuator->ngroup, sizeof *actuator->groups, by_name);
  for (int i = 1; i < actuator->ngroup; i++)
    if (strcmp(actuator->groups[i - 1].name, actuator->groups[i].name) == 0)
      return brio_fail(err, BRIO_MISUSE, "two groups are named '%.64s'", actuator->groups[i].name);
  return true;
}

/* Copy a coupling.  Its axes must be channels of this device, each at most once. */
static bool take_coupling(brio_actuator *actuator, brio_device *device, const brio_actuator_coupling *given,
                          brio_error *err) {
  brio_device_coupling *c = &device->couplings[device->ncoupling];
  /* The matrix must have an inverse: reports are converted back. */
  if (!brio_coupling_start(&c->coupling, given->matrix, given->count, err)) return false;
  for (int i = 0; i < given->count; i++) {
    int axis = brio_actuator_find(actuator, given->axes[i], err);
    if (axis < 0) return brio_fail_in(err, "a coupling");
    c->channels[i] = brio_device_channel(device, axis);
    if (c->channels[i] < 0)
      /* Motors of other devices cannot be moved together. */
      return brio_fail(err, BRIO_MISUSE,
                       "the axes of a coupling must be of one device: '%.64s' is not of '%.64s'",
                       given->axes[i], device->name);
    /* At most BRIO_COUPLING_MOST axes, so all pairs may be compared. */
    for (int j = 0; j < i; j++)
      if (c->channels[j] == c->channels[i])
        return brio_fail(err, BRIO_MISUSE, "a coupling names '%.64s' twice", given->axes[i]);
  }
  device->ncoupling++;
  return true;
}

/* Collect the couplings whose first axis belongs to the device. */
static bool take_couplings(brio_actuator *actuator, brio_device *device, const brio_actuator_options *options,
                           brio_error *err) {
  device->couplings = BRIO_TAKE(&actuator->arena, brio_device_coupling, options->ncoupling + 1);
  if (!device->couplings) return no_memory(err);
  for (int i = 0; i < options->ncoupling; i++) {
    const brio_actuator_coupling *given = &options->couplings[i];
    int axis = given->count > 0 ? brio_actuator_find(actuator, given->axes[0], err) : -1;
    /* A name that is no axis of any device is an error. */
    if (given->count > 0 && axis < 0) return brio_fail_in(err, "a coupling");
    if (brio_device_channel(device, axis) >= 0 && !take_coupling(actuator, device, given, err)) return false;
  }
  return true;
}

/* Collect the gains of the device's axes, if any is given.  NaN: left as it is. */
static bool take_gains(brio_actuator *actuator, brio_device *device, const brio_gains *given,
                       brio_error *err) {
  bool any = false;
  brio_gains *gains = BRIO_TAKE(&actuator->arena, brio_gains, device->count + 1);
  if (!gains) return no_memory(err);
  /* In the order of the device's channels. */
  for (int i = 0; i < device->count && given; i++) {
    const brio_gains *g = &given[device->axes[i]];
    gains[i] = *g;
    any = any || !(isnan(g->p) && isnan(g->i) && isnan(g->d) && isnan(g->velocity) && isnan(g->acceleration));
  }
  /* A simulated device without a controller ignores gains. */
  bool moot = device->kind->simulated && !device->kind->configure;
  device->config.gains = any && !moot ? gains : NULL;
  return true;
}

/* Collect the inputs of the device; `only`: also those that name no device. */
static bool take_inputs(brio_actuator *actuator, brio_device *device, const brio_actuator_options *options,
                        bool only, brio_error *err) {
  /* Collect first: the device copies the list as a whole. */
  brio_driver_input own[BRIO_DRIVER_INPUTS];
  int count = 0;
  for (int i = 0; i < options->ninput; i++) {
    const brio_actuator_input *given = &options->inputs[i];
    /* Skip inputs that a device has already, and those of other devices. */
    if (actuator->inputs[i].name || (given->device ? strcmp(given->device, device->name) != 0 : !only))
      continue;
    /* Faults mark inputs as bits of 32. */
    if (count == BRIO_DRIVER_INPUTS)
      return brio_fail(err, BRIO_LIMIT, "device '%.64s' may have %d inputs at most", device->name,
                       BRIO_DRIVER_INPUTS);
    /* Unknown until the first report. */
    brio_actuator_sensed *input = &actuator->inputs[i];
    *input = (brio_actuator_sensed){.name = given->input.name, .device = actuator->ndevice, .place = count,
                                    .width = given->input.width, .panic = given->panic};
    for (int k = 0; k < BRIO_INPUT_NUMBERS; k++) input->state.values[k] = NAN;
    own[count++] = given->input;
  }
  /* From here on the names are the device's copies. */
  if (!brio_device_take_inputs(device, &actuator->arena, own, count)) return no_memory(err);
  /* Replace the caller's names by the copies. */
  for (int i = 0; i < options->ninput; i++) {
    brio_actuator_sensed *input = &actuator->inputs[i];
    if (input->name && input->device == actuator->ndevice)
      input->name = device->config.inputs[input->place].name;
  }
  return true;
}

/* Set the configuration that each opening applies.  Hardware gets a watchdog unless none is wanted. */
static bool take_config(brio_actuator *actuator, brio_device *device, const brio_actuator_options *options,
                        const brio_actuator_device *given, bool rest, brio_error *err) {
  /* 0: the default; below 0: no watchdog. */
  double usual = device->kind->simulated ? 0 : BRIO_DEVICE_WATCHDOG;
  double watchdog = given->watchdog == 0 ? usual : given->watchdog;
  device->config.watchdog = watchdog > 0 && device->kind->watchdog ? watchdog : 0;
  device->config.limits = given->set_limits;
  return take_gains(actuator, device, options->gains, err) &&
         take_inputs(actuator, device, options, rest || options->ndevice == 1, err);
}

/* Whether a channel is one of those that motors move together. */
static bool is_coupled(const brio_device *device, int channel) {
  for (int k = 0; k < device->ncoupling; k++)
    for (int i = 0; i < device->couplings[k].coupling.count; i++)
      if (device->couplings[k].channels[i] == channel) return true;
  return false;
}

/* Note which motors do not go as far as their axes, by more than SHORT of an axis's range. */
static void note_ranges(brio_actuator *actuator, const brio_device *device) {
  for (int i = 0; i < device->count; i++) {
    brio_actuator_axis *axis = &actuator->axes[device->axes[i]];
    double lower = device->channels[i].lower, upper = device->channels[i].upper;
    double slack = SHORT * (axis->opened.upper - axis->opened.lower);
    if (!isfinite(slack) || is_coupled(device, i)) continue;
    /* Of a mapping that falls, the lower end of the motor is the upper one of the axis. */
    if (device->handle && device->kind->range) device->kind->range(device->handle, i, &lower, &upper);
    double a = brio_mapping_inverse(&device->mappings[i], lower);
    double b = brio_mapping_inverse(&device->mappings[i], upper);
    if (fmin(a, b) <= axis->opened.lower + slack && fmax(a, b) >= axis->opened.upper - slack) continue;
    /* The motor does not reach an end of its axis: keep how far it goes. */
    axis->motor_lower = fmin(a, b);
    axis->motor_upper = fmax(a, b);
  }
}

/* Open a device for the axes whose owner it is. */
static bool open_device(brio_actuator *actuator, const brio_actuator_options *options,
                        const brio_actuator_device *given, const int *owner, bool rest, brio_error *err) {
  /* Count its channels first: the arrays are of fixed size. */
  int count = 0, number = actuator->ndevice;
  assert(number >= 0 && number <= options->ndevice);
  for (int i = 0; i < actuator->count; i++) count += owner[i] == number;
  brio_device *device = &actuator->devices[number];
  if (!brio_device_start(device, &actuator->arena, count)) return no_memory(err);
  device->name = brio_arena_text(&actuator->arena, given->name, strlen(given->name));
  if (!device->name) return no_memory(err);
  /* The driver gets the run's seed, so that simulated devices repeat. */
  device->kind = given->kind;
  device->seed = options->seed;
  device->context = options->context;
  if (!take_settings(device, given->settings, given->nsetting, err)) return false;
  /* Channels have the order of the actuator's axes. */
  for (int i = 0, n = 0; i < actuator->count; i++) {
    if (owner[i] != number) continue;
    device->axes[n] = i;
    device->limits[n] = actuator->axes[i].limits;
    if (options->mappings) device->mappings[n] = options->mappings[i];
    if (options->steps) device->steps[n] = brio_grid_of(options->steps[i]);
    n++;
  }
  if (!take_couplings(actuator, device, options, err) ||
      !brio_device_take_impedances(device, &actuator->arena, options->impedances, err) ||
      !take_config(actuator, device, options, given, rest, err))
    return false;
  /* Counted before it is opened, so that a failure closes it with the others. */
  actuator->ndevice++;
  if (!brio_device_open_soon(device, &actuator->arena, err)) return false;
  note_ranges(actuator, device);
  return true;
}

/* Find the device of each axis.  Unassigned axes belong to options->kind (number ndevice). */
static bool find_owners(brio_actuator *actuator, const brio_actuator_options *options, int *owner,
                        brio_error *err) {
  for (int i = 0; i < actuator->count; i++) owner[i] = options->ndevice;
  /* Each device lists its axes by name. */
  for (int d = 0; d < options->ndevice; d++) {
    const brio_actuator_device *device = &options->devices[d];
    if (!device->name || !*device->name) return brio_fail(err, BRIO_MISUSE, "a device must have a name");
    /* An axis belongs to one device at most. */
    for (int i = 0; i < device->count; i++) {
      int axis = brio_actuator_find(actuator, device->axes[i], err);
      if (axis < 0) return brio_fail_in(err, "device '%.64s'", device->name);
      if (owner[axis] != options->ndevice)
        return brio_fail(err, BRIO_MISUSE, "axis '%.64s' is of two devices, '%.64s' and '%.64s'",
                         device->axes[i], options->devices[owner[axis]].name, device->name);
      owner[axis] = d;
    }
  }
  return true;
}

/* Open the named devices, then one more for the remaining axes. */
static bool open_devices(brio_actuator *actuator, const brio_actuator_options *options, brio_error *err) {
  int rest = 0, *owner = BRIO_TAKE(&actuator->arena, int, actuator->count + 1);
  actuator->devices = BRIO_TAKE(&actuator->arena, brio_device, options->ndevice + 1);
  if (!owner || !actuator->devices) return no_memory(err);
  if (!find_owners(actuator, options, owner, err)) return false;
  /* Devices are opened in the order given, which is their order in the actuator. */
  for (int d = 0; d < options->ndevice; d++)
    if (!open_device(actuator, options, &options->devices[d], owner, false, err)) return false;
  /* Without named devices there is one in any case, even with no axes. */
  for (int i = 0; i < actuator->count; i++) rest += owner[i] == options->ndevice;
  if (rest == 0 && options->ndevice > 0) return true;
  brio_actuator_device others = {.name = options->kind->name,
                                 .kind = options->kind,
                                 .settings = options->settings,
                                 .nsetting = options->nsetting,
                                 .watchdog = options->watchdog,
                                 .set_limits = options->set_limits};
  return open_device(actuator, options, &others, owner, true, err);
}

/* Check that each input has a line, a valid width and a unique name. */
static bool check_inputs(brio_actuator *actuator, const brio_actuator_options *options, brio_error *err) {
  actuator->inputs = BRIO_TAKE(&actuator->arena, brio_actuator_sensed, options->ninput + 1);
  if (!actuator->inputs) return no_memory(err);
  for (int i = 0; i < options->ninput; i++) {
    const brio_driver_input *input = &options->inputs[i].input;
    /* Fields first, then the name against all earlier ones. */
    if (!input->name || !*input->name || !input->line)
      return brio_fail(err, BRIO_MISUSE, "an input of a device must have a name and a line");
    if (input->width != 1 && input->width != BRIO_INPUT_NUMBERS)
      return brio_fail(err, BRIO_MISUSE, "input '%.64s' must be one number or %d, not %d", input->name,
                       BRIO_INPUT_NUMBERS, input->width);
    /* O(n^2), for a few inputs. */
    for (int k = 0; k < i; k++)
      if (strcmp(input->name, options->inputs[k].input.name) == 0)
        return brio_fail(err, BRIO_MISUSE, "two inputs are named '%.64s'", input->name);
  }
  actuator->ninput = options->ninput;
  return true;
}

/* An input that still has no device names one that does not exist. */
static bool check_owners_of_inputs(const brio_actuator *actuator, const brio_actuator_options *options,
                                   brio_error *err) {
  for (int i = 0; i < actuator->ninput; i++)
    if (!actuator->inputs[i].name)
      return brio_fail(err, BRIO_MISUSE, "input '%.64s': there is no device '%.64s'",
                       options->inputs[i].input.name,
                       options->inputs[i].device ? options->inputs[i].device : "of its own");
  return true;
}

/* Check the sizes, then build the parts in the order of their dependencies. */
static bool fill(brio_actuator *actuator, const brio_actuator_options *options, brio_error *err) {
  if (options->count < 0 || options->count > MOST_AXES)
    return brio_fail(err, BRIO_MISUSE, "a device has up to %d axes, not %d", MOST_AXES, options->count);
  if (options->ngroup < 0 || options->ngroup > MOST_GROUPS)
    return brio_fail(err, BRIO_MISUSE, "a device has up to %d groups, not %d", MOST_GROUPS, options->ngroup);
  if (options->ninput < 0 || options->ninput > MOST_INPUTS)
    return brio_fail(err, BRIO_MISUSE, "devices have up to %d inputs, not %d", MOST_INPUTS, options->ninput);
  return take_axes(actuator, options, err) && take_groups(actuator, options, err) &&
         check_inputs(actuator, options, err) && open_devices(actuator, options, err) &&
         check_owners_of_inputs(actuator, options, err);
}

brio_actuator *brio_actuator_open(const brio_actuator_options *options, brio_error *err) {
  brio_arena arena;
  /* Everything lies in one arena; the actuator owns it from here on. */
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
  /* On failure close what is open already. */
  brio_actuator_close(actuator);
  return NULL;
}
