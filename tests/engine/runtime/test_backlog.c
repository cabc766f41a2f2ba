/* The commands that a device gets when threads are late: the targets of a motor side that keeps its limits
** reach a device at random times, with pauses of up to half a second, and are judged in the device's own
** time: over windows of 50 ms, with the arm at its last target after 20 ms of silence. */
#include "runtime/motor/backlog.h"

#include "base/random.h"
#include "motor/axis_limits.h"

#include "tests/check.h"

enum { AXES = 3, MOST = 40000 };

#define PERIOD 0.001
#define PATIENCE 0.02
#define WINDOW 0.05

static const brio_axis limits[AXES] = {
    {.name = "slow", .lower = -2, .upper = 2, .velocity = 0.5, .acceleration = 2},
    {.name = "usual", .lower = -2, .upper = 2, .velocity = 3, .acceleration = 8},
    {.name = "quick", .lower = -2, .upper = 2, .velocity = 6, .acceleration = 16}};

static const double still[AXES] = {0};

typedef struct motor_side {
  brio_random random;
  double x[AXES], v[AXES], goal[AXES];
  double path[MOST][AXES];
  int count;
} motor_side;

typedef struct device_side {
  double at[MOST], x[MOST][AXES]; /* as commanded; before the end of a pause, at rest */
  bool pause[MOST];               /* at rest since the frame before */
  int count;
} device_side;

/* One more period: each axis moves to its goal within its limits; goals change now and then. */
static void work_out(motor_side *m) {
  for (int i = 0; i < AXES; i++) {
    if (brio_random_uniform(&m->random, 0, 1) < 0.002)
      m->goal[i] = 4 * brio_random_uniform(&m->random, 0, 1) - 2;
    brio_axis_limits guard = {limits[i].lower, limits[i].upper, limits[i].velocity, limits[i].acceleration};
    double next = brio_axis_limits_approach(&guard, m->x[i], m->v[i], m->goal[i], PERIOD);
    m->v[i] = (next - m->x[i]) / PERIOD;
    m->x[i] = m->path[m->count][i] = next;
  }
  m->count++;
}

/* Go no farther than braking allows. */
static void brake(motor_side *m) {
  for (int i = 0; i < AXES; i++)
    m->goal[i] = m->x[i] + m->v[i] * fabs(m->v[i]) / (2 * limits[i].acceleration);
}

static void tell(device_side *d, double at, const double *x) {
  double last = d->count > 0 ? d->at[d->count - 1] : at;
  if (at - last > PATIENCE) { /* it was at rest until just before */
    d->at[d->count] = at - 1e-4;
    memcpy(d->x[d->count], d->x[d->count - 1], sizeof *d->x);
    d->pause[d->count++] = true;
  }
  d->pause[d->count] = false;
  d->at[d->count] = at;
  memcpy(d->x[d->count++], x, sizeof *d->x);
}

static double place(const device_side *d, int from, int axis, double at) {
  int k = from;
  while (k + 1 < d->count && d->at[k + 1] <= at) k++;
  if (k + 1 == d->count) return d->x[k][axis];
  double share = (at - d->at[k]) / (d->at[k + 1] - d->at[k]);
  return d->x[k][axis] + share * (d->x[k + 1][axis] - d->x[k][axis]);
}

/* The worst speed and acceleration over windows, as shares of the limits.  The stop that a pause
** makes is not counted. */
static void judge(const device_side *d, double *speed, double *acceleration) {
  *speed = *acceleration = 0;
  for (int k = 1; k < d->count; k++) {
    double end = d->at[k] + 2 * WINDOW;
    bool pause = false;
    for (int j = k; j + 1 < d->count && d->at[j] < end; j++) pause = pause || d->pause[j + 1];
    if (pause || end > d->at[d->count - 1]) continue;
    for (int i = 0; i < AXES; i++) {
      double a = place(d, k, i, d->at[k]), b = place(d, k, i, d->at[k] + WINDOW), c = place(d, k, i, end);
      *speed = fmax(*speed, fabs(b - a) / WINDOW / limits[i].velocity);
      *acceleration = fmax(*acceleration, fabs(c - 2 * b + a) / (WINDOW * WINDOW) / limits[i].acceleration);
    }
  }
}

/* The distance of a position from the line between two targets. */
static double off_piece(const double *a, const double *b, const double *x) {
  int longest = 0;
  double off = 0;
  for (int i = 1; i < AXES; i++)
    if (fabs(b[i] - a[i]) > fabs(b[longest] - a[longest])) longest = i;
  double way = b[longest] - a[longest], share = fabs(way) > 1e-12 ? (x[longest] - a[longest]) / way : 0;
  share = fmin(1, fmax(0, share));
  for (int i = 0; i < AXES; i++) off = fmax(off, fabs(a[i] + share * (b[i] - a[i]) - x[i]));
  return off;
}

/* Whether a position is on the path, at or after target `from`: ahead of the newest target it leaves the path
** by what an acceleration makes in two periods. */
static bool is_on_path(const motor_side *m, const double *x, int *from) {
  for (int k = *from; k + 1 < m->count; k++) {
    if (off_piece(m->path[k], m->path[k + 1], x) > 2 * limits[2].acceleration * PERIOD * PERIOD) continue;
    *from = k > 2 ? k - 2 : k; /* it may be near several pieces */
    return true;
  }
  return false;
}

/* How many frames are not on the path. */
static int off_path(const motor_side *m, const device_side *d) {
  int off = 0;
  for (int k = 0, from = 0; k < d->count; k++) off += !is_on_path(m, d->x[k], &from);
  return off;
}

/* The time of the exchange after that at `now`: woken by the next target a little late, and sometimes after a
** pause of 4 to 490 ms.  After a pause a `slow` driver takes a little longer than a period `*left` times. */
static double next_exchange(motor_side *m, double now, bool pauses, bool slow, int *left) {
  double chance = brio_random_uniform(&m->random, 0, 1);
  if (*left > 0) return --*left, now + 1.08 * PERIOD;
  if (chance >= 0.001 || !pauses) return PERIOD * (m->count + 0.2 * brio_random_uniform(&m->random, 0, 1));
  *left = slow ? 60 : 0;
  return now + 0.004 * exp(4.8 * brio_random_uniform(&m->random, 0, 1));
}

/* A run of 8 s with late exchanges. */
static void run_late(uint64_t seed, bool slow, motor_side *m, device_side *d) {
  brio_motor_backlog backlog;
  double told = 0, x[AXES] = {0}, until = 8;
  memset(m, 0, sizeof *m); /* its path begins at 0, where the device is */
  m->count = 1;
  d->count = 0;
  m->random = brio_random_stream(seed, "backlog");
  CHECK(brio_motor_backlog_start(&backlog, AXES, PERIOD), "memory");
  int left = 0;
  bool waits = false;
  for (double now = PERIOD; now < until + 2;) {
    while (m->count * PERIOD <= now) {
      double lag = brio_motor_backlog_lag(&backlog);
      waits = lag > (waits ? 0 : PATIENCE); /* as the motor side does for the others' sake */
      if (waits || now > until) brake(m);
      work_out(m);
      brio_motor_backlog_put(&backlog, m->x);
    }
    bool stands = now - told > PATIENCE;
    if (stands) brio_motor_backlog_stand(&backlog, x);
    brio_motor_backlog_step(&backlog, limits, stands ? PERIOD : now - told, m->x, m->v, x);
    tell(d, now, x);
    told = now;
    now = next_exchange(m, now, now < until, slow, &left);
  }
  int off = off_path(m, d);
  CHECK(off == 0, "seed %d: %d of %d frames are off the path", (int)seed, off, d->count);
  /* The motor side may still creep: the device is a part of a period behind. */
  CHECK(brio_motor_backlog_lag(&backlog) <= PERIOD, "seed %d: it is %g s late at the end", (int)seed,
        brio_motor_backlog_lag(&backlog));
  for (int i = 0; i < AXES; i++)
    CHECK_NEAR(x[i], m->x[i], 1e-6, "seed %d: axis %d is where it should be", (int)seed, i);
  brio_motor_backlog_end(&backlog);
}

static void limits_hold_in_the_time_of_the_device(void) {
  motor_side *m = malloc(sizeof *m);
  device_side *d = malloc(sizeof *d);
  double worst_speed = 0, worst_acceleration = 0;
  for (int seed = 1; seed <= 20 * check_scale(); seed++) { /* a sample: a thousand in the soak */
    double speed, acceleration;
    bool slow = seed % 2 == 0;
    run_late((uint64_t)seed, slow, m, d);
    judge(d, &speed, &acceleration);
    CHECK(speed <= 1.05 && acceleration <= 1.2, "seed %d: speed %g, acceleration %g of their limits", seed,
          speed, acceleration);
    worst_speed = fmax(worst_speed, speed);
    worst_acceleration = fmax(worst_acceleration, acceleration);
  }
  printf("# over 50 ms, after pauses of up to half a second: speed %.3f, acceleration %.3f of their limits\n",
         worst_speed, worst_acceleration);
  free(m);
  free(d);
}

static void in_time_it_is_told_the_newest(void) {
  brio_motor_backlog backlog;
  double x[AXES] = {NAN, NAN, NAN};
  CHECK(brio_motor_backlog_start(&backlog, AXES, PERIOD), "memory");
  for (int k = 0; k < 1000; k++) {
    double target[AXES] = {0.001 * k, -0.002 * k, k < 500 ? NAN : 1}, speeds[AXES] = {1, -2, 0};
    brio_motor_backlog_put(&backlog, target);
    brio_motor_backlog_step(&backlog, limits, PERIOD, target, speeds, x);
    CHECK(x[0] == target[0] && x[1] == target[1] && (k < 500 ? isnan(x[2]) : x[2] == 1), "period %d", k);
    CHECK(brio_motor_backlog_lag(&backlog) == 0, "period %d", k);
  }
  brio_motor_backlog_end(&backlog);
}

/* After a pause it begins at rest, also where the motor side stood still as well: its targets come in a
** burst, when the device has already gone along those that were there. */
static void a_burst_does_not_end_the_start(void) {
  brio_motor_backlog backlog;
  double x[AXES] = {0}, before[AXES], last[AXES], target[AXES] = {0};
  const double v[AXES] = {0.4, 2.5, 5};
  CHECK(brio_motor_backlog_start(&backlog, AXES, PERIOD), "memory");
  /* In time at first; then a pause, one target, 17 ms without any, and a burst. */
  static const struct { int targets, steps; double h; } course[] = {
      {1, 100, PERIOD}, {0, 1, PERIOD}, {1, 1, 0.017}, {17, 1, PERIOD}, {1, 300, PERIOD}};
  for (int part = 0, k = 0; part < 5; part++)
    for (int n = 0; n < course[part].steps; n++, k++) {
      for (int put = 0; put < course[part].targets; put++) {
        for (int i = 0; i < AXES; i++) target[i] += v[i] * PERIOD;
        brio_motor_backlog_put(&backlog, target);
      }
      memcpy(last, before, sizeof last);
      memcpy(before, x, sizeof before);
      if (part == 1) brio_motor_backlog_stand(&backlog, x);
      brio_motor_backlog_step(&backlog, limits, course[part].h, target, v, x);
      for (int i = 0; i < AXES && part > 2; i++) {
        double left = part == 3 ? 0 : before[i] - last[i]; /* from rest at the burst */
        CHECK(part == 3 ? x[i] - before[i] <= limits[i].acceleration * 0.018 * PERIOD * 1.2
                        : fabs(x[i] - before[i] - left) <= limits[i].acceleration * PERIOD * PERIOD * 1.2,
              "part %d, frame %d of axis %d: %g after %g", part, n, i, x[i] - before[i], left);
      }
    }
  brio_motor_backlog_end(&backlog);
}

/* A frame that was computed and not sent takes no target away: in the end the device is where it should
** be. */
static void what_was_not_sent_is_not_lost(void) {
  brio_motor_backlog backlog;
  double x[AXES] = {0}, target[AXES] = {0}, speeds[AXES] = {0.1, 0.1, 0.1}, unsent[AXES];
  CHECK(brio_motor_backlog_start(&backlog, AXES, PERIOD), "memory");
  for (int k = 0; k < 50; k++) {
    for (int i = 0; i < AXES; i++) target[i] += 1e-4;
    brio_motor_backlog_put(&backlog, target);
    memcpy(unsent, x, sizeof x);
    brio_motor_backlog_step(&backlog, limits, PERIOD, target, speeds, k == 49 ? unsent : x);
  }
  brio_motor_backlog_undo(&backlog);
  brio_motor_backlog_stand(&backlog, x);
  memset(speeds, 0, sizeof speeds);
  for (int k = 0; k < 200; k++) brio_motor_backlog_step(&backlog, limits, PERIOD, target, speeds, x);
  for (int i = 0; i < AXES; i++) CHECK_NEAR(x[i], target[i], 1e-12, "axis %d", i);
  brio_motor_backlog_end(&backlog);
}

static void what_is_told_nothing_now_is_told_nothing(void) {
  brio_motor_backlog backlog;
  double x[AXES] = {0}, newest[AXES] = {NAN, NAN, NAN};
  CHECK(brio_motor_backlog_start(&backlog, AXES, PERIOD), "memory");
  for (int k = 0; k < 100; k++) brio_motor_backlog_put(&backlog, (double[AXES]){0.001 * k, 0, 0});
  brio_motor_backlog_put(&backlog, newest);
  brio_motor_backlog_stand(&backlog, x);
  brio_motor_backlog_step(&backlog, limits, PERIOD, newest, still, x);
  for (int i = 0; i < AXES; i++) CHECK(isnan(x[i]), "axis %d is told %g", i, x[i]);
  brio_motor_backlog_end(&backlog);
}

/* A device that did not return for long got commands before it was lost, and is found where it stood: it does
** not replay what it missed.  `axes` are those that were lost; the others go along their path. */
static void check_found_anew(int axes) {
  brio_motor_backlog backlog;
  double x[AXES] = {0.5, 0.5, 0.5}, newest[AXES], before = 0.5;
  CHECK(brio_motor_backlog_start(&backlog, AXES, PERIOD), "memory");
  for (int k = 0; k < 400; k++) {
    for (int i = 0; i < AXES; i++) newest[i] = i >= axes ? 0.5 + 1e-4 * k : k < 300 ? 0.5 - 1e-3 * k : NAN;
    brio_motor_backlog_put(&backlog, newest);
  }
  brio_motor_backlog_stand(&backlog, x);
  brio_motor_backlog_step(&backlog, limits, PERIOD, newest, still, x);
  for (int i = 0; i < axes; i++) CHECK(isnan(x[i]), "axis %d is told %g", i, x[i]);
  for (int i = 0; i < axes; i++) newest[i] = 0.5;
  for (int k = 0; k < 1000; k++) {
    brio_motor_backlog_put(&backlog, newest);
    brio_motor_backlog_step(&backlog, limits, PERIOD, newest, still, x);
    for (int i = 0; i < axes; i++) CHECK(isnan(x[i]) || x[i] == 0.5, "axis %d is told %g", i, x[i]);
    bool on_its_path = axes == AXES || (x[2] >= before && x[2] - before < 3e-4);
    CHECK(on_its_path, "axis 2 goes from %g to %g", before, x[2]);
    if (axes < AXES) before = x[2];
  }
  for (int i = 0; i < axes; i++) CHECK(x[i] == 0.5, "axis %d is told %g at last", i, x[i]);
  CHECK(brio_motor_backlog_lag(&backlog) == 0, "it has caught up");
  brio_motor_backlog_end(&backlog);
}

static void what_was_told_before_nothing_counts_no_more(void) {
  check_found_anew(AXES);
  check_found_anew(1);
}

/* Threads that wake up to nine tenths of a period late do not make the speed uneven: commands follow the time
** at which they leave, to a quarter of a period. */
static void late_threads_leave_the_speed_even(void) {
  brio_motor_backlog backlog;
  brio_random random = brio_random_stream(5, "threads");
  double x = 0, place = 0, least = INFINITY, most = -INFINITY, last = 0;
  const double v = 0.3; /* within its range */
  CHECK(brio_motor_backlog_start(&backlog, 1, PERIOD), "memory");
  for (int k = 1; k < 5000; k++) {
    double now = k * PERIOD + 0.9 * PERIOD * pow(brio_random_uniform(&random, 0, 1), 4);
    x = v * k * PERIOD;
    brio_motor_backlog_put(&backlog, &x);
    brio_motor_backlog_step(&backlog, &limits[1], now - last, &x, &v, &place);
    /* How far the command is from where its time would have it. */
    if (k > 100) least = fmin(least, place - v * now), most = fmax(most, place - v * now);
    last = now;
  }
  CHECK(most - least < 0.7 * v * PERIOD, "commands are off their time by %g s", (most - least) / v);
  brio_motor_backlog_end(&backlog);
}

/* A device whose exchanges take a little more or less than a period, by the given share, and jitter: it stays
** with a motor side that always moves. */
static void exchanges_of_any_length_keep_up(void) {
  for (double share = 0.3; share < 4; share += 0.1) {
    brio_motor_backlog backlog;
    brio_random random = brio_random_stream(3, "exchanges");
    double x = 0, v = 0, made = 0, most = 0, last = 0, place = 0;
    CHECK(brio_motor_backlog_start(&backlog, 1, PERIOD), "memory");
    for (double t = 0; t < 2; last = t, t += PERIOD * share * brio_random_uniform(&random, 0.9, 1.1)) {
      for (; made < t; made += PERIOD) {
        x = 0.1 * sin(3 * made);
        v = 0.3 * cos(3 * made);
        brio_motor_backlog_put(&backlog, &x);
      }
      brio_motor_backlog_step(&backlog, &limits[1], t - last, &x, &v, &place);
      most = fmax(most, brio_motor_backlog_lag(&backlog));
    }
    CHECK(most < 4 * PERIOD * fmax(1, share), "exchanges of %g periods: %g s behind", share, most);
    brio_motor_backlog_end(&backlog);
  }
}

CHECK_SUITE(CHECK_TEST(exchanges_of_any_length_keep_up), CHECK_TEST(limits_hold_in_the_time_of_the_device),
            CHECK_TEST(in_time_it_is_told_the_newest), CHECK_TEST(a_burst_does_not_end_the_start),
            CHECK_TEST(what_was_not_sent_is_not_lost), CHECK_TEST(late_threads_leave_the_speed_even),
            CHECK_TEST(what_is_told_nothing_now_is_told_nothing),
            CHECK_TEST(what_was_told_before_nothing_counts_no_more))
