/* The residuals that several terms are made of.
**
** Rotation: e = log(R target^-1) in world axes.  With R(t) = exp(e(t)) target the world
** angular velocity is w = Jl(e) de/dt, so the rows of de are Jl(e)^-1 times the angular
** rows of the link's Jacobian; with a = |e|
**   Jl(e)^-1 = I - [e]/2 + (1/a^2 - cot(a/2) / (2 a)) [e]^2
** (Barfoot, "State Estimation for Robotics", 2017, eq. 7.76).  It is finite up to and
** including a = pi; beyond, the shorter way round is taken, where e jumps but |e| does not.
**
** Directions: with t the angle between a and d, the chord a - d is 2 sin(t/2) long; rows
**   g (a - d),  g = t / (2 sin(t/2))
** are t long, smooth at t = 0 (no sine of t, no arc cosine near 1 comes in), and have a slope
** wherever there is one: only at t = pi the angle itself has a corner. */
#include "solver/terms/term.h"

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

const brio_param brio_term_links_params[] = {
  BRIO_PARAM_LINK_OF(brio_term_links, link1, "The first link."),
  BRIO_PARAM_LINK_OF(brio_term_links, link2, "The second link."),
  {0}};
const brio_param brio_term_joints_params[] = {
  BRIO_PARAM_JOINT_OF(brio_term_joints, joint1, "The first joint."),
  BRIO_PARAM_JOINT_OF(brio_term_joints, joint2, "The second joint."),
  {0}};

/* Names and axes: what instances are checked for when they are bound. */
bool brio_term_must_differ(bool same, const char *first, const char *second, const char *name,
                           brio_error *err) {
  if (!same) return true;
  return brio_fail(err, BRIO_MISUSE, "%s and %s must be two, not both '%.80s'", first, second, name);
}

bool brio_term_bind_links(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)seed;
  const brio_term_links *term = self;
  return brio_term_must_differ(term->link1 == term->link2, "link1", "link2", robot->links[term->link1].name,
                               err);
}

bool brio_term_bind_joints(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)seed;
  const brio_term_joints *term = self;
  return brio_term_must_differ(term->joint1 == term->joint2, "joint1", "joint2",
                               robot->variables[term->joint1].name, err);
}

/* Terms of the center of mass need masses. Errors: misuse. */
bool brio_term_must_weigh(const brio_robot *robot, brio_error *err) {
  if (robot->mass > 0) return true;
  return brio_fail(err, BRIO_MISUSE, "robot '%.80s' has no link with a mass: its URDF gives no inertials",
                   robot->name);
}

/* Whether the model gives a finite effort. */
static bool has_effort(const brio_variable *variable) {
  return variable->effort > 0 && variable->effort < HUGE_VAL;
}

double brio_term_effort(const brio_variable *variable, double usual) {
  return has_effort(variable) ? variable->effort : usual;
}

double brio_term_usual_effort(const brio_robot *robot) {
  double most = 0;
  for (int k = 0; k < robot->nvariable; k++)
    if (has_effort(&robot->variables[k])) most = fmax(most, robot->variables[k].effort);
  /* 9.81 m/s^2 times the mass, at one meter. */
  return most > 0 ? most : 9.81 * robot->mass;
}

bool brio_term_unit_axis(brio_vec3 *axis, const char *name, brio_error *err) {
  if (!(brio_vec3_norm(*axis) > 1e-9))
    return brio_fail(err, BRIO_MISUSE, "%s must be a direction such as {1, 0, 0}, not {%g, %g, %g}", name,
                     axis->x, axis->y, axis->z);
  *axis = brio_vec3_unit(*axis, (brio_vec3){1, 0, 0});
  return true;
}

/* Three rows, the link's origin minus the target; the Jacobian is that of the point. */
int brio_term_position(const brio_evaluation *at, int link, brio_vec3 target, double *r, double *jacobian) {
  brio_vec3 p = at->state->links[link].p;
  r[0] = p.x - target.x, r[1] = p.y - target.y, r[2] = p.z - target.z;
  if (jacobian) brio_state_point_jacobian(at->state, link, p, jacobian);
  return 3;
}

/* The factor of [e]^2 is evaluated by its series where a is small. */
void brio_term_turn_slope(brio_vec3 e, double m[9]) {
  double a2 = brio_vec3_dot(e, e), a = sqrt(a2);
  double k = a > 1e-4 ? 1 / a2 - cos(a / 2) / (2 * a * sin(a / 2)) : 1.0 / 12 + a2 / 720;
  double square[9] = {e.x * e.x - a2, e.x * e.y,      e.x * e.z, e.x * e.y,     e.y * e.y - a2,
                      e.y * e.z,      e.x * e.z,      e.y * e.z, e.z * e.z - a2};
  double cross[9] = {0, -e.z, e.y, e.z, 0, -e.x, -e.y, e.x, 0};
  for (int i = 0; i < 9; i++) m[i] = (i % 4 == 0) - 0.5 * cross[i] + k * square[i];
}

/* Six: three for the residual, three that hold the angular velocity while it is computed. */
int brio_term_rotation_rows(const void *self, const brio_robot *robot) {
  (void)self, (void)robot;
  return 6;
}

/* Rows 0 to 2 of the Jacobian become Jl(e)^-1 times rows 3 to 5. */
int brio_term_turn(brio_quat error, int nv, double *r, double *jacobian) {
  brio_vec3 e = brio_quat_log(brio_quat_unit(error));
  r[0] = e.x, r[1] = e.y, r[2] = e.z;
  if (!jacobian) return 3;
  double m[9];
  const double *angular = jacobian + 3 * nv;
  brio_term_turn_slope(e, m);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < nv; j++)
      jacobian[i * nv + j] =
          m[3 * i] * angular[j] + m[3 * i + 1] * angular[nv + j] + m[3 * i + 2] * angular[2 * nv + j];
  return 3;
}

int brio_term_rotation(const brio_evaluation *at, int link, brio_quat target, double *r, double *jacobian) {
  const brio_transform *pose = &at->state->links[link];
  brio_quat q = brio_quat_from_matrix(pose->r);
  if (jacobian) brio_state_jacobian(at->state, link, pose->p, jacobian);
  return brio_term_turn(brio_quat_mul(q, brio_quat_conj(target)), at->robot->nv, r, jacobian);
}

/* A direction is the difference of two points of the link,
** so its slope is the difference of theirs. */
void brio_term_add_direction_row(const brio_evaluation *at, int link, brio_vec3 a, brio_vec3 along,
                                 double *row) {
  brio_vec3 p = at->state->links[link].p;
  brio_state_add_point_row(at->state, link, brio_vec3_add(p, a), along, 1, row);
  brio_state_add_point_row(at->state, link, p, along, -1, row);
}

void brio_term_slope_of_steps(const brio_evaluation *at, double *row) {
  double m[9], w[3] = {row[3], row[4], row[5]};
  bool turns = w[0] != 0 || w[1] != 0 || w[2] != 0;
  if (turns) brio_term_turn_slope((brio_vec3){at->step[3], at->step[4], at->step[5]}, m);
  for (int k = 0; turns && k < 3; k++) row[3 + k] = w[0] * m[k] + w[1] * m[3 + k] + w[2] * m[6 + k];
  for (int i = 0; i < at->robot->nv; i++) row[i] *= at->step_slope[i];
}

/* direction . w is the slope of  v . u  with u fixed to the link, across the direction and of length 1, and
** v = direction x u: (w x u) . v = w . (u x v) = w . direction. */
void brio_term_add_turn_row(const brio_evaluation *at, int link, brio_vec3 direction, double scale,
                            double *row) {
  static const brio_vec3 axes[2] = {{1, 0, 0}, {0, 1, 0}};
  bool along_x = fabs(direction.x) > 0.7 * brio_vec3_norm(direction);
  brio_vec3 u = brio_vec3_unit(brio_vec3_cross(direction, axes[along_x]), axes[0]);
  brio_term_add_direction_row(at, link, u, brio_vec3_scale(scale, brio_vec3_cross(direction, u)), row);
}

/* r = g (a - d); its derivatives follow from g and from the bend of g. */
brio_term_aim brio_term_aim_at(brio_vec3 a, brio_vec3 d) {
  static const brio_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  brio_vec3 chord = brio_vec3_sub(a, d);
  double half = 0.5 * brio_vec3_norm(chord), t = 2 * atan2(half, 0.5 * brio_vec3_norm(brio_vec3_add(a, d)));
  /* g by its series where t is small. */
  double g = half > 1e-4 ? t / (2 * half) : 1 + t * t / 24;
  /* dg = bend d(cos t):  dg/dt = (2 - t cot(t/2)) / (4 sin(t/2)), and d(cos t) = -sin t dt. */
  double sine = sin(t), bend = -1.0 / 12;
  if (t > 1e-2) bend = sine > 1e-9 ? -(2 - t / tan(t / 2)) / (4 * half * sine) : 0;
  brio_term_aim aim;
  const double *c = &chord.x;
  for (int i = 0; i < 3; i++) {
    aim.r[i] = g * c[i];
    aim.of_a[i] = brio_vec3_add_scaled(brio_vec3_scale(g, axes[i]), c[i] * bend, d);
    aim.of_d[i] = brio_vec3_add_scaled(brio_vec3_scale(-g, axes[i]), c[i] * bend, a);
  }
  return aim;
}

/* The slope of a distance is along the line between both points; where they coincide, any direction
** serves. */
int brio_term_distance(const brio_evaluation *at, int link1, int link2, double target, double *r,
                       double *jacobian) {
  brio_vec3 p1 = at->state->links[link1].p, p2 = at->state->links[link2].p, apart = brio_vec3_sub(p1, p2);
  double distance = brio_vec3_norm(apart);
  r[0] = distance - target;
  if (!jacobian) return 1;
  brio_vec3 along = distance > 1e-12 ? brio_vec3_scale(1 / distance, apart) : (brio_vec3){1, 0, 0};
  brio_state_add_point_row(at->state, link1, p1, along, 1, jacobian);
  brio_state_add_point_row(at->state, link2, p2, along, -1, jacobian);
  return 1;
}

/* The normal leads from a to b: moving b along it, or a against it, increases the distance. Two
** links share the joints that carry both, which cancel out. */
void brio_term_add_gap_row(const brio_evaluation *at, const brio_proximity_pair *pair, double scale,
                           double *row) {
  const brio_distance *near = &pair->near;
  int link_a = at->bodies[pair->body_a].frame, link_b = at->bodies[pair->body_b].frame;
  if (link_a >= 0 && link_b >= 0) {
    brio_state_add_gap_row(at->state, link_a, near->point_a, link_b, near->point_b, near->normal, scale, row);
    return;
  }
  if (link_b >= 0) brio_state_add_point_row(at->state, link_b, near->point_b, near->normal, scale, row);
  if (link_a >= 0) brio_state_add_point_row(at->state, link_a, near->point_a, near->normal, -scale, row);
}

/* A variable is its own coordinate: one entry of 1. */
int brio_term_value(const brio_evaluation *at, int variable, double target, double *r, double *jacobian) {
  r[0] = at->q[BRIO_BASE_NQ + variable] - target;
  if (jacobian) jacobian[BRIO_BASE_NV + variable] = 1;
  return 1;
}
