/* Inner loops run along rows, so that the compiler can vectorize them.  Products are O(rows inner columns),
** solutions O(n^2 columns), factorizations O(n^3).  Source: Golub, Van Loan, "Matrix Computations", chapters
** 3 and 4. */
#include "trajectory/matrix.h"

#include <math.h>

/* c[j] += s b[j] */
static inline void add_row(int n, double s, const double *restrict b, double *restrict c) {
  for (int j = 0; j < n; j++) c[j] += s * b[j];
}

/* c[j] += s b[j] + t d[j] + u e[j] + v f[j]: four rows at once read and write c once. */
static inline void add_four(int n, const double s[4], const double *restrict const b[4], double *restrict c) {
  const double *restrict p = b[0], *restrict q = b[1], *restrict r = b[2], *restrict w = b[3];
  for (int j = 0; j < n; j++) c[j] += s[0] * p[j] + s[1] * q[j] + s[2] * r[j] + s[3] * w[j];
}

/* c += scale * (weighted sum of the rows of b), weights `step` apart in `a`, four rows at a time; rows of
** weight 0 are skipped. */
static inline void add_rows(int inner, int columns, double scale, const double *restrict a, int step,
                            const double *restrict b, int b_stride, double *restrict c) {
  /* gather rows of weights other than 0; four of them make one pass over c */
  double weights[4];
  const double *restrict rows[4];
  int held = 0;
  for (int k = 0; k < inner; k++) {
    double s = scale * a[k * step];
    if (s == 0) continue;
    weights[held] = s, rows[held] = b + k * b_stride;
    if (++held < 4) continue;
    add_four(columns, weights, rows, c);
    held = 0;
  }
  /* the remaining ones: fewer than four */
  for (int i = 0; i < held; i++) add_row(columns, weights[i], rows[i], c);
}

void brio_matrix_add_product(int rows, int inner, int columns, double scale, const double *restrict a,
                             int a_stride, const double *restrict b, int b_stride, double *restrict c,
                             int stride) {
  /* Row i of a holds the weights of the rows of b. */
  for (int i = 0; i < rows; i++)
    add_rows(inner, columns, scale, a + i * a_stride, 1, b, b_stride, c + i * stride);
}

void brio_matrix_add_turned(int rows, int inner, int columns, double scale, const double *restrict a,
                            int a_stride, const double *restrict b, int b_stride, double *restrict c,
                            int stride) {
  /* Column i of a holds the weights of the rows of b. */
  for (int i = 0; i < rows; i++)
    add_rows(inner, columns, scale, a + i, a_stride, b, b_stride, c + i * stride);
}

void brio_matrix_add_square(int n, double weight, const double *restrict v, double *restrict c) {
  /* Row i has i + 1 entries in the lower half; many v are 0. */
  for (int i = 0; i < n; i++)
    if (v[i] != 0) add_row(i + 1, weight * v[i], v, c + i * n);
}

/* Row by row: l_ik = (a_ik - sum l_ij l_kj) / l_kk, l_ii = sqrt(a_ii - sum l_ij^2).  NaN fails, too. */
bool brio_matrix_cholesky(int n, double *a, int stride) {
  for (int i = 0; i < n; i++) {
    double *row = a + i * stride;
    for (int k = 0; k <= i; k++) {
      const double *other = a + k * stride;
      double sum = row[k];
      for (int j = 0; j < k; j++) sum -= row[j] * other[j];
      /* below the diagonal, then the pivot, which must be above 0 */
      if (k < i)
        row[k] = sum / other[k];
      else if (!(sum > 0))
        return false;
      else
        row[i] = sqrt(sum);
    }
  }
  return true;
}

void brio_matrix_cholesky_solve(int n, const double *l, int l_stride, double *b, int columns, int stride) {
  for (int i = 0; i < n; i++) {
    /* forward substitution, L y = b */
    double *row = b + i * stride, inverse = 1 / l[i * l_stride + i];
    add_rows(i, columns, -1, l + i * l_stride, 1, b, stride, row);
    for (int j = 0; j < columns; j++) row[j] *= inverse;
  }
  /* back substitution, L^T x = y: column i of L is row i of its transpose */
  for (int i = n - 1; i >= 0; i--) {
    double *row = b + i * stride, inverse = 1 / l[i * l_stride + i];
    add_rows(n - 1 - i, columns, -1, l + (i + 1) * l_stride + i, l_stride, b + (i + 1) * stride, stride, row);
    for (int j = 0; j < columns; j++) row[j] *= inverse;
  }
}

/* LU with partial pivoting; L has a unit diagonal, which is not stored. */
bool brio_matrix_factorize(int n, double *a, int stride, int *order) {
  for (int i = 0; i < n; i++) {
    int best = i;
    /* the largest entry of the column becomes the pivot */
    for (int k = i + 1; k < n; k++)
      if (fabs(a[k * stride + i]) > fabs(a[best * stride + i])) best = k;
    order[i] = best;
    double *top = a + i * stride, *other = a + best * stride;
    if (!(fabs(other[i]) > 1e-300)) return false;
    /* swap whole rows, with the factors of L in them */
    for (int j = 0; best != i && j < n; j++) {
      double keep = top[j];
      top[j] = other[j], other[j] = keep;
    }
    /* the factor of L is stored in place of the entry that becomes 0 */
    for (int k = i + 1; k < n; k++) {
      double *row = a + k * stride;
      if (row[i] == 0) continue;
      row[i] /= top[i];
      add_row(n - i - 1, -row[i], top + i + 1, row + i + 1);
    }
  }
  return true;
}

void brio_matrix_solve(int n, const double *a, int stride, const int *order, double *b, int columns,
                       int b_stride) {
  for (int i = 0; i < n; i++) {
    if (order[i] == i) continue;
    /* apply the row swaps in their order */
    double *p = b + i * b_stride, *q = b + order[i] * b_stride;
    for (int j = 0; j < columns; j++) {
      double keep = p[j];
      p[j] = q[j], q[j] = keep;
    }
  }
  /* L y = b, then U x = y */
  for (int i = 0; i < n; i++) add_rows(i, columns, -1, a + i * stride, 1, b, b_stride, b + i * b_stride);
  for (int i = n - 1; i >= 0; i--) {
    double *row = b + i * b_stride, inverse = 1 / a[i * stride + i];
    add_rows(n - 1 - i, columns, -1, a + i * stride + i + 1, 1, b + (i + 1) * b_stride, b_stride, row);
    for (int j = 0; j < columns; j++) row[j] *= inverse;
  }
}

void brio_matrix_solve_turned(int n, const double *a, int stride, const int *order, double *b) {
  /* U^T y = b, L^T x = y, then the row swaps in reverse order */
  for (int i = 0; i < n; i++) {
    b[i] /= a[i * stride + i];
    add_row(n - 1 - i, -b[i], a + i * stride + i + 1, b + i + 1);
  }
  for (int i = n - 1; i > 0; i--) add_row(i, -b[i], a + i * stride, b);
  for (int i = n - 1; i >= 0; i--) {
    double keep = b[i];
    b[i] = b[order[i]], b[order[i]] = keep;
  }
}

void brio_matrix_add_vector(int rows, int columns, double scale, const double *a, const double *x,
                            double *y) {
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int j = 0; j < columns; j++) sum += a[i * columns + j] * x[j];
    y[i] += scale * sum;
  }
}

void brio_matrix_add_turned_vector(int rows, int columns, double scale, const double *a, const double *x,
                                   double *y) {
  for (int i = 0; i < rows; i++)
    if (x[i] != 0) add_row(columns, scale * x[i], a + i * columns, y);
}
