/* Scanning for devices, in simulated time: every family queries every emulated device, over quiet lines,
** lines that echo the host, and noisy ones.  A family finds its own devices; no device is mistaken for one of
** another family with a surer answer; no query moves or sets anything, except on a Maestro, which others'
** bytes move: it is scanned first. */
#include <string.h>

#include "drivers/driver.h"
#include "drivers/families/board.h"
#include "drivers/setup/scan.h"
#include "drivers/setup/setup.h"
#include "tests/check.h"

enum { MOST = 64, LAST = 3 };

/* The family that each emulator is found as. */
static const struct {
  const char *emulator, *family;
  int found; /* devices */
} devices[] = {{"dynamixel", "dynamixel", 3},
               {"dynamixel1", "dynamixel1", 3},
               {"sts", "sts", 3},
               {"scs", "scs", 3},
               {"lx16a", "lx16a", 3},
               {"mycobot", "mycobot", 6},
               {"maestro", "maestro", 1},
               {"maestro_crc", "maestro", 1},
               {"line", "line", 1},
               {"epos_serial", "epos_serial", 3}};
enum { DEVICES = sizeof devices / sizeof *devices };

static brio_emulator *emulate(const char *name, const brio_emulator_kind **kind) {
  brio_error err = {0};
  *kind = brio_emulator_find(name, &err);
  brio_emulator_options options = {
      .servos = strcmp((*kind)->protocol->name, "mycobot") == 0 ? 6 : 3, .first_id = -1, .seed = 9};
  brio_emulator *line = brio_emulator_open(*kind, &options, &err);
  CHECK(line != NULL, "%s: %s", name, err.message);
  return line;
}

/* The devices' own state: "status" without the counts of the line. */
static void status(brio_emulator *line, char *out, size_t size) {
  brio_text text = {0};
  const brio_emulator_kind *kind = brio_emulator_kind_of(line);
  kind->tell(brio_emulator_device(line), &text);
  snprintf(out, size, "%s", text.bytes ? text.bytes : "");
  brio_text_end(&text);
}

static int find(const char *family, brio_port *port, brio_scan_found *found) {
  brio_error err = {0};
  const brio_driver_kind *driver = brio_driver_find(family, &err);
  const brio_driver_scan *scan = driver->scan;
  int count = scan->look(scan, port, scan->last < 0 ? 0 : 1, scan->last < LAST ? scan->last : LAST, 0.005,
                         found, MOST, &err);
  CHECK(count >= 0, "%s: %s", family, err.message);
  return count;
}

/* All families that can be found behind a serial port, in the order of brio_driver_kinds. */
static int families(const char **names) {
  int n = 0;
  for (int i = 0; brio_driver_kinds[i]; i++)
    if (brio_driver_kinds[i]->scan && brio_driver_kinds[i]->scan->ports & BRIO_SCAN_SERIAL)
      names[n++] = brio_driver_kinds[i]->name;
  return n;
}

/* One device, queried by one family. */
static void meet(int d, const char *family, double echo) {
  char before[4096], after[4096];
  const brio_emulator_kind *kind;
  brio_scan_found found[MOST];
  brio_error err = {0};
  brio_emulator *line = emulate(devices[d].emulator, &kind);
  brio_emulator_set(line, BRIO_LINE_ECHO, echo);
  brio_port *port = brio_port_emulated(line, kind->baud, &err);
  status(line, before, sizeof before);
  int count = find(family, port, found), sure = 0;
  status(line, after, sizeof after);
  for (int i = 0; i < count; i++) sure += found[i].known;
  bool own = strcmp(family, devices[d].family) == 0;
  const char *how = echo > 0 ? "with an echo" : "on a quiet line";
  if (own && (echo == 0 || strcmp(family, "maestro") != 0))
    CHECK(sure == devices[d].found, "%s finds %d of %d by %s, %s", family, sure, devices[d].found, kind->name,
          how);
  if (!own) CHECK(sure == 0, "%s finds %d at %s, %s: %s", family, sure, kind->name, how, found[0].words);
  /* FF begins a Mini SSC move: it is scanned first, and alone */
  bool stirs = !own && strcmp(devices[d].family, "maestro") == 0;
  CHECK(stirs || strcmp(before, after) == 0, "%s did something to %s, %s: %s -> %s", family, kind->name, how,
        before, after);
  brio_port_close(port);
  brio_emulator_close(line);
}

static void test_everyone_meets_everyone(void) {
  const char *names[32];
  int n = families(names);
  CHECK(n >= 9, "%d families", n);
  for (int d = 0; d < DEVICES; d++)
    for (int f = 0; f < n; f++)
      for (int echo = 0; echo < 2; echo++) meet(d, names[f], echo);
}

static double errors_of(brio_port *port) {
  double value = NAN;
  brio_error err = {0};
  CHECK(brio_setup_get(&brio_setup_maestro, port, 0, "errors", &value, &err), "%s", err.message);
  return value;
}

/* A board is found with its CRC and without; the scan reports the driver's settings and causes no error. */
static void test_maestro_crc(void) {
  for (int crc = 0; crc < 2; crc++) {
    const brio_emulator_kind *kind;
    brio_error err = {0};
    brio_scan_found found[MOST];
    brio_emulator *line = emulate(crc ? "maestro_crc" : "maestro", &kind);
    brio_port *port = brio_port_emulated(line, 115200, &err);
    CHECK(find("maestro", port, found) == 1, "crc %d", crc);
    CHECK(crc ? found[0].settings && strcmp(found[0].settings, "crc = 1") == 0 : !found[0].settings, "crc %d",
          crc);
    CHECK((strstr(found[0].words, "CRC") != NULL) == (crc > 0), "%s", found[0].words);
    for (int i = 0; i < BRIO_NWIRE_FAULT; i++)
      CHECK(i == BRIO_WIRE_GARBAGE || brio_emulator_stream(line)->faults[i] == 0, "%s",
            brio_wire_fault_name((brio_wire_fault)i));
    CHECK(errors_of(port) == 0, "an error was raised, crc %d", crc);
    brio_port_close(port);
    brio_emulator_close(line);
  }
}

/* A driver with the wrong settings for its board reports that, and causes no error there. */
static void test_maestro_mismatch(void) {
  for (int crc = 0; crc < 2; crc++) {
    const brio_emulator_kind *kind;
    brio_error err = {0};
    const brio_axis axis = {.name = "a", .lower = -1, .upper = 1, .velocity = 2, .acceleration = 20};
    double settings[32] = {0};
    const char *texts[BRIO_DRIVER_TEXTS] = {0};
    const brio_driver_kind *driver = brio_driver_find("maestro", &err);
    for (int i = 0; driver->settings[i].name; i++)
      settings[i] = strcmp(driver->settings[i].name, "crc") == 0 ? !crc : driver->settings[i].fallback;
    for (int i = 0; driver->texts[i].name; i++) texts[i] = driver->texts[i].fallback;
    brio_emulator *line = emulate(crc ? "maestro_crc" : "maestro", &kind);
    void *device = brio_board_open_port(&brio_board_maestro, brio_port_emulated(line, 115200, &err), &axis, 1,
                                        settings, texts, &err);
    CHECK(!device, "it opens, crc %d", crc);
    CHECK_HAS(err.message, crc ? "set crc = 1" : "set crc = 0");
    if (device) brio_board_close(device);
    brio_port *port = brio_port_emulated(line, 115200, &err);
    CHECK(errors_of(port) == 0, "an error was raised, crc %d", crc);
    brio_port_close(port);
    brio_emulator_close(line);
  }
}

/* Over a line with damaged bytes every device found is real; repeated scans do not crash. */
static void test_noise(void) {
  const char *names[32];
  int n = families(names);
  for (int d = 0; d < DEVICES; d++) {
    const brio_emulator_kind *kind;
    brio_scan_found found[MOST];
    brio_error err = {0};
    brio_emulator *line = emulate(devices[d].emulator, &kind);
    brio_emulator_set(line, BRIO_LINE_ERRORS, 0.02);
    brio_emulator_set(line, BRIO_LINE_CUT, 0.05);
    brio_emulator_set(line, BRIO_LINE_LATE, 0.05);
    brio_emulator_set(line, BRIO_LINE_TWICE, 0.05);
    brio_port *port = brio_port_emulated(line, kind->baud, &err);
    for (int k = 0; k < 3 * n; k++) {
      int count = find(names[k % n], port, found);
      CHECK(count <= MOST, "%d", count);
      for (int i = 0; i < count && i < MOST; i++)
        CHECK(found[i].axes >= 1 && found[i].words[0] && (!(found[i].lower > found[i].upper)), "%s",
              found[i].words);
    }
    brio_port_close(port);
    brio_emulator_close(line);
  }
}

CHECK_SUITE(CHECK_TEST(test_everyone_meets_everyone), CHECK_TEST(test_maestro_crc),
            CHECK_TEST(test_maestro_mismatch), CHECK_TEST(test_noise))
