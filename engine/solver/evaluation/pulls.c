/* Why a joint moves: how hard each objective pulls at it.
**
** With g_k the gradient of objective k's weighted cost at the pose before the step, under this tick's goals
** and weights, objective k pulls joint i by -g_k[i]. Its share is that over the sum of |g_k[i]| of all
** objectives, with the sign of the motion: at 1 it alone pulls, in the direction of motion; below 0 it
** pulls against it. Limits, braking and the guard shorten a step, but do not pull. Near pairs (clearance.c)
** count as one more objective. Pulls are computed before the step, since at the solution they cancel out.
**
** No solve depends on it, so it can be requested in any tick. */
#include "solver/solver_internal.h"

#include <assert.h>
#include <string.h>

/* All arrays are of nv coordinates, so that followers have their places, too. */
bool brio_pulls_start(brio_solver *solver) {
  brio_pulls *pulls = &solver->pulls;
  int nv = solver->robot->nv;
  pulls->gradient = BRIO_TAKE(&solver->arena, double, nv);
  pulls->before = BRIO_TAKE(&solver->arena, double, nv);
  pulls->sum = BRIO_TAKE(&solver->arena, double, nv);
  pulls->count = BRIO_TAKE(&solver->arena, int, nv);
  pulls->top = BRIO_TAKE(&solver->arena, brio_pull, nv * BRIO_PULLS);
  return pulls->gradient && pulls->before && pulls->sum && pulls->count && pulls->top;
}

/* Insert a pull into the list of the hardest of a coordinate, hardest first; the weakest drops out. */
static void rank(brio_pulls *pulls, int coordinate, brio_pull pull) {
  assert(pulls->count[coordinate] >= 0 && pulls->count[coordinate] <= BRIO_PULLS);
  brio_pull *top = pulls->top + (size_t)coordinate * BRIO_PULLS;
  int *count = &pulls->count[coordinate], at = *count;
  if (at == BRIO_PULLS && fabs(pull.share) <= fabs(top[at - 1].share)) return;
  if (at == BRIO_PULLS) at--;
  else ++*count;
  for (; at > 0 && fabs(top[at - 1].share) < fabs(pull.share); at--) top[at] = top[at - 1];
  top[at] = pull;
}

/* Count what the gradient gained since `before` as the pull of a slot. The pull is the negative
** gradient. */
static void count_gain(brio_solver *solver, int slot) {
  brio_pulls *pulls = &solver->pulls;
  for (int i = 0; i < solver->nfree; i++) {
    double gain = pulls->before[i] - pulls->gradient[i];
    if (gain == 0 || !isfinite(gain)) continue;
    pulls->sum[solver->free[i]] += fabs(gain);
    rank(pulls, solver->free[i], (brio_pull){slot, gain});
  }
  memcpy(pulls->before, pulls->gradient, (size_t)solver->nfree * sizeof *pulls->before);
}

/* Evaluate the pose that was accepted last, with no step taken from it. */
static void stand(brio_solver *solver) {
  size_t bytes = (size_t)solver->robot->nv * sizeof(double);
  memcpy(solver->trial, solver->coordinates, bytes);
  memset(solver->step, 0, bytes);
  /* At rest nothing shortens a step: its slope by the place of rest is 1. */
  for (int i = 0; i < solver->nfree; i++) solver->step_slope[solver->free[i]] = 1;
  if (solver->ncoupling > 0) brio_couplings_follow_step(solver);
  brio_solver_configuration(solver, solver->trial, solver->q);
  if (solver->needs & BRIO_NEEDS_NEXT && solver->lively) brio_solver_look_ahead(solver);
}

void brio_pulls_take(brio_solver *solver) {
  brio_pulls *pulls = &solver->pulls;
  size_t nv = (size_t)solver->robot->nv;
  if (!pulls->asked) return;
  pulls->asked = false;
  /* Start from nothing: what was explained before is no longer valid. */
  memset(pulls->sum, 0, nv * sizeof *pulls->sum);
  memset(pulls->count, 0, nv * sizeof *pulls->count);
  memset(pulls->gradient, 0, nv * sizeof *pulls->gradient);
  memset(pulls->before, 0, nv * sizeof *pulls->before);
  if (solver->nactive == 0) return;
  stand(solver);
  /* Gradients are summed up; each objective's own is the difference. */
  for (int k = 0; k < solver->nactive; k++) {
    brio_solver_add_slopes(solver, &solver->slots[solver->active[k]], pulls->gradient, NULL);
    count_gain(solver, solver->active[k]);
  }
  /* The guard keeps a stiffness from gradient to gradient, which this one must not change. */
  double needed = solver->guard.needed;
  brio_clearance_slopes(solver, pulls->gradient, NULL);
  solver->guard.needed = needed;
  count_gain(solver, BRIO_PULL_CLEARANCE);
  /* A failure here is no failure of the solve to come. */
  brio_slots_try_failed(solver);
}

void brio_solver_explain(brio_solver *solver) { solver->pulls.asked = true; }

/* The coordinate whose pulls count for a variable: for a follower, that of its strongest source,
** with the sign in which it follows. */
static int pulled_at(const brio_solver *solver, int coordinate, double *sign) {
  for (int k = 0; k < solver->ncoupling; k++) {
    const brio_joint_coupling *coupling = &solver->couplings[k];
    if (coupling->follower != coordinate) continue;
    int most = 0;
    for (int i = 1; i < coupling->count; i++)
      if (fabs(coupling->factors[i]) > fabs(coupling->factors[most])) most = i;
    *sign = copysign(1, coupling->factors[most]);
    return coupling->sources[most];
  }
  return coordinate;
}

int brio_solver_pulls(const brio_solver *solver, int variable, brio_pull out[BRIO_PULLS]) {
  if (variable < 0 || variable >= solver->robot->nvariable) return 0;
  double sign = 1;
  int at = pulled_at(solver, BRIO_BASE_NV + variable, &sign), count = solver->pulls.count[at];
  double sum = solver->pulls.sum[at];
  if (!(sum > 0)) return 0;
  /* Shares are positive in the direction in which the variable moves. */
  if (solver->speed[BRIO_BASE_NV + variable] < 0) sign = -sign;
  for (int i = 0; i < count; i++) {
    out[i] = solver->pulls.top[(size_t)at * BRIO_PULLS + (size_t)i];
    out[i].share *= sign / sum;
  }
  return count;
}
