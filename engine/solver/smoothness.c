/* Smoothness of joints: the residuals of the velocity, acceleration and jerk terms.
**
** In Lively's form the rows are, at the tick's own step, (q - q1) / (30 dt), the second
** and the third difference.  Minimized one step ahead against a goal of weight 1, they are
** the filters 1 + w s^n with n = 1, 2, 3: the second rings without damping and the third grows
** without limit as soon as its weight is worth more than one tick.  Ours are
**   row = (step - foreseen) sqrt(1 / (30 dt)),  step = q - q1,
**   foreseen:  velocity 0,  acceleration dt v / 2,  jerk dt v / 2 + dt^2 a / 4
** with v and a the past rates per second, so that ticks of different lengths mix: a motion under
** way may go on, but fades.  Whatever the weights, the response to a jump of the goal then
** overshoots by less than 9 % (acceleration 6 %, jerk 8 %), and a goal that moves steadily is
** followed late by  ratio / 30 s  (velocity) or half that (acceleration, jerk), ratio being
** the term's weight over the goal's, at any tick rate.  At 30 Hz the scale is 1 and the velocity
** row is Lively's.  The step is the coming one, not the way to where the robot would rest. */
#include "solver/term.h"

static const double carried[4][2] = {{0, 0}, {0, 0}, {0.5, 0}, {0.5, 0.25}}; /* by order: of v, of a */

/* The past rates of the variable at `i` of q, per second. */
static void past_rates(const brio_evaluation *at, int i, double *v, double *a) {
  double older = (at->past[1][i] - at->past[2][i]) / at->past_dt[1];
  *v = (at->past[0][i] - at->past[1][i]) / at->past_dt[0];
  *a = (*v - older) / at->past_dt[0];
}

/* What Lively takes off the step before it is judged: differences of past steps. */
static double lively_foreseen(const brio_evaluation *at, int i, int order) {
  double step1 = at->past[0][i] - at->past[1][i], step2 = at->past[1][i] - at->past[2][i];
  return order == 1 ? 0 : order == 2 ? step1 : 2 * step1 - step2;
}

int brio_term_smoothness(const brio_evaluation *at, int order, double *r, double *jacobian) {
  int n = at->robot->nvariable, nv = at->robot->nv;
  double scale = sqrt(1 / (30 * at->dt));
  if (at->lively) scale = order == 1 ? 1 / (30 * at->dt) : 1;
  for (int k = 0; k < n; k++) {
    int i = BRIO_BASE_NQ + k;
    double v, a;
    past_rates(at, i, &v, &a);
    double foreseen = at->lively ? lively_foreseen(at, i, order)
                                 : at->dt * (carried[order][0] * v + carried[order][1] * at->dt * a);
    r[k] = scale * (at->step[BRIO_BASE_NV + k] - foreseen);
    if (jacobian) jacobian[k * nv + BRIO_BASE_NV + k] = scale * at->step_slope[BRIO_BASE_NV + k];
  }
  return n;
}
