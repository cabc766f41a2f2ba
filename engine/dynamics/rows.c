/* Which numbers of M and its factors can be other than 0, found once.
**
** M has an entry where one mover carries another, and for each of them with a free base.  Eliminating from
** the last row up fills no entry of a tree whose rows are ordered from the root, and the entries of a row
** are those on its way to the root.  Variables that move several movers (mimic joints) join branches; then
** elimination fills entries, which is done here with marks.  The last entry before the diagonal is a row's
** parent in the tree of elimination, and taking all rows on that tree's path as entries covers both cases.
** Source: Liu, "The role of elimination trees in sparse factorization", 1990. */
#include <assert.h>

#include "dynamics/dynamics_internal.h"

/* Give each tangent number that moves a row: the base's first, then variables as their first movers come.
** Return their number. */
static int order_rows(brio_dynamics *dynamics) {
  struct brio_dynamics_private *work = dynamics->work;
  int count = 0;
  for (int v = 0; v < dynamics->robot->nv; v++) work->row_of[v] = -1;
  for (int v = work->first; v < BRIO_BASE_NV; v++) work->row_of[v] = count++;
  for (int m = 1; m < work->nbody; m++)
    if (work->row_of[work->bodies[m].v] < 0) work->row_of[work->bodies[m].v] = count++;
  return count;
}

/* Mark the entries of M in the order of rows: movers that carry each other meet, and all meet a free base. */
static void mark_mass(const struct brio_dynamics_private *work, bool *marks) {
  int n = work->nfree, nbase = BRIO_BASE_NV - work->first;
  for (int m = 1; m < work->nbody; m++)
    for (int i = m; i > 0; i = work->bodies[i].parent) {
      int a = work->row_of[work->bodies[m].v], b = work->row_of[work->bodies[i].v];
      marks[(a > b ? a : b) * n + (a > b ? b : a)] = true;
    }
  for (int k = 0; k < n; k++)
    for (int i = 0; i < nbase && i <= k; i++) marks[k * n + i] = true;
}

/* Mark what elimination fills in, from the last row up. A row's entries i and j meet when it is
** eliminated: entry (i, j) fills. O(n^3), once. */
static void mark_fill(bool *marks, int n) {
  for (int k = n - 1; k > 0; k--)
    for (int i = 0; i < k; i++)
      for (int j = 0; marks[k * n + i] && j <= i; j++) marks[i * n + j] |= marks[k * n + j];
}

/* Write the parents of all rows, -1: none. The parent is the last entry before the diagonal. */
static void find_parents(const bool *marks, int n, int *parents) {
  for (int k = 0; k < n; k++) {
    parents[k] = k - 1;
    while (parents[k] >= 0 && !marks[k * n + parents[k]]) parents[k]--;
  }
}

/* Number the rows again, depth first, so that the rows behind one that have it on their paths follow it
** without gaps.  `sizes`, `next`, `places`: scratch, n + 1 each. */
static void number_again(brio_dynamics *dynamics, int *parents, int *sizes, int *next, int *places) {
  struct brio_dynamics_private *work = dynamics->work;
  int n = work->nfree, free_place = 0;
  /* Sizes of subtrees, from the leaves. */
  for (int k = 0; k < n; k++) sizes[k] = 1;
  for (int k = n - 1; k >= 0; k--)
    if (parents[k] >= 0) sizes[parents[k]] += sizes[k];
  for (int k = 0; k < n; k++) {
    /* Each row takes the next free place behind its parent, and leaves room for its own subtree. */
    int *at = parents[k] < 0 ? &free_place : &next[parents[k]];
    places[k] = *at;
    next[k] = *at + 1;
    *at += sizes[k];
  }
  /* `next` and `sizes` are not needed any longer: the new parents, and back. */
  for (int k = 0; k < n; k++) next[places[k]] = parents[k] < 0 ? -1 : places[parents[k]];
  for (int k = 0; k < n; k++) parents[k] = next[k];
  for (int v = 0; v < dynamics->robot->nv; v++) {
    if (work->row_of[v] < 0) continue;
    work->row_of[v] = places[work->row_of[v]];
    work->rows[work->row_of[v]].v = v;
  }
}

/* Describe each row; return the length of all paths. */
static int measure_rows(struct brio_dynamics_private *work, const int *parents) {
  int n = work->nfree, count = 0;
  for (int k = 0; k < n; k++) {
    brio_dynamics_row *row = &work->rows[k];
    const brio_dynamics_row *parent = parents[k] < 0 ? NULL : &work->rows[parents[k]];
    /* A path is the parent's, and the parent: one longer. */
    row->start = count;
    row->depth = parent ? parent->depth + 1 : 0;
    row->root = parent ? parent->root : k;
    row->last = k;
    count += row->depth;
  }
  for (int k = n - 1; k >= 0; k--)
    if (parents[k] >= 0 && work->rows[parents[k]].last < work->rows[k].last)
      work->rows[parents[k]].last = work->rows[k].last;
  return count;
}

/* Write the path of each row: that of its parent, and the parent. */
static void list_paths(const struct brio_dynamics_private *work, const int *parents) {
  for (int k = 0; k < work->nfree; k++) {
    const brio_dynamics_row *row = &work->rows[k];
    for (int p = 0; p + 1 < row->depth; p++)
      work->paths[row->start + p] = work->paths[work->rows[parents[k]].start + p];
    if (row->depth > 0) work->paths[row->start + row->depth - 1] = parents[k];
    for (int p = row->start; p < row->start + row->depth; p++)
      work->path_vs[p] = work->rows[work->paths[p]].v;
  }
}

/* Whether the rows are as dynamics_internal.h says: paths rise to the row's parent, that of a row on a path
** is its beginning, and the rows up to `last`, and no others, have a row on their paths.
** O(n^2 + entries x depth) */
static bool are_rows_sound(const struct brio_dynamics_private *work) {
  for (int k = 0; k < work->nfree; k++) {
    const brio_dynamics_row *row = &work->rows[k];
    const int *path = work->paths + row->start;
    for (int p = 0; p < row->depth; p++) {
      const brio_dynamics_row *above = &work->rows[path[p]];
      /* A path rises, and each row on it has the depth of its place there. */
      if (path[p] >= (p + 1 < row->depth ? path[p + 1] : k) || above->depth != p) return false;
      for (int i = 0; i < p; i++)
        if (work->paths[above->start + i] != path[i]) return false;
    }
    if (row->root != (row->depth ? path[0] : k)) return false;
    for (int i = k + 1; i < work->nfree; i++) {
      const brio_dynamics_row *below = &work->rows[i];
      /* Row k, if it is on that path, is at its own depth. */
      bool has = below->depth > row->depth && work->paths[below->start + row->depth] == k;
      if (has != (i <= row->last)) return false;
    }
  }
  return true;
}

/* Take room for paths and entries.  False: no memory. */
static bool take_entries(brio_dynamics *dynamics, int count) {
  struct brio_dynamics_private *work = dynamics->work;
  work->nentry = count;
  work->paths = BRIO_TAKE(&dynamics->arena, int, count + 1);
  work->path_vs = BRIO_TAKE(&dynamics->arena, int, count + 1);
  work->entries = BRIO_TAKE(&dynamics->arena, double, count + 1);
  return work->paths && work->path_vs && work->entries;
}

bool brio_dynamics_make_rows(brio_dynamics *dynamics, brio_error *err) {
  struct brio_dynamics_private *work = dynamics->work;
  brio_arena scratch;
  size_t n = (size_t)work->nfree;
  brio_arena_start(&scratch, 4096);
  bool *marks = BRIO_TAKE(&scratch, bool, n *n + 1);
  int *parents = BRIO_TAKE(&scratch, int, 4 * (n + 1));
  work->rows = BRIO_TAKE(&dynamics->arena, brio_dynamics_row, n + 1);
  work->row_of = BRIO_TAKE(&dynamics->arena, int, dynamics->robot->nv);
  work->diagonal = BRIO_TAKE(&dynamics->arena, double, n + 1);
  bool good = marks && parents && work->rows && work->row_of && work->diagonal;
  if (good) {
    int count = order_rows(dynamics), *more = parents + n + 1;
    assert(count == work->nfree);
    mark_mass(work, marks);
    mark_fill(marks, count);
    find_parents(marks, count, parents);
    number_again(dynamics, parents, more, more + n + 1, more + 2 * n + 2);
    good = take_entries(dynamics, measure_rows(work, parents));
  }
  if (good) list_paths(work, parents);
  assert(!good || are_rows_sound(work));
  brio_arena_end(&scratch);
  if (!good)
    brio_fail(err, BRIO_NO_MEMORY, "no memory for the dynamics of robot '%.80s'", dynamics->robot->name);
  return good;
}
