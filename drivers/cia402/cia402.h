/* CiA 402 drives: objects, states and identifiers in words, on a CAN bus and in the EPOS serial frames. */
#ifndef BRIO_DRIVERS_CIA402_CIA402_H
#define BRIO_DRIVERS_CIA402_CIA402_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* States of a drive, encoded in bits of its status word. */
typedef enum brio_cia402_state {
  BRIO_CIA402_NOT_READY,
  BRIO_CIA402_DISABLED,
  BRIO_CIA402_READY,
  BRIO_CIA402_SWITCHED_ON,
  BRIO_CIA402_ENABLED,
  BRIO_CIA402_QUICK_STOP,
  BRIO_CIA402_FAULT_REACTION,
  BRIO_CIA402_FAULT,
  BRIO_CIA402_UNKNOWN
} brio_cia402_state;

/* Modes of operation (6060), and bits of the status and control words other than those of the state. */
enum { BRIO_CIA402_PROFILE = 1, BRIO_CIA402_HOMING = 6, BRIO_CIA402_CYCLIC = 8, BRIO_CIA402_TORQUE = 10 };
enum {
  BRIO_CIA402_REACHED = 0x0400,      /* status: target reached */
  BRIO_CIA402_ACKNOWLEDGED = 0x1000, /* status: the new set-point was taken; homing: done */
  BRIO_CIA402_FOLLOWING = 0x2000,    /* status: following error; homing: failed */
  BRIO_CIA402_SET_POINT = 0x0010,    /* control: take the new set-point; homing: begin */
  BRIO_CIA402_AT_ONCE = 0x0020,      /* control: do not finish the last one first */
  BRIO_CIA402_RELATIVE = 0x0040,     /* control: the set-point counts from the last one */
  BRIO_CIA402_RESET = 0x0080,        /* control: reset a fault, as the bit rises */
};

/* Return the state that a status word encodes. */
brio_cia402_state brio_cia402_state_of(uint16_t statusword);

/* Return a state in words: "operation enabled". */
const char *brio_cia402_state_words(brio_cia402_state state);

/* Return the control word that leads one step closer to "operation enabled" from a state: from a fault
** 0x0080, which acts on the rising edge of its bit. */
uint16_t brio_cia402_next_control(brio_cia402_state state);

/* Return an object's name, or NULL. */
const char *brio_cia402_object(int index);

/* Add an SDO abort code in words. */
void brio_cia402_abort_words(uint32_t code, brio_text *out);

/* Return an emergency code in words, or its group's words: "following error"; "unknown". */
const char *brio_cia402_emergency(int code);

/* Write "position (6064:00)" and, with a value, its meaning: " = 0x0218, fault". */
void brio_cia402_object_words(int index, int sub, brio_text *out);
void brio_cia402_value_words(int index, int32_t value, int size, brio_text *out);

/* Read a number of 1 to 4 bytes, low byte first, as all of CANopen has them. */
static inline int32_t brio_cia402_number(const uint8_t *bytes, int size) {
  uint32_t raw = 0;
  for (int i = 0; i < size; i++) raw |= (uint32_t)bytes[i] << (8 * i);
  return (int32_t)raw;
}

/* Write one. */
static inline void brio_cia402_put(uint8_t *out, int32_t value, int size) {
  for (int i = 0; i < size; i++) out[i] = (uint8_t)((uint32_t)value >> (8 * i));
}

#endif
