/* Pololu Maestro with "Enable CRC" set, emulated: see maestro.c. */
#include "drivers/emulators/maestro.h"

extern const brio_protocol brio_protocol_maestro_crc;

const brio_emulator_kind brio_emulator_maestro_crc = {
    .name = "maestro_crc",
    .alias = NULL,
    .doc = "Pololu Maestro with its CRC enabled.",
    .protocol = &brio_protocol_maestro_crc,
    .baud = 115200,
    .servos = 6,
    .commands = brio_maestro_commands,
    .open = brio_maestro_emulator_open,
    .handle = brio_maestro_emulator_handle,
    .step = brio_maestro_emulator_step,
    .command = brio_maestro_emulator_command,
    .tell = brio_joints_tell,
    .close = brio_joints_close,
};
