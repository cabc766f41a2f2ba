/* A nonlinear program with sparse derivatives, for a library that is loaded on demand:
**     min f(x),   lower <= x <= upper,   row_lower <= g(x) <= row_upper. */
#ifndef BRIO_TRAJECTORY_IPOPT_PROGRAM_H
#define BRIO_TRAJECTORY_IPOPT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* The problem, its callbacks and options. */
typedef struct brio_program {
  int n, m;                                      /* unknowns x; constraints g */
  double *lower, *upper, *row_lower, *row_upper; /* n, n, m, m; infinite: none; equal: an equation */
  int njacobian, nhessian;                       /* entries that may differ from 0 */
  int *jacobian_rows, *jacobian_columns;         /* njacobian; both count from 0 */
  int *hessian_rows, *hessian_columns;           /* nhessian: lower half */
  void *context;                                 /* first argument of the callbacks */
  /* Each returns false where `x` cannot be evaluated.  The Hessian is that of factor f + multipliers^T g. */
  bool (*cost)(void *context, const double *x, double *out);
  bool (*gradient)(void *context, const double *x, double *out);
  bool (*rows)(void *context, const double *x, double *out);
  bool (*jacobian)(void *context, const double *x, double *out);
  bool (*hessian)(void *context, const double *x, double factor, const double *multipliers, double *out);
  /* Called after each iteration; return false to stop. */
  bool (*report)(void *context, int iteration, double cost, double violation, double optimality,
                 double barrier, double step);
  int iterations;                        /* at most */
  double tolerance, optimality, barrier; /* of constraints; of the gradient; mu at the start */
} brio_program;

/* How a solution ended. */
typedef enum brio_program_end {
  BRIO_PROGRAM_SOLVED,  /* within tolerances */
  BRIO_PROGRAM_STALLED, /* infeasible, or no step helps */
  BRIO_PROGRAM_LIMIT,   /* of iterations or time */
  BRIO_PROGRAM_STOPPED, /* by `report` */
  BRIO_PROGRAM_BROKEN   /* callbacks failed, or the problem is invalid */
} brio_program_end;

enum { BRIO_PROGRAM_LIBRARY_VERSION = 1 };

/* What the shared object exports as `brio_program_library_record`. */
typedef struct brio_program_library {
  int version;
  size_t size; /* of brio_program */
  /* Minimize from `x` (n) and write the last point back. */
  brio_program_end (*solve)(const brio_program *program, double *x);
} brio_program_library;

#endif
