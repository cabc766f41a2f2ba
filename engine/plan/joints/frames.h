/* The frames that planned joints move: where they stand, and bounds of how far their points go.
**
** Everything that the same planned joints carry is rigid and is one frame; what no planned joint moves is
** frame 0, the world.  A parent comes before its children.  For a straight motion of the joints,
** q(t) = q0 + t delta with t from 0 to 1, three things bound the path of a point of frame f that is at most
** `extent` from the frame's origin, with L_k the length of the chain from joint k to the point, d_k =
** |delta_k|:
**   speed       |p'|  <= sum_k L_k d_k                                  at any t (a slide has L = 1)
**   curvature   |p''| <= sum_k L_k d_k (d_k + 2 sum_{j before k} d_j)   at any t, j and k turns
**   velocity    p'(t) itself, from the angular velocities, at one t
** so within h of t a point goes at most min(speed h, |p'(t)| h + curvature h^2 / 2).
** Source of the idea of bounds by pieces: Schwarzer, Saha and Latombe, "Adaptive dynamic collision checking
** for single and multiple articulated robots in complex environments", 2005; the second order is
** brio's own. */
#ifndef BRIO_PLAN_JOINTS_FRAMES_H
#define BRIO_PLAN_JOINTS_FRAMES_H

#include "base/arena.h"
#include "base/error.h"
#include "robot/robot.h"

enum { BRIO_JOINT_FRAME = 12 }; /* numbers of a frame: three rows of rotation and position */

/* A frame and the planned joint that moves it in its parent. */
typedef struct brio_joint_frame {
  int parent;
  int x; /* planned variable that moves it */
  bool slides;
  double multiplier, offset; /* value = multiplier x + offset */
  double slide;              /* m: of a slide, its value may be so far from 0 where the bounds hold */
  brio_vec3 axis;            /* unit; in the frame */
  double length;             /* m: between its origin and that of its parent, at most */
  double constants[3]
                  [BRIO_JOINT_FRAME]; /* parent_from_frame: 1, cosine and sine of the value (or the value) */
} brio_joint_frame;

/* Where a frame stands and how it moves with t: origin's velocity, m, and angular velocity, rad. */
typedef struct brio_joint_place {
  double world[BRIO_JOINT_FRAME];
  brio_vec3 velocity, spin;
} brio_joint_place;

/* Bounds of one motion for a point at most `extent` from the origin: speed = base + extent turn, curvature =
** bend_base + extent bend. */
typedef struct brio_joint_bound {
  double base, turn, bend_base, bend;
} brio_joint_bound;

typedef struct brio_joint_frames {
  int count, nx;                    /* frames, the world included; planned variables */
  brio_joint_frame *list;           /* count; 0 is not used */
  brio_joint_place *places;         /* count */
  brio_joint_bound *bounds;         /* count */
  double *values, *sines, *cosines; /* count + 2 each */
  /* of the links, in the robot's order */
  int *frame_of;               /* nlink */
  brio_transform *link_places; /* nlink: frame_from_link */
} brio_joint_frames;

/* Make the frames of `robot` for the planned `variables` (nx indices, each once), everything else standing as
** in `q` (nq).  Memory is the arena's.  Errors: no_memory. */
bool brio_joint_frames_start(brio_joint_frames *frames, brio_arena *arena, const brio_robot *robot,
                             const double *q, const int *variables, int nx, brio_error *err);

/* Place all frames for the planned values `x` (nx).  O(frames); allocates nothing. */
void brio_joint_frames_place(brio_joint_frames *frames, const double *x);

/* Return whether the bounds hold at the planned values `x`: all are finite, and slides within their limits,
** or 1 mm beyond. */
bool brio_joint_frames_bounded(const brio_joint_frames *frames, const double *x);

/* Set the velocities at the placed values for a motion by `delta` (nx). */
void brio_joint_frames_move(brio_joint_frames *frames, const double *delta);

/* Set the bounds that hold along all of a motion by `delta`. */
void brio_joint_frames_bound(brio_joint_frames *frames, const double *delta);

/* Add the joint of frame `f` to the bound of a chain, `length` m behind the chain's last joint. */
void brio_joint_bound_add(brio_joint_bound *bound, const brio_joint_frame *frame, double length,
                          const double *delta);

/* Return a point of a placed frame in the world; v turned by it. */
static inline brio_vec3 brio_joint_place_direction(const double *w, brio_vec3 v) {
  return (brio_vec3){w[0] * v.x + w[1] * v.y + w[2] * v.z, w[4] * v.x + w[5] * v.y + w[6] * v.z,
                     w[8] * v.x + w[9] * v.y + w[10] * v.z};
}
static inline brio_vec3 brio_joint_place_point(const double *w, brio_vec3 v) {
  return brio_vec3_add((brio_vec3){w[3], w[7], w[11]}, brio_joint_place_direction(w, v));
}

/* Return a placed frame as a transform. */
static inline brio_transform brio_joint_place_transform(const double *w) {
  return (brio_transform){{w[0], w[1], w[2], w[4], w[5], w[6], w[8], w[9], w[10]}, {w[3], w[7], w[11]}};
}

#endif
