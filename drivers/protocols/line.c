/* The line protocol for hobby servo boards: a line of text from $ to *, then the XOR of the text
** between as two digits, as in NMEA 0183: "$P 0 1500 3 1200*4A\n". docs/devices/line-protocol.md
** has the grammar, drivers/arduino/brio_servo a sketch for an Arduino.  The id of a packet is the
** number before its letter, if there is one; its code is the letter; its data are the rest of the
** text. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "drivers/protocols/words.h"

enum { MOST = 200 /* characters between $ and * */, HIGHEST = 127 /* id */ };

/* Capital letters only; -1: not a digit. */
static int hex_digit(uint8_t c) { return isdigit(c) ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

/* Read an id, without leading zeros, in front of a letter.  Return the position of the letter; -1:
** malformed. */
static int read_id(const uint8_t *bytes, int end, int *id) {
  int at = 1, value = 0;
  for (; at < end && at < 4 && isdigit(bytes[at]); at++) value = 10 * value + bytes[at] - '0';
  /* -1: no id. */
  *id = at > 1 ? value : -1;
  if (value > HIGHEST || (at > 2 && bytes[1] == '0')) return -1;
  return at < end && isupper(bytes[at]) ? at : -1;
}

/* Read one line: "$", id and letter, text, "*", two digits, line feed.  O(count). */
static int parse(const uint8_t *bytes, int count, brio_direction direction, brio_packet *out) {
  int star = 1, id;
  uint8_t sum = 0;
  (void)direction;
  if (bytes[0] != '$') return BRIO_WIRE_REFUSED(BRIO_WIRE_GARBAGE);
  /* Find the star; only printable characters may come before it. */
  for (; star < count && bytes[star] != '*'; star++) {
    if (bytes[star] < ' ' || bytes[star] > '~' || bytes[star] == '$')
      return BRIO_WIRE_REFUSED(BRIO_WIRE_CONTENT);
    if (star > MOST) return BRIO_WIRE_REFUSED(BRIO_WIRE_LENGTH);
    sum ^= bytes[star];
  }
  if (star == count) return 0;
  /* From here on the text up to the star is complete, and only the check is missing. */
  int letter = read_id(bytes, star, &id);
  if (letter < 0) return BRIO_WIRE_REFUSED(BRIO_WIRE_CONTENT);
  /* What is there of the check digits and the line feed must be right. */
  for (int i = star + 1; i < count && i <= star + 2; i++)
    if (hex_digit(bytes[i]) < 0) return BRIO_WIRE_REFUSED(BRIO_WIRE_CONTENT);
  if (count > star + 3 && bytes[star + 3] != '\n') return BRIO_WIRE_REFUSED(BRIO_WIRE_CONTENT);
  if (count < star + 4) return 0;
  if (hex_digit(bytes[star + 1]) * 16 + hex_digit(bytes[star + 2]) != sum)
    return BRIO_WIRE_REFUSED(BRIO_WIRE_CHECK);
  *out = (brio_packet){.id = id, .code = bytes[letter], .error = -1, .length = star - letter - 1};
  memcpy(out->data, bytes + letter + 1, (size_t)out->length);
  return star + 4;
}

/* The inverse: text that would end the line early is refused. */
static int write_packet(const brio_packet *packet, uint8_t *out, int room) {
  uint8_t sum = 0;
  if (packet->id > HIGHEST || packet->error >= 0 || packet->code < 'A' || packet->code > 'Z') return 0;
  if (packet->length < 0 || packet->length >= MOST - 3 || packet->length + 9 > room) return 0;
  /* The id, if there is one, and the letter. */
  int at = packet->id < 0 ? snprintf((char *)out, 6, "$%c", packet->code)
                          : snprintf((char *)out, 6, "$%d%c", packet->id, packet->code);
  for (int i = 1; i < at; i++) sum ^= out[i];
  for (int i = 0; i < packet->length; i++) {
    /* Only printable characters, and none that has a meaning in the frame. */
    uint8_t c = packet->data[i];
    if (c < ' ' || c > '~' || c == '*' || c == '$') return 0;
    sum ^= out[at++] = c;
  }
  /* The check code: two digits, high one first. */
  out[at++] = '*';
  out[at++] = (uint8_t)"0123456789ABCDEF"[sum >> 4];
  out[at++] = (uint8_t)"0123456789ABCDEF"[sum & 15];
  out[at++] = '\n';
  return at;
}

/* Letters in words; the text follows as it is. */
static void describe(const brio_packet *packet, brio_direction direction, brio_dialog *dialog,
                     brio_text *out) {
  /* Letters of questions, commands and answers. */
  static const struct {
    int code;
    const char *words;
  } codes[] = {{'V', "version"}, {'P', "pulses"}, {'M', "move"},  {'R', "report"},  {'O', "outputs"},
               {'T', "watchdog"}, {'L', "limits"}, {'I', "inputs"}, {'S', "status"}, {'N', "new id"},
               {'B', "new baud rate"}, {'K', "done"}, {'E', "refused"}};
  const int most = (int)(sizeof codes / sizeof *codes);
  int i = 0;
  (void)direction;
  *dialog = (brio_dialog){packet->id, packet->code, 0, 0};
  if (packet->id >= 0) brio_text_format(out, "board %d: ", packet->id);
  while (i < most && codes[i].code != packet->code) i++;
  if (i < most) brio_text_format(out, "%s%.*s", codes[i].words, packet->length, (const char *)packet->data);
  else brio_text_format(out, "line %c%.*s", packet->code, packet->length, (const char *)packet->data);
}

const brio_protocol brio_protocol_line = {
    .name = "line",
    .doc = "Lines of text for hobby servo boards.",
    .check = "XOR of 8 bits",
    .accepts = 1.0 / 256,
    .longest = MOST + 8,
    .parse = parse,
    .write = write_packet,
    .describe = describe,
};
