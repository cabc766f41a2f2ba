/* What the tests of joint paths share: a small arm, and an independent check of configurations: the plain
** pass of the proximity queries over all pairs of the robot's own shapes, placed by the robot's own
** kinematics. */
#ifndef BRIO_TESTS_JOINTS_H
#define BRIO_TESTS_JOINTS_H

#include "base/random.h"
#include "geometry/proximity.h"
#include "plan/joints/checker.h"
#include "robot/kinematics.h"
#include "robot/lever.h"
#include "tests/check.h"

enum { PLAIN_BODIES = 400, PLAIN_PAIRS = 40000, PLAIN_FRAMES = 200, ARM_VARIABLES = 5 };

/* Turns about two axes, a slide, a roll without ends whose link is off its axis, a bend beside it, and a joint
** that mimics the elbow; links of all shapes that a URDF has. */
static const char arm_text[] =
    "<robot name='arm'>"
    "<link name='base'><collision><origin xyz='0 0 -0.05'/><geometry><box size='0.16 0.16 "
    "0.1'/></geometry></collision></link>"
    "<link name='upper'><collision><origin xyz='0.2 0 0' rpy='0 1.5707963 0'/><geometry><cylinder "
    "radius='0.03' length='0.4'/></geometry></collision></link>"
    "<link name='fore'><collision><origin xyz='0.14 0 0'/><geometry><box size='0.28 0.05 "
    "0.06'/></geometry></collision></link>"
    "<link name='hand'><collision><geometry><sphere radius='0.04'/></geometry></collision></link>"
    "<link name='finger'><collision><origin xyz='0.03 0.05 0'/><geometry><box size='0.1 0.02 "
    "0.02'/></geometry></collision></link>"
    "<link name='thumb'><collision><origin xyz='0.03 -0.1 0'/><geometry><sphere "
    "radius='0.015'/></geometry></collision></link>"
    "<joint name='pan' type='revolute'><parent link='base'/><child link='upper'/><origin xyz='0 0 "
    "0.1'/><axis xyz='0 0 1'/>"
    "<limit lower='-2.9' upper='2.9' velocity='1' effort='1'/></joint>"
    "<joint name='elbow' type='revolute'><parent link='upper'/><child link='fore'/><origin xyz='0.45 0 "
    "0'/><axis xyz='0 1 0'/>"
    "<limit lower='-2.5' upper='2.5' velocity='1' effort='1'/></joint>"
    "<joint name='slide' type='prismatic'><parent link='fore'/><child link='hand'/><origin xyz='0.3 0 "
    "0'/><axis xyz='1 0 0'/>"
    "<limit lower='0' upper='0.2' velocity='1' effort='1'/></joint>"
    "<joint name='roll' type='continuous'><parent link='hand'/><child link='finger'/><origin xyz='0.03 0 "
    "0'/><axis xyz='1 0 0'/>"
    "<limit velocity='1' effort='1'/></joint>"
    "<joint name='bend' type='revolute'><parent link='hand'/><child link='thumb'/><origin xyz='0.02 0 "
    "0'/><axis xyz='0 1 0'/>"
    "<limit lower='-1' upper='1' velocity='1' effort='1'/></joint>"
    "<link name='nail'><collision><origin xyz='0 -0.02 0.02'/><geometry><sphere radius='0.01'/></geometry>"
    "</collision></link>"
    "<joint name='tip' type='revolute'><parent link='thumb'/><child link='nail'/><origin xyz='0.03 -0.1 0.03'/>"
    "<axis xyz='1 0 0'/><mimic joint='elbow' multiplier='-0.5' offset='0.1'/>"
    "<limit lower='-3' upper='3' velocity='1' effort='1'/></joint>"
    "</robot>";

static inline brio_robot *arm_load(void) {
  brio_error err;
  brio_robot *robot = brio_robot_parse(arm_text, sizeof arm_text - 1, "arm", NULL, &err);
  CHECK(robot != NULL, "%s", err.message);
  return robot;
}

/* --- the independent check --- */

typedef struct plain {
  const brio_robot *robot;
  brio_state state;
  double *q;
  int nx;
  const int *variables;
  int nbody, npair;
  brio_body bodies[PLAIN_BODIES];
  brio_proximity_pair pairs[PLAIN_PAIRS];
  double levers[PLAIN_FRAMES];
} plain;

static inline bool plain_allowed(const brio_link_pair *allowed, int nallowed, int a, int b) {
  for (int i = 0; i < nallowed; i++)
    if ((allowed[i].links[0] == a && allowed[i].links[1] == b) ||
        (allowed[i].links[0] == b && allowed[i].links[1] == a))
      return true;
  return false;
}

/* Whether no variable moves two links against each other: they meet without a joint that moves between. */
static inline bool plain_rigid(const brio_robot *robot, int a, int b) {
  return brio_robot_frame_of(robot, a, NULL) == brio_robot_frame_of(robot, b, NULL);
}

/* List all shapes, and all pairs but those that are rigid, allowed, or parent and child.  Obstacles are in
** the world.  What does not move is not paired. */
static inline plain *plain_new(const brio_joint_checker_request *r) {
  plain *p = calloc(1, sizeof *p);
  brio_error err;
  p->robot = r->robot, p->nx = r->nvariable, p->variables = r->variables;
  p->q = malloc((size_t)r->robot->nq * sizeof *p->q);
  memcpy(p->q, r->q, (size_t)r->robot->nq * sizeof *p->q);
  CHECK(brio_state_start(&p->state, r->robot, &err), "%s", err.message);
  int nown = r->robot->ncollision;
  CHECK(nown + r->nobstacle <= PLAIN_BODIES, "%d shapes", nown + r->nobstacle);
  for (int i = 0; i < nown + r->nobstacle; i++) {
    bool own = i < nown;
    const brio_link_shape *shape = own ? &r->robot->collisions[i] : NULL;
    brio_body *body = &p->bodies[p->nbody++];
    body->frame = own ? shape->link : -1;
    body->shape = own ? shape->shape : r->obstacles[i - nown].shape;
    body->pose = brio_transform_of(own ? shape->pose : r->obstacles[i - nown].pose);
    body->radius = brio_shape_radius(&body->shape);
    body->present = true;
  }
  for (int i = 0; i < nown; i++)
    for (int j = i + 1; j < p->nbody; j++) {
      int a = p->bodies[i].frame, b = p->bodies[j].frame;
      bool still = brio_robot_frame_of(r->robot, a, NULL) == 0;
      if (b < 0 ? still
                : plain_rigid(r->robot, a, b) || r->robot->links[a].parent == b ||
                      r->robot->links[b].parent == a || plain_allowed(r->allowed, r->nallowed, a, b))
        continue;
      CHECK(p->npair < PLAIN_PAIRS, "%d pairs", p->npair);
      p->pairs[p->npair++] = brio_proximity_pair_of(i, j);
    }
  /* By how much at most a point moves for each unit of a variable, joints that mimic it included. */
  double levers[PLAIN_FRAMES];
  brio_robot_levers(r->robot, levers);
  for (int j = 0; j < r->robot->njoint; j++)
    for (int k = 0; k < r->robot->joints[j].nvariable; k++)
      p->levers[r->robot->joints[j].variable + k] += brio_joint_lever(r->robot, levers, j, k);
  return p;
}

static inline void plain_free(plain *p) {
  brio_state_end(&p->state);
  free(p->q);
  free(p);
}

/* Return the least distance, exact up to 5 cm. */
static inline double plain_distance(plain *p, const double *x) {
  for (int i = 0; i < p->nx; i++) p->q[BRIO_BASE_NQ + p->variables[i]] = x[i];
  brio_state_update(&p->state, p->q);
  return brio_proximity_query(p->bodies, p->nbody, p->state.links, p->pairs, p->npair, 0.05);
}

/* Return the least distance along a straight motion, in steps that move no point farther than `step`, m. */
static inline double plain_motion(plain *p, const double *x, const double *delta, double step) {
  double far = 0, at[BRIO_JOINTS_PLANNED], least = INFINITY;
  for (int i = 0; i < p->nx; i++) far += p->levers[p->variables[i]] * fabs(delta[i]);
  int n = (int)ceil(far / step) + 1;
  for (int k = 0; k <= n; k++) {
    for (int i = 0; i < p->nx; i++) at[i] = x[i] + delta[i] * k / n;
    least = fmin(least, plain_distance(p, at));
  }
  return least;
}

#endif
