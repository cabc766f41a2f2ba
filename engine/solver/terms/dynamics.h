/* What terms about forces and momentum share: the dynamics of the robot where it is.  Private to the solver
** room.
**
** A solve judges many steps from one pose.  Mass matrix, momentum matrix and velocity terms are those of that
** pose, computed once a solve; the acceleration is that of the coming step,
**     du = k (step / dt - u),     k = 2 / (dt + dt'),
** with u the velocity of the step before, which took dt'.  So forces and rates of momentum are linear in the
** step, and their slopes are exact. */
#ifndef BRIO_SOLVER_TERMS_DYNAMICS_H
#define BRIO_SOLVER_TERMS_DYNAMICS_H

#include "dynamics/dynamics.h"
#include "solver/terms/term.h"

/* The first member of an instance. */
typedef struct brio_term_dynamics {
  brio_dynamics dynamics;
  double *velocity;       /* nv: u, per s */
  double *acceleration;   /* nv: du, per s^2; scratch of a residual */
  double *row;            /* nv: scratch of a residual */
  double *matrix;         /* 6 x nv: momentum = matrix u, linear rows, then angular ones */
  brio_momentum momentum; /* at u */
} brio_term_dynamics;

/* Make the workspace; for bind().  Errors: misuse (a robot without mass), no_memory. */
bool brio_term_dynamics_start(brio_term_dynamics *term, const brio_robot *robot, brio_error *err);

/* end(): free it, also where bind failed. */
void brio_term_dynamics_end(void *self);

/* Find the velocity so far; for update(). */
void brio_term_dynamics_update(brio_term_dynamics *term, const brio_evaluation *last);

/* Find the velocity so far, the momentum and its matrix where the robot is; for update().  O(joints) */
void brio_term_momentum_update(brio_term_dynamics *term, const brio_evaluation *last);

/* Write du of the step that is judged into term->acceleration, and return d(du) / d(step), per s^2. */
double brio_term_acceleration(const brio_term_dynamics *term, const brio_evaluation *at);

/* Write scale * (row `i` of the momentum matrix), as a row by the tangent. */
void brio_term_momentum_row(const brio_term_dynamics *term, const brio_evaluation *at, int i, double scale,
                            double *row);

/* Return row `i` of the momentum matrix times `rates` (nv). */
double brio_term_momentum_of(const brio_term_dynamics *term, int i, const double *rates);

#endif
