/* maxon EPOS4 and other CiA 402 drives on a CAN bus, as a driver: see cia402/axes.c and
** cia402/bus.c. */
#include "drivers/cia402/axes.h"
#include "drivers/setup/scan.h"

/* Defaults for a CAN bus: 1 Mbit/s, a heartbeat of 0.1 s. */
static const brio_driver_setting settings_table[] = BRIO_CIA402_SETTINGS(
    "Bits per second of the bus, for working out times: `ip link` sets them.", 1000000, 0.02,
    "Period of a drive's heartbeat; a silence of two and a half periods is a fault. 0: none.", 0.1);

/* The same driver as over a serial line, with another link. */
static void *open_bus(const brio_axis *axes, int count, const double *settings, uint64_t seed, void *context,
                      brio_error *err) {
  (void)seed;
  return brio_cia402_open(&brio_cia402_bus, axes, count, settings, context, err);
}

/* A scan reads object 1000:00 of each node. */
static const brio_driver_scan scan = {
    .sends =
        "what are you, to each node: 600+ID 40 00 10 00 00 00 00 00; to drives their name and status word",
    .ports = BRIO_SCAN_CAN,
    .last = BRIO_CANOPEN_NODES,
    .turn = 4,
    .look = brio_cia402_look_bus};

const brio_driver_kind brio_driver_epos = {
    .name = "epos",
    .alias = "cia402",
    .doc = "maxon EPOS4 and other CiA 402 drives on a CAN bus (port can:can0).",
    .watchdog = true,
    .when_silent = "Drives stop quickly and hold, by their heartbeat consumer (object 1016).",
    .settings = settings_table,
    .texts = brio_cia402_texts,
    .open = open_bus,
    .configure = brio_cia402_configure,
    .write = brio_cia402_write,
    .write_impedances = brio_cia402_write_impedances,
    .power = brio_cia402_power,
    .read = brio_cia402_read,
    .delay = brio_cia402_delay,
    .describe = brio_cia402_describe,
    .count = brio_cia402_count,
    .close = brio_cia402_close,
    .scan = &scan,
};
