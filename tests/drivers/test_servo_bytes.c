/* The host's side of bus servos, byte by byte, compared with the examples of the vendors' documents: ROBOTIS
** e-Manual (Protocol 1.0 and 2.0), Feetech's protocol manual. */
#include "drivers/servo/bus.h"
#include "tests/check.h"

enum { LONGEST = 256 };

/* A port that keeps what is written and answers with prepared bytes. */
typedef struct tape {
  brio_port port;
  uint8_t told[LONGEST], answer[LONGEST];
  int ntold, nanswer, at;
} tape;

static int read_tape(brio_port *port, uint8_t *out, int room, double timeout, brio_error *err) {
  tape *t = port->own;
  int count = t->ntold == 0 ? 0 : t->nanswer - t->at < room ? t->nanswer - t->at : room;
  (void)err;
  if (count == 0) port->made_up += timeout;
  memcpy(out, t->answer + t->at, (size_t)count);
  t->at += count;
  return count;
}

static bool write_tape(brio_port *port, const uint8_t *bytes, int count, brio_error *err) {
  tape *t = port->own;
  (void)err;
  memcpy(t->told, bytes, (size_t)count);
  t->ntold = count;
  return true;
}

static int from_hex(const char *text, uint8_t *out) {
  int count = 0;
  unsigned byte;
  for (int used; sscanf(text, " %2x%n", &byte, &used) == 1; text += used) out[count++] = (uint8_t)byte;
  return count;
}

static const brio_port_kind tape_kind = {read_tape, write_tape, NULL, NULL, NULL};

/* A bus of a family whose next query gets an answer in hex. */
static void begin(brio_servo_bus *bus, tape *t, const char *family, const char *answer) {
  memset(t, 0, sizeof *t);
  t->port = (brio_port){.kind = &tape_kind, .fd = -1, .baud = 1000000, .own = t, .name = "tape"};
  t->nanswer = from_hex(answer, t->answer);
  brio_servo_bus_start(bus, brio_servo_family_find(family, NULL), &t->port);
  bus->x.tries = 1;
}

static void told(const tape *t, const char *expected) {
  uint8_t bytes[LONGEST];
  int count = from_hex(expected, bytes);
  CHECK(count == t->ntold && memcmp(bytes, t->told, (size_t)count) == 0, "%s was %d bytes otherwise",
        expected, t->ntold);
}

static void test_wide(void) {
  static brio_servo_bus bus;
  static tape t;
  brio_servo_found found;
  brio_error err = {0};
  uint8_t out[32], ids[] = {1, 2}, errors[4];
  bool valid[4];
  begin(&bus, &t, "dynamixel", "FF FF FD 00 01 07 00 55 00 06 04 26 65 5D");
  CHECK(brio_servo_bus_ping(&bus, 1, &found, &err) && found.model == 0x406 && found.firmware == 0x26, "%s",
        err.message);
  told(&t, "FF FF FD 00 01 03 00 01 19 4E");
  begin(&bus, &t, "dynamixel", "FF FF FD 00 01 08 00 55 00 A6 00 00 00 8C C0");
  CHECK(brio_servo_bus_read(&bus, 1, 132, 4, out, &err) && out[0] == 0xA6, "%s", err.message);
  told(&t, "FF FF FD 00 01 07 00 02 84 00 04 00 1D 15");
  begin(&bus, &t, "dynamixel", "FF FF FD 00 01 04 00 55 00 A1 0C");
  CHECK(brio_servo_bus_write(&bus, 1, 116, 4, (const uint8_t[]){0, 2, 0, 0}, &err), "%s", err.message);
  told(&t, "FF FF FD 00 01 09 00 03 74 00 00 02 00 00 CA 89");
  begin(&bus, &t, "dynamixel", "FF FF FD 00 01 04 00 55 00 A1 0C");
  CHECK(brio_servo_bus_write_later(&bus, 1, 104, 4, (const uint8_t[]){200, 0, 0, 0}, &err), "%s",
        err.message);
  told(&t, "FF FF FD 00 01 09 00 04 68 00 C8 00 00 00 AE 8E");
  begin(&bus, &t, "dynamixel", "FF FF FD 00 01 04 00 55 00 A1 0C");
  CHECK(brio_servo_bus_action(&bus, 1, &err), "%s", err.message);
  told(&t, "FF FF FD 00 01 03 00 05 02 CE");
  begin(&bus, &t, "dynamixel", "FF FF FD 00 01 04 00 55 00 A1 0C");
  CHECK(brio_servo_bus_reboot(&bus, 1, &err), "%s", err.message);
  told(&t, "FF FF FD 00 01 03 00 08 2F 4E");
  begin(&bus, &t, "dynamixel", "");
  CHECK(brio_servo_bus_sync_write(&bus, ids, 2, 116, 4, (const uint8_t[]){150, 0, 0, 0, 170, 0, 0, 0}, &err),
        "%s", err.message);
  told(&t, "FF FF FD 00 FE 11 00 83 74 00 04 00 01 96 00 00 00 02 AA 00 00 00 82 87");
  begin(&bus, &t, "dynamixel",
        "FF FF FD 00 01 08 00 55 00 A6 00 00 00 8C C0 FF FF FD 00 02 08 00 55 00 1F 08 00 00 BA BE");
  bus.fast_failed = 5; /* by sync read */
  CHECK(brio_servo_bus_sync_read(&bus, ids, 2, 132, 4, out, valid, errors, &err) == 2 && out[4] == 0x1F, "%s",
        err.message);
  told(&t, "FF FF FD 00 FE 09 00 82 84 00 04 00 01 02 CE FA");
}

/* New instructions, and old ones for several servos. */
static void test_many(void) {
  static brio_servo_bus bus;
  static tape t;
  brio_error err = {0};
  uint8_t out[32], three[] = {3, 7, 4}, two[] = {1, 2};
  bool valid[4];
  int addresses[] = {144, 146}, sizes[] = {2, 1}, limits[] = {32, 31};
  begin(&bus, &t, "dynamixel",
        "FF FF FD 00 FE 19 00 55 00 03 A6 00 00 00 84 08 00 07 1F 08 00 00 16 CA 00 04 FF 03 00 00 D1 9E");
  CHECK(brio_servo_bus_sync_read(&bus, three, 3, 132, 4, out, valid, NULL, &err) == 3, "%s", err.message);
  CHECK(out[0] == 0xA6 && out[4] == 0x1F && out[5] == 8 && out[8] == 0xFF && out[9] == 3, "%d %d", out[4],
        out[8]);
  told(&t, "FF FF FD 00 FE 0A 00 8A 84 00 04 00 03 07 04 20 F2");
  /* 4 is missing */
  begin(&bus, &t, "dynamixel", "FF FF FD 00 FE 19 00 55 00 03 A6 00 00 00 84 08 00 07 1F 08 00 00 16 CA");
  CHECK(brio_servo_bus_sync_read(&bus, three, 3, 132, 4, out, valid, NULL, &err) == 2 && valid[1] &&
            !valid[2],
        "%s", err.message);
  begin(&bus, &t, "dynamixel", "FF FF FD 00 01 06 00 55 00 77 00 C3 69 FF FF FD 00 02 05 00 55 00 24 8B A9");
  CHECK(brio_servo_bus_bulk_read(&bus, two, addresses, sizes, 2, out, valid, &err) == 2 && out[0] == 0x77 &&
            out[2] == 0x24,
        "%s", err.message);
  told(&t, "FF FF FD 00 FE 0D 00 92 01 90 00 02 00 02 92 00 01 00 1A 05");
  begin(&bus, &t, "dynamixel", "");
  CHECK(brio_servo_bus_bulk_write(&bus, two, limits, sizes, 2, (const uint8_t[]){0xA0, 0, 0x50}, &err), "%s",
        err.message);
  told(&t, "FF FF FD 00 FE 10 00 93 01 20 00 02 00 A0 00 02 1F 00 01 00 50 B7 68");
  /* Protocol 1.0: positions of servo 1 from 30, of servo 2 from 36 */
  int places[] = {30, 36}, lengths[] = {2, 2};
  begin(&bus, &t, "dynamixel1", "FF FF 01 04 00 00 80 7A FF FF 02 04 00 00 80 79");
  bus.layouts[1] = bus.layouts[2] = brio_servo_layout(bus.family, 29); /* MX-28 */
  CHECK(brio_servo_bus_bulk_read(&bus, two, places, lengths, 2, out, valid, &err) == 2, "%s", err.message);
  told(&t, "FF FF FE 09 92 00 02 01 1E 02 02 24 1D");
}

static void test_feetech(void) {
  static brio_servo_bus bus;
  static tape t;
  brio_servo_found found;
  brio_error err = {0};
  uint8_t out[8], ids[] = {1, 2, 3, 4}, bytes[24];
  static const uint8_t goal[] = {0x00, 0x08, 0x00, 0x00, 0xE8, 0x03};
  begin(&bus, &t, "sts", "FF FF 01 02 00 FC");
  CHECK(brio_servo_bus_ping(&bus, 1, &found, &err), "%s", err.message);
  begin(&bus, &t, "sts", "FF FF 01 04 00 18 05 DD");
  CHECK(brio_servo_bus_read(&bus, 1, 0x38, 2, out, &err) && out[0] == 0x18 && out[1] == 5, "%s", err.message);
  told(&t, "FF FF 01 04 02 38 02 BE");
  begin(&bus, &t, "sts", "FF FF 01 02 00 FC");
  CHECK(brio_servo_bus_write(&bus, 1, 0x2A, 6, goal, &err), "%s", err.message);
  told(&t, "FF FF 01 09 03 2A 00 08 00 00 E8 03 D5");
  begin(&bus, &t, "sts", "FF FF 01 02 00 FC");
  CHECK(brio_servo_bus_write_later(&bus, 1, 0x2A, 6, goal, &err), "%s", err.message);
  told(&t, "FF FF 01 09 04 2A 00 08 00 00 E8 03 D4");
  begin(&bus, &t, "sts", "");
  CHECK(brio_servo_bus_action(&bus, BRIO_SERVO_BROADCAST, &err), "%s", err.message);
  told(&t, "FF FF FE 02 05 FA");
  for (int i = 0; i < 4; i++) memcpy(bytes + 6 * i, goal, sizeof goal);
  begin(&bus, &t, "sts", "");
  CHECK(brio_servo_bus_sync_write(&bus, ids, 4, 0x2A, 6, bytes, &err), "%s", err.message);
  told(&t, "FF FF FE 20 83 2A 06 01 00 08 00 00 E8 03 02 00 08 00 00 E8 03 03 00 08 00 00 E8 03 04 00 08 00 "
           "00 E8 03 58");
  begin(&bus, &t, "sts", "");
  CHECK(brio_servo_bus_reboot(&bus, 1, &err), "%s", err.message);
  told(&t, "FF FF 01 02 08 F4");
  /* garbage, another's, its own */
  begin(&bus, &t, "sts", "00 00 FF FF 01 04 00 67 FF FF 02 04 00 C8 07 2A FF FF 01 04 00 18 05 DD");
  CHECK(brio_servo_bus_read(&bus, 1, 0x38, 2, out, &err) && out[0] == 0x18, "%s", err.message);
  begin(&bus, &t, "sts", "FF 60 18 FB EF");
  CHECK(!brio_servo_bus_read(&bus, 1, 0x38, 2, out, &err), "two servos of one id");
  CHECK_HAS(err.message, "garbled: two servos of one id");
}

CHECK_SUITE(CHECK_TEST(test_wide), CHECK_TEST(test_many), CHECK_TEST(test_feetech))
