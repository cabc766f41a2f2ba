/* The factor is L^T L with a lower half L, made from the last row to the first (Featherstone,
** "Rigid Body Dynamics Algorithms", 2008, ch. 6.5: where a matrix has the shape of a tree, L has no
** entry that the matrix has not). Row i of the matrix is final when all rows behind it are
** eliminated; the entries that it still has are the couplings with numbers before it, and these
** alone are updated. Fill-in, if any, is found as it comes.
**
** Vectors kept aside enter by the formula of Sherman, Morrison and Woodbury (Golub and Van Loan,
** "Matrix Computations", 2013, ch. 2.1.4):
**   (S + U D U^T)^-1 b = z - Z (1 + D U^T Z)^-1 D U^T z,   z = S^-1 b,  Z = S^-1 U.
**
** Costs: O(n^2) to clear and to copy, O(k^2) for a vector of k entries, O(sum of k_i^2) for the
** factor, k_i being the entries of row i of L. For one chain of n joints that is n^3 / 6
** multiplications, for a tree with many short branches much less. */
#include "solver/evaluation/curvature.h"

#include <assert.h>
#include <math.h>

bool brio_curvature_start(brio_curvature *h, int n, brio_arena *arena) {
  assert(n >= 0 && n <= UINT16_MAX);
  *h = (brio_curvature){.n = n};
  h->half = BRIO_TAKE(arena, double, n * n);
  h->work = BRIO_TAKE(arena, double, n * n);
  h->wide = BRIO_TAKE(arena, double, BRIO_MOST_WIDE * n);
  h->solved = BRIO_TAKE(arena, double, BRIO_MOST_WIDE * n);
  h->pivots = BRIO_TAKE(arena, double, n);
  /* A full lower half is the most that L can have; one more, so that an empty array is not NULL. */
  h->values = BRIO_TAKE(arena, double, n * (n - 1) / 2 + 1);
  h->columns = BRIO_TAKE(arena, uint16_t, n * (n - 1) / 2 + 1);
  h->rows = BRIO_TAKE(arena, int, n + 1);
  h->most_bends = n < 32 ? 4 * n * (n + 1) / 2 + 1 : BRIO_MOST_BENDS;
  h->bends = BRIO_TAKE(arena, brio_curvature_bend, h->most_bends);
  if (!h->bends) return false;
  return h->half && h->work && h->wide && h->solved && h->pivots && h->values && h->columns && h->rows;
}

void brio_curvature_clear(brio_curvature *h) {
  size_t n = (size_t)h->n;
  memset(h->half, 0, n * n * sizeof *h->half);
  h->nwide = h->nbend = 0;
  h->bent = false;
}

/* Added and subtracted: what rounding leaves is far below what the floor of the curvature adds. */
void brio_curvature_bend_to(brio_curvature *h, bool bent) {
  if (h->bent == bent) return;
  h->bent = bent;
  for (int k = 0; k < h->nbend; k++) {
    const brio_curvature_bend *bend = &h->bends[k];
    h->half[bend->row * h->n + bend->column] += bent ? bend->value : -bend->value;
  }
}

/* Keep a vector aside: it is stored densely, and enters the solution by its scale. */
static void keep_aside(brio_curvature *h, const int *index, const double *entry, int count, double scale) {
  assert(h->nwide < BRIO_MOST_WIDE);
  double *v = h->wide + h->nwide * h->n;
  memset(v, 0, (size_t)h->n * sizeof *v);
  for (int a = 0; a < count; a++) v[index[a]] = entry[a];
  h->scales[h->nwide++] = scale;
}

/* Add value * v to `count` numbers of a row, which do not overlap v. */
static inline void add_run(double *restrict row, const double *restrict v, int count, double value) {
  for (int b = 0; b < count; b++) row[b] += value * v[b];
}

void brio_curvature_add(brio_curvature *h, const int *index, const double *entry, int count, double scale) {
  assert(count >= 0 && count <= h->n);
  assert(count == 0 || (index[0] >= 0 && index[0] <= index[count - 1] && index[count - 1] < h->n));
  /* A wide vector in the matrix would couple everything it touches, and fill the factor. */
  if (count > BRIO_WIDE && h->nwide < BRIO_MOST_WIDE) {
    keep_aside(h, index, entry, count, scale);
    return;
  }
  /* Rising indices keep column <= row, so that only the lower half is written. Where they follow each other,
  ** as mostly, a row is a plain sum. */
  for (int a = 0; a < count; a++) {
    double *row = h->half + index[a] * h->n, value = scale * entry[a];
    if (index[a] - index[0] == a) add_run(row + index[0], entry, a + 1, value);
    else
      for (int b = 0; b <= a; b++) row[index[b]] += value * entry[b];
  }
}

void brio_curvature_diagonal(const brio_curvature *h, double *out) {
  int n = h->n;
  for (int i = 0; i < n; i++) out[i] = h->half[i * (n + 1)];
  for (int k = 0; k < h->nwide; k++)
    for (int i = 0; i < n; i++) out[i] += h->scales[k] * h->wide[k * n + i] * h->wide[k * n + i];
}

void brio_curvature_add_column(const brio_curvature *h, int j, double scale, double *out) {
  assert(j >= 0 && j < h->n);
  int n = h->n;
  /* Column j of a symmetric matrix: row j up to the diagonal, then column j below it. */
  for (int i = 0; i < j; i++) out[i] += scale * h->half[j * n + i];
  for (int i = j; i < n; i++) out[i] += scale * h->half[i * n + j];
  /* The part kept aside is v v^T: its column j is v[j] v. */
  for (int k = 0; k < h->nwide; k++) {
    const double *v = h->wide + k * n;
    double share = scale * h->scales[k] * v[j];
    for (int i = 0; share != 0 && i < n; i++) out[i] += share * v[i];
  }
}

/* Two sums in turn: additions need not wait for each other. */
static double dot(const double *a, const double *b, int n) {
  double even = 0, odd = 0;
  int i = 0;
  for (; i + 1 < n; i += 2) even += a[i] * b[i], odd += a[i + 1] * b[i + 1];
  return i < n ? even + odd + a[i] * b[i] : even + odd;
}

double brio_curvature_square(const brio_curvature *h, const double *x) {
  int n = h->n;
  double sum = 0;
  /* Each entry below the diagonal counts for two. */
  for (int i = 0; i < n; i++) {
    const double *row = h->half + i * n;
    if (x[i] != 0) sum += x[i] * (2 * dot(row, x, i) + row[i] * x[i]);
  }
  for (int k = 0; k < h->nwide; k++) {
    double along = dot(h->wide + k * n, x, n);
    sum += h->scales[k] * along * along;
  }
  return sum;
}

/* --- the factor --- */

/* Write the open entries of row `i` before the diagonal, divided by its pivot, as a row of L at
** `at`; return its end. A pivot that is not positive is infinite: its number is not moved. */
static int take_row(brio_curvature *h, const bool *fixed, int i, int at) {
  const double *row = h->work + i * h->n;
  /* HUGE_VAL makes all entries of the row 0. */
  double pivot = row[i] > 0 ? sqrt(row[i]) : HUGE_VAL;
  h->pivots[i] = pivot;
  for (int block = 0; block < i; block += BRIO_BLOCK)
    for (int j = block, end = brio_row_block_end(row, block, i); j < end; j++) {
      if (row[j] == 0 || fixed[j]) continue;
      h->columns[at] = (uint16_t)j;
      h->values[at++] = row[j] / pivot;
    }
  return at;
}

/* Subtract row `i` of L, which stands from `from` to `to`, from the rows before it. O(k^2). */
static void eliminate(brio_curvature *h, int from, int to) {
  assert(from <= to);
  const uint16_t *columns = h->columns + from;
  const double *values = h->values + from;
  int count = to - from;
  for (int a = 0; a < count; a++) {
    double *row = h->work + columns[a] * h->n, value = values[a];
    if (columns[a] - columns[0] == a) add_run(row + columns[0], values, a + 1, -value);
    else
      for (int b = 0; b <= a; b++) row[columns[b]] -= value * values[b];
  }
  /* Operations are counted for tests of sparsity. */
  h->operations += (uint64_t)count * (uint64_t)(count + 1) / 2;
}

/* Solve S x = b in place, S being the matrix without what is kept aside. O(entries of L). */
static void substitute(const brio_curvature *h, double *b) {
  const int *rows = h->rows;
  /* L^T y = b, from the last row to the first. */
  for (int i = h->n - 1; i >= 0; i--) {
    b[i] = h->pivots[i] > 0 ? b[i] / h->pivots[i] : 0;
    for (int k = rows[i + 1]; k < rows[i]; k++) b[h->columns[k]] -= h->values[k] * b[i];
  }
  /* L x = y, from the first row to the last. A number that is fixed has pivot 0 and becomes 0. */
  for (int i = 0; i < h->n; i++) {
    double sum = b[i];
    for (int k = rows[i + 1]; k < rows[i]; k++) sum -= h->values[k] * b[h->columns[k]];
    b[i] = h->pivots[i] > 0 ? sum / h->pivots[i] : 0;
  }
}

/* Write Z = S^-1 U and the small matrix 1 + D U^T Z. O(nwide * (entries of L + nwide n)). */
static void factor_wide(brio_curvature *h) {
  int n = h->n;
  for (int k = 0; k < h->nwide; k++) {
    double *z = h->solved + k * n;
    memcpy(z, h->wide + k * n, (size_t)n * sizeof *z);
    substitute(h, z);
    for (int i = 0; i < h->nwide; i++) h->small[i][k] = (i == k) + h->scales[i] * dot(h->wide + i * n, z, n);
  }
}

bool brio_curvature_factor(brio_curvature *h, const bool *fixed, const double *added) {
  int n = h->n, at = 0;
  bool positive = true;
  if (n <= BRIO_DENSE) return brio_curvature_factor_dense(h, fixed, added);
  /* The factor works on a copy: the matrix itself is needed for predictions and for further factors. */
  for (int i = 0; i < n; i++) {
    memcpy(h->work + i * n, h->half + i * n, ((size_t)i + 1) * sizeof *h->work);
    h->work[i * n + i] += added[i];
  }
  h->rows[n] = 0;
  /* Rows of L are stored in the order in which they are made, the last row first. */
  for (int i = n - 1; i >= 0; i--) {
    assert(at <= n * (n - 1) / 2);
    int end = at;
    if (fixed[i]) h->pivots[i] = 0;
    else end = take_row(h, fixed, i, at);
    positive &= !isinf(h->pivots[i]);
    eliminate(h, at, end);
    h->rows[i] = at = end;
  }
  factor_wide(h);
  return positive;
}

/* Solve the small system in place by Gaussian elimination with row pivots. Where a pivot is 0 the
** unknown is not determined, and becomes 0. */
static void solve_small(const brio_curvature *h, double *y) {
  double m[BRIO_MOST_WIDE][BRIO_MOST_WIDE];
  int count = h->nwide;
  memcpy(m, h->small, sizeof m);
  for (int c = 0; c < count; c++) {
    /* Swap the row with the greatest pivot up. */
    int best = c;
    for (int i = c + 1; i < count; i++)
      if (fabs(m[i][c]) > fabs(m[best][c])) best = i;
    for (int j = 0; j < count; j++) {
      double swapped = m[c][j];
      m[c][j] = m[best][j], m[best][j] = swapped;
    }
    double swapped = y[c];
    y[c] = y[best], y[best] = swapped;
    /* Eliminate column c below the pivot. */
    for (int i = c + 1; i < count && m[c][c] != 0; i++) {
      double share = m[i][c] / m[c][c];
      for (int j = c; j < count; j++) m[i][j] -= share * m[c][j];
      y[i] -= share * y[c];
    }
  }
  /* Substitute back. */
  for (int c = count - 1; c >= 0; c--) {
    for (int j = c + 1; j < count; j++) y[c] -= m[c][j] * y[j];
    y[c] = m[c][c] != 0 ? y[c] / m[c][c] : 0;
  }
}

void brio_curvature_solve(brio_curvature *h, double *b) {
  int n = h->n;
  double y[BRIO_MOST_WIDE];
  if (n <= BRIO_DENSE) {
    brio_curvature_substitute_dense(h, b);
    return;
  }
  substitute(h, b);
  if (h->nwide == 0) return;
  /* y = (1 + D U^T Z)^-1 D U^T z, then b = z - Z y. */
  for (int k = 0; k < h->nwide; k++) y[k] = h->scales[k] * dot(h->wide + k * n, b, n);
  solve_small(h, y);
  for (int k = 0; k < h->nwide; k++)
    for (int i = 0; i < n; i++) b[i] -= h->solved[k * n + i] * y[k];
}
