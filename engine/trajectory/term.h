/* A term: a cost or a constraint.  Each file in terms/ provides one record.
**
** At each node where a term applies it has rows r(z).  A cost adds weight |r|^2 / 2; a constraint keeps each
** row within its bounds (lower = upper: an equation).  Rows should be scaled so that 1 is a large value.  A
** term computes from the point that it is given: it does not allocate, and cannot fail.  To add one: write
** terms/<name>.c and add X(<name>) to terms.def. */
#ifndef BRIO_TRAJECTORY_TERM_H
#define BRIO_TRAJECTORY_TERM_H

#include <math.h>

#include "trajectory/trajectory.h"

/* A node as terms see it. */
typedef struct brio_trajectory_point {
  const brio_trajectory *trajectory;
  const brio_trajectory_phase *phase;
  int index;                    /* of the node in its phase */
  const double *q, *u, *torque; /* nq, nv, nmotor */
  double stretch;            /* factor of the phase's duration */
  const double *du, *forces; /* nv; rows of the phase's contacts in turn, then of loops */
  /* derivatives by z; NULL: not asked for */
  const double *du_slope;    /* ndof x nz */
  const double *force_slope; /* rows x nz */
  brio_state *state;         /* links placed at q; the centre of mass is known */
} brio_trajectory_point;

typedef enum brio_trajectory_param_type {
  BRIO_TRAJECTORY_NUMBER,  /* double */
  BRIO_TRAJECTORY_LINK,    /* int: index of the link */
  BRIO_TRAJECTORY_VECTOR,  /* brio_vec3; not given: its numbers are those of `fallback` */
  BRIO_TRAJECTORY_JOINTS,  /* double *: nv, by variable; not given: NULL, left out: `fallback` */
  BRIO_TRAJECTORY_POSE,    /* double *: nq; not given: NULL */
  BRIO_TRAJECTORY_POSES,   /* double *: nq for each node of the phase (of all phases: of all nodes) */
  BRIO_TRAJECTORY_NUMBERS, /* double *: one for each node of the phase, as above; not given: NULL */
} brio_trajectory_param_type;

/* A parameter that Lua may set: a field of the term's arguments at `offset`.  `fallback`: its default;
** numbers are within [lower, upper]; `needed`: there is no default. */
typedef struct brio_trajectory_param {
  const char *name, *unit, *doc;
  brio_trajectory_param_type type;
  size_t offset;
  double fallback, lower, upper;
  bool needed;
} brio_trajectory_param;

/* A kind of term; `self` is its arguments (`size` bytes). */
typedef struct brio_trajectory_term_kind {
  const char *name, *doc;              /* as Lua spells it; one sentence */
  const char *example;                 /* a Lua table of arguments */
  const brio_trajectory_param *params; /* ends at name == NULL */
  size_t size;                         /* of the arguments */
  bool cost;                           /* else a constraint */
  /* Return how many rows it has at each node of a phase. */
  int (*rows)(const void *self, const brio_trajectory *trajectory, const brio_trajectory_phase *phase);
  /* Write the rows and, unless `slopes` is NULL, d r / d z (rows x nz, zeroed). */
  void (*evaluate)(const void *self, const brio_trajectory_point *at, double *r, double *slopes);
  /* Constraints: write the bounds of the rows (NULL: all are equations, r = 0). */
  void (*bounds)(const void *self, const brio_trajectory *trajectory, const brio_trajectory_phase *phase,
                 double *lower, double *upper);
  /* Constraints with curved rows, as friction cones: add the positive semidefinite part of
  **     sum of weight_i d^2 r_i / dz^2
  ** to the lower half of `hessian` (nz x nz); derivatives of `at` are set.  NULL: curvature is ignored. */
  void (*bend)(const void *self, const brio_trajectory_point *at, const double *weights, double *hessian);
} brio_trajectory_term_kind;

#define X(name) extern const brio_trajectory_term_kind brio_trajectory_term_##name;
#include "trajectory/terms.def"
#undef X

/* All kinds, ended by NULL. */
extern const brio_trajectory_term_kind *const brio_trajectory_term_kinds[];

/* Return the kind of that name, or NULL and an error with the nearest name. */
const brio_trajectory_term_kind *brio_trajectory_term_find(const char *name, brio_error *err);

/* First column of velocities u, stretch s and torques w in z. */
static inline int brio_trajectory_u_column(const brio_trajectory *t) {
  return t->ndof;
}
static inline int brio_trajectory_s_column(const brio_trajectory *t) {
  return 2 * t->ndof;
}
static inline int brio_trajectory_w_column(const brio_trajectory *t) {
  return t->nstate;
}

/* Write the bounds of `count` rows that may not be negative. */
static inline void brio_trajectory_not_negative(int count, double *lower, double *upper) {
  for (int i = 0; i < count; i++) lower[i] = 0, upper[i] = HUGE_VAL;
}

#endif
