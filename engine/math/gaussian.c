/* Gaussian fits and their Fréchet distance. The trace of (A^1/2 B A^1/2)^1/2 is the sum of the square roots
** of the eigenvalues of the symmetric matrix A^1/2 B A^1/2, so one root and one more decomposition suffice.
** O(n^3). */
#include "math/gaussian.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "math/symmetric.h"

/* Write the mean of each column. */
static void column_means(const double *rows, int count, int n, double *mean) {
  memset(mean, 0, (size_t)n * sizeof *mean);
  for (int r = 0; r < count; r++)
    for (int i = 0; i < n; i++) mean[i] += rows[(size_t)r * (size_t)n + (size_t)i] / count;
}

/* O(count n^2). Products are of differences from the mean, so that large values lose no digits. */
bool brio_gaussian_fit(const double *rows, int count, int n, double *mean, double *covariance) {
  if (count < 2 || n < 1) return false;
  size_t size = (size_t)count * (size_t)n;
  for (size_t i = 0; i < size; i++)
    if (!isfinite(rows[i])) return false;
  column_means(rows, count, n, mean);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (const double *row = rows; row < rows + size; row += n)
        sum += (row[i] - mean[i]) * (row[j] - mean[j]);
      covariance[i * n + j] = covariance[j * n + i] = sum / (count - 1);
    }
  return true;
}

/* The variance of the estimate of covariance (i, j): count / (count - 1)^3 times the sum of squared
** differences of the products from their mean. O(count). */
static double element_variance(const double *rows, int count, int n, const double *mean, int i, int j) {
  double sum = 0, squares = 0;
  for (int r = 0; r < count; r++) {
    const double *row = rows + (size_t)r * (size_t)n;
    double product = (row[i] - mean[i]) * (row[j] - mean[j]);
    sum += product, squares += product * product;
  }
  double free_rows = count - 1;
  return count / (free_rows * free_rows * free_rows) * fmax(0, squares - sum * sum / count);
}

double brio_gaussian_shrink(const double *rows, int count, int n, const double *mean, double *covariance) {
  assert(count >= 2 && n >= 1);
  double variance = 0, squares = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      variance += element_variance(rows, count, n, mean, i, j);
      squares += covariance[i * n + j] * covariance[i * n + j];
    }
  /* No element off the diagonal: there is nothing to shrink. */
  double weight = count < 3 ? 1 : squares > 0 ? fmin(1, variance / squares) : 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i != j) covariance[i * n + j] *= 1 - weight;
  return weight;
}

/* Write a b, of n x n matrices. O(n^3). */
static void multiply(const double *a, const double *b, int n, double *out) {
  memset(out, 0, (size_t)n * (size_t)n * sizeof *out);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) out[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* The trace of (A^1/2 B A^1/2)^1/2. `work`: 4 n x n numbers. NaN: a number is not finite, no memory. */
static double root_trace(const double *a, const double *b, int n, double *work) {
  size_t size = (size_t)n * (size_t)n;
  double *root = work, *half = work + size, *both = half + size, *vectors = both + size;
  if (!brio_symmetric_root(a, n, root)) return NAN;
  multiply(root, b, n, half);
  multiply(half, root, n, both);
  /* Rounding leaves it not quite symmetric. */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) both[i * n + j] = both[j * n + i] = 0.5 * (both[i * n + j] + both[j * n + i]);
  double *values = half; /* its product is used up */
  if (!brio_symmetric_eigen(both, n, values, vectors)) return NAN;
  double sum = 0, least = n * DBL_EPSILON * values[0]; /* below: the rounding of a singular matrix */
  for (int k = 0; k < n && values[k] > least; k++) sum += sqrt(values[k]);
  return sum;
}

double brio_gaussian_frechet(const brio_gaussian *a, const brio_gaussian *b) {
  assert(a->n == b->n && a->n >= 1);
  int n = a->n;
  double *work = malloc(4 * (size_t)n * (size_t)n * sizeof *work);
  if (!work) return NAN;
  double sum = -2 * root_trace(a->covariance, b->covariance, n, work);
  for (int i = 0; i < n; i++) {
    double apart = a->mean[i] - b->mean[i];
    sum += apart * apart + a->covariance[i * n + i] + b->covariance[i * n + i];
  }
  free(work);
  /* Rounding may leave equal distributions slightly below 0. */
  return isnan(sum) ? sum : fmax(0, sum);
}
