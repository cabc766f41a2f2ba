/* Drives in cyclic synchronous torque (mode 10 of CiA 402): once a cycle a target torque (6071) for
** spring and damper, and a torque offset (60B2) for the feed-forward, both in thousandths of the rated
** torque (6076).  Their sum is within the limit of the robot's file, which the drive has, too (6072).  A
** drive keeps its last torque when no more come, so it must hear the host's heartbeat: without it, it
** stops quickly.  Source: CiA 402 as vendors' manuals print it. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/cia402/axes.h"
#include "drivers/torques.h"
#include "math/scalar.h"

/* The largest number of thousandths, of 16 bits with sign. */
enum { MOST = 32767 };

bool brio_cia402_take_torques(brio_cia402_axes *self, const char *text, brio_error *err) {
  const char *at = text + strspn(text, ", ");
  if (*at && !self->link->guards)
    return brio_fail(err, BRIO_MISUSE, "torques need a CAN bus: on a serial line drives have no watchdog, "
                                       "and would keep their last torque when nobody speaks");
  while (*at) {
    int node, i = 0;
    double rated;
    const char *next = brio_exchange_pair(at, BRIO_CANOPEN_NODES, 1e5, &node, &rated);
    if (!next)
      return brio_fail(err, BRIO_MISUSE,
                       "torques must be nodes with the N m (from above 0 to 100000) of "
                       "their rated torque at the axis, as in \"1:12.5,2:12.5\", not '%.80s'",
                       text);
    while (i < self->count && self->all[i].node != node) i++;
    if (i == self->count)
      return brio_fail(err, BRIO_MISUSE, "node %d of torques is none of the axes'", node);
    self->all[i].drives = true;
    self->all[i].rated = rated;
    self->all[i].command.impedance = brio_impedance_none;
    at = next;
  }
  return true;
}

int brio_cia402_mode(const brio_cia402_axes *self, const brio_cia402_axis *axis) {
  return axis->drives ? BRIO_CIA402_TORQUE : self->mode;
}

bool brio_cia402_set_torques(brio_cia402_axes *self, const brio_driver_config *config, brio_error *err) {
  const brio_torques_words words = {"node", "", "N m"};
  for (int i = 0; i < self->count; i++) {
    const brio_cia402_axis *axis = &self->all[i];
    if (!brio_torques_check(&words, axis->node, axis->drives, config, i, config->watchdog > 0, err))
      return false;
    if (!axis->drives) continue;
    /* 6072: the drive's own limit.  One that has none is refused: it is the last word. */
    double most = floor(brio_clamp(1000 * config->impedances[i].limit / axis->rated, 0, MOST));
    if (most < 1)
      return brio_fail(err, BRIO_MISUSE,
                       "node %d: a limit of %g N m is less than a thousandth of its rated torque, %g N m",
                       axis->node, config->impedances[i].limit, axis->rated);
    if (!self->link->write(self, i, 0x6072, 0, (int32_t)most, 2, err)) return false;
  }
  return true;
}

bool brio_cia402_rest_torque(brio_cia402_axes *self, int i, brio_error *err) {
  brio_cia402_axis *axis = &self->all[i];
  axis->command.impedance = brio_impedance_none;
  return self->link->write(self, i, 0x6071, 0, 0, 2, err) &&
         (!axis->offset || self->link->write(self, i, 0x60B2, 0, 0, 2, err));
}

/* In thousandths of the rated torque, towards 0, so that a limit stays one. */
static int thousandths(const brio_cia402_axis *axis, double torque) {
  return (int)brio_clamp(1000 * torque / axis->rated, -MOST, MOST);
}

int brio_cia402_torque_data(const brio_cia402_axis *axis, int control, uint8_t *data) {
  const brio_impedance *impedance = &axis->command.impedance;
  assert(axis->drives && axis->rated > 0);
  /* Without a command, or with an unknown position, there is no torque. */
  bool known = brio_impedance_is(impedance) && axis->fresh;
  double target = brio_clamp(axis->command.target, axis->lower, axis->upper), speed = axis->command.speed;
  int all = 0, offset = 0, at = 2;
  if (known) {
    all = thousandths(axis, brio_impedance_torque(impedance, target, speed, axis->angle, axis->speed));
    offset = thousandths(axis, brio_clamp(impedance->torque, -impedance->limit, impedance->limit));
  }
  /* The two add up to `all`; a difference of two limits could exceed 16 bits. */
  if (!axis->offset || abs(all - offset) > MOST) offset = 0;
  brio_cia402_put(data, all - offset, 2);
  if (axis->offset) brio_cia402_put(data + 2, offset, 2), at = 4;
  brio_cia402_put(data + at, control, 2);
  return at + 2;
}

bool brio_cia402_write_impedances(void *device, const brio_impedance_command *commands, brio_error *err) {
  brio_cia402_axes *self = device;
  double targets[BRIO_CIA402_AXES];
  assert(self->count >= 0 && self->count <= BRIO_CIA402_AXES);
  for (int i = 0; i < self->count; i++) {
    brio_cia402_axis *axis = &self->all[i];
    targets[i] = axis->drives ? brio_torques_take(&axis->command, &commands[i]) : commands[i].target;
  }
  return brio_cia402_write(device, targets, err);
}

void brio_cia402_torque_words(const brio_cia402_axes *self, char *out, size_t size) {
  for (int i = 0, n = 0; i < self->count; i++) {
    size_t used = strlen(out);
    /* No room: leave it out. */
    if (!self->all[i].drives || used + 1 >= size) continue;
    snprintf(out + used, size - used, "%s %d", n++ ? "," : "; their torque is controlled:",
             self->all[i].node);
  }
}
