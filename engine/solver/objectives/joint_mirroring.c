/* Two joints that move alike: row q1 + goal - q2, rad or m.  Source: Lively 1.1, JointMirroring.  For joints
** that move against each other see joint_coupling. */
#include "solver/terms/term.h"

/* One row: the goal is how much more the second joint is than the first. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const brio_term_joints *term = self;
  const double *q = at->q + BRIO_BASE_NQ;
  r[0] = q[term->joint1] + goal->v[0] - q[term->joint2];
  if (jacobian) jacobian[BRIO_BASE_NV + term->joint1] = 1, jacobian[BRIO_BASE_NV + term->joint2] = -1;
  return 1;
}

const brio_objective_kind brio_objective_joint_mirroring = {
  .name = "joint_mirroring",
  .doc = "Keeps the second joint at the value of the first plus an offset.",
  .example = "{joint1 = \"panda_joint1\", joint2 = \"panda_joint3\"}",
  .category = "mirroring",
  .params = brio_term_joints_params,
  .goal = &brio_goal_scalar,
  .size = sizeof(brio_term_joints),
  .bind = brio_term_bind_joints,
  .loss = &brio_loss_joint,
  .lively = &brio_loss_groove_joint,
  .rows = brio_term_one_row,
  .residual = residual,
};
