/* Feetech SCS servos.  Registers are in servo/tables/, packets in protocols/scs.c, an emulator
** in emulators/scs.c, everything else in servo/driver.c. */
#include "drivers/servo/driver.h"
#include "drivers/setup/scan.h"
#include "drivers/setup/setup.h"

/* The frames of STS, numbers high byte first. */
extern const brio_servo_family brio_servo_scs;

/* The question of a scan is a ping. */
static const brio_driver_scan scan = BRIO_SERVO_SCAN(brio_servo_scs, "FF FF ID 02 01 SUM");

/* The family differs from others only by its tables. */
static void *open_servos(const brio_axis *axes, int count, const double *settings, uint64_t seed,
                         void *context, brio_error *err) {
  (void)seed;
  return brio_servo_driver_open(&brio_servo_scs, axes, count, settings, context, err);
}

const brio_driver_kind brio_driver_scs = {
    .name = "scs",
    .alias = NULL,
    .doc = "Feetech SCS servos.",
    .when_silent = "Servos hold the last target.",
    .settings = brio_servo_driver_settings,
    .texts = brio_servo_driver_texts,
    .open = open_servos,
    .configure = brio_servo_driver_configure,
    .write = brio_servo_driver_write,
    .write_timed = brio_servo_driver_write_timed,
    .power = brio_servo_driver_power,
    .read = brio_servo_driver_read,
    .range = brio_servo_driver_range,
    .describe = brio_servo_driver_describe,
    .count = brio_servo_driver_count,
    .close = brio_servo_driver_close,
    .scan = &scan,
    .setup = &brio_setup_scs,
};
