/* The factor of a small matrix: the one of curvature.c, entry by entry and to the bit, without lists of what
** is not 0.  Of few numbers most are coupled, and lists would cost more than what they leave out.
**
** Row i of the matrix becomes final when all rows behind it have been subtracted, in the order in which
** curvature.c subtracts them: from the last to the first, four at a time.  An entry that is 0 changes
** nothing.
**
** Costs: n^3 / 6 multiplications for the factor, n^2 for a solution. */
#include <assert.h>
#include <math.h>

#include "math/sincos.h"
#include "solver/evaluation/curvature.h"

enum { ROWS = 4 }; /* subtracted at once */

/* Subtract multiples of ROWS rows from `count` numbers of a row, one row after the other. */
static void subtract_rows(double *restrict row, const double *const v[ROWS], const double *x, int count) {
  const double *v0 = v[0], *v1 = v[1], *v2 = v[2], *v3 = v[3];
  brio_pair x0 = brio_pair_of(x[0]), x1 = brio_pair_of(x[1]);
  brio_pair x2 = brio_pair_of(x[2]), x3 = brio_pair_of(x[3]);
  int b = 0;
  for (; b + 1 < count; b += 2) {
    brio_pair sum = brio_pair_load(row + b) - x0 * brio_pair_load(v0 + b);
    sum = sum - x1 * brio_pair_load(v1 + b);
    sum = sum - x2 * brio_pair_load(v2 + b);
    brio_pair_store(row + b, sum - x3 * brio_pair_load(v3 + b));
  }
  if (b < count) row[b] = row[b] - x[0] * v0[b] - x[1] * v1[b] - x[2] * v2[b] - x[3] * v3[b];
}

/* Subtract a multiple of a row from `count` numbers of another. */
static void subtract_row(double *restrict row, const double *restrict v, double x, int count) {
  brio_pair xs = brio_pair_of(x);
  int b = 0;
  for (; b + 1 < count; b += 2)
    brio_pair_store(row + b, brio_pair_load(row + b) - xs * brio_pair_load(v + b));
  if (b < count) row[b] -= x * v[b];
}

/* Subtract all rows of L behind row `i` that have an entry in its column.  Return how many there were. */
static int eliminate_behind(brio_curvature *h, int i) {
  int n = h->n, found = 0;
  const double *rows[BRIO_DENSE];
  double entries[BRIO_DENSE], *row = h->work + i * n;
  for (int k = n - 1; k > i; k--) {
    double entry = h->work[k * n + i];
    if (entry == 0) continue;
    rows[found] = h->work + k * n;
    entries[found++] = entry;
  }
  int k = 0;
  for (; k + ROWS <= found; k += ROWS) subtract_rows(row, rows + k, entries + k, i + 1);
  for (; k < found; k++) subtract_row(row, rows[k], entries[k], i + 1);
  return found;
}

/* Divide `count` numbers of a row by its pivot. */
static void divide(double *row, double pivot, int count) {
  brio_pair by = brio_pair_of(pivot);
  int j = 0;
  for (; j + 1 < count; j += 2) brio_pair_store(row + j, brio_pair_load(row + j) / by);
  if (j < count) row[j] /= pivot;
}

bool brio_curvature_factor_dense(brio_curvature *h, const bool *fixed, const double *added) {
  int n = h->n;
  bool positive = true, some = memchr(fixed, 1, (size_t)n * sizeof *fixed) != NULL;
  assert(n <= BRIO_DENSE && h->nwide == 0);
  for (int i = n - 1; i >= 0; i--) {
    double *row = h->work + i * n;
    h->pivots[i] = 0;
    /* A number that is fixed has no row and no column. */
    if (fixed[i]) memset(row, 0, (size_t)n * sizeof *row);
    if (fixed[i]) continue;
    memcpy(row, h->half + i * n, ((size_t)i + 1) * sizeof *row);
    row[i] += added[i];
    h->operations += (uint64_t)eliminate_behind(h, i) * (uint64_t)(i + 1);
    /* A pivot that is not positive is infinite: HUGE_VAL makes all entries of the row 0. */
    h->pivots[i] = row[i] > 0 ? sqrt(row[i]) : HUGE_VAL;
    positive &= !isinf(h->pivots[i]);
    divide(row, h->pivots[i], i);
    for (int j = 0; j < i && some; j++)
      if (fixed[j]) row[j] = 0;
  }
  return positive;
}

void brio_curvature_substitute_dense(const brio_curvature *h, double *b) {
  int n = h->n;
  /* L^T y = b, from the last row to the first. */
  for (int i = n - 1; i >= 0; i--) {
    b[i] = h->pivots[i] > 0 ? b[i] / h->pivots[i] : 0;
    subtract_row(b, h->work + i * n, b[i], i);
  }
  /* L x = y, from the first row to the last. A number that is fixed has pivot 0 and becomes 0. */
  for (int i = 0; i < n; i++) {
    const double *row = h->work + i * n;
    double sum = b[i];
    for (int j = 0; j < i; j++) sum -= row[j] * b[j];
    b[i] = h->pivots[i] > 0 ? sum / h->pivots[i] : 0;
  }
}
