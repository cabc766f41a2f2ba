/* The velocity equals a given one, r = u - wanted: of the base's translation, its rotation, and the
** variables, each held or free. */
#include "trajectory/term.h"

typedef struct rest {
  double *velocity; /* by velocity number; NULL: 0 */
  brio_vec3 velocity_linear, velocity_angular; /* of the base, m/s and rad/s */
  double linear, angular, joints; /* 1: held; 0: free */
} rest;

#define PART(field, what)                                                                                    \
  {                                                                                                          \
    .name = #field, .unit = "", .doc = "1: " what, .type = BRIO_TRAJECTORY_NUMBER,                           \
    .offset = offsetof(rest, field), .fallback = 1, .upper = 1                                               \
  }

static const brio_trajectory_param params[] = {
    {.name = "velocity",
     .unit = "rad/s or m/s",
     .doc = "of each variable; 0 unless given",
     .type = BRIO_TRAJECTORY_JOINTS,
     .offset = offsetof(rest, velocity),
     .lower = -1e6,
     .upper = 1e6},
    {.name = "base_linear",
     .unit = "m/s",
     .doc = "of the base",
     .type = BRIO_TRAJECTORY_VECTOR,
     .offset = offsetof(rest, velocity_linear),
     .lower = -1e6,
     .upper = 1e6},
    {.name = "base_angular",
     .unit = "rad/s",
     .doc = "of the base",
     .type = BRIO_TRAJECTORY_VECTOR,
     .offset = offsetof(rest, velocity_angular),
     .lower = -1e6,
     .upper = 1e6},
    PART(linear, "the base's linear velocity is so"),
    PART(angular, "its angular velocity is so"),
    PART(joints, "the variables' rates are so"),
    {.name = NULL},
};

/* Whether velocity number `v` is held. */
static bool holds(const rest *own, int v) {
  return (v < 3 ? own->linear : v < BRIO_BASE_NV ? own->angular : own->joints) > 0.5;
}

/* One row for each velocity that is held. */
static int rows(const void *self, const brio_trajectory *t, const brio_trajectory_phase *phase) {
  (void)phase;
  int sum = 0;
  for (int v = t->first; v < t->robot->nv; v++) sum += holds(self, v);
  return sum;
}

/* Velocities are part of z: each row has a single slope, 1. */
static void evaluate(const void *self, const brio_trajectory_point *at, double *r, double *slopes) {
  const rest *own = self;
  const brio_trajectory *t = at->trajectory;
  /* the wanted velocity of the base */
  const double base[BRIO_BASE_NV] = {own->velocity_linear.x,  own->velocity_linear.y,
                                     own->velocity_linear.z,  own->velocity_angular.x,
                                     own->velocity_angular.y, own->velocity_angular.z};
  /* one row for each held entry, in their order */
  for (int v = t->first, i = 0; v < t->robot->nv; v++) {
    if (!holds(own, v)) continue;
    double wanted = v < BRIO_BASE_NV ? base[v] : own->velocity ? own->velocity[v] : 0;
    r[i] = at->u[v] - wanted;
    if (slopes) slopes[i * t->nz + brio_trajectory_u_column(t) + v - t->first] = 1;
    i++;
  }
}

const brio_trajectory_term_kind brio_trajectory_term_rest = {
    .name = "rest",
    .doc = "The velocity is a given one, 0 unless said.",
    .example = "{ joints = 0 }",
    .params = params,
    .size = sizeof(rest),
    .rows = rows,
    .evaluate = evaluate,
};
