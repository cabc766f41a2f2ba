/* Repairs: set-up, checks, and the rounds of both methods. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/joints/repair/repair_internal.h"
#include "robot/lever.h"

static const double BEYOND = 1e-4; /* rad or m: the ends may be so far beyond the limits */

/* A joint costs as much as it can move a point, but not less than this share of the joint that can most. */
static const double LEAST_SHARE = 0.2;

/* Rounds without less than this share of what was missing at best: pushing does not help. */
enum { PATIENCE = 5, MOST_DETOURS = 5 };
static const double BETTER = 0.6;

/* Share of the spread at which pushes that did not help are tried once more. */
static const double LEAST_SPREAD = 0.4;

const char *const brio_repair_method_names[BRIO_REPAIR_NMETHOD] = {"push", "swarm"};

brio_repair_settings brio_repair_settings_default(void) {
  return (brio_repair_settings){.margin = 0.002,
                                .spread = 6,
                                .rounds = 100,
                                .checks = 20000,
                                .particles = 50,
                                .iterations = 30,
                                .threshold = 0.2,
                                .radius = 0.3};
}

/* --- set-up --- */

/* Fail unless a setting is within its range; NaN is not. */
static bool within(double value, double lower, double upper, const char *what, brio_error *err) {
  if (value >= lower && value <= upper) return true;
  return brio_fail(err, BRIO_MISUSE, "%s of a repair: %g to %g, not %g", what, lower, upper, value);
}

static bool check_settings(const brio_repair_settings *s, int most, brio_error *err) {
  if (s->method < 0 || s->method >= BRIO_REPAIR_NMETHOD)
    return brio_fail(err, BRIO_MISUSE, "a repair has no method %d", (int)s->method);
  return within(most, 2, BRIO_REPAIR_POINTS, "the points", err) &&
         within(s->margin, 1e-5, 1, "the margin, m,", err) &&
         within(s->spread, 0.1, 1000, "the spread, points,", err) &&
         within(s->rounds, 1, 10000, "the rounds", err) &&
         within((double)s->checks, 0, 1e12, "the checks", err) &&
         within(s->particles, 2, BRIO_REPAIR_PARTICLES, "the particles", err) &&
         within(s->iterations, 1, 10000, "the iterations", err) &&
         within(s->threshold, 0, 1e6, "the threshold", err) &&
         within(s->radius, 1e-6, 100, "the radius", err);
}

/* Weigh each joint by how far it can move a point. */
static bool set_metric(brio_joint_repair *repair, const brio_robot *robot, const int *variables) {
  double *levers = BRIO_TAKE(&repair->arena, double, robot->nvariable + 1), greatest = 0;
  if (!levers) return false;
  brio_robot_variable_levers(robot, levers);
  for (int i = 0; i < repair->space.n; i++) greatest = fmax(greatest, levers[variables[i]]);
  for (int i = 0; i < repair->space.n; i++) {
    double share = greatest > 0 ? fmax(levers[variables[i]] / greatest, LEAST_SHARE) : 1;
    repair->ease[i] = 1 / (share * share);
  }
  return true;
}

static bool take(brio_joint_repair *repair) {
  brio_arena *arena = &repair->arena;
  size_t n = (size_t)repair->space.n, most = (size_t)repair->most;
  repair->points = BRIO_TAKE(arena, double, most *n);
  repair->before = BRIO_TAKE(arena, double, most *n);
  repair->spare = BRIO_TAKE(arena, double, most *n);
  repair->pushes = BRIO_TAKE(arena, brio_repair_push, 2 * most);
  bool *flags = BRIO_TAKE(arena, bool, 4 * most);
  size_t swarm = repair->settings.method == BRIO_REPAIR_SWARM ? (size_t)repair->settings.particles : 0;
  repair->particles = BRIO_TAKE(arena, double, swarm *(3 * n + 1) + 1);
  if (!repair->points || !repair->before || !repair->spare || !repair->pushes || !flags || !repair->particles)
    return false;
  repair->stale = flags, repair->bad = flags + most;
  repair->unsure = flags + 2 * most, repair->blocked = flags + 3 * most;
  return true;
}

/* Read the ranges of the planned variables. */
static void set_space(brio_joint_space *space, const brio_robot *robot, const int *variables) {
  for (int i = 0; i < space->n; i++) {
    const brio_variable *variable = &robot->variables[variables[i]];
    space->circular[i] = variable->circular;
    space->lower[i] = variable->circular ? -INFINITY : variable->lower;
    space->upper[i] = variable->circular ? INFINITY : variable->upper;
  }
}

brio_joint_repair *brio_joint_repair_new(brio_joint_checker *checker, int most,
                                         const brio_repair_settings *settings, brio_error *err) {
  if (!check_settings(settings, most, err)) return NULL;
  brio_joint_repair *repair = calloc(1, sizeof *repair);
  if (!repair) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a repair of %d points", most);
    return NULL;
  }
  const int *variables;
  const brio_robot *robot = brio_joint_checker_robot(checker);
  brio_arena_start(&repair->arena, 1 << 16);
  repair->checker = checker, repair->settings = *settings, repair->most = most;
  repair->space.n = brio_joint_checker_size(checker, &variables);
  repair->target = brio_joint_checker_clearance(checker) + settings->margin;
  set_space(&repair->space, robot, variables);
  if (!set_metric(repair, robot, variables) || !take(repair)) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a repair of %d points", most);
    brio_joint_repair_free(repair);
    return NULL;
  }
  return repair;
}

void brio_joint_repair_free(brio_joint_repair *repair) {
  if (!repair) return;
  brio_arena_end(&repair->arena);
  free(repair);
}

int brio_joint_repair_size(const brio_joint_repair *repair, int *most) {
  if (most) *most = repair->most;
  return repair->space.n;
}

/* --- checks --- */

void brio_repair_keep(const brio_joint_repair *repair, double *x) {
  /* Where no projection comes to an end, the check of the point does not, either. */
  if (brio_joint_checker_keeps(repair->checker)) brio_joint_checker_project(repair->checker, x);
}

bool brio_repair_limit(const brio_joint_repair *repair, double *x) {
  bool beyond = false;
  for (int k = 0; k < repair->space.n; k++) {
    double kept = fmin(fmax(x[k], repair->space.lower[k]), repair->space.upper[k]);
    beyond |= kept != x[k];
    x[k] = kept;
  }
  return beyond;
}

void brio_repair_touch(brio_joint_repair *repair, int i) {
  assert(i >= brio_repair_first(repair) && i <= brio_repair_last(repair));
  repair->stale[i] = true;
  /* The motions to it and from it. */
  for (int k = i > 0 ? i - 1 : 0; k <= i; k++) {
    repair->unsure[k] = true;
    repair->blocked[k] = false;
  }
}

/* Check the motion from point i to the next. */
static bool motion_clear(brio_joint_repair *repair, int i) {
  double way[BRIO_JOINTS_PLANNED];
  const double *from = brio_repair_point(repair, i), *to = brio_repair_point(repair, i + 1);
  for (int k = 0; k < repair->space.n; k++) way[k] = to[k] - from[k];
  return brio_joint_motion_clear(repair->checker, from, way);
}

int brio_repair_check(brio_joint_repair *repair) {
  int bad = 0, blocked = 0;
  for (int i = 0; i < repair->count; i++) {
    if (repair->stale[i])
      repair->bad[i] = !brio_joint_checker_clear(repair->checker, brio_repair_point(repair, i));
    repair->stale[i] = false;
    bad += repair->bad[i];
  }
  /* Motions cost more: they wait until their ends are clear. */
  if (bad) return bad;
  for (int i = 0; i + 1 < repair->count; i++) {
    if (repair->unsure[i]) repair->blocked[i] = !motion_clear(repair, i);
    repair->unsure[i] = false;
    blocked += repair->blocked[i];
  }
  if (blocked > repair->report.crossing) repair->report.crossing = blocked;
  return blocked;
}

double brio_repair_depth(brio_joint_repair *repair, const double *x) {
  double sum = 0;
  int n =
      brio_joint_checker_near(repair->checker, x, repair->target, BRIO_REPAIR_NEAR, repair->contacts, NULL);
  for (int i = 0; i < n; i++) sum += repair->target - repair->contacts[i].distance;
  return sum;
}

/* --- paths --- */

/* Fail unless all numbers are finite, and both ends may be. */
static bool check_path(const brio_joint_repair *repair, const double *points, int count, brio_error *err) {
  int n = repair->space.n;
  const int *variables;
  brio_joint_checker_size(repair->checker, &variables);
  const brio_variable *list = brio_joint_checker_robot(repair->checker)->variables;
  if (count < 2 || count > repair->most)
    return brio_fail(err, BRIO_MISUSE, "a path of %d points: 2 to %d", count, repair->most);
  for (int i = 0; i < count * n; i++)
    if (!isfinite(points[i]))
      return brio_fail(err, BRIO_MISUSE, "point %d of %d: '%.80s' is not finite", i / n + 1, count,
                       list[variables[i % n]].name);
  for (int end = 0; end < 2 && !repair->settings.free_ends; end++) {
    const double *x = points + (end ? (size_t)(count - 1) * (size_t)n : 0);
    const char *what = end ? "the end" : "the start";
    for (int k = 0; k < n; k++)
      if (x[k] < repair->space.lower[k] - BEYOND || x[k] > repair->space.upper[k] + BEYOND)
        return brio_fail(err, BRIO_UNREACHABLE, "%s: '%.80s' is %.4f, outside its limits %.4f to %.4f", what,
                         list[variables[k]].name, x[k], repair->space.lower[k], repair->space.upper[k]);
    if (!brio_joint_checker_clear(repair->checker, x))
      return brio_joint_checker_explain(repair->checker, x, what, err);
  }
  return true;
}

/* Copy the path, within the limits, with nothing checked yet. */
static void begin(brio_joint_repair *repair, const double *points, int count) {
  size_t bytes = (size_t)count * (size_t)repair->space.n * sizeof *points;
  repair->count = count;
  repair->report = (brio_repair_report){0};
  repair->spread = repair->settings.spread;
  repair->random = brio_random_stream(repair->settings.seed, "joint repair");
  memcpy(repair->before, points, bytes);
  memcpy(repair->points, points, bytes);
  for (int i = brio_repair_first(repair); i <= brio_repair_last(repair); i++)
    repair->report.outside += brio_repair_limit(repair, brio_repair_point(repair, i));
  for (int i = 0; i < count; i++) {
    repair->stale[i] = repair->unsure[i] = true;
    repair->bad[i] = repair->blocked[i] = false;
  }
}

/* Rounds of pushes; where nothing gets better for a while, changes spread less, and then what is left is led
** around, wider each time. */
static int push_rounds(brio_joint_repair *repair, int left) {
  brio_repair_report *report = &repair->report;
  double best = INFINITY;
  int since = 0, around = 0;
  while (left && report->rounds < repair->settings.rounds) {
    double missing = brio_repair_push_out(repair);
    report->rounds++;
    since = missing < BETTER * best ? 0 : since + 1;
    best = fmin(best, missing);
    left = brio_repair_check(repair);
    if (!left || since < PATIENCE) continue;
    if (repair->spread > LEAST_SPREAD * repair->settings.spread) {
      repair->spread *= LEAST_SPREAD;
      best = INFINITY, since = 0;
      continue;
    }
    if (!repair->settings.checks || around == MOST_DETOURS) break;
    /* The last time all of the path. */
    brio_repair_lead_around(repair, ++around == MOST_DETOURS ? repair->count : 1 << around);
    best = INFINITY, since = 0;
    left = brio_repair_check(repair);
  }
  if (!left && report->rounds) brio_repair_settle(repair);
  return left;
}

/* Rounds of swarms, which judge points alone. */
static int swarm_rounds(brio_joint_repair *repair, int left) {
  for (bool bad = left > 0; bad && repair->report.rounds < repair->settings.rounds;) {
    brio_repair_swarm(repair);
    repair->report.rounds++;
    left = brio_repair_check(repair);
    bad = false;
    for (int i = 0; i < repair->count; i++) bad |= repair->bad[i];
  }
  return left;
}

/* Count what was changed. */
static void count_moved(brio_joint_repair *repair) {
  int n = repair->space.n;
  for (int i = 0; i < repair->count; i++) {
    const double *before = repair->before + (size_t)i * (size_t)n;
    double most = 0;
    for (int k = 0; k < n; k++) most = fmax(most, fabs(brio_repair_point(repair, i)[k] - before[k]));
    repair->report.moved += most > 0;
    repair->report.largest = fmax(repair->report.largest, most);
  }
}

/* Fail with the sentence of the first place that is not clear. */
static bool explain(brio_joint_repair *repair, brio_error *err) {
  char what[80];
  int i = 0, n = repair->space.n;
  while (!repair->bad[i] && !repair->blocked[i]) i++;
  assert(i < repair->count);
  double x[BRIO_JOINTS_PLANNED], worst[BRIO_JOINTS_PLANNED], deepest = -1;
  const double *from = brio_repair_point(repair, i), *to = from + n;
  if (repair->bad[i]) {
    snprintf(what, sizeof what, "point %d of %d", i + 1, repair->count);
    return brio_joint_checker_explain(repair->checker, from, what, err);
  }
  /* Of a motion, where it is deepest. */
  for (int step = 0; step <= 16; step++) {
    for (int k = 0; k < n; k++) x[k] = from[k] + step / 16.0 * (to[k] - from[k]);
    double depth = brio_repair_depth(repair, x);
    if (depth <= deepest) continue;
    deepest = depth;
    memcpy(worst, x, sizeof worst);
  }
  snprintf(what, sizeof what, "the motion from point %d to %d of %d", i + 1, i + 2, repair->count);
  return brio_joint_checker_explain(repair->checker, worst, what, err);
}

/* O(rounds x points), each a few distances; searches beside. */
bool brio_joint_repair_path(brio_joint_repair *repair, double *points, int count, brio_repair_report *report,
                            brio_error *err) {
  if (!check_path(repair, points, count, err)) return false;
  begin(repair, points, count);
  int left = brio_repair_check(repair);
  for (int i = 0; i < count; i++) repair->report.colliding += repair->bad[i];
  bool swarm = repair->settings.method == BRIO_REPAIR_SWARM;
  left = swarm ? swarm_rounds(repair, left) : push_rounds(repair, left);
  repair->report.left = left;
  count_moved(repair);
  memcpy(points, repair->points, (size_t)count * (size_t)repair->space.n * sizeof *points);
  if (report) *report = repair->report;
  return left == 0 || explain(repair, err);
}
