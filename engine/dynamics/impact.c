/* Derivatives of impacts.  With b = after - u an impact solves
**     M b - J^T p = 0,     J b = -J u,
** which are the constrained dynamics without gravity, dampers and velocity terms, of constraints that damp by
** 1/s.  Velocity terms are of second order in u: at a tiny multiple of u they vanish beside all others, which
** are of first order, and nothing is rounded away, because nothing else is added. */
#include <string.h>

#include "dynamics/constraint_internal.h"
#include "dynamics/derivative.h"

/* The multiple of u. */
static const double tiny = 1e-12;

bool brio_dynamics_impact_derivatives(brio_dynamics *dynamics, brio_dynamics_constraints *constraints,
                                      const brio_dynamics_constraint *list, int count, const double *q,
                                      const double *u, double *after, double *impulses,
                                      const brio_dynamics_constrained_slopes *out, brio_error *err) {
  struct brio_dynamics_constraint_work *work = constraints->work;
  struct brio_dynamics_private *own = dynamics->work;
  int nv = dynamics->robot->nv;
  if (count > constraints->nmax)
    return brio_fail(err, BRIO_MISUSE, "%d constraints, the workspace has room for %d rows", count,
                     constraints->nmax);
  memcpy(work->list, list, (size_t)count * sizeof *list);
  for (int i = 0; i < count; i++) work->list[i].stiffness = 0, work->list[i].damping = 1;
  for (int v = 0; v < nv; v++) work->slow[v] = tiny * u[v];
  /* neither weight nor dampers act in no time */
  brio_vec3 gravity = dynamics->gravity;
  double *damping = own->damping;
  dynamics->gravity = (brio_vec3){0, 0, 0}, own->damping = NULL;
  bool good = brio_dynamics_constrained_derivatives(dynamics, constraints, work->list, count, q, work->slow,
                                                    NULL, after, impulses, out, err);
  dynamics->gravity = gravity, own->damping = damping;
  if (!good) return false;
  /* by the configuration everything is tiny; by the velocity the multiples cancel */
  for (int i = 0; i < nv * nv; i++) out->du_by_q[i] /= tiny;
  for (int i = 0; i < constraints->nrow * nv; i++) out->forces_by_q[i] /= tiny;
  for (int v = own->first; v < nv; v++) out->du_by_u[v * nv + v] += 1;
  return brio_dynamics_impact(dynamics, constraints, list, count, q, u, after, impulses, err);
}
