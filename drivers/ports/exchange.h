/* Requests and their answers on a port, for protocols whose answers identify their request. */
#ifndef BRIO_DRIVERS_PORTS_EXCHANGE_H
#define BRIO_DRIVERS_PORTS_EXCHANGE_H

#include "drivers/ports/port.h"
#include "drivers/protocols/wire.h"

typedef struct brio_exchange {
  const brio_protocol *protocol;
  brio_port *port;
  double latency;   /* s: allowed for an answer besides the transmission of its bytes */
  double wire_free; /* s: when the last written bit has left the wire */
  int tries;
  int reply;        /* the code of the answer; brio_exchange_make sets it to that of the request */
  uint64_t asked, retries, timeouts, strays;
  uint64_t echoes;  /* the host's own packets, heard on the line */
  void (*notice)(void *context, const brio_packet *packet); /* for packets that answer no request; or NULL */
  void *noticed_by;
  brio_packet out, in;
  brio_wire_stream stream;
  int sent;                 /* bytes of the request, whose echo may still arrive */
  uint8_t question[BRIO_FRAME_MOST];
} brio_exchange;

/* Start on an open port, which still belongs to the caller. */
void brio_exchange_start(brio_exchange *x, const brio_protocol *protocol, brio_port *port);

/* Fill x->out: `id` and `code` -1 where the protocol has none; `data` may be NULL for 0 bytes. */
void brio_exchange_make(brio_exchange *x, int id, int code, const uint8_t *data, int length);

/* Send x->out.  Errors of all functions here: device, io (the port is gone), misuse. */
bool brio_exchange_send(brio_exchange *x, brio_error *err);

/* Send x->out, a message with targets, unless they are out of date (targets.h: limit). */
bool brio_exchange_send_targets(brio_exchange *x, brio_error *err);

/* Read what has arrived, and pass it to x->notice: no request is pending. */
void brio_exchange_listen(brio_exchange *x);

/* Send x->out as a request; brio_exchange_next returns its answers. */
bool brio_exchange_begin(brio_exchange *x, brio_error *err);

/* Read the next packet into x->in, except the request itself, which adapters on a half-duplex line echo to
** the host.  Return 1; 0: none arrived until `deadline` (s, by the port's clock); -1: the port failed. */
int brio_exchange_next(brio_exchange *x, double deadline, brio_error *err);

/* Send x->out and wait for a packet with its id, code x->reply and `least` to `most` bytes of data, which
** is then in x->in. */
bool brio_exchange_ask(brio_exchange *x, int least, int most, brio_error *err);

/* Send x->out and wait for `count` bytes without framing.  Such an answer does not identify its request.
** Therefore, after a timeout, the line is left alone until it has been silent for a while: a late answer
** must not be taken for the next one. */
bool brio_exchange_bytes(brio_exchange *x, uint8_t *out, int count, brio_error *err);

/* Send more bytes of the request that had no answer, and wait for `count` bytes without framing. */
bool brio_exchange_add(brio_exchange *x, const uint8_t *more, int length, uint8_t *out, int count,
                       brio_error *err);

/* Wait until the line has been silent for a while, with an upper limit; received bytes are discarded. */
void brio_exchange_wait_for_silence(brio_exchange *x);

/* Parse ids as in "1,2,11-14": at most `most`, none above `highest`.  Return their number, or -1. */
int brio_exchange_ids(const char *text, uint8_t *ids, int most, int highest);

/* Parse the next pair of ids and constants as in "5:1.78, 6:1.78": an id from 0 to `highest`, a constant
** above 0 and at most `largest`.  Return where the pair after it begins, or NULL: it is none. */
const char *brio_exchange_pair(const char *text, int highest, double largest, int *id, double *constant);

#endif
