/* A CANopen bus: SDO transfers (expedited and segmented), and the state of the bus itself.  A reply
** must come from the node asked and, where its kind has one, name the object; segments must
** alternate the toggle bit.  Frames that fit nothing are skipped and counted.  A request without a
** reply is repeated from the start.  A transfer that is given up is aborted, so that the node does
** not wait.  Source: CiA 301. */
#include <assert.h>
#include <string.h>

#include "drivers/cia402/canopen.h"
#include "drivers/cia402/cia402.h"

/* SDO identifiers, to which the node is added; data bytes of a segment; class of error frames;
** nodes asked at a time in a scan. */
enum { REQUEST = 0x600, REPLY = 0x580, SEGMENT = 7, ERROR_FRAME = 1, AT_A_TIME = 16 };

/* SocketCAN error frames (linux/can/error.h): classes in the identifier, the controller's state in
** byte 1. */
enum { BUS_OFF = 0x40, RESTARTED = 0x100, NOT_HEARD = 0x20 };
enum { CONTROLLER = 0x04, PASSIVE = 0x30, ACTIVE = 0x40 };

extern const brio_protocol brio_protocol_canopen;

/* Abort codes that the host sends. */
static const uint32_t TIMED_OUT = 0x05040000, WRONG_TOGGLE = 0x05030000, TOO_LONG = 0x06070012;
static const double FRAME_BITS = 130; /* bits of the longest frame, with stuffing and interframe space */

void brio_canopen_start(brio_canopen *bus, brio_port *port, double latency) {
  memset(bus, 0, sizeof *bus);
  brio_exchange_start(&bus->x, &brio_protocol_canopen, port);
  bus->x.latency = latency;
}

bool brio_canopen_send(brio_canopen *bus, int id, const uint8_t *data, int length, brio_error *err) {
  assert(length >= 0 && length <= 8);
  brio_exchange_make(&bus->x, id, -1, data, length);
  return brio_exchange_send(&bus->x, err);
}

bool brio_canopen_manage(brio_canopen *bus, int command, int node, brio_error *err) {
  return brio_canopen_send(bus, 0, (const uint8_t[]){(uint8_t)command, (uint8_t)node}, 2, err);
}

/* ---- receiving ---- */

/* Follow the state of the bus controller: off, no acknowledgement, active, restarted. */
static void note_error(brio_canopen *bus, const brio_packet *in) {
  if (in->id & BUS_OFF) bus->off = true;
  if (in->id & NOT_HEARD) bus->unheard = true;
  /* Error passive counts like a missing acknowledgement: no node receives the frames. */
  if ((in->id & CONTROLLER) && in->length > 1 && (in->data[1] & PASSIVE)) bus->unheard = true;
  if ((in->id & CONTROLLER) && in->length > 1 && (in->data[1] & ACTIVE)) bus->unheard = false;
  /* After a restart the bus is usable, but `was_off` stays: the drives need a new setup. */
  if (!(in->id & RESTARTED)) return;
  bus->was_off = bus->was_off || bus->off;
  bus->off = bus->unheard = false;
}

/* Return false, with the likely causes, while the controller is off the bus. */
static bool is_on(const brio_canopen *bus, brio_error *err) {
  return !bus->off || brio_fail(err, BRIO_DEVICE,
                                "%s is off the bus after too many errors: a short, no termination, or "
                                "another bit rate?",
                                bus->x.port->name);
}

int brio_canopen_receive(brio_canopen *bus, double deadline, brio_error *err) {
  uint8_t bytes[512];
  brio_exchange *x = &bus->x;
  for (;;) {
    /* Frames that are buffered first, then wait for more. */
    while (brio_wire_next(&x->stream, &x->in) > 0) {
      if (x->in.error > 0) {
        /* Only error frames concern the bus state. */
        if (x->in.error & ERROR_FRAME) note_error(bus, &x->in);
        if (!is_on(bus, err)) return -1;
        continue; /* remote and extended frames are not CANopen */
      }
      if (bus->hear) bus->hear(bus->context, &x->in);
      return 1;
    }
    double left = deadline - brio_port_now(x->port);
    int got = brio_port_read(x->port, bytes, sizeof bytes, left > 0 ? left : 0, err);
    if (got < 0) return -1;
    /* Feed the stream; 0 bytes after the deadline end the wait. */
    if (got > 0) brio_wire_feed(&x->stream, bytes, got);
    else if (left <= 0) return is_on(bus, err) ? 0 : -1;
  }
}

bool brio_canopen_drain(brio_canopen *bus, brio_error *err) {
  double now = brio_port_now(bus->x.port);
  int got = 1;
  /* At most 1024 frames: a bus that is never silent must not block the caller. */
  for (int i = 0; i < 1024 && got > 0; i++) got = brio_canopen_receive(bus, now, err);
  return got >= 0;
}

/* ---- service data ---- */

/* Abort a transfer: command 80, then the object and the code, low byte first. */
static void abort_transfer(brio_canopen *bus, int node, const uint8_t object[3], uint32_t code) {
  uint8_t data[8] = {0x80, object[0], object[1], object[2]};
  brio_cia402_put(data + 4, (int32_t)code, 4);
  brio_canopen_send(bus, REQUEST + node, data, 8, NULL);
}

/* Send a request and wait for its reply, then in x.in.  `object`: the reply must name it; NULL: a
** segment's reply.  `kind`: the top 3 bits of the reply.  Return 1; 0: no reply; -1: refused, or
** the port failed. */
static int ask_once(brio_canopen *bus, int node, const uint8_t data[8], const uint8_t *object, int kind,
                    brio_error *err) {
  brio_exchange *x = &bus->x;
  /* Frames that came before the request cannot be its reply. */
  if (!brio_canopen_drain(bus, err)) return -1;
  x->asked++;
  if (!brio_canopen_send(bus, REQUEST + node, data, 8, err)) return -1;
  /* Time limit: both frames on the wire, and the node's latency. */
  double deadline = brio_port_now(x->port) + x->latency + 2 * FRAME_BITS / x->port->baud;
  for (int got; (got = brio_canopen_receive(bus, deadline, err)) != 0;) {
    if (got < 0) return -1;
    /* Accept a reply of this node with 8 bytes and this object and kind.  An abort (80) fits any
    ** kind. */
    const uint8_t *reply = x->in.data;
    if (x->in.id != REPLY + node || x->in.length < 8) continue;
    if ((object && memcmp(reply + 1, object, 3) != 0) || (reply[0] != 0x80 && reply[0] >> 5 != kind)) {
      x->strays++;
      continue;
    }
    /* Not an abort: success. */
    if (reply[0] != 0x80) return 1;
    bus->aborted = (uint32_t)brio_cia402_number(reply + 4, 4);
    return -1;
  }
  x->timeouts++;
  return 0;
}

/* Name the object and the abort code in words. */
static bool fail_refused(const brio_canopen *bus, int node, const uint8_t object[3], brio_error *err) {
  brio_text words = {0};
  brio_cia402_object_words(brio_cia402_number(object, 2), object[2], &words);
  brio_text_format(&words, ": ");
  brio_cia402_abort_words(bus->aborted, &words);
  brio_fail(err, BRIO_DEVICE, "node %d refuses %s", node, words.bytes ? words.bytes : "an object");
  brio_text_end(&words);
  return false;
}

/* Abort a transfer that went wrong on this side. */
static int give_up(brio_canopen *bus, int node, const uint8_t object[3], uint32_t code) {
  bus->aborted = code;
  abort_transfer(bus, node, object, code);
  return -1;
}

/* Fetch segments until the one marked as last (bit 0).  Return as ask_once. */
static int fetch_segments(brio_canopen *bus, int node, const uint8_t object[3], uint8_t *out, int room,
                          int *length, brio_error *err) {
  *length = 0;
  for (int toggle = 0;; toggle ^= 0x10) {
    /* Command 60 requests a segment; bit 4 toggles. */
    uint8_t data[8] = {(uint8_t)(0x60 | toggle)};
    int got = ask_once(bus, node, data, NULL, 0, err);
    if (got == 0) abort_transfer(bus, node, object, TIMED_OUT);
    if (got <= 0) return got;
    const uint8_t *reply = bus->x.in.data;
    /* Bits 1 to 3: unused bytes of the segment. */
    int count = SEGMENT - (reply[0] >> 1 & 7);
    /* A wrong toggle bit shows a repeated or lost segment.  No segment may overrun `out`. */
    if ((reply[0] & 0x10) != toggle) return give_up(bus, node, object, WRONG_TOGGLE);
    if (*length + count > room) return give_up(bus, node, object, TOO_LONG);
    memcpy(out + *length, reply + 1, (size_t)count);
    *length += count;
    if (reply[0] & 1) return 1;
  }
}

/* Start an upload (40).  Up to 4 bytes arrive in the reply (expedited), more in segments. */
static int read_once(brio_canopen *bus, int node, const uint8_t object[3], uint8_t *out, int room,
                     int *length, brio_error *err) {
  uint8_t data[8] = {0x40, object[0], object[1], object[2]};
  int got = ask_once(bus, node, data, object, 2, err);
  if (got <= 0) return got;
  const uint8_t *reply = bus->x.in.data;
  /* Bit 1: expedited.  Bit 0: the size is given, in bits 2 and 3 as unused bytes. */
  bool whole = reply[0] & 2, sized = reply[0] & 1;
  if (!whole) return fetch_segments(bus, node, object, out, room, length, err);
  *length = sized ? 4 - (reply[0] >> 2 & 3) : 4;
  /* A shorter buffer gets the first bytes. */
  if (*length > room) *length = room;
  memcpy(out, reply + 4, (size_t)*length);
  return 1;
}

/* Start a download.  Up to 4 bytes fit the request (23, unused bytes in bits 2 and 3); more need
** the size first (21), then segments. */
static int write_once(brio_canopen *bus, int node, const uint8_t object[3], const uint8_t *bytes, int length,
                      brio_error *err) {
  bool whole = length <= 4;
  uint8_t data[8] = {(uint8_t)(whole ? 0x23 | (4 - length) << 2 : 0x21), object[0], object[1], object[2]};
  if (whole) memcpy(data + 4, bytes, (size_t)length);
  else brio_cia402_put(data + 4, length, 4);
  int got = ask_once(bus, node, data, object, 3, err);
  /* Each segment: toggle in bit 4, unused bytes in bits 1 to 3, bit 0 in the last one. */
  for (int at = 0, toggle = 0; got > 0 && !whole && at < length; at += SEGMENT, toggle ^= 0x10) {
    int count = length - at < SEGMENT ? length - at : SEGMENT;
    uint8_t segment[8] = {(uint8_t)(toggle | (SEGMENT - count) << 1 | (at + count == length))};
    memcpy(segment + 1, bytes + at, (size_t)count);
    got = ask_once(bus, node, segment, NULL, 1, err);
    if (got == 0) abort_transfer(bus, node, object, TIMED_OUT);
    if (got > 0 && (bus->x.in.data[0] & 0x10) != toggle) got = give_up(bus, node, object, WRONG_TOGGLE);
  }
  return got;
}

/* Report the outcome of all tries. */
static bool conclude(const brio_canopen *bus, int node, const uint8_t object[3], int got, brio_error *err) {
  if (got > 0) return true;
  if (got < 0) return bus->aborted ? fail_refused(bus, node, object, err) : false;
  return brio_fail(err, BRIO_DEVICE, "node %d did not answer on %s%s", node, bus->x.port->name,
                   bus->unheard ? ": no node receives the frames" : "");
}

/* Reject impossible nodes and objects before anything is sent. */
static bool check_object(int node, int index, int sub, int length, brio_error *err) {
  if (node >= 1 && node <= BRIO_CANOPEN_NODES && index >= 0 && index <= 0xFFFF && sub >= 0 && sub <= 0xFF &&
      length >= 1)
    return true;
  return brio_fail(err, BRIO_MISUSE, "there is no object %X:%X of node %d with %d bytes", (unsigned)index,
                   (unsigned)sub, node, length);
}

bool brio_canopen_read(brio_canopen *bus, int node, int index, int sub, uint8_t *out, int room, int *length,
                       brio_error *err) {
  /* The object as it stands in frames: index low byte first, sub-index. */
  const uint8_t object[3] = {(uint8_t)index, (uint8_t)(index >> 8), (uint8_t)sub};
  int got = 0;
  bus->aborted = 0;
  if (!check_object(node, index, sub, room, err)) return false;
  /* Repeat after silence only: a refusal is final. */
  for (int i = 0; i < bus->x.tries && got == 0; i++) {
    bus->x.retries += i > 0;
    got = read_once(bus, node, object, out, room, length, err);
  }
  return conclude(bus, node, object, got, err);
}

bool brio_canopen_write(brio_canopen *bus, int node, int index, int sub, const uint8_t *data, int length,
                        brio_error *err) {
  const uint8_t object[3] = {(uint8_t)index, (uint8_t)(index >> 8), (uint8_t)sub};
  int got = 0;
  assert(data);
  bus->aborted = 0;
  if (!check_object(node, index, sub, length, err)) return false;
  /* As for reads. */
  for (int i = 0; i < bus->x.tries && got == 0; i++) {
    bus->x.retries += i > 0;
    got = write_once(bus, node, object, data, length, err);
  }
  return conclude(bus, node, object, got, err);
}

/* ---- who is there ---- */

int brio_canopen_scan(brio_canopen *bus, int first, int last, uint8_t nodes[BRIO_CANOPEN_NODES],
                      brio_error *err) {
  /* Upload of 1000:00, the device type, which every node has. */
  static const uint8_t request[8] = {0x40, 0x00, 0x10, 0};
  bool there[BRIO_CANOPEN_NODES + 1] = {false};
  int found = 0;
  /* Send a group of requests, then collect replies until the deadline. */
  for (int at = first; at <= last; at += AT_A_TIME) {
    for (int node = at; node < at + AT_A_TIME && node <= last; node++)
      if (!brio_canopen_send(bus, REQUEST + node, request, 8, err)) return -1;
    double deadline =
        brio_port_now(bus->x.port) + bus->x.latency + 2 * AT_A_TIME * FRAME_BITS / bus->x.port->baud;
    for (int got; (got = brio_canopen_receive(bus, deadline, err)) != 0;) {
      int node = bus->x.in.id - REPLY;
      if (got < 0) return -1;
      if (node >= 1 && node <= BRIO_CANOPEN_NODES && bus->x.in.length == 8)
        there[node] = true; /* an abort is an answer, too */
    }
  }
  /* In ascending order. */
  for (int node = first; node <= last; node++)
    if (there[node]) nodes[found++] = (uint8_t)node;
  return found;
}
