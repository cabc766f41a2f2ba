/* A link turning softly about its anchor: rows log(R (anchor exp(noise))^-1), rad.  The
** noise turns about the link's own axes (see liveliness.c). */
#include "solver/liveliness.h"

typedef struct orientation_liveliness {
  int link;
  brio_liveliness life;
  brio_quat anchor, target; /* target = anchor exp(offset) */
} orientation_liveliness;

static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)robot, (void)err;
  orientation_liveliness *term = self;
  term->anchor = term->target = BRIO_QUAT_IDENTITY;
  brio_liveliness_seed(&term->life, seed);
  return true;
}

static void reset(void *self) { brio_liveliness_reset(&((orientation_liveliness *)self)->life); }

static void update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  orientation_liveliness *term = self;
  brio_vec3 size = {goal->v[0], goal->v[1], goal->v[2]};
  brio_quat q = brio_quat_from_matrix(last->past_links[0][term->link].r);
  if (!term->life.anchored) term->anchor = q, term->life.anchored = true;
  brio_quat quiet = brio_quat_mul(q, brio_quat_exp(brio_vec3_scale(-1, term->life.offset)));
  brio_vec3 error = brio_quat_log(brio_quat_mul(brio_quat_conj(term->anchor), quiet));
  brio_vec3 step = brio_liveliness_follow(&term->life, error, size, last->dt);
  term->anchor = brio_quat_unit(brio_quat_mul(term->anchor, brio_quat_exp(step)));
  brio_liveliness_advance(&term->life, size, last->time, last->dt);
  term->target = brio_quat_mul(term->anchor, brio_quat_exp(term->life.offset));
}

static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  (void)goal;
  const orientation_liveliness *term = self;
  return brio_term_rotation(at, term->link, term->target, r, jacobian);
}

static const brio_param params[] = {BRIO_PARAM_OF_LINK(orientation_liveliness),
                                    BRIO_PARAM_OF_FREQUENCY(orientation_liveliness),
                                    {0}};

const brio_objective_kind brio_objective_orientation_liveliness = {
  .name = "orientation_liveliness",
  .doc = "Lets a link turn softly about how it is held, up to so many radians about each of its axes.",
  .example = "{link = \"panda_hand\", frequency = 0.3}",
  .category = "liveliness",
  .params = params,
  .goal = &brio_goal_size,
  .size = sizeof(orientation_liveliness),
  .loss = &brio_loss_cartesian,
  .lively = &brio_loss_groove_cartesian,
  .bind = bind,
  .rows = brio_term_rotation_rows,
  .update = update,
  .reset = reset,
  .residual = residual,
};
