/* A joint within a range about a value: row max(0, |q - value| - delta), rad or m; a clean wall, flat
** within and a parabola beyond it.
**
** With `lively_losses` the row of Lively's joint limits over the range  value +- delta:
**   a |(q - value) / delta|^50,  a = 0.05 / 0.9^50
** Lively 1.1 itself raises to the 50th power twice, which is 0 and then without bound within a thousandth of
** the range: that is not kept.  Beyond 1.5 delta ours goes on straight, for the power would overflow.  With
** delta 0 the row is q - value in both. */
#include "solver/terms/term.h"

/* The exponent of Lively's wall. */
enum { POWER = 50 };

static const double cutoff = 0.9, at_cutoff = 0.05, straight = 1.5; /* in units of delta */

/* Lively's row at `side` = (q - value) / delta, and its slope. */
static double lively_row(double side, double *slope) {
  double n = fmin(fabs(side), straight), wall = at_cutoff * pow(n / cutoff, POWER);
  double steep = n > 0 ? POWER * wall / n : 0;
  *slope = copysign(steep, side);
  return wall + steep * (fabs(side) - n);
}

/* Ours: a row that is 0 within the range and grows evenly beyond it. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  const brio_term_joint *term = self;
  double away = at->q[BRIO_BASE_NQ + term->joint] - goal->v[0], delta = goal->v[1], slope;
  /* Lively's wall, our wall, or a match where the range has no width. */
  if (at->lively && delta > 0) {
    r[0] = lively_row(away / delta, &slope);
    slope /= delta;
  } else if (delta > 0) {
    r[0] = fmax(0, fabs(away) - delta);
    slope = r[0] > 0 ? copysign(1, away) : 0;
  } else {
    r[0] = away;
    slope = 1;
  }
  if (jacobian) jacobian[BRIO_BASE_NV + term->joint] = slope;
  return 1;
}

const brio_objective_kind brio_objective_joint_bounding = {
    .name = "joint_bounding",
    .doc = "Keeps a joint within a range about a value.",
    .example = "{joint = \"panda_joint4\"}",
    .category = "bounding",
    .params = brio_term_joint_params,
    .goal = &brio_goal_scalar_range,
    .differs = "Lively raises to its 50th power twice, which is nothing and then without bound within a "
               "thousandth of the "
               "range; with `lively_losses` it is taken once, as in joint_limits. Ours is a parabola beyond "
               "the range.",
    .size = sizeof(brio_term_joint),
    .loss = &brio_loss_wall,
    .lively = &brio_loss_groove_joint,
    .rows = brio_term_one_row,
    .residual = residual,
};
