/* Questions and answers on a port, for protocols whose answers name what they answer. */
#ifndef BRIO_DRIVERS_PORTS_EXCHANGE_H
#define BRIO_DRIVERS_PORTS_EXCHANGE_H

#include "drivers/ports/port.h"
#include "drivers/protocols/wire.h"

typedef struct brio_exchange {
  const brio_protocol *protocol;
  brio_port *port;
  double latency;   /* s: allowed besides the bytes' time */
  double wire_free; /* s: when what was written has left the wire */
  int tries;
  int reply;        /* the code of the answer; brio_exchange_make sets it to the question's */
  uint64_t asked, retries, timeouts, strays;
  uint64_t echoes;  /* the host's own packets, heard on the line */
  void (*notice)(void *context, const brio_packet *packet); /* is told what came unasked; NULL: nobody is */
  void *noticed_by;
  brio_packet out, in;
  brio_wire_stream stream;
  int sent;                 /* bytes of the question, of which an echo may come still */
  uint8_t question[BRIO_FRAME_MOST];
} brio_exchange;

/* Begin on an open port, which stays the caller's. */
void brio_exchange_start(brio_exchange *x, const brio_protocol *protocol, brio_port *port);

/* Fill x->out: `id` and `code` -1 where the protocol has none; `data` may be NULL for 0 bytes. */
void brio_exchange_make(brio_exchange *x, int id, int code, const uint8_t *data, int length);

/* Send x->out.  Errors of all functions here: device, io (the port is gone), misuse. */
bool brio_exchange_send(brio_exchange *x, brio_error *err);

/* Send x->out, a message with targets, unless they are out of date (targets.h: limit). */
bool brio_exchange_send_targets(brio_exchange *x, brio_error *err);

/* Take in what has come, and pass it on to x->notice: nobody has asked for it. */
void brio_exchange_listen(brio_exchange *x);

/* Send x->out as a question whose answers brio_exchange_next fetches. */
bool brio_exchange_begin(brio_exchange *x, brio_error *err);

/* Fetch the next packet that came into x->in, but not the question itself, which adapters on a half-duplex
** line let the host hear.  Return 1; 0: none came until `deadline` (s, by the port's time); -1: the port
** failed. */
int brio_exchange_next(brio_exchange *x, double deadline, brio_error *err);

/* Send x->out and wait for a packet of its id and of code x->reply with `least` to `most` bytes of data,
** which is in x->in then. */
bool brio_exchange_ask(brio_exchange *x, int least, int most, brio_error *err);

/* Send x->out and wait for `count` bare bytes.  Such answers do not say what they answer: after one that did
** not come, the line is left alone until it has been silent for a while, lest it be taken for the next. */
bool brio_exchange_bytes(brio_exchange *x, uint8_t *out, int count, brio_error *err);

/* Send bytes that are still part of the question that had no answer, and wait for `count` bare bytes. */
bool brio_exchange_add(brio_exchange *x, const uint8_t *more, int length, uint8_t *out, int count,
                       brio_error *err);

/* Wait until the line has been silent for a while, or for as long as can be borne: what comes is thrown
** away. */
void brio_exchange_wait_for_silence(brio_exchange *x);

/* Read ids as in "1,2,11-14", at most `most`, none above `highest`.  Return how many, or -1. */
int brio_exchange_ids(const char *text, uint8_t *ids, int most, int highest);

#endif
