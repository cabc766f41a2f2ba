/* Following errors: axes whose motors follow raise no alarm, those that stall or lie are found in time, at
** any rate of reports. */
#include <stdint.h>

#include "motor/alarm.h"
#include "motor/follow.h"
#include "tests/check.h"

static const double H = 0.001, LIMIT = 0.3;

static double command_at(double t, double speed) { return sin(t * speed); }

/* A motor that lags behind its command: x' = (command - x) / lag, no faster than `fastest`; once stuck it
** stands still. */
typedef struct motor {
  double x, lag, fastest;
} motor;

static void move(motor *m, double command, bool stuck) {
  double v = fmax(-m->fastest, fmin(m->fastest, (command - m->x) / m->lag));
  if (!stuck) m->x += v * H;
}

/* A device that is asked every `every` s, from `phase` on. An exchange hands over the command for its end,
** after `delay` s in the driver, measures somewhere between, and returns after `takes` s; a share of the
** reports is lost, and some are wrong by `spike`, never two in a row. The axis moves as sin(speed t); from
** `wrong` on it is stuck, or lies. */
typedef struct line {
  double every, takes, phase, lost, delay, spike, speed, wrong, lie, until;
  bool stuck;
  unsigned seed;
} line;

/* A generator of its own, so that every machine has the same cases: splitmix, 0 to 1. */
static double chance(unsigned *seed) {
  uint64_t z = *seed += 0x9E3779B9u;
  z = (z ^ (z >> 16)) * 0x21F0AAADu & 0xFFFFFFFFu;
  z = (z ^ (z >> 15)) * 0x735A2D97u & 0xFFFFFFFFu;
  return (double)(z ^ (z >> 15)) / 4294967296.0;
}

/* What came of it: since when the axis is off (what the motor has got; one that lies: what it got for 0.2 s),
** how many reports were lost from then on, when the alarm came (INFINITY: never), and by how much the bound
** was missed, at most. */
typedef struct found {
  double off, at;
  int lost;
  double late;
} found;

/* The bound of docs/devices/safety.md, with H for each of the steps of this simulation, s after `off`. */
static double bound_of(const line *l, const found *f) {
  return 0.3 + l->delay + (1 + f->lost) * l->every + fmax(0, l->takes - 0.1) + 3 * H;
}

enum { PAST = 512 /* ms of commands that wait in the driver */ };

static found run(line l, motor m) {
  brio_arena arena;
  brio_alarm watch;
  brio_follow follow;
  brio_alarm_axis known = brio_alarm_unknown;
  double sent = 0, began = 0, next = l.phase, returns = INFINITY, looks = INFINITY, seen = 0, heard = 0;
  double waiting[PAST] = {0}, has = 0;
  bool spiked = false;
  found f = {INFINITY, INFINITY, 0, -INFINITY};
  brio_arena_start(&arena, 4096);
  CHECK(brio_alarm_start(&watch, &arena, 1, BRIO_REACTION_HOLD), "memory");
  brio_follow_begin(&follow, 0);
  for (int n = 0; n * H < l.until && isinf(f.at); n++) {
    double t = n * H;
    /* The exchange returns: its report counts, unless it is lost. */
    if (t >= returns - H / 2) {
      bool lost = chance(&l.seed) < l.lost;
      returns = INFINITY;
      brio_follow_step(&follow, sent, began - heard, BRIO_FOLLOW_LAG + l.delay), heard = began;
      if (lost && !isinf(f.off)) f.lost++;
      if (!lost) spiked = l.spike != 0 && !spiked && chance(&l.seed) < 0.02;
      if (!lost) known.error = brio_follow_report(&follow, seen + (spiked ? l.spike : 0));
      if (!lost) known.since = l.every - H;
    }
    if (t >= next - H / 2 && isinf(returns)) {
      sent = command_at(t + l.takes, l.speed), began = t, returns = t + l.takes, next += l.every;
      looks = t + chance(&l.seed) * fmax(0, l.takes - H);
    }
    waiting[n % PAST] = sent;
    has = waiting[(n + PAST - (int)lround(l.delay / H)) % PAST];
    move(&m, has, l.stuck && t >= l.wrong);
    double place = m.x + (t >= l.wrong ? l.lie : 0);
    if (t >= looks - H / 2) seen = place, looks = INFINITY;
    /* One that lies moves, also during the exchange, and looks like one that lags where its command was. */
    bool off = t >= l.wrong && fabs(has - place) > LIMIT;
    for (int k = 0; k * H <= BRIO_FOLLOW_LAG + l.delay && off && !l.stuck; k++)
      off = fabs(waiting[(n + PAST - k) % PAST] - place) > LIMIT + l.speed * l.takes;
    if (!off) f.off = INFINITY, f.lost = 0;
    else if (isinf(f.off)) f.off = t;
    if (off) f.late = fmax(f.late, t - f.off - bound_of(&l, &f));
    if (brio_alarm_step(&watch, 0, &known, H)) f.at = t;
  }
  brio_arena_end(&arena);
  return f;
}

/* The least and the greatest interval between two reports, s; the logarithms of others are spread evenly. */
#define SHORT 0.001
#define LONG 0.2

static line random_line(unsigned seed) {
  line l = {.lost = 0.05, .wrong = INFINITY, .until = 4, .seed = seed};
  l.every = fmax(SHORT, round(SHORT * pow(LONG / SHORT, chance(&l.seed)) / H) * H);
  /* Most lines are asked again at once, others wait for most of the time. */
  l.takes = chance(&l.seed) < 0.6 ? l.every : chance(&l.seed) * l.every;
  l.takes = floor(l.takes / H) * H;
  l.phase = floor(chance(&l.seed) * l.every / H) * H;
  l.speed = 0.3 * pow(10, chance(&l.seed));
  return l;
}

static int cases(int n) { return (int)(n * fmin(check_scale(), 5)); }

static void motors_that_follow_are_not_off(void) {
  for (int k = 0; k < cases(1500); k++) {
    unsigned seed = (unsigned)k * 7919u + 1;
    line l = random_line(seed);
    motor m = {.lag = 0.01 + 0.09 * chance(&seed), .fastest = 6};
    if (k % 3 == 0) l.delay = floor(200 * chance(&seed)) * H;
    if (k % 3 != 0 && k % 2 == 0) l.spike = chance(&seed) < 0.5 ? 0.5 : -0.5;
    found f = run(l, m);
    CHECK(isinf(f.at),
          "case %d: a lag of %g s at %g rad/s, a report every %g s that takes %g s, %g s in the driver, "
          "spikes of %g: an alarm at %g s", k, m.lag, l.speed, l.every, l.takes, l.delay, l.spike, f.at);
  }
}

/* Stalls and lies at 5 to 1000 reports a second, at any phase, of which 5 % are lost. */
static void wrong_axes_are_noticed_in_time(void) {
  double worst = -INFINITY;
  int noticed = 0;
  for (int k = 0; k < cases(4000); k++) {
    unsigned seed = (unsigned)k * 104729u + 3;
    line l = random_line(seed);
    motor m = {.lag = 0.01 + 0.09 * chance(&seed), .fastest = 6};
    l.wrong = 1 + 2 * chance(&seed);
    l.until = l.wrong + 8;
    if (k % 5 == 0) l.delay = floor(200 * chance(&seed)) * H;
    l.stuck = k % 2 == 0;
    if (!l.stuck) l.lie = (chance(&seed) < 0.5 ? -1 : 1) * (0.45 + chance(&seed));
    found f = run(l, m);
    CHECK(f.late <= 0,
          "case %d: %s, %g rad/s, a report every %g s that takes %g, %d lost, %g s in the driver: %g s late",
          k, l.stuck ? "stuck" : "lies", l.speed, l.every, l.takes, f.lost, l.delay, f.late);
    noticed += !isinf(f.at);
    if (!isinf(f.at)) worst = fmax(worst, f.late);
  }
  CHECK(noticed > cases(4000) * 9 / 10, "%d noticed", noticed);
  CHECK(worst > -0.1, "the bound is never approached: %g s", worst);
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

CHECK_SUITE(CHECK_TEST(motors_that_follow_are_not_off), CHECK_TEST(wrong_axes_are_noticed_in_time),
            CHECK_TEST(one_wrong_report_counts_for_nothing),
            CHECK_TEST(a_command_counts_while_time_stands_still), CHECK_TEST(a_grip_may_be_stopped))
