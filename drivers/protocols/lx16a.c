/* LewanSoul and Hiwonder bus servos (LX-16A, LX-15D, LX-224): 55 55, id, length, command,
** parameters, inverted sum; numbers low byte first.  Source: "Hiwonder Bus Servo Communication
** Protocol"; its own table shows that the length counts itself, command and sum besides the
** parameters.  A question has no parameters; its answer has the same command, and four parameters
** at most.  A much greater length is therefore refused at once. */
#include <stddef.h>

#include "drivers/protocols/words.h"

enum { LONGEST = 24 /* limit of the length byte; commands have 7 at most */ };

/* The length counts three bytes more than the parameters. */
static int parse(const uint8_t *bytes, int count, brio_direction direction, brio_packet *out) {
  (void)direction;
  if (count > 3 && bytes[0] == 0x55 && bytes[1] == 0x55 && bytes[3] > LONGEST)
    return BRIO_WIRE_REFUSED(BRIO_WIRE_LENGTH);
  return brio_sum_frame_parse(0x55, 3, bytes, count, out);
}

/* The inverse; a length beyond LONGEST would be refused by `parse`. */
static int write_packet(const brio_packet *packet, uint8_t *out, int room) {
  return packet->length + 3 > LONGEST ? 0 : brio_sum_frame_write(0x55, 3, packet, out, room);
}

/* Commands by number, with the types of their parameters (words.c). */
static const struct command {
  int code;
  const char *words, *fields;
} commands[] = {
    /* Moves: position and duration. */
    {1, "move", "H to,H in ms"},
    {2, "read move", "H to,H in ms"},
    {7, "move when told", "H to,H in ms"},
    {8, "read move when told", "H to,H in ms"},
    {11, "start the move that was told", ""},
    {12, "stop", ""},
    /* Id and offset. */
    {13, "write id", "B id"},
    {14, "read id", "B id"},
    {17, "adjust offset", "b offset"},
    {18, "save offset", ""},
    {19, "read offset", "b offset"},
    /* Limits. */
    {20, "write angle limits", "H lower,H upper"},
    {21, "read angle limits", "H lower,H upper"},
    {22, "write voltage limits", "H lower mV,H upper mV"},
    {23, "read voltage limits", "H lower mV,H upper mV"},
    {24, "write temperature limit", "B degrees"},
    {25, "read temperature limit", "B degrees"},
    /* Measurements. */
    {26, "read temperature", "B degrees"},
    {27, "read voltage", "H mV"},
    {28, "read position", "h position"},
    /* Modes and light. */
    {29, "write mode", "B mode,B reserved,h speed"},
    {30, "read mode", "B mode,B reserved,h speed"},
    {31, "write load", "B on"},
    {32, "read load", "B on"},
    {33, "write LED", "B off"},
    {34, "read LED", "B off"},
    {35, "write LED errors", "B mask"},
    {36, "read LED errors", "B mask"},
};

/* A question and its answer differ in the parameters only. */
static void describe(const brio_packet *packet, brio_direction direction, brio_dialog *dialog,
                     brio_text *out) {
  const struct command *found = NULL;
  (void)direction;
  *dialog = (brio_dialog){packet->id, packet->code, 0, 0};
  /* O(commands), for people only. */
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (commands[i].code == packet->code) found = &commands[i];
  if (packet->id == 254) brio_text_format(out, "all servos: ");
  else brio_text_format(out, "servo %d: ", packet->id);
  if (!found) brio_text_format(out, "command %d ", packet->code);
  else brio_text_format(out, "%s", found->words);
  /* Without data it is a question, or a command without arguments. */
  if (packet->length == 0) return;
  brio_text_format(out, found && found->words[0] == 'r' ? ", answer: " : " ");
  brio_words_fields(found ? found->fields : "", false, packet->data, packet->length, out);
}

const brio_protocol brio_protocol_lx16a = {
    .name = "lx16a",
    .alias = "lewansoul",
    .doc = "LewanSoul and Hiwonder bus servos: LX-16A and its kin.",
    .check = "sum of 8 bits",
    .accepts = 1.0 / 256,
    .longest = LONGEST + 3,
    .parse = parse,
    .write = write_packet,
    .describe = describe,
};
