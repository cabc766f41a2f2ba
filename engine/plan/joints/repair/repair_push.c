/* The method of pushes: least steps out of what is near, spread over the points around; what was pushed too
** far comes back, and what no push makes clear is led around. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "plan/joints/repair/repair_internal.h"

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

double brio_repair_step_out(brio_joint_repair *repair, const double *x, double *dx) {
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
    double missing = brio_repair_step_out(repair, to, dx);
    if (step == 0) first = missing;
    if (missing <= 0.01 * repair->settings.margin) break;
    for (int k = 0; k < n; k++) to[k] += dx[k];
    brio_repair_limit(repair, to);
    brio_repair_keep(repair, to);
  }
  if (first <= 0) brio_repair_keep(repair, to);
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
  return repair->bad[i] || repair->settings.free_ends ? 1 : fmin(1, end / repair->spread);
}

/* Move point `i` by the pushes around it, from number `first` on: their mean, weighed by a Gaussian of the
** distance, where they are many; less, where the weights do not add up to 1. */
static void move_point(brio_joint_repair *repair, int i, int first) {
  double sum = 0, way[BRIO_JOINTS_PLANNED] = {0}, sigma = repair->spread;
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
  brio_repair_keep(repair, x);
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
    while (first < repair->npush && repair->pushes[first].at < i - 3 * repair->spread) first++;
    move_point(repair, i, first);
  }
  return missing;
}

/* --- settling: what was pushed farther than it had to be comes back.  All changes are drawn to a share of
** them, and what collides then is pushed out once more, which needs less; as long as that makes the change
** smaller --- */

static const double SHARE = 0.6;  /* of a change, that is kept in a try */
static const double WORTH = 0.98; /* of the change before: less is worth another try */
enum { TRIES = 3, ROUNDS = 8 };

/* Return point `i` as it was given. */
static const double *given(const brio_joint_repair *repair, int i) {
  return repair->before + (size_t)i * (size_t)repair->space.n;
}

/* Return how much was changed: the sum of squares, weighed as pushes are. */
static double change_of(const brio_joint_repair *repair) {
  double sum = 0;
  for (int i = 0; i < repair->count; i++)
    for (int k = 0; k < repair->space.n; k++) {
      double by = brio_repair_point(repair, i)[k] - given(repair, i)[k];
      sum += by * by / repair->ease[k];
    }
  return sum;
}

/* Draw all that was changed back. */
static void draw(brio_joint_repair *repair) {
  size_t n = (size_t)repair->space.n;
  for (int i = brio_repair_first(repair); i <= brio_repair_last(repair); i++) {
    double *x = brio_repair_point(repair, i);
    if (memcmp(x, given(repair, i), n * sizeof *x) == 0) continue;
    for (size_t k = 0; k < n; k++) x[k] = given(repair, i)[k] + SHARE * (x[k] - given(repair, i)[k]);
    /* A point that was beyond its limits does not go back there. */
    brio_repair_limit(repair, x);
    brio_repair_touch(repair, i);
  }
}

/* Draw back and push out; return whether all is clear, with less change than `before`. */
static bool try_once(brio_joint_repair *repair, double before) {
  draw(repair);
  int left = brio_repair_check(repair);
  for (int round = 0; left && round < ROUNDS; round++) {
    brio_repair_push_out(repair);
    left = brio_repair_check(repair);
  }
  return !left && change_of(repair) < before;
}

/* Make the path what it was before a try. */
static void restore(brio_joint_repair *repair) {
  size_t n = (size_t)repair->space.n;
  for (int i = brio_repair_first(repair); i <= brio_repair_last(repair); i++) {
    const double *kept = repair->spare + (size_t)i * n;
    if (memcmp(brio_repair_point(repair, i), kept, n * sizeof *kept) == 0) continue;
    memcpy(brio_repair_point(repair, i), kept, n * sizeof *kept);
    brio_repair_touch(repair, i);
  }
  brio_repair_check(repair);
}

void brio_repair_settle(brio_joint_repair *repair) {
  size_t bytes = (size_t)repair->count * (size_t)repair->space.n * sizeof *repair->spare;
  for (int k = 0; k < TRIES; k++) {
    double before = change_of(repair);
    memcpy(repair->spare, repair->points, bytes);
    if (!try_once(repair, before)) {
      restore(repair);
      return;
    }
    if (change_of(repair) > WORTH * before) return;
  }
}

/* --- ways around: pieces of a path that no push makes clear.  A search finds a way, and the points of the
** piece are laid on it at the same shares of its length as before --- */

enum { NODES = 5000, SHORTENINGS = 60, SLICE = 1000, MOST_PASSES = 200 };

/* Return the distance of two configurations. */
static double apart(const double *a, const double *b, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += (b[k] - a[k]) * (b[k] - a[k]);
  return sqrt(sum);
}

/* Write the point at the length `at` of a path of `count` corners. */
static void place_on(const double *path, int count, int n, double at, double *out) {
  for (int i = 0; i + 1 < count; i++, path += n) {
    double piece = apart(path, path + n, n);
    if (at > piece && i + 2 < count) {
      at -= piece;
      continue;
    }
    double share = piece > 0 ? fmin(1, at / piece) : 0;
    for (int k = 0; k < n; k++) out[k] = path[k] + share * (path[n + k] - path[k]);
    return;
  }
  assert(false);
}

/* Return the length of a path from corner `first` to `last`. */
static double length_of(const double *path, int first, int last, int n) {
  double sum = 0;
  for (int i = first; i < last; i++) {
    const double *corner = path + (size_t)i * (size_t)n;
    sum += apart(corner, corner + n, n);
  }
  return sum;
}

/* Move the points that are nearest to a path's corners onto these, so that motions between points do not cut
** them. */
static void lay_on_corners(brio_joint_repair *repair, int a, int b, const double *path, int count) {
  int n = repair->space.n, next = a + 1;
  for (int c = 1; c + 1 < count; c++) {
    const double *corner = path + (size_t)c * (size_t)n;
    int nearest = next;
    for (int i = next; i < b; i++)
      if (apart(brio_repair_point(repair, i), corner, n) <
          apart(brio_repair_point(repair, nearest), corner, n))
        nearest = i;
    if (nearest >= b) return;
    memcpy(brio_repair_point(repair, nearest), corner, (size_t)n * sizeof *corner);
    next = nearest + 1;
  }
}

/* Lay the points between `a` and `b` on a path, where they were as shares of the way. */
static void lay(brio_joint_repair *repair, int a, int b, const double *path, int count) {
  int n = repair->space.n;
  double whole = length_of(repair->before, a, b, n), length = length_of(path, 0, count - 1, n), gone = 0;
  for (int i = a + 1; i < b; i++) {
    gone += apart(repair->before + (size_t)(i - 1) * (size_t)n, repair->before + (size_t)i * (size_t)n, n);
    double share = whole > 0 ? gone / whole : (double)(i - a) / (b - a);
    place_on(path, count, n, share * length, brio_repair_point(repair, i));
    brio_repair_touch(repair, i);
  }
  lay_on_corners(repair, a, b, path, count);
}

/* Round the corners between two points, which stay: passes of weights 1, 2, 1, whose variances add up to that
** of the spread. */
static void smooth(brio_joint_repair *repair, int a, int b) {
  int n = repair->space.n, passes = (int)(2 * repair->settings.spread * repair->settings.spread);
  for (int pass = 0; pass < passes && pass < MOST_PASSES; pass++) {
    double before[BRIO_JOINTS_PLANNED];
    memcpy(before, brio_repair_point(repair, a), (size_t)n * sizeof *before);
    for (int i = a + 1; i < b; i++)
      for (int k = 0; k < n; k++) {
        double *x = brio_repair_point(repair, i) + k, now = *x;
        *x = (before[k] + 2 * now + x[n]) / 4;
        before[k] = now;
      }
  }
}

/* Whether a path leads to the very numbers of `to`: a circular joint may end whole turns away. */
static bool arrives(const double *end, const double *to, int n) {
  for (int k = 0; k < n; k++)
    if (fabs(end[k] - to[k]) > 1e-6) return false;
  return true;
}

/* Lead the path around from point `a` to `b`, which are clear, rounded if wanted; leave it where there is no
** way. */
static void lead(brio_joint_repair *repair, int a, int b, bool rounded) {
  brio_joint_search_settings settings = brio_joint_search_settings_default();
  settings.checks = repair->settings.checks, settings.nodes = NODES;
  settings.shortenings = SHORTENINGS, settings.alternatives = 0;
  const double *from = brio_repair_point(repair, a), *to = brio_repair_point(repair, b);
  brio_joint_search_request request = {.checker = repair->checker,
                                       .start = from,
                                       .goals = to,
                                       .ngoal = 1,
                                       .seed = repair->settings.seed,
                                       .settings = settings};
  brio_joint_search *search = brio_joint_search_new(&request, NULL);
  if (!search) return;
  while (!brio_joint_search_over(search)) brio_joint_search_work(search, SLICE, NULL);
  int count, n = repair->space.n;
  const double *path = brio_joint_search_path(search, &count);
  if (path && arrives(path, from, n) && arrives(path + (size_t)(count - 1) * (size_t)n, to, n)) {
    lay(repair, a, b, path, count);
    if (rounded) smooth(repair, a, b);
    repair->report.detours++;
  }
  brio_joint_search_free(search);
}

/* Whether something at point `i`, or between it and the next one, is not clear. */
static bool wrong(const brio_joint_repair *repair, int i) {
  return repair->bad[i] || repair->blocked[i];
}

/* Return the first clear point from `i` on in steps of `step`; -1: there is none. */
static int clear_from(const brio_joint_repair *repair, int i, int step) {
  int last = repair->count - 1;
  i = i < 0 ? 0 : i > last ? last : i;
  while (i >= 0 && i <= last && repair->bad[i]) i += step;
  return i > last ? -1 : i;
}

void brio_repair_lead_around(brio_joint_repair *repair, int wider) {
  for (int i = 0; i < repair->count; i++) {
    if (!wrong(repair, i)) continue;
    /* To the end of the piece, across gaps that the widening would close. */
    int last = i;
    for (int k = i; k < repair->count && k <= last + 2 * wider; k++)
      if (wrong(repair, k)) last = k;
    int a = clear_from(repair, i - wider, -1), b = clear_from(repair, last + 1 + wider, 1);
    /* No way begins or ends where something collides, as free ends may. */
    if (b < 0) return;
    /* The last way stays as it is. */
    if (a >= 0) lead(repair, a, b, wider < repair->count);
    i = b;
  }
}
