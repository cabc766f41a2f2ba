/* An independent check of configurations: the plain pass of the proximity queries over all pairs of the
** robot's own shapes, placed by the robot's own kinematics.  Used by the tests and by the benchmark. */
#ifndef BRIO_TESTS_PLAIN_H
#define BRIO_TESTS_PLAIN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/proximity.h"
#include "plan/joints/checker.h"
#include "robot/kinematics.h"
#include "robot/lever.h"

enum { PLAIN_BODIES = 400, PLAIN_PAIRS = 40000, PLAIN_FRAMES = 200 };

/* End a program whose scene is larger than this check. */
static inline void plain_need(bool good, const char *what) {
  if (good) return;
  fprintf(stderr, "plain check: %s\n", what);
  abort();
}

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
  plain_need(brio_state_start(&p->state, r->robot, &err), "no memory");
  int nown = r->robot->ncollision;
  plain_need(nown + r->nobstacle <= PLAIN_BODIES, "too many shapes");
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
      plain_need(p->npair < PLAIN_PAIRS, "too many pairs");
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

/* Return the least distance along a path of `count` corners, in such steps. */
static inline double plain_path(plain *p, const double *path, int count, double step) {
  double least = INFINITY, delta[BRIO_JOINTS_PLANNED];
  for (int i = 0; i + 1 < count; i++) {
    const double *x = path + (size_t)i * (size_t)p->nx;
    for (int k = 0; k < p->nx; k++) delta[k] = x[p->nx + k] - x[k];
    least = fmin(least, plain_motion(p, x, delta, step));
  }
  return least;
}

#endif
