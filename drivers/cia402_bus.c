/* Drives by CiA 402 on a CANopen bus: process data, SYNC, heartbeats.
** At the start each drive's first process data are mapped (received 1: target position and control word;
** sent 1, after each SYNC: status word, position and torque) while it is pre-operational and they are out
** of use.  A cycle is one call for all targets, one for SYNC and the host's heartbeat, and one or two for
** what comes.  What came before SYNC is heard, but not taken for an answer to it. */
#include <math.h>
#include <string.h>

#include "drivers/cia402_axes.h"

enum {
  MASTER = 127,
  SYNC = 0x080,
  EMERGENCY = 0x080,
  SENT = 0x180,
  RECEIVED = 0x200,
  HEARTBEAT = 0x700,
  FRAME = 16
};
enum { TWINS = 20 /* answers too many until two are believed to be there */ };

static const double CYCLE_SHARE = 0.5;  /* of the latency: how long a cycle waits for process data */
static const double BEATS = 2.5;        /* heartbeats that may be missed, and a half */
static const double SILENCE = 0.2;      /* s without process data */

/* ---- hearing ---- */

static brio_cia402_axis *find(brio_cia402_axes *self, int node) {
  for (int i = 0; i < self->count; i++)
    if (self->all[i].node == node) return &self->all[i];
  return NULL;
}

static void take_process_data(brio_cia402_axis *axis, const brio_packet *in, double now) {
  if (in->length < 6) return;
  axis->twice = axis->twice || axis->fresh;
  axis->status = (uint16_t)brio_cia402_number(in->data, 2);
  axis->place = brio_cia402_number(in->data + 2, 4);
  axis->knows_torque = in->length >= 8;
  if (axis->knows_torque) axis->torque = (int16_t)brio_cia402_number(in->data + 6, 2);
  axis->fresh = true;
  axis->answered = now;
}

/* A drive that boots, or says that it is not operational, has to be set up again. */
static void take_heartbeat(const brio_cia402_axes *self, brio_cia402_axis *axis, int state, double now) {
  axis->heard = now;
  if (self->started && (state & 0x7F) != BRIO_NMT_OPERATIONAL) axis->left = true;
}

static void hear(void *context, const brio_packet *in) {
  brio_cia402_axes *self = context;
  int node = in->id & 0x7F, function = in->id & ~0x7F;
  brio_cia402_axis *axis = node > 0 ? find(self, node) : NULL;
  double now = brio_port_now(self->port);
  if (!axis) return;
  if (function == SENT) take_process_data(axis, in, now);
  else if (function == EMERGENCY && in->length >= 2) axis->emergency = brio_cia402_number(in->data, 2);
  else if (function == HEARTBEAT && in->length >= 1) take_heartbeat(self, axis, in->data[0], now);
}

static void begin(brio_cia402_axes *self) {
  uint8_t nodes[BRIO_CIA402_AXES];
  for (int i = 0; i < self->count; i++) nodes[i] = (uint8_t)self->all[i].node;
  brio_port_can_nodes(self->port, nodes, self->count, NULL); /* without it the others are passed over here */
  self->bus.hear = hear;
  self->bus.context = self;
}

/* ---- objects ---- */

/* Put a frame behind others.  Return how many bytes there are now. */
static int add(brio_cia402_axes *self, uint8_t *bytes, int at, int id, const uint8_t *data, int length) {
  brio_exchange_make(&self->bus.x, id, -1, data, length);
  return at + self->bus.x.protocol->write(&self->bus.x.out, bytes + at, FRAME);
}

/* Put the host's heartbeat there, three times in the time that drives wait for it: from when they were
** switched on. */
static int add_heartbeat(brio_cia402_axes *self, uint8_t *bytes, int at) {
  double now = brio_port_now(self->port);
  if (!(self->watchdog > 0) || !self->guarding || now < self->beat_at) return at;
  self->beat_at = now + self->watchdog / 3;
  return add(self, bytes, at, HEARTBEAT + MASTER, (const uint8_t[]){BRIO_NMT_OPERATIONAL}, 1);
}

static bool beat(brio_cia402_axes *self, brio_error *err) {
  uint8_t bytes[FRAME];
  int count = add_heartbeat(self, bytes, 0);
  return count == 0 || brio_port_write(self->port, bytes, count, err);
}

static bool read_object(brio_cia402_axes *self, int i, int index, int sub, int32_t *value, int *size,
                        brio_error *err) {
  uint8_t bytes[4] = {0};
  bool good = beat(self, err) &&
              brio_canopen_read(&self->bus, self->all[i].node, index, sub, bytes, sizeof bytes, size, err);
  self->refused = self->bus.aborted;
  if (good) *value = brio_cia402_number(bytes, *size);
  return good;
}

static bool write_object(brio_cia402_axes *self, int i, int index, int sub, int32_t value, int size,
                         brio_error *err) {
  uint8_t bytes[4];
  brio_cia402_put(bytes, value, 4);
  bool good =
      beat(self, err) && brio_canopen_write(&self->bus, self->all[i].node, index, sub, bytes, size, err);
  self->refused = self->bus.aborted;
  return good;
}

static bool start(brio_cia402_axes *self, int i, brio_error *err) {
  const uint32_t node = (uint32_t)self->all[i].node, off = 0x80000000u, no_remote = 0x40000000u;
  const struct {
    int index, sub;
    uint32_t value;
    int size;
  } rows[] = {
      {0x1017, 0, (uint32_t)lround(self->heartbeat * 1000), 2},
      {0x1400, 1, off | (RECEIVED + node), 4},
      {0x1600, 0, 0, 1},
      {0x1600, 1, 0x607A0020, 4}, /* before the control word, which may say: take it */
      {0x1600, 2, 0x60400010, 4},
      {0x1600, 0, 2, 1},
      {0x1400, 2, 255, 1},
      {0x1400, 1, RECEIVED + node, 4},
      {0x1800, 1, off | no_remote | (SENT + node), 4},
      {0x1A00, 0, 0, 1},
      {0x1A00, 1, 0x60410010, 4},
      {0x1A00, 2, 0x60640020, 4},
      {0x1A00, 3, 0x60770010, 4},
      {0x1A00, 0, 3, 1},
      {0x1800, 2, 1, 1},
      {0x1800, 1, no_remote | (SENT + node), 4},
  };
  if (!brio_canopen_manage(&self->bus, BRIO_NMT_PREPARE, (int)node, err)) return false;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    if (!write_object(self, i, rows[k].index, rows[k].sub, (int32_t)rows[k].value, rows[k].size, err))
      return false;
  return brio_canopen_manage(&self->bus, BRIO_NMT_START, (int)node, err);
}

/* ---- a cycle ---- */

static bool tell(brio_cia402_axes *self, brio_error *err) {
  uint8_t bytes[BRIO_CIA402_AXES * FRAME], data[6];
  double now = brio_port_now(self->port);
  int at = 0;
  for (int i = 0; i < self->count; i++) {
    brio_cia402_axis *axis = &self->all[i];
    if (!axis->on || !axis->told) continue;
    brio_cia402_put(data + 4, brio_cia402_control(self, axis, now), 2);
    brio_cia402_put(data, axis->taken, 4);
    at = add(self, bytes, at, RECEIVED + axis->node, data, sizeof data);
  }
  return at == 0 || brio_port_write(self->port, bytes, at, err);
}

static bool send_sync(brio_cia402_axes *self, brio_error *err) {
  uint8_t bytes[2 * FRAME];
  int at = add(self, bytes, add_heartbeat(self, bytes, 0), SYNC, NULL, 0);
  return brio_port_write(self->port, bytes, at, err);
}

/* Whether a drive must be set up again. */
static void watch(brio_cia402_axes *self, brio_cia402_axis *axis, double now) {
  double patience = self->heartbeat > 0 ? fmax(BEATS * self->heartbeat, 0.05) : INFINITY;
  double life =
      fmax(axis->heard, axis->answered); /* one that answers is there, even if its heartbeats are lost */
  axis->doubles = axis->twice ? axis->doubles + 1 : axis->doubles > 0 ? axis->doubles - 1 : 0;
  axis->twice = false;
  if (axis->left) brio_cia402_break(self, "node %d has started anew, or is operational no more", axis->node);
  else if (now - life > patience)
    brio_cia402_break(self, "node %d has not been heard for %.3g s", axis->node, now - life);
  else if (now - axis->answered > fmax(SILENCE, patience < INFINITY ? patience : 0))
    brio_cia402_break(self, "node %d sends no process data any more", axis->node);
  else if (axis->doubles > TWINS) brio_cia402_break(self, "two nodes seem to have the number %d", axis->node);
}

static int count_fresh(const brio_cia402_axes *self) {
  int fresh = 0;
  for (int i = 0; i < self->count; i++) fresh += self->all[i].fresh;
  return fresh;
}

/* Send SYNC and take the answers until all are there or it has been long enough. */
static bool exchange(brio_cia402_axes *self, brio_error *err) {
  if (!brio_canopen_drain(&self->bus, err)) return false;
  for (int i = 0; i < self->count; i++) self->all[i].fresh = false;
  if (!send_sync(self, err)) return false;
  double deadline = brio_port_now(self->port) + self->bus.x.latency * CYCLE_SHARE;
  for (int got = 1; got > 0 && count_fresh(self) < self->count;)
    if ((got = brio_canopen_receive(&self->bus, deadline, err)) < 0) return false;
  return true;
}

static bool ask(brio_cia402_axes *self, brio_error *err) {
  bool good = exchange(self, err);
  double now = brio_port_now(self->port);
  if (self->bus.off || self->bus.was_off)
    brio_cia402_break(self, "%s %s off the bus: the drives must be set up again", self->port->name,
                      self->bus.off ? "is" : "was");
  for (int i = 0; i < self->count && good; i++) watch(self, &self->all[i], now);
  return good;
}

const brio_cia402_link brio_cia402_bus = {"canopen",    true,  begin, read_object,
                                          write_object, start, tell,  ask};
