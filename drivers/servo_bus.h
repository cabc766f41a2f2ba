/* The host's side of bus servos of any family: asking, telling, finding, setting up.
**
** Every call writes a packet and waits for its answers until a deadline: it is meant for the thread
** of that bus.  Nothing is allocated.  What is no answer to what was asked (another id, another
** length, the host's own bytes, garbage) is passed over and counted. */
#ifndef BRIO_DRIVERS_SERVO_BUS_H
#define BRIO_DRIVERS_SERVO_BUS_H

#include "drivers/port.h"
#include "drivers/servo.h"

typedef struct brio_servo_bus {
  const brio_servo_family *family;
  brio_port *port;
  double latency;  /* s: allowed besides the bytes' time; a USB adapter takes up to 16 ms */
  int tries;       /* how often a question is asked before it has failed, at least 1 */
  double wire_free; /* s: when what was written has left the wire, by the port's time */
  int fast_failed; /* fast sync reads that failed one after another */
  uint64_t asked, timeouts, retries, strays; /* questions, unanswered ones, asked again; packets passed over */
  uint64_t refusals;                         /* answers with an error */
  int alert;       /* the last answer's error byte */
  brio_packet out, in;
  brio_wire_stream stream;
} brio_servo_bus;

/* What answered a ping. */
typedef struct brio_servo_found {
  int id, baud, model, firmware;
} brio_servo_found;

/* Begin on an open port, which stays the caller's. */
void brio_servo_bus_start(brio_servo_bus *bus, const brio_servo_family *family, brio_port *port);

/* Ask servo `id` whether it is there.  Errors of all functions here: device (silent, refused), io (gone),
** misuse (an id, address or length that cannot be). */
bool brio_servo_bus_ping(brio_servo_bus *bus, int id, brio_servo_found *found, brio_error *err);

/* Read or write `count` bytes of registers from `address`.  To all servos (0xFE) nothing answers. */
bool brio_servo_bus_read(brio_servo_bus *bus, int id, int address, int count, uint8_t *out, brio_error *err);
bool brio_servo_bus_write(brio_servo_bus *bus, int id, int address, int count, const uint8_t *bytes,
                          brio_error *err);

/* Read or write the register with a role. */
bool brio_servo_bus_get(brio_servo_bus *bus, int id, brio_servo_role role, int32_t *value, brio_error *err);
bool brio_servo_bus_set(brio_servo_bus *bus, int id, brio_servo_role role, int32_t value, brio_error *err);

/* Write registers that count when brio_servo_bus_action is called. */
bool brio_servo_bus_write_later(brio_servo_bus *bus, int id, int address, int count, const uint8_t *bytes,
                                brio_error *err);
bool brio_servo_bus_action(brio_servo_bus *bus, int id, brio_error *err);

/* Switch off and on again.  The servo is deaf for about 0.8 s. */
bool brio_servo_bus_reboot(brio_servo_bus *bus, int id, brio_error *err);

/* Write `size` bytes from `address` of each of `n` servos: bytes[i * size ..] to ids[i].  No answers. */
bool brio_servo_bus_sync_write(brio_servo_bus *bus, const uint8_t *ids, int n, int address, int size,
                               const uint8_t *bytes, brio_error *err);

/* Read `size` bytes from `address` of each of `n` servos into out[i * size ..]; valid[i] says whether
** servo i answered, errors[i] (may be NULL) its error byte.  By fast sync read where the family has it
** and it works, by sync read, or one by one.  Return how many answered, -1 and a sentence when the
** port failed. */
int brio_servo_bus_sync_read(brio_servo_bus *bus, const uint8_t *ids, int n, int address, int size, uint8_t *out,
                             bool *valid, uint8_t *errors, brio_error *err);

/* Read different registers of `n` servos: sizes[i] bytes from addresses[i] of ids[i], one after another
** in `out`.  Only families with bulk instructions.  Return as brio_servo_bus_sync_read. */
int brio_servo_bus_bulk_read(brio_servo_bus *bus, const uint8_t *ids, const int *addresses, const int *sizes, int n,
                             uint8_t *out, bool *valid, brio_error *err);

/* Write them; no answers. */
bool brio_servo_bus_bulk_write(brio_servo_bus *bus, const uint8_t *ids, const int *addresses, const int *sizes, int n,
                               const uint8_t *bytes, brio_error *err);

/* Give a servo another id or baud rate: torque is switched off (or the lock opened) for it.  After
** a new baud rate the port has it too, and the servo was heard at it. */
bool brio_servo_bus_change_id(brio_servo_bus *bus, int id, int fresh, brio_error *err);
bool brio_servo_bus_change_baud(brio_servo_bus *bus, int id, int baud, brio_error *err);

/* Ping ids `first` to `last` at the port's baud rate, each once.  Return how many answered (at most
** `most` are kept), -1 and a sentence when the port failed. */
int brio_servo_bus_scan(brio_servo_bus *bus, int first, int last, brio_servo_found *found, int most, brio_error *err);

#endif
