/* A link turned at most so far from a rotation: row max(0, angle - delta), rad.  The cost has no corner
** at the edge, for the loss is flat at 0.  The slope of the angle |e|, e the rotation vector, is e / |e|
** times the angular velocity.  Source: Lively 1.1, OrientationBounding. */
#include "solver/terms/term.h"

/* One row. The Jacobian of the link is computed in the same place, which needs six. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const brio_term_link *term = self;
  brio_quat middle = {goal->v[0], goal->v[1], goal->v[2], goal->v[3]};
  brio_quat q = brio_quat_from_matrix(at->state->links[term->link].r);
  brio_vec3 e = brio_quat_log(brio_quat_unit(brio_quat_mul(q, brio_quat_conj(middle))));
  double angle = brio_vec3_norm(e), delta = goal->v[4];
  r[0] = angle > delta ? angle - delta : 0;
  if (!jacobian || r[0] == 0) return 1;
  int nv = at->robot->nv;
  const double *angular = jacobian + 3 * nv;
  brio_state_jacobian(at->state, term->link, at->state->links[term->link].p, jacobian);
  for (int j = 0; j < nv; j++)
    jacobian[j] = (e.x * angular[j] + e.y * angular[nv + j] + e.z * angular[2 * nv + j]) / angle;
  return 1;
}

const brio_objective_kind brio_objective_orientation_bounding = {
  .name = "orientation_bounding",
  .doc = "Keeps a link turned within a cone of rotations.",
  .example = "{link = \"panda_hand\"}",
  .category = "bounding",
  .params = brio_term_link_params,
  .goal = &brio_goal_rotation_range,
  .differs = "Lively's groove grows slowly some way beyond the edge; ours is a parabola.",
  .size = sizeof(brio_term_link),
  .kinks = BRIO_KINKS_OF_TURNS,
  .loss = &brio_loss_wall,
  .lively = &brio_loss_groove_cartesian,
  .rows = brio_term_rotation_rows,
  .residual = residual,
};
