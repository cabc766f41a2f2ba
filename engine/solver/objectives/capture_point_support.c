/* The robot's capture point inside the area that carries it: the point of the ground where it would have to
** stand to come to rest, as an inverted pendulum of constant height,
**   xi = c + c' / omega,   omega = sqrt(g / h)
** with c the center of mass after the coming step, c' its velocity and h its height above the ground.  While
** it is inside, the robot can stop without a step. Each edge of the hull has a row
**   max(0, margin - s),  m
** with s how far inside of the edge xi is.  Below a height of 5 cm the pendulum is taken as that long.
** Source: Pratt, Carff, Drakunov, Goswami, "Capture point: a step toward humanoid push recovery", 2006. */
#include <string.h>

#include "math/scalar.h"
#include "solver/terms/dynamics.h"
#include "solver/terms/support.h"

static const double MIN_HEIGHT = 0.05; /* m */

typedef struct capture_point_support {
  brio_term_dynamics base;
  double margin; /* m */
  double time;   /* s: 1 / omega */
  brio_support support;
} capture_point_support;

/* A workspace of the robot's dynamics. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)seed;
  return brio_term_dynamics_start(self, robot, err);
}

/* The hull, the momentum where the robot is, and the pendulum's time, once a solve. */
static void update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  capture_point_support *term = self;
  brio_support_update(&term->support, goal);
  brio_term_momentum_update(&term->base, last);
  double h = brio_max(MIN_HEIGHT, term->base.momentum.com.z - term->support.height);
  term->time = sqrt(h / -term->base.dynamics.gravity.z);
}

/* The point is linear in the step: m c moves by the rows of the momentum matrix. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const capture_point_support *term = self;
  const brio_term_dynamics *base = &term->base;
  (void)goal;
  int nv = at->robot->nv;
  double scale = (1 + term->time / at->dt) / base->momentum.mass;
  const double p[3] = {base->momentum.com.x + scale * brio_term_momentum_of(base, 0, at->step),
                       base->momentum.com.y + scale * brio_term_momentum_of(base, 1, at->step), 1};
  double *slopes = jacobian ? jacobian + BRIO_SUPPORT_EDGES * nv : NULL;
  for (int i = 0; slopes && i < 2; i++) brio_term_momentum_row(base, at, i, scale, slopes + i * nv);
  if (slopes) memset(slopes + 2 * nv, 0, (size_t)nv * sizeof *slopes);
  return brio_support_residual(&term->support, term->margin, NULL, p, slopes, nv, r, jacobian);
}

static const brio_param params[] = {{.name = "margin",
                                     .unit = "m",
                                     .doc = "Minimum distance from the edge of the area.",
                                     .offset = offsetof(capture_point_support, margin),
                                     .fallback = 0.02,
                                     .lower = 0,
                                     .upper = 10},
                                    {0}};

const brio_objective_kind brio_objective_capture_point_support = {
    .name = "capture_point_support",
    .doc =
        "Keeps the capture point inside the hull of points on the ground, by a margin, so that the robot is "
        "never faster than it can stop without a step.",
    .example = "{margin = 0.03}",
    .category = "force",
    .params = params,
    .goal = &brio_goal_points,
    .size = sizeof(capture_point_support),
    .loss = &brio_loss_wall,
    .lively = &brio_loss_wall,
    .bind = bind,
    .accept = brio_support_accept,
    .rows = brio_support_rows,
    .update = update,
    .residual = residual,
    .end = brio_term_dynamics_end,
};
