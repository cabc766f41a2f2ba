/* Register values of bus servos, and their packets in words.  Byte order and sign depend on the
** family: Dynamixel is little endian with two's complement; Feetech STS is little endian with a
** sign bit, SCS big endian without signs. */
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/name.h"
#include "drivers/protocols/words.h"
#include "drivers/servo/servo.h"
#include "math/scalar.h"

/* The families: declared, then listed, from servos.def. */
#define X(name) extern const brio_servo_family brio_servo_##name;
#include "drivers/servo/servos.def"
#undef X

const brio_servo_family *const brio_servo_families[] = {
#define X(name) &brio_servo_##name,
#include "drivers/servo/servos.def"
#undef X
    NULL};

/* List the families for a hint on misspelt names. */
static const char *name_at(const void *families, int i) {
  const brio_servo_family *const *family = families;
  return family[i] ? family[i]->name : NULL;
}

/* By name; a wrong one gets the nearest as a hint. */
const brio_servo_family *brio_servo_family_find(const char *name, brio_error *err) {
  for (int i = 0; brio_servo_families[i]; i++)
    if (strcmp(brio_servo_families[i]->name, name) == 0) return brio_servo_families[i];
  char hint[96];
  brio_fail(err, BRIO_MISUSE, "there is no family of bus servos '%.64s'%s", name,
            brio_name_hint(name, name_at, brio_servo_families, hint));
  return NULL;
}

/* List the registers, likewise. */
static const char *register_at(const void *registers, int i) {
  return ((const brio_register *)registers)[i].name;
}

/* Return true if the names are equal up to case, with '_' for a space. */
static bool is_named(const char *name, const char *meant) {
  for (; *name && *meant; name++, meant++)
    if (tolower((unsigned char)*name) != (*meant == '_' ? ' ' : tolower((unsigned char)*meant))) return false;
  return *name == *meant;
}

/* Names are compared first; the hint needs the name in the tables' capitals. */
const brio_register *brio_servo_register_find(const brio_servo_family *family, const char *name,
                                              brio_error *err) {
  for (const brio_register *reg = family->registers; reg->name; reg++)
    if (is_named(reg->name, name)) return reg;
  /* Not found: capitalize the name as the tables do, so that the distance counts letters alone. */
  char hint[96], meant[64];
  size_t length = 0;
  for (; name[length] && length + 1 < sizeof meant; length++) { /* capitalized as in the tables */
    int c = name[length] == '_' ? ' ' : (unsigned char)name[length];
    meant[length] = (char)(length == 0 || meant[length - 1] == ' ' ? toupper(c) : c);
  }
  meant[length] = 0;
  brio_fail(err, BRIO_MISUSE, "%s servos have no register '%.64s'%s", family->name, name,
            brio_name_hint(meant, register_at, family->registers, hint));
  return NULL;
}

/* The register of a role, or NULL.  O(registers). */
const brio_register *brio_servo_role_register(const brio_servo_family *family, brio_servo_role role) {
  for (const brio_register *reg = family->registers; reg->name; reg++)
    if (reg->role == role) return reg;
  return NULL;
}

/* Only the address where a register starts counts. */
const brio_register *brio_servo_register_at(const brio_servo_family *family, int address) {
  for (const brio_register *reg = family->registers; reg->name; reg++)
    if (reg->address == address) return reg;
  return NULL;
}

/* Return the sign bit of an encoding; 0: it has none. */
static uint32_t sign_bit(const brio_register *reg) {
  static const uint32_t bits[] = {
      [BRIO_SIGN_BIT_10] = 1u << 10, [BRIO_SIGN_BIT_11] = 1u << 11, [BRIO_SIGN_BIT_15] = 1u << 15};
  return bits[reg->sign];
}

int32_t brio_servo_value(const brio_servo_family *family, const brio_register *reg, const uint8_t *bytes) {
  assert(reg->size >= 1 && reg->size <= 4);
  /* Assemble the bytes in the family's order. */
  uint32_t raw = 0;
  for (int i = 0; i < reg->size; i++)
    raw |= (uint32_t)bytes[family->big_endian ? reg->size - 1 - i : i] << (8 * i);
  /* Sign and magnitude, unsigned, or two's complement of the register's size. */
  uint32_t sign = sign_bit(reg);
  if (sign) return raw & sign ? -(int32_t)(raw & (sign - 1)) : (int32_t)(raw & (sign - 1));
  if (reg->sign == BRIO_UNSIGNED) return raw > INT32_MAX ? INT32_MAX : (int32_t)raw;
  return reg->size == 1 ? (int8_t)raw : reg->size == 2 ? (int16_t)raw : (int32_t)raw;
}

void brio_servo_bytes(const brio_servo_family *family, const brio_register *reg, int32_t value,
                      uint8_t *bytes) {
  assert(reg->size >= 1 && reg->size <= 4);
  /* Two's complement is what the conversion yields. */
  uint32_t raw = (uint32_t)value;
  /* Sign and magnitude: the magnitude with the sign bit. */
  if (value < 0 && sign_bit(reg)) raw = (0u - raw) | sign_bit(reg);
  for (int i = 0; i < reg->size; i++)
    bytes[family->big_endian ? reg->size - 1 - i : i] = (uint8_t)(raw >> (8 * i));
}

/* angle = (position - center) turn / steps. */
double brio_servo_angle(const brio_servo_family *family, int32_t position) {
  assert(family->steps > 0);
  return ((double)position - family->center) * family->turn / family->steps;
}

/* The inverse.  An angle that is not finite gives the center; the clamp keeps lround defined. */
int32_t brio_servo_position(const brio_servo_family *family, double angle) {
  assert(family->turn > 0);
  double position = family->center + angle * family->steps / family->turn;
  return isfinite(position) ? (int32_t)lround(brio_clamp(position, -2e9, 2e9)) : family->center;
}

/* An unknown model has the family's registers. */
const brio_servo_family *brio_servo_layout(const brio_servo_family *family, int number) {
  /* Rows without a layout use the family's own. */
  for (const brio_servo_model *model = family->models; model->number >= 0; model++)
    if (model->number == number && model->layout) return model->layout;
  return family;
}

/* List the models, likewise. */
static const char *model_at(const void *models, int i) { return ((const brio_servo_model *)models)[i].name; }

/* Names of models are compared without case. */
int brio_servo_model_number(const brio_servo_family *family, const char *name, brio_error *err) {
  for (const brio_servo_model *model = family->models; model->number >= 0; model++)
    if (strcasecmp(model->name, name) == 0) return model->number;
  char hint[96];
  brio_fail(err, BRIO_MISUSE, "no model of %s is called '%.64s'%s", family->name, name,
            brio_name_hint(name, model_at, family->models, hint));
  return -1;
}

/* The name of a model by its number; O(models). */
const char *brio_servo_model_name(const brio_servo_family *family, int number) {
  for (const brio_servo_model *model = family->models; model->number >= 0; model++)
    if (model->number == number) return model->name;
  return NULL;
}

/* Codes and rates by table, in both directions; -1 and 0: not in it. */
int brio_servo_baud_code(const brio_servo_family *family, int baud) {
  for (const brio_servo_baud *row = family->bauds; row->baud; row++)
    if (row->baud == baud) return row->code;
  return -1;
}

int brio_servo_code_baud(const brio_servo_family *family, int code) {
  for (const brio_servo_baud *row = family->bauds; row->baud; row++)
    if (row->code == code) return row->baud;
  return 0;
}

/* Write alerts in words.  Families with codes have one alert at a time, others one per bit. */
void brio_servo_alert_words(const brio_servo_family *family, unsigned bits, brio_text *out) {
  const char *before = "";
  for (const brio_servo_alert *alert = family->alerts; alert->bit >= 0 && family->alert_codes; alert++) {
    if ((unsigned)alert->bit != bits) continue;
    brio_text_format(out, "%s", alert->words);
    return;
  }
  /* A code without words. */
  if (family->alert_codes && bits) {
    brio_text_format(out, "code %u", bits);
    return;
  }
  /* One phrase per bit. */
  for (const brio_servo_alert *alert = family->alerts; alert->bit >= 0; alert++) {
    if (!(bits >> alert->bit & 1)) continue;
    brio_text_format(out, "%s%s", before, alert->words);
    bits &= ~(1u << alert->bit);
    before = ", ";
  }
  /* Bits without words. */
  if (bits) brio_text_format(out, "%sbits 0x%02X", before, bits);
  else if (!*before) brio_text_format(out, "nothing");
}

/* ---- packets in words ---- */

/* Return a number of address_bytes bytes, low byte first. */
static int number(const brio_servo_family *family, const uint8_t *bytes) {
  return family->address_bytes == 2 ? bytes[0] | bytes[1] << 8 : bytes[0];
}

/* Write bytes as registers: "Goal Position (116) = 512, Profile Velocity..."; bytes outside of
** registers in hexadecimal. */
static void add_registers(const brio_servo_family *family, int address, const uint8_t *bytes, int count,
                          brio_text *out) {
  for (int at = 0; at < count;) {
    const brio_register *reg = brio_servo_register_at(family, address + at);
    if (at) brio_text_format(out, ", ");
    /* Up to the next register, or to the end if one is cut off. */
    if (!reg || reg->size > count - at) {
      int end = at + 1;
      while (end < count && !brio_servo_register_at(family, address + end)) end++;
      if (reg) end = count;
      brio_text_format(out, "address %d = ", address + at);
      brio_words_hex(bytes + at, end - at, out);
      at = end;
      continue;
    }
    brio_text_format(out, "%s (%d) = %d", reg->name, reg->address, brio_servo_value(family, reg, bytes + at));
    at += reg->size;
  }
}

/* Write a range as "Present Position (132)" or "3 bytes from address 5". */
static void add_range(const brio_servo_family *family, int address, int count, brio_text *out) {
  const brio_register *reg = brio_servo_register_at(family, address);
  if (reg && reg->size == count) brio_text_format(out, "%s (%d)", reg->name, address);
  else brio_text_format(out, "%d byte%s from address %d", count, count == 1 ? "" : "s", address);
}

/* A read.  Its range is kept, because the answer has no addresses. */
static void say_read(const brio_servo_family *family, const brio_packet *p, brio_dialog *dialog,
                     brio_text *out) {
  int n = family->address_bytes;
  if (p->length != 2 * n) {
    brio_text_format(out, ", with %d bytes of parameters instead of %d", p->length, 2 * n);
    return;
  }
  /* Parameters: first address, count of bytes. */
  dialog->address = number(family, p->data);
  dialog->length = number(family, p->data + n);
  brio_text_format(out, " ");
  add_range(family, dialog->address, dialog->length, out);
}

/* A write: address, then data. */
static void say_write(const brio_servo_family *family, const brio_packet *p, brio_dialog *dialog,
                      brio_text *out) {
  int n = family->address_bytes;
  (void)dialog;
  if (p->length <= n) {
    brio_text_format(out, ", without data");
    return;
  }
  brio_text_format(out, " ");
  add_registers(family, number(family, p->data), p->data + n, p->length - n, out);
}

/* A sync read: address and size, then ids. */
static void say_sync_read(const brio_servo_family *family, const brio_packet *p, brio_dialog *dialog,
                          brio_text *out) {
  int n = family->address_bytes;
  if (p->length < 2 * n) {
    brio_text_format(out, ", cut short");
    return;
  }
  /* Parameters: address, size, then one id per byte. */
  dialog->address = number(family, p->data);
  dialog->length = number(family, p->data + n);
  brio_text_format(out, " ");
  add_range(family, dialog->address, dialog->length, out);
  brio_text_format(out, " of servos");
  for (int i = 2 * n; i < p->length; i++) brio_text_format(out, "%s%d", i > 2 * n ? ", " : " ", p->data[i]);
}

/* A sync write: address and size, then id and data of each servo. */
static void say_sync_write(const brio_servo_family *family, const brio_packet *p, brio_dialog *dialog,
                           brio_text *out) {
  /* Parameters: address, size, then for each servo its id and `size` bytes. */
  int n = family->address_bytes, size = p->length >= 2 * n ? number(family, p->data + n) : 0;
  (void)dialog;
  /* Every servo has the same count of bytes. */
  if (size == 0 || (p->length - 2 * n) % (size + 1) != 0) {
    brio_text_format(out, ", whose parameters do not fit its length");
    return;
  }
  for (int at = 2 * n; at < p->length; at += size + 1) {
    brio_text_format(out, "%s %d: ", at > 2 * n ? ";" : "", p->data[at]);
    add_registers(family, number(family, p->data), p->data + at + 1, size, out);
  }
}

/* A bulk read: id, address and size of each servo; Protocol 2.0 only. */
static void say_bulk_read(const brio_servo_family *family, const brio_packet *p, brio_dialog *dialog,
                          brio_text *out) {
  (void)dialog;
  for (int at = 0; at + 5 <= p->length && family->address_bytes == 2; at += 5) {
    brio_text_format(out, "%s %d: ", at ? ";" : "", p->data[at]);
    add_range(family, number(family, p->data + at + 1), number(family, p->data + at + 3), out);
  }
}

/* A bulk write: id, address, size and data of each servo; Protocol 2.0 only. */
static void say_bulk_write(const brio_servo_family *family, const brio_packet *p, brio_dialog *dialog,
                           brio_text *out) {
  (void)dialog;
  for (int at = 0; at + 5 <= p->length && family->address_bytes == 2;) {
    /* Bytes 1 and 2: address; 3 and 4: size. */
    int size = number(family, p->data + at + 3);
    if (size > p->length - at - 5) {
      brio_text_format(out, "; cut short");
      return;
    }
    brio_text_format(out, "%s %d: ", at ? ";" : "", p->data[at]);
    add_registers(family, number(family, p->data + at + 1), p->data + at + 5, size, out);
    at += 5 + size;
  }
}

/* Parameters without a known form, in hexadecimal. */
static void say_nothing(const brio_servo_family *family, const brio_packet *p, brio_dialog *dialog,
                        brio_text *out) {
  (void)family;
  (void)dialog;
  if (p->length > 0) brio_text_format(out, " with ");
  brio_words_hex(p->data, p->length, out);
}

/* Instructions in words, and how their parameters are written. */
static const struct instruction {
  int code;
  const char *words;
  void (*say)(const brio_servo_family *, const brio_packet *, brio_dialog *, brio_text *);
} instructions[] = {
    /* Single servos. */
    {BRIO_SERVO_PING, "ping", say_nothing},
    {BRIO_SERVO_READ, "read", say_read},
    {BRIO_SERVO_WRITE, "write", say_write},
    {BRIO_SERVO_REG_WRITE, "write when told", say_write},
    {BRIO_SERVO_ACTION, "do what was written", say_nothing},
    {BRIO_SERVO_RESET, "factory reset", say_nothing},
    {BRIO_SERVO_REBOOT, "reboot", say_nothing},
    {BRIO_SERVO_CLEAR, "clear", say_nothing},
    /* Several servos. */
    {BRIO_SERVO_SYNC_READ, "sync read", say_sync_read},
    {BRIO_SERVO_SYNC_WRITE, "sync write", say_sync_write},
    {BRIO_SERVO_FAST_SYNC_READ, "fast sync read", say_sync_read},
    {BRIO_SERVO_BULK_READ, "bulk read", say_bulk_read},
    {BRIO_SERVO_BULK_WRITE, "bulk write", say_bulk_write},
    {BRIO_SERVO_FAST_BULK_READ, "fast bulk read", say_bulk_read},
};

/* The low 7 bits of the error of a status packet. */
static const char *const result_words[] = {"no error",    "the instruction failed", "unknown instruction",
                                           "CRC error",   "value out of range",     "wrong data length",
                                           "value beyond its limit", "access refused"};

/* Write the error byte: number and alert bit of Protocol 2.0, or one bit per alert. */
static void say_error(const brio_servo_family *family, int error, brio_text *out) {
  if (!family->status_packets) {
    brio_text_format(out, error ? "errors: " : "no error");
    if (error) brio_servo_alert_words(family, (unsigned)error, out);
    return;
  }
  /* Protocol 2.0: bits 0 to 6 are the result, bit 7 the hardware alert (e-Manual, Status Packet). */
  int result = error & 0x7F;
  if (result < (int)(sizeof result_words / sizeof *result_words))
    brio_text_format(out, "%s", result_words[result]);
  else brio_text_format(out, "error %d", result);
  if (error & 0x80) brio_text_format(out, ", hardware alert");
}

/* Write the joint answer to a fast sync read: error, id, data and CRC of each servo in turn.  The
** first error is the packet's. */
static void say_fast_answer(const brio_servo_family *family, const brio_packet *p, const brio_dialog *dialog,
                            brio_text *out) {
  int size = dialog->length, error = p->error;
  brio_text_format(out, "servos answer:");
  for (int at = 0; at + 1 + size <= p->length; at += size + 4) {
    brio_text_format(out, "%s %d: ", at ? ";" : "", p->data[at]);
    if (error) say_error(family, error, out);
    if (error) brio_text_format(out, ", ");
    add_registers(family, dialog->address, p->data + at + 1, size, out);
    /* The next part starts with its error byte, behind the CRC of this one. */
    error = at + size + 3 < p->length ? p->data[at + size + 3] : 0;
  }
}

/* Write an answer; its meaning follows from the preceding question. */
static void say_answer(const brio_servo_family *family, const brio_packet *p, int error, brio_dialog *dialog,
                       brio_text *out) {
  if (p->id == BRIO_SERVO_BROADCAST && dialog->code == BRIO_SERVO_FAST_SYNC_READ && dialog->length > 0) {
    say_fast_answer(family, p, dialog, out);
    return;
  }
  brio_text_format(out, "servo %d answers: ", p->id);
  say_error(family, error, out);
  if (p->length == 0) return;
  brio_text_format(out, "; ");
  /* Parameters of a ping's answer: model (2 bytes), firmware (1 byte). */
  if (dialog->code == BRIO_SERVO_PING && family->status_packets && p->length == 3)
    brio_text_format(out, "model %d, firmware %d", p->data[0] | p->data[1] << 8, p->data[2]);
  else if (dialog->length == p->length) add_registers(family, dialog->address, p->data, p->length, out);
  else brio_words_hex(p->data, p->length, out);
}

/* Return true if a packet is an answer.  Without an instruction byte of their own, answers are
** recognized by the direction, or by what was asked. */
static bool is_answer(const brio_servo_family *family, const brio_packet *packet, brio_direction direction,
                      const brio_dialog *dialog) {
  if (family->status_packets) return packet->code == BRIO_SERVO_STATUS;
  if (direction != BRIO_EITHER_WAY) return direction == BRIO_FROM_DEVICE;
  if (packet->id == BRIO_SERVO_BROADCAST || dialog->code < 0) return false;
  return dialog->id == packet->id || dialog->code == BRIO_SERVO_SYNC_READ ||
         (dialog->id == BRIO_SERVO_BROADCAST && dialog->code == BRIO_SERVO_PING);
}

void brio_servo_describe(const brio_servo_family *family, const brio_packet *packet, brio_direction direction,
                         brio_dialog *dialog, brio_text *out) {
  if (is_answer(family, packet, direction, dialog)) {
    say_answer(family, packet, family->status_packets ? packet->error : packet->code, dialog, out);
    /* A question is answered once. */
    if (dialog->id == packet->id) dialog->code = -1;
    return;
  }
  /* A question: keep it for its answer. */
  *dialog = (brio_dialog){packet->id, packet->code, 0, 0};
  if (packet->id == BRIO_SERVO_BROADCAST) brio_text_format(out, "all servos: ");
  else brio_text_format(out, "servo %d: ", packet->id);
  /* O(instructions); an unknown one is written as its number. */
  for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
    if (instructions[i].code != packet->code) continue;
    brio_text_format(out, "%s", instructions[i].words);
    instructions[i].say(family, packet, dialog, out);
    return;
  }
  brio_text_format(out, "instruction 0x%02X", packet->code);
  say_nothing(family, packet, dialog, out);
}
