/* A joint wandering about its anchor: row q - (anchor + noise), rad or m (see
** liveliness.c). */
#include "solver/terms/liveliness.h"

typedef struct joint_liveliness {
  int joint; /* index of the variable */
  brio_liveliness life;
  double anchor;
} joint_liveliness;

/* The seed is made of the objective's key: each objective has a noise of its own. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)robot;
  return brio_liveliness_start(&((joint_liveliness *)self)->life, seed, err);
}

/* The next solve takes a new anchor. */
static void reset(void *self) { brio_liveliness_reset(&((joint_liveliness *)self)->life); }

/* The anchor follows the joint's last position; the goal is the amplitude, rad or m. */
static void update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  joint_liveliness *term = self;
  double q = last->past[0][BRIO_BASE_NQ + term->joint];
  brio_liveliness_stray(&term->life, &term->anchor, q, goal->v[0], last);
}

/* One row: the joint's value against anchor plus noise. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  (void)goal;
  const joint_liveliness *term = self;
  return brio_term_value(at, term->joint, term->anchor + term->life.offset.x, r, jacobian);
}

static int variable(const void *self) { return ((const joint_liveliness *)self)->joint; }

static const brio_param params[] = {BRIO_PARAM_OF_JOINT(joint_liveliness),
                                    BRIO_PARAMS_OF_LIVELINESS(joint_liveliness),
                                    {0}};

const brio_objective_kind brio_objective_joint_liveliness = {
  .name = "joint_liveliness",
  .doc = "Lets a joint wander softly about where it is held, up to so many radians or meters.",
  .example = "{joint = \"panda_joint4\", frequency = 0.3}",
  .category = "liveliness",
  .life = true,
  .params = params,
  .goal = &brio_goal_scalar,
  .size = sizeof(joint_liveliness),
  .differs = BRIO_LIVELINESS_DIFFERS,
  .loss = &brio_loss_joint,
  .lively = &brio_loss_groove_joint,
  .bind = bind,
  .rows = brio_term_one_row,
  .update = update,
  .reset = reset,
  .residual = residual,
  .variable = variable,
};
