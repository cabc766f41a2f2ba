/* CiA 402 in words and steps.  Sources: CiA 402 state coding as vendors print it (Toshiba VF-S15 CANopen
** manual 6.1.2), maxon EPOS4 Communication Guide; SDO abort codes of CiA 301. */
#include <stddef.h>
#include <stdio.h>

#include "drivers/cia402.h"

static const struct state {
  uint16_t mask, value, control; /* control word towards "operation enabled" */
  const char *words;
} states[] = {
    [BRIO_CIA402_NOT_READY] = {0x4F, 0x00, 0x0000, "not ready to switch on"},
    [BRIO_CIA402_DISABLED] = {0x4F, 0x40, 0x0006, "switch-on disabled"},
    [BRIO_CIA402_READY] = {0x6F, 0x21, 0x0007, "ready to switch on"},
    [BRIO_CIA402_SWITCHED_ON] = {0x6F, 0x23, 0x000F, "switched on"},
    [BRIO_CIA402_ENABLED] = {0x6F, 0x27, 0x000F, "operation enabled"},
    [BRIO_CIA402_QUICK_STOP] = {0x6F, 0x07, 0x000F, "quick stop active"},
    [BRIO_CIA402_FAULT_REACTION] = {0x4F, 0x0F, 0x0000, "fault reaction active"},
    [BRIO_CIA402_FAULT] = {0x4F, 0x08, 0x0080, "fault"},
    [BRIO_CIA402_UNKNOWN] = {0, 0, 0x0000, "a state that is not defined"},
};

brio_cia402_state brio_cia402_state_of(uint16_t statusword) {
  int i = 0;
  while (i < BRIO_CIA402_UNKNOWN && (statusword & states[i].mask) != states[i].value) i++;
  return (brio_cia402_state)i;
}

const char *brio_cia402_state_words(brio_cia402_state state) { return states[state].words; }

uint16_t brio_cia402_next_control(brio_cia402_state state) { return states[state].control; }

static const struct object {
  int index;
  const char *name;
} objects[] = {
    {0x1000, "device type"},     {0x1001, "error register"},   {0x1003, "error history"},
    {0x1017, "heartbeat, ms"},   {0x1018, "identity"},         {0x2000, "node id"},
    {0x30B0, "home position"},   {0x603F, "error code"},       {0x6040, "control word"},
    {0x6041, "status word"},     {0x6060, "mode"},             {0x6061, "mode shown"},
    {0x6064, "position"},        {0x6065, "following error window"}, {0x606C, "velocity"},
    {0x6077, "torque"},          {0x607A, "target position"},  {0x607D, "position limit"},
    {0x607F, "greatest velocity"}, {0x6081, "profile velocity"}, {0x6083, "profile acceleration"},
    {0x6084, "profile deceleration"}, {0x60C2, "interpolation time"}, {0x60FF, "target velocity"},
};

const char *brio_cia402_object(int index) {
  for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
    if (objects[i].index == index) return objects[i].name;
  return NULL;
}

static const struct abort_code {
  uint32_t code;
  const char *words;
} aborts[] = {
    {0x05030000, "toggle bit not alternated"},    {0x05040000, "time-out"},
    {0x05040001, "unknown command"},              {0x06010000, "access refused"},
    {0x06010001, "write only"},                   {0x06010002, "read only"},
    {0x06020000, "no such object"},               {0x06070010, "wrong length"},
    {0x06090011, "no such sub-index"},            {0x06090030, "value out of range"},
    {0x08000020, "cannot be stored"},             {0x08000022, "not in this state"},
};

void brio_cia402_abort_words(uint32_t code, brio_text *out) {
  for (size_t i = 0; i < sizeof aborts / sizeof *aborts; i++) {
    if (aborts[i].code != code) continue;
    brio_text_format(out, "%s (%08X)", aborts[i].words, code);
    return;
  }
  brio_text_format(out, "error %08X", code);
}

void brio_cia402_object_words(int index, int sub, brio_text *out) {
  const char *name = brio_cia402_object(index);
  brio_text_format(out, "%s%s%04X:%02X%s", name ? name : "object", name ? " (" : " ", (unsigned)index, (unsigned)sub,
                   name ? ")" : "");
}

static const char *mode_words(int mode) {
  static const char *const modes[] = {"", "profile position", "", "profile velocity", "", "", "homing", "",
                                      "cyclic position", "cyclic velocity", "cyclic torque"};
  return mode > 0 && mode < (int)(sizeof modes / sizeof *modes) ? modes[mode] : "";
}

void brio_cia402_value_words(int index, int32_t value, int size, brio_text *out) {
  if (index == 0x6041)
    brio_text_format(out, " = %04X, %s", value & 0xFFFF,
                     brio_cia402_state_words(brio_cia402_state_of((uint16_t)value)));
  else if (index == 0x6040) brio_text_format(out, " = %04X", value & 0xFFFF);
  else if (index == 0x6060 || index == 0x6061)
    brio_text_format(out, " = %d%s%s", (int8_t)value, *mode_words((int8_t)value) ? ", " : "", mode_words((int8_t)value));
  else brio_text_format(out, " = %d", size == 1 ? (int8_t)value : size == 2 ? (int16_t)value : value);
}
