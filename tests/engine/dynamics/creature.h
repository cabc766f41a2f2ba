/* A robot that has everything, for tests of dynamics: each kind of joint, odd axes, two branches, mimic
** joints in a chain and across branches, fixed links, inertias that are turned and off the joints. */
#ifndef BRIO_TESTS_CREATURE_H
#define BRIO_TESTS_CREATURE_H

#include "base/random.h"
#include "dynamics/dynamics.h"
#include "tests/check.h"

#define CREATURE_LINK(name, m, x)                                                                   \
  "<link name='" name "'><inertial><origin xyz='" x "' rpy='0.3 -0.7 1.1'/><mass value='" m "'/>"   \
  "<inertia ixx='0.05' ixy='0.004' ixz='-0.006' iyy='0.06' iyz='0.003' izz='0.04'/></inertial></link>"
#define CREATURE_JOINT(name, type, parent, child, inside)                                           \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>"     \
  "<origin xyz='0.1 0.2 0.3' rpy='0.4 -0.5 0.6'/>" inside "</joint>"
#define CREATURE_RANGE "<limit lower='-2' upper='2' velocity='1' effort='1'/>"

static const char creature_text[] =
    "<robot name='creature'>" CREATURE_LINK("root", "4", "0.1 -0.2 0.05") CREATURE_LINK("a", "2", "0 0 0.1")
    CREATURE_LINK("b", "0.5", "0.1 0 0") CREATURE_LINK("c", "0.7", "0 -0.1 0.2")
    CREATURE_LINK("d", "1.5", "0 0 0.2") CREATURE_LINK("e", "0.3", "0.05 0.02 0")
    CREATURE_LINK("f", "0.4", "0 0.1 0") CREATURE_LINK("g", "0.6", "0.1 0.1 0")
    CREATURE_LINK("h", "0.9", "0 0 -0.1") "<link name='tip'/>"
    CREATURE_JOINT("turn", "revolute", "root", "a", "<axis xyz='0 0 1'/><dynamics damping='0.3'/>"
                   CREATURE_RANGE)
    CREATURE_JOINT("slide", "prismatic", "a", "b", "<axis xyz='1 2 3'/>" CREATURE_RANGE)
    CREATURE_JOINT("weld", "fixed", "b", "c", "")
    CREATURE_JOINT("drift", "planar", "c", "d", "<axis xyz='0.3 -0.4 0.5'/>")
    CREATURE_JOINT("wheel", "continuous", "d", "e", "<axis xyz='0 0 -1'/>")
    CREATURE_JOINT("fly", "floating", "a", "f", "")
    CREATURE_JOINT("copy", "revolute", "f", "g", "<axis xyz='0.2 0.9 -0.1'/>" CREATURE_RANGE
                   "<dynamics damping='0.2'/><mimic joint='turn' multiplier='-1.5' offset='0.2'/>")
    CREATURE_JOINT("copy_slide", "prismatic", "g", "h", "<axis xyz='0 1 0'/>" CREATURE_RANGE
                   "<mimic joint='copy' multiplier='0.5'/>")
    CREATURE_JOINT("end", "fixed", "h", "tip", "") "</robot>";

enum { CREATURE_MOST = 64 };

/* Load the creature; end the test's program if it does not load. */
static inline brio_robot *creature_load(bool independent_mimic, brio_base_type base) {
  brio_error err;
  brio_robot_options options = {.independent_mimic = independent_mimic, .base = base};
  brio_robot *robot = brio_robot_parse(creature_text, strlen(creature_text), "creature.urdf", &options, &err);
  CHECK(robot, "%s", err.message);
  if (!robot) exit(1);
  return robot;
}

/* Write a random configuration. */
static inline void creature_pose(const brio_robot *robot, brio_random *random, double *q) {
  brio_robot_neutral(robot, q);
  brio_vec3 turn = {brio_random_normal(random), brio_random_normal(random), brio_random_normal(random)};
  brio_quat base = brio_quat_exp(turn);
  for (int i = 0; i < 3; i++) q[i] = brio_random_normal(random);
  q[3] = base.x, q[4] = base.y, q[5] = base.z, q[6] = base.w;
  for (int i = 0; i < robot->nvariable; i++) q[BRIO_BASE_NQ + i] = brio_random_uniform(random, -1.2, 1.2);
}

/* Write random tangent numbers (nv). */
static inline void creature_rates(const brio_robot *robot, brio_random *random, double *u) {
  for (int i = 0; i < robot->nv; i++) u[i] = brio_random_normal(random);
}

/* Return the largest difference of two lists, of the largest number in `b` (at least 1). */
static inline double creature_difference(const double *a, const double *b, int count) {
  double scale = 1, worst = 0;
  for (int i = 0; i < count; i++) scale = fmax(scale, fabs(b[i]));
  for (int i = 0; i < count; i++) worst = isfinite(a[i]) ? fmax(worst, fabs(a[i] - b[i])) : INFINITY;
  return worst / scale;
}

#endif
