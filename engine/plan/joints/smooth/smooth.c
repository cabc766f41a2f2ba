/* Path optimization: set-up, and the stages of its rounds. */
#include "plan/joints/smooth/smooth.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/joints/smooth/smooth_internal.h"

static const double BEYOND = 1e-4; /* rad or m: the ends may be so far beyond the limits */
/* 1/m^2: rho at first, of a path that is clear at first, its factor, and at most. */
static const double FIRST = 1e4, CLEAR = 1e4, HARDER = 10, HARDEST = 1e12;
static const double STEADY = 1e-4; /* share of the cost: it no longer falls */
static const double FAR = 0.3;     /* rad or m: a joint goes at most so far in a step */
static const double SLIGHT = 0.1;  /* of the margin: what is missing by less is no fault */
static const double BAND = 0.03;   /* m: what is so near may be touched by a step */
enum { HALVES = 10, STEP_COST = 20, MOTION_COST = 4, PUSHES = 20 };

brio_smooth_settings brio_smooth_settings_default(void) {
  return (brio_smooth_settings){
      .length = 1, .smoothness = 0.01, .margin = 0.005, .rounds = 100, .checks = 20000};
}

/* --- set-up --- */

/* Fail unless a setting is within its range; NaN is not. */
static bool within(double value, double lower, double upper, const char *what, brio_error *err) {
  if (value >= lower && value <= upper) return true;
  return brio_fail(err, BRIO_MISUSE, "%s of an optimization: %g to %g, not %g", what, lower, upper, value);
}

static bool check_settings(const brio_smooth_settings *s, int most, brio_error *err) {
  if (!(within(most, 3, BRIO_SMOOTH_POINTS, "the points", err) &&
        within(s->length, 0, 1e6, "the weight of length", err) &&
        within(s->smoothness, 0, 1e6, "the weight of smoothness", err) &&
        within(s->closeness, 0, 1e6, "the weight of closeness", err) &&
        within(s->margin, 1e-5, 1, "the margin, m,", err) && within(s->rounds, 1, 100000, "the rounds", err)))
    return false;
  if (s->length + s->smoothness + s->closeness > 1e-9) return true;
  return brio_fail(err, BRIO_MISUSE,
                   "an optimization needs a weight above 0: of length, smoothness or closeness");
}

/* Take all memory: points, places with their slopes, and the system in its band. */
static bool take(brio_joint_smooth *s) {
  brio_arena *arena = &s->arena;
  size_t n = (size_t)s->n, most = (size_t)s->most, places = most * (1 + BRIO_SMOOTH_BETWEEN);
  s->given = BRIO_TAKE(arena, double, most *n);
  s->x = BRIO_TAKE(arena, double, most *n);
  s->best = BRIO_TAKE(arena, double, most *n);
  s->step = BRIO_TAKE(arena, double, most *n);
  s->safe = BRIO_TAKE(arena, double, most *n);
  s->blocked = BRIO_TAKE(arena, bool, 2 * most);
  s->between = s->blocked + most;
  s->places = BRIO_TAKE(arena, brio_smooth_place, places);
  s->slopes = BRIO_TAKE(arena, double, places *BRIO_SMOOTH_NEAR *n);
  s->band = BRIO_TAKE(arena, double, most *n * 3 * n);
  s->right = BRIO_TAKE(arena, double, most *n);
  brio_repair_settings settings = brio_repair_settings_default();
  settings.margin = s->settings.margin, settings.checks = s->settings.checks;
  settings.rounds = s->settings.checks ? settings.rounds : PUSHES;
  s->repair = brio_joint_repair_new(s->checker, s->most, &settings, NULL);
  return s->repair && s->given && s->x && s->best && s->step && s->safe && s->blocked && s->places &&
         s->slopes && s->band && s->right;
}

brio_joint_smooth *brio_joint_smooth_new(brio_joint_checker *checker, int most,
                                         const brio_smooth_settings *settings, brio_error *err) {
  if (!check_settings(settings, most, err)) return NULL;
  brio_joint_smooth *smooth = calloc(1, sizeof *smooth);
  if (!smooth) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory to optimize %d points", most);
    return NULL;
  }
  /* Ranges of the variables; circular ones have no ends. */
  const int *variables;
  brio_arena_start(&smooth->arena, 1 << 16);
  smooth->checker = checker, smooth->settings = *settings, smooth->most = most;
  smooth->n = brio_joint_checker_size(checker, &variables);
  for (int k = 0; k < smooth->n; k++) {
    const brio_variable *variable = &brio_joint_checker_robot(checker)->variables[variables[k]];
    smooth->lower[k] = variable->circular ? -INFINITY : variable->lower;
    smooth->upper[k] = variable->circular ? INFINITY : variable->upper;
  }
  if (!take(smooth)) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory to optimize %d points", most);
    brio_joint_smooth_free(smooth);
    return NULL;
  }
  return smooth;
}

void brio_joint_smooth_free(brio_joint_smooth *smooth) {
  if (!smooth) return;
  brio_joint_repair_free(smooth->repair);
  brio_arena_end(&smooth->arena);
  free(smooth);
}

/* Return point `i` of points. */
static double *point(const brio_joint_smooth *smooth, double *points, int i) {
  return points + (size_t)i * (size_t)smooth->n;
}

/* Whether an end may be one. */
static bool check_end(brio_joint_smooth *smooth, const double *x, const char *what, brio_error *err) {
  const int *variables;
  brio_joint_checker_size(smooth->checker, &variables);
  const brio_variable *list = brio_joint_checker_robot(smooth->checker)->variables;
  for (int k = 0; k < smooth->n; k++)
    if (x[k] < smooth->lower[k] - BEYOND || x[k] > smooth->upper[k] + BEYOND)
      return brio_fail(err, BRIO_UNREACHABLE, "%s: '%.80s' is %.4f, outside its limits %.4f to %.4f", what,
                       list[variables[k]].name, x[k], smooth->lower[k], smooth->upper[k]);
  return brio_joint_checker_clear(smooth->checker, x) ||
         brio_joint_checker_explain(smooth->checker, x, what, err);
}

/* Bring the inner points within limits, and to what is kept. */
static void limit(brio_joint_smooth *smooth) {
  bool keeps = brio_joint_checker_keeps(smooth->checker);
  for (int i = 1; i + 1 < smooth->count; i++) {
    double *x = point(smooth, smooth->x, i);
    for (int k = 0; k < smooth->n; k++) x[k] = fmin(fmax(x[k], smooth->lower[k]), smooth->upper[k]);
    /* Where that fails, the proof of its motions does, too. */
    if (keeps) brio_joint_checker_project(smooth->checker, x);
  }
}

/* Return the length of points: the sum of their steps. */
static double length_of(const brio_joint_smooth *smooth, const double *points) {
  double sum = 0;
  for (int i = 0; i + 1 < smooth->count; i++) {
    double step = 0;
    for (int k = 0; k < smooth->n; k++) {
      double d = points[(i + 1) * smooth->n + k] - points[i * smooth->n + k];
      step += d * d;
    }
    sum += sqrt(step);
  }
  return sum;
}

/* List the places whose distances count: all inner points, and some of the motions that were ever blocked. */
static void list_places(brio_joint_smooth *smooth) {
  smooth->nplace = 0;
  for (int i = 0; i + 1 < smooth->count; i++) {
    if (i > 0) smooth->places[smooth->nplace++] = (brio_smooth_place){.i = i};
    for (int k = 1; k <= BRIO_SMOOTH_BETWEEN && smooth->between[i]; k++)
      smooth->places[smooth->nplace++] =
          (brio_smooth_place){.i = i, .share = k / (double)(BRIO_SMOOTH_BETWEEN + 1)};
  }
  smooth->stage = BRIO_SMOOTH_LOOKS;
  smooth->at = 0;
}

bool brio_joint_smooth_begin(brio_joint_smooth *smooth, const double *points, int count, brio_error *err) {
  int n = smooth->n;
  /* What is wrong with the path is said before anything is changed. */
  if (count < 3 || count > smooth->most)
    return brio_fail(err, BRIO_MISUSE, "a path of %d points: 3 to %d", count, smooth->most);
  for (int i = 0; i < count * n; i++)
    if (!isfinite(points[i]))
      return brio_fail(err, BRIO_MISUSE, "point %d of %d is not finite", i / n + 1, count);
  if (!check_end(smooth, points, "the start", err) ||
      !check_end(smooth, points + (size_t)(count - 1) * (size_t)n, "the end", err))
    return false;
  /* Closeness is to these points, whatever is done to them. */
  size_t bytes = (size_t)count * (size_t)n * sizeof *points;
  smooth->count = count;
  memcpy(smooth->given, points, bytes);
  memcpy(smooth->x, points, bytes);
  limit(smooth);
  /* Where pushes make it clear, it begins there, and that is a path to fall back on. */
  memcpy(smooth->safe, smooth->x, bytes);
  smooth->is_safe = brio_joint_repair_path(smooth->repair, smooth->safe, count, NULL, NULL);
  if (smooth->is_safe) memcpy(smooth->x, smooth->safe, bytes);
  memcpy(smooth->best, smooth->x, bytes);
  /* Nothing is known of the motions yet. */
  memset(smooth->between, 0, (size_t)count * sizeof *smooth->between);
  smooth->report = (brio_smooth_report){.before = length_of(smooth, points)};
  smooth->status = BRIO_SEARCH_GOES_ON;
  smooth->rho = smooth->is_safe ? CLEAR : FIRST, smooth->steps = false, smooth->cost = INFINITY;
  smooth->target = brio_joint_checker_clearance(smooth->checker) + smooth->settings.margin;
  list_places(smooth);
  return true;
}

/* --- rounds --- */

/* Measure a place. */
static void look(brio_joint_smooth *smooth, brio_smooth_place *place) {
  double at[BRIO_JOINTS_PLANNED];
  /* The point itself, or between it and the next one. */
  const double *a = point(smooth, smooth->x, place->i);
  brio_joint_contact contacts[BRIO_SMOOTH_NEAR];
  size_t number = (size_t)(place - smooth->places);
  for (int k = 0; k < smooth->n; k++)
    at[k] = place->share == 0 ? a[k] : a[k] + place->share * (a[smooth->n + k] - a[k]);
  place->rows =
      brio_joint_checker_near(smooth->checker, at, smooth->target + BAND, BRIO_SMOOTH_NEAR, contacts,
                              smooth->slopes + number * BRIO_SMOOTH_NEAR * (size_t)smooth->n);
  for (int r = 0; r < place->rows; r++) place->lack[r] = smooth->target - contacts[r].distance;
  smooth->report.looks++;
}

/* Set the points to a share of the step from the best ones. */
static void try_step(brio_joint_smooth *smooth) {
  size_t all = (size_t)smooth->count * (size_t)smooth->n;
  for (size_t i = 0; i < all; i++) smooth->x[i] = smooth->best[i] + smooth->share * smooth->step[i];
  limit(smooth);
  smooth->steps = true;
  smooth->stage = BRIO_SMOOTH_LOOKS;
  smooth->at = 0;
}

/* The cost no longer falls: prove the motions of the best points. */
static void settle(brio_joint_smooth *smooth) {
  memcpy(smooth->x, smooth->best, (size_t)smooth->count * (size_t)smooth->n * sizeof *smooth->x);
  smooth->steps = false;
  smooth->stage = BRIO_SMOOTH_PROVES;
  smooth->at = 0;
  smooth->report.blocked = 0;
  memset(smooth->blocked, 0, (size_t)smooth->count * sizeof *smooth->blocked);
}

/* What is missing at most, m. */
static double missing_of(const brio_joint_smooth *smooth) {
  double most = 0;
  for (int p = 0; p < smooth->nplace; p++)
    for (int r = 0; r < smooth->places[p].rows; r++) most = fmax(most, smooth->places[p].lack[r]);
  return most;
}

/* All places were looked at: judge the step, and make the next one. */
static void step(brio_joint_smooth *smooth) {
  double cost = brio_smooth_cost(smooth), before = smooth->cost;
  /* A step that makes it worse is halved; where none is better, that is as far as it goes. */
  if (smooth->steps && !(cost < before)) {
    smooth->share /= 2;
    if (++smooth->halves > HALVES)
      settle(smooth);
    else
      try_step(smooth);
    return;
  }
  memcpy(smooth->best, smooth->x, (size_t)smooth->count * (size_t)smooth->n * sizeof *smooth->x);
  smooth->cost = cost;
  smooth->report.missing = missing_of(smooth);
  /* From the best points: no further step, or the next one. */
  bool steady = smooth->steps && cost > (1 - STEADY) * before;
  if (steady || smooth->report.rounds == smooth->settings.rounds || !brio_smooth_solve(smooth)) {
    settle(smooth);
    return;
  }
  /* Slopes do not hold far away. */
  double most = 0;
  for (int i = 0; i < smooth->count * smooth->n; i++) most = fmax(most, fabs(smooth->step[i]));
  smooth->report.rounds++;
  smooth->share = most > FAR ? FAR / most : 1, smooth->halves = 0;
  try_step(smooth);
}

/* All motions were looked at: the end, or what is near counts for more. */
static void judge(brio_joint_smooth *smooth) {
  if (smooth->report.blocked == 0) {
    smooth->status = BRIO_SEARCH_FOUND;
    return;
  }
  if (smooth->report.rounds >= smooth->settings.rounds || smooth->rho >= HARDEST) {
    /* The path as it was pushed out is clear, if not as good. */
    smooth->status = smooth->is_safe ? BRIO_SEARCH_FOUND : BRIO_SEARCH_FAILED;
    if (!smooth->is_safe) return;
    memcpy(smooth->best, smooth->safe, (size_t)smooth->count * (size_t)smooth->n * sizeof *smooth->best);
    smooth->report.blocked = 0;
    return;
  }
  /* Where nothing is missing and motions are blocked all the same, they get places of their own. */
  if (smooth->report.missing > SLIGHT * smooth->settings.margin) smooth->rho *= HARDER;
  smooth->rho *= HARDER;
  smooth->cost = INFINITY;
  list_places(smooth);
}

/* Prove a motion. */
static void prove(brio_joint_smooth *smooth, int i) {
  double delta[BRIO_JOINTS_PLANNED];
  const double *from = point(smooth, smooth->x, i);
  for (int k = 0; k < smooth->n; k++) delta[k] = from[smooth->n + k] - from[k];
  smooth->blocked[i] = !brio_joint_checker_clear(smooth->checker, from) ||
                       !brio_joint_motion_clear(smooth->checker, from, delta);
  smooth->between[i] |= smooth->blocked[i];
  smooth->report.blocked += smooth->blocked[i];
}

/* --- stages: each works a little, and returns what it costs --- */

/* One place. */
static int work_looks(brio_joint_smooth *smooth) {
  if (smooth->at == smooth->nplace) {
    smooth->stage = BRIO_SMOOTH_STEPS;
    return 1;
  }
  look(smooth, &smooth->places[smooth->at++]);
  return 1;
}

/* The system of all points. */
static int work_steps(brio_joint_smooth *smooth) {
  step(smooth);
  return STEP_COST;
}

/* One motion. */
static int work_proofs(brio_joint_smooth *smooth) {
  if (smooth->at + 1 == smooth->count) {
    judge(smooth);
    return 1;
  }
  prove(smooth, smooth->at++);
  return MOTION_COST;
}

static int (*const stages[])(brio_joint_smooth *) = {
    [BRIO_SMOOTH_LOOKS] = work_looks, [BRIO_SMOOTH_STEPS] = work_steps, [BRIO_SMOOTH_PROVES] = work_proofs};

/* The sentence of the first motion that is blocked: its deepest place. */
static void explain(brio_joint_smooth *smooth, brio_error *err) {
  int i = 0, n = smooth->n;
  while (i + 2 < smooth->count && !smooth->blocked[i]) i++;
  /* Nine places of it. */
  double worst[BRIO_JOINTS_PLANNED], least = INFINITY;
  const double *from = point(smooth, smooth->x, i);
  for (int s = 0; s <= 8; s++) {
    double at[BRIO_JOINTS_PLANNED];
    for (int k = 0; k < n; k++) at[k] = from[k] + s / 8.0 * (from[n + k] - from[k]);
    double distance = brio_joint_checker_nearest(smooth->checker, at).distance;
    if (s > 0 && !(distance < least)) continue;
    least = distance;
    memcpy(worst, at, sizeof worst);
  }
  char what[80];
  snprintf(what, sizeof what, "the motion from point %d to %d of %d", i + 1, i + 2, smooth->count);
  brio_joint_checker_explain(smooth->checker, worst, what, err);
}

brio_search_status brio_joint_smooth_work(brio_joint_smooth *smooth, int budget, brio_error *err) {
  assert(smooth->count > 0);
  while (budget > 0 && smooth->status == BRIO_SEARCH_GOES_ON) budget -= stages[smooth->stage](smooth);
  if (smooth->status == BRIO_SEARCH_FAILED && err) explain(smooth, err);
  return smooth->status;
}

const double *brio_joint_smooth_path(const brio_joint_smooth *smooth, int *count) {
  *count = smooth->count;
  return smooth->best;
}

brio_smooth_report brio_joint_smooth_report(const brio_joint_smooth *smooth) {
  brio_smooth_report report = smooth->report;
  report.length = length_of(smooth, smooth->best);
  return report;
}
