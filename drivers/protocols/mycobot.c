/* myCobot 280: FE FE, length, command, data, FA; numbers high byte first.  There is no check code:
** only the length and the end mark confirm a frame, so frames are found by their length, and data
** may contain FE and FA.  Source: elephantrobotics/pymycobot (MIT) for command numbers and scaling.
** A question and its answer have the same command; the answer has data. */
#include <stddef.h>
#include <string.h>

#include "drivers/protocols/words.h"

enum { MARK = 0xFE, END = 0xFA, AROUND = 5, MOST = 64 /* of the length byte: no frame has more */ };

/* Marks, length, then the end mark at the position that follows from the length. */
static int parse(const uint8_t *bytes, int count, brio_direction direction, brio_packet *out) {
  (void)direction;
  for (int i = 0; i < 2 && i < count; i++)
    if (bytes[i] != MARK) return BRIO_WIRE_REFUSED(BRIO_WIRE_GARBAGE);
  if (count < 3) return 0;
  if (bytes[2] < 2 || bytes[2] > MOST) return BRIO_WIRE_REFUSED(BRIO_WIRE_LENGTH);
  /* Two marks and the length byte are not counted by the length. */
  int whole = bytes[2] + 3;
  if (count < whole) return 0;
  if (bytes[whole - 1] != END) return BRIO_WIRE_REFUSED(BRIO_WIRE_CONTENT);
  *out = (brio_packet){.id = -1, .code = bytes[3], .error = -1, .length = whole - AROUND};
  memcpy(out->data, bytes + 4, (size_t)out->length);
  return whole;
}

/* The length counts command, data and end mark. */
static int write_packet(const brio_packet *packet, uint8_t *out, int room) {
  int data = packet->length;
  /* Frames have neither id nor error. */
  if (packet->id >= 0 || packet->error >= 0 || packet->code < 0 || packet->code > 255) return 0;
  if (data < 0 || data + 2 > MOST || data + AROUND > room) return 0;
  out[0] = out[1] = MARK;
  out[2] = (uint8_t)(data + 2);
  out[3] = (uint8_t)packet->code;
  memcpy(out + 4, packet->data, (size_t)data);
  out[4 + data] = END;
  return data + AROUND;
}

/* Commands by number, with the types of their data and of their answers (words.c). */
static const struct command {
  int code;
  const char *words, *fields, *answer;
} commands[] = {
    /* Power. */
    {0x10, "power on", "", ""},
    {0x11, "power off", "", ""},
    {0x12, "is it powered?", "", "B powered"},
    {0x13, "release all servos", "", ""},
    /* Angles and coordinates. */
    {0x20, "get angles", "", "cccccc degrees"},
    {0x21, "send angle", "B joint,c degrees,B speed", ""},
    {0x22, "send angles", "cccccc degrees,B speed", ""},
    {0x23, "get coordinates", "", "ddd mm,ccc degrees"},
    {0x24, "send coordinate", "B axis,h value,B speed", ""},
    {0x25, "send coordinates", "ddd mm,ccc degrees,B speed,B mode", ""},
    /* Programs. */
    {0x26, "pause", "", ""},
    {0x27, "is it paused?", "", "B paused"},
    {0x28, "resume", "", ""},
    {0x29, "stop", "", ""},
    {0x2A, "is it in position?", "cccccc numbers,B mode", "B there"},
    {0x2B, "is it moving?", "", "B moving"},
    /* Jogging. */
    {0x30, "jog angle", "B joint,B direction,B speed", ""},
    {0x32, "jog coordinate", "B axis,B direction,B speed", ""},
    {0x34, "stop jogging", "", ""},
    /* Encoders. */
    {0x3A, "set encoder", "B joint,H position", ""},
    {0x3B, "get encoder", "B joint", "H position"},
    {0x3C, "set encoders", "HHHHHH positions,B speed", ""},
    {0x3D, "get encoders", "", "HHHHHH positions"},
    /* Speed and limits. */
    {0x40, "get speed", "", "B speed"},
    {0x41, "set speed", "B speed", ""},
    {0x4A, "lowest angle of a joint", "B joint", "B joint,d degrees"},
    {0x4B, "highest angle of a joint", "B joint", "B joint,d degrees"},
    /* Single servos. */
    {0x50, "is a servo enabled?", "B joint", "B joint,B enabled"},
    {0x51, "are all servos enabled?", "", "B enabled"},
    {0x56, "release servo", "B joint", ""},
    {0x57, "focus servo", "B joint", ""},
    /* Gripper and light. */
    {0x65, "gripper value", "", "B value"},
    {0x66, "set gripper state", "B state,B speed", ""},
    {0x67, "set gripper value", "B value,B speed", ""},
    {0x6A, "set color", "B red,B green,B blue", ""},
};

/* Return the count of data bytes that the fields describe. */
static int size_of(const char *fields) {
  int size = 0;
  while (*fields) {
    /* B and b are one byte, all other types two. */
    for (; *fields != ' '; fields++) size += *fields == 'B' || *fields == 'b' ? 1 : 2;
    fields += strcspn(fields, ",");
    fields += *fields == ',';
  }
  return size;
}

/* Without a direction, data that do not fit the command are an answer. */
static void describe(const brio_packet *packet, brio_direction direction, brio_dialog *dialog,
                     brio_text *out) {
  const struct command *found = NULL;
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (commands[i].code == packet->code) found = &commands[i];
  if (!found) {
    brio_text_format(out, "command 0x%02X ", packet->code);
    brio_words_hex(packet->data, packet->length, out);
    return;
  }
  /* Both directions share the command. */
  bool fits = packet->length == size_of(found->fields);
  bool answer = found->answer[0] &&
                (direction == BRIO_FROM_DEVICE || (direction == BRIO_EITHER_WAY && !fits));
  *dialog = (brio_dialog){-1, packet->code, 0, 0};
  brio_text_format(out, "%s%s", found->words, answer ? " answer: " : packet->length ? " " : "");
  brio_words_fields(answer ? found->answer : found->fields, true, packet->data, packet->length, out);
}

const brio_protocol brio_protocol_mycobot = {
    .name = "mycobot",
    .doc = "Elephant Robotics myCobot 280, M5 and Pi.",
    .check = "none but length and end mark",
    .accepts = 1,
    .longest = MOST + 3,
    .parse = parse,
    .write = write_packet,
    .describe = describe,
};
