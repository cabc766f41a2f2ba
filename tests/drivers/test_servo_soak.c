/* Bus servos that move on a bad line: 1 % of bytes damaged and 2 % of packets lost, for an hour of robot time
** (make soak; a fiftieth of it otherwise).  Reports are right, except for at most twice as many frames as the
** check code must miss; no servo leaves the limits that are set in it; every error is counted; all is well
** after it.  And, packet by packet, what each check code refuses. */
#include <math.h>

#include "base/random.h"
#include "drivers/servo/driver.h"
#include "drivers/servo/emulator.h"
#include "tests/check.h"

enum { SERVOS = 4, HOUR = 3600, PART = 50 };

static const double NEAR = 0.12, LIMIT = 1.2; /* rad; a servo that catches up moves 0.05 in a slow cycle */

static const char *const kinds[] = {"dynamixel", "dynamixel1", "sts", "scs"};

typedef struct run {
  const brio_servo_family *family;
  brio_emulator *line;
  brio_port *port;
  void *device;
  brio_axis axes[SERVOS];
  long cycles, reports, wrong, missing, failures, opened, beyond;
  long spoiled, questions; /* counted by drivers that were closed, too */
} run;

static bool type(run *r, const char *text) {
  brio_text out = {0};
  brio_error err = {0};
  bool good = brio_emulator_command(r->line, text, &out, &err);
  CHECK(good, "%s: %s", text, err.message);
  brio_text_end(&out);
  return good;
}

static void count(run *r) {
  brio_driver_counts counts;
  brio_servo_driver_count(r->device, &counts);
  r->spoiled += counts.refused + counts.timeouts + counts.strays;
  brio_servo_driver_close(r->device);
  r->device = NULL;
}

static bool reopen(run *r) {
  static const char *const texts[] = {"", "", "", "", "", ""};
  double settings[16];
  bool on[SERVOS] = {true, true, true, true};
  brio_error err = {0};
  brio_driver_config config = {.watchdog = 0.5, .limits = true, .axes = r->axes};
  for (int i = 0; brio_servo_driver_settings[i].name; i++)
    settings[i] = brio_servo_driver_settings[i].fallback;
  settings[0] = brio_emulator_kind_of(r->line)->baud;
  if (r->device) count(r);
  for (int i = 0; i < 20 && !r->device; i++) {
    r->port = brio_port_emulated(r->line, (int)settings[0], &err);
    r->device = brio_servo_driver_open_on(r->family, r->axes, SERVOS, settings, texts, r->port, &err);
  }
  r->opened++;
  if (!r->device) return false;
  for (int i = 0; i < 20; i++)
    if (brio_servo_driver_configure(r->device, &config, &err)) break;
  for (int i = 0; i < 20; i++)
    if (brio_servo_driver_power(r->device, on, &err)) break;
  return true;
}

/* A servo's shaft position in its own units. */
static double truth(const run *r, int i) {
  return brio_servo_angle(
      r->family, brio_servo_emulator_value(brio_emulator_device(r->line), i + 1, BRIO_ROLE_POSITION));
}

static void compare(run *r, const brio_axis_state *states) {
  for (int i = 0; i < SERVOS; i++) {
    double at = truth(r, i);
    r->reports += states[i].valid;
    r->missing += !states[i].valid;
    r->wrong += states[i].valid && fabs(states[i].position - at) > NEAR;
    r->beyond += fabs(at) > LIMIT + 0.01;
  }
}

/* Cycles until robot time `until`, along a slow wave.  Return false when the device cannot be opened again.
** */
static bool move(run *r, double until) {
  brio_axis_state states[SERVOS];
  brio_error err = {0};
  int failing = 0;
  for (double t; (t = brio_port_now(r->port)) < until; r->cycles++) {
    double targets[SERVOS], speeds[SERVOS];
    for (int i = 0; i < SERVOS; i++) {
      targets[i] = 0.8 * sin(0.5 * t + i);
      speeds[i] = fabs(0.4 * cos(0.5 * t + i));
    }
    bool good = brio_servo_driver_write_timed(r->device, targets, speeds, &err) &&
                brio_servo_driver_read(r->device, states, &err);
    r->failures += !good;
    failing = good ? 0 : failing + 1;
    if (good) compare(r, states);
    if (failing > 20 && !reopen(r)) return false;
  }
  return true;
}

static bool start(run *r, const char *kind) {
  brio_error err = {0};
  const brio_emulator_kind *found = brio_emulator_find(kind, &err);
  brio_emulator_options options = {.servos = SERVOS, .first_id = 1, .seed = 11, .baud = 1000000};
  *r = (run){.family = brio_servo_family_find(kind, &err), .line = brio_emulator_open(found, &options, &err)};
  for (int i = 0; i < SERVOS; i++)
    r->axes[i] = (brio_axis){.name = "a", .lower = -LIMIT, .upper = LIMIT, .velocity = 2, .acceleration = 10};
  bool good = r->family && r->line && reopen(r);
  CHECK(good, "%s: %s", kind, err.message);
  return good;
}

static void test_hour(void) {
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    static run r;
    if (!start(&r, kinds[k])) return;
    double seconds = fmin(HOUR, HOUR * check_scale() / PART);
    bool good = move(&r, 5) && type(&r, "errors 1%") && type(&r, "loss 2%") && move(&r, 5 + seconds);
    CHECK(good, "%s could not be opened again", kinds[k]);
    const brio_wire_stream *heard = brio_emulator_stream(r.line);
    long refused = (long)(heard->faults[BRIO_WIRE_CHECK] + heard->faults[BRIO_WIRE_GARBAGE] +
                          heard->faults[BRIO_WIRE_LENGTH]);
    long opened = r.opened - 1;
    type(&r, "fine");
    if (good) move(&r, brio_port_now(r.port) + 1);
    long missing = r.missing, wrong = r.wrong, failures = r.failures;
    if (good) move(&r, brio_port_now(r.port) + 2);
    CHECK(r.missing == missing && r.wrong == wrong && r.failures == failures, "%s: all is well again",
          kinds[k]);
    count(&r);
    printf("#   %s, %.0f s: %ld cycles, %ld reports, %ld wrong, %ld missing; %ld refused by the servos, %ld "
           "by the host; opened "
           "again %ld times\n",
           kinds[k], seconds, r.cycles, r.reports, r.wrong, r.missing, refused, r.spoiled, opened);
    CHECK(r.wrong <= 2 * brio_protocol_find(r.family->protocol, NULL)->accepts * (double)r.spoiled + 3,
          "%s: %ld wrong reports", kinds[k], r.wrong);
    CHECK(r.beyond == 0, "%s: %ld times beyond the limits set in it", kinds[k], r.beyond);
    CHECK(refused > 0 && r.spoiled > 0, "%s: errors are counted", kinds[k]);
    CHECK(r.missing < r.reports / 5, "%s: most reports come", kinds[k]);
    CHECK(opened <= 1 + seconds / 120, "%s: the device was lost %ld times", kinds[k], opened);
    brio_emulator_close(r.line);
  }
}

/* ---- packet by packet ---- */

static int make(const brio_protocol *p, brio_random *random, uint8_t *bytes) {
  static brio_packet packet;
  bool answers = strncmp(p->name, "dynamixel2", 10) == 0;
  packet.id = (int)brio_random_below(random, 253);
  packet.code = answers ? 0x55 : (int)brio_random_below(random, 0x60);
  packet.error = answers ? (int)brio_random_below(random, 8) : -1;
  packet.length = 1 + (int)brio_random_below(random, 12);
  for (int i = 0; i < packet.length; i++) packet.data[i] = (uint8_t)brio_random_bits(random);
  return p->write(&packet, bytes, BRIO_FRAME_MOST);
}

/* Whether a frame with a burst of errors is accepted. */
static bool passes(const brio_protocol *p, const uint8_t *bytes, int length, int at, unsigned burst) {
  static brio_packet got;
  uint8_t copy[BRIO_FRAME_MOST];
  memcpy(copy, bytes, (size_t)length);
  for (int b = 0; b < 16; b++)
    if (burst >> b & 1) copy[(at + b) / 8] ^= (uint8_t)(0x80 >> (at + b) % 8);
  return p->parse(copy, length, BRIO_FROM_DEVICE, &got) > 0;
}

/* Every change of one byte, and every burst of at most 16 bits at every position.  The protocol sends its CRC
** low byte first, so one burst on the wire is two bursts to the CRC where it extends from the last byte
** before the CRC into it: 63 of those patterns pass any receiver's check.  No other burst does. */
static void test_each_error(void) {
  brio_random random = brio_random_stream(5, "bursts");
  const brio_protocol *p = brio_protocol_find("dynamixel2", NULL);
  static brio_packet got;
  int packets = check_scale() >= PART ? 40 : 1; /* a sample under make test */
  for (int n = 0; n < packets; n++) {
    uint8_t bytes[BRIO_FRAME_MOST];
    int length = make(p, &random, bytes), passed = 0, astride = 0, crc = 8 * (length - 2);
    for (int k = 0; k < length; k++)
      for (int flip = 1; flip < 256; flip++) {
        bytes[k] ^= (uint8_t)flip;
        passed += p->parse(bytes, length, BRIO_FROM_DEVICE, &got) > 0;
        bytes[k] ^= (uint8_t)flip;
      }
    CHECK(passed == 0, "%d changes of one byte pass", passed);
    for (int at = 0; at + 16 <= 8 * length; at++)
      /* its first bit is turned: shorter ones are among them */
      for (unsigned burst = 1; burst < 1 << 16; burst += 2) {
        if (!passes(p, bytes, length, at, burst)) continue;
        if (at < crc && at + 16 > crc) astride++;
        else passed++;
      }
    CHECK(passed == 0, "%d bursts pass", passed);
    CHECK(astride <= 63, "%d bursts astride the CRC's beginning pass", astride);
  }
}

/* With a sum of 8 bits: a changed byte is refused except in the length, and of random
** garble 1 in 256 passes. */
static void test_sums(void) {
  static const char *const names[] = {"dynamixel1", "sts", "scs"};
  for (int i = 0; i < 3; i++) {
    const brio_protocol *p = brio_protocol_find(names[i], NULL);
    brio_random random = brio_random_stream(6, names[i]);
    static brio_packet got;
    long passed = 0, tries = (long)(200000 * fmin(check_scale(), 10));
    for (long n = 0; n < tries; n++) {
      uint8_t bytes[BRIO_FRAME_MOST], before[BRIO_FRAME_MOST];
      int length = make(p, &random, bytes);
      memcpy(before, bytes, (size_t)length);
      if (n < 2000)
        for (int k = 2; k < length; k++) {
          if (k == 3) continue;
          bytes[k] ^= (uint8_t)(1 + brio_random_below(&random, 255));
          CHECK(p->parse(bytes, length, BRIO_FROM_DEVICE, &got) <= 0, "%s: byte %d", names[i], k);
          bytes[k] = before[k];
        }
      for (int k = 4; k < length; k++) bytes[k] = (uint8_t)brio_random_bits(&random);
      if (memcmp(bytes, before, (size_t)length) != 0)
        passed += p->parse(bytes, length, BRIO_FROM_DEVICE, &got) == length;
    }
    CHECK(passed > 0 && passed <= 2 * p->accepts * (double)tries, "%s: %ld of %ld pass", names[i], passed,
          tries);
  }
}

CHECK_SUITE(CHECK_TEST(test_hour), CHECK_TEST(test_each_error), CHECK_TEST(test_sums))
