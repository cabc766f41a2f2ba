/* Symmetric matrices, row by row: eigenvalues and eigenvectors by Jacobi's rotations (Golub and Van Loan,
** "Matrix Computations", 8.5), which are as accurate for small eigenvalues as for large ones.  Off the tick:
** it allocates. */
#ifndef BRIO_MATH_SYMMETRIC_H
#define BRIO_MATH_SYMMETRIC_H

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Rotate rows and columns p < q of the symmetric `a` (n x n) so that a[p][q] becomes 0; the columns of `v` (n
** x n) accumulate the rotations.  Inline: callers with a small constant n get straight code. */
static inline void brio_symmetric_rotate(double *a, double *v, int n, int p, int q) {
  assert(p >= 0 && p < q && q < n);
  if (fabs(a[p * n + q]) < DBL_MIN) return;
  /* t = tan of the smaller of both angles, in a form that is stable for large theta. */
  double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
  double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
  double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < n; k++) {
    /* Columns first, then rows: a becomes R^T a R. */
    double kp = a[k * n + p], kq = a[k * n + q];
    a[k * n + p] = c * kp - s * kq, a[k * n + q] = s * kp + c * kq;
  }
  for (int k = 0; k < n; k++) {
    double pk = a[p * n + k], qk = a[q * n + k];
    a[p * n + k] = c * pk - s * qk, a[q * n + k] = s * pk + c * qk;
    double kp = v[k * n + p], kq = v[k * n + q];
    v[k * n + p] = c * kp - s * kq, v[k * n + q] = s * kp + c * kq;
  }
}

/* Write the eigenvalues of `matrix` (n x n), descending, and their unit eigenvectors: row k of `vectors` (n x
** n) belongs to values[k].  O(n^3) a sweep, usually fewer than 10 sweeps.  Return false: n below 1, a number
** that is not finite, no memory. */
bool brio_symmetric_eigen(const double *matrix, int n, double *values, double *vectors);

/* Write the square root of a positive semidefinite `matrix` (n x n): root root = matrix.  Eigenvalues below 0
** (rounding) count as 0.  Return false: as brio_symmetric_eigen. */
bool brio_symmetric_root(const double *matrix, int n, double *root);

#endif
