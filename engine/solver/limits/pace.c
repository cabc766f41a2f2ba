/* Limits of speed beyond those of each variable: the speed of points, and the tempo.
**
** Points. With levers l_i (robot/lever.h) no point is faster than the sum of l_i |v_i| along its
** chain, which is kept at or below the limit V. Of what the last tick left free on a chain of n
** variables, V - sum, each may take one n-th:
**   l_i |v_i'| <= l_i |v_i| + (V - sum) / n,
** and of several chains the least. The sum over any chain then stays at or below V, by
** induction from rest, whatever each variable does; one that moves alone has nearly all
** of V after 3 n ticks. Where nothing is free, each keeps its speed or brakes. Where the
** sum is above V, because V was lowered, what moves brakes.
**
** A base that moves is the beginning of every chain, with six variables: |v| + l |w| of it is used, at most
** |v| plus the sum of what three coordinates may add.  Its rotation vector u, whose rate is limited, turns
** it no faster: w = Jl(u) du/dt, and no singular value of Jl(u) is above 1.
**
** Tempo. Speeds are limited to that share of their limits, and accelerations that speed up to its square,
** so that a motion takes the same path in 1 / tempo of the time. Braking stays as hard as ever: the
** interval includes greatest braking, on which bounds and guard rely. */
#include "solver/limits/pace.h"

#include <assert.h>

#include "math/scalar.h"
#include "robot/lever.h"
#include "solver/solver_internal.h"

enum { TURN = 3 }; /* of a base's coordinates: where its rotation begins */

/* Count the variables of the longest chain through every link, the base's among them. */
static void count_chains(const brio_robot *robot, int *chain) {
  chain[0] = robot->base == BRIO_BASE_FIXED ? 0 : BRIO_BASE_NV;
  for (int l = 1; l < robot->nlink; l++)
    chain[l] = chain[robot->links[l].parent] + robot->joints[robot->links[l].joint].nvariable;
  for (int l = robot->nlink - 1; l > 0; l--) {
    int *parent = &chain[robot->links[l].parent];
    if (chain[l] > *parent) *parent = chain[l];
  }
}

/* Without a limit of points' speed nothing is allocated, and tempo alone counts. */
bool brio_pace_start(brio_solver *solver) {
  const brio_robot *robot = solver->robot;
  brio_pace *pace = &solver->pace;
  pace->tempo = 1;
  pace->speed = robot->point_speed;
  pace->levers = robot->levers;
  if (!pace->levers) return true;
  pace->chain = BRIO_TAKE(&solver->arena, int, robot->nlink);
  pace->used = BRIO_TAKE(&solver->arena, double, robot->nlink);
  pace->room = BRIO_TAKE(&solver->arena, double, robot->nv);
  if (!pace->chain || !pace->used || !pace->room) return false;
  count_chains(robot, pace->chain);
  return true;
}

/* The greatest speed that a joint gives to points, m/s. */
static double speed_of_joint(const brio_solver *solver, int j) {
  const brio_joint *joint = &solver->robot->joints[j];
  double sum = 0;
  for (int k = 0; k < joint->nvariable; k++)
    sum += brio_joint_lever(solver->robot, solver->pace.levers, j, k) *
           fabs(solver->speed[BRIO_BASE_NV + joint->variable + k]);
  return sum;
}

/* The lever of a base's coordinate: m/rad, or 1. */
static double base_lever(const brio_solver *solver, int c) {
  return c < TURN ? 1 : solver->pace.levers[solver->robot->njoint];
}

/* How fast the base moves points at the most, m/s. */
static double speed_of_base(const brio_solver *solver) {
  if (solver->robot->base == BRIO_BASE_FIXED) return 0;
  const double *v = solver->speed;
  brio_vec3 slides = {v[0], v[1], v[2]}, turns = {v[3], v[4], v[5]};
  return brio_vec3_norm(slides) + base_lever(solver, TURN) * brio_vec3_norm(turns);
}

/* Let a joint's variables have their part of what is free on the chains through it. */
static void share(brio_solver *solver, int j, double free) {
  const brio_joint *joint = &solver->robot->joints[j];
  for (int k = 0; k < joint->nvariable; k++) {
    double *room = &solver->pace.room[BRIO_BASE_NV + joint->variable + k];
    double lever = brio_joint_lever(solver->robot, solver->pace.levers, j, k);
    /* A variable without a lever moves no point and is not limited. */
    if (lever > 0) *room = brio_min(*room, free / (solver->pace.chain[joint->child] * lever));
  }
}

/* O(links): sum the speeds from the root outward, share what is free from the leaves inward. */
void brio_pace_begin(brio_solver *solver) {
  const brio_robot *robot = solver->robot;
  brio_pace *pace = &solver->pace;
  assert(pace->tempo > 0);
  if (!pace->levers) return;
  double *used = pace->used;
  double most = brio_min(1, pace->tempo) * pace->speed;
  used[0] = speed_of_base(solver);
  for (int l = 1; l < robot->nlink; l++)
    used[l] = used[robot->links[l].parent] + speed_of_joint(solver, robot->links[l].joint);
  for (int c = 0; c < robot->nv; c++) pace->room[c] = INFINITY;
  for (int l = robot->nlink - 1; l > 0; l--) {
    share(solver, robot->links[l].joint, most - used[l]);
    used[robot->links[l].parent] = brio_max(used[robot->links[l].parent], used[l]);
  }
  for (int c = 0; c < BRIO_BASE_NV && pace->chain[0] > 0; c++)
    pace->room[c] = (most - used[0]) / (pace->chain[0] * base_lever(solver, c));
}

/* The greatest speed that a variable may have, its speed now being v, per s: never below what greatest
** braking leaves. */
static double fastest(const brio_solver *solver, int c, double v, double dt) {
  const brio_pace *pace = &solver->pace;
  const brio_bounds *bounds = &solver->bounds[c];
  double slowed = brio_max(v - bounds->acceleration * dt, 0);
  double most = pace->levers ? v + pace->room[c] : INFINITY;
  if (pace->tempo < 1) {
    most = brio_min(most, pace->tempo * bounds->velocity);
    most = brio_min(most, v + pace->tempo * pace->tempo * bounds->acceleration * dt);
  }
  return brio_max(most, slowed);
}

/* The interval only shrinks, and is never empty. */
void brio_pace_narrow(const brio_solver *solver, int c, double dt, double *least, double *most) {
  if (!(solver->pace.levers || solver->pace.tempo < 1)) return;
  double at = solver->coordinates[c], step = fastest(solver, c, fabs(solver->speed[c]), dt) * dt;
  double low = brio_max(*least, at - step), high = brio_min(*most, at + step);
  if (low > high) low = high = brio_clamp(at, *least, *most); /* an end leads back faster than that */
  assert(low <= high);
  *least = low;
  *most = high;
}

/* The bases move at the same tempo. */
bool brio_solver_set_tempo(brio_solver *solver, double tempo, brio_error *err) {
  if (!brio_solver_may_change(solver, err)) return false;
  if (!(tempo >= 0.05 && tempo <= 2))
    return brio_fail(err, BRIO_MISUSE, "a tempo must be from 0.05 to 2, not %g", tempo);
  for (brio_solver *each = solver; each; each = each->base) each->pace.tempo = tempo;
  return true;
}
