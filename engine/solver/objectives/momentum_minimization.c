/* Little momentum of the robot as a whole: an arm that swings is balanced by the other, or swings slowly.
** Rows of the coming step, scaled as those of smoothness are, so that costs do not depend on the length of a
** tick (terms/smoothness.c):
**   sqrt(linear / (400 dt)) A_lin step / m,   sqrt(angular / (400 dt)) A_ang step / (m lever),  m
** with A the centroidal momentum matrix where the robot is: the way of the center of mass, and the turn of
** the robot about it as the way of a mass at `lever`.  Source of the matrix: Orin, Goswami, Lee, "Centroidal
** dynamics of a humanoid robot", 2013. */
#include "solver/terms/dynamics.h"

typedef struct momentum_minimization {
  brio_term_dynamics base;
  double linear, angular; /* shares of the cost */
  double lever;           /* m */
} momentum_minimization;

/* A workspace of the robot's dynamics. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  const momentum_minimization *term = self;
  (void)seed;
  if (!(term->linear + term->angular > 0))
    return brio_fail(err, BRIO_MISUSE, "one of linear and angular must be above 0");
  return brio_term_dynamics_start(self, robot, err);
}

/* The matrix where the robot is, once a solve. */
static void update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  (void)goal;
  brio_term_momentum_update(self, last);
}

/* Three rows for each kind of momentum. */
static int rows(const void *self, const brio_robot *robot) {
  (void)self, (void)robot;
  return 6;
}

/* Rows of a share of 0 are left out. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const momentum_minimization *term = self;
  (void)goal;
  int nv = at->robot->nv, count = 0;
  double scale = brio_term_smoothness_scale(at) / term->base.momentum.mass;
  for (int i = 0; i < 6; i++) {
    double own = scale * (i < 3 ? sqrt(term->linear) : sqrt(term->angular) / term->lever);
    if (own == 0) continue;
    r[count] = own * brio_term_momentum_of(&term->base, i, at->step);
    if (jacobian) brio_term_momentum_row(&term->base, at, i, own, jacobian + count * nv);
    count++;
  }
  return count;
}

static const brio_param params[] = {{.name = "linear",
                                     .unit = "1",
                                     .doc = "Share of the linear momentum.",
                                     .offset = offsetof(momentum_minimization, linear),
                                     .fallback = 0,
                                     .lower = 0,
                                     .upper = 1},
                                    {.name = "angular",
                                     .unit = "1",
                                     .doc = "Share of the angular momentum about the center of mass.",
                                     .offset = offsetof(momentum_minimization, angular),
                                     .fallback = 1,
                                     .lower = 0,
                                     .upper = 1},
                                    {.name = "lever",
                                     .unit = "m",
                                     .doc = "Distance from the center of mass at which the robot's mass, "
                                            "turning, counts as much as moving.",
                                     .offset = offsetof(momentum_minimization, lever),
                                     .fallback = 0.3,
                                     .lower = 0.01,
                                     .upper = 100},
                                    {0}};

const brio_objective_kind brio_objective_momentum_minimization = {
    .name = "momentum_minimization",
    .doc = "Keeps the momentum of the whole robot about its center of mass small, and with `linear` that of "
           "its center of mass.",
    .example = "{linear = 0.5}",
    .category = "force",
    .params = params,
    .size = sizeof(momentum_minimization),
    .loss = &brio_loss_wall,
    .lively = &brio_loss_wall,
    .bind = bind,
    .rows = rows,
    .update = update,
    .residual = residual,
    .end = brio_term_dynamics_end,
};
