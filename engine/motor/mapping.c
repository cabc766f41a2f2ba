/* The kinds of mapping. Hobby servos of expressive heads are usually given by the asymmetric one: a middle, a
** reach to either side, and hard ends in motor units (OPSORO; Saldien 2014). Each kind is a check, a function
** and its inverse: inverse(forward(x)) = x within rounding. */
#include "motor/mapping.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/name.h"
#include "math/scalar.h"

/* ---- linear ---- */

/* A scale of 0 would have no inverse; the direction is the polarity's. */
static bool check_linear(const brio_mapping *m, brio_error *err) {
  if (isfinite(m->scale) && m->scale > 0 && isfinite(m->offset)) return true;
  return brio_fail(err, BRIO_MISUSE, "a linear mapping needs a scale above 0 and an offset, not %g and %g",
                   m->scale, m->offset);
}

/* y = p s x + b, and x = p (y - b) / s since p is 1 or -1. */
static double linear_forward(const brio_mapping *m, double x) {
  return m->polarity * m->scale * x + m->offset;
}
static double linear_inverse(const brio_mapping *m, double y) {
  return m->polarity * (y - m->offset) / m->scale;
}

/* ---- asymmetric ---- */

/* Both reaches above 0, so that x < 0 and x > 0 map to different sides of the middle. */
static bool check_asymmetric(const brio_mapping *m, brio_error *err) {
  if (m->below > 0 && m->above > 0 && isfinite(m->below) && isfinite(m->above) && isfinite(m->offset))
    return true;
  return brio_fail(err, BRIO_MISUSE,
                   "an asymmetric mapping needs an offset (the middle) and reaches below and above "
                   "it that are greater than 0, not %g, %g and %g",
                   m->offset, m->below, m->above);
}

/* y = b + p x r, with r the reach of the side that x is on; continuous at the middle, where the slope
** changes. */
static double asymmetric_forward(const brio_mapping *m, double x) {
  return m->offset + m->polarity * x * (x < 0 ? m->below : m->above);
}

/* The side is that of y - b, once the polarity is undone. */
static double asymmetric_inverse(const brio_mapping *m, double y) {
  double side = m->polarity * (y - m->offset);
  return side / (side < 0 ? m->below : m->above);
}

/* ---- table ---- */

/* Both columns must be strictly monotonic: then the table is a function in either direction. */
static bool check_table(const brio_mapping *m, brio_error *err) {
  if (m->points < 2 || m->points > BRIO_MAPPING_POINTS)
    return brio_fail(err, BRIO_MISUSE, "a table needs 2 to %d points, not %d", BRIO_MAPPING_POINTS,
                     m->points);
  /* The first two points decide whether the motor rises or falls. */
  double side = m->y[1] > m->y[0] ? 1 : -1;
  for (int i = 0; i < m->points; i++) {
    bool rises = i == 0 || (m->x[i] > m->x[i - 1] && side * (m->y[i] - m->y[i - 1]) > 0);
    if (!isfinite(m->x[i]) || !isfinite(m->y[i]) || !rises)
      return brio_fail(err, BRIO_MISUSE,
                       "point %d of a table, (%g, %g), must be beyond the one before in both: "
                       "only then there is a way back",
                       i + 1, m->x[i], m->y[i]);
  }
  return true;
}

/* Piecewise linear interpolation; the end pieces extend beyond the ends. O(points), at most 32. */
static double between(const double *from, const double *to, int points, double value) {
  assert(points >= 2);
  double side = from[1] > from[0] ? 1 : -1;
  int i = 1;
  /* Find the piece that holds the value; `side` makes falling columns look rising. */
  while (i < points - 1 && side * (value - from[i]) > 0) i++;
  return to[i - 1] + (value - from[i - 1]) / (from[i] - from[i - 1]) * (to[i] - to[i - 1]);
}

/* With polarity -1 the motor is mounted the other way round: mirror at the middle of its range. */
static double mirrored(const brio_mapping *m, double y) {
  /* the motor is mounted the other way round */
  return m->polarity > 0 ? y : m->y[0] + m->y[m->points - 1] - y;
}

static double table_forward(const brio_mapping *m, double x) {
  return mirrored(m, between(m->x, m->y, m->points, x));
}
static double table_inverse(const brio_mapping *m, double y) {
  return between(m->y, m->x, m->points, mirrored(m, y));
}

/* All kinds, ended by NULL. */
const brio_mapping_kind brio_mapping_kinds[] = {
    {"linear", "motor = polarity scale x + offset", check_linear, linear_forward, linear_inverse},
    {"asymmetric", "motor = offset + polarity x (below where x < 0, else above)", check_asymmetric,
     asymmetric_forward, asymmetric_inverse},
    {"table", "linear between points (x, motor), rising or falling throughout", check_table, table_forward,
     table_inverse},
    {NULL, NULL, NULL, NULL, NULL},
};

brio_mapping brio_mapping_identity(void) {
  return (brio_mapping){
      .kind = &brio_mapping_kinds[0], .scale = 1, .polarity = 1, .lower = -INFINITY, .upper = INFINITY};
}

bool brio_mapping_is_identity(const brio_mapping *mapping) {
  return mapping->kind == &brio_mapping_kinds[0] && mapping->scale == 1 && mapping->polarity == 1 &&
         mapping->offset == 0 && mapping->lower == -INFINITY && mapping->upper == INFINITY;
}

/* For brio_name_hint: NULL behind the last kind. */
static const char *name_at(const void *kinds, int i) { return ((const brio_mapping_kind *)kinds)[i].name; }

const brio_mapping_kind *brio_mapping_find(const char *name, brio_error *err) {
  for (const brio_mapping_kind *kind = brio_mapping_kinds; kind->name; kind++)
    if (strcmp(kind->name, name) == 0) return kind;
  char hint[96];
  brio_fail(err, BRIO_MISUSE, "there is no mapping '%.64s'%s", name,
            brio_name_hint(name, name_at, brio_mapping_kinds, hint));
  return NULL;
}

bool brio_mapping_check(const brio_mapping *mapping, brio_error *err) {
  if (mapping->polarity != 1 && mapping->polarity != -1)
    return brio_fail(err, BRIO_MISUSE, "polarity must be 1 or -1, not %d", mapping->polarity);
  if (!(mapping->lower < mapping->upper))
    return brio_fail(err, BRIO_MISUSE, "a motor's lower end must be below its upper one, not %g and %g",
                     mapping->lower, mapping->upper);
  return mapping->kind->check(mapping, err);
}

double brio_mapping_forward(const brio_mapping *mapping, double x) {
  /* Hard ends of the motor, in its units, apply to every kind. */
  return brio_clamp(mapping->kind->forward(mapping, x), mapping->lower, mapping->upper);
}

double brio_mapping_inverse(const brio_mapping *mapping, double motor) {
  return mapping->kind->inverse(mapping, motor);
}

double brio_mapping_slope(const brio_mapping *mapping, double x) {
  /* A central difference: a table has no derivative at its points. */
  const double step = 1e-6;
  return (mapping->kind->forward(mapping, x + step) - mapping->kind->forward(mapping, x - step)) / (2 * step);
}

/* ---- couplings ---- */

/* out = matrix in. O(n^2) */
static void multiply(const double *matrix, int n, const double *in, double *out) {
  assert(in != out);
  for (int i = 0; i < n; i++) {
    out[i] = 0;
    for (int k = 0; k < n; k++) out[i] += matrix[i * n + k] * in[k];
  }
}

void brio_coupling_forward(const brio_coupling *coupling, const double *in, double *out) {
  multiply(coupling->matrix, coupling->count, in, out);
}

void brio_coupling_inverse(const brio_coupling *coupling, const double *in, double *out) {
  multiply(coupling->inverse, coupling->count, in, out);
}

/* Partial pivoting: exchange row k with the row at or below it that has the largest magnitude in column k. */
static void pivot(double *a, double *b, int n, int k) {
  int best = k;
  for (int i = k + 1; i < n; i++)
    if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
  for (int j = 0; j < n && best != k; j++) {
    double t = a[k * n + j], u = b[k * n + j];
    a[k * n + j] = a[best * n + j];
    b[k * n + j] = b[best * n + j];
    a[best * n + j] = t;
    b[best * n + j] = u;
  }
}

/* Gauss-Jordan elimination: b becomes the inverse of a; a is overwritten. O(n^3), n at most 4. False: a pivot
** of `smallest` or less, so a is singular within rounding. */
static bool invert(double *a, double *b, int n, double smallest) {
  assert(n >= 2 && n <= BRIO_COUPLING_MOST);
  /* b starts as the identity. */
  for (int i = 0; i < n * n; i++) b[i] = i % (n + 1) == 0;
  for (int k = 0; k < n; k++) {
    pivot(a, b, n, k);
    double p = a[k * n + k];
    if (!(fabs(p) > smallest)) return false;
    /* Scale the pivot row to 1, then clear column k in all other rows. */
    for (int j = 0; j < n; j++) a[k * n + j] /= p, b[k * n + j] /= p;
    for (int i = 0; i < n; i++) {
      /* Equal row operations on both: when a has become the identity, b is the inverse. */
      double f = a[i * n + k];
      for (int j = 0; j < n && i != k; j++)
        a[i * n + j] -= f * a[k * n + j], b[i * n + j] -= f * b[k * n + j];
    }
  }
  return true;
}

bool brio_coupling_start(brio_coupling *coupling, const double *matrix, int count, brio_error *err) {
  double work[BRIO_COUPLING_MOST * BRIO_COUPLING_MOST] = {0}, largest = 0;
  if (count < 2 || count > BRIO_COUPLING_MOST)
    return brio_fail(err, BRIO_MISUSE, "a coupling is of 2 to %d axes and as many motors, not %d",
                     BRIO_COUPLING_MOST, count);
  /* The threshold for a pivot is relative to the largest entry. */
  for (int i = 0; i < count * count; i++) {
    if (!isfinite(matrix[i]))
      return brio_fail(err, BRIO_MISUSE, "number %d of a coupling's matrix is none", i + 1);
    coupling->matrix[i] = work[i] = matrix[i];
    largest = brio_max(largest, fabs(matrix[i]));
  }
  coupling->count = count;
  return invert(work, coupling->inverse, count, 1e-9 * largest) ||
         brio_fail(err, BRIO_MISUSE,
                   "a coupling's matrix has no inverse: its motors do not determine its axes");
}
