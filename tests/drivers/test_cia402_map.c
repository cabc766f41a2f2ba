/* Drives with a fixed mapping of process data, in simulated time: mapped objects are used, in either mode,
** and the others go by service data; a freely mapped drive beside them works as usual. */
#include "drivers/cia402/axes.h"
#include "drivers/cia402/canopen.h"
#include "drivers/cia402/drive.h"
#include "drivers/driver.h"
#include "tests/check.h"

enum { AXES = 3, SETTINGS = 16 };

static const double COUNTS = 4096 / 6.283185307179586;

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
} rig;

static void type(rig *r, const char *text) {
  brio_text out = {0};
  brio_error err = {0};
  CHECK(brio_emulator_command(r->line, text, &out, &err), "%s: %s", text, err.message);
  brio_text_end(&out);
}

/* Three drives; the second has a mapping of its own. */
static bool rig_start(rig *r, const char *mode, int how, brio_error *err) {
  char text[32];
  brio_emulator_options options = {.servos = AXES, .first_id = 1, .seed = 5};
  memset(r, 0, sizeof *r);
  r->kind = brio_driver_find("epos", NULL);
  r->line = brio_emulator_open(brio_emulator_find("epos", NULL), &options, NULL);
  r->drives = brio_emulator_device(r->line);
  for (int i = 0; r->kind->settings[i].name; i++) r->settings[i] = r->kind->settings[i].fallback;
  for (int i = 0; r->kind->texts[i].name; i++) r->texts[i] = r->kind->texts[i].fallback;
  for (int i = 0; i < AXES; i++) r->axes[i] = (brio_axis){"axis", -2, 2, 10, 100, 0};
  r->texts[3] = mode;
  snprintf(text, sizeof text, "fixed 2 %d", how);
  type(r, text);
  r->port = brio_port_emulated(r->line, 1000000, err);
  r->device = brio_cia402_open_at(&brio_cia402_bus, r->port, r->axes, AXES, r->settings, r->texts, err);
  return r->device != NULL;
}

static void rig_end(rig *r) {
  if (r->device) r->kind->close(r->device);
  brio_emulator_close(r->line);
}

static bool power(rig *r, bool on, brio_error *err) {
  const bool flags[AXES] = {on, on, on};
  return r->kind->power(r->device, flags, err);
}

/* Cycles of 5 ms.  Return the number without an error. */
static int cycles(rig *r, double target, int n, brio_error *err) {
  const double targets[AXES] = {target, target, target};
  int well = 0;
  for (int k = 0; k < n; k++) {
    bool good = r->kind->write(r->device, targets, err);
    well += r->kind->read(r->device, r->states, err) && good;
    r->port->made_up += 0.005;
  }
  return well;
}

static const char *const modes[] = {"cyclic", "profile"};

static void test_moves(void) {
  static const char *const words[] = {"", "which is used", "which sends no position after SYNC",
                                      "which has neither target nor place"};
  for (int how = 0; how <= 3; how++)
    for (int m = 0; m < 2; m++) {
      rig r;
      brio_error err = {0};
      char told[512] = "";
      bool there = rig_start(&r, modes[m], how, &err);
      CHECK(there, "%s %d: %s", modes[m], how, err.message);
      if (there && power(&r, true, &err)) {
        CHECK(cycles(&r, 0.5, 400, &err) == 400, "%s %d: %s", modes[m], how, err.message);
        for (int i = 0; i < AXES; i++) {
          CHECK(r.states[i].valid, "%s %d, drive %d", modes[m], how, i + 1);
          CHECK_NEAR(r.states[i].position, 0.5, 1 / COUNTS, "%s %d, drive %d", modes[m], how, i + 1);
          CHECK_NEAR(r.drives->all[i].shaft.position, 0.5, 1 / COUNTS, "%s %d, drive %d", modes[m], how,
                     i + 1);
        }
        CHECK(cycles(&r, -0.25, 400, &err) == 400, "%s %d: %s", modes[m], how, err.message);
        CHECK_NEAR(r.states[1].position, -0.25, 1 / COUNTS, "%s %d: and there", modes[m], how);
        r.kind->describe(r.device, told, sizeof told);
        if (how == 0) CHECK(!strstr(told, "mapping"), "%s", told);
        else CHECK_HAS(told, "node 2 keeps a mapping of its own");
        CHECK_HAS(told, words[how]);
        CHECK(power(&r, false, &err) && !r.drives->all[1].shaft.torque, "%s %d: limp", modes[m], how);
      }
      rig_end(&r);
    }
}

/* Faults of such a drive are reported like those of any other. */
static void test_fails(void) {
  for (int how = 1; how <= 3; how++) {
    rig r;
    brio_error err = {0};
    if (rig_start(&r, "cyclic", how, &err) && power(&r, true, &err)) {
      cycles(&r, 0.3, 200, &err);
      type(&r, "fault 2 0x8611");
      CHECK(cycles(&r, 0.3, 40, &err) < 40, "%d: nothing is said", how);
      CHECK_HAS(err.message, "node 2");
      CHECK_HAS(err.message, "following error");
      CHECK(cycles(&r, 0.5, 200, &err) > 190, "%d: the others go on", how);
      CHECK_NEAR(r.states[2].position, 0.5, 1 / COUNTS, "%d", how);
      CHECK_NEAR(r.drives->all[1].shaft.position, 0.3, 1 / COUNTS, "%d: it is told nothing", how);
      type(&r, "silence 2");
      CHECK(cycles(&r, 0.5, 200, &err) < 200, "%d: nothing is said", how);
      CHECK_HAS(err.message, "node 2");
    }
    rig_end(&r);
  }
}

CHECK_SUITE(CHECK_TEST(test_moves), CHECK_TEST(test_fails))
