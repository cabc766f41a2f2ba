/* An interior-point method that uses the chain of stages: a Newton step with the Hessian of Gauss and Newton
** in time linear in the nodes (recursion.c), and a filter that accepts what lowers the cost or the errors.
** Source: Waechter, Biegler, "On the implementation of an interior-point filter line-search algorithm for
** large-scale nonlinear programming", 2006; in place of its restoration, where no step helps, more damping is
** tried, and then a cost that hardly counts (restore). */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "trajectory/interior/interior.h"

enum { MOST_PAIRS = 200, MOST_HALVINGS = 25 };

/* A pair of error and objective that no later motion may be worse than in both. */
typedef struct pair {
  double error, objective;
} pair;

typedef struct search {
  brio_interior interior;
  brio_interior_merit merit;
  brio_interior_residual residual;
  pair filter[MOST_PAIRS];
  int npair;
  double most_error, small_error; /* beyond the one nothing is accepted; below the other the cost counts */
  double best_cost, best_violation;
  double last_costs[10]; /* of feasible motions */
  int nfeasible, iteration;
  double scale; /* of the objective, outside of restorations */
  int nrestoration;
  double step, relaxation; /* taken; the most to take, of a whole one */
  int64_t start;
} search;

/* Forget all pairs: the barrier is another. */
static void clear(search *s) {
  s->npair = 0;
}

/* Whether funnel and filter let a motion pass. */
static bool passes(const search *s, const brio_interior_merit *m) {
  if (!(m->error <= s->most_error)) return false;
  /* no pair may be better in both */
  for (int i = 0; i < s->npair; i++)
    if (m->error >= s->filter[i].error && m->objective >= s->filter[i].objective) return false;
  return true;
}

/* Remember that the present motion was left, with a little margin; the oldest pair makes room. */
static void remember(search *s) {
  if (s->npair == MOST_PAIRS) memmove(s->filter, s->filter + 1, (size_t)(--s->npair) * sizeof *s->filter);
  s->filter[s->npair++] = (pair){(1 - 1e-5) * s->merit.error, s->merit.objective - 1e-5 * s->merit.error};
}

/* The funnel narrows around the errors of motions that are taken: a step that overshoots where the cost is
** flat would else leave for far away. Source: Curtis, Gould, Robinson, Toint, "An interior-point trust-funnel
** algorithm for nonlinear optimization", 2017. */
static void narrow(search *s, double error) {
  double least = 0.01 * s->interior.nnode / 10;
  s->most_error = fmax(least, fmin(s->most_error, error + 0.5 * (s->most_error - error)));
}

/* Whether a tried motion is good enough: of a step that mainly lowers the cost, by its slope; else in cost or
** errors. */
static bool good_enough(search *s, const brio_interior_merit *trial, double step, double slope,
                        bool *by_cost) {
  /* near the constraints a step that promises much by its cost must keep the promise */
  *by_cost =
      slope < 0 && step * pow(-slope, 2.3) > pow(s->merit.error, 1.1) && s->merit.error <= s->small_error;
  if (!passes(s, trial)) return false;
  /* rounding of the objective is no rise */
  double slack = 1e-13 * (1 + fabs(s->merit.objective));
  if (*by_cost) return trial->objective <= s->merit.objective + 1e-4 * step * slope + slack;
  return trial->error <= (1 - 1e-5) * s->merit.error ||
         trial->objective <= s->merit.objective - 1e-5 * s->merit.error + slack;
}

/* Halve the step until a motion is good enough.  False: none is. */
static bool search_line(search *s, double reach, double dual) {
  brio_interior_merit trial;
  double slope = brio_interior_slope(&s->interior);
  bool by_cost;
  /* from as far as slacks allow */
  s->step = reach;
  for (int i = 0; i < MOST_HALVINGS; i++, s->step /= 2) {
    if (!brio_interior_try(&s->interior, s->step, &trial)) continue;
    if (!good_enough(s, &trial, s->step, slope, &by_cost)) continue;
    if (!by_cost) remember(s);
    narrow(s, trial.error);
    brio_interior_accept(&s->interior, s->step, dual);
    return true;
  }
  return false;
}

/* Where the curvature of the constraints counts, steps are too long by some factor h, and successive ones
** turn around: s' = (1 - taken h) s.  The part to take follows from the last two, and grows back. */
static void relax(search *s) {
  brio_interior *interior = &s->interior;
  double dot = 0, square = 0;
  /* how much of the last step is in this one */
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

/* A step with as much damping as it takes.  False: none helps. */
static bool advance(search *s) {
  brio_interior *interior = &s->interior;
  for (int attempt = 0; attempt < 12; attempt++) {
    double primal, dual;
    /* blocks that are not positive definite ask for damping, as steps do that nothing accepts */
    if (brio_interior_solve(interior)) {
      brio_interior_reach(interior, fmax(0.99, 1 - interior->barrier), &primal, &dual);
      if (attempt == 0) relax(s);
      if (search_line(s, fmin(primal, s->relaxation), dual)) {
        interior->damping = attempt == 0 ? interior->damping / 3 : interior->damping;
        if (interior->damping < 1e-9) interior->damping = 1e-9;
        return true;
      }
    }
    interior->damping = fmax(1e-4, 10 * interior->damping);
    /* pairs of long ago may be what is in the way */
    if (attempt == 5) clear(s);
  }
  return false;
}

/* Lower the barrier while its problem is solved well enough. */
static void lower_barrier(search *s, const brio_trajectory_options *options) {
  brio_interior *interior = &s->interior;
  double least = fmin(options->tolerance, options->optimality) / 10;
  for (;;) {
    brio_interior_residual r = brio_interior_residual_of(interior, interior->barrier);
    double left = fmax(fmax(r.gradient, r.feasibility), r.complementarity);
    /* its problem is not solved yet, or it is small enough */
    if (left > 10 * interior->barrier || interior->barrier <= least) return;
    double keep = interior->barrier;
    interior->barrier = fmax(least, fmin(0.2 * keep, pow(keep, 1.5)));
    clear(s);
    /* the objective has the barrier in it */
    for (int k = 0; k < interior->nnode; k++)
      for (int i = 0; i < interior->stages[k].nside; i++)
        s->merit.objective += (keep - interior->barrier) * log(interior->stages[k].slack[i]);
  }
}

/* Copy a motion. */
static void copy(const brio_trajectory *t, const brio_trajectory_motion *from, brio_trajectory_motion *to) {
  memcpy(to->q, from->q, (size_t)(t->nnode * t->robot->nq) * sizeof *to->q);
  memcpy(to->u, from->u, (size_t)(t->nnode * t->robot->nv) * sizeof *to->u);
  memcpy(to->torque, from->torque, (size_t)(t->nnode * t->nmotor) * sizeof *to->torque);
  memcpy(to->stretch, from->stretch, (size_t)t->nnode * sizeof *to->stretch);
}

/* Keep the present motion if it is the best so far. */
static void keep_best(search *s, double tolerance) {
  double violation = s->residual.violation, cost = s->merit.cost;
  /* among feasible motions the cheapest, else the one that breaks least */
  bool feasible = violation <= tolerance, was = s->best_violation <= tolerance;
  if (feasible && was ? cost >= s->best_cost : violation >= s->best_violation) return;
  s->best_violation = violation, s->best_cost = cost;
  copy(s->interior.trajectory, &s->interior.now, &s->interior.best);
}

/* Whether the cost of feasible motions has stayed the same for ten iterations. */
static bool settled(search *s, double tolerance) {
  if (s->residual.violation > tolerance) return s->nfeasible = 0, false;
  /* the cost of ten iterations ago */
  double old = s->last_costs[s->nfeasible % 10];
  s->last_costs[s->nfeasible % 10] = s->merit.cost;
  return ++s->nfeasible > 10 && fabs(old - s->merit.cost) <= 1e-6 * (1e-9 + fabs(s->merit.cost));
}

/* The objective is scaled so that its steepest entry is at most 100; slacks start. */
static bool begin(search *s, const brio_trajectory_options *options, brio_error *err) {
  brio_interior *interior = &s->interior;
  double steepest = 0;
  if (!brio_interior_linearize(interior, &s->merit, err)) return false;
  for (int k = 0; k < interior->nnode; k++)
    for (int i = 0; i < interior->nz; i++) steepest = fmax(steepest, fabs(interior->stages[k].gradient[i]));
  /* with the objective scaled everything is evaluated again */
  interior->scale = s->scale = fmin(1, 100 / fmax(steepest, 1e-100));
  interior->barrier = options->barrier, interior->damping = 1e-9;
  brio_interior_start_slacks(interior);
  if (!brio_interior_linearize(interior, &s->merit, err)) return false;
  s->most_error = 10 * fmax(1, s->merit.error), s->small_error = 1e-4 * fmax(1, s->merit.error);
  s->best_violation = s->best_cost = INFINITY;
  return true;
}

/* Judge the present motion.  Return how it ends, or BRIO_TRAJECTORY_ENDS: it goes on. */
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
  /* while the cost hardly counts nothing is optimal */
  bool feasible = s->residual.violation <= options->tolerance && interior->scale == s->scale;
  if (feasible && s->residual.gradient <= options->optimality &&
      s->residual.complementarity <= options->optimality)
    return BRIO_TRAJECTORY_SOLVED;
  if (feasible && settled(s, options->tolerance) && interior->barrier <= 1e-4)
    return BRIO_TRAJECTORY_FEASIBLE;
  if (s->iteration >= options->iterations || seconds >= options->seconds) return BRIO_TRAJECTORY_TIME;
  return BRIO_TRAJECTORY_ENDS;
}

/* Look for a motion that keeps the constraints where no step helps any longer: the cost hardly counts until
** one is found, or three attempts were in vain. */
static bool restore(search *s, const brio_trajectory_options *options, brio_error *err) {
  brio_interior *interior = &s->interior;
  if (s->nrestoration == 3 || s->residual.violation <= options->tolerance) return false;
  s->nrestoration++;
  interior->scale *= 1e-2;
  interior->barrier = options->barrier, interior->damping = 1e-9, s->relaxation = 1;
  clear(s);
  brio_interior_start_slacks(interior);
  if (!brio_interior_linearize(interior, &s->merit, err)) return false;
  s->most_error = 10 * fmax(1, s->merit.error);
  return true;
}

/* The cost counts again once the constraints hold. */
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

/* Iterate from where it begins to its end. */
static bool iterate(search *s, const brio_trajectory_options *options, brio_trajectory_outcome *outcome,
                    brio_error *err) {
  for (;; s->iteration++) {
    outcome->end = judge(s, options, &outcome->last);
    if (outcome->end != BRIO_TRAJECTORY_ENDS) return true;
    resume(s, options);
    lower_barrier(s, options);
    if (!advance(s)) {
      if (!restore(s, options, err)) return outcome->end = BRIO_TRAJECTORY_STALLED, true;
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
    /* no better step from a motion that keeps all: it is as good as it gets */
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
