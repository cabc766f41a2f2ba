/* The driver of bus servos against emulated ones, in simulated time: its messages at opening, motion, and its
** reaction to every failure of a servo. */
#include "tests/drivers/servo_rig.h"

/* ---- moving ---- */

static void test_moves(void) {
  for (int k = 0; k < NKIND; k++) {
    rig r;
    char words[512] = "";
    if (rig_start(&r, kinds[k], 5) && ready(&r)) {
      cycles(&r, 0.7, 3, 2);
      for (int i = 0; i < 5; i++) {
        CHECK(r.states[i].valid, "%s servo %d", kinds[k], i);
        CHECK_NEAR(r.states[i].position, 0.7, 0.006, "%s servo %d", kinds[k], i);
      }
      cycles(&r, 0.7, 3, 2); /* the status of each was queried */
      CHECK(r.states[4].knows & BRIO_KNOWS_VOLTAGE && r.states[4].voltage > 4, "%s: %g V", kinds[k],
            r.states[4].voltage);
      CHECK(r.states[4].knows & BRIO_KNOWS_TEMPERATURE && r.states[4].temperature > 20, "%s", kinds[k]);
      brio_servo_driver_describe(r.device, words, sizeof words);
      CHECK_HAS(words, "ids 1 to 5: ");
      CHECK(power(&r, false), "%s", r.err.message);
      CHECK(value(&r, 3, BRIO_ROLE_TORQUE) == 0, "%s", kinds[k]);
      cycles(&r, 0, 3, 0.5);
      CHECK_NEAR(r.states[2].position, 0.7, 0.006, "%s was told nothing", kinds[k]);
    }
    rig_end(&r);
  }
}

/* Lead all axes at an even speed for `seconds`. */
static void lead(rig *r, double speed, double seconds) {
  double begun = brio_port_now(r->port), from = r->states[0].position, now;
  while ((now = brio_port_now(r->port)) < begun + seconds) {
    int well = cycles(r, from + speed * (now - begun), speed, 1e-3);
    CHECK(well > 0, "%s", r->err.message);
    if (well == 0) return;
  }
}

/* A goal comes with a speed; when the host falls silent, a servo goes to its goal and rests. */
static void test_speeds(void) {
  for (int k = 0; k < NKIND; k++) {
    rig r;
    if (rig_start(&r, kinds[k], 1) && ready(&r)) {
      double unit = r.family->speed;
      lead(&r, 1, 0.5);
      CHECK_NEAR(value(&r, 1, BRIO_ROLE_SPEED) * unit, 1.2, 1.5 * unit, "%s: a fifth ahead", kinds[k]);
      CHECK_NEAR(r.states[0].velocity, 1, 0.25, "%s", kinds[k]);
      cycles(&r, r.states[0].position, 0, 0.02);
      CHECK(value(&r, 1, BRIO_ROLE_SPEED) >= 1, "%s: 0 would be as fast as it may", kinds[k]);
      cycles(&r, 1, 100, 0.02);
      CHECK_NEAR(value(&r, 1, BRIO_ROLE_SPEED) * unit, 3.6, 1.5 * unit, "%s: no faster than its axis",
                 kinds[k]);
      configure(&r, 0); /* no watchdog: nothing but the last frame */
      cycles(&r, -1, 2, 0.05);
      wait(&r, 5);
      CHECK(value(&r, 1, BRIO_ROLE_VELOCITY) == 0, "%s runs on", kinds[k]);
      CHECK(abs(value(&r, 1, BRIO_ROLE_POSITION) - brio_servo_position(r.family, -1)) <= 1, "%s", kinds[k]);
      rig_close(&r);
      set(&r, "timed", 0);
      if (ready(&r)) cycles(&r, 1, 0.2, 2);
      CHECK_NEAR(r.states[0].position, 1, 0.006, "%s: as fast as it may", kinds[k]);
    }
    rig_end(&r);
  }
}

/* A servo that a stall left far behind its goals does not creep when these slow down. */
static void test_catches_up(void) {
  for (int k = 0; k < NKIND; k++) {
    rig r;
    if (rig_start(&r, kinds[k], 2) && ready(&r)) {
      cycles(&r, 1, 0.05, 1.5);
      CHECK_NEAR(r.states[1].position, 1, 0.02, "%s: it is behind", kinds[k]);
    }
    rig_end(&r);
  }
}

/* ---- models ---- */

/* Different models on one bus: each in its own registers and units. */
static void test_models(void) {
  static const struct {
    const char *kind, *models[5];
    bool current[5];
  } buses[] = {
      {"dynamixel", {"XM430-W350", "XL430-W250", "XL-320", "PH54-200-S500", "MX-64 (2.0)"}, {1, 0, 0, 1, 1}},
      {"dynamixel1", {"AX-12A", "MX-28", "MX-12W", "EX-106+", "RX-64"}, {0}}};
  for (int k = 0; k < 2; k++) {
    rig r;
    if (!rig_start(&r, buses[k].kind, 5)) return;
    for (int i = 0; i < 5; i++) {
      char text[64];
      snprintf(text, sizeof text, "model %d %s", i + 1, buses[k].models[i]);
      if (strchr(buses[k].models[i], '(')) continue; /* a word with a space cannot be typed */
      type(&r, text);
    }
    if (ready(&r)) {
      cycles(&r, 0.6, 2, 3);
      cycles(&r, 0.6, 2, 3);
      for (int i = 0; i < 5; i++) {
        CHECK_NEAR(r.states[i].position, 0.6, 0.006, "%s", buses[k].models[i]);
        CHECK((r.states[i].knows & BRIO_KNOWS_VOLTAGE) != 0, "%s", buses[k].models[i]);
      }
      if (k == 0)
        CHECK(r.states[0].knows & BRIO_KNOWS_CURRENT && !(r.states[0].knows & BRIO_KNOWS_LOAD), "XM430");
      if (k == 0)
        CHECK(r.states[1].knows & BRIO_KNOWS_LOAD && !(r.states[1].knows & BRIO_KNOWS_CURRENT), "XL430");
    }
    rig_end(&r);
  }
}

/* A reversed servo and one with a homing offset: commands and reports are in the servo's own units. */
static void test_drive_modes(void) {
  rig r;
  if (!rig_start(&r, "dynamixel", 3)) return;
  brio_servo_bus bus;
  brio_port *port = bus_start(&r, &bus);
  CHECK(brio_servo_bus_set(&bus, 1, BRIO_ROLE_DRIVE_MODE, 1, &r.err), "%s", r.err.message);
  CHECK(brio_servo_bus_set(&bus, 2, BRIO_ROLE_HOMING, 500, &r.err), "%s", r.err.message);
  CHECK(brio_servo_bus_set(&bus, 3, BRIO_ROLE_MODE, 4, &r.err), "many turns: %s", r.err.message);
  brio_port_close(port);
  r.axes[2].upper = 10;
  if (ready(&r)) {
    brio_text out = {0};
    cycles(&r, 0.5, 2, 2);
    CHECK_NEAR(r.states[0].position, 0.5, 0.003, "reversed");
    CHECK_NEAR(r.states[1].position, 0.5, 0.003, "homed");
    cycles(&r, 9, 3, 4);
    CHECK_NEAR(r.states[2].position, 9, 0.003, "beyond a turn");
    brio_emulator_command(r.line, "status", &out, NULL);
    CHECK_HAS(out.bytes, "servo 1: at -114.6"); /* its shaft went the other way, as far as its axis may */
    brio_text_end(&out);
  }
  rig_end(&r);
}

static void test_refused_modes(void) {
  static const struct {
    const char *kind;
    brio_servo_role role;
    int32_t mode;
    const char *words;
  } rows[] = {{"dynamixel", BRIO_ROLE_MODE, 1, "set its Operating Mode to 3"},
              {"sts", BRIO_ROLE_MODE, 1, "set its Operating Mode to 0"},
              {"dynamixel1", BRIO_ROLE_UPPER, 0, "is set as a wheel"}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    rig r;
    brio_servo_bus bus;
    if (!rig_start(&r, rows[k].kind, 2)) return;
    brio_port *port = bus_start(&r, &bus);
    CHECK(brio_servo_bus_set(&bus, 2, rows[k].role, rows[k].mode, &r.err), "%s", r.err.message);
    brio_port_close(port);
    CHECK(!rig_open(&r), "%s opens", rows[k].kind);
    CHECK_HAS(r.err.message, rows[k].words);
    CHECK_HAS(r.err.message, "servo 2");
    rig_end(&r);
  }
}

/* ---- setting up ---- */

static void test_setting_up(void) {
  for (int k = 0; k < NKIND; k++) {
    rig r;
    brio_gains gains[2] = {{25, 3, 7, NAN, NAN}, {NAN, NAN, NAN, NAN, NAN}};
    bool has_gains = strcmp(kinds[k], "dynamixel1") != 0;
    if (!rig_start(&r, kinds[k], 2)) return;
    brio_driver_config config = {.gains = has_gains ? gains : NULL, .limits = true, .axes = r.axes};
    CHECK(rig_open(&r) && brio_servo_driver_configure(r.device, &config, &r.err), "%s: %s", kinds[k],
          r.err.message);
    if (has_gains)
      CHECK(value(&r, 1, BRIO_ROLE_GAIN_P) == 25 && value(&r, 1, BRIO_ROLE_GAIN_D) == 7, "%s", kinds[k]);
    CHECK(value(&r, 2, BRIO_ROLE_LOWER) == brio_servo_position(r.family, -2), "%s: %d", kinds[k],
          value(&r, 2, BRIO_ROLE_LOWER));
    gains[1].velocity = 1e6;
    config.gains = gains;
    CHECK(!brio_servo_driver_configure(r.device, &config, &r.err) && r.err.code == BRIO_MISUSE,
          "%s: a gain beyond", kinds[k]);
    brio_driver_input input = {"button", "1", 1};
    config = (brio_driver_config){.axes = r.axes, .inputs = &input, .ninput = 1};
    CHECK(!brio_servo_driver_configure(r.device, &config, &r.err), "%s: an input", kinds[k]);
    CHECK_HAS(r.err.message, "'button'");
    rig_end(&r);
  }
}

static void test_opening_says(void) {
  rig r;
  if (!rig_start(&r, "dynamixel", 3)) return;
  set(&r, "baud", 57600);
  CHECK(!rig_open(&r), "at another rate");
  CHECK_HAS(r.err.message, "id 1 does at 1000000: set baud = 1000000");
  set(&r, "baud", 1000000);
  set(&r, "first_id", 2);
  CHECK(!rig_open(&r), "there is no servo 4");
  CHECK_HAS(r.err.message, "1 of 3 servos");
  CHECK_HAS(r.err.message, "id 4");
  set(&r, "first_id", 1);
  type(&r, "twin 2");
  CHECK(!rig_open(&r), "two with one id");
  CHECK_HAS(r.err.message, "servo 2 answers, but its reports are garbled: two servos with this id");
  type(&r, "twin 2");
  type(&r, "unplug");
  CHECK(!rig_open(&r) && r.err.code == BRIO_IO, "unplugged: %s", r.err.message);
  type(&r, "plug");
  CHECK(rig_open(&r), "%s", r.err.message);
  rig_end(&r);
}

/* ---- servos that fail ---- */

/* Torque starts at a servo's position, wherever a person has turned it meanwhile. */
static void test_no_jump(void) {
  for (int k = 0; k < NKIND; k++) {
    rig r;
    if (rig_start(&r, kinds[k], 2) && ready(&r)) {
      double most = 0;
      cycles(&r, 0.2, 2, 1);
      CHECK(power(&r, false), "%s", r.err.message);
      type(&r, "turn 1 80");
      type(&r, "turn 2 -40");
      CHECK(power(&r, true), "%s: %s", kinds[k], r.err.message);
      for (int n = 0; n < 50; n++) {
        brio_servo_driver_read(r.device, r.states, &r.err);
        most = fmax(most, fmax(fabs(r.states[0].position - 1.396), fabs(r.states[1].position + 0.698)));
        wait(&r, 0.01);
      }
      CHECK(most < 0.01, "%s moved by %g rad as torque came", kinds[k], most);
    }
    rig_end(&r);
  }
}

static void test_overload(void) {
  for (int k = 0; k < NKIND; k++) {
    rig r;
    if (rig_start(&r, kinds[k], 3) && ready(&r)) {
      cycles(&r, 0.3, 2, 1);
      type(&r, "error 2 0x20");
      r.err = (brio_error){0};
      int well = cycles(&r, 0.6, 2, 2);
      CHECK_HAS(r.err.message, "servo 2");
      CHECK_HAS(r.err.message, "overload");
      CHECK(well > 20, "%s: the others go on", kinds[k]);
      CHECK_NEAR(r.states[0].position, 0.6, 0.006, "%s", kinds[k]);
      CHECK_NEAR(r.states[1].position, 0.3, 0.006, "%s: limp, and told nothing", kinds[k]);
      CHECK(value(&r, 2, BRIO_ROLE_TORQUE) == 0, "%s", kinds[k]);
      CHECK(power(&r, false), "%s: %s", kinds[k], r.err.message); /* it is rebooted */
      if (strcmp(kinds[k], "dynamixel1") == 0) type(&r, "error 2 0");
      cycles(&r, 0.6, 2, 1);
      CHECK(power(&r, true), "%s: %s", kinds[k], r.err.message);
      cycles(&r, 0.5, 2, 2);
      CHECK_NEAR(r.states[1].position, 0.5, 0.006, "%s: it moves again", kinds[k]);
    }
    rig_end(&r);
  }
}

static void test_refused_torque(void) {
  for (int k = 0; k < NKIND; k++) {
    rig r;
    if (!rig_start(&r, kinds[k], 3)) return;
    type(&r, "refuse 2");
    CHECK(rig_open(&r) && configure(&r, 0.5), "%s", r.err.message);
    CHECK(!power(&r, true), "%s: servo 2 has torque", kinds[k]);
    CHECK_HAS(r.err.message, "servo 2");
    CHECK_HAS(r.err.message, "refuse");
    cycles(&r, 0.4, 2, 1);
    CHECK_NEAR(r.states[2].position, 0.4, 0.006, "%s: the others go on", kinds[k]);
    CHECK_NEAR(r.states[1].position, 0, 0.006, "%s", kinds[k]);
    type(&r, "refuse 2");
    CHECK(power(&r, true), "%s: asked again: %s", kinds[k], r.err.message);
    cycles(&r, 0.4, 2, 1);
    CHECK_NEAR(r.states[1].position, 0.4, 0.006, "%s", kinds[k]);
    rig_end(&r);
  }
}

/* Power lost, with and without all error bits: the device fails, is opened again and goes
** on from where it is. */
static void test_power_loss(void) {
  static const char *const losses[] = {"brownout", "power"};
  for (int k = 0; k < NKIND; k++)
    for (int n = 0; n < 2; n++) {
      rig r;
      if (!rig_start(&r, kinds[k], 3)) return;
      set(&r, "health", 0.1);
      if (ready(&r)) {
        cycles(&r, 0.5, 2, 1);
        type(&r, losses[n]);
        type(&r, "turn 1 40"); /* it sinks */
        cycles(&r, 0.5, 2, 0.5);
        CHECK(!brio_servo_driver_read(r.device, r.states, &r.err), "%s, %s: it goes on", kinds[k], losses[n]);
        CHECK_HAS(r.err.message, "was without power");
        CHECK(!r.states[0].valid || n >= 0, "%s", kinds[k]);
        rig_close(&r);
        if (n == 1 && strcmp(kinds[k], "dynamixel1") == 0)
          type(&r, "error 1 0"), type(&r, "error 2 0"), type(&r, "error 3 0");
        if (ready(&r)) {
          brio_servo_driver_read(r.device, r.states, &r.err);
          CHECK_NEAR(r.states[0].position, 0.698, 0.01, "%s, %s: no jump", kinds[k], losses[n]);
          cycles(&r, 0.1, 2, 2);
          CHECK_NEAR(r.states[0].position, 0.1, 0.006, "%s, %s: it moves again", kinds[k], losses[n]);
        }
      }
      rig_end(&r);
    }
}

/* A servo that stops answering is named, and costs the others little time. */
static void test_silent_servo(void) {
  for (int k = 0; k < NKIND; k++) {
    rig r;
    if (rig_start(&r, kinds[k], 4) && ready(&r)) {
      int before = cycles(&r, 0.1, 1, 2);
      type(&r, "silence 3");
      r.err = (brio_error){0};
      cycles(&r, 0.1, 1, 1);
      CHECK_HAS(r.err.message, "servo 3 does not answer any more");
      int after = cycles(&r, 0.2, 1, 2);
      CHECK(after > before / 3, "%s: %d cycles, %d before", kinds[k], after, before);
      CHECK(!r.states[2].valid && r.states[3].valid, "%s", kinds[k]);
      type(&r, "silence 3");
      cycles(&r, 0.2, 1, 1);
      CHECK(r.states[2].valid, "%s: it is back", kinds[k]);
      type(&r, "silence 1"), type(&r, "silence 2"), type(&r, "silence 3"), type(&r, "silence 4");
      cycles(&r, 0.2, 1, 20);
      CHECK_HAS(r.err.message, "answers any more");
    }
    rig_end(&r);
  }
}

/* A line that loses packets, as one whose machine stalls does, delays opening; it is no failure. */
static void test_opens_late(void) {
  for (int k = 0; k < NKIND; k++) {
    rig r;
    if (!rig_start(&r, kinds[k], 18)) return;
    type(&r, "loss 10%");
    CHECK(rig_open(&r), "%s: %s", kinds[k], r.err.message);
    rig_end(&r);
  }
}

/* Servos that answer only reads move like others; for one that answers only pings, the driver reports that it
** must be set up. */
static void test_quiet(void) {
  for (int k = 0; k < NKIND; k++) {
    rig r;
    if (!rig_start(&r, kinds[k], 3)) return;
    const brio_register *level = brio_servo_role_register(r.family, BRIO_ROLE_STATUS_LEVEL);
    brio_servo_bus bus;
    brio_port *port = bus_start(&r, &bus);
    for (int id = 1; id <= 3; id++)
      CHECK(brio_servo_bus_configure(&bus, id, level, level->upper - 1, &r.err), "%s: %s", kinds[k],
            r.err.message);
    if (ready(&r)) {
      cycles(&r, 0.5, 3, 1.5);
      for (int i = 0; i < 3; i++) CHECK_NEAR(r.states[i].position, 0.5, 0.02, "%s", kinds[k]);
    }
    rig_close(&r);
    if (level->upper > 1) {
      brio_servo_bus_configure(&bus, 2, level, 0, NULL);
      CHECK(!rig_open(&r), "%s", kinds[k]);
      CHECK_HAS(r.err.message, "servo 2 answers pings, but does not report its position");
    }
    brio_port_close(port);
    rig_end(&r);
  }
}

/* Two servos get the same id in a run: that id has no valid reports, the others do. */
static void test_twins(void) {
  for (int k = 0; k < NKIND; k++) {
    rig r;
    if (rig_start(&r, kinds[k], 3) && ready(&r)) {
      cycles(&r, 0.2, 2, 1);
      type(&r, "twin 2");
      r.err = (brio_error){0};
      cycles(&r, 0.2, 2, 1);
      CHECK_HAS(r.err.message, "servo 2 does not answer any more");
      CHECK(r.states[0].valid && !r.states[1].valid && r.states[2].valid, "%s", kinds[k]);
    }
    rig_end(&r);
  }
}

/* Faults of the line: no wrong value is accepted, and all is well after them. */
static void test_line(void) {
  static const char *const faults[] = {"echo on",    "twice 30%", "late 10%",
                                       "jitter 8ms", "cut 10%",   "loss 10%"};
  for (int k = 0; k < NKIND; k++)
    for (size_t n = 0; n < sizeof faults / sizeof *faults; n++) {
      rig r;
      if (rig_start(&r, kinds[k], 3) && ready(&r)) {
        brio_driver_counts counts;
        int wrong = 0;
        type(&r, faults[n]);
        for (int c = 0; c < 200; c++) {
          cycles(&r, 0, 1, 0.001);
          for (int i = 0; i < 3; i++)
            wrong += r.states[i].valid && fabs(r.states[i].position) > 0.006;
        }
        CHECK(wrong == 0, "%s, %s: %d wrong reports", kinds[k], faults[n], wrong);
        brio_servo_driver_count(r.device, &counts);
        if (n > 1 && n != 3)
          CHECK(counts.timeouts + counts.strays + counts.refused > 0, "%s, %s: nothing counted", kinds[k],
                faults[n]);
        type(&r, "fine");
        wait(&r, 0.2);
        cycles(&r, 0.3, 3, 1);
        CHECK(cycles(&r, 0.3, 3, 0.2) > 5, "%s after %s: %s", kinds[k], faults[n], r.err.message);
        CHECK_NEAR(r.states[2].position, 0.3, 0.006, "%s after %s", kinds[k], faults[n]);
      }
      rig_end(&r);
    }
}

/* The host hears itself: no absent servo is found, though a ping looks like an answer. */
static void test_echo_scan(void) {
  for (int k = 0; k < NKIND; k++) {
    rig r;
    brio_servo_bus bus;
    brio_servo_found found[8];
    if (!rig_start(&r, kinds[k], 2)) return;
    brio_port *port = bus_start(&r, &bus);
    type(&r, "echo on");
    type(&r, "error 2 0x01"); /* an answer in the very bytes of the ping, by Protocol 1.0 */
    CHECK(brio_servo_bus_scan(&bus, 0, 6, found, 8, &r.err) == 2, "%s", kinds[k]);
    CHECK(found[0].id == 1 && found[1].id == 2 && !found[0].garbled, "%s", kinds[k]);
    type(&r, "twin 1");
    CHECK(brio_servo_bus_scan(&bus, 0, 6, found, 8, &r.err) == 2 && found[0].garbled && !found[1].garbled,
          "%s", kinds[k]);
    brio_port_close(port);
    rig_end(&r);
  }
}

/* The line is held: this is reported, and ends when the line is released; unplugged within a packet, back on
** the same emulator. */
static void test_held_and_unplugged(void) {
  for (int k = 0; k < NKIND; k++) {
    rig r;
    if (rig_start(&r, kinds[k], 3) && ready(&r)) {
      cycles(&r, 0.2, 2, 1);
      type(&r, "busy on");
      r.err = (brio_error){0};
      cycles(&r, 0.2, 2, 10);
      CHECK(strstr(r.err.message, "held busy") || strstr(r.err.message, "answers any more"), "%s",
            r.err.message);
      type(&r, "busy off");
      cycles(&r, 0.25, 2, 1);
      CHECK(cycles(&r, 0.25, 2, 0.3) > 5, "%s: %s", kinds[k], r.err.message);
      double targets[MOST] = {0.3, 0.3, 0.3};
      brio_servo_driver_write(r.device, targets, &r.err);
      type(&r, "unplug");
      CHECK(!brio_servo_driver_read(r.device, r.states, &r.err) && r.err.code == BRIO_IO, "%s: %s", kinds[k],
            r.err.message);
      rig_close(&r);
      type(&r, "plug");
      if (ready(&r)) cycles(&r, 0.4, 2, 1);
      CHECK_NEAR(r.states[0].position, 0.4, 0.006, "%s", kinds[k]);
    }
    rig_end(&r);
  }
}

/* Protocol 1.0's bulk read, and 2.0's by one answer. */
static void test_bulk(void) {
  rig r;
  brio_servo_bus bus;
  brio_servo_found found;
  uint8_t ids[] = {1, 2, 3}, out[16];
  bool valid[3];
  if (!rig_start(&r, "dynamixel1", 3)) return;
  type(&r, "model 1 MX-28"), type(&r, "model 2 MX-64"), type(&r, "model 3 MX-28");
  brio_port *port = bus_start(&r, &bus);
  int addresses[] = {36, 43, 42}, sizes[] = {2, 1, 2};
  CHECK(brio_servo_bus_bulk_read(&bus, ids, addresses, sizes, 3, out, valid, &r.err) == -1,
        "models are not known yet");
  for (int i = 1; i <= 3; i++) CHECK(brio_servo_bus_ping(&bus, i, &found, &r.err), "%s", r.err.message);
  CHECK(brio_servo_bus_bulk_read(&bus, ids, addresses, sizes, 3, out, valid, &r.err) == 3, "%s",
        r.err.message);
  CHECK(out[0] == 0 && out[1] == 8 && out[2] == 35 && out[3] == 120 && out[4] == 35, "%d %d %d", out[1],
        out[2], out[3]);
  brio_port_close(port);
  rig_end(&r);
  if (!rig_start(&r, "dynamixel", 3)) return;
  port = bus_start(&r, &bus);
  int far[] = {132, 146, 144}, lengths[] = {4, 1, 2};
  CHECK(brio_servo_bus_fast_bulk_read(&bus, ids, far, lengths, 3, out, valid, &r.err) == 3, "%s",
        r.err.message);
  CHECK(out[1] == 8 && out[4] == 35 && out[5] == 120, "%d %d %d", out[1], out[4], out[5]);
  type(&r, "silence 2"); /* the frame ends there: what arrived is valid */
  CHECK(brio_servo_bus_fast_bulk_read(&bus, ids, far, lengths, 3, out, valid, &r.err) == 1 && valid[0], "%s",
        r.err.message);
  brio_port_close(port);
  rig_end(&r);
}

CHECK_SUITE(CHECK_TEST(test_moves), CHECK_TEST(test_speeds), CHECK_TEST(test_catches_up),
            CHECK_TEST(test_models), CHECK_TEST(test_drive_modes), CHECK_TEST(test_refused_modes),
            CHECK_TEST(test_setting_up), CHECK_TEST(test_opening_says), CHECK_TEST(test_no_jump),
            CHECK_TEST(test_overload), CHECK_TEST(test_refused_torque), CHECK_TEST(test_power_loss),
            CHECK_TEST(test_silent_servo), CHECK_TEST(test_opens_late), CHECK_TEST(test_quiet),
            CHECK_TEST(test_twins), CHECK_TEST(test_line), CHECK_TEST(test_echo_scan),
            CHECK_TEST(test_held_and_unplugged), CHECK_TEST(test_bulk))
