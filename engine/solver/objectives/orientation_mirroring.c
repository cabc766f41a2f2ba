/* Two links turned alike, or by a rotation from each other: rows log(A goal^-1) with A = R2 R1^-1, rad.
** A turns with the angular velocity  w2 - A w1.  Source: Lively 1.1, OrientationMirroring. */
#include "solver/terms/term.h"

/* Take A times the angular rows of link 1 off those of link 2, at `angular` (3 x nv). */
static void take_off(const brio_evaluation *at, const brio_term_links *term, double *angular) {
  static const brio_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const brio_transform *one = &at->state->links[term->link1], *two = &at->state->links[term->link2];
  for (int i = 0; i < 3; i++) {
    brio_vec3 back = brio_transform_direction(one, brio_transform_undirection(two, axes[i])); /* A^T e_i */
    brio_term_add_turn_row(at, term->link1, back, -1, angular + i * at->robot->nv);
  }
}

/* Three rows: the rotation vector from the goal to A, with the angular velocity of A as slope. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const brio_term_links *term = self;
  const brio_transform *one = &at->state->links[term->link1], *two = &at->state->links[term->link2];
  brio_quat q1 = brio_quat_from_matrix(one->r), q2 = brio_quat_from_matrix(two->r);
  brio_quat target = {goal->v[0], goal->v[1], goal->v[2], goal->v[3]};
  if (jacobian) {
    brio_state_jacobian(at->state, term->link2, two->p, jacobian);
    take_off(at, term, jacobian + 3 * at->robot->nv);
  }
  brio_quat apart = brio_quat_mul(q2, brio_quat_conj(q1));
  return brio_term_turn(brio_quat_mul(apart, brio_quat_conj(target)), at->robot->nv, r, jacobian);
}

const brio_objective_kind brio_objective_orientation_mirroring = {
  .name = "orientation_mirroring",
  .doc = "Keeps the second link turned by a rotation, in the world, from the first.",
  .example = "{link1 = \"panda_hand\", link2 = \"panda_link2\"}",
  .category = "mirroring",
  .params = brio_term_links_params,
  .goal = &brio_goal_rotation,
  .size = sizeof(brio_term_links),
  .kinks = BRIO_KINKS_OF_TURNS,
  .bind = brio_term_bind_links,
  .loss = &brio_loss_cartesian,
  .lively = &brio_loss_groove_cartesian,
  .rows = brio_term_rotation_rows,
  .residual = residual,
};
