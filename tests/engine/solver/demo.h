/* Robots for the solver's tests: a seven-joint arm on a pedestal written here, fixed or on a
** base that may move, and the robots of the shared folder where there is one. */
#ifndef BRIO_TESTS_SOLVER_DEMO_H
#define BRIO_TESTS_SOLVER_DEMO_H

#include "solver/solver.h"
#include "tests/check.h"

#define DEMO_JOINT(NAME, PARENT, CHILD, XYZ, AXIS, LIMITS)                                         \
  "<joint name='" NAME "' type='revolute'><parent link='" PARENT "'/><child link='" CHILD "'/>"    \
  "<origin xyz='" XYZ "'/><axis xyz='" AXIS "'/><limit " LIMITS " velocity='2' effort='50'/></joint>"
#define DEMO_LINK(NAME, XYZ, SHAPE)                                                                \
  "<link name='" NAME "'><inertial><origin xyz='" XYZ "'/><mass value='2'/>"                       \
  "<inertia ixx='.01' iyy='.01' izz='.01' ixy='0' ixz='0' iyz='0'/></inertial>"                    \
  "<collision><origin xyz='" XYZ "'/><geometry>" SHAPE "</geometry></collision></link>"

static const char DEMO_ARM[] =
  "<robot name='demo'>"
  DEMO_LINK("base", "0 0 .15", "<box size='.2 .2 .3'/>")
  DEMO_LINK("link1", "0 0 .05", "<sphere radius='.07'/>")
  DEMO_LINK("link2", "0 0 .15", "<capsule radius='.05' length='.2'/>")
  DEMO_LINK("link3", "0 0 .02", "<sphere radius='.055'/>")
  DEMO_LINK("link4", "0 0 .15", "<capsule radius='.045' length='.2'/>")
  DEMO_LINK("link5", "0 0 .02", "<sphere radius='.05'/>")
  DEMO_LINK("link6", "0 0 .05", "<sphere radius='.045'/>")
  DEMO_LINK("hand", "0 0 .04", "<box size='.08 .03 .08'/>")
  DEMO_JOINT("joint1", "base", "link1", "0 0 .33", "0 0 1", "lower='-2.9' upper='2.9'")
  DEMO_JOINT("joint2", "link1", "link2", "0 0 .1", "0 1 0", "lower='-1.8' upper='1.8'")
  DEMO_JOINT("joint3", "link2", "link3", "0 0 .3", "0 0 1", "lower='-2.9' upper='2.9'")
  DEMO_JOINT("joint4", "link3", "link4", "0 0 .04", "0 1 0", "lower='-.1' upper='2.6'")
  DEMO_JOINT("joint5", "link4", "link5", "0 0 .3", "0 0 1", "lower='-2.9' upper='2.9'")
  DEMO_JOINT("joint6", "link5", "link6", "0 0 .04", "0 1 0", "lower='-2.1' upper='2.1'")
  DEMO_JOINT("joint7", "link6", "hand", "0 0 .1", "0 0 1", "lower='-2.9' upper='2.9'")
  "</robot>";

/* Give every variable the acceleration limit `most`. */
static inline void demo_accelerations(brio_robot *robot, double most) {
  brio_limits limits = {NAN, NAN, NAN, most};
  for (int i = 0; robot && i < robot->nvariable; i++) brio_robot_set_limits(robot, i, &limits, NULL);
}

/* The arm, its base `bounded` to 0.2 m and 0.5 rad, or fixed. */
static inline brio_robot *demo_arm(bool bounded) {
  brio_robot_options options = {.base = bounded ? BRIO_BASE_BOUNDED : BRIO_BASE_FIXED,
                                .base_center = {{0.1, -0.2, 0.3}, {0.1, 0.2, -0.3, 0.9}},
                                .base_range = {0.2, 0.2, 0.2, 0.5, 0.5, 0.5}};
  options.base_center.q = brio_quat_unit(options.base_center.q);
  if (!bounded) options.base_center = BRIO_POSE_IDENTITY;
  brio_error err = {0};
  brio_robot *robot = brio_robot_parse(DEMO_ARM, sizeof DEMO_ARM - 1, "demo.urdf", &options, &err);
  CHECK(robot != NULL, "%s", err.message);
  return robot;
}

/* A robot of the shared folder ("panda/panda.urdf"), or NULL. */
static inline brio_robot *demo_shared(const char *file) {
  const char *folder = check_shared();
  if (!folder) return NULL;
  char path[1024];
  snprintf(path, sizeof path, "%s/data/robots/%s", folder, file);
  return brio_robot_load(path, NULL, NULL);
}

/* Draw a configuration within the limits (and the base's range). */
static inline void demo_draw(const brio_robot *robot, brio_random *stream, double *q) {
  brio_robot_neutral(robot, q);
  if (robot->base == BRIO_BASE_BOUNDED) {
    double u[3];
    for (int i = 0; i < 3; i++) {
      q[i] += brio_random_uniform(stream, -robot->base_range[i], robot->base_range[i]);
      u[i] = brio_random_uniform(stream, -robot->base_range[3 + i], robot->base_range[3 + i]);
    }
    brio_quat turn = brio_quat_mul(brio_quat_exp((brio_vec3){u[0], u[1], u[2]}), robot->base_center.q);
    q[3] = turn.x, q[4] = turn.y, q[5] = turn.z, q[6] = turn.w;
  }
  for (int i = 0; i < robot->nvariable; i++) {
    const brio_variable *v = &robot->variables[i];
    double lower = isfinite(v->lower) ? v->lower : -3, upper = isfinite(v->upper) ? v->upper : 3;
    q[BRIO_BASE_NQ + i] = brio_random_uniform(stream, lower, upper);
  }
}

/* A solver that must be made. */
static inline brio_solver *demo_solver(const brio_robot *robot, const brio_solver_options *options) {
  brio_error err = {0};
  brio_solver *solver = brio_solver_new(robot, options, &err);
  CHECK(solver != NULL, "%s", err.message);
  return solver;
}

/* Add an objective about `target` (a link or joint; NULL: none), with a goal and a weight. */
static inline int demo_add(brio_solver *solver, const char *key, const char *kind, const char *target,
                           const double *goal, double weight) {
  brio_error err = {0};
  const brio_objective_kind *row = brio_objective_kind_find(kind, &err);
  CHECK(row != NULL, "%s", err.message);
  if (!row) return -1;
  brio_argument argument = {.name = row->params[0].name, .text = target};
  int slot = brio_solver_add(solver, key, kind, &argument, target ? 1 : 0, &err);
  CHECK(slot >= 0, "%s", err.message);
  if (goal) CHECK(brio_solver_set_goal(solver, slot, goal, row->goal->count, 0, &err), "%s", err.message);
  CHECK(brio_solver_set_weight(solver, slot, weight, 0, &err), "%s", err.message);
  return slot;
}

/* Solve `ticks` times at 1 / dt Hz from `*time` on. */
static inline brio_solution demo_run(brio_solver *solver, double *time, double dt, int ticks) {
  brio_solution solution = {0};
  for (int i = 0; i < ticks; i++) {
    *time += dt;
    brio_solver_solve(solver, *time, dt, &solution);
  }
  return solution;
}

#endif
