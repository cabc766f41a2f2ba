/* CANopen frames: network management, heartbeats, emergencies, PDOs and SDOs, for CiA 402 drives.
** A frame is SocketCAN's struct can_frame of 16 bytes: identifier and flags, low byte first;
** length; three zero bytes; eight data bytes.  The bus itself has a CRC of 15 bits.  Source: CiA
** 301 as maxon's and others' manuals print it. */
#include <string.h>

#include "drivers/cia402/cia402.h"
#include "drivers/protocols/words.h"

enum { FRAME = 16, EXTENDED = 4, REMOTE = 2, ERROR = 1 /* flags: the top 3 bits of the identifier */ };

/* The id of a packet is the identifier; its error is the flags, if there are any. */
static int parse(const uint8_t *bytes, int count, brio_direction direction, brio_packet *out) {
  (void)direction;
  /* Length and zero bytes are checked as soon as they are there. */
  if (count > 4 && bytes[4] > 8) return BRIO_WIRE_REFUSED(BRIO_WIRE_LENGTH);
  for (int i = 5; i < 8 && i < count; i++)
    if (bytes[i] != 0) return BRIO_WIRE_REFUSED(BRIO_WIRE_GARBAGE);
  if (count < FRAME) return 0;
  /* Identifier and flags, low byte first. */
  uint32_t id = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
  int flags = (int)(id >> 29);
  id &= 0x1FFFFFFF;
  /* Standard identifiers have 11 bits. */
  if (!(flags & (EXTENDED | ERROR)) && id > 0x7FF) return BRIO_WIRE_REFUSED(BRIO_WIRE_CONTENT);
  *out = (brio_packet){.id = (int)id, .code = -1, .error = flags ? flags : -1, .length = bytes[4]};
  memcpy(out->data, bytes + 8, (size_t)out->length);
  return FRAME;
}

/* The inverse: reject what is no frame, then write it low byte first. */
static int write_packet(const brio_packet *packet, uint8_t *out, int room) {
  int flags = packet->error < 0 ? 0 : packet->error;
  if (packet->id < 0 || packet->id > 0x1FFFFFFF || packet->code >= 0 || flags > 7 || packet->error == 0)
    return 0;
  /* An identifier of 11 bits, at most 8 data bytes, and room for the whole frame. */
  if (!(flags & (EXTENDED | ERROR)) && packet->id > 0x7FF) return 0;
  if (packet->length < 0 || packet->length > 8 || room < FRAME) return 0;
  /* Flags above the identifier. */
  uint32_t id = (uint32_t)packet->id | (uint32_t)flags << 29;
  memset(out, 0, FRAME);
  for (int i = 0; i < 4; i++) out[i] = (uint8_t)(id >> (8 * i));
  out[4] = (uint8_t)packet->length;
  memcpy(out + 8, packet->data, (size_t)packet->length);
  return FRAME;
}

/* ---- words ---- */

/* Network management: command and node; node 0 addresses all. */
static void say_nmt(const brio_packet *p, int node, brio_text *out) {
  /* Commands by number. */
  static const struct {
    int code;
    const char *words;
  } commands[] = {{1, "start"},
                  {2, "stop"},
                  {0x80, "go pre-operational"},
                  {0x81, "reset"},
                  {0x82, "reset communication"}};
  (void)node;
  brio_text_format(out, "network: ");
  /* Byte 0 is the command, byte 1 the node. */
  int i = 0;
  while (i < 5 && (p->length < 2 || commands[i].code != p->data[0])) i++;
  if (i == 5) brio_words_hex(p->data, p->length, out);
  else if (p->data[1] == 0) brio_text_format(out, "all nodes %s", commands[i].words);
  else brio_text_format(out, "node %d %s", p->data[1], commands[i].words);
}

/* 080 alone is SYNC, with a node it is EMCY: error code, error register. */
static void say_emergency(const brio_packet *p, int node, brio_text *out) {
  if (node == 0) {
    brio_text_format(out, "sync");
    return;
  }
  brio_text_format(out, "node %d: emergency", node);
  if (p->length < 3) return;
  /* Bytes 0 and 1: emergency error code; byte 2: error register (object 1001). */
  int code = brio_cia402_number(p->data, 2);
  brio_text_format(out, " %04X, %s; error register %02X", (unsigned)code, brio_cia402_emergency(code),
                   p->data[2]);
}

/* Heartbeat: the state; bit 7 is the toggle of node guarding. */
static void say_heartbeat(const brio_packet *p, int node, brio_text *out) {
  int state = p->length > 0 ? p->data[0] & 0x7F : -1;
  brio_text_format(out, "node %d: %s", node,
                   state == 0      ? "boots"
                   : state == 4    ? "heartbeat, stopped"
                   : state == 5    ? "heartbeat, operational"
                   : state == 0x7F ? "heartbeat, pre-operational"
                                   : "heartbeat");
}

/* Return the size of expedited data from the command byte; 0: not expedited. */
static int expedited(int command) {
  return (command & 3) == 3 ? 4 - (command >> 2 & 3) : (command & 2) ? 4 : 0;
}

/* Meaning of the top 3 bits of the command byte, in replies and in requests. */
static const char *const sdo_kinds[2][8] = {
    {"answers with a segment", "segment written", "answers", "written", "aborted", "block", "block",
     "unknown command"},
    {"write a segment", "write", "read", "read a segment", "aborted", "block", "block", "unknown command"},
};

/* Command, object, then data, size or abort code. */
static void say_sdo(const brio_packet *p, int node, bool request, brio_text *out) {
  brio_text_format(out, "node %d: ", node);
  if (p->length < 8) {
    brio_text_format(out, "service data of %d bytes instead of 8", p->length);
    return;
  }
  /* Byte 0: command; bytes 1 and 2: index, low byte first; byte 3: subindex; bytes 4 to 7: data. */
  int command = p->data[0], kind = command >> 5, index = brio_cia402_number(p->data + 1, 2);
  /* Segments have no object; a download request and an upload reply carry data. */
  bool segment = request ? kind == 0 || kind == 3 : kind < 2, has_value = kind == (request ? 1 : 2);
  brio_text_format(out, "%s ", sdo_kinds[request][kind]);
  if (segment || kind > 4) {
    brio_words_hex(p->data + 1, 7, out);
    return;
  }
  /* The object by name, then the abort code, the value, or the announced size. */
  brio_cia402_object_words(index, p->data[3], out);
  if (kind == 4) {
    brio_text_format(out, ": ");
    brio_cia402_abort_words((uint32_t)brio_cia402_number(p->data + 4, 4), out);
  } else if (has_value && expedited(command)) {
    brio_cia402_value_words(index, brio_cia402_number(p->data + 4, expedited(command)), expedited(command),
                            out);
  } else if (has_value) {
    brio_text_format(out, ", %d bytes in segments", brio_cia402_number(p->data + 4, 4));
  }
}

/* A PDO.  Its mapping is not known here, but a sent one mostly starts with the status word. */
static void say_pdo(const brio_packet *p, int node, int function, brio_text *out) {
  bool transmitted = function % 2 == 1; /* 180, 280, 380, 480 */
  brio_text_format(out, "node %d: %s %d: ", node, transmitted ? "sends process data" : "gets process data",
                   transmitted ? (function - 1) / 2 : function / 2 - 1 + (function == 2 ? 1 : 0));
  brio_words_hex(p->data, p->length, out);
  /* Print what the status word would mean. */
  if (p->length < 2) return;
  if (transmitted)
    brio_text_format(out, " (as status word: %s)",
                     brio_cia402_state_words(brio_cia402_state_of((uint16_t)brio_cia402_number(p->data, 2))));
}

/* Error frames as in linux/can/error.h. */
static void say_error(const brio_packet *p, brio_text *out) {
  /* Classes of errors, by bit. */
  static const struct {
    int bit;
    const char *words;
  } classes[] = {{0x01, "nothing can be sent"}, {0x02, "arbitration lost"}, {0x04, "controller"},
                 {0x08, "protocol violation"},  {0x10, "transceiver"},      {0x20, "nobody acknowledges"},
                 {0x40, "bus off"},             {0x80, "bus error"},        {0x100, "restarted"}};
  brio_text_format(out, "bus error");
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (p->id & classes[i].bit) brio_text_format(out, ": %s", classes[i].words);
  /* Class 0x04, byte 1, bits 4 and 5: the controller is error passive (receive, transmit). */
  if ((p->id & 0x04) && p->length > 1 && (p->data[1] & 0x30)) brio_text_format(out, ", error passive");
}

/* Bits 7 to 10 of the identifier are the function, the low 7 the node (predefined connection set,
** CiA 301). */
static void describe(const brio_packet *p, brio_direction direction, brio_dialog *dialog, brio_text *out) {
  int function = p->id >> 7 & 15, node = p->id & 0x7F, flags = p->error < 0 ? 0 : p->error;
  (void)direction;
  (void)dialog;
  /* Error frames, then frames that CANopen does not use, then by function. */
  if (flags & ERROR) {
    say_error(p, out);
  } else if ((flags & EXTENDED) || p->id > 0x7FF || (flags & REMOTE)) {
    brio_text_format(out, "%s frame %X: ", flags & REMOTE ? "remote" : "extended", (unsigned)p->id);
    brio_words_hex(p->data, p->length, out);
  } else if (p->id == 0) say_nmt(p, node, out);
  else if (function == 1) say_emergency(p, node, out);
  else if (function == 11 || function == 12) say_sdo(p, node, function == 12, out);
  else if (function == 14) say_heartbeat(p, node, out);
  else if (function >= 3 && function <= 10) say_pdo(p, node, function, out);
  else {
    brio_text_format(out, "frame %03X: ", (unsigned)p->id);
    brio_words_hex(p->data, p->length, out);
  }
}

/* Bits of a frame on the bus: 47 plus its data, interframe space included, plus one stuff bit for
** every eight of those that may be stuffed. */
static int bits(const uint8_t *frame, int count) {
  /* Before the length is known, assume 8 data bytes. */
  int data = count > 4 ? 8 * (frame[4] > 8 ? 8 : frame[4]) : 64;
  return 47 + data + (34 + data) / 8;
}

const brio_protocol brio_protocol_canopen = {
    .name = "canopen",
    .alias = "cia402",
    .doc = "CANopen frames with drives by CiA 402, such as maxon EPOS4.",
    .check = "none of its own; the bus has a CRC of 15 bits",
    .accepts = 1,
    .longest = FRAME,
    .datagrams = true,
    .bits = bits,
    .parse = parse,
    .write = write_packet,
    .describe = describe,
};
