/* Feetech STS and SMS servos: the frames of Dynamixel 1.0 with other registers.  Sources: "SCS
** servo communication protocol" and the memory tables (see servo/tables/). */
#include "drivers/protocols/words.h"
#include "drivers/servo/servo.h"

extern const brio_servo_family brio_servo_sts;

/* The length counts two bytes more than the parameters. */
static int parse(const uint8_t *bytes, int count, brio_direction direction, brio_packet *out) {
  (void)direction;
  return brio_sum_frame_parse(0xFF, 2, bytes, count, out);
}

/* The inverse, with the same counting of the length. */
static int write_packet(const brio_packet *packet, uint8_t *out, int room) {
  return brio_sum_frame_write(0xFF, 2, packet, out, room);
}

/* The words of all bus servos, with this family's registers. */
static void describe(const brio_packet *packet, brio_direction direction, brio_dialog *dialog,
                     brio_text *out) {
  brio_servo_describe(&brio_servo_sts, packet, direction, dialog, out);
}

/* No status packets: the error takes the place of the instruction. */
const brio_protocol brio_protocol_sts = {
    .name = "sts",
    .alias = "feetech",
    .doc = "Feetech STS and SMS servos: numbers low byte first, with a sign bit.",
    .check = "sum of 8 bits",
    .accepts = 1.0 / 256,
    .longest = 255,
    .parse = parse,
    .write = write_packet,
    .describe = describe,
};
