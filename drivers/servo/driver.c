/* Bus servos as a driver.  A cycle is one sync write of goals and one sync read of positions for
** all servos with the same registers.  Health (voltage, temperature, load, torque, watchdog) is
** read in turn, a few servos in a cycle (health.c).  Goals are clamped to the axis's limits, the
** limits stored in the servo and the register's range, and carry the speed that is needed, so that
** a servo moves evenly.  A goal is a position: when no more come, nothing keeps moving.  Torque
** starts at the servo's present position, and a servo whose torque was switched off gets no goals.
** A servo that switched off its own torque is reported and gets no goals.  One that lost power
** makes the device fail, to be opened and set up again.  A servo that does not answer is reported
** as not fresh and asked seldom, because each missing answer takes its full time. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/servo/driver_internal.h"
#include "drivers/targets.h"
#include "math/scalar.h"

/* Cycles without an answer: of all servos until the device fails (SILENT), of one until its state
** is unsure (GONE), and until it is asked only every SELDOM cycles (MISSING). */
enum {
  SILENT_CYCLES = 20,
  GONE_CYCLES = 2,
  MISSING_CYCLES = 5,
  SELDOM = 50
};

static const double EASY = 0.5;     /* rad/s: while torque is switched on */
static const double FOLLOW = 5;     /* rad/s per rad that a wheel is behind */
static const double SMOOTH = 0.03;  /* s: time constant of a wheel's target speed */
static const double STALE = 0.2;    /* s after which a wheel's last target is too old for a speed */
/* share of the watchdog's time without a packet after which it may have expired */
static const double WHOLE = 0.8;

/* Counts are within the driver's arrays, and the next servo to be asked exists. */
static bool is_consistent(const brio_servo_driver *self) {
  return self->count >= 0 && self->count <= BRIO_SERVO_AXES && self->ngroup >= 0 &&
         self->ngroup <= BRIO_SERVO_GROUPS && self->silent >= 0 &&
         (self->count == 0 || (self->next >= 0 && self->next < 2 * self->count));
}

/* Return false, with the reason why the device failed. */
static bool say_dead(const brio_servo_driver *self, brio_error *err) {
  if (err) *err = self->news;
  return false;
}

/* ---- the watchdog ---- */

bool brio_servo_driver_revive(brio_servo_driver *self, int i, brio_error *err) {
  assert(i >= 0 && i < self->count);
  int32_t place;
  if (!brio_servo_driver_arm(self, i, err)) return false;
  if (self->axes[i].wheel)
    return brio_servo_bus_set(&self->bus, self->ids[i], BRIO_ROLE_GOAL_VELOCITY, 0, err);
  if (self->axes[i].drives)
    return brio_servo_bus_set(&self->bus, self->ids[i], BRIO_ROLE_GOAL_CURRENT, 0, err);
  if (!brio_servo_bus_get(&self->bus, self->ids[i], BRIO_ROLE_POSITION, &place, err)) return false;
  if (self->axes[i].on) brio_servo_bus_set(&self->bus, self->ids[i], BRIO_ROLE_GOAL, place, NULL);
  return true;
}

/* Note that the servos received a packet.  A silence before it stays noted, because watchdogs may
** have expired in it, also while this process stood still between question and answer. */
static void note_heard(brio_servo_driver *self) {
  double now = brio_port_now(self->port), quiet = now - self->heard;
  self->heard = now;
  /* Close to the watchdog's time already counts: the servo's clock differs from ours. */
  if (self->watchdog > 0 && quiet >= WHOLE * self->watchdog * BRIO_SERVO_WATCHDOG)
    self->quiet = fmax(self->quiet, quiet);
}

/* After a silence of the host, find the servos whose watchdogs expired, before any servo gets a
** goal. */
static bool look_after_silence(brio_servo_driver *self, brio_error *err) {
  int struck = 0;
  note_heard(self);
  double quiet = self->quiet;
  if (quiet == 0) return true;
  /* Only a servo that holds and has a watchdog can have been stopped by it. */
  for (int i = 0; i < self->count; i++) {
    int32_t left = 0;
    brio_error why = {0};
    if (!self->axes[i].on || !brio_servo_role_register(self->axes[i].layout, BRIO_ROLE_WATCHDOG)) continue;
    bool said = brio_servo_bus_get(&self->bus, self->ids[i], BRIO_ROLE_WATCHDOG, &left, &why);
    if (said && left == BRIO_SERVO_STRIKE) said = brio_servo_driver_revive(self, i, &why);
    struck += said && left == BRIO_SERVO_STRIKE;
    if (said || why.code != BRIO_IO) continue; /* a servo that does not answer is checked when it does */
    if (err) *err = why;
    return false;
  }
  self->quiet = 0;
  self->heard = brio_port_now(self->port);
  /* Reported, but no failure: they hold their positions and accept goals again. */
  if (struck > 0)
    brio_fail(&self->news, BRIO_DEVICE,
              "the watchdogs of %d servos expired: they got no commands for %.2f s; they hold their "
              "positions",
              struck, quiet);
  return true;
}

/* Return true if a servo gets goals.  One that does not answer gets none: it may be without power,
** and a goal as the first packet after that would make it rush. */
static bool may_be_told(const brio_servo_axis *axis) {
  return !axis->barred && !axis->limp && !axis->unsure && axis->missing < GONE_CYCLES;
}

/* The bus failed: no servo received or answered.  Return false. */
static bool miss_all(brio_servo_driver *self) {
  if (self->silent == 0) self->silent = 1;
  for (int i = 0; i < self->count; i++) self->axes[i].missing++;
  return false;
}

/* Return the speed at which a wheel follows a position: the smoothed rate of its targets, plus a
** proportional part. rate += (new - rate) dt / (dt + SMOOTH). */
static double wheel_speed(const brio_servo_driver *self, brio_servo_axis *axis, double target) {
  double now = brio_port_now(self->port), dt = now - axis->told_at,
         most = BRIO_SERVO_AHEAD * fmin(axis->fastest, 1e6);
  target = brio_clamp(target, axis->lower, axis->upper);
  /* Asked twice in a cycle, the rate must not change. */
  if (dt > 0) {
    double rate = isnan(axis->told) || dt > STALE ? 0 : (target - axis->told) / dt;
    axis->rate += (rate - axis->rate) * dt / (dt + SMOOTH);
    axis->told = target;
    axis->told_at = now;
  }
  if (axis->missing > 0) return 0; /* its position is unknown */
  /* Feedforward plus proportional control, within its speed. */
  return brio_clamp(axis->rate + FOLLOW * (target - axis->place), -most, most);
}

/* Return the speed at which a servo moves to a goal on a path of `speed`. */
static double goal_speed(const brio_servo_axis *axis, double target, double speed) {
  if (axis->missing > 0) return speed; /* its position is unknown */
  return brio_targets_speed(speed, brio_clamp(target, axis->lower, axis->upper), axis->place);
}

bool brio_servo_driver_write_timed(void *device, const double *targets, const double *speeds,
                                   brio_error *err) {
  brio_servo_driver *self = device;
  assert(is_consistent(self));
  if (self->dead) return say_dead(self, err);
  /* Watchdogs first; then goals that are not too old. */
  if (!look_after_silence(self, err)) return false;
  bool late = brio_targets_late(err);
  /* One packet per group, with those of its servos that may get goals. */
  for (int g = 0; g < self->ngroup; g++) {
    const brio_servo_group *group = &self->groups[g];
    /* A spring about an old target is better than an old current. */
    if (late && !group->drives) continue;
    uint8_t which[BRIO_SERVO_AXES];
    double values[BRIO_SERVO_AXES], rates[BRIO_SERVO_AXES];
    int n = 0;
    for (int k = 0; k < group->count; k++) {
      int i = group->axes[k];
      if (isnan(targets[i]) || !may_be_told(&self->axes[i])) continue;
      values[n] = group->wheel    ? wheel_speed(self, &self->axes[i], targets[i])
                  : group->drives ? brio_servo_driver_torque(&self->axes[i], targets[i])
                                  : targets[i];
      rates[n] = speeds ? goal_speed(&self->axes[i], targets[i], speeds[i]) : NAN;
      which[n++] = (uint8_t)i;
    }
    if (n > 0 && !brio_servo_driver_tell(self, group, which, n, values, rates, err)) return miss_all(self);
  }
  return !late;
}

bool brio_servo_driver_write(void *device, const double *targets, brio_error *err) {
  return brio_servo_driver_write_timed(device, targets, NULL, err);
}

/* ---- torque ---- */

/* Return the group of an axis.  O(axes). */
static const brio_servo_group *group_of(const brio_servo_driver *self, int i) {
  assert(i >= 0 && i < self->count);
  for (int g = 0; g < self->ngroup; g++)
    if (memchr(self->groups[g].axes, i, (size_t)self->groups[g].count)) return &self->groups[g];
  return &self->groups[0];
}

int brio_servo_driver_cycle_bytes(const brio_servo_driver *self, int i) {
  int address, size;
  brio_servo_driver_block(group_of(self, i), BRIO_ROLE_POSITION, BRIO_ROLE_VELOCITY, &address, &size);
  return size;
}

/* Start a wheel at rest.  Even one that turns already accepts a speed of 0. */
static bool rest_wheel(brio_servo_driver *self, int i, brio_error *err) {
  brio_servo_axis *axis = &self->axes[i];
  axis->told = NAN;
  axis->rate = 0;
  return brio_servo_bus_set(&self->bus, self->ids[i], BRIO_ROLE_GOAL_VELOCITY, 0, err);
}

/* Start a servo that drives without torque: its spring about an old target must not pull. */
static bool rest_torque(brio_servo_driver *self, int i, brio_error *err) {
  self->axes[i].command = (brio_impedance_command){.impedance = brio_impedance_none};
  return brio_servo_bus_set(&self->bus, self->ids[i], BRIO_ROLE_GOAL_CURRENT, 0, err);
}

/* Set the goal to the present position: with torque the servo goes to its goal at once. */
static bool stay(brio_servo_driver *self, int i, brio_error *err) {
  brio_servo_axis *axis = &self->axes[i];
  uint8_t which = (uint8_t)i;
  int32_t position;
  if (axis->wheel) return rest_wheel(self, i, err);
  if (axis->drives) return rest_torque(self, i, err);
  if (!brio_servo_bus_get(&self->bus, self->ids[i], BRIO_ROLE_POSITION, &position, err)) return false;
  /* A timed goal gets the speed EASY, once the margin BRIO_SERVO_AHEAD is applied. */
  double place = brio_servo_angle(axis->layout, position), speed = EASY / BRIO_SERVO_AHEAD;
  return brio_servo_driver_tell(self, group_of(self, i), &which, 1, &place, &speed, err);
}

/* Switch torque on at the present position: settings first, then the goal, then torque. */
static bool switch_on(brio_servo_driver *self, int i, brio_error *err) {
  brio_servo_axis *axis = &self->axes[i];
  /* A reboot has cleared gains and goals. */
  if (axis->rebooted && self->gains && !brio_servo_driver_gains(self, i, &self->gains[i], err)) return false;
  axis->rebooted = false;
  /* An expired watchdog refuses goals, also that of the current. */
  if (!brio_servo_driver_arm(self, i, err)) return false;
  /* Of a servo that drives it would be a torque, which begins at 0. */
  if (axis->current > 0 && !axis->drives &&
      !brio_servo_bus_set(&self->bus, self->ids[i], BRIO_ROLE_GOAL_CURRENT, axis->current, err))
    return false;
  return stay(self, i, err) && brio_servo_bus_set(&self->bus, self->ids[i], BRIO_ROLE_TORQUE, 1, err);
}

/* Switch torque off.  If a servo switched off its own torque, only a reboot clears the error, and
** the servo does not answer for about a second.  Protocol 1.0 has no reboot. */
static bool switch_off(brio_servo_driver *self, int i, brio_error *err) {
  brio_servo_axis *axis = &self->axes[i];
  if (!axis->limp || self->family->refusals)
    return brio_servo_bus_set(&self->bus, self->ids[i], BRIO_ROLE_TORQUE, 0, err);
  axis->rebooted = brio_servo_bus_reboot(&self->bus, self->ids[i], err);
  return axis->rebooted;
}

bool brio_servo_driver_power(void *device, const bool *on, brio_error *err) {
  brio_servo_driver *self = device;
  assert(is_consistent(self));
  bool good = true;
  if (self->dead) return say_dead(self, err);
  /* Switch all servos, even if some fail.  The first failure is reported. */
  for (int i = 0; i < self->count; i++) {
    brio_servo_axis *axis = &self->axes[i];
    brio_error why = {0};
    /* No change for one that holds; one that refused may be tried again. */
    if (axis->on == on[i] && on[i] && !axis->limp) continue;
    bool done = (on[i] ? switch_on : switch_off)(self, i, &why);
    /* `barred` follows the request, `limp` what the servo did. */
    axis->on = on[i];
    axis->barred = !on[i];
    axis->limp = on[i] && !done;
    if (done) continue;
    if (good) self->news = why; /* the next read reports it, too */
    if (good && err) *err = why;
    good = false;
  }
  note_heard(self);
  return good;
}

/* ---- reports ---- */

/* Return true if a servo is asked in this cycle.  On a silent bus all are, so that the first to
** return is heard. */
static bool is_asked(const brio_servo_driver *self, int i) {
  return self->silent > 0 || self->axes[i].missing < MISSING_CYCLES || (self->cycle + i) % SELDOM == 0;
}

/* Take position and speed from a cycle's answer, and add the newest health values. */
static void take_report(brio_servo_driver *self, int i, const uint8_t *bytes, int first, int size,
                        brio_axis_state *state) {
  brio_servo_axis *axis = &self->axes[i];
  int32_t place = 0, speed = 0, current = 0;
  brio_servo_driver_value_in(axis, BRIO_ROLE_POSITION, bytes, first, size, &place);
  brio_servo_driver_value_in(axis, BRIO_ROLE_VELOCITY, bytes, first, size, &speed);
  /* Measures come from the last health question, and may be some cycles old. */
  *state = (brio_axis_state){.valid = true,
                             .knows = axis->knows,
                             .load = axis->load,
                             .current = axis->amperes,
                             .voltage = axis->voltage,
                             .temperature = axis->temperature,
                             .failed = axis->limp};
  state->position = axis->place = brio_servo_angle(axis->layout, place);
  state->velocity = axis->velocity = speed * axis->layout->speed;
  if (!axis->drives || !brio_servo_driver_value_in(axis, BRIO_ROLE_CURRENT, bytes, first, size, &current))
    return;
  axis->amperes = state->current = current * axis->layout->ampere;
  state->torque = axis->amperes * axis->constant;
  state->knows |= BRIO_KNOWS_CURRENT | BRIO_KNOWS_TORQUE;
}

/* Read the servos of a group.  Return how many answered; -1: the port failed. */
static int read_group(brio_servo_driver *self, const brio_servo_group *group, brio_axis_state *states,
                      brio_error *err) {
  uint8_t ids[BRIO_SERVO_AXES], which[BRIO_SERVO_AXES], bytes[BRIO_SERVO_AXES * BRIO_SERVO_BLOCK],
      errors[BRIO_SERVO_AXES];
  bool valid[BRIO_SERVO_AXES];
  int first, size, n = 0;
  assert(group->count > 0 && group->count <= BRIO_SERVO_AXES);
  brio_servo_driver_block(group, BRIO_ROLE_POSITION, BRIO_ROLE_VELOCITY, &first, &size);
  assert(size > 0 && size <= BRIO_SERVO_BLOCK);
  /* Nothing is valid until it is read. */
  for (int k = 0; k < group->count; k++) {
    states[group->axes[k]] = (brio_axis_state){0};
    if (!is_asked(self, group->axes[k])) continue;
    which[n] = group->axes[k];
    ids[n++] = self->ids[group->axes[k]];
  }
  if (n == 0) return 0;
  int answered = brio_servo_bus_sync_read(&self->bus, ids, n, first, size, bytes, valid, errors, err);
  for (int k = 0; k < n && answered >= 0; k++) {
    brio_servo_axis *axis = &self->axes[which[k]];
    /* After missed answers a servo is unsure until its torque is checked. */
    axis->unsure = axis->unsure || axis->missing >= GONE_CYCLES;
    axis->missing = valid[k] ? 0 : axis->missing + 1;
    if (valid[k] && axis->unsure) brio_servo_driver_check_torque(self, which[k]);
    /* Reported once, and only if others answer: otherwise the whole bus is silent. */
    if (axis->missing == MISSING_CYCLES && answered > 0)
      brio_fail(&self->news, BRIO_DEVICE, "servo %d does not answer any more%s", self->ids[which[k]],
                self->bus.garbled ? ": what comes is garbled" : "");
    if (!valid[k] || axis->unsure) continue;
    take_report(self, which[k], bytes + k * size, first, size, &states[which[k]]);
    brio_servo_driver_check_alert(self, which[k], errors[k]);
  }
  return answered;
}

/* The bus is back: ask those still missing in the next cycles, so that all start together. */
static void ask_again(brio_servo_driver *self) {
  for (int i = 0; i < self->count; i++)
    if (self->axes[i].missing > GONE_CYCLES) self->axes[i].missing = GONE_CYCLES;
}

bool brio_servo_driver_read(void *device, brio_axis_state *states, brio_error *err) {
  /* A dead device reports its reason until it is opened again. */
  brio_servo_driver *self = device;
  assert(is_consistent(self));
  int answered = 0;
  if (self->dead) return say_dead(self, err);
  note_heard(self);
  for (int g = 0; g < self->ngroup; g++) {
    int got = read_group(self, &self->groups[g], states, err);
    if (got < 0) return miss_all(self);
    answered += got;
  }
  self->cycle++;
  /* The first answer after silence, or one more silent cycle. */
  if (answered > 0 && self->silent > 0) ask_again(self);
  self->silent = answered > 0 ? 0 : self->silent + 1;
  if (self->silent >= SILENT_CYCLES)
    return brio_fail(err, BRIO_DEVICE, "no servo on %s answers any more", self->port->name);
  /* Reading is a sign of life, too.  Health is checked only while no watchdog is in doubt. */
  note_heard(self);
  if (self->quiet == 0) brio_servo_driver_ask_health(self);
  /* News is reported once, the failure of the device every time. */
  if (self->news.code == BRIO_OK) return true;
  if (err) *err = self->news;
  if (!self->dead) self->news = (brio_error){0};
  return false;
}
