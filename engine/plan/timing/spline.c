/* Cubic splines of several joints through given points.  With h the length of a piece, m and m' the second
** derivatives at its ends, x the way from its beginning and y = h - x, a piece is
**   q  = (m y^3 + m' x^3) / 6h + (p/h - m h/6) y + (p'/h - m' h/6) x
** where p and p' are its points.  Equal slopes at inner points are a tridiagonal system for m, the same for
** all joints: it is eliminated once, with as many right sides as joints. */
#include "plan/timing/spline.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const brio_spline_ends_names[BRIO_SPLINE_NENDS] = {"natural", "clamped"};

/* All arrays at once: nothing is taken later. */
bool brio_spline_start(brio_spline *spline, brio_arena *arena, int joints, int most, const char *const *names,
                       brio_error *err) {
  assert(joints > 0 && most > 0);
  *spline = (brio_spline){.joints = joints, .most = most, .names = names};
  spline->at = BRIO_TAKE(arena, double, most);
  spline->points = BRIO_TAKE(arena, double, (size_t)most *(size_t)joints);
  spline->curves = BRIO_TAKE(arena, double, (size_t)most *(size_t)joints);
  spline->factors = BRIO_TAKE(arena, double, most);
  if (!spline->at || !spline->points || !spline->curves || !spline->factors)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for a path of %d points of %d joints", most, joints);
  return true;
}

const char *brio_spline_name(const brio_spline *spline, int joint, char *text, int size) {
  assert(joint >= 0 && joint < spline->joints);
  if (spline->names) return spline->names[joint];
  snprintf(text, (size_t)size, "joint %d", joint + 1);
  return text;
}

/* Whether all is finite and the parameters rise. */
static bool check(const brio_spline *spline, const double *points, const double *at, int count,
                  brio_error *err) {
  char text[32];
  int n = spline->joints;
  if (count < 1 || count > spline->most)
    return brio_fail(err, BRIO_MISUSE, "a path must have 1 to %d points, not %d", spline->most, count);
  for (int i = 0; i < count * n; i++)
    if (!(fabs(points[i]) <= BRIO_SPLINE_MAX_POSITION))
      return brio_fail(err, BRIO_MISUSE, "point %d of the path: %s must be a number within +-%g, not %g",
                       i / n + 1, brio_spline_name(spline, i % n, text, sizeof text),
                       BRIO_SPLINE_MAX_POSITION, points[i]);
  double least = at ? BRIO_SPLINE_MIN_PIECE * fabs(at[count - 1] - at[0]) : 0;
  for (int k = 0; at && k < count; k++)
    if (!(fabs(at[k]) <= BRIO_SPLINE_MAX_PARAMETER) ||
        (k > 0 && !(at[k] > at[k - 1] && at[k] - at[k - 1] >= least)))
      return brio_fail(err, BRIO_MISUSE,
                       "parameter %d of the path must be within +-%g and by %g above the one before, not %g",
                       k + 1, BRIO_SPLINE_MAX_PARAMETER, least, at[k]);
  return true;
}

/* The Euclidean distance of two points. */
static double distance(const double *a, const double *b, int n) {
  double sum = 0;
  for (int j = 0; j < n; j++) sum += (b[j] - a[j]) * (b[j] - a[j]);
  return sqrt(sum);
}

/* The length of the straight lines through all points. */
static double length_of(const double *points, int count, int n) {
  double sum = 0;
  for (int k = 1; k < count; k++, points += n) sum += distance(points, points + n, n);
  return sum;
}

/* Copy the points; without parameters at the length of the lines between them, less those that repeat the one
** before.  The last one takes the place of one that it repeats, so that the path ends there. */
static void copy(brio_spline *spline, const double *points, const double *at, int count) {
  int n = spline->joints, made = 0;
  double least = at ? 0 : BRIO_SPLINE_MIN_PIECE * length_of(points, count, n);
  for (int k = 0; k < count; k++, points += n) {
    double *last = spline->points + (size_t)(made - (made > 0)) * (size_t)n;
    double way = at || made == 0 ? 0 : distance(last, points, n);
    bool repeats = !at && made > 0 && way <= least;
    if (repeats && k < count - 1) continue;
    /* A new point, or new numbers for the last one. */
    if (!repeats) {
      spline->at[made] = at ? at[k] : made > 0 ? spline->at[made - 1] + way : 0;
      last = spline->points + (size_t)made++ * (size_t)n;
    }
    memcpy(last, points, (size_t)n * sizeof *points);
  }
  spline->count = made;
}

/* The jump of slopes at point k of the straight lines: joint j's right side, divided by 6.  At a clamped end
** the line beyond it is level. */
static double jump(const brio_spline *spline, int k, int j) {
  int n = spline->joints, last = spline->count - 1;
  const double *p = spline->points + (size_t)k * (size_t)n + j, *at = spline->at + k;
  double before = k > 0 ? (p[0] - p[-n]) / (at[0] - at[-1]) : 0;
  double after = k < last ? (p[n] - p[0]) / (at[1] - at[0]) : 0;
  return after - before;
}

/* Eliminate from the first row to the last, then solve back. */
static void solve(brio_spline *spline, brio_spline_ends ends) {
  int n = spline->joints, last = spline->count - 1;
  double *m = spline->curves, *c = spline->factors;
  const double *at = spline->at;
  bool free_ends = ends == BRIO_SPLINE_NATURAL;
  for (int k = 0; k <= last; k++, m += n) {
    double before = k > 0 ? at[k] - at[k - 1] : 0, after = k < last ? at[k + 1] - at[k] : 0;
    /* A natural end's row is m = 0. */
    if (free_ends && (k == 0 || k == last)) {
      memset(m, 0, (size_t)n * sizeof *m);
      c[k] = 0;
      continue;
    }
    /* One step of elimination, for the right sides of all joints. */
    double pivot = 2 * (before + after) - (k > 0 ? before * c[k - 1] : 0);
    c[k] = after / pivot;
    for (int j = 0; j < n; j++) m[j] = (6 * jump(spline, k, j) - (k > 0 ? before * m[j - n] : 0)) / pivot;
  }
  /* Back from the last row. */
  for (int k = last - 1; k >= 0; k--) {
    m = spline->curves + (size_t)k * (size_t)n;
    for (int j = 0; j < n; j++) m[j] -= c[k] * m[n + j];
  }
}

bool brio_spline_fit(brio_spline *spline, const double *points, const double *at, int count,
                     brio_spline_ends ends, brio_error *err) {
  assert(ends >= 0 && ends < BRIO_SPLINE_NENDS);
  spline->count = 0;
  if (!check(spline, points, at, count, err)) return false;
  copy(spline, points, at, count);
  /* One point has no curvature; more have what makes slopes equal. */
  if (spline->count == 1)
    memset(spline->curves, 0, (size_t)spline->joints * sizeof *spline->curves);
  else
    solve(spline, ends);
  return true;
}

/* A single point is a piece without length. */
static void place(const brio_spline *spline, double *q, double *slope, double *curve) {
  size_t size = (size_t)spline->joints * sizeof(double);
  if (q) memcpy(q, spline->points, size);
  if (slope) memset(slope, 0, size);
  if (curve) memset(curve, 0, size);
}

void brio_spline_piece(const brio_spline *spline, int piece, double s, double *q, double *slope,
                       double *curve) {
  if (spline->count == 1) {
    place(spline, q, slope, curve);
    return;
  }
  assert(piece >= 0 && piece < spline->count - 1);
  int n = spline->joints;
  const double *p = spline->points + (size_t)piece * (size_t)n;
  const double *m = spline->curves + (size_t)piece * (size_t)n;
  double h = spline->at[piece + 1] - spline->at[piece], x = s - spline->at[piece], y = h - x, inverse = 1 / h;
  /* Cubes less their line, so that both vanish at the ends. */
  double cx = x * (x * x - h * h) * inverse / 6, cy = y * (y * y - h * h) * inverse / 6;
  double dx = (3 * x * x - h * h) * inverse / 6, dy = -(3 * y * y - h * h) * inverse / 6;
  /* Only what was asked for. */
  if (q)
    for (int j = 0; j < n; j++) q[j] = (p[j] * y + p[n + j] * x) * inverse + m[j] * cy + m[n + j] * cx;
  if (slope)
    for (int j = 0; j < n; j++) slope[j] = (p[n + j] - p[j]) * inverse + m[j] * dy + m[n + j] * dx;
  if (curve)
    for (int j = 0; j < n; j++) curve[j] = (m[j] * y + m[n + j] * x) * inverse;
}
