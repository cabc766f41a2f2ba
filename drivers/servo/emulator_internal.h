/* What the two files of the servo emulator share: servos, and instructions carried out on one. */
#ifndef BRIO_DRIVERS_SERVO_EMULATOR_INTERNAL_H
#define BRIO_DRIVERS_SERVO_EMULATOR_INTERNAL_H

#include "drivers/emulators/shaft.h"
#include "drivers/servo/emulator.h"

enum { BRIO_SERVO_LATER = 64 /* bytes a servo keeps of a write for later */ };

/* Results of Protocol 2.0, which other families turn into their own error byte. */
enum {
  BRIO_RESULT_OK,
  BRIO_RESULT_FAIL,
  BRIO_RESULT_INSTRUCTION,
  BRIO_RESULT_CRC,
  BRIO_RESULT_RANGE,
  BRIO_RESULT_LENGTH,
  BRIO_RESULT_LIMIT,
  BRIO_RESULT_ACCESS,
};

typedef struct brio_servo_unit {
  const brio_servo_family *layout;  /* of its model */
  uint8_t table[BRIO_SERVO_TABLE];  /* the registers */
  uint8_t stored[BRIO_SERVO_TABLE]; /* as they are without power */
  brio_shaft shaft;
  double deaf;        /* s: it reboots so much longer */
  double quiet;       /* s: since it heard anything */
  unsigned alert;     /* hardware error bits */
  bool refuses;       /* torque cannot be switched on */
  bool silent;        /* takes part in nothing */
  bool twin;          /* a second servo answers to the same id */
  int later_address, later_length; /* written for later; length 0: nothing */
  uint8_t later[BRIO_SERVO_LATER];
} brio_servo_unit;

typedef struct brio_servo_bus_emulator {
  const brio_servo_family *family;
  int count;
  brio_servo_unit units[];
} brio_servo_bus_emulator;

/* Return the value of a unit's register by its role; 0 when its layout has none. */
int32_t brio_servo_unit_get(const brio_servo_unit *unit, brio_servo_role role);

/* Set it; nothing happens when the layout has none. */
void brio_servo_unit_set(brio_servo_unit *unit, brio_servo_role role, int32_t value);

/* Whether it has an error with which it holds where it is and takes no goal. */
bool brio_servo_unit_holds(const brio_servo_unit *unit);

/* Begin as with power just switched on; `stored` survives. */
void brio_servo_unit_boot(brio_servo_unit *unit);

/* Fill in stored registers as they leave the factory, with an id and a baud rate's code. */
void brio_servo_unit_factory(brio_servo_unit *unit, int id, int baud_code);

/* Write bytes to registers, as a packet asks.  Return a result. */
int brio_servo_unit_write(brio_servo_unit *unit, int address, const uint8_t *bytes, int count);

/* Let dt s pass: the shaft moves, the watchdog counts. */
void brio_servo_unit_step(brio_servo_unit *unit, double dt);

/* Put what the motor measures into the registers. */
void brio_servo_unit_measure(brio_servo_unit *unit);

#endif
