/* NLopt's SLSQP: the reference that other methods are compared with.
**
** Sequential quadratic programming with BFGS (Kraft, "A software package for sequential
** quadratic programming", 1988, as NLopt 2.7 has it).  It sees the same numbers, bounds, cost and
** gradient as our own method, and no curvature.  NLopt allocates memory in every run: it is
** for comparison and offline use, not for the tick.  What NLopt does with costs that are
** not finite is not relied on: such a point stops the run, and the best finite point seen is
** the answer, whatever NLopt reports. */
#include "solver/backend.h"

#include <assert.h>
#include <math.h>
#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

#include "math/scalar.h"

enum { EVALUATIONS_AN_ITERATION = 20 }; /* SLSQP counts evaluations; ours are worth more */

/* The memory of one problem size, and the run under way. */
typedef struct workspace {
  nlopt_opt method;
  int n;
  const brio_problem *problem; /* of the run under way */
  double *best;                /* n */
  brio_outcome *outcome;
} workspace;

/* Safe for a workspace that was made in part. */
static void end(void *memory) {
  workspace *w = memory;
  if (!w) return;
  nlopt_destroy(w->method);
  free(w->best);
  free(w);
}

/* NLopt's callback: the cost, and the gradient if it is requested. */
static double cost(unsigned n, const double *x, double *gradient, void *memory) {
  workspace *w = memory;
  double value = w->problem->cost(w->problem->context, x);
  w->outcome->evaluations++;
  /* A cost that is not finite ends the run; 1e300 keeps NLopt's arithmetic defined until then. */
  if (!isfinite(value)) {
    nlopt_force_stop(w->method);
    if (gradient) memset(gradient, 0, n * sizeof *gradient);
    return 1e300;
  }
  /* The best point seen is kept here, whatever NLopt makes of it. */
  if (!w->outcome->found || value < w->outcome->cost) {
    w->outcome->found = true;
    w->outcome->cost = value;
    memcpy(w->best, x, n * sizeof *x);
  }
  if (gradient) w->problem->slopes(w->problem->context, gradient, NULL);
  return value;
}

/* Tolerances near rounding: the reference should not stop early. */
static void *start(int n, brio_error *err) {
  workspace *w = calloc(1, sizeof *w);
  if (w) {
    w->n = n;
    w->best = calloc((size_t)n + 1, sizeof *w->best);
    w->method = nlopt_create(NLOPT_LD_SLSQP, (unsigned)n);
  }
  if (w && w->best && w->method) {
    nlopt_set_min_objective(w->method, cost, w);
    nlopt_set_xtol_rel(w->method, 1e-12);
    nlopt_set_ftol_rel(w->method, 1e-15);
    return w;
  }
  end(w);
  brio_fail(err, BRIO_NO_MEMORY, "no memory for an nlopt workspace of %d numbers", n);
  return NULL;
}

/* One run of SLSQP from x. The result is the best finite point that `cost` has seen. */
static void run(void *memory, const brio_problem *problem, int max_iterations, double *x,
                brio_outcome *outcome) {
  workspace *w = memory;
  assert(problem->n == w->n);
  *outcome = (brio_outcome){0};
  w->problem = problem;
  w->outcome = outcome;
  /* Bounds may change from run to run; the number of coordinates may not. */
  nlopt_set_lower_bounds(w->method, problem->lower);
  nlopt_set_upper_bounds(w->method, problem->upper);
  nlopt_set_maxeval(w->method, EVALUATIONS_AN_ITERATION * max_iterations);
  /* NLopt refuses a start outside the bounds. */
  for (int i = 0; i < w->n; i++) x[i] = brio_clamp(x[i], problem->lower[i], problem->upper[i]);
  double last;
  nlopt_result result = nlopt_optimize(w->method, x, &last);
  /* Errors are below 0; rounding that stops progress is an end like any other. */
  bool ended = result > 0 || result == NLOPT_ROUNDOFF_LIMITED;
  outcome->converged = ended && result != NLOPT_MAXEVAL_REACHED;
  outcome->iterations = nlopt_get_numevals(w->method);
  /* The answer is the best finite point, clamped against rounding. */
  for (int i = 0; outcome->found && i < w->n; i++)
    x[i] = brio_clamp(w->best[i], problem->lower[i], problem->upper[i]);
}

const brio_backend brio_backend_nlopt = {
  .name = "nlopt",
  .doc = "NLopt's SLSQP, the reference; allocates in every run, so it is not for the tick.",
  .start = start,
  .end = end,
  .run = run,
};
