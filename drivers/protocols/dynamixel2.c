/* Dynamixel Protocol 2.0: FF FF FD 00, id, length, instruction, parameters, CRC-16.  Source:
** ROBOTIS e-Manual, "Protocol 2.0".  The length counts from the instruction to the CRC, after byte
** stuffing: an FF FF FD from the instruction on is followed by another FD, so that the header
** occurs nowhere else.  The CRC (0x8005, from 0) covers all bytes before it, stuffing included, low
** byte first.  Only the answer to a fast read is not stuffed: the host finds its parts by their
** positions (drivers/servo/many.c). */
#include <assert.h>
#include <string.h>

#include "drivers/protocols/checksum.h"
#include "drivers/servo/servo.h"

extern const brio_servo_family brio_servo_dynamixel2;

enum {
  /* Offsets and lengths of the frame. */
  HEADER = 7,    /* bytes before the instruction */
  CRC = 2,
  LEAST = 3,     /* of the length: instruction and CRC */
  POLYNOMIAL = 0x8005,
};

static const uint8_t mark[4] = {0xFF, 0xFF, 0xFD, 0x00};

/* Return how many bytes of FF FF FD end with `byte`, if `run` of them preceded it. */
static int run_of(int run, uint8_t byte) {
  assert(run >= 0 && run <= 3);
  if (byte == 0xFF) return run < 2 ? run + 1 : 2;
  return byte == 0xFD && run == 2 ? 3 : 0;
}

/* Copy `count` bytes without stuffing.  Return how many remain; -1: no room.  O(count). */
static int unstuff(const uint8_t *bytes, int count, int run, uint8_t *out, int room) {
  int length = 0;
  for (int i = 0; i < count; i++) {
    /* The byte after FF FF FD is stuffing. */
    if (run == 3) {
      run = 0;
      if (bytes[i] == 0xFD) continue;
    }
    if (length == room) return -1;
    out[length++] = bytes[i];
    run = run_of(run, bytes[i]);
  }
  return length;
}

/* Read the parts of a packet whose CRC is correct. */
static int take_parts(const uint8_t *bytes, int length, brio_packet *out) {
  assert(length >= LEAST);
  int at = HEADER + 1;
  out->id = bytes[4];
  out->code = bytes[HEADER];
  out->error = -1;
  if (out->code == BRIO_SERVO_STATUS) {
    if (length < LEAST + 1) return BRIO_WIRE_REFUSED(BRIO_WIRE_LENGTH);
    out->error = bytes[at++];
  }
  /* Instruction and error may start a stuffed sequence. */
  int run = out->error == 0xFF || out->code == 0xFF;
  out->length = unstuff(bytes + at, HEADER + length - CRC - at, run, out->data, BRIO_PACKET_MOST);
  return out->length < 0 ? BRIO_WIRE_REFUSED(BRIO_WIRE_LENGTH) : HEADER + length;
}

/* The header may be incomplete: refuse as soon as a byte is wrong, otherwise ask for more. */
static int parse(const uint8_t *bytes, int count, brio_direction direction, brio_packet *out) {
  (void)direction;
  for (int i = 0; i < 4 && i < count; i++)
    if (bytes[i] != mark[i]) return BRIO_WIRE_REFUSED(BRIO_WIRE_GARBAGE);
  /* FD and FF are no ids. */
  if (count > 4 && (bytes[4] == 0xFD || bytes[4] == 0xFF)) return BRIO_WIRE_REFUSED(BRIO_WIRE_CONTENT);
  if (count < HEADER) return 0;
  /* Bytes 5 and 6: the length, low byte first. */
  int length = bytes[5] | bytes[6] << 8;
  if (length < LEAST || length > BRIO_FRAME_MOST - HEADER) return BRIO_WIRE_REFUSED(BRIO_WIRE_LENGTH);
  if (count < HEADER + length) return 0;
  /* Check the CRC before anything that depends on the content. */
  int end = HEADER + length - CRC;
  uint16_t crc = brio_checksum_crc16(bytes, end, 0, POLYNOMIAL);
  if (bytes[end] != (crc & 0xFF) || bytes[end + 1] != crc >> 8) return BRIO_WIRE_REFUSED(BRIO_WIRE_CHECK);
  return take_parts(bytes, length, out);
}

/* A frame being written. */
typedef struct writing {
  uint8_t *out;
  int length, room, run;
} writing;

/* Append a byte.  Beyond the room, bytes are only counted. */
static void put(writing *to, uint8_t byte) {
  if (to->length < to->room) to->out[to->length] = byte;
  to->length++;
}

/* Write a byte, and a stuffing byte where the sequence FF FF FD ends. */
static void put_stuffed(writing *to, uint8_t byte) {
  put(to, byte);
  to->run = run_of(to->run, byte);
  if (to->run < 3) return;
  put(to, 0xFD);
  to->run = 0;
}

/* Reject packets that the protocol cannot express. */
static int write_packet(const brio_packet *packet, uint8_t *out, int room) {
  writing to = {out, 0, room, 0};
  /* FD and FF are no ids; only a status packet has an error. */
  if (packet->id < 0 || packet->id > 0xFF || packet->id == 0xFD || packet->id == 0xFF) return 0;
  if (packet->length < 0 || packet->length > BRIO_PACKET_MOST || packet->code < 0 || packet->code > 0xFF)
    return 0;
  if ((packet->code == BRIO_SERVO_STATUS) != (packet->error >= 0) || packet->error > 0xFF) return 0;
  /* The length is written when the stuffing is known. */
  for (int i = 0; i < 4; i++) put(&to, mark[i]);
  put(&to, (uint8_t)packet->id);
  put(&to, 0);
  put(&to, 0);
  put_stuffed(&to, (uint8_t)packet->code);
  if (packet->error >= 0) put_stuffed(&to, (uint8_t)packet->error);
  for (int i = 0; i < packet->length; i++) put_stuffed(&to, packet->data[i]);
  /* Both length bytes were written as 0; now fill them in, then add the CRC over everything. */
  int end = to.length, length = end + CRC - HEADER;
  if (end + CRC > room || end + CRC > BRIO_FRAME_MOST) return 0;
  out[5] = (uint8_t)length;
  out[6] = (uint8_t)(length >> 8);
  uint16_t crc = brio_checksum_crc16(out, end, 0, POLYNOMIAL);
  put(&to, (uint8_t)crc);
  put(&to, (uint8_t)(crc >> 8));
  return to.length;
}

/* The words of all bus servos, with this family's registers. */
static void describe(const brio_packet *packet, brio_direction direction, brio_dialog *dialog,
                     brio_text *out) {
  brio_servo_describe(&brio_servo_dynamixel2, packet, direction, dialog, out);
}

const brio_protocol brio_protocol_dynamixel2 = {
    .name = "dynamixel2",
    .alias = "dynamixel",
    .doc = "Dynamixel Protocol 2.0: X, P and MX(2.0) series.",
    .check = "CRC-16 (0x8005)",
    .accepts = 1.0 / 65536,
    .longest = BRIO_FRAME_MOST,
    .parse = parse,
    .write = write_packet,
    .describe = describe,
};
