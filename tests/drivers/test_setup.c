/* Setting up devices by hand, against emulators: every number of every family can be read or reports why not,
** a change takes effect in the device and reads back, and a forbidden one is refused. */
#include "drivers/driver.h"
#include "drivers/setup/setup.h"
#include "tests/check.h"

typedef struct rig {
  const brio_driver_setup *setup;
  brio_emulator *line;
  brio_port *port;
} rig;

static bool rig_start(rig *r, const char *emulator, const brio_driver_setup *setup) {
  brio_error err = {0};
  const brio_emulator_kind *kind = brio_emulator_find(emulator, &err);
  brio_emulator_options options = {.servos = kind->servos, .first_id = -1, .seed = 5};
  r->setup = setup;
  r->line = brio_emulator_open(kind, &options, &err);
  r->port = r->line ? brio_port_emulated(r->line, kind->baud, &err) : NULL;
  CHECK(r->port != NULL, "%s", err.message);
  return r->port != NULL;
}

static void rig_end(rig *r) {
  brio_port_close(r->port);
  brio_emulator_close(r->line);
}

static double get(rig *r, int id, const char *name) {
  double value = NAN;
  brio_error err = {0};
  CHECK(brio_setup_get(r->setup, r->port, id, name, &value, &err), "%s %d: %s", name, id, err.message);
  return value;
}

static void set(rig *r, int id, const char *name, double value) {
  brio_error err = {0};
  CHECK(brio_setup_set(r->setup, r->port, id, name, value, &err), "%s %d: %s", name, id, err.message);
}

static void refuse(rig *r, int id, const char *name, double value, const char *why) {
  brio_error err = {0};
  CHECK(!brio_setup_set(r->setup, r->port, id, name, value, &err), "%s %d takes %g", name, id, value);
  CHECK_HAS(err.message, why);
}

static const struct {
  const char *emulator;
  const brio_driver_setup *setup;
} families[] = {{"lx16a", &brio_setup_lx16a},
                {"mycobot", &brio_setup_mycobot},
                {"maestro", &brio_setup_maestro},
                {"maestro_crc", &brio_setup_maestro},
                {"line", &brio_setup_line},
                {"dynamixel", &brio_setup_dynamixel},
                {"dynamixel1", &brio_setup_dynamixel1},
                {"sts", &brio_setup_sts},
                {"scs", &brio_setup_scs}};

/* Whether writing a row moves something, or makes the device unreachable. */
static bool is_drastic(const char *name) {
  static const char *const names[] = {"id",      "baud", "home",     "powered", "free",  "paused", "error",
                                      "angle",   "x",    "y",        "z",       "rx",    "ry",     "rz",
                                      "gripper", "on",   "watchdog", "offset",  "speed", "pulse"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

/* A field that can be read and changed keeps what is written, within a step, and no other field changes. */
static void test_every_number(void) {
  for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
    rig r;
    if (!rig_start(&r, families[f].emulator, families[f].setup)) continue;
    for (int i = 0; r.setup->rows[i].name; i++) {
      const brio_setup_row *row = &r.setup->rows[i];
      CHECK(row->doc && row->unit && (row->read >= 0 || row->write >= 0), "%s", row->name);
      if (row->read >= 0) CHECK(isfinite(get(&r, 1, row->name)), "%s %s", families[f].emulator, row->name);
      if (row->read < 0 || row->write < 0 || is_drastic(row->name)) continue;
      double value = row->lower + 0.2 * (row->upper - row->lower);
      if (row->upper - row->lower <= 1) value = row->upper;
      if (strcmp(row->name, "upper") == 0 || strncmp(row->name, "most", 4) == 0)
        value = row->lower + 0.9 * (row->upper - row->lower);
      set(&r, 1, row->name, value);
      CHECK_NEAR(get(&r, 1, row->name), value, row->scale, "%s %s", families[f].emulator, row->name);
      refuse(&r, 1, row->name, row->upper + 1, "is from");
      refuse(&r, 1, row->name, NAN, "is from");
    }
    refuse(&r, 1, "lowr", 1, "there is no 'lowr'");
    refuse(&r, 400, r.setup->rows[0].name, 1, "ids of");
    rig_end(&r);
  }
}

static void test_lx16a_ids(void) {
  rig r;
  if (!rig_start(&r, "lx16a", &brio_setup_lx16a)) return;
  refuse(&r, 1, "id", 2, "there is one already");
  set(&r, 1, "id", 40);
  CHECK(get(&r, 40, "id") == 40, "it has its new id");
  double value;
  CHECK(!brio_setup_get(r.setup, r.port, 1, "id", &value, NULL), "and the old one no more");
  set(&r, 40, "lower", -0.5); /* neighbors in a packet stay */
  CHECK_NEAR(get(&r, 40, "upper"), 2.0944, 0.003, "upper");
  set(&r, 2, "offset", 0.1);
  CHECK_NEAR(get(&r, 2, "offset"), 0.1, 0.003, "offset");
  rig_end(&r);
}

/* A lossy line changes only the time that it takes. */
static void test_lossy(void) {
  rig r;
  if (!rig_start(&r, "lx16a", &brio_setup_lx16a)) return;
  brio_emulator_set(r.line, BRIO_LINE_LOSS, 0.1);
  brio_emulator_set(r.line, BRIO_LINE_ERRORS, 0.005);
  for (int i = 0; i < 50; i++) {
    double value = -1 + 0.03 * i;
    brio_error err = {0};
    if (brio_setup_set(r.setup, r.port, 3, "lower", value, &err))
      CHECK_NEAR(get(&r, 3, "lower"), value, 0.003, "%d", i);
  }
  rig_end(&r);
}

static void test_board(void) {
  rig r;
  if (!rig_start(&r, "line", &brio_setup_line)) return;
  set(&r, 3, "least", 1100);
  refuse(&r, 3, "pulse", 1000, "does not take pulse 1000");
  set(&r, 3, "pulse", 1200);
  CHECK(get(&r, 3, "pulse") == 1200, "%g", get(&r, 3, "pulse"));
  set(&r, 3, "on", 0);
  CHECK(get(&r, 3, "pulse") == 0, "off");
  refuse(&r, 9, "least", 1000, "no channel 9");
  set(&r, 0, "id", 17);
  CHECK(get(&r, 0, "id") == 17, "%g", get(&r, 0, "id"));
  set(&r, 0, "baud", 57600);
  CHECK(r.port->baud == 57600 && get(&r, 0, "id") == 17, "at its new rate");
  rig_end(&r);
}

static void test_arm(void) {
  rig r;
  if (!rig_start(&r, "mycobot", &brio_setup_mycobot)) return;
  refuse(&r, 0, "lower", 0, "is of a joint");
  set(&r, 2, "upper", 0.5);
  CHECK_NEAR(get(&r, 2, "upper"), 0.5, 0.002, "limit");
  CHECK_NEAR(get(&r, 3, "upper"), 2.93, 0.01, "another joint's");
  set(&r, 1, "powered", 1);
  CHECK(get(&r, 6, "torque") == 1, "powered");
  set(&r, 6, "torque", 0);
  CHECK(get(&r, 6, "torque") == 0 && get(&r, 1, "powered") == 0 && get(&r, 5, "torque") == 1,
        "one joint is limp");
  set(&r, 1, "angle", 0.4);
  set(&r, 2, "angle", 0.9); /* beyond the limit that was set */
  r.port->made_up += 3;
  CHECK_NEAR(get(&r, 1, "angle"), 0.4, 0.001, "it went there");
  CHECK_NEAR(get(&r, 2, "angle"), 0, 0.001, "it did not");
  CHECK(get(&r, 1, "error") == 2, "%g", get(&r, 1, "error"));
  set(&r, 1, "error", 0);
  set(&r, 1, "z", 0.02);
  r.port->made_up += 3;
  CHECK_NEAR(get(&r, 1, "z"), 0.02, 0.0002, "coordinate");
  set(&r, 1, "gripper", 0.5);
  r.port->made_up += 3;
  CHECK_NEAR(get(&r, 1, "gripper"), 0.5, 0.011, "gripper");
  rig_end(&r);
}

static void test_maestro(void) {
  rig r;
  if (!rig_start(&r, "maestro", &brio_setup_maestro)) return;
  set(&r, 2, "pulse", 1500);
  set(&r, 2, "speed", 500);
  set(&r, 2, "pulse", 1700);
  r.port->made_up += 0.2;
  CHECK_NEAR(get(&r, 2, "pulse"), 1600, 20, "on its way");
  CHECK(get(&r, 0, "moving") == 1, "moving");
  r.port->made_up += 1;
  CHECK(get(&r, 2, "pulse") == 1700 && get(&r, 0, "moving") == 0, "there");
  set(&r, 0, "home", 1);
  CHECK(get(&r, 2, "pulse") == 0, "home is off");
  rig_end(&r);
}

CHECK_SUITE(CHECK_TEST(test_every_number), CHECK_TEST(test_lx16a_ids), CHECK_TEST(test_lossy),
            CHECK_TEST(test_board), CHECK_TEST(test_arm), CHECK_TEST(test_maestro))
