/* Arms in closed form: the first three joints place the wrist, the other three turn the tool.
**
** An arm is a chain of six turns of which the second and third have parallel axes, as nearly all arms of six
** joints do.  Its wrist is a point that the last three joints do not move away from its place: where their
** axes meet, or else any point of the fourth axis.  With E_i the turn about axis i by t_i:
**   place      c = E1 E2 E3 c0.  Turns 2 and 3 keep the distance along axis 2, which gives t1 (two answers);
**              then the lengths from the shoulder (axis 2) to the elbow (axis 3) and on to the wrist give t3
**              (two answers), and t2.
**   direction  M = E4 E5 E6, of directions alone: t5 (two answers) from the angle of the sixth axis to the
**              fourth, then t4, then t6.
** These are subproblems 1 to 4 of Paden and Kahan (Murray, Li and Sastry, "A Mathematical Introduction to
** Robotic Manipulation", 1994, 3.3), with cosines beyond 1 taken for 1: what is out of reach gives the
** nearest that the geometry has, and the miss.
**
** A clip is followed as a whole: of all answers at each frame those are taken that together come nearest to
** the elbow that is asked for, and never jump where they need not (dynamic programming over the answers).
** O(frames x answers^2), about 3 us a frame.  Off the tick. */
#ifndef BRIO_SOLVER_INVERSE_ARM_H
#define BRIO_SOLVER_INVERSE_ARM_H

#include "robot/robot.h"

enum {
  BRIO_ARM_JOINTS = 6,
  BRIO_ARM_PLACES = 4, /* answers for the place of the wrist, at most */
  BRIO_ARM_TURNS = 2   /* answers for the direction of the tool, at most */
};

/* Where everything is at value 0 of all six, in the frame of the robot's root. */
typedef struct brio_arm {
  const brio_robot *robot;
  int variables[BRIO_ARM_JOINTS];
  brio_vec3 axes[BRIO_ARM_JOINTS], points[BRIO_ARM_JOINTS]; /* unit; a point of each axis */
  double lower[BRIO_ARM_JOINTS], upper[BRIO_ARM_JOINTS];
  brio_transform tool;
  brio_vec3 base, elbow, wrist; /* base: the point of axis 1 nearest to axis 2 */
  bool meets;                   /* the last three axes meet in the wrist */
  double reach;                 /* m: of the wrist from the base, whatever the limits */
  /* of axes 2 and 3, across axis 2: */
  brio_vec3 upper_arm, forearm; /* from axis 2 to 3, from axis 3 to the wrist */
  double along, bend;           /* distance of the wrist along axis 2; angle from the upper to the fore arm */
  double turn3;                 /* 1, or -1 where axis 3 points the other way */
} brio_arm;

/* Find the arm that ends in the link `tool`.  Errors: unreachable: it has no such geometry, and the sentence
** says what it has instead. */
bool brio_arm_find(brio_arm *arm, const brio_robot *robot, int tool, brio_error *err);

/* Write the answers (three values each, within -pi and pi) that bring the wrist to `c` (in the root's frame),
** whatever the limits; `miss`: how far each is from it, m.  Return their number, at least 1. */
int brio_arm_place(const brio_arm *arm, brio_vec3 c, double answers[BRIO_ARM_PLACES][3],
                   double miss[BRIO_ARM_PLACES]);

/* Write the answers (three values each) that turn the tool to the rotation `r` (in the root's frame), behind
** the first three joints at `x`; `miss`: the angle between the sixth axis and where it should point, rad.
** Return their number, at least 1. */
int brio_arm_turn(const brio_arm *arm, const double x[3], const double r[9],
                  double answers[BRIO_ARM_TURNS][3], double miss[BRIO_ARM_TURNS]);

/* Write where the elbow and the wrist are at values `x` of the first three joints. */
void brio_arm_points(const brio_arm *arm, const double x[3], brio_vec3 *elbow, brio_vec3 *wrist);

/* A clip to follow, in the root's frame. */
typedef struct brio_arm_clip {
  int count;
  const double *wrist, *elbow; /* count x 3, m; elbow NULL: none is asked for */
  const double *tool;  /* count x 4: rotations x y z w of the tool link; NULL: the last three keep `start` */
  const double *start; /* 6: values to begin near to */
} brio_arm_clip;

/* Write the values of all six joints (count x 6), within their limits, and how far the wrist is from its
** place at each frame (count; or NULL), m.  Errors: misuse: a number that is not finite; no_memory. */
bool brio_arm_follow(const brio_arm *arm, const brio_arm_clip *clip, double *out, double *miss,
                     brio_error *err);

#endif
