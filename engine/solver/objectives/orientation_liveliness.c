/* A link turning softly about its anchor: rows log(R (anchor exp(noise))^-1), rad.  The
** noise turns about the link's own axes (see liveliness.c). */
#include "solver/terms/liveliness.h"

typedef struct orientation_liveliness {
  int link;
  brio_liveliness life;
  brio_quat anchor;
} orientation_liveliness;

/* The first update sets the anchor; the noise has the seed of the objective's key. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)robot;
  orientation_liveliness *term = self;
  term->anchor = BRIO_QUAT_IDENTITY;
  return brio_liveliness_start(&term->life, seed, err);
}

/* The next solve takes a new anchor. */
static void reset(void *self) { brio_liveliness_reset(&((orientation_liveliness *)self)->life); }

/* The anchor follows the link's last rotation; the goal is the amplitude about each of its axes, rad. */
static void update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  orientation_liveliness *term = self;
  brio_vec3 size = {goal->v[0], goal->v[1], goal->v[2]};
  brio_quat q = brio_quat_from_matrix(last->past_links[0][term->link].r);
  brio_liveliness_swing(&term->life, &term->anchor, q, size, last);
}

/* Three rows: the rotation vector from anchor and noise to the link. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  (void)goal;
  const orientation_liveliness *term = self;
  return brio_term_rotation(at, term->link, brio_liveliness_turned(&term->life, term->anchor), r, jacobian);
}

static const brio_param params[] = {BRIO_PARAM_OF_LINK(orientation_liveliness),
                                    BRIO_PARAMS_OF_LIVELINESS(orientation_liveliness),
                                    {0}};

const brio_objective_kind brio_objective_orientation_liveliness = {
  .name = "orientation_liveliness",
  .doc = "Lets a link turn softly about the orientation in which other objectives hold it, by up to this "
  "many radians about each of its axes.",
  .example = "{link = \"panda_hand\", frequency = 0.3}",
  .category = "liveliness",
  .life = true,
  .params = params,
  .goal = &brio_goal_size,
  .size = sizeof(orientation_liveliness),
  .differs = BRIO_LIVELINESS_DIFFERS " Lively wants the reverse of the turn it draws.",
  .kinks = BRIO_KINKS_OF_TURNS,
  .loss = &brio_loss_cartesian,
  .lively = &brio_loss_groove_cartesian,
  .bind = bind,
  .rows = brio_term_rotation_rows,
  .update = update,
  .reset = reset,
  .residual = residual,
};
