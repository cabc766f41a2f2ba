/* Accelerations, each by its share: r = share du. */
#include "trajectory/term.h"

typedef struct acceleration {
  double *share; /* by velocity number; NULL: 1 */
  double base;   /* of the base's six */
} acceleration;

static const brio_trajectory_param params[] = {
    {.name = "share",
     .unit = "1",
     .doc = "factor of each variable; 1 unless given",
     .type = BRIO_TRAJECTORY_JOINTS,
     .offset = offsetof(acceleration, share),
     .fallback = 1,
     .upper = 1e6},
    {.name = "base",
     .unit = "1",
     .doc = "factor of the base",
     .type = BRIO_TRAJECTORY_NUMBER,
     .offset = offsetof(acceleration, base),
     .fallback = 1,
     .upper = 1e6},
    {.name = NULL},
};

static int rows(const void *self, const brio_trajectory *t, const brio_trajectory_phase *phase) {
  (void)self, (void)phase;
  return t->ndof;
}

static void evaluate(const void *self, const brio_trajectory_point *at, double *r, double *slopes) {
  const acceleration *own = self;
  const brio_trajectory *t = at->trajectory;
  /* accelerations follow from all of z */
  for (int i = 0; i < t->ndof; i++) {
    int v = t->first + i;
    double factor = v < BRIO_BASE_NV ? own->base : own->share ? own->share[v] : 1;
    r[i] = factor * at->du[v];
    for (int c = 0; slopes && c < t->nz; c++) slopes[i * t->nz + c] = factor * at->du_slope[i * t->nz + c];
  }
}

const brio_trajectory_term_kind brio_trajectory_term_acceleration = {
    .name = "acceleration",
    .doc = "Accelerations of variables and base.",
    .example = "{ base = 0.1 }",
    .params = params,
    .size = sizeof(acceleration),
    .cost = true,
    .rows = rows,
    .evaluate = evaluate,
};
