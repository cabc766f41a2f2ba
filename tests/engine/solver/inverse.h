/* Shared by the tests of inverse kinematics: a workspace, and a state that judges it and
** knows nothing of chains. */
#ifndef BRIO_TESTS_SOLVER_INVERSE_H
#define BRIO_TESTS_SOLVER_INVERSE_H

#include "demo.h"
#include "robot/kinematics.h"
#include "solver/inverse/inverse.h"

enum { MOST = 128 };

/* A robot, a workspace for one link or two, and a state to judge by. */
typedef struct bench {
  brio_robot *robot;
  brio_inverse *inverse;
  brio_state state;
  int links[2], nlink;
  brio_error err;
} bench;

static inline bool start(bench *b, brio_robot *robot, const char *link, const char *other,
                         brio_inverse_options options) {
  memset(b, 0, sizeof *b);
  b->robot = robot;
  if (!robot) return false;
  b->links[b->nlink++] = brio_robot_link(robot, link, &b->err);
  if (other) b->links[b->nlink++] = brio_robot_link(robot, other, &b->err);
  CHECK(b->links[0] >= 0 && b->links[1] >= 0, "%s", b->err.message);
  options.links = b->links;
  options.nlink = b->nlink;
  b->inverse = brio_inverse_new(robot, &options, &b->err);
  CHECK(b->inverse, "%s", b->err.message);
  CHECK(brio_state_start(&b->state, robot, &b->err), "%s", b->err.message);
  return b->inverse != NULL;
}

static inline void end(bench *b) {
  if (!b->robot) return;
  brio_inverse_free(b->inverse);
  brio_state_end(&b->state);
  brio_robot_free(b->robot);
}

static inline brio_pose link_at(bench *b, const double *q, int k) {
  brio_state_update(&b->state, q);
  return brio_pose_of(&b->state.links[b->links[k]]);
}

static inline double gap(brio_pose a, brio_pose b) {
  return brio_vec3_norm(brio_vec3_sub(a.p, b.p));
}
static inline double turn(brio_pose a, brio_pose b) {
  return brio_quat_angle(brio_quat_mul(a.q, brio_quat_conj(b.q)));
}

static inline void check_limits(const brio_robot *robot, const double *q) {
  for (int i = 0; i < robot->nvariable; i++) {
    const brio_variable *v = &robot->variables[i];
    double value = q[BRIO_BASE_NQ + i];
    CHECK(isfinite(value) &&
              (v->circular || !(v->lower <= v->upper) || (value >= v->lower && value <= v->upper)),
          "%s: %.17g is not within [%.17g, %.17g]", v->name, value, v->lower, v->upper);
  }
}

/* Solve for the poses of random configurations, from other configurations.  Return the
** number of solutions. */
static inline int round_trips(bench *b, int count, brio_inverse_request request, uint64_t seed) {
  brio_random stream = brio_random_stream(seed, "round trips");
  double there[MOST], from[MOST];
  brio_inverse_goal goals[2];
  memset(goals, 0, sizeof goals);
  int found = 0;
  request.goals = goals;
  request.seed = from;
  for (int i = 0; i < count; i++) {
    demo_draw(b->robot, &stream, there);
    demo_draw(b->robot, &stream, from);
    for (int k = 0; k < b->nlink; k++) goals[k].pose = link_at(b, there, k);
    brio_inverse_result result;
    if (!brio_inverse_solve(b->inverse, &request, &result, &b->err)) {
      CHECK(b->err.code == BRIO_UNREACHABLE && !result.found, "%s", b->err.message);
      continue;
    }
    found++;
    check_limits(b->robot, result.q);
    for (int k = 0; k < b->nlink; k++) {
      brio_pose is = link_at(b, result.q, k);
      CHECK(gap(is, goals[k].pose) <= 1e-4 * (1 + 1e-6), "%s: %g m", b->robot->name, gap(is, goals[k].pose));
      CHECK(turn(is, goals[k].pose) <= 1e-3 * (1 + 1e-6), "%s: %g rad", b->robot->name,
            turn(is, goals[k].pose));
      CHECK(result.position >= gap(is, goals[k].pose) - 1e-9, "says %g m", result.position);
    }
  }
  return found;
}

/* Tolerances that leave everything free. */
static const double nothing[3] = {INFINITY, INFINITY, INFINITY};

static inline brio_inverse_goal goal_of(brio_pose pose, const double *position, const double *orientation) {
  brio_inverse_goal goal = {.pose = pose};
  if (position) memcpy(goal.position, position, sizeof goal.position);
  if (orientation) memcpy(goal.orientation, orientation, sizeof goal.orientation);
  return goal;
}

#endif
