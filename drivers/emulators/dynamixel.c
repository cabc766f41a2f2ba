/* Dynamixel X servos by Protocol 2.0, emulated: the registers of an XM430 (servo/tables/). */
#include "drivers/servo/emulator.h"

extern const brio_servo_family brio_servo_dynamixel2;
extern const brio_protocol brio_protocol_dynamixel2;

/* Servos with the registers of Protocol 2.0. */
static void *open_servos(const brio_emulator_options *options, brio_error *err) {
  return brio_servo_emulator_open(&brio_servo_dynamixel2, options, err);
}

const brio_emulator_kind brio_emulator_dynamixel = {
    .name = "dynamixel",
    .alias = "dynamixel2",
    .doc = "Dynamixel servos, Protocol 2.0: an XM430, or any other model.",
    .protocol = &brio_protocol_dynamixel2,
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
