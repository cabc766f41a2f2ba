/* Shared by the smoothness terms of the base, of links, and of all together: one cost of a step
** (smoothness.c) by different measures.  Private to the solver room. */
#ifndef BRIO_SOLVER_TERMS_SMOOTHNESS_H
#define BRIO_SOLVER_TERMS_SMOOTHNESS_H

#include "solver/terms/term.h"

enum { BRIO_ORDERS = 3 }; /* velocity, acceleration, jerk */

/* An instance, followed by the data of a solve. */
typedef struct brio_smoothness {
  double joints[BRIO_ORDERS], origin[BRIO_ORDERS], links[BRIO_ORDERS]; /* share of the cost; 0: none */
  double lever;         /* m/rad: length that a rotation of the base by 1 rad counts as */
  bool with_joints, with_origin, with_links; /* of the macro, as Lua gave them */
  int moving;           /* links that can move */
} brio_smoothness;

/* Members that are equal in the records of all these terms. */
#define BRIO_SMOOTHNESS_RECORD                                                           \
  .size = sizeof(brio_smoothness), .more = brio_smoothness_more, .needs = BRIO_NEEDS_NEXT, \
  .loss = &brio_loss_wall, .lively = &brio_loss_groove_cartesian, .rows = brio_smoothness_rows, \
  .usual_rows = brio_smoothness_usual_rows, .parts = brio_smoothness_parts,            \
  .forms = brio_smoothness_forms, .update = brio_smoothness_update, .residual = brio_smoothness_residual

/* The row "lever" in a list of parameters, and the list that is this alone. */
#define BRIO_PARAM_OF_LEVER                                                                                  \
  {                                                                                                          \
    .name = "lever", .unit = "m/rad",                                                                        \
    .doc = "Meters of the base's motion that count as much as one radian of its rotation.",                  \
    .offset = offsetof(brio_smoothness, lever), .fallback = 0.5, .lower = 0, .upper = 100                    \
  }
extern const brio_param brio_smoothness_lever_params[];

/* Differences from Lively's terms, and the reasons. */
#define BRIO_ORIGIN_DIFFERS                                                                                  \
  "Lively leaves the turning of the base out, and takes accelerations and jerks per tick, whatever its "     \
  "length: here "                                                                                            \
  "turning counts, and all go by time."
#define BRIO_LINKS_DIFFER                                                                                    \
  "Lively sums over all links of the model; here their mean counts, so that a model with more frames moves " \
  "as the same "                                                                                             \
  "robot with fewer, and cost grows without end, so that no haste is free."

/* more(): bytes after an instance. */
size_t brio_smoothness_more(const brio_robot *robot);

/* rows(): in either form, at most; usual_rows(): in brio's. */
int brio_smoothness_rows(const void *self, const brio_robot *robot);
int brio_smoothness_usual_rows(const void *self, const brio_robot *robot);

/* parts(): Lively's form has one for each order of joints, base and links; brio's has one. */
int brio_smoothness_parts(const void *self, const brio_evaluation *at, brio_part *parts);

/* forms(): of joints and of links, in brio's form; none where the base has a share. */
int brio_smoothness_forms(const void *self, const brio_evaluation *at, brio_step_form *forms);

/* update(): extrapolate the motion so far, and the reach of links from here. */
void brio_smoothness_update(void *self, const brio_goal *goal, const brio_evaluation *last);

/* residual(): rows of joints, then of the base, then of links, if their shares are above 0. */
int brio_smoothness_residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                             double *jacobian);

/* Read the shares, and count the links that can move. */
void brio_smoothness_start(brio_smoothness *term, const brio_robot *robot);

/* The expected step of a motion, by order 1 (none), 2 or 3: rad and m, for coordinate `i` of the tangent (nv)
** from its rate and the change of its rate, per s. */
double brio_smoothness_foreseen(const brio_evaluation *at, int order, double rate, double change);

#endif
