/* A link's origin within an ellipsoid: rows y_i / size_i with y the origin in the
** ellipsoid's own axes; D = |rows|^2 is 1 on the surface.  The loss makes it a step.
** Source: Lively 1.1, PositionBounding. */
#include "solver/terms/term.h"

/* Turn the three rows of `jacobian` into the ellipsoid's axes and divide by its sizes. */
static void into_axes(const double *turn, const double *size, int nv, double *jacobian) {
  for (int j = 0; j < nv; j++) {
    double *x = jacobian + j, *y = x + nv, *z = y + nv, row[3];
    for (int i = 0; i < 3; i++) row[i] = (turn[i] * *x + turn[3 + i] * *y + turn[6 + i] * *z) / size[i];
    *x = row[0], *y = row[1], *z = row[2];
  }
}

/* Three rows: the origin in the ellipsoid's axes, over its half lengths. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const brio_term_link *term = self;
  const double *v = goal->v, *size = v + 7;
  brio_transform pose = brio_transform_of((brio_pose){{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}});
  brio_term_position(at, term->link, pose.p, r, jacobian);
  brio_vec3 y = brio_transform_undirection(&pose, (brio_vec3){r[0], r[1], r[2]});
  r[0] = y.x / size[0], r[1] = y.y / size[1], r[2] = y.z / size[2];
  if (jacobian) into_axes(pose.r, size, at->robot->nv, jacobian);
  return 3;
}

const brio_objective_kind brio_objective_position_bounding = {
  .name = "position_bounding",
  .doc = "Keeps the origin of a link within an ellipsoid of the world.",
  .example = "{link = \"panda_hand\"}",
  .category = "bounding",
  .params = brio_term_link_params,
  .goal = &brio_goal_ellipse,
  .size = sizeof(brio_term_link),
  .loss = &brio_loss_bounding,
  .lively = &brio_loss_bounding,
  .rows = brio_term_three_rows,
  .residual = residual,
};
