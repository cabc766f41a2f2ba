/* A pose that is light to hold: rows torque / effort for every variable, with the torque against gravity
** and the greatest that it has (N m; a slide: N).  Where the model gives no effort, the greatest one
** that it gives, or what the robot's whole weight does at a meter.  The torques are the slopes of the
** potential energy, their own slopes its second derivatives (engine/robot/derivative.c). */
#include "robot/derivative.h"
#include "solver/terms/term.h"

typedef struct gravity_effort {
  double usual; /* for variables without an effort */
} gravity_effort;

/* Variables without effort take the greatest one of the model, or weight times one meter. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)seed;
  ((gravity_effort *)self)->usual = brio_term_usual_effort(robot);
  return brio_term_must_weigh(robot, err);
}

/* One row a variable, torque over effort. O(nvariable * nv). */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const gravity_effort *term = self;
  (void)goal;
  int n = at->robot->nvariable, nv = at->robot->nv;
  /* Torques and their slopes, N m; each is then scaled by what its joint can give. */
  brio_state_gravity(at->state, r, jacobian);
  for (int k = 0; k < n; k++) {
    double share = 1 / brio_term_effort(&at->robot->variables[k], term->usual);
    r[k] *= share;
    for (int j = 0; jacobian && j < nv; j++) jacobian[k * nv + j] *= share;
  }
  return n;
}

const brio_objective_kind brio_objective_gravity_effort = {
    .name = "gravity_effort",
    .doc = "Prefers poses that are light to hold: joint torques against gravity, as shares of what the "
           "joints can give.",
    .example = "{}",
    .category = "force",
    .params = (const brio_param[]){{0}},
    .size = sizeof(gravity_effort),
    .needs = BRIO_NEEDS_COM,
    .loss = &brio_loss_quadratic,
    .lively = &brio_loss_quadratic,
    .bind = bind,
    .rows = brio_term_variable_rows,
    .residual = residual,
};
