/* Drives by CiA 402 over maxon's serial frames (USB, RS-232; drivers/protocols/epos.c): one
** exchange per object.  A reply does not name its request.  After a missing reply the host stays
** silent until the line has settled.  Reads and writes alternate, because their replies differ in
** length (8 and 4 bytes): a repeated reply is then not taken for the next one. */
#include <string.h>

#include "drivers/cia402/axes.h"

/* Commands; the code of replies; bytes of the error code at the start, and of a whole reply to a
** read. */
enum { READ = 0x60, WRITE = 0x68, NMT = 0x70, ANSWER = 0, HEAD = 4, ANSWERED = 8 };

static const double SETTLE = 3; /* latencies of silence after a missing reply */

extern const brio_protocol brio_protocol_epos;

/* Five tries: each object matters, and a line may be noisy. */
static void begin(brio_cia402_axes *self) {
  self->after_read = false;
  /* Starting the exchange resets the latency: keep it. */
  double latency = self->bus.x.latency;
  brio_exchange_start(&self->bus.x, &brio_protocol_epos, self->port);
  self->bus.x.latency = latency;
  self->bus.x.tries = 5;
}

/* Wait for a reply of `length` bytes until the deadline.  Return 1; 0: none; -1: the port failed. */
static int await(brio_exchange *x, int length, double deadline, brio_error *err) {
  uint8_t bytes[256];
  for (bool over = false;;) {
    while (brio_wire_next(&x->stream, &x->in) > 0) {
      /* An error reply has only the code. */
      bool error = x->in.length == HEAD && brio_cia402_number(x->in.data, 4) != 0;
      if (x->in.code == ANSWER && (x->in.length == length || error)) return 1;
      x->strays++;
    }
    if (over) return 0;
    double left = deadline - brio_port_now(x->port);
    over = left <= 0; /* a last look: bytes may lie at the port if this process was held up */
    int got = brio_port_read(x->port, bytes, sizeof bytes, over ? 0 : left, err);
    if (got < 0) return -1;
    if (got > 0) brio_wire_feed(&x->stream, bytes, got);
  }
}

/* Let late replies arrive and drop them. */
static bool settle(brio_exchange *x, brio_error *err) {
  /* Length -1 fits no reply: frames are read and dropped until the time is up. */
  double until = brio_port_now(x->port) + SETTLE * x->latency;
  int got = 1;
  while (got > 0 && brio_port_now(x->port) < until) {
    if ((got = await(x, -1, until, err)) < 0) return false;
  }
  /* Drop the rest of an incomplete frame. */
  while (brio_wire_idle(&x->stream)) continue;
  return true;
}

/* Name the object and the reason of the refusal. */
static bool fail_refused(const brio_cia402_axes *self, int i, int index, int sub, brio_error *err) {
  brio_text words = {0};
  brio_cia402_object_words(index, sub, &words);
  brio_text_format(&words, ": ");
  brio_cia402_abort_words(self->refused, &words);
  brio_fail(err, BRIO_DEVICE, "node %d refuses %s", self->all[i].node,
            words.bytes ? words.bytes : "an object");
  brio_text_end(&words);
  return false;
}

/* Send a request and wait for a reply of `length` bytes, then in x.in. */
static bool ask_object(brio_cia402_axes *self, int i, int code, const uint8_t *data, int count, int length,
                       brio_error *err) {
  brio_exchange *x = &self->bus.x;
  self->refused = 0;
  /* Each try drops what arrived before its request. */
  for (int k = 0; k < x->tries; k++) {
    brio_port_clear(x->port);
    brio_wire_clear(&x->stream);
    brio_exchange_make(x, -1, code, data, count);
    x->asked++;
    x->retries += k > 0;
    if (!brio_exchange_send(x, err)) return false;
    /* Time limit: the request, a reply of up to 32 bytes at 10 bits each, and the latency. */
    int got = await(x, length, x->wire_free + 32 * 10.0 / x->port->baud + x->latency, err);
    if (got < 0) return false;
    if (got > 0) {
      /* The reply starts with the error code; 0: done. */
      self->refused = (uint32_t)brio_cia402_number(x->in.data, 4);
      return self->refused == 0 || fail_refused(self, i, data[1] | data[2] << 8, data[3], err);
    }
    x->timeouts++;
    if (!settle(x, err)) return false;
  }
  return brio_fail(err, BRIO_DEVICE, "node %d did not answer on %s at %d baud", self->all[i].node,
                   x->port->name, x->port->baud);
}

/* Write an object of up to 4 bytes: node, index (low byte first), subindex, value. */
static bool write_object(brio_cia402_axes *self, int i, int index, int sub, int32_t value, int size,
                         brio_error *err) {
  uint8_t data[8] = {(uint8_t)self->all[i].node, (uint8_t)index, (uint8_t)(index >> 8), (uint8_t)sub};
  brio_cia402_put(data + 4, value, size);
  self->after_read = false;
  /* Remember the mode: reads are separated by writing it again. */
  if (index == 0x6060) self->all[i].mode = value;
  return ask_object(self, i, WRITE, data, sizeof data, HEAD, err);
}

/* Read an object: its reply has the error code, then 4 bytes. */
static bool read_object(brio_cia402_axes *self, int i, int index, int sub, int32_t *value, int *size,
                        brio_error *err) {
  const uint8_t data[4] = {(uint8_t)self->all[i].node, (uint8_t)index, (uint8_t)(index >> 8), (uint8_t)sub};
  /* two reads are separated by a write that changes nothing */
  if (self->after_read && !write_object(self, i, 0x6060, 0, self->all[i].mode, 1, err)) return false;
  self->after_read = true;
  if (!ask_object(self, i, READ, data, sizeof data, ANSWERED, err)) return false;
  *value = brio_cia402_number(self->bus.x.in.data + HEAD, 4);
  *size = 4;
  return true;
}

/* One try only: a scan asks many numbers. */
bool brio_cia402_line_read(brio_exchange *x, int node, int index, int sub, int32_t *value, brio_error *err) {
  const uint8_t data[4] = {(uint8_t)node, (uint8_t)index, (uint8_t)(index >> 8), (uint8_t)sub};
  brio_port_clear(x->port);
  brio_wire_clear(&x->stream);
  brio_exchange_make(x, -1, READ, data, sizeof data);
  if (!brio_exchange_send(x, err)) return false;
  /* Time limit as above. */
  int got = await(x, ANSWERED, x->wire_free + 32 * 10.0 / x->port->baud + x->latency, err);
  if (got <= 0 || brio_cia402_number(x->in.data, 4) != 0) return false;
  *value = brio_cia402_number(x->in.data + HEAD, 4);
  return true;
}

/* Make a drive operational.  Objects do not need it, so a refusal is accepted. */
static bool start(brio_cia402_axes *self, int i, brio_error *err) {
  const uint8_t data[4] = {(uint8_t)self->all[i].node, 0, BRIO_NMT_START, 0};
  self->after_read = false;
  return ask_object(self, i, NMT, data, sizeof data, HEAD, err) || self->refused != 0;
}

/* ---- a cycle ---- */

/* Send the targets of all drives that are on, one after another. */
static bool tell(brio_cia402_axes *self, brio_error *err) {
  for (int i = 0; i < self->count; i++)
    if (self->all[i].on && self->all[i].told && !brio_cia402_tell_object(self, i, err)) return false;
  return true;
}

/* Read all drives.  One reply is enough; only a port failure ends the cycle. */
static bool ask(brio_cia402_axes *self, brio_error *err) {
  int answered = 0;
  for (int i = 0; i < self->count; i++) {
    brio_error problem = {0};
    answered += brio_cia402_ask_object(self, i, &problem);
    if (problem.code == BRIO_IO) {
      if (err) *err = problem;
      return false;
    }
  }
  return answered > 0 || brio_fail(err, BRIO_DEVICE, "no drive on %s answers", self->port->name);
}

const brio_cia402_link brio_cia402_line = {"epos", false, begin, read_object, write_object, start, tell, ask};
