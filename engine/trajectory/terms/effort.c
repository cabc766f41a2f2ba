/* Torques of the motors, each by its scale: r = torque / scale. */
#include "trajectory/term.h"

typedef struct effort {
  double *scale; /* by velocity number, N m or N; NULL: 1 */
} effort;

static const brio_trajectory_param params[] = {
    {.name = "scale",
     .unit = "N m or N",
     .doc = "torque of each variable that counts as 1; 1 unless given",
     .type = BRIO_TRAJECTORY_JOINTS,
     .offset = offsetof(effort, scale),
     .fallback = 1,
     .lower = 1e-6,
     .upper = 1e6},
    {.name = NULL},
};

/* One row for each motor. */
static int rows(const void *self, const brio_trajectory *t, const brio_trajectory_phase *phase) {
  (void)self, (void)phase;
  return t->nmotor;
}

/* Torques are part of z, so that each row has a single slope. */
static void evaluate(const void *self, const brio_trajectory_point *at, double *r, double *slopes) {
  const effort *own = self;
  const brio_trajectory *t = at->trajectory;
  /* one row a motor */
  for (int m = 0; m < t->nmotor; m++) {
    double factor = own->scale ? 1 / own->scale[BRIO_BASE_NV + t->motors[m]] : 1;
    r[m] = factor * at->torque[m];
    if (slopes) slopes[m * t->nz + brio_trajectory_w_column(t) + m] = factor;
  }
}

const brio_trajectory_term_kind brio_trajectory_term_effort = {
    .name = "effort",
    .doc = "Torques of the motors.",
    .example = "{ scale = { panda_joint1 = 87 } }",
    .params = params,
    .size = sizeof(effort),
    .cost = true,
    .rows = rows,
    .evaluate = evaluate,
};
