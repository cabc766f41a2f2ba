/* A link turned as asked: rows log(R goal^-1), rad.  Source: Lively 1.1, OrientationMatch
** (the angle between them is the length of the rows). */
#include "solver/terms/term.h"

/* Three rows: the rotation vector, in world axes, from the goal to the link. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const brio_term_link *term = self;
  brio_quat target = {goal->v[0], goal->v[1], goal->v[2], goal->v[3]};
  return brio_term_rotation(at, term->link, target, r, jacobian);
}

const brio_objective_kind brio_objective_orientation_match = {
  .name = "orientation_match",
  .doc = "Turns a link to an orientation in the world, a quaternion.",
  .example = "{link = \"panda_hand\"}",
  .category = "matching",
  .params = brio_term_link_params,
  .goal = &brio_goal_rotation,
  .kinks = BRIO_KINKS_OF_TURNS,
  .size = sizeof(brio_term_link),
  .loss = &brio_loss_cartesian,
  .lively = &brio_loss_groove_cartesian,
  .rows = brio_term_rotation_rows,
  .residual = residual,
};
