/* A link's origin wandering about its anchor: rows p - (anchor + noise), m, along the axes
** of the world (see liveliness.c). */
#include "solver/terms/liveliness.h"

typedef struct position_liveliness {
  int link;
  brio_liveliness life;
  brio_vec3 anchor;
} position_liveliness;

/* The seed is made of the objective's key: each objective has a noise of its own. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)robot;
  return brio_liveliness_start(&((position_liveliness *)self)->life, seed, err);
}

/* The next solve takes a new anchor. */
static void reset(void *self) { brio_liveliness_reset(&((position_liveliness *)self)->life); }

/* The anchor follows the link's last position; the goal is the amplitude along each axis, m. */
static void update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  position_liveliness *term = self;
  brio_vec3 size = {goal->v[0], goal->v[1], goal->v[2]};
  brio_liveliness_wander(&term->life, &term->anchor, last->past_links[0][term->link].p, size, last);
}

/* Three rows: the origin against anchor plus noise. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  (void)goal;
  const position_liveliness *term = self;
  return brio_term_position(at, term->link, brio_vec3_add(term->anchor, term->life.offset), r, jacobian);
}

static const brio_param params[] = {BRIO_PARAM_OF_LINK(position_liveliness),
                                    BRIO_PARAMS_OF_LIVELINESS(position_liveliness),
                                    {0}};

const brio_objective_kind brio_objective_position_liveliness = {
  .name = "position_liveliness",
  .doc = "Lets the origin of a link move softly about the position where other objectives hold it, by up to "
  "this many meters on each axis.",
  .example = "{link = \"panda_hand\", frequency = 0.3}",
  .category = "liveliness",
  .life = true,
  .params = params,
  .goal = &brio_goal_size,
  .size = sizeof(position_liveliness),
  .differs = BRIO_LIVELINESS_DIFFERS,
  .loss = &brio_loss_cartesian,
  .lively = &brio_loss_groove_cartesian,
  .bind = bind,
  .rows = brio_term_three_rows,
  .update = update,
  .reset = reset,
  .residual = residual,
};
