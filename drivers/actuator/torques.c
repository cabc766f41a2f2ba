/* Axes of a device whose motors control their torque: impedances of the motor side become commands in the
** motors' units, and whatever they are, what is sent is within the limits of the robot's file.
**
** With m = s x + b (a linear mapping) a power is the same on both sides, so of a motor
**   torque = torque / s,   stiffness = stiffness / s^2,   damping = damping / s^2,   limit = limit / |s|.
** Everything is O(axes), and nothing allocates after opening. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "drivers/actuator/device.h"

/* Invariant: an axis without impedance has a limit of NAN in all three lists. */
typedef struct brio_device_torques {
  brio_impedance *hard;             /* count: the greatest, in the axes' units */
  brio_impedance *motors;           /* count: the same in the motors' units, for the driver */
  brio_impedance *wanted;           /* count: the newest of the motor side, in the axes' units */
  brio_impedance_command *commands; /* count: scratch */
  int64_t guarded;
} brio_device_torques;

/* Return the motor's units for one of the axis. */
static double slope(const brio_device *device, int i) {
  const brio_mapping *mapping = &device->mappings[i];
  return mapping->polarity * mapping->scale;
}

/* In the units of a motor with slope s. */
static brio_impedance to_motor(const brio_impedance *axis, double s) {
  return (brio_impedance){axis->stiffness / (s * s), axis->damping / (s * s), axis->torque / s,
                          axis->limit / fabs(s)};
}

void brio_device_map_impedances(brio_device *device) {
  brio_device_torques *torques = device->torques;
  if (!torques) return;
  for (int i = 0; i < device->count; i++) torques->motors[i] = to_motor(&torques->hard[i], slope(device, i));
}

/* Check one that has a limit. */
static bool check(const brio_device *device, int i, const brio_impedance *hard, brio_error *err) {
  const char *name = device->limits[i].name, *fault = brio_impedance_fault(hard);
  if (fault) return brio_fail(err, BRIO_MISUSE, "control of '%.64s': %s", name, fault);
  if (!device->kind->write_impedances)
    return brio_fail(err, BRIO_MISUSE,
                     "control of '%.64s': the driver '%s' of device '%.64s' takes positions alone", name,
                     device->kind->name, device->name);
  if (strcmp(device->mappings[i].kind->name, "linear") != 0)
    return brio_fail(err, BRIO_MISUSE, "control of '%.64s': torques need a linear mapping of its motor",
                     name);
  for (int k = 0; k < device->ncoupling; k++)
    for (int n = 0; n < device->couplings[k].coupling.count; n++)
      if (device->couplings[k].channels[n] == i)
        return brio_fail(err, BRIO_MISUSE, "control of '%.64s': several motors move it together", name);
  return true;
}

bool brio_device_take_impedances(brio_device *device, brio_arena *arena, const brio_impedance *impedances,
                                 brio_error *err) {
  bool any = false;
  for (int i = 0; i < device->count && impedances; i++)
    any = any || brio_impedance_is(&impedances[device->axes[i]]);
  if (!any) return true;
  /* Most devices have none: memory is taken here. */
  brio_device_torques *torques = BRIO_TAKE(arena, brio_device_torques, 1);
  size_t n = (size_t)device->count;
  if (torques) {
    torques->hard = BRIO_TAKE(arena, brio_impedance, n);
    torques->motors = BRIO_TAKE(arena, brio_impedance, n);
    torques->wanted = BRIO_TAKE(arena, brio_impedance, n);
    torques->commands = BRIO_TAKE(arena, brio_impedance_command, n);
  }
  if (!torques || !torques->hard || !torques->motors || !torques->wanted || !torques->commands)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for device '%.64s'", device->name);
  for (int i = 0; i < device->count; i++) {
    const brio_impedance *hard = &impedances[device->axes[i]];
    bool is = brio_impedance_is(hard);
    if (is && !check(device, i, hard, err)) return false;
    torques->hard[i] = torques->wanted[i] = is ? *hard : brio_impedance_none;
    /* Feed-forward begins with the first command. */
    torques->wanted[i].torque = 0;
  }
  device->torques = torques;
  brio_device_map_impedances(device);
  device->config.impedances = torques->motors;
  return true;
}

void brio_device_impede(brio_device *device, const brio_impedance *impedances) {
  brio_device_torques *torques = device->torques;
  for (int i = 0; torques && i < device->count; i++)
    if (brio_impedance_is(&torques->hard[i])) torques->wanted[i] = impedances[device->axes[i]];
}

int64_t brio_device_guarded(const brio_device *device) {
  return device->torques ? device->torques->guarded : 0;
}

double brio_device_torque_of(const brio_device *device, int channel, double torque) {
  return torque * slope(device, channel);
}

/* The command of one axis, guarded by what it last reported; in the motor's units. `speed`: NaN if there is
** none. */
static brio_impedance_command command_of(brio_device *device, int i, double speed) {
  brio_device_torques *torques = device->torques;
  const brio_axis_state *state = &device->states[i];
  double s = slope(device, i), target = device->targets[i];
  if (!brio_impedance_is(&torques->hard[i]))
    return (brio_impedance_command){brio_impedance_none, target, speed * s};
  /* Without a speed the damping acts against all motion. */
  brio_impedance_command command = {to_motor(&torques->wanted[i], s), target, isnan(speed) ? 0 : speed * s};
  double position = state->valid ? brio_mapping_forward(&device->mappings[i], state->position) : NAN;
  torques->guarded += brio_impedance_guard(&command, &torques->motors[i], position, state->velocity * s);
  return command;
}

bool brio_device_send_impedances(brio_device *device, const double *speeds, brio_error *err) {
  assert(device->torques && device->kind->write_impedances);
  for (int i = 0; i < device->count; i++)
    device->torques->commands[i] = command_of(device, i, speeds ? speeds[device->axes[i]] : NAN);
  return device->kind->write_impedances(device->handle, device->torques->commands, err);
}
