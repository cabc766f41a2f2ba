/* The mass matrix: the composite rigid body algorithm in frame O.
**
** With I_m the inertia of body m and all below, and s_m how mover m moves them (six numbers, the same for all
** of them in O), M_im = s_i . I_m s_m for each mover i that carries m or is m, and 0 for movers in different
** branches.  The six columns of a free base are unit vectors, so its rows are I_m s_m itself.
** Source: Walker, Orin, "Efficient dynamic computer simulation of robotic mechanisms", 1982. */
#include <assert.h>
#include <string.h>

#include "dynamics/dynamics_internal.h"

void brio_dynamics_place_inertias(brio_dynamics *dynamics) {
  struct brio_dynamics_private *work = dynamics->work;
  /* Two bodies at a time; of an odd number the last one is both. */
  for (int m = 0; m < work->nbody; m += 2) {
    int k = m + 1 < work->nbody ? m + 1 : m;
    const brio_dynamics_place *a = &work->places[m], *b = &work->places[k];
    const brio_rotation *const turns[2] = {&a->turn, &b->turn};
    const brio_vec3 origins[2] = {a->origin, b->origin};
    brio_inertia_move_two(&work->bodies[m].inertia, &work->bodies[k].inertia, turns, origins,
                          &work->carried[m], &work->carried[k]);
  }
}

const brio_inertia *brio_dynamics_carry(brio_dynamics *dynamics) {
  struct brio_dynamics_private *work = dynamics->work;
  brio_dynamics_place_inertias(dynamics);
  /* Children have larger numbers, so each is complete when it is added to its parent. */
  for (int m = work->nbody - 1; m > 0; m--)
    brio_inertia_add(&work->carried[work->bodies[m].parent], &work->carried[m]);
  return &work->carried[0];
}

/* Write the rows of a free base: the inertia of the whole robot about the root link's origin. */
static void fill_base(const struct brio_dynamics_private *work, const brio_inertia *all) {
  for (int k = 0; k < BRIO_BASE_NV; k++) {
    brio_spatial unit = {{k == 0, k == 1, k == 2}, {k == 3, k == 4, k == 5}};
    brio_spatial f = brio_inertia_apply(all, &unit);
    const double column[] = {f.linear.x, f.linear.y, f.linear.z, f.angular.x, f.angular.y, f.angular.z};
    assert(work->rows[k].v == k && work->rows[k].depth == k);
    /* The matrix is symmetric: of the six numbers those left of the diagonal are kept. */
    memcpy(work->entries + work->rows[k].start, column, (size_t)k * sizeof *column);
    work->diagonal[k] = column[k];
  }
}

/* A force, two numbers to a register. */
typedef struct force {
  brio_pair a, b, c;
} force;

static inline force force_of(const brio_spatial *f) {
  return (force){{f->linear.x, f->linear.y}, {f->linear.z, f->angular.x}, {f->angular.y, f->angular.z}};
}

/* Return s . f. */
static inline double work_of(const brio_spatial *s, const force *f) {
  const double *at = (const double *)s;
  brio_pair sum = brio_pair_load(at) * f->a + brio_pair_load(at + 2) * f->b + brio_pair_load(at + 4) * f->c;
  return sum[0] + sum[1];
}

/* Write row of mover m, whose variable moves no other: its path is the base and the movers that carry it. */
static inline void fill_row(const struct brio_dynamics_private *work, int m, const brio_spatial *f) {
  int k = work->row_of[work->bodies[m].v];
  double *entries = work->entries + work->rows[k].start, *at = entries + work->rows[k].depth;
  force halves = force_of(f);
  work->diagonal[k] = work_of(&work->places[m].column, &halves);
  /* The path ends with the nearest mover: filled from its end. */
  for (int i = work->bodies[m].parent; i > 0; i = work->bodies[i].parent)
    *--at = work_of(&work->places[i].column, &halves);
  if (work->first == 0) memcpy(entries, f, sizeof *f);
}

/* Add what mover m and those that carry it have in common, where variables move several movers. */
static void add_coupled(const struct brio_dynamics_private *work, int m, const brio_spatial *f) {
  int k = work->row_of[work->bodies[m].v];
  for (int i = m; i > 0; i = work->bodies[i].parent) {
    int other = work->row_of[work->bodies[i].v], low = other < k ? other : k, high = other < k ? k : other;
    double e = brio_spatial_dot(&work->places[i].column, f);
    /* A variable that moves two movers of one path adds to its diagonal by both halves. */
    if (low != high)
      work->entries[work->rows[high].start + work->rows[low].depth] += e;
    else
      work->diagonal[k] += i == m ? e : 2 * e;
  }
  const double column[] = {f->linear.x, f->linear.y, f->linear.z, f->angular.x, f->angular.y, f->angular.z};
  for (int p = work->first; p < BRIO_BASE_NV; p++) work->entries[work->rows[k].start + p] += column[p];
}

void brio_dynamics_fill_rows(brio_dynamics *dynamics) {
  struct brio_dynamics_private *work = dynamics->work;
  const brio_inertia *all = brio_dynamics_carry(dynamics);
  /* Without mimic joints every entry is written once; with them they are sums. */
  if (work->coupled) {
    memset(work->entries, 0, (size_t)work->nentry * sizeof *work->entries);
    memset(work->diagonal, 0, (size_t)work->nfree * sizeof *work->diagonal);
  }
  if (brio_dynamics_floats(dynamics)) fill_base(work, all);
  for (int m = work->nbody - 1; m > 0; m--) {
    brio_spatial f = brio_inertia_apply(&work->carried[m], &work->places[m].column);
    if (work->coupled)
      add_coupled(work, m, &f);
    else
      fill_row(work, m, &f);
  }
  /* A rotor turns with its variable alone: its inertia is on the diagonal. */
  for (int k = 0; work->armature && k < work->nfree; k++)
    if (work->rows[k].v >= BRIO_BASE_NV) work->diagonal[k] += work->armature[work->rows[k].v - BRIO_BASE_NV];
}

const double *brio_dynamics_mass(brio_dynamics *dynamics, const double *q) {
  const struct brio_dynamics_private *work = dynamics->work;
  int nv = dynamics->robot->nv;
  brio_dynamics_place_bodies(dynamics, q);
  brio_dynamics_fill_rows(dynamics);
  /* What is 0 is never written. */
  for (int k = 0; k < work->nfree; k++) {
    const brio_dynamics_row *row = &work->rows[k];
    double *mass = work->mass, *whole = mass + row->v * nv;
    for (int p = row->start; p < row->start + row->depth; p++) {
      int w = work->path_vs[p];
      whole[w] = mass[w * nv + row->v] = work->entries[p];
    }
    whole[row->v] = work->diagonal[k];
  }
  return work->mass;
}
