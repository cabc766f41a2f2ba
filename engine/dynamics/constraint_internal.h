/* What the files of constrained dynamics share.  Not for other rooms. */
#ifndef BRIO_DYNAMICS_CONSTRAINT_INTERNAL_H
#define BRIO_DYNAMICS_CONSTRAINT_INTERNAL_H

#include "dynamics/constraint.h"
#include "dynamics/dynamics_internal.h"

/* Invariant: nrow <= nmax, and all matrices are for the nv that the workspace was made for. */
struct brio_dynamics_constraint_work {
  int nv;
  double *jacobian;    /* nmax x nv: J */
  double *wide;        /* nv x BRIO_DYNAMICS_STRIDE(nmax): X = M^-1 J^T, rows in the factors' order */
  double *by_q, *by_u; /* nmax x nv: how J du + dJ/dt u - wanted changes */
  double *schur;       /* nmax x nmax: A = J X */
  double *inverse;     /* nmax x nmax: of A, for derivatives */
  double *factor;      /* nmax x nmax: Cholesky's, of A + weight */
  double weight;
  double *known, *wanted, *step, *forces; /* nmax */
  brio_dynamics_constraint *list;         /* nmax, for derivatives of impacts */
  double *slow;                           /* nv, for these */
};

/* A frame that is held or holds: where it is and how it moves, in O. */
typedef struct brio_dynamics_side {
  brio_dynamics_point_place place; /* body 0 and the motion of the world in O where it is the world's */
  brio_rotation turn;
} brio_dynamics_side;

/* Return the rows of a constraint. */
static inline int brio_dynamics_rows_of(const brio_dynamics_constraint *one) {
  return one->rigid ? 6 : 3;
}

/* Write the frame that is held and the one that holds it, of the bodies placed and moved. */
void brio_dynamics_sides(const brio_dynamics *dynamics, const brio_dynamics_constraint *one, const double *q,
                         const double *u, brio_dynamics_side sides[2]);

/* Return the rotation vector from b to a, in world axes. */
brio_vec3 brio_dynamics_rotation_between(const brio_rotation *a, const brio_rotation *b);

/* Write the least f with A f = known, of the factors that are there. */
void brio_dynamics_solve_forces(brio_dynamics_constraints *constraints, double *forces);

#endif
