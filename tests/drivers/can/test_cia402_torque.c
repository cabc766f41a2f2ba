/* Drives in cyclic torque, in simulated time: they are springs, their limit holds whatever they are told,
** nothing jumps as they are switched on, and without a host they stop. */
#include "drivers/cia402/axes.h"
#include "drivers/cia402/canopen.h"
#include "drivers/cia402/drive.h"
#include "drivers/driver.h"
#include "tests/check.h"

enum { AXES = 2, SETTINGS = 16, ROOM = 512 };
enum { IDS = 1, TORQUES = 4 }; /* texts */
enum { UNUSED = (int)0x80000000u }; /* the bit of process data that are not sent */

typedef struct rig {
  const brio_driver_kind *kind;
  brio_emulator *line;
  brio_drives *drives;
  void *device;
  brio_port *port;
  double settings[SETTINGS];
  const char *texts[BRIO_DRIVER_TEXTS];
  brio_axis axes[AXES];
  brio_axis_state states[AXES];
  brio_impedance hard[AXES];
} rig;

static void type(rig *r, const char *text) {
  brio_text out = {0};
  brio_error err = {0};
  CHECK(brio_emulator_command(r->line, text, &out, &err), "%s: %s", text, err.message);
  brio_text_end(&out);
}

/* Two drives; the first is a spring. */
static void rig_begin(rig *r, const char *name) {
  brio_emulator_options options = {.servos = AXES, .first_id = 1, .seed = 5};
  memset(r, 0, sizeof *r);
  r->kind = brio_driver_find(name, NULL);
  r->line = brio_emulator_open(brio_emulator_find(name, NULL), &options, NULL);
  r->drives = brio_emulator_device(r->line);
  for (int i = 0; r->kind->settings[i].name; i++) r->settings[i] = r->kind->settings[i].fallback;
  for (int i = 0; r->kind->texts[i].name; i++) r->texts[i] = r->kind->texts[i].fallback;
  for (int i = 0; i < AXES; i++) r->axes[i] = (brio_axis){"axis", -2, 2, 10, 100, 0};
  r->texts[TORQUES] = "1:1";
  r->hard[0] = (brio_impedance){20, 1, 4, 4};
  r->hard[1] = brio_impedance_none;
}

/* Open and configure it, with that watchdog. */
static bool rig_open(rig *r, double watchdog, brio_error *err) {
  const brio_cia402_link *link = strcmp(r->kind->name, "epos") == 0 ? &brio_cia402_bus : &brio_cia402_line;
  const brio_driver_config config = {.watchdog = watchdog, .axes = r->axes, .impedances = r->hard};
  r->port = brio_port_emulated(r->line, brio_emulator_kind_of(r->line)->baud, err);
  r->device =
      r->port ? brio_cia402_open_at(link, r->port, r->axes, AXES, r->settings, r->texts, err) : NULL;
  return r->device && r->kind->configure(r->device, &config, err);
}

static void rig_end(rig *r) {
  if (r->device) r->kind->close(r->device);
  brio_emulator_close(r->line);
}

static bool rig_start(rig *r, brio_error *err) {
  const bool on[AXES] = {true, true};
  rig_begin(r, "epos");
  bool good = rig_open(r, 0.1, err) && r->kind->read(r->device, r->states, err) &&
              r->kind->power(r->device, on, err);
  CHECK(good, "%s", err->message);
  return good;
}

static int32_t object_at(const rig *r, int index, int sub) {
  uint8_t bytes[4] = {0};
  uint32_t refused;
  int size = brio_drive_read(&r->drives->all[0], index, sub, bytes, sizeof bytes, &refused);
  CHECK(!refused, "%X", (unsigned)index);
  int32_t value = brio_cia402_number(bytes, size);
  return size == 2 ? (int16_t)value : value;
}

static int32_t object(const rig *r, int index) { return object_at(r, index, 0); }

/* Close the device, as a run ends. */
static void close_device(rig *r) {
  r->kind->close(r->device);
  r->device = NULL;
}

/* The drive neither pushes nor turns for a second. */
static void check_limp(rig *r, const char *when) {
  brio_drive *drive = &r->drives->all[0];
  double from = drive->shaft.position;
  for (int i = 0; i < 1000; i++) {
    brio_drive_step(drive, 0.001);
    CHECK(drive->shaft.effort == 0, "%s: %g N m", when, drive->shaft.effort);
  }
  CHECK_NEAR(drive->shaft.position, from, 1e-9, "%s: it turns", when);
}

/* Cycles of 1 ms with one command of the first drive; the second goes to 0.2 rad.  The greatest torque is
** noted. */
static bool cycles(rig *r, brio_impedance impedance, double target, double seconds, double *most,
                   brio_error *err) {
  const brio_impedance_command commands[AXES] = {{impedance, target, 0}, {brio_impedance_none, 0.2, 0}};
  double until = brio_port_now(r->port) + seconds;
  bool good = true;
  while (good && brio_port_now(r->port) < until) {
    good = r->kind->write_impedances(r->device, commands, err) && r->kind->read(r->device, r->states, err);
    r->port->made_up += 0.001;
    if (most) *most = fmax(*most, fabs(r->drives->all[0].shaft.effort));
  }
  return good;
}

static const brio_impedance spring = {20, 1, 0, 4};

/* It yields by torque / stiffness, and says which torque that is; the drive beside it is a servo as ever. */
static void a_drive_is_a_spring(void) {
  for (int plain = 0; plain < 2; plain++) {
    rig r;
    brio_error err = {0};
    char told[ROOM] = "";
    const bool on[AXES] = {true, true};
    rig_begin(&r, "epos");
    if (plain) type(&r, "lack 1 0x60B2");
    bool good = rig_open(&r, 0.1, &err) && r.kind->read(r.device, r.states, &err) &&
                r.kind->power(r.device, on, &err);
    CHECK(good, "%s", err.message);
    CHECK(good && cycles(&r, spring, 0.3, 1.5, NULL, &err), "%s", err.message);
    CHECK_NEAR(r.states[0].position, 0.3, 0.005, "there");
    CHECK_NEAR(r.states[1].position, 0.2, 0.002, "and the other");
    type(&r, "push 1 2");
    CHECK(cycles(&r, spring, 0.3, 1.5, NULL, &err), "%s", err.message);
    CHECK_NEAR(r.states[0].position, 0.4, 0.005, "it yields");
    CHECK(r.states[0].knows & BRIO_KNOWS_TORQUE, "it knows its torque");
    CHECK(!(r.states[1].knows & BRIO_KNOWS_TORQUE), "the other does not");
    CHECK_NEAR(r.states[0].torque, -2, 0.03, "its torque");
    /* The feed-forward carries what pushes it: in the offset, where there is one. */
    brio_impedance carries = spring;
    carries.torque = -2;
    CHECK(cycles(&r, carries, 0.3, 1.5, NULL, &err), "%s", err.message);
    CHECK_NEAR(r.states[0].position, 0.3, 0.005, "carried");
    CHECK(plain || object(&r, 0x60B2) == -2000, "offset %d", (int)object(&r, 0x60B2));
    CHECK_NEAR(object(&r, 0x6071), plain ? -2000 : 0, 60, "target torque");
    r.kind->describe(r.device, told, sizeof told);
    CHECK_HAS(told, "their torque is controlled: 1");
    rig_end(&r);
  }
}

/* Whatever is commanded, and whatever another master writes, the torque stays within the limit. */
static void the_limit_is_the_last_word(void) {
  rig r;
  brio_error err = {0};
  double most = 0;
  if (!rig_start(&r, &err)) return;
  CHECK(object(&r, 0x6072) == 4000, "greatest torque %d", (int)object(&r, 0x6072));
  type(&r, "push 1 30");
  CHECK(cycles(&r, (brio_impedance){1e6, 1e4, 1e5, 4}, 1, 0.5, &most, &err), "%s", err.message);
  CHECK(most <= 4 && most > 3.9, "%g N m", most);
  int sum = object(&r, 0x6071) + object(&r, 0x60B2);
  CHECK(abs(sum) <= 4000, "%d thousandths", sum);
  const uint8_t far[] = {0xFF, 0x7F};
  CHECK(brio_drive_write(&r.drives->all[0], 0x6071, 0, far, 2) == 0, "write");
  brio_drive_step(&r.drives->all[0], 0.001);
  CHECK_NEAR(r.drives->all[0].shaft.effort, 4, 1e-12, "the drive's own limit");
  rig_end(&r);
}

/* A torque that is left in a drive does not act when it is switched on; nor does a command without target. */
static void nothing_jumps_at_the_start(void) {
  rig r;
  brio_error err = {0};
  double most = 0;
  const uint8_t old[] = {0xB8, 0x0B};
  const bool on[AXES] = {true, true}, off[AXES] = {false, false};
  rig_begin(&r, "epos");
  bool good = rig_open(&r, 0.1, &err) && r.kind->read(r.device, r.states, &err);
  CHECK(good && brio_drive_write(&r.drives->all[0], 0x6071, 0, old, 2) == 0, "%s", err.message);
  CHECK(good && r.kind->power(r.device, on, &err), "%s", err.message);
  CHECK(cycles(&r, spring, NAN, 0.1, &most, &err), "%s", err.message);
  CHECK(most == 0 && r.drives->all[0].shaft.position == 0, "%g N m", most);
  CHECK(cycles(&r, spring, 0.3, 1, NULL, &err), "%s", err.message);
  /* Off and on again: the old spring is forgotten. */
  CHECK(r.kind->power(r.device, off, &err) && r.kind->power(r.device, on, &err), "%s", err.message);
  type(&r, "push 1 0.5");
  most = 0;
  CHECK(cycles(&r, spring, NAN, 0.1, &most, &err), "%s", err.message);
  CHECK(most == 0, "%g N m after it was off", most);
  rig_end(&r);
}

/* When nobody speaks, the drive stops quickly, and does not go on pushing. */
static void a_silent_host_ends_the_torque(void) {
  rig r;
  brio_error err = {0};
  if (!rig_start(&r, &err)) return;
  CHECK(cycles(&r, (brio_impedance){0, 0, 0.5, 4}, 0, 0.05, NULL, &err), "%s", err.message);
  CHECK(r.drives->all[0].shaft.drives && r.drives->all[0].shaft.velocity > 0.1, "it turns");
  for (int i = 0; i < 300; i++) brio_drive_step(&r.drives->all[0], 0.001);
  CHECK(r.drives->all[0].state == BRIO_CIA402_QUICK_STOP, "%s",
        brio_cia402_state_words(r.drives->all[0].state));
  CHECK(!r.drives->all[0].shaft.drives && fabs(r.drives->all[0].shaft.velocity) < 1e-3, "it stands");
  rig_end(&r);
}

/* A drive that does not answer stops by its own watchdog, and is a fault. */
static void a_silent_drive_is_a_fault(void) {
  rig r;
  brio_error err = {0};
  if (!rig_start(&r, &err)) return;
  CHECK(cycles(&r, spring, 0.3, 0.5, NULL, &err), "%s", err.message);
  type(&r, "silence 1");
  CHECK(!cycles(&r, spring, 0.3, 1, NULL, &err), "it goes on");
  CHECK_HAS(err.message, "node 1");
  check_limp(&r, "silent");
  rig_end(&r);
}

/* A drive that hears, but sends no position any more, gets no torque of an old one; its speed alone does not
** count as an answer. */
static void an_old_position_gives_no_torque(void) {
  for (int speed = 0; speed < 2; speed++) {
    rig r;
    brio_error err = {0};
    const brio_impedance pushing = {20, 1, 0.5, 4};
    if (!rig_start(&r, &err)) return;
    type(&r, "push 1 2");
    CHECK(cycles(&r, pushing, 0.3, 0.5, NULL, &err), "%s", err.message);
    CHECK(object(&r, 0x6071) < -1000 && object(&r, 0x60B2) == 500, "it pushes");
    r.drives->all[0].sent[0].identifier |= UNUSED;
    if (!speed) r.drives->all[0].sent[1].identifier |= UNUSED;
    CHECK(cycles(&r, pushing, 0.3, 0.1, NULL, &err), "%s", err.message);
    CHECK(object(&r, 0x6071) == 0 && object(&r, 0x60B2) == 0, "%d + %d thousandths",
          (int)object(&r, 0x6071), (int)object(&r, 0x60B2));
    CHECK(!cycles(&r, pushing, 0.3, 1, NULL, &err), "it goes on");
    CHECK_HAS(err.message, "node 1 sends no process data any more");
    rig_end(&r);
  }
}

/* A damper does not work on an old speed: without the drive's own it is measured, no cycle waits for it, and
** when it comes again it is used again. */
static void an_old_speed_gives_no_torque(void) {
  rig r;
  brio_error err = {0};
  const brio_impedance damper = {0, 0.3, 0, 4};
  const double unit = 6.283185307179586 / 60; /* rad/s: of the drive's speeds */
  if (!rig_start(&r, &err)) return;
  brio_drive *drive = &r.drives->all[0];
  type(&r, "push 1 1.5");
  CHECK(cycles(&r, damper, 0, 0.5, NULL, &err), "%s", err.message);
  CHECK(drive->shaft.velocity > 2 && drive->shaft.effort < -0.5, "it turns and is damped");
  drive->sent[1].identifier |= UNUSED;
  type(&r, "push 1 0");
  CHECK(cycles(&r, damper, 0, 0.5, NULL, &err), "%s", err.message);
  CHECK_NEAR(drive->shaft.velocity, 0, 0.05, "it stands");
  CHECK_NEAR(drive->shaft.effort, 0, 0.05, "without torque, within a count of the speed");
  double from = brio_port_now(r.port);
  CHECK(cycles(&r, damper, 0, 1e-9, NULL, &err), "%s", err.message);
  double took = brio_port_now(r.port) - from;
  CHECK(took < 0.001 + r.settings[2] / 4, "a cycle of %g s", took);
  drive->sent[1].identifier &= ~UNUSED;
  type(&r, "push 1 1");
  CHECK(cycles(&r, damper, 0, 0.3, NULL, &err), "%s", err.message);
  double speed = r.states[0].velocity / unit;
  CHECK(speed > 10, "%g", speed);
  CHECK_NEAR(speed, round(speed), 1e-9, "its own speed is whole");
  rig_end(&r);
}

/* When a run ends, no drive is left with a torque and without a watchdog. */
static void a_close_ends_the_torque(void) {
  rig r;
  brio_error err = {0};
  const brio_impedance pushing = {0, 0, 0.5, 4};
  if (!rig_start(&r, &err)) return;
  CHECK(cycles(&r, pushing, 0, 0.05, NULL, &err), "%s", err.message);
  CHECK(r.drives->all[0].shaft.effort > 0.4, "it pushes");
  close_device(&r);
  CHECK(r.drives->all[0].state == BRIO_CIA402_READY, "%s", brio_cia402_state_words(r.drives->all[0].state));
  CHECK(object(&r, 0x6071) == 0 && object(&r, 0x60B2) == 0, "a torque is left");
  CHECK(object_at(&r, 0x1016, 1) == 0, "nobody is waited for");
  check_limp(&r, "closed");
  rig_end(&r);
  /* What cannot be stopped keeps its watchdog, which stops it. */
  if (!rig_start(&r, &err)) return;
  CHECK(cycles(&r, pushing, 0, 0.05, NULL, &err), "%s", err.message);
  type(&r, "lack 1 0x6071");
  close_device(&r);
  CHECK(object_at(&r, 0x1016, 1) == 0x7F0064, "its watchdog is off");
  for (int i = 0; i < 300; i++) brio_drive_step(&r.drives->all[0], 0.001);
  check_limp(&r, "not stopped");
  rig_end(&r);
}

/* A drive that a lost host has left enabled, with a torque, gets none while it is set up: neither by its new
** mode, nor while nobody watches. */
static void opening_again_ends_the_torque(void) {
  for (int mode = BRIO_CIA402_CYCLIC; mode <= BRIO_CIA402_TORQUE; mode += 2) {
    rig r;
    brio_error err = {0};
    const uint8_t old[] = {0xB8, 0x0B}, kind[] = {(uint8_t)mode};
    if (!rig_start(&r, &err)) return;
    CHECK(cycles(&r, (brio_impedance){0, 0, 0, 4}, 0, 0.02, NULL, &err), "%s", err.message);
    brio_cia402_break(r.device, "the host is lost");
    close_device(&r);
    brio_drive *drive = &r.drives->all[0];
    CHECK(brio_drive_write(drive, 0x6060, 0, kind, 1) == 0 && brio_drive_write(drive, 0x6071, 0, old, 2) == 0,
          "write");
    CHECK(drive->state == BRIO_CIA402_ENABLED, "%s", brio_cia402_state_words(drive->state));
    bool good = rig_open(&r, 0.1, &err);
    CHECK(good, "%s", err.message);
    CHECK(drive->state != BRIO_CIA402_ENABLED, "mode %d: it is left enabled", mode);
    check_limp(&r, "opened again");
    CHECK(mode == BRIO_CIA402_TORQUE || drive->shaft.position == 0, "it has turned by %g rad",
          drive->shaft.position);
    rig_end(&r);
  }
}

/* A drive that a lost host has left enabled with its torque, and that is a servo now, stays where it is:
** the target that it got in an earlier life is far away. */
static void opening_as_a_servo_stays(void) {
  rig r;
  brio_error err = {0};
  uint8_t old[4];
  if (!rig_start(&r, &err)) return;
  CHECK(cycles(&r, (brio_impedance){0, 0, 0, 4}, 0, 0.02, NULL, &err), "%s", err.message);
  brio_cia402_break(r.device, "the host is lost");
  close_device(&r);
  brio_drive *drive = &r.drives->all[0];
  brio_cia402_put(old, 1000, sizeof old);
  CHECK(brio_drive_write(drive, 0x607A, 0, old, sizeof old) == 0, "write");
  CHECK(drive->state == BRIO_CIA402_ENABLED, "%s", brio_cia402_state_words(drive->state));
  double from = drive->shaft.position;
  r.texts[TORQUES] = "";
  r.hard[0] = brio_impedance_none;
  CHECK(rig_open(&r, 0.1, &err), "%s", err.message);
  for (int i = 0; i < 500; i++) brio_drive_step(drive, 0.001);
  CHECK(drive->state == BRIO_CIA402_ENABLED, "%s", brio_cia402_state_words(drive->state));
  CHECK_NEAR(drive->shaft.position, from, 2e-3, "it goes to its old target");
  rig_end(&r);
}

/* Drives that a lost host has left enabled in a profile, with an old target, stay where they are when they
** are opened for cyclic positions: on a serial line, too, where a mode is written between two reads. */
static void opening_follows_no_old_target(void) {
  static const char *const names[] = {"epos", "epos_serial"};
  static const int words[] = {0x06, 0x07, 0x0F};
  for (int k = 0; k < 2; k++) {
    rig r;
    brio_error err = {0};
    uint8_t bytes[4];
    rig_begin(&r, names[k]);
    r.texts[TORQUES] = "";
    r.hard[0] = brio_impedance_none;
    for (int i = 0; i < AXES; i++) {
      brio_drive *drive = &r.drives->all[i];
      brio_cia402_put(bytes, BRIO_CIA402_PROFILE, 1);
      CHECK(brio_drive_write(drive, 0x6060, 0, bytes, 1) == 0, "profile");
      for (int w = 0; w < 3; w++) {
        brio_cia402_put(bytes, words[w], 2);
        CHECK(brio_drive_write(drive, 0x6040, 0, bytes, 2) == 0, "control word");
        brio_drive_step(drive, 0.05);
      }
      brio_cia402_put(bytes, 1000, 4);
      CHECK(brio_drive_write(drive, 0x607A, 0, bytes, 4) == 0, "target");
      CHECK(drive->state == BRIO_CIA402_ENABLED, "%s", brio_cia402_state_words(drive->state));
    }
    CHECK(rig_open(&r, 0, &err), "%s: %s", names[k], err.message);
    for (int i = 0; i < AXES; i++) {
      for (int n = 0; n < 500; n++) brio_drive_step(&r.drives->all[i], 0.001);
      CHECK_NEAR(r.drives->all[i].shaft.position, 0, 2e-3, names[k]);
    }
    rig_end(&r);
  }
}

/* What cannot be is said when the run begins. */
static void wrong_torques_are_refused(void) {
  const struct {
    const char *name, *torques, *command;
    double watchdog, limit;
    const char *says;
  } rows[] = {
      {"epos", "1", NULL, 0.1, 4, "torques must be nodes with the N m"},
      {"epos", "1:nan", NULL, 0.1, 4, "torques must be nodes with the N m"},
      {"epos", "1:-2", NULL, 0.1, 4, "torques must be nodes with the N m"},
      {"epos", "7:1", NULL, 0.1, 4, "node 7 of torques is none of the axes'"},
      {"epos", "1:1", NULL, 0, 4, "without its watchdog"},
      {"epos", "", NULL, 0.1, 4, "node 1 has a `control` in the robot's file, but is none of `torques`"},
      {"epos", "1:1,2:1", NULL, 0.1, 4, "node 2 is one of `torques`, but has no `control`"},
      {"epos", "1:1", NULL, 0.1, 1e-4, "less than a thousandth of its rated torque"},
      {"epos", "1:1", "fixed 1 1", 0.1, 4, "takes no mapping with its torque"},
      {"epos", "1:1", "lack 1 0x605A", 0.1, 4, "to stop quickly when brio is gone (object 605A is refused)"},
      {"epos", "1:1", "lack 1 0x6007", 0.1, 4, "(object 6007 is refused), so it cannot be one of `torques`"},
      {"epos_serial", "1:1", NULL, 0.1, 4, "torques need a CAN bus"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    rig r;
    brio_error err = {0};
    rig_begin(&r, rows[i].name);
    r.texts[TORQUES] = rows[i].torques;
    r.hard[0].limit = rows[i].limit;
    if (rows[i].command) type(&r, rows[i].command);
    CHECK(!rig_open(&r, rows[i].watchdog, &err), "%s is taken", rows[i].torques);
    CHECK_HAS(err.message, rows[i].says);
    rig_end(&r);
  }
}

CHECK_SUITE(CHECK_TEST(a_drive_is_a_spring), CHECK_TEST(the_limit_is_the_last_word),
            CHECK_TEST(nothing_jumps_at_the_start), CHECK_TEST(a_silent_host_ends_the_torque),
            CHECK_TEST(a_silent_drive_is_a_fault), CHECK_TEST(an_old_position_gives_no_torque),
            CHECK_TEST(an_old_speed_gives_no_torque), CHECK_TEST(a_close_ends_the_torque),
            CHECK_TEST(opening_again_ends_the_torque),
            CHECK_TEST(opening_as_a_servo_stays),
            CHECK_TEST(opening_follows_no_old_target), CHECK_TEST(wrong_torques_are_refused))
