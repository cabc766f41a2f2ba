/* Interface of a method of minimization: every file in backends/ provides one record, a row of backends.def.
** The problem has no robot in it: variables within bounds, a cost, its gradient. */
#ifndef BRIO_SOLVER_BACKEND_H
#define BRIO_SOLVER_BACKEND_H

#include "base/error.h"
#include "solver/evaluation/curvature.h"

typedef struct brio_problem {
  int n;
  const double *lower, *upper; /* n each; may be infinite; lower <= upper */
  const double *guess;         /* n, within the bounds: a place that may be nearer to the minimum, or NULL */
  void *context;
  /* Return the cost at `x` (n). It may not be finite. */
  double (*cost)(void *context, const double *x);
  /* At the point last given to cost: write the gradient (n) and, unless `curvature` is NULL, a positive
  ** semi-definite approximation of the second derivatives. */
  void (*slopes)(void *context, double *gradient, brio_curvature *curvature);
} brio_problem;

typedef struct brio_outcome {
  bool converged;  /* no better point near by; else the iterations were used up */
  bool found;      /* some finite cost was seen: x and cost are good */
  double cost;     /* at x */
  double expected; /* estimate of how much the cost could still fall; 0: unknown */
  int iterations, evaluations;
} brio_outcome;

typedef struct brio_backend {
  const char *name; /* "gauss_newton" */
  const char *doc;  /* one sentence */
  /* Allocate the workspace for problems of up to n variables.  Return NULL and an error: no_memory. */
  void *(*start)(int n, brio_error *err);
  void (*end)(void *workspace);
  /* Minimize from `x` (n, within the bounds), or from the guess where the method finds that nearer, and write
  ** the best point found back to x. */
  void (*run)(void *workspace, const brio_problem *problem, int max_iterations, double *x,
              brio_outcome *outcome);
  /* Leave of `v` (n), a change of x, what the cost of the last run curves along; false: that is not known.
  ** NULL: it never is. */
  bool (*curved)(void *workspace, double *v);
} brio_backend;

/* The backends: brio_backend_gauss_newton, ... */
#define X(name) extern const brio_backend brio_backend_##name;
#include "solver/backends.def"
#undef X

/* All of them, ended by NULL. */
extern const brio_backend *const brio_backends[];

/* Return the backend of that name, or NULL and an error with the nearest name. */
const brio_backend *brio_backend_find(const char *name, brio_error *err);

#endif
