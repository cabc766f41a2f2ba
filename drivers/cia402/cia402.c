/* CiA 402 in words and steps.  Sources: the states as vendors print them (Toshiba VF-S15 CANopen
** manual 6.1.2), maxon EPOS4 Communication Guide; SDO abort codes and emergencies of CiA 301. */
#include <assert.h>
#include <stddef.h>
#include <stdio.h>

#include "drivers/cia402/cia402.h"

/* A state is recognized by masked bits of the status word.  `control` is the command for the next
** step towards "operation enabled". */
static const struct state {
  uint16_t mask, value, control; /* control word towards "operation enabled" */
  const char *words;
} states[] = {
    /* Order as in the enumeration; UNKNOWN last, as it fits everything. */
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

/* Return the first row that fits; the last one fits everything.  O(states). */
brio_cia402_state brio_cia402_state_of(uint16_t statusword) {
  int i = 0;
  while (i < BRIO_CIA402_UNKNOWN && (statusword & states[i].mask) != states[i].value) i++;
  return (brio_cia402_state)i;
}

/* Return the words, or the next control word, of a state.  O(1). */
const char *brio_cia402_state_words(brio_cia402_state state) {
  assert(state <= BRIO_CIA402_UNKNOWN);
  return states[state].words;
}

uint16_t brio_cia402_next_control(brio_cia402_state state) {
  assert(state <= BRIO_CIA402_UNKNOWN);
  return states[state].control;
}

/* Names of objects, by index. */
static const struct object {
  int index;
  const char *name;
} objects[] = {
    /* Communication profile, CiA 301. */
    {0x1000, "device type"},
    {0x1001, "error register"},
    {0x1003, "error history"},
    {0x1005, "sync identifier"},
    {0x1008, "device name"},
    {0x1009, "hardware version"},
    {0x100A, "software version"},
    {0x1010, "store"},
    {0x1011, "restore"},
    {0x1014, "emergency identifier"},
    {0x1016, "heartbeat to hear, ms"},
    {0x1017, "heartbeat, ms"},
    {0x1018, "identity"},
    {0x1021, "data sheet"},
    /* Vendor objects, then the drive profile (CiA 402). */
    {0x2000, "node id"},
    {0x30B0, "home position"},
    {0x603F, "error code"},
    {0x6007, "when the connection is lost"},
    {0x6040, "control word"},
    {0x6041, "status word"},
    {0x605A, "when quickly stopped"},
    {0x605E, "when at fault"},
    {0x6060, "mode"},
    {0x6061, "mode shown"},
    {0x6062, "position demanded"},
    {0x6064, "position"},
    {0x6065, "following error window"},
    {0x6067, "position window"},
    {0x606C, "velocity"},
    {0x6071, "target torque"},
    {0x6072, "greatest torque"},
    {0x6076, "rated torque"},
    {0x6077, "torque"},
    {0x607A, "target position"},
    {0x607C, "home offset"},
    {0x607D, "position limit"},
    {0x607F, "greatest velocity"},
    {0x6081, "profile velocity"},
    {0x6083, "profile acceleration"},
    {0x6084, "profile deceleration"},
    {0x6085, "quick stop deceleration"},
    {0x6098, "homing method"},
    {0x60B2, "torque offset"},
    {0x60C2, "interpolation time"},
    {0x60C5, "greatest acceleration"},
    {0x60FF, "target velocity"},
    {0x6502, "modes known"},
};

/* O(objects): for traces and messages only. */
const char *brio_cia402_object(int index) {
  for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
    if (objects[i].index == index) return objects[i].name;
  return NULL;
}

/* Abort codes of CiA 301 and maxon's own (Communication Guide, chapter 6). */
static const struct code {
  uint32_t code;
  const char *words;
} aborts[] = {
    /* Protocol of the transfer. */
    {0x05030000, "toggle bit not alternated"},
    {0x05040000, "time-out"},
    {0x05040001, "unknown command"},
    {0x05040002, "wrong block size"},
    {0x05040003, "wrong sequence number"},
    {0x05040004, "wrong check code"},
    {0x05040005, "out of memory"},
    /* Access to objects. */
    {0x06010000, "access refused"},
    {0x06010001, "write only"},
    {0x06010002, "read only"},
    {0x06010003, "sub-index 0 must be 0 first"},
    {0x06020000, "no such object"},
    /* Mapping of process data. */
    {0x06040041, "cannot be mapped to process data"},
    {0x06040042, "more than process data hold"},
    {0x06040043, "parameters do not go together"},
    {0x06040047, "incompatible within the device"},
    {0x06060000, "hardware error"},
    /* Length and range of data. */
    {0x06070010, "wrong length"},
    {0x06070012, "too long"},
    {0x06070013, "too short"},
    {0x06090011, "no such sub-index"},
    {0x06090030, "value out of range"},
    {0x06090031, "value too great"},
    {0x06090032, "value too small"},
    {0x06090036, "greatest value below the smallest"},
    {0x060A0023, "resource not available"},
    /* Application and state of the device. */
    {0x08000000, "general error"},
    {0x08000020, "cannot be stored"},
    {0x08000021, "under local control"},
    {0x08000022, "not in this state"},
    {0x08000023, "no object dictionary"},
    {0x08000024, "no data"},
    /* Vendor's codes. */
    {0x0F00FFB9, "wrong node id"},
    {0x0F00FFBC, "not in service mode"},
    {0x0F00FFBE, "wrong password"},
    {0x0F00FFBF, "illegal command"},
    {0x0F00FFC0, "wrong state of network management"},
};

/* Emergency codes: groups of CiA 301 and 402, and what maxon's firmware specification names within
** them. */
static const struct code emergencies[] = {
    {0x0000, "no error any more"},
    /* 1xxx to 2xxx: generic errors, current. */
    {0x1000, "generic error"},
    {0x1090, "firmware does not fit"},
    {0x2310, "too much current"},
    {0x2320, "power stage protected itself"},
    /* 3xxx to 4xxx: voltage, temperature. */
    {0x3210, "voltage too high"},
    {0x3220, "voltage too low"},
    {0x4210, "power stage too hot"},
    {0x4380, "motor too hot"},
    /* 5xxx to 6xxx: hardware, software. */
    {0x5113, "logic supply too low"},
    {0x5280, "hardware defect"},
    {0x5281, "hardware does not fit"},
    {0x6080, "no sign of life"},
    {0x6180, "software error"},
    {0x6320, "parameter error"},
    {0x6380, "stored parameters are corrupt"},
    /* 7xxx: sensors. */
    {0x7320, "position sensor error"},
    {0x7380, "position sensor torn off"},
    {0x7381, "position sensor out of step"},
    {0x7382, "position sensor index missed"},
    {0x7388, "hall sensor error"},
    {0x7389, "no hall sensor"},
    {0x738A, "hall sensor angle wrong"},
    {0x738C, "SSI sensor error"},
    {0x7390, "no main sensor"},
    {0x7391, "no commutation sensor"},
    {0x7392, "main sensor counts backwards"},
    /* 8xxx: communication and position. */
    {0x8110, "frames lost on the bus"},
    {0x8120, "bus error passive"},
    {0x8130, "heartbeat missed"},
    {0x8150, "identifier used twice"},
    {0x81FD, "bus off"},
    {0x81FE, "receive queue overrun"},
    {0x81FF, "transmit queue overrun"},
    {0x8210, "process data too short"},
    {0x8250, "process data did not come in time"},
    {0x8611, "following error"},
    {0x8A80, "negative limit switch"},
    {0x8A81, "positive limit switch"},
    {0x8A82, "software position limit"},
    {0x8A88, "safe torque off"},
    /* FFxx: the vendor's own. */
    {0xFF01, "overloaded"},
    {0xFF02, "watchdog"},
    {0xFF0B, "peak power too high"},
};

/* Groups of emergency codes: by the first two digits, or the first one. */
static const struct code emergency_groups[] = {
    {0x1000, "generic error"},        {0x2000, "current"},             {0x3000, "voltage"},
    {0x4000, "temperature"},          {0x5000, "hardware"},            {0x6000, "software"},
    {0x7000, "additional modules"},   {0x8100, "communication"},       {0x8200, "protocol"},
    {0x8000, "monitoring"},           {0x9000, "external error"},      {0xF000, "additional functions"},
    {0xFF00, "maker's own"},
};

/* Return the words of a masked code, or NULL.  O(count). */
static const char *find_code(const struct code *rows, size_t count, uint32_t code, uint32_t mask) {
  for (size_t i = 0; i < count; i++)
    if (rows[i].code == (code & mask)) return rows[i].words;
  return NULL;
}

void brio_cia402_abort_words(uint32_t code, brio_text *out) {
  /* Codes that are unknown are printed as numbers. */
  const char *words = find_code(aborts, sizeof aborts / sizeof *aborts, code, UINT32_MAX);
  if (words) brio_text_format(out, "%s (%08X)", words, code);
  else brio_text_format(out, "error %08X", code);
}

/* Look up the code itself, then its group by two digits, then by one. */
const char *brio_cia402_emergency(int code) {
  static const uint32_t masks[] = {0xFF00, 0xF000};
  const size_t groups = sizeof emergency_groups / sizeof *emergency_groups;
  const char *words =
      find_code(emergencies, sizeof emergencies / sizeof *emergencies, (uint32_t)code, UINT32_MAX);
  /* Ever coarser groups. */
  for (size_t i = 0; i < 2 && !words; i++)
    words = find_code(emergency_groups, groups, (uint32_t)code, masks[i]);
  return words ? words : "unknown";
}

/* Write "position (6064:00)", or "object 3000:01" for an unknown one. */
void brio_cia402_object_words(int index, int sub, brio_text *out) {
  const char *name = brio_cia402_object(index);
  brio_text_format(out, "%s%s%04X:%02X%s", name ? name : "object", name ? " (" : " ", (unsigned)index,
                   (unsigned)sub, name ? ")" : "");
}

/* Modes by their numbers in object 6060; "" for others. */
static const char *mode_words(int mode) {
  static const char *const modes[] = {"", "profile position", "", "profile velocity", "", "", "homing", "",
                                      "cyclic position", "cyclic velocity", "cyclic torque"};
  return mode > 0 && mode < (int)(sizeof modes / sizeof *modes) ? modes[mode] : "";
}

/* Write a value in words: state, control word, mode or COB-ID; all others as signed numbers of
** their size. */
void brio_cia402_value_words(int index, int32_t value, int size, brio_text *out) {
  /* States and modes in words. */
  if (index == 0x6041)
    brio_text_format(out, " = %04X, %s", value & 0xFFFF,
                     brio_cia402_state_words(brio_cia402_state_of((uint16_t)value)));
  else if (index == 0x6040) brio_text_format(out, " = %04X", value & 0xFFFF);
  else if (index == 0x6060 || index == 0x6061)
    brio_text_format(out, " = %d%s%s", (int8_t)value, *mode_words((int8_t)value) ? ", " : "",
                     mode_words((int8_t)value));
  /* Communication objects of PDOs hold COB-IDs, which are hexadecimal. */
  else if (index >= 0x1400 && index < 0x1C00 && size == 4) brio_text_format(out, " = %08X", (unsigned)value);
  else brio_text_format(out, " = %d", size == 1 ? (int8_t)value : size == 2 ? (int16_t)value : value);
}
