/* What travels on a wire: packets, their bytes, and taking packets out of a stream of bytes.
**
** A protocol is a record: how a packet becomes bytes, how bytes become a packet, and how it is
** told in words.  brio_wire_stream works with any of them: it takes bytes in any pieces, finds
** packets, goes on after garbage, and counts what it refused.  It owns its memory, which is
** bounded; nothing here allocates but the words.
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

/* Which way bytes go; both ways on one recording. */
typedef enum brio_direction { BRIO_TO_DEVICE, BRIO_FROM_DEVICE, BRIO_EITHER_WAY } brio_direction;

/* One message, whatever the protocol. */
typedef struct brio_packet {
  int id;     /* whose it is: device number, CAN identifier; -1: the protocol has none */
  int code;   /* instruction, command or opcode; -1: the protocol has none */
  int error;  /* the error byte of an answer; -1: none */
  int length; /* bytes of data */
  uint8_t data[BRIO_PACKET_MOST];
} brio_packet;

/* Why bytes were refused. */
typedef enum brio_wire_fault {
  BRIO_WIRE_GARBAGE, /* they begin no packet (counted once for each run of such bytes) */
  BRIO_WIRE_LENGTH,  /* a length that cannot be */
  BRIO_WIRE_CHECK,   /* the check code is wrong */
  BRIO_WIRE_CONTENT, /* an id, stuffing, end mark or text that may not be */
  BRIO_WIRE_CUT,     /* the line fell silent within a packet */
  BRIO_NWIRE_FAULT
} brio_wire_fault;

/* What a parser returns when the bytes begin no packet. */
#define BRIO_WIRE_REFUSED(fault) (-1 - (int)(fault))

/* What a recording needs to know of what went before, to tell an answer in words. */
typedef struct brio_dialog {
  int id, code;        /* of the last instruction; -1: none */
  int address, length; /* what it asked to read; length 0: nothing */
} brio_dialog;

typedef struct brio_protocol {
  const char *name, *doc;
  const char *alias; /* a second name; NULL: none */
  const char *check; /* the check code, in words */
  double accepts;    /* the share of random corruptions of a packet's body that the code lets pass */
  int longest;       /* bytes of its longest frame, at most BRIO_FRAME_MOST */
  bool datagrams;    /* a frame is a datagram or CAN frame: nothing is to be found in a stream */
  bool waits;        /* a device waits for the rest of a packet, however long the line is silent */
  /* Return the bits that a frame takes on the wire (NULL: 10 for each byte). */
  int (*bits)(const uint8_t *frame, int count);
  /* Read the packet that begins at bytes[0].  Return its bytes; 0: more are needed to tell;
  ** BRIO_WIRE_REFUSED(fault): none begins here.  What it says of some bytes stays so when more
  ** follow. */
  int (*parse)(const uint8_t *bytes, int count, brio_direction direction, brio_packet *out);
  /* Write a packet; return its bytes, or 0 when it cannot be written or `room` is too small. */
  int (*write)(const brio_packet *packet, uint8_t *out, int room);
  /* Tell a packet in words, and remember in `dialog` what the next one needs. */
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
  int start, count;    /* bytes that wait: bytes[start .. start + count) */
  bool in_garbage;
  const uint8_t *frame; /* the bytes of the packet found last, until the next feed */
  uint64_t packets, dropped, faults[BRIO_NWIRE_FAULT]; /* packets found, bytes dropped, faults by kind */
  uint8_t bytes[2 * BRIO_FRAME_MOST];
} brio_wire_stream;

/* Begin an empty stream. */
void brio_wire_start(brio_wire_stream *stream, const brio_protocol *protocol, brio_direction direction);

/* Take in as many of `count` bytes as there is room for; return how many, which is more than 0
** when all packets were fetched before. */
int brio_wire_feed(brio_wire_stream *stream, const uint8_t *bytes, int count);

/* Fetch the next packet.  Return its bytes on the wire, or 0 when there is none yet. */
int brio_wire_next(brio_wire_stream *stream, brio_packet *out);

/* The line has been silent: give up a packet that began and did not end.  Return whether there
** was one; what it hid is fetched by brio_wire_next. */
bool brio_wire_idle(brio_wire_stream *stream);

/* Forget the bytes that wait; counts stay. */
void brio_wire_clear(brio_wire_stream *stream);

#endif
