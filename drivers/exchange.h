/* Questions and answers on a port, for protocols whose answers name what they answer. */
#ifndef BRIO_DRIVERS_EXCHANGE_H
#define BRIO_DRIVERS_EXCHANGE_H

#include "drivers/port.h"
#include "drivers/wire.h"

typedef struct brio_exchange {
  const brio_protocol *protocol;
  brio_port *port;
  double latency;   /* s: allowed besides the bytes' time */
  double wire_free; /* s: when what was written has left the wire */
  int tries;
  uint64_t asked, timeouts, strays;
  brio_packet out, in;
  brio_wire_stream stream;
} brio_exchange;

/* Begin on an open port, which stays the caller's. */
void brio_exchange_start(brio_exchange *x, const brio_protocol *protocol, brio_port *port);

/* Fill x->out: `id` and `code` -1 where the protocol has none; `data` may be NULL for 0 bytes. */
void brio_exchange_make(brio_exchange *x, int id, int code, const uint8_t *data, int length);

/* Send x->out.  Errors of all functions here: device, io (the port is gone), misuse. */
bool brio_exchange_send(brio_exchange *x, brio_error *err);

/* Send x->out and wait for a packet of its id and code with `least` to `most` bytes of data, which is in
** x->in then. */
bool brio_exchange_ask(brio_exchange *x, int least, int most, brio_error *err);

/* Send bytes and wait for `count` bare bytes. */
bool brio_exchange_bytes(brio_exchange *x, uint8_t *out, int count, brio_error *err);

/* Read ids as in "1,2,11-14", at most `most`, none above `highest`.  Return how many, or -1. */
int brio_exchange_ids(const char *text, uint8_t *ids, int most, int highest);

#endif
