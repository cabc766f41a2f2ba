/* Joints that change speed gently: a step is judged against half of the last one
** (see smoothness.c).  Source: Lively 1.1, JointAccelerationMinimization. */
#include "solver/terms/term.h"

/* Order 2 of the joints; one row a variable. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  (void)self, (void)goal;
  return brio_term_smoothness(at, 2, r, jacobian);
}

const brio_objective_kind brio_objective_joint_acceleration_minimization = {
    .name = "joint_acceleration_minimization",
    .doc = "Keeps the accelerations of all joints small.",
    .example = "{}",
    .category = "basic",
    .params = (const brio_param[]){{0}},
    .differs = "Lively's row, by ticks, rings without damping; here a motion under way fades, by time, "
               "and overshoots by less than a tenth.",
    .size = 1,
    .loss = &brio_loss_cartesian,
    .lively = &brio_loss_groove_cartesian,
    .rows = brio_term_variable_rows,
    .residual = residual,
};
