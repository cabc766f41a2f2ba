/* The constraints of each interval as bounds of u, and the range of x at each gridpoint.
**
** A row a u + b x <= c is divided by a: u + e x <= upper, or >= lower, with e = b / a.  Where a is so small
** that a u does not matter for any u, b x <= c bounds x alone.
**
** Accelerations.  Over an interval of width w let p0, p1, p2 be the coefficients of q' (degree 2) in
** Bernstein's basis, r0 and r1 the values of q'' (degree 1) at the ends.  With x' = x + 2 w u at its end,
** those of the acceleration q' u + q'' x are
**   p0 u + r0 x      p1 u + (r0 x' + r1 x) / 2 = (p1 + w r0) u + (r0 + r1) / 2 x      p2 u + r1 x'
** Collocation has the first, interpolation the first and the last, `everywhere` all three.
**
** Velocities.  A joint needs (q'/v)^2 x <= 1.  Let w0 .. w4 be Bernstein coefficients of (q'/v)^2, of each
** the largest of all joints.  With x linear from x0 to x1, those of the product are
**   c_k = ((5 - k) w_k x0 + k w_(k-1) x1) / 5,  k = 0 .. 5,
** which is linear in x0 and x1, with factors that are not below 0.  So from bounds V0 and V1 that hold at the
** gridpoints, V0 / max c_k and V1 / max c_k hold everywhere.  Where a path turns, w is 0 at a gridpoint, and
** a share of the largest w around it stands for it. */
#include <assert.h>
#include <math.h>

#include "math/scalar.h"
#include "plan/timing/timing_internal.h"

#define NEGLIGIBLE 1e-10 /* share of a constraint that may be left out */
#define ZERO 1e-150      /* factors of u that are 0 */
#define TURN_SHARE 0.5   /* of the largest (q'/v)^2 around a gridpoint, for those where it is less */

enum { WEIGHTS = 5 };

/* Coefficients of q' of a joint over an interval, from its ends. */
typedef struct hull {
  double p0, p1, p2, r0, r1;
} hull;

static hull hull_of(const brio_timing *timing, int i, int j) {
  size_t n = (size_t)timing->size.joints, at = (size_t)i * n + (size_t)j;
  hull h = {timing->slope[at], 0, timing->slope[at + n], timing->curve[at], timing->curve[at + n]};
  h.p1 = h.p0 + (timing->s[i + 1] - timing->s[i]) * h.r0 / 2;
  return h;
}

/* The largest coefficients of (q'/v)^2 of all joints over interval i. */
static void weigh(const brio_timing *timing, int i, double w[WEIGHTS]) {
  for (int k = 0; k < WEIGHTS; k++) w[k] = 0;
  for (int j = 0; j < timing->size.joints; j++) {
    hull h = hull_of(timing, i, j);
    double share = 1 / timing->velocity[j], a = h.p0 * share, b = h.p1 * share, c = h.p2 * share;
    w[0] = brio_max(a * a, w[0]);
    w[1] = brio_max(a * b, w[1]);
    w[2] = brio_max((a * c + 2 * b * b) / 3, w[2]);
    w[3] = brio_max(b * c, w[3]);
    w[4] = brio_max(c * c, w[4]);
  }
}

static double largest(const double w[WEIGHTS]) {
  double most = w[0];
  for (int k = 1; k < WEIGHTS; k++) most = brio_max(w[k], most);
  return most;
}

/* The bound of x at gridpoint i alone. */
static double bound_at(const brio_timing *timing, int i, bool everywhere, double most) {
  const double *before = timing->weights + WEIGHTS * (i - 1), *after = before + WEIGHTS;
  double w = i < timing->size.intervals ? after[0] : before[WEIGHTS - 1], around = 0;
  if (everywhere && i > 0) around = largest(before);
  if (everywhere && i < timing->size.intervals) around = brio_max(largest(after), around);
  w = brio_max(TURN_SHARE * around, w);
  return w * most > 1 ? 1 / w : most;
}

/* The largest c_k with bounds a and b at the ends. */
static double product(const double w[WEIGHTS], double a, double b) {
  double most = w[0] * a;
  for (int k = 1; k <= WEIGHTS; k++) {
    double c = k * w[k - 1] * b;
    if (k < WEIGHTS) c += (WEIGHTS - k) * w[k] * a;
    most = brio_max(c / WEIGHTS, most);
  }
  return most;
}

/* Write the bounds of x by velocities into `ceiling`. */
static void bound_velocities(brio_timing *timing, bool everywhere) {
  int intervals = timing->size.intervals;
  double whole = timing->s[intervals] - timing->s[0], rate = whole / BRIO_TIMING_SOONEST;
  for (int i = 0; i < intervals; i++) weigh(timing, i, timing->weights + (size_t)WEIGHTS * (size_t)i);
  /* Bounds at the gridpoints; then each divided by the larger product of its two intervals. */
  double *bounds = timing->x;
  for (int i = 0; i <= intervals; i++) {
    timing->floor[i] = 0;
    bounds[i] = timing->ceiling[i] = bound_at(timing, i, everywhere, rate * rate);
  }
  for (int i = 0; everywhere && i < intervals; i++) {
    double most = product(timing->weights + (size_t)WEIGHTS * (size_t)i, bounds[i], bounds[i + 1]);
    if (most <= 1) continue;
    timing->ceiling[i] = brio_min(bounds[i] / most, timing->ceiling[i]);
    timing->ceiling[i + 1] = brio_min(bounds[i + 1] / most, timing->ceiling[i + 1]);
  }
}

/* Whether a u does not matter in a constraint: then b x is kept below c by the most that it can be. */
static bool is_negligible(double a, double c, double u) {
  return fabs(a) * u <= NEGLIGIBLE * fabs(c) || fabs(a) <= ZERO;
}

/* Add |a u + b x| <= c to interval i, `u` being above any |u| there. */
static void add_symmetric(brio_timing *timing, int i, double a, double b, double c, double u) {
  double size = fabs(a);
  if (is_negligible(a, c, u)) {
    if (b != 0) timing->ceiling[i] = brio_min((c - size * u) / fabs(b), timing->ceiling[i]);
    return;
  }
  size_t at = (size_t)i * (size_t)timing->stride + (size_t)timing->used[i]++;
  double inverse = 1 / a;
  timing->e[at] = b * inverse;
  timing->upper[at] = c * fabs(inverse);
  timing->lower[at] = -timing->upper[at];
}

/* Add the accelerations of joint j to interval i. */
static void add_acceleration(brio_timing *timing, int i, int j, brio_timing_scheme scheme, double u) {
  hull h = hull_of(timing, i, j);
  double w = timing->s[i + 1] - timing->s[i], limit = timing->acceleration[j];
  if (isinf(limit)) return;
  add_symmetric(timing, i, h.p0, h.r0, limit, u);
  if (scheme == BRIO_TIMING_EVERYWHERE)
    add_symmetric(timing, i, h.p1 + w * h.r0, (h.r0 + h.r1) / 2, limit, u);
  if (scheme != BRIO_TIMING_COLLOCATION) add_symmetric(timing, i, h.p2 + 2 * w * h.r1, h.r1, limit, u);
}

/* Add a u + b x <= c to interval i. */
static void add_row(brio_timing *timing, int i, double a, double b, double c, double u) {
  double *floor = timing->floor + i, *ceiling = timing->ceiling + i;
  if (isinf(c)) return;
  if (is_negligible(a, c, u)) {
    double rest = c - fabs(a) * u;
    if (b > 0) *ceiling = brio_min(rest / b, *ceiling);
    if (b < 0) *floor = brio_max(rest / b, *floor);
    /* Nothing that moves is in it: it holds for all x, or for none. */
    if (b == 0 && c < 0) *ceiling = -1;
    return;
  }
  size_t at = (size_t)i * (size_t)timing->stride + (size_t)timing->used[i]++;
  timing->e[at] = b / a;
  timing->upper[at] = a > 0 ? c / a : INFINITY;
  timing->lower[at] = a > 0 ? -INFINITY : c / a;
}

/* Ask for the further rows of all gridpoints. */
static bool ask_rows(brio_timing *timing, const brio_timing_options *options, brio_error *err) {
  int n = timing->size.joints, rows = timing->size.rows, intervals = timing->size.intervals;
  double q[BRIO_TIMING_JOINTS];
  for (int i = 0; i <= intervals; i++) {
    double s = timing->s[i];
    size_t at = (size_t)i * (size_t)n;
    brio_timing_row *row = timing->extra + (size_t)i * (size_t)rows;
    brio_spline_piece(&timing->path, timing->piece[i < intervals ? i : i - 1], s, q, NULL, NULL);
    if (!options->fill(options->context, s, q, timing->slope + at, timing->curve + at, row, err))
      return false;
    for (int k = 0; k < rows; k++)
      if (!isfinite(row[k].a) || !isfinite(row[k].b) || isnan(row[k].c) || row[k].c == -INFINITY)
        return brio_fail(err, BRIO_MISUSE, "constraint %d at s = %g must have numbers, not a %g, b %g, c %g",
                         k + 1, s, row[k].a, row[k].b, row[k].c);
  }
  return true;
}

/* Add the further rows of both ends of interval i; of its end with x' = x + 2 w u. */
static void add_rows(brio_timing *timing, int i, brio_timing_scheme scheme, double u) {
  int rows = timing->size.rows;
  double w = timing->s[i + 1] - timing->s[i];
  const brio_timing_row *row = timing->extra + (size_t)i * (size_t)rows;
  for (int k = 0; k < rows; k++) add_row(timing, i, row[k].a, row[k].b, row[k].c, u);
  if (scheme == BRIO_TIMING_COLLOCATION) return;
  for (int k = rows; k < 2 * rows; k++)
    add_row(timing, i, row[k].a + 2 * w * row[k].b, row[k].b, row[k].c, u);
}

bool brio_timing_make_rows(brio_timing *timing, const brio_timing_options *options, brio_error *err) {
  int intervals = timing->size.intervals;
  bound_velocities(timing, options->scheme == BRIO_TIMING_EVERYWHERE);
  if (options->fill && timing->size.rows && !ask_rows(timing, options, err)) return false;
  for (int i = 0; i < intervals; i++) {
    /* No |u| is larger, as x at both ends is within its range. */
    double w = timing->s[i + 1] - timing->s[i];
    double u = brio_max(timing->ceiling[i], timing->ceiling[i + 1]) / (2 * w);
    timing->used[i] = 0;
    for (int j = 0; j < timing->size.joints; j++) add_acceleration(timing, i, j, options->scheme, u);
    if (options->fill && timing->size.rows) add_rows(timing, i, options->scheme, u);
    assert(timing->used[i] < timing->stride);
  }
  return true;
}
