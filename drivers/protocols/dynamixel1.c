/* Dynamixel Protocol 1.0: FF FF, id, length, instruction or error, parameters, inverted sum.
** Source: ROBOTIS e-Manual, "Protocol 1.0".  An answer has its error bits where a question has its
** instruction: only the direction, or the previous question, tells them apart. */
#include "drivers/protocols/words.h"
#include "drivers/servo/servo.h"

extern const brio_servo_family brio_servo_dynamixel1;

/* The length counts two bytes more than the parameters. */
static int parse(const uint8_t *bytes, int count, brio_direction direction, brio_packet *out) {
  (void)direction;
  return brio_sum_frame_parse(0xFF, 2, bytes, count, out);
}

/* The inverse: the frame of an instruction, or of an answer with its error in place of the code. */
static int write_packet(const brio_packet *packet, uint8_t *out, int room) {
  return brio_sum_frame_write(0xFF, 2, packet, out, room);
}

/* The words of all bus servos, with this family's registers. */
static void describe(const brio_packet *packet, brio_direction direction, brio_dialog *dialog,
                     brio_text *out) {
  brio_servo_describe(&brio_servo_dynamixel1, packet, direction, dialog, out);
}

/* No status packets: the error takes the place of the instruction. */
const brio_protocol brio_protocol_dynamixel1 = {
    .name = "dynamixel1",
    .alias = NULL,
    .doc = "Dynamixel Protocol 1.0: AX, MX and others.",
    .check = "sum of 8 bits",
    .accepts = 1.0 / 256,
    .longest = 255,
    .parse = parse,
    .write = write_packet,
    .describe = describe,
};
