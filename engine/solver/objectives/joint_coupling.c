/* Joints that move by a rule: row (sum of factor_i q_i - goal) / |factors|, rad or m, so that a pose's
** distance from the rule counts, whatever the factors' scale.  A soft rule, by weight: it gives way to what
** weighs more. */
#include <assert.h>

#include "solver/terms/term.h"

enum { MAX_JOINTS = 6 };

typedef struct joint_coupling {
  int joint[MAX_JOINTS]; /* indices of variables; -1: none */
  double factor[MAX_JOINTS];
} joint_coupling;

/* Each joint is named once, and some factor is not 0, so that the rule has a direction. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)seed;
  joint_coupling *term = self;
  double square = 0;
  /* Joints that were not given have no part in the rule. */
  for (int i = 0; i < MAX_JOINTS; i++) {
    if (term->joint[i] < 0) continue;
    square += term->factor[i] * term->factor[i];
    for (int k = 0; k < i; k++)
      if (term->joint[k] == term->joint[i])
        return brio_fail(err, BRIO_MISUSE, "joint%d and joint%d must be two, not both '%.80s'", k + 1, i + 1,
                         robot->variables[term->joint[i]].name);
  }
  if (!(square > 1e-12)) return brio_fail(err, BRIO_MISUSE, "some factor must be other than 0");
  return true;
}

/* One row: how far the pose is from the plane of all poses that keep the rule. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const joint_coupling *term = self;
  double sum = -goal->v[0], square = 0;
  /* Missing joints are skipped; their factors count nothing. */
  for (int i = 0; i < MAX_JOINTS; i++) {
    if (term->joint[i] < 0) continue;
    sum += term->factor[i] * at->q[BRIO_BASE_NQ + term->joint[i]];
    square += term->factor[i] * term->factor[i];
  }
  assert(square > 0);
  double scale = 1 / sqrt(square);
  r[0] = scale * sum;
  for (int i = 0; jacobian && i < MAX_JOINTS; i++)
    if (term->joint[i] >= 0) jacobian[BRIO_BASE_NV + term->joint[i]] = scale * term->factor[i];
  return 1;
}

/* The pair of arguments jointN, factorN. */
#define COUPLED(N, WHICH, OPTIONAL)                                                                          \
  {.name = "joint" #N,                                                                                       \
   .unit = "name",                                                                                           \
   .doc = "The " WHICH " joint.",                                                                            \
   .type = BRIO_PARAM_JOINT,                                                                                 \
   .offset = offsetof(joint_coupling, joint) + (N - 1) * sizeof(int),                                        \
   .optional = OPTIONAL},                                                                                    \
  {                                                                                                          \
    .name = "factor" #N, .unit = "1", .doc = "What the " WHICH " joint's value is multiplied with.",         \
    .offset = offsetof(joint_coupling, factor) + (N - 1) * sizeof(double), .fallback = 1, .lower = -1e3,     \
    .upper = 1e3                                                                                             \
  }

static const brio_param params[] = {
  COUPLED(1, "first", false), COUPLED(2, "second", true), COUPLED(3, "third", true),
  COUPLED(4, "fourth", true), COUPLED(5, "fifth", true),  COUPLED(6, "sixth", true),
  {0}};

const brio_objective_kind brio_objective_joint_coupling = {
    .name = "joint_coupling",
    .doc = "Keeps a weighted sum of joints at a value.",
    .example = "{joint1 = \"panda_joint2\", joint2 = \"panda_joint4\", factor2 = -0.5}",
    .category = "matching",
    .params = params,
    .goal = &brio_goal_scalar,
    .size = sizeof(joint_coupling),
    .bind = bind,
    .loss = &brio_loss_joint,
    .lively = &brio_loss_groove_joint,
    .rows = brio_term_one_row,
    .residual = residual,
};
