/* Links that do not hurry (see smoothness.c).  Source: Lively 1.1,
** LinkVelocityMinimization. */
#include "solver/terms/smoothness.h"

/* Order 1 of the links alone. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  brio_smoothness *term = self;
  (void)seed, (void)err;
  term->links[0] = 1;
  brio_smoothness_start(term, robot);
  return true;
}

const brio_objective_kind brio_objective_link_velocity_minimization = {
    BRIO_SMOOTHNESS_RECORD,
    .name = "link_velocity_minimization",
    .doc = "Keeps the velocities of all links small, those of distant links most.",
    .example = "{}",
    .category = "basic",
    .params = (const brio_param[]){{0}},
    .differs = BRIO_LINKS_DIFFER,
    .bind = bind,
};
