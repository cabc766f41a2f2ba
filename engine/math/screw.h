/* Motion along a screw: about an axis and along it at once, as a hand goes with a knob, a lever, a valve or a
** door.
**
** The axis is x of the screw's frame, and all poses here are in that frame.  What is carried starts where it
** is (a hand that has grasped), and goes with the screw as one rigid body: with dT = (turn by da about x,
** shift by dx along x), T_k = dT T_(k-1), the step from the left.  (From the right it would turn about the
** hand's own axis.)
**
** Source: Calvert, "A behavior system for humanoid robots", thesis, 2026, its section on screw primitives,
** and the code that it is about; formulas in screw.c.  Two things differ: steps are counted after the number
** of points is limited, so that a long screw reaches its end, and there is always a point between the first
** and the last. */
#ifndef BRIO_MATH_SCREW_H
#define BRIO_MATH_SCREW_H

#include "base/error.h"
#include "math/pose.h"

/* The most points that may be asked for. */
enum { BRIO_SCREW_POINTS = 10000 };

/* A screw.  What is 0 of the last five is as the source has it. */
typedef struct brio_screw {
  double translation;                /* m along x, either way */
  double rotation;                   /* rad about x, either way, any number of turns */
  double max_linear, max_angular;    /* m/s, rad/s: how fast the carried point goes, and turns; 0: 0.1, 0.6 */
  double step_translation, step_rotation; /* m, rad: one step goes no farther; 0: 0.05, 10 degrees */
  int max_points;                    /* 0: 200 */
} brio_screw;

/* A screw from where something is. */
typedef struct brio_screw_plan {
  brio_screw screw;                  /* with nothing 0 but what is */
  brio_pose start;                   /* screw_from_carried */
  double radius;                     /* m: of the start from the axis */
  double way;                        /* m: of the carried point */
  double base;                       /* s: at full speed all the way */
  double step;                       /* s between two inner points */
  double seconds;                    /* of all: base and two steps, for the first and last take two each */
  int points;                        /* 3 at least: the first is the start */
} brio_screw_plan;

/* A point of it. */
typedef struct brio_screw_point {
  double time;                       /* s from the start */
  brio_pose pose;                    /* screw_from_carried */
  brio_vec3 linear, angular;         /* m/s of the carried origin, rad/s; 0 at both ends */
} brio_screw_point;

/* Plan a screw for what is at `start` (screw_from_carried).  Errors: misuse (a screw that neither moves nor
** turns, a number that is NaN, a speed or step below 0, too many points). */
bool brio_screw_plan_from(const brio_screw *screw, brio_pose start, brio_screw_plan *plan, brio_error *err);

/* Where what is carried is after a share of the way: 0 at the start, 1 at the end; any other goes on along
** the screw. */
brio_pose brio_screw_pose(const brio_screw_plan *plan, double share);

/* The point `index`, from 0 to points - 1; what is beyond is the nearest of them. */
brio_screw_point brio_screw_point_at(const brio_screw_plan *plan, int index);

#endif
