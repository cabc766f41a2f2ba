/* Bus servos that are a table of registers: the same instructions (ping, read, write, write
** later, act, sync and bulk forms) on Dynamixel 2.0, Dynamixel 1.0 and Feetech.  A family says
** which registers there are; packets, emulator, client and words follow from it. */
#ifndef BRIO_DRIVERS_SERVO_SERVO_H
#define BRIO_DRIVERS_SERVO_SERVO_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/protocols/wire.h"

enum {
  BRIO_SERVO_BROADCAST = 0xFE,
  BRIO_SERVO_IDS = 253,   /* 0 to 252 */
  BRIO_SERVO_TABLE = 896, /* at most this many bytes of registers */
};

/* The instructions; not every family knows each. */
enum {
  BRIO_SERVO_PING = 0x01,
  BRIO_SERVO_READ = 0x02,
  BRIO_SERVO_WRITE = 0x03,
  BRIO_SERVO_REG_WRITE = 0x04,
  BRIO_SERVO_ACTION = 0x05,
  BRIO_SERVO_RESET = 0x06,
  BRIO_SERVO_REBOOT = 0x08,
  BRIO_SERVO_CLEAR = 0x10,
  BRIO_SERVO_STATUS = 0x55,
  BRIO_SERVO_SYNC_READ = 0x82,
  BRIO_SERVO_SYNC_WRITE = 0x83,
  BRIO_SERVO_FAST_SYNC_READ = 0x8A,
  BRIO_SERVO_BULK_READ = 0x92,
  BRIO_SERVO_BULK_WRITE = 0x93,
  BRIO_SERVO_FAST_BULK_READ = 0x9A,
};

/* What a register is for, where client and emulator must know. */
typedef enum brio_servo_role {
  BRIO_ROLE_NONE,
  BRIO_ROLE_MODEL,
  BRIO_ROLE_FIRMWARE,
  BRIO_ROLE_ID,
  BRIO_ROLE_BAUD,
  BRIO_ROLE_RETURN_DELAY,
  BRIO_ROLE_STATUS_LEVEL,
  BRIO_ROLE_MODE,
  BRIO_ROLE_LOWER,
  BRIO_ROLE_UPPER,
  BRIO_ROLE_TEMPERATURE_LIMIT,
  BRIO_ROLE_VOLTAGE_LOWER,
  BRIO_ROLE_VOLTAGE_UPPER,
  BRIO_ROLE_VELOCITY_LIMIT,
  BRIO_ROLE_CURRENT_LIMIT,
  BRIO_ROLE_TORQUE,
  BRIO_ROLE_LOCK,
  BRIO_ROLE_GOAL,
  BRIO_ROLE_SPEED, /* greatest speed of a move; 0: no limit */
  BRIO_ROLE_GOAL_VELOCITY, /* in modes in which a goal is a speed */
  BRIO_ROLE_GOAL_CURRENT,  /* in the mode of place and current: the greatest current */
  BRIO_ROLE_MOVING,
  BRIO_ROLE_POSITION,
  BRIO_ROLE_VELOCITY,
  BRIO_ROLE_LOAD,
  BRIO_ROLE_VOLTAGE,
  BRIO_ROLE_TEMPERATURE,
  BRIO_ROLE_ALERT, /* hardware error bits, or a code */
  BRIO_ROLE_REGISTERED,
  BRIO_ROLE_WATCHDOG,   /* in 20 ms; 0: never; -1 (255): it struck */
  BRIO_ROLE_DRIVE_MODE, /* bit 0: turns the other way; bit 2: profiles are times */
  BRIO_ROLE_HOMING,     /* what is added to the place that the sensor knows */
  BRIO_ROLE_CURRENT,
  BRIO_ROLE_GAIN_P,
  BRIO_ROLE_GAIN_I,
  BRIO_ROLE_GAIN_D,
  BRIO_ROLE_GAIN_VELOCITY,
  BRIO_ROLE_GAIN_ACCELERATION,
  BRIO_NROLE
} brio_servo_role;

typedef struct brio_register {
  const char *name; /* NULL ends the list */
  int address, size;
  brio_servo_role role;
  enum { BRIO_READ_ONLY, BRIO_VOLATILE, BRIO_STORED } access; /* stored: kept without power */
  enum { BRIO_UNSIGNED, BRIO_TWOS_COMPLEMENT, BRIO_SIGN_BIT_10, BRIO_SIGN_BIT_11, BRIO_SIGN_BIT_15 } sign;
  int32_t initial, lower, upper;
} brio_register;

typedef struct brio_servo_baud {
  int code, baud; /* baud 0 ends the list */
} brio_servo_baud;

typedef struct brio_servo_family brio_servo_family;

/* A model, and which registers and units it has: the family's own, or others. */
typedef struct brio_servo_model {
  int number; /* as the servo says; -1 ends the list */
  const char *name;
  const brio_servo_family *layout; /* NULL: the family's own */
} brio_servo_model;

/* A bit of the hardware error register or the error byte (or a code of it), in words. */
typedef struct brio_servo_alert {
  int bit; /* -1 ends the list */
  const char *words;
  /* it holds where it is, and takes no goal until the error is gone; else its torque went off, or nothing
  ** did */
  bool stays;
} brio_servo_alert;

/* What speaks one protocol on one wire.  A layout is such a record, too: the same protocol with other
** registers or units. */
struct brio_servo_family {
  const char *name, *doc;
  /* the name of what it speaks (the protocols know families, to tell packets in words) */
  const char *protocol;
  const brio_register *registers;
  const brio_servo_baud *bauds;
  const brio_servo_alert *alerts;
  const brio_servo_model *models; /* that are known */
  int model;            /* what the emulator says it is */
  int table;            /* bytes of its registers */
  int address_bytes;    /* of an address or length in a packet: 1 or 2 */
  unsigned refusals;    /* bits of the error byte that refuse an instruction, where it is bits */
  bool big_endian, status_packets; /* answers have an instruction (0x55) and an error byte */
  bool sync_read, bulk, fast; /* knows these instructions */
  bool stored_needs_torque_off; /* else: needs the lock open, if there is one */
  bool goal_switches_on;  /* torque comes with a goal */
  bool alert_codes;       /* its errors are codes, one at a time, and not bits */
  bool speed_bounded;     /* it refuses speeds beyond its velocity limit, and the goal with them */
  bool strict;            /* models that it does not know may have other registers: they are not driven */
  bool wheel_unlimited;   /* with both limits 0 it turns without end */
  unsigned places;        /* bits of the operating modes in which a goal is a place */
  unsigned turns;         /* and of those in which it may be turns away */
  unsigned speeds;        /* and of those in which a goal is a speed */
  int steps, center;    /* positions of a turn; the position that is 0 rad */
  int homing;           /* 1: the homing offset is added to what is reported; -1: taken from it */
  double turn;          /* rad that `steps` are */
  double speed;         /* rad/s that 1 of a velocity is */
  double volt, ampere;  /* V that 1 of a voltage is; A that 1 of a current is */
  int baud;             /* as it leaves the factory */
};

/* All families, ended by NULL. */
extern const brio_servo_family *const brio_servo_families[];

/* Return the family of that name, or NULL and an error with the nearest name. */
const brio_servo_family *brio_servo_family_find(const char *name, brio_error *err);

/* Return the register of that name, in any case of letters and with '_' or ' ' between words, or NULL and an
** error with the nearest name. */
const brio_register *brio_servo_register_find(const brio_servo_family *family, const char *name,
                                              brio_error *err);

/* Return the register with a role, or NULL when the family has none. */
const brio_register *brio_servo_role_register(const brio_servo_family *family, brio_servo_role role);

/* Return the register that begins at an address, or NULL. */
const brio_register *brio_servo_register_at(const brio_servo_family *family, int address);

/* Return a register's value from its bytes, with its sign. */
int32_t brio_servo_value(const brio_servo_family *family, const brio_register *reg, const uint8_t *bytes);

/* Write a register's value as its bytes. */
void brio_servo_bytes(const brio_servo_family *family, const brio_register *reg, int32_t value,
                      uint8_t *bytes);

/* Return rad of a position and the other way; a position that is not finite stays at the center. */
double brio_servo_angle(const brio_servo_family *family, int32_t position);
int32_t brio_servo_position(const brio_servo_family *family, double angle);

/* Return what a model's registers are: the family itself for one that it does not know. */
const brio_servo_family *brio_servo_layout(const brio_servo_family *family, int number);

/* Return the number of the model with a name, or -1 and an error with the nearest name. */
int brio_servo_model_number(const brio_servo_family *family, const char *name, brio_error *err);

/* Return the name of a model, or NULL when the family does not know it. */
const char *brio_servo_model_name(const brio_servo_family *family, int number);

/* Return the code of a baud rate, or -1; the baud rate of a code, or 0. */
int brio_servo_baud_code(const brio_servo_family *family, int baud);
int brio_servo_code_baud(const brio_servo_family *family, int code);

/* Add the bits that are set, in words: "overload, input voltage"; "nothing" for none. */
void brio_servo_alert_words(const brio_servo_family *family, unsigned bits, brio_text *out);

/* Tell an instruction or an answer in words (brio_protocol's describe). */
void brio_servo_describe(const brio_servo_family *family, const brio_packet *packet, brio_direction direction,
                         brio_dialog *dialog, brio_text *out);


#endif
