/* The robot's center of mass above the area that carries it: the convex hull of points on the ground, less
** a margin. Each edge of the hull has a row
**   max(0, margin - s),  m
** with s how far inside of the edge the center of mass stands, seen from above; so where the margin is more
** than the area has room for, it stands as far from all edges as it can (terms/support.c). */
#include <string.h>

#include "solver/terms/support.h"

typedef struct center_of_mass_support {
  double margin; /* m */
  brio_support support;
} center_of_mass_support;

/* Without masses there is no center of mass. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)self, (void)seed;
  return brio_term_must_weigh(robot, err);
}

/* The hull is found once a solve. */
static void update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  (void)last;
  brio_support_update(&((center_of_mass_support *)self)->support, goal);
}

/* The Jacobian of the center of mass is computed once, in the rows behind those of the edges. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  (void)goal;
  const center_of_mass_support *term = self;
  int nv = at->robot->nv;
  double *slopes = jacobian ? jacobian + BRIO_SUPPORT_EDGES * nv : NULL;
  if (slopes) {
    brio_state_com_jacobian(at->state, slopes);
    /* Its height does not matter: the third number of the point is 1. */
    memset(slopes + 2 * nv, 0, (size_t)nv * sizeof *slopes);
  }
  const double p[3] = {at->state->com.x, at->state->com.y, 1};
  return brio_support_residual(&term->support, term->margin, NULL, p, slopes, nv, r, jacobian);
}

static const brio_param params[] = {{.name = "margin",
                                     .unit = "m",
                                     .doc = "Minimum distance from the edge of the area.",
                                     .offset = offsetof(center_of_mass_support, margin),
                                     .fallback = 0.02,
                                     .lower = 0,
                                     .upper = 10},
                                    {0}};

const brio_objective_kind brio_objective_center_of_mass_support = {
    .name = "center_of_mass_support",
    .doc = "Keeps the center of mass above the hull of points on the ground, by a margin inside it.",
    .example = "{margin = 0.03}",
    .category = "force",
    .params = params,
    .goal = &brio_goal_points,
    .size = sizeof(center_of_mass_support),
    .needs = BRIO_NEEDS_COM,
    .loss = &brio_loss_wall,
    .lively = &brio_loss_wall,
    .bind = bind,
    .accept = brio_support_accept,
    .rows = brio_support_rows,
    .update = update,
    .residual = residual,
};
