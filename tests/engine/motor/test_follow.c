/* Following errors: axes whose motors follow raise no alarm, those that stall or lie are found in time, at
** any rate of reports. */
#include <stdlib.h>

#include "motor/alarm.h"
#include "motor/follow.h"
#include "tests/check.h"

/* two reports are needed, so add two intervals */
static const double H = 0.001, LIMIT = 0.3, BOUND = 0.25;

/* A motor that lags behind its command: x' = (command - x) / lag, no faster than `fastest`; once stuck it
** stands still.  Its driver passes targets on `delay` s late, and reports that. */
typedef struct motor {
  double x, lag, fastest, lie, delay;
  bool stuck;
} motor;

static void move(motor *m, double command) {
  double v = fmax(-m->fastest, fmin(m->fastest, (command - m->x) / m->lag));
  if (!m->stuck) m->x += v * H;
}

static double command_at(double t, double speed) {
  return sin(t * speed);
}

/* Run for `seconds` with a report every `every` s, of which a share is lost; from `wrong` on the motor is
** stuck, or lies.  Return the delay of the alarm after the command was first LIMIT away from the report;
** INFINITY: no alarm. */
static double noticed_after(motor m, double speed, double every, double lost, double wrong, bool stuck,
                            double lie) {
  brio_arena arena;
  brio_alarm watch;
  brio_follow follow;
  brio_alarm_axis known = brio_alarm_unknown;
  double left = INFINITY, next = 0;
  brio_arena_start(&arena, 4096);
  CHECK(brio_alarm_start(&watch, &arena, 1, BRIO_REACTION_HOLD), "memory");
  brio_follow_begin(&follow, 0);
  srand(7);
  for (double t = 0; t < wrong + 10; t += H) {
    double command = command_at(t, speed);
    m.stuck = stuck && t >= wrong;
    m.lie = t >= wrong ? lie : 0;
    move(&m, t < m.delay ? 0 : command_at(t - m.delay, speed));
    brio_follow_step(&follow, command, H, BRIO_FOLLOW_LAG + m.delay);
    if (t >= wrong && isinf(left) && fabs(command - m.x - m.lie) > LIMIT) left = t;
    bool arrives = t >= next && rand() >= lost * RAND_MAX;
    if (t >= next) next += every;
    if (arrives) known.error = brio_follow_report(&follow, m.x + m.lie);
    if (!brio_alarm_step(&watch, 0, &known, H)) continue;
    brio_arena_end(&arena);
    return t - left;
  }
  brio_arena_end(&arena);
  return INFINITY;
}

static const double intervals[] = {0.001, 0.005, 0.02, 0.05, 0.1, 0.2};
enum { INTERVALS = sizeof intervals / sizeof *intervals };

static void motors_that_follow_are_not_off(void) {
  const double lags[] = {0.01, 0.05, 0.1}, speeds[] = {0.3, 1, 3};
  for (int i = 0; i < INTERVALS; i++)
    for (int l = 0; l < 3; l++)
      for (int s = 0; s < 3; s++) {
        motor m = {.lag = lags[l], .fastest = 6};
        double after = noticed_after(m, speeds[s], intervals[i], 0.05, 30, false, 0);
        CHECK(isinf(after), "a lag of %g s at %g rad/s, a report every %g s: %g", lags[l], speeds[s],
              intervals[i], after);
      }
}

static void stalls_are_noticed_in_time(void) {
  const double speeds[] = {0.5, 1, 3};
  for (int i = 0; i < INTERVALS; i++)
    for (int s = 0; s < 3; s++) {
      motor m = {.lag = 0.05, .fastest = 6};
      double after = noticed_after(m, speeds[s], intervals[i], 0, 2.03, true, 0);
      CHECK(after <= BOUND + 2 * intervals[i], "%g rad/s, a report every %g s: after %g s", speeds[s],
            intervals[i], after);
    }
}

static void lies_are_noticed_in_time(void) {
  for (int i = 0; i < INTERVALS; i++)
    for (int side = -1; side <= 1; side += 2) {
      motor m = {.lag = 0.05, .fastest = 6};
      double after = noticed_after(m, 0.3, intervals[i], 0, 2.03, false, 0.9 * side);
      CHECK(after <= BOUND + 2 * intervals[i], "by %g, a report every %g s: after %g s", 0.9 * side,
            intervals[i], after);
    }
}

/* A driver that passes targets on late is not a stall, and delays the detection of one by no
** more than its delay. */
static void a_slow_driver_only_delays(void) {
  const double delays[] = {0.1, 0.2};
  for (int i = 0; i < 2; i++) {
    motor m = {.lag = 0.1, .fastest = 6, .delay = delays[i]}, stuck = m;
    double after = noticed_after(m, 3, 0.05, 0.05, 30, false, 0);
    CHECK(isinf(after), "%g s: off after %g s", delays[i], after);
    after = noticed_after(stuck, 3, 0.05, 0, 2.03, true, 0);
    CHECK(after <= BOUND + delays[i] + 2 * 0.05, "%g s: a stall is found after %g s", delays[i], after);
  }
}

/* Lost reports delay the alarm only until the next one that arrives. */
static void lost_reports_only_delay(void) {
  motor m = {.lag = 0.05, .fastest = 6};
  CHECK(noticed_after(m, 1, 0.02, 0.05, 2.03, true, 0) <= BOUND + 3 * 0.02, "5 %% are lost");
}

static void one_wrong_report_counts_for_nothing(void) {
  brio_follow follow;
  brio_follow_begin(&follow, 0.5);
  CHECK(brio_follow_report(&follow, 0.5) == 0, "where it is told to be");
  CHECK(brio_follow_report(&follow, 1.5) == 0, "one");
  CHECK(brio_follow_report(&follow, 0.5) == 0, "right again");
  brio_follow_report(&follow, 1.5);
  CHECK_NEAR(brio_follow_report(&follow, 1.4), 0.9, 1e-12, "the second in a row");
}

/* Time stops while a device is late, and its commands may yet change. */
static void a_command_counts_while_time_stands_still(void) {
  brio_follow follow;
  brio_follow_begin(&follow, 0);
  for (int n = 0; n < 400; n++) brio_follow_step(&follow, n / 400.0, 0, BRIO_FOLLOW_LAG);
  for (int n = 0; n < 2; n++) CHECK(brio_follow_report(&follow, 0.9) == 0, "where it is commanded to");
  for (int n = 0; n < 2; n++) CHECK(brio_follow_report(&follow, 0) == 0, "where it was commanded to");
  brio_follow_report(&follow, 1.4);
  CHECK_NEAR(brio_follow_report(&follow, 1.4), 1.4 - 399 / 400.0, 1e-12, "beyond both");
}

/* A hand that closes on an object is stopped by it. */
static void a_grip_may_be_stopped(void) {
  brio_arena arena;
  brio_alarm watch;
  brio_alarm_axis off = brio_alarm_unknown;
  int told[2] = {0, 0};
  off.error = 1;
  brio_arena_start(&arena, 4096);
  CHECK(brio_alarm_start(&watch, &arena, 2, BRIO_REACTION_HOLD), "memory");
  watch.grip[1] = true;
  for (int n = 1; n < 2000; n++)
    for (int i = 0; i < 2; i++)
      if (brio_alarm_step(&watch, i, &off, H)) told[i] = n;
  CHECK(told[0] == 50 && told[1] == 0, "after %d and %d ms", told[0], told[1]);
  brio_arena_end(&arena);
}

CHECK_SUITE(CHECK_TEST(motors_that_follow_are_not_off), CHECK_TEST(stalls_are_noticed_in_time),
            CHECK_TEST(lies_are_noticed_in_time), CHECK_TEST(a_slow_driver_only_delays),
            CHECK_TEST(lost_reports_only_delay), CHECK_TEST(one_wrong_report_counts_for_nothing),
            CHECK_TEST(a_command_counts_while_time_stands_still), CHECK_TEST(a_grip_may_be_stopped))
