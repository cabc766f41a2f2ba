/* Drives by CiA 402, driver against emulator, in simulated time, on a CAN bus and at a serial line: states,
** set-points, objects, settings of a drive, and every fault that a bus has. */
#include "drivers/cia402/axes.h"
#include "drivers/cia402/canopen.h"
#include "drivers/cia402/drive.h"
#include "drivers/driver.h"
#include "tests/check.h"

enum { AXES = 6, SETTINGS = 16, ROOM = 512 };

static const double COUNTS = 4096 / 6.283185307179586;

typedef struct rig {
  const brio_driver_kind *kind;
  const brio_cia402_link *link;
  brio_emulator *line;
  brio_drives *drives;
  void *device;
  brio_port *port;
  int count;
  double settings[SETTINGS];
  const char *texts[BRIO_DRIVER_TEXTS];
  brio_axis axes[AXES];
  brio_axis_state states[AXES];
} rig;

static void type(rig *r, const char *text) {
  brio_text out = {0};
  brio_error err = {0};
  CHECK(brio_emulator_command(r->line, text, &out, &err), "%s: %s", text, err.message);
  brio_text_end(&out);
}

/* Open the driver at the emulator, or open it again. */
static bool rig_open(rig *r, brio_error *err) {
  if (r->device) r->kind->close(r->device);
  r->device = NULL;
  r->port = brio_port_emulated(r->line, brio_emulator_kind_of(r->line)->baud, err);
  r->device =
      r->port ? brio_cia402_open_at(r->link, r->port, r->axes, r->count, r->settings, r->texts, err) : NULL;
  return r->device != NULL;
}

static void rig_set(rig *r, const char *name, double value) {
  for (int i = 0; r->kind->settings[i].name; i++)
    if (strcmp(r->kind->settings[i].name, name) == 0) r->settings[i] = value;
}

/* Make an emulator, and a driver that is not open. */
static void rig_begin(rig *r, const char *name, int count) {
  brio_emulator_options options = {.servos = count, .first_id = 1, .seed = 5};
  memset(r, 0, sizeof *r);
  r->kind = brio_driver_find(name, NULL);
  r->link = strcmp(name, "epos") == 0 ? &brio_cia402_bus : &brio_cia402_line;
  r->line = brio_emulator_open(brio_emulator_find(name, NULL), &options, NULL);
  r->drives = brio_emulator_device(r->line);
  r->count = count;
  for (int i = 0; r->kind->settings[i].name; i++) r->settings[i] = r->kind->settings[i].fallback;
  for (int i = 0; r->kind->texts[i].name; i++) r->texts[i] = r->kind->texts[i].fallback;
  for (int i = 0; i < count; i++) r->axes[i] = (brio_axis){"axis", -2, 2, 10, 100, 0};
}

static bool rig_start(rig *r, const char *name, int count) {
  brio_error err = {0};
  rig_begin(r, name, count);
  CHECK(rig_open(r, &err), "%s: %s", name, err.message);
  return r->device != NULL;
}

static void rig_end(rig *r) {
  if (r->device) r->kind->close(r->device);
  brio_emulator_close(r->line);
}

static bool power(rig *r, bool on, brio_error *err) {
  bool flags[AXES];
  for (int i = 0; i < AXES; i++) flags[i] = on;
  return r->kind->power(r->device, flags, err);
}

/* Cycles for some seconds with `target` (NAN: no target).  Return whether the last one had no error; the
** newest failure. */
static bool cycles(rig *r, double target, double seconds, double period, brio_error *err) {
  double targets[AXES], until = brio_port_now(r->port) + seconds;
  bool well = true;
  for (int i = 0; i < AXES; i++) targets[i] = target;
  while (brio_port_now(r->port) < until) {
    memset(r->states, 0, sizeof r->states);
    well = r->kind->write(r->device, targets, err);
    well = r->kind->read(r->device, r->states, err) && well;
    r->port->made_up += period;
  }
  return well;
}

static int32_t object(rig *r, int i, int index, int sub) {
  uint8_t bytes[4] = {0};
  uint32_t refused;
  int size = brio_drive_read(&r->drives->all[i], index, sub, bytes, sizeof bytes, &refused);
  CHECK(!refused, "%X:%d", (unsigned)index, sub);
  return brio_cia402_number(bytes, size);
}

/* Run a test on either line, in either mode. */
static void each(void (*test)(rig *r)) {
  static const char *const names[] = {"epos", "epos_serial"}, *const modes[] = {"cyclic", "profile"};
  for (int k = 0; k < 4; k++) {
    static rig r;
    brio_error err = {0};
    rig_begin(&r, names[k / 2], 2);
    r.texts[3] = modes[k % 2];
    CHECK(rig_open(&r, &err), "%s %s: %s", names[k / 2], modes[k % 2], err.message);
    if (r.device) test(&r);
    rig_end(&r);
  }
}

/* ---- life ---- */

static void check_life(rig *r) {
  brio_error err = {0};
  CHECK(cycles(r, 0.5, 0.1, 0.002, &err), "%s", err.message);
  CHECK_NEAR(r->states[1].position, 0, 1e-9, "told nothing before power");
  CHECK(power(r, true, &err), "%s", err.message);
  CHECK(cycles(r, 0.5, 1.5, 0.002, &err), "%s", err.message);
  CHECK_NEAR(r->states[0].position, 0.5, 1 / COUNTS, "there");
  CHECK(cycles(r, -0.25, 1.5, 0.002, &err), "%s", err.message);
  CHECK_NEAR(r->states[1].position, -0.25, 1 / COUNTS, "and there");
  CHECK(r->states[0].valid && object(r, 0, 0x6041, 0) & BRIO_CIA402_REACHED, "target reached");
  CHECK(cycles(r, 9, 2, 0.002, &err), "%s", err.message);
  CHECK_NEAR(r->states[0].position, 2, 1 / COUNTS, "within the axis' limits");
  CHECK(power(r, false, &err), "%s", err.message);
  CHECK(r->drives->all[0].state == BRIO_CIA402_READY && !r->drives->all[0].shaft.torque, "limp");
}

static void test_life(void) { each(check_life); }

/* A drive goes to its last target as soon as it is enabled: that must not be an old one. */
static void check_no_jump(rig *r) {
  brio_error err = {0};
  CHECK(power(r, true, &err) && cycles(r, 0.5, 1.5, 0.002, &err), "%s", err.message);
  CHECK(power(r, false, &err), "%s", err.message);
  r->drives->all[0].shaft.position = -0.5; /* a person moves it */
  CHECK(power(r, true, &err) && cycles(r, NAN, 0.5, 0.002, &err), "%s", err.message);
  CHECK_NEAR(r->states[0].position, -0.5, 1 / COUNTS, "it stays");
  CHECK(rig_open(r, &err) && power(r, true, &err) && cycles(r, NAN, 0.5, 0.002, &err), "%s", err.message);
  CHECK_NEAR(r->states[0].position, -0.5, 1 / COUNTS, "also when it was enabled already");
}

static void test_no_jump(void) { each(check_no_jump); }

static void check_fault(rig *r) {
  brio_error err = {0};
  int told = 0;
  CHECK(power(r, true, &err) && cycles(r, 0.2, 0.5, 0.002, &err), "%s", err.message);
  type(r, "fault 2 0x2310");
  for (int i = 0; i < 400; i++) {
    brio_error one = {0};
    cycles(r, 0.3, 0.002, 0.002, &one);
    told += one.code != BRIO_OK;
    if (one.code) err = one;
  }
  CHECK(told == 1, "told %d times", told);
  CHECK_HAS(err.message, "node 2: fault 2310, too much current");
  CHECK_NEAR(r->states[0].position, 0.3, 2 / COUNTS, "the other goes on");
  CHECK(power(r, false, NULL) && power(r, true, &err), "reset: %s", err.message);
  CHECK(cycles(r, 0.1, 1.5, 0.002, &err), "%s", err.message);
  CHECK_NEAR(r->states[1].position, 0.1, 2 / COUNTS, "it moves again");
  type(r, "refuse 1");
  CHECK(power(r, false, NULL) && !power(r, true, &err), "it is on");
  CHECK_HAS(err.message, "node 1 cannot be switched on: its state is 'switch-on disabled'");
}

static void test_fault(void) { each(check_fault); }

static void test_homing(void) {
  static rig r;
  brio_error err = {0};
  rig_begin(&r, "epos", 2);
  rig_set(&r, "homing", 37);
  rig_set(&r, "home", 0.25);
  r.drives->all[0].shaft.position = 1;
  CHECK(rig_open(&r, &err) && power(&r, true, &err) && cycles(&r, NAN, 0.1, 0.002, &err), "%s", err.message);
  CHECK_NEAR(r.states[0].position, 0.25, 1 / COUNTS, "it is called so");
  CHECK_NEAR(r.drives->all[0].shaft.position, 1, 1 / COUNTS, "and did not move");
  CHECK(power(&r, false, &err), "%s", err.message);
  r.drives->all[0].shaft.position += 0.5;
  CHECK(power(&r, true, &err) && cycles(&r, NAN, 0.1, 0.002, &err), "%s", err.message);
  CHECK_NEAR(r.states[0].position, 0.75, 2 / COUNTS, "once is enough");
  rig_end(&r);
  rig_begin(&r, "epos_serial", 1);
  rig_set(&r, "homing", 17);
  CHECK(rig_open(&r, &err) && power(&r, true, &err) && cycles(&r, NAN, 0.1, 0.002, &err), "%s", err.message);
  CHECK(r.drives->all[0].shaft.position < -0.05, "method 17 moves: %g", r.drives->all[0].shaft.position);
  CHECK_NEAR(r.states[0].position, 0, 1 / COUNTS, "and ends at home");
  type(&r, "reboot 1");
  type(&r, "block 1");
  cycles(&r, NAN, 0.5, 0.01, NULL);
  CHECK(!rig_open(&r, &err) || !power(&r, true, &err), "it is blocked");
  CHECK_HAS(err.message, "node 1 does not find its home by method 17");
  rig_end(&r);
}

/* ---- its settings ---- */

static void check_settings(rig *r) {
  brio_error err = {0};
  brio_gains gains[AXES] = {{2000, 0, NAN, NAN, 7}, {NAN, NAN, NAN, NAN, NAN}};
  brio_driver_config config = {.gains = gains, .limits = true, .axes = r->axes};
  brio_driver_input input = {"button", "1", 1};
  CHECK(r->kind->configure(r->device, &config, &err), "%s", err.message);
  CHECK(object(r, 0, 0x30A1, 1) == 2000 && object(r, 0, 0x30A1, 3) == 16000 && object(r, 0, 0x30A1, 5) == 7,
        "gains");
  CHECK(object(r, 1, 0x30A1, 1) == 1500000, "left as they are");
  CHECK(object(r, 1, 0x607D, 1) == (int)floor(-2 * COUNTS) &&
            object(r, 1, 0x607D, 2) == (int)ceil(2 * COUNTS),
        "limits");
  CHECK_NEAR(object(r, 0, 0x607F, 0), 10 * 60 / 6.2831853, 1, "rpm");
  config = (brio_driver_config){.inputs = &input, .ninput = 1};
  CHECK(!r->kind->configure(r->device, &config, &err) && err.code == BRIO_MISUSE, "inputs: %s", err.message);
}

static void test_settings(void) { each(check_settings); }

static void test_opening(void) {
  static rig r;
  brio_error err = {0};
  rig_begin(&r, "epos", 2);
  r.texts[3] = "sideways";
  CHECK(!rig_open(&r, &err), "mode");
  CHECK_HAS(err.message, "'cyclic' or 'profile'");
  r.texts[3] = "profile";
  r.texts[1] = "4,4";
  CHECK(!rig_open(&r, &err), "one node twice");
  CHECK_HAS(err.message, "2 axes need as many different nodes");
  r.texts[1] = "2,9";
  CHECK(!rig_open(&r, &err), "there is no 9");
  CHECK_HAS(err.message, "node 9 did not answer");
  r.texts[1] = "2,1";
  rig_set(&r, "following_error", 0.5);
  CHECK(rig_open(&r, &err), "%s", err.message);
  CHECK(object(&r, 0, 0x6065, 0) == (int)lround(0.5 * COUNTS), "window");
  CHECK_NEAR(object(&r, 0, 0x6081, 0), 95, 1, "10 rad/s in rpm");
  CHECK(object(&r, 0, 0x1017, 0) == 100 && object(&r, 0, 0x6060, 0) == 1, "heartbeat, mode");
  CHECK(object(&r, 1, 0x1600, 1) == 0x607A0020 && object(&r, 1, 0x1A00, 0) == 3, "process data are mapped");
  rig_end(&r);
}

/* A drive that is blocked does not follow, and reports it. */
static void test_following(void) {
  static rig r;
  brio_error err = {0};
  rig_begin(&r, "epos", 1);
  rig_set(&r, "following_error", 0.3);
  CHECK(rig_open(&r, &err) && power(&r, true, &err), "%s", err.message);
  type(&r, "block 1");
  CHECK(cycles(&r, 0.2, 0.2, 0.002, &err), "within its window: %s", err.message);
  cycles(&r, 0.5, 0.01, 0.002, &err);
  CHECK_HAS(err.message, "node 1: fault 8611, following error");
  rig_end(&r);
}

/* ---- the bus ---- */

/* Cycles until one fails; return its message. */
static void expect_break(rig *r, double within, const char *words) {
  brio_error err = {0};
  double began = brio_port_now(r->port);
  while (err.code == BRIO_OK && brio_port_now(r->port) < began + 5) cycles(r, 0.3, 0.002, 0.002, &err);
  CHECK_HAS(err.message, words);
  CHECK(brio_port_now(r->port) - began < within, "'%s' after %g s", words, brio_port_now(r->port) - began);
  double targets[AXES] = {0};
  CHECK(!r->kind->write(r->device, targets, NULL), "nothing is told any more");
}

/* Open it again until that succeeds.  Return the number of attempts; 0: it never did. */
static int rig_return(rig *r, brio_error *err) {
  for (int i = 1; i <= 40; i++) {
    if (rig_open(r, err) && power(r, true, err)) return i;
    brio_emulator_take(r->line, brio_emulator_now(r->line) + 0.25, (uint8_t[ROOM]){0}, ROOM);
  }
  return 0;
}

/* It comes back and stands still. */
static void expect_return(rig *r) {
  brio_error err = {0};
  double place = r->drives->all[1].shaft.position;
  CHECK(rig_return(r, &err) && cycles(r, NAN, 0.3, 0.002, &err), "%s", err.message);
  CHECK_NEAR(r->drives->all[1].shaft.position, place, 1e-3, "it stands still");
  CHECK(cycles(r, 0.1, 1, 0.002, &err), "%s", err.message);
  CHECK_NEAR(r->states[1].position, 0.1, 2 / COUNTS, "and moves again");
}

static bool rig_moving(rig *r) {
  brio_error err = {0};
  bool good = rig_start(r, "epos", 3) && power(r, true, &err) && cycles(r, 0.5, 0.06, 0.002, &err);
  CHECK(good, "%s", err.message);
  return good;
}

static void test_silence(void) {
  static rig r;
  if (rig_moving(&r)) {
    type(&r, "silence 2");
    expect_break(&r, 0.4, "node 2 ");
    type(&r, "silence 2");
    expect_return(&r);
  }
  rig_end(&r);
}

static void test_reboot(void) {
  static rig r;
  if (rig_moving(&r)) {
    type(&r, "reboot 2");
    expect_break(&r, 0.45, "node 2 ");
    expect_return(&r);
    brio_drive_manage(&r.drives->all[1], BRIO_NMT_RESET); /* quickly: by its boot-up message */
    expect_break(&r, 0.05, "node 2 has restarted");
    expect_return(&r);
    brio_drive_manage(&r.drives->all[1], BRIO_NMT_PREPARE); /* another master on the bus manages it */
    expect_break(&r, 0.3, "node 2 has restarted, or is no longer operational");
    expect_return(&r);
  }
  rig_end(&r);
}

static void test_twins(void) {
  static rig r;
  brio_error err = {0};
  if (rig_moving(&r)) {
    type(&r, "twin 2");
    expect_break(&r, 0.3, "two nodes seem to have the number 2");
    type(&r, "twin 2");
    expect_return(&r);
    type(&r, "twice 5%");
    CHECK(cycles(&r, 0.2, 10, 0.01, &err), "some answers come twice: %s", err.message);
  }
  rig_end(&r);
}

static void test_bus_off(void) {
  static rig r;
  if (rig_moving(&r)) {
    type(&r, "busoff");
    expect_break(&r, 0.05, "off the bus");
    type(&r, "busoff");
    expect_return(&r);
  }
  rig_end(&r);
}

static void test_unplugged(void) {
  static rig r;
  brio_error err = {0};
  if (rig_moving(&r)) {
    type(&r, "unplug");
    CHECK(!cycles(&r, 0.3, 0.002, 0.002, &err) && err.code == BRIO_IO, "%s", err.message);
    type(&r, "plug");
    expect_return(&r);
  }
  rig_end(&r);
}

/* The drives stop by themselves when the host is silent, and only then. */
static void test_watchdog(void) {
  static rig r;
  brio_error err = {0};
  brio_driver_config config = {.watchdog = 0.2};
  uint8_t bytes[ROOM];
  if (!rig_start(&r, "epos", 2)) return;
  config.axes = r.axes;
  CHECK(r.kind->configure(r.device, &config, &err), "%s", err.message);
  CHECK(object(&r, 0, 0x1016, 1) == (0x7F << 16 | 200), "it waits for node 127");
  r.port->made_up += 1;
  CHECK(power(&r, true, &err) && cycles(&r, 0.3, 1, 0.01, &err), "nobody waits before power: %s",
        err.message);
  CHECK(r.drives->all[1].state == BRIO_CIA402_ENABLED, "heartbeats come");
  double until = brio_port_now(r.port) + 0.12;
  brio_emulator_take(r.line, until, bytes, sizeof bytes);
  CHECK(r.drives->all[1].state == BRIO_CIA402_ENABLED, "not yet");
  brio_emulator_take(r.line, until + 0.12, bytes, sizeof bytes);
  CHECK(r.drives->all[1].state == BRIO_CIA402_QUICK_STOP && r.drives->all[1].shaft.torque,
        "it stopped, and holds");
  r.port->made_up = until + 0.12;
  expect_break(&r, 0.05, "node ");
  expect_return(&r);
  CHECK(r.kind->configure(r.device, &config, &err) && power(&r, true, &err) &&
            cycles(&r, 0.3, 0.3, 0.01, &err),
        "%s", err.message);
  r.kind->close(r.device); /* by a person's will */
  r.device = NULL;
  brio_emulator_take(r.line, brio_emulator_now(r.line) + 2, bytes, sizeof bytes);
  CHECK(r.drives->all[0].state == BRIO_CIA402_ENABLED, "a drive that was left in peace holds");
  rig_end(&r);
}

/* ---- objects ---- */

static void test_objects(void) {
  static brio_canopen bus;
  static uint8_t out[256], sheet[200];
  brio_emulator_options options = {.servos = 3, .first_id = 5};
  brio_error err = {0};
  uint8_t nodes[BRIO_CANOPEN_NODES];
  int length = 0;
  brio_emulator *line = brio_emulator_open(brio_emulator_find("epos", NULL), &options, NULL);
  brio_port *port = brio_port_emulated(line, 1000000, &err);
  brio_canopen_start(&bus, port, 0.02);
  CHECK(brio_canopen_scan(&bus, 1, 127, nodes, &err) == 3 && nodes[0] == 5 && nodes[2] == 7,
        "who is there: %s", err.message);
  CHECK(brio_canopen_read(&bus, 6, 0x1008, 0, out, sizeof out, &length, &err), "%s", err.message);
  CHECK(length > 7 && memcmp(out, "EPOS4", 5) == 0, "in segments: %d bytes", length);
  CHECK(!brio_canopen_read(&bus, 6, 0x1008, 0, out, 10, &length, &err), "no room");
  CHECK_HAS(err.message, "too long");
  for (int i = 0; i < (int)sizeof sheet; i++) sheet[i] = (uint8_t)(i * 7);
  for (int size = 5; size <= (int)sizeof sheet; size += 13) {
    CHECK(brio_canopen_write(&bus, 7, 0x1021, 0, sheet, size, &err), "%d bytes: %s", size, err.message);
    CHECK(brio_canopen_read(&bus, 7, 0x1021, 0, out, sizeof out, &length, &err), "%d bytes: %s", size,
          err.message);
    CHECK(length == size && memcmp(out, sheet, (size_t)size) == 0, "%d bytes came back as %d", size, length);
  }
  CHECK(!brio_canopen_write(&bus, 5, 0x6041, 0, sheet, 2, &err), "read only");
  CHECK_HAS(err.message, "node 5 refuses status word (6041:00): read only (06010002)");
  CHECK(!brio_canopen_read(&bus, 5, 0x2FFF, 1, out, sizeof out, &length, &err), "no such object");
  CHECK_HAS(err.message, "no such object (06020000)");
  CHECK(!brio_canopen_write(&bus, 5, 0x6060, 0, (const uint8_t[]){77}, 1, &err), "mode");
  CHECK_HAS(err.message, "out of range");
  CHECK(!brio_canopen_write(&bus, 5, 0x607A, 0, sheet, 2, &err) && bus.aborted == 0x06070010, "length: %s",
        err.message);
  CHECK(!brio_canopen_read(&bus, 0, 0x1000, 0, out, sizeof out, &length, &err) && err.code == BRIO_MISUSE,
        "%s", err.message);
  CHECK(!brio_canopen_read(&bus, 99, 0x1000, 0, out, sizeof out, &length, &err) && bus.x.timeouts == 2, "%s",
        err.message);
  brio_port_close(port);
  brio_emulator_close(line);
}

/* Mappings: only while disabled, only existing objects, at most 8 bytes. */
static void test_mapping(void) {
  static brio_drive d;
  const uint8_t zero[4] = {0}, off[4] = {0x01, 0x02, 0x00, 0x80}, three[1] = {3}, one[1] = {1};
  const uint8_t target[4] = {0x20, 0x00, 0x7A, 0x60}, unknown[4] = {0x20, 0x00, 0xFF, 0x2F};
  brio_drive_start(&d, 1);
  CHECK(brio_drive_write(&d, 0x1600, 0, zero, 1) == 0x06010000, "in use");
  CHECK(brio_drive_write(&d, 0x1400, 1, off, 4) == 0 &&
            brio_drive_write(&d, 0x1600, 1, target, 4) == 0x06010000,
        "counted");
  CHECK(brio_drive_write(&d, 0x1600, 0, zero, 1) == 0, "now");
  for (int i = 1; i <= 3; i++) CHECK(brio_drive_write(&d, 0x1600, i, target, 4) == 0, "%d", i);
  CHECK(brio_drive_write(&d, 0x1600, 0, three, 1) == 0x06040042, "12 bytes");
  CHECK(brio_drive_write(&d, 0x1600, 1, unknown, 4) == 0 &&
            brio_drive_write(&d, 0x1600, 0, one, 1) == 0x06040041,
        "nothing");
  brio_drive_manage(&d, BRIO_NMT_START);
  CHECK(brio_drive_write(&d, 0x1600, 0, zero, 1) == 0x08000022, "operational");
}

/* ---- a node that answers wrongly ---- */

static int lie; /* which one */

static void *open_liar(const brio_emulator_options *options, brio_error *err) {
  return (void)options, (void)err, &lie;
}
static void close_liar(void *device) { (void)device; }

static void answer_wrongly(void *device, const brio_packet *p, int baud, brio_emulator *line) {
  static const uint8_t lies[][2][8] = {
      {{0x41, 0x08, 0x10, 0, 20, 0, 0, 0},
       {0x10, 1, 2, 3, 4, 5, 6, 7}}, /* the toggle bit of the next segment */
      {{0x41, 0x08, 0x10, 0, 20, 0, 0, 0}, {0x00, 1, 2, 3, 4, 5, 6, 7}}, /* that never turns */
      {{0x43, 0x09, 0x10, 0, 1, 2, 3, 4}, {0}},                          /* of another object */
      {{0x60, 0x08, 0x10, 0, 0, 0, 0, 0}, {0}},                          /* of another kind */
      {{0x80, 0x08, 0x10, 0, 0x11, 0x22, 0x33, 0x44}, {0}},              /* an unknown code */
  };
  brio_packet out = {.id = 0x583, .code = -1, .error = -1, .length = 8};
  (void)device, (void)baud;
  if (p->id != 0x603 || p->data[0] == 0x80) return;
  memcpy(out.data, lies[lie][p->data[0] != 0x40], 8);
  brio_emulator_answer(line, &out, 0, false);
  out.id = 0x584; /* and one for another */
  brio_emulator_answer(line, &out, 0, false);
}

static void test_wrong_answers(void) {
  static const char *const said[] = {"toggle bit", "toggle bit", "did not answer", "did not answer",
                                     "error 44332211"};
  extern const brio_protocol brio_protocol_canopen;
  static const brio_emulator_kind kind = {.name = "liar",
                                          .doc = "a liar.",
                                          .protocol = &brio_protocol_canopen,
                                          .baud = 1000000,
                                          .servos = 1,
                                          .open = open_liar,
                                          .handle = answer_wrongly,
                                          .close = close_liar};
  brio_emulator_options options = {.servos = 1, .first_id = 1};
  for (lie = 0; lie < 5; lie++) {
    static brio_canopen bus;
    uint8_t out[64];
    int length;
    brio_error err = {0};
    brio_emulator *line = brio_emulator_open(&kind, &options, NULL);
    brio_port *port = brio_port_emulated(line, 1000000, &err);
    brio_canopen_start(&bus, port, 0.02);
    CHECK(!brio_canopen_read(&bus, 3, 0x1008, 0, out, sizeof out, &length, &err), "lie %d was believed", lie);
    CHECK_HAS(err.message, said[lie]);
    brio_port_close(port);
    brio_emulator_close(line);
  }
}

/* ---- words ---- */

static void test_words(void) {
  static const struct {
    int code;
    const char *words;
  } rows[] = {{0x8611, "following error"}, {0x8130, "heartbeat missed"},  {0x81B0, "communication"},
              {0x2222, "current"},         {0x0000, "no error any more"}, {0xFF77, "maker's own"},
              {0xB000, "unknown"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK(strcmp(brio_cia402_emergency(rows[i].code), rows[i].words) == 0, "%04X: %s", (unsigned)rows[i].code,
          brio_cia402_emergency(rows[i].code));
  static const int words[] = {0x0740, 0x0721, 0x0723, 0x0737, 0x0218}; /* of real drives */
  static const brio_cia402_state states[] = {BRIO_CIA402_DISABLED, BRIO_CIA402_READY, BRIO_CIA402_SWITCHED_ON,
                                             BRIO_CIA402_ENABLED, BRIO_CIA402_FAULT};
  for (int i = 0; i < 5; i++)
    CHECK(brio_cia402_state_of((uint16_t)words[i]) == states[i], "%04X", (unsigned)words[i]);
}

/* ---- lines with faults ---- */

/* A position reported as measured is the shaft's position now or a moment ago, or is marked as not fresh. */
static void check_faults(const char *name, const char *fault, double hours) {
  static rig r;
  brio_error err = {0};
  brio_driver_counts counts;
  long wrong = 0, missing = 0, all = 0, opened = 0;
  int count = strcmp(name, "epos") == 0 ? AXES : 1;
  if (!rig_start(&r, name, count) || !power(&r, true, &err)) return;
  for (const char *at = fault; at; at = strchr(at, ',') ? strchr(at, ',') + 2 : NULL) {
    char one[32];
    snprintf(one, sizeof one, "%.*s", (int)strcspn(at, ","), at);
    type(&r, one);
  }
  double end = brio_port_now(r.port) + 3600 * hours;
  for (double now; (now = brio_port_now(r.port)) < end;) {
    double before[AXES];
    for (int i = 0; i < count; i++) before[i] = r.drives->all[i].shaft.position;
    if (!cycles(&r, 0.5 * sin(now), 0.01, 0.01, &err)) {
      opened++;
      if (!rig_return(&r, &err)) break;
      continue;
    }
    for (int i = 0; i < count; i++, all++) {
      double place = r.states[i].position, after = r.drives->all[i].shaft.position;
      missing += !r.states[i].valid;
      wrong += r.states[i].valid &&
               (place < fmin(before[i], after) - 0.05 || place > fmax(before[i], after) + 0.05);
    }
  }
  r.kind->count(r.device, &counts);
  printf("#   %s, %s: %ld wrong, %ld missing of %ld; opened anew %ld times; %ld retries, %ld refused, %ld "
         "strays\n",
         name, fault, wrong, missing, all, opened, (long)counts.retries, (long)counts.refused,
         (long)counts.strays);
  CHECK(wrong == 0, "%s, %s: %ld wrong places", name, fault, wrong);
  CHECK(missing <= all / 5, "%s, %s: %ld of %ld missing", name, fault, missing, all);
  type(&r, "fine");
  r.port->made_up += 0.2;
  CHECK(rig_return(&r, &err) && cycles(&r, 0.4, 1, 0.005, &err), "%s recovers from %s: %s", name, fault,
        err.message);
  CHECK_NEAR(r.states[0].position, 0.4, 2 / COUNTS, "%s, %s", name, fault);
  rig_end(&r);
}

static void test_faults(void) {
  static const char *const faults[] = {"loss 2%, errors 1%",
                                       "loss 2%", "errors 1%", "burst 5%", "late 1%", "twice 5%",
                                       "cut 5%", "jitter 5ms"};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    double hours = i == 0 ? 0.05 : 0.005; /* the first: one hour at the soak's scale */
    check_faults("epos", faults[i], hours * check_scale());
    check_faults("epos_serial", faults[i], hours * check_scale());
  }
}

CHECK_SUITE(CHECK_TEST(test_life), CHECK_TEST(test_no_jump), CHECK_TEST(test_fault), CHECK_TEST(test_homing),
            CHECK_TEST(test_settings), CHECK_TEST(test_opening), CHECK_TEST(test_following),
            CHECK_TEST(test_silence), CHECK_TEST(test_reboot), CHECK_TEST(test_twins),
            CHECK_TEST(test_bus_off), CHECK_TEST(test_unplugged), CHECK_TEST(test_watchdog),
            CHECK_TEST(test_objects), CHECK_TEST(test_mapping), CHECK_TEST(test_wrong_answers),
            CHECK_TEST(test_words), CHECK_TEST(test_faults))
