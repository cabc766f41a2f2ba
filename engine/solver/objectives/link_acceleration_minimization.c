/* Links that change their speed gently (see smoothness.c).  Source: Lively 1.1,
** LinkAccelerationMinimization. */
#include "solver/terms/smoothness.h"

/* Order 2 of the links alone. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  brio_smoothness *term = self;
  (void)seed, (void)err;
  term->links[1] = 1;
  brio_smoothness_start(term, robot);
  return true;
}

const brio_objective_kind brio_objective_link_acceleration_minimization = {
    BRIO_SMOOTHNESS_RECORD,
    .name = "link_acceleration_minimization",
    .doc = "Keeps the accelerations of all links small.",
    .example = "{}",
    .category = "basic",
    .params = (const brio_param[]){{0}},
    .differs = BRIO_LINKS_DIFFER,
    .bind = bind,
};
