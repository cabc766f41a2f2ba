/* Accelerations, each by its share: r = share du. */
#include "trajectory/shares_internal.h"

/* One row for each degree of freedom of the robot.  O(ndof nz) */
static void evaluate(const void *self, const brio_trajectory_point *at, double *r, double *slopes) {
  const brio_trajectory *t = at->trajectory;
  /* each acceleration depends on all of z: full rows */
  for (int i = 0; i < t->ndof; i++) {
    int v = t->first + i;
    double factor = brio_trajectory_share(self, v);
    r[i] = factor * at->du[v];
    for (int c = 0; slopes && c < t->nz; c++) slopes[i * t->nz + c] = factor * at->du_slope[i * t->nz + c];
  }
}

const brio_trajectory_term_kind brio_trajectory_term_acceleration = {
    .name = "acceleration",
    .doc = "Accelerations of variables and base.",
    .example = "{ base = 0.1 }",
    .params = brio_trajectory_share_params,
    .size = sizeof(brio_trajectory_shares),
    .cost = true,
    .rows = brio_trajectory_dof_rows,
    .evaluate = evaluate,
};
