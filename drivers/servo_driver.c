/* Bus servos as a driver: one sync write of goals and one sync read of places a cycle; voltage,
** temperature and load of one servo every few cycles, in turn.
**
** Opening pings every servo and moves none: torque comes with brio_driver_kind.power.  Goals are clamped
** to the axis' limits, to the limits set in the servo, and to what the register can hold.  A servo that
** does not answer is reported as not fresh; when none answers for a while the device has failed.  What a
** servo complains of is told once, when it begins. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/exchange.h"
#include "drivers/servo_bus.h"
#include "drivers/servo_driver.h"
#include "math/scalar.h"

enum { BAUD, FIRST_ID, LATENCY, TRIES, HEALTH, NSETTING };
enum { PORT, IDS, TRACE, NTEXT };
enum { MOST = 128, SILENT_CYCLES = 20, LIMIT_TRIES = 3 };

const brio_driver_setting brio_servo_driver_settings[NSETTING + 1] = {
    [BAUD] = {"baud", "1/s", "Bits per second, as the servos are set.", 1000000, 1200, 1e7},
    [FIRST_ID] = {"first_id", "1", "Id of the first axis' servo; the others follow, unless `ids` lists them.", 1, 0, 252},
    [LATENCY] = {"latency", "s", "How long an answer may take besides its bytes: what the adapter adds.", 0.02, 0.0005, 1},
    [TRIES] = {"tries", "1", "How often a servo is asked before it counts as silent.", 2, 1, 10},
    [HEALTH] = {"health", "1", "Every so many cycles one servo is asked how it is; 0: never.", 25, 0, 10000},
};

const brio_driver_text brio_servo_driver_texts[NTEXT + 1] = {
    [PORT] = {"port", "The serial port, or a link to it such as /dev/serial/by-id/...", "/dev/ttyUSB0"},
    [IDS] = {"ids", "Ids of the axes' servos in their order, as in \"1,2,11-14\"; empty: from first_id on.", ""},
    [TRACE] = {"trace", "A file that every byte is recorded in, behind what it holds; empty: none.", ""},
};

typedef struct axis_report {
  double voltage, temperature, load;
  unsigned knows;
  int error; /* the error byte of its last answer */
} axis_report;

typedef struct servo_driver {
  const brio_servo_family *family;
  brio_port *port;
  brio_servo_bus bus;
  int count, silent; /* axes; cycles without any answer */
  int cycle, health, next;
  uint8_t ids[MOST];
  double lower[MOST], upper[MOST]; /* rad */
  axis_report reports[MOST];
} servo_driver;

/* ---- opening ---- */

static bool take_ids(servo_driver *self, const char *text, int first, brio_error *err) {
  int count = brio_exchange_ids(text, self->ids, MOST, 252);
  if (count < 0) return brio_fail(err, BRIO_MISUSE, "ids must be numbers from 0 to 252 as in \"1,2,11-14\", not '%s'", text);
  if (count > 0 && count != self->count)
    return brio_fail(err, BRIO_MISUSE, "there are %d ids for %d axes", count, self->count);
  if (count == 0 && first + self->count > 253)
    return brio_fail(err, BRIO_MISUSE, "%d servos from id %d on need ids beyond 252", self->count, first);
  for (int i = 0; i < self->count && count == 0; i++) self->ids[i] = (uint8_t)(first + i);
  for (int i = 0; i < self->count; i++)
    for (int k = 0; k < i; k++)
      if (self->ids[i] == self->ids[k]) return brio_fail(err, BRIO_MISUSE, "id %d is given twice", self->ids[i]);
  return true;
}

/* Narrow an axis to the limits set in its servo. */
static bool take_limits(servo_driver *self, int i, brio_error *err) {
  int32_t lower, upper;
  if (!brio_servo_bus_get(&self->bus, self->ids[i], BRIO_ROLE_LOWER, &lower, err) ||
      !brio_servo_bus_get(&self->bus, self->ids[i], BRIO_ROLE_UPPER, &upper, err))
    return false;
  if (lower >= upper) return true; /* no limits: a wheel, or many turns */
  self->lower[i] = fmax(self->lower[i], brio_servo_angle(self->family, lower));
  self->upper[i] = fmin(self->upper[i], brio_servo_angle(self->family, upper));
  if (self->lower[i] <= self->upper[i]) return true;
  return brio_fail(err, BRIO_DEVICE, "servo %d moves from %.3f to %.3f rad, which the axis' limits exclude",
                   self->ids[i], brio_servo_angle(self->family, lower), brio_servo_angle(self->family, upper));
}

/* Ping every servo; name those that do not answer. */
static bool find_servos(servo_driver *self, brio_error *err) {
  char missing[256] = "";
  int count = 0;
  for (int i = 0; i < self->count; i++) {
    brio_servo_found found;
    brio_error why = {0};
    bool there = false;
    for (int k = 0; k < LIMIT_TRIES && !there; k++) there = brio_servo_bus_ping(&self->bus, self->ids[i], &found, &why);
    if (there) continue;
    size_t used = strlen(missing);
    snprintf(missing + used, sizeof missing - used, "%s%d", count++ ? ", " : "", self->ids[i]);
  }
  if (count == 0) return true;
  return brio_fail(err, BRIO_DEVICE, "%d of %d servos on %s at %d baud do not answer: id %s; `brio scan` looks for them",
                   count, self->count, self->port->name, self->port->baud, missing);
}

static bool start(servo_driver *self, const brio_axis *axes, const double *settings, const char *const *texts,
                  brio_error *err) {
  if (!take_ids(self, texts[IDS], (int)settings[FIRST_ID], err)) return false;
  self->port = brio_port_open(texts[PORT], (int)settings[BAUD], err);
  if (!self->port) return false;
  if (texts[TRACE][0]) {
    self->port->trace = brio_trace_open(texts[TRACE], self->family->protocol->name, texts[PORT], self->port->baud, err);
    if (!self->port->trace) return false;
  }
  brio_servo_bus_start(&self->bus, self->family, self->port);
  self->bus.latency = settings[LATENCY];
  self->bus.tries = (int)settings[TRIES];
  self->health = (int)settings[HEALTH];
  if (!find_servos(self, err)) return false;
  for (int i = 0; i < self->count; i++) {
    self->lower[i] = axes[i].lower;
    self->upper[i] = axes[i].upper;
    if (!take_limits(self, i, err)) return false;
  }
  return true;
}

void *brio_servo_driver_open(const brio_servo_family *family, const brio_axis *axes, int count,
                             const double *settings, void *context, brio_error *err) {
  if (!context || count > MOST) {
    brio_fail(err, BRIO_MISUSE, "%s servos need a port, and there may be at most %d", family->name, MOST);
    return NULL;
  }
  servo_driver *self = calloc(1, sizeof *self);
  if (!self) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for %d servos", count);
    return NULL;
  }
  self->family = family;
  self->count = count;
  if (start(self, axes, settings, context, err)) return self;
  brio_servo_driver_close(self);
  return NULL;
}

void brio_servo_driver_close(void *device) {
  servo_driver *self = device;
  if (self->port) brio_trace_close(self->port->trace, NULL);
  brio_port_close(self->port);
  free(self);
}

/* ---- a cycle ---- */

/* Put the ids and register values of some axes one after another.  Return how many. */
static int gather(const servo_driver *self, const brio_register *reg, const double *targets, uint8_t *ids,
                  uint8_t *bytes) {
  int n = 0;
  for (int i = 0; i < self->count; i++) {
    if (isnan(targets[i])) continue;
    int32_t goal = brio_servo_position(self->family, brio_clamp(targets[i], self->lower[i], self->upper[i]));
    goal = goal < reg->lower ? reg->lower : goal > reg->upper ? reg->upper : goal;
    brio_servo_bytes(self->family, reg, goal, bytes + n * reg->size);
    ids[n++] = self->ids[i];
  }
  return n;
}

bool brio_servo_driver_write(void *device, const double *targets, brio_error *err) {
  servo_driver *self = device;
  const brio_register *goal = brio_servo_role_register(self->family, BRIO_ROLE_GOAL);
  uint8_t ids[MOST], bytes[MOST * 4];
  int n = gather(self, goal, targets, ids, bytes);
  for (int at = 0, most = BRIO_SERVO_TABLE / (goal->size + 1) - 4; at < n; at += most) { /* a length of one byte */
    int part = n - at < most ? n - at : most;
    if (!brio_servo_bus_sync_write(&self->bus, ids + at, part, goal->address, goal->size, bytes + at * goal->size, err))
      return false;
  }
  return true;
}

bool brio_servo_driver_power(void *device, const bool *on, brio_error *err) {
  servo_driver *self = device;
  bool good = true;
  for (int i = 0; i < self->count; i++)
    good &= brio_servo_bus_set(&self->bus, self->ids[i], BRIO_ROLE_TORQUE, on[i], good ? err : NULL);
  return good;
}

/* Ask one servo how it is. */
static void ask_health(servo_driver *self) {
  int i = self->next = (self->next + 1) % self->count;
  axis_report *report = &self->reports[i];
  const brio_register *load = brio_servo_role_register(self->family, BRIO_ROLE_LOAD);
  int32_t value;
  if (brio_servo_bus_get(&self->bus, self->ids[i], BRIO_ROLE_VOLTAGE, &value, NULL)) {
    report->voltage = value * self->family->volt;
    report->knows |= BRIO_KNOWS_VOLTAGE;
  }
  if (brio_servo_bus_get(&self->bus, self->ids[i], BRIO_ROLE_TEMPERATURE, &value, NULL)) {
    report->temperature = value;
    report->knows |= BRIO_KNOWS_TEMPERATURE;
  }
  if (load && brio_servo_bus_get(&self->bus, self->ids[i], BRIO_ROLE_LOAD, &value, NULL)) {
    report->load = (double)value / load->upper;
    report->knows |= BRIO_KNOWS_LOAD;
  }
}

/* Tell what a servo began to complain of.  Return false when it did. */
static bool check_alert(servo_driver *self, int i, int error, brio_error *err) {
  int before = self->reports[i].error, alert = self->family->status_packets ? error & 0x80 : error;
  self->reports[i].error = alert;
  if (!alert || alert == before) return true;
  int32_t bits = alert;
  if (self->family->status_packets) brio_servo_bus_get(&self->bus, self->ids[i], BRIO_ROLE_ALERT, &bits, NULL);
  brio_text words = {0};
  brio_servo_alert_words(self->family, (unsigned)bits, &words);
  brio_fail(err, BRIO_DEVICE, "servo %d reports: %s", self->ids[i], words.bytes ? words.bytes : "an error");
  brio_text_end(&words);
  return false;
}

/* Registers of velocity and place, if one follows the other; else of the place. */
static int find_block(const brio_servo_family *family, const brio_register **place, const brio_register **speed) {
  *place = brio_servo_role_register(family, BRIO_ROLE_POSITION);
  *speed = brio_servo_role_register(family, BRIO_ROLE_VELOCITY);
  return (*place)->address < (*speed)->address ? (*place)->address : (*speed)->address;
}

bool brio_servo_driver_read(void *device, brio_axis_state *states, brio_error *err) {
  servo_driver *self = device;
  const brio_register *place, *speed;
  uint8_t bytes[MOST * 8], errors[MOST];
  bool valid[MOST], good = true;
  int first = find_block(self->family, &place, &speed), size = place->size + speed->size;
  int answered = brio_servo_bus_sync_read(&self->bus, self->ids, self->count, first, size, bytes, valid, errors, err);
  if (answered < 0) return false;
  for (int i = 0; i < self->count; i++) {
    const uint8_t *own = bytes + i * size;
    const axis_report *report = &self->reports[i];
    states[i] = (brio_axis_state){.valid = valid[i], .knows = report->knows, .load = report->load,
                                  .voltage = report->voltage, .temperature = report->temperature};
    if (!valid[i]) continue;
    states[i].position =
        brio_servo_angle(self->family, brio_servo_value(self->family, place, own + place->address - first));
    states[i].velocity = brio_servo_value(self->family, speed, own + speed->address - first) * self->family->speed;
    good = check_alert(self, i, errors[i], err) && good;
  }
  self->silent = answered > 0 ? 0 : self->silent + 1;
  if (self->silent >= SILENT_CYCLES)
    return brio_fail(err, BRIO_DEVICE, "no servo on %s answers any more", self->port->name);
  if (self->health > 0 && ++self->cycle % self->health == 0) ask_health(self);
  return good;
}
