/* Dynamixel AX servos, Protocol 1.0, emulated: the registers of an AX-12A (servo/tables/). */
#include "drivers/servo/emulator.h"

extern const brio_servo_family brio_servo_dynamixel1;
extern const brio_protocol brio_protocol_dynamixel1;

/* Servos with the registers of Protocol 1.0. */
static void *open_servos(const brio_emulator_options *options, brio_error *err) {
  return brio_servo_emulator_open(&brio_servo_dynamixel1, options, err);
}

const brio_emulator_kind brio_emulator_dynamixel1 = {
    .name = "dynamixel1",
    .doc = "Dynamixel AX servos, Protocol 1.0.",
    .protocol = &brio_protocol_dynamixel1,
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
