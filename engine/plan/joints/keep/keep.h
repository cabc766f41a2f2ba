/* What joints keep while they move: bounds of where a frame on a link is, and of how it is turned.
**
** A keep bounds up to seven numbers of one frame, seen from a reference in the world: its three coordinates,
** the angle of one of its axes to a direction, and the three numbers of its rotation vector.  A cup that
** stays upright is one angle; a hand on a line two coordinates; a region in which a hand may end all that is
** known of it.  These are the regions of Berenson, Srinivasa and Kuffner, "Task space regions", 2011, with a
** rotation vector in place of roll, pitch and yaw, and an angle beside it.
**
** Configurations are projected by damped least squares on bounds that are narrower by a margin, so that the
** straight motion between two of them has room.  That the motion keeps the bounds is proven for all of it:
** from the value f and its rate f' at the middle of a piece of half length h,
**   |f(t) - f| <= |f'| h + b h^2 / 2     for all t of the piece,
** with b a bound of |f''|.  For a coordinate that is the curvature of frames.h; with T = sum of the turns of
** the chain it is T^2 for a coordinate of a unit axis, and below 2.7 T^2 for a rotation vector r of at most
** 2.9 rad: there |Jl(r)^-1| = (|r|/2) / sin(|r|/2) is at most 1.47, and its slope 1.2, so with
** |w'| <= T^2 / 2, |r''| is at most (1.2 1.47 + 1.47 / 2) T^2.  What is not proven is cut in two. */
#ifndef BRIO_PLAN_JOINTS_KEEP_H
#define BRIO_PLAN_JOINTS_KEEP_H

#include "plan/joints/frames.h"

enum {
  BRIO_JOINT_KEEPS = 4,             /* of a list, at most */
  BRIO_KEPT = 2 * BRIO_JOINT_KEEPS, /* of two lists together */
  BRIO_KEEP_ROWS = 7 * BRIO_KEPT    /* numbers that are bounded, at most */
};

/* Bounds of a frame; INFINITY (below: -INFINITY): none. */
typedef struct brio_joint_keep {
  const char *name;                    /* for sentences; NULL: that of the link */
  int link;                            /* one that planned joints move */
  brio_pose frame;                     /* link_from_frame */
  brio_pose reference;                 /* world_from_reference */
  double lower[3], upper[3];           /* m: the frame's origin along the axes of the reference */
  brio_vec3 axis, along;               /* of the frame; of the reference; unit */
  double angle;                        /* rad: between both at most; INFINITY: free */
  double turn_lower[3], turn_upper[3]; /* rad: rotation vector from the reference; all three or none */
} brio_joint_keep;

/* Return a keep of a link's own frame without any bound, for the caller to add some. */
brio_joint_keep brio_joint_keep_of(int link);

/* A keep made ready. */
typedef struct brio_kept {
  brio_joint_keep said;
  int frame;
  brio_transform place;     /* frame_from_kept */
  brio_transform reference; /* world_from_reference */
  bool turned;              /* the rotation vector has bounds */
} brio_kept;

typedef struct brio_keeps {
  int count;
  brio_kept list[BRIO_KEPT];
} brio_keeps;

/* Append keeps.  Names are copied to the arena.  Errors: misuse (a link that is not moved, bounds that are no
** range or leave no room: see brio_keep_least), limit, no_memory. */
bool brio_keeps_add(brio_keeps *keeps, brio_arena *arena, const brio_joint_frames *frames,
                    const brio_robot *robot, const brio_joint_keep *list, int count, brio_error *err);

/* Least ranges: of a coordinate (m), and of an angle (rad). */
extern const double brio_keep_least[2];

/* Return whether all bounds hold where the frames are placed. */
bool brio_keeps_hold(const brio_keeps *keeps, const brio_joint_frames *frames);

/* Fail with the sentence of the bound that is farthest exceeded where the frames are placed: "`what`: 'cup'
** is tilted by 0.300 rad, and 0.100 is kept" (unreachable). */
bool brio_keeps_explain(const brio_keeps *keeps, const brio_joint_frames *frames, const char *what,
                        brio_error *err);

/* Change `x` (nx) as little as may be, within `lower` and `upper`, until all bounds hold with room.  Return
** whether they do.  O(iterations x rows^2 nx); allocates nothing. */
bool brio_keeps_project(const brio_keeps *keeps, brio_joint_frames *frames, const double *lower,
                        const double *upper, double *x);

/* Return whether all bounds are proven for the straight motion by `delta` from `x`. */
bool brio_keeps_motion(const brio_keeps *keeps, brio_joint_frames *frames, const double *x,
                       const double *delta);

#endif
