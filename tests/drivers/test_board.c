/* Boards, single servos and joint streams, driver against emulator, in simulated time: they follow commands,
** errors of the line are counted and recovered from, undetected errors stay within the limits, and a device's
** complaints are reported. */
#include "board_rig.h"

static void check_life(rig *r) {
  const char *name = r->subject->name;
  double step = r->subject->step;
  CHECK(cycle(r, NULL, NULL), "%s: %s", name, r->err.message);
  for (int i = 0; i < AXES; i++)
    CHECK(!joints_of(r)->at[i].shaft.torque && away(r, i, 0) == 0, "%s: nothing moves before it is told",
          name);
  switch_all(r, true);
  CHECK(cycles(r, spread, 1.5), "%s: %s", name, r->err.message);
  for (int i = 0; i < AXES; i++) {
    CHECK(away(r, i, spread[i]) <= step, "%s: joint %d is %g away", name, i, away(r, i, spread[i]));
    CHECK(r->states[i].valid, "%s: axis %d reports", name, i);
    CHECK_NEAR(r->states[i].position, spread[i], 2 * step, "%s axis %d", name, i);
    CHECK_NEAR(r->states[i].velocity, 0, 0.05, "%s axis %d", name, i);
  }
  const double beyond[AXES] = {9, -9, NAN, NAN, NAN, NAN};
  CHECK(cycles(r, beyond, 1.5), "%s: %s", name, r->err.message);
  CHECK(away(r, 0, END) <= 0.5 && joints_of(r)->at[0].shaft.position <= END + step, "%s keeps limits: %g",
        name, joints_of(r)->at[0].shaft.position);
  CHECK(joints_of(r)->at[1].shaft.position >= -END - step, "%s keeps limits", name);
  CHECK(away(r, 2, spread[2]) <= step, "%s: what is not told stays", name);
  switch_all(r, false);
  cycles(r, NULL, 0.1);
  for (int i = 0; i < AXES; i++) CHECK(!joints_of(r)->at[i].shaft.torque, "%s: joint %d is limp", name, i);
}

static void test_life(void) { each(check_life); }

/* Targets with speeds: the joint arrives when the next target is due, at an even speed;
** it rests at the last. */
static void check_timed(rig *r) {
  double targets[AXES] = {0}, speeds[AXES], fastest = 0, last = 0;
  switch_all(r, true);
  cycles(r, targets, 0.5);
  for (int k = 1; k <= 50; k++) {
    for (int i = 0; i < AXES; i++) {
      targets[i] = 0.01 * k;
      speeds[i] = 0.01 / CYCLE;
    }
    CHECK(cycle(r, targets, speeds), "%s: %s", r->subject->name, r->err.message);
    double now = joints_of(r)->at[0].shaft.position;
    if (k > 5) fastest = fmax(fastest, now - last);
    last = now;
  }
  CHECK(fastest < 0.04, "%s: a step of %g rad in a cycle", r->subject->name, fastest);
  cycles(r, NULL, 2); /* no further targets */
  CHECK(away(r, 0, 0.5) <= r->subject->step + 1e-6, "%s rests at %g", r->subject->name,
        joints_of(r)->at[0].shaft.position);
}

static void test_timed(void) { each(check_timed); }

/* A joint that a stall left far behind its targets does not creep when these slow down. */
static void check_catches_up(rig *r) {
  double speeds[AXES];
  for (int i = 0; i < AXES; i++) speeds[i] = 0.01;
  switch_all(r, true);
  for (int k = 0; k < 100; k++)
    CHECK(cycle(r, spread, speeds), "%s: %s", r->subject->name, r->err.message);
  for (int i = 0; i < AXES; i++)
    CHECK(away(r, i, spread[i]) < 0.02, "%s: joint %d is %g behind", r->subject->name, i,
          away(r, i, spread[i]));
}

static void test_catches_up(void) {
  each(check_catches_up);
  static rig r;
  static subject ramp;
  ramp = *named("maestro");
  ramp.setting = "ramp", ramp.value = 1;
  if (rig_start(&r, &ramp)) check_catches_up(&r);
  rig_end(&r);
}

/* ---- the line ---- */

typedef struct tally {
  int reports, missing, wrong; /* of reports that should have come */
  int misled;                  /* targets that devices accepted and the host did not send */
  double was[AXES];            /* rad: targets as seen last */
  double farthest;             /* rad: a joint's greatest position */
} tally;

/* Count the results of one cycle.  `want`: the positions where all joints have been for long. */
static void count_cycle(rig *r, const double *want, tally *t) {
  for (int i = 0; i < AXES; i++) {
    const brio_emulated_joint *joint = &joints_of(r)->at[i];
    t->reports++;
    t->missing += !r->states[i].valid;
    t->wrong += r->states[i].valid && fabs(r->states[i].position - joint->shaft.position) > 0.05;
    t->misled += fabs(joint->shaft.target - want[i]) > r->subject->step + 1e-6 &&
                 fabs(joint->shaft.target - t->was[i]) > 1e-9;
    t->was[i] = joint->shaft.target;
    t->farthest = fmax(t->farthest, fabs(joint->shaft.position));
  }
}

static brio_driver_counts counts_of(rig *r) {
  brio_driver_counts counts = {0};
  r->driver->count(r->device, &counts);
  return counts;
}

/* The number of packets that the device refused. */
static uint64_t faults_of(const rig *r) {
  uint64_t sum = 0;
  for (int i = 0; i < BRIO_NWIRE_FAULT; i++) sum += brio_emulator_stream(r->line)->faults[i];
  return sum;
}

/* A minute of robot time (an hour under `make soak`) with a fault of the line: wrong values are rare, bounded
** and counted; missing ones are rare; and all is well after it. */
static void check_fault(rig *r, const char *faults, double most_missing) {
  const char *name = r->subject->name;
  char all[64];
  tally t = {0};
  double want[AXES];
  memcpy(want, spread, sizeof want);
  switch_all(r, true);
  cycles(r, want, 1);
  brio_driver_counts before = counts_of(r);
  uint64_t heard = brio_emulator_stream(r->line)->packets, refused = faults_of(r);
  snprintf(all, sizeof all, "%s", faults);
  for (char *at = strtok(all, ","); at; at = strtok(NULL, ",")) type(r, at);
  /* A sample of what make soak does. */
  double until = brio_port_now(r->port) + (check_scale() > 1 ? 60 * check_scale() : 20);
  while (brio_port_now(r->port) < until) {
    cycle(r, want, NULL);
    CHECK(r->err.code != BRIO_IO, "%s, %s: %s", name, faults, r->err.message);
    count_cycle(r, want, &t);
  }
  brio_driver_counts now = counts_of(r);
  uint64_t packets = brio_emulator_stream(r->line)->packets - heard;
  printf("#   %s, %s: of %d reports %d missing, %d wrong; of %llu packets heard %d targets wrong, at most "
         "%.2f rad; %lld refused, %lld timeouts, %lld strays\n",
         name, faults, t.reports, t.missing, t.wrong, (unsigned long long)packets, t.misled, t.farthest,
         (long long)(now.refused - before.refused), (long long)(now.timeouts - before.timeouts),
         (long long)(now.strays - before.strays));
  CHECK(t.missing < most_missing * t.reports, "%s, %s: %d of %d missing", name, faults, t.missing, t.reports);
  CHECK(t.farthest <= 2.7, "%s, %s: a joint was at %g rad", name, faults, t.farthest);
  if (r->subject->accepts < 1) {
    double damaged = (double)(now.refused - before.refused) + 8;
    CHECK(t.wrong <= 2 * r->subject->accepts * damaged + 1, "%s, %s: %d wrong of %g damaged", name, faults,
          t.wrong, damaged);
    damaged = (double)(faults_of(r) - refused) + 8;
    CHECK(t.misled <= 2 * r->subject->accepts * damaged + 1, "%s, %s: %d misled of %g damaged", name, faults,
          t.misled, damaged);
  } else CHECK(t.wrong < 0.03 * t.reports, "%s, %s: %d wrong", name, faults, t.wrong);
  type(r, "fine");
  cycles(r, NULL, 1.5);
  switch_all(r, true);
  cycles(r, want, 1.5);
  for (int i = 0; i < AXES; i++) {
    CHECK(r->states[i].valid && fabs(r->states[i].position - want[i]) <= 2 * r->subject->step,
          "%s recovers from %s: axis %d at %g", name, faults, i, r->states[i].position);
    CHECK(away(r, i, want[i]) <= r->subject->step, "%s recovers from %s", name, faults);
  }
}

static void check_faults(rig *r) {
  bool long_messages = !r->subject->board; /* 1 % of bytes are most of them */
  check_fault(r, long_messages ? "errors 0.1%,loss 2%" : "errors 1%,loss 2%", 0.5);
  if (long_messages) check_fault(r, "errors 1%,loss 2%", 1.1);
  check_fault(r, "burst 5%", 0.15);
  check_fault(r, "late 2%", 0.25);
  check_fault(r, "twice 5%", 0.15);
  check_fault(r, "cut 5%", 0.25);
  check_fault(r, "latency 5ms,jitter 5ms", 0.15);
}

static void test_faults(void) { each(check_faults); }

static void check_wrong_baud(rig *r) {
  if (!r->subject->board) return; /* UDP has none */
  r->driver->close(r->device);
  r->device = NULL;
  CHECK(!open_device(r, 57600), "%s answers at another rate", r->subject->name);
  CHECK_HAS(r->err.message, "did not answer");
  CHECK_HAS(r->err.message, "`brio scan`");
  r->err = (brio_error){0};
  CHECK(open_device(r, brio_emulator_kind_of(r->line)->baud), "%s: %s", r->subject->name, r->err.message);
}

static void test_wrong_baud(void) { each(check_wrong_baud); }

/* A cable pulled within a packet: the device is lost at once, and the same driver finds it again. */
static void check_unplugging(rig *r) {
  const char *name = r->subject->name;
  uint8_t piece[] = {0x55, 0x55, 0x01};
  switch_all(r, true);
  cycles(r, spread, 1);
  brio_port_write(r->port, piece, sizeof piece, NULL);
  type(r, "unplug");
  CHECK(!cycle(r, spread, NULL), "%s: nothing is there", name);
  CHECK(r->err.code == BRIO_IO, "%s: %d %s", name, r->err.code, r->err.message);
  type(r, "plug");
  CHECK(cycles(r, spread, 1) || r->err.code != BRIO_IO, "%s: %s", name, r->err.message);
  CHECK(r->states[0].valid && fabs(r->states[0].position - spread[0]) <= 2 * r->subject->step, "%s is back",
        name);
}

static void test_unplugging(void) { each(check_unplugging); }

static void check_busy(rig *r) {
  switch_all(r, true);
  cycles(r, spread, 1);
  type(r, "busy 1");
  CHECK(!cycle(r, spread, NULL), "%s: nothing gets through", r->subject->name);
  CHECK_HAS(r->err.message, "held busy");
  CHECK(r->err.code == BRIO_DEVICE, "%s: %d", r->subject->name, r->err.code);
  type(r, "busy 0");
  cycles(r, spread, 1.5);
  CHECK(cycle(r, spread, NULL), "%s: %s", r->subject->name, r->err.message);
  CHECK(r->states[1].valid, "%s is back", r->subject->name);
}

static void test_busy(void) { each(check_busy); }

/* Noise of every kind in place of a device: only failures and plausible reports, and the device is found
** again after it. */
static brio_random noise;

static int read_noise(brio_port *port, uint8_t *out, int room, double timeout, brio_error *err) {
  static const uint8_t marks[] = {0x55, 0x55, 0x01, 0x05, 0x1C, 0xFE, 0xFE, 0x0E, 0x20, 0xFA, '$', 'R', ' ',
                                  '1', '*', '\n', '{', '"', ':', '}', ',', '[', 0x00, 0xFF};
  int count = (int)brio_random_below(&noise, 40);
  (void)err;
  port->made_up += timeout > 0 ? timeout / 3 + 1e-4 : 0;
  if (timeout <= 0 && brio_random_below(&noise, 2)) return 0;
  for (int i = 0; i < count && i < room; i++)
    out[i] = brio_random_below(&noise, 3) ? marks[brio_random_below(&noise, sizeof marks)]
                                          : (uint8_t)brio_random_bits(&noise);
  return count < room ? count : room;
}

static bool write_nothing(brio_port *port, const uint8_t *bytes, int count, brio_error *err) {
  (void)port, (void)bytes, (void)count, (void)err;
  return true;
}

static void check_noise(rig *r) {
  const brio_port_kind *kind = r->port->kind;
  brio_port_kind noisy = *kind;
  noisy.read = read_noise;
  noisy.write = write_nothing;
  noise = brio_random_stream(3, r->subject->name);
  switch_all(r, true);
  cycles(r, spread, 1);
  r->port->kind = &noisy;
  for (int k = 0; k < (int)(check_scale() > 1 ? 1500 * check_scale() : 500); k++) {
    cycle(r, spread, NULL);
    for (int i = 0; i < AXES; i++)
      CHECK(!r->states[i].valid || (isfinite(r->states[i].position) && fabs(r->states[i].position) <= 100),
            "%s: axis %d at %g", r->subject->name, i, r->states[i].position);
  }
  bool off[AXES] = {false}, on[AXES] = {true, true, true, true, true, true};
  r->driver->power(r->device, off, NULL);
  r->driver->power(r->device, on, NULL);
  r->port->kind = kind;
  cycles(r, NULL, 1);
  switch_all(r, true);
  cycles(r, spread, 2);
  for (int i = 0; i < AXES; i++)
    CHECK(r->states[i].valid && fabs(r->states[i].position - spread[i]) <= 2 * r->subject->step,
          "%s axis %d", r->subject->name, i);
}

static void test_noise(void) { each(check_noise); }

/* ---- devices ---- */

static void check_silence(rig *r) {
  bool failed = false;
  for (int i = 0; i < joints_of(r)->count; i++) joints_of(r)->at[i].silent = true;
  if (r->subject->board && r->subject->board->at_once) return; /* a board answers while its joints do not */
  for (int k = 0; k < 300 && !failed; k++) failed = !cycle(r, NULL, NULL);
  CHECK(failed, "%s: a device that says nothing has failed", r->subject->name);
}

static void test_silence(void) {
  for (int i = 0; i < SUBJECTS; i++) {
    static rig r;
    if (i != SUBJECTS - 1 && rig_start(&r, &subjects[i])) check_silence(&r);
    if (i != SUBJECTS - 1) rig_end(&r);
  }
}

/* Two devices with one id answer at once: neither is mistaken for the other. */
static void check_twins(rig *r) {
  int wrong = 0;
  switch_all(r, true);
  cycles(r, spread, 1);
  type(r, r->subject->driver == &brio_driver_lx16a || r->subject->driver == &brio_driver_mycobot
              ? "twin 1" : "twin 0");
  for (int k = 0; k < 100; k++) {
    cycle(r, spread, NULL);
    for (int i = 0; i < AXES; i++)
      wrong += r->states[i].valid && fabs(r->states[i].position - spread[i]) > 0.6;
  }
  CHECK(wrong == 0, "%s: %d reports of nobody", r->subject->name, wrong);
}

static void test_twins(void) {
  for (int i = 0; i < SUBJECTS; i++) {
    static rig r;
    /* one device behind a port; lines from two are no line */
    if (!subjects[i].board || strcmp(subjects[i].name, "line") == 0) continue;
    if (rig_start(&r, &subjects[i])) check_twins(&r);
    rig_end(&r);
  }
}

/* After a loss of power everything is limp, which is reported; it works again once it is switched on. */
static void check_power(rig *r) {
  brio_error said = {0};
  const char *name = r->subject->name;
  switch_all(r, true);
  cycles(r, spread, 1);
  type(r, "power");
  for (int i = 0; i < AXES; i++) CHECK(!joints_of(r)->at[i].shaft.torque, "%s is limp", name);
  for (int k = 0; k < 60 * 25; k++) {
    cycle(r, NULL, NULL);
    if (r->err.code && !said.code) said = r->err;
  }
  bool tells = r->driver == &brio_driver_lx16a || r->driver == &brio_driver_line ||
               r->driver == &brio_driver_json;
  CHECK(!tells || said.code == BRIO_DEVICE, "%s says so: %s", name, said.message);
  switch_all(r, true);
  cycles(r, spread, 1);
  for (int i = 0; i < AXES; i++)
    CHECK(joints_of(r)->at[i].shaft.torque && away(r, i, spread[i]) <= r->subject->step, "%s is back", name);
}

static void test_power(void) { each(check_power); }

static void expect(rig *r, const char *typed, const char *said) {
  brio_error found = {0};
  switch_all(r, true);
  cycles(r, spread, 1);
  type(r, typed);
  for (int k = 0; k < 60 * 25 && !found.code; k++)
    if (!cycle(r, spread, NULL)) found = r->err;
  CHECK(strstr(found.message, said) != NULL, "%s, %s: '%s', not '%s'", r->subject->name, typed,
        found.message, said);
  bool again = false;
  for (int k = 0; k < 60 && !again; k++)
    again = !cycle(r, spread, NULL) && strcmp(r->err.message, found.message) == 0;
  CHECK(!again, "%s says it once", r->subject->name);
}

static void test_complaints(void) {
  static const struct {
    const char *subject, *typed, *said;
  } rows[] = {
      {"lx16a", "heat 2 95", "servo 2 reports: hotter than the limit"},
      {"lx16a", "volts 3", "a voltage beyond the limits"},
      {"lx16a", "refuse 3", "servo 3 reports: it has lost its torque"},
      {"maestro", "error 0 0x20", "a serial timeout"},
      {"maestro crc", "error 0 8", "a wrong CRC"},
      {"mycobot", "error 4 4", "joint 4 reports: too hot"},
      {"line", "power", "it has restarted"},
      {"json", "error 1 7", "joint 'a' reports: error 7"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static rig r;
    if (rig_start(&r, named(rows[i].subject))) expect(&r, rows[i].typed, rows[i].said);
    rig_end(&r);
  }
}

/* Temperature and voltage are known after a while; refused torque is a failure of arming. */
static void test_health(void) {
  static const char *const names[] = {"lx16a", "mycobot"};
  for (int i = 0; i < 2; i++) {
    static rig r;
    bool on[AXES] = {true, true, true, true, true, true};
    if (!rig_start(&r, named(names[i]))) continue;
    cycles(&r, NULL, 10);
    CHECK(r.states[3].knows == (BRIO_KNOWS_TEMPERATURE | BRIO_KNOWS_VOLTAGE), "%s: %u", names[i],
          r.states[3].knows);
    CHECK(r.states[3].temperature >= 30 && r.states[3].temperature < 40, "%g", r.states[3].temperature);
    CHECK(r.states[3].voltage > 7 && r.states[3].voltage < 8, "%g", r.states[3].voltage);
    type(&r, "refuse 2");
    CHECK(!r.driver->power(r.device, on, &r.err), "%s has torque", names[i]);
    CHECK_HAS(r.err.message, "take torque");
    rig_end(&r);
  }
}

/* ---- what is set in the device ---- */

/* Limits set in the device hold even for corrupted commands. */
static void test_limits(void) {
  static const char *const names[] = {"lx16a", "line", "mycobot"};
  static const struct {
    const char *hex;
    int length;
  } strange[] = {{"\x55\x55\x01\x07\x01\xE8\x03\x00\x00\x0B", 10}, {"$P 0 2400*66\n", 13},
                 {"\xFE\xFE\x06\x21\x01\x27\x10\x50\xFA", 9}};
  for (int i = 0; i < 3; i++) {
    static rig r;
    if (!rig_start(&r, named(names[i]))) continue;
    r.config.limits = true;
    CHECK(r.driver->configure(r.device, &r.config, &r.err), "%s: %s", names[i], r.err.message);
    switch_all(&r, true);
    cycles(&r, spread, 1);
    brio_port_write(r.port, (const uint8_t *)strange[i].hex, strange[i].length, NULL);
    for (int k = 0; k < 100; k++) cycle(&r, NULL, NULL);
    CHECK(joints_of(&r)->at[0].shaft.position < END + 0.005, "%s moved to %g", names[i],
          joints_of(&r)->at[0].shaft.position);
    rig_end(&r);
  }
}

/* A watchdog in the device: when the host falls silent, no motor keeps moving. */
static void test_watchdog(void) {
  static const char *const names[] = {"line", "json"};
  for (int i = 0; i < 2; i++) {
    static rig r;
    double targets[AXES], speeds[AXES];
    if (!rig_start(&r, named(names[i]))) continue;
    r.config.watchdog = 0.2;
    CHECK(r.driver->configure(r.device, &r.config, &r.err), "%s: %s", names[i], r.err.message);
    switch_all(&r, true);
    for (int k = 0; k < AXES; k++) targets[k] = speeds[k] = 0;
    cycles(&r, targets, 0.5);
    for (int k = 0; k < AXES; k++) targets[k] = 1, speeds[k] = 0.5;
    cycle(&r, targets, speeds);
    uint8_t none[8];
    brio_emulator_take(r.line, brio_port_now(r.port) + 5, none, 0);
    const brio_shaft *shaft = &joints_of(&r)->at[0].shaft;
    CHECK(shaft->position < 0.25 && fabs(shaft->velocity) < 1e-3, "%s went on to %g", names[i],
          shaft->position);
    rig_end(&r);
  }
}

static void test_inputs(void) {
  static rig r;
  static const brio_driver_input inputs[] = {{"button", "A2", 1}, {"knob", "0", 1}},
                                 wrong[] = {{"far", "9", 1}};
  brio_input_state states[2];
  if (!rig_start(&r, named("line"))) return;
  r.config.inputs = wrong;
  r.config.ninput = 1;
  CHECK(!r.driver->configure(r.device, &r.config, &r.err), "there is no input 9");
  CHECK_HAS(r.err.message, "4 inputs are A0 to A3");
  r.config.inputs = inputs;
  r.config.ninput = 2;
  CHECK(r.driver->configure(r.device, &r.config, &r.err), "%s", r.err.message);
  type(&r, "analog 2 1023");
  type(&r, "analog 0 341");
  CHECK(r.driver->sense(r.device, states, &r.err), "%s", r.err.message);
  CHECK_NEAR(states[0].values[0], 1, 1e-9, "button");
  CHECK_NEAR(states[1].values[0], 1.0 / 3, 1e-3, "knob");
  rig_end(&r);
}

/* Servos that turn like wheels stop when the device is closed. */
static void test_wheels(void) {
  static rig r;
  const double half[AXES] = {0.5, -0.5, 0.2, NAN, NAN, NAN};
  const brio_emulator_kind *kind = brio_emulator_find("lx16a", NULL);
  brio_emulator_options options = {.servos = 6, .first_id = 1};
  r = (rig){.subject = named("lx16a"), .driver = &brio_driver_lx16a};
  r.line = brio_emulator_open(kind, &options, &r.err);
  fill_settings(&r);
  r.texts[BRIO_BOARD_OWN_TEXT] = "1,2";
  CHECK(open_device(&r, kind->baud), "%s", r.err.message);
  switch_all(&r, true);
  cycles(&r, half, 4);
  CHECK(joints_of(&r)->at[0].shaft.position > 8, "turned by %g", joints_of(&r)->at[0].shaft.position);
  CHECK(joints_of(&r)->at[1].shaft.position < -8, "turned by %g", joints_of(&r)->at[1].shaft.position);
  CHECK(away(&r, 2, 0.2) < 0.005, "a servo is a servo");
  r.driver->close(r.device);
  r.device = NULL;
  uint8_t none[8];
  brio_emulator_take(r.line, brio_emulator_now(r.line) + 1, none, 0);
  CHECK(fabs(joints_of(&r)->at[0].shaft.velocity) < 1e-3, "it stops");
  rig_end(&r);
}

CHECK_SUITE(CHECK_TEST(test_life), CHECK_TEST(test_timed), CHECK_TEST(test_catches_up),
            CHECK_TEST(test_faults),
            CHECK_TEST(test_wrong_baud), CHECK_TEST(test_unplugging), CHECK_TEST(test_busy),
            CHECK_TEST(test_noise), CHECK_TEST(test_silence), CHECK_TEST(test_twins), CHECK_TEST(test_power),
            CHECK_TEST(test_complaints), CHECK_TEST(test_health), CHECK_TEST(test_limits),
            CHECK_TEST(test_watchdog), CHECK_TEST(test_inputs), CHECK_TEST(test_wheels))
