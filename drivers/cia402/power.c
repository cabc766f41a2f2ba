/* Power of CiA 402 drives.  A drive is led through its states to "operation enabled", after a fault reset
** where needed.  Before the last step the target is set to the present position, because an enabled drive
** goes to its last target, however old.  A drive without a reference is homed then, if a method is set. */
#include <assert.h>

#include "drivers/cia402/axes_internal.h"

/* The most control words on the way to enabled; the bit of the status word that is set while the drive is
** homed. */
enum { STEPS = 6, REFERENCED = 0x8000 };

static const double STATE_TIME = 0.3; /* s for a change of state */

/* Return the port's time, s. */
static double now_of(const brio_cia402_axes *self) { return brio_port_now(self->port); }

/* Return the state that the newest status word means. */
static brio_cia402_state state_of(const brio_cia402_axis *axis) { return brio_cia402_state_of(axis->status); }

/* Write a control word (6040), then read the status word. */
static bool set_control(brio_cia402_axes *self, int i, int control, brio_error *err) {
  return brio_cia402_write_object(self, i, 0x6040, 0, control, 2, err) &&
         brio_cia402_read_status(self, i, err);
}

/* Set the target (607A) to the present position, or the torque to 0. */
static bool stay(brio_cia402_axes *self, int i, brio_error *err) {
  brio_cia402_axis *axis = &self->all[i];
  if (!brio_cia402_read_object(self, i, 0x6064, 0, &axis->place, err) ||
      !(axis->drives ? brio_cia402_rest_torque(self, i, err)
                     : brio_cia402_write_object(self, i, 0x607A, 0, axis->place, 4, err)))
    return false;
  /* Nothing is pending: the handshake starts from idle. */
  axis->target = axis->taken = axis->place;
  axis->told = false;
  axis->phase = BRIO_CIA402_IDLE;
  return true;
}

/* Report why a drive cannot be switched on; for a fault, with its error code (603F). */
static bool fail_power(brio_cia402_axes *self, int i, brio_error *err) {
  int32_t code = 0;
  bool fault = state_of(&self->all[i]) == BRIO_CIA402_FAULT &&
               brio_cia402_read_object(self, i, 0x603F, 0, &code, NULL);
  return brio_fail(err, BRIO_DEVICE, "node %d cannot be switched on: its state is '%s'%s%s",
                   self->all[i].node, brio_cia402_state_words(state_of(&self->all[i])), fault ? ", for " : "",
                   fault ? brio_cia402_emergency(code & 0xFFFF) : "");
}

/* Step through the states until the drive is enabled or the time is up.  Before the last step the
** target is set to the present position. */
static bool enable(brio_cia402_axes *self, int i, brio_error *err) {
  double until = now_of(self) + STATE_TIME;
  if (!brio_cia402_read_status(self, i, err)) return false;
  /* At least STEPS tries, so that a slow host does not give up early. */
  for (int k = 0; k < STEPS || now_of(self) < until; k++) {
    brio_cia402_state state = state_of(&self->all[i]);
    if (state == BRIO_CIA402_ENABLED) return true;
    /* the reset bit must rise */
    if (state == BRIO_CIA402_FAULT && !set_control(self, i, 0, err)) return false;
    bool last = state == BRIO_CIA402_SWITCHED_ON || state == BRIO_CIA402_QUICK_STOP;
    if (last && !stay(self, i, err)) return false;
    if (!set_control(self, i, brio_cia402_next_control(state), err)) return false;
  }
  return fail_power(self, i, err);
}

/* Home a drive that is not homed.  The method (6098) and the home position (30B0 of maxon, else
** 607C) are set; the new-set-point bit starts homing, and bits 10 and 12 of the status word end it. */
static bool home(brio_cia402_axes *self, int i, brio_error *err) {
  brio_cia402_axis *axis = &self->all[i];
  double until = now_of(self) + self->homing_time;
  /* Homing is off, or done already. */
  if (self->homing == 0 || (axis->status & REFERENCED)) return true;
  int32_t place = brio_cia402_to_counts(self, self->home);
  bool good = brio_cia402_write_object(self, i, 0x6098, 0, self->homing, 1, err);
  /* Objects of the home position: an optional one may be refused. */
  if (good && !brio_cia402_write_if_there(self, i, 0x30B0, 0, place, 4, err)) return false;
  if (good && self->refused) good = brio_cia402_write_object(self, i, 0x607C, 0, place, 4, err);
  good = good && brio_cia402_write_object(self, i, 0x6060, 0, BRIO_CIA402_HOMING, 1, err) &&
         set_control(self, i, BRIO_CIA402_OPERATION, err) &&
         set_control(self, i, BRIO_CIA402_OPERATION | BRIO_CIA402_SET_POINT, err);
  /* Wait until it is homed, fails, leaves the state or runs out of time. */
  while (good && !((axis->status & BRIO_CIA402_ACKNOWLEDGED) && (axis->status & BRIO_CIA402_REACHED))) {
    if ((axis->status & BRIO_CIA402_FOLLOWING) || now_of(self) > until ||
        state_of(axis) != BRIO_CIA402_ENABLED) {
      good = brio_fail(err, BRIO_DEVICE, "node %d does not find its home by method %d", axis->node,
                       self->homing);
      break;
    }
    good = brio_cia402_read_status(self, i, err);
  }
  /* Back to the mode of targets in any case; keep the first error. */
  brio_error *aside = good ? err : NULL;
  bool back = set_control(self, i, BRIO_CIA402_OPERATION, aside) && stay(self, i, aside) &&
              brio_cia402_write_object(self, i, 0x6060, 0, brio_cia402_mode(self, axis), 1, aside);
  return good && back;
}

/* Enable a drive, hold its position, and home it if it must be. */
static bool switch_on(brio_cia402_axes *self, int i, brio_error *err) {
  brio_cia402_axis *axis = &self->all[i];
  /* A drive that is enabled already may be moving to an old target: stop it, too. */
  if (!enable(self, i, err) || !stay(self, i, err) || !home(self, i, err)) return false;
  /* A drive that is on reports its next fault afresh. */
  axis->complained = axis->emergency = 0;
  return axis->on = true;
}

bool brio_cia402_power(void *device, const bool *on, brio_error *err) {
  brio_cia402_axes *self = device;
  assert(brio_cia402_is_consistent(self));
  brio_error why = {0};
  bool good = brio_cia402_is_whole(self, &why);
  /* Once a drive was switched on, the host sends heartbeats: drives may wait for them. */
  for (int i = 0; i < self->count; i++) self->guarding = self->guarding || on[i];
  /* Switch each drive, even after a failure of another.  The first failure is reported. */
  for (int i = 0; i < self->count && !self->broken[0]; i++) {
    brio_error *aside = good ? &why : NULL;
    bool was = self->all[i].on;
    /* Flags first: they hold even if the exchange fails. */
    self->all[i].wanted = on[i];
    self->all[i].on = on[i] && was;
    if (on[i] && was) continue;
    bool done = on[i] ? switch_on(self, i, aside) : set_control(self, i, BRIO_CIA402_SHUTDOWN, aside);
    good = done && good;
  }
  /* A refusal is reported here, and once more by the next read. */
  if (good) why = (brio_error){0};
  self->refusal = why;
  if (!good && err) *err = why;
  return good;
}
