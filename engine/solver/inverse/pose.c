/* The poses that the coordinates of inverse kinematics stand for: the base's, where it moves, and the whole
** configuration. */
#include <string.h>

#include "solver/inverse/inverse_internal.h"

brio_pose brio_inverse_base(const brio_inverse *inverse, const double *x) {
  brio_pose base = inverse->base_pose;
  if (!inverse->nbase) return base;
  /* The rotation vector turns the base in world axes, away from its center. */
  brio_quat turn = brio_quat_exp((brio_vec3){x[3], x[4], x[5]});
  return (brio_pose){brio_vec3_add(base.p, (brio_vec3){x[0], x[1], x[2]}), brio_quat_mul(turn, base.q)};
}

void brio_inverse_configuration(const brio_inverse *inverse, const double *x, double *q) {
  const brio_robot *robot = inverse->robot;
  brio_pose base = brio_inverse_base(inverse, x);
  base.q = brio_quat_unit(base.q);
  /* Everything that does not move is as in the seed. */
  memcpy(q, inverse->q, (size_t)robot->nq * sizeof *q);
  memcpy(q, (double[]){base.p.x, base.p.y, base.p.z, base.q.x, base.q.y, base.q.z, base.q.w},
         BRIO_BASE_NQ * sizeof *q);
  for (int i = 0; i < inverse->chain.nvariable; i++)
    q[BRIO_BASE_NQ + inverse->chain.variables[i]] = x[inverse->nbase + i];
}
