/* Poses and transforms: where a frame stands in its parent.  A pose (position and
** quaternion) is what people read and what is stored; a transform (position and
** rotation matrix) is what kinematics computes with.  Both map coordinates of their
** own frame into the parent: parent_from_child. */
#ifndef BRIO_MATH_POSE_H
#define BRIO_MATH_POSE_H

#include "math/quat.h"

typedef struct brio_pose {
  brio_vec3 p; /* m */
  brio_quat q; /* unit */
} brio_pose;

typedef struct brio_transform {
  double r[9]; /* rotation matrix, row by row */
  brio_vec3 p; /* m */
} brio_transform;

#define BRIO_POSE_IDENTITY ((brio_pose){{0, 0, 0}, {0, 0, 0, 1}})
#define BRIO_TRANSFORM_IDENTITY ((brio_transform){{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}})

/* Return the point v of the pose's own frame, in the parent. */
static inline brio_vec3 brio_pose_point(brio_pose a, brio_vec3 v) {
  return brio_vec3_add(a.p, brio_quat_rotate(a.q, v));
}

/* Return a then b: parent_from_a * a_from_b. */
static inline brio_pose brio_pose_mul(brio_pose a, brio_pose b) {
  return (brio_pose){brio_pose_point(a, b.p), brio_quat_mul(a.q, b.q)};
}

/* Return the inverse: child_from_parent. */
static inline brio_pose brio_pose_inverse(brio_pose a) {
  brio_quat q = brio_quat_conj(a.q);
  return (brio_pose){brio_vec3_scale(-1, brio_quat_rotate(q, a.p)), q};
}

/* Return v turned by the rotation of t. */
static inline brio_vec3 brio_transform_direction(const brio_transform *t, brio_vec3 v) {
  const double *r = t->r;
  return (brio_vec3){r[0] * v.x + r[1] * v.y + r[2] * v.z, r[3] * v.x + r[4] * v.y + r[5] * v.z,
                     r[6] * v.x + r[7] * v.y + r[8] * v.z};
}

/* Return v turned back by the rotation of t. */
static inline brio_vec3 brio_transform_undirection(const brio_transform *t, brio_vec3 v) {
  const double *r = t->r;
  return (brio_vec3){r[0] * v.x + r[3] * v.y + r[6] * v.z, r[1] * v.x + r[4] * v.y + r[7] * v.z,
                     r[2] * v.x + r[5] * v.y + r[8] * v.z};
}

/* Return the point v of t's own frame, in the parent. */
static inline brio_vec3 brio_transform_point(const brio_transform *t, brio_vec3 v) {
  return brio_vec3_add(t->p, brio_transform_direction(t, v));
}

/* Return a then b. */
static inline brio_transform brio_transform_mul(const brio_transform *a, const brio_transform *b) {
  brio_transform c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      c.r[3 * i + j] = a->r[3 * i] * b->r[j] + a->r[3 * i + 1] * b->r[3 + j] +
                       a->r[3 * i + 2] * b->r[6 + j];
  c.p = brio_transform_point(a, b->p);
  return c;
}

/* Return whether all numbers of the pose are finite. */
static inline bool brio_pose_finite(brio_pose a) {
  return brio_vec3_finite(a.p) && isfinite(a.q.x) && isfinite(a.q.y) && isfinite(a.q.z) && isfinite(a.q.w);
}

/* Return the pose a share u of the way from a to b: straight, turning on the shortest arc. */
static inline brio_pose brio_pose_mix(brio_pose a, brio_pose b, double u) {
  return (brio_pose){brio_vec3_add_scaled(a.p, u, brio_vec3_sub(b.p, a.p)), brio_quat_slerp(a.q, b.q, u)};
}

/* Return the transform of a pose. */
static inline brio_transform brio_transform_of(brio_pose pose) {
  double x = pose.q.x, y = pose.q.y, z = pose.q.z, w = pose.q.w;
  return (brio_transform){{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                           2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                           2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)},
                          pose.p};
}

/* Return the quaternion of a rotation matrix, w >= 0.
** Source: Shepperd, "Quaternion from rotation matrix", 1978: divide by the largest. */
static inline brio_quat brio_quat_from_matrix(const double r[9]) {
  double trace = r[0] + r[4] + r[8];
  brio_quat q;
  if (trace >= r[0] && trace >= r[4] && trace >= r[8])
    q = (brio_quat){r[7] - r[5], r[2] - r[6], r[3] - r[1], 1 + trace};
  else if (r[0] >= r[4] && r[0] >= r[8])
    q = (brio_quat){1 + r[0] - r[4] - r[8], r[1] + r[3], r[2] + r[6], r[7] - r[5]};
  else if (r[4] >= r[8])
    q = (brio_quat){r[1] + r[3], 1 - r[0] + r[4] - r[8], r[5] + r[7], r[2] - r[6]};
  else
    q = (brio_quat){r[2] + r[6], r[5] + r[7], 1 - r[0] - r[4] + r[8], r[3] - r[1]};
  q = brio_quat_unit(q);
  return q.w < 0 ? (brio_quat){-q.x, -q.y, -q.z, -q.w} : q;
}

/* Return the pose of a transform, its quaternion with w >= 0. */
static inline brio_pose brio_pose_of(const brio_transform *t) {
  return (brio_pose){t->p, brio_quat_from_matrix(t->r)};
}

#endif
