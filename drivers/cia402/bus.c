/* Drives by CiA 402 on a CANopen bus: process data, SYNC, heartbeats.  The process data of a drive
** are mapped while it is pre-operational (map.c).  A cycle is one write with all targets, one with
** SYNC and the host's heartbeat, and one or two reads.  Frames that arrived before SYNC are
** processed, but do not count as an answer to it. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "drivers/cia402/axes.h"

/* The host's node number; base identifiers of CANopen functions, to which the node is added; bytes
** of an encoded frame. */
enum {
  MASTER = 127,
  SYNC = 0x080,
  EMERGENCY = 0x080,
  HEARTBEAT = 0x700,
  FRAME = 16
};
enum { TWINS = 20 /* surplus answers after which two nodes are assumed to share a number */ };

static const double CYCLE_SHARE = 0.5;  /* share of the latency that a cycle waits for process data */
static const double BEATS = 2.5;        /* heartbeat periods without one after which a node is lost */
static const double SILENCE = 0.2;      /* s without process data */

/* ---- receiving ---- */

/* Return the axis of a node, or NULL.  O(axes). */
static brio_cia402_axis *find(brio_cia402_axes *self, int node) {
  for (int i = 0; i < self->count; i++)
    if (self->all[i].node == node) return &self->all[i];
  return NULL;
}

/* Return a number of 1 to 4 bytes, low byte first; without sign below 4 bytes. */
static int32_t number_at(const brio_packet *in, int at, int size) {
  return brio_cia402_number(in->data + at, size);
}

/* Read the numbers that process data hold at their mapped offsets.  A frame that is too short is
** ignored. */
static void take_process_data(const brio_cia402_axes *self, brio_cia402_axis *axis,
                              const brio_cia402_pdo *pdo, const brio_packet *in, double now) {
  assert(pdo->place <= 4 && pdo->status <= 6 && pdo->torque <= 6 && pdo->speed <= 4);
  /* The frame must hold the position and the status word; the torque is optional. */
  int shortest = pdo->place >= 0 ? pdo->place + 4 : 0;
  if (pdo->status + 2 > shortest) shortest = pdo->status + 2;
  if (in->length < shortest) return;
  if (pdo->status >= 0) axis->status = (uint16_t)number_at(in, pdo->status, 2);
  if (pdo->torque >= 0) {
    axis->knows_torque = in->length >= pdo->torque + 2;
    if (axis->knows_torque) axis->torque = (int16_t)number_at(in, pdo->torque, 2);
  }
  if (pdo->speed >= 0 && in->length >= pdo->speed + 4) {
    axis->speed = number_at(in, pdo->speed, 4) / self->speeds;
    axis->sends_speed = axis->speed_fresh = true;
  }
  /* A speed alone is no answer: without a position the drive is as good as silent. */
  if (pdo->place >= 0 || pdo->status >= 0) axis->answered = now;
  if (pdo->place < 0) return;
  /* Two positions in one cycle: two nodes may share this number. */
  axis->twice = axis->twice || axis->fresh;
  axis->place = number_at(in, pdo->place, 4);
  axis->fresh = true;
}

/* Handle a frame that is process data of a drive, by its identifier.  Return false if it is not.
** O(axes x PDOs). */
static bool hear_process_data(brio_cia402_axes *self, const brio_packet *in, double now) {
  for (int i = 0; i < self->count; i++)
    for (int k = 0; k < self->all[i].nin; k++)
      if (self->all[i].in[k].id == in->id) {
        take_process_data(self, &self->all[i], &self->all[i].in[k], in, now);
        return true;
      }
  return false;
}

/* Note a heartbeat.  A drive that boots (0) or is not operational must be set up again. */
static void take_heartbeat(const brio_cia402_axes *self, brio_cia402_axis *axis, int state, double now) {
  axis->heard = now;
  /* Bit 7 is the toggle of node guarding: mask it. */
  if (self->started && (state & 0x7F) != BRIO_NMT_OPERATIONAL) axis->left = true;
}

/* Handle any frame: process data first, which may have any identifier, then the predefined
** identifiers of CiA 301. */
static void hear(void *context, const brio_packet *in) {
  brio_cia402_axes *self = context;
  int node = in->id & 0x7F, function = in->id & ~0x7F;
  brio_cia402_axis *axis = node > 0 ? find(self, node) : NULL;
  double now = brio_port_now(self->port);
  if (hear_process_data(self, in, now) || !axis) return;
  /* EMCY: the error code is in the first two bytes. */
  if (function == EMERGENCY && in->length >= 2) axis->emergency = brio_cia402_number(in->data, 2);
  else if (function == HEARTBEAT && in->length >= 1) take_heartbeat(self, axis, in->data[0], now);
}

/* Let the kernel filter out frames of other nodes. */
static void begin(brio_cia402_axes *self) {
  uint8_t nodes[BRIO_CIA402_AXES];
  for (int i = 0; i < self->count; i++) nodes[i] = (uint8_t)self->all[i].node;
  brio_port_can_nodes(self->port, nodes, self->count, NULL); /* without a filter `hear` ignores them */
  self->bus.hear = hear;
  self->bus.context = self;
}

/* ---- objects ---- */

/* Append a frame.  Return the new count of bytes. */
static int add(brio_cia402_axes *self, uint8_t *bytes, int at, int id, const uint8_t *data, int length) {
  brio_exchange_make(&self->bus.x, id, -1, data, length);
  return at + self->bus.x.protocol->write(&self->bus.x.out, bytes + at, FRAME);
}

/* Append the host's heartbeat if it is due: three per watchdog time, from the first switching on. */
static int add_heartbeat(brio_cia402_axes *self, uint8_t *bytes, int at) {
  /* Not due: nothing is appended. */
  double now = brio_port_now(self->port);
  if (!(self->watchdog > 0) || !self->guarding || now < self->beat_at) return at;
  self->beat_at = now + self->watchdog / 3;
  return add(self, bytes, at, HEARTBEAT + MASTER, (const uint8_t[]){BRIO_NMT_OPERATIONAL}, 1);
}

/* Send the heartbeat if it is due.  Object exchanges take time, too. */
static bool beat(brio_cia402_axes *self, brio_error *err) {
  uint8_t bytes[FRAME];
  int count = add_heartbeat(self, bytes, 0);
  return count == 0 || brio_port_write(self->port, bytes, count, err);
}

/* Read an object. self->refused distinguishes a refusal from silence. */
static bool read_object(brio_cia402_axes *self, int i, int index, int sub, int32_t *value, int *size,
                        brio_error *err) {
  uint8_t bytes[4] = {0};
  bool good = beat(self, err) &&
              brio_canopen_read(&self->bus, self->all[i].node, index, sub, bytes, sizeof bytes, size, err);
  self->refused = self->bus.aborted;
  if (good) *value = brio_cia402_number(bytes, *size);
  return good;
}

/* Write an object. self->refused distinguishes a refusal from silence. */
static bool write_object(brio_cia402_axes *self, int i, int index, int sub, int32_t value, int size,
                         brio_error *err) {
  uint8_t bytes[4];
  brio_cia402_put(bytes, value, 4);
  bool good =
      beat(self, err) && brio_canopen_write(&self->bus, self->all[i].node, index, sub, bytes, size, err);
  self->refused = self->bus.aborted;
  return good;
}

/* Remove the kernel's filter if a mapping uses identifiers outside the node's own. */
static void open_ears(brio_cia402_axes *self, const brio_cia402_axis *axis) {
  for (int k = 0; k < axis->nin; k++)
    if ((axis->in[k].id & 0x7F) != axis->node) brio_port_can_nodes(self->port, NULL, 0, NULL);
}

/* Set up a drive: pre-operational, heartbeat producer (1017), mapping, operational. */
static bool start(brio_cia402_axes *self, int i, brio_error *err) {
  int node = self->all[i].node;
  if (!brio_canopen_manage(&self->bus, BRIO_NMT_PREPARE, node, err) ||
      !write_object(self, i, 0x1017, 0, (int32_t)lround(self->heartbeat * 1000), 2, err) ||
      !brio_cia402_map(self, i, err))
    return false;
  open_ears(self, &self->all[i]);
  return brio_canopen_manage(&self->bus, BRIO_NMT_START, node, err);
}

/* ---- a cycle ---- */

/* Append the process data of an axis.  Where the control word precedes the target, a new target is
** sent first in a frame of its own, with the new-set-point bit low. */
static int add_told(brio_cia402_axes *self, brio_cia402_axis *axis, uint8_t *bytes, int at, double now) {
  int control = brio_cia402_control(self, axis, now);
  if (axis->drives) {
    uint8_t data[8];
    int length = brio_cia402_torque_data(axis, control, data);
    return add(self, bytes, at, axis->out[0].id, data, length);
  }
  /* A new set-point starts in this cycle. */
  bool rises = (control & BRIO_CIA402_SET_POINT) && axis->since == now;
  for (int k = 0; k < axis->nout; k++) {
    brio_cia402_pdo *pdo = &axis->out[k];
    if (pdo->target >= 0) brio_cia402_put(pdo->data + pdo->target, axis->taken, 4);
    if (pdo->target > pdo->control && pdo->control >= 0 && rises) {
      brio_cia402_put(pdo->data + pdo->control, control & ~BRIO_CIA402_SET_POINT, 2);
      at = add(self, bytes, at, pdo->id, pdo->data, pdo->length);
    }
    /* The actual frame of the cycle. */
    if (pdo->control >= 0) brio_cia402_put(pdo->data + pdo->control, control, 2);
    at = add(self, bytes, at, pdo->id, pdo->data, pdo->length);
  }
  return at;
}

/* Send the targets of all axes that are on: process data in one write, other axes by SDO. */
static bool tell(brio_cia402_axes *self, brio_error *err) {
  uint8_t bytes[BRIO_CIA402_AXES * 3 * FRAME];
  double now = brio_port_now(self->port);
  int at = 0;
  for (int i = 0; i < self->count; i++) {
    brio_cia402_axis *axis = &self->all[i];
    if (!axis->on || !axis->told) continue;
    if (axis->nout > 0) at = add_told(self, axis, bytes, at, now);
    else if (!brio_cia402_tell_object(self, i, err)) return false;
  }
  return at == 0 || brio_port_write(self->port, bytes, at, err);
}

/* Send SYNC, with the host's heartbeat in front if it is due. */
static bool send_sync(brio_cia402_axes *self, brio_error *err) {
  uint8_t bytes[2 * FRAME];
  int at = add(self, bytes, add_heartbeat(self, bytes, 0), SYNC, NULL, 0);
  return brio_port_write(self->port, bytes, at, err);
}

/* Break the device, with the reason, if a drive must be set up again. */
static void watch(brio_cia402_axes *self, brio_cia402_axis *axis, double now) {
  /* BEATS periods, at least 50 ms; without heartbeats there is no limit. */
  double patience = self->heartbeat > 0 ? fmax(BEATS * self->heartbeat, 0.05) : INFINITY;
  /* A drive that answers is alive, even if its heartbeats are lost. */
  double life =
      fmax(axis->heard, axis->answered);
  /* Count cycles with two answers up, and others down: a single repetition is harmless. */
  axis->doubles = axis->twice ? axis->doubles + 1 : axis->doubles > 0 ? axis->doubles - 1 : 0;
  axis->twice = false;
  if (axis->left)
    brio_cia402_break(self, "node %d has restarted, or is no longer operational", axis->node);
  else if (now - life > patience)
    brio_cia402_break(self, "node %d has not been heard for %.3g s", axis->node, now - life);
  else if (now - axis->answered > fmax(SILENCE, patience < INFINITY ? patience : 0))
    brio_cia402_break(self, "node %d sends no process data any more", axis->node);
  else if (axis->doubles > TWINS) brio_cia402_break(self, "two nodes seem to have the number %d", axis->node);
}

/* Return true if all drives that answer to SYNC have answered. */
static bool is_all_there(const brio_cia402_axes *self) {
  for (int i = 0; i < self->count; i++) {
    const brio_cia402_axis *axis = &self->all[i];
    if (axis->nin > 0 && (!axis->fresh || (axis->sends_speed && !axis->speed_fresh))) return false;
  }
  return true;
}

/* Read the drives that have no process data, by SDO. */
static bool ask_objects(brio_cia402_axes *self, brio_error *err) {
  for (int i = 0; i < self->count; i++) {
    brio_error why = {0};
    if (self->all[i].nin > 0) continue;
    if (brio_cia402_ask_object(self, i, &why)) self->all[i].answered = brio_port_now(self->port);
    /* A drive's refusal or silence is judged by `watch`; only a port failure ends the cycle. */
    if (why.code != BRIO_IO) continue;
    *err = why;
    return false;
  }
  return true;
}

/* Send SYNC and collect the answers until all are there or CYCLE_SHARE of the latency has passed. */
static bool exchange(brio_cia402_axes *self, brio_error *err) {
  /* Old frames first, so that they do not count as answers. */
  if (!brio_canopen_drain(&self->bus, err)) return false;
  for (int i = 0; i < self->count; i++) self->all[i].fresh = self->all[i].speed_fresh = false;
  if (!send_sync(self, err)) return false;
  double deadline = brio_port_now(self->port) + self->bus.x.latency * CYCLE_SHARE;
  for (int got = 1; got > 0 && !is_all_there(self);)
    if ((got = brio_canopen_receive(&self->bus, deadline, err)) < 0) return false;
  /* A speed that did not come is not waited for until one comes, even if late. */
  for (int i = 0; i < self->count; i++)
    self->all[i].sends_speed = self->all[i].sends_speed && self->all[i].speed_fresh;
  return ask_objects(self, err);
}

/* Run a cycle, then check the bus and each drive. */
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
