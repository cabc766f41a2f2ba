/* CiA 402 drives on a CAN bus, such as maxon EPOS4, as a driver: cyclic synchronous position.
**
** Opening maps process data (received 1: control word and target position; sent 1: status word and
** position, after each SYNC), sets the mode and a heartbeat, and starts the node.  Each cycle sends the
** targets, then a SYNC, and takes the answers.  Power leads the state machine to "operation enabled", a
** fault's reset before it, and back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/board.h"
#include "drivers/cia402.h"
#include "drivers/scan.h"

enum { NODES = 32, HIGHEST = 127, CYCLIC = 8, STEPS = 6, SILENT = 50 };

static const double SDO_TIME = 0.05, STATE_TIME = 0.2; /* s: for an answer; for a change of state */

extern const brio_protocol brio_protocol_canopen;

typedef struct epos {
  brio_exchange x;
  int count, silent;
  double counts; /* for a rad */
  uint8_t nodes[BRIO_BOARD_AXES];
  bool on[NODES], fresh[NODES];
  uint16_t status[NODES];
  int emergency[NODES], told[NODES]; /* code of the last emergency; what was told of it */
  double places[NODES], lower[NODES], upper[NODES];
} epos;

static const brio_driver_setting settings_table[] = BRIO_BOARD_SETTINGS(
    1000000, 1, HIGHEST, "counts_per_turn", "1", "Counts of a turn of the axis: encoder counts times gear.", 4096, 1, 1e9);

static int32_t number(const uint8_t *bytes, int size) {
  uint32_t raw = 0;
  for (int i = 0; i < size; i++) raw |= (uint32_t)bytes[i] << (8 * i);
  return (int32_t)raw;
}

static void put(uint8_t *out, int32_t value, int size) {
  for (int i = 0; i < size; i++) out[i] = (uint8_t)((uint32_t)value >> (8 * i));
}

static bool send(epos *self, int id, const uint8_t *data, int length, brio_error *err) {
  brio_exchange_make(&self->x, id, -1, data, length);
  return brio_exchange_send(&self->x, err);
}

/* Note what a frame says that nobody asked for: process data and emergencies. */
static void note(epos *self, const brio_packet *in) {
  for (int i = 0; i < self->count; i++) {
    if (in->id == 0x180 + self->nodes[i] && in->length >= 6) {
      self->status[i] = (uint16_t)number(in->data, 2);
      self->places[i] = number(in->data + 2, 4) / self->counts;
      self->fresh[i] = true;
    } else if (in->id == 0x080 + self->nodes[i] && in->length >= 2) {
      self->emergency[i] = number(in->data, 2);
    }
  }
}

/* Take the next frame into x.in: 1, 0 none until the deadline, -1 the port failed. */
static int receive(epos *self, double deadline, brio_error *err) {
  uint8_t bytes[16];
  for (;;) {
    if (brio_wire_next(&self->x.stream, &self->x.in) > 0) {
      note(self, &self->x.in);
      return 1;
    }
    double left = deadline - brio_port_now(self->x.port);
    if (left <= 0) return 0;
    int got = brio_port_read(self->x.port, bytes, sizeof bytes, left, err);
    if (got < 0) return -1;
    if (got > 0) brio_wire_feed(&self->x.stream, bytes, got);
  }
}

/* Send service data and wait for the answer, which is in x.in then. */
static bool ask(epos *self, int i, const uint8_t data[8], brio_error *err) {
  int index = number(data + 1, 2), got = 0;
  for (int k = 0; k < self->x.tries; k++) {
    if (!send(self, 0x600 + self->nodes[i], data, 8, err)) return false;
    double deadline = brio_port_now(self->x.port) + SDO_TIME;
    while ((got = receive(self, deadline, err)) > 0) {
      const brio_packet *in = &self->x.in;
      if (in->id != 0x580 + self->nodes[i] || in->length < 8 || memcmp(in->data + 1, data + 1, 3) != 0) continue;
      if (in->data[0] != 0x80) return true;
      brio_text words = {0};
      brio_cia402_abort_words((uint32_t)number(in->data + 4, 4), &words);
      brio_fail(err, BRIO_DEVICE, "node %d refuses object %04X: %s", self->nodes[i], (unsigned)index,
                words.bytes ? words.bytes : "?");
      brio_text_end(&words);
      return false;
    }
    if (got < 0) return false;
  }
  return brio_fail(err, BRIO_DEVICE, "node %d did not answer on %s", self->nodes[i], self->x.port->name);
}

static bool write_object(epos *self, int i, int index, int sub, int32_t value, int size, brio_error *err) {
  uint8_t data[8] = {(uint8_t)(0x23 | (4 - size) << 2), (uint8_t)index, (uint8_t)(index >> 8), (uint8_t)sub};
  put(data + 4, value, 4);
  return ask(self, i, data, err);
}

static bool read_status(epos *self, int i, brio_error *err) {
  const uint8_t data[8] = {0x40, 0x41, 0x60};
  if (!ask(self, i, data, err)) return false;
  self->status[i] = (uint16_t)number(self->x.in.data + 4, 2); /* what follows may be rubbish */
  return true;
}

/* Write the objects that set a node up: mapping is switched off while it is changed. */
static bool set_up(epos *self, int i, brio_error *err) {
  const struct {
    int index, sub;
    uint32_t value;
    int size;
  } rows[] = {
      {0x1017, 0, 500, 2},
      {0x6060, 0, CYCLIC, 1},
      {0x1400, 1, 0x80000200u + self->nodes[i], 4},
      {0x1600, 0, 0, 1},
      {0x1600, 1, 0x60400010, 4},
      {0x1600, 2, 0x607A0020, 4},
      {0x1600, 0, 2, 1},
      {0x1400, 2, 255, 1},
      {0x1400, 1, 0x00000200u + self->nodes[i], 4},
      {0x1800, 1, 0xC0000180u + self->nodes[i], 4},
      {0x1A00, 0, 0, 1},
      {0x1A00, 1, 0x60410010, 4},
      {0x1A00, 2, 0x60640020, 4},
      {0x1A00, 0, 2, 1},
      {0x1800, 2, 1, 1},
      {0x1800, 1, 0x40000180u + self->nodes[i], 4},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    if (!write_object(self, i, rows[k].index, rows[k].sub, (int32_t)rows[k].value, rows[k].size, err)) return false;
  return read_status(self, i, err) && send(self, 0, (const uint8_t[]){1, self->nodes[i]}, 2, err);
}

static bool start(epos *self, const double *settings, const char *const *texts, brio_error *err) {
  int count = brio_exchange_ids(texts[1], self->nodes, NODES, HIGHEST), first = (int)settings[1];
  if (count < 0 || (count > 0 && count != self->count) || first + self->count - 1 > HIGHEST)
    return brio_fail(err, BRIO_MISUSE, "%d axes need as many nodes from 1 to %d, not '%s'", self->count, HIGHEST, texts[1]);
  for (int i = 0; i < self->count && count == 0; i++) self->nodes[i] = (uint8_t)(first + i);
  brio_port *port = brio_port_open(texts[0], (int)settings[0], err);
  brio_exchange_start(&self->x, &brio_protocol_canopen, port);
  if (!port) return false;
  self->x.latency = settings[2];
  self->counts = settings[3] / 6.283185307179586;
  if (texts[2][0]) port->trace = brio_trace_open(texts[2], "canopen", texts[0], port->baud, err);
  if (texts[2][0] && !port->trace) return false;
  for (int i = 0; i < self->count; i++)
    if (!set_up(self, i, err)) return false;
  return true;
}

static void close_drives(void *device) {
  epos *self = device;
  if (self->x.port) brio_trace_close(self->x.port->trace, NULL);
  brio_port_close(self->x.port);
  free(self);
}

static void *open_drives(const brio_axis *axes, int count, const double *settings, uint64_t seed, void *context,
                         brio_error *err) {
  (void)seed;
  if (!context || count > NODES) {
    brio_fail(err, BRIO_MISUSE, "drives need a port, and there may be at most %d", NODES);
    return NULL;
  }
  epos *self = calloc(1, sizeof *self);
  if (!self) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for %d drives", count);
    return NULL;
  }
  self->count = count;
  for (int i = 0; i < count; i++) {
    self->lower[i] = axes[i].lower;
    self->upper[i] = axes[i].upper;
  }
  if (start(self, settings, context, err)) return self;
  close_drives(self);
  return NULL;
}

/* ---- power ---- */

static bool set_control(epos *self, int i, int control, brio_error *err) {
  return write_object(self, i, 0x6040, 0, control, 2, err) && read_status(self, i, err);
}

static bool switch_on(epos *self, int i, brio_error *err) {
  double until = brio_port_now(self->x.port) + STATE_TIME;
  if (!read_status(self, i, err)) return false;
  for (int k = 0; k < STEPS || brio_port_now(self->x.port) < until; k++) {
    brio_cia402_state state = brio_cia402_state_of(self->status[i]);
    if (state == BRIO_CIA402_ENABLED) return self->on[i] = true;
    if (state == BRIO_CIA402_FAULT && !set_control(self, i, 0, err)) return false; /* the bit must rise */
    if (!set_control(self, i, brio_cia402_next_control(state), err)) return false;
  }
  return brio_fail(err, BRIO_DEVICE, "node %d cannot be switched on: its state is '%s'", self->nodes[i],
                   brio_cia402_state_words(brio_cia402_state_of(self->status[i])));
}

static bool set_power(void *device, const bool *on, brio_error *err) {
  epos *self = device;
  bool good = true;
  for (int i = 0; i < self->count; i++) {
    if (!on[i]) self->on[i] = false;
    if (on[i] && self->on[i]) continue;
    if (!(on[i] ? switch_on(self, i, good ? err : NULL) : set_control(self, i, 0x06, good ? err : NULL))) good = false;
  }
  return good;
}

/* ---- a cycle ---- */

static bool write_targets(void *device, const double *targets, brio_error *err) {
  epos *self = device;
  for (int i = 0; i < self->count; i++) {
    if (isnan(targets[i]) || !self->on[i]) continue;
    double goal = fmax(self->lower[i], fmin(self->upper[i], targets[i])) * self->counts;
    uint8_t data[6] = {0x0F, 0};
    put(data + 2, (int32_t)lround(fmax(-2e9, fmin(2e9, goal))), 4);
    if (!send(self, 0x200 + self->nodes[i], data, 6, err)) return false;
  }
  return true;
}

/* Tell of an emergency or fault once.  Return false when there was one. */
static bool check(epos *self, int i, brio_error *err) {
  bool fault = self->fresh[i] && brio_cia402_state_of(self->status[i]) == BRIO_CIA402_FAULT;
  int now = self->emergency[i] ? self->emergency[i] : fault ? 1 : 0;
  if (fault) self->on[i] = false;
  if (now == self->told[i]) return true;
  self->told[i] = now;
  if (now == 0) return true;
  return brio_fail(err, BRIO_DEVICE, "node %d: %s %04X", self->nodes[i], fault ? "fault" : "emergency",
                   (unsigned)self->emergency[i]);
}

static bool read_places(void *device, brio_axis_state *states, brio_error *err) {
  epos *self = device;
  int answered = 0, got = 1;
  bool good = true;
  memset(self->fresh, 0, sizeof self->fresh);
  if (!send(self, 0x080, NULL, 0, err)) return false;
  double deadline = brio_port_now(self->x.port) + self->x.latency;
  while (answered < self->count && (got = receive(self, deadline, err)) > 0) {
    answered = 0;
    for (int i = 0; i < self->count; i++) answered += self->fresh[i];
  }
  if (got < 0) return false;
  for (int i = 0; i < self->count; i++) {
    states[i] = (brio_axis_state){.position = self->places[i], .valid = self->fresh[i]};
    good = check(self, i, good ? err : NULL) && good;
  }
  self->silent = answered > 0 ? 0 : self->silent + 1;
  if (self->silent < SILENT) return good;
  return brio_fail(err, BRIO_DEVICE, "no drive on %s answers any more: is the bus off?", self->x.port->name);
}

/* ---- looking for them ---- */

/* Wait for the answer of a node to a question for an object: 1, 0 none came, -1 the port failed. */
static int await_object(brio_exchange *x, int node, const uint8_t question[8], double latency, brio_error *err) {
  uint8_t bytes[16];
  double deadline = brio_port_now(x->port) + latency, left;
  while ((left = deadline - brio_port_now(x->port)) > 0) {
    int got = brio_port_read(x->port, bytes, sizeof bytes, left, err);
    if (got < 0) return -1;
    if (got > 0) brio_wire_feed(&x->stream, bytes, got);
    while (brio_wire_next(&x->stream, &x->in) > 0)
      if (x->in.id == 0x580 + node && x->in.length == 8 && memcmp(x->in.data + 1, question + 1, 3) == 0) return 1;
  }
  return 0;
}

/* Every node has its device type at 1000:00; 402 in its low half is a drive. */
static int look(const brio_driver_scan *row, brio_port *port, int first, int last, double latency,
                brio_scan_found *found, int most, brio_error *err) {
  static const uint8_t question[8] = {0x40, 0x00, 0x10, 0x00};
  brio_exchange x;
  int count = 0, got = 0;
  (void)row;
  brio_exchange_start(&x, &brio_protocol_canopen, port);
  for (int node = first < 1 ? 1 : first; node <= last && count < most; node++) {
    brio_exchange_make(&x, 0x600 + node, -1, question, 8);
    if (!brio_exchange_send(&x, err)) return -1;
    if ((got = await_object(&x, node, question, fmax(latency, 0.01), err)) < 0) return -1;
    if (got == 0 || x.in.data[0] == 0x80) continue;
    int type = number(x.in.data + 4, 2);
    if (type == 402) brio_scan_note(&found[count], node, 1, node, "a drive by CiA 402");
    else brio_scan_note(&found[count], node, 0, node, "a CANopen device by CiA %d, which is no drive", type);
    found[count++].known = type == 402;
  }
  return count;
}

static const brio_driver_scan scan = {
    .sends = "what are you, to each node: 600+ID 40 00 10 00 00 00 00 00",
    .ports = BRIO_SCAN_CAN, .last = HIGHEST, .turn = 4, .look = look};


const brio_driver_kind brio_driver_epos = {
    .name = "epos",
    .alias = "cia402",
    .doc = "maxon EPOS4 and other CiA 402 drives on a CAN bus (port can:can0).",
    .settings = settings_table,
    .texts = brio_board_texts,
    .open = open_drives,
    .write = write_targets,
    .power = set_power,
    .read = read_places,
    .close = close_drives,
    .scan = &scan,
};
