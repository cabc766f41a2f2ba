/* Motion along a screw: rotation about an axis with translation along it, as a hand moves a knob, a lever, a
** valve or a door.
**
** The axis is x of the screw's frame, and all poses here are in that frame.  The carried body (a hand that
** has grasped) starts at its current pose and moves rigidly with the screw: with dT = (turn by da about x,
** shift by dx along x), T_k = dT T_(k-1), the step from the left.  (From the right it would rotate about the
** hand's own axis.)
**
** Source: Calvert, "A behavior system for humanoid robots", thesis, 2026, its section on screw primitives,
** and its code; formulas in screw.c.  Two things differ: steps are counted after the number of points is
** limited, so that a long screw reaches its end, and there is always a point between the first and the
** last. */
#ifndef BRIO_MATH_SCREW_H
#define BRIO_MATH_SCREW_H

#include "base/error.h"
#include "math/pose.h"

/* Most points of a screw. */
enum { BRIO_SCREW_POINTS = 10000 };

/* A screw.  A 0 in one of the last five selects the source's default. */
typedef struct brio_screw {
  double translation;                /* m along x, with sign */
  double rotation;                   /* rad about x, with sign, any number of turns */
  double max_linear, max_angular;    /* m/s, rad/s: speed of the carried point; 0: 0.1, 0.6 */
  double step_translation, step_rotation; /* m, rad: longest step; 0: 0.05, 10 degrees */
  int max_points;                    /* 0: 200 */
} brio_screw;

/* A planned screw from a start. */
typedef struct brio_screw_plan {
  brio_screw screw;                  /* with all defaults filled in */
  brio_pose start;                   /* screw_from_carried */
  double radius;                     /* m: distance of the start from the axis */
  double way;                        /* m: path of the carried point */
  double base;                       /* s: at full speed throughout */
  double step;                       /* s between two inner points */
  double seconds;                    /* of the whole: base and two steps, as the first and last take two
                                     ** each */
  int points;                        /* at least 3: the first is the start */
} brio_screw_plan;

/* A point of it. */
typedef struct brio_screw_point {
  double time;                       /* s from the start */
  brio_pose pose;                    /* screw_from_carried */
  brio_vec3 linear, angular;         /* m/s of the carried origin, rad/s; 0 at both ends */
} brio_screw_point;

/* Plan a screw of a body at `start` (screw_from_carried).  Errors: misuse (no translation and no rotation,
** NaN, a speed or step below 0, too many points). */
bool brio_screw_plan_from(const brio_screw *screw, brio_pose start, brio_screw_plan *plan, brio_error *err);

/* Return the pose of the carried body at a share of the motion: 0 at the start, 1 at the end; other values
** continue along the screw. */
brio_pose brio_screw_pose(const brio_screw_plan *plan, double share);

/* Return point `index`, clamped to 0 to points - 1. */
brio_screw_point brio_screw_point_at(const brio_screw_plan *plan, int index);

#endif
