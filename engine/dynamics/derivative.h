/* Analytic first derivatives of inverse and forward dynamics.  Vectors, units and the base as in dynamics.h.
** Derivatives by the configuration are by the tangent of brio_robot_integrate (nv, not nq): the base moves
** along and turns about world axes, with `u` and `du` held.  Matrices are nv x nv, row by row; the rows and
** columns of a fixed base are 0. */
#ifndef BRIO_DYNAMICS_DERIVATIVE_H
#define BRIO_DYNAMICS_DERIVATIVE_H

#include "dynamics/dynamics.h"

/* Write how the forces of brio_dynamics_inverse change: `by_q` d(tau)/dq and `by_u` d(tau)/du.  By `du` it is
** the mass matrix.  `u` and `du` may be NULL: 0.  O(joints x depth) */
void brio_dynamics_inverse_derivatives(brio_dynamics *dynamics, const double *q, const double *u,
                                       const double *du, double *by_q, double *by_u);

/* Write the acceleration `du` (nv) as brio_dynamics_forward does, and how it changes: `by_q`, `by_u` and
** `by_tau`, which is M^-1.  `u` and `tau` may be NULL: 0.  Errors: those of brio_dynamics_forward.
** O(joints^2 x depth) */
bool brio_dynamics_forward_derivatives(brio_dynamics *dynamics, const double *q, const double *u,
                                       const double *tau, double *du, double *by_q, double *by_u,
                                       double *by_tau, brio_error *err);

#endif
