/* What the files in objectives/ share: the residuals that several terms are made of.
** Not for use outside the solver room. */
#ifndef BRIO_SOLVER_TERM_H
#define BRIO_SOLVER_TERM_H

#include "solver/goal_internal.h"
#include "solver/objective.h"

/* The kinds: brio_objective_position_match, ... */
#define X(name) extern const brio_objective_kind brio_objective_##name;
#include "solver/objectives.def"
#undef X

/* The row "link" or "joint" in a term's list of parameters. */
#define BRIO_PARAM_OF_LINK(T)                                                            \
  {.name = "link", .unit = "name", .doc = "The link it is about.", .type = BRIO_PARAM_LINK, \
   .offset = offsetof(T, link)}
#define BRIO_PARAM_OF_JOINT(T)                                                           \
  {.name = "joint", .unit = "name", .doc = "The joint it is about.", .type = BRIO_PARAM_JOINT, \
   .offset = offsetof(T, joint)}

/* rows() of terms with one and with three residuals, and with one a variable. */
int brio_term_one_row(const void *self, const brio_robot *robot);
int brio_term_three_rows(const void *self, const brio_robot *robot);
int brio_term_variable_rows(const void *self, const brio_robot *robot);

/* Instances that are only a link or only a joint. */
typedef struct brio_term_link {
  int link;
} brio_term_link;
typedef struct brio_term_joint {
  int joint; /* index of the variable */
} brio_term_joint;
extern const brio_param brio_term_link_params[], brio_term_joint_params[];

/* Write the three rows `link`'s origin - target, in the world, m. */
int brio_term_position(const brio_evaluation *at, int link, brio_vec3 target, double *r, double *jacobian);

/* Write the three rows log(R target^-1), the rotation vector in the world that leads from
** `target` to the link's rotation R; its length is the angle between them, rad.  The
** Jacobian needs room for six rows: rows() is brio_term_rotation_rows. */
int brio_term_rotation_rows(const void *self, const brio_robot *robot);
int brio_term_rotation(const brio_evaluation *at, int link, brio_quat target, double *r, double *jacobian);

/* Write the one row: value of the variable - target. */
int brio_term_value(const brio_evaluation *at, int variable, double target, double *r, double *jacobian);

/* Smoothness of joints (smoothness.c): one row a variable, of `order` 1 (velocity),
** 2 (acceleration) or 3 (jerk). */
int brio_term_smoothness(const brio_evaluation *at, int order, double *r, double *jacobian);

#endif
