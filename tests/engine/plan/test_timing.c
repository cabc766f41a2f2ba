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
  bool by_length; /* its parameter is the length of the lines */
} problem;

/* A number from `least` to `most`, evenly in its logarithm. */
static double spread(brio_random *r, double least, double most) {
  return least * pow(most / least, brio_random_uniform(r, 0, 1));
}

static problem draw(uint64_t seed) {
  brio_random r = brio_random_stream(seed, "timing");
  problem p = {.joints = 1 + (int)brio_random_below(&r, JOINTS),
               .points = 2 + (int)brio_random_below(&r, POINTS - 1)};
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
      for (int side = 0; side < 3; side++)
        brio_timing_at(&timing, t + (side - 1) * h, q[side], qd[side], qdd);
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

/* A straight line takes as long as its slowest joint alone: D/V + V/A, or 2 sqrt(D/A) if that is never as
** fast as V. */
static void a_line_takes_what_is_known(void) {
  static const struct {
    double way, velocity, acceleration, seconds;
  } rows[] = {{1, 100, 4, 1}, {2, 1, 1, 3}, {-2, 1, 1, 3}, {1, 0.5, 10, 2.05}, {1e-3, 1e3, 1e-3, 2}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    problem p = {.joints = 2,
                 .points = 2,
                 .intervals = 400,
                 .at = {0, 1},
                 .q = {0.5, 1, 0.5 + rows[k].way, 1},
                 .velocity = {rows[k].velocity, 1},
                 .acceleration = {rows[k].acceleration, 1}};
    CHECK_NEAR(duration_of(&p) / rows[k].seconds, 1, 1e-5, "row %zu", k);
    p.by_length = true;
    CHECK_NEAR(duration_of(&p) / rows[k].seconds, 1, 1e-5, "row %zu by length", k);
  }
}

static void reversal_takes_as_long(void) {
  double most = 0;
  for (int seed = 0; seed < 60; seed++) {
    problem p = draw((uint64_t)seed), back = reversed(&p);
    p.intervals = back.intervals = 500;
    double forth = duration_of(&p), difference = fabs(duration_of(&back) / forth - 1);
    CHECK(difference < 1e-3, "seed %d: %g", seed, difference);
    most = fmax(most, difference);
  }
  printf("#   durations differ by at most %.1e\n", most);
}

static void finer_grids_converge(void) {
  double mean[3] = {0};
  enum { COUNT = 30 };
  for (int seed = 0; seed < COUNT; seed++) {
    problem p = draw((uint64_t)seed);
    double durations[4];
    for (int k = 0; k < 4; k++) {
      p.intervals = 100 << (2 * k);
      durations[k] = duration_of(&p);
    }
    for (int k = 0; k < 3; k++) mean[k] += (durations[k] / durations[3] - 1) / COUNT;
    CHECK(durations[0] > durations[1] && durations[1] > durations[2] && durations[2] > durations[3],
          "seed %d", seed);
    CHECK(durations[2] / durations[3] < 1.005, "seed %d: %g, then %g s", seed, durations[2], durations[3]);
  }
  printf("#   longer than with 6400 intervals: 100 %.1e, 400 %.1e, 1600 %.1e\n", mean[0], mean[1], mean[2]);
  CHECK(mean[1] < mean[0] / 3 && mean[2] < mean[1] / 3, "not in proportion to the width");
}

/* With ends that are clamped the joints rest at any rate of s: the highest is never slower. */
static void clamped_ends_rest_at_any_rate(void) {
  for (int seed = 0; seed < 60; seed++) {
    problem p = draw((uint64_t)seed);
    brio_timing timing;
    brio_error err = {0};
    double qd[2][JOINTS];
    p.ends = BRIO_SPLINE_CLAMPED;
    if (prepare(&timing, &p, 0)) {
      bool good = brio_timing_solve(&timing, &(brio_timing_options){.scheme = BRIO_TIMING_EVERYWHERE}, &err);
      double rested = timing.duration;
      brio_timing_options highest = {.start_rate = INFINITY, .end_rate = INFINITY};
      good = good && brio_timing_solve(&timing, &highest, &err);
      CHECK(good, "%s", err.message);
      CHECK(timing.duration < rested, "seed %d: %g s instead of %g s", seed, timing.duration, rested);
      brio_timing_at(&timing, 0, NULL, qd[0], NULL);
      brio_timing_at(&timing, timing.duration, NULL, qd[1], NULL);
      for (int j = 0; j < p.joints; j++)
        CHECK(fabs(qd[0][j]) + fabs(qd[1][j]) < 1e-9, "at rest: %g %g", qd[0][j], qd[1][j]);
      double use = largest_use(&timing, 2000);
      CHECK(use <= 1 + 1e-6, "seed %d: %.9f of a limit", seed, use);
    }
    brio_timing_end(&timing);
  }
}

static void requested_durations_are_kept(void) {
  for (int seed = 0; seed < 60; seed++) {
    problem p = draw((uint64_t)seed);
    brio_timing timing;
    brio_error err = {0};
    double q[JOINTS], slow[JOINTS];
    if (solve(&timing, &p, BRIO_TIMING_EVERYWHERE)) {
      double shortest = timing.duration, use = largest_use(&timing, 500);
      brio_timing_at(&timing, shortest / 3, q, NULL, NULL);
      CHECK(brio_timing_set_duration(&timing, 3 * shortest, &err), "%s", err.message);
      CHECK_NEAR(timing.duration / shortest, 3, 1e-12, "seed %d", seed);
      CHECK(largest_use(&timing, 500) < use / 2.9, "slower uses less");
      /* One factor: the same position at the same share of the time. */
      brio_timing_at(&timing, shortest, slow, NULL, NULL);
      for (int j = 0; j < p.joints; j++) CHECK_NEAR(slow[j], q[j], 1e-9, "seed %d joint %d", seed, j);
      CHECK(!brio_timing_set_duration(&timing, shortest / 2, &err) && err.code == BRIO_UNREACHABLE,
            "too short");
      CHECK_HAS(err.message, "at least within its limits");
      CHECK_NEAR(timing.duration / shortest, 3, 1e-12, "unchanged");
      CHECK(brio_timing_set_duration(&timing, 0, &err) && timing.duration == shortest, "the shortest again");
    }
    brio_timing_end(&timing);
  }
}

/* Limits of acceleration as rows: two a joint. */
static bool fill_limits(void *context, double s, const double *q, const double *slope, const double *curve,
                        brio_timing_row *rows, brio_error *err) {
  const problem *p = context;
  (void)s, (void)q, (void)err;
  for (int j = 0; j < p->joints; j++) {
    rows[2 * j] = (brio_timing_row){slope[j], curve[j], p->acceleration[j]};
    rows[2 * j + 1] = (brio_timing_row){-slope[j], -curve[j], p->acceleration[j]};
  }
  return true;
}

static void rows_are_constraints_like_limits(void) {
  for (int seed = 0; seed < 40; seed++) {
    problem p = draw((uint64_t)seed), loose = p;
    brio_timing plain, timing;
    brio_error err = {0};
    for (int j = 0; j < p.joints; j++) loose.acceleration[j] = INFINITY;
    for (int k = 1; k < BRIO_TIMING_NSCHEME; k++) {
      brio_timing_options options = {.scheme = (brio_timing_scheme)k, .fill = fill_limits, .context = &p};
      bool good = solve(&plain, &p, options.scheme) && prepare(&timing, &loose, 2 * p.joints);
      good = good && brio_timing_solve(&timing, &options, &err);
      CHECK(good, "%s", err.message);
      CHECK_NEAR(timing.duration / plain.duration, 1, 1e-5, "seed %d, %s", seed, brio_timing_scheme_names[k]);
      brio_timing_end(&plain);
      brio_timing_end(&timing);
    }
  }
}

/* A wagon on a slope: the motor's force, from -10 to its limit, is 2 kg times the acceleration + 4 N. */
static bool fill_slope(void *context, double s, const double *q, const double *slope, const double *curve,
                       brio_timing_row *rows, brio_error *err) {
  double most = *(const double *)context;
  (void)q;
  rows[0] = (brio_timing_row){2 * slope[0], 2 * curve[0], most - 4};
  rows[1] = (brio_timing_row){-2 * slope[0], -2 * curve[0], 10 + 4};
  if (most == 77) return brio_fail(err, BRIO_DEVICE, "no motor at %g", s);
  return true;
}

/* Up by 3 m: accelerating with a = (F - 4) / 2, braking with 7, so that T^2 = 2 * 3 * (1/a + 1/7). */
static void a_force_lifts_in_known_time(void) {
  problem p = {.joints = 1,
               .points = 2,
               .intervals = 1000,
               .at = {0, 1},
               .q = {1, 4},
               .velocity = {100},
               .acceleration = {1000}};
  brio_timing timing;
  brio_error err = {0};
  double most = 10;
  brio_timing_options options = {.fill = fill_slope, .context = &most};
  if (!prepare(&timing, &p, 2)) return;
  CHECK(brio_timing_solve(&timing, &options, &err), "%s", err.message);
  CHECK_NEAR(timing.duration, sqrt(6 * (1.0 / 3 + 1.0 / 7)), 1e-5, "10 N");
  /* Less than its weight: it only gets up with a start, which is then the slowest, too. */
  most = 3.9;
  CHECK(!brio_timing_solve(&timing, &options, &err) && err.code == BRIO_UNREACHABLE, "from rest");
  CHECK_HAS(err.message, "at its start can have a rate of 0.18");
  options.start_rate = 1, options.end_rate = 0.3;
  CHECK(brio_timing_solve(&timing, &options, &err), "%s", err.message);
  double shortest = timing.duration;
  CHECK(brio_timing_set_duration(&timing, shortest * 1.02, &err), "%s", err.message);
  CHECK_NEAR(timing.duration, shortest * 1.02, 1e-9, "between");
  CHECK(!brio_timing_set_duration(&timing, 100, &err) && err.code == BRIO_UNREACHABLE, "it would roll back");
  CHECK_HAS(err.message, "at most within its constraints");
  most = 77;
  CHECK(!brio_timing_solve(&timing, &options, &err) && err.code == BRIO_DEVICE, "what the rows say");
  most = NAN;
  CHECK(!brio_timing_solve(&timing, &options, &err) && err.code == BRIO_MISUSE, "NaN");
  CHECK_HAS(err.message, "constraint 1 at s = 0");
  brio_timing_end(&timing);
}

/* One point, and points that are all the same, take no time, or the requested one. */
static void a_path_without_length_takes_no_time(void) {
  problem p = {.joints = 2,
               .points = 1,
               .intervals = 20,
               .q = {1, 2, 1, 2, 1, 2},
               .velocity = {1, 1},
               .acceleration = {1, 1},
               .by_length = true};
  for (p.points = 1; p.points <= 3; p.points++) {
    brio_timing timing;
    brio_error err = {0};
    double q[2] = {0}, qd[2] = {9, 9}, qdd[2] = {9, 9};
    if (!solve(&timing, &p, BRIO_TIMING_EVERYWHERE)) continue;
    CHECK(timing.duration == 0, "%g s", timing.duration);
    CHECK(brio_timing_set_duration(&timing, 2, &err) && timing.duration == 2, "%s", err.message);
    brio_timing_at(&timing, 1, q, qd, qdd);
    CHECK(q[0] == 1 && q[1] == 2 && qd[0] == 0 && qd[1] == 0 && qdd[0] == 0 && qdd[1] == 0, "it stays");
    brio_timing_end(&timing);
  }
}

/* A path that stands still over a piece of its parameter passes it at once. */
static void a_pause_in_the_parameter_is_passed(void) {
  problem p = {.joints = 1,
               .points = 4,
               .intervals = 90,
               .at = {0, 1, 2, 3},
               .q = {0, 1, 1, 2},
               .velocity = {1},
               .acceleration = {1}};
  CHECK(duration_of(&p) < 5, "%g s", duration_of(&p));
  /* All the same, at parameters that differ: nothing moves. */
  problem rest = {.joints = 1,
                  .points = 2,
                  .intervals = 20,
                  .at = {0, 1},
                  .q = {1, 1},
                  .velocity = {1},
                  .acceleration = {1}};
  CHECK(duration_of(&rest) < 1e-2, "%g s", duration_of(&rest));
}

static const char *const names[] = {"shoulder", "elbow"};

static void expect(bool good, const brio_error *err, const char *piece) {
  CHECK(!good && err->code == BRIO_MISUSE, "expected: %s", piece);
  if (!good) CHECK_HAS(err->message, piece);
}

static void wrong_sizes_are_refused(void) {
  static const brio_timing_size sizes[] = {{0, 1, 2, 0, NULL},
                                           {1, 0, 2, 0, NULL},
                                           {1, 1, 1, 0, NULL},
                                           {1, 1, 2, -1, NULL},
                                           {100000, 1, 2, 0, NULL}};
  static const char *const pieces[] = {"joints", "points", "intervals", "rows", "joints"};
  for (int k = 0; k < 5; k++) {
    brio_timing timing;
    brio_error err = {0};
    expect(brio_timing_start(&timing, &sizes[k], &err), &err, pieces[k]);
  }
}

/* A gigabyte is not taken: it is refused before. */
static void too_much_is_refused(void) {
  brio_timing timing;
  brio_error err = {0};
  bool good = brio_timing_start(&timing, &(brio_timing_size){256, 10, 100000, 0, NULL}, &err);
  CHECK(!good && err.code == BRIO_LIMIT, "constraints");
  good = brio_timing_start(&timing, &(brio_timing_size){256, 100000, 100, 0, NULL}, &err);
  CHECK(!good && err.code == BRIO_LIMIT, "points");
  CHECK_HAS(err.message, "100000 points, 100 intervals and 0 rows of 256 joints are too many");
}

static void wrong_input_is_refused_by_name(void) {
  brio_timing timing;
  brio_error err = {0};
  brio_timing_options options = {0};
  static const double one[] = {1, 1}, points[] = {0, 0, 1, 1, 2, 0, 3, 1};
  CHECK(brio_timing_start(&timing, &(brio_timing_size){2, 4, 2, 0, names}, &err), "%s", err.message);
  expect(brio_timing_solve(&timing, &options, &err), &err, "needs limits");
  const double bad[][2] = {{1, 0}, {1, -1}, {1, NAN}};
  for (int k = 0; k < 3; k++) {
    expect(brio_timing_set_limits(&timing, bad[k], one, &err), &err,
           "velocity limit of elbow must be above 0");
    expect(brio_timing_set_limits(&timing, one, bad[k], &err), &err, "acceleration limit of elbow must be");
  }
  const double none[] = {INFINITY, 1};
  expect(brio_timing_set_limits(&timing, none, none, &err), &err, "shoulder must have a finite limit");
  CHECK(brio_timing_set_limits(&timing, one, none, &err), "%s", err.message);
  expect(brio_timing_solve(&timing, &options, &err), &err, "needs a path");
  const double broken[] = {0, 0, 1, NAN}, level[] = {0, 0};
  expect(brio_timing_set_path(&timing, broken, NULL, 2, 0, &err), &err, "point 2 of the path: elbow must be");
  expect(brio_timing_set_path(&timing, points, level, 2, 0, &err), &err, "parameter 2 of the path");
  expect(brio_timing_set_path(&timing, points, NULL, 5, 0, &err), &err, "1 to 4 points, not 5");
  expect(brio_timing_set_path(&timing, points, NULL, 0, 0, &err), &err, "1 to 4 points, not 0");
  expect(brio_timing_set_path(&timing, points, NULL, 4, 0, &err), &err, "3 pieces needs as many intervals");
  CHECK(brio_timing_set_path(&timing, points, NULL, 2, 0, &err), "%s", err.message);
  expect(brio_timing_set_duration(&timing, 1, &err), &err, "must be solved");
  options.duration = NAN;
  expect(brio_timing_solve(&timing, &options, &err), &err, "duration of a path must be a number");
  options.duration = 0, options.start_rate = -1;
  expect(brio_timing_solve(&timing, &options, &err), &err, "rates at the ends");
  options.start_rate = 1e9;
  CHECK(!brio_timing_solve(&timing, &options, &err) && err.code == BRIO_UNREACHABLE, "too fast at the start");
  CHECK_HAS(err.message, "at its start can have a rate of 0 to");
  brio_timing_end(&timing);
}

/* Numbers of any size: a profile, or an error. */
static void extreme_numbers_are_survived(void) {
  int found = 0;
  for (int seed = 0; seed < 2000; seed++) {
    brio_random r = brio_random_stream((uint64_t)seed, "extreme");
    problem p = draw((uint64_t)seed);
    double size = seed % 10 ? brio_random_uniform(&r, 0, 8) : 300;
    brio_timing timing;
    brio_error err = {0};
    double qd[JOINTS] = {0};
    p.intervals = 30;
    for (int k = 0; k < p.points * p.joints; k++) p.q[k] *= pow(10, brio_random_uniform(&r, -size, size));
    for (int j = 0; j < p.joints; j++) p.velocity[j] = pow(10, brio_random_uniform(&r, -size, size));
    for (int j = 0; j < p.joints; j++) p.acceleration[j] = pow(10, brio_random_uniform(&r, -size, size));
    brio_timing_size sizes = {p.joints, p.points, p.intervals, 0, NULL};
    bool good = brio_timing_start(&timing, &sizes, &err) &&
                brio_timing_set_limits(&timing, p.velocity, p.acceleration, &err) &&
                brio_timing_set_path(&timing, p.q, p.by_length ? NULL : p.at, p.points, p.ends, &err) &&
                brio_timing_solve(&timing, &(brio_timing_options){0}, &err);
    CHECK(good == (err.code == BRIO_OK), "seed %d", seed);
    found += good;
    if (good) brio_timing_at(&timing, timing.duration / 2, NULL, qd, NULL);
    for (int j = 0; j < p.joints; j++)
      CHECK(fabs(qd[j]) <= p.velocity[j] * (1 + 1e-6), "seed %d: %g of %g", seed, qd[j], p.velocity[j]);
    brio_timing_end(&timing);
  }
  CHECK(found > 300, "%d profiles", found);
}

static void nothing_allocates_after_set_up(void) {
  problem p = draw(3);
  brio_timing timing;
  brio_error err = {0};
  double q[JOINTS];
  if (!prepare(&timing, &p, 2 * p.joints)) return;
  size_t before = allocations;
  brio_timing_options options = {.fill = fill_limits, .context = &p};
  bool good = brio_timing_set_limits(&timing, p.velocity, p.acceleration, &err) &&
              brio_timing_set_path(&timing, p.q, p.at, p.points, p.ends, &err) &&
              brio_timing_solve(&timing, &options, &err) &&
              brio_timing_set_duration(&timing, 2 * timing.duration, &err);
  brio_timing_at(&timing, timing.duration / 2, q, NULL, NULL);
  CHECK(good && allocations == before, "%zu allocations %s", allocations - before, err.message);
  brio_timing_end(&timing);
}

static void without_memory_it_says_so(void) {
#ifndef SANITIZED
  brio_timing timing;
  brio_error err = {0};
  allocations_refused_from = allocations + 1, allocations_refused = 100;
  bool good = brio_timing_start(&timing, &(brio_timing_size){2, 3, 100, 0, NULL}, &err);
  allocations_refused_from = allocations_refused = 0;
  CHECK(!good && err.code == BRIO_NO_MEMORY && timing.s == NULL, "no memory");
#endif
}

CHECK_SUITE(CHECK_TEST(limits_hold_everywhere), CHECK_TEST(derivatives_belong_together),
            CHECK_TEST(a_line_takes_what_is_known), CHECK_TEST(reversal_takes_as_long),
            CHECK_TEST(finer_grids_converge), CHECK_TEST(clamped_ends_rest_at_any_rate),
            CHECK_TEST(requested_durations_are_kept), CHECK_TEST(rows_are_constraints_like_limits),
            CHECK_TEST(a_force_lifts_in_known_time), CHECK_TEST(a_path_without_length_takes_no_time),
            CHECK_TEST(a_pause_in_the_parameter_is_passed), CHECK_TEST(wrong_sizes_are_refused),
            CHECK_TEST(too_much_is_refused),
            CHECK_TEST(wrong_input_is_refused_by_name), CHECK_TEST(extreme_numbers_are_survived),
            CHECK_TEST(nothing_allocates_after_set_up), CHECK_TEST(without_memory_it_says_so))
