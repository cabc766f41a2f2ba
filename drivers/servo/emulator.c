/* Emulated bus servos: one wire with servos of one family, and their answers.  Servos hear packets
** only at their own baud rate.  Of broadcasts only ping, sync read and bulk read are answered, in
** the order of ids or of the request.  The answer to a fast read is one frame that the servos write
** together, each with the CRC up to its end; it ends where a servo is missing (ROBOTIS e-Manual,
** Protocol 2.0). */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/protocols/checksum.h"
#include "drivers/servo/emulator_internal.h"
#include "math/scalar.h"

typedef brio_servo_bus_emulator bus_emulator;
typedef brio_servo_unit servo_unit;

static const double REBOOT = 0.8, POWER_LOSS = 0.3; /* s */

const char brio_servo_emulator_commands[] =
    "error ID BITS   set hardware error bits (a number, or 'none'); torque goes off\n"
    "refuse ID       its torque cannot be switched on (again: it can)\n"
    "block ID        block its shaft (again: release it)\n"
    "silence ID      it does not answer (again: it does)\n"
    "twin ID         a second servo with the same id (again: removes it)\n"
    "push ID N_M     push its shaft with a torque, in current mode\n"
    "heat ID C       report this temperature\n"
    "turn ID DEG     turn its shaft by hand to this angle in degrees, if its torque is off\n"
    "model ID NAME   become another model with factory settings: MX-28, XL430-W250; a number: an unknown "
    "model\n"
    "power           lose power for a moment: all error bits, torque off\n"
    "brownout        lose power for a shorter time: torque off and settings lost, but no error\n";

/* All servos start with factory settings, consecutive ids and the line's rate. */
void *brio_servo_emulator_open(const brio_servo_family *family, const brio_emulator_options *options,
                               brio_error *err) {
  /* Factory settings must include the rate. */
  int code = brio_servo_baud_code(family, options->baud);
  if (code < 0) {
    brio_fail(err, BRIO_MISUSE, "%s servos know no baud rate of %d", family->name, options->baud);
    return NULL;
  }
  bus_emulator *bus = calloc(1, sizeof *bus + (size_t)options->servos * sizeof *bus->units);
  if (!bus) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for %d servos", options->servos);
    return NULL;
  }
  /* Shafts turn at 4 rad/s with a time constant of 30 ms, until a write sets their speed. */
  bus->family = family;
  bus->count = options->servos;
  for (int i = 0; i < bus->count; i++) {
    /* rad/s; s. */
    bus->units[i].shaft = (brio_shaft){.speed = 4, .constant = 0.03};
    bus->units[i].layout = family;
    brio_servo_unit_factory(&bus->units[i], options->first_id + i, code);
  }
  return bus;
}

void brio_servo_emulator_close(void *device) { free(device); }

void brio_servo_emulator_step(void *device, double dt, brio_emulator *line) {
  bus_emulator *bus = device;
  (void)line;
  for (int i = 0; i < bus->count; i++) brio_servo_unit_step(&bus->units[i], dt);
}

/* ---- which servos hear, and how they answer ---- */

/* A UART tolerates a rate error of about 4 %; a servo that boots receives nothing. */
static bool hears(const servo_unit *unit, int baud) {
  double own = brio_servo_code_baud(unit->layout, brio_servo_unit_get(unit, BRIO_ROLE_BAUD));
  return !unit->silent && unit->deaf <= 0 && baud > own * 0.96 && baud < own * 1.04;
}

/* Return the id that a servo has now. */
static int id_of(const servo_unit *unit) { return brio_servo_unit_get(unit, BRIO_ROLE_ID); }

/* Return the servo of an id, if it receives at this rate, or NULL.  O(servos). */
static servo_unit *unit_with(bus_emulator *bus, int id, int baud) {
  for (int i = 0; i < bus->count; i++)
    if (id_of(&bus->units[i]) == id && hears(&bus->units[i], baud)) return &bus->units[i];
  return NULL;
}

/* The unit of the register is 2 us. */
static double delay_of(const servo_unit *unit) {
  return brio_servo_unit_get(unit, BRIO_ROLE_RETURN_DELAY) * 2e-6;
}

/* Return the error byte: a result and the alert bit, or error bits that include the result. */
static int error_of(const bus_emulator *bus, const servo_unit *unit, int result) {
  /* Results as bits of Protocol 1.0. */
  static const uint8_t bits[] = {[BRIO_RESULT_OK] = 0,        [BRIO_RESULT_FAIL] = 0,   
                                 [BRIO_RESULT_INSTRUCTION] = 0x40, [BRIO_RESULT_CRC] = 0x10,
                                 [BRIO_RESULT_RANGE] = 0x08,  [BRIO_RESULT_LENGTH] = 0x08,
                                 [BRIO_RESULT_LIMIT] = 0x02,  [BRIO_RESULT_ACCESS] = 0x08};
  if (!bus->family->status_packets) return (int)(unit->alert | (bits[result] & bus->family->refusals));
  return result | (unit->alert ? 0x80 : 0);
}

/* Return registers of a unit, measured now; NULL if there are none at these addresses. */
static const uint8_t *read_registers(servo_unit *unit, int address, int count) {
  if (count < 1 || address + count > unit->layout->table) return NULL;
  brio_servo_unit_measure(unit);
  return unit->table + address;
}

/* Read the registers of a twin, whose position differs. */
static void read_twin(const servo_unit *unit, int address, uint8_t *out, int count) {
  servo_unit other = *unit;
  other.shaft.position += 0.3;
  brio_servo_unit_measure(&other);
  memcpy(out, other.table + address, (size_t)count);
}

/* Send a status packet with registers from `address` (-1: the bytes are no registers).  A twin
** answers at the same time. */
static void answer(bus_emulator *bus, servo_unit *unit, int result, int address, const uint8_t *bytes,
                   int count, brio_emulator *line) {
  /* The error is a field of its own, or takes the place of the code. */
  brio_packet out = {.id = id_of(unit), .error = -1, .length = count};
  int error = error_of(bus, unit, result);
  out.code = bus->family->status_packets ? BRIO_SERVO_STATUS : error;
  if (bus->family->status_packets) out.error = error;
  if (count > 0) memcpy(out.data, bytes, (size_t)count);
  brio_emulator_answer(line, &out, delay_of(unit), false);
  /* Answers with equal bytes do not disturb each other. */
  if (!unit->twin || address < 0 || count < 1) return;
  read_twin(unit, address, out.data, count);
  if (memcmp(out.data, bytes, (size_t)count) != 0) brio_emulator_answer(line, &out, delay_of(unit), true);
}

/* Answer an instruction to one servo, if its status return level allows it: 0: pings only, 1:
** reads, too, 2: all.  Levels 0 and 1 of Feetech correspond to 1 and 2. */
static void acknowledge(bus_emulator *bus, servo_unit *unit, int to, int level, int result, int address,
                        const uint8_t *bytes, int count, brio_emulator *line) {
  const brio_register *reg = brio_servo_role_register(unit->layout, BRIO_ROLE_STATUS_LEVEL);
  int says = reg ? brio_servo_unit_get(unit, BRIO_ROLE_STATUS_LEVEL) + 2 - reg->upper : 2;
  if (to == BRIO_SERVO_BROADCAST || says < level) return;
  answer(bus, unit, result, address, bytes, count, line);
}

/* Low byte first. */
static int number(const bus_emulator *bus, const uint8_t *bytes) {
  return bus->family->address_bytes == 2 ? bytes[0] | bytes[1] << 8 : bytes[0];
}

/* ---- instructions to one servo, which are acknowledged ---- */

/* Protocol 2.0 answers with model and firmware. */
static void do_ping(bus_emulator *bus, servo_unit *unit, const brio_packet *p, brio_emulator *line) {
  int32_t model = brio_servo_unit_get(unit, BRIO_ROLE_MODEL);
  int32_t firmware = brio_servo_unit_get(unit, BRIO_ROLE_FIRMWARE);
  uint8_t bytes[3] = {(uint8_t)model, (uint8_t)(model >> 8), (uint8_t)firmware};
  (void)p;
  answer(bus, unit, BRIO_RESULT_OK, -1, bytes, bus->family->status_packets ? 3 : 0, line);
}

/* A wrong count of parameters reads nothing. */
static void do_read(bus_emulator *bus, servo_unit *unit, const brio_packet *p, brio_emulator *line) {
  int n = bus->family->address_bytes;
  int address = p->length == 2 * n ? number(bus, p->data) : 0;
  int count = p->length == 2 * n ? number(bus, p->data + n) : 0;
  const uint8_t *bytes = read_registers(unit, address, count);
  acknowledge(bus, unit, p->id, 1, bytes ? BRIO_RESULT_OK : BRIO_RESULT_LENGTH, address, bytes,
              bytes ? count : 0, line);
}

/* Address, then data. */
static void do_write(bus_emulator *bus, servo_unit *unit, const brio_packet *p, brio_emulator *line) {
  int n = bus->family->address_bytes, result = BRIO_RESULT_LENGTH, id = id_of(unit);
  if (p->length > n) result = brio_servo_unit_write(unit, number(bus, p->data), p->data + n, p->length - n);
  /* a new id: the answer still has the old one */
  if (p->id != BRIO_SERVO_BROADCAST && id_of(unit) != id) {
    int fresh = id_of(unit);
    brio_servo_unit_set(unit, BRIO_ROLE_ID, id);
    acknowledge(bus, unit, p->id, 2, result, -1, NULL, 0, line);
    brio_servo_unit_set(unit, BRIO_ROLE_ID, fresh);
    return;
  }
  acknowledge(bus, unit, p->id, 2, result, -1, NULL, 0, line);
}

/* Address and data are kept until the action instruction. */
static void do_later(bus_emulator *bus, servo_unit *unit, const brio_packet *p, brio_emulator *line) {
  int n = bus->family->address_bytes, count = p->length - n, result = BRIO_RESULT_LENGTH;
  /* A later write replaces the one that was kept. */
  if (count > 0 && count <= BRIO_SERVO_LATER) {
    unit->later_address = number(bus, p->data);
    unit->later_length = count;
    memcpy(unit->later, p->data + n, (size_t)count);
    result = BRIO_RESULT_OK;
  }
  acknowledge(bus, unit, p->id, 2, result, -1, NULL, 0, line);
}

/* Carry out the write that was kept, and forget it. */
static void do_action(bus_emulator *bus, servo_unit *unit, const brio_packet *p, brio_emulator *line) {
  int result = BRIO_RESULT_INSTRUCTION; /* nothing was kept */
  assert(unit->later_length >= 0 && unit->later_length <= BRIO_SERVO_LATER);
  if (unit->later_length > 0)
    result = brio_servo_unit_write(unit, unit->later_address, unit->later, unit->later_length);
  unit->later_length = 0;
  acknowledge(bus, unit, p->id, 2, result, -1, NULL, 0, line);
}

/* Parameter FF resets everything, 1 keeps the id, 2 keeps id and baud rate. */
static void do_reset(bus_emulator *bus, servo_unit *unit, const brio_packet *p, brio_emulator *line) {
  /* The answer has the old id and rate, because it is sent first. */
  int keep = p->length > 0 ? p->data[0] : 0xFF, id = id_of(unit);
  int code = brio_servo_unit_get(unit, BRIO_ROLE_BAUD);
  acknowledge(bus, unit, p->id, 2, BRIO_RESULT_OK, -1, NULL, 0, line);
  brio_servo_unit_factory(unit, keep == 0xFF ? 1 : id,
                          keep == 2 ? code : brio_servo_baud_code(unit->layout, unit->layout->baud));
}

/* Settings in RAM are lost; for a while it receives nothing. */
static void do_reboot(bus_emulator *bus, servo_unit *unit, const brio_packet *p, brio_emulator *line) {
  if (bus->family->status_packets) acknowledge(bus, unit, p->id, 2, BRIO_RESULT_OK, -1, NULL, 0, line);
  brio_servo_unit_boot(unit);
  unit->deaf = REBOOT;
}

/* Instructions by code. */
static const struct single {
  int code;
  void (*run)(bus_emulator *, servo_unit *, const brio_packet *, brio_emulator *);
} singles[] = {{BRIO_SERVO_PING, do_ping},       {BRIO_SERVO_READ, do_read},     {BRIO_SERVO_WRITE, do_write},
               {BRIO_SERVO_REG_WRITE, do_later}, {BRIO_SERVO_ACTION, do_action}, {BRIO_SERVO_RESET, do_reset},
               {BRIO_SERVO_REBOOT, do_reboot}};

/* ---- instructions to many servos ---- */

/* Answer for one servo of a sync or bulk read. */
static void answer_read(bus_emulator *bus, int id, int address, int count, int baud, brio_emulator *line) {
  servo_unit *unit = unit_with(bus, id, baud);
  const uint8_t *bytes = unit ? read_registers(unit, address, count) : NULL;
  if (unit)
    answer(bus, unit, bytes ? BRIO_RESULT_OK : BRIO_RESULT_LENGTH, address, bytes, bytes ? count : 0, line);
}

/* Write one servo's part of the answer to a fast read: error, id, data.  Return its length; 0: no
** answer. */
static int fast_part(bus_emulator *bus, int id, int address, int count, int baud, uint8_t *out, int room) {
  servo_unit *unit = unit_with(bus, id, baud);
  const uint8_t *bytes = unit ? read_registers(unit, address, count) : NULL;
  /* No part: the chain ends here. */
  if (!bytes || !unit->layout->fast || count + 4 > room) return 0;
  out[0] = (uint8_t)error_of(bus, unit, BRIO_RESULT_OK);
  out[1] = (uint8_t)id;
  memcpy(out + 2, bytes, (size_t)count);
  return count + 2;
}

/* Superimpose a twin's registers on the last `count` bytes of a frame of `at` bytes: on the wire a
** 0 wins.  Return the twin's CRC. */
static unsigned lay_twin(const servo_unit *unit, int address, uint8_t *frame, int at, int count) {
  uint8_t own[BRIO_SERVO_TABLE], *bytes = frame + at - count;
  if (!unit->twin) return 0xFFFF;
  memcpy(own, bytes, (size_t)count);
  read_twin(unit, address, bytes, count);
  /* The twin's CRC is over its own bytes. */
  unsigned crc = brio_checksum_crc16(frame, at, 0, 0x8005);
  for (int i = 0; i < count; i++) bytes[i] &= own[i];
  return crc;
}

/* Answer a fast read: the same request for each of `n` servos, `stride` bytes of parameters apart. */
static void fast_read(bus_emulator *bus, const uint8_t *ids, int n, int stride, const uint8_t *range,
                      int baud, brio_emulator *line) {
  uint8_t frame[BRIO_FRAME_MOST] = {0xFF, 0xFF, 0xFD, 0x00, BRIO_SERVO_BROADCAST, 0, 0, BRIO_SERVO_STATUS};
  int length = 1, at = 8;
  /* The length covers all parts, also those of missing servos. */
  for (int i = 0; i < n; i++) length += 4 + number(bus, (stride > 1 ? ids + i * stride + 1 : range) + 2);
  if (n < 1 || length > BRIO_FRAME_MOST - 8) return;
  frame[5] = (uint8_t)length;
  frame[6] = (uint8_t)(length >> 8);
  /* Each part ends with the CRC of the frame up to it. */
  for (int i = 0; i < n; i++) {
    const uint8_t *asked = stride > 1 ? ids + i * stride + 1 : range;
    int part = fast_part(bus, ids[i * stride], number(bus, asked), number(bus, asked + 2), baud, frame + at,
                         BRIO_FRAME_MOST - at);
    if (part == 0) break;
    at += part;
    /* Twins collide in the CRC, too. */
    uint16_t crc = brio_checksum_crc16(frame, at, 0, 0x8005);
    crc &= lay_twin(unit_with(bus, ids[i * stride], baud), number(bus, asked), frame, at, part - 2);
    frame[at++] = (uint8_t)crc;
    frame[at++] = (uint8_t)(crc >> 8);
  }
  /* The chain starts with the first servo: without it there is no answer. */
  servo_unit *first = unit_with(bus, ids[0], baud);
  if (first) brio_emulator_answer_bytes(line, frame, at, delay_of(first), false);
}

/* Address, size, then id and data of each servo. */
static void sync_write(bus_emulator *bus, const brio_packet *p, int baud) {
  int n = bus->family->address_bytes, size = p->length >= 2 * n ? number(bus, p->data + n) : 0;
  if (size == 0) return;
  for (int at = 2 * n; at + 1 + size <= p->length; at += size + 1) {
    /* Servos that do not receive at this rate are skipped; there are no answers. */
    servo_unit *unit = unit_with(bus, p->data[at], baud);
    if (unit) brio_servo_unit_write(unit, number(bus, p->data), p->data + at + 1, size);
  }
}

/* Id, address, size and data of each servo. */
static void bulk_write(bus_emulator *bus, const brio_packet *p, int baud) {
  for (int at = 0; at + 5 <= p->length;) {
    /* The data must be complete. */
    int size = number(bus, p->data + at + 3);
    servo_unit *unit = unit_with(bus, p->data[at], baud);
    if (size > p->length - at - 5) return;
    if (unit) brio_servo_unit_write(unit, number(bus, p->data + at + 1), p->data + at + 5, size);
    at += 5 + size;
  }
}

/* Address, size, then ids, which answer in this order. */
static void sync_read(bus_emulator *bus, const brio_packet *p, int baud, bool fast, brio_emulator *line) {
  int n = bus->family->address_bytes;
  if (p->length <= 2 * n) return;
  if (fast) {
    fast_read(bus, p->data + 2 * n, p->length - 2 * n, 1, p->data, baud, line);
    return;
  }
  for (int i = 2 * n; i < p->length; i++)
    answer_read(bus, p->data[i], number(bus, p->data), number(bus, p->data + n), baud, line);
}

/* Protocol 1.0: a 0, then length, id and address of each servo.  Only some models support it. */
static void narrow_bulk_read(bus_emulator *bus, const brio_packet *p, int baud, brio_emulator *line) {
  for (int at = 1; at + 3 <= p->length; at += 3) {
    servo_unit *unit = unit_with(bus, p->data[at + 1], baud);
    if (unit && unit->layout->bulk)
      answer_read(bus, p->data[at + 1], p->data[at + 2], p->data[at], baud, line);
  }
}

/* Id, address and size of each servo. */
static void bulk_read(bus_emulator *bus, const brio_packet *p, int baud, bool fast, brio_emulator *line) {
  if (bus->family->address_bytes == 1) {
    narrow_bulk_read(bus, p, baud, line);
    return;
  }
  /* Five bytes per servo: id, address (2), size (2). */
  if (p->length < 5 || p->length % 5 != 0) return;
  if (fast) {
    fast_read(bus, p->data, p->length / 5, 5, NULL, baud, line);
    return;
  }
  for (int at = 0; at < p->length; at += 5)
    answer_read(bus, p->data[at], number(bus, p->data + at + 1), number(bus, p->data + at + 3), baud, line);
}

/* Handle an instruction to many servos.  Return false if it is another kind of instruction. */
static bool handle_many(bus_emulator *bus, const brio_packet *p, int baud, brio_emulator *line) {
  const brio_servo_family *family = bus->family;
  int code = p->code;
  if (p->id != BRIO_SERVO_BROADCAST) return false;
  if (code == BRIO_SERVO_SYNC_WRITE) sync_write(bus, p, baud);
  else if (code == BRIO_SERVO_SYNC_READ && family->sync_read) sync_read(bus, p, baud, false, line);
  else if (code == BRIO_SERVO_FAST_SYNC_READ && family->fast) sync_read(bus, p, baud, true, line);
  else if (code == BRIO_SERVO_BULK_READ && (family->bulk || family->refusals))
    bulk_read(bus, p, baud, false, line);
  else if (code == BRIO_SERVO_FAST_BULK_READ && family->fast) bulk_read(bus, p, baud, true, line);
  else if (code == BRIO_SERVO_BULK_WRITE && family->bulk) bulk_write(bus, p, baud);
  else return false;
  return true;
}

/* Any packet at its rate feeds a servo's watchdog. */
void brio_servo_emulator_handle(void *device, const brio_packet *packet, int baud, brio_emulator *line) {
  bus_emulator *bus = device;
  if (packet->code == BRIO_SERVO_STATUS && bus->family->status_packets) return;
  for (int i = 0; i < bus->count; i++)
    if (hears(&bus->units[i], baud)) bus->units[i].quiet = 0;
  if (handle_many(bus, packet, baud, line)) return;
  /* Instructions to one servo, or to all by broadcast. */
  const struct single *found = NULL;
  for (size_t i = 0; i < sizeof singles / sizeof *singles; i++)
    if (singles[i].code == packet->code) found = &singles[i];
  for (int i = 0; i < bus->count; i++) {
    servo_unit *unit = &bus->units[i];
    if (!hears(unit, baud) || (packet->id != id_of(unit) && packet->id != BRIO_SERVO_BROADCAST)) continue;
    if (found) found->run(bus, unit, packet, line);
    else acknowledge(bus, unit, packet->id, 2, BRIO_RESULT_INSTRUCTION, -1, NULL, 0, line);
  }
}

/* ---- commands ---- */

/* An error switches the torque off, unless the model holds with it. */
static void set_alert(servo_unit *unit, unsigned bits) {
  /* Bit 7 is the alert itself. */
  unit->alert = bits & 0x7F;
  if (!unit->alert || brio_servo_unit_holds(unit)) return;
  unit->shaft.torque = false;
  brio_servo_unit_set(unit, BRIO_ROLE_TORQUE, 0);
}

/* After a power loss servos boot; with `tells` they report all errors, as after a slow loss. */
static void lose_power(bus_emulator *bus, bool tells) {
  for (int i = 0; i < bus->count; i++) {
    const brio_servo_family *layout = bus->units[i].layout;
    unsigned all = 0;
    /* Codes stand alone, bits add up. */
    for (const brio_servo_alert *alert = layout->alerts; alert->bit >= 0; alert++)
      if (!layout->alert_codes) all |= 1u << alert->bit;
      else if (!all) all = (unsigned)alert->bit; /* codes, one at a time: the first */
    brio_servo_unit_boot(&bus->units[i]);
    bus->units[i].deaf = POWER_LOSS;
    if (tells) set_alert(&bus->units[i], all & ~bus->family->refusals); /* as standing errors */
  }
}

/* Toggle the flag that a command names.  Return false if there is no such command. */
static bool flip(servo_unit *unit, const char *word) {
  const struct {
    const char *word;
    bool *flag;
  } flags[] = {{"refuse", &unit->refuses}, {"block", &unit->shaft.blocked}, {"silence", &unit->silent},
               {"twin", &unit->twin}};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
    if (strcmp(word, flags[i].word) != 0) continue;
    *flags[i].flag = !*flags[i].flag;
    return true;
  }
  return false;
}

/* Turn a servo into another model, with its id and baud rate. */
static bool set_model(bus_emulator *bus, servo_unit *unit, const char *name, brio_error *err) {
  bool digits = name[0] && name[strspn(name, "0123456789")] == 0; /* a number: also of unknown models */
  int number = digits ? atoi(name) & 0xFFFF : brio_servo_model_number(bus->family, name, err),
      id = id_of(unit);
  if (number < 0) return false;
  const brio_servo_family *layout = brio_servo_layout(bus->family, number);
  int baud = brio_servo_code_baud(unit->layout, brio_servo_unit_get(unit, BRIO_ROLE_BAUD));
  /* The new model must know the present rate. */
  int code = brio_servo_baud_code(layout, baud);
  if (code < 0) return brio_fail(err, BRIO_MISUSE, "%s knows no baud rate of %d", name, baud);
  unit->layout = layout;
  brio_servo_unit_factory(unit, id, code);
  /* An unknown model keeps its own number in the model register. */
  const brio_register *reg = brio_servo_role_register(layout, BRIO_ROLE_MODEL);
  brio_servo_bytes(layout, reg, number, unit->stored + reg->address);
  brio_servo_unit_boot(unit);
  return true;
}

/* Silent servos may be commanded, too. */
static servo_unit *unit_of(bus_emulator *bus, const char *word, const char *id, brio_error *err) {
  for (int i = 0; i < bus->count && id; i++)
    if (id_of(&bus->units[i]) == atoi(id)) return &bus->units[i];
  brio_fail(err, BRIO_MISUSE, "%s expects the id of a servo: %s is none", word, id ? id : "nothing");
  return NULL;
}

/* Only a servo without torque can be turned by hand. */
static bool turn(servo_unit *unit, const char *degrees, brio_error *err) {
  if (unit->shaft.torque) return brio_fail(err, BRIO_MISUSE, "servo %d holds its shaft", id_of(unit));
  unit->shaft.position = unit->shaft.target = strtod(degrees, NULL) / 57.29577951308232;
  return true;
}

/* Set hardware error bits from a number in any C notation; "none" reads as 0. */
static bool set_error(servo_unit *unit, const char *bits, brio_error *err) {
  (void)err;
  set_alert(unit, (unsigned)strtoul(bits, NULL, 0));
  return true;
}

/* Set the temperature that a servo reports, in whole degrees. */
static bool heat(servo_unit *unit, const char *degrees, brio_error *err) {
  double celsius = strtod(degrees, NULL);
  if (!(celsius >= 0 && celsius <= 127))
    return brio_fail(err, BRIO_MISUSE, "heat expects 0 to 127 degrees C, not %s", degrees);
  brio_servo_unit_set(unit, BRIO_ROLE_TEMPERATURE, (int32_t)celsius);
  return true;
}

/* Push the shaft of a servo in current mode, with a torque in N m. */
static bool push(servo_unit *unit, const char *torque, brio_error *err) {
  double wanted = strtod(torque, NULL);
  if (!isfinite(wanted)) return brio_fail(err, BRIO_MISUSE, "push expects a torque in N m, not %s", torque);
  unit->shaft.push = brio_clamp(wanted, -1e3, 1e3);
  return true;
}

/* Run a command for one servo, with an argument.  Return 1: done; 0: no such command; -1: failed. */
static int do_one(bus_emulator *bus, const char *word, const char *id, const char *more, brio_error *err) {
  static const struct {
    const char *word;
    bool (*set)(servo_unit *unit, const char *value, brio_error *err);
  } rows[] = {{"error", set_error}, {"turn", turn}, {"heat", heat}, {"push", push}, {NULL, NULL}};
  servo_unit probe = {0};
  int k = 0;
  /* Those in the table and `model` have an argument; the others are switches. */
  while (rows[k].word && strcmp(word, rows[k].word) != 0) k++;
  bool model = strcmp(word, "model") == 0;
  if (!rows[k].word && !model && !flip(&probe, word)) return 0;
  servo_unit *unit = unit_of(bus, word, id, err);
  if (!unit) return -1;
  bool good = rows[k].word ? rows[k].set(unit, more, err)
              : model      ? set_model(bus, unit, more, err)
                           : flip(unit, word);
  return good ? 1 : -1;
}

/* `power` and `brownout` concern all servos. */
int brio_servo_emulator_command(void *device, const char *const *words, int count, brio_text *out,
                                brio_error *err) {
  bus_emulator *bus = device;
  bool tells = strcmp(words[0], "power") == 0;
  if (tells || strcmp(words[0], "brownout") == 0) {
    lose_power(bus, tells);
    brio_text_format(out, "power was lost%s\n", tells ? ": every servo reports all its errors" : "");
    return 1;
  }
  int done = do_one(bus, words[0], count > 1 ? words[1] : NULL, count > 2 ? words[2] : "0", err);
  if (done > 0)
    brio_text_format(out, "servo %s: %s%s%s\n", words[1], words[0], count > 2 ? " " : "",
                     count > 2 ? words[2] : "");
  return done;
}

/* Positions in degrees, for people. */
void brio_servo_emulator_tell(const void *device, brio_text *out) {
  const bus_emulator *bus = device;
  for (int i = 0; i < bus->count; i++) {
    const servo_unit *unit = &bus->units[i];
    brio_text_format(out, "servo %d: at %.1f degrees, torque %s, %d baud", id_of(unit),
                     unit->shaft.position * 57.29577951308232, unit->shaft.torque ? "on" : "off",
                     brio_servo_code_baud(unit->layout, brio_servo_unit_get(unit, BRIO_ROLE_BAUD)));
    if (unit->alert) brio_text_format(out, ", error: ");
    if (unit->alert) brio_servo_alert_words(unit->layout, unit->alert, out);
    brio_text_format(out, "\n");
  }
}

/* For tests: a register as it would be read now; INT32_MIN: none. */
int32_t brio_servo_emulator_value(const void *device, int id, brio_servo_role role) {
  const bus_emulator *bus = device;
  for (int i = 0; i < bus->count; i++) {
    /* A copy: measuring changes registers. */
    servo_unit unit = bus->units[i];
    if (id_of(&unit) != id || !brio_servo_role_register(unit.layout, role)) continue;
    brio_servo_unit_measure(&unit);
    return brio_servo_unit_get(&unit, role);
  }
  return INT32_MIN;
}
