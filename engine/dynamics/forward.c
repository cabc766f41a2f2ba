/* Forward dynamics: du = M^-1 (tau - h), with the bias from inverse.c, M from mass.c and sparse factors from
** factor.c.  For robots of some fifty joints in branches of up to ten this is less work than the articulated
** body algorithm, whose 6 x 6 inertias cost more than short rows; mimic joints need no rule of their own. */
#include <string.h>

#include "dynamics/dynamics_internal.h"

bool brio_dynamics_forward(brio_dynamics *dynamics, const double *q, const double *u, const double *tau,
                           double *du, brio_error *err) {
  const struct brio_dynamics_private *work = dynamics->work;
  if (!tau) tau = work->zeros;
  /* The bias h, with du = 0. */
  brio_dynamics_inverse(dynamics, q, u, NULL, work->tau);
  brio_dynamics_place_bodies(dynamics, q);
  brio_dynamics_fill_rows(dynamics);
  if (!brio_dynamics_factorize(dynamics, err)) return false;
  /* Rows are in the factors' order here, tangent numbers outside. */
  double *x = work->vector;
  for (int k = 0; k < work->nfree; k++) x[k] = tau[work->rows[k].v] - work->tau[work->rows[k].v];
  brio_dynamics_solve(dynamics, x);
  memset(du, 0, (size_t)work->first * sizeof *du);
  for (int k = 0; k < work->nfree; k++) du[work->rows[k].v] = x[k];
  return true;
}

/* Copy an nv x nv matrix, less its sign, into columns in the factors' order: of each row, those of its
** tree. */
static void take_columns(const brio_dynamics *dynamics, const double *matrix, double *out) {
  const brio_dynamics_row *rows = dynamics->work->rows;
  int nv = dynamics->robot->nv, n = dynamics->work->nfree, stride = 3 * BRIO_DYNAMICS_STRIDE(n);
  for (int k = 0; k < n; k++) {
    const double *from = matrix + rows[k].v * nv;
    int c = rows[k].root, end = rows[rows[k].root].last;
    for (; c <= rows[k].last; c++) out[k * stride + c] = -from[rows[c].v];
    /* Behind what depends on it a row begins with zeros. */
    for (; c <= end; c++) out[k * stride + c] = 0;
  }
}

/* Copy them back; everything else is 0 as it was. */
static void give_columns(const brio_dynamics *dynamics, const double *columns, double *out) {
  const brio_dynamics_row *rows = dynamics->work->rows;
  int nv = dynamics->robot->nv, n = dynamics->work->nfree, stride = 3 * BRIO_DYNAMICS_STRIDE(n);
  for (int k = 0; k < n; k++) {
    double *to = out + rows[k].v * nv;
    int end = rows[rows[k].root].last;
    for (int c = rows[k].root; c <= end; c++) to[rows[c].v] = columns[k * stride + c];
  }
}

/* Begin with the unit matrix. */
static void take_unit(const struct brio_dynamics_private *work, double *out) {
  int n = work->nfree, stride = 3 * BRIO_DYNAMICS_STRIDE(n);
  for (int k = 0; k < n; k++) {
    int end = work->rows[work->rows[k].root].last;
    for (int c = work->rows[k].root; c <= end; c++) out[k * stride + c] = c == k;
  }
}

/* Write a symmetric matrix of whose rows the part from the diagonal on is known. */
static void give_symmetric(const brio_dynamics *dynamics, const double *columns, double *out) {
  const brio_dynamics_row *rows = dynamics->work->rows;
  int nv = dynamics->robot->nv, n = dynamics->work->nfree, stride = 3 * BRIO_DYNAMICS_STRIDE(n);
  /* A free base joins all rows in one tree: nothing is 0. */
  if (dynamics->work->first) memset(out, 0, (size_t)nv * (size_t)nv * sizeof *out);
  for (int k = 0; k < n; k++) {
    int v = rows[k].v, end = rows[rows[k].root].last;
    for (int c = k; c <= end; c++)
      out[v * nv + rows[c].v] = out[rows[c].v * nv + v] = columns[k * stride + c];
  }
}

void brio_dynamics_divide(const brio_dynamics *dynamics, double *a, double *b, double *inverse) {
  const struct brio_dynamics_private *work = dynamics->work;
  int wide = BRIO_DYNAMICS_STRIDE(work->nfree);
  /* Three matrices stand side by side, so that the factors are read once for all of them.
  ** O(joints^2 x depth) */
  if (a) take_columns(dynamics, a, work->columns);
  if (b) take_columns(dynamics, b, work->columns + wide);
  take_unit(work, work->columns + 2 * wide);
  brio_dynamics_solve_slopes(dynamics, work->columns);
  if (a) give_columns(dynamics, work->columns, a);
  if (b) give_columns(dynamics, work->columns + wide, b);
  give_symmetric(dynamics, work->columns + 2 * wide, inverse);
}

bool brio_dynamics_inverse_mass(brio_dynamics *dynamics, const double *q, double *inverse, brio_error *err) {
  brio_dynamics_place_bodies(dynamics, q);
  brio_dynamics_fill_rows(dynamics);
  if (!brio_dynamics_factorize(dynamics, err)) return false;
  brio_dynamics_divide(dynamics, NULL, NULL, inverse);
  return true;
}
