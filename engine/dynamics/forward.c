/* Forward dynamics: du = M^-1 (tau - h), with the bias from inverse.c, M from mass.c and sparse factors from
** factor.c.  For robots of some fifty joints in branches of up to ten this is less work than the articulated
** body algorithm, whose 6 x 6 inertias cost more than short rows; mimic joints need no rule of their own. */
#include <string.h>

#include "dynamics/dynamics_internal.h"

bool brio_dynamics_forward(brio_dynamics *dynamics, const double *q, const double *u, const double *tau,
                           double *du, brio_error *err) {
  const struct brio_dynamics_private *work = dynamics->work;
  if (!tau) tau = work->zeros;
  brio_dynamics_inverse(dynamics, q, u, NULL, work->tau);
  brio_dynamics_place_bodies(dynamics, q);
  brio_dynamics_fill_mass(dynamics);
  if (!brio_dynamics_factorize(dynamics, err)) return false;
  double *x = work->vector;
  for (int k = 0; k < work->nfree; k++) x[k] = tau[work->order[k]] - work->tau[work->order[k]];
  brio_dynamics_solve(dynamics, x, 1);
  memset(du, 0, (size_t)work->first * sizeof *du);
  for (int k = 0; k < work->nfree; k++) du[work->order[k]] = x[k];
  return true;
}

bool brio_dynamics_inverse_mass(brio_dynamics *dynamics, const double *q, double *inverse, brio_error *err) {
  const struct brio_dynamics_private *work = dynamics->work;
  int nv = dynamics->robot->nv;
  brio_dynamics_mass(dynamics, q);
  if (!brio_dynamics_factorize(dynamics, err)) return false;
  memset(inverse, 0, (size_t)nv * (size_t)nv * sizeof *inverse);
  for (int k = 0; k < work->nfree; k++) {
    double *x = work->vector, *row = inverse + work->order[k] * nv;
    memset(x, 0, (size_t)work->nfree * sizeof *x);
    x[k] = 1;
    brio_dynamics_solve(dynamics, x, 1);
    /* The inverse is symmetric: its columns are its rows. */
    for (int i = 0; i < work->nfree; i++) row[work->order[i]] = x[i];
  }
  return true;
}
