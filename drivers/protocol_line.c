/* The line protocol for hobby servo boards: a line of text, begun by $, ended by * and an XOR of what is
** between, as in NMEA 0183: "$P 0 1500 3 1200*4A\n".  docs/devices.md has the words and a sketch for an
** Arduino.  A packet's code is its first letter; its data the rest of the text. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "drivers/words.h"

enum { MOST = 200 /* characters between $ and * */ };

static int hex_digit(uint8_t c) { return isdigit(c) ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

static int parse(const uint8_t *bytes, int count, brio_direction direction, brio_packet *out) {
  int star = 1;
  uint8_t sum = 0;
  (void)direction;
  if (bytes[0] != '$') return BRIO_WIRE_REFUSED(BRIO_WIRE_GARBAGE);
  for (; star < count && bytes[star] != '*'; star++) {
    if (bytes[star] < ' ' || bytes[star] > '~' || bytes[star] == '$') return BRIO_WIRE_REFUSED(BRIO_WIRE_CONTENT);
    if (star > MOST) return BRIO_WIRE_REFUSED(BRIO_WIRE_LENGTH);
    sum ^= bytes[star];
  }
  if (star == count) return 0;
  if (star < 2 || !isupper(bytes[1])) return BRIO_WIRE_REFUSED(BRIO_WIRE_CONTENT);
  for (int i = star + 1; i < count && i <= star + 2; i++)
    if (hex_digit(bytes[i]) < 0) return BRIO_WIRE_REFUSED(BRIO_WIRE_CONTENT);
  if (count > star + 3 && bytes[star + 3] != '\n') return BRIO_WIRE_REFUSED(BRIO_WIRE_CONTENT);
  if (count < star + 4) return 0;
  if (hex_digit(bytes[star + 1]) * 16 + hex_digit(bytes[star + 2]) != sum)
    return BRIO_WIRE_REFUSED(BRIO_WIRE_CHECK);
  *out = (brio_packet){.id = -1, .code = bytes[1], .error = -1, .length = star - 2};
  memcpy(out->data, bytes + 2, (size_t)out->length);
  return star + 4;
}

static int write_packet(const brio_packet *packet, uint8_t *out, int room) {
  int at = 0;
  uint8_t sum = (uint8_t)packet->code;
  if (packet->id >= 0 || packet->error >= 0 || packet->code < 'A' || packet->code > 'Z') return 0;
  if (packet->length < 0 || packet->length >= MOST || packet->length + 6 > room) return 0;
  out[at++] = '$';
  out[at++] = (uint8_t)packet->code;
  for (int i = 0; i < packet->length; i++) {
    uint8_t c = packet->data[i];
    if (c < ' ' || c > '~' || c == '*' || c == '$') return 0;
    sum ^= out[at++] = c;
  }
  out[at++] = '*';
  out[at++] = (uint8_t)"0123456789ABCDEF"[sum >> 4];
  out[at++] = (uint8_t)"0123456789ABCDEF"[sum & 15];
  out[at++] = '\n';
  return at;
}

static void describe(const brio_packet *packet, brio_direction direction, brio_dialog *dialog, brio_text *out) {
  static const struct {
    int code;
    const char *words;
  } codes[] = {{'V', "version"}, {'P', "pulses"}, {'R', "report"},    {'O', "outputs"},
               {'T', "watchdog"}, {'K', "done"},   {'E', "refused"}};
  int i = 0;
  (void)direction;
  *dialog = (brio_dialog){-1, packet->code, 0, 0};
  while (i < 7 && codes[i].code != packet->code) i++;
  if (i < 7) brio_text_format(out, "%s%.*s", codes[i].words, packet->length, (const char *)packet->data);
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
