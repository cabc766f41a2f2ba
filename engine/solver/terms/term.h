/* Shared by the files in objectives/: the residuals that several terms are made of.  Private to the solver
** room. */
#ifndef BRIO_SOLVER_TERMS_TERM_H
#define BRIO_SOLVER_TERMS_TERM_H

#include "geometry/proximity.h"
#include "solver/goals/goal_internal.h"
#include "solver/objective.h"

/* The row "link" or "joint" in a term's list of parameters. */
#define BRIO_PARAM_OF_LINK(T)                                                                                \
  { .name = "link", .unit = "name", .doc = "The link.", .type = BRIO_PARAM_LINK, .offset = offsetof(T, link) }
#define BRIO_PARAM_OF_JOINT(T)                                                                               \
  {                                                                                                          \
    .name = "joint", .unit = "name", .doc = "The joint.", .type = BRIO_PARAM_JOINT,                          \
    .offset = offsetof(T, joint)                                                                             \
  }

/* The same for links and joints of other names: the row's name is the member's. */
#define BRIO_PARAM_LINK_OF(T, MEMBER, DOC)                                               \
  {.name = #MEMBER, .unit = "name", .doc = DOC, .type = BRIO_PARAM_LINK, .offset = offsetof(T, MEMBER)}
#define BRIO_PARAM_JOINT_OF(T, MEMBER, DOC)                                              \
  {.name = #MEMBER, .unit = "name", .doc = DOC, .type = BRIO_PARAM_JOINT, .offset = offsetof(T, MEMBER)}
/* A direction: three numbers of any length above 0. */
#define BRIO_PARAM_AXIS_OF(T, MEMBER, X, Y, Z, DOC)                                      \
  {.name = #MEMBER, .unit = "1", .doc = DOC, .type = BRIO_PARAM_VECTOR, .offset = offsetof(T, MEMBER), \
   .lower = -1e6, .upper = 1e6, .vector = {X, Y, Z}}
/* A point of the link. */
#define BRIO_PARAM_POINT_OF(T)                                                                               \
  {                                                                                                          \
    .name = "point", .unit = "m", .doc = "The point of the link, in the link's frame.",                      \
    .type = BRIO_PARAM_VECTOR, .offset = offsetof(T, point), .lower = -1e3, .upper = 1e3                     \
  }

/* Where the gradient of all terms made of a rotation vector is discontinuous. */
#define BRIO_KINKS_OF_TURNS "where it is half a turn from its goal, as both directions are equally short"

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

/* Instances that are two links or two joints, and the check that these differ. */
typedef struct brio_term_links {
  int link1, link2;
} brio_term_links;
typedef struct brio_term_joints {
  int joint1, joint2; /* indices of the variables */
} brio_term_joints;
extern const brio_param brio_term_links_params[], brio_term_joints_params[];
bool brio_term_bind_links(void *self, const brio_robot *robot, uint64_t seed, brio_error *err);
bool brio_term_bind_joints(void *self, const brio_robot *robot, uint64_t seed, brio_error *err);

/* Fail and name them unless two links (or points, axes) differ; `same`: they are equal. */
bool brio_term_must_differ(bool same, const char *first, const char *second, const char *name,
                           brio_error *err);

/* Fail unless the robot has a mass, and so a center of mass. */
bool brio_term_must_weigh(const brio_robot *robot, brio_error *err);

/* Normalize an axis; fail if its length is 0. */
bool brio_term_unit_axis(brio_vec3 *axis, const char *name, brio_error *err);

/* Write the three rows `link`'s origin - target, in the world, m. */
int brio_term_position(const brio_evaluation *at, int link, brio_vec3 target, double *r, double *jacobian);

/* Write the three rows log(R target^-1), the rotation vector in the world that leads from
** `target` to the link's rotation R; its length is the angle between them, rad.  The
** Jacobian needs room for six rows: rows() is brio_term_rotation_rows. */
int brio_term_rotation_rows(const void *self, const brio_robot *robot);
int brio_term_rotation(const brio_evaluation *at, int link, brio_quat target, double *r, double *jacobian);

/* Write the three rows log(error), from the angular velocity in rows 3 to 5 of `jacobian` (six rows of nv
** numbers), which is that of the error's rotation. */
int brio_term_turn(brio_quat error, int nv, double *r, double *jacobian);

/* Write Jl(e)^-1, row by row (see term.c): how the rotation vector e of a rotation changes with its
** angular velocity. */
void brio_term_turn_slope(brio_vec3 e, double m[9]);

/* Add scale * direction . w to `row`, with w the angular velocity of the link (world). */
void brio_term_add_turn_row(const brio_evaluation *at, int link, brio_vec3 direction, double scale,
                            double *row);

/* Add the gradient of along . a to `row`, with `a` a direction fixed to the link, in the world. */
void brio_term_add_direction_row(const brio_evaluation *at, int link, brio_vec3 a, brio_vec3 along,
                                 double *row);

/* Error between two directions a and d: the rows along the chord from d to a, as long as the angle between
** them (rad).  The slope of row i is of_a[i] . da + of_d[i] . dd. */
typedef struct brio_term_aim {
  double r[3];
  brio_vec3 of_a[3], of_d[3];
} brio_term_aim;
brio_term_aim brio_term_aim_at(brio_vec3 a, brio_vec3 d);

/* Write the one row: distance of the origins of two links - target, m. */
int brio_term_distance(const brio_evaluation *at, int link1, int link2, double target, double *r,
                       double *jacobian);

/* Add scale * the gradient of a measured pair's distance to `row`. */
void brio_term_add_gap_row(const brio_evaluation *at, const brio_proximity_pair *pair, double scale,
                           double *row);

/* Write the one row: value of the variable - target. */
int brio_term_value(const brio_evaluation *at, int variable, double target, double *r, double *jacobian);

/* Turn a row by the coming step into a row by the tangent.  The base's turn is a rotation vector, whose three
** columns have a slope of their own. */
void brio_term_slope_of_steps(const brio_evaluation *at, double *row);

/* Return the greatest torque or force of a variable; `usual` where the model gives no finite one above 0. */
double brio_term_effort(const brio_variable *variable, double usual);

/* Return the effort of variables without one: the greatest of the model, or what the robot's whole weight
** does at a meter. */
double brio_term_usual_effort(const brio_robot *robot);

/* Smoothness of joints (smoothness.c): one row a variable, of `order` 1 (velocity),
** 2 (acceleration) or 3 (jerk). */
int brio_term_smoothness(const brio_evaluation *at, int order, double *r, double *jacobian);

/* The scale of all rows of smoothness (smoothness.c): sqrt(1 / (400 dt)), with which costs do not depend on
** the length of a tick. */
double brio_term_smoothness_scale(const brio_evaluation *at);

#endif
