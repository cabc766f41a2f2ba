/* CANopen drives by CiA 402: objects, states and identifiers in words, on a CAN bus and within the EPOS
** serial frames. */
#ifndef BRIO_DRIVERS_CIA402_H
#define BRIO_DRIVERS_CIA402_H

#include <stdint.h>

#include "base/text.h"

/* States of the drive, as bits of its status word tell. */
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

/* Return the state that a status word says. */
brio_cia402_state brio_cia402_state_of(uint16_t statusword);

/* Return a state in words: "operation enabled". */
const char *brio_cia402_state_words(brio_cia402_state state);

/* Return the control word that leads one step nearer to "operation enabled" from a state: from a fault
** 0x0080, which counts as its bit rises. */
uint16_t brio_cia402_next_control(brio_cia402_state state);

/* Return an object's name, or NULL. */
const char *brio_cia402_object(int index);

/* Add an SDO abort code in words. */
void brio_cia402_abort_words(uint32_t code, brio_text *out);

/* Add "position (6064:00)" and, with a value, what it says: " = 0x0218, fault". */
void brio_cia402_object_words(int index, int sub, brio_text *out);
void brio_cia402_value_words(int index, int32_t value, int size, brio_text *out);

#endif
