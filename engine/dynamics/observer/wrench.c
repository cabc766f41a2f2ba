/* Which force at a point explains a residual: least squares through the Jacobian.
**
** The singular values of J^T are found by rotating pairs of its columns until all are orthogonal, J^T V = U S
** (Hestenes, "Inversion of matrices by biorthogonalization and related results", 1958): no product J J^T is
** made, which would square its condition.  Then w = V S^-1 U^T r over the directions that are felt.
** O(joints): a few sweeps of 15 pairs. */
#include <assert.h>
#include <string.h>

#include "dynamics/observer/observer_internal.h"

static const double FELT = 1e-3; /* singular values, of the largest */

enum { MAX_SWEEPS = 30 };

/* Return a . b. */
static double dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/* Rotate two lists by the angle with this cosine and sine. */
static void rotate(double *a, double *b, int n, double c, double s) {
  for (int i = 0; i < n; i++) {
    double x = a[i], y = b[i];
    a[i] = c * x - s * y, b[i] = s * x + c * y;
  }
}

/* Make two columns orthogonal; return whether they were so to rounding, or as far as it is felt: `total` is
** the sum of squares of all columns. */
static bool part(double *a, double *b, double *va, double *vb, int n, double total) {
  double aa = dot(a, a, n), bb = dot(b, b, n), ab = dot(a, b, n);
  if (fabs(ab) <= 1e-15 * sqrt(aa * bb) || fabs(ab) <= 1e-18 * total) return true;
  /* The smaller of the two angles, in a form that is stable. */
  double theta = (bb - aa) / (2 * ab);
  double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1);
  rotate(a, b, n, c, c * t);
  rotate(va, vb, 6, c, c * t);
  return false;
}

/* Rotate the `rows` columns of J^T, each a row of `columns` here, to orthogonal ones; `v` has the rotation,
** a row for each. */
static void separate(double *columns, int rows, int nv, double v[6][6]) {
  for (int k = 0; k < 6; k++)
    for (int i = 0; i < 6; i++) v[k][i] = i == k;
  bool done = false;
  double total = dot(columns, columns, rows * nv);
  for (int sweep = 0; sweep < MAX_SWEEPS && !done; sweep++) {
    done = true;
    for (int a = 0; a < rows; a++)
      for (int b = a + 1; b < rows; b++)
        done &= part(columns + a * nv, columns + b * nv, v[a], v[b], nv, total);
  }
}

/* Write the least wrench of the columns that are orthogonal now, and take what it explains from `left`. */
static void explain(const double *columns, int rows, int nv, double v[6][6], double *left,
                    brio_observer_wrench *out) {
  double square[6], largest = 0;
  for (int k = 0; k < rows; k++) {
    square[k] = dot(columns + k * nv, columns + k * nv, nv);
    largest = fmax(largest, square[k]);
  }
  /* What is hardly felt is left alone: noise there would become a large force. */
  for (int k = 0; k < rows; k++) {
    if (!(square[k] > FELT * FELT * largest)) continue;
    /* Orthogonal columns take their shares one after the other. */
    double share = dot(columns + k * nv, left, nv) / square[k];
    for (int i = 0; i < 6; i++) out->wrench[i] += share * v[k][i];
    for (int i = 0; i < nv; i++) left[i] -= share * columns[k * nv + i];
    out->rank++;
  }
  out->misfit = sqrt(dot(left, left, nv));
}

bool brio_observer_wrench_at(brio_observer *observer, int link, brio_vec3 point, int rows,
                             brio_observer_wrench *out, brio_error *err) {
  struct brio_observer_private *work = observer->work;
  brio_dynamics *dynamics = observer->dynamics;
  int nv = dynamics->robot->nv;
  if (link < 0 || link >= dynamics->robot->nlink)
    return brio_fail(err, BRIO_MISUSE, "observer: there is no link %d; expected 0 to %d", link,
                     dynamics->robot->nlink - 1);
  if (rows != 3 && rows != 6)
    return brio_fail(err, BRIO_MISUSE, "observer: a wrench has 3 rows (a force) or 6, not %d", rows);
  if (!isfinite(point.x + point.y + point.z))
    return brio_fail(err, BRIO_MISUSE, "observer: the point (%g, %g, %g) is not finite", point.x, point.y,
                     point.z);
  if (!work->begun) return brio_fail(err, BRIO_MISUSE, "observer: there was no update yet");
  /* Rows of J are the columns of J^T. */
  double v[6][6];
  brio_dynamics_point(dynamics, work->q, NULL, link, point, work->rows, NULL);
  separate(work->rows, rows, nv, v);
  memcpy(work->left, work->residual, (size_t)nv * sizeof *work->left);
  *out = (brio_observer_wrench){0};
  explain(work->rows, rows, nv, v, work->left, out);
  assert(out->rank <= rows);
  return true;
}
