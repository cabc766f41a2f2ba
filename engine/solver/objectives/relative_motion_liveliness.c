/* Two links coming nearer and going apart softly: row |p1 - p2| - (anchor + noise), m (see liveliness.c). */
#include "solver/terms/liveliness.h"

typedef struct relative_motion_liveliness {
  int link1, link2;
  brio_liveliness life;
  double anchor; /* m: distance */
} relative_motion_liveliness;

/* Two links: a link has no distance from itself. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  relative_motion_liveliness *term = self;
  return brio_term_must_differ(term->link1 == term->link2, "link1", "link2", robot->links[term->link1].name,
                               err) &&
         brio_liveliness_start(&term->life, seed, err);
}

/* The next solve takes a new anchor. */
static void reset(void *self) { brio_liveliness_reset(&((relative_motion_liveliness *)self)->life); }

/* The anchor follows the last distance; the goal is the amplitude, m. */
static void update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  relative_motion_liveliness *term = self;
  const brio_transform *links = last->past_links[0];
  double distance = brio_vec3_norm(brio_vec3_sub(links[term->link1].p, links[term->link2].p));
  brio_liveliness_stray(&term->life, &term->anchor, distance, goal->v[0], last);
}

/* One row; a distance below 0 becomes 0. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  (void)goal;
  const relative_motion_liveliness *term = self;
  double target = term->anchor + term->life.offset.x;
  return brio_term_distance(at, term->link1, term->link2, fmax(0, target), r, jacobian);
}

static const brio_param params[] = {
  BRIO_PARAM_LINK_OF(relative_motion_liveliness, link1, "The first link."),
  BRIO_PARAM_LINK_OF(relative_motion_liveliness, link2, "The second link."),
  BRIO_PARAMS_OF_LIVELINESS(relative_motion_liveliness),
  {0}};

const brio_objective_kind brio_objective_relative_motion_liveliness = {
  .name = "relative_motion_liveliness",
  .doc = "Lets the distance of two links change softly, by up to this many meters.",
  .example = "{link1 = \"panda_hand\", link2 = \"panda_link2\", frequency = 0.3}",
  .category = "liveliness",
  .life = true,
  .params = params,
  .goal = &brio_goal_scalar,
  .size = sizeof(relative_motion_liveliness),
  .differs = BRIO_LIVELINESS_DIFFERS " Lively's takes a step of 0.01 s, whatever the tick.",
  .kinks = "where the two origins are in one place",
  .loss = &brio_loss_cartesian,
  .lively = &brio_loss_groove_cartesian,
  .bind = bind,
  .rows = brio_term_one_row,
  .update = update,
  .reset = reset,
  .residual = residual,
};
