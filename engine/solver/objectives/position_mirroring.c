/* Two links at an offset from each other: rows (p1 - p2) - goal, m, along the axes of the world.
** Source: Lively 1.1, PositionMirroring: a difference, not a reflection. */
#include "solver/terms/term.h"

/* Three rows; the target goes with link 2, so that its slopes count negative. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const brio_term_links *term = self;
  int nv = at->robot->nv;
  brio_vec3 p2 = at->state->links[term->link2].p, offset = {goal->v[0], goal->v[1], goal->v[2]};
  brio_term_position(at, term->link1, brio_vec3_add(p2, offset), r, jacobian);
  static const brio_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; jacobian && i < 3; i++)
    brio_state_add_point_row(at->state, term->link2, p2, axes[i], -1, jacobian + i * nv);
  return 3;
}

const brio_objective_kind brio_objective_position_mirroring = {
  .name = "position_mirroring",
  .doc = "Keeps the origin of the first link at an offset, along the axes of the world, from the second.",
  .example = "{link1 = \"panda_hand\", link2 = \"panda_link2\"}",
  .category = "mirroring",
  .params = brio_term_links_params,
  .goal = &brio_goal_translation,
  .size = sizeof(brio_term_links),
  .bind = brio_term_bind_links,
  .loss = &brio_loss_cartesian,
  .lively = &brio_loss_groove_cartesian,
  .rows = brio_term_three_rows,
  .residual = residual,
};
