/* Questions and answers on a bus of servos, one servo at a time.  See bus.h.  The longest time of
** an answer is known: its bytes at the baud rate, the servo's return delay of at most 0.5 ms, and
** the adapter's latency.  Bytes that came before a question are dropped, so that a late answer to
** the previous question does not count for this one; a later one is skipped if it is from another
** servo or of another length. */
#include <assert.h>
#include <string.h>

#include "drivers/servo/bus_internal.h"

static const double RETURN_DELAY = 0.0006; /* s, per answering servo */

enum { CHECKSUM_RESULT = 3, CHECKSUM_BIT = 0x10 /* error of a servo that received a damaged packet */ };

/* Three tries: a single lost packet is common on a long bus. */
void brio_servo_bus_start(brio_servo_bus *bus, const brio_servo_family *family, brio_port *port) {
  memset(bus, 0, sizeof *bus);
  bus->family = family;
  brio_exchange_start(&bus->x, brio_protocol_find(family->protocol, NULL), port);
  bus->x.tries = 3;
}

/* Before a servo's model is known, its registers are those of the family. */
const brio_servo_family *brio_servo_bus_layout(const brio_servo_bus *bus, int id) {
  return id >= 0 && id < BRIO_SERVO_IDS && bus->layouts[id] ? bus->layouts[id] : bus->family;
}

/* A packet fits its buffer, and a question is asked at least once. */
static bool is_consistent(const brio_servo_bus *bus) {
  return bus->x.out.length >= 0 && bus->x.out.length <= BRIO_PACKET_MOST && bus->x.tries > 0;
}
/* ---- sending and receiving ---- */

void brio_servo_bus_begin(brio_servo_bus *bus, int id, int code) {
  brio_exchange_make(&bus->x, id, code, NULL, 0);
}

bool brio_servo_bus_add(brio_servo_bus *bus, const uint8_t *bytes, int count) {
  assert(is_consistent(bus));
  brio_packet *out = &bus->x.out;
  /* Nothing is added if there is no room. */
  if (count < 0 || out->length + count > BRIO_PACKET_MOST) return false;
  if (count > 0) memcpy(out->data + out->length, bytes, (size_t)count);
  out->length += count;
  return true;
}

/* Addresses and lengths have one or two bytes, low byte first. */
bool brio_servo_bus_add_number(brio_servo_bus *bus, int value) {
  uint8_t bytes[2] = {(uint8_t)value, (uint8_t)(value >> 8)};
  return brio_servo_bus_add(bus, bytes, bus->family->address_bytes);
}

/* Return the deadline, s, for `answers` answers of `bytes` bytes in total.  The wire is busy until
** wire_free; then each byte takes 10 bits. */
double brio_servo_bus_deadline(const brio_servo_bus *bus, int bytes, int answers) {
  assert(bytes >= 0 && answers >= 0);
  return bus->x.wire_free + bytes * 10.0 / bus->x.port->baud + answers * RETURN_DELAY + bus->x.latency;
}

/* Skip instructions; older families cannot distinguish them from answers. */
int brio_servo_bus_receive(brio_servo_bus *bus, double deadline, brio_error *err) {
  int got;
  while ((got = brio_exchange_next(&bus->x, deadline, err)) > 0) {
    if (!bus->family->status_packets || bus->x.in.code == BRIO_SERVO_STATUS) return 1;
    bus->x.strays++; /* an instruction of another host */
  }
  return got;
}

/* Older families have the error in place of the instruction. */
int brio_servo_bus_error(const brio_servo_bus *bus) {
  return bus->family->status_packets ? bus->x.in.error : bus->x.in.code;
}

/* Set bus->alert from the error byte of the answer.  Return false, with an error, if the servo
** refuses the instruction; an alert alone is no refusal. */
static bool check_result(brio_servo_bus *bus, int id, brio_error *err) {
  /* Results 1 to 7 of a status packet (e-Manual, Protocol 2.0, Error). */
  static const char *const words[] = {
      "",
      "the instruction failed (there is a hardware error, or torque is refused)",
      "it does not know the instruction",
      "it received the packet with errors",
      "a value is out of range",
      "the length of the data is wrong",
      "a value is beyond the limits set in it",
      "the register may not be written now (read only, or torque is on)"};
  bus->alert = brio_servo_bus_error(bus);
  /* Bit 7 of a status packet is the alert; older families have one bit per error. */
  int result = bus->family->status_packets ? bus->alert & 0x7F : bus->alert & (int)bus->family->refusals;
  if (result == 0) return true;
  bus->refusals++;
  if (bus->family->status_packets)
    return brio_fail(err, BRIO_DEVICE, "servo %d refuses: %s", id,
                     result < 8 ? words[result] : "an unknown error");
  /* Older families: the bits in words. */
  brio_text text = {0};
  brio_servo_alert_words(brio_servo_bus_layout(bus, id), (unsigned)bus->alert, &text);
  brio_fail(err, BRIO_DEVICE, "servo %d reports: %s", id, text.bytes ? text.bytes : "an error");
  brio_text_end(&text);
  return false;
}

/* Return true if an answer reports that the question arrived damaged. */
static bool is_misheard(const brio_servo_bus *bus) {
  int error = brio_servo_bus_error(bus);
  return bus->family->status_packets ? (error & 0x7F) == CHECKSUM_RESULT
                                     : (error & bus->family->refusals & CHECKSUM_BIT) != 0;
}

/* Return true if an answer is the host's own question.  If the host hears itself, a question whose
** length was damaged may include the first bytes of the answer and have a correct sum: then the
** instruction is in place of the error byte, and the question's data come first. */
static bool is_spoiled_echo(const brio_servo_bus *bus) {
  const brio_packet *in = &bus->x.in, *out = &bus->x.out;
  return bus->x.echoes > 0 && !bus->family->status_packets && in->code == out->code && out->length > 0 &&
         in->length >= out->length && memcmp(in->data, out->data, (size_t)out->length) == 0;
}

/* Wait for servo `id` to answer with `length` bytes (-1: any number).  Return 1; 0: no answer; -1:
** the port failed. */
static int await(brio_servo_bus *bus, int id, int length, bool last, brio_error *err) {
  double deadline = brio_servo_bus_deadline(bus, BRIO_SERVO_OVERHEAD + (length > 0 ? length : 4), 1);
  uint64_t dropped = bus->x.stream.dropped;
  int got;
  while ((got = brio_servo_bus_receive(bus, deadline, err)) > 0) {
    /* The answer must be from this servo, and have the expected length or be a refusal. */
    const brio_packet *in = &bus->x.in;
    /* A refusal has no data.  A question that arrived damaged is repeated, except in the last try. */
    bool refused = in->id == id && in->length == 0 && brio_servo_bus_error(bus) != 0;
    if (in->id == id && (length < 0 || in->length == length || refused) && !is_spoiled_echo(bus))
      return last || !is_misheard(bus);
    bus->x.strays++;
  }
  /* Bytes that were no packet: two servos with one id, another baud rate, or noise. */
  bus->garbled = bus->x.stream.dropped > dropped || bus->x.stream.count > 0;
  return got;
}

/* Return true if registers arrived, whatever else the servo reports: older families send an alert
** with the data. */
static bool is_read(brio_servo_bus *bus, int length) {
  bus->alert = brio_servo_bus_error(bus);
  return length > 0 && bus->x.in.length == length && !bus->family->status_packets;
}

/* Send the packet and wait for servo `id` to answer with `length` bytes (-1: any number), in up to
** `tries` tries. */
static bool ask(brio_servo_bus *bus, int length, int tries, brio_error *err) {
  assert(tries > 0);
  int id = bus->x.out.id;
  bool garbled = false;
  /* Each try sends the question again; a port failure ends them. */
  for (int i = 0; i < tries; i++) {
    if (i > 0) bus->x.retries++;
    bus->garbled = false;
    if (!brio_exchange_begin(&bus->x, err)) return false;
    int got = await(bus, id, length, i == tries - 1, err);
    if (got < 0) return false;
    if (got > 0) return is_read(bus, length) || check_result(bus, id, err);
    garbled = garbled || bus->garbled;
    bus->x.timeouts++;
  }
  /* Garbled bytes of any try are worth a hint. */
  bus->garbled = garbled;
  return brio_fail(
      err, BRIO_DEVICE, "servo %d did not answer on %s at %d baud, after %d request%s%s", id,
      bus->x.port->name, bus->x.port->baud, tries, tries == 1 ? "" : "s",
      garbled ? "; the received bytes were garbled: two servos of one id, another baud rate, or noise" : "");
}

/* A broadcast has no answer. */
bool brio_servo_bus_tell(brio_servo_bus *bus, brio_error *err) {
  return bus->x.out.id == BRIO_SERVO_BROADCAST ? brio_exchange_begin(&bus->x, err)
                                               : ask(bus, 0, bus->x.tries, err);
}

/* ---- one servo ---- */

/* Read model and firmware where a ping does not return them. */
static void find_model(brio_servo_bus *bus, brio_servo_found *found) {
  int32_t value;
  if (brio_servo_bus_get(bus, found->id, BRIO_ROLE_MODEL, &value, NULL)) found->model = value;
  if (brio_servo_bus_get(bus, found->id, BRIO_ROLE_FIRMWARE, &value, NULL)) found->firmware = value;
}

/* Return true if a servo answers another question.  If the host hears itself, a servo whose error
** byte is the code of the ping answers with the bytes of the ping. */
static bool is_there_behind_echo(brio_servo_bus *bus, int id) {
  int32_t value;
  return brio_servo_bus_get(bus, id, BRIO_ROLE_ID, &value, NULL) && value == id;
}

bool brio_servo_bus_ping(brio_servo_bus *bus, int id, brio_servo_found *found, brio_error *err) {
  bool tells = bus->family->status_packets; /* its model */
  uint64_t echoes = bus->x.echoes;
  brio_servo_bus_begin(bus, id, BRIO_SERVO_PING);
  bus->alert = 0;
  /* A servo that answers with an error is there, too. */
  if (!ask(bus, tells ? 3 : 0, 1, err) && bus->alert == 0 &&
      (tells || bus->x.echoes == echoes || !is_there_behind_echo(bus, id)))
    return false;
  *found = (brio_servo_found){.id = id, .baud = bus->x.port->baud};
  /* Protocol 2.0: model (2 bytes, low first) and firmware; others are read from registers. */
  if (tells && bus->x.in.length == 3) {
    found->model = bus->x.in.data[0] | bus->x.in.data[1] << 8;
    found->firmware = bus->x.in.data[2];
  } else {
    find_model(bus, found);
  }
  /* From now on its registers are those of its model. */
  if (id >= 0 && id < BRIO_SERVO_IDS) bus->layouts[id] = brio_servo_layout(bus->family, found->model);
  return true;
}

/* Read registers, in a given number of tries. */
static bool read_in(brio_servo_bus *bus, int tries, int id, int address, int count, uint8_t *out,
                    brio_error *err) {
  assert(count > 0 && count <= BRIO_PACKET_MOST);
  /* Parameters: address and count, of the family's width. */
  brio_servo_bus_begin(bus, id, BRIO_SERVO_READ);
  brio_servo_bus_add_number(bus, address);
  brio_servo_bus_add_number(bus, count);
  if (!ask(bus, count, tries, err)) return false;
  memcpy(out, bus->x.in.data, (size_t)count);
  return true;
}

bool brio_servo_bus_read(brio_servo_bus *bus, int id, int address, int count, uint8_t *out, brio_error *err) {
  return read_in(bus, bus->x.tries, id, address, count, out, err);
}

/* Write registers, at once or for a later action. */
static bool write_as(brio_servo_bus *bus, int code, int id, int address, int count, const uint8_t *bytes,
                     brio_error *err) {
  brio_servo_bus_begin(bus, id, code);
  brio_servo_bus_add_number(bus, address);
  if (!brio_servo_bus_add(bus, bytes, count))
    return brio_fail(err, BRIO_MISUSE, "%d bytes are too many for a packet", count);
  return brio_servo_bus_tell(bus, err);
}

/* Return true if registers contain what was written. */
static bool holds(brio_servo_bus *bus, int tries, int id, int address, int count, const uint8_t *bytes) {
  uint8_t now[BRIO_PACKET_MOST];
  return count > 0 && count <= (int)sizeof now && read_in(bus, tries, id, address, count, now, NULL) &&
         memcmp(now, bytes, (size_t)count) == 0;
}

/* Write registers.  Servos with status return level 1 (Feetech: response level 0) answer reads but
** not writes: these writes are read back, and the servo is remembered as quiet. */
bool brio_servo_bus_write(brio_servo_bus *bus, int id, int address, int count, const uint8_t *bytes,
                          brio_error *err) {
  bool one = id >= 0 && id < BRIO_SERVO_IDS, quiet = one && bus->quiet[id];
  int tries = bus->x.tries;
  uint64_t refusals = bus->refusals;
  brio_error why = {0};
  /* Wait only once for a quiet servo. */
  if (quiet) bus->x.tries = 1;
  bool done = write_as(bus, BRIO_SERVO_WRITE, id, address, count, bytes, &why);
  bus->x.tries = tries;
  /* Silence only: no refusal, no garbled bytes. */
  bool silent = one && !done && why.code == BRIO_DEVICE && bus->refusals == refusals && !bus->garbled;
  if (one && done) bus->quiet[id] = false;
  if (silent && holds(bus, quiet ? tries : 1, id, address, count, bytes)) return bus->quiet[id] = true;
  if (!done && err) *err = why;
  return done;
}

/* The servo keeps the data until the action instruction, which may be broadcast. */
bool brio_servo_bus_write_later(brio_servo_bus *bus, int id, int address, int count, const uint8_t *bytes,
                                brio_error *err) {
  return write_as(bus, BRIO_SERVO_REG_WRITE, id, address, count, bytes, err);
}

bool brio_servo_bus_action(brio_servo_bus *bus, int id, brio_error *err) {
  brio_servo_bus_begin(bus, id, BRIO_SERVO_ACTION);
  return brio_servo_bus_tell(bus, err);
}

/* Families without status packets do not answer a reboot. */
bool brio_servo_bus_reboot(brio_servo_bus *bus, int id, brio_error *err) {
  brio_servo_bus_begin(bus, id, BRIO_SERVO_REBOOT);
  return bus->family->status_packets ? brio_servo_bus_tell(bus, err) : brio_exchange_begin(&bus->x, err);
}

/* Return the register of a role in the servo's own layout. */
static const brio_register *register_of(const brio_servo_bus *bus, int id, brio_servo_role role,
                                        brio_error *err) {
  const brio_servo_family *layout = brio_servo_bus_layout(bus, id);
  const brio_register *reg = brio_servo_role_register(layout, role);
  if (!reg) brio_fail(err, BRIO_MISUSE, "servo %d (%s) has no such register", id, layout->name);
  return reg;
}

/* Values are in the register's own units. */
bool brio_servo_bus_get(brio_servo_bus *bus, int id, brio_servo_role role, int32_t *value, brio_error *err) {
  const brio_register *reg = register_of(bus, id, role, err);
  uint8_t bytes[4];
  if (!reg || !brio_servo_bus_read(bus, id, reg->address, reg->size, bytes, err)) return false;
  *value = brio_servo_value(bus->family, reg, bytes);
  return true;
}

bool brio_servo_bus_set(brio_servo_bus *bus, int id, brio_servo_role role, int32_t value, brio_error *err) {
  const brio_register *reg = register_of(bus, id, role, err);
  uint8_t bytes[4];
  if (!reg) return false;
  /* The byte order is that of the family, also for layouts of single models. */
  brio_servo_bytes(bus->family, reg, value, bytes);
  if (!brio_servo_bus_write(bus, id, reg->address, reg->size, bytes, err)) return false;
  /* Status packets refuse torque with an error.  Other families are silent, so read it back. */
  if (role != BRIO_ROLE_TORQUE || value == 0 || id == BRIO_SERVO_BROADCAST || bus->family->status_packets)
    return true;
  int32_t now; /* these families refuse torque without an error */
  if (!brio_servo_bus_get(bus, id, role, &now, err)) return false;
  return now != 0 || brio_fail(err, BRIO_DEVICE, "servo %d refuses torque: it stays off", id);
}
