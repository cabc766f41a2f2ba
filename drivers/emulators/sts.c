/* Feetech STS servos, emulated: the registers of an STS3215 (servo/tables/). */
#include "drivers/servo/emulator.h"

extern const brio_servo_family brio_servo_sts;
extern const brio_protocol brio_protocol_sts;

/* Servos with the registers of the STS and SMS series. */
static void *open_servos(const brio_emulator_options *options, brio_error *err) {
  return brio_servo_emulator_open(&brio_servo_sts, options, err);
}

const brio_emulator_kind brio_emulator_sts = {
    .name = "sts",
    .alias = "feetech",
    .doc = "Feetech STS servos.",
    .protocol = &brio_protocol_sts,
    .baud = 1000000,
    .servos = 6,
    .commands = brio_servo_emulator_commands,
    .open = open_servos,
    .handle = brio_servo_emulator_handle,
    .step = brio_servo_emulator_step,
    .command = brio_servo_emulator_command,
    .tell = brio_servo_emulator_tell,
    .close = brio_servo_emulator_close,
};
