/* Packets, their bytes, and the extraction of packets from a stream of bytes.
**
** A protocol is a record: how a packet becomes bytes, how bytes become a packet, and how a packet is
** described in words. brio_wire_stream works with any of them: it accepts bytes in pieces of any size,
** finds packets, continues after garbage, and counts refused bytes by reason.  Its memory is bounded and
** its own; only the descriptions allocate.
**
** To add a protocol: write drivers/protocols/<name>.c and add X(<name>) to protocols.def. */
#ifndef BRIO_DRIVERS_PROTOCOLS_WIRE_H
#define BRIO_DRIVERS_PROTOCOLS_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum {
  BRIO_PACKET_MOST = 1536, /* bytes of data in a packet */
  BRIO_FRAME_MOST = 2304,  /* bytes of a packet on the wire: with stuffing, header and checks */
};

/* The direction of bytes; EITHER_WAY: a recording without directions. */
typedef enum brio_direction { BRIO_TO_DEVICE, BRIO_FROM_DEVICE, BRIO_EITHER_WAY } brio_direction;

/* One message, whatever the protocol. */
typedef struct brio_packet {
  int id;     /* device number or CAN identifier; -1: the protocol has none */
  int code;   /* instruction, command or opcode; -1: the protocol has none */
  int error;  /* the error byte of an answer; -1: none */
  int length; /* bytes of data */
  uint8_t data[BRIO_PACKET_MOST];
} brio_packet;

/* The reason why bytes were refused. */
typedef enum brio_wire_fault {
  BRIO_WIRE_GARBAGE, /* no packet starts here (counted once for each run of such bytes) */
  BRIO_WIRE_LENGTH,  /* an impossible length */
  BRIO_WIRE_CHECK,   /* the check code is wrong */
  BRIO_WIRE_CONTENT, /* an invalid id, stuffing, end mark or text */
  BRIO_WIRE_CUT,     /* the line fell silent within a packet */
  BRIO_NWIRE_FAULT
} brio_wire_fault;

/* The result of a parser if the bytes start no packet. */
#define BRIO_WIRE_REFUSED(fault) (-1 - (int)(fault))

/* The context that a description of an answer needs: the preceding request. */
typedef struct brio_dialog {
  int id, code;        /* of the last instruction; -1: none */
  int address, length; /* the registers that it reads; length 0: none */
} brio_dialog;

typedef struct brio_protocol {
  const char *name, *doc;
  const char *alias; /* a second name; NULL: none */
  const char *check; /* the check code, in words */
  double accepts;    /* the share of random corruptions of a packet's body that the code lets pass */
  int longest;       /* bytes of its longest frame, at most BRIO_FRAME_MOST */
  bool datagrams;    /* a frame is a datagram or CAN frame, so that its start is known */
  bool waits;        /* a device waits for the rest of a packet without a time limit */
  /* Return the bits that a frame takes on the wire (NULL: 10 for each byte). */
  int (*bits)(const uint8_t *frame, int count);
  /* Parse the packet that starts at bytes[0].  Return its number of bytes; 0: more bytes are needed;
  ** BRIO_WIRE_REFUSED(fault): no packet starts here.  A result other than 0 stays the same when more bytes
  ** follow. */
  int (*parse)(const uint8_t *bytes, int count, brio_direction direction, brio_packet *out);
  /* Write a packet; return its number of bytes, or 0 if it cannot be expressed or `room` is too small. */
  int (*write)(const brio_packet *packet, uint8_t *out, int room);
  /* Describe a packet in words, and keep in `dialog` what the next description needs. */
  void (*describe)(const brio_packet *packet, brio_direction direction, brio_dialog *dialog, brio_text *out);
} brio_protocol;

/* All protocols, ended by NULL. */
extern const brio_protocol *const brio_protocols[];

/* Return the protocol of that name or alias, or NULL and an error with the nearest name. */
const brio_protocol *brio_protocol_find(const char *name, brio_error *err);

/* Return the short name of a fault: "garbage", "length", "check", "content", "cut". */
const char *brio_wire_fault_name(brio_wire_fault fault);

typedef struct brio_wire_stream {
  const brio_protocol *protocol;
  brio_direction direction;
  int start, count;    /* waiting bytes: bytes[start .. start + count) */
  bool in_garbage;
  const uint8_t *frame; /* the bytes of the packet found last, until the next feed */
  uint64_t packets, dropped, faults[BRIO_NWIRE_FAULT]; /* packets found, bytes dropped, faults by kind */
  uint8_t bytes[2 * BRIO_FRAME_MOST];
} brio_wire_stream;

/* Start an empty stream. */
void brio_wire_start(brio_wire_stream *stream, const brio_protocol *protocol, brio_direction direction);

/* Accept as many of `count` bytes as fit; return their number, which is above 0 if all packets were
** fetched before. */
int brio_wire_feed(brio_wire_stream *stream, const uint8_t *bytes, int count);

/* Return the next packet in `out` and its number of bytes on the wire; 0: none is complete. */
int brio_wire_next(brio_wire_stream *stream, brio_packet *out);

/* The line has been silent: give up a packet that started and did not end.  Return whether there was one;
** packets within its bytes are found by brio_wire_next. */
bool brio_wire_idle(brio_wire_stream *stream);

/* Drop the waiting bytes; counts stay. */
void brio_wire_clear(brio_wire_stream *stream);

#endif
