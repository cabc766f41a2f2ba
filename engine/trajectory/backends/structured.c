/* A primal-dual interior-point method that exploits the chain of stages: a Newton step with the Gauss-Newton
** Hessian in O(nodes nz^3) (recursion.c), and a filter line search that accepts a step if it lowers the
** objective or the constraint error.  Source: Waechter, Biegler, "On the implementation of an interior-point
** filter line-search algorithm for large-scale nonlinear programming", 2006.  Instead of its feasibility
** restoration, a rejected step is computed again with more damping, and if that fails, too, with the cost
** scaled down (restore). */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "trajectory/interior/interior.h"

enum { MOST_PAIRS = 200, MOST_HALVINGS = 25 };

/* An entry of the filter: a motion is rejected if both its error and its objective are no less. */
typedef struct pair {
  double error, objective;
} pair;

/* State of a solution. */
typedef struct search {
  brio_interior interior;
  brio_interior_merit merit;       /* of the present motion */
  brio_interior_residual residual; /* of the present motion, at barrier 0 */
  pair filter[MOST_PAIRS];
  int npair;
  double most_error, small_error; /* larger errors are rejected; f-type steps need a smaller one */
  double best_cost, best_violation;
  double last_costs[10];    /* of feasible motions, a ring */
  int nfeasible, iteration; /* feasible motions in a row; iterations */
  double scale;             /* of the objective, outside of restorations */
  int nrestoration;         /* restorations so far */
  double step, relaxation;  /* length of the last step; most length of the next, 1: a full Newton step */
  int64_t start;            /* ns, monotonic */
} search;

/* Clear the filter: with another barrier or scale its objectives are not comparable. */
static void clear(search *s) {
  s->npair = 0;
}

/* Return whether funnel and filter accept a motion.  NaN is rejected. */
static bool passes(const search *s, const brio_interior_merit *m) {
  if (!(m->error <= s->most_error)) return false;
  /* no pair may be better in both */
  for (int i = 0; i < s->npair; i++)
    if (m->error >= s->filter[i].error && m->objective >= s->filter[i].objective) return false;
  return true;
}

/* Add the present motion to the filter, with a small margin; the oldest entry is dropped if it is full. */
static void remember(search *s) {
  if (s->npair == MOST_PAIRS) memmove(s->filter, s->filter + 1, (size_t)(--s->npair) * sizeof *s->filter);
  assert(s->npair < MOST_PAIRS);
  s->filter[s->npair++] = (pair){(1 - 1e-5) * s->merit.error, s->merit.objective - 1e-5 * s->merit.error};
}

/* Narrow the funnel (most_error) to half-way between its width and the error of an accepted motion.  Without
** it a step that overshoots where the cost is flat would be accepted at any error.  Source: Curtis, Gould,
** Robinson, Toint, "An interior-point trust-funnel algorithm for nonlinear optimization", 2017. */
static void narrow(search *s, double error) {
  double least = 0.01 * s->interior.nnode / 10;
  s->most_error = fmax(least, fmin(s->most_error, error + 0.5 * (s->most_error - error)));
}

/* Return whether a trial motion is accepted: for an f-type step (one that mainly lowers the cost: *by_cost)
** by Armijo's condition on the objective, else if it lowers error or objective sufficiently. */
static bool good_enough(search *s, const brio_interior_merit *trial, double step, double slope,
                        bool *by_cost) {
  /* switching condition, near the constraints: step (-slope)^2.3 > error^1.1 */
  *by_cost =
      slope < 0 && step * pow(-slope, 2.3) > pow(s->merit.error, 1.1) && s->merit.error <= s->small_error;
  if (!passes(s, trial)) return false;
  /* allow for rounding of the objective */
  double slack = 1e-13 * (1 + fabs(s->merit.objective));
  if (*by_cost) return trial->objective <= s->merit.objective + 1e-4 * step * slope + slack;
  return trial->error <= (1 - 1e-5) * s->merit.error ||
         trial->objective <= s->merit.objective - 1e-5 * s->merit.error + slack;
}

/* Backtracking line search from the step `reach`: halve it until a motion is accepted, and move there.
** `dual`: step of the duals.  Return false: none is accepted. */
static bool search_line(search *s, double reach, double dual) {
  brio_interior_merit trial;
  double slope = brio_interior_slope(&s->interior);
  bool by_cost;
  s->step = reach;
  for (int i = 0; i < MOST_HALVINGS; i++, s->step /= 2) {
    if (!brio_interior_try(&s->interior, s->step, &trial)) continue;
    if (!good_enough(s, &trial, s->step, slope, &by_cost)) continue;
    /* only steps that are not f-type enter the filter */
    if (!by_cost) remember(s);
    narrow(s, trial.error);
    brio_interior_accept(&s->interior, s->step, dual);
    return true;
  }
  return false;
}

/* Adapt the relaxation.  The Gauss-Newton Hessian lacks the curvature of constraints; where that matters,
** steps are too long by a factor h, and successive ones reverse: s' = (1 - taken h) s.  With the ratio of the
** last two, 1 / h = taken / (1 - ratio) is the part to take; else it grows back to 1. */
static void relax(search *s) {
  brio_interior *interior = &s->interior;
  double dot = 0, square = 0;
  /* ratio = s . s' / s . s: the last step's share in this one */
  for (int k = 0; k < interior->nnode; k++) {
    brio_interior_stage *stage = &interior->stages[k];
    for (int i = 0; i < interior->nz; i++) {
      dot += stage->step[i] * stage->last_step[i];
      square += stage->last_step[i] * stage->last_step[i];
      stage->last_step[i] = stage->step[i];
    }
  }
  double ratio = square > 0 ? dot / square : 0;
  s->relaxation =
      ratio < -0.2 && s->step > 0 ? fmax(0.2, s->step / (1 - ratio)) : fmin(1, 1.3 * s->relaxation);
}

/* Take one step, with damping raised until the blocks are positive definite and a step is accepted.  Return
** false: no step is, with any damping. */
static bool advance(search *s) {
  brio_interior *interior = &s->interior;
  for (int attempt = 0; attempt < 12; attempt++) {
    double primal, dual;
    if (brio_interior_solve(interior)) {
      /* fraction to the boundary: slacks and duals stay above 0 */
      brio_interior_reach(interior, fmax(0.99, 1 - interior->barrier), &primal, &dual);
      if (attempt == 0) relax(s);
      if (search_line(s, fmin(primal, s->relaxation), dual)) {
        interior->damping = attempt == 0 ? interior->damping / 3 : interior->damping;
        if (interior->damping < 1e-9) interior->damping = 1e-9;
        return true;
      }
    }
    interior->damping = fmax(1e-4, 10 * interior->damping);
    /* old entries of the filter may be what rejects all steps */
    if (attempt == 5) clear(s);
  }
  return false;
}

/* Lower the barrier while its problem is solved to 10 mu: mu' = min(0.2 mu, mu^1.5), at least a tenth of the
** tolerances. */
static void lower_barrier(search *s, const brio_trajectory_options *options) {
  brio_interior *interior = &s->interior;
  double least = fmin(options->tolerance, options->optimality) / 10;
  for (;;) {
    brio_interior_residual r = brio_interior_residual_of(interior, interior->barrier);
    double left = fmax(fmax(r.gradient, r.feasibility), r.complementarity);
    /* not solved yet, or mu is small enough */
    if (left > 10 * interior->barrier || interior->barrier <= least) return;
    double keep = interior->barrier;
    interior->barrier = fmax(least, fmin(0.2 * keep, pow(keep, 1.5)));
    clear(s);
    /* the objective contains -mu sum log t: update it to the new mu */
    for (int k = 0; k < interior->nnode; k++)
      for (int i = 0; i < interior->stages[k].nside; i++)
        s->merit.objective += (keep - interior->barrier) * log(interior->stages[k].slack[i]);
  }
}

/* Copy all numbers of a motion. */
static void copy(const brio_trajectory *t, const brio_trajectory_motion *from, brio_trajectory_motion *to) {
  memcpy(to->q, from->q, (size_t)(t->nnode * t->robot->nq) * sizeof *to->q);
  memcpy(to->u, from->u, (size_t)(t->nnode * t->robot->nv) * sizeof *to->u);
  memcpy(to->torque, from->torque, (size_t)(t->nnode * t->nmotor) * sizeof *to->torque);
  memcpy(to->stretch, from->stretch, (size_t)t->nnode * sizeof *to->stretch);
}

/* Keep the present motion if it is the best so far. */
static void keep_best(search *s, double tolerance) {
  double violation = s->residual.violation, cost = s->merit.cost;
  /* among feasible motions the one of least cost, else the one of least violation */
  bool feasible = violation <= tolerance, was = s->best_violation <= tolerance;
  if (feasible && was ? cost >= s->best_cost : violation >= s->best_violation) return;
  s->best_violation = violation, s->best_cost = cost;
  copy(s->interior.trajectory, &s->interior.now, &s->interior.best);
}

/* Return whether the cost of feasible motions has been constant for ten iterations, to 1e-6 of itself. */
static bool settled(search *s, double tolerance) {
  if (s->residual.violation > tolerance) return s->nfeasible = 0, false;
  /* the cost of ten iterations ago */
  double old = s->last_costs[s->nfeasible % 10];
  s->last_costs[s->nfeasible % 10] = s->merit.cost;
  return ++s->nfeasible > 10 && fabs(old - s->merit.cost) <= 1e-6 * (1e-9 + fabs(s->merit.cost));
}

/* Start: scale the objective so that its gradient's greatest entry is at most 100, initialize slacks and
** duals, and evaluate the first motion.  Errors: those of the dynamics. */
static bool begin(search *s, const brio_trajectory_options *options, brio_error *err) {
  brio_interior *interior = &s->interior;
  double steepest = 0;
  if (!brio_interior_linearize(interior, &s->merit, err)) return false;
  for (int k = 0; k < interior->nnode; k++)
    for (int i = 0; i < interior->nz; i++) steepest = fmax(steepest, fabs(interior->stages[k].gradient[i]));
  /* scale and barrier enter gradient, Hessian and merit: evaluate again */
  interior->scale = s->scale = fmin(1, 100 / fmax(steepest, 1e-100));
  interior->barrier = options->barrier, interior->damping = 1e-9;
  brio_interior_start_slacks(interior);
  if (!brio_interior_linearize(interior, &s->merit, err)) return false;
  s->most_error = 10 * fmax(1, s->merit.error), s->small_error = 1e-4 * fmax(1, s->merit.error);
  s->best_violation = s->best_cost = INFINITY;
  return true;
}

/* Check the present motion, and report it.  Return how the solution ends, or BRIO_TRAJECTORY_ENDS: go on. */
static brio_trajectory_finish judge(search *s, const brio_trajectory_options *options,
                                    brio_trajectory_progress *progress) {
  brio_interior *interior = &s->interior;
  s->residual = brio_interior_residual_of(interior, 0);
  keep_best(s, options->tolerance);
  double seconds = (double)(brio_clock_monotonic() - s->start) * 1e-9;
  *progress = (brio_trajectory_progress){
      s->iteration, s->merit.cost, s->residual.violation, s->residual.gradient, interior->barrier,
      s->step,      seconds};
  if (options->report && !options->report(options->context, progress)) return BRIO_TRAJECTORY_CANCELLED;
  /* during a restoration the cost is scaled down: no motion is optimal */
  bool feasible = s->residual.violation <= options->tolerance && interior->scale == s->scale;
  if (feasible && s->residual.gradient <= options->optimality &&
      s->residual.complementarity <= options->optimality)
    return BRIO_TRAJECTORY_SOLVED;
  if (feasible && settled(s, options->tolerance) && interior->barrier <= 1e-4)
    return BRIO_TRAJECTORY_FEASIBLE;
  if (s->iteration >= options->iterations || seconds >= options->seconds) return BRIO_TRAJECTORY_TIME;
  return BRIO_TRAJECTORY_ENDS;
}

/* Return whether a restoration can help: the motion is not feasible, and there were fewer than three. */
static bool may_restore(const search *s, const brio_trajectory_options *options) {
  return s->nrestoration < 3 && s->residual.violation > options->tolerance;
}

/* Start a restoration where no step is accepted: scale the cost down to 1 %, so that steps mainly reduce
** violations, and start with fresh slacks.  Return false: the dynamics failed. */
static bool restore(search *s, const brio_trajectory_options *options, brio_error *err) {
  brio_interior *interior = &s->interior;
  s->nrestoration++;
  interior->scale *= 1e-2;
  interior->barrier = options->barrier, interior->damping = 1e-9, s->relaxation = 1;
  clear(s);
  brio_interior_start_slacks(interior);
  if (!brio_interior_linearize(interior, &s->merit, err)) return false;
  s->most_error = 10 * fmax(1, s->merit.error);
  return true;
}

/* End a restoration when the constraints hold: scale the cost, with its gradient and Hessian, back. */
static void resume(search *s, const brio_trajectory_options *options) {
  brio_interior *interior = &s->interior;
  if (interior->scale == s->scale || s->residual.violation > options->tolerance) return;
  for (int k = 0; k < interior->nnode; k++) {
    brio_interior_stage *stage = &interior->stages[k];
    for (int i = 0; i < interior->nz; i++) stage->gradient[i] *= s->scale / interior->scale;
    for (int i = 0; i < interior->nz * interior->nz; i++) stage->hessian[i] *= s->scale / interior->scale;
  }
  s->merit.objective += (s->scale - interior->scale) * s->merit.cost;
  interior->scale = s->scale;
  clear(s);
}

/* Iterate until the end.  Return false: the dynamics failed. */
static bool iterate(search *s, const brio_trajectory_options *options, brio_trajectory_outcome *outcome,
                    brio_error *err) {
  for (;; s->iteration++) {
    outcome->end = judge(s, options, &outcome->last);
    if (outcome->end != BRIO_TRAJECTORY_ENDS) return true;
    resume(s, options);
    lower_barrier(s, options);
    /* after a restoration began, the motion is checked again before the next step */
    if (!advance(s)) {
      if (!may_restore(s, options)) return outcome->end = BRIO_TRAJECTORY_STALLED, true;
      if (!restore(s, options, err)) return false;
      continue;
    }
    if (!brio_interior_linearize(&s->interior, &s->merit, err)) return false;
  }
}

static bool solve(brio_trajectory *trajectory, const brio_trajectory_options *options,
                  brio_trajectory_motion *motion, brio_trajectory_outcome *outcome, brio_error *err) {
  search s = {.start = brio_clock_monotonic(), .relaxation = 1};
  if (trajectory->setup.cycle)
    return brio_fail(err, BRIO_MISUSE, "the backend 'structured' solves chains, not cycles: use 'ipopt'");
  if (!brio_interior_start(&s.interior, trajectory, err)) return false;
  copy(trajectory, motion, &s.interior.now);
  copy(trajectory, motion, &s.interior.trial);
  bool good = begin(&s, options, err) && iterate(&s, options, outcome, err);
  if (good) {
    /* no step improves a feasible motion: its cost is as low as rounding allows */
    if (outcome->end == BRIO_TRAJECTORY_STALLED && s.best_violation <= options->tolerance)
      outcome->end = BRIO_TRAJECTORY_FEASIBLE;
    outcome->last.cost = s.best_cost, outcome->last.violation = s.best_violation;
    copy(trajectory, &s.interior.best, motion);
  }
  brio_interior_end(&s.interior);
  return good;
}

const brio_trajectory_backend brio_trajectory_backend_structured = {
    .name = "structured",
    .doc = "Interior points over the chain of nodes, in time linear in their number.",
    .solve = solve,
};
