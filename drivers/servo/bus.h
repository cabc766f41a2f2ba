/* The host's side of bus servos of any family: reading, writing, finding and configuring them.
**
** Every call writes a packet and waits for its answers until a deadline, so it belongs into the thread of
** that bus.  Nothing is allocated.  Packets that do not answer the request (another id, another length,
** the host's own bytes, garbage) are skipped and counted. */
#ifndef BRIO_DRIVERS_SERVO_BUS_H
#define BRIO_DRIVERS_SERVO_BUS_H

#include "drivers/ports/exchange.h"
#include "drivers/servo/servo.h"

typedef struct brio_servo_bus {
  const brio_servo_family *family;
  brio_exchange x;   /* its latency (a USB adapter takes up to 16 ms) and tries may be set */
  int fast_failed;   /* consecutive fast sync reads that failed */
  bool no_sync;      /* no servo supports sync read */
  uint64_t refusals; /* answers with an error */
  int alert;         /* error byte of the last answer */
  bool garbled;      /* the last request was answered by bytes that are no packet */
  bool quiet[BRIO_SERVO_IDS]; /* servos that answer reads only (status return level 1) */
  const brio_servo_family *layouts[BRIO_SERVO_IDS]; /* registers of each servo's model; NULL: the family's */
} brio_servo_bus;

/* A servo that answered a ping. */
typedef struct brio_servo_found {
  int id, baud, model, firmware;
  bool garbled; /* it cannot be read: two servos with this id, or noise */
} brio_servo_found;

/* Start on an open port, which still belongs to the caller. */
void brio_servo_bus_start(brio_servo_bus *bus, const brio_servo_family *family, brio_port *port);

/* Return the registers and units of a servo: those of its model once it has answered a ping. */
const brio_servo_family *brio_servo_bus_layout(const brio_servo_bus *bus, int id);

/* Ping servo `id`, and keep the layout of its model.  Errors of all functions here: device (silent,
** refused), io (gone), misuse (an impossible id, address or length). */
bool brio_servo_bus_ping(brio_servo_bus *bus, int id, brio_servo_found *found, brio_error *err);

/* Read or write `count` bytes of registers from `address`.  A broadcast (0xFE) has no answer.  A write
** that is not answered is read back: the servo may be set to answer reads only. */
bool brio_servo_bus_read(brio_servo_bus *bus, int id, int address, int count, uint8_t *out, brio_error *err);
bool brio_servo_bus_write(brio_servo_bus *bus, int id, int address, int count, const uint8_t *bytes,
                          brio_error *err);

/* Read or write the register of a role. */
bool brio_servo_bus_get(brio_servo_bus *bus, int id, brio_servo_role role, int32_t *value, brio_error *err);
bool brio_servo_bus_set(brio_servo_bus *bus, int id, brio_servo_role role, int32_t value, brio_error *err);

/* Write registers that take effect at brio_servo_bus_action. */
bool brio_servo_bus_write_later(brio_servo_bus *bus, int id, int address, int count, const uint8_t *bytes,
                                brio_error *err);
bool brio_servo_bus_action(brio_servo_bus *bus, int id, brio_error *err);

/* Reboot a servo.  It does not answer for about 0.8 s. */
bool brio_servo_bus_reboot(brio_servo_bus *bus, int id, brio_error *err);

/* Write `size` bytes from `address` of each of `n` servos: bytes[i * size ..] to ids[i].  No answers. */
bool brio_servo_bus_sync_write(brio_servo_bus *bus, const uint8_t *ids, int n, int address, int size,
                               const uint8_t *bytes, brio_error *err);

/* Read `size` bytes from `address` of each of `n` servos into out[i * size ..]; valid[i]: servo i
** answered; errors[i] (may be NULL): its error byte.  Uses fast sync read where the family has it and it
** works, otherwise sync read, or single reads.  Return how many answered; -1 and a sentence if the port
** failed. */
int brio_servo_bus_sync_read(brio_servo_bus *bus, const uint8_t *ids, int n, int address, int size,
                             uint8_t *out, bool *valid, uint8_t *errors, brio_error *err);

/* Read different registers of `n` servos: sizes[i] bytes from addresses[i] of ids[i], one after another in
** `out`.  Only for models with bulk instructions (misuse).  Return as brio_servo_bus_sync_read. */
int brio_servo_bus_bulk_read(brio_servo_bus *bus, const uint8_t *ids, const int *addresses, const int *sizes,
                             int n, uint8_t *out, bool *valid, brio_error *err);

/* The same with one common answer; if the firmware does not support it, none is valid. */
int brio_servo_bus_fast_bulk_read(brio_servo_bus *bus, const uint8_t *ids, const int *addresses,
                                  const int *sizes, int n, uint8_t *out, bool *valid, brio_error *err);

/* Write them; no answers. */
bool brio_servo_bus_bulk_write(brio_servo_bus *bus, const uint8_t *ids, const int *addresses,
                               const int *sizes, int n, const uint8_t *bytes, brio_error *err);

/* Write any register: for one kept without power torque is switched off (or the lock opened), a new id or
** baud rate is followed, and the value is read back.  Further errors: misuse (read only, out of range). */
bool brio_servo_bus_configure(brio_servo_bus *bus, int id, const brio_register *reg, int32_t value,
                              brio_error *err);

/* Switch torque.  Before it goes on, the goal is set to the present position, because a servo with torque
** goes to its goal at once. */
bool brio_servo_bus_hold(brio_servo_bus *bus, int id, bool on, brio_error *err);

/* Change a servo's id or baud rate: torque is switched off (or the lock opened) for it.  After a new baud
** rate the port has it, too, and the servo has answered at it. */
bool brio_servo_bus_change_id(brio_servo_bus *bus, int id, int fresh, brio_error *err);
bool brio_servo_bus_change_baud(brio_servo_bus *bus, int id, int baud, brio_error *err);

/* Reset all settings but the id and the baud rate, where the family can keep these. */
bool brio_servo_bus_reset(brio_servo_bus *bus, int id, brio_error *err);

/* Ping ids `first` to `last` at the port's baud rate, silent ones once more if another answered, and read
** from those that answer.  Return how many answered (at most `most` are kept, by rising id); -1 and a
** sentence if the port failed. */
int brio_servo_bus_scan(brio_servo_bus *bus, int first, int last, brio_servo_found *found, int most,
                        brio_error *err);

/* Return the baud rate of the family, other than the port's, at which servo `id` answers; 0: none.  The
** port keeps its own. */
int brio_servo_bus_other_baud(brio_servo_bus *bus, int id);

#endif
