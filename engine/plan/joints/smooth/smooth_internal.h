/* Shared by the files of path optimization, and private to them. */
#ifndef BRIO_PLAN_JOINTS_SMOOTH_INTERNAL_H
#define BRIO_PLAN_JOINTS_SMOOTH_INTERNAL_H

#include "plan/joints/repair/repair.h"
#include "plan/joints/smooth/smooth.h"

enum { BRIO_SMOOTH_NEAR = 6, BRIO_SMOOTH_BETWEEN = 3 }; /* pairs at a place; places of a blocked motion */

/* A place of the path whose distances count: point `i`, or `share` of the way to the next one. */
typedef struct brio_smooth_place {
  int i;
  double share;
  int rows;
  double lack[BRIO_SMOOTH_NEAR]; /* m: target - distance */
  bool active[BRIO_SMOOTH_NEAR]; /* it counts in the system: it lacks, or would behind the step */
} brio_smooth_place;

typedef enum brio_smooth_stage {
  BRIO_SMOOTH_LOOKS, /* at the distances of all places */
  BRIO_SMOOTH_STEPS, /* the cost is known: judge the last step, and make the next one */
  BRIO_SMOOTH_PROVES /* the motions */
} brio_smooth_stage;

struct brio_joint_smooth {
  brio_joint_checker *checker;
  brio_arena arena;
  brio_smooth_settings settings;
  int n, most, count;
  double lower[BRIO_JOINTS_PLANNED], upper[BRIO_JOINTS_PLANNED];
  double target, rho;              /* m; 1/m^2 */
  double *given, *x, *best, *step; /* most x n each */
  double *safe;                    /* most x n: the last path that was proven clear */
  bool is_safe;                    /* there is one */
  brio_joint_repair *repair;
  bool *blocked, *between; /* most: motion i, to point i + 1: now; at some time */
  int nplace;
  brio_smooth_place *places; /* most x (1 + BRIO_SMOOTH_BETWEEN) */
  double *slopes;            /* places x BRIO_SMOOTH_NEAR x n */
  double *band, *right;      /* most n x 3 n: rows of the lower half; most n */
  brio_search_status status;
  brio_smooth_stage stage;
  int at;       /* place, or motion */
  double cost;  /* of the best points */
  double share; /* of the step that is tried */
  int halves;   /* of it */
  bool steps;   /* a step is being tried; else these are the points that it is made from */
  brio_smooth_report report;
};

/* Return the cost of the points at hand, with what was measured. */
double brio_smooth_cost(const brio_joint_smooth *smooth);

/* Write the step of Gauss and Newton from the points at hand to `step`.  O(points n (3 n)^2).  Return false
** where the system cannot be solved. */
bool brio_smooth_solve(brio_joint_smooth *smooth);

#endif
