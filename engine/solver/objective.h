/* One term of the pose cost: what every file in objectives/ provides.
**
** Each tick the solver minimizes   sum over k of  weight_k * rho_k(|r_k(q)|^2)
** where r_k is the residual of objective k (a few rows) and rho_k the loss that turns
** its squared length into cost.  A term is arithmetic on the evaluation it is given: it
** does not allocate, block, log or fail.  To add one: write objectives/<name>.c and add
** X(<name>) to objectives.def. */
#ifndef BRIO_SOLVER_OBJECTIVE_H
#define BRIO_SOLVER_OBJECTIVE_H

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "robot/kinematics.h"
#include "solver/features/feature.h"
#include "solver/goal.h"
#include "solver/terms/loss.h"

/* What is computed once per iterate and shared by all objectives. */
typedef struct brio_evaluation {
  const brio_robot *robot;
  /* nvariable: what each variable may do now, which may be less than the robot's own */
  const brio_limits *limits;
  const brio_state *state;      /* link transforms at q */
  const double *q;              /* nq: the configuration being judged: where the robot would come
                                ** to rest, braking as hard as it may after the coming step */
  const double *step;           /* nv: the coming step, from past[0], in coordinates of the tangent */
  const double *step_slope;     /* nv: d step / d q, of each coordinate; 1 where nothing limits braking */
  const double *past[3];        /* nq each: the last three accepted configurations, newest first */
  const brio_transform *past_links[3]; /* nlink each: link transforms of past[0..2] */
  double time, dt;              /* s: of this solve; since past[0] */
  double past_dt[2];            /* s: from past[1] to past[0], from past[2] to past[1] */
  bool lively;                  /* terms that differ from Lively's take Lively's form */
  const brio_state *next;       /* link transforms where the coming step leads; with `lively` alone */
  const struct brio_proximity_pair *pairs; /* npair: distances at q; exact where `within`: the
                                ** farthest reach of all terms */
  int npair;
  const int *within;            /* nwithin: which of them are `within`, rising; NULL: not listed */
  int nwithin;
  double watched;               /* how many pairs there are with those that are too far to be listed */
  const struct brio_body *bodies; /* what pairs are made of */
  double range;                 /* m: pairs farther apart than this are never measured */
  uint64_t serial;              /* of this evaluation: each pose that is looked at has its own */
  brio_features *features;      /* for brio_feature_value */
  const brio_transform *measured; /* nlink: link transforms that the pairs were measured at */
} brio_evaluation;

/* Return the distance of a pair that is `within`, m: as it was measured or, where the evaluation stands a
** small step beside that, to first order, its nearest points carried along. */
double brio_evaluation_distance(const brio_evaluation *at, const struct brio_proximity_pair *pair);

/* What a term reads of the evaluation beyond link transforms: it is computed only when
** some active term needs it. */
enum { BRIO_NEEDS_PAIRS = 1, BRIO_NEEDS_COM = 2, BRIO_NEEDS_NEAREST = 4 /* the solver's own: of all pairs */,
       BRIO_NEEDS_NEXT = 8 };

/* Rows that go through the loss together. */
typedef struct brio_part {
  int rows;
  double share; /* of the objective's cost */
} brio_part;
enum { BRIO_MOST_PARTS = 9 };

/* A parameter that Lua may give when it makes the objective. */
typedef enum brio_param_type {
  BRIO_PARAM_NUMBER,       /* a double at `offset` */
  BRIO_PARAM_LINK,         /* an int at `offset`: index of the link */
  BRIO_PARAM_JOINT,        /* an int at `offset`: index of the variable */
  BRIO_PARAM_FLAG,         /* a bool at `offset` */
  BRIO_PARAM_VECTOR,       /* three doubles (a brio_vec3) at `offset` */
} brio_param_type;

typedef struct brio_param {
  const char *name, *unit, *doc;
  brio_param_type type;
  size_t offset;
  double fallback, lower, upper; /* numbers: default and accepted range, in `unit`; vectors: the range of
                                 ** each of their numbers; flags: default, 0 or 1 */
  double vector[3];        /* vectors: default */
  bool optional;           /* links and joints: -1 where none is given; else they must be given */
} brio_param;

typedef struct brio_objective_kind {
  const char *name;        /* as Lua spells it: "position_match" */
  const char *doc;         /* one sentence for docs/ */
  const char *example;     /* a Lua table of arguments: docs print it, tests run it on `panda` */
  const char *category;    /* "matching", "bounding", "basic", "liveliness", ... */
  const brio_param *params; /* ends at name == NULL */
  const brio_goal_kind *goal; /* NULL: takes no goal */
  size_t size;             /* bytes of one instance */
  /* Return how many bytes an instance needs beyond `size` on this robot (NULL: none). */
  size_t (*more)(const brio_robot *robot);
  const char *differs;     /* how it differs from Lively's beside the loss, and why, for docs; NULL: not, or
                           ** Lively has none */
  const char *kinks;       /* where the slope of its cost jumps, for docs; NULL: nowhere */
  unsigned needs;          /* BRIO_NEEDS_... */
  const brio_loss_kind *loss;   /* the default loss */
  const brio_loss_kind *lively; /* the loss of Lively 1.1 for this term */

  /* Check an instance against the robot, once, off the tick; seed its noise.
  ** (NULL: nothing to check.)  Return false and say what was wrong and expected. */
  bool (*bind)(void *self, const brio_robot *robot, uint64_t seed, brio_error *err);

  /* Check a goal that its kind has accepted (NULL: any will do).  Return false and say what was
  ** expected. */
  bool (*accept)(const void *self, const brio_goal *goal, brio_error *err);

  /* Return up to which distance (m) an instance that needs pairs wants them measured; what is farther
  ** apart costs it nothing (NULL: up to the range). */
  double (*reach)(const void *self);

  /* Of an instance that needs pairs, in brio's own form: a pair beyond its own margin
  ** (brio_proximity_pair) costs it nothing, so that its distance need not be known. */
  bool margins;

  /* Return how many residual rows an instance has on this robot, at most. */
  int (*rows)(const void *self, const brio_robot *robot);

  /* The same for an instance that never takes Lively's form, where that has more (NULL: as many). */
  int (*usual_rows)(const void *self, const brio_robot *robot);

  /* Called once per solve while the weight is above 0, before any residual (NULL: nothing
  ** moves with time).  `goal` is the blended goal; `last` is evaluated at past[0], with
  ** the time and dt of the solve to come. */
  void (*update)(void *self, const brio_goal *goal, const brio_evaluation *last);

  /* Called when history is reset or the weight leaves 0: anchors are taken again
  ** (NULL: has none). */
  void (*reset)(void *self);

  /* Write up to rows() residuals into `r` and return how many; -1: it fails, and is left out of this
  ** solve.  Unless `jacobian` is NULL also
  ** write d r / d tangent, one row of nv numbers each, which arrive zeroed. */
  int (*residual)(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                  double *jacobian);

  /* The rest may be left out. */

  /* Of an objective that is a sum of several: write which of the rows that residual gives belong together, in
  ** order, up to BRIO_MOST_PARTS, and return how many parts; each goes through the loss by itself, and counts
  ** by its share.  (NULL, or no parts: all are one.) */
  int (*parts)(const void *self, const brio_evaluation *at, brio_part *parts);

  /* Above 0: there is no Jacobian or gradient to be had, and none is asked for; slopes are central
  ** differences with this step, along the tangent (rad and m).  They see link transforms, the centre of
  ** mass, the step and features; distances between shapes through brio_evaluation_distance. */
  double step;

  /* With `step`: return nv flags, which coordinates the instance can depend on at all (NULL: on all);
  ** asked after a residual or cost at the pose in question. */
  const bool *(*columns)(const void *self);

  /* Instead of residual, rows and the losses: return a cost and, unless `gradient` is NULL, add
  ** d cost / d tangent to it and to `bend` how it bends along each coordinate alone (nv each); of that
  ** the magnitude counts.  Not finite: it fails, and is left out of this solve. */
  double (*cost)(const void *self, const brio_goal *goal, const brio_evaluation *at, double *gradient,
                 double *bend);

  /* Called once per solve after update and all else, whatever happened. */
  void (*finish)(void *self);

  /* Give back what bind took: called once, also where bind failed. */
  void (*end)(void *self);

  /* It is laid over what all others want, and no part of the base (brio_solver_solve_base). */
  bool above;

  /* It lends life to what stands still, and is no part of how the robot would be without
  ** (brio_solver_solve_quiet). */
  bool life;

  /* What the functions of a kind made at run time need: unless it is NULL, the solver writes it to the
  ** first bytes of each instance before bind. */
  void *context;
} brio_objective_kind;

/* All kinds, ended by NULL. */
extern const brio_objective_kind *const brio_objective_kinds[];

/* Fail, saying what is missing, unless the record of a kind is whole. */
bool brio_objective_kind_check(const brio_objective_kind *kind, brio_error *err);

/* Return the kind of that name, or NULL and an error with the nearest name. */
const brio_objective_kind *brio_objective_kind_find(const char *name, brio_error *err);

#endif
