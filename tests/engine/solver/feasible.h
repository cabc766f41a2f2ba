/* An independent judge of commanded motion: limits from differences of poses, contact from distances
** measured separately at and between the ticks, without the solver's help. */
#ifndef BRIO_TESTS_SOLVER_FEASIBLE_H
#define BRIO_TESTS_SOLVER_FEASIBLE_H

#include "demo.h"
#include "geometry/distance.h"

enum { JUDGE_BODIES = 160, JUDGE_PAIRS = 8000, JUDGE_NQ = 128, JUDGE_BETWEEN = 4 };

typedef struct judge_pair {
  int a, b;
  double least; /* m: not nearer than this */
} judge_pair;

typedef struct judge {
  const brio_robot *robot;
  brio_state state;
  brio_body bodies[JUDGE_BODIES]; /* the robot's, then boxes */
  int nbody;
  judge_pair pairs[JUDGE_PAIRS];
  int npair;
  double last[JUDGE_NQ], speed[JUDGE_NQ];
  bool started;
  double overrun;    /* greatest excess over a limit, in its own unit */
  double intrusion;  /* m: greatest excess over a pair's least distance */
  double nearest;    /* m: least distance of pairs that began apart */
} judge;

static inline double judge_distance(const judge *j, const judge_pair *pair) {
  brio_transform pose[2];
  const brio_body *body[2] = {&j->bodies[pair->a], &j->bodies[pair->b]};
  for (int i = 0; i < 2; i++)
    pose[i] = body[i]->frame < 0 ? body[i]->pose
                                 : brio_transform_mul(&j->state.links[body[i]->frame], &body[i]->pose);
  double bound = brio_shape_distance_bound(body[0]->radius, &pose[0], body[1]->radius, &pose[1]);
  if (bound > 0.02) return bound;
  return brio_shape_distance(&body[0]->shape, &pose[0], &body[1]->shape, &pose[1], NULL).distance;
}

static inline void judge_add_pair(judge *j, int a, int b) {
  CHECK(j->npair < JUDGE_PAIRS, "too many pairs");
  if (j->npair < JUDGE_PAIRS) j->pairs[j->npair++] = (judge_pair){a, b, 0};
}

/* Judge the robot's own pairs that the solver watches. */
static inline void judge_start(judge *j, const brio_solver *solver) {
  memset(j, 0, sizeof *j);
  j->robot = brio_solver_robot(solver);
  j->nearest = INFINITY;
  brio_state_start(&j->state, j->robot, NULL);
  for (int i = 0; i < j->robot->ncollision && i < JUDGE_BODIES; i++) {
    const brio_link_shape *shape = &j->robot->collisions[i];
    j->bodies[j->nbody++] = (brio_body){.frame = shape->link, .pose = brio_transform_of(shape->pose),
                                        .shape = shape->shape, .radius = brio_shape_radius(&shape->shape)};
  }
  const int(*links)[2];
  int count = brio_solver_self_pairs(solver, &links);
  for (int k = 0; k < count; k++)
    for (int a = 0; a < j->nbody; a++)
      for (int b = 0; b < j->nbody; b++)
        if (j->bodies[a].frame == links[k][0] && j->bodies[b].frame == links[k][1]) judge_add_pair(j, a, b);
}

/* Whether something between the root and the link moves. */
static inline bool judge_moves(const brio_robot *robot, int link) {
  bool moves = robot->base != BRIO_BASE_FIXED;
  for (int l = link; l > 0; l = robot->links[l].parent) {
    const brio_joint *joint = &robot->joints[robot->links[l].joint];
    for (int i = 0; i < joint->nvariable; i++) {
      const brio_variable *v = &robot->variables[joint->variable + i];
      moves |= v->circular || v->lower < v->upper;
    }
  }
  return moves;
}

/* Add a solid that is fixed in the world. */
static inline void judge_add_solid(judge *j, brio_pose pose, const brio_shape *shape) {
  if (j->nbody == JUDGE_BODIES) return;
  int body = j->nbody++;
  j->bodies[body] = (brio_body){.frame = -1, .pose = brio_transform_of(pose), .shape = *shape,
                                .radius = brio_shape_radius(shape)};
  for (int a = 0; a < j->robot->ncollision; a++)
    if (judge_moves(j->robot, j->bodies[a].frame)) judge_add_pair(j, a, body);
}

/* Make `q` the start: every pair may keep its distance at the start, or the clearance, or, where the robot is
** built closer, a quarter of that (but not less than half a millimetre). */
static inline void judge_begin(judge *j, const double *q, double clearance) {
  double neutral[JUDGE_NQ];
  brio_robot_neutral(j->robot, neutral);
  brio_state_update(&j->state, neutral);
  for (int i = 0; i < j->npair; i++) {
    double built = j->bodies[j->pairs[i].b].frame < 0 ? INFINITY : judge_distance(j, &j->pairs[i]);
    j->pairs[i].least = fmin(clearance, built > 0 ? fmax(built / 4, 0.0005) : INFINITY);
  }
  brio_state_update(&j->state, q);
  for (int i = 0; i < j->npair; i++)
    j->pairs[i].least = fmin(judge_distance(j, &j->pairs[i]), j->pairs[i].least);
  memcpy(j->last, q, (size_t)j->robot->nq * sizeof *q);
  memset(j->speed, 0, sizeof j->speed);
}

static inline void judge_limits(judge *j, const double *q, double dt) {
  for (int i = 0; i < j->robot->nvariable; i++) {
    const brio_variable *v = &j->robot->variables[i];
    double now = (q[7 + i] - j->last[7 + i]) / dt, rounding = 0x1p-50 * (1 + fabs(q[7 + i])) / dt;
    if (!v->circular && v->lower <= v->upper)
      j->overrun = fmax(j->overrun, fmax(v->lower - q[7 + i], q[7 + i] - v->upper));
    if (v->velocity > 0) j->overrun = fmax(j->overrun, fabs(now) - v->velocity - rounding);
    j->overrun = fmax(j->overrun, fabs(now - j->speed[i]) - v->acceleration * dt - rounding);
    j->speed[i] = now;
  }
  double *center = (double *)&j->robot->base_center.p.x;
  for (int k = 0; k < 3 && j->robot->base == BRIO_BASE_BOUNDED; k++)
    j->overrun = fmax(j->overrun, fabs(q[k] - center[k]) - j->robot->base_range[k] - 1e-12);
}

static inline void judge_contacts(judge *j, const double *q) {
  double step[JUDGE_NQ], part[JUDGE_NQ], between[JUDGE_NQ];
  brio_robot_difference(j->robot, j->last, q, step);
  for (int i = BRIO_BASE_NV; i < j->robot->nv; i++) step[i] = q[i + 1] - j->last[i + 1];
  for (int n = 1; n <= JUDGE_BETWEEN; n++) {
    for (int i = 0; i < j->robot->nv; i++) part[i] = step[i] * n / JUDGE_BETWEEN;
    brio_robot_integrate(j->robot, j->last, part, between);
    brio_state_update(&j->state, between);
    for (int i = 0; i < j->npair; i++) {
      double d = judge_distance(j, &j->pairs[i]);
      j->intrusion = fmax(j->intrusion, j->pairs[i].least - d);
      if (j->pairs[i].least > 0) j->nearest = fmin(j->nearest, d);
    }
  }
}

/* Judge the pose `dt` after the last one. */
static inline void judge_tick(judge *j, const double *q, double dt) {
  for (int i = 0; i < j->robot->nq; i++) CHECK(isfinite(q[i]), "%s: q[%d] is not finite", j->robot->name, i);
  judge_limits(j, q, dt);
  judge_contacts(j, q);
  memcpy(j->last, q, (size_t)j->robot->nq * sizeof *q);
}

static inline void judge_end(judge *j) { brio_state_end(&j->state); }

/* The link farthest down the longest chain. */
static inline int find_tip(const brio_robot *robot) {
  int best = 0, deepest = -1;
  for (int l = 0; l < robot->nlink; l++) {
    int depth = 0;
    for (int up = l; up > 0; up = robot->links[up].parent)
      depth += robot->joints[robot->links[up].joint].nvariable > 0;
    if (depth > deepest) deepest = depth, best = l;
  }
  return best;
}

#endif
