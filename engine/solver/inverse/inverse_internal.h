/* The inside of inverse kinematics, for its own files:
**   inverse.c  making, freeing
**   search.c   the search over starts, and its errors
**   goal.c     goals: their errors and the Jacobian
**   descent.c  descent from one start
**   starts.c   where to start
**   clear.c    clearance of watched pairs
**
** The variables, x, are the base's position and rotation vector away from its center
** (nbase: 6 or 0), then the chain's variables. */
#ifndef BRIO_SOLVER_INVERSE_INVERSE_INTERNAL_H
#define BRIO_SOLVER_INVERSE_INVERSE_INTERNAL_H

#include "base/random.h"
#include "robot/chain.h"
#include "solver/inverse/inverse.h"

enum {
  BRIO_INVERSE_ROWS = 6,   /* of a goal: position, then orientation */
  BRIO_INVERSE_NEAR = 16,  /* most rows of pairs that are too near; even */
  BRIO_INVERSE_TABLE = 512 /* most starts that are known beforehand */
};

/* A prepared goal: in the frame that `turned` names, rows with weight 0 are free. */
typedef struct brio_inverse_target {
  brio_transform pose, tool;
  bool own_axes;       /* rows are along the goal's axes; else along the world's */
  brio_quat tool_turn; /* the tool's rotation */
  bool has_tool;
  int pointing;      /* the axis (0 to 2) whose turn is free; -1: none */
  bool turns;        /* any orientation will do */
  bool wide;         /* tolerances are wide enough to aim at the middle of their range, not at the centre */
  double weight[6];  /* 1, the metres that a radian counts for, or 0: free */
  double inverse[6]; /* 1 / tolerance; 0: free */
  double left[6];    /* errors, along rows, unweighted: m, rad */
  double excess[2];  /* length of error / tolerance: position, orientation; up to 1 is met */
} brio_inverse_target;

/* A start of the table: poses of the links for some values. */
typedef struct brio_inverse_start {
  const double *x;       /* n */
  const brio_pose *ends; /* nlink */
  double score;          /* the distance of these from the goals */
  bool used;
} brio_inverse_start;

struct brio_inverse {
  const brio_robot *robot;
  brio_chain chain;
  brio_arena arena;
  brio_solver *shapes; /* NULL: watches nothing */
  int max_solutions;
  int nbase, n;
  bool *held;                        /* n */
  double *lower, *upper;             /* n: bounds of x */
  double *reach_lower, *reach_upper; /* n: where starts are drawn; finite */
  brio_pose base_pose; /* the base's pose for x = 0: its center if it moves, else the seed's */
  brio_transform base; /* the same */

  brio_inverse_target *targets;              /* nlink */
  double *x, *trial, *best, *pull;           /* n each; pull: the posture that solutions are drawn to */
  double draw;                               /* how strongly, 0: not */
  double *r, *columns;                       /* rows; n x rows */
  int rows, row_room;                        /* in use; even */
  double cost;                               /* |r|^2 / 2 */
  double *gradient, *matrix, *factor, *step; /* n, n x n, n x n, n */
  int *free;                                 /* n */
  double *q, *dense, *found;                 /* nq: the seed; nv: scratch; nq: the configuration being kept */
  double least;                              /* cost of `best` */
  double *solutions, *apartness;             /* max_solutions x nq; max_solutions */
  double *nearby, *home, *kept;              /* n each: scratch; the seed; a solution while it is worked on */

  bool keeps_clear;                                             /* evaluate near pairs as well */
  double clearance;                                             /* m */
  const brio_proximity_pair *near[BRIO_INVERSE_NEAR], *nearest; /* nnear too near; the nearest of all */
  double lack[BRIO_INVERSE_NEAR];                               /* m: how much each of these is too near */
  int nnear;
  double distance, spare;      /* m: least distance of all pairs; least distance minus the required one */
  brio_proximity_pair blocker; /* the nearest pair of the last start that reached the goals, */
  double blocked;              /* m, and its distance */

  brio_inverse_start *starts; /* BRIO_INVERSE_TABLE */
  double radian;              /* m that a radian counts for */
  brio_random stream, fresh;  /* as created; of the current solve */
  bool scored;                /* the table is built for the current solve */
  int iterations, most;       /* work so far in this solve, and its limit */
};

/* goal.c */

/* Prepare the goals.  Errors: misuse. */
bool brio_inverse_aim(brio_inverse *inverse, const brio_inverse_goal *goals, brio_error *err);
/* Place the links for `x` and compute the errors of the goals: fills targets, r and cost. */
void brio_inverse_evaluate(brio_inverse *inverse, const double *x);
/* Whether all goals were met at the last evaluation. */
bool brio_inverse_met(const brio_inverse *inverse);
/* Write the Jacobian of the goals' rows by x, at the last evaluation. */
void brio_inverse_slopes(brio_inverse *inverse);

/* pose.c */

/* Return the base's pose for `x`. */
brio_pose brio_inverse_base(const brio_inverse *inverse, const double *x);
/* Write the configuration of `x`: the seed's with the variables replaced, which are in inverse->q. */
void brio_inverse_configuration(const brio_inverse *inverse, const double *x, double *q);

/* descent.c */

/* Descend from inverse->x for at most `most` steps; end at inverse->x with all evaluated.  Return whether the
** goals are met there.  `patience`: steps with little progress before the start is given up. */
bool brio_inverse_descend(brio_inverse *inverse, int most, int patience);

/* Do at most `steps` steps that improve, met or not. */
void brio_inverse_walk(brio_inverse *inverse, int steps);

/* clear.c: all but the first are called after it */

/* Find near pairs, for `x`, and their distances within `range` m. */
void brio_inverse_measure_clear(brio_inverse *inverse, const double *x, double range);
/* Clear the results of earlier solves. */
void brio_inverse_forget_near(brio_inverse *inverse);
/* Write BRIO_INVERSE_NEAR rows, and their Jacobian by x. */
void brio_inverse_clear_rows(brio_inverse *inverse, double *r);
void brio_inverse_clear_slopes(brio_inverse *inverse, double *columns);

/* starts.c */

/* Build the table.  Return false when there is no memory. */
bool brio_inverse_make_starts(brio_inverse *inverse);
/* Write start number `k` into inverse->x: 0 is the seed `from`. */
void brio_inverse_take_start(brio_inverse *inverse, int k, const double *from);

#endif
