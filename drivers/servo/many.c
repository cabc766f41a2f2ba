/* Reading and writing many servos with one packet.  See bus.h.  The answer to a fast read is one
** frame that the servos write in turn.  Each part ends with the CRC of all bytes up to it (ROBOTIS
** e-Manual, Protocol 2.0), so the parts before a missing servo are as reliable as a whole frame. */
#include <assert.h>
#include <string.h>

#include "drivers/protocols/checksum.h"
#include "drivers/servo/bus_internal.h"

/* After FAST_TRIES failures fast reads pause for FAST_REST cycles. */
enum { FAST_TRIES = 3, FAST_REST = 200, HEAD = 8 /* bytes of a fast answer before its first part */ };
enum { POLYNOMIAL = 0x8005, MOST_BYTES = 64 };

/* Address, size, then id and data of each servo.  Nobody answers. */
bool brio_servo_bus_sync_write(brio_servo_bus *bus, const uint8_t *ids, int n, int address, int size,
                               const uint8_t *bytes, brio_error *err) {
  assert(n >= 0 && size > 0);
  brio_servo_bus_begin(bus, BRIO_SERVO_BROADCAST, BRIO_SERVO_SYNC_WRITE);
  brio_servo_bus_add_number(bus, address);
  brio_servo_bus_add_number(bus, size);
  /* All servos must fit into one packet; the caller splits them. */
  for (int i = 0; i < n; i++)
    if (!brio_servo_bus_add(bus, &ids[i], 1) || !brio_servo_bus_add(bus, bytes + i * size, size))
      return brio_fail(err, BRIO_MISUSE, "%d servos with %d bytes each are too many for a packet", n, size);
  return brio_exchange_begin(&bus->x, err);
}

/* Collect the answers to a sync or bulk read, in any order, into out and valid.  Return how many
** arrived; -1: the port failed.  O(n) per answer. */
static int collect(brio_servo_bus *bus, const uint8_t *ids, int n, const int *sizes, int size, uint8_t *out,
                   bool *valid, uint8_t *errors, double deadline, brio_error *err) {
  int answered = 0, got = 0;
  while (answered < n && (got = brio_servo_bus_receive(bus, deadline, err)) > 0) {
    /* Find the first servo of this id without an answer; `at`: the position of its bytes. */
    int i = 0, at = 0;
    while (i < n && (ids[i] != bus->x.in.id || valid[i])) at += sizes ? sizes[i++] : (i++, size);
    /* -1: no servo of this id was asked, or it has answered already. */
    int length = i < n ? sizes ? sizes[i] : size : -1;
    if (bus->x.in.length != length) {
      bus->x.strays++;
      continue;
    }
    /* The data go to the servo's place in `out`. */
    memcpy(out + at, bus->x.in.data, (size_t)length);
    valid[i] = true;
    if (errors) errors[i] = (uint8_t)brio_servo_bus_error(bus);
    answered++;
  }
  if (got < 0) return -1;
  /* A lost answer is counted once per read. */
  if (answered < n) bus->x.timeouts++;
  return answered;
}

/* Make a sync read of the servos that are not yet `valid`.  Return how many fit. */
static int make_sync_read(brio_servo_bus *bus, int code, const uint8_t *ids, int n, int address, int size,
                          const bool *valid) {
  int asked = 0;
  brio_servo_bus_begin(bus, BRIO_SERVO_BROADCAST, code);
  brio_servo_bus_add_number(bus, address);
  brio_servo_bus_add_number(bus, size);
  for (int i = 0; i < n; i++)
    if (!valid[i] && brio_servo_bus_add(bus, &ids[i], 1)) asked++;
  return asked;
}

/* A fast read: `size` bytes of each servo, or sizes[i]. */
typedef struct fast {
  const uint8_t *ids;
  const int *sizes;
  int n, size;
  uint8_t *out;
  bool *valid;
  uint8_t *errors;
} fast;

/* Return how many bytes servo `i` of a fast read sends. */
static int size_of(const fast *f, int i) { return f->sizes ? f->sizes[i] : f->size; }

/* Return the length of the whole answer: each part has an error byte, an id and a CRC. */
static int whole_of(const fast *f) {
  int whole = HEAD;
  for (int i = 0; i < f->n; i++) whole += size_of(f, i) + 4;
  return whole;
}

/* Read the parts of a fast answer of which `count` bytes arrived, up to the first wrong one.
** Return how many are correct. */
static int take_parts(const fast *f, const uint8_t *frame, int count) {
  int at = HEAD, done = 0, taken = 0, to = 0;
  uint16_t crc = 0;
  for (; taken < f->n; to += size_of(f, taken++)) {
    /* The CRC continues over all parts: a wrong byte invalidates its part and all later ones. */
    int end = at + 2 + size_of(f, taken);
    if (end + 2 > count || frame[at + 1] != f->ids[taken]) break;
    crc = brio_checksum_crc16(frame + done, end - done, crc, POLYNOMIAL);
    done = end;
    if (frame[end] != (crc & 0xFF) || frame[end + 1] != crc >> 8) break;
    /* Everything up to this CRC is correct. */
    memcpy(f->out + to, frame + at + 2, (size_t)size_of(f, taken));
    f->valid[taken] = true;
    if (f->errors) f->errors[taken] = frame[at];
    at = end + 2;
  }
  return taken;
}

/* Use the correct parts of an incomplete answer, whose header must announce the whole length. */
static int take_begun(const brio_servo_bus *bus, const fast *f, int whole) {
  const brio_wire_stream *stream = &bus->x.stream;
  /* The stream still holds the bytes of the packet that was not completed. */
  const uint8_t *frame = stream->bytes + stream->start;
  static const uint8_t mark[] = {0xFF, 0xFF, 0xFD, 0x00, BRIO_SERVO_BROADCAST};
  if (stream->count < HEAD || memcmp(frame, mark, sizeof mark) != 0 || frame[7] != BRIO_SERVO_STATUS)
    return 0;
  return (frame[5] | frame[6] << 8) + 7 == whole ? take_parts(f, frame, stream->count) : 0;
}

/* Send the packet and read its answer.  Return how many servos answered; -1: the port failed. */
static int fast_answer(brio_servo_bus *bus, const fast *f, brio_error *err) {
  int got, whole = whole_of(f);
  /* Longer than any frame: the caller uses other reads. */
  if (whole > BRIO_FRAME_MOST) return 0;
  if (!brio_exchange_begin(&bus->x, err)) return -1;
  double deadline = brio_servo_bus_deadline(bus, whole, 1);
  while ((got = brio_servo_bus_receive(bus, deadline, err)) > 0) {
    const uint8_t *frame = bus->x.stream.frame;
    /* A broadcast id, and the announced length. */
    if (bus->x.in.id == BRIO_SERVO_BROADCAST && (frame[5] | frame[6] << 8) + 7 == whole)
      return take_parts(f, frame, whole);
    bus->x.strays++;
  }
  if (got == 0) bus->x.timeouts++;
  return got == 0 ? take_begun(bus, f, whole) : got;
}

/* Read all servos with one fast sync read. */
static int fast_read(brio_servo_bus *bus, const uint8_t *ids, int n, int address, int size, uint8_t *out,
                     bool *valid, uint8_t *errors, brio_error *err) {
  const fast f = {.ids = ids, .n = n, .size = size, .out = out, .valid = valid, .errors = errors};
  if (make_sync_read(bus, BRIO_SERVO_FAST_SYNC_READ, ids, n, address, size, valid) < n) return 0;
  return fast_answer(bus, &f, err);
}

/* Return true if a fast read is worth trying: after some failures it pauses for a while. */
static bool fast_works(brio_servo_bus *bus) {
  if (!bus->family->fast) return false;
  if (bus->fast_failed < FAST_TRIES) return true;
  if (++bus->fast_failed < FAST_REST) return false;
  bus->fast_failed = 0;
  return true;
}

/* Read each servo alone, as old firmware requires.  Only a port failure ends this. */
static int read_singly(brio_servo_bus *bus, const uint8_t *ids, int n, int address, int size, uint8_t *out,
                       bool *valid, uint8_t *errors, brio_error *err) {
  int answered = 0;
  for (int i = 0; i < n; i++) {
    /* Silence of one servo does not concern the others. */
    brio_error why = {0};
    valid[i] = brio_servo_bus_read(bus, ids[i], address, size, out + i * size, &why);
    if (errors && valid[i]) errors[i] = (uint8_t)bus->alert;
    answered += valid[i];
    if (why.code != BRIO_IO) continue;
    if (err) *err = why;
    return -1;
  }
  return answered;
}

/* Return how many flags are set. */
static int count_of(const bool *valid, int n) {
  int count = 0;
  for (int i = 0; i < n; i++) count += valid[i];
  return count;
}

/* Read the servos that are not yet `valid` by sync reads.  Return how many are valid then; -1: the
** port failed. */
static int read_in_turn(brio_servo_bus *bus, const uint8_t *ids, int n, int address, int size, uint8_t *out,
                        bool *valid, uint8_t *errors, brio_error *err) {
  int answered = count_of(valid, n);
  /* Each try asks only those that are missing. */
  for (int i = 0; i < bus->x.tries && answered < n; i++) {
    int asked = make_sync_read(bus, BRIO_SERVO_SYNC_READ, ids, n, address, size, valid);
    if (i > 0) bus->x.retries++;
    if (!brio_exchange_begin(&bus->x, err)) return -1;
    double deadline = brio_servo_bus_deadline(bus, asked * (BRIO_SERVO_OVERHEAD + size), asked);
    if (collect(bus, ids, n, NULL, size, out, valid, errors, deadline, err) < 0) return -1;
    answered = count_of(valid, n);
  }
  return answered;
}

int brio_servo_bus_sync_read(brio_servo_bus *bus, const uint8_t *ids, int n, int address, int size,
                             uint8_t *out, bool *valid, uint8_t *errors, brio_error *err) {
  if (n < 1 || size < 1 || size > MOST_BYTES) {
    brio_fail(err, BRIO_MISUSE, "%d bytes of %d servos cannot be read at once", size, n);
    return -1;
  }
  /* In order: single reads where nothing else works, fast sync read, sync read. */
  memset(valid, 0, (size_t)n * sizeof *valid);
  if (!bus->family->sync_read || bus->no_sync)
    return read_singly(bus, ids, n, address, size, out, valid, errors, err);
  if (fast_works(bus)) {
    int answered = fast_read(bus, ids, n, address, size, out, valid, errors, err);
    /* Some parts correct counts as success; the rest is read below. */
    bus->fast_failed = answered > 0 ? 0 : bus->fast_failed + 1;
    if (answered < 0 || answered == n) return answered;
  }
  int answered = read_in_turn(bus, ids, n, address, size, out, valid, errors, err);
  if (answered != 0) return answered;
  /* Nobody answered.  If one servo answers a single read, this old firmware has no sync read. */
  bus->no_sync = brio_servo_bus_read(bus, ids[0], address, size, out, NULL);
  return bus->no_sync ? read_singly(bus, ids, n, address, size, out, valid, errors, err) : 0;
}

/* ---- bulk: different registers of each servo ---- */

/* Start a bulk read.  Return the length of the answers; -1, with an error: it cannot be made. */
static int make_bulk_read(brio_servo_bus *bus, int code, const uint8_t *ids, const int *addresses,
                          const int *sizes, int n, brio_error *err) {
  bool wide = bus->family->address_bytes == 2;
  int bytes = 0;
  brio_servo_bus_begin(bus, BRIO_SERVO_BROADCAST, code);
  /* Protocol 1.0 has a leading 0 and another order of fields. */
  if (!wide) brio_servo_bus_add_number(bus, 0);
  for (int i = 0; i < n; i++) {
    const uint8_t one[] = {(uint8_t)sizes[i], ids[i], (uint8_t)addresses[i]}; /* order of Protocol 1.0 */
    if (!brio_servo_bus_layout(bus, ids[i])->bulk)
      return brio_fail(err, BRIO_MISUSE, "servo %d knows no bulk read", ids[i]), -1;
    bool good = sizes[i] >= 1 && sizes[i] <= MOST_BYTES;
    /* Id, address, size in Protocol 2.0. */
    if (wide)
      good = good && brio_servo_bus_add(bus, &ids[i], 1) && brio_servo_bus_add_number(bus, addresses[i]) &&
             brio_servo_bus_add_number(bus, sizes[i]);
    else good = good && brio_servo_bus_add(bus, one, 3);
    if (!good)
      return brio_fail(err, BRIO_MISUSE, "%d bytes of %d servos cannot be read at once", sizes[i], n), -1;
    bytes += sizes[i] + BRIO_SERVO_OVERHEAD;
  }
  return n > 0 ? bytes : (brio_fail(err, BRIO_MISUSE, "a bulk read of no servos"), -1);
}

/* All answer in the order of the request; a missing one does not stop the others. */
int brio_servo_bus_bulk_read(brio_servo_bus *bus, const uint8_t *ids, const int *addresses, const int *sizes,
                             int n, uint8_t *out, bool *valid, brio_error *err) {
  /* The deadline allows for all answers, each with its return delay. */
  int bytes = make_bulk_read(bus, BRIO_SERVO_BULK_READ, ids, addresses, sizes, n, err);
  if (bytes < 0) return -1;
  memset(valid, 0, (size_t)n * sizeof *valid);
  if (!brio_exchange_begin(&bus->x, err)) return -1;
  return collect(bus, ids, n, sizes, 0, out, valid, NULL, brio_servo_bus_deadline(bus, bytes, n), err);
}

/* All answer in one frame, which ends at the first missing servo. */
int brio_servo_bus_fast_bulk_read(brio_servo_bus *bus, const uint8_t *ids, const int *addresses,
                                  const int *sizes, int n, uint8_t *out, bool *valid, brio_error *err) {
  const fast f = {.ids = ids, .sizes = sizes, .n = n, .out = out, .valid = valid};
  if (!bus->family->fast) {
    brio_fail(err, BRIO_MISUSE, "%s servos know no fast bulk read", bus->family->name);
    return -1;
  }
  if (make_bulk_read(bus, BRIO_SERVO_FAST_BULK_READ, ids, addresses, sizes, n, err) < 0) return -1;
  memset(valid, 0, (size_t)n * sizeof *valid);
  return fast_answer(bus, &f, err);
}

bool brio_servo_bus_bulk_write(brio_servo_bus *bus, const uint8_t *ids, const int *addresses,
                               const int *sizes, int n, const uint8_t *bytes, brio_error *err) {
  if (!bus->family->bulk)
    return brio_fail(err, BRIO_MISUSE, "%s servos know no bulk write", bus->family->name);
  brio_servo_bus_begin(bus, BRIO_SERVO_BROADCAST, BRIO_SERVO_BULK_WRITE);
  /* Id, address, size and data of each servo. */
  for (int i = 0; i < n; bytes += sizes[i++]) {
    if (sizes[i] < 1 || bus->x.out.length + 5 + sizes[i] > BRIO_PACKET_MOST)
      return brio_fail(err, BRIO_MISUSE, "%d bytes of %d servos cannot be written at once", sizes[i], n);
    brio_servo_bus_add(bus, &ids[i], 1);
    brio_servo_bus_add_number(bus, addresses[i]);
    brio_servo_bus_add_number(bus, sizes[i]);
    brio_servo_bus_add(bus, bytes, sizes[i]);
  }
  return brio_exchange_begin(&bus->x, err);
}
