/* Timings of paths compared with another program's: 100 random paths of seven joints, by toppra (C++ 0.6.2).
** */
#include "plan/timing/timing.h"
#include "tests/truth.h"

enum { JOINTS = 7, POINTS = 5, GRID = 1001 };

typedef struct problem {
  double at[POINTS], points[POINTS * JOINTS];
  double durations[4]; /* in the order of `columns` */
  double x[2][GRID];   /* of collocation and interpolation, 100 intervals */
} problem;

static const struct {
  const char *duration, *profile;
  brio_timing_scheme scheme;
  int intervals;
} columns[] = {{"duration_collocation_100", "sd2_collocation_100", BRIO_TIMING_COLLOCATION, 100},
               {"duration_interpolation_100", "sd2_interpolation_100", BRIO_TIMING_INTERPOLATION, 100},
               {"duration_collocation_1000", NULL, BRIO_TIMING_COLLOCATION, 1000},
               {"duration_interpolation_1000", NULL, BRIO_TIMING_INTERPOLATION, 1000}};

typedef struct limits {
  double velocity[JOINTS], acceleration[JOINTS];
} limits;

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

/* Solve a problem with a rate of s at both ends; return the duration, or NaN. */
static double solve(brio_timing *timing, const problem *p, brio_timing_scheme scheme, double rate) {
  brio_error err = {0};
  brio_timing_options options = {.scheme = scheme, .start_rate = rate, .end_rate = rate};
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

/* What is collected over all problems: largest relative differences of durations, and differences of
** profiles. */
typedef struct summary {
  double duration[4], profile[2];
  double exceeds;      /* what interpolation uses of a limit between gridpoints */
  double coarse, fine; /* how much longer limits everywhere take, with 100 and 1000 intervals */
  double highest;      /* the same with 100 intervals, not at rest in s at the clamped ends */
  int count;
} summary;

/* The same schemes. */
static void compare_schemes(brio_timing timings[2], const problem *p, summary *all) {
  for (int k = 0; k < 4; k++) {
    brio_timing *timing = &timings[columns[k].intervals == 1000];
    double duration = solve(timing, p, columns[k].scheme, 0);
    all->duration[k] = fmax(all->duration[k], fabs(duration / p->durations[k] - 1));
    if (k == 1) all->exceeds = fmax(all->exceeds, largest_use(timing, 2000));
    for (int i = 0; k < 2 && i <= 100; i++)
      all->profile[k] = fmax(all->profile[k], fabs(timing->x[i] - p->x[k][i]));
  }
}

/* Limits that hold everywhere, beside interpolation. */
static void compare_everywhere(brio_timing timings[2], const problem *p, summary *all) {
  const struct {
    int timing, column;
    double rate, *longer;
  } rows[] = {{0, 1, 0, &all->coarse}, {1, 3, 0, &all->fine}, {0, 3, INFINITY, &all->highest}};
  for (int k = 0; k < 3; k++) {
    brio_timing *timing = &timings[rows[k].timing];
    double duration = solve(timing, p, BRIO_TIMING_EVERYWHERE, rows[k].rate);
    *rows[k].longer = fmax(*rows[k].longer, duration / p->durations[rows[k].column] - 1);
    double use = largest_use(timing, 4000);
    CHECK(use <= 1 + 1e-6, "problem %d: %.9f of a limit", all->count, use);
  }
}

static void check_summary(const summary *all) {
  CHECK(all->count == 100, "%d paths", all->count);
  printf("#   durations differ by");
  for (int k = 0; k < 4; k++) printf(" %.1e", all->duration[k]);
  printf(", profiles by %.1e %.1e; interpolation uses %.3f of limits\n", all->profile[0], all->profile[1],
         all->exceeds);
  printf(
      "#   limits everywhere take longer by %.2e (100 intervals), %.2e (1000), %.2e (100, highest rates)\n",
      all->coarse, all->fine, all->highest);
  for (int k = 0; k < 4; k++) CHECK(all->duration[k] < 1e-5, "%s: %g", columns[k].duration, all->duration[k]);
  for (int k = 0; k < 2; k++) CHECK(all->profile[k] < 1e-8, "%s: %g", columns[k].profile, all->profile[k]);
  CHECK(all->coarse < 1e-2 && all->fine < 1e-3 && all->highest < 1e-2, "limits everywhere");
}

static void agrees_with_reference_values(void) {
  static problem p;
  brio_text text = {0};
  brio_error err;
  brio_timing timings[2];
  char path[512];
  limits l;
  summary all = {.coarse = -1, .fine = -1, .highest = -1};
  if (!check_shared()) SKIP("no shared reference data");
  snprintf(path, sizeof path, "%s/data/truth/toppra_panda100.json", check_shared());
  bool good = brio_text_read_file(&text, path, 64u << 20, &err);
  CHECK(good, "%s", err.message);
  if (!good) return;
  const char *velocity = truth_after(text.bytes, "vmax"), *acceleration = truth_after(text.bytes, "amax");
  truth_numbers(&velocity, l.velocity, JOINTS);
  truth_numbers(&acceleration, l.acceleration, JOINTS);
  if (start(&timings[0], 100, &l) && start(&timings[1], 1000, &l))
    for (const char *at = truth_after(text.bytes, "problems"); at && (at = read_problem(at, &p));
         all.count++) {
      compare_schemes(timings, &p, &all);
      compare_everywhere(timings, &p, &all);
    }
  check_summary(&all);
  for (int k = 0; k < 2; k++) brio_timing_end(&timings[k]);
  brio_text_end(&text);
}

CHECK_SUITE(CHECK_TEST(agrees_with_reference_values))
