/* What the files of the structured method share.  Not for other rooms.
**
** Each node is a stage with unknowns z.  With slacks t of the inequalities g(z) >= 0 the barrier problem is
**     min f(z) - mu sum log t,   g(z) - t = 0,   c(z) = 0,   d(z_k, z_k+1) = 0,
** and a Newton step of its conditions, with the Hessian of Gauss and Newton, is a problem of least squares
** over the chain, which a recursion backward and forward solves (recursion.c). Equations c of a stage count
** by a proximal weight 1/delta, which their multipliers make exact. */
#ifndef BRIO_TRAJECTORY_INTERIOR_H
#define BRIO_TRAJECTORY_INTERIOR_H

#include "trajectory/backend.h"
#include "trajectory/trajectory_internal.h"

/* An inequality of a stage: gain (value - bound) >= 0, of a row, or of entry `-1 - row` of z; or an equation,
** value = bound. */
typedef struct brio_interior_side {
  int row;
  double gain, bound;
} brio_interior_side;

/* Invariant: slack > 0 and dual > 0. */
typedef struct brio_interior_stage {
  int nrow, nside, nequal;
  int ndefect;         /* rows to the next stage; the last: 0 */
  double *row, *slope; /* nrow; nrow x nz: of the constraints */
  brio_interior_side *sides, *equals;
  double *gap, *slack, *dual, *dslack, *ddual; /* nside */
  double *error, *multiplier, *dmultiplier;    /* nequal */
  double *du, *forces, *du_slope, *force_slope;
  double *gradient, *hessian;     /* nz; nz x nz, lower half: of the cost */
  double *defect, *left, *right;  /* ndefect; ndefect x nz */
  double *costate, *next_costate; /* ndefect: multipliers of the defect */
  double *step, *last_step;       /* nz; of this iteration and the one before */
  double *value, *value_slope;    /* nz x nz, nz: cost to go, quadratic */
  double *gain, *gain_offset;     /* nz x nz, nz: the next stage's step by this one's */
  double *factors;                /* ndefect x ndefect: of the right block's states */
  int *order;                     /* ndefect */
} brio_interior_stage;

typedef struct brio_interior {
  brio_trajectory *trajectory;
  brio_interior_stage *stages; /* nnode */
  int nnode, nz;
  double scale;                      /* of the cost */
  double barrier, proximal, damping; /* mu; delta; added to the Hessian's diagonal */
  brio_trajectory_motion now, trial, best;
  double *scratch; /* of the recursion */
  double *trial_du[2], *trial_forces, *trial_defect, *trial_rows, *full_step;
  brio_arena arena;
} brio_interior;

/* How good a motion is. */
typedef struct brio_interior_merit {
  double cost;      /* unscaled */
  double objective; /* scaled, with the barrier */
  double error;     /* sum of |defect|, |c| and |g - t| */
} brio_interior_merit;

/* stage.c: take memory for a trajectory, and start slacks and multipliers for `barrier`.  Errors: no_memory.
 */
bool brio_interior_start(brio_interior *interior, brio_trajectory *trajectory, brio_error *err);
void brio_interior_end(brio_interior *interior);
void brio_interior_start_slacks(brio_interior *interior);

/* linearize.c: evaluate the present motion with slopes.  False: the dynamics failed. */
bool brio_interior_linearize(brio_interior *interior, brio_interior_merit *merit, brio_error *err);

/* linearize.c: return entry `row` of a side of a stage at a motion whose rows are given. */
double brio_interior_side_value(const brio_interior *interior, const brio_interior_side *side, int k,
                                const brio_trajectory_motion *motion, const double *rows);

/* recursion.c: solve for the steps of all unknowns and multipliers.  False: a block is not positive definite;
** more damping is needed. */
bool brio_interior_solve(brio_interior *interior);

/* search.c: the greatest steps that keep slacks and duals above 0 by `share` of themselves. */
void brio_interior_reach(const brio_interior *interior, double share, double *primal, double *dual);

/* search.c: move the motion to `trial` by a step; evaluate it there without slopes, slacks moved, too. False:
** the dynamics failed. */
bool brio_interior_try(brio_interior *interior, double step, brio_interior_merit *merit);

/* search.c: the slope of the objective along the step. */
double brio_interior_slope(const brio_interior *interior);

/* search.c: take a tried step: motion, slacks and multipliers. */
void brio_interior_accept(brio_interior *interior, double primal, double dual);

/* The conditions of optimality that are left. */
typedef struct brio_interior_residual {
  double gradient;        /* scaled by the multipliers */
  double violation;       /* worst defect, equation, inequality */
  double feasibility;     /* the same, with slacks: |g - t| */
  double complementarity; /* worst |t y - mu| */
} brio_interior_residual;

/* residual.c */
brio_interior_residual brio_interior_residual_of(brio_interior *interior, double barrier);

#endif
