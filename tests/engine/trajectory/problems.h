/* Small trajectory problems with known answers, shared by the tests of the room. */
#ifndef BRIO_TESTS_TRAJECTORY_PROBLEMS_H
#define BRIO_TESTS_TRAJECTORY_PROBLEMS_H

#include "tests/check.h"
#include "trajectory/backend.h"
#include "trajectory/scheme.h"
#include "trajectory/term.h"

enum { PROBLEM_TERMS = 12, PROBLEM_PHASES = 4 };

#define PROBLEM_LINK(name, mass, place, inertia)                                                             \
  "<link name='" name "'><inertial><origin xyz='" place "'/><mass value='" mass "'/><inertia ixx='" inertia  \
  "' iyy='" inertia "' izz='" inertia "' ixy='0' ixz='0' iyz='0'/></inertial></link>"
#define PROBLEM_JOINT(name, type, parent, child, axis, limits)                                               \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>"              \
  "<axis xyz='" axis "'/><limit " limits "/></joint>"

/* A block of 1 kg on a slide. */
static const char problem_block[] =
    "<robot name='block'><link name='world'/>" PROBLEM_LINK("mass", "1", "0 0 0", "1")
        PROBLEM_JOINT("x", "prismatic", "world", "mass", "1 0 0",
                      "lower='-5' upper='5' effort='100' velocity='100'") "</robot>";

/* Cart (1 kg) and pole (0.3 kg at 0.5 m), which has no motor; 20 N, 2 m. */
static const char problem_cart[] =
    "<robot name='cart'><link name='world'/>" PROBLEM_LINK("cart", "1", "0 0 0", "1")
        PROBLEM_LINK("pole", "0.3", "0 0 -0.5", "1e-9") PROBLEM_JOINT(
            "x", "prismatic", "world", "cart", "1 0 0", "lower='-2' upper='2' effort='20' velocity='100'")
            PROBLEM_JOINT("angle", "revolute", "cart", "pole", "0 -1 0",
                          "lower='-6.5' upper='6.5' effort='1' velocity='100'") "</robot>";

/* A body (1 kg) on a vertical slide without a motor, a leg below it with one, a foot of 0.1 kg. */
static const char problem_hopper[] =
    "<robot name='hopper'><link name='world'/>" PROBLEM_LINK("body", "1", "0 0 0", "0.01")
        PROBLEM_LINK("foot", "0.1", "0 0 0", "0.01") PROBLEM_JOINT(
            "height", "prismatic", "world", "body", "0 0 1", "lower='0' upper='3' effort='1' velocity='100'")
            PROBLEM_JOINT("leg", "prismatic", "body", "foot", "0 0 -1",
                          "lower='0.1' upper='0.6' effort='100' velocity='100'") "</robot>";

/* What terms may need as arguments; each is first in the record of its kind, as far as it is used here. */
typedef struct problem_pose {
  double *at, base, joints;
} problem_pose;
typedef struct problem_rest {
  double *velocity;
  brio_vec3 linear_velocity, angular_velocity;
  double linear, angular, joints;
} problem_rest;

typedef struct problem {
  brio_robot *robot;
  brio_trajectory trajectory;
  brio_trajectory_phase phases[PROBLEM_PHASES];
  brio_trajectory_term terms[PROBLEM_TERMS];
  brio_trajectory_setup setup;
  brio_trajectory_motion motion;
  brio_trajectory_outcome outcome;
  brio_arena arena;
} problem;

static problem_rest problem_still = {.linear = 1, .angular = 1, .joints = 1};
static double problem_nothing[8];

/* Load a robot whose base is fixed. */
static inline void problem_load(problem *p, const char *text, const char *scheme) {
  brio_error err;
  memset(p, 0, sizeof *p);
  p->robot = brio_robot_parse(text, strlen(text), "problem.urdf", NULL, &err);
  if (!p->robot) printf("# %s\n", err.message), exit(1);
  brio_arena_start(&p->arena, 4096);
  p->setup = (brio_trajectory_setup){
      .robot = p->robot, .phases = p->phases, .terms = p->terms, .stiffness = 100, .damping = 20};
  p->setup.scheme = brio_trajectory_scheme_find(scheme, &err);
}

static inline void problem_phase(problem *p, int nodes, double duration, double least, double greatest) {
  p->phases[p->setup.nphase++] =
      (brio_trajectory_phase){.nodes = nodes, .duration = duration, .stretch = {least, greatest}};
}

/* Add a term at a node of a phase. */
static inline void problem_term(problem *p, const char *kind, const void *arguments, int phase, int node,
                                double weight) {
  brio_error err;
  const brio_trajectory_term_kind *found = brio_trajectory_term_find(kind, &err);
  CHECK(found, "%s", err.message);
  bool time = strcmp(kind, "effort") == 0;
  p->terms[p->setup.nterm++] = (brio_trajectory_term){found, arguments, phase, node, weight, time};
}

/* A configuration of a robot with up to two variables. */
static inline double *problem_at(problem *p, double a, double b) {
  double *q = BRIO_TAKE(&p->arena, double, 16);
  brio_robot_neutral(p->robot, q);
  q[BRIO_BASE_NQ] = a, q[BRIO_BASE_NQ + 1] = b;
  return q;
}

/* The state of a node is a configuration at rest. */
static inline void problem_pin(problem *p, double *q, int phase, int node) {
  problem_pose *pose = BRIO_TAKE(&p->arena, problem_pose, 1);
  *pose = (problem_pose){q, 1, 1};
  problem_term(p, "pose", pose, phase, node, 0);
  problem_term(p, "rest", &problem_still, phase, node, 0);
}

/* Start it, with a straight line from one configuration to another as the first motion. */
static inline void problem_start(problem *p, const double *from, const double *to) {
  brio_error err;
  bool good = brio_trajectory_start(&p->trajectory, &p->setup, &err) &&
              brio_trajectory_take_motion(&p->trajectory, &p->arena, &p->motion, &err);
  CHECK(good, "%s", err.message);
  if (!good) exit(1);
  for (int k = 0; k < p->trajectory.nnode; k++)
    for (int v = BRIO_BASE_NQ; v < p->robot->nq; v++)
      p->motion.q[k * p->robot->nq + v] = from[v] + (to[v] - from[v]) * k / (p->trajectory.nnode - 1);
  CHECK(brio_trajectory_guess(&p->trajectory, &p->motion, &err), "%s", err.message);
}

/* Solve it.  False: the backend's library is not here. */
static inline bool problem_solve(problem *p, const char *backend, const brio_trajectory_options *options) {
  brio_error err;
  brio_trajectory_options usual = brio_trajectory_default_options();
  bool good = brio_trajectory_backend_find(backend, &err)
                  ->solve(&p->trajectory, options ? options : &usual, &p->motion, &p->outcome, &err);
  CHECK(good || err.code == BRIO_NO_FILE, "%s", err.message);
  return good;
}

static inline void problem_end(problem *p) {
  brio_trajectory_end(&p->trajectory);
  brio_arena_end(&p->arena);
  brio_robot_free(p->robot);
}

#endif
