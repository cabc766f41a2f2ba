/* Feetech SCS servos: the frames of STS, other registers, numbers high byte first. */
#include "drivers/protocols/words.h"
#include "drivers/servo/servo.h"

extern const brio_servo_family brio_servo_scs;

/* Frames are those of Dynamixel 1.0. */
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
  brio_servo_describe(&brio_servo_scs, packet, direction, dialog, out);
}

/* No status packets: the error takes the place of the instruction. */
const brio_protocol brio_protocol_scs = {
    .name = "scs",
    .alias = NULL,
    .doc = "Feetech SCS servos: numbers high byte first.",
    .check = "sum of 8 bits",
    .accepts = 1.0 / 256,
    .longest = 255,
    .parse = parse,
    .write = write_packet,
    .describe = describe,
};
