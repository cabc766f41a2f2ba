/* Opening bus servos as a driver, and setting them up.  See driver.h.  Opening pings every servo
** and reads its model; nothing moves.  Reported, with a remedy, are servos that do not accept
** positions (wheels, velocity and current modes), two servos with one id, and servos at another
** baud rate. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/servo/driver_internal.h"
#include "math/scalar.h"

/* Indices of settings and texts, in the order of their tables. */
enum { BAUD, FIRST_ID, LATENCY, TRIES, HEALTH, TIMED, REBOOT, CURRENT, NSETTING };
enum { PORT, IDS, TRACE, WHEELS, UNKNOWN_AS, TORQUES, NTEXT };
/* PINGS: tries per servo.  TIME_BASED: the bit of the drive mode that turns profiles into times.
** PLACE_AND_CURRENT: the mode with a goal current.  NEVER, ALL: which servos to reboot. */
enum { PINGS = 3, TIME_BASED = 4, PLACE_AND_CURRENT = 5, NEVER = 0, ALL = 2 };

static const double REBOOTING = 1.0; /* s: a servo that reboots does not answer */

/* Defaults and ranges; the first four are common to serial drivers. */
const brio_driver_setting brio_servo_driver_settings[NSETTING + 1] = {
    [BAUD] = {"baud", "1/s", "Baud rate of the servos.", 1000000, 1200, 10500000},
    [FIRST_ID] = {"first_id", "1", "Id of the first axis' servo; the others follow, unless `ids` lists them.",
                  1, 0, 252},
    [LATENCY] = {"latency", "s", "Maximum delay of an answer besides its bytes, such as that of the adapter.",
                 0.02, 0.0005, 1},
    [TRIES] = {"tries", "1", "Number of requests before a servo counts as silent.", 2, 1, 10},
    [HEALTH] = {"health", "s", "Period in which each servo reports its state once; 0: never.", 0.8, 0, 3600},
    [TIMED] = {"timed", "1", "1: each target contains a velocity; 0: servos use their maximum velocity.", 1,
               0, 1},
    [REBOOT] = {"reboot", "1",
                "At opening: 0 reboot no servo, 1 servos after a failure of their supply, 2 all with a "
                "hardware error.",
                1, 0, 2},
    [CURRENT] =
        {"current", "A",
         "Maximum current of Dynamixels in current-based position mode (5); 0: the servo's own limit.", 0, 0,
         100},
};

const brio_driver_text brio_servo_driver_texts[NTEXT + 1] = {
    [PORT] = {"port", "The serial port, or a link to it such as /dev/serial/by-id/...", "/dev/ttyUSB0"},
    [IDS] = {"ids", "Ids of the axes' servos in their order, as in \"1,2,11-14\"; empty: from first_id on.",
             ""},
    [TRACE] = {"trace", "A file to which every byte is appended, with times; empty: none.", ""},
    [WHEELS] =
        {"wheels",
         "Ids of Dynamixels in velocity mode (1): they turn without limits, and follow positions by their "
         "speed.",
         ""},
    [UNKNOWN_AS] = {"unknown_as",
                    "A model, such as XM430-W350, whose registers Dynamixels of models that brio does not "
                    "know have; empty: they are refused.",
                    ""},
    [TORQUES] = {"torques",
                 "Ids of Dynamixels in current mode (0) with N m/A of their motors, as in \"5:1.78,6:1.78\": "
                 "their torque is controlled (`control` in the robot's file).",
                 ""},
};

/* Take the ids from the text, or count up from `first`.  No two may be equal. */
static bool take_ids(brio_servo_driver *self, const char *text, int first, brio_error *err) {
  int count = brio_exchange_ids(text, self->ids, BRIO_SERVO_AXES, 252);
  if (count < 0)
    return brio_fail(err, BRIO_MISUSE, "ids must be numbers from 0 to 252 as in \"1,2,11-14\", not '%s'",
                     text);
  /* A list names all axes; an empty one counts up, within 0 to 252. */
  if (count > 0 && count != self->count)
    return brio_fail(err, BRIO_MISUSE, "there are %d ids for %d axes", count, self->count);
  if (count == 0 && first + self->count > 253)
    return brio_fail(err, BRIO_MISUSE, "%d servos from id %d on need ids beyond 252", self->count, first);
  for (int i = 0; i < self->count && count == 0; i++) self->ids[i] = (uint8_t)(first + i);
  /* All pairs, once at opening. */
  for (int i = 0; i < self->count; i++)
    for (int k = 0; k < i; k++)
      if (self->ids[i] == self->ids[k])
        return brio_fail(err, BRIO_MISUSE, "id %d is given twice", self->ids[i]);
  return true;
}

/* ---- finding the servos ---- */

/* Ping a servo until it answers.  Only a port failure is an error. */
static bool ping(brio_servo_driver *self, int i, brio_servo_found *found, brio_error *err) {
  for (int k = 0; k < PINGS; k++) {
    brio_error why = {0};
    if (brio_servo_bus_ping(&self->bus, self->ids[i], found, &why)) return true;
    /* Silence is answered by another ping. */
    if (why.code != BRIO_IO) continue;
    *err = why;
    return false;
  }
  return false;
}

/* Report the servos that do not answer.  If none does, look for a baud rate at which the first one
** answers. */
static bool say_missing(brio_servo_driver *self, int count, const char *missing, int first, brio_error *err) {
  int other = count == self->count ? brio_servo_bus_other_baud(&self->bus, first) : 0;
  if (other)
    return brio_fail(err, BRIO_DEVICE,
                     "no servo on %s answers at %d baud, but id %d does at %d: set baud = %d",
                     self->port->name, self->port->baud, first, other, other);
  return brio_fail(err, BRIO_DEVICE,
                   "%d of %d servos on %s at %d baud do not answer: id %s; `brio scan` looks for them", count,
                   self->count, self->port->name, self->port->baud, missing);
}

/* Return the registers of a servo's model, or for an unknown model those of `unknown_as`; NULL,
** with an error: they are not known. */
static const brio_servo_family *layout_of(brio_servo_driver *self, int i, brio_error *err) {
  const brio_servo_family *family = self->family;
  /* Families that are not strict have one set of registers for all models. */
  if (!family->strict || brio_servo_model_name(family, self->models[i]))
    return brio_servo_bus_layout(&self->bus, self->ids[i]);
  if (self->unknown_as >= 0)
    return self->bus.layouts[self->ids[i]] = brio_servo_layout(family, self->unknown_as);
  brio_fail(err, BRIO_DEVICE,
            "servo %d is a model %d, which brio does not know: its registers can differ. If they are those "
            "of a known model (`brio drivers %s`), set unknown_as to its name",
            self->ids[i], self->models[i], family->name);
  return NULL;
}

/* Ping every servo.  Return false, and name those that do not answer. */
static bool find_servos(brio_servo_driver *self, brio_error *err) {
  char missing[256] = "";
  int count = 0, first = -1;
  for (int i = 0; i < self->count; i++) {
    brio_servo_found found;
    brio_error why = {0};
    if (ping(self, i, &found, &why)) {
      self->models[i] = found.model;
      continue;
    }
    /* The port failed: pinging the others is useless. */
    if (why.code == BRIO_IO) return brio_fail(err, BRIO_IO, "%s", why.message);
    if (first < 0) first = self->ids[i];
    size_t used = strlen(missing);
    snprintf(missing + used, sizeof missing - used, "%s%d", count++ ? ", " : "", self->ids[i]);
  }
  return count == 0 || say_missing(self, count, missing, first, err);
}

/* Read a register of axis `i`, or return `fallback` if its layout does not have it. */
static bool get(brio_servo_driver *self, int i, brio_servo_role role, int32_t fallback, int32_t *value,
                brio_error *err) {
  *value = fallback;
  if (!brio_servo_role_register(self->axes[i].layout, role)) return true;
  return brio_servo_bus_get(&self->bus, self->ids[i], role, value, err);
}

/* ---- settings of each servo ---- */

/* Narrow an axis to the limits stored in its servo.  `wheel`: the servo has no limits and turns. */
static bool take_limits(brio_servo_driver *self, int i, bool turns, bool *wheel, brio_error *err) {
  brio_servo_axis *axis = &self->axes[i];
  int32_t lower, upper;
  /* Servos without these registers have no limits. */
  if (!get(self, i, BRIO_ROLE_LOWER, 0, &lower, err) || !get(self, i, BRIO_ROLE_UPPER, 0, &upper, err))
    return false;
  *wheel = axis->layout->wheel_unlimited && lower == 0 && upper == 0;
  if (turns || lower >= upper) return true; /* no limits: multi-turn */
  /* The intersection of both ranges must not be empty. */
  axis->lower = fmax(axis->lower, brio_servo_angle(axis->layout, lower));
  axis->upper = fmin(axis->upper, brio_servo_angle(axis->layout, upper));
  if (axis->lower <= axis->upper) return true;
  return brio_fail(err, BRIO_DEVICE, "servo %d moves from %.3f to %.3f rad, which the axis' limits exclude",
                   self->ids[i], brio_servo_angle(axis->layout, lower),
                   brio_servo_angle(axis->layout, upper));
}

/* Return the lowest bit that is set, as the mode to recommend; 0: none. */
static int lowest_bit(unsigned bits) {
  int bit = 0;
  while (bits && !(bits >> bit & 1)) bit++;
  return bit;
}

/* Return true if a register is close to the goal, so that one packet can hold both and nothing else
** in between. */
static bool is_near_goal(const brio_servo_family *layout, const brio_register *reg) {
  const brio_register *goal = brio_servo_role_register(layout, BRIO_ROLE_GOAL);
  return reg && abs(reg->address - goal->address) <= 4;
}

/* Reject a servo whose goals are not positions, or that contradicts `wheels`. */
static bool check_mode(brio_servo_driver *self, int i, int mode, brio_error *err) {
  const brio_servo_axis *axis = &self->axes[i];
  const brio_servo_family *layout = axis->layout;
  unsigned bit = 1u << (mode & 31);
  const brio_register *reg = brio_servo_role_register(layout, BRIO_ROLE_MODE);
  int id = self->ids[i];
  /* A wheel must have a mode of speeds, and be in it. */
  if (axis->wheel && !layout->speeds)
    return brio_fail(err, BRIO_MISUSE, "servo %d is no model that can be one of `wheels`", id);
  if (axis->wheel && !(layout->speeds & bit))
    return brio_fail(err, BRIO_DEVICE,
                     "servo %d is one of `wheels`, but in mode %d: set its %s to %d (`brio servo`)", id, mode,
                     reg->name, lowest_bit(layout->speeds));
  if (axis->drives && !layout->currents)
    return brio_fail(err, BRIO_MISUSE, "servo %d is no model that can be one of `torques`", id);
  if (axis->drives && !(layout->currents & bit))
    return brio_fail(err, BRIO_DEVICE,
                     "servo %d is one of `torques`, but in mode %d: set its %s to %d (`brio servo`)", id,
                     mode, reg->name, lowest_bit(layout->currents));
  /* Any other servo must be in a mode of positions. */
  if (axis->drives || axis->wheel || !layout->places || (layout->places & bit)) return true;
  const char *other = layout->speeds & bit     ? ", or let it be one of `wheels`"
                      : layout->currents & bit ? ", or let it be one of `torques`"
                                               : "";
  return brio_fail(err, BRIO_DEVICE,
                   "servo %d is in mode %d, in which a goal is no place: set its %s to %d (`brio servo`)%s",
                   id, mode, reg->name, lowest_bit(layout->places), other);
}

/* Read the limits of speed and current of axis `i`. */
static bool take_bounds(brio_servo_driver *self, int i, int mode, brio_error *err) {
  brio_servo_axis *axis = &self->axes[i];
  int32_t quickest, most;
  if (!get(self, i, BRIO_ROLE_VELOCITY_LIMIT, 0, &quickest, err)) return false;
  axis->quickest = quickest;
  /* A goal current is set only in the mode that has one. */
  if (!axis->drives && (mode != PLACE_AND_CURRENT || self->amperes <= 0 ||
                        !brio_servo_role_register(axis->layout, BRIO_ROLE_GOAL_CURRENT)))
    return true;
  /* The limit of the servo bounds it. */
  if (!get(self, i, BRIO_ROLE_CURRENT_LIMIT, axis->drives ? 0 : INT32_MAX, &most, err)) return false;
  /* With 0 it would take each command and never move. */
  if (most <= 0 && brio_servo_role_register(axis->layout, BRIO_ROLE_CURRENT_LIMIT))
    return brio_fail(err, BRIO_DEVICE, "servo %d has a current limit of 0, with which it cannot move: set it",
                     self->ids[i]);
  axis->current = most;
  if (axis->drives) return true;
  /* In the register's unit; at least 1, because 0 means that none is set. */
  axis->current = (int)brio_clamp(round(self->amperes / axis->layout->ampere), 1, most);
  return true;
}

/* Read mode, limits and profile of axis `i`.  Reject a mode whose goals are not positions. */
static bool take_mode(brio_servo_driver *self, int i, brio_error *err) {
  brio_servo_axis *axis = &self->axes[i];
  const brio_servo_family *layout = axis->layout;
  int32_t mode, drive;
  bool wheel;
  /* Both registers are 0 in models that do not have them. */
  if (!get(self, i, BRIO_ROLE_MODE, 0, &mode, err) || !get(self, i, BRIO_ROLE_DRIVE_MODE, 0, &drive, err))
    return false;
  unsigned bit = 1u << (mode & 31);
  if (!check_mode(self, i, mode, err) || !take_bounds(self, i, mode, err)) return false;
  if (axis->wheel) return true;
  if (!take_limits(self, i, layout->turns & bit, &wheel, err)) return false;
  if (wheel)
    return brio_fail(err, BRIO_DEVICE, "servo %d is set as a wheel: give it limits (`brio servo`)",
                     self->ids[i]);
  /* Speeds go with the goals only where both fit into one packet. */
  axis->timed = axis->timed && !(drive & TIME_BASED) &&
                is_near_goal(layout, brio_servo_role_register(layout, BRIO_ROLE_SPEED));
  return true;
}

/* Check that a servo can be read.  Two servos with one id may answer a ping alike, but their
** reports collide. */
static bool check_report(brio_servo_driver *self, int i, brio_error *err) {
  int32_t place;
  brio_error why = {0};
  /* A ping has been answered already. */
  if (brio_servo_bus_get(&self->bus, self->ids[i], BRIO_ROLE_POSITION, &place, &why)) return true;
  if (why.code == BRIO_IO) return brio_fail(err, why.code, "%s", why.message);
  if (!self->bus.garbled)
    return brio_fail(err, BRIO_DEVICE,
                     "servo %d answers pings, but does not report its position: is its "
                     "Status Return Level 0? Set it to 2 or 1 (`brio servo`)",
                     self->ids[i]);
  return brio_fail(err, BRIO_DEVICE,
                   "servo %d answers, but its reports are garbled: two servos with this id, or noise on %s",
                   self->ids[i], self->port->name);
}

/* ---- hardware errors at opening ---- */

/* Return true if an alert concerns the supply. */
static bool is_supply(const brio_servo_family *layout, int bits) {
  for (const brio_servo_alert *alert = layout->alerts; alert->bit >= 0; alert++)
    if (strncmp(alert->words, "input voltage", 13) == 0 &&
        (layout->alert_codes ? bits == alert->bit : bits >> alert->bit & 1))
      return true;
  return false;
}

/* Reboot the servos that need it: those whose supply failed, or all with an error.  Then find all
** servos again. */
static bool reboot_some(brio_servo_driver *self, int which, brio_error *err) {
  bool any = false;
  /* A standing error keeps torque off. */
  for (int i = 0; i < self->count && which != NEVER; i++) {
    int32_t bits = 0;
    if (!get(self, i, BRIO_ROLE_ALERT, 0, &bits, err)) return false;
    /* A reboot clears a standing hardware error, and with it the settings in RAM. */
    if (bits == 0 || (which != ALL && !is_supply(self->axes[i].layout, bits))) continue;
    any = brio_servo_bus_reboot(&self->bus, self->ids[i], NULL) || any;
  }
  if (!any) return true;
  /* Read and drop what arrives while they reboot. */
  double until = brio_port_now(self->port) + REBOOTING, now;
  uint8_t bytes[64];
  while ((now = brio_port_now(self->port)) < until)
    if (brio_port_read(self->port, bytes, sizeof bytes, until - now, err) < 0) return false;
  return find_servos(self, err);
}

/* ---- groups ---- */

/* Return true if two layouts have the same registers in a cycle, so that one packet serves both. */
static bool is_alike(const brio_servo_family *a, const brio_servo_family *b) {
  static const brio_servo_role roles[] = {BRIO_ROLE_GOAL,     BRIO_ROLE_SPEED,         BRIO_ROLE_POSITION,
                                          BRIO_ROLE_VELOCITY, BRIO_ROLE_GOAL_VELOCITY, BRIO_ROLE_GOAL_CURRENT,
                                          BRIO_ROLE_CURRENT};
  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
    const brio_register *one = brio_servo_role_register(a, roles[i]),
                        *other = brio_servo_role_register(b, roles[i]);
    /* Present in only one of them, or at another place or of another size. */
    if (!one != !other || (one && (one->address != other->address || one->size != other->size))) return false;
  }
  return true;
}

/* Put each axis into the first group that fits.  O(axes x groups). */
static bool make_groups(brio_servo_driver *self, brio_error *err) {
  for (int i = 0; i < self->count; i++) {
    const brio_servo_axis *axis = &self->axes[i];
    int g = 0;
    while (g < self->ngroup &&
           !(self->groups[g].timed == axis->timed && self->groups[g].wheel == axis->wheel &&
             self->groups[g].drives == axis->drives && is_alike(self->groups[g].layout, axis->layout)))
      g++;
    if (g == BRIO_SERVO_GROUPS)
      return brio_fail(err, BRIO_MISUSE, "there are too many kinds of servos on %s", self->port->name);
    /* A new kind of servo starts a group. */
    if (g == self->ngroup)
      self->groups[self->ngroup++] = (brio_servo_group){
          .layout = axis->layout, .timed = axis->timed, .wheel = axis->wheel, .drives = axis->drives};
    assert(self->groups[g].count < BRIO_SERVO_AXES);
    self->groups[g].axes[self->groups[g].count++] = (uint8_t)i;
  }
  return true;
}

/* ---- opening ---- */

/* Open the port and its trace; then the bus with its settings. */
static bool open_port(brio_servo_driver *self, const double *settings, const char *const *texts,
                      brio_error *err) {
  if (!self->port) self->port = brio_port_open(texts[PORT], (int)settings[BAUD], err);
  if (!self->port) return false;
  /* The trace needs the port's rate. */
  if (texts[TRACE][0]) {
    self->port->trace = brio_trace_open(texts[TRACE], self->family->protocol, texts[PORT], self->port->baud,
                                        err);
    if (!self->port->trace) return false;
  }
  brio_servo_bus_start(&self->bus, self->family, self->port);
  /* Time limits of the bus, and how often health is read. */
  self->bus.x.latency = settings[LATENCY];
  self->bus.x.tries = (int)settings[TRIES];
  self->health = settings[HEALTH];
  self->amperes = settings[CURRENT];
  return true;
}

/* Read which servos are wheels, and how unknown models are treated. */
static bool take_texts(brio_servo_driver *self, const char *const *texts, bool *wheels, brio_error *err) {
  uint8_t ids[BRIO_SERVO_AXES];
  int count = brio_exchange_ids(texts[WHEELS], ids, BRIO_SERVO_AXES, 252);
  if (count < 0)
    return brio_fail(err, BRIO_MISUSE, "wheels must be ids as in \"5,6\", not '%s'", texts[WHEELS]);
  for (int k = 0; k < count; k++) {
    /* Every id of `wheels` must be that of an axis. */
    const uint8_t *found = memchr(self->ids, ids[k], (size_t)self->count);
    if (!found) return brio_fail(err, BRIO_MISUSE, "id %d of wheels is none of the axes'", ids[k]);
    wheels[found - self->ids] = true;
  }
  /* -1: refuse unknown models. */
  self->unknown_as = texts[UNKNOWN_AS][0] ? brio_servo_model_number(self->family, texts[UNKNOWN_AS], err)
                                          : -1;
  return !texts[UNKNOWN_AS][0] || self->unknown_as >= 0;
}

/* In order: ids, models, reports, reboots, modes, groups. */
static bool learn(brio_servo_driver *self, const brio_axis *axes, const double *settings,
                  const char *const *texts, brio_error *err) {
  bool wheels[BRIO_SERVO_AXES] = {0};
  if (!take_texts(self, texts, wheels, err) || !find_servos(self, err)) return false;
  /* All are there: on a machine that stalls answers may come late, as with pings. */
  int tries = self->bus.x.tries;
  self->bus.x.tries = PINGS * tries;
  for (int i = 0; i < self->count; i++) {
    const brio_servo_family *layout = layout_of(self, i, err);
    if (!layout) return false;
    /* The axis's own limits come first; the servo may narrow them. */
    self->axes[i] = (brio_servo_axis){.layout = layout,
                                      .lower = axes[i].lower,
                                      .upper = axes[i].upper,
                                      .told = NAN,
                                      .fastest = axes[i].velocity,
                                      .place = NAN,
                                      .wheel = wheels[i],
                                      .timed = settings[TIMED] > 0 && !wheels[i]};
  }
  if (!brio_servo_driver_take_torques(self, texts[TORQUES], err)) return false;
  for (int i = 0; i < self->count; i++)
    if (!check_report(self, i, err)) return false;
  if (!reboot_some(self, (int)settings[REBOOT], err)) return false;
  /* Modes after reboots, which may change them. */
  for (int i = 0; i < self->count; i++)
    if (!take_mode(self, i, err)) return false;
  self->bus.x.tries = tries;
  return make_groups(self, err);
}

void *brio_servo_driver_open_on(const brio_servo_family *family, const brio_axis *axes, int count,
                                const double *settings, const char *const *texts, brio_port *port,
                                brio_error *err) {
  /* The port belongs to the driver from here on, on failure, too. */
  /* One block for everything: nothing is allocated after opening. */
  brio_servo_driver *self = count > BRIO_SERVO_AXES ? NULL : calloc(1, sizeof *self);
  if (!self) {
    brio_port_close(port);
    if (count > BRIO_SERVO_AXES)
      brio_fail(err, BRIO_MISUSE, "there may be at most %d servos", BRIO_SERVO_AXES);
    else brio_fail(err, BRIO_NO_MEMORY, "no memory for %d servos", count);
    return NULL;
  }
  self->family = family;
  self->port = port;
  self->count = count;
  bool good = take_ids(self, texts[IDS], (int)settings[FIRST_ID], err) &&
              open_port(self, settings, texts, err) && learn(self, axes, settings, texts, err);
  if (good) return self;
  brio_servo_driver_close(self);
  return NULL;
}

/* The context of families with texts is their values. */
void *brio_servo_driver_open(const brio_servo_family *family, const brio_axis *axes, int count,
                             const double *settings, void *context, brio_error *err) {
  if (context) return brio_servo_driver_open_on(family, axes, count, settings, context, NULL, err);
  brio_fail(err, BRIO_MISUSE, "%s servos need a port", family->name);
  return NULL;
}

void brio_servo_driver_close(void *device) {
  brio_servo_driver *self = device;
  /* Without a host a wheel would keep turning, and a torque pushing. */
  for (int i = 0; i < self->count; i++)
    if (self->axes[i].drives && self->axes[i].on)
      brio_servo_bus_set(&self->bus, self->ids[i], BRIO_ROLE_GOAL_CURRENT, 0, NULL);
    else if (self->axes[i].wheel && self->axes[i].on)
      brio_servo_bus_set(&self->bus, self->ids[i], BRIO_ROLE_GOAL_VELOCITY, 0, NULL);
  if (self->port) brio_trace_close(self->port->trace, NULL);
  brio_port_close(self->port);
  free(self);
}

/* ---- setting up ---- */

/* Write a register only if its value differs: EEPROM wears out. */
static bool put(brio_servo_driver *self, int i, brio_servo_role role, int32_t value, brio_error *err) {
  const brio_register *reg = brio_servo_role_register(self->axes[i].layout, role);
  int32_t now;
  if (!reg) return true;
  if (!brio_servo_bus_get(&self->bus, self->ids[i], role, &now, err)) return false;
  return now == value || brio_servo_bus_configure(&self->bus, self->ids[i], reg, value, err);
}

/* NaN leaves a gain as it is. */
bool brio_servo_driver_gains(brio_servo_driver *self, int i, const brio_gains *gains, brio_error *err) {
  const struct {
    const char *name;
    brio_servo_role role;
    double value;
  } rows[] = {{"p", BRIO_ROLE_GAIN_P, gains->p},
              {"i", BRIO_ROLE_GAIN_I, gains->i},
              {"d", BRIO_ROLE_GAIN_D, gains->d},
              {"velocity", BRIO_ROLE_GAIN_VELOCITY, gains->velocity},
              {"acceleration", BRIO_ROLE_GAIN_ACCELERATION, gains->acceleration}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const brio_register *reg = brio_servo_role_register(self->axes[i].layout, rows[k].role);
    if (isnan(rows[k].value)) continue;
    /* A gain that the model lacks, or out of its range, is an error and not ignored. */
    if (!reg) return brio_fail(err, BRIO_MISUSE, "servo %d has no gain %s", self->ids[i], rows[k].name);
    if (!(rows[k].value >= reg->lower && rows[k].value <= reg->upper))
      return brio_fail(err, BRIO_MISUSE, "the gain %s of servo %d is from %d to %d, not %g", rows[k].name,
                       self->ids[i], reg->lower, reg->upper, rows[k].value);
    if (!put(self, i, rows[k].role, (int32_t)lround(rows[k].value), err)) return false;
  }
  return true;
}

/* Store an axis's limits in its servo, as far as its registers reach. */
static bool set_limits(brio_servo_driver *self, int i, const brio_axis *axis, brio_error *err) {
  const brio_servo_family *layout = self->axes[i].layout;
  const struct {
    brio_servo_role role;
    double value;
  } rows[] = {{BRIO_ROLE_LOWER, axis->lower}, {BRIO_ROLE_UPPER, axis->upper}};
  for (int k = 0; k < 2; k++) {
    const brio_register *reg = brio_servo_role_register(layout, rows[k].role);
    /* A multi-turn servo, or an axis without an end. */
    if (!reg || !isfinite(rows[k].value)) continue;
    /* In counts, clamped to what the register can hold. */
    int32_t value = brio_servo_position(layout, rows[k].value);
    if (!put(self, i, rows[k].role, (int32_t)brio_clamp(value, reg->lower, reg->upper), err)) return false;
  }
  return true;
}

/* Writing 0 clears an expired watchdog; then it is armed. */
bool brio_servo_driver_arm(brio_servo_driver *self, int i, brio_error *err) {
  if (!brio_servo_role_register(self->axes[i].layout, BRIO_ROLE_WATCHDOG)) return true;
  /* clear an expired one */
  if (!brio_servo_bus_set(&self->bus, self->ids[i], BRIO_ROLE_WATCHDOG, 0, err)) return false;
  return self->watchdog == 0 ||
         brio_servo_bus_set(&self->bus, self->ids[i], BRIO_ROLE_WATCHDOG, self->watchdog, err);
}

bool brio_servo_driver_configure(void *device, const brio_driver_config *config, brio_error *err) {
  brio_servo_driver *self = device;
  if (config->ninput > 0)
    return brio_fail(err, BRIO_MISUSE, "%s servos have no inputs besides themselves: no input '%.64s'",
                     self->family->name, config->inputs[0].name);
  self->gains = config->gains;
  /* The unit is 20 ms; rounded up, at least one. */
  self->watchdog = config->watchdog > 0
                       ? (int)brio_clamp(ceil(config->watchdog / BRIO_SERVO_WATCHDOG), 1, 127)
                       : 0;
  if (!brio_servo_driver_check_torques(self, config, err)) return false;
  /* Limits, gains and watchdog of each servo; a wheel must have a watchdog. */
  for (int i = 0; i < self->count; i++) {
    if (self->axes[i].wheel && self->watchdog == 0)
      return brio_fail(
          err, BRIO_MISUSE,
          "servo %d is one of `wheels`: without its watchdog (`watchdog` in the robot's file) it would "
          "turn on when nobody speaks",
          self->ids[i]);
    if (config->limits && !self->axes[i].wheel && !set_limits(self, i, &config->axes[i], err)) return false;
    if (config->gains && !brio_servo_driver_gains(self, i, &config->gains[i], err)) return false;
    if (!brio_servo_driver_arm(self, i, err)) return false;
  }
  /* The watchdogs' time counts from now. */
  self->heard = brio_port_now(self->port);
  return true;
}

/* ---- description ---- */

/* The limits of the axis, narrowed to those stored in its servo. */
void brio_servo_driver_range(const void *device, int axis, double *lower, double *upper) {
  const brio_servo_driver *self = device;
  assert(axis >= 0 && axis < self->count);
  *lower = self->axes[axis].lower;
  *upper = self->axes[axis].upper;
}

/* Consecutive ids of one model are written as a range. */
void brio_servo_driver_describe(void *device, char *out, size_t size) {
  const brio_servo_driver *self = device;
  size_t used = 0;
  for (int i = 0, last; i < self->count && used + 1 < size; i = last + 1) {
    /* Extend the range while model and id continue. */
    const char *name = brio_servo_model_name(self->family, self->models[i]);
    for (last = i; last + 1 < self->count && self->models[last + 1] == self->models[i] &&
                   self->ids[last + 1] == self->ids[last] + 1;)
      last++;
    snprintf(out + used, size - used, last > i ? "%sids %d to %d: " : "%sid %d: ", i ? ", " : "",
             self->ids[i], self->ids[last]);
    used += strlen(out + used);
    snprintf(out + used, size - used, name ? "%s" : "%smodel %d, which brio does not know", name ? name : "",
             self->models[i]);
    used += strlen(out + used);
  }
}

/* Bad packets count as refused. */
void brio_servo_driver_count(void *device, brio_driver_counts *counts) {
  const brio_servo_driver *self = device;
  const brio_exchange *x = &self->bus.x;
  const uint64_t *faults = x->stream.faults;
  *counts = (brio_driver_counts){.retries = (int64_t)x->retries,
                                 .timeouts = (int64_t)x->timeouts,
                                 .strays = (int64_t)x->strays,
                                 .refused = (int64_t)(faults[BRIO_WIRE_CHECK] + faults[BRIO_WIRE_LENGTH] +
                                                      faults[BRIO_WIRE_CONTENT] + faults[BRIO_WIRE_CUT])};
}
