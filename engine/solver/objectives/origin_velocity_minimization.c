/* A base that does not hurry (see smoothness.c).  Source: Lively 1.1,
** OriginVelocityMinimization. */
#include "solver/terms/smoothness.h"

/* Order 1 of the base alone. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  brio_smoothness *term = self;
  (void)seed, (void)err;
  term->origin[0] = 1;
  brio_smoothness_start(term, robot);
  return true;
}

const brio_objective_kind brio_objective_origin_velocity_minimization = {
    BRIO_SMOOTHNESS_RECORD,
    .name = "origin_velocity_minimization",
    .doc = "Keeps the linear and angular velocity of the base small.",
    .example = "{}",
    .category = "basic",
    .params = brio_smoothness_lever_params,
    .differs = BRIO_ORIGIN_DIFFERS,
    .bind = bind,
};
