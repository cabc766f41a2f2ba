/* A scheme of collocation: what it means that the motion between two nodes follows the dynamics.
**
** Both nodes have a point with accelerations.  The defect has 2 ndof rows, m, rad, m/s and rad/s, which are 0
** where the scheme's integral of velocity and acceleration leads from one node to the next.  Rotations of the
** base are rotation vectors from the left node's, whose rate is J(phi)^-1 omega.  To add one: write
** schemes/<name>.c and add X(<name>) to schemes.def.  Source of both: Betts, "Practical methods for optimal
** control and estimation using nonlinear programming", 2010, ch. 4. */
#ifndef BRIO_TRAJECTORY_SCHEME_H
#define BRIO_TRAJECTORY_SCHEME_H

#include "trajectory/trajectory.h"

/* The numbers of a node, and how they change. */
typedef struct brio_trajectory_side {
  const double *q, *u, *torque; /* nq, nv, nmotor */
  const double *du;             /* nv */
  const double *du_slope;       /* ndof x nz; NULL: slopes are not asked for */
} brio_trajectory_side;

typedef struct brio_trajectory_scheme {
  const char *name, *doc;
  int order; /* of the error of a motion by the step */
  /* Write the defect (2 ndof) of an interval of `step` seconds, unstretched, and unless NULL its slopes by
  ** both nodes (2 ndof x nz each, zeroed).  Return false where the dynamics failed. */
  bool (*defect)(brio_trajectory *trajectory, int phase, double step, double stretch,
                 const brio_trajectory_side sides[2], double *defect, double *left, double *right);
} brio_trajectory_scheme;

#define X(name) extern const brio_trajectory_scheme brio_trajectory_scheme_##name;
#include "trajectory/schemes.def"
#undef X

/* All schemes, ended by NULL. */
extern const brio_trajectory_scheme *const brio_trajectory_schemes[];

/* Return the scheme of that name, or NULL and an error with the nearest name. */
const brio_trajectory_scheme *brio_trajectory_scheme_find(const char *name, brio_error *err);

#endif
