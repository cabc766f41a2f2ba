/* How long brio's inverse kinematics takes, and how often it finds what there is.
**   inverse GOALS
** GOALS is what inverse_goals.lua prints.  One line of JSON; inverse_kdl.cpp does the same work. */
#include "scripts/bench/kinematics/inverse.h"

#include <string.h>

#include "robot/kinematics.h"
#include "solver/inverse/inverse.h"

typedef struct bench {
  inverse_problem problem;
  brio_robot *robot;
  brio_inverse *inverse;
  brio_state state;
  int tip, base, variables[INVERSE_JOINTS];
  double *q; /* nq */
} bench;

static brio_pose pose_of(const inverse_goal *goal) {
  const double *p = goal->position, *q = goal->orientation;
  return (brio_pose){{p[0], p[1], p[2]}, brio_quat_unit((brio_quat){q[0], q[1], q[2], q[3]})};
}

/* Place the robot's joints as `values` says; return where its base link is. */
static brio_pose place(bench *b, const double *values) {
  brio_robot_neutral(b->robot, b->q);
  for (int i = 0; i < b->problem.njoint; i++) b->q[BRIO_BASE_NQ + b->variables[i]] = values[i];
  brio_state_update(&b->state, b->q);
  return brio_pose_of(&b->state.links[b->base]);
}

static bool solve(void *context, const inverse_goal *goal, double *q) {
  bench *b = context;
  brio_pose base = brio_pose_of(&b->state.links[b->base]); /* nothing moves it */
  for (int i = 0; i < b->problem.njoint; i++) b->q[BRIO_BASE_NQ + b->variables[i]] = goal->seed[i];
  brio_inverse_goal wanted = {.pose = brio_pose_mul(base, pose_of(goal))};
  brio_inverse_result result;
  brio_inverse_request request = {.goals = &wanted, .seed = b->q};
  bool found = brio_inverse_solve(b->inverse, &request, &result, NULL);
  for (int i = 0; found && i < b->problem.njoint; i++) q[i] = result.q[BRIO_BASE_NQ + b->variables[i]];
  return found;
}

static bool judge(void *context, const inverse_goal *goal, double *q) {
  bench *b = context;
  brio_pose wanted = brio_pose_mul(place(b, q), pose_of(goal));
  brio_pose is = brio_pose_of(&b->state.links[b->tip]);
  return brio_vec3_norm(brio_vec3_sub(is.p, wanted.p)) <= INVERSE_POSITION * (1 + 1e-9) &&
         brio_quat_angle(brio_quat_mul(is.q, brio_quat_conj(wanted.q))) <= INVERSE_ORIENTATION * (1 + 1e-6);
}

/* Set the limits that the goals were made with. */
static bool set_limits(bench *b, brio_error *err) {
  for (int i = 0; i < b->problem.njoint; i++) {
    brio_limits limits = {b->problem.lower[i], b->problem.upper[i], NAN, NAN};
    b->variables[i] = brio_robot_variable(b->robot, b->problem.joints[i], err);
    if (b->variables[i] < 0) return false;
    const brio_variable *v = &b->robot->variables[b->variables[i]];
    if (!v->circular)
      limits.lower = fmax(limits.lower, v->lower), limits.upper = fmin(limits.upper, v->upper);
    if (!brio_robot_set_limits(b->robot, b->variables[i], &limits, err)) return false;
  }
  return true;
}

static bool start(bench *b, brio_error *err) {
  b->robot = brio_robot_load(b->problem.model, NULL, err);
  if (!b->robot || !set_limits(b, err) || !brio_state_start(&b->state, b->robot, err)) return false;
  b->tip = brio_robot_link(b->robot, b->problem.tip, err);
  b->base = brio_robot_link(b->robot, b->problem.base, err);
  int *held = calloc((size_t)b->robot->nvariable + 1, sizeof *held), nheld = 0;
  b->q = calloc((size_t)b->robot->nq, sizeof *b->q);
  if (!held || !b->q || b->tip < 0 || b->base < 0) return free(held), false;
  for (int i = 0; i < b->robot->nvariable; i++) {
    bool moves = false;
    for (int k = 0; k < b->problem.njoint; k++) moves |= b->variables[k] == i;
    if (!moves) held[nheld++] = i;
  }
  brio_inverse_options options = {.links = &b->tip, .nlink = 1, .held = held, .nheld = nheld, .seed = 1};
  b->inverse = brio_inverse_new(b->robot, &options, err);
  free(held);
  brio_robot_neutral(b->robot, b->q);
  brio_state_update(&b->state, b->q);
  return b->inverse != NULL;
}

int main(int argc, char **argv) {
  static bench b;
  brio_error err = {0};
  if (argc != 2 || !inverse_open(&b.problem, argv[1])) return fprintf(stderr, "usage: inverse GOALS\n"), 2;
  if (!start(&b, &err)) return fprintf(stderr, "inverse: %s\n", err.message), 1;
  return inverse_measure("brio", &b.problem, solve, judge, &b);
}
