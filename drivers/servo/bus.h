/* The host's side of bus servos of any family: asking, telling, finding, setting up.
**
** Every call writes a packet and waits for its answers until a deadline: it is meant for the thread
** of that bus.  Nothing is allocated.  What is no answer to what was asked (another id, another
** length, the host's own bytes, garbage) is passed over and counted. */
#ifndef BRIO_DRIVERS_SERVO_BUS_H
#define BRIO_DRIVERS_SERVO_BUS_H

#include "drivers/ports/exchange.h"
#include "drivers/servo/servo.h"

typedef struct brio_servo_bus {
  const brio_servo_family *family;
  brio_exchange x;   /* its latency (a USB adapter takes up to 16 ms) and tries may be set */
  int fast_failed;   /* fast sync reads that failed one after another */
  bool no_sync;      /* nobody knows sync read */
  uint64_t refusals; /* answers with an error */
  int alert;         /* the last answer's error byte */
  bool garbled;      /* to the last question something came that was no packet */
  bool quiet[BRIO_SERVO_IDS]; /* servos that do as they are told without a word (status return level 1) */
  const brio_servo_family *layouts[BRIO_SERVO_IDS]; /* which registers a servo has; NULL: the family's */
} brio_servo_bus;

/* What answered a ping. */
typedef struct brio_servo_found {
  int id, baud, model, firmware;
  bool garbled; /* it cannot be read: two servos have this id, or the line is noisy */
} brio_servo_found;

/* Begin on an open port, which stays the caller's. */
void brio_servo_bus_start(brio_servo_bus *bus, const brio_servo_family *family, brio_port *port);

/* Return the registers and units of a servo: those of its model, once it was pinged. */
const brio_servo_family *brio_servo_bus_layout(const brio_servo_bus *bus, int id);

/* Ask servo `id` whether it is there, and keep which registers its model has.  Errors of all functions here:
** device (silent, refused), io (gone), misuse (an id, address or length that cannot be). */
bool brio_servo_bus_ping(brio_servo_bus *bus, int id, brio_servo_found *found, brio_error *err);

/* Read or write `count` bytes of registers from `address`.  To all servos (0xFE) nothing answers.
** What a servo says nothing to when it is written is read back: it may be set to answer reads alone. */
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
int brio_servo_bus_sync_read(brio_servo_bus *bus, const uint8_t *ids, int n, int address, int size,
                             uint8_t *out, bool *valid, uint8_t *errors, brio_error *err);

/* Read different registers of `n` servos: sizes[i] bytes from addresses[i] of ids[i], one after another
** in `out`.  Only models with bulk instructions (misuse).  Return as brio_servo_bus_sync_read. */
int brio_servo_bus_bulk_read(brio_servo_bus *bus, const uint8_t *ids, const int *addresses, const int *sizes,
                             int n, uint8_t *out, bool *valid, brio_error *err);

/* The same by one answer of them all; none is valid where firmware does not know it. */
int brio_servo_bus_fast_bulk_read(brio_servo_bus *bus, const uint8_t *ids, const int *addresses,
                                  const int *sizes, int n, uint8_t *out, bool *valid, brio_error *err);

/* Write them; no answers. */
bool brio_servo_bus_bulk_write(brio_servo_bus *bus, const uint8_t *ids, const int *addresses,
                               const int *sizes, int n, const uint8_t *bytes, brio_error *err);

/* Write a register of whatever kind: torque is switched off (or the lock opened) for what is kept without
** power, a new id or baud rate is followed, and the value is read back.  Errors besides: misuse (read only,
** out of range). */
bool brio_servo_bus_configure(brio_servo_bus *bus, int id, const brio_register *reg, int32_t value,
                              brio_error *err);

/* Let a servo hold its place, or go limp.  Its goal becomes where it is first, for it goes to its goal at
** once. */
bool brio_servo_bus_hold(brio_servo_bus *bus, int id, bool on, brio_error *err);

/* Give a servo another id or baud rate: torque is switched off (or the lock opened) for it.  After
** a new baud rate the port has it too, and the servo was heard at it. */
bool brio_servo_bus_change_id(brio_servo_bus *bus, int id, int fresh, brio_error *err);
bool brio_servo_bus_change_baud(brio_servo_bus *bus, int id, int baud, brio_error *err);

/* Forget all settings but the id and the baud rate, as far as the family can keep them. */
bool brio_servo_bus_reset(brio_servo_bus *bus, int id, brio_error *err);

/* Ping ids `first` to `last` at the port's baud rate, those that say nothing once more where another
** answered, and read from those that answer.  Return how many answered (at most `most` are kept, by
** rising id), -1 and a sentence when the port failed. */
int brio_servo_bus_scan(brio_servo_bus *bus, int first, int last, brio_servo_found *found, int most,
                        brio_error *err);

/* Return the family's baud rate at which servo `id` answers, other than the port's, or 0.  The port keeps its
** own. */
int brio_servo_bus_other_baud(brio_servo_bus *bus, int id);

#endif
