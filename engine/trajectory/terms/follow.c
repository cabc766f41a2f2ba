/* The configuration stays near a reference motion: r = sqrt(weight of the node) * share * (q (-) q_ref), the
** base by world axes, its rotation as a rotation vector. */
#include <math.h>

#include "trajectory/rotation_internal.h"
#include "trajectory/shares_internal.h"

typedef struct follow {
  double *reference;            /* nq for each node */
  double *weights;              /* one for each node; NULL: 1 */
  double *share;                /* by velocity number; NULL: 1 */
  double position, orientation; /* of the base */
} follow;

static const brio_trajectory_param params[] = {
    {.name = "reference",
     .unit = "",
     .doc = "the motion: a configuration for each node",
     .type = BRIO_TRAJECTORY_POSES,
     .offset = offsetof(follow, reference),
     .needed = true},
    {.name = "weights",
     .unit = "1",
     .doc = "one for each node; 1 unless given",
     .type = BRIO_TRAJECTORY_NUMBERS,
     .offset = offsetof(follow, weights),
     .upper = 1e12},
    {.name = "share",
     .unit = "1",
     .doc = "factor of each variable; 1 unless given",
     .type = BRIO_TRAJECTORY_JOINTS,
     .offset = offsetof(follow, share),
     .fallback = 1,
     .upper = 1e6},
    {.name = "position",
     .unit = "1/m",
     .doc = "factor of the base's position",
     .type = BRIO_TRAJECTORY_NUMBER,
     .offset = offsetof(follow, position),
     .fallback = 1,
     .upper = 1e6},
    {.name = "orientation",
     .unit = "1/rad",
     .doc = "factor of the base's rotation",
     .type = BRIO_TRAJECTORY_NUMBER,
     .offset = offsetof(follow, orientation),
     .fallback = 1,
     .upper = 1e6},
    {.name = NULL},
};

/* Return the factor of velocity number `v`. */
static double factor_of(const follow *own, int v) {
  if (v >= BRIO_BASE_NV) return own->share ? own->share[v] : 1;
  return v < 3 ? own->position : own->orientation;
}

/* One row for each degree of freedom; the slope is its factor, but for the rotation. */
static void evaluate(const void *self, const brio_trajectory_point *at, double *r, double *slopes) {
  const follow *own = self;
  const brio_trajectory *t = at->trajectory;
  /* the node's weight belongs to the square */
  double node = own->weights ? sqrt(own->weights[at->index]) : 1;
  brio_robot_difference(t->robot, own->reference + at->index * t->robot->nq, at->q, t->tangent);
  for (int i = 0; i < t->ndof; i++) {
    double factor = node * factor_of(own, t->first + i);
    r[i] = factor * t->tangent[t->first + i];
    if (slopes) slopes[i * t->nz + i] = factor;
  }
  if (!slopes || t->first > 0) return;
  /* the base's rotation vector from the reference */
  brio_matrix33 by = brio_rotation_left_inverse(brio_vec3_at(t->tangent + 3));
  for (int i = 0; i < 9; i++) slopes[(3 + i / 3) * t->nz + 3 + i % 3] = node * own->orientation * by.m[i];
}

const brio_trajectory_term_kind brio_trajectory_term_follow = {
    .name = "follow",
    .doc = "The configuration stays near a reference motion.",
    .example = "{ reference = motion, weights = weights }",
    .params = params,
    .size = sizeof(follow),
    .cost = true,
    .rows = brio_trajectory_dof_rows,
    .evaluate = evaluate,
};
