/* Velocities, each by its share: r = share u. */
#include "trajectory/term.h"

typedef struct velocity {
  double *share; /* by velocity number; NULL: 1 */
  double base;   /* of the base's six */
} velocity;

static const brio_trajectory_param params[] = {
    {.name = "share",
     .unit = "1",
     .doc = "factor of each variable; 1 unless given",
     .type = BRIO_TRAJECTORY_JOINTS,
     .offset = offsetof(velocity, share),
     .fallback = 1,
     .upper = 1e6},
    {.name = "base",
     .unit = "1",
     .doc = "factor of the base",
     .type = BRIO_TRAJECTORY_NUMBER,
     .offset = offsetof(velocity, base),
     .fallback = 1,
     .upper = 1e6},
    {.name = NULL},
};

static int rows(const void *self, const brio_trajectory *t, const brio_trajectory_phase *phase) {
  (void)self, (void)phase;
  return t->ndof;
}

static void evaluate(const void *self, const brio_trajectory_point *at, double *r, double *slopes) {
  const velocity *own = self;
  const brio_trajectory *t = at->trajectory;
  /* the base's numbers have one factor, each variable its own */
  for (int i = 0; i < t->ndof; i++) {
    int v = t->first + i;
    double factor = v < BRIO_BASE_NV ? own->base : own->share ? own->share[v] : 1;
    r[i] = factor * at->u[v];
    if (slopes) slopes[i * t->nz + brio_trajectory_u_column(t) + i] = factor;
  }
}

const brio_trajectory_term_kind brio_trajectory_term_velocity = {
    .name = "velocity",
    .doc = "Velocities of variables and base.",
    .example = "{ base = 0 }",
    .params = params,
    .size = sizeof(velocity),
    .cost = true,
    .rows = rows,
    .evaluate = evaluate,
};
