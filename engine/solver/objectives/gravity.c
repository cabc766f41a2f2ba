/* A link that weighs something: a steady, weak pull down.  Row 1 + (z - z') / FALL, with z' its height
** at the last solve: the slope of its cost is the same wherever the link is, so it sinks until
** other objectives hold it.
**
** With `lively_losses` row 1 / (1 + exp(2 - 4 (z - z'))), Lively's, which saturates.  Ours pulls as hard as
** that does at rest.  Source: Lively 1.1, Gravity. */
#include "solver/terms/term.h"

static const double FALL = 0.29; /* m: 1 / FALL is the slope of Lively's cost where nothing moves */

/* One row: 1 where the link has not moved since the last solve, less where it has sunk. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const brio_term_link *term = self;
  (void)goal;
  brio_vec3 p = at->state->links[term->link].p;
  double rise = p.z - at->past_links[0][term->link].p.z, slope = 1 / FALL;
  r[0] = 1 + rise / FALL;
  if (at->lively) {
    r[0] = 1 / (1 + exp(2 - 4 * rise));
    slope = 4 * r[0] * (1 - r[0]);
  }
  if (jacobian) brio_state_add_point_row(at->state, term->link, p, (brio_vec3){0, 0, 1}, slope, jacobian);
  return 1;
}

const brio_objective_kind brio_objective_gravity = {
    .name = "gravity",
    .doc = "Pulls the origin of a link down, weakly and steadily.",
    .example = "{link = \"panda_hand\"}",
    .category = "force",
    .params = brio_term_link_params,
    .differs = "Lively's pull is lost in a saturated sigmoid as soon as the link moves a little; ours is the "
               "same at rest, "
               "and steady.",
    .size = sizeof(brio_term_link),
    .loss = &brio_loss_quadratic,
    .lively = &brio_loss_groove_cartesian,
    .rows = brio_term_one_row,
    .residual = residual,
};
