/* How the results of kinematics change with the pose: second derivatives.
** All are of the configuration last updated, and touch only what they must. */
#ifndef BRIO_ROBOT_DERIVATIVE_H
#define BRIO_ROBOT_DERIVATIVE_H

#include "robot/kinematics.h"

/* Write the torque (N m; a slide's force, N) with which each variable must hold the robot up against
** gravity (9.81 m/s^2, along -z of the world): `torques` (nvariable), and unless it is NULL into `slopes`
** (nvariable x nv) d(torque) / d(tangent).  After brio_state_update_com. */
void brio_state_gravity(const brio_state *state, double *torques, double *slopes);

/* Write J J^T (6 x 6, whole) with J the columns of the variables in the Jacobian of `point` (world) fixed
** to `link`, rows as in brio_state_jacobian. */
void brio_state_gram(const brio_state *state, int link, brio_vec3 point, double gram[36]);

/* Return how many movers at most are on the way to a link: those of a mimic joint count, too. */
int brio_robot_depth(const brio_robot *robot);

/* Write the second derivatives of  force . position  of `point` (world) fixed to `link`, by what moves it:
** into `columns` the coordinates (of nv), from the link inward, into `bends` by number among them, depth
** numbers a row, those below or on the diagonal.  A coordinate of several movers is listed as often.
** Return how many are listed, at most `depth`.  The base's motion is left out. */
int brio_state_point_bend(const brio_state *state, int link, brio_vec3 point, brio_vec3 force, int depth,
                          int *columns, double *bends);

/* Add to `row` (nv) the slope of  sum over i, k of g_ik (J J^T)_ik  by each variable, for a symmetric
** `g` (6 x 6). By the base's motion it is not wanted, and left out. */
void brio_state_add_gram_slope(const brio_state *state, int link, brio_vec3 point, const double g[36],
                               double *row);

#endif
