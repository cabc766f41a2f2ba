/* Eigenvalues by cyclic Jacobi rotations. A sweep rotates every pair of rows once; each sweep squares the
** off-diagonal part, relative to the diagonal, once it is small. */
#include "math/symmetric.h"

#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 60 }; /* usually fewer than 10 */
#define SETTLED 1e-32 /* off-diagonal squares, relative to those of the diagonal */

/* Whether the off-diagonal part is at the rounding of doubles. */
static bool is_diagonal(const double *a, int n) {
  double off = 0, on = 0;
  for (int i = 0; i < n; i++) {
    on += a[i * n + i] * a[i * n + i];
    for (int j = i + 1; j < n; j++) off += a[i * n + j] * a[i * n + j];
  }
  return !(off > SETTLED * on);
}

/* Diagonalize `a`; the columns of `v` become its eigenvectors. O(n^3) a sweep. */
static void diagonalize(double *a, double *v, int n) {
  memset(v, 0, (size_t)n * (size_t)n * sizeof *v);
  for (int i = 0; i < n; i++) v[i * n + i] = 1;
  for (int sweep = 0; sweep < SWEEPS && !is_diagonal(a, n); sweep++)
    for (int p = 0; p < n - 1; p++)
      for (int q = p + 1; q < n; q++) brio_symmetric_rotate(a, v, n, p, q);
}

/* Write the diagonal of `a` in descending order, and the columns of `v` in that order as rows. O(n^2). */
static void order(const double *a, const double *v, int n, double *values, double *vectors) {
  for (int i = 0; i < n; i++) {
    /* The rank of eigenvalue i: how many are greater; equal ones keep their order. */
    int rank = 0;
    for (int j = 0; j < n; j++)
      rank += a[j * n + j] > a[i * n + i] || (a[j * n + j] == a[i * n + i] && j < i);
    assert(rank < n);
    values[rank] = a[i * n + i];
    for (int k = 0; k < n; k++) vectors[rank * n + k] = v[k * n + i];
  }
}

bool brio_symmetric_eigen(const double *matrix, int n, double *values, double *vectors) {
  if (n < 1) return false;
  size_t size = (size_t)n * (size_t)n;
  for (size_t i = 0; i < size; i++)
    if (!isfinite(matrix[i])) return false;
  double *a = malloc(2 * size * sizeof *a);
  if (!a) return false;
  memcpy(a, matrix, size * sizeof *a);
  diagonalize(a, a + size, n);
  order(a, a + size, n, values, vectors);
  free(a);
  return true;
}

/* The sum of sqrt(value) v v^T over all eigenvectors v. O(n^3). */
bool brio_symmetric_root(const double *matrix, int n, double *root) {
  double *values = n < 1 ? NULL : malloc(((size_t)n + 1) * (size_t)n * sizeof *values);
  if (!values) return false;
  double *vectors = values + n;
  bool good = brio_symmetric_eigen(matrix, n, values, vectors);
  memset(root, 0, (size_t)n * (size_t)n * sizeof *root);
  for (int k = 0; good && k < n; k++) {
    double weight = sqrt(fmax(0, values[k]));
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) root[i * n + j] += weight * vectors[k * n + i] * vectors[k * n + j];
  }
  free(values);
  return good;
}
