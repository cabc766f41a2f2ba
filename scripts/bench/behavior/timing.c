/* How long it takes to time a path: 256 random paths of the Panda through five points, clamped ends, within
** its limits of velocity and acceleration; spline, rows and passes.  Prints one line of JSON a row. */
#include <string.h>

#include "plan/timing/timing.h"
#include "plan/timing/transfer.h"
#include "scripts/bench/bench.h"

enum { JOINTS = 7, POINTS = 5, CALLS = 1024 };

/* Of the Panda's data sheet: rad, rad/s, rad/s^2. */
static const double lower[JOINTS] = {-2.8973, -1.7628, -2.8973, -3.0718, -2.8973, -0.0175, -2.8973};
static const double upper[JOINTS] = {2.8973, 1.7628, 2.8973, -0.0698, 2.8973, 3.7525, 2.8973};
static const double velocity[JOINTS] = {2.175, 2.175, 2.175, 2.175, 2.61, 2.61, 2.61};
static const double acceleration[JOINTS] = {15, 7.5, 10, 12.5, 15, 20, 20};

/* A path: POINTS x JOINTS. */
static void draw(int path, double *points) {
  for (int k = 0; k < POINTS; k++)
    for (int j = 0; j < JOINTS; j++) {
      char name[16];
      snprintf(name, sizeof name, "%d.%d", k, j);
      double share = (bench_uniform(name, path) + 1) / 2;
      points[k * JOINTS + j] = lower[j] + share * (upper[j] - lower[j]);
    }
}

/* Time each path once; `check` is the sum of the durations. */
static bool measure(const char *row, int intervals, brio_timing_scheme scheme) {
  static double times[CALLS], points[BENCH_CONFIGURATIONS][POINTS * JOINTS];
  static const double at[POINTS] = {0, 0.25, 0.5, 0.75, 1};
  brio_timing timing;
  brio_timing_size size = {JOINTS, POINTS, intervals, 0, NULL};
  brio_timing_options options = {.scheme = scheme};
  brio_error err = {0};
  double sum = 0;
  int calls = intervals > 100 ? CALLS / 4 : CALLS;
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) draw(k, points[k]);
  bool good = brio_timing_start(&timing, &size, &err) &&
              brio_timing_set_limits(&timing, velocity, acceleration, &err);
  for (int k = -BENCH_WARM; k < calls && good; k++) {
    double start = bench_clock();
    good = brio_timing_set_path(&timing, points[(k + BENCH_WARM) % BENCH_CONFIGURATIONS], at, POINTS,
                                BRIO_SPLINE_CLAMPED, &err) &&
           brio_timing_solve(&timing, &options, &err);
    if (k >= 0) times[k] = bench_clock() - start, sum += timing.duration;
  }
  if (good)
    bench_print(row, times, calls, sum, 0);
  else
    fprintf(stderr, "timing: %s\n", err.message);
  brio_timing_end(&timing);
  return good;
}

static double sample(void *context, int k) {
  const brio_timing *timing = context;
  double q[JOINTS], qd[JOINTS], qdd[JOINTS];
  brio_timing_at(timing, timing->duration * k / BENCH_CONFIGURATIONS, q, qd, qdd);
  return q[0] + qd[1] + qdd[2];
}

/* Positions, velocities and accelerations at one time. */
static bool measure_sample(void) {
  double points[POINTS * JOINTS];
  brio_timing timing;
  brio_timing_options options = {.scheme = BRIO_TIMING_EVERYWHERE};
  brio_error err = {0};
  draw(0, points);
  bool good = brio_timing_start(&timing, &(brio_timing_size){JOINTS, POINTS, 100, 0, NULL}, &err) &&
              brio_timing_set_limits(&timing, velocity, acceleration, &err) &&
              brio_timing_set_path(&timing, points, NULL, POINTS, BRIO_SPLINE_NATURAL, &err) &&
              brio_timing_solve(&timing, &options, &err);
  if (good) bench_measure("sample", sample, &timing, timing.duration);
  brio_timing_end(&timing);
  return good;
}

/* State to state, 256 problems: positions within the limits, velocities up to half of theirs, or at rest. */
typedef struct transfers {
  brio_transfer_state from[BENCH_CONFIGURATIONS][JOINTS], to[BENCH_CONFIGURATIONS][JOINTS];
  brio_transfer_limits limits[JOINTS];
} transfers;

static void measure_transfers(const char *row, double speed) {
  static transfers all;
  static double times[CALLS];
  double points[POINTS * JOINTS], sum = 0;
  for (int j = 0; j < JOINTS; j++)
    all.limits[j] = (brio_transfer_limits){velocity[j], acceleration[j], 10 * acceleration[j]};
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) {
    draw(k, points);
    for (int j = 0; j < JOINTS; j++) {
      char name[16];
      snprintf(name, sizeof name, "v%d", j);
      double v = speed * velocity[j] * bench_uniform(name, k),
             a = speed * acceleration[j] * bench_uniform(name, -k);
      all.from[k][j] = (brio_transfer_state){points[j], v, a / 2};
      all.to[k][j] = (brio_transfer_state){points[JOINTS + j], v / 2, -a / 3};
    }
  }
  for (int k = -BENCH_WARM; k < CALLS; k++) {
    brio_transfer made[JOINTS];
    brio_error err;
    int at = (k + BENCH_WARM) % BENCH_CONFIGURATIONS;
    double start = bench_clock();
    bool good = brio_transfer_find_all(made, all.from[at], all.to[at], all.limits, JOINTS, NULL, &err);
    if (k >= 0) times[k] = bench_clock() - start;
    sum += good ? made[0].duration : 0;
  }
  bench_print(row, times, CALLS, sum, 0);
}

int main(void) {
  bool good = measure("everywhere", 100, BRIO_TIMING_EVERYWHERE) &&
              measure("interpolation", 100, BRIO_TIMING_INTERPOLATION) &&
              measure("collocation", 100, BRIO_TIMING_COLLOCATION) &&
              measure("everywhere_1000", 1000, BRIO_TIMING_EVERYWHERE) && measure_sample();
  measure_transfers("transfer", 0.5);
  measure_transfers("transfer_rest", 0);
  return good ? 0 : 1;
}
