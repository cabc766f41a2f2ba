/* Shared by the two files of the servo emulator: servos, and instructions carried out on one. */
#ifndef BRIO_DRIVERS_SERVO_EMULATOR_INTERNAL_H
#define BRIO_DRIVERS_SERVO_EMULATOR_INTERNAL_H

#include "drivers/emulators/shaft.h"
#include "drivers/servo/emulator.h"

enum { BRIO_SERVO_LATER = 64 /* bytes of a deferred write that a servo keeps */ };

/* Results of Protocol 2.0; other families convert them to their own error byte. */
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
  uint8_t stored[BRIO_SERVO_TABLE]; /* contents of the EEPROM */
  brio_shaft shaft;
  double deaf;        /* s until it has rebooted */
  double quiet;       /* s since it received a packet */
  unsigned alert;     /* hardware error bits */
  bool refuses;       /* torque cannot be switched on */
  bool silent;        /* it neither receives nor answers */
  bool twin;          /* a second servo has the same id */
  int later_address, later_length; /* the deferred write; length 0: none */
  uint8_t later[BRIO_SERVO_LATER];
} brio_servo_unit;

typedef struct brio_servo_bus_emulator {
  const brio_servo_family *family;
  int count;
  brio_servo_unit units[];
} brio_servo_bus_emulator;

/* Return the value of a unit's register by its role; 0 when its layout has none. */
int32_t brio_servo_unit_get(const brio_servo_unit *unit, brio_servo_role role);

/* Set it; does nothing if the layout has none. */
void brio_servo_unit_set(brio_servo_unit *unit, brio_servo_role role, int32_t value);

/* Return whether it has an error with which it holds its position and accepts no goal. */
bool brio_servo_unit_holds(const brio_servo_unit *unit);

/* Start as after power-on; `stored` survives. */
void brio_servo_unit_boot(brio_servo_unit *unit);

/* Set the stored registers to factory values, with an id and the code of a baud rate. */
void brio_servo_unit_factory(brio_servo_unit *unit, int id, int baud_code);

/* Write bytes to registers, as a write instruction does.  Return a result. */
int brio_servo_unit_write(brio_servo_unit *unit, int address, const uint8_t *bytes, int count);

/* Advance by dt s: the shaft moves, the watchdog counts. */
void brio_servo_unit_step(brio_servo_unit *unit, double dt);

/* Copy the motor's measured values into the registers. */
void brio_servo_unit_measure(brio_servo_unit *unit);

#endif
