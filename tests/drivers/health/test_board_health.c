/* How soon the drivers of servos that are read one by one know a temperature, in simulated time. */
#include "tests/drivers/board_rig.h"

enum { MOST = 18 };

/* A driver with `count` axes on an emulated line. */
typedef struct many {
  const brio_driver_kind *driver;
  brio_emulator *line;
  brio_port *port;
  void *device;
  brio_axis axes[MOST];
  brio_axis_state states[MOST];
  double settings[SETTINGS];
  const char *texts[BRIO_DRIVER_TEXTS];
  int count;
} many;

static bool many_start(many *m, const subject *s, int count) {
  const brio_emulator_kind *kind = brio_emulator_find(s->emulator, NULL);
  brio_emulator_options options = {.servos = count, .first_id = -1, .seed = 5};
  brio_error err = {0};
  *m = (many){.driver = s->driver, .count = count};
  m->line = brio_emulator_open(kind, &options, &err);
  for (int i = 0; m->driver->settings[i].name; i++) m->settings[i] = m->driver->settings[i].fallback;
  for (int i = 0; m->driver->texts[i].name; i++) m->texts[i] = m->driver->texts[i].fallback;
  for (int i = 0; i < count; i++)
    m->axes[i] = (brio_axis){.name = "a", .lower = -END, .upper = END, .velocity = 3, .acceleration = 30};
  m->port = brio_port_emulated(m->line, kind->baud, &err);
  m->device = brio_board_open_port(s->board, m->port, m->axes, count, m->settings, m->texts, &err);
  CHECK(m->device != NULL, "%s with %d axes: %s", s->name, count, err.message);
  return m->device != NULL;
}

static void many_end(many *m) {
  if (m->device) m->driver->close(m->device);
  brio_emulator_close(m->line);
}

/* One cycle: a target for every axis, and its report. */
static void many_cycle(many *m) {
  double targets[MOST] = {0};
  brio_error err = {0};
  m->driver->write(m->device, targets, &err);
  m->driver->read(m->device, m->states, &err);
}

/* s of cycles, until axis `i` (-1: none) is reported to be hot; returns how long that took. */
static double many_cycles(many *m, double seconds, int i) {
  double began = brio_port_now(m->port), now = began;
  for (; now < began + seconds && (i < 0 || m->states[i].temperature < 80); now = brio_port_now(m->port))
    many_cycle(m);
  return now - began;
}

/* The mean duration of a cycle, s. */
static double cycle_of(many *m) {
  double began = brio_port_now(m->port);
  for (int i = 0; i < 40; i++) many_cycle(m);
  return (brio_port_now(m->port) - began) / 40;
}

/* Axis `i` becomes hot: known within `share` of `health` (0.8 s) or of eight cycles, and one or two more. */
static void check_heat(many *m, const char *name, int i, double share) {
  double cycle = cycle_of(m), most = fmax(0.8, 8 * cycle) * share + 2 * cycle;
  char words[32];
  brio_text out = {0};
  snprintf(words, sizeof words, "heat %d 95", i + 1);
  CHECK(brio_emulator_command(m->line, words, &out, NULL), "%s", words);
  brio_text_end(&out);
  double took = many_cycles(m, 10, i);
  CHECK(took <= most, "%s, %d axes, cycles of %.1f ms: known after %.3f s, %.3f s wanted", name, m->count,
        cycle * 1e3, took, most);
}

/* Of a myCobot all joints are read at once, so a sixth of the time is enough. */
static void test_heat_is_known(void) {
  static const struct {
    const char *name;
    int count;
    double share;
  } rows[] = {{"lx16a", 4, 1}, {"lx16a", MOST, 1}, {"mycobot", 6, 1.0 / 6}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    for (int n = 0; n < (check_scale() > 1 ? 20 : 3); n++) {
      static many m;
      if (many_start(&m, named(rows[k].name), rows[k].count)) {
        many_cycles(&m, 2 + 0.17 * n, -1); /* another moment of a round each time */
        check_heat(&m, rows[k].name, n * 5 % rows[k].count, rows[k].share);
      }
      many_end(&m);
    }
}

CHECK_SUITE(CHECK_TEST(test_heat_is_known))
