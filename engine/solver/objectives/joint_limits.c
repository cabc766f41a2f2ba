/* Joints away from the ends of their ranges: flat in the middle, steep at the ends.
** One row, the sum over the variables of
**   a |2 (q - lower) / (upper - lower) - 1|^50,  a = 0.05 / 0.9^50
** which is 0.05 each at 90 % of the way to an end and 9.7 at the end; from a tenth beyond it, where a joint
** may be when its range was tightened, a straight line goes on.  The range is the one that holds now.
** Variables without ends, or without a range to choose from, have no part, and neither have grips: a hand
** is open or shut at an end.  Source: Lively 1.1, JointLimits. */
#include "math/scalar.h"
#include "solver/terms/term.h"

enum { POWER = 50 };

static const double cutoff = 0.9, at_cutoff = 0.05, steepest = 1.1;

/* x^48 by squaring. */
static double power_less_two(double x) {
  double x2 = x * x, x4 = x2 * x2, x8 = x4 * x4, x16 = x8 * x8;
  return x16 * x16 * x16;
}

/* Return where variable `k` is in its range: 0 in the middle, -1 and 1 at the ends; `range`: its length;
** NAN: it has no part. */
static double side_of(const brio_evaluation *at, int k, double *range) {
  double lower = at->limits[k].lower;
  *range = at->limits[k].upper - lower;
  if (!(*range > 0 && *range < HUGE_VAL) || at->robot->variables[k].grip) return NAN;
  return 2 * (at->q[BRIO_BASE_NQ + k] - lower) / *range - 1;
}

/* One row for all variables. O(nvariable). */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  (void)self, (void)goal;
  double sum = 0, range;
  for (int k = 0; k < at->robot->nvariable; k++) {
    double side = side_of(at, k, &range), within = brio_min(fabs(side), steepest), x = within / cutoff;
    if (isnan(side)) continue;
    /* Beyond `steepest` the power goes on along its tangent. */
    double slope = at_cutoff / cutoff * (power_less_two(x) * x);
    sum += slope * within + POWER * slope * (fabs(side) - within);
    if (jacobian) jacobian[BRIO_BASE_NV + k] = POWER * slope * copysign(2 / range, side);
  }
  r[0] = sum;
  return 1;
}

/* r d^2 r / d q^2 is nearly as much as (d r / d q)^2, by which alone the solver would step twice as far as it
** should. */
static void bends(const void *self, const brio_evaluation *at, const double *r, double *out) {
  (void)self;
  double range;
  for (int k = 0; k < at->robot->nvariable; k++) {
    double side = fabs(side_of(at, k, &range));
    if (!(side < steepest)) continue;
    double bend = POWER * (POWER - 1) * at_cutoff / (cutoff * cutoff) * power_less_two(side / cutoff);
    out[BRIO_BASE_NV + k] += r[0] * bend * 4 / (range * range);
  }
}

const brio_objective_kind brio_objective_joint_limits = {
  .name = "joint_limits",
  .doc = "Keeps every joint away from the ends of its range, except those that shut a hand.",
  .example = "{}",
  .category = "basic",
  .params = (const brio_param[]){{0}},
  .size = 1,
  .loss = &brio_loss_joint,
  .lively = &brio_loss_groove_joint,
  .rows = brio_term_one_row,
  .residual = residual,
  .bends = bends,
};
