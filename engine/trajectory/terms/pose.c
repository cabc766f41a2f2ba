/* The configuration equals a given one, r = q (-) at: of the base, the variables or both; its rotation as a
** rotation vector. */
#include <string.h>

#include "trajectory/rotation_internal.h"
#include "trajectory/term.h"

typedef struct pose {
  double *at;          /* nq */
  double base, joints; /* 1: held; 0: free */
} pose;

static const brio_trajectory_param params[] = {
    {.name = "at",
     .unit = "",
     .doc = "the configuration",
     .type = BRIO_TRAJECTORY_POSE,
     .offset = offsetof(pose, at),
     .needed = true},
    {.name = "base",
     .unit = "",
     .doc = "1: the base is there",
     .type = BRIO_TRAJECTORY_NUMBER,
     .offset = offsetof(pose, base),
     .fallback = 1,
     .upper = 1},
    {.name = "joints",
     .unit = "",
     .doc = "1: the variables are there",
     .type = BRIO_TRAJECTORY_NUMBER,
     .offset = offsetof(pose, joints),
     .fallback = 1,
     .upper = 1},
    {.name = NULL},
};

/* Write the range [first, last + 1) of held entries of the ndof degrees of freedom. */
static void range(const pose *own, const brio_trajectory *t, int out[2]) {
  int base = BRIO_BASE_NV - t->first;
  out[0] = own->base > 0.5 ? 0 : base, out[1] = own->joints > 0.5 ? t->ndof : base;
}

/* One row for each entry that is held. */
static int rows(const void *self, const brio_trajectory *t, const brio_trajectory_phase *phase) {
  (void)phase;
  int part[2];
  range(self, t, part);
  return part[1] > part[0] ? part[1] - part[0] : 0;
}

/* The slope is 1 but for the rotation, whose difference is a logarithm. */
static void evaluate(const void *self, const brio_trajectory_point *at, double *r, double *slopes) {
  const pose *own = self;
  const brio_trajectory *t = at->trajectory;
  int part[2];
  /* rows of the base come first, unless it is fixed */
  range(own, t, part);
  brio_robot_difference(t->robot, own->at, at->q, t->tangent);
  for (int i = part[0]; i < part[1]; i++) {
    r[i - part[0]] = t->tangent[t->first + i];
    if (slopes) slopes[(i - part[0]) * t->nz + i] = 1;
  }
  if (!slopes || t->first > 0 || part[0] > 0) return;
  /* rows of the rotation: the logarithm's derivative, Jl^-1 */
  brio_matrix33 by = brio_rotation_left_inverse(brio_vec3_at(t->tangent + 3));
  for (int i = 0; i < 9; i++) slopes[(3 + i / 3) * t->nz + 3 + i % 3] = by.m[i];
}

const brio_trajectory_term_kind brio_trajectory_term_pose = {
    .name = "pose",
    .doc = "The configuration is a given one.",
    .example = "{ at = standing, joints = 0 }",
    .params = params,
    .size = sizeof(pose),
    .rows = rows,
    .evaluate = evaluate,
};
