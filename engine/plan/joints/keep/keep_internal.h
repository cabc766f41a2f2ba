/* Shared by the files of keeps, and private to them. */
#ifndef BRIO_PLAN_JOINTS_KEEP_INTERNAL_H
#define BRIO_PLAN_JOINTS_KEEP_INTERNAL_H

#include "plan/joints/keep/keep.h"

typedef enum brio_keep_kind {
  BRIO_KEEP_PLACE, /* a coordinate of the frame's origin, m */
  BRIO_KEEP_ANGLE, /* of the axis, rad */
  BRIO_KEEP_TURN   /* a number of the rotation vector, rad */
} brio_keep_kind;

/* A number that is bounded, where the frames are placed.  Its rate is n . v of the frame's origin for a
** coordinate, n . w with the angular velocity w for the others. */
typedef struct brio_keep_row {
  brio_keep_kind kind;
  int kept;
  int part; /* number of the coordinate */
  double value, lower, upper;
  double margin;      /* what a projection aims at is narrower by so much, on each side */
  brio_vec3 n, point; /* world; the frame's origin */
} brio_keep_row;

/* Write the rows of all keeps; return their number. */
int brio_keep_rows(const brio_keeps *keeps, const brio_joint_frames *frames,
                   brio_keep_row rows[BRIO_KEEP_ROWS]);

/* Return Jl(r)^-1 v, for |r| below pi (see brio_quat_left_jacobian). */
brio_vec3 brio_keep_left_inverse(brio_vec3 r, brio_vec3 v);

/* Return the pose of a kept frame in the world. */
brio_transform brio_kept_place(const brio_kept *kept, const brio_joint_frames *frames);

#endif
