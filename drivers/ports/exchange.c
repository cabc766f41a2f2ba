/* Questions and answers on a port.  Bytes that came before a question are dropped.  Packets that do
** not answer it, such as the host's own echo, are skipped and counted. */
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/ports/exchange.h"
#include "drivers/targets.h"

enum { ANSWER = 32 /* bytes of an answer for whose transmission time is allowed */ };

/* s: the silence that ends a late bare answer, and the longest wait for it. */
static const double SILENCE = 0.06, LONGEST = 0.5;

/* Defaults: the latency of a USB adapter, and two tries. */
void brio_exchange_start(brio_exchange *x, const brio_protocol *protocol, brio_port *port) {
  memset(x, 0, sizeof *x);
  x->protocol = protocol;
  x->port = port;
  x->latency = 0.02;
  x->tries = 2;
  brio_wire_start(&x->stream, protocol, BRIO_FROM_DEVICE);
}

/* By default the answer has the code of the question. */
void brio_exchange_make(brio_exchange *x, int id, int code, const uint8_t *data, int length) {
  assert(length >= 0 && length <= BRIO_PACKET_MOST);
  x->out.id = id;
  x->out.code = x->reply = code;
  x->out.error = -1;
  x->out.length = length;
  if (length > 0) memcpy(x->out.data, data, (size_t)length);
}

/* Write x->out to the port, and compute when its last bit leaves the wire.  Targets that are too
** late are not sent. */
static bool send_packet(brio_exchange *x, bool targets, brio_error *err) {
  int count = x->sent = x->protocol->write(&x->out, x->question, sizeof x->question);
  if (count == 0) return brio_fail(err, BRIO_MISUSE, "%s has no packet of code %d with %d bytes for id %d",
                                   x->protocol->name, x->out.code, x->out.length, x->out.id);
  /* On a serial line a byte is 10 bits: start, eight data bits, stop. */
  int bits = x->protocol->bits ? x->protocol->bits(x->question, count) : 10 * count;
  x->wire_free = fmax(x->wire_free, brio_port_now(x->port)) + (double)bits / x->port->baud;
  return !(targets && brio_targets_late(err)) && brio_port_write(x->port, x->question, count, err);
}

bool brio_exchange_send(brio_exchange *x, brio_error *err) { return send_packet(x, false, err); }

bool brio_exchange_send_targets(brio_exchange *x, brio_error *err) { return send_packet(x, true, err); }

/* Count a packet that was not asked for, and pass it to the listener. */
static void pass_over(brio_exchange *x) {
  x->strays++;
  if (x->notice) x->notice(x->noticed_by, &x->in);
}

/* At most 64 KiB: a port that is never silent must not block the caller. */
void brio_exchange_listen(brio_exchange *x) {
  uint8_t bytes[256];
  for (int i = 0, got; i < 256 && (got = brio_port_read(x->port, bytes, sizeof bytes, 0, NULL)) > 0; i++) {
    brio_wire_feed(&x->stream, bytes, got);
    while (brio_wire_next(&x->stream, &x->in) > 0) pass_over(x);
  }
}

/* Send the question.  From here on, whatever arrives may be the answer. */
bool brio_exchange_begin(brio_exchange *x, brio_error *err) {
  brio_exchange_listen(x);
  brio_wire_clear(&x->stream);
  x->asked++;
  return brio_exchange_send(x, err);
}

/* Return true if the packet found last is the question, byte for byte.  At most one echo is
** expected. */
static bool is_echo(brio_exchange *x, int length) {
  if (length != x->sent || memcmp(x->stream.frame, x->question, (size_t)length) != 0) return false;
  x->sent = 0;
  x->echoes++;
  return true;
}

/* Return 1: a packet is in x->in; 0: none in time; -1: the port failed. */
int brio_exchange_next(brio_exchange *x, double deadline, brio_error *err) {
  assert(deadline == deadline);
  uint8_t bytes[512];
  /* First packets, then the clock, then more bytes: what arrived in time counts even if it is read
  ** late. */
  for (bool over = false;;) {
    int length;
    while ((length = brio_wire_next(&x->stream, &x->in)) > 0)
      if (!is_echo(x, length)) return 1;
    if (over) return 0;
    double left = deadline - brio_port_now(x->port);
    over = left <= 0; /* a last look: bytes may lie at the port if this process was held up */
    int got = brio_port_read(x->port, bytes, sizeof bytes, over ? 0 : left, err);
    if (got < 0) return -1;
    if (got > 0) brio_wire_feed(&x->stream, bytes, got);
  }
}

/* Return true if the packet has the id, code and length of an answer, and is not the question
** itself. */
static bool is_answer(const brio_exchange *x, int least, int most) {
  assert(least >= 0 && least <= most);
  const brio_packet *in = &x->in, *out = &x->out;
  /* Id, code and length first; then the content: an echo equals the question. */
  if (in->id != out->id || in->code != x->reply || in->length < least || in->length > most) return false;
  return in->code != out->code || in->length != out->length || in->length == 0 ||
         memcmp(in->data, out->data, (size_t)in->length) != 0;
}

/* Wait for the answer until a deadline.  Return 1; 0: none; -1: the port failed. */
static int await(brio_exchange *x, int least, int most, double deadline, brio_error *err) {
  int got;
  while ((got = brio_exchange_next(x, deadline, err)) > 0 && !is_answer(x, least, most)) pass_over(x);
  return got;
}

/* Return the deadline of an answer: the question has been sent, ANSWER bytes have passed, and the
** latency. */
static double deadline_of(const brio_exchange *x) {
  return x->wire_free + ANSWER * 10.0 / x->port->baud + x->latency;
}

/* Report that nothing answered, for protocols without ids.  Return false. */
static bool say_silent(const brio_exchange *x, brio_error *err) {
  return brio_fail(err, BRIO_DEVICE, "%s did not answer at %d baud", x->port->name, x->port->baud);
}

bool brio_exchange_ask(brio_exchange *x, int least, int most, brio_error *err) {
  assert(x->tries > 0);
  /* Ask again after each timeout.  A port failure ends this. */
  for (int i = 0; i < x->tries; i++) {
    x->retries += i > 0;
    if (!brio_exchange_begin(x, err)) return false;
    int got = await(x, least, most, deadline_of(x), err);
    if (got != 0) return got > 0;
    x->timeouts++;
  }
  if (x->out.id < 0) return say_silent(x, err);
  return brio_fail(err, BRIO_DEVICE, "servo %d did not answer on %s at %d baud", x->out.id, x->port->name,
                   x->port->baud);
}

/* Read until a read times out, at most for LONGEST. */
void brio_exchange_wait_for_silence(brio_exchange *x) {
  /* Silence of SILENCE s ends the wait; each read throws its bytes away. */
  uint8_t bytes[256];
  double until = brio_port_now(x->port) + LONGEST;
  for (double left; (left = until - brio_port_now(x->port)) > 0;)
    if (brio_port_read(x->port, bytes, sizeof bytes, fmin(left, SILENCE), NULL) <= 0) return;
}

/* Read `count` bytes without framing.  Return 1; 0: not in time; -1: the port failed. */
static int collect(brio_exchange *x, uint8_t *out, int count, brio_error *err) {
  int have = 0;
  while (have < count) {
    /* The deadline moves with wire_free when bytes are added to the question. */
    double left = deadline_of(x) - brio_port_now(x->port);
    /* after the deadline a last look, as above */
    int got = brio_port_read(x->port, out + have, count - have, fmax(left, 0), err);
    if (got < 0) return -1;
    if (got == 0 && left <= 0) return 0;
    have += got;
  }
  return 1;
}

bool brio_exchange_bytes(brio_exchange *x, uint8_t *out, int count, brio_error *err) {
  assert(count > 0 && x->tries > 0);
  for (int i = 0; i < x->tries; i++) {
    x->retries += i > 0;
    if (!brio_exchange_begin(x, err)) return false;
    int got = collect(x, out, count, err);
    if (got != 0) return got > 0;
    x->timeouts++;
    /* A late answer has no mark of its own: do not take it for the next one. */
    brio_exchange_wait_for_silence(x);
  }
  return say_silent(x, err);
}

/* The added bytes extend the question, and the deadline with it. */
bool brio_exchange_add(brio_exchange *x, const uint8_t *more, int length, uint8_t *out, int count,
                       brio_error *err) {
  x->wire_free = fmax(x->wire_free, brio_port_now(x->port)) + 10.0 * length / x->port->baud;
  if (!brio_port_write(x->port, more, length, err)) return false;
  int got = collect(x, out, count, err);
  return got > 0 || (got == 0 && say_silent(x, err));
}

const char *brio_exchange_pair(const char *text, int highest, double largest, int *id, double *constant) {
  char *end;
  long number = strtol(text, &end, 10);
  double value = end > text && *end == ':' ? strtod(end + 1, &end) : NAN;
  /* Written so that NaN is refused, too. */
  if (number < 0 || number > highest || !(value > 0 && value <= largest)) return NULL;
  if (*end && *end != ',' && *end != ' ') return NULL;
  *id = (int)number;
  *constant = value;
  return end + strspn(end, ", ");
}

int brio_exchange_ids(const char *text, uint8_t *ids, int most, int highest) {
  assert(most >= 0 && highest <= 255);
  /* Numbers and ranges, separated by commas or spaces. */
  int count = 0;
  while (*text) {
    char *end;
    long first = strtol(text, &end, 10), last = first;
    if (end == text) return -1;
    if (*end == '-') last = strtol(end + 1, &end, 10);
    /* Check before writing: ascending, in range, and enough room. */
    if (first < 0 || last < first || last > highest || count + last - first >= most) return -1;
    while (first <= last) ids[count++] = (uint8_t)first++;
    while (*end == ',' || isspace((unsigned char)*end)) end++;
    text = end;
  }
  return count;
}
