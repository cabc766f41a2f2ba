/* Drives by CiA 402 as a driver's axes: how they are opened and set, and what a cycle exchanges; power.c
** switches them.  In profile position each new target is a handshake: the new-set-point bit rises, the drive
** acknowledges, the bit falls, the acknowledgement falls.  A fault is reported once, and the drive gets no
** more targets until it is switched on again.  A drive that boots, stops responding or shares its node number
** breaks the device.  It must then be opened again, which sets up all drives from the start. */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/cia402/axes_internal.h"
#include "drivers/targets.h"
#include "math/scalar.h"

/* Indices of the driver's settings, then of its texts, in the order of their tables. */
enum { BAUD, FIRST, LATENCY, COUNTS, SPEED, FOLLOWING, PERIOD, HEARTBEAT, HOMING, HOME, HOMING_TIME };
enum { PORT, IDS, TRACE, MODE, TORQUES };

/* Constants in SI units. */
static const double TURN = 6.283185307179586;
static const double SET_POINT_TIME = 0.1; /* s for a set-point to be acknowledged */
static const double SPEED_OVER = 0.02;    /* s over which a speed is measured */

const brio_driver_text brio_cia402_texts[] = {
    {"port",
     "The line: can:can0, unix:/path (frames of a CAN bus) or a serial port such as /dev/serial/by-id/...",
     "can:can0"},
    {"ids", "Node numbers of the axes in their order, as in \"1,2,11-14\"; empty: from first_id on.", ""},
    {"trace", "A file to which every byte is appended, with times; empty: none.", ""},
    {"mode",
     "cyclic: the drive follows each target at once. profile: it goes to each by a profile of its own.",
     "cyclic"},
    {"torques",
     "Nodes whose torque is controlled (`control` in the robot's file, mode 10), with the N m of their rated "
     "torque (6076) at the axis: times the gear, as in \"1:12.5,2:12.5\".",
     ""},
    {0}};

/* The count fits the array, and each handshake is in one of its phases. */
bool brio_cia402_is_consistent(const brio_cia402_axes *self) {
  bool good = self->link && self->count >= 0 && self->count <= BRIO_CIA402_AXES;
  for (int i = 0; good && i < self->count; i++)
    good = self->all[i].phase >= BRIO_CIA402_IDLE && self->all[i].phase <= BRIO_CIA402_FALLEN;
  return good;
}

/* Return the port's time, s. */
static double now_of(const brio_cia402_axes *self) { return brio_port_now(self->port); }

/* Keep the first reason: later ones follow from it. */
void brio_cia402_break(brio_cia402_axes *self, const char *format, ...) {
  va_list list;
  if (self->broken[0]) return;
  va_start(list, format);
  vsnprintf(self->broken, sizeof self->broken, format, list);
  va_end(list);
}

/* Return false, with the reason, if the device must be opened again. */
bool brio_cia402_is_whole(const brio_cia402_axes *self, brio_error *err) {
  return !self->broken[0] || brio_fail(err, BRIO_DEVICE, "%s", self->broken);
}

/* Objects go through the link: SDOs on a CAN bus, or frames of a serial line. */
bool brio_cia402_write_object(brio_cia402_axes *self, int i, int index, int sub, int32_t value, int size,
                         brio_error *err) {
  return self->link->write(self, i, index, sub, value, size, err);
}

/* Write an optional object.  A refusal counts as success: the drive does not have the object. */
bool brio_cia402_write_if_there(brio_cia402_axes *self, int i, int index, int sub, double value, int size,
                           brio_error *err) {
  /* 32-bit objects are clamped: lround of a number out of range is undefined. */
  int32_t number =
      size == 4 ? (int32_t)lround(brio_clamp(value, -2147483648.0, 2147483647.0)) : (int32_t)lround(value);
  return brio_cia402_write_object(self, i, index, sub, number, size, err) || self->refused != 0;
}

/* Read an object of up to 4 bytes through the link. */
bool brio_cia402_read_object(brio_cia402_axes *self, int i, int index, int sub, int32_t *value,
                             brio_error *err) {
  int size = 0;
  return self->link->read(self, i, index, sub, value, &size, err);
}

/* Read and keep the status word of a drive. */
bool brio_cia402_read_status(brio_cia402_axes *self, int i, brio_error *err) {
  int32_t value = 0;
  if (!brio_cia402_read_object(self, i, 0x6041, 0, &value, err)) return false;
  self->all[i].status = (uint16_t)value; /* drop the upper half: it is not defined */
  return true;
}

/* Return the state that the newest status word means. */
static brio_cia402_state state_of(const brio_cia402_axis *axis) { return brio_cia402_state_of(axis->status); }

/* Positions are in counts of the drive.  The clamp keeps lround defined. */
static double to_angle(const brio_cia402_axes *self, int32_t counts) { return counts / self->counts; }

/* The inverse of to_angle, rounded. */
int32_t brio_cia402_to_counts(const brio_cia402_axes *self, double angle) {
  return (int32_t)lround(brio_clamp(angle * self->counts, -2e9, 2e9));
}

/* ---- opening ---- */

/* Set node numbers from the text, or from `first` on.  No two may be equal. */
static bool take_nodes(brio_cia402_axes *self, const char *text, int first, brio_error *err) {
  uint8_t nodes[BRIO_CIA402_AXES];
  int count = brio_exchange_ids(text, nodes, BRIO_CIA402_AXES, BRIO_CANOPEN_NODES);
  /* Without a list the last node must not exceed 127; with one, there must be a node for each axis. */
  bool good = count == 0 ? first + self->count - 1 <= BRIO_CANOPEN_NODES : count == self->count;
  /* O(n^2) comparisons, once at opening. */
  for (int i = 0; i < self->count && good; i++) {
    self->all[i].node = count > 0 ? nodes[i] : first + i;
    for (int k = 0; k < i; k++) good = good && self->all[k].node != self->all[i].node;
    good = good && self->all[i].node > 0;
  }
  return good || brio_fail(err, BRIO_MISUSE,
                           "%d axes need as many different nodes from 1 to %d, as in \"1,2,11-14\", not '%s'",
                           self->count, BRIO_CANOPEN_NODES, text);
}

/* Set modes and windows.  Optional objects are skipped where a drive has none. */
static bool set_up(brio_cia402_axes *self, int i, brio_error *err) {
  brio_cia402_axis *axis = &self->all[i];
  /* Speeds and accelerations in the drive's units.  The bound keeps the products finite. */
  double fast = self->speeds * fmin(axis->velocity, 1e9),
         quick = self->speeds * fmin(axis->acceleration, 1e9);
  bool profile = brio_cia402_mode(self, axis) == BRIO_CIA402_PROFILE, known = self->speeds > 0;
  bool good = brio_cia402_set_mode(self, i, err);
  /* 1016:01: heartbeat consumer.  Switch it off: the host that it waited for may be gone. */
  if (good && self->link->guards)
    good = brio_cia402_write_if_there(self, i, 0x1016, 1, 0, 4, err);
  /* 6065: following error window, in counts. */
  if (good && self->window > 0)
    good = brio_cia402_write_if_there(self, i, 0x6065, 0, self->window * self->counts, 4, err);
  /* 60C2:01: interpolation time, ms, of cyclic modes. */
  if (good && !profile)
    good = brio_cia402_write_if_there(self, i, 0x60C2, 1, fmax(1, round(self->period * 1000)), 1, err);
  /* 6081, 6083, 6084: speed, acceleration and deceleration of the profile. */
  if (good && profile && known && isfinite(axis->velocity))
    good = brio_cia402_write_if_there(self, i, 0x6081, 0, fmax(1, fast), 4, err);
  if (good && profile && known && isfinite(axis->acceleration))
    good = brio_cia402_write_if_there(self, i, 0x6083, 0, fmax(1, quick), 4, err) &&
           brio_cia402_write_if_there(self, i, 0x6084, 0, fmax(1, quick), 4, err);
  /* 6064: the present position.  The link then starts the exchange. */
  return good && brio_cia402_read_status(self, i, err) &&
         brio_cia402_read_object(self, i, 0x6064, 0, &axis->place, err) && self->link->start(self, i, err);
}

/* Read the text `mode`: how the drives follow targets. */
static bool take_mode(brio_cia402_axes *self, const char *text, brio_error *err) {
  self->mode = strcmp(text, "cyclic") == 0    ? BRIO_CIA402_CYCLIC
               : strcmp(text, "profile") == 0 ? BRIO_CIA402_PROFILE
                                              : 0;
  return self->mode || brio_fail(err, BRIO_MISUSE, "mode is 'cyclic' or 'profile', not '%.40s'", text);
}

/* Apply the settings, open the port and the trace, then set up each drive. */
static bool start(brio_cia402_axes *self, const double *settings, const char *const *texts, brio_error *err) {
  if (!take_nodes(self, texts[IDS], (int)settings[FIRST], err) || !take_mode(self, texts[MODE], err) ||
      !brio_cia402_take_torques(self, texts[TORQUES], err))
    return false;
  if (!self->port) self->port = brio_port_open(texts[PORT], (int)settings[BAUD], err);
  if (!self->port) return false;
  brio_canopen_start(&self->bus, self->port, settings[LATENCY]);
  /* Settings are per turn, here per rad. */
  self->counts = settings[COUNTS] / TURN;
  self->speeds = settings[SPEED] / TURN;
  self->window = settings[FOLLOWING];
  self->period = settings[PERIOD];
  self->heartbeat = settings[HEARTBEAT];
  self->homing = (int)settings[HOMING];
  self->home = settings[HOME];
  self->homing_time = settings[HOMING_TIME];
  self->link->begin(self);
  /* Record from here on, if a trace is wanted. */
  if (texts[TRACE][0]) {
    self->port->trace =
        brio_trace_open(texts[TRACE], self->link->protocol, texts[PORT], self->port->baud, err);
    if (!self->port->trace) return false;
  }
  /* A drive that does not respond at opening may have another number: suggest a scan. */
  for (int i = 0; i < self->count; i++) {
    brio_error why = {0};
    if (set_up(self, i, &why)) continue;
    bool silent = why.code == BRIO_DEVICE && strstr(why.message, "did not answer");
    return brio_fail(err, why.code, "%s%s", why.message,
                     silent ? "; `brio scan` lists what is connected" : "");
  }
  /* Time limits count from now. */
  for (int i = 0; i < self->count; i++) self->all[i].heard = self->all[i].answered = now_of(self);
  self->started = true;
  return true;
}

void *brio_cia402_open_at(const brio_cia402_link *link, brio_port *port, const brio_axis *axes, int count,
                          const double *settings, const char *const *texts, brio_error *err) {
  brio_cia402_axes *self = calloc(1, sizeof *self);
  /* The port belongs to this function: close it on failure, too. */
  if (!self) {
    brio_port_close(port);
    brio_fail(err, BRIO_NO_MEMORY, "no memory for %d drives", count);
    return NULL;
  }
  self->link = link;
  self->port = port;
  self->count = count;
  /* Keep the limits: targets are clamped to them in each cycle. */
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
  /* Check the kind of port before opening it: each link serves one. */
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

/* Leave a drive whose torque is controlled without torque, and disabled. */
static bool let_go(brio_cia402_axes *self, int i) {
  return brio_cia402_rest_torque(self, i, NULL) &&
         brio_cia402_write_object(self, i, 0x6040, 0, BRIO_CIA402_SHUTDOWN, 2, NULL);
}

/* On a regular close, switch off the drives' watch for the host's heartbeat, but not that of one that may
** still push. */
void brio_cia402_close(void *device) {
  brio_cia402_axes *self = device;
  bool good = self->started && self->watchdog > 0 && !self->broken[0];
  /* One try each: a drive that is gone must not delay the end. */
  self->bus.x.tries = 1;
  for (int i = 0; i < self->count && good; i++)
    if (!self->all[i].drives || let_go(self, i)) brio_cia402_write_object(self, i, 0x1016, 1, 0, 4, NULL);
  /* The trace first: it may still record what the port has sent. */
  if (self->port) brio_trace_close(self->port->trace, NULL);
  brio_port_close(self->port);
  free(self);
}

/* ---- what it is set to ---- */

/* Set limits in the drive's units: positions rounded outwards, speeds at least 1. */
static bool set_limits(brio_cia402_axes *self, int i, brio_error *err) {
  const brio_cia402_axis *axis = &self->all[i];
  double fast = fmax(1, self->speeds * axis->velocity), quick = fmax(1, self->speeds * axis->acceleration);
  bool good = true;
  /* 607D:01 and :02: software position limits, in counts. */
  if (isfinite(axis->lower))
    good = brio_cia402_write_if_there(self, i, 0x607D, 1, floor(axis->lower * self->counts), 4, err);
  if (good && isfinite(axis->upper))
    good = brio_cia402_write_if_there(self, i, 0x607D, 2, ceil(axis->upper * self->counts), 4, err);
  /* 607F: greatest speed. */
  if (good && self->speeds > 0 && isfinite(axis->velocity))
    good = brio_cia402_write_if_there(self, i, 0x607F, 0, fast, 4, err);
  /* 60C5: greatest acceleration. */
  if (good && self->speeds > 0 && isfinite(axis->acceleration))
    good = brio_cia402_write_if_there(self, i, 0x60C5, 0, quick, 4, err);
  return good;
}

/* Set the given gains (NaN: leave) of maxon's position controller, 30A1:01 to 05. */
static bool set_gains(brio_cia402_axes *self, int i, const brio_gains *gains, brio_error *err) {
  const double values[] = {gains->p, gains->i, gains->d, gains->velocity, gains->acceleration};
  for (int k = 0; k < 5; k++) {
    if (isnan(values[k])) continue;
    if (!brio_cia402_write_object(self, i, 0x30A1, k + 1, (int32_t)lround(brio_clamp(values[k], 0, 2e9)), 4,
                                  err))
      return false;
  }
  return true;
}

/* Make a drive stop and hold when no heartbeat of the host has come for the watchdog's time.  605A
** = 6: quick stop, and stay in it.  6007 = 3: quick stop when the connection is lost.  1016:01:
** node of the producer (7F) in bits 16 to 22, time in ms in bits 0 to 15. */
static bool set_watchdog(brio_cia402_axes *self, int i, brio_error *err) {
  int32_t guard = (int32_t)(0x7F0000 | (int)brio_clamp(round(self->watchdog * 1000), 2, 65535));
  const struct { int index, value; } stops[] = {{0x605A, 6}, {0x6007, 3}};
  for (int k = 0; k < 2; k++) {
    if (!brio_cia402_write_if_there(self, i, stops[k].index, 0, stops[k].value, 2, err)) return false;
    /* A refusal is accepted from a drive that holds its target, not from one that would push on. */
    if (self->refused && self->all[i].drives)
      return brio_fail(err, BRIO_DEVICE,
                       "node %d cannot be told to stop quickly when brio is gone (object %X is refused), "
                       "so it cannot be one of `torques`",
                       self->all[i].node, (unsigned)stops[k].index);
  }
  /* A refusal of the heartbeat is not accepted from any. */
  if (brio_cia402_write_object(self, i, 0x1016, 1, guard, 4, err)) return true;
  return self->refused == 0 ||
         brio_fail(err, BRIO_DEVICE, "node %d cannot hear whether brio is there (object 1016:01 is refused): "
                   "`watchdog = false` in the robot's file does without", self->all[i].node);
}

bool brio_cia402_configure(void *device, const brio_driver_config *config, brio_error *err) {
  brio_cia402_axes *self = device;
  /* Serial links have no heartbeat, so no watchdog. */
  bool guarded = self->link->guards && config->watchdog > 0, good = true;
  if (config->ninput > 0) return brio_fail(err, BRIO_MISUSE, "drives have no inputs besides their axes");
  self->watchdog = guarded ? config->watchdog : 0;
  self->beat_at = now_of(self);
  for (int i = 0; i < self->count && good; i++) {
    if (config->limits) good = set_limits(self, i, err);
    if (good && config->gains) good = set_gains(self, i, &config->gains[i], err);
    if (good && guarded) good = set_watchdog(self, i, err);
  }
  return good && brio_cia402_set_torques(self, config, err);
}

/* ---- a cycle ---- */

/* Return the control word of this cycle.  In cyclic position each target is valid at once. */
int brio_cia402_control(const brio_cia402_axes *self, brio_cia402_axis *axis, double now) {
  bool acknowledged = axis->status & BRIO_CIA402_ACKNOWLEDGED;
  if (brio_cia402_mode(self, axis) != BRIO_CIA402_PROFILE) {
    axis->taken = axis->target;
    return BRIO_CIA402_OPERATION;
  }
  /* The handshake: idle; bit high until acknowledged or timed out; bit low until the
  ** acknowledgement falls. */
  if (axis->phase == BRIO_CIA402_FALLEN && !acknowledged) axis->phase = BRIO_CIA402_IDLE;
  if (axis->phase == BRIO_CIA402_IDLE && axis->taken != axis->target) {
    axis->phase = BRIO_CIA402_RISEN;
    axis->taken = axis->target;
    axis->since = now;
    return BRIO_CIA402_OPERATION | BRIO_CIA402_AT_ONCE | BRIO_CIA402_SET_POINT;
  }
  /* Acknowledged, or too late: lower the bit. */
  if (axis->phase == BRIO_CIA402_RISEN && (acknowledged || now - axis->since > SET_POINT_TIME)) {
    axis->phase = BRIO_CIA402_FALLEN;
    if (!acknowledged) axis->taken = axis->place; /* send it again */
  }
  return axis->phase == BRIO_CIA402_RISEN
             ? BRIO_CIA402_OPERATION | BRIO_CIA402_AT_ONCE | BRIO_CIA402_SET_POINT
             : BRIO_CIA402_OPERATION | BRIO_CIA402_AT_ONCE;
}

bool brio_cia402_write(void *device, const double *targets, brio_error *err) {
  brio_cia402_axes *self = device;
  assert(brio_cia402_is_consistent(self));
  if (!brio_cia402_is_whole(self, err) || brio_targets_late(err)) return false;
  /* Only drives that are on have targets. */
  for (int i = 0; i < self->count; i++) {
    brio_cia402_axis *axis = &self->all[i];
    if (isnan(targets[i]) || !axis->on) continue;
    /* In counts, within the limits. */
    axis->target = brio_cia402_to_counts(self, brio_clamp(targets[i], axis->lower, axis->upper));
    axis->told = true;
  }
  return self->link->tell(self, err);
}

/* Report a fault or an emergency once.  Return false if there is a new one. */
static bool check(brio_cia402_axes *self, int i, brio_error *err) {
  brio_cia402_axis *axis = &self->all[i];
  brio_cia402_state state = state_of(axis);
  /* Judge only fresh reports. */
  bool fault = axis->fresh && (state == BRIO_CIA402_FAULT || state == BRIO_CIA402_FAULT_REACTION);
  bool stopped = axis->fresh && axis->on && !fault && state != BRIO_CIA402_ENABLED;
  int32_t code = axis->emergency;
  /* Read the error code (603F) of a faulted drive that sent no emergency. */
  if (fault && !code && axis->complained <= 0 && brio_cia402_read_object(self, i, 0x603F, 0, &code, NULL))
    axis->emergency = code & 0xFFFF;
  /* Codes of this function: 0: well, 1: a fault without a code, 2: left operation, others: the
  ** emergency. */
  int now = axis->emergency ? axis->emergency : fault ? 1 : stopped ? 2 : 0;
  /* Send no more targets until it is switched on again. */
  if (fault || stopped) axis->on = false;
  /* Report changes only; leaving operation is reported once. */
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

/* Measure the speed over at least SPEED_OVER: counts are coarse.  After a long gap it is 0.  A speed that the
** drive itself has sent in this cycle is believed. */
static void measure_speed(const brio_cia402_axes *self, brio_cia402_axis *axis, double now) {
  double dt = now - axis->velocity_at;
  axis->angle = to_angle(self, axis->place);
  if (!axis->speed_fresh && dt < SPEED_OVER) return;
  if (!axis->speed_fresh)
    axis->speed = dt < 10 * SPEED_OVER ? ((double)axis->place - axis->velocity_from) / self->counts / dt : 0;
  axis->velocity_at = now;
  axis->velocity_from = axis->place;
}

bool brio_cia402_read(void *device, brio_axis_state *states, brio_error *err) {
  brio_cia402_axes *self = device;
  assert(brio_cia402_is_consistent(self));
  /* One cycle.  A break before it or during it fails. */
  bool good =
      brio_cia402_is_whole(self, err) && self->link->ask(self, err) && brio_cia402_is_whole(self, err);
  double now = now_of(self);
  if (!good) return false;
  for (int i = 0; i < self->count; i++) {
    brio_cia402_axis *axis = &self->all[i];
    if (axis->fresh) measure_speed(self, axis, now);
    /* Torque is in per mille of the rated torque. */
    states[i] = (brio_axis_state){.position = to_angle(self, axis->place),
                                  .velocity = axis->speed,
                                  .valid = axis->fresh,
                                  .knows = axis->knows_torque ? BRIO_KNOWS_LOAD : 0,
                                  .load = axis->torque / 1000.0,
                                  .torque = axis->rated * axis->torque / 1000.0,
                                  .failed = axis->wanted && !axis->on};
    if (axis->drives && axis->knows_torque) states[i].knows |= BRIO_KNOWS_TORQUE;
    good = check(self, i, good ? err : NULL) && good;
  }
  self->cycle++;
  /* reported once, to a reader that did not switch the power */
  if (good && self->refusal.code != BRIO_OK) {
    if (err) *err = self->refusal;
    self->refusal.code = BRIO_OK;
    return false;
  }
  return good;
}

/* ---- about it ---- */

/* A target of a profile waits for the handshake of the one before: one exchange until its acknowledgement is
** seen, and one until that has fallen. */
int brio_cia402_delay(const void *device) {
  const brio_cia402_axes *self = device;
  return self->mode == BRIO_CIA402_PROFILE ? 2 : 0;
}

/* List the nodes, then what the links add. */
void brio_cia402_describe(void *device, char *out, size_t size) {
  const brio_cia402_axes *self = device;
  int used = snprintf(out, size, "%d drives by CiA 402, %s, nodes", self->count,
                      self->mode == BRIO_CIA402_PROFILE ? "profile position" : "cyclic position");
  /* Stop where `out` is full. */
  for (int i = 0; i < self->count && used > 0 && (size_t)used < size; i++)
    used += snprintf(out + used, size - (size_t)used, "%s %d", i > 0 ? "," : "", self->all[i].node);
  brio_cia402_torque_words(self, out, size);
  brio_cia402_map_words(self, out, size);
}

void brio_cia402_count(void *device, brio_driver_counts *counts) {
  const brio_exchange *x = &((const brio_cia402_axes *)device)->bus.x;
  const uint64_t *faults = x->stream.faults;
  /* Faults of the wire: frames with a wrong check, length or content. */
  *counts = (brio_driver_counts){
      .retries = (int64_t)x->retries,
      .timeouts = (int64_t)x->timeouts,
      .strays = (int64_t)x->strays,
      .refused = (int64_t)(faults[BRIO_WIRE_CHECK] + faults[BRIO_WIRE_LENGTH] + faults[BRIO_WIRE_CONTENT])};
}
