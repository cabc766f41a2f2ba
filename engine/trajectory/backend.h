/* Interface of a method that solves trajectories: every file in backends/ provides one record, a row of
** backends.def. */
#ifndef BRIO_TRAJECTORY_BACKEND_H
#define BRIO_TRAJECTORY_BACKEND_H

#include "trajectory/trajectory.h"

/* Reported after each iteration. */
typedef struct brio_trajectory_progress {
  int iteration;
  double cost, violation; /* of the present motion; violation in scaled units, the worst */
  double optimality;      /* of the gradient that is left, scaled */
  double barrier, step;   /* weight of the barrier; length of the step, 0 to 1 */
  double seconds;         /* since the start */
} brio_trajectory_progress;

typedef struct brio_trajectory_options {
  int iterations;    /* at most */
  double seconds;    /* at most; INFINITY: no limit */
  double tolerance;  /* of constraints, scaled: 1e-7 */
  double optimality; /* of the gradient, scaled: 1e-4 */
  double barrier;    /* at the start; smaller where the motion is near the best one, as when resuming: 0.1 */
  /* Return false to cancel (NULL: nobody looks). */
  bool (*report)(void *context, const brio_trajectory_progress *progress);
  void *context;
} brio_trajectory_options;

typedef enum brio_trajectory_finish {
  BRIO_TRAJECTORY_SOLVED,    /* constraints and optimality within tolerance */
  BRIO_TRAJECTORY_FEASIBLE,  /* constraints within tolerance, cost no longer falls */
  BRIO_TRAJECTORY_STALLED,   /* no step makes it better: perhaps infeasible */
  BRIO_TRAJECTORY_TIME,      /* the limit of time or iterations was reached */
  BRIO_TRAJECTORY_CANCELLED, /* by the report */
  BRIO_TRAJECTORY_ENDS
} brio_trajectory_finish;

typedef struct brio_trajectory_outcome {
  brio_trajectory_finish end;
  brio_trajectory_progress last; /* cost and violation: of the motion that is returned */
} brio_trajectory_outcome;

typedef struct brio_trajectory_backend {
  const char *name, *doc;
  /* Improve `motion` (complete, within the limits or not) and write the best found back: the first within
  ** tolerance by cost, else the one with the least violation.  Errors: no_memory; no_file (the library that
  ** it needs is not installed); those of the dynamics at the start. */
  bool (*solve)(brio_trajectory *trajectory, const brio_trajectory_options *options,
                brio_trajectory_motion *motion, brio_trajectory_outcome *outcome, brio_error *err);
} brio_trajectory_backend;

#define X(name) extern const brio_trajectory_backend brio_trajectory_backend_##name;
#include "trajectory/backends.def"
#undef X

/* All backends, ended by NULL. */
extern const brio_trajectory_backend *const brio_trajectory_backends[];

/* Return the backend of that name, or NULL and an error with the nearest name. */
const brio_trajectory_backend *brio_trajectory_backend_find(const char *name, brio_error *err);

/* Return options with all values of the comments above. */
brio_trajectory_options brio_trajectory_default_options(void);

/* Return "solved", "feasible", "stalled", "time" or "cancelled". */
const char *brio_trajectory_finish_name(brio_trajectory_finish end);

#endif
