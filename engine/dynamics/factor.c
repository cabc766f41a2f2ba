/* M = L^T D L with the zeros of M kept (rows.c).
** Source: Featherstone, "Efficient factorization of the joint-space inertia matrix for branched kinematic
** trees", 2005. */
#include <string.h>

#include "dynamics/dynamics_internal.h"
#include "math/sincos.h"

/* Say which variable moves no mass. */
static bool refuse(const brio_dynamics *dynamics, int k, brio_error *err) {
  const brio_robot *robot = dynamics->robot;
  int v = dynamics->work->rows[k].v;
  bool base = v < BRIO_BASE_NV;
  return brio_fail(err, BRIO_MISUSE,
                   "robot '%.80s': its mass matrix is not positive definite at %s%.80s: the links that it "
                   "moves need masses and inertias above 0",
                   robot->name, base ? "its base" : "variable ",
                   base ? "" : robot->variables[v - BRIO_BASE_NV].name);
}

/* Subtract `share` times the first numbers of a row from another one. */
static inline void subtract(double *to, const double *from, double share, int count) {
  brio_pair both = brio_pair_of(share);
  int at = 0;
  for (; at + 1 < count; at += 2)
    brio_pair_store(to + at, brio_pair_load(to + at) - both * brio_pair_load(from + at));
  if (at < count) to[at] -= share * from[at];
}

/* Eliminate row k from the rows on its path. */
static inline void eliminate(const struct brio_dynamics_private *work, int k, double inverse) {
  const brio_dynamics_row *rows = work->rows;
  const int *path = work->paths + rows[k].start;
  double *row = work->entries + rows[k].start;
  /* From the right, so that what is still needed is not divided yet. */
  for (int at = rows[k].depth - 1; at >= 0; at--) {
    double share = row[at] * inverse;
    subtract(work->entries + rows[path[at]].start, row, share, at);
    work->diagonal[path[at]] -= share * row[at];
    row[at] = share;
  }
  work->diagonal[k] = inverse;
}

bool brio_dynamics_factorize(brio_dynamics *dynamics, brio_error *err) {
  const struct brio_dynamics_private *work = dynamics->work;
  int n = work->nfree;
  memcpy(work->vector, work->diagonal, (size_t)n * sizeof *work->vector);
  for (int k = n - 1; k >= 0; k--) {
    /* Against the diagonal as it was: what is left of it by rounding alone is no mass. */
    double left = work->diagonal[k];
    if (!(left > 1e-14 * work->vector[k] && left > 1e-18 && isfinite(left))) return refuse(dynamics, k, err);
    eliminate(work, k, 1 / left);
  }
  return true;
}
