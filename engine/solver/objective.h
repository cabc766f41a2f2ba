/* One term of the pose cost, the record that every file in objectives/ provides.
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

/* The data of an iterate, computed once and shared by all objectives. */
typedef struct brio_evaluation {
  const brio_robot *robot;
  /* nvariable: the limits of each variable now, which may be tighter than the robot's */
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
  uint64_t serial;              /* of this evaluation: each pose has its own */
  brio_features *features;      /* for brio_feature_value */
  const brio_transform *measured; /* nlink: link transforms that the pairs were measured at */
} brio_evaluation;

/* Return the distance of a pair that is `within`, m: as measured or, where the evaluation is a small step
** away from that pose, to first order, with its nearest points fixed to the bodies. */
double brio_evaluation_distance(const brio_evaluation *at, const struct brio_proximity_pair *pair);

/* Data that a term needs beyond link transforms: computed only if some active term needs it. */
enum { BRIO_NEEDS_PAIRS = 1, BRIO_NEEDS_COM = 2, BRIO_NEEDS_NEAREST = 4 /* the solver's own: the distances of
                                                                        ** all pairs */,
       BRIO_NEEDS_NEXT = 8 };

/* Rows that go through the loss together. */
typedef struct brio_part {
  int rows;
  double share; /* of the objective's cost */
} brio_part;
enum { BRIO_MOST_PARTS = 9 };

/* A point of a link (world) that residuals depend on, and half the slope of |r|^2 by it. */
typedef struct brio_point_force {
  int link;
  brio_vec3 point, force;
} brio_point_force;
enum { BRIO_MOST_FORCES = 2 };

/* A quadratic form of the coming step:  scale (step - foreseen) . A (step - foreseen),  A symmetric and
** positive semi-definite, by coordinates of the tangent.  Its entries that are not 0 are listed: the lower
** half, row by row, columns rising.  Without `values` A is the unit matrix of the variables, and 0 for the
** base. */
typedef struct brio_step_form {
  double scale;
  const double *foreseen; /* nv: rad and m */
  const double *values;
  const int *columns;     /* of the values */
  const int *rows;        /* nv + 1: row i is at rows[i] .. rows[i + 1] - 1 */
} brio_step_form;
enum { BRIO_MOST_FORMS = 2 };

/* A parameter that Lua may give when it creates the objective. */
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
  bool optional;           /* links and joints: -1 if optional; else they must be given */
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
  const char *differs;     /* differences from Lively's except the loss, and the reason, for docs; NULL:
                           ** none, or Lively has no such term */
  const char *kinks;       /* where the gradient of its cost is discontinuous, for docs; NULL: nowhere */
  unsigned needs;          /* BRIO_NEEDS_... */
  const brio_loss_kind *loss;   /* the default loss */
  const brio_loss_kind *lively; /* the loss of Lively 1.1 for this term */

  /* Check an instance against the robot, once, off the tick; seed its noise.  (NULL: no check.) Return false
  ** and an error: what was wrong and expected. */
  bool (*bind)(void *self, const brio_robot *robot, uint64_t seed, brio_error *err);

  /* Check a goal that its kind has accepted (NULL: any is valid).  Return false and an error: what was
  ** expected. */
  bool (*accept)(const void *self, const brio_goal *goal, brio_error *err);

  /* Return the distance (m) up to which an instance that needs pairs wants them measured; pairs farther apart
  ** must not add to its cost (NULL: up to the range). */
  double (*reach)(const void *self);

  /* Of an instance that needs pairs, in brio's own form: a pair beyond its own margin
  ** (brio_proximity_pair) costs it nothing, so that its distance need not be known. */
  bool margins;

  /* Return how many residual rows an instance has on this robot, at most. */
  int (*rows)(const void *self, const brio_robot *robot);

  /* The same for an instance that never uses Lively's form, if that has more (NULL: as many). */
  int (*usual_rows)(const void *self, const brio_robot *robot);

  /* Called once per solve while the weight is above 0, before any residual (NULL: nothing to update).  `goal`
  ** is the blended goal; `last` is evaluated at past[0], with the time and dt of the coming solve. */
  void (*update)(void *self, const brio_goal *goal, const brio_evaluation *last);

  /* Called when history is reset or the weight leaves 0: set the anchors again (NULL: no anchors). */
  void (*reset)(void *self);

  /* Write up to rows() residuals into `r` and return how many; -1: it fails, and is excluded from this solve.
  ** Unless `jacobian` is NULL also write d r / d tangent, one row of nv numbers each, which arrive zeroed. */
  int (*residual)(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                  double *jacobian);

  /* The members below are optional. */

  /* For an objective that is a sum of several: write the numbers of rows of each part, in order, up to
  ** BRIO_MOST_PARTS, and return how many parts; each has a loss of its own, and counts by its share.  (NULL,
  ** or no parts: all rows are one.) */
  int (*parts)(const void *self, const brio_evaluation *at, brio_part *parts);

  /* The only variable on which the one row of an instance depends, and that its Jacobian has (NULL: there
  ** may be several). */
  int (*variable)(const void *self);

  /* For an objective whose |r|^2 is a sum of quadratic forms of the coming step: write them, up to
  ** BRIO_MOST_FORMS, and return how many; 0: only rows exist now.  The solver then needs neither residual nor
  ** Jacobian, whose rows would be as many as the joints.  Not called where the base turns or joints are
  ** coupled: rows count there.  (NULL: rows only.) */
  int (*forms)(const void *self, const brio_evaluation *at, brio_step_form *forms);

  /* For residuals that bend strongly along single coordinates: add  sum over i of r_i d^2 r_i / d q_c^2,
  ** which must not be negative, to out[c] (nv, zeroed), with the residual `r` at the same evaluation.
  ** (NULL: bends are left out.) */
  void (*bends)(const void *self, const brio_evaluation *at, const double *r, double *out);

  /* For residuals that stay large where a goal is out of reach: write the points of links that they depend
  ** on, up to BRIO_MOST_FORCES, and return how many.  The solver then knows how the residuals bend, without
  ** which it takes many small steps about a stretched arm.  Not called where the base turns, or joints are
  ** coupled.  (NULL: how they bend is left out, as Gauss and Newton do.) */
  int (*forces)(const void *self, const brio_goal *goal, const brio_evaluation *at, brio_point_force *out);

  /* Above 0: residual and cost give no derivatives; the solver uses central differences with this step, along
  ** the tangent (rad and m).  They cover link transforms, the centre of mass, the step and features;
  ** distances between shapes through brio_evaluation_distance. */
  double step;

  /* With `step`: return nv flags, the coordinates that the instance can depend on (NULL: all); called after a
  ** residual or cost at the same pose. */
  const bool *(*columns)(const void *self);

  /* Instead of residual, rows and the losses: return a cost and, unless `gradient` is NULL, add d cost / d
  ** tangent to it and to `bend` the second derivative along each coordinate alone (nv each), whose magnitude
  ** counts.  Not finite: it fails, and is excluded from this solve. */
  double (*cost)(const void *self, const brio_goal *goal, const brio_evaluation *at, double *gradient,
                 double *bend);

  /* Called once per solve after update and all else, also after failures. */
  void (*finish)(void *self);

  /* Free what bind allocated: called once, also if bind failed. */
  void (*end)(void *self);

  /* It overrides the other objectives, and is no part of the base (brio_solver_solve_base). */
  bool above;

  /* Liveliness of a robot at rest, no part of the quiet base (brio_solver_solve_quiet). */
  bool life;

  /* Context for the functions of a kind made at run time: unless it is NULL, the solver writes it to the
  ** first bytes of each instance before bind. */
  void *context;
} brio_objective_kind;

/* All kinds, ended by NULL. */
extern const brio_objective_kind *const brio_objective_kinds[];

/* Fail and name what is missing, unless the record of a kind is complete. */
bool brio_objective_kind_check(const brio_objective_kind *kind, brio_error *err);

/* Return the kind of that name, or NULL and an error with the nearest name. */
const brio_objective_kind *brio_objective_kind_find(const char *name, brio_error *err);

#endif
