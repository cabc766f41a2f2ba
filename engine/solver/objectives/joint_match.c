/* A joint at a value: row q - goal, rad or m.  Source: Lively 1.1, JointMatch. */
#include "solver/terms/term.h"

/* One row; its slope by the joint is 1. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const brio_term_joint *term = self;
  return brio_term_value(at, term->joint, goal->v[0], r, jacobian);
}

static int variable(const void *self) { return ((const brio_term_joint *)self)->joint; }

const brio_objective_kind brio_objective_joint_match = {
  .name = "joint_match",
  .doc = "Brings a joint to a value.",
  .example = "{joint = \"panda_joint4\"}",
  .category = "matching",
  .params = brio_term_joint_params,
  .goal = &brio_goal_scalar,
  .size = sizeof(brio_term_joint),
  .loss = &brio_loss_joint,
  .lively = &brio_loss_groove_joint,
  .rows = brio_term_one_row,
  .residual = residual,
  .variable = variable,
};
