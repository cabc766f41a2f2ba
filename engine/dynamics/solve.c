/* Solutions of M x = b with the factors of factor.c: L^T y = b, D z = y, L x = z.
**
** Many columns at once are a matrix by rows, and each row gathers from those that it depends on, four or
** eight columns in registers.  What is 0 because bodies do not carry each other is left out: of a row of
** d(tau), before the second half, columns of other branches; of M^-1, which is symmetric, the left half. */
#include <assert.h>

#include "dynamics/dynamics_internal.h"
#include "math/sincos.h"

/* One column, O(entries). */
void brio_dynamics_solve(const brio_dynamics *dynamics, double *x) {
  const struct brio_dynamics_private *work = dynamics->work;
  /* L^T y = b: each row, once complete, is subtracted from those on its path. */
  for (int k = work->nfree - 1; k > 0; k--) {
    const brio_dynamics_row *row = &work->rows[k];
    for (int p = row->start; p < row->start + row->depth; p++) x[work->paths[p]] -= work->entries[p] * x[k];
  }
  /* D z = y and L x = z: each row gathers from its path. The diagonal holds 1 / D. */
  for (int k = 0; k < work->nfree; k++) {
    const brio_dynamics_row *row = &work->rows[k];
    double sum = work->diagonal[k] * x[k];
    for (int p = row->start; p < row->start + row->depth; p++) sum -= work->entries[p] * x[work->paths[p]];
    x[k] = sum;
  }
}

/* Four columns of a row of numbers, in registers. */
typedef struct four {
  brio_pair a, b;
} four;

/* Read and write four numbers. */
static inline four load(const double *from) {
  return (four){brio_pair_load(from), brio_pair_load(from + 2)};
}

static inline void store(double *to, four f) {
  brio_pair_store(to, f.a);
  brio_pair_store(to + 2, f.b);
}

/* Return f - weight * the four at `from`. */
static inline four less(four f, brio_pair weight, const double *from) {
  return (four){f.a - weight * brio_pair_load(from), f.b - weight * brio_pair_load(from + 2)};
}

/* First half, L^T y = b, of four columns of row k, or of eight: what the rows that have it on their paths
** take. */
static inline void gather_below(const struct brio_dynamics_private *work, int k, double *x, int stride,
                                bool eight) {
  const brio_dynamics_row *rows = work->rows;
  double *own = x + k * stride;
  four a = load(own), b = eight ? load(own + 4) : a;
  for (int i = k + 1; i <= rows[k].last; i++) {
    const double *other = x + i * stride;
    brio_pair weight = brio_pair_of(work->entries[rows[i].start + rows[k].depth]);
    a = less(a, weight, other);
    if (eight) b = less(b, weight, other + 4);
  }
  store(own, a);
  if (eight) store(own + 4, b);
}

/* Second half, D z = y and L x = z: what it takes from its path. */
static inline void gather_path(const struct brio_dynamics_private *work, int k, double *x, int stride,
                               bool eight) {
  const brio_dynamics_row *row = &work->rows[k];
  double *own = x + k * stride;
  brio_pair scale = brio_pair_of(work->diagonal[k]);
  four a = load(own), b = eight ? load(own + 4) : a;
  a = (four){scale * a.a, scale * a.b};
  b = (four){scale * b.a, scale * b.b};
  for (int p = row->start; p < row->start + row->depth; p++) {
    const double *other = x + work->paths[p] * stride;
    brio_pair weight = brio_pair_of(work->entries[p]);
    a = less(a, weight, other);
    if (eight) b = less(b, weight, other + 4);
  }
  store(own, a);
  if (eight) store(own + 4, b);
}

/* The first half of columns `from` to `to` of row k; and what fills the last four. */
static void solve_below(const struct brio_dynamics_private *work, int k, double *x, int stride, int from,
                        int to) {
  int c = from & ~3;
  for (; c + 4 <= to; c += 8) gather_below(work, k, x + c, stride, true);
  if (c <= to) gather_below(work, k, x + c, stride, false);
}

/* The second half in the same way. */
static void solve_path(const struct brio_dynamics_private *work, int k, double *x, int stride, int from,
                       int to) {
  int c = from & ~3;
  for (; c + 4 <= to; c += 8) gather_path(work, k, x + c, stride, true);
  if (c <= to) gather_path(work, k, x + c, stride, false);
}

void brio_dynamics_solve_columns(const brio_dynamics *dynamics, double *x, int count) {
  const struct brio_dynamics_private *work = dynamics->work;
  int n = work->nfree, stride = BRIO_DYNAMICS_STRIDE(count);
  assert(count >= 0);
  for (int k = n - 1; k >= 0; k--) solve_below(work, k, x, stride, 0, count - 1);
  for (int k = 0; k < n; k++) solve_path(work, k, x, stride, 0, count - 1);
}

void brio_dynamics_solve_slopes(const brio_dynamics *dynamics, double *x) {
  const struct brio_dynamics_private *work = dynamics->work;
  int n = work->nfree, wide = BRIO_DYNAMICS_STRIDE(n), stride = 3 * wide;
  for (int k = n - 1; k >= 0; k--) {
    const brio_dynamics_row *row = &work->rows[k];
    /* The slopes have the columns of their tree up to the last one that has k on its path; the unit matrix
    ** begins at the diagonal. */
    solve_below(work, k, x, stride, row->root, row->last);
    solve_below(work, k, x + wide, stride, row->root, row->last);
    solve_below(work, k, x + 2 * wide, stride, k, row->last);
  }
  for (int k = 0; k < n; k++) {
    const brio_dynamics_row *row = &work->rows[k];
    /* In the second half whole trees fill. */
    int end = work->rows[row->root].last;
    solve_path(work, k, x, stride, row->root, end);
    solve_path(work, k, x + wide, stride, row->root, end);
    solve_path(work, k, x + 2 * wide, stride, k, end);
  }
}
