/* Drivers at lines with a gremlin on them, in simulated time: faults of real lines that no specification
** mentions.  Zeros or ones before answers, one byte at a time, frames of another family, the host's own bytes
** damaged or cut, answers repeated before the next one, answers that are one query late.  A driver opens,
** moves its joints and reports nothing wrong where its protocol has a check code; it takes bounded time; and
** all is well after the gremlin. */
#include "drivers/cia402/axes.h"
#include "drivers/cia402/drive.h"
#include "drivers/driver.h"
#include "drivers/emulators/joints.h"
#include "drivers/families/board.h"
#include "drivers/servo/driver.h"
#include "drivers/servo/emulator.h"
#include "tests/check.h"

enum { AXES = 3, ROOM = 8192, ANSWER = 512 };

/* ---- the gremlin: a port around an emulated one ---- */

typedef enum trick {
  NOTHING,
  ZEROS,
  ONES,
  DRIBBLE,
  FOREIGN,
  BAD_ECHO,
  HALF_ECHO,
  AGAIN,
  BEHIND,
  CHATTER,
  FLOOD,
  NTRICK
} trick;

static const struct {
  const char *name;
  bool opens;  /* a driver must be able to open */
} tricks[NTRICK] = {[NOTHING] = {"nothing", true},
                    [ZEROS] = {"zeros before each answer", true},
                    [ONES] = {"ones before each answer", true},
                    [DRIBBLE] = {"a byte at a time", true},
                    [FOREIGN] = {"frames of a Feetech bus between", true},
                    [BAD_ECHO] = {"the host's own bytes, each third time spoiled", false},
                    [HALF_ECHO] = {"half of the host's own bytes", false},
                    [AGAIN] = {"each third answer once more before the next", false},
                    [BEHIND] = {"each tenth answer one question late", false},
                    [CHATTER] = {"noise before each answer", false},
                    [FLOOD] = {"noise without an end", false}};

typedef struct gremlin {
  brio_port *inner;
  trick trick;
  brio_random random;
  int questions;
  double flooded;                /* s: until when the line was full of noise */
  bool fresh;                    /* nothing has come since the question */
  int nlast, nheld;
  uint8_t last[ANSWER], held[ANSWER]; /* the last answer; one that is held back */
  int first, count;
  uint8_t queue[ROOM];           /* what the host will read */
} gremlin;

static void push(gremlin *g, const uint8_t *bytes, int count) {
  for (int i = 0; i < count && g->count < ROOM; i++) g->queue[(g->first + g->count++) % ROOM] = bytes[i];
}

/* The bytes before the first byte of an answer. */
static void prepend(gremlin *g) {
  static const uint8_t zeros[2] = {0}, ones[3] = {0xFF, 0xFF, 0xFF},
                       foreign[] = {0xFF, 0xFF, 0x09, 0x04, 0x00, 0x03, 0x08, 0xE7};
  uint8_t noise[4];
  for (int i = 0; i < 4; i++) noise[i] = (uint8_t)brio_random_bits(&g->random);
  if (g->trick == ZEROS) push(g, zeros, 2);
  if (g->trick == ONES) push(g, ones, 3);
  if (g->trick == FOREIGN) push(g, foreign, sizeof foreign);
  if (g->trick == CHATTER) push(g, noise, 4);
  if (g->trick == AGAIN && g->questions % 3 == 0) push(g, g->last, g->nlast);
}

/* Read the device's answer. */
static void take(gremlin *g, const uint8_t *bytes, int count) {
  if (g->fresh) {
    prepend(g);
    g->fresh = false;
    g->nlast = 0;
  }
  bool late = g->trick == BEHIND && g->questions % 10 == 0;
  for (int i = 0; i < count; i++) {
    if (g->nlast < ANSWER) g->last[g->nlast++] = bytes[i];
    if (late && g->nheld < ANSWER) g->held[g->nheld++] = bytes[i];
  }
  if (!late) push(g, bytes, count);
}

/* Noise fills the line: as many bytes as the elapsed time allows. */
static void flood(gremlin *g, brio_port *port, double timeout) {
  double byte = 10.0 / port->baud;
  if (timeout > 0 && g->count == 0 && port->made_up - g->flooded < byte) port->made_up += byte;
  for (; port->made_up - g->flooded >= byte && g->count < ROOM; g->flooded += byte) {
    uint8_t noise = (uint8_t)brio_random_bits(&g->random);
    push(g, &noise, 1);
  }
  g->inner->made_up = port->made_up;
}

static int read_through(brio_port *port, uint8_t *out, int room, double timeout, brio_error *err) {
  gremlin *g = port->own;
  uint8_t bytes[512];
  int got = 0;
  g->inner->made_up = fmax(g->inner->made_up, port->made_up);
  if (g->trick == FLOOD) flood(g, port, timeout);
  else g->flooded = port->made_up;
  if (g->count == 0 && g->trick != FLOOD) {
    got = brio_port_read(g->inner, bytes, sizeof bytes, timeout, err);
    port->made_up = g->inner->made_up;
    if (got < 0) return got;
    if (got > 0) take(g, bytes, got);
  }
  int most = g->trick == DRIBBLE ? 1 : room, n = 0;
  for (; n < most && g->count > 0; n++, g->count--) {
    out[n] = g->queue[g->first];
    g->first = (g->first + 1) % ROOM;
  }
  return n;
}

static bool write_through(brio_port *port, const uint8_t *bytes, int count, brio_error *err) {
  gremlin *g = port->own;
  uint8_t echo[64];
  g->inner->made_up = fmax(g->inner->made_up, port->made_up);
  g->questions++;
  g->fresh = true;
  if (g->nheld > 0) push(g, g->held, g->nheld); /* the late bytes */
  g->nheld = 0;
  int length = count < (int)sizeof echo ? count : (int)sizeof echo;
  memcpy(echo, bytes, (size_t)length);
  if (g->questions % 3 == 0)
    echo[brio_random_below(&g->random, (uint64_t)length)] ^= (uint8_t)(1u
                                                                       << brio_random_below(&g->random, 8));
  if (g->trick == BAD_ECHO) push(g, echo, length);
  if (g->trick == HALF_ECHO) push(g, bytes, length / 2);
  return brio_port_write(g->inner, bytes, count, err);
}

static bool set_through(brio_port *port, int baud, brio_error *err) {
  return brio_port_set_baud(((gremlin *)port->own)->inner, baud, err);
}

static void close_through(brio_port *port) {
  gremlin *g = port->own;
  brio_port_close(g->inner);
  free(g);
}

static brio_port *port_with(brio_emulator *line, int baud, trick which, gremlin **out) {
  static const brio_port_kind kind = {read_through, write_through, set_through, close_through, NULL};
  brio_port *port = calloc(1, sizeof *port);
  gremlin *g = calloc(1, sizeof *g);
  g->inner = brio_port_emulated(line, baud, NULL);
  g->trick = which;
  g->random = brio_random_stream(7, "gremlin");
  *port = (brio_port){
      .kind = &kind, .fd = -1, .baud = baud, .own = g, .made_up = g->inner->made_up, .name = "haunted"};
  *out = g;
  return port;
}

/* ---- the subjects ---- */

typedef struct subject {
  const char *driver, *emulator;
  const brio_board_kind *board; /* NULL: bus servos, or drives */
  bool checked;                 /* its answers have a check code */
  bool bare;                    /* its answers are bare bytes: nothing may come before them */
} subject;

static const subject subjects[] = {
    {"dynamixel", "dynamixel", NULL, true, false},
    {"dynamixel1", "dynamixel1", NULL, true, false},
    {"sts", "sts", NULL, true, false},
    {"scs", "scs", NULL, true, false},
    {"lx16a", "lx16a", &brio_board_lx16a, true, false},
    {"line", "line", &brio_board_line, true, false},
    {"mycobot", "mycobot", &brio_board_mycobot, false, false},
    {"maestro", "maestro", &brio_board_maestro, false, true},
    {"epos_serial", "epos_serial", NULL, true, false}};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

typedef struct rig {
  const subject *subject;
  const brio_driver_kind *kind;
  brio_emulator *line;
  gremlin *gremlin;
  brio_port *port;
  void *device;
  brio_axis axes[6];
  brio_axis_state states[6];
  brio_error err;
  int count;
} rig;

static void *open_at(rig *r, const double *settings, const char *const *texts) {
  const subject *s = r->subject;
  if (s->board) return brio_board_open_port(s->board, r->port, r->axes, r->count, settings, texts, &r->err);
  if (strcmp(s->driver, "epos_serial") == 0)
    return brio_cia402_open_at(&brio_cia402_line, r->port, r->axes, r->count, settings, texts, &r->err);
  return brio_servo_driver_open_on(brio_servo_family_find(s->driver, NULL), r->axes, r->count, settings,
                                   texts, r->port, &r->err);
}

static bool rig_start(rig *r, const subject *s, trick which) {
  double settings[32] = {0};
  const char *texts[BRIO_DRIVER_TEXTS] = {0};
  const brio_emulator_kind *kind = brio_emulator_find(s->emulator, NULL);
  *r = (rig){.subject = s,
             .kind = brio_driver_find(s->driver, NULL),
             .count = strcmp(s->driver, "mycobot") == 0 ? 6 : AXES};
  brio_emulator_options options = {.servos = r->count, .first_id = -1, .seed = 4};
  r->line = brio_emulator_open(kind, &options, &r->err);
  for (int i = 0; r->kind->settings[i].name; i++) settings[i] = r->kind->settings[i].fallback;
  for (int i = 0; r->kind->texts[i].name; i++) texts[i] = r->kind->texts[i].fallback;
  for (int i = 0; i < r->count; i++)
    r->axes[i] = (brio_axis){.name = "a", .lower = -1.2, .upper = 1.2, .velocity = 3, .acceleration = 30};
  if (strcmp(s->driver, "epos_serial") == 0) settings[0] = kind->baud;
  r->port = port_with(r->line, kind->baud, which, &r->gremlin);
  r->device = open_at(r, settings, texts);
  return r->device != NULL;
}

static void rig_end(rig *r) {
  if (r->device) r->kind->close(r->device);
  brio_emulator_close(r->line);
}

/* The position of a joint. */
static double truth(const rig *r, int i) {
  if (r->subject->board) return ((brio_joints *)brio_emulator_device(r->line))->at[i].shaft.position;
  if (strcmp(r->subject->driver, "epos_serial") == 0)
    return ((brio_drives *)brio_emulator_device(r->line))->all[i].shaft.position;
  const brio_servo_family *family = brio_servo_family_find(r->subject->driver, NULL);
  return brio_servo_angle(
      family, brio_servo_emulator_value(brio_emulator_device(r->line), i + 1, BRIO_ROLE_POSITION));
}

static bool power(rig *r, bool on) {
  const bool flags[6] = {on, on, on, on, on, on};
  return r->kind->power(r->device, flags, &r->err);
}

/* A cycle at rest or on the way to `target`.  Return the number of reports. */
static int cycle(rig *r, double target, int *wrong) {
  double targets[6], begin = brio_port_now(r->port);
  int there = 0;
  for (int i = 0; i < r->count; i++) targets[i] = target;
  brio_error why = {0};
  memset(r->states, 0, sizeof r->states);
  r->kind->write(r->device, targets, &why);
  r->kind->read(r->device, r->states, &why);
  CHECK(brio_port_now(r->port) - begin < 4, "%s, %s: a cycle of %g s", r->subject->driver,
        tricks[r->gremlin->trick].name, brio_port_now(r->port) - begin);
  for (int i = 0; i < r->count; i++) {
    if (!r->states[i].valid) continue;
    there++;
    CHECK(isfinite(r->states[i].position), "%s", r->subject->driver);
    *wrong += fabs(r->states[i].position - truth(r, i)) > 0.1;
  }
  r->port->made_up = fmax(r->port->made_up, begin + 0.02);
  return there;
}

/* All joints go to a position and rest there; wrong reports are counted while they rest. */
static void move(rig *r, double target, int *there, int *wrong) {
  int ignored = 0;
  for (int k = 0; k < 60; k++) cycle(r, target, &ignored);
  for (int k = 0; k < 60; k++) *there += cycle(r, target, wrong);
}

static void haunt(const subject *s, trick which) {
  rig r;
  int there = 0, wrong = 0;
  bool opens = rig_start(&r, s, which),
       must = tricks[which].opens && (!s->bare || which == NOTHING || which == DRIBBLE);
  CHECK(opens || !must, "%s, %s: %s", s->driver, tricks[which].name, r.err.message);
  CHECK(opens || r.err.message[0], "%s, %s: it says nothing", s->driver, tricks[which].name);
  if (!opens) { /* it comes when all is running, then */
    rig_end(&r);
    opens = rig_start(&r, s, NOTHING) && power(&r, true);
    CHECK(opens, "%s: %s", s->driver, r.err.message);
    r.gremlin->trick = which;
  }
  if (opens) {
    for (int k = 0; k < 5 && !power(&r, true); k++) continue;
    move(&r, 0.4, &there, &wrong);
    if (getenv("GREMLIN"))
      printf("#   %s, %s: %d reports, %d wrong\n", s->driver, tricks[which].name, there, wrong);
    CHECK(!s->checked || wrong <= 1, "%s, %s: %d of %d reports wrong", s->driver, tricks[which].name, wrong,
          there);
    if (must)
      CHECK(there > 30 * r.count, "%s, %s: %d reports", s->driver, tricks[which].name, there);
    r.gremlin->trick = NOTHING;
    r.gremlin->count = r.gremlin->nheld = 0;
    r.port->made_up += 2;
    for (int k = 0; k < 5 && !power(&r, true); k++) continue;
    there = wrong = 0;
    move(&r, -0.3, &there, &wrong);
    CHECK(wrong == 0 && there > 50 * r.count, "%s, after %s: %d of %d wrong", s->driver, tricks[which].name,
          wrong, there);
    for (int i = 0; i < r.count; i++)
      CHECK_NEAR(truth(&r, i), -0.3, 0.02, "%s, after %s, joint %d", s->driver, tricks[which].name, i);
  }
  rig_end(&r);
}

static void test_haunted(void) {
  for (int s = 0; s < SUBJECTS; s++)
    for (int which = NOTHING; which < NTRICK; which++) haunt(&subjects[s], (trick)which);
}

CHECK_SUITE(CHECK_TEST(test_haunted))
