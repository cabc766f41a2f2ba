/* Two links as far apart as asked: row |p1 - p2| - goal, m.  Source: Lively 1.1, DistanceMatch. */
#include "solver/terms/term.h"

/* A distance has no sign. */
static bool accept(const void *self, const brio_goal *goal, brio_error *err) {
  (void)self;
  if (goal->v[0] >= 0) return true;
  return brio_fail(err, BRIO_MISUSE, "a distance must be at least 0 m, not %g", goal->v[0]);
}

/* One row; its slope is along the line through both origins (term.c). */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const brio_term_links *term = self;
  return brio_term_distance(at, term->link1, term->link2, goal->v[0], r, jacobian);
}

const brio_objective_kind brio_objective_distance_match = {
  .name = "distance_match",
  .doc = "Brings the origins of two links to a distance from each other.",
  .example = "{link1 = \"panda_hand\", link2 = \"panda_link2\"}",
  .category = "matching",
  .params = brio_term_links_params,
  .goal = &brio_goal_scalar,
  .size = sizeof(brio_term_links),
  .kinks = "where the two origins are in one place",
  .bind = brio_term_bind_links,
  .accept = accept,
  .loss = &brio_loss_cartesian,
  .lively = &brio_loss_groove_cartesian,
  .rows = brio_term_one_row,
  .residual = residual,
};
