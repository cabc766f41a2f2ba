/* Solutions of M x = b with the factors of factor.c: L^T y = b, D z = y, L x = z.
**
** Many columns at once are a matrix by rows, and each row gathers from those that it depends on, four columns
** in registers.  What is 0 because bodies do not carry each other is left out: of a row of d(tau), before the
** second half, columns of other branches; of M^-1, which is symmetric, the left half. */
#include <assert.h>

#include "dynamics/dynamics_internal.h"
#include "math/sincos.h"

void brio_dynamics_solve(const brio_dynamics *dynamics, double *x) {
  const struct brio_dynamics_private *work = dynamics->work;
  for (int k = work->nfree - 1; k > 0; k--) {
    const brio_dynamics_row *row = &work->rows[k];
    for (int p = row->start; p < row->start + row->depth; p++) x[work->paths[p]] -= work->entries[p] * x[k];
  }
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

static inline four load(const double *from) {
  return (four){brio_pair_load(from), brio_pair_load(from + 2)};
}

static inline void store(double *to, four f) {
  brio_pair_store(to, f.a);
  brio_pair_store(to + 2, f.b);
}

/* Return f - weight * the four at `from`. */
static inline four less(four f, double weight, const double *from) {
  brio_pair both = brio_pair_of(weight);
  return (four){f.a - both * brio_pair_load(from), f.b - both * brio_pair_load(from + 2)};
}

/* First half, L^T y = b, of columns `from` to `to` of row k: what the rows that have it on their paths
** take. */
static inline void gather_below(const struct brio_dynamics_private *work, int k, double *x, int stride,
                                int from, int to) {
  int depth = work->rows[k].depth, last = work->rows[k].last;
  for (int c = from & ~3; c <= to; c += 4) {
    four own = load(x + k * stride + c);
    for (int i = k + 1; i <= last; i++)
      own = less(own, work->entries[work->rows[i].start + depth], x + i * stride + c);
    store(x + k * stride + c, own);
  }
}

/* Second half, D z = y and L x = z: what it takes from its path. */
static inline void gather_path(const struct brio_dynamics_private *work, int k, double *x, int stride,
                               int from, int to) {
  const brio_dynamics_row *row = &work->rows[k];
  const double *entries = work->entries + row->start;
  const int *path = work->paths + row->start;
  brio_pair scale = brio_pair_of(work->diagonal[k]);
  for (int c = from & ~3; c <= to; c += 4) {
    four own = load(x + k * stride + c);
    own = (four){scale * own.a, scale * own.b};
    for (int p = 0; p < row->depth; p++) own = less(own, entries[p], x + path[p] * stride + c);
    store(x + k * stride + c, own);
  }
}

void brio_dynamics_solve_columns(const brio_dynamics *dynamics, double *x, int count) {
  const struct brio_dynamics_private *work = dynamics->work;
  int n = work->nfree, stride = BRIO_DYNAMICS_STRIDE(count);
  for (int k = n - 1; k >= 0; k--) gather_below(work, k, x, stride, 0, count - 1);
  for (int k = 0; k < n; k++) gather_path(work, k, x, stride, 0, count - 1);
}

void brio_dynamics_solve_slopes(const brio_dynamics *dynamics, double *x) {
  const struct brio_dynamics_private *work = dynamics->work;
  int n = work->nfree, wide = BRIO_DYNAMICS_STRIDE(n), stride = 3 * wide;
  for (int k = n - 1; k >= 0; k--) {
    const brio_dynamics_row *row = &work->rows[k];
    gather_below(work, k, x, stride, row->root, row->last);
    gather_below(work, k, x + wide, stride, row->root, row->last);
    gather_below(work, k, x + 2 * wide, stride, k, row->last);
  }
  for (int k = 0; k < n; k++) {
    const brio_dynamics_row *row = &work->rows[k];
    int end = work->rows[row->root].last;
    gather_path(work, k, x, stride, row->root, end);
    gather_path(work, k, x + wide, stride, row->root, end);
    gather_path(work, k, x + 2 * wide, stride, k, end);
  }
}
