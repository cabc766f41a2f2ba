/* Dynamixel servos, Protocol 2.0.  Registers are in servo/tables/, packets in
** protocols/dynamixel2.c, an emulator in emulators/dynamixel.c, everything else in servo/driver.c. */
#include "drivers/servo/driver.h"
#include "drivers/setup/scan.h"
#include "drivers/setup/setup.h"

extern const brio_servo_family brio_servo_dynamixel2;

/* The question of a scan is a ping. */
static const brio_driver_scan scan = BRIO_SERVO_SCAN(brio_servo_dynamixel2, "FF FF FD 00 ID 03 00 01 CRC");

/* The family differs from others only by its tables. */
static void *open_servos(const brio_axis *axes, int count, const double *settings, uint64_t seed,
                         void *context, brio_error *err) {
  (void)seed;
  return brio_servo_driver_open(&brio_servo_dynamixel2, axes, count, settings, context, err);
}

const brio_driver_kind brio_driver_dynamixel = {
    .name = "dynamixel",
    .alias = "dynamixel2",
    .doc = "Dynamixel servos, Protocol 2.0.",
    .watchdog = true,
    .when_silent = "Servos with an armed bus watchdog stop and hold their position, in current mode they "
                   "go limp; others (XL-320) hold the last target.",
    .settings = brio_servo_driver_settings,
    .texts = brio_servo_driver_texts,
    .open = open_servos,
    .configure = brio_servo_driver_configure,
    .write = brio_servo_driver_write,
    .write_timed = brio_servo_driver_write_timed,
    .write_impedances = brio_servo_driver_write_impedances,
    .power = brio_servo_driver_power,
    .read = brio_servo_driver_read,
    .range = brio_servo_driver_range,
    .describe = brio_servo_driver_describe,
    .count = brio_servo_driver_count,
    .close = brio_servo_driver_close,
    .scan = &scan,
    .setup = &brio_setup_dynamixel,
};
