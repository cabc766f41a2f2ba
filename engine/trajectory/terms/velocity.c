/* Velocities, each by its share: r = share u. */
#include "trajectory/shares_internal.h"

/* One row for each degree of freedom; velocities are part of z, so that each has a single slope. */
static void evaluate(const void *self, const brio_trajectory_point *at, double *r, double *slopes) {
  const brio_trajectory *t = at->trajectory;
  /* the base's six entries have one factor, each variable its own */
  for (int i = 0; i < t->ndof; i++) {
    int v = t->first + i;
    double factor = brio_trajectory_share(self, v);
    r[i] = factor * at->u[v];
    if (slopes) slopes[i * t->nz + brio_trajectory_u_column(t) + i] = factor;
  }
}

const brio_trajectory_term_kind brio_trajectory_term_velocity = {
    .name = "velocity",
    .doc = "Velocities of variables and base.",
    .example = "{ base = 0 }",
    .params = brio_trajectory_share_params,
    .size = sizeof(brio_trajectory_shares),
    .cost = true,
    .rows = brio_trajectory_dof_rows,
    .evaluate = evaluate,
};
