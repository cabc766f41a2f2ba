/* Torques that the motors can give: a row for every variable whose torque in the coming step is above its
** share of the effort (N m; a slide: N),
**   max(0, |tau| - max(share effort, |g|)) / effort,   tau = M du + h(q, u)
** by inverse dynamics of the pose where the robot is: against gravity, for the acceleration of the step, and
** for what velocities pull; linear in the step.  A joint that needs more than its share to be held up (g)
** may have that, or it would have to fall.  Where the model gives no effort there is no limit. Rotors of the
** robot's file count; springs, dampers, friction and contacts do not.  O(joints x depth) once a solve, and
** O(joints^2) an evaluation.
**
** It limits how hard the robot accelerates.  How light a pose is to hold, gravity_effort judges. */
#include "math/scalar.h"
#include "solver/terms/dynamics.h"

typedef struct torque_limits {
  brio_term_dynamics base;
  double share;       /* of the effort */
  const double *mass; /* nv x nv: M, in the workspace */
  double *bias;       /* nv: h */
  double *hold;       /* nv: g */
} torque_limits;

/* A workspace of the robot's dynamics. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  torque_limits *term = self;
  (void)seed;
  if (!brio_term_dynamics_start(&term->base, robot, err)) return false;
  term->bias = BRIO_TAKE(&term->base.dynamics.arena, double, robot->nv);
  term->hold = BRIO_TAKE(&term->base.dynamics.arena, double, robot->nv);
  if (term->bias && term->hold) return true;
  return brio_fail(err, BRIO_NO_MEMORY, "no memory for the torques of robot '%.80s'", robot->name);
}

/* M, h and g where the robot is, once a solve. */
static void update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  torque_limits *term = self;
  brio_dynamics *dynamics = &term->base.dynamics;
  (void)goal;
  brio_term_dynamics_update(&term->base, last);
  brio_dynamics_inverse(dynamics, last->past[0], term->base.velocity, NULL, term->bias);
  brio_dynamics_inverse(dynamics, last->past[0], NULL, NULL, term->hold);
  term->mass = brio_dynamics_mass(dynamics, last->past[0]);
}

/* Return the torque of variable k, N m, for the acceleration of the step. */
static double torque_of(const torque_limits *term, int k, int nv) {
  const double *mass = term->mass + (BRIO_BASE_NV + k) * nv;
  double sum = term->bias[BRIO_BASE_NV + k];
  for (int j = 0; j < nv; j++) sum += mass[j] * term->base.acceleration[j];
  return sum;
}

/* Only variables above their limit have a row. O(nvariable * nv). */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const torque_limits *term = self;
  (void)goal;
  int nv = at->robot->nv, count = 0;
  double slope = brio_term_acceleration(&term->base, at);
  for (int k = 0; k < at->robot->nvariable; k++) {
    double effort = brio_term_effort(&at->robot->variables[k], HUGE_VAL);
    double tau = torque_of(term, k, nv);
    double excess = fabs(tau) - brio_max(term->share * effort, fabs(term->hold[BRIO_BASE_NV + k]));
    if (!(excess > 0)) continue;
    r[count] = excess / effort;
    /* The row of the mass matrix, with the sign of the torque. */
    double *row = jacobian ? jacobian + count * nv : NULL, scale = copysign(slope, tau) / effort;
    for (int j = 0; row && j < nv; j++) row[j] = scale * term->mass[(BRIO_BASE_NV + k) * nv + j];
    if (row) brio_term_slope_of_steps(at, row);
    count++;
  }
  return count;
}

static const brio_param params[] = {{.name = "share",
                                     .unit = "1",
                                     .doc = "Share of each joint's effort that may be used.",
                                     .offset = offsetof(torque_limits, share),
                                     .fallback = 0.9,
                                     .lower = 0.01,
                                     .upper = 10},
                                    {0}};

const brio_objective_kind brio_objective_torque_limits = {
    .name = "torque_limits",
    .doc = "Keeps the torque of every joint, against gravity and for accelerations, within a share of what "
           "the joint can give.",
    .example = "{share = 0.8}",
    .category = "force",
    .params = params,
    .size = sizeof(torque_limits),
    .loss = &brio_loss_wall,
    .lively = &brio_loss_wall,
    .bind = bind,
    .rows = brio_term_variable_rows,
    .update = update,
    .residual = residual,
    .end = brio_term_dynamics_end,
};
