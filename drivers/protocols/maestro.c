/* Pololu Maestro servo controllers: a command byte with its top bit set, then data bytes without;
** preceded by AA and a device number in the Pololu protocol; or FF, servo, target (Mini SSC).
** Source: Pololu Maestro User's Guide, sections 5.c to 5.e.  The command determines the number of
** data bytes.  The controller answers with bare bytes, which only the host can interpret: from the
** device, each byte is a packet of its own.  The target of Mini SSC may be up to 254, so its two
** bytes are taken as they are. */
#include <stddef.h>
#include <string.h>

#include "drivers/protocols/checksum.h"
#include "drivers/protocols/maestro.h"
#include "drivers/protocols/words.h"

/* AA starts a packet with a device number; 9F has a count. */
enum { POLOLU = 0xAA, SEVERAL = 0x9F };

static const struct command {
  int code, length; /* -1: depends on the first data byte */
  const char *words, *fields;
  int answers; /* bytes of the answer, low byte first */
  const char *means;
} commands[] = {
    /* Targets and limits. */
    {0x84, 3, "set target", "B channel,q quarter microseconds", 0, ""},
    {0x87, 3, "set speed", "B channel,q speed", 0, ""},
    {0x89, 3, "set acceleration", "B channel,q acceleration", 0, ""},
    {0x8A, 4, "set PWM", "q on,q period", 0, ""},
    /* Questions. */
    {0x90, 1, "get position", "B channel", 2, "position, in quarter microseconds"},
    {0x93, 0, "is anything moving?", "", 1, "moving"},
    /* Several channels, errors, scripts. */
    {SEVERAL, -1, "set targets", "B count,B first channel", 0, ""},
    {0xA1, 0, "get errors", "", 2, "error bits"},
    {0xA2, 0, "go home", "", 0, ""},
    {0xA4, 0, "stop script", "", 0, ""},
    {0xA7, 1, "run subroutine", "B number", 0, ""},
    {0xA8, 3, "run subroutine", "B number,q parameter", 0, ""},
    {0xAE, 0, "is the script running?", "", 1, "stopped"},
};

/* O(commands). */
static const struct command *find(int code) {
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (commands[i].code == code) return &commands[i];
  return NULL;
}

/* Return the data bytes of a command, whose first data byte is there if `known` > 0; -1: not known
** yet. */
static int length_of(const struct command *command, const uint8_t *data, int known) {
  if (command->length >= 0) return command->length;
  return known > 0 ? 2 + 2 * data[0] : -1;
}

/* Parse a Mini SSC packet: bytes[0] is FF. */
static int parse_ssc(const uint8_t *bytes, int count, brio_packet *out) {
  /* FF FF: the second one may start a packet. */
  if (count > 1 && bytes[1] == 0xFF) return BRIO_WIRE_REFUSED(BRIO_WIRE_GARBAGE);
  if (count < 3) return 0;
  if (bytes[2] == 0xFF) return BRIO_WIRE_REFUSED(BRIO_WIRE_CONTENT);
  *out = (brio_packet){
      .id = -1, .code = BRIO_MAESTRO_SSC, .error = -1, .length = 2, .data = {bytes[1], bytes[2]}};
  return 3;
}

/* Parse device number and command.  Return the count of bytes before the data; 0: more are needed;
** below 0: refused. */
static int parse_head(const uint8_t *bytes, int count, brio_packet *out) {
  out->id = out->error = -1;
  if (bytes[0] < 0x80) return BRIO_WIRE_REFUSED(BRIO_WIRE_GARBAGE);
  out->code = bytes[0];
  if (bytes[0] != POLOLU) return find(out->code) ? 1 : BRIO_WIRE_REFUSED(BRIO_WIRE_GARBAGE);
  /* AA alone shows the board the baud rate */
  if (count > 1 && bytes[1] >= 0x80) return BRIO_WIRE_REFUSED(BRIO_WIRE_GARBAGE);
  if (count > 2 && (bytes[2] >= 0x80 || !find(bytes[2] | 0x80))) return BRIO_WIRE_REFUSED(BRIO_WIRE_CONTENT);
  if (count < 3) return 0;
  out->id = bytes[1];
  out->code = bytes[2] | 0x80;
  return 3;
}

/* `checks`: bytes of the check code at the end, 0 or 1. */
int brio_maestro_parse(const uint8_t *bytes, int count, brio_direction direction, int checks,
                       brio_packet *out) {
  /* The board's bytes have no framing: each is a packet of its own. */
  if (direction == BRIO_FROM_DEVICE) {
    *out = (brio_packet){.id = -1, .code = -1, .error = -1, .length = 1, .data = {bytes[0]}};
    return 1;
  }
  if (bytes[0] == BRIO_MAESTRO_SSC) return parse_ssc(bytes, count, out);
  int head = parse_head(bytes, count, out);
  if (head <= 0) return head;
  /* The data and the check code have no top bit: a byte that has one starts another packet. */
  for (int i = head; i < count; i++) {
    int length = length_of(find(out->code), bytes + head, i - head);
    if (length >= 0 && i >= head + length + checks) break;
    if (bytes[i] >= 0x80) return BRIO_WIRE_REFUSED(BRIO_WIRE_CONTENT);
  }
  /* Are all bytes there? Then check the CRC. */
  int length = length_of(find(out->code), bytes + head, count - head);
  if (length < 0 || count < head + length + checks) return 0;
  if (checks && brio_checksum_crc7(bytes, head + length) != bytes[head + length])
    return BRIO_WIRE_REFUSED(BRIO_WIRE_CHECK);
  out->length = length;
  memcpy(out->data, bytes + head, (size_t)length);
  return head + length + checks;
}

/* Return whether a packet is valid: known command, matching length, 7 bits per byte. */
static bool is_sound(const brio_packet *p) {
  const struct command *command = find(p->code);
  if (!command || p->length < 0 || p->length > 256 || p->id > 127 || p->error >= 0) return false;
  if (length_of(command, p->data, p->length) != p->length) return false;
  for (int i = 0; i < p->length; i++)
    if (p->data[i] >= 0x80) return false;
  return true;
}

/* A bare byte of an answer, Mini SSC, or a command. */
int brio_maestro_write(const brio_packet *packet, int checks, uint8_t *out, int room) {
  int at = 0;
  if (room < 300) return 0;
  /* From the device: a single byte. */
  if (packet->code == -1 && packet->id == -1 && packet->error == -1 && packet->length == 1) {
    out[0] = packet->data[0];
    return 1;
  }
  /* FF, servo, target: neither byte may be FF, which starts a packet. */
  if (packet->code == BRIO_MAESTRO_SSC) {
    if (packet->id >= 0 || packet->error >= 0 || packet->length != 2 || packet->data[0] == 0xFF ||
        packet->data[1] == 0xFF)
      return 0;
    memcpy(out, (uint8_t[]){BRIO_MAESTRO_SSC, packet->data[0], packet->data[1]}, 3);
    return 3;
  }
  /* In the Pololu protocol the command has no top bit. */
  if (!is_sound(packet)) return 0;
  if (packet->id >= 0) {
    out[at++] = POLOLU;
    out[at++] = (uint8_t)packet->id;
  }
  out[at++] = (uint8_t)(packet->id >= 0 ? packet->code & 0x7F : packet->code);
  memcpy(out + at, packet->data, (size_t)packet->length);
  at += packet->length;
  /* The CRC covers all bytes before it, AA included. */
  if (checks) out[at] = brio_checksum_crc7(out, at);
  return at + checks;
}

/* Describe a byte of an answer; the last one completes the value. dialog->length counts the bytes,
** dialog->address holds the value so far. */
static void describe_answer(int byte, brio_dialog *dialog, brio_text *out) {
  const struct command *asked = find(dialog->code);
  brio_text_format(out, "answer %02X", byte);
  if (!asked || dialog->length >= asked->answers) return;
  dialog->address |= byte << 8 * dialog->length++;
  if (dialog->length == asked->answers) brio_text_format(out, ": %s %d", asked->means, dialog->address);
}

/* Targets of several channels: 14 bits each, after the count and the first channel. */
void brio_maestro_describe(const brio_packet *packet, brio_direction direction, brio_dialog *dialog,
                           brio_text *out) {
  const struct command *command = find(packet->code);
  (void)direction;
  if (!command && packet->code != BRIO_MAESTRO_SSC) {
    describe_answer(packet->data[0], dialog, out);
    return;
  }
  /* The question is kept for its answer. */
  *dialog = (brio_dialog){packet->id, packet->code, 0, 0};
  if (packet->code == BRIO_MAESTRO_SSC) {
    brio_text_format(out, "servo %d: target %d of 254 (Mini SSC)", packet->data[0], packet->data[1]);
    return;
  }
  if (packet->id >= 0) brio_text_format(out, "device %d: ", packet->id);
  brio_text_format(out, "%s%s", command->words, packet->length ? " " : "");
  /* The first two bytes of several targets are no targets. */
  int fixed = packet->code == SEVERAL ? 2 : packet->length;
  brio_words_fields(command->fields, false, packet->data, fixed, out);
  for (int at = fixed; at + 1 < packet->length; at += 2)
    brio_text_format(out, "%s%d", at == fixed ? ": " : ", ", packet->data[at] | packet->data[at + 1] << 7);
}

/* The protocol without a check code. */
static int parse(const uint8_t *bytes, int count, brio_direction direction, brio_packet *out) {
  return brio_maestro_parse(bytes, count, direction, 0, out);
}

/* The inverse, likewise without a check code. */
static int write_packet(const brio_packet *packet, uint8_t *out, int room) {
  return brio_maestro_write(packet, 0, out, room);
}

const brio_protocol brio_protocol_maestro = {
    .name = "maestro",
    .alias = "pololu",
    .doc = "Pololu Maestro: compact, Pololu and Mini SSC forms.",
    .check = "none but the bytes' top bits",
    .accepts = 1,
    .longest = 300,
    .waits = true,
    .parse = parse,
    .write = write_packet,
    .describe = brio_maestro_describe,
};
