/* A link's origin at a point: rows p - goal, m.  Source: Lively 1.1, PositionMatch. */
#include "solver/terms/term.h"

/* Three rows, along the axes of the world. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const brio_term_link *term = self;
  return brio_term_position(at, term->link, (brio_vec3){goal->v[0], goal->v[1], goal->v[2]}, r, jacobian);
}

/* The residual is the force itself. */
static int forces(const void *self, const brio_goal *goal, const brio_evaluation *at, brio_point_force *out) {
  int link = ((const brio_term_link *)self)->link;
  brio_vec3 p = at->state->links[link].p, target = {goal->v[0], goal->v[1], goal->v[2]};
  out[0] = (brio_point_force){link, p, brio_vec3_sub(p, target)};
  return 1;
}

const brio_objective_kind brio_objective_position_match = {
  .name = "position_match",
  .doc = "Brings the origin of a link to a point of the world.",
  .example = "{link = \"panda_hand\"}",
  .category = "matching",
  .params = brio_term_link_params,
  .goal = &brio_goal_translation,
  .size = sizeof(brio_term_link),
  .loss = &brio_loss_cartesian,
  .lively = &brio_loss_groove_cartesian,
  .rows = brio_term_three_rows,
  .residual = residual,
  .forces = forces,
};
