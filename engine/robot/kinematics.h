/* Where everything is, and how it moves: forward kinematics, Jacobians and the centre
** of mass of a configuration.  A state is the workspace: set up once, then nothing here
** allocates.  Formulas: Featherstone, "Rigid Body Dynamics Algorithms", 2008, ch. 4. */
#ifndef BRIO_ROBOT_KINEMATICS_H
#define BRIO_ROBOT_KINEMATICS_H

#include "robot/robot.h"

typedef struct brio_state {
  const brio_robot *robot;
  brio_transform *links; /* nlink: world_from_link, after brio_state_update */
  brio_vec3 com;         /* world, after brio_state_update_com */
  struct brio_state_private *work;
  brio_arena arena;
} brio_state;

/* Make a state for `robot`, which must outlive it.  Errors: no_memory. */
bool brio_state_start(brio_state *state, const brio_robot *robot, brio_error *err);

/* Free its memory. */
void brio_state_end(brio_state *state);

/* Compute every link's transform for configuration `q` (nq).  The quaternion of the
** base is taken at length 1. */
void brio_state_update(brio_state *state, const double *q);

/* Compute the transform of one link alone, and of those that carry it by joints: enough for its
** Jacobians, and cheaper where the robot has much else.  Other links, and the centre of mass,
** stay as they were. */
void brio_state_update_link(brio_state *state, const double *q, int link);

/* Compute the centre of mass of the configuration last updated; return it (world, m).
** A robot without mass: the root link's origin. */
brio_vec3 brio_state_update_com(brio_state *state);

/* Write the Jacobian of `point` (world coordinates) fixed to `link`: 6 x nv, row by row,
** rows linear velocity (3) then angular velocity (3), world axes; d(velocity) / d(tangent). */
void brio_state_jacobian(const brio_state *state, int link, brio_vec3 point, double *jacobian);

/* The same for the linear rows alone: 3 x nv. */
void brio_state_point_jacobian(const brio_state *state, int link, brio_vec3 point, double *jacobian);

/* Return the same of any link transforms (nlink), such as past ones; slower. */
brio_vec3 brio_robot_com(const brio_robot *robot, const brio_transform *links);

/* Write the Jacobian of the centre of mass, 3 x nv, after brio_state_update_com. */
void brio_state_com_jacobian(const brio_state *state, double *jacobian);

/* Return how fast the centre of mass moves (world, m/s) when the tangent changes by `rates` (nv, per s),
** after brio_state_update_com. */
brio_vec3 brio_state_com_velocity(const brio_state *state, const double *rates);

/* Set those of `columns` (nv flags) that can move `link`, and leave the others as they are. */
void brio_robot_mark_columns(const brio_robot *robot, int link, bool *columns);

/* Add scale * direction . d(point)/d(tangent) to `row` (nv): one row of a point Jacobian
** along a direction, touching only the joints that carry `link`.  For distances. */
void brio_state_add_point_row(const brio_state *state, int link, brio_vec3 point,
                              brio_vec3 direction, double scale, double *row);

/* Add scale times the slope of the distance of two links, of which `point_a` and `point_b` (world) are
** nearest to each other, `direction` leading from the former to the latter, to `row` (nv).  Only joints
** between the two links have part in it: what carries both moves both points alike along the direction. */
void brio_state_add_gap_row(const brio_state *state, int link_a, brio_vec3 point_a, int link_b,
                            brio_vec3 point_b, brio_vec3 direction, double scale, double *row);

/* Write q (+) step: the configuration reached from `q` (nq) by tangent `step` (nv). `out`
** (nq) may be `q`.  The base turns by the exponential of its angular part. */
void brio_robot_integrate(const brio_robot *robot, const double *q, const double *step, double *out);

/* Write the tangent (nv) that leads from `from` to `to` (both nq); the base and circular
** variables turn the short way, so whole turns between them do not count. */
void brio_robot_difference(const brio_robot *robot, const double *from, const double *to, double *out);

#endif
