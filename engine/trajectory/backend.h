/* Interface of the solvers of trajectories: each file in backends/ provides one record, a row of
** backends.def. */
#ifndef BRIO_TRAJECTORY_BACKEND_H
#define BRIO_TRAJECTORY_BACKEND_H

#include "trajectory/trajectory.h"

/* Reported after each iteration. */
typedef struct brio_trajectory_progress {
  int iteration;
  double cost, violation; /* of the present motion; the worst violation, in scaled units */
  double optimality;      /* greatest entry of the Lagrangian's gradient, scaled */
  double barrier, step;   /* the barrier's weight mu; length of the last step, 0 to 1 */
  double seconds;         /* since the start */
} brio_trajectory_progress;

/* Limits and tolerances of a solution; the value behind each colon is the default. */
typedef struct brio_trajectory_options {
  int iterations;    /* at most: 500 */
  double seconds;    /* at most: INFINITY, no limit */
  double tolerance;  /* of constraints, scaled: 1e-7 */
  double optimality; /* of the Lagrangian's gradient, scaled: 1e-4 */
  double barrier;    /* mu at the start: 0.1; smaller if the motion is nearly optimal, as when resuming */
  /* Called after each iteration; return false to cancel (NULL: not called). */
  bool (*report)(void *context, const brio_trajectory_progress *progress);
  void *context;
} brio_trajectory_options;

typedef enum brio_trajectory_finish {
  BRIO_TRAJECTORY_SOLVED,    /* constraints and optimality within tolerance */
  BRIO_TRAJECTORY_FEASIBLE,  /* constraints within tolerance; the cost stopped falling before optimality */
  BRIO_TRAJECTORY_STALLED,   /* no step improves it, constraints are violated: perhaps infeasible */
  BRIO_TRAJECTORY_TIME,      /* the limit of time or iterations was reached */
  BRIO_TRAJECTORY_CANCELLED, /* by `report` */
  BRIO_TRAJECTORY_ENDS       /* their number */
} brio_trajectory_finish;

/* How a solution ended. */
typedef struct brio_trajectory_outcome {
  brio_trajectory_finish end;
  brio_trajectory_progress last; /* cost and violation: of the motion that is returned */
} brio_trajectory_outcome;

/* A solver. */
typedef struct brio_trajectory_backend {
  const char *name, *doc; /* as Lua spells it; one sentence */
  /* Improve `motion` (complete, within the limits or not) and write the best one found back: among those
  ** within tolerance the one of least cost, else the one of least violation.  Errors: no_memory; misuse (a
  ** cycle, if it solves only chains); no_file (a library is not installed); those of the dynamics. */
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
