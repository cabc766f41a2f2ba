/* The method of pushes: least steps out of what is near, spread over the points around. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "plan/repair/repair_internal.h"

static const double BAND = 0.01;    /* m: what is so near beyond the target is not pushed into */
static const double STEP = 0.15;    /* rad or m: of a joint, at most in one step */
static const double DAMPING = 1e-5; /* m^2: slopes that are hardly there move nothing far */
enum { STEPS = 8, SWEEPS = 30, SAMPLES = 16 };

/* --- one configuration --- */

/* The quadratic program of a step: rows y >= 0 of the dual. */
typedef struct program {
  int rows, n;
  const double *slopes; /* rows x n */
  double ease[BRIO_JOINTS_PLANNED];
  double need[BRIO_REPAIR_NEAR], y[BRIO_REPAIR_NEAR];
  double a[BRIO_REPAIR_NEAR][BRIO_REPAIR_NEAR];
} program;

/* A = S E S^T, with the damping on its diagonal. */
static void set_matrix(program *p) {
  for (int i = 0; i < p->rows; i++)
    for (int j = 0; j <= i; j++) {
      double sum = i == j ? DAMPING : 0;
      for (int k = 0; k < p->n; k++) sum += p->slopes[i * p->n + k] * p->ease[k] * p->slopes[j * p->n + k];
      p->a[i][j] = p->a[j][i] = sum;
    }
}

/* Solve  A y >= need, y >= 0, y (A y - need) = 0  by projected Gauss-Seidel, and write dx = E S^T y.
** O(sweeps rows^2 + rows n) */
static void solve(program *p, double *dx) {
  set_matrix(p);
  memset(p->y, 0, sizeof p->y);
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (int i = 0; i < p->rows; i++) {
      double left = p->need[i];
      for (int j = 0; j < p->rows; j++) left -= p->a[i][j] * p->y[j];
      p->y[i] = fmax(0, p->y[i] + left / p->a[i][i]);
    }
  for (int k = 0; k < p->n; k++) {
    dx[k] = 0;
    for (int i = 0; i < p->rows; i++) dx[k] += p->ease[k] * p->slopes[i * p->n + k] * p->y[i];
  }
}

/* Hold joints that the step takes beyond a limit; return whether there was one. */
static bool hold_ends(const brio_joint_repair *repair, program *p, const double *x, const double *dx) {
  bool held = false;
  for (int k = 0; k < p->n; k++) {
    double to = x[k] + dx[k];
    if (p->ease[k] == 0 || (to >= repair->space.lower[k] && to <= repair->space.upper[k])) continue;
    p->ease[k] = 0;
    held = true;
  }
  return held;
}

/* Write the least step out of all that is near `x`.  Return how much is missing there, m: the most. */
static double step_out(brio_joint_repair *repair, const double *x, double *dx) {
  program p = {.n = repair->space.n, .slopes = repair->slopes};
  p.rows = brio_joint_checker_near(repair->checker, x, repair->target + BAND, BRIO_REPAIR_NEAR,
                                   repair->contacts, repair->slopes);
  memcpy(p.ease, repair->ease, sizeof p.ease);
  double missing = 0;
  for (int i = 0; i < p.rows; i++) {
    p.need[i] = repair->target - repair->contacts[i].distance;
    missing = fmax(missing, p.need[i]);
  }
  /* A joint at its end is held, and the others do without it. */
  solve(&p, dx);
  for (int k = 0; k < p.n && hold_ends(repair, &p, x, dx); k++) solve(&p, dx);
  double most = 0;
  for (int k = 0; k < p.n; k++) most = fmax(most, fabs(dx[k]));
  for (int k = 0; k < p.n && most > STEP; k++) dx[k] *= STEP / most;
  return missing;
}

/* Append a push of the place `at` of the path, which is at `x`.  Return how much is missing, m. */
static double add_push(brio_joint_repair *repair, double at, const double *x) {
  double to[BRIO_JOINTS_PLANNED], dx[BRIO_JOINTS_PLANNED], first = 0;
  int n = repair->space.n;
  memcpy(to, x, (size_t)n * sizeof *to);
  for (int step = 0; step < STEPS; step++) {
    double missing = step_out(repair, to, dx);
    if (step == 0) first = missing;
    if (missing <= 0.01 * repair->settings.margin) break;
    for (int k = 0; k < n; k++) to[k] += dx[k];
    brio_repair_limit(repair, to);
  }
  assert(repair->npush < 2 * repair->most);
  brio_repair_push *push = &repair->pushes[repair->npush++];
  push->at = at;
  for (int k = 0; k < n; k++) push->way[k] = to[k] - x[k];
  return first;
}

/* Push the deepest place of a blocked motion. */
static double push_motion(brio_joint_repair *repair, int i) {
  const double *from = brio_repair_point(repair, i), *to = brio_repair_point(repair, i + 1);
  double x[BRIO_JOINTS_PLANNED], worst[BRIO_JOINTS_PLANNED], deepest = -1, at = 0;
  for (int s = 1; s < SAMPLES; s++) {
    double t = (double)s / SAMPLES;
    for (int k = 0; k < repair->space.n; k++) x[k] = from[k] + t * (to[k] - from[k]);
    double depth = brio_repair_depth(repair, x);
    if (depth <= deepest) continue;
    deepest = depth, at = t;
    memcpy(worst, x, sizeof worst);
  }
  return add_push(repair, i + at, worst);
}

/* --- the path --- */

/* Return the share of pushes that point `i` takes which is itself clear: near an end less, as that stays. */
static double share_of(const brio_joint_repair *repair, int i) {
  int end = i < repair->count - 1 - i ? i : repair->count - 1 - i;
  return repair->bad[i] || repair->settings.free_ends ? 1 : fmin(1, end / repair->settings.spread);
}

/* Move point `i` by the pushes around it, from number `first` on: their mean, weighed by a Gaussian of the
** distance, where they are many; less, where the weights do not add up to 1. */
static void move_point(brio_joint_repair *repair, int i, int first) {
  double sum = 0, way[BRIO_JOINTS_PLANNED] = {0}, sigma = repair->settings.spread;
  int n = repair->space.n;
  for (int p = first; p < repair->npush && repair->pushes[p].at <= i + 3 * sigma; p++) {
    double far = (repair->pushes[p].at - i) / sigma, weight = exp(-0.5 * far * far);
    sum += weight;
    for (int k = 0; k < n; k++) way[k] += weight * repair->pushes[p].way[k];
  }
  if (sum == 0) return;
  double *x = brio_repair_point(repair, i), share = share_of(repair, i) / fmax(1, sum);
  for (int k = 0; k < n; k++) x[k] += share * way[k];
  brio_repair_limit(repair, x);
  brio_repair_touch(repair, i);
}

/* Pushes are in the order of the path.  O(points x spread). */
double brio_repair_push_out(brio_joint_repair *repair) {
  double missing = 0;
  repair->npush = 0;
  for (int i = 0; i < repair->count; i++) {
    if (repair->bad[i]) missing += add_push(repair, i, brio_repair_point(repair, i));
    if (repair->blocked[i]) missing += push_motion(repair, i);
  }
  for (int i = brio_repair_first(repair), first = 0; i <= brio_repair_last(repair); i++) {
    while (first < repair->npush && repair->pushes[first].at < i - 3 * repair->settings.spread) first++;
    move_point(repair, i, first);
  }
  return missing;
}
