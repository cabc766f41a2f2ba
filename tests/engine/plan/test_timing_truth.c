/* Timings of paths compared with another program's: 100 random paths of seven joints, by toppra (C++ 0.6.2). */
#include "plan/timing/timing.h"
#include "tests/truth.h"

enum { JOINTS = 7, POINTS = 5, GRID = 1001 };

typedef struct problem {
  double at[POINTS], points[POINTS * JOINTS];
  double durations[4];       /* in the order of `columns` */
  double x[2][GRID];         /* of collocation and interpolation, 100 intervals */
} problem;

static const struct {
  const char *duration, *profile;
  brio_timing_scheme scheme;
  int intervals;
} columns[] = {{"duration_collocation_100", "sd2_collocation_100", BRIO_TIMING_COLLOCATION, 100},
               {"duration_interpolation_100", "sd2_interpolation_100", BRIO_TIMING_INTERPOLATION, 100},
               {"duration_collocation_1000", NULL, BRIO_TIMING_COLLOCATION, 1000},
               {"duration_interpolation_1000", NULL, BRIO_TIMING_INTERPOLATION, 1000}};

typedef struct limits { double velocity[JOINTS], acceleration[JOINTS]; } limits;

/* Read the next problem; return what follows it, or NULL after the last one. */
static const char *read_problem(const char *at, problem *p) {
  const char *t = truth_after(at, "t"), *points = t ? truth_after(t, "waypoints") : NULL, *end = points;
  if (!points) return NULL;
  CHECK(truth_numbers(&t, p->at, POINTS) == POINTS, "parameters");
  CHECK(truth_numbers(&end, p->points, POINTS * JOINTS) == POINTS * JOINTS, "points");
  for (int k = 0; k < 4; k++) {
    p->durations[k] = strtod(truth_after(points, columns[k].duration), NULL);
    const char *list = columns[k].profile ? truth_after(points, columns[k].profile) : NULL;
    if (list) CHECK(truth_numbers(&list, p->x[k], GRID) == 101, "profile");
  }
  return end;
}

static bool start(brio_timing *timing, int intervals, const limits *l) {
  brio_error err = {0};
  brio_timing_size size = {.joints = JOINTS, .points = POINTS, .intervals = intervals};
  bool good = brio_timing_start(timing, &size, &err) &&
              brio_timing_set_limits(timing, l->velocity, l->acceleration, &err);
  CHECK(good, "%s", err.message);
  return good;
}

/* Solve a problem; return the duration, or NaN. */
static double solve(brio_timing *timing, const problem *p, brio_timing_scheme scheme) {
  brio_error err = {0};
  brio_timing_options options = {.scheme = scheme};
  bool good = brio_timing_set_path(timing, p->points, p->at, POINTS, BRIO_SPLINE_CLAMPED, &err) &&
              brio_timing_solve(timing, &options, &err);
  CHECK(good, "%s", err.message);
  return good ? timing->duration : NAN;
}

/* The largest share of a limit that the profile uses, at `samples` times. */
static double largest_use(const brio_timing *timing, int samples) {
  double qd[JOINTS], qdd[JOINTS], most = 0;
  for (int k = 0; k <= samples; k++) {
    brio_timing_at(timing, timing->duration * k / samples, NULL, qd, qdd);
    for (int j = 0; j < JOINTS; j++)
      most = fmax(most, fmax(fabs(qd[j]) / timing->velocity[j], fabs(qdd[j]) / timing->acceleration[j]));
  }
  return most;
}

/* What is collected over all problems. */
typedef struct summary {
  double duration[4], profile[2]; /* largest relative differences */
  double use[4], slower_100, slower_1000;
  int count;
} summary;

static void compare(brio_timing timings[2], const problem *p, summary *all) {
  for (int k = 0; k < 4; k++) {
    brio_timing *timing = &timings[columns[k].intervals == 1000];
    double duration = solve(timing, p, columns[k].scheme);
    all->duration[k] = fmax(all->duration[k], fabs(duration / p->durations[k] - 1));
    all->use[k] = fmax(all->use[k], largest_use(timing, 2000));
    for (int i = 0; k < 2 && i <= 100; i++)
      all->profile[k] = fmax(all->profile[k], fabs(timing->x[i] - p->x[k][i]));
  }
  double slower = solve(&timings[0], p, BRIO_TIMING_EVERYWHERE) / p->durations[1] - 1;
  printf("# %g\n", slower);
  all->slower_100 = fmax(all->slower_100, slower);
  double use = largest_use(&timings[0], 5000);
  CHECK(use <= 1 + 1e-6, "problem %d: %.9f of a limit", all->count, use);
  slower = solve(&timings[1], p, BRIO_TIMING_EVERYWHERE) / p->durations[3] - 1;
  all->slower_1000 = fmax(all->slower_1000, slower);
  all->count++;
}

static void agrees_with_reference_values(void) {
  static problem p;
  brio_text text = {0};
  brio_error err;
  brio_timing timings[2];
  char path[512];
  limits l;
  summary all = {0};
  if (!check_shared()) SKIP("no shared reference data");
  snprintf(path, sizeof path, "%s/data/truth/toppra_panda100.json", check_shared());
  bool good = brio_text_read_file(&text, path, 64u << 20, &err);
  CHECK(good, "%s", err.message);
  if (!good) return;
  const char *velocity = truth_after(text.bytes, "vmax"), *acceleration = truth_after(text.bytes, "amax");
  truth_numbers(&velocity, l.velocity, JOINTS);
  truth_numbers(&acceleration, l.acceleration, JOINTS);
  if (start(&timings[0], 100, &l) && start(&timings[1], 1000, &l))
    for (const char *at = truth_after(text.bytes, "problems"); at && (at = read_problem(at, &p));)
      compare(timings, &p, &all);
  printf("#   %d paths; durations differ by", all.count);
  for (int k = 0; k < 4; k++) printf(" %.1e", all.duration[k]);
  printf(", profiles by %.1e %.1e", all.profile[0], all.profile[1]);
  printf(", uses");
  for (int k = 0; k < 4; k++) printf(" %.4f", all.use[k]);
  printf("; everywhere: slower by %.2e (100) %.2e (1000)\n", all.slower_100, all.slower_1000);
  for (int k = 0; k < 2; k++) brio_timing_end(&timings[k]);
  brio_text_end(&text);
}

CHECK_SUITE(CHECK_TEST(agrees_with_reference_values))
