/* Joints that do not hurry: a step is judged against standing still (see smoothness.c).  Source: Lively 1.1,
** JointVelocityMinimization. */
#include "solver/terms/term.h"

/* Order 1 of the joints; one row a variable. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  (void)self, (void)goal;
  return brio_term_smoothness(at, 1, r, jacobian);
}

const brio_objective_kind brio_objective_joint_velocity_minimization = {
    .name = "joint_velocity_minimization",
    .doc = "Keeps the velocities of all joints small, so goals are approached slowly.",
    .example = "{}",
    .category = "basic",
    .params = (const brio_param[]){{0}},
    .differs = "Lively's row goes by the tick's own length, squared; here all go by time, so that motion "
               "is as smooth at any rate.",
    .size = 1,
    .loss = &brio_loss_cartesian,
    .lively = &brio_loss_groove_cartesian,
    .rows = brio_term_variable_rows,
    .residual = residual,
};
