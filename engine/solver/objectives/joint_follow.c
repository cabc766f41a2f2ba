/* A joint along values that change from tick to tick, without lag: row s (q - g).
**
** s is 1 per rad. For a slide it is the inverse of half its range, if that is below 1 m: otherwise a finger
** that moves by 4 cm would hardly count beside objectives that take each joint by the share of its range.
**
** q is where the joint would come to rest after the coming step (bounds.c).  Matched with the value itself, a
** joint follows one that moves at speed v late by v^2 / (2 A), the way it takes to stop.  So g is where the
** value itself would come to rest, had it the joint's limits: then the step that leads to the value is the
** best one.  A joint that is behind nears it as quickly as it can without going beyond. */
#include <math.h>

#include "math/scalar.h"
#include "solver/limits/bounds.h"
#include "solver/terms/term.h"

typedef struct joint_follow {
  int joint;        /* index of the variable */
  double value;     /* of the last solve; NaN: none */
  double rest;      /* g */
  double scale;     /* s, per rad or m */
} joint_follow;

/* No goal was seen yet. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)seed, (void)err;
  joint_follow *term = self;
  const brio_variable *variable = &robot->variables[term->joint];
  double half = 0.5 * (variable->upper - variable->lower);
  term->scale = !variable->angular && half > 1e-6 && half < 1 ? 1 / half : 1;
  term->value = NAN;
  return true;
}

/* The next solve starts from the joint's position, as the first one did. */
static void reset(void *self) { ((joint_follow *)self)->value = NAN; }

/* The goal's step in this tick, limited as the joint is, determines where the goal would come to rest. */
static void update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  joint_follow *term = self;
  const brio_variable *variable = &last->robot->variables[term->joint];
  const brio_limits *limits = &last->limits[term->joint];
  /* The first value has no predecessor: the joint's own position stands for it. */
  double from = isnan(term->value) ? last->past[0][BRIO_BASE_NQ + term->joint] : term->value;
  double fastest = limits->velocity >= 0 ? limits->velocity : INFINITY;
  double acceleration = limits->acceleration >= 0 ? limits->acceleration : INFINITY;
  brio_bounds bounds = {-INFINITY, INFINITY, fastest, acceleration};
  /* The step of the goal, no longer than the joint could go in this tick. */
  double step = brio_clamp(goal->v[0] - from, -fastest * last->dt, fastest * last->dt);
  term->value = goal->v[0];
  term->rest = goal->v[0] + brio_bounds_rest(&bounds, 0, last->dt, step) - step;
  if (!variable->circular && limits->lower <= limits->upper) /* it cannot run beyond its ends */
    term->rest = brio_clamp(term->rest, fmin(limits->lower, goal->v[0]), fmax(limits->upper, goal->v[0]));
}

/* One row, as for a match, with g in place of the goal. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  (void)goal;
  const joint_follow *term = self;
  int rows = brio_term_value(at, term->joint, term->rest, r, jacobian);
  r[0] *= term->scale;
  if (jacobian) jacobian[BRIO_BASE_NV + term->joint] *= term->scale;
  return rows;
}

static const brio_param params[] = {BRIO_PARAM_OF_JOINT(joint_follow), {0}};

const brio_objective_kind brio_objective_joint_follow = {
    .name = "joint_follow",
    .doc = "Moves a joint along a goal that changes in each tick, without lag: for tracks of motion.",
    .example = "{joint = \"panda_joint4\"}",
    .category = "matching",
    .params = params,
    .goal = &brio_goal_scalar,
    .size = sizeof(joint_follow),
    .loss = &brio_loss_wall,
    .lively = &brio_loss_wall,
    .bind = bind,
    .rows = brio_term_one_row,
    .update = update,
    .reset = reset,
    .residual = residual,
};
