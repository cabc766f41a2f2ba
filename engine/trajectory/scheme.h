/* A collocation scheme: the equations by which the motion between two nodes follows the dynamics.
**
** Both nodes have accelerations.  The defect has 2 ndof rows (m or rad, then m/s or rad/s), which are 0 if
** the scheme's quadrature of velocity and acceleration leads from one node to the next.  Rotations of the
** base are rotation vectors phi from the left node's, whose rate is J(phi)^-1 omega.  To add one: write
** schemes/<name>.c and add X(<name>) to schemes.def.  Source of both: Betts, "Practical methods for optimal
** control and estimation using nonlinear programming", 2010, ch. 4. */
#ifndef BRIO_TRAJECTORY_SCHEME_H
#define BRIO_TRAJECTORY_SCHEME_H

#include "trajectory/trajectory.h"

/* A node as one end of an interval. */
typedef struct brio_trajectory_side {
  const double *q, *u, *torque; /* nq, nv, nmotor */
  const double *du;             /* nv: accelerations */
  const double *du_slope;       /* ndof x nz: derivative of du by z; NULL: derivatives are not asked for */
} brio_trajectory_side;

typedef struct brio_trajectory_scheme {
  const char *name, *doc;
  int order; /* p: the error of a motion is O(step^p) */
  /* Write the defect (2 ndof) of an interval of `step` s, unstretched, and unless NULL its derivatives by z
  ** of both nodes (`left`, `right`: 2 ndof x nz each, zeroed before).  Return false: the dynamics failed. */
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
