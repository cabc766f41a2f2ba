/* The mass matrix: the composite rigid body algorithm in frame O.
**
** With I_m the inertia of body m and all below, and s_m how mover m moves them (six numbers, the same for all
** of them in O), M_im = s_i . I_m s_m for each mover i that carries m or is m, and 0 for movers in different
** branches.  The six columns of a free base are unit vectors, so its rows are I_m s_m itself.
** Source: Walker, Orin, "Efficient dynamic computer simulation of robotic mechanisms", 1982. */
#include <assert.h>
#include <string.h>

#include "dynamics/dynamics_internal.h"

const brio_inertia *brio_dynamics_carry(brio_dynamics *dynamics) {
  struct brio_dynamics_private *work = dynamics->work;
  for (int m = 0; m < work->nbody; m++)
    work->carried[m] =
        brio_inertia_move(&work->bodies[m].inertia, &work->places[m].turn, work->places[m].origin);
  /* Children have larger numbers, so each is complete when it is added to its parent. */
  for (int m = work->nbody - 1; m > 0; m--)
    brio_inertia_add(&work->carried[work->bodies[m].parent], &work->carried[m]);
  return &work->carried[0];
}

/* Write the base's own block: the inertia of the whole robot about the root link's origin. */
static void fill_base(const brio_inertia *all, double *mass, int nv) {
  for (int i = 0; i < BRIO_BASE_NV; i++) {
    brio_spatial unit = {{i == 0, i == 1, i == 2}, {i == 3, i == 4, i == 5}};
    brio_spatial f = brio_inertia_apply(all, &unit);
    const double column[] = {f.linear.x, f.linear.y, f.linear.z, f.angular.x, f.angular.y, f.angular.z};
    for (int k = 0; k < BRIO_BASE_NV; k++) mass[k * nv + i] = column[k];
  }
}

/* Add the momentum `f` that a variable gives to the base's rows and columns. */
static inline void add_base_rows(const brio_spatial *f, double *mass, int nv, int v) {
  const double rows[] = {f->linear.x, f->linear.y, f->linear.z, f->angular.x, f->angular.y, f->angular.z};
  for (int k = 0; k < BRIO_BASE_NV; k++) mass[v * nv + k] = mass[k * nv + v] += rows[k];
}

/* Add what mover m and those that carry it have in common, where variables move several movers. */
static void add_coupled(struct brio_dynamics_private *work, int m, const brio_spatial *f, int nv) {
  int v = work->bodies[m].v;
  for (int i = m; i > 0; i = work->bodies[i].parent) {
    int w = work->bodies[i].v;
    double e = brio_spatial_dot(&work->places[i].column, f);
    work->mass[v * nv + w] += e;
    if (i != m) work->mass[w * nv + v] += e;
  }
}

/* The same where each has its own variable: numbers are written once. */
static inline void write_row(struct brio_dynamics_private *work, int m, const brio_spatial *f, int nv) {
  double *mass = work->mass, *row = mass + work->bodies[m].v * nv, *column = mass + work->bodies[m].v;
  for (int i = m; i > 0; i = work->bodies[i].parent) {
    int w = work->bodies[i].v;
    row[w] = column[w * nv] = brio_spatial_dot(&work->places[i].column, f);
  }
}

void brio_dynamics_fill_mass(brio_dynamics *dynamics) {
  struct brio_dynamics_private *work = dynamics->work;
  int nv = dynamics->robot->nv;
  const brio_inertia *all = brio_dynamics_carry(dynamics);
  bool floats = brio_dynamics_floats(dynamics);
  /* What is 0 stays 0 from call to call, unless numbers are summed up. */
  if (work->coupled || floats) memset(work->mass, 0, (size_t)nv * (size_t)nv * sizeof *work->mass);
  if (floats) fill_base(all, work->mass, nv);
  for (int m = work->nbody - 1; m > 0; m--) {
    brio_spatial f = brio_inertia_apply(&work->carried[m], &work->places[m].column);
    if (floats) add_base_rows(&f, work->mass, nv, work->bodies[m].v);
    if (work->coupled)
      add_coupled(work, m, &f, nv);
    else
      write_row(work, m, &f, nv);
  }
  for (int i = BRIO_BASE_NV; work->armature && i < nv; i++)
    work->mass[i * nv + i] += work->armature[i - BRIO_BASE_NV];
}

const double *brio_dynamics_mass(brio_dynamics *dynamics, const double *q) {
  brio_dynamics_place_bodies(dynamics, q);
  brio_dynamics_fill_mass(dynamics);
  return dynamics->work->mass;
}
