/* M = L^T D L with the zeros of M kept: the factors of a branched robot are as sparse as its mass matrix,
** where a row comes behind those of all movers that carry its own.  Which entries there are is found once, by
** eliminating symbolically, so variables that move several movers (mimic joints) need nothing of their own.
** Source: Featherstone, "Efficient factorization of the joint-space inertia matrix for branched kinematic
** trees", 2005. */
#include <assert.h>
#include <string.h>

#include "dynamics/dynamics_internal.h"

/* Give each tangent number that moves its row: the base's first, then variables as their first movers
** come. */
static void order_rows(brio_dynamics *dynamics) {
  struct brio_dynamics_private *work = dynamics->work;
  int count = 0;
  for (int v = 0; v < dynamics->robot->nv; v++) work->place_of[v] = -1;
  for (int v = work->first; v < BRIO_BASE_NV; v++) work->place_of[v] = count, work->order[count++] = v;
  for (int m = 1; m < work->nbody; m++) {
    int v = work->bodies[m].v;
    if (work->place_of[v] < 0) work->place_of[v] = count, work->order[count++] = v;
  }
  assert(count <= work->nfree);
  /* A variable without any mover would be a fault of the robot's model. */
  work->nfree = count;
}

/* Mark the entries of M in the order of rows: movers that carry each other meet, and all meet a free base. */
static void mark_mass(const struct brio_dynamics_private *work, bool *marks) {
  int n = work->nfree, nbase = BRIO_BASE_NV - work->first;
  for (int m = 1; m < work->nbody; m++)
    for (int i = m; i > 0; i = work->bodies[i].parent) {
      int a = work->place_of[work->bodies[m].v], b = work->place_of[work->bodies[i].v];
      marks[(a > b ? a : b) * n + (a > b ? b : a)] = true;
    }
  for (int k = 0; k < n; k++)
    for (int i = 0; i < nbase && i <= k; i++) marks[k * n + i] = true;
}

/* Mark what elimination fills in, from the last row up. */
static void mark_fill(bool *marks, int n) {
  for (int k = n - 1; k > 0; k--)
    for (int i = 0; i < k; i++)
      for (int j = 0; marks[k * n + i] && j <= i; j++) marks[i * n + j] |= marks[k * n + j];
}

/* List the marked entries left of the diagonal.  False: no memory. */
static bool list_entries(brio_dynamics *dynamics, const bool *marks) {
  struct brio_dynamics_private *work = dynamics->work;
  int n = work->nfree, count = 0;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < k; i++) count += marks[k * n + i];
  work->row_items = BRIO_TAKE(&dynamics->arena, int, count + 1);
  if (!work->row_items) return false;
  count = 0;
  for (int k = 0; k < n; k++) {
    work->row_start[k] = count;
    for (int i = 0; i < k; i++)
      if (marks[k * n + i]) work->row_items[count++] = i;
  }
  work->row_start[n] = count;
  return true;
}

bool brio_dynamics_plan_factor(brio_dynamics *dynamics, brio_error *err) {
  struct brio_dynamics_private *work = dynamics->work;
  brio_arena *arena = &dynamics->arena, scratch;
  size_t n = (size_t)work->nfree;
  brio_arena_start(&scratch, 4096);
  bool *marks = BRIO_TAKE(&scratch, bool, n *n + 1);
  work->order = BRIO_TAKE(arena, int, n + 1);
  work->place_of = BRIO_TAKE(arena, int, dynamics->robot->nv);
  work->row_start = BRIO_TAKE(arena, int, n + 1);
  work->factor = BRIO_TAKE(arena, double, n *n + 1);
  bool good = marks && work->order && work->place_of && work->row_start && work->factor;
  if (good) {
    order_rows(dynamics);
    mark_mass(work, marks);
    mark_fill(marks, work->nfree);
    good = list_entries(dynamics, marks);
  }
  brio_arena_end(&scratch);
  if (!good)
    brio_fail(err, BRIO_NO_MEMORY, "no memory for the dynamics of robot '%.80s'", dynamics->robot->name);
  return good;
}

/* Copy M's entries into the order of rows. */
static void copy_mass(const struct brio_dynamics_private *work, int nv) {
  int n = work->nfree;
  for (int k = 0; k < n; k++) {
    const double *from = work->mass + work->order[k] * nv;
    double *row = work->factor + k * n;
    for (int at = work->row_start[k]; at < work->row_start[k + 1]; at++)
      row[work->row_items[at]] = from[work->order[work->row_items[at]]];
    row[k] = from[work->order[k]];
  }
}

/* Say which variable moves no mass. */
static bool refuse(const brio_dynamics *dynamics, int k, brio_error *err) {
  const brio_robot *robot = dynamics->robot;
  int v = dynamics->work->order[k];
  return brio_fail(err, BRIO_MISUSE,
                   "robot '%.80s': its mass matrix is not positive definite at %s%.80s: the "
                   "links that it moves need masses and inertias above 0",
                   robot->name, v < BRIO_BASE_NV ? "its base" : "variable ",
                   v < BRIO_BASE_NV ? "" : robot->variables[v - BRIO_BASE_NV].name);
}

/* Eliminate row k from the rows that its entries name. */
static inline void eliminate(const struct brio_dynamics_private *work, int k, double inverse) {
  int n = work->nfree, first = work->row_start[k];
  const int *items = work->row_items;
  double *row = work->factor + k * n;
  /* From the right, so that what is still needed is not divided yet. */
  for (int at = work->row_start[k + 1] - 1; at >= first; at--) {
    double share = row[items[at]] * inverse, *other = work->factor + items[at] * n;
    for (int to = first; to <= at; to++) other[items[to]] -= share * row[items[to]];
    row[items[at]] = share;
  }
  row[k] = inverse;
}

bool brio_dynamics_factorize(brio_dynamics *dynamics, brio_error *err) {
  const struct brio_dynamics_private *work = dynamics->work;
  int n = work->nfree, nv = dynamics->robot->nv;
  copy_mass(work, nv);
  for (int k = n - 1; k >= 0; k--) {
    /* Against the diagonal as it was: what is left of it by rounding alone is no mass. */
    double left = work->factor[k * n + k], whole = work->mass[work->order[k] * (nv + 1)];
    if (!(left > 1e-14 * whole && left > 1e-18 && isfinite(left))) return refuse(dynamics, k, err);
    eliminate(work, k, 1 / left);
  }
  return true;
}

/* One column: L^T y = x, D z = y, L x = z, without loops over columns. */
static void solve_one(const struct brio_dynamics_private *work, double *x) {
  int n = work->nfree;
  const int *items = work->row_items, *start = work->row_start;
  for (int k = n - 1; k > 0; k--) {
    const double *row = work->factor + k * n;
    for (int at = start[k]; at < start[k + 1]; at++) x[items[at]] -= row[items[at]] * x[k];
  }
  for (int k = 0; k < n; k++) {
    const double *row = work->factor + k * n;
    double sum = row[k] * x[k];
    for (int at = start[k]; at < start[k + 1]; at++) sum -= row[items[at]] * x[items[at]];
    x[k] = sum;
  }
}

/* Subtract scale times row `from` from row `to`. */
static inline void subtract_row(double *restrict to, const double *restrict from, double scale, int count) {
  for (int c = 0; c < count; c++) to[c] -= scale * from[c];
}

void brio_dynamics_solve(const brio_dynamics *dynamics, double *x, int count) {
  const struct brio_dynamics_private *work = dynamics->work;
  int n = work->nfree;
  const int *items = work->row_items, *start = work->row_start;
  if (count == 1) {
    solve_one(work, x);
    return;
  }
  for (int k = n - 1; k > 0; k--) {
    const double *row = work->factor + k * n;
    for (int at = start[k]; at < start[k + 1]; at++)
      subtract_row(x + items[at] * count, x + k * count, row[items[at]], count);
  }
  for (int k = 0; k < n; k++) {
    const double *row = work->factor + k * n;
    double *own = x + k * count;
    for (int c = 0; c < count; c++) own[c] *= row[k];
    for (int at = start[k]; at < start[k + 1]; at++)
      subtract_row(own, x + items[at] * count, row[items[at]], count);
  }
}
