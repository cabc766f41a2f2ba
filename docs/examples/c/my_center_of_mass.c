/* The robot's center of mass at a point of the world: rows com - goal, m. */
#include "solver/extension.h"

static int rows(const void *self, const brio_robot *robot) { return (void)self, (void)robot, 3; }

static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  (void)self;
  brio_vec3 com = at->state->com;
  r[0] = com.x - goal->v[0], r[1] = com.y - goal->v[1], r[2] = com.z - goal->v[2];
  if (jacobian) brio_state_com_jacobian(at->state, jacobian);
  return 3;
}

static const brio_param none[] = {{0}};

static const brio_objective_kind my_center_of_mass = {
  .name = "my_center_of_mass",
  .doc = "Brings the center of mass to a point of the world.",
  .example = "{}",
  .category = "own",
  .params = none,
  .goal = &brio_goal_translation,
  .needs = BRIO_NEEDS_COM,
  .loss = &brio_loss_cartesian,
  .lively = &brio_loss_groove_cartesian,
  .rows = rows,
  .residual = residual,
};

static const brio_objective_kind *const objectives[] = {&my_center_of_mass, NULL};

const brio_extension brio_extension_record = {
  BRIO_EXTENSION_HEAD,
  .name = "my_center_of_mass",
  .doc = "Balance, as a shared object.",
  .objectives = objectives,
};
