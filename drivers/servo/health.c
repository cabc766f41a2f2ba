/* The health of bus servos: what they measure (load, current, voltage, temperature), and whether torque and
** watchdog are as they were set.
**
** First the measures of all servos are asked, then their torque; such a round takes `health` s.  A cycle asks
** as many servos as are due, with one sync read where the family has it, and each alone otherwise: a late
** cycle makes up for its time.  No cycle asks more than an eighth of a round, so that positions and goals
** are never late by much; where cycles are slow, a round takes ROUND of them.  So what a servo measures is
** at most max(health, ROUND cycles) old. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/servo/driver_internal.h"

/* ROUND: cycles of a round at least.  CERTAIN: readings until lost torque is believed.  REACH: bytes between
** registers that are read at once.  MOST: bytes of a servo in a sync read. */
enum { ROUND = 8, CERTAIN = 2, REACH = 64, MOST = 64, TOGETHER = 2 * BRIO_SERVO_AXES / ROUND };

bool brio_servo_driver_value_in(const brio_servo_axis *axis, brio_servo_role role, const uint8_t *bytes,
                                int first, int count, int32_t *value) {
  const brio_register *reg = brio_servo_role_register(axis->layout, role);
  if (!reg || reg->address < first || reg->address + reg->size > first + count) return false;
  *value = brio_servo_value(axis->layout, reg, bytes + reg->address - first);
  return true;
}

/* A piece of a servo's registers. */
typedef struct piece {
  int first, count; /* address; bytes, 0: none */
  bool whole;       /* every register that is asked for is in it */
} piece;

/* The registers of a servo's torque, or else of what it measures, as far as they are within REACH of the
** first one. */
static piece piece_of(const brio_servo_driver *self, int i, bool torque) {
  static const brio_servo_role measures[] = {BRIO_ROLE_LOAD, BRIO_ROLE_CURRENT, BRIO_ROLE_VOLTAGE,
                                             BRIO_ROLE_TEMPERATURE},
                               holds[] = {BRIO_ROLE_TORQUE, BRIO_ROLE_ALERT, BRIO_ROLE_WATCHDOG};
  const brio_servo_role *roles = torque ? holds : measures;
  int n = !torque ? 4 : self->family->status_packets ? 3 : 1, end = 0;
  piece p = {.first = BRIO_SERVO_TABLE, .whole = true};
  for (int k = 0; k < n; k++) {
    const brio_register *reg = brio_servo_role_register(self->axes[i].layout, roles[k]);
    bool far = reg && end > 0 && abs(reg->address - p.first) > REACH;
    p.whole = p.whole && !far;
    if (!reg || far) continue;
    if (reg->address < p.first) p.first = reg->address;
    if (reg->address + reg->size > end) end = reg->address + reg->size;
  }
  /* All questions differ in length, so that a late answer to one cannot count for another. */
  p.count = end - p.first;
  p.count += p.count == brio_servo_driver_cycle_bytes(self, i);
  if (p.count < 1) p.count = 0;
  return p;
}

/* Read a piece of one servo.  Return false if it has none, or does not answer. */
static bool read_piece(brio_servo_driver *self, int i, const piece *p, uint8_t *bytes) {
  return p->count > 0 && brio_servo_bus_read(&self->bus, self->ids[i], p->first, p->count, bytes, NULL);
}

/* Keep what a servo measures, as far as its model has it. */
static void keep_measures(brio_servo_axis *axis, const piece *p, const uint8_t *bytes) {
  const brio_servo_family *layout = axis->layout;
  int32_t value;
  if (brio_servo_driver_value_in(axis, BRIO_ROLE_LOAD, bytes, p->first, p->count, &value)) {
    axis->load = (double)value / brio_servo_role_register(layout, BRIO_ROLE_LOAD)->upper;
    axis->knows |= BRIO_KNOWS_LOAD;
  }
  if (brio_servo_driver_value_in(axis, BRIO_ROLE_CURRENT, bytes, p->first, p->count, &value)) {
    axis->amperes = value * layout->ampere;
    axis->knows |= BRIO_KNOWS_CURRENT;
  }
  if (brio_servo_driver_value_in(axis, BRIO_ROLE_VOLTAGE, bytes, p->first, p->count, &value)) {
    axis->voltage = value * layout->volt;
    axis->knows |= BRIO_KNOWS_VOLTAGE;
  }
  if (brio_servo_driver_value_in(axis, BRIO_ROLE_TEMPERATURE, bytes, p->first, p->count, &value)) {
    axis->temperature = value;
    axis->knows |= BRIO_KNOWS_TEMPERATURE;
  }
}

/* Get the value of a register that was read with others.  Otherwise read it alone, with `apart`
** bytes before it, so that the question has a length of its own. */
static void value_of(brio_servo_driver *self, int i, brio_servo_role role, const uint8_t *read, int first,
                     int count, int apart, int32_t *value) {
  const brio_register *reg = brio_servo_role_register(self->axes[i].layout, role);
  uint8_t bytes[16];
  assert(apart >= 0);
  if (!reg || brio_servo_driver_value_in(&self->axes[i], role, read, first, count, value)) return;
  if (brio_servo_bus_read(&self->bus, self->ids[i], reg->address - apart, reg->size + apart, bytes, NULL))
    *value = brio_servo_value(self->axes[i].layout, reg, bytes + apart);
}

/* Return true if an error stops a servo where it is, so that it accepts no goals. */
static bool is_stopped_by(const brio_servo_family *layout, int32_t alert) {
  for (const brio_servo_alert *one = layout->alerts; one->bit >= 0; one++)
    if (layout->alert_codes && one->bit == alert) return one->stays;
  return false;
}

/* A servo lost its torque: by an error that switched it off, or by a loss of power.  After the
** latter it has forgotten its settings, and the device must be set up again. */
static void lose_torque(brio_servo_driver *self, int i, int alert) {
  brio_servo_axis *axis = &self->axes[i];
  brio_text words = {0};
  if (alert) brio_servo_alert_words(axis->layout, (unsigned)alert, &words);
  /* No error, or one of the supply: the servo was without power. */
  bool supply = !alert || (words.bytes && strstr(words.bytes, "voltage"));
  if (supply) {
    self->dead = true;
    brio_fail(&self->news, BRIO_DEVICE, "servo %d was without power: its torque is off; it is set up again",
              self->ids[i]);
  } else {
    axis->limp = true;
    brio_fail(&self->news, BRIO_DEVICE,
              "servo %d switched its torque off: %s; when the cause is gone, disarm and arm again",
              self->ids[i], words.bytes ? words.bytes : "an error");
  }
  brio_text_end(&words);
}

/* A servo that stopped by itself gets no goals; disarming reboots it. */
static void be_stopped(brio_servo_driver *self, int i, int32_t alert) {
  brio_text words = {0};
  brio_servo_alert_words(self->axes[i].layout, (unsigned)alert, &words);
  self->axes[i].limp = true;
  brio_fail(&self->news, BRIO_DEVICE,
            "servo %d stopped by itself and holds: %s; when the cause is gone, disarm and arm again",
            self->ids[i], words.bytes ? words.bytes : "an error");
  brio_text_end(&words);
}

/* The watchdog of a servo that always answered has expired: packets did not reach it, and others
** may have stopped, too.  It is not at its goal, so all are set up again from where they are. */
static void lose_watch(brio_servo_driver *self, int i) {
  self->dead = true;
  brio_fail(&self->news, BRIO_DEVICE,
            "the watchdog of servo %d expired: commands did not reach it; all servos are set up again",
            self->ids[i]);
}

/* A servo that did not answer for a while gets goals again, from its present position, once its torque is
** known. */
void brio_servo_driver_check_torque(brio_servo_driver *self, int i) {
  brio_servo_axis *axis = &self->axes[i];
  uint8_t bytes[BRIO_SERVO_TABLE];
  int32_t torque = 1, left = 0, alert = 0;
  bool unsure = axis->unsure;
  axis->unsure = false;
  /* Without torque there is nothing to lose. */
  if (!axis->on || axis->limp) return;
  /* read again: an 8-bit sum lets an error pass now and then */
  for (int k = 0; k < CERTAIN && (k == 0 || !torque); k++) {
    const piece p = piece_of(self, i, true);
    if (!read_piece(self, i, &p, bytes)) {
      axis->unsure = unsure;
      return;
    }
    alert = self->family->status_packets ? 0 : self->bus.alert;
    brio_servo_driver_value_in(axis, BRIO_ROLE_TORQUE, bytes, p.first, p.count, &torque);
    if (!self->family->status_packets) continue;
    value_of(self, i, BRIO_ROLE_ALERT, bytes, p.first, p.count, 1, &alert);
    value_of(self, i, BRIO_ROLE_WATCHDOG, bytes, p.first, p.count, 2, &left);
  }
  /* Act on the findings, the gravest first. */
  if (!torque) lose_torque(self, i, alert);
  else if (left == BRIO_SERVO_STRIKE && unsure) brio_servo_driver_revive(self, i, NULL);
  else if (left == BRIO_SERVO_STRIKE) lose_watch(self, i);
  else if (is_stopped_by(axis->layout, alert)) be_stopped(self, i, alert);
}

/* It is not repeated. */
void brio_servo_driver_check_alert(brio_servo_driver *self, int i, int error) {
  brio_servo_axis *axis = &self->axes[i];
  /* Protocol 2.0: bit 7 of the error byte; other families: the byte itself. */
  int before = axis->alert, alert = self->family->status_packets ? error & 0x80 : error;
  axis->alert = alert;
  if (!alert || alert == before) return;
  int32_t bits = alert;
  if (self->family->status_packets)
    brio_servo_bus_get(&self->bus, self->ids[i], BRIO_ROLE_ALERT, &bits, NULL);
  brio_text words = {0};
  brio_servo_alert_words(axis->layout, (unsigned)bits, &words);
  brio_fail(&self->news, BRIO_DEVICE, "servo %d reports: %s", self->ids[i],
            words.bytes ? words.bytes : "an error");
  brio_text_end(&words);
  brio_servo_driver_check_torque(self, i);
}

/* Look at what a sync read says of a servo's torque.  Anything wrong is asked again, of it alone. */
static void look_at_torque(brio_servo_driver *self, int i, const piece *p, const uint8_t *bytes, int error) {
  const brio_servo_axis *axis = &self->axes[i];
  int32_t torque = 1, left = 0, alert = self->family->status_packets ? 0 : error;
  brio_servo_driver_value_in(axis, BRIO_ROLE_TORQUE, bytes, p->first, p->count, &torque);
  if (self->family->status_packets) {
    brio_servo_driver_value_in(axis, BRIO_ROLE_ALERT, bytes, p->first, p->count, &alert);
    brio_servo_driver_value_in(axis, BRIO_ROLE_WATCHDOG, bytes, p->first, p->count, &left);
  }
  if (!torque || left == BRIO_SERVO_STRIKE || is_stopped_by(axis->layout, alert))
    brio_servo_driver_check_torque(self, i);
}

/* Ask one servo. */
static void ask_alone(brio_servo_driver *self, int i, bool torque) {
  const piece p = piece_of(self, i, false);
  uint8_t bytes[BRIO_SERVO_TABLE];
  if (torque) brio_servo_driver_check_torque(self, i);
  else if (read_piece(self, i, &p, bytes)) keep_measures(&self->axes[i], &p, bytes);
}

/* Ask `n` servos for the same piece at once. */
static void ask_together(brio_servo_driver *self, const uint8_t *which, int n, const piece *p, bool torque) {
  uint8_t ids[TOGETHER], bytes[TOGETHER * MOST], errors[TOGETHER];
  bool valid[TOGETHER], had_sync = !self->bus.no_sync;
  assert(n > 1 && n <= TOGETHER && p->count <= MOST);
  for (int k = 0; k < n; k++) ids[k] = self->ids[which[k]];
  int answered = brio_servo_bus_sync_read(&self->bus, ids, n, p->first, p->count, bytes, valid, errors, NULL);
  /* The silence of a few servos does not prove that their firmware has no sync read. */
  if (had_sync) self->bus.no_sync = false;
  for (int k = 0; k < n && answered > 0 && !self->dead; k++) {
    if (!valid[k]) continue;
    if (torque) look_at_torque(self, which[k], p, bytes + k * p->count, errors[k]);
    else keep_measures(&self->axes[which[k]], p, bytes + k * p->count);
  }
}

/* Whether there is something to ask: it answers, and has torque if that is the question. */
static bool is_worth_asking(const brio_servo_axis *axis, bool torque) {
  return axis->missing == 0 && (!torque || (axis->on && !axis->limp));
}

/* Ask the next servos, `due` at most: those with the same registers, as far as they can be asked at once.
** Return how many had their turn. */
static int ask_some(brio_servo_driver *self, int due) {
  bool torque = self->next >= self->count; /* first the measures of all servos, then their torque */
  int end = torque ? 2 * self->count : self->count, taken = 0, n = 0;
  uint8_t which[TOGETHER];
  piece all = {0};
  bool many = true;
  for (; taken < due && self->next + taken < end && many; taken++) {
    int i = (self->next + taken) % self->count;
    if (!is_worth_asking(&self->axes[i], torque)) continue;
    const piece p = piece_of(self, i, torque);
    many = self->family->sync_read && !self->bus.no_sync && p.whole && p.count > 0 && p.count <= MOST &&
           !self->axes[i].unsure;
    if (n > 0 && !(many && p.first == all.first && p.count == all.count)) break;
    all = p;
    which[n++] = (uint8_t)i;
  }
  self->next = (self->next + taken) % (2 * self->count);
  if (n == 1) ask_alone(self, which[0], torque);
  else if (n > 1) ask_together(self, which, n, &all, torque);
  return taken;
}

void brio_servo_driver_ask_health(brio_servo_driver *self) {
  if (self->health <= 0 || self->count == 0) return;
  int round = 2 * self->count, most = (round + ROUND - 1) / ROUND;
  double now = brio_port_now(self->port), every = self->health / round;
  int due = (int)fmin(most, floor((now - self->asked) / every));
  if (due < 1) return;
  /* What a question is late by is made up, but not the time of a silence. */
  self->asked = fmax(self->asked + due * every, now - every);
  while (due > 0 && !self->dead) due -= ask_some(self, due);
}
