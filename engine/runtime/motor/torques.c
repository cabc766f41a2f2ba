/* Impedances of the next commands: see torques.h.  With tau(q) of inverse dynamics at rest,
**     torque = tau_i(q) + share * asked_i.
** Source of gravity compensation: Siciliano et al., "Robotics: Modelling, Planning and Control", 2009,
** section 8.5.1. */
#include "runtime/motor/torques.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads/lines.h"
#include "math/scalar.h"
#include "runtime/motor/motor_internal.h"

#define FADES 2.0 /* 1/s: how fast the scripts' feed-forward fades while they are silent, and returns */

static bool no_memory(brio_error *err) {
  return brio_fail(err, BRIO_NO_MEMORY, "no memory for axes that control their torque");
}

/* Take the memory of the workspace, if some axis carries its weight. */
static bool start_dynamics(brio_motor_torques *torques, brio_arena *arena, const brio_robot *robot,
                           brio_error *err) {
  if (!torques->weighs) return true;
  torques->q = BRIO_TAKE(arena, double, robot->nq);
  torques->tau = BRIO_TAKE(arena, double, robot->nv);
  if (!torques->q || !torques->tau) return no_memory(err);
  brio_robot_neutral(robot, torques->q);
  return brio_dynamics_start(&torques->dynamics, robot, NULL, err);
}

/* Take the arrays, and what the robot's file says of each axis. */
static bool take(brio_motor_torques *torques, brio_motor *motor, const bool *gravity) {
  int count = torques->count = motor->count;
  const brio_actuator_axis *axes = brio_actuator_axes(motor->actuator, &count);
  size_t n = (size_t)count;
  torques->tree = motor->tree;
  torques->hard = BRIO_TAKE(&motor->arena, brio_impedance, n);
  torques->asked = BRIO_TAKE(&motor->arena, brio_impedance, n);
  torques->now = BRIO_TAKE(&motor->arena, brio_impedance, n);
  torques->gravity = BRIO_TAKE(&motor->arena, bool, n);
  if (!torques->hard || !torques->asked || !torques->now || !torques->gravity ||
      !brio_triple_start(&torques->wishes, n * sizeof *torques->asked))
    return false;
  for (int i = 0; i < count; i++) {
    torques->hard[i] = axes[i].impedance;
    torques->hard[i].torque = 0;
    torques->asked[i] = torques->now[i] = torques->hard[i];
    torques->gravity[i] = gravity && gravity[i] && i < motor->tree && brio_impedance_is(&torques->hard[i]);
    torques->weighs = torques->weighs || torques->gravity[i];
  }
  /* The first wishes are those of the file. */
  torques->share = 1;
  brio_motor_torques_send(torques);
  return true;
}

bool brio_motor_torques_start(brio_motor *motor, const brio_robot *robot, const bool *gravity,
                              brio_motor_torques **out, brio_error *err) {
  int count;
  bool any = false;
  const brio_actuator_axis *axes = brio_actuator_axes(motor->actuator, &count);
  for (int i = 0; i < count; i++) any = any || brio_impedance_is(&axes[i].impedance);
  *out = NULL;
  if (!any) return true;
  if (gravity && !robot) return brio_fail(err, BRIO_MISUSE, "gravity compensation needs the robot");
  /* The triple buffer in it is aligned more strictly than an arena's memory. */
  brio_motor_torques *torques = brio_lines_new(sizeof *torques);
  if (!torques) return no_memory(err);
  *out = torques; /* brio_motor_free ends it, complete or not */
  return (take(torques, motor, gravity) || no_memory(err)) &&
         start_dynamics(torques, &motor->arena, robot, err);
}

void brio_motor_torques_end(brio_motor_torques *torques) {
  if (!torques) return;
  brio_triple_end(&torques->wishes);
  if (torques->dynamics.robot) brio_dynamics_end(&torques->dynamics);
  free(torques);
}

bool brio_motor_torques_ask(brio_motor_torques *torques, int axis, const char *name,
                            const brio_impedance *asked, brio_error *err) {
  if (!torques || !brio_impedance_is(&torques->hard[axis]))
    return brio_fail(err, BRIO_MISUSE, "'%.64s' is a position servo: it has no impedance", name);
  const brio_impedance *hard = &torques->hard[axis];
  brio_impedance made = *asked;
  made.limit = hard->limit;
  const char *fault = brio_impedance_fault(&made);
  if (fault) return brio_fail(err, BRIO_MISUSE, "the impedance of '%.64s': %s", name, fault);
  /* A stiffer or more damped motor than the file's may be unstable. */
  if (made.stiffness > hard->stiffness || made.damping > hard->damping)
    return brio_fail(err, BRIO_MISUSE,
                     "the impedance of '%.64s': stiffness and damping may be up to those of the robot's "
                     "file, %g and %g, not %g and %g",
                     name, hard->stiffness, hard->damping, made.stiffness, made.damping);
  torques->asked[axis] = made;
  return true;
}

void brio_motor_torques_send(brio_motor_torques *torques) {
  size_t bytes = (size_t)torques->count * sizeof *torques->asked;
  memcpy(brio_triple_back(&torques->wishes), torques->asked, bytes);
  brio_triple_publish(&torques->wishes);
}

/* The weight on each axis at the measured positions; of an axis that does not report, at its command. */
static void weigh(brio_motor *motor) {
  brio_motor_torques *torques = motor->torques;
  for (int i = 0; i < torques->tree; i++) {
    const brio_axis_state *state = &motor->states[i];
    torques->q[BRIO_BASE_NQ + i] = state->valid ? state->position : motor->motion.axes[i].x;
  }
  brio_dynamics_inverse(&torques->dynamics, torques->q, NULL, NULL, torques->tau);
}

void brio_motor_torques_step(brio_motor *motor, double h) {
  brio_motor_torques *torques = motor->torques;
  assert(torques && h > 0);
  brio_triple_fetch(&torques->wishes);
  const brio_impedance *asked = brio_triple_front(&torques->wishes);
  torques->share = brio_clamp(torques->share + (motor->silent ? -h : h) * FADES, 0, 1);
  if (torques->weighs) weigh(motor);
  for (int i = 0; i < torques->count; i++) {
    if (!brio_impedance_is(&torques->hard[i])) continue;
    torques->now[i] = asked[i];
    torques->now[i].torque *= torques->share;
    if (torques->gravity[i]) torques->now[i].torque += torques->tau[BRIO_BASE_NV + i];
  }
}
