/* Every board and joint stream with its driver against its emulator, in simulated time. */
#ifndef TESTS_DRIVERS_BOARD_RIG_H
#define TESTS_DRIVERS_BOARD_RIG_H

#include "drivers/emulators/joints.h"
#include "drivers/families/board.h"
#include "drivers/protocols/joint_stream.h"
#include "tests/check.h"

extern const brio_driver_kind brio_driver_lx16a, brio_driver_maestro, brio_driver_mycobot, brio_driver_line,
    brio_driver_json;

enum { AXES = 6, SETTINGS = 32 };

static const double END = 1.2 /* rad: the axes' limits */, CYCLE = 0.02;

/* A protocol variant of a family. */
typedef struct subject {
  const char *name, *emulator;
  const brio_driver_kind *driver;
  const brio_board_kind *board; /* NULL: a joint stream */
  const char *setting;          /* one that is not as usual; NULL: none */
  double value;
  const char *form;             /* of a Maestro; NULL: as usual */
  double step;                  /* rad: resolution of commands and reports */
  double accepts;               /* share of damaged packets that its check code accepts */
} subject;

static const subject subjects[] = {
    {"lx16a", "lx16a", &brio_driver_lx16a, &brio_board_lx16a, NULL, 0, NULL, 0.0042, 1.0 / 256},
    {"maestro", "maestro", &brio_driver_maestro, &brio_board_maestro, NULL, 0, NULL, 0.0005, 1},
    {"maestro pololu batch", "maestro", &brio_driver_maestro, &brio_board_maestro, "batch", 1, "pololu",
     0.0005, 1},
    {"maestro mini ssc", "maestro", &brio_driver_maestro, &brio_board_maestro, NULL, 0, "mini_ssc", 0.006, 1},
    {"maestro crc", "maestro_crc", &brio_driver_maestro, &brio_board_maestro, "crc", 1, NULL, 0.0005, 1},
    {"mycobot", "mycobot", &brio_driver_mycobot, &brio_board_mycobot, NULL, 0, NULL, 0.0002, 1},
    {"line", "line", &brio_driver_line, &brio_board_line, NULL, 0, NULL, 0.0017, 1.0 / 256},
    {"json", "json", &brio_driver_json, NULL, NULL, 0, NULL, 2e-6, 1.0 / 65536},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static inline const subject *named(const char *name) {
  int i = 0;
  while (strcmp(subjects[i].name, name) != 0) i++;
  return &subjects[i];
}

typedef struct rig {
  const subject *subject;
  const brio_driver_kind *driver;
  brio_emulator *line;
  brio_port *port;
  void *device;
  brio_axis axes[AXES];
  double settings[SETTINGS];
  const char *texts[BRIO_DRIVER_TEXTS];
  brio_driver_config config;
  brio_axis_state states[AXES];
  brio_error err;
} rig;

static inline brio_joints *joints_of(const rig *r) { return brio_emulator_device(r->line); }

static inline void type(rig *r, const char *text) {
  brio_text out = {0};
  brio_error err = {0};
  CHECK(brio_emulator_command(r->line, text, &out, &err), "%s: %s", text, err.message);
  brio_text_end(&out);
}

/* The driver's settings and texts, and the subject's own. */
static inline void fill_settings(rig *r) {
  const subject *s = r->subject;
  for (int i = 0; r->driver->settings[i].name; i++) {
    bool own = s->setting && strcmp(s->setting, r->driver->settings[i].name) == 0;
    r->settings[i] = own ? s->value : r->driver->settings[i].fallback;
  }
  for (int i = 0; r->driver->texts[i].name; i++) {
    bool own = s->form && strcmp(r->driver->texts[i].name, "form") == 0;
    r->texts[i] = own ? s->form : r->driver->texts[i].fallback;
  }
}

static inline bool open_device(rig *r, int baud) {
  static const char *const names[AXES] = {"a", "b", "c", "d", "e", "f"};
  for (int i = 0; i < AXES; i++)
    r->axes[i] = (brio_axis){
        .name = names[i], .lower = -END, .upper = END, .velocity = 3, .acceleration = 30};
  r->port = brio_port_emulated(r->line, baud, &r->err);
  r->device = r->subject->board ? brio_board_open_port(r->subject->board, r->port, r->axes, AXES,
                                                       r->settings, r->texts, &r->err)
                                : brio_json_open_port(r->port, r->axes, AXES, r->settings, r->texts, &r->err);
  r->config.axes = r->axes;
  if (r->device && r->driver->configure && !r->driver->configure(r->device, &r->config, &r->err)) {
    r->driver->close(r->device);
    r->device = NULL;
  }
  return r->device != NULL;
}

static inline bool rig_start(rig *r, const subject *s) {
  const brio_emulator_kind *kind = brio_emulator_find(s->emulator, NULL);
  brio_emulator_options options = {.servos = kind->servos, .first_id = -1, .seed = 11};
  *r = (rig){.subject = s, .driver = s->driver};
  r->line = brio_emulator_open(kind, &options, &r->err);
  CHECK(r->line != NULL, "%s: %s", s->name, r->err.message);
  if (!r->line) return false;
  fill_settings(r);
  CHECK(open_device(r, kind->baud), "%s: %s", s->name, r->err.message);
  return r->device != NULL;
}

static inline void rig_end(rig *r) {
  if (r->device) r->driver->close(r->device);
  brio_emulator_close(r->line);
}

static inline void each(void (*test)(rig *)) {
  for (int i = 0; i < SUBJECTS; i++) {
    static rig r;
    if (rig_start(&r, &subjects[i])) test(&r);
    rig_end(&r);
  }
}

/* ---- cycles ---- */

static inline void switch_all(rig *r, bool on) {
  bool flags[AXES];
  for (int i = 0; i < AXES; i++) flags[i] = on;
  brio_error err = {0};
  CHECK(r->driver->power(r->device, flags, &err), "%s: %s", r->subject->name, err.message);
}

/* A cycle: targets (NULL: none) with speeds or without, and reports. */
static inline bool cycle(rig *r, const double *targets, const double *speeds) {
  double begin = brio_port_now(r->port), none[AXES];
  for (int i = 0; i < AXES; i++) none[i] = NAN;
  r->err = (brio_error){0};
  bool good = speeds ? r->driver->write_timed(r->device, targets, speeds, &r->err)
                     : r->driver->write(r->device, targets ? targets : none, &r->err);
  good = r->driver->read(r->device, r->states, good ? &r->err : NULL) && good;
  r->port->made_up = fmax(r->port->made_up, begin + CYCLE); /* later bytes are read in the next cycle */
  return good;
}

static inline bool cycles(rig *r, const double *targets, double seconds) {
  double until = brio_port_now(r->port) + seconds;
  bool good = true;
  while (brio_port_now(r->port) < until) good = cycle(r, targets, NULL) && good;
  return good;
}

/* The distance of a joint from a position. */
static inline double away(const rig *r, int i, double place) {
  return fabs(joints_of(r)->at[i].shaft.position - place);
}

static const double spread[AXES] = {0.5, -0.4, 0.3, -0.2, 0.1, 0.6};

#endif
