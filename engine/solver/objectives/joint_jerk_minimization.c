/* Joints that change their acceleration gently: a step is judged against how the speed and
** its change would fade (see smoothness.c).  Source: Lively 1.1, JointJerkMinimization. */
#include "solver/terms/term.h"

/* Order 3 of the joints; one row a variable. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  (void)self, (void)goal;
  return brio_term_smoothness(at, 3, r, jacobian);
}

const brio_objective_kind brio_objective_joint_jerk_minimization = {
    .name = "joint_jerk_minimization",
    .doc = "Keeps the jerks of all joints small.",
    .example = "{}",
    .category = "basic",
    .params = (const brio_param[]){{0}},
    .differs = "Lively's row, by ticks, grows without limit as soon as its weight counts; here a motion "
               "under way fades, by time, and overshoots by less than a tenth.",
    .size = 1,
    .loss = &brio_loss_cartesian,
    .lively = &brio_loss_groove_cartesian,
    .rows = brio_term_variable_rows,
    .residual = residual,
};
