/* The residuals that several terms are made of.
**
** Rotation: e = log(R target^-1) in world axes.  With R(t) = exp(e(t)) target the world
** angular velocity is w = Jl(e) de/dt, so the rows of de are Jl(e)^-1 times the angular
** rows of the link's Jacobian; with a = |e|
**   Jl(e)^-1 = I - [e]/2 + (1/a^2 - cot(a/2) / (2 a)) [e]^2
** (Barfoot, "State Estimation for Robotics", 2017, eq. 7.76).  It is finite up to and
** including a = pi; beyond, the shorter way round is taken, where e jumps but |e| does not. */
#include "solver/term.h"

#include <stddef.h>

int brio_term_one_row(const void *self, const brio_robot *robot) {
  (void)self, (void)robot;
  return 1;
}

int brio_term_three_rows(const void *self, const brio_robot *robot) {
  (void)self, (void)robot;
  return 3;
}

int brio_term_variable_rows(const void *self, const brio_robot *robot) {
  (void)self;
  return robot->nvariable;
}

const brio_param brio_term_link_params[] = {BRIO_PARAM_OF_LINK(brio_term_link), {0}};
const brio_param brio_term_joint_params[] = {BRIO_PARAM_OF_JOINT(brio_term_joint), {0}};

int brio_term_position(const brio_evaluation *at, int link, brio_vec3 target, double *r, double *jacobian) {
  brio_vec3 p = at->state->links[link].p;
  r[0] = p.x - target.x, r[1] = p.y - target.y, r[2] = p.z - target.z;
  if (jacobian) brio_state_point_jacobian(at->state, link, p, jacobian);
  return 3;
}

/* Write Jl(e)^-1, row by row. */
static void left_jacobian_inverse(brio_vec3 e, double m[9]) {
  double a2 = brio_vec3_dot(e, e), a = sqrt(a2);
  double k = a > 1e-4 ? 1 / a2 - cos(a / 2) / (2 * a * sin(a / 2)) : 1.0 / 12 + a2 / 720;
  double square[9] = {e.x * e.x - a2, e.x * e.y,      e.x * e.z, e.x * e.y,     e.y * e.y - a2,
                      e.y * e.z,      e.x * e.z,      e.y * e.z, e.z * e.z - a2};
  double cross[9] = {0, -e.z, e.y, e.z, 0, -e.x, -e.y, e.x, 0};
  for (int i = 0; i < 9; i++) m[i] = (i % 4 == 0) - 0.5 * cross[i] + k * square[i];
}

int brio_term_rotation_rows(const void *self, const brio_robot *robot) {
  (void)self, (void)robot;
  return 6;
}

int brio_term_rotation(const brio_evaluation *at, int link, brio_quat target, double *r, double *jacobian) {
  const brio_transform *pose = &at->state->links[link];
  brio_quat q = brio_quat_from_matrix(pose->r);
  brio_vec3 e = brio_quat_log(brio_quat_unit(brio_quat_mul(q, brio_quat_conj(target))));
  r[0] = e.x, r[1] = e.y, r[2] = e.z;
  if (!jacobian) return 3;
  int nv = at->robot->nv;
  double m[9], *angular = jacobian + 3 * nv;
  left_jacobian_inverse(e, m);
  brio_state_jacobian(at->state, link, pose->p, jacobian);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < nv; j++)
      jacobian[i * nv + j] =
          m[3 * i] * angular[j] + m[3 * i + 1] * angular[nv + j] + m[3 * i + 2] * angular[2 * nv + j];
  return 3;
}

int brio_term_value(const brio_evaluation *at, int variable, double target, double *r, double *jacobian) {
  r[0] = at->q[BRIO_BASE_NQ + variable] - target;
  if (jacobian) jacobian[BRIO_BASE_NV + variable] = 1;
  return 1;
}
