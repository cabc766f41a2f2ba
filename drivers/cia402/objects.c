/* A drive that is told and asked by its objects, a question for each, where process data are not to be had:
** at a serial line, and on a bus where a drive's mapping has no room for a target. */
#include "drivers/cia402/axes.h"

enum { STATUS_EVERY = 8 };

bool brio_cia402_tell_object(brio_cia402_axes *self, int i, brio_error *err) {
  brio_cia402_axis *axis = &self->all[i];
  const brio_cia402_link *link = self->link;
  double now = brio_port_now(self->port);
  if (self->mode != BRIO_CIA402_PROFILE) {
    if (axis->same && axis->taken == axis->target) return true;
    if (!link->write(self, i, 0x607A, 0, axis->target, 4, err)) return false;
    axis->taken = axis->target;
    return true;
  }
  int before = axis->phase, control = brio_cia402_control(self, axis, now);
  bool rises = (control & BRIO_CIA402_SET_POINT) && axis->since == now;
  if (before == axis->phase && !rises) return true;
  if (rises && !link->write(self, i, 0x607A, 0, axis->taken, 4, err)) return false;
  return link->write(self, i, 0x6040, 0, control, 2, err);
}

/* Where it is, in every cycle; how it is, in some, and while it takes a set-point. */
bool brio_cia402_ask_object(brio_cia402_axes *self, int i, brio_error *err) {
  brio_cia402_axis *axis = &self->all[i];
  int32_t value = 0;
  int size;
  axis->fresh = self->link->read(self, i, 0x6064, 0, &value, &size, err);
  if (axis->fresh) axis->place = value;
  if (axis->fresh && (axis->phase != 0 || self->cycle % STATUS_EVERY == i % STATUS_EVERY) &&
      self->link->read(self, i, 0x6041, 0, &value, &size, err))
    axis->status = (uint16_t)value;
  return axis->fresh;
}
