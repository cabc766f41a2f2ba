/* Every model of Dynamixel by Protocol 2.0 that brio knows, and the differences between models and
** modes: units, scattered registers, errors that are codes, refused speeds, wheels, a maximum
** current, unknown models. */
#include "drivers/servo/bus.h"
#include "drivers/servo/driver.h"
#include "drivers/servo/emulator.h"
#include "tests/check.h"

enum { BAUD = 57600 };

typedef struct rig {
  const brio_servo_family *family;
  brio_emulator *line;
  void *device;
  brio_port *port;
  double settings[16];
  const char *texts[8];
  brio_axis axis;
  brio_axis_state state;
  brio_error err;
} rig;

static void type(rig *r, const char *text) {
  brio_text out = {0};
  brio_error err = {0};
  CHECK(brio_emulator_command(r->line, text, &out, &err), "%s: %s", text, err.message);
  brio_text_end(&out);
}

static void set(rig *r, const char *name, double value) {
  for (int i = 0; brio_servo_driver_settings[i].name; i++)
    if (strcmp(brio_servo_driver_settings[i].name, name) == 0) r->settings[i] = value;
}

static void say(rig *r, const char *name, const char *text) {
  for (int i = 0; brio_servo_driver_texts[i].name; i++)
    if (strcmp(brio_servo_driver_texts[i].name, name) == 0) r->texts[i] = text;
}

/* One emulated servo of a model. */
static bool rig_start(rig *r, const char *model) {
  char text[80];
  brio_emulator_options options = {.servos = 1, .first_id = 1, .seed = 3, .baud = BAUD};
  memset(r, 0, sizeof *r);
  r->family = brio_servo_family_find("dynamixel", NULL);
  r->line = brio_emulator_open(brio_emulator_find("dynamixel", NULL), &options, &r->err);
  for (int i = 0; brio_servo_driver_settings[i].name; i++)
    r->settings[i] = brio_servo_driver_settings[i].fallback;
  for (int i = 0; brio_servo_driver_texts[i].name; i++) r->texts[i] = "";
  set(r, "baud", BAUD);
  r->axis = (brio_axis){.name = "a", .lower = -2, .upper = 2, .velocity = 3, .acceleration = 10};
  snprintf(text, sizeof text, "model 1 %s", model);
  if (r->line) type(r, text);
  return r->line != NULL;
}

/* Set a register of the servo by its role, before the driver opens. */
static void preset(rig *r, brio_servo_role role, int32_t value) {
  brio_servo_bus bus;
  brio_servo_found found;
  brio_port *port = brio_port_emulated(r->line, BAUD, &r->err);
  brio_servo_bus_start(&bus, r->family, port);
  CHECK(brio_servo_bus_ping(&bus, 1, &found, &r->err) && brio_servo_bus_set(&bus, 1, role, value, &r->err),
        "%s", r->err.message);
  brio_port_close(port);
}

static bool rig_open(rig *r) {
  r->port = brio_port_emulated(r->line, BAUD, &r->err);
  r->err = (brio_error){0};
  r->device = brio_servo_driver_open_on(r->family, &r->axis, 1, r->settings, r->texts, r->port, &r->err);
  return r->device != NULL;
}

static bool power(rig *r, bool on) {
  r->err = (brio_error){0};
  return brio_servo_driver_power(r->device, &on, &r->err);
}

static bool ready(rig *r) {
  brio_driver_config config = {.watchdog = 0.5, .axes = &r->axis};
  bool good = rig_open(r) && brio_servo_driver_configure(r->device, &config, &r->err) && power(r, true);
  CHECK(good, "%s", r->err.message);
  return good;
}

static void rig_end(rig *r) {
  if (r->device) brio_servo_driver_close(r->device);
  brio_emulator_close(r->line);
}

/* Let time pass on a silent line. */
static void wait(rig *r, double seconds) {
  uint8_t bytes[64];
  double until = brio_port_now(r->port) + seconds, now;
  while ((now = brio_port_now(r->port)) < until)
    if (brio_port_read(r->port, bytes, sizeof bytes, until - now, NULL) < 0) break;
}

/* Cycles of 0.01 s: the target moves from `from` at `rate`.  Return whether there was no error. */
static bool cycles(rig *r, double from, double rate, double seconds) {
  double begin = brio_port_now(r->port), now;
  bool good = true;
  while ((now = brio_port_now(r->port)) < begin + seconds) {
    double target = from + rate * (now - begin), speed = rate > 0 ? rate : 3;
    brio_error why = {0};
    bool well = brio_servo_driver_write_timed(r->device, &target, &speed, &why) &&
                brio_servo_driver_read(r->device, &r->state, &why);
    if (!well) r->err = why;
    good = good && well;
    if (brio_port_now(r->port) < now + 0.01) wait(r, now + 0.01 - brio_port_now(r->port));
  }
  return good;
}

static int32_t value(rig *r, brio_servo_role role) {
  return brio_servo_emulator_value(brio_emulator_device(r->line), 1, role);
}

/* ---- models ---- */

static void check_model(const char *model) {
  rig r;
  if (!rig_start(&r, model)) return;
  r.axis.velocity = 20; /* more than many can: they accept their maximum */
  if (ready(&r)) {
    double steps = r.family->steps / r.family->turn;
    bool watched = brio_servo_role_register(brio_servo_layout(r.family, value(&r, BRIO_ROLE_MODEL)),
                                            BRIO_ROLE_WATCHDOG) != NULL;
    CHECK(cycles(&r, 0.5, 0, 4), "%s: %s", model, r.err.message);
    CHECK_NEAR(r.state.position, 0.5, fmax(0.006, 1 / steps), "%s", model);
    CHECK(cycles(&r, -0.3, 0, 4), "%s: %s", model, r.err.message);
    CHECK_NEAR(r.state.position, -0.3, 0.006, "%s", model);
    CHECK(r.state.knows & BRIO_KNOWS_VOLTAGE && r.state.voltage > 4 && r.state.voltage < 40, "%s: %g V",
          model, r.state.voltage);
    CHECK(r.state.knows & BRIO_KNOWS_TEMPERATURE, "%s", model);
    CHECK(!watched || value(&r, BRIO_ROLE_WATCHDOG) == 25, "%s: its watchdog is armed", model);
    CHECK(power(&r, false) && value(&r, BRIO_ROLE_TORQUE) == 0, "%s", model);
  }
  rig_end(&r);
}

static void test_every_model(void) {
  const brio_servo_family *family = brio_servo_family_find("dynamixel", NULL);
  int n = 0;
  for (const brio_servo_model *m = family->models; m->number >= 0; m++)
    if (!strchr(m->name, ' ') && ++n) check_model(m->name); /* a name with a space cannot be typed */
  CHECK(n >= 60, "%d models", n);
}

/* Facts from the vendor's documents. */
static void test_facts(void) {
  static const struct {
    const char *model;
    int number, goal, place, half, limit; /* the counts of half a turn; the velocity limit as delivered */
    double speed;                         /* rev/min that the limit is */
  } rows[] = {{"H54-200-S500-R", 54024, 596, 611, 250961, 17000, 33.87},
              {"H54-100-S500-R", 53768, 596, 611, 250961, 17000, 33.87},
              {"H42-20-S300-R", 51200, 596, 611, 151875, 10300, 33.91},
              {"M54-60-S250-R", 46352, 596, 611, 125708, 8000, 31.82},
              {"M42-10-S260-R", 43288, 596, 611, 131593, 8000, 31.13},
              {"L54-30-S400-R", 37928, 596, 611, 144197, 8000, 19.97},
              {"H54-200-S500-R(A)", 54025, 564, 580, 501923, 2900, 29},
              {"H42-20-S300-R(A)", 51201, 564, 580, 303750, 2900, 29},
              {"YM070-210-M001-RH", 4000, 532, 552, 262144, 550000, 5500},
              {"YM080-230-R099-RH", 4150, 532, 552, 262144, 2020, 20.2}};
  const brio_servo_family *family = brio_servo_family_find("dynamixel", NULL);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    CHECK(brio_servo_model_number(family, rows[i].model, NULL) == rows[i].number, "%s", rows[i].model);
    const brio_servo_family *layout = brio_servo_layout(family, rows[i].number);
    CHECK(brio_servo_role_register(layout, BRIO_ROLE_GOAL)->address == rows[i].goal, "%s", rows[i].model);
    CHECK(brio_servo_role_register(layout, BRIO_ROLE_POSITION)->address == rows[i].place, "%s",
          rows[i].model);
    CHECK_NEAR(brio_servo_angle(layout, rows[i].half), 3.14159265, 1e-8, "%s", rows[i].model);
    const brio_register *limit = brio_servo_role_register(layout, BRIO_ROLE_VELOCITY_LIMIT);
    CHECK(limit->initial == rows[i].limit, "%s: %d", rows[i].model, limit->initial);
    CHECK_NEAR(limit->initial * layout->speed * 60 / 6.283185307, rows[i].speed, 0.01, "%s", rows[i].model);
  }
}

/* An unknown model is refused, unless a person gives the model that it resembles. */
static void test_unknown_model(void) {
  rig r;
  if (!rig_start(&r, "1700")) return;
  CHECK(!rig_open(&r), "it opens");
  CHECK_HAS(r.err.message, "servo 1 is a model 1700, which brio does not know");
  CHECK_HAS(r.err.message, "unknown_as");
  say(&r, "unknown_as", "XM43-W350");
  CHECK(!rig_open(&r), "it opens");
  CHECK_HAS(r.err.message, "did you mean 'XM430-W350'");
  say(&r, "unknown_as", "XM430-W350");
  if (ready(&r)) {
    cycles(&r, 0.4, 0, 2);
    CHECK_NEAR(r.state.position, 0.4, 0.003, "as that model");
  }
  rig_end(&r);
}

/* ---- Y: errors are codes ---- */

static void test_codes(void) {
  rig r;
  if (!rig_start(&r, "YM070-210-R051-RH")) return;
  if (ready(&r)) {
    CHECK(cycles(&r, 0.3, 0, 2), "%s", r.err.message);
    type(&r, "error 1 17"); /* following error: it holds, and accepts no goal */
    CHECK(!cycles(&r, 0.6, 0, 1), "nothing is said");
    CHECK_HAS(r.err.message, "stopped by itself and holds: following error");
    CHECK(value(&r, BRIO_ROLE_TORQUE) == 1, "it holds");
    CHECK(power(&r, false), "%s", r.err.message); /* reboots it */
    wait(&r, 1);
    CHECK(power(&r, true) && cycles(&r, 0.6, 0, 2), "%s", r.err.message);
    CHECK_NEAR(r.state.position, 0.6, 0.002, "it goes on");
    type(&r, "error 1 4");
    CHECK(!cycles(&r, 0.6, 0, 1), "nothing is said");
    CHECK_HAS(r.err.message, "overheating of the motor");
    CHECK(power(&r, false), "%s", r.err.message);
    wait(&r, 1);
    CHECK(power(&r, true) && cycles(&r, 0.5, 0, 1), "%s", r.err.message);
    type(&r, "brownout");
    CHECK(!cycles(&r, 0.6, 0, 3), "nothing is said");
    CHECK_HAS(r.err.message, "was without power");
  }
  rig_end(&r);
}

/* ---- modes ---- */

/* A servo in velocity mode follows positions: without end, to rest at a target, and to
** rest without commands. */
static void test_wheel(void) {
  static const char *const models[] = {"XM430-W350", "XL430-W250", "PH54-200-S500", "YM070-210-R051-RH"};
  for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
    rig r;
    if (!rig_start(&r, models[k])) return;
    preset(&r, BRIO_ROLE_MODE, 1);
    r.axis.lower = -1e6, r.axis.upper = 1e6;
    CHECK(!rig_open(&r), "%s opens", models[k]);
    CHECK_HAS(r.err.message, "let it be one of `wheels`");
    say(&r, "wheels", "1");
    if (ready(&r)) {
      CHECK(cycles(&r, 0, 2, 10), "%s: %s", models[k], r.err.message); /* three turns and more */
      CHECK_NEAR(r.state.position, 20, 0.5, "%s follows", models[k]);
      CHECK_NEAR(r.state.velocity, 2, 0.1, "%s", models[k]);
      cycles(&r, 20, 0, 3);
      CHECK_NEAR(r.state.position, 20, 0.05, "%s comes to rest there", models[k]);
      CHECK_NEAR(r.state.velocity, 0, 0.03, "%s", models[k]);
      cycles(&r, 20, -2, 1);
      wait(&r, 1); /* silence: its watchdog trips */
      CHECK(value(&r, BRIO_ROLE_WATCHDOG) == -1 && value(&r, BRIO_ROLE_VELOCITY) == 0, "%s runs on",
            models[k]);
      cycles(&r, 18, 0, 3);
      CHECK_NEAR(r.state.position, 18, 0.05, "%s goes on", models[k]);
      cycles(&r, 18, 2, 0.5);
      brio_servo_driver_close(r.device);
      r.device = NULL;
      CHECK(value(&r, BRIO_ROLE_GOAL_VELOCITY) == 0, "%s is left turning", models[k]);
    }
    rig_end(&r);
  }
}

/* A wheel does not leap: towards a far position it goes no faster than its axis; while its position is
** unknown, it rests. */
static void test_wheel_bounds(void) {
  rig r;
  if (!rig_start(&r, "XM430-W350")) return;
  preset(&r, BRIO_ROLE_MODE, 1);
  r.axis.lower = -1e6, r.axis.upper = 1e6;
  say(&r, "wheels", "1");
  if (ready(&r)) {
    double unit = r.family->speed;
    brio_driver_config none = {.axes = &r.axis}, usual = {.axes = &r.axis, .watchdog = 0.5};
    brio_error err = {0};
    CHECK(!brio_servo_driver_configure(r.device, &none, &err), "a wheel without a watchdog");
    CHECK_HAS(err.message, "would turn on when nobody speaks");
    CHECK(brio_servo_driver_configure(r.device, &usual, &err), "%s", err.message);
    cycles(&r, 1000, 0, 1);
    CHECK_NEAR(value(&r, BRIO_ROLE_GOAL_VELOCITY) * unit, 3.6, 2 * unit, "a fifth more than its axis may");
    type(&r, "silence 1");
    cycles(&r, 1000, 0, 0.1);
    type(&r, "silence 1");
    wait(&r, 0.6);
    CHECK(value(&r, BRIO_ROLE_VELOCITY) == 0, "it runs on");
  }
  rig_end(&r);
  if (!rig_start(&r, "XM430-W350")) return;
  say(&r, "wheels", "1");
  CHECK(!rig_open(&r), "a wheel in mode 3 opens");
  CHECK_HAS(r.err.message, "is one of `wheels`, but in mode 3: set its Operating Mode to 1");
  rig_end(&r);
  if (!rig_start(&r, "XL-320")) return;
  say(&r, "wheels", "1");
  CHECK(!rig_open(&r), "it has no such mode that a watchdog ends");
  CHECK_HAS(r.err.message, "no model that can be one of `wheels`");
  say(&r, "wheels", "7");
  CHECK(!rig_open(&r), "id 7 is nobody's");
  CHECK_HAS(r.err.message, "id 7 of wheels is none of the axes'");
  rig_end(&r);
}

/* Modes without positions are refused with a message; many turns can be commanded; the mode of position and
** current has its current. */
static void test_modes(void) {
  static const int refused[] = {0, 16};
  rig r;
  for (int k = 0; k < 2; k++) {
    if (!rig_start(&r, "XM430-W350")) return;
    preset(&r, BRIO_ROLE_MODE, refused[k]);
    CHECK(!rig_open(&r), "mode %d opens", refused[k]);
    CHECK_HAS(r.err.message, "in which a goal is no place: set its Operating Mode to 3");
    rig_end(&r);
  }
  static const char *const extended[] = {"XM430-W350", "PH42-020-S300", "H54-200-S500-R", "M42-10-S260-R(A)"};
  for (int k = 0; k < 4 && rig_start(&r, extended[k]); k++) {
    preset(&r, BRIO_ROLE_MODE, 4);
    r.axis.upper = 10;
    if (ready(&r)) cycles(&r, 8, 0, 8);
    CHECK_NEAR(r.state.position, 8, 0.006, "%s: more than a turn", extended[k]);
    rig_end(&r);
  }
  if (!rig_start(&r, "XM430-W350")) return;
  preset(&r, BRIO_ROLE_MODE, 5);
  set(&r, "current", 0.5);
  if (ready(&r)) {
    cycles(&r, 0.5, 0, 2);
    CHECK_NEAR(r.state.position, 0.5, 0.003, "place and current");
    CHECK(value(&r, BRIO_ROLE_GOAL_CURRENT) == 186, "0.5 A of 2.69 mA: %d",
          value(&r, BRIO_ROLE_GOAL_CURRENT));
  }
  rig_end(&r);
}

CHECK_SUITE(CHECK_TEST(test_every_model), CHECK_TEST(test_facts), CHECK_TEST(test_unknown_model),
            CHECK_TEST(test_codes), CHECK_TEST(test_wheel), CHECK_TEST(test_wheel_bounds),
            CHECK_TEST(test_modes))
