/* A link at a pose, as nearly as is asked: rows in the axes of the goal, each less its tolerance,
**   dead(y_i, position_tolerance_i), m,   and   lever dead(e_i, rotation_tolerance_i)
** with y the origin and e the rotation vector (rad) as the goal sees them, and dead(x, t) what |x| exceeds t
** by.  A tolerance of pi about an axis leaves the turn about it free, a great one along an axis the place
** along it. */
#include "solver/terms/term.h"

typedef struct pose_match {
  int link;
  brio_vec3 position_tolerance, rotation_tolerance;
  double lever; /* m a rad */
} pose_match;

enum { ROWS = 9 }; /* three are scratch */

/* Six rows, and three behind them for the angular velocity. */
static int rows(const void *self, const brio_robot *robot) {
  (void)self, (void)robot;
  return ROWS;
}

/* By how much an error exceeds its tolerance, with the error's sign. */
static double beyond_of(double error, double tolerance) {
  return copysign(fmax(0, fabs(error) - tolerance), error);
}

/* Turn three rows into the axes of `pose`, take the tolerances off, and scale. */
static void into_axes(const brio_transform *pose, brio_vec3 tolerance, double scale, int nv, double *r,
                      double *jacobian) {
  brio_vec3 y = brio_transform_undirection(pose, (brio_vec3){r[0], r[1], r[2]});
  const double *error = &y.x, *least = &tolerance.x;
  double share[3];
  /* A tolerance takes its length off each axis; within it the row and its slope are 0. */
  for (int i = 0; i < 3; i++) {
    double beyond = beyond_of(error[i], least[i]);
    r[i] = scale * beyond;
    share[i] = beyond != 0 || least[i] == 0 ? scale : 0;
  }
  for (int j = 0; jacobian && j < nv; j++) {
    double *x = jacobian + j;
    brio_vec3 turned = brio_transform_undirection(pose, (brio_vec3){x[0], x[nv], x[2 * nv]});
    x[0] = share[0] * turned.x, x[nv] = share[1] * turned.y, x[2 * nv] = share[2] * turned.z;
  }
}

/* Six rows: position, m, then rotation times the lever, m. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const pose_match *term = self;
  const double *v = goal->v;
  int nv = at->robot->nv;
  brio_pose asked = {{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}};
  brio_transform axes = brio_transform_of(asked);
  /* Rotation first, as its Jacobian needs three rows of scratch behind its own. */
  double *turns = jacobian ? jacobian + 3 * nv : NULL;
  brio_term_rotation(at, term->link, asked.q, r + 3, turns);
  into_axes(&axes, term->rotation_tolerance, term->lever, nv, r + 3, turns);
  brio_term_position(at, term->link, asked.p, r, jacobian);
  into_axes(&axes, term->position_tolerance, 1, nv, r, jacobian);
  return 6;
}

/* The rows of the position, in the axes of the world. */
static int forces(const void *self, const brio_goal *goal, const brio_evaluation *at, brio_point_force *out) {
  const pose_match *term = self;
  const double *v = goal->v;
  brio_transform axes = brio_transform_of((brio_pose){{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}});
  brio_vec3 p = at->state->links[term->link].p, t = term->position_tolerance;
  brio_vec3 y = brio_transform_undirection(&axes, brio_vec3_sub(p, axes.p));
  brio_vec3 beyond = {beyond_of(y.x, t.x), beyond_of(y.y, t.y), beyond_of(y.z, t.z)};
  out[0] = (brio_point_force){term->link, p, brio_transform_direction(&axes, beyond)};
  return 1;
}

static const brio_param params[] = {BRIO_PARAM_OF_LINK(pose_match),
                                    {.name = "position_tolerance",
                                     .unit = "m",
                                     .doc = "Permitted error along each axis of the goal.",
                                     .type = BRIO_PARAM_VECTOR,
                                     .offset = offsetof(pose_match, position_tolerance),
                                     .lower = 0,
                                     .upper = 1e3},
                                    {.name = "rotation_tolerance",
                                     .unit = "rad",
                                     .doc = "Permitted rotation about each axis of the goal.",
                                     .type = BRIO_PARAM_VECTOR,
                                     .offset = offsetof(pose_match, rotation_tolerance),
                                     .lower = 0,
                                     .upper = 3.15},
                                    {.name = "lever",
                                     .unit = "m/rad",
                                     .doc = "Meters of error that cost as much as one radian of error.",
                                     .offset = offsetof(pose_match, lever),
                                     .fallback = 0.5,
                                     .lower = 0.01,
                                     .upper = 10},
                                    {0}};

const brio_objective_kind brio_objective_pose_match = {
  .name = "pose_match",
  .doc = "Brings a link to a pose, with a tolerance along and about each axis of the goal.",
  .example = "{link = \"panda_hand\", rotation_tolerance = {0, 0, 3.15}}",
  .category = "matching",
  .params = params,
  .goal = &brio_goal_pose,
  .size = sizeof(pose_match),
  .kinks = BRIO_KINKS_OF_TURNS,
  .loss = &brio_loss_cartesian,
  .lively = &brio_loss_groove_cartesian,
  .rows = rows,
  .residual = residual,
  .forces = forces,
};
