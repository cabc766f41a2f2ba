/* Questions and answers on a bus of servos.  See servo_bus.h.
**
** How long an answer may take is known: its bytes at the baud rate, the servo's return delay of at
** most 0.5 ms, and what the adapter adds.  Before each question what came unasked is thrown away, so
** a late answer to the last one is not taken for the answer to this; one that comes later still is
** passed over when it is of another servo or length. */
#include <math.h>
#include <string.h>

#include "drivers/servo_bus.h"

static const double RETURN_DELAY = 0.0006; /* s, for each servo that answers */

enum { FAST_TRIES = 3, FAST_REST = 200, OVERHEAD = 11 /* bytes of the longest empty answer */ };

void brio_servo_bus_start(brio_servo_bus *bus, const brio_servo_family *family, brio_port *port) {
  memset(bus, 0, sizeof *bus);
  bus->family = family;
  bus->port = port;
  bus->latency = 0.02;
  bus->tries = 3;
  brio_wire_start(&bus->stream, family->protocol, BRIO_FROM_DEVICE);
}

/* ---- sending and receiving ---- */

/* Add a number of the family's width to the packet that is being made. */
static void add_number(brio_servo_bus *bus, int value) {
  bus->out.data[bus->out.length++] = (uint8_t)value;
  if (bus->family->address_bytes == 2) bus->out.data[bus->out.length++] = (uint8_t)(value >> 8);
}

static bool add_bytes(brio_servo_bus *bus, const uint8_t *bytes, int count) {
  if (count < 0 || bus->out.length + count > BRIO_PACKET_MOST) return false;
  if (count > 0) memcpy(bus->out.data + bus->out.length, bytes, (size_t)count);
  bus->out.length += count;
  return true;
}

static void begin(brio_servo_bus *bus, int id, int code) {
  bus->out.id = id;
  bus->out.code = code;
  bus->out.error = -1;
  bus->out.length = 0;
}

static bool send(brio_servo_bus *bus, brio_error *err) {
  uint8_t bytes[BRIO_FRAME_MOST];
  int count = bus->family->protocol->write(&bus->out, bytes, sizeof bytes);
  if (count == 0)
    return brio_fail(err, BRIO_MISUSE, "instruction 0x%02X with %d bytes for servo %d cannot be sent", bus->out.code,
                     bus->out.length, bus->out.id);
  brio_port_clear(bus->port);
  brio_wire_clear(&bus->stream);
  bus->asked++;
  bus->wire_free = fmax(bus->wire_free, brio_port_now(bus->port)) + count * 10.0 / bus->port->baud;
  return brio_port_write(bus->port, bytes, count, err);
}

/* When `bytes` bytes in `answers` answers to what was just sent must be there. */
static double deadline_of(const brio_servo_bus *bus, int bytes, int answers) {
  return bus->wire_free + bytes * 10.0 / bus->port->baud + answers * RETURN_DELAY + bus->latency;
}

/* Whether a packet is the host's own, heard on the line. */
static bool is_echo(const brio_servo_bus *bus, const brio_packet *in) {
  if (bus->family->status_packets) return in->code != BRIO_SERVO_STATUS;
  return in->id == bus->out.id && in->code == bus->out.code && in->length == bus->out.length && in->length > 0 &&
         memcmp(in->data, bus->out.data, (size_t)in->length) == 0;
}

/* Fetch the next packet from a servo into bus->in.  Return 1, 0: none until the deadline, -1: failed. */
static int receive(brio_servo_bus *bus, double deadline, brio_error *err) {
  uint8_t bytes[512];
  for (;;) {
    while (brio_wire_next(&bus->stream, &bus->in) > 0) {
      if (!is_echo(bus, &bus->in)) return 1;
    }
    double left = deadline - brio_port_now(bus->port);
    if (left <= 0) return 0;
    int got = brio_port_read(bus->port, bytes, sizeof bytes, left, err);
    if (got < 0) return -1;
    if (got > 0) brio_wire_feed(&bus->stream, bytes, got);
  }
}

static int error_of(const brio_servo_bus *bus) {
  return bus->family->status_packets ? bus->in.error : bus->in.code;
}

/* Say what an answer's error byte says.  An alert alone is no refusal. */
static bool check_result(brio_servo_bus *bus, int id, brio_error *err) {
  static const char *const words[] = {"",
                                      "the instruction failed (a hardware error stands, or torque is refused)",
                                      "it does not know the instruction",
                                      "it received the packet with errors",
                                      "a value is out of range",
                                      "the length of the data is wrong",
                                      "a value is beyond the limits set in it",
                                      "the register may not be written now (read only, or torque is on)"};
  bus->alert = error_of(bus);
  int result = bus->family->status_packets ? bus->alert & 0x7F : bus->alert & (int)bus->family->refusals;
  if (result == 0) return true;
  bus->refusals++;
  if (bus->family->status_packets)
    return brio_fail(err, BRIO_DEVICE, "servo %d refuses: %s", id, result < 8 ? words[result] : "an unknown error");
  brio_text text = {0};
  brio_servo_alert_words(bus->family, (unsigned)bus->alert, &text);
  brio_fail(err, BRIO_DEVICE, "servo %d reports: %s", id, text.bytes ? text.bytes : "an error");
  brio_text_end(&text);
  return false;
}

/* Send what was made and wait for servo `id` to answer with `length` bytes (-1: any number). */
static bool ask(brio_servo_bus *bus, int length, int tries, brio_error *err) {
  int id = bus->out.id, answer = OVERHEAD + (length > 0 ? length : 4);
  for (int i = 0; i < tries; i++) {
    if (i > 0) bus->retries++;
    if (!send(bus, err)) return false;
    double deadline = deadline_of(bus, answer, 1);
    int got;
    while ((got = receive(bus, deadline, err)) > 0) {
      bool refused = bus->in.id == id && bus->in.length == 0 && error_of(bus) != 0;
      if (bus->in.id == id && (length < 0 || bus->in.length == length || refused)) return check_result(bus, id, err);
      bus->strays++;
    }
    if (got < 0) return false;
    bus->timeouts++;
  }
  return brio_fail(err, BRIO_DEVICE, "servo %d did not answer on %s at %d baud, asked %d time%s", id, bus->port->name,
                   bus->port->baud, tries, tries == 1 ? "" : "s");
}

/* Send an instruction that is acknowledged unless it is for all. */
static bool tell(brio_servo_bus *bus, brio_error *err) {
  return bus->out.id == BRIO_SERVO_BROADCAST ? send(bus, err) : ask(bus, 0, bus->tries, err);
}

/* ---- one servo ---- */

bool brio_servo_bus_ping(brio_servo_bus *bus, int id, brio_servo_found *found, brio_error *err) {
  begin(bus, id, BRIO_SERVO_PING);
  bus->alert = 0;
  if (!ask(bus, bus->family->status_packets ? 3 : 0, 1, err) && bus->alert == 0) return false;
  *found = (brio_servo_found){.id = id, .baud = bus->port->baud};
  if (bus->in.length == 3) {
    found->model = bus->in.data[0] | bus->in.data[1] << 8;
    found->firmware = bus->in.data[2];
    return true;
  }
  int32_t value;
  if (brio_servo_bus_get(bus, id, BRIO_ROLE_MODEL, &value, NULL)) found->model = value;
  if (brio_servo_bus_get(bus, id, BRIO_ROLE_FIRMWARE, &value, NULL)) found->firmware = value;
  return true;
}

bool brio_servo_bus_read(brio_servo_bus *bus, int id, int address, int count, uint8_t *out, brio_error *err) {
  begin(bus, id, BRIO_SERVO_READ);
  add_number(bus, address);
  add_number(bus, count);
  if (!ask(bus, count, bus->tries, err)) return false;
  memcpy(out, bus->in.data, (size_t)count);
  return true;
}

static bool write_as(brio_servo_bus *bus, int code, int id, int address, int count, const uint8_t *bytes,
                     brio_error *err) {
  begin(bus, id, code);
  add_number(bus, address);
  if (!add_bytes(bus, bytes, count)) return brio_fail(err, BRIO_MISUSE, "%d bytes are too many for a packet", count);
  return tell(bus, err);
}

bool brio_servo_bus_write(brio_servo_bus *bus, int id, int address, int count, const uint8_t *bytes,
                          brio_error *err) {
  return write_as(bus, BRIO_SERVO_WRITE, id, address, count, bytes, err);
}

bool brio_servo_bus_write_later(brio_servo_bus *bus, int id, int address, int count, const uint8_t *bytes,
                                brio_error *err) {
  return write_as(bus, BRIO_SERVO_REG_WRITE, id, address, count, bytes, err);
}

bool brio_servo_bus_action(brio_servo_bus *bus, int id, brio_error *err) {
  begin(bus, id, BRIO_SERVO_ACTION);
  return tell(bus, err);
}

bool brio_servo_bus_reboot(brio_servo_bus *bus, int id, brio_error *err) {
  begin(bus, id, BRIO_SERVO_REBOOT);
  return bus->family->status_packets ? tell(bus, err) : send(bus, err);
}

static const brio_register *register_of(const brio_servo_bus *bus, brio_servo_role role, brio_error *err) {
  const brio_register *reg = brio_servo_role_register(bus->family, role);
  if (!reg) brio_fail(err, BRIO_MISUSE, "%s servos have no such register", bus->family->name);
  return reg;
}

bool brio_servo_bus_get(brio_servo_bus *bus, int id, brio_servo_role role, int32_t *value, brio_error *err) {
  const brio_register *reg = register_of(bus, role, err);
  uint8_t bytes[4];
  if (!reg || !brio_servo_bus_read(bus, id, reg->address, reg->size, bytes, err)) return false;
  *value = brio_servo_value(bus->family, reg, bytes);
  return true;
}

bool brio_servo_bus_set(brio_servo_bus *bus, int id, brio_servo_role role, int32_t value, brio_error *err) {
  const brio_register *reg = register_of(bus, role, err);
  uint8_t bytes[4];
  if (!reg) return false;
  brio_servo_bytes(bus->family, reg, value, bytes);
  if (!brio_servo_bus_write(bus, id, reg->address, reg->size, bytes, err)) return false;
  if (role != BRIO_ROLE_TORQUE || value == 0 || id == BRIO_SERVO_BROADCAST || bus->family->status_packets) return true;
  int32_t now; /* families whose answers do not say so refuse torque in silence */
  if (!brio_servo_bus_get(bus, id, role, &now, err)) return false;
  return now != 0 || brio_fail(err, BRIO_DEVICE, "servo %d refuses torque: it stays off", id);
}

/* ---- many servos ---- */

bool brio_servo_bus_sync_write(brio_servo_bus *bus, const uint8_t *ids, int n, int address, int size,
                               const uint8_t *bytes, brio_error *err) {
  begin(bus, BRIO_SERVO_BROADCAST, BRIO_SERVO_SYNC_WRITE);
  add_number(bus, address);
  add_number(bus, size);
  for (int i = 0; i < n; i++)
    if (!add_bytes(bus, &ids[i], 1) || !add_bytes(bus, bytes + i * size, size))
      return brio_fail(err, BRIO_MISUSE, "%d servos with %d bytes each are too many for a packet", n, size);
  return send(bus, err);
}

/* Take the answers of servos to a sync or bulk read, in any order.  Return how many came. */
static int collect(brio_servo_bus *bus, const uint8_t *ids, int n, const int *sizes, int size, uint8_t *out,
                   bool *valid, uint8_t *errors, double deadline, brio_error *err) {
  int answered = 0, got = 0;
  while (answered < n && (got = receive(bus, deadline, err)) > 0) {
    int i = 0, at = 0;
    while (i < n && (ids[i] != bus->in.id || valid[i])) at += sizes ? sizes[i++] : (i++, size);
    int length = i < n ? sizes ? sizes[i] : size : -1;
    if (bus->in.length != length) {
      bus->strays++;
      continue;
    }
    memcpy(out + at, bus->in.data, (size_t)length);
    valid[i] = true;
    if (errors) errors[i] = (uint8_t)error_of(bus);
    answered++;
  }
  if (got < 0) return -1;
  if (answered < n) bus->timeouts++;
  return answered;
}

/* Make a sync read of the servos that are not `valid`, all when `skip` is not set.  Return how many. */
static int make_sync_read(brio_servo_bus *bus, int code, const uint8_t *ids, int n, int address, int size,
                          const bool *valid) {
  int asked = 0;
  begin(bus, BRIO_SERVO_BROADCAST, code);
  add_number(bus, address);
  add_number(bus, size);
  for (int i = 0; i < n; i++)
    if (!valid[i] && add_bytes(bus, &ids[i], 1)) asked++;
  return asked;
}

/* Take one servo's part of a fast answer: error, id, data, CRC. */
static bool take_part(const uint8_t *part, int id, int size, uint8_t *out, bool *valid, uint8_t *error) {
  if (part[1] != id) return false;
  memcpy(out, part + 2, (size_t)size);
  *valid = true;
  if (error) *error = part[0];
  return true;
}

/* Read by a fast sync read.  Return how many answered: all or none; -1: the port failed. */
static int fast_read(brio_servo_bus *bus, const uint8_t *ids, int n, int address, int size, uint8_t *out, bool *valid,
                     uint8_t *errors, brio_error *err) {
  int stride = size + 4, got, whole = 7 + 1 + n * stride;
  if (make_sync_read(bus, BRIO_SERVO_FAST_SYNC_READ, ids, n, address, size, valid) < n || whole > BRIO_FRAME_MOST)
    return 0;
  if (!send(bus, err)) return -1;
  double deadline = deadline_of(bus, whole, 1);
  while ((got = receive(bus, deadline, err)) > 0) {
    const uint8_t *frame = bus->stream.frame;
    int length = frame[5] | frame[6] << 8, taken = 0;
    if (bus->in.id != BRIO_SERVO_BROADCAST || length + 7 != whole) {
      bus->strays++;
      continue;
    }
    for (; taken < n; taken++)
      if (!take_part(frame + 8 + taken * stride, ids[taken], size, out + taken * size, &valid[taken],
                     errors ? &errors[taken] : NULL))
        break;
    if (taken == n) return n;
    memset(valid, 0, (size_t)n * sizeof *valid);
  }
  if (got == 0) bus->timeouts++;
  return got;
}

/* Whether a fast read is worth trying: after some failures it rests for a while. */
static bool fast_works(brio_servo_bus *bus) {
  if (!bus->family->fast) return false;
  if (bus->fast_failed < FAST_TRIES) return true;
  if (++bus->fast_failed < FAST_REST) return false;
  bus->fast_failed = 0;
  return true;
}

static int read_singly(brio_servo_bus *bus, const uint8_t *ids, int n, int address, int size, uint8_t *out,
                       bool *valid, uint8_t *errors) {
  int answered = 0;
  for (int i = 0; i < n; i++) {
    valid[i] = brio_servo_bus_read(bus, ids[i], address, size, out + i * size, NULL);
    if (errors && valid[i]) errors[i] = (uint8_t)bus->alert;
    answered += valid[i];
  }
  return answered;
}

int brio_servo_bus_sync_read(brio_servo_bus *bus, const uint8_t *ids, int n, int address, int size, uint8_t *out,
                             bool *valid, uint8_t *errors, brio_error *err) {
  int answered = 0;
  if (n < 1 || size < 1 || size > 64) {
    brio_fail(err, BRIO_MISUSE, "%d bytes of %d servos cannot be read at once", size, n);
    return -1;
  }
  memset(valid, 0, (size_t)n * sizeof *valid);
  if (!bus->family->sync_read) return read_singly(bus, ids, n, address, size, out, valid, errors);
  if (fast_works(bus)) {
    answered = fast_read(bus, ids, n, address, size, out, valid, errors, err);
    if (answered != 0) {
      bus->fast_failed = 0;
      return answered;
    }
    bus->fast_failed++;
  }
  for (int i = 0; i < bus->tries && answered < n; i++) {
    int asked = make_sync_read(bus, BRIO_SERVO_SYNC_READ, ids, n, address, size, valid);
    if (i > 0) bus->retries++;
    if (!send(bus, err)) return -1;
    double deadline = deadline_of(bus, asked * (OVERHEAD + size), asked);
    int got = collect(bus, ids, n, NULL, size, out, valid, errors, deadline, err);
    if (got < 0) return -1;
    answered = 0;
    for (int k = 0; k < n; k++) answered += valid[k];
  }
  return answered;
}

int brio_servo_bus_bulk_read(brio_servo_bus *bus, const uint8_t *ids, const int *addresses, const int *sizes, int n,
                             uint8_t *out, bool *valid, brio_error *err) {
  int bytes = 0;
  begin(bus, BRIO_SERVO_BROADCAST, BRIO_SERVO_BULK_READ);
  for (int i = 0; i < n && bus->family->bulk; i++) {
    if (sizes[i] < 1 || sizes[i] > 64 || !add_bytes(bus, &ids[i], 1) || bus->out.length + 4 > BRIO_PACKET_MOST) {
      brio_fail(err, BRIO_MISUSE, "%d bytes of %d servos cannot be read at once", sizes[i], n);
      return -1;
    }
    add_number(bus, addresses[i]);
    add_number(bus, sizes[i]);
    bytes += sizes[i] + OVERHEAD;
  }
  if (n < 1 || !bus->family->bulk) {
    brio_fail(err, BRIO_MISUSE, "%s servos know no bulk read of %d servos", bus->family->name, n);
    return -1;
  }
  memset(valid, 0, (size_t)n * sizeof *valid);
  if (!send(bus, err)) return -1;
  return collect(bus, ids, n, sizes, 0, out, valid, NULL, deadline_of(bus, bytes, n), err);
}

bool brio_servo_bus_bulk_write(brio_servo_bus *bus, const uint8_t *ids, const int *addresses, const int *sizes, int n,
                               const uint8_t *bytes, brio_error *err) {
  if (!bus->family->bulk) return brio_fail(err, BRIO_MISUSE, "%s servos know no bulk write", bus->family->name);
  begin(bus, BRIO_SERVO_BROADCAST, BRIO_SERVO_BULK_WRITE);
  for (int i = 0; i < n; bytes += sizes[i++]) {
    if (sizes[i] < 1 || bus->out.length + 5 + sizes[i] > BRIO_PACKET_MOST)
      return brio_fail(err, BRIO_MISUSE, "%d bytes of %d servos cannot be written at once", sizes[i], n);
    add_bytes(bus, &ids[i], 1);
    add_number(bus, addresses[i]);
    add_number(bus, sizes[i]);
    add_bytes(bus, bytes, sizes[i]);
  }
  return send(bus, err);
}

/* ---- setting up ---- */

/* Make stored registers writable, or protect them again. */
static bool set_writable(brio_servo_bus *bus, int id, bool writable, brio_error *err) {
  if (brio_servo_role_register(bus->family, BRIO_ROLE_LOCK))
    return brio_servo_bus_set(bus, id, BRIO_ROLE_LOCK, !writable, err);
  return !writable || brio_servo_bus_set(bus, id, BRIO_ROLE_TORQUE, 0, err);
}

bool brio_servo_bus_change_id(brio_servo_bus *bus, int id, int fresh, brio_error *err) {
  brio_servo_found found;
  if (fresh < 0 || fresh > 252) return brio_fail(err, BRIO_MISUSE, "an id is 0 to 252, not %d", fresh);
  if (fresh == id) return true;
  if (brio_servo_bus_ping(bus, fresh, &found, NULL))
    return brio_fail(err, BRIO_DEVICE, "servo %d cannot become %d: there is one already", id, fresh);
  if (!set_writable(bus, id, true, err)) return false;
  if (!brio_servo_bus_set(bus, id, BRIO_ROLE_ID, fresh, err) && !brio_servo_bus_ping(bus, fresh, &found, NULL))
    return false;
  return set_writable(bus, fresh, false, err);
}

bool brio_servo_bus_change_baud(brio_servo_bus *bus, int id, int baud, brio_error *err) {
  int code = brio_servo_baud_code(bus->family, baud), before = bus->port->baud;
  brio_servo_found found;
  if (code < 0) return brio_fail(err, BRIO_MISUSE, "%s servos know no baud rate of %d", bus->family->name, baud);
  if (!set_writable(bus, id, true, err)) return false;
  brio_servo_bus_set(bus, id, BRIO_ROLE_BAUD, code, NULL); /* its answer may come at either rate */
  if (!brio_port_set_baud(bus->port, baud, err)) return false;
  for (int i = 0; i < bus->tries; i++)
    if (brio_servo_bus_ping(bus, id, &found, err)) return set_writable(bus, id, false, err);
  brio_port_set_baud(bus->port, before, NULL);
  return brio_fail_in(err, "after the change to %d baud", baud);
}

int brio_servo_bus_scan(brio_servo_bus *bus, int first, int last, brio_servo_found *found, int most, brio_error *err) {
  int count = 0;
  for (int id = first; id <= last; id++) {
    brio_servo_found one;
    brio_error why = {0};
    if (brio_servo_bus_ping(bus, id, &one, &why)) {
      if (count < most) found[count] = one;
      count++;
    } else if (why.code == BRIO_IO) {
      if (err) *err = why;
      return -1;
    }
  }
  return count;
}
