/* How soon the driver of bus servos knows what a servo measures, and that its torque is gone: in simulated
** time, on lines of several speeds, with up to 18 servos. */
#include "tests/drivers/servo_rig.h"

/* s from the moment when a servo is hot until a report says so; INFINITY: never within 10 s. */
static double time_to_know(rig *r, int id) {
  char words[32];
  snprintf(words, sizeof words, "heat %d 95", id);
  type(r, words);
  double began = brio_port_now(r->port);
  while (r->states[id - 1].temperature < 90) {
    if (brio_port_now(r->port) - began > 10) return INFINITY;
    cycles(r, 0.2, 1, 1e-6);
  }
  return brio_port_now(r->port) - began;
}

/* The mean duration of a cycle, s. */
static double cycle_of(rig *r) {
  double began = brio_port_now(r->port);
  for (int i = 0; i < 40; i++) cycles(r, 0.2, 1, 1e-6);
  return (brio_port_now(r->port) - began) / 40;
}

/* All servos are cool again, and the driver knows. */
static void cool(rig *r) {
  for (int id = 1; id <= r->count; id++) {
    char words[32];
    snprintf(words, sizeof words, "heat %d 30", id);
    type(r, words);
  }
  cycles(r, 0.2, 1, 2);
}

/* Heat is known within `health`, or eight cycles where those take longer, and one or two more: so with an
** alarm's 0.1 s it is noticed within a second where a cycle takes 0.1 s at most. */
static void check_heat(const char *kind, int count, int baud, int samples) {
  rig r;
  if (brio_servo_baud_code(brio_servo_family_find(kind, NULL), baud) < 0) return;
  if (rig_start_at(&r, kind, count, baud) && ready(&r)) {
    double cycle = cycle_of(&r), most = fmax(0.8, 8 * cycle) + 2 * cycle, worst = 0;
    for (int n = 0; n < samples; n++) {
      cycles(&r, 0.2, 1, 0.137); /* at another moment of a round */
      worst = fmax(worst, time_to_know(&r, 1 + n * 5 % count));
      cool(&r);
    }
    CHECK(worst <= most, "%s, %d servos at %d baud, cycles of %.1f ms: known after %.3f s, %.3f s wanted",
          kind, count, baud, cycle * 1e3, worst, most);
  }
  rig_end(&r);
}

/* 18 servos on a slow line; under make soak also fewer, and faster lines. */
static void test_heat_is_known(void) {
  static const int counts[] = {18, 6, 2}, bauds[] = {57600, 115200, 1000000};
  bool all = check_scale() > 1;
  for (int k = 0; k < NKIND; k++)
    for (int c = 0; c < (all ? 3 : 1); c++)
      for (int b = 0; b < (all ? 3 : 2); b++) check_heat(kinds[k], counts[c], bauds[b], all ? 8 : 2);
}

CHECK_SUITE(CHECK_TEST(test_heat_is_known))
