/* maxon EPOS4 over USB and RS-232: 90 02, opcode, length in words, data words low byte first, CRC; every
** 90 behind the first two bytes is sent twice.  Source: maxon EPOS4 Communication Guide.
**
** The CRC is CCITT's (0x1021, from 0) over the words, each high byte first.  Flipped bits on both sides of a
** border between words are therefore two bursts to it, and of those it lets 1 in 65536 pass. */
#include <assert.h>
#include <string.h>

#include "drivers/cia402/cia402.h"
#include "drivers/protocols/checksum.h"
#include "drivers/protocols/words.h"

/* The most data bytes: 143 words. */
enum { DLE = 0x90, STX = 0x02, MOST = 2 * 143, POLYNOMIAL = 0x1021 };

/* Opcodes. */
enum { READ = 0x60, WRITE = 0x68, NMT = 0x70, ANSWER = 0x00 };

/* CRC over opcode, length and data, in words with the high byte first. */
static uint16_t crc_of(const uint8_t *body, int count) {
  assert(count % 2 == 0);
  uint16_t crc = 0;
  for (int i = 0; i + 1 < count; i += 2)
    crc = brio_checksum_crc16((uint8_t[]){body[i + 1], body[i]}, 2, crc, POLYNOMIAL);
  return crc;
}

/* Return whether a frame may have this many data bytes: at most 143 words, and an answer at least
** an error code.  Without this an answer whose length was flipped to 0 would pass: the CRC of zeros
** is zero. */
static bool can_be(int code, int data) { return data <= MOST && (code != ANSWER || data >= 4); }

/* Remove the doubled 90s, then check the length and the CRC. */
static int parse(const uint8_t *bytes, int count, brio_direction direction, brio_packet *out) {
  uint8_t body[MOST + 4];
  int length = 0, need = 4, at = 2;
  (void)direction;
  /* 90 02 starts a frame. */
  if (bytes[0] != DLE || (count > 1 && bytes[1] != STX)) return BRIO_WIRE_REFUSED(BRIO_WIRE_GARBAGE);
  /* A single 90 starts another frame. */
  while (length < need && at < count) {
    uint8_t byte = bytes[at++];
    if (byte == DLE) {
      if (at == count) return 0;
      if (bytes[at++] != DLE) return BRIO_WIRE_REFUSED(BRIO_WIRE_CONTENT);
    }
    body[length++] = byte;
    /* The length is known after two bytes. */
    if (length == 2 && !can_be(body[0], 2 * body[1])) return BRIO_WIRE_REFUSED(BRIO_WIRE_LENGTH);
    if (length == 2) need = 4 + 2 * body[1];
  }
  if (length < need) return 0;
  /* The CRC is after the data, low byte first. */
  uint16_t crc = crc_of(body, need - 2);
  if (body[need - 2] != (crc & 0xFF) || body[need - 1] != crc >> 8) return BRIO_WIRE_REFUSED(BRIO_WIRE_CHECK);
  *out = (brio_packet){.id = -1, .code = body[0], .error = -1, .length = need - 4};
  memcpy(out->data, body + 2, (size_t)out->length);
  return at;
}

/* Write a frame, and return its length; 0: no frame of this protocol, or no room.  The room must suffice for
** the worst case, in which every byte doubles. */
static int write_packet(const brio_packet *packet, uint8_t *out, int room) {
  uint8_t body[MOST + 4] = {(uint8_t)packet->code, (uint8_t)(packet->length / 2)};
  /* Frames have neither id nor error. */
  int at = 2, data = packet->length;
  if (packet->id >= 0 || packet->error >= 0 || packet->code < 0 || packet->code > 255) return 0;
  if (data < 0 || !can_be(packet->code, data) || data % 2 != 0 || 2 * (data + 4) + 2 > room) return 0;
  memcpy(body + 2, packet->data, (size_t)data);
  /* The CRC follows the data, low byte first. */
  uint16_t crc = crc_of(body, data + 2);
  body[data + 2] = (uint8_t)crc;
  body[data + 3] = (uint8_t)(crc >> 8);
  out[0] = DLE;
  out[1] = STX;
  /* Double every 90 after the first two bytes. */
  for (int i = 0; i < data + 4; i++) {
    out[at++] = body[i];
    if (body[i] == DLE) out[at++] = DLE;
  }
  return at;
}

/* An answer starts with an error code; the value that follows belongs to the object asked last. */
static void say_answer(const brio_packet *p, const brio_dialog *dialog, brio_text *out) {
  if (p->length < 4) {
    brio_text_format(out, "answer without an error code");
    return;
  }
  brio_text_format(out, "answer: ");
  /* Code 0: no error. */
  if (brio_cia402_number(p->data, 4) != 0)
    brio_cia402_abort_words((uint32_t)brio_cia402_number(p->data, 4), out);
  else if (dialog->code == READ && p->length == 8) {
    brio_cia402_object_words(dialog->address, dialog->length, out);
    brio_cia402_value_words(dialog->address, brio_cia402_number(p->data + 4, 4), 4, out);
  } else {
    brio_text_format(out, "no error%s", p->length > 4 ? ", " : "");
    brio_words_hex(p->data + 4, p->length - 4, out);
  }
}

/* Commands name an object, which is kept for the answer. */
static void describe(const brio_packet *p, brio_direction direction, brio_dialog *dialog, brio_text *out) {
  (void)direction;
  if (p->code == ANSWER) {
    say_answer(p, dialog, out);
    return;
  }
  /* Data of READ and WRITE: node, index (low byte first), subindex, then the value of 4 bytes. */
  *dialog = (brio_dialog){-1, p->code, 0, 0};
  if ((p->code == READ && p->length == 4) || (p->code == WRITE && p->length == 8)) {
    dialog->address = p->data[1] | p->data[2] << 8;
    dialog->length = p->data[3];
    dialog->id = p->data[0];
    brio_text_format(out, "node %d: %s ", p->data[0], p->code == READ ? "read" : "write");
    brio_cia402_object_words(dialog->address, dialog->length, out);
    if (p->code == WRITE)
      brio_cia402_value_words(dialog->address, brio_cia402_number(p->data + 4, 4), 4, out);
    return;
  }
  /* Data of an NMT command: node and command, two bytes each. */
  if (p->code == NMT && p->length == 4) {
    brio_text_format(out, "network: command %d for node %d", p->data[2] | p->data[3] << 8,
                     p->data[0] | p->data[1] << 8);
    return;
  }
  brio_text_format(out, "opcode 0x%02X ", p->code);
  brio_words_hex(p->data, p->length, out);
}

const brio_protocol brio_protocol_epos = {
    .name = "epos",
    .doc = "maxon EPOS4 over USB and RS-232.",
    .check = "CRC-16 (0x1021)",
    .accepts = 1.0 / 65536,
    .longest = 2 + 2 * (MOST + 4),
    .parse = parse,
    .write = write_packet,
    .describe = describe,
};
