/* maxon EPOS4 over USB or RS-232, as a driver: see cia402/axes.c and cia402/line.c.  More drives
** may be on the CAN bus behind the first one, which forwards frames to them. */
#include "drivers/cia402/axes.h"
#include "drivers/setup/scan.h"

/* Defaults for a serial line: no heartbeat. */
static const brio_driver_setting settings_table[] =
    BRIO_CIA402_SETTINGS("Bits per second of RS-232; USB heeds none.", 115200, 0.02,
                         "Of no use here: there is no heartbeat on this line.", 0);

/* The same driver as on a CAN bus, with another link. */
static void *open_line(const brio_axis *axes, int count, const double *settings, uint64_t seed, void *context,
                       brio_error *err) {
  (void)seed;
  return brio_cia402_open(&brio_cia402_line, axes, count, settings, context, err);
}

/* The rates of the drive, the factory setting first. */
static const int bauds[] = {115200, 57600, 38400, 19200, 9600, 0};

/* A scan reads object 1000:00 of each node. */
static const brio_driver_scan scan = {
    .sends =
        "what are you, to each node: 90 02 60 02 ID 00 10 00 and a check code; to drives their status word",
    .ports = BRIO_SCAN_SERIAL,
    .bauds = bauds,
    .last = BRIO_CANOPEN_NODES,
    .turn = 4,
    .look = brio_cia402_look_line};

/* There is no watchdog on a serial line. */
const brio_driver_kind brio_driver_epos_serial = {
    .name = "epos_serial",
    .alias = "epos_usb",
    .doc = "maxon EPOS4 over USB or RS-232, and the drives on the CAN bus behind it.",
    .when_silent = "Drives go to the last target and hold it: this line has no watchdog.",
    .settings = settings_table,
    .texts = brio_cia402_texts,
    .open = open_line,
    .configure = brio_cia402_configure,
    .write = brio_cia402_write,
    .power = brio_cia402_power,
    .read = brio_cia402_read,
    .delay = brio_cia402_delay,
    .describe = brio_cia402_describe,
    .count = brio_cia402_count,
    .close = brio_cia402_close,
    .scan = &scan,
};
