/* Bus servos as tables of registers: the same instructions (ping, read, write, deferred write, action,
** sync and bulk forms) on Dynamixel 2.0, Dynamixel 1.0 and Feetech.  A family defines its registers;
** packets, emulator, client and descriptions follow from them. */
#ifndef BRIO_DRIVERS_SERVO_SERVO_H
#define BRIO_DRIVERS_SERVO_SERVO_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/protocols/wire.h"

enum {
  BRIO_SERVO_BROADCAST = 0xFE,
  BRIO_SERVO_IDS = 253,   /* 0 to 252 */
  BRIO_SERVO_TABLE = 896, /* bytes of registers, at most */
};

/* The instructions; not every family has each. */
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

/* The purpose of a register, where client and emulator need it. */
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
  BRIO_ROLE_GOAL_VELOCITY, /* in modes whose goal is a speed */
  BRIO_ROLE_GOAL_CURRENT,  /* in the mode of position and current: the current limit */
  BRIO_ROLE_MOVING,
  BRIO_ROLE_POSITION,
  BRIO_ROLE_VELOCITY,
  BRIO_ROLE_LOAD,
  BRIO_ROLE_VOLTAGE,
  BRIO_ROLE_TEMPERATURE,
  BRIO_ROLE_ALERT, /* hardware error bits, or a code */
  BRIO_ROLE_REGISTERED,
  BRIO_ROLE_WATCHDOG,   /* unit 20 ms; 0: off; -1 (255): expired */
  BRIO_ROLE_DRIVE_MODE, /* bit 0: reversed; bit 2: profiles are durations */
  BRIO_ROLE_HOMING,     /* offset added to the sensor's position */
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
  enum { BRIO_READ_ONLY, BRIO_VOLATILE, BRIO_STORED } access; /* stored: in EEPROM */
  enum { BRIO_UNSIGNED, BRIO_TWOS_COMPLEMENT, BRIO_SIGN_BIT_10, BRIO_SIGN_BIT_11, BRIO_SIGN_BIT_15 } sign;
  int32_t initial, lower, upper;
} brio_register;

typedef struct brio_servo_baud {
  int code, baud; /* baud 0 ends the list */
} brio_servo_baud;

typedef struct brio_servo_family brio_servo_family;

/* A model, and its registers and units: the family's own, or others. */
typedef struct brio_servo_model {
  int number; /* as the servo reports it; -1 ends the list */
  const char *name;
  const brio_servo_family *layout; /* NULL: the family's own */
} brio_servo_model;

/* A bit of the hardware error register or the error byte (or a code of it), in words. */
typedef struct brio_servo_alert {
  int bit; /* -1 ends the list */
  const char *words;
  /* it holds its position and accepts no goal until the error is cleared; otherwise its torque went off,
  ** or nothing happened */
  bool stays;
} brio_servo_alert;

/* A family: the servos of one protocol on one wire.  A layout is such a record, too: the same protocol
** with other registers or units. */
struct brio_servo_family {
  const char *name, *doc;
  /* name of its protocol (protocols refer to families for their descriptions) */
  const char *protocol;
  const brio_register *registers;
  const brio_servo_baud *bauds;
  const brio_servo_alert *alerts;
  const brio_servo_model *models; /* known models */
  int model;            /* model number of the emulator */
  int table;            /* size of its register table, bytes */
  int address_bytes;    /* of an address or length in a packet: 1 or 2 */
  unsigned refusals;    /* bits of the error byte that refuse an instruction, if it has bits */
  bool big_endian, status_packets; /* answers have an instruction (0x55) and an error byte */
  bool sync_read, bulk, fast; /* it has these instructions */
  bool stored_needs_torque_off; /* otherwise: needs the lock open, if there is one */
  bool goal_switches_on;  /* a goal switches torque on */
  bool alert_codes;       /* errors are single codes, not bits */
  bool speed_bounded;     /* it refuses speeds above its velocity limit, and the goal with them */
  bool strict;            /* unknown models may have other registers: they are refused */
  bool wheel_unlimited;   /* with both limits 0 it turns endlessly */
  unsigned places;        /* operating modes, as bits, whose goal is a position */
  unsigned turns;         /* those whose goal may be several turns away */
  unsigned speeds;        /* those whose goal is a speed */
  unsigned currents;      /* those whose goal is a current */
  int steps, center;    /* counts of `turn`; the position at 0 rad */
  int homing;           /* 1: the homing offset is added to reported positions; -1: subtracted */
  double turn;          /* rad: range of `steps` counts */
  double speed;         /* rad/s: unit of velocity */
  double volt, ampere;  /* V, A: units of voltage and current */
  int baud;             /* factory setting */
};

/* All families, ended by NULL. */
extern const brio_servo_family *const brio_servo_families[];

/* Return the family of that name, or NULL and an error with the nearest name. */
const brio_servo_family *brio_servo_family_find(const char *name, brio_error *err);

/* Return the register of that name, without regard to case and with '_' or ' ' between words; NULL and an
** error with the nearest name: there is none. */
const brio_register *brio_servo_register_find(const brio_servo_family *family, const char *name,
                                              brio_error *err);

/* Return the register of a role; NULL: the family has none. */
const brio_register *brio_servo_role_register(const brio_servo_family *family, brio_servo_role role);

/* Return the register that starts at an address, or NULL. */
const brio_register *brio_servo_register_at(const brio_servo_family *family, int address);

/* Return a register's value from its bytes, with its sign. */
int32_t brio_servo_value(const brio_servo_family *family, const brio_register *reg, const uint8_t *bytes);

/* Write a register's value as its bytes. */
void brio_servo_bytes(const brio_servo_family *family, const brio_register *reg, int32_t value,
                      uint8_t *bytes);

/* Convert a position to rad, and back; an angle that is not finite gives the center. */
double brio_servo_angle(const brio_servo_family *family, int32_t position);
int32_t brio_servo_position(const brio_servo_family *family, double angle);

/* Return the layout of a model; of an unknown model the family itself. */
const brio_servo_family *brio_servo_layout(const brio_servo_family *family, int number);

/* Return the number of the model with a name, or -1 and an error with the nearest name. */
int brio_servo_model_number(const brio_servo_family *family, const char *name, brio_error *err);

/* Return the name of a model; NULL: unknown. */
const char *brio_servo_model_name(const brio_servo_family *family, int number);

/* Return the code of a baud rate, or -1; the baud rate of a code, or 0. */
int brio_servo_baud_code(const brio_servo_family *family, int baud);
int brio_servo_code_baud(const brio_servo_family *family, int code);

/* Write the bits that are set, in words: "overload, input voltage"; no bits: "nothing". */
void brio_servo_alert_words(const brio_servo_family *family, unsigned bits, brio_text *out);

/* Describe an instruction or an answer in words (`describe` of brio_protocol). */
void brio_servo_describe(const brio_servo_family *family, const brio_packet *packet, brio_direction direction,
                         brio_dialog *dialog, brio_text *out);


#endif
