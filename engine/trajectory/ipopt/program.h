/* A nonlinear program with sparse derivatives, for a library that is loaded when it is asked for:
**     min f(x),   lower <= x <= upper,   row_lower <= g(x) <= row_upper. */
#ifndef BRIO_TRAJECTORY_IPOPT_PROGRAM_H
#define BRIO_TRAJECTORY_IPOPT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

typedef struct brio_program {
  int n, m;
  double *lower, *upper, *row_lower, *row_upper; /* infinite: none */
  int njacobian, nhessian;
  int *jacobian_rows, *jacobian_columns; /* njacobian */
  int *hessian_rows, *hessian_columns;   /* nhessian: lower half */
  void *context;
  /* Each returns false where `x` cannot be evaluated.  The Hessian is that of factor f + multipliers^T g. */
  bool (*cost)(void *context, const double *x, double *out);
  bool (*gradient)(void *context, const double *x, double *out);
  bool (*rows)(void *context, const double *x, double *out);
  bool (*jacobian)(void *context, const double *x, double *out);
  bool (*hessian)(void *context, const double *x, double factor, const double *multipliers, double *out);
  /* Return false to stop. */
  bool (*report)(void *context, int iteration, double cost, double violation, double optimality,
                 double barrier, double step);
  int iterations;
  double tolerance, optimality, barrier;
} brio_program;

typedef enum brio_program_end {
  BRIO_PROGRAM_SOLVED,
  BRIO_PROGRAM_STALLED,
  BRIO_PROGRAM_LIMIT,
  BRIO_PROGRAM_STOPPED,
  BRIO_PROGRAM_BROKEN
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
