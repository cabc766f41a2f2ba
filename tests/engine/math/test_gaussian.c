/* Eigenvalues of symmetric matrices, Gaussian fits and their Fréchet distance, compared with closed forms. */
#include "math/gaussian.h"
#include "math/symmetric.h"

#include <stdint.h>

#include "tests/check.h"

enum { WIDE = 40 };

static uint64_t state = 88172645463325252u;
static double uniform(void) { /* -1 to 1 */
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (double)(state >> 11) / 4503599627370496.0 - 1;
}

/* A random orthonormal matrix: rows, by Gram and Schmidt, twice for accuracy. */
static void random_axes(int n, double *q) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) q[i * n + k] = uniform();
    for (int round = 0; round < 2; round++)
      for (int j = 0; j < i; j++) {
        double dot = 0;
        for (int k = 0; k < n; k++) dot += q[i * n + k] * q[j * n + k];
        for (int k = 0; k < n; k++) q[i * n + k] -= dot * q[j * n + k];
      }
    double length = 0;
    for (int k = 0; k < n; k++) length += q[i * n + k] * q[i * n + k];
    for (int k = 0; k < n; k++) q[i * n + k] /= sqrt(length);
  }
}

/* The symmetric matrix with these eigenvalues and axes. */
static void compose(int n, const double *values, const double *axes, double *out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      out[i * n + j] = 0;
      for (int k = 0; k < n; k++) out[i * n + j] += values[k] * axes[k * n + i] * axes[k * n + j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) out[i * n + j] = out[j * n + i];
}

static void eigenvalues_are_those_that_a_matrix_is_composed_of(void) {
  static double axes[WIDE * WIDE], matrix[WIDE * WIDE], vectors[WIDE * WIDE];
  double wanted[WIDE] = {0}, values[WIDE];
  for (int n = 1; n <= WIDE; n += 13) {
    random_axes(n, axes);
    for (int k = 0; k < n; k++) wanted[k] = k % 3 == 2 ? -0.1 * k : n - 0.5 * k; /* of both signs */
    compose(n, wanted, axes, matrix);
    CHECK(brio_symmetric_eigen(matrix, n, values, vectors), "%d", n);
    double trace = 0, sum = 0;
    for (int k = 0; k < n; k++) {
      CHECK(k == 0 || values[k] <= values[k - 1], "descending");
      trace += matrix[k * n + k], sum += values[k];
      /* A v = lambda v */
      for (int i = 0; i < n; i++) {
        double product = 0;
        for (int j = 0; j < n; j++) product += matrix[i * n + j] * vectors[k * n + j];
        CHECK_NEAR(product, values[k] * vectors[k * n + i], 1e-11, "n %d, vector %d", n, k);
      }
    }
    CHECK_NEAR(sum, trace, 1e-11, "the trace of %d", n);
  }
}

static void a_root_squared_is_the_matrix(void) {
  static double axes[WIDE * WIDE], matrix[WIDE * WIDE], root[WIDE * WIDE];
  double values[WIDE] = {0};
  int n = 17;
  random_axes(n, axes);
  for (int k = 0; k < n; k++) values[k] = k < 9 ? pow(10, -k) : 0; /* singular */
  compose(n, values, axes, matrix);
  CHECK(brio_symmetric_root(matrix, n, root), "a root");
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double product = 0;
      for (int k = 0; k < n; k++) product += root[i * n + k] * root[k * n + j];
      CHECK_NEAR(product, matrix[i * n + j], 1e-14, "%d %d", i, j);
    }
  matrix[3] = NAN;
  CHECK(!brio_symmetric_root(matrix, n, root) && !brio_symmetric_eigen(matrix, 0, values, root),
        "no numbers");
}

/* In one dimension, and along common axes, the distance is |ma - mb|^2 + sum of (sa - sb)^2. */
static void distances_in_closed_form(void) {
  static double axes[WIDE * WIDE], a[WIDE * WIDE], b[WIDE * WIDE];
  double ma[WIDE], mb[WIDE], va[WIDE] = {0}, vb[WIDE] = {0};
  for (int n = 1; n <= 35; n += 17) {
    double expected = 0;
    random_axes(n, axes);
    for (int k = 0; k < n; k++) {
      ma[k] = uniform(), mb[k] = uniform();
      double sa = 1 + k % 4, sb = k % 5; /* every fifth variance of b is 0 */
      va[k] = sa * sa, vb[k] = sb * sb;
      expected += (ma[k] - mb[k]) * (ma[k] - mb[k]) + (sa - sb) * (sa - sb);
    }
    compose(n, va, axes, a);
    compose(n, vb, axes, b);
    brio_gaussian first = {n, ma, a}, second = {n, mb, b};
    CHECK_NEAR(brio_gaussian_frechet(&first, &second), expected, 1e-9 * expected, "n %d", n);
    CHECK_NEAR(brio_gaussian_frechet(&second, &first), expected, 1e-6 * expected, "symmetric, n %d", n);
    CHECK_NEAR(brio_gaussian_frechet(&first, &first), 0, 1e-10, "itself, n %d", n);
    CHECK_NEAR(brio_gaussian_frechet(&second, &second), 0, 1e-6, "itself, singular, n %d", n);
  }
}

/* Of 2 x 2 matrices, tr (A^1/2 B A^1/2)^1/2 = sqrt(tr(AB) + 2 sqrt(det A det B)). */
static void two_dimensions_without_common_axes(void) {
  for (int round = 0; round < 100; round++) {
    double x = uniform(), y = uniform(), p = 1 + uniform(), q = 1 + uniform(), r = 1 + uniform(),
           s = 1 + uniform();
    double a[4] = {p + x * x, x * r, x * r, r * r + 0.1}, b[4] = {q + y * y, y * s, y * s, s * s};
    double mean[2] = {0, 0}, away[2] = {3, 4};
    double product = a[0] * b[0] + 2 * a[1] * b[1] + a[3] * b[3];
    double da = a[0] * a[3] - a[1] * a[1], db = b[0] * b[3] - b[1] * b[1];
    double expected = 25 + a[0] + a[3] + b[0] + b[3] - 2 * sqrt(product + 2 * sqrt(da * db));
    brio_gaussian first = {2, mean, a}, second = {2, away, b};
    CHECK_NEAR(brio_gaussian_frechet(&first, &second), expected, 1e-9, "round %d", round);
  }
}

static void fits_have_the_moments_of_their_rows(void) {
  static const double rows[] = {1e9 + 1, 2, 1e9 + 2, 4, 1e9 + 3, 9}; /* three rows of two */
  double mean[2], covariance[4];
  CHECK(brio_gaussian_fit(rows, 3, 2, mean, covariance), "a fit");
  CHECK_NEAR(mean[0], 1e9 + 2, 1e-6, "mean");
  CHECK_NEAR(mean[1], 5, 1e-12, "mean");
  CHECK_NEAR(covariance[0], 1, 1e-6, "variance of large numbers");
  CHECK_NEAR(covariance[1], 3.5, 1e-6, "covariance");
  CHECK_NEAR(covariance[3], 13, 1e-12, "variance");
  CHECK(covariance[1] == covariance[2], "symmetric");
  CHECK(!brio_gaussian_fit(rows, 1, 2, mean, covariance), "one row");
  double broken[4] = {1, 2, INFINITY, 4};
  CHECK(!brio_gaussian_fit(broken, 2, 2, mean, covariance), "no number");
}

/* Rows of independent numbers: their covariance is diagonal, so few of them are shrunk by nearly all, many by
** less, as the estimates off the diagonal become small beside nothing; rows on a line, hardly. */
static void few_rows_are_shrunk(void) {
  static double rows[400 * 20], mean[20], covariance[400];
  for (int i = 0; i < 400 * 20; i++) rows[i] = uniform();
  brio_gaussian_fit(rows, 12, 20, mean, covariance);
  double variance = covariance[0], beside = covariance[1], weight;
  weight = brio_gaussian_shrink(rows, 12, 20, mean, covariance);
  CHECK(weight > 0.7 && weight <= 1, "independent: %g", weight);
  CHECK(covariance[0] == variance, "the diagonal stays");
  CHECK_NEAR(covariance[1], beside * (1 - weight), 1e-15, "the rest shrinks");
  double values[20], vectors[400];
  brio_symmetric_eigen(covariance, 20, values, vectors);
  CHECK(values[19] > 1e-3, "no longer singular: %g", values[19]);
  for (int r = 0; r < 12; r++) {
    double along = uniform();
    for (int i = 0; i < 20; i++) rows[r * 20 + i] = along * (i + 1) + 0.01 * uniform();
  }
  brio_gaussian_fit(rows, 12, 20, mean, covariance);
  weight = brio_gaussian_shrink(rows, 12, 20, mean, covariance);
  CHECK(weight < 0.2, "on a line: %g", weight);
  brio_gaussian_fit(rows, 2, 20, mean, covariance);
  CHECK_NEAR(brio_gaussian_shrink(rows, 2, 20, mean, covariance), 1, 0, "two rows say nothing of it");
  brio_gaussian_fit(rows, 3, 1, mean, covariance);
  CHECK_NEAR(brio_gaussian_shrink(rows, 3, 1, mean, covariance), 0, 0, "one dimension");
}

CHECK_SUITE(CHECK_TEST(eigenvalues_are_those_that_a_matrix_is_composed_of),
            CHECK_TEST(a_root_squared_is_the_matrix), CHECK_TEST(distances_in_closed_form),
            CHECK_TEST(two_dimensions_without_common_axes), CHECK_TEST(fits_have_the_moments_of_their_rows),
            CHECK_TEST(few_rows_are_shrunk))
