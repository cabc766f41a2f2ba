/* Properties of joints in the robot's file, apart from masses: rotors, dampers, springs.  A mimic joint
** moves multiplier times as fast as its source, and its torque reaches the source multiplied again. */
#include <string.h>

#include "dynamics/dynamics_internal.h"

static double damping_of(const brio_joint *joint) {
  return joint->damping;
}

static double armature_of(const brio_joint *joint) {
  return joint->armature;
}

/* Add a number of each joint to its variables, as the source of a mimic joint has it. */
static void add_up(const brio_robot *robot, double (*number)(const brio_joint *joint), double *out) {
  memset(out, 0, (size_t)robot->nvariable * sizeof *out);
  for (int j = 0; j < robot->njoint; j++) {
    const brio_joint *joint = &robot->joints[j];
    double value = joint->multiplier * joint->multiplier * number(joint);
    for (int k = 0; k < joint->nvariable; k++) out[joint->variable + k] += value;
  }
}

void brio_dynamics_file_damping(const brio_robot *robot, double *damping) {
  add_up(robot, damping_of, damping);
}

void brio_dynamics_file_armature(const brio_robot *robot, double *armature) {
  add_up(robot, armature_of, armature);
}

/* The torque of a joint's spring and damper at a value and a rate of its own. */
static double torque(const brio_joint *joint, double value, double rate) {
  return joint->stiffness * (joint->springref - value) - joint->damping * rate;
}

void brio_dynamics_passive(const brio_dynamics *dynamics, const double *q, const double *u, double *tau) {
  const brio_robot *robot = dynamics->robot;
  /* Dampers of the workspace are in h already. */
  bool damped = u && !dynamics->work->damping;
  memset(tau, 0, (size_t)robot->nv * sizeof *tau);
  for (int j = 0; j < robot->njoint; j++) {
    const brio_joint *joint = &robot->joints[j];
    double m = joint->multiplier;
    for (int k = 0; k < joint->nvariable; k++) {
      int v = joint->variable + k;
      double rate = damped ? m * u[BRIO_BASE_NV + v] : 0;
      tau[BRIO_BASE_NV + v] += m * torque(joint, m * q[BRIO_BASE_NQ + v] + joint->offset, rate);
    }
  }
}
