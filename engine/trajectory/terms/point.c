/* A point of a link is within an axis-aligned box of the world: lower <= p(q) <= upper, m. */
#include <math.h>

#include "trajectory/term.h"

typedef struct point {
  int link;
  brio_vec3 at, lower, upper; /* m: in the link's frame; in the world */
} point;

static const brio_trajectory_param params[] = {
    {.name = "link",
     .unit = "",
     .doc = "the link",
     .type = BRIO_TRAJECTORY_LINK,
     .offset = offsetof(point, link),
     .needed = true},
    {.name = "at",
     .unit = "m",
     .doc = "the point in the link's frame",
     .type = BRIO_TRAJECTORY_VECTOR,
     .offset = offsetof(point, at),
     .lower = -1e3,
     .upper = 1e3},
    {.name = "lower",
     .unit = "m",
     .doc = "least coordinates; none unless given",
     .type = BRIO_TRAJECTORY_VECTOR,
     .offset = offsetof(point, lower),
     .fallback = -INFINITY,
     .lower = -1e6,
     .upper = 1e6},
    {.name = "upper",
     .unit = "m",
     .doc = "greatest coordinates; equal to `lower`: the point is there",
     .type = BRIO_TRAJECTORY_VECTOR,
     .offset = offsetof(point, upper),
     .fallback = INFINITY,
     .lower = -1e6,
     .upper = 1e6},
    {.name = NULL},
};

/* One row for each axis of the world. */
static int rows(const void *self, const brio_trajectory *t, const brio_trajectory_phase *phase) {
  (void)self, (void)t, (void)phase;
  return 3;
}

/* The point is where its link is; it moves as the Jacobian of the point says. */
static void evaluate(const void *self, const brio_trajectory_point *at, double *r, double *slopes) {
  const point *own = self;
  const brio_trajectory *t = at->trajectory;
  double *jacobian = t->between;
  /* r = p(q), and its Jacobian */
  brio_vec3 p = brio_transform_point(&at->state->links[own->link], own->at);
  r[0] = p.x, r[1] = p.y, r[2] = p.z;
  if (!slopes) return;
  brio_state_point_jacobian(at->state, own->link, p, jacobian);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < t->ndof; i++) slopes[k * t->nz + i] = jacobian[k * t->robot->nv + t->first + i];
}

/* The box, axis by axis. */
static void bounds(const void *self, const brio_trajectory *t, const brio_trajectory_phase *phase,
                   double *lower, double *upper) {
  (void)t, (void)phase;
  const point *own = self;
  lower[0] = own->lower.x, lower[1] = own->lower.y, lower[2] = own->lower.z;
  upper[0] = own->upper.x, upper[1] = own->upper.y, upper[2] = own->upper.z;
}

const brio_trajectory_term_kind brio_trajectory_term_point = {
    .name = "point",
    .doc = "A point of a link is within a box of the world.",
    .example = "{ link = 'panda_hand', lower = { 0.4, -0.1, 0.3 }, upper = { 0.5, 0.1, 0.4 } }",
    .params = params,
    .size = sizeof(point),
    .rows = rows,
    .evaluate = evaluate,
    .bounds = bounds,
};
