/* Levers: how fast a joint moves what it carries, whatever the pose.
**
** At speeds v_i of its variables no point of a robot is faster than the sum over the chain that carries it,
**   lever_i |v_i|,
** with lever_i the greatest distance from the axis at which the joint ever carries a point (m), and 1 for
** what slides.  A base that moves adds |v| + lever |w|, with its velocity v (m/s), its angular velocity w
** (rad/s), and as lever the greatest distance of any point from the root's origin. */
#ifndef BRIO_ROBOT_LEVER_H
#define BRIO_ROBOT_LEVER_H

#include "robot/robot.h"

/* Let no point of the robot be faster than `speed` (m/s, above 0; INFINITY: no such limit), for solvers that
** are made from now on.  What counts is the robot's shapes for collision, those to be seen where a link has
** no others, and 0.1 m about the origin of a link that has none.  Errors: misuse, no_memory. */
bool brio_robot_set_point_speed(brio_robot *robot, double speed, brio_error *err);

/* Write the lever of every joint's rotation, then that of the base's (njoint + 1, m): at least 0.05. */
void brio_robot_levers(const brio_robot *robot, double *levers);

/* Write for every variable (nvariable) by how much at most a point moves for each unit of it: m/rad, or 1. */
void brio_robot_variable_levers(const brio_robot *robot, double *levers);

/* The lever of variable number `k` of a joint, its multiplier included: m/rad, or 1. */
static inline double brio_joint_lever(const brio_robot *robot, const double *levers, int joint, int k) {
  const brio_joint *one = &robot->joints[joint];
  bool angular = robot->variables[one->variable + k].angular;
  bool turns = one->mimic >= 0 ? one->type != BRIO_JOINT_PRISMATIC : angular;
  double multiplier = one->multiplier < 0 ? -one->multiplier : one->multiplier;
  return multiplier * (turns ? levers[joint] : 1);
}

/* Return the mass of all links that some joint moves against the root, kg. */
double brio_robot_moving_mass(const brio_robot *robot);

#endif
