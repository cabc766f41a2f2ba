/* Reading and writing a drive by single objects where PDOs are not available: at opening, on a serial line,
** and on a bus where the drive's mapping lacks a target. */
#include "drivers/cia402/axes.h"

#include <assert.h>

/* Cycles between two reads of the status word; drives take turns. */
enum { STATUS_EVERY = 8 };
/* The control word (6040) that takes the power from a drive. */
enum { SHUTDOWN = 0x06 };

/* Give a drive that is enabled in another mode than `wanted` its present position as its target. */
static bool stay_here(brio_cia402_axes *self, int i, int wanted, brio_error *err) {
  const brio_cia402_link *link = self->link;
  int32_t status = 0, mode = 0, place = 0;
  int size;
  /* 6060 first: on a serial line the mode is written again between two reads, so it must be the drive's own.
  ** Some drives do not let it be read. */
  bool known = link->read(self, i, 0x6060, 0, &mode, &size, err);
  if (!known && self->refused == 0) return false;
  if (known) self->all[i].mode = mode;
  if (!link->read(self, i, 0x6041, 0, &status, &size, err)) return false;
  /* In its own mode it is at its target, or on the way, until it is switched on. */
  bool enabled = brio_cia402_state_of((uint16_t)status) == BRIO_CIA402_ENABLED;
  if (!enabled || (known && mode == wanted)) return true;
  return link->read(self, i, 0x6064, 0, &place, &size, err) && link->write(self, i, 0x607A, 0, place, 4, err);
}

bool brio_cia402_set_mode(brio_cia402_axes *self, int i, brio_error *err) {
  brio_cia402_axis *axis = &self->all[i];
  int mode = brio_cia402_mode(self, axis);
  /* 6040: an old torque may act by the mode, and without the watchdog for ever. */
  bool good = axis->drives ? self->link->write(self, i, 0x6040, 0, SHUTDOWN, 2, err)
                           : stay_here(self, i, mode, err);
  /* 6060: mode of operation. */
  good = good && self->link->write(self, i, 0x6060, 0, mode, 1, err);
  axis->mode = mode;
  return good;
}

bool brio_cia402_tell_object(brio_cia402_axes *self, int i, brio_error *err) {
  brio_cia402_axis *axis = &self->all[i];
  const brio_cia402_link *link = self->link;
  double now = brio_port_now(self->port);
  /* Cyclic position: only the target, and only if it has changed. */
  if (self->mode != BRIO_CIA402_PROFILE) {
    if (axis->same && axis->taken == axis->target) return true;
    if (!link->write(self, i, 0x607A, 0, axis->target, 4, err)) return false;
    axis->taken = axis->target;
    return true;
  }
  /* Profile position: the target, then the control word, both only when the handshake moves on. */
  int before = axis->phase, control = brio_cia402_control(self, axis, now);
  bool rises = (control & BRIO_CIA402_SET_POINT) && axis->since == now;
  if (before == axis->phase && !rises) return true;
  if (rises && !link->write(self, i, 0x607A, 0, axis->taken, 4, err)) return false;
  return link->write(self, i, 0x6040, 0, control, 2, err);
}

/* Read the position in each cycle, the status word in every eighth one and during a handshake. */
bool brio_cia402_ask_object(brio_cia402_axes *self, int i, brio_error *err) {
  assert(i >= 0 && i < self->count);
  brio_cia402_axis *axis = &self->all[i];
  int32_t value = 0;
  int size;
  axis->fresh = self->link->read(self, i, 0x6064, 0, &value, &size, err);
  if (axis->fresh) axis->place = value;
  /* A status word that cannot be read leaves the position valid. */
  if (axis->fresh && (axis->phase != 0 || self->cycle % STATUS_EVERY == i % STATUS_EVERY) &&
      self->link->read(self, i, 0x6041, 0, &value, &size, err))
    axis->status = (uint16_t)value;
  return axis->fresh;
}
