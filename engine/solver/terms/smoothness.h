/* What the smoothness terms of the base, of links, and of all together share: the same judgment of a step
** (smoothness.c) by different measures.  Not for use outside the solver room. */
#ifndef BRIO_SOLVER_TERMS_SMOOTHNESS_H
#define BRIO_SOLVER_TERMS_SMOOTHNESS_H

#include "solver/terms/term.h"

enum { BRIO_ORDERS = 3 }; /* velocity, acceleration, jerk */

/* An instance; what a solve needs comes behind it. */
typedef struct brio_smoothness {
  double joints[BRIO_ORDERS], origin[BRIO_ORDERS], links[BRIO_ORDERS]; /* share of the cost; 0: none */
  double lever;         /* m/rad: turning the base so far counts as a meter */
  bool with_joints, with_origin, with_links; /* of the macro, as Lua gave them */
  int moving;           /* links that can move */
} brio_smoothness;

/* What is the same in the records of all that take an instance of these. */
#define BRIO_SMOOTHNESS_RECORD                                                           \
  .size = sizeof(brio_smoothness), .more = brio_smoothness_more, .needs = BRIO_NEEDS_NEXT, \
  .loss = &brio_loss_wall, .lively = &brio_loss_groove_cartesian, .rows = brio_smoothness_rows, \
  .usual_rows = brio_smoothness_usual_rows, .parts = brio_smoothness_parts,            \
  .update = brio_smoothness_update, .residual = brio_smoothness_residual

/* The row "lever" in a list of parameters, and the list that is this alone. */
#define BRIO_PARAM_OF_LEVER                                                                                  \
  {                                                                                                          \
    .name = "lever", .unit = "m/rad",                                                                        \
    .doc = "How many meters of the base's way count as much as one radian of its turn.",                     \
    .offset = offsetof(brio_smoothness, lever), .fallback = 0.5, .lower = 0, .upper = 100                    \
  }
extern const brio_param brio_smoothness_lever_params[];

/* How these terms differ from Lively's, and why. */
#define BRIO_ORIGIN_DIFFERS                                                                                  \
  "Lively leaves the turning of the base out, and takes accelerations and jerks per tick, whatever its "     \
  "length: here "                                                                                            \
  "turning counts, and all go by time."
#define BRIO_LINKS_DIFFER                                                                                    \
  "Lively sums over all links of the model; here their mean counts, so that a model with more frames moves " \
  "as the same "                                                                                             \
  "robot with fewer, and cost grows without end, so that no haste is free."

/* more(): bytes behind an instance. */
size_t brio_smoothness_more(const brio_robot *robot);

/* rows(): in either form, at most; usual_rows(): in ours. */
int brio_smoothness_rows(const void *self, const brio_robot *robot);
int brio_smoothness_usual_rows(const void *self, const brio_robot *robot);

/* parts(): Lively's form has one for each order of joints, base and links; ours is one. */
int brio_smoothness_parts(const void *self, const brio_evaluation *at, brio_part *parts);

/* update(): take what the motion so far foresees, and how far links go from here. */
void brio_smoothness_update(void *self, const brio_goal *goal, const brio_evaluation *last);

/* residual(): rows of joints, then of the base, then of links, as far as they have shares. */
int brio_smoothness_residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                             double *jacobian);

/* Take shares, and count the links that can move. */
void brio_smoothness_start(brio_smoothness *term, const brio_robot *robot);

/* The step that a motion under way is expected to take, by order 1 (none), 2 or 3: rad and m, for coordinate
** `i` of the tangent (nv) given its rate and the change of its rate, per s. */
double brio_smoothness_foreseen(const brio_evaluation *at, int order, double rate, double change);

#endif
