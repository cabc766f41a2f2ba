/* Drives by CiA 402 as a driver's axes.
**
** Power leads a drive through its states to "operation enabled", with a reset first if it is at
** fault.  Before the last step the target is set to where the drive is, as an enabled drive goes
** to its last target, however old.  In profile position each new target is a handshake: the
** set-point's bit rises, the drive acknowledges, the bit falls, the acknowledgement falls.
**
** A drive at fault is reported once and told nothing until it is switched on again.  A drive that
** boots, falls silent or shares its node number breaks the device, which must then be opened
** again: that sets all drives up from the start. */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/cia402/axes.h"
#include "drivers/targets.h"
#include "math/scalar.h"

enum { BAUD, FIRST, LATENCY, COUNTS, SPEED, FOLLOWING, PERIOD, HEARTBEAT, HOMING, HOME, HOMING_TIME };
enum { PORT, IDS, TRACE, MODE };
/* Phases of the handshake of a set-point. */
enum { IDLE, RISEN, FALLEN };
/* STEPS: control words on the way to enabled, at most.  Then control words, and the bit of the
** status word that says that the drive is homed. */
enum { STEPS = 6, SHUTDOWN = 0x06, ENABLED = 0x0F, REFERENCED = 0x8000 };

static const double TURN = 6.283185307179586;
static const double STATE_TIME = 0.3;     /* s for a change of state */
static const double SET_POINT_TIME = 0.1; /* s for a set-point to be acknowledged */
static const double SPEED_OVER = 0.02;    /* s over which a speed is measured */

const brio_driver_text brio_cia402_texts[] = {
    {"port",
     "The line: can:can0, unix:/path (frames of a CAN bus) or a serial port such as /dev/serial/by-id/...",
     "can:can0"},
    {"ids", "Node numbers of the axes in their order, as in \"1,2,11-14\"; empty: from first_id on.", ""},
    {"trace", "A file that every byte is recorded in, behind what it holds; empty: none.", ""},
    {"mode",
     "cyclic: the drive follows each target at once. profile: it goes to each by a profile of its own.",
     "cyclic"},
    {0}};

/* There is room for all drives, and the handshake of each is in one of its phases. */
static bool is_consistent(const brio_cia402_axes *self) {
  bool good = self->link && self->count >= 0 && self->count <= BRIO_CIA402_AXES;
  for (int i = 0; good && i < self->count; i++)
    good = self->all[i].phase >= IDLE && self->all[i].phase <= FALLEN;
  return good;
}

static double now_of(const brio_cia402_axes *self) { return brio_port_now(self->port); }

/* The first reason stays: others follow from it. */
void brio_cia402_break(brio_cia402_axes *self, const char *format, ...) {
  va_list list;
  if (self->broken[0]) return;
  va_start(list, format);
  vsnprintf(self->broken, sizeof self->broken, format, list);
  va_end(list);
}

/* Return false, with the reason, when the device must be opened again. */
static bool is_whole(const brio_cia402_axes *self, brio_error *err) {
  return !self->broken[0] || brio_fail(err, BRIO_DEVICE, "%s", self->broken);
}

static bool write_object(brio_cia402_axes *self, int i, int index, int sub, int32_t value, int size,
                         brio_error *err) {
  return self->link->write(self, i, index, sub, value, size, err);
}

/* Write an object that not every drive has: a refusal counts as done. */
static bool write_if_there(brio_cia402_axes *self, int i, int index, int sub, double value, int size,
                           brio_error *err) {
  int32_t number =
      size == 4 ? (int32_t)lround(brio_clamp(value, -2147483648.0, 2147483647.0)) : (int32_t)lround(value);
  return write_object(self, i, index, sub, number, size, err) || self->refused != 0;
}

static bool read_object(brio_cia402_axes *self, int i, int index, int sub, int32_t *value, brio_error *err) {
  int size = 0;
  return self->link->read(self, i, index, sub, value, &size, err);
}

/* Keep the status word of a drive. */
static bool read_status(brio_cia402_axes *self, int i, brio_error *err) {
  int32_t value = 0;
  if (!read_object(self, i, 0x6041, 0, &value, err)) return false;
  self->all[i].status = (uint16_t)value; /* what follows may be rubbish */
  return true;
}

static brio_cia402_state state_of(const brio_cia402_axis *axis) { return brio_cia402_state_of(axis->status); }

/* Counts are positions as drives have them; the clamp keeps lround defined. */
static double to_angle(const brio_cia402_axes *self, int32_t counts) { return counts / self->counts; }

static int32_t to_counts(const brio_cia402_axes *self, double angle) {
  return (int32_t)lround(brio_clamp(angle * self->counts, -2e9, 2e9));
}

/* ---- opening ---- */

/* Node numbers from the text, or from `first` on; no two alike. */
static bool take_nodes(brio_cia402_axes *self, const char *text, int first, brio_error *err) {
  uint8_t nodes[BRIO_CIA402_AXES];
  int count = brio_exchange_ids(text, nodes, BRIO_CIA402_AXES, BRIO_CANOPEN_NODES);
  bool good = count == 0 ? first + self->count - 1 <= BRIO_CANOPEN_NODES : count == self->count;
  for (int i = 0; i < self->count && good; i++) {
    self->all[i].node = count > 0 ? nodes[i] : first + i;
    for (int k = 0; k < i; k++) good = good && self->all[k].node != self->all[i].node;
    good = good && self->all[i].node > 0;
  }
  return good || brio_fail(err, BRIO_MISUSE,
                           "%d axes need as many different nodes from 1 to %d, as in \"1,2,11-14\", not '%s'",
                           self->count, BRIO_CANOPEN_NODES, text);
}

/* Set the driver's modes and windows.  Optional objects are left alone where a drive has none. */
static bool set_up(brio_cia402_axes *self, int i, brio_error *err) {
  brio_cia402_axis *axis = &self->all[i];
  axis->mode = self->mode;
  double fast = self->speeds * fmin(axis->velocity, 1e9),
         quick = self->speeds * fmin(axis->acceleration, 1e9);
  bool profile = self->mode == BRIO_CIA402_PROFILE, known = self->speeds > 0;
  bool good = write_object(self, i, 0x6060, 0, self->mode, 1, err);
  if (good && self->link->guards)
    good = write_if_there(self, i, 0x1016, 1, 0, 4, err); /* an earlier host that it waited for has gone */
  if (good && self->window > 0)
    good = write_if_there(self, i, 0x6065, 0, self->window * self->counts, 4, err);
  if (good && !profile)
    good = write_if_there(self, i, 0x60C2, 1, fmax(1, round(self->period * 1000)), 1, err);
  if (good && profile && known && isfinite(axis->velocity))
    good = write_if_there(self, i, 0x6081, 0, fmax(1, fast), 4, err);
  if (good && profile && known && isfinite(axis->acceleration))
    good = write_if_there(self, i, 0x6083, 0, fmax(1, quick), 4, err) &&
           write_if_there(self, i, 0x6084, 0, fmax(1, quick), 4, err);
  return good && read_status(self, i, err) && read_object(self, i, 0x6064, 0, &axis->place, err) &&
         self->link->start(self, i, err);
}

static bool take_mode(brio_cia402_axes *self, const char *text, brio_error *err) {
  self->mode = strcmp(text, "cyclic") == 0    ? BRIO_CIA402_CYCLIC
               : strcmp(text, "profile") == 0 ? BRIO_CIA402_PROFILE
                                              : 0;
  return self->mode || brio_fail(err, BRIO_MISUSE, "mode is 'cyclic' or 'profile', not '%.40s'", text);
}

/* Settings first, then the port, the trace, and each drive. */
static bool start(brio_cia402_axes *self, const double *settings, const char *const *texts, brio_error *err) {
  if (!take_nodes(self, texts[IDS], (int)settings[FIRST], err) || !take_mode(self, texts[MODE], err))
    return false;
  if (!self->port) self->port = brio_port_open(texts[PORT], (int)settings[BAUD], err);
  if (!self->port) return false;
  brio_canopen_start(&self->bus, self->port, settings[LATENCY]);
  self->counts = settings[COUNTS] / TURN;
  self->speeds = settings[SPEED] / TURN;
  self->window = settings[FOLLOWING];
  self->period = settings[PERIOD];
  self->heartbeat = settings[HEARTBEAT];
  self->homing = (int)settings[HOMING];
  self->home = settings[HOME];
  self->homing_time = settings[HOMING_TIME];
  self->link->begin(self);
  if (texts[TRACE][0]) {
    self->port->trace =
        brio_trace_open(texts[TRACE], self->link->protocol, texts[PORT], self->port->baud, err);
    if (!self->port->trace) return false;
  }
  /* A drive that is silent at opening may have another number. */
  for (int i = 0; i < self->count; i++) {
    brio_error why = {0};
    if (set_up(self, i, &why)) continue;
    bool silent = why.code == BRIO_DEVICE && strstr(why.message, "did not answer");
    return brio_fail(err, why.code, "%s%s", why.message, silent ? "; `brio scan` tells what is there" : "");
  }
  for (int i = 0; i < self->count; i++) self->all[i].heard = self->all[i].answered = now_of(self);
  self->started = true;
  return true;
}

void *brio_cia402_open_at(const brio_cia402_link *link, brio_port *port, const brio_axis *axes, int count,
                          const double *settings, const char *const *texts, brio_error *err) {
  brio_cia402_axes *self = calloc(1, sizeof *self);
  if (!self) {
    brio_port_close(port);
    brio_fail(err, BRIO_NO_MEMORY, "no memory for %d drives", count);
    return NULL;
  }
  self->link = link;
  self->port = port;
  self->count = count;
  for (int i = 0; i < count; i++) {
    self->all[i].lower = axes[i].lower;
    self->all[i].upper = axes[i].upper;
    self->all[i].velocity = axes[i].velocity;
    self->all[i].acceleration = axes[i].acceleration;
  }
  if (start(self, settings, texts, err)) return self;
  brio_cia402_close(self);
  return NULL;
}

void *brio_cia402_open(const brio_cia402_link *link, const brio_axis *axes, int count, const double *settings,
                       void *context, brio_error *err) {
  const char *const *texts = context;
  bool bus = texts && (strncmp(texts[PORT], "can:", 4) == 0 || strncmp(texts[PORT], "unix:", 5) == 0);
  if (texts && bus != link->guards) {
    brio_fail(err, BRIO_MISUSE, "%s, not '%s'",
              link->guards ? "a CAN bus was expected, such as can:can0 (epos_serial is for serial lines)"
                           : "a serial line was expected (epos is for CAN buses)",
              texts[PORT]);
    return NULL;
  }
  if (context && count <= BRIO_CIA402_AXES)
    return brio_cia402_open_at(link, NULL, axes, count, settings, context, err);
  brio_fail(err, BRIO_MISUSE, "drives need a port, and there may be at most %d", BRIO_CIA402_AXES);
  return NULL;
}

/* When the device is closed on purpose, the drives no longer wait for the host. */
void brio_cia402_close(void *device) {
  brio_cia402_axes *self = device;
  bool good = self->started && self->watchdog > 0 && !self->broken[0];
  self->bus.x.tries = 1;
  for (int i = 0; i < self->count && good; i++) good = write_object(self, i, 0x1016, 1, 0, 4, NULL);
  if (self->port) brio_trace_close(self->port->trace, NULL);
  brio_port_close(self->port);
  free(self);
}

/* ---- what it is set to ---- */

/* Limits go to the drive in its own units, rounded outwards. */
static bool set_limits(brio_cia402_axes *self, int i, brio_error *err) {
  const brio_cia402_axis *axis = &self->all[i];
  double fast = fmax(1, self->speeds * axis->velocity), quick = fmax(1, self->speeds * axis->acceleration);
  bool good = true;
  if (isfinite(axis->lower))
    good = write_if_there(self, i, 0x607D, 1, floor(axis->lower * self->counts), 4, err);
  if (good && isfinite(axis->upper))
    good = write_if_there(self, i, 0x607D, 2, ceil(axis->upper * self->counts), 4, err);
  if (good && self->speeds > 0 && isfinite(axis->velocity))
    good = write_if_there(self, i, 0x607F, 0, fast, 4, err);
  if (good && self->speeds > 0 && isfinite(axis->acceleration))
    good = write_if_there(self, i, 0x60C5, 0, quick, 4, err);
  return good;
}

/* Set the gains that are given: maxon's position controller, 30A1:01 to 05. */
static bool set_gains(brio_cia402_axes *self, int i, const brio_gains *gains, brio_error *err) {
  const double values[] = {gains->p, gains->i, gains->d, gains->velocity, gains->acceleration};
  for (int k = 0; k < 5; k++) {
    if (isnan(values[k])) continue;
    if (!write_object(self, i, 0x30A1, k + 1, (int32_t)lround(brio_clamp(values[k], 0, 2e9)), 4, err))
      return false;
  }
  return true;
}

/* Let a drive stop and hold when it has not heard the host for the watchdog's time: quick stop (6),
** in which it stays. */
static bool set_watchdog(brio_cia402_axes *self, int i, brio_error *err) {
  int32_t guard = (int32_t)(0x7F0000 | (int)brio_clamp(round(self->watchdog * 1000), 2, 65535));
  if (!write_if_there(self, i, 0x605A, 0, 6, 2, err) || !write_if_there(self, i, 0x6007, 0, 3, 2, err))
    return false;
  if (write_object(self, i, 0x1016, 1, guard, 4, err)) return true;
  return self->refused == 0 ||
         brio_fail(err, BRIO_DEVICE, "node %d cannot hear whether brio is there (object 1016:01 is refused): "
                   "`watchdog = false` in the robot's file does without", self->all[i].node);
}

bool brio_cia402_configure(void *device, const brio_driver_config *config, brio_error *err) {
  brio_cia402_axes *self = device;
  bool guarded = self->link->guards && config->watchdog > 0, good = true;
  if (config->ninput > 0) return brio_fail(err, BRIO_MISUSE, "drives sense nothing besides their axes");
  self->watchdog = guarded ? config->watchdog : 0;
  self->beat_at = now_of(self);
  for (int i = 0; i < self->count && good; i++) {
    if (config->limits) good = set_limits(self, i, err);
    if (good && config->gains) good = set_gains(self, i, &config->gains[i], err);
    if (good && guarded) good = set_watchdog(self, i, err);
  }
  return good;
}

/* ---- power ---- */

/* Write a control word and read what became of it. */
static bool set_control(brio_cia402_axes *self, int i, int control, brio_error *err) {
  return write_object(self, i, 0x6040, 0, control, 2, err) && read_status(self, i, err);
}

/* Set the target to where the drive is. */
static bool stay(brio_cia402_axes *self, int i, brio_error *err) {
  brio_cia402_axis *axis = &self->all[i];
  if (!read_object(self, i, 0x6064, 0, &axis->place, err) ||
      !write_object(self, i, 0x607A, 0, axis->place, 4, err))
    return false;
  axis->target = axis->taken = axis->place;
  axis->told = false;
  axis->phase = IDLE;
  return true;
}

/* Report why a drive cannot be switched on. */
static bool fail_power(brio_cia402_axes *self, int i, brio_error *err) {
  int32_t code = 0;
  bool fault = state_of(&self->all[i]) == BRIO_CIA402_FAULT && read_object(self, i, 0x603F, 0, &code, NULL);
  return brio_fail(err, BRIO_DEVICE, "node %d cannot be switched on: its state is '%s'%s%s",
                   self->all[i].node, brio_cia402_state_words(state_of(&self->all[i])), fault ? ", for " : "",
                   fault ? brio_cia402_emergency(code & 0xFFFF) : "");
}

/* From state to state, until it is enabled or time is over.  Before the last step the target is
** set. */
static bool enable(brio_cia402_axes *self, int i, brio_error *err) {
  double until = now_of(self) + STATE_TIME;
  if (!read_status(self, i, err)) return false;
  for (int k = 0; k < STEPS || now_of(self) < until; k++) {
    brio_cia402_state state = state_of(&self->all[i]);
    if (state == BRIO_CIA402_ENABLED) return true;
    if (state == BRIO_CIA402_FAULT && !set_control(self, i, 0, err)) return false; /* the bit must rise */
    bool last = state == BRIO_CIA402_SWITCHED_ON || state == BRIO_CIA402_QUICK_STOP;
    if (last && !stay(self, i, err)) return false;
    if (!set_control(self, i, brio_cia402_next_control(state), err)) return false;
  }
  return fail_power(self, i, err);
}

/* Home a drive that is not homed: method and home position, then the set-point's bit starts it, and
** bits 10 and 12 end it. */
static bool home(brio_cia402_axes *self, int i, brio_error *err) {
  brio_cia402_axis *axis = &self->all[i];
  double until = now_of(self) + self->homing_time;
  if (self->homing == 0 || (axis->status & REFERENCED)) return true;
  int32_t place = to_counts(self, self->home);
  bool good = write_object(self, i, 0x6098, 0, self->homing, 1, err);
  if (good && !write_if_there(self, i, 0x30B0, 0, place, 4, err)) return false;
  if (good && self->refused) good = write_object(self, i, 0x607C, 0, place, 4, err);
  good = good && write_object(self, i, 0x6060, 0, BRIO_CIA402_HOMING, 1, err) &&
         set_control(self, i, ENABLED, err) && set_control(self, i, ENABLED | BRIO_CIA402_SET_POINT, err);
  /* Until it is homed, fails, leaves operation, or time is over. */
  while (good && !((axis->status & BRIO_CIA402_ACKNOWLEDGED) && (axis->status & BRIO_CIA402_REACHED))) {
    if ((axis->status & BRIO_CIA402_FOLLOWING) || now_of(self) > until ||
        state_of(axis) != BRIO_CIA402_ENABLED) {
      good = brio_fail(err, BRIO_DEVICE, "node %d does not find its home by method %d", axis->node,
                       self->homing);
      break;
    }
    good = read_status(self, i, err);
  }
  /* Back to the mode of targets, whatever came of it. */
  brio_error *aside = good ? err : NULL;
  bool back = set_control(self, i, ENABLED, aside) && stay(self, i, aside) &&
              write_object(self, i, 0x6060, 0, self->mode, 1, aside);
  return good && back;
}

static bool switch_on(brio_cia402_axes *self, int i, brio_error *err) {
  brio_cia402_axis *axis = &self->all[i];
  /* one that is enabled already may be on its way to an old target */
  if (!enable(self, i, err) || !stay(self, i, err) || !home(self, i, err)) return false;
  axis->complained = axis->emergency = 0;
  return axis->on = true;
}

bool brio_cia402_power(void *device, const bool *on, brio_error *err) {
  brio_cia402_axes *self = device;
  assert(is_consistent(self));
  brio_error why = {0};
  bool good = is_whole(self, &why);
  /* Drives that were switched on once wait for the host's heartbeat. */
  for (int i = 0; i < self->count; i++) self->guarding = self->guarding || on[i];
  /* Each drive alone; the first failure is reported. */
  for (int i = 0; i < self->count && !self->broken[0]; i++) {
    brio_error *aside = good ? &why : NULL;
    bool was = self->all[i].on;
    self->all[i].wanted = on[i];
    self->all[i].on = on[i] && was;
    if (on[i] && was) continue;
    bool done = on[i] ? switch_on(self, i, aside) : set_control(self, i, SHUTDOWN, aside);
    good = done && good;
  }
  if (good) why = (brio_error){0};
  self->refusal = why;
  if (!good && err) *err = why;
  return good;
}

/* ---- a cycle ---- */

/* In cyclic position every target counts at once. */
int brio_cia402_control(const brio_cia402_axes *self, brio_cia402_axis *axis, double now) {
  bool acknowledged = axis->status & BRIO_CIA402_ACKNOWLEDGED;
  if (self->mode != BRIO_CIA402_PROFILE) {
    axis->taken = axis->target;
    return ENABLED;
  }
  /* The handshake: idle, risen until acknowledged or too late, fallen until the acknowledgement
  ** falls. */
  if (axis->phase == FALLEN && !acknowledged) axis->phase = IDLE;
  if (axis->phase == IDLE && axis->taken != axis->target) {
    axis->phase = RISEN;
    axis->taken = axis->target;
    axis->since = now;
    return ENABLED | BRIO_CIA402_AT_ONCE | BRIO_CIA402_SET_POINT;
  }
  if (axis->phase == RISEN && (acknowledged || now - axis->since > SET_POINT_TIME)) {
    axis->phase = FALLEN;
    if (!acknowledged) axis->taken = axis->place; /* it is told again */
  }
  return axis->phase == RISEN ? ENABLED | BRIO_CIA402_AT_ONCE | BRIO_CIA402_SET_POINT
                              : ENABLED | BRIO_CIA402_AT_ONCE;
}

bool brio_cia402_write(void *device, const double *targets, brio_error *err) {
  brio_cia402_axes *self = device;
  assert(is_consistent(self));
  if (!is_whole(self, err) || brio_targets_late(err)) return false;
  /* Only drives that are on have targets. */
  for (int i = 0; i < self->count; i++) {
    brio_cia402_axis *axis = &self->all[i];
    if (isnan(targets[i]) || !axis->on) continue;
    axis->target = to_counts(self, brio_clamp(targets[i], axis->lower, axis->upper));
    axis->told = true;
  }
  return self->link->tell(self, err);
}

/* Report an emergency or fault once.  Return false when there is a new one. */
static bool check(brio_cia402_axes *self, int i, brio_error *err) {
  brio_cia402_axis *axis = &self->all[i];
  brio_cia402_state state = state_of(axis);
  bool fault = axis->fresh && (state == BRIO_CIA402_FAULT || state == BRIO_CIA402_FAULT_REACTION);
  bool stopped = axis->fresh && axis->on && !fault && state != BRIO_CIA402_ENABLED;
  int32_t code = axis->emergency;
  /* A drive at fault that sent no emergency is asked for its code. */
  if (fault && !code && axis->complained <= 0 && read_object(self, i, 0x603F, 0, &code, NULL))
    axis->emergency = code & 0xFFFF;
  int now = axis->emergency ? axis->emergency : fault ? 1 : stopped ? 2 : 0;
  /* It is told nothing until it is switched on again. */
  if (fault || stopped) axis->on = false;
  if (now == axis->complained || (now == 0 && axis->complained == 2)) return true;
  axis->complained = now;
  if (now == 0) return true;
  if (now == 2)
    return brio_fail(err, BRIO_DEVICE, "node %d has left operation: its state is '%s'", axis->node,
                     brio_cia402_state_words(state));
  return brio_fail(err, BRIO_DEVICE, "node %d: %s %04X, %s", axis->node, fault ? "fault" : "emergency",
                   (unsigned)axis->emergency,
                   axis->emergency ? brio_cia402_emergency(axis->emergency) : "unknown");
}

/* Speed from positions over SPEED_OVER at least, as counts are coarse. */
static void measure_speed(const brio_cia402_axes *self, brio_cia402_axis *axis, double now) {
  double dt = now - axis->velocity_at;
  if (dt < SPEED_OVER) return;
  axis->speed = dt < 10 * SPEED_OVER ? ((double)axis->place - axis->velocity_from) / self->counts / dt : 0;
  axis->velocity_at = now;
  axis->velocity_from = axis->place;
}

bool brio_cia402_read(void *device, brio_axis_state *states, brio_error *err) {
  brio_cia402_axes *self = device;
  assert(is_consistent(self));
  /* A cycle: whole before and after it. */
  bool good = is_whole(self, err) && self->link->ask(self, err) && is_whole(self, err);
  double now = now_of(self);
  if (!good) return false;
  for (int i = 0; i < self->count; i++) {
    brio_cia402_axis *axis = &self->all[i];
    if (axis->fresh) measure_speed(self, axis, now);
    states[i] = (brio_axis_state){.position = to_angle(self, axis->place),
                                  .velocity = axis->speed,
                                  .valid = axis->fresh,
                                  .knows = axis->knows_torque ? BRIO_KNOWS_LOAD : 0,
                                  .load = axis->torque / 1000.0,
                                  .failed = axis->wanted && !axis->on};
    good = check(self, i, good ? err : NULL) && good;
  }
  self->cycle++;
  if (good && self->refusal.code != BRIO_OK) { /* told once, to whoever did not ask when power was switched */
    if (err) *err = self->refusal;
    self->refusal.code = BRIO_OK;
    return false;
  }
  return good;
}

/* ---- about it ---- */

void brio_cia402_describe(void *device, char *out, size_t size) {
  const brio_cia402_axes *self = device;
  int used = snprintf(out, size, "%d drives by CiA 402, %s, nodes", self->count,
                      self->mode == BRIO_CIA402_PROFILE ? "profile position" : "cyclic position");
  for (int i = 0; i < self->count && used > 0 && (size_t)used < size; i++)
    used += snprintf(out + used, size - (size_t)used, "%s %d", i > 0 ? "," : "", self->all[i].node);
  brio_cia402_map_words(self, out, size);
}

void brio_cia402_count(void *device, brio_driver_counts *counts) {
  const brio_exchange *x = &((const brio_cia402_axes *)device)->bus.x;
  const uint64_t *faults = x->stream.faults;
  *counts = (brio_driver_counts){
      .retries = (int64_t)x->retries,
      .timeouts = (int64_t)x->timeouts,
      .strays = (int64_t)x->strays,
      .refused = (int64_t)(faults[BRIO_WIRE_CHECK] + faults[BRIO_WIRE_LENGTH] + faults[BRIO_WIRE_CONTENT])};
}
