/* Emulated bus servos with their driver, in simulated time: for tests of the driver's
** messages and actions. */
#ifndef TESTS_DRIVERS_SERVO_RIG_H
#define TESTS_DRIVERS_SERVO_RIG_H

#include "drivers/servo/bus.h"
#include "drivers/servo/driver.h"
#include "drivers/servo/emulator.h"
#include "tests/check.h"

enum { MOST = 20 };

typedef struct rig {
  const brio_servo_family *family;
  brio_emulator *line;
  void *device;
  brio_port *port; /* the device's */
  int count;
  double settings[16];
  brio_axis axes[MOST];
  brio_axis_state states[MOST];
  brio_error err;
} rig;

static const char *const kinds[] = {"dynamixel", "dynamixel1", "sts", "scs"};
enum { NKIND = sizeof kinds / sizeof *kinds };

static inline void type(rig *r, const char *text) {
  brio_text out = {0};
  CHECK(brio_emulator_command(r->line, text, &out, &r->err), "%s: %s", text, r->err.message);
  brio_text_end(&out);
}

static inline void set(rig *r, const char *name, double value) {
  for (int i = 0; brio_servo_driver_settings[i].name; i++)
    if (strcmp(brio_servo_driver_settings[i].name, name) == 0) r->settings[i] = value;
}

/* A rig of emulated servos whose driver is not open, on a line of this speed; 0: the usual one. */
static inline bool rig_start_at(rig *r, const char *kind, int servos, int baud) {
  const brio_emulator_kind *found = brio_emulator_find(kind, NULL);
  if (baud == 0) baud = found->baud;
  brio_emulator_options options = {.servos = servos, .first_id = 1, .seed = 3, .baud = baud};
  memset(r, 0, sizeof *r);
  r->family = brio_servo_family_find(kind, &r->err);
  r->line = brio_emulator_open(found, &options, &r->err);
  r->count = servos;
  for (int i = 0; brio_servo_driver_settings[i].name; i++)
    r->settings[i] = brio_servo_driver_settings[i].fallback;
  set(r, "baud", baud);
  for (int i = 0; i < servos; i++)
    r->axes[i] = (brio_axis){.name = "a", .lower = -2, .upper = 2, .velocity = 3, .acceleration = 10};
  CHECK(r->family && r->line, "%s: %s", kind, r->err.message);
  return r->family && r->line;
}

static inline bool rig_start(rig *r, const char *kind, int servos) {
  return rig_start_at(r, kind, servos, 0);
}

static inline bool rig_open(rig *r) {
  static const char *texts[] = {"", "", "", "", "", ""};
  r->port = brio_port_emulated(r->line, (int)r->settings[0], &r->err);
  r->err = (brio_error){0};
  r->device = brio_servo_driver_open_on(r->family, r->axes, r->count, r->settings, texts, r->port, &r->err);
  return r->device != NULL;
}

/* Open the emulated bus without a driver; return its port, which the caller closes. */
static inline brio_port *bus_start(rig *r, brio_servo_bus *bus) {
  brio_port *port = brio_port_emulated(r->line, (int)r->settings[0], &r->err);
  brio_servo_bus_start(bus, r->family, port);
  return port;
}

static inline void rig_close(rig *r) {
  if (r->device) brio_servo_driver_close(r->device);
  r->device = NULL;
}

static inline void rig_end(rig *r) {
  rig_close(r);
  brio_emulator_close(r->line);
}

static inline bool configure(rig *r, double watchdog) {
  brio_driver_config config = {.watchdog = watchdog, .axes = r->axes};
  return brio_servo_driver_configure(r->device, &config, &r->err);
}

static inline bool power(rig *r, bool on) {
  bool flags[MOST];
  for (int i = 0; i < r->count; i++) flags[i] = on;
  r->err = (brio_error){0};
  return brio_servo_driver_power(r->device, flags, &r->err);
}

/* Let time pass on a silent line. */
static inline void wait(rig *r, double seconds) {
  uint8_t bytes[64];
  double until = brio_port_now(r->port) + seconds, now;
  while ((now = brio_port_now(r->port)) < until)
    if (brio_port_read(r->port, bytes, sizeof bytes, until - now, NULL) < 0) break;
}

/* Run cycles for `seconds`: all axes towards `goal`, at `speed`.  Return the number of
** cycles without an error. */
static inline int cycles(rig *r, double goal, double speed, double seconds) {
  double targets[MOST], speeds[MOST], until = brio_port_now(r->port) + seconds;
  int well = 0;
  for (int i = 0; i < r->count; i++) targets[i] = goal, speeds[i] = speed;
  while (brio_port_now(r->port) < until) {
    brio_error why = {0};
    bool good = brio_servo_driver_write_timed(r->device, targets, speeds, &why) &&
                brio_servo_driver_read(r->device, r->states, &why);
    if (!good) r->err = why;
    well += good;
    if (!good && why.code == BRIO_IO) break;
    if (!good) wait(r, 0.003);
  }
  return well;
}

static inline int32_t value(rig *r, int id, brio_servo_role role) {
  return brio_servo_emulator_value(brio_emulator_device(r->line), id, role);
}

/* Open, configure, power on. */
static inline bool ready(rig *r) {
  bool good = rig_open(r) && configure(r, 0.5) && power(r, true);
  CHECK(good, "%s: %s", r->family->name, r->err.message);
  return good;
}

#endif
