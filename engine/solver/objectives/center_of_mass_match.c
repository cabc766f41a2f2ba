/* The robot's center of mass at a point of the world, or above it: rows com - goal, m.  Source: Schoen et
** al., "Lively", 2023, section 4.3.1. */
#include "solver/terms/term.h"

typedef struct center_of_mass_match {
  bool horizontal;
} center_of_mass_match;

/* Without masses there is no center of mass. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)self, (void)seed;
  return brio_term_must_weigh(robot, err);
}

/* Three rows are written; `horizontal` leaves the last one, the height, out. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const center_of_mass_match *term = self;
  brio_vec3 c = at->state->com;
  r[0] = c.x - goal->v[0], r[1] = c.y - goal->v[1], r[2] = c.z - goal->v[2];
  if (jacobian) brio_state_com_jacobian(at->state, jacobian);
  return term->horizontal ? 2 : 3;
}

static const brio_param params[] = {{.name = "horizontal",
                                     .unit = "",
                                     .doc = "Whether the height is ignored.",
                                     .type = BRIO_PARAM_FLAG,
                                     .offset = offsetof(center_of_mass_match, horizontal)},
                                    {0}};

const brio_objective_kind brio_objective_center_of_mass_match = {
  .name = "center_of_mass_match",
  .doc = "Brings the center of mass of the robot to a point of the world, or above it.",
  .example = "{horizontal = true}",
  .category = "force",
  .params = params,
  .goal = &brio_goal_translation,
  .size = sizeof(center_of_mass_match),
  .needs = BRIO_NEEDS_COM,
  .bind = bind,
  .loss = &brio_loss_cartesian,
  .lively = &brio_loss_groove_cartesian,
  .rows = brio_term_three_rows,
  .residual = residual,
};
