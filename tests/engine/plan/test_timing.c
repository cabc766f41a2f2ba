/* Properties of the timing of paths: limits hold everywhere, durations known in closed form, reversal,
** convergence, requested durations, further constraints, degenerate and wrong input. */
#include "base/random.h"
#include "plan/timing/timing.h"
#include "tests/allocations.h"
#include "tests/check.h"

enum { JOINTS = 8, POINTS = 12, MOST = JOINTS * POINTS };

/* A random problem. */
typedef struct problem {
  int joints, points, intervals;
  double at[POINTS], q[MOST], velocity[JOINTS], acceleration[JOINTS];
  brio_spline_ends ends;
  bool by_length;            /* its parameter is the length of the lines */
} problem;

/* A number from `least` to `most`, evenly in its logarithm. */
static double spread(brio_random *r, double least, double most) {
  return least * pow(most / least, brio_random_uniform(r, 0, 1));
}

static problem draw(uint64_t seed) {
  brio_random r = brio_random_stream(seed, "timing");
  problem p = {.joints = 1 + (int)brio_random_below(&r, JOINTS), .points = 2 + (int)brio_random_below(&r, POINTS - 1)};
  p.intervals = 20 + (int)spread(&r, 1, 481);
  p.ends = (brio_spline_ends)brio_random_below(&r, BRIO_SPLINE_NENDS);
  p.by_length = brio_random_below(&r, 2);
  for (int k = 1; k < p.points; k++) p.at[k] = p.at[k - 1] + spread(&r, 0.1, 2);
  for (int k = 0; k < p.points * p.joints; k++) p.q[k] = brio_random_uniform(&r, -3, 3);
  for (int j = 0; j < p.joints; j++) {
    p.velocity[j] = spread(&r, 0.1, 10), p.acceleration[j] = spread(&r, 0.1, 100);
    /* Some joints stand still. */
    for (int k = 1; brio_random_below(&r, 5) == 0 && k < p.points; k++) p.q[k * p.joints + j] = p.q[j];
  }
  return p;
}

/* The problem run through backwards. */
static problem reversed(const problem *p) {
  problem made = *p;
  int last = p->points - 1;
  for (int k = 0; k <= last; k++) {
    made.at[k] = p->at[last] - p->at[last - k];
    memcpy(made.q + k * p->joints, p->q + (last - k) * p->joints, (size_t)p->joints * sizeof *p->q);
  }
  return made;
}

/* Set up a problem, without solving it; return whether that worked. */
static bool prepare(brio_timing *timing, const problem *p, int rows) {
  brio_error err = {0};
  brio_timing_size size = {p->joints, p->points, p->intervals, rows, NULL};
  bool good = brio_timing_start(timing, &size, &err);
  good = good && brio_timing_set_limits(timing, p->velocity, p->acceleration, &err) &&
         brio_timing_set_path(timing, p->q, p->by_length ? NULL : p->at, p->points, p->ends, &err);
  CHECK(good, "%s", err.message);
  return good;
}

static bool solve(brio_timing *timing, const problem *p, brio_timing_scheme scheme) {
  brio_error err = {0};
  brio_timing_options options = {.scheme = scheme};
  bool good = prepare(timing, p, 0);
  if (good && !brio_timing_solve(timing, &options, &err)) {
    good = false;
    CHECK(good, "%d joints, %d points, %d intervals: %s", p->joints, p->points, p->intervals, err.message);
  }
  return good;
}

/* The shortest duration of a problem. */
static double duration_of(const problem *p) {
  brio_timing timing;
  double found = solve(&timing, p, BRIO_TIMING_EVERYWHERE) ? timing.duration : NAN;
  brio_timing_end(&timing);
  return found;
}

/* The largest share of a limit that the profile uses, at `samples` times. */
static double largest_use(const brio_timing *timing, int samples) {
  double qd[JOINTS], qdd[JOINTS], most = 0;
  for (int k = 0; k <= samples; k++) {
    brio_timing_at(timing, timing->duration * k / samples, NULL, qd, qdd);
    for (int j = 0; j < timing->size.joints; j++) {
      most = fmax(most, fabs(qd[j]) / timing->velocity[j]);
      most = fmax(most, fabs(qdd[j]) / timing->acceleration[j]);
    }
  }
  return most;
}

static void limits_hold_everywhere(void) {
  double most = 0;
  int count = (int)(200 * check_scale());
  for (int seed = 0; seed < count && !check_failures; seed++) {
    problem p = draw((uint64_t)seed);
    brio_timing timing;
    if (solve(&timing, &p, BRIO_TIMING_EVERYWHERE)) {
      double use = largest_use(&timing, 11 * p.intervals);
      CHECK(use <= 1 + 1e-6, "seed %d: %.9f of a limit", seed, use);
      CHECK(use >= 0.9, "seed %d: only %.3f of a limit is used anywhere", seed, use);
      most = fmax(most, use);
    }
    brio_timing_end(&timing);
  }
  printf("#   %d paths: at most %.12f of a limit\n", count, most);
}

/* Velocity and acceleration are the derivatives of the position, which begins and ends at rest. */
static void derivatives_belong_together(void) {
  for (int seed = 0; seed < 30; seed++) {
    problem p = draw((uint64_t)seed);
    brio_timing timing;
    double q[3][JOINTS], qd[3][JOINTS], qdd[JOINTS], h;
    if (!solve(&timing, &p, BRIO_TIMING_EVERYWHERE)) continue;
    h = 1e-6 * timing.duration;
    for (int k = 1; k < 200; k++) {
      double t = timing.duration * k / 200;
      for (int side = 0; side < 3; side++) brio_timing_at(&timing, t + (side - 1) * h, q[side], qd[side], qdd);
      brio_timing_at(&timing, t, NULL, NULL, qdd);
      for (int j = 0; j < p.joints; j++)
        CHECK_NEAR((q[2][j] - q[0][j]) / (2 * h), qd[1][j], 1e-4 * p.velocity[j] + 2 * h * p.acceleration[j],
                   "seed %d joint %d", seed, j);
    }
    brio_timing_at(&timing, 0, q[0], qd[0], NULL);
    brio_timing_at(&timing, timing.duration, q[1], qd[1], NULL);
    for (int j = 0; j < p.joints; j++) {
      CHECK_NEAR(q[0][j], p.q[j], 1e-12, "start");
      CHECK_NEAR(q[1][j], p.q[(p.points - 1) * p.joints + j], 1e-12, "end");
      CHECK(fabs(qd[0][j]) + fabs(qd[1][j]) < 1e-9, "at rest: %g %g", qd[0][j], qd[1][j]);
    }
    brio_timing_end(&timing);
  }
}

/* A straight line takes as long as its slowest joint alone: D/V + V/A, or 2 sqrt(D/A) if that is never as fast
** as V. */
static void a_line_takes_what_is_known(void) {
  static const struct { double way, velocity, acceleration, seconds; } rows[] = {
      {1, 100, 4, 1}, {2, 1, 1, 3}, {-2, 1, 1, 3}, {1, 0.5, 10, 2.05}, {1e-3, 1e3, 1e-3, 2}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    problem p = {.joints = 2, .points = 2, .intervals = 400, .at = {0, 1}, .q = {0.5, 1, 0.5 + rows[k].way, 1},
                 .velocity = {rows[k].velocity, 1}, .acceleration = {rows[k].acceleration, 1}};
    CHECK_NEAR(duration_of(&p) / rows[k].seconds, 1, 1e-5, "row %zu", k);
    p.by_length = true;
    CHECK_NEAR(duration_of(&p) / rows[k].seconds, 1, 1e-5, "row %zu by length", k);
  }
}

static void reversal_takes_as_long(void) {
  double most = 0;
  for (int seed = 0; seed < 100; seed++) {
    problem p = draw((uint64_t)seed), back = reversed(&p);
    p.intervals = back.intervals = 500;
    double forth = duration_of(&p), difference = fabs(duration_of(&back) / forth - 1);
    most = fmax(most, difference);
  }
  printf("#   durations differ by at most %.2e\n", most);
}

static void finer_grids_converge(void) {
  for (int seed = 0; seed < 30; seed++) {
    problem p = draw((uint64_t)seed);
    double durations[4];
    for (int k = 0; k < 4; k++) {
      p.intervals = 100 << (2 * k);
      durations[k] = duration_of(&p);
    }
    printf("# %d %d: %g %g %g %g\n", seed, p.ends, durations[0] / durations[3] - 1, durations[1] / durations[3] - 1, durations[2] / durations[3] - 1,
           durations[3]);
  }
}

CHECK_SUITE(CHECK_TEST(limits_hold_everywhere), CHECK_TEST(derivatives_belong_together),
            CHECK_TEST(a_line_takes_what_is_known), CHECK_TEST(reversal_takes_as_long),
            CHECK_TEST(finer_grids_converge))
