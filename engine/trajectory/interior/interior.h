/* Shared by the files of the structured method.  Not for other rooms.
**
** Each node is a stage with unknowns z.  With slacks t of the inequalities g(z) >= 0 the barrier problem is
**     min f(z) - mu sum log t,   g(z) - t = 0,   c(z) = 0,   d(z_k, z_k+1) = 0,
** and a Newton step of its optimality conditions, with the Gauss-Newton Hessian, is a linear least-squares
** problem over the chain, which a backward and a forward recursion solve (recursion.c).  Equations c of a
** stage enter with a penalty of weight 1/delta (proximal method of multipliers), which their multipliers make
** exact. */
#ifndef BRIO_TRAJECTORY_INTERIOR_H
#define BRIO_TRAJECTORY_INTERIOR_H

#include "trajectory/backend.h"
#include "trajectory/trajectory_internal.h"

/* A side: an inequality gain (value - bound) >= 0 of a stage; or an equation, value = bound.  The value is
** that of row `row` of the stage's constraints or, if row < 0, entry `-1 - row` of z. */
typedef struct brio_interior_side {
  int row;
  double gain, bound;
} brio_interior_side;

/* A stage: one node.  Invariant, once slacks are initialized: slack > 0 and dual > 0. */
typedef struct brio_interior_stage {
  int nrow, nside, nequal;
  int ndefect;         /* rows of the defect to the next stage; 0: no interval follows */
  double *row, *slope; /* nrow; nrow x nz: the constraints and their Jacobian */
  brio_interior_side *sides, *equals;          /* nside; nequal */
  double *gap, *slack, *dual, *dslack, *ddual; /* nside: g, t, y, and the steps of t and y */
  double *error, *multiplier, *dmultiplier;    /* nequal: c, lambda, and its step */
  double *du, *forces, *du_slope, *force_slope; /* nv; nforce; ndof x nz; nforce x nz */
  double *gradient, *hessian;     /* nz; nz x nz, lower half: of the scaled cost */
  double *defect, *left, *right;  /* ndefect; ndefect x nz: its Jacobians by this z and the next */
  double *costate, *next_costate; /* ndefect: multipliers of the defect */
  double *step, *last_step;       /* nz; of this iteration and the one before */
  double *value, *value_slope;    /* nz x nz, nz: P and p of the cost to go */
  double *gain, *gain_offset;     /* nz x nz, nz: the next stage's step by this one's */
  double *factors;                /* ndefect x ndefect: of the right block's states */
  int *order;                     /* ndefect */
} brio_interior_stage;

/* The chain of stages. */
typedef struct brio_interior {
  brio_trajectory *trajectory;
  brio_interior_stage *stages; /* nnode */
  int nnode, nz;
  double scale;                      /* of the cost */
  double barrier, proximal, damping; /* mu; delta; added to the Hessian's diagonal */
  brio_trajectory_motion now, trial, best;
  double *scratch; /* of recursion.c, residual.c and the backend ipopt */
  double *trial_du[2], *trial_forces, *trial_defect, *trial_rows, *full_step;
  brio_arena arena;
} brio_interior;

/* How good a motion is. */
typedef struct brio_interior_merit {
  double cost;      /* unscaled */
  double objective; /* scaled, with the barrier */
  double error;     /* sum of |defect|, |c| and |g - t| */
} brio_interior_merit;

/* stage.c: take memory for a trajectory.  Errors: no_memory. */
bool brio_interior_start(brio_interior *interior, brio_trajectory *trajectory, brio_error *err);

/* stage.c: free it. */
void brio_interior_end(brio_interior *interior);

/* stage.c: initialize slacks and duals for `barrier`, from the gaps of the last linearization. */
void brio_interior_start_slacks(brio_interior *interior);

/* linearize.c: evaluate the present motion with derivatives.  Errors: those of the dynamics; limit (numbers
** that are not finite). */
bool brio_interior_linearize(brio_interior *interior, brio_interior_merit *merit, brio_error *err);

/* linearize.c: return the value of a side of stage `k` at a motion, whose rows at that stage are given. */
double brio_interior_side_value(const brio_interior *interior, const brio_interior_side *side, int k,
                                const brio_trajectory_motion *motion, const double *rows);

/* recursion.c: solve for the Newton step of all unknowns and multipliers, O(nnode nz^3).  Return false: a
** block is singular or not positive definite: more damping is needed. */
bool brio_interior_solve(brio_interior *interior);

/* search.c: write the longest steps, at most 1, by which no slack (primal) and no dual loses more than
** `share` of itself (fraction to the boundary). */
void brio_interior_reach(const brio_interior *interior, double share, double *primal, double *dual);

/* search.c: write the motion after a step of length `step` into `trial`, and evaluate it there with moved
** slacks, without derivatives.  Return false: the dynamics failed, or numbers are not finite. */
bool brio_interior_try(brio_interior *interior, double step, brio_interior_merit *merit);

/* search.c: return the directional derivative of the objective along the step. */
double brio_interior_slope(const brio_interior *interior);

/* search.c: accept the trial motion of step `primal`, and move slacks and multipliers; duals by `dual`. */
void brio_interior_accept(brio_interior *interior, double primal, double dual);

/* Residuals of the optimality (KKT) conditions, each the greatest of all entries. */
typedef struct brio_interior_residual {
  double gradient;        /* of the Lagrangian; scaled down where multipliers are large */
  double violation;       /* worst defect, equation, inequality */
  double feasibility;     /* the same, with slacks: |g - t| */
  double complementarity; /* worst |t y - mu| */
} brio_interior_residual;

/* residual.c: return the residuals of the present motion for the barrier weight mu = `barrier`. */
brio_interior_residual brio_interior_residual_of(brio_interior *interior, double barrier);

#endif
