/* Bus servos of every family, client against emulator, in simulated time: queries get answers, errors of the
** line are counted and recovered from, and no wrong answer is accepted. */
#include "drivers/servo/bus_internal.h"
#include "drivers/servo/emulator.h"
#include "tests/check.h"

typedef struct rig {
  const brio_servo_family *family;
  brio_emulator *line;
  brio_port *port;
  brio_servo_bus bus;
} rig;

static bool rig_start(rig *r, const brio_emulator_kind *kind, int servos) {
  brio_error err = {0};
  brio_emulator_options options = {.servos = servos, .first_id = 1, .seed = 7};
  r->line = brio_emulator_open(kind, &options, &err);
  r->family = NULL;
  for (int i = 0; brio_servo_families[i]; i++)
    if (strcmp(brio_servo_families[i]->protocol, kind->protocol->name) == 0 &&
        strcmp(brio_servo_families[i]->name, kind->name) == 0)
      r->family = brio_servo_families[i];
  r->port = r->line && r->family ? brio_port_emulated(r->line, kind->baud, &err) : NULL;
  CHECK(r->port != NULL, "%s: %s", kind->name, err.message);
  if (r->port) brio_servo_bus_start(&r->bus, r->family, r->port);
  return r->port != NULL;
}

static void rig_end(rig *r) {
  brio_port_close(r->port);
  brio_emulator_close(r->line);
}

static void type(rig *r, const char *text) {
  brio_text out = {0};
  brio_error err = {0};
  CHECK(brio_emulator_command(r->line, text, &out, &err), "%s: %s", text, err.message);
  brio_text_end(&out);
}

/* Let time pass. */
static void wait(rig *r, double seconds) {
  uint8_t bytes[64];
  double until = brio_port_now(r->port) + seconds;
  while (brio_port_now(r->port) < until)
    brio_port_read(r->port, bytes, sizeof bytes, until - brio_port_now(r->port), NULL);
}

/* Run a test with every kind of bus servos. */
static void each(void (*test)(rig *), int servos) {
  for (int i = 0; brio_emulator_kinds[i]; i++) {
    static rig r;
    if (brio_emulator_kinds[i]->handle != brio_servo_emulator_handle) continue;
    if (rig_start(&r, brio_emulator_kinds[i], servos)) test(&r);
    rig_end(&r);
  }
}

static int goal_address(const rig *r) { return brio_servo_role_register(r->family, BRIO_ROLE_GOAL)->address; }

static void check_life(rig *r) {
  const char *name = r->family->name;
  brio_servo_found found[8];
  brio_error err = {0};
  int32_t value = 0, goal = r->family->center + 100;
  CHECK(brio_servo_bus_scan(&r->bus, 0, 12, found, 8, &err) == 4, "%s", name);
  CHECK(found[0].id == 1 && found[3].id == 4 && found[2].model == r->family->model, "%s: %d", name,
        found[2].model);
  CHECK(brio_servo_bus_set(&r->bus, 2, BRIO_ROLE_TORQUE, 1, &err), "%s: %s", name, err.message);
  CHECK(brio_servo_bus_set(&r->bus, 2, BRIO_ROLE_GOAL, goal, &err), "%s: %s", name, err.message);
  wait(r, 1);
  CHECK(brio_servo_bus_get(&r->bus, 2, BRIO_ROLE_POSITION, &value, &err), "%s: %s", name, err.message);
  CHECK(abs(value - goal) <= 1, "%s is at %d", name, value);
  CHECK(brio_servo_bus_get(&r->bus, 2, BRIO_ROLE_VOLTAGE, &value, &err) && value > 50, "%s: %d", name, value);
  CHECK(!brio_servo_bus_get(&r->bus, 9, BRIO_ROLE_POSITION, &value, &err), "%s: nobody is there", name);
  CHECK_HAS(err.message, "servo 9 did not answer");
}

static void test_life(void) { each(check_life, 4); }

static void check_many(rig *r) {
  const uint8_t ids[] = {1, 2, 3, 4, 5, 6};
  const brio_register *goal = brio_servo_role_register(r->family, BRIO_ROLE_GOAL);
  const brio_register *place = brio_servo_role_register(r->family, BRIO_ROLE_POSITION);
  uint8_t bytes[6 * 4], back[6 * 4];
  bool valid[6];
  brio_error err = {0};
  for (int i = 0; i < 6; i++) {
    brio_servo_bus_set(&r->bus, ids[i], BRIO_ROLE_TORQUE, 1, &err);
    brio_servo_bytes(r->family, goal, r->family->center + 10 * i, bytes + i * goal->size);
  }
  CHECK(brio_servo_bus_sync_write(&r->bus, ids, 6, goal->address, goal->size, bytes, &err), "%s",
        err.message);
  wait(r, 1);
  CHECK(brio_servo_bus_sync_read(&r->bus, ids, 6, place->address, place->size, back, valid, NULL, &err) == 6,
        "%s: %s", r->family->name, err.message);
  for (int i = 0; i < 6; i++) {
    int32_t at = brio_servo_value(r->family, place, back + i * place->size);
    CHECK(valid[i] && abs(at - r->family->center - 10 * i) <= 1, "%s servo %d at %d", r->family->name, i, at);
  }
  type(r, "silence 3"); /* the others are read nevertheless */
  CHECK(brio_servo_bus_sync_read(&r->bus, ids, 6, place->address, place->size, back, valid, NULL, &err) == 5,
        "%s", r->family->name);
  CHECK(!valid[2] && valid[0] && valid[5], "%s", r->family->name);
}

static void test_many(void) { each(check_many, 6); }

static void check_later(rig *r) {
  const brio_register *goal = brio_servo_role_register(r->family, BRIO_ROLE_GOAL);
  uint8_t bytes[4];
  int32_t value = 0, target = r->family->center + 50;
  brio_error err = {0};
  brio_servo_bus_set(&r->bus, 1, BRIO_ROLE_TORQUE, 1, &err);
  brio_servo_bytes(r->family, goal, target, bytes);
  CHECK(brio_servo_bus_write_later(&r->bus, 1, goal_address(r), goal->size, bytes, &err), "%s", err.message);
  brio_servo_bus_get(&r->bus, 1, BRIO_ROLE_GOAL, &value, &err);
  CHECK(value != target, "%s did it at once", r->family->name);
  CHECK(brio_servo_bus_action(&r->bus, BRIO_SERVO_BROADCAST, &err), "%s", err.message);
  brio_servo_bus_get(&r->bus, 1, BRIO_ROLE_GOAL, &value, &err);
  CHECK(value == target, "%s: %d", r->family->name, value);
}

static void test_later(void) { each(check_later, 1); }

/* Servos that answer only reads can be commanded nevertheless, and a refusal of theirs is not
** mistaken for a success. */
static void check_quiet(rig *r) {
  const brio_register *level = brio_servo_role_register(r->family, BRIO_ROLE_STATUS_LEVEL);
  const char *name = r->family->name;
  brio_error err = {0};
  int32_t value = 0, goal = r->family->center + 50;
  CHECK(level != NULL, "%s", name);
  if (!level) return;
  CHECK(brio_servo_bus_configure(&r->bus, 1, level, level->upper - 1, &err), "%s: %s", name, err.message);
  CHECK(brio_servo_bus_set(&r->bus, 1, BRIO_ROLE_GOAL, goal, &err), "%s: %s", name, err.message);
  CHECK(brio_servo_bus_set(&r->bus, 1, BRIO_ROLE_TORQUE, 1, &err), "%s: %s", name, err.message);
  CHECK(brio_servo_bus_get(&r->bus, 1, BRIO_ROLE_TORQUE, &value, &err) && value == 1, "%s: %d", name, value);
  CHECK(r->bus.quiet[1] && !r->bus.quiet[2], "%s", name);
  CHECK(brio_servo_bus_hold(&r->bus, 1, false, &err), "%s: %s", name, err.message);
  type(r, "refuse 1");
  CHECK(!brio_servo_bus_set(&r->bus, 1, BRIO_ROLE_TORQUE, 1, &err), "%s", name);
  CHECK(brio_servo_bus_configure(&r->bus, 1, level, level->upper, &err), "%s: %s", name, err.message);
  CHECK(brio_servo_bus_set(&r->bus, 1, BRIO_ROLE_GOAL, goal, &err) && !r->bus.quiet[1], "%s: %s", name,
        err.message);
}

static void test_quiet(void) { each(check_quiet, 2); }

/* A servo that answers only pings is found, and can be set to answer. */
static void check_mute(rig *r) {
  const brio_register *level = brio_servo_role_register(r->family, BRIO_ROLE_STATUS_LEVEL);
  brio_servo_found found;
  brio_error err = {0};
  if (!level || level->upper < 2) return; /* Feetech servos answer reads at all levels */
  CHECK(!brio_servo_bus_configure(&r->bus, 1, level, 0, &err), "it cannot tell that it took it");
  CHECK(brio_servo_bus_ping(&r->bus, 1, &found, &err) && found.id == 1, "%s", err.message);
  CHECK(brio_servo_bus_configure(&r->bus, 1, level, 2, &err), "%s: %s", r->family->name, err.message);
}

static void test_mute(void) { each(check_mute, 1); }

/* An answer lost during a scan is requested again, and servos are found in the order of ids. */
static void check_lossy_scan(rig *r) {
  brio_servo_found found[6];
  brio_error err = {0};
  int whole = 0;
  type(r, "loss 2%");
  for (int k = 0; k < 20; k++) {
    int count = brio_servo_bus_scan(&r->bus, 0, 12, found, 6, &err);
    whole += count == 6;
    for (int i = 1; i < count; i++) CHECK(found[i].id > found[i - 1].id, "%s", r->family->name);
  }
  CHECK(whole >= 18, "%s: %d of 20", r->family->name, whole);
}

static void test_lossy_scan(void) { each(check_lossy_scan, 6); }

static void check_setting_up(rig *r) {
  brio_error err = {0};
  brio_servo_found found;
  int32_t value;
  int other = brio_servo_code_baud(r->family, r->family->bauds[1].code);
  if (other == r->port->baud) other = r->family->bauds[2].baud;
  CHECK(!brio_servo_bus_change_id(&r->bus, 1, 2, &err), "%s: two of one id", r->family->name);
  CHECK_HAS(err.message, "there is one already");
  CHECK(brio_servo_bus_change_id(&r->bus, 1, 30, &err), "%s: %s", r->family->name, err.message);
  CHECK(brio_servo_bus_ping(&r->bus, 30, &found, &err) && !brio_servo_bus_ping(&r->bus, 1, &found, NULL),
        "%s", err.message);
  CHECK(brio_servo_bus_change_baud(&r->bus, 30, other, &err), "%s: %s", r->family->name, err.message);
  CHECK(r->port->baud == other && !brio_servo_bus_ping(&r->bus, 2, &found, NULL), "2 stayed at the old rate");
  brio_servo_bus_reboot(&r->bus, 30, &err);
  CHECK(!brio_servo_bus_ping(&r->bus, 30, &found, NULL), "%s: it reboots", r->family->name);
  wait(r, 1);
  CHECK(brio_servo_bus_get(&r->bus, 30, BRIO_ROLE_BAUD, &value, &err), "%s: %s", r->family->name,
        err.message);
}

static void test_setting_up(void) { each(check_setting_up, 2); }

static void check_errors(rig *r) {
  brio_error err = {0};
  int32_t value = 0;
  type(r, "refuse 1");
  CHECK(!brio_servo_bus_set(&r->bus, 1, BRIO_ROLE_TORQUE, 1, &err), "%s has torque", r->family->name);
  type(r, "refuse 1");
  CHECK(brio_servo_bus_set(&r->bus, 1, BRIO_ROLE_TORQUE, 1, &err), "%s: %s", r->family->name, err.message);
  type(r, "power");
  wait(r, 0.5);
  brio_servo_bus_get(&r->bus, 1, BRIO_ROLE_TORQUE, &value, &err);
  CHECK(r->bus.alert != 0, "%s: the error byte tells", r->family->name);
  CHECK(brio_servo_emulator_value(brio_emulator_device(r->line), 1, BRIO_ROLE_TORQUE) == 0, "%s",
        r->family->name);
}

static void test_errors(void) { each(check_errors, 2); }

/* Positions read through a line with faults are right or missing, and all is well after it. */
static void check_faults(rig *r, const char *fault) {
  const uint8_t ids[] = {1, 2, 3};
  const brio_register *place = brio_servo_role_register(r->family, BRIO_ROLE_POSITION);
  uint8_t back[3 * 4];
  bool valid[3];
  int wrong = 0, missing = 0, rounds = (int)(3000 * check_scale());
  brio_error err = {0};
  type(r, fault);
  for (int i = 0; i < rounds; i++) {
    if (brio_servo_bus_sync_read(&r->bus, ids, 3, place->address, place->size, back, valid, NULL, &err) < 0)
      wrong += 1000;
    for (int k = 0; k < 3; k++) {
      missing += !valid[k];
      if (valid[k] && brio_servo_value(r->family, place, back + k * place->size) != r->family->center)
        wrong++;
    }
  }
  printf("#   %s, %s: %d wrong, %d missing of %d; %llu timeouts, %llu strays, %llu check, %llu garbage\n",
         r->family->name, fault, wrong, missing, 3 * rounds, (unsigned long long)r->bus.x.timeouts,
         (unsigned long long)r->bus.x.strays, (unsigned long long)r->bus.x.stream.faults[BRIO_WIRE_CHECK],
         (unsigned long long)r->bus.x.stream.faults[BRIO_WIRE_GARBAGE]);
  /* a CRC lets 1 in 65536 of spoiled frames pass; a sum of 8 bits 1 in 256, twice that is allowed */
  double spoiled =
      (double)(r->bus.x.stream.faults[BRIO_WIRE_CHECK] + r->bus.x.stream.faults[BRIO_WIRE_GARBAGE]) + 10;
  CHECK(wrong <= 2 * r->bus.x.stream.protocol->accepts * spoiled, "%s, %s: %d wrong", r->family->name, fault,
        wrong);
  CHECK(missing < 3 * rounds / 20, "%s, %s: %d missing", r->family->name, fault, missing);
  type(r, "fine");
  wait(r, 0.2);
  CHECK(brio_servo_bus_sync_read(&r->bus, ids, 3, place->address, place->size, back, valid, NULL, &err) == 3,
        "%s recovers from %s", r->family->name, fault);
}

static void check_all_faults(rig *r) {
  static const char *const faults[] = {"loss 2%", "errors 1%", "burst 5%", "late 2%", "twice 5%", "cut 5%",
                                       "echo on", "jitter 5ms"};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) check_faults(r, faults[i]);
}

static void test_faults(void) { each(check_all_faults, 3); }

static void check_twins(rig *r) {
  brio_error err = {0};
  brio_servo_found found;
  type(r, "twin 1");
  int heard = 0;
  int32_t value;
  for (int i = 0; i < 20; i++) heard += brio_servo_bus_get(&r->bus, 1, BRIO_ROLE_POSITION, &value, &err);
  CHECK(heard == 0, "%s: two answers at once are none", r->family->name);
  CHECK(brio_servo_bus_ping(&r->bus, 2, &found, &err), "the other is well: %s", err.message);
}

static void test_twins(void) { each(check_twins, 2); }

static void check_unplugging(rig *r) {
  brio_error err = {0};
  brio_servo_found found;
  type(r, "unplug");
  CHECK(!brio_servo_bus_ping(&r->bus, 1, &found, &err), "nothing is there");
  CHECK_HAS(err.message, "is gone");
  CHECK(err.code == BRIO_IO, "%d", err.code);
  type(r, "plug");
  CHECK(brio_servo_bus_ping(&r->bus, 1, &found, &err), "%s", err.message);
}

static void test_unplugging(void) { each(check_unplugging, 1); }

/* Protocol 2.0 only: bulk, limits, access, stuffing in transfers, wrong baud rate. */
static void test_dynamixel(void) {
  static rig r;
  brio_error err = {0};
  const uint8_t ids[] = {1, 2};
  const int addresses[] = {144, 146}, sizes[] = {2, 1};
  uint8_t out[4], volts[3] = {0xA0, 0x00, 0x50};
  bool valid[2];
  int32_t value;
  if (!rig_start(&r, brio_emulator_find("dynamixel", NULL), 2)) return;
  CHECK(brio_servo_bus_bulk_read(&r.bus, ids, addresses, sizes, 2, out, valid, &err) == 2, "%s", err.message);
  CHECK(out[0] == 120 && out[2] == 35, "%d V/10, %d degrees", out[0], out[2]);
  const int limits[] = {32, 31};
  CHECK(brio_servo_bus_bulk_write(&r.bus, ids, limits, sizes, 2, volts, &err), "%s", err.message);
  CHECK(brio_servo_bus_get(&r.bus, 2, BRIO_ROLE_TEMPERATURE_LIMIT, &value, &err) && value == 80, "%d", value);
  CHECK(!brio_servo_bus_set(&r.bus, 1, BRIO_ROLE_POSITION, 5, &err), "read only");
  CHECK_HAS(err.message, "may not be written now");
  CHECK(!brio_servo_bus_set(&r.bus, 1, BRIO_ROLE_GOAL, 5000, &err), "beyond its limit");
  CHECK_HAS(err.message, "limits set in it");
  CHECK(brio_servo_bus_set(&r.bus, 1, BRIO_ROLE_TORQUE, 1, &err), "%s", err.message);
  CHECK(!brio_servo_bus_set(&r.bus, 1, BRIO_ROLE_ID, 9, &err), "torque is on");
  CHECK(brio_servo_bus_write(&r.bus, 2, 116, 4, (const uint8_t[]){0xFF, 0x0F, 0, 0}, &err), "%s",
        err.message);
  r.port->baud = 57600;
  CHECK(!brio_servo_bus_get(&r.bus, 1, BRIO_ROLE_GOAL, &value, &err), "another baud rate");
  CHECK_HAS(err.message, "57600");
  rig_end(&r);
}

/* An answer that arrived while the host was stopped counts, whatever its clock shows when it goes on. */
static void check_stall(rig *r) {
  brio_error err = {0};
  brio_servo_bus_begin(&r->bus, 1, BRIO_SERVO_PING);
  CHECK(brio_exchange_begin(&r->bus.x, &err), "%s: %s", r->family->name, err.message);
  double deadline = brio_servo_bus_deadline(&r->bus, BRIO_SERVO_OVERHEAD, 1);
  r->port->made_up = deadline + 1;
  CHECK(brio_servo_bus_receive(&r->bus, deadline, &err) == 1 && r->bus.x.in.id == 1, "%s", r->family->name);
  CHECK(brio_servo_bus_receive(&r->bus, deadline, &err) == 0, "%s: there is but one", r->family->name);
}

static void test_stall(void) { each(check_stall, 2); }

CHECK_SUITE(CHECK_TEST(test_life), CHECK_TEST(test_stall), CHECK_TEST(test_many), CHECK_TEST(test_later),
            CHECK_TEST(test_setting_up), CHECK_TEST(test_quiet), CHECK_TEST(test_mute),
            CHECK_TEST(test_lossy_scan), CHECK_TEST(test_errors), CHECK_TEST(test_faults),
            CHECK_TEST(test_twins), CHECK_TEST(test_unplugging), CHECK_TEST(test_dynamixel))
