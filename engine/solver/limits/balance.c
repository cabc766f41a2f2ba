/* Balance as a constraint: see balance.h.
**
** The centre of mass is judged without gaps: between two moments of the way it moves by no more than
**     L = sum over coordinates of lever |change|
** where the lever of a coordinate is the share of the mass behind its joint, times its longest distance from
** the joint.  So if the centre is s0 and s1 inside at the two moments, it is nowhere between them less than
** (s0 + s1 - L) / 2 inside.  Where that does not suffice the way is halved, down to RESOLUTION.
**
** The zero moment point is judged at every tick of the step and of braking.  Both are those of the way that
** was judged before, but for the newest step: so greatest braking always keeps the balance, whatever was
** asked, if the robot began at rest. */
#include "solver/limits/balance.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/scalar.h"
#include "robot/lever.h"
#include "solver/solver_internal.h"

static const double RESOLUTION = 5e-4; /* m: of the centre of mass between two moments that are examined */
static const double GRAVITY = 9.81;    /* m/s^2 */
static const double LIGHT = 0.1;       /* of the weight: with less on the ground nothing holds the robot */

/* How far inside of the edge that matters most a point is, beyond what it must be, m. */
static double slack_at(const brio_balance *balance, double x, double y) {
  const brio_support *support = &balance->support;
  double least = INFINITY;
  for (int k = 0; k < support->nedge; k++)
    least = brio_min(least, support->x[k] * x + support->y[k] * y - support->offset[k] - balance->least[k]);
  return least;
}

/* The same of the centre of mass after `ticks` of the way. */
static double slack_after(brio_solver *solver, double ticks) {
  const brio_state *state = brio_guard_state_after(solver, ticks, NULL);
  brio_vec3 com = brio_robot_com(solver->robot, state->links);
  return slack_at(solver->balance, com.x, com.y);
}

/* By how much the centre of mass may move between two moments, m. */
static double way_between(brio_solver *solver, double from, double to) {
  const double *first, *last;
  brio_guard_state_after(solver, from, &first);
  brio_guard_state_after(solver, to, &last);
  double way = 0;
  for (int c = 0; c < solver->robot->nv; c++)
    if (first[c] != last[c]) way += solver->balance->levers[c] * brio_couplings_way(solver, c, first, last);
  return way;
}

/* Whether the centre of mass stays inside between two moments, where it is s0 and s1 inside. */
static bool stays(brio_solver *solver, double from, double s0, double to, double s1) {
  assert(from < to);
  if (s0 < 0 || s1 < 0) return false;
  double way = way_between(solver, from, to);
  if (s0 + s1 >= way || way < RESOLUTION) return true;
  double middle = 0.5 * (from + to), s = slack_after(solver, middle);
  return stays(solver, from, s0, middle, s) && stays(solver, middle, s, to, s1);
}

/* Three poses of the robot, one after the other, and the times between them, s. */
typedef struct beats {
  const brio_transform *before, *now, *after;
  double h0, h1;
} beats;

/* The rate of a coordinate's rate, per s^2. */
static double bend(const beats *b, double before, double now, double after) {
  return ((after - now) / b->h1 - (now - before) / b->h0) / (0.5 * (b->h0 + b->h1));
}

/* How far inside the zero moment point is, m. */
static double slack_of_moment(const brio_solver *solver, const beats *b) {
  const brio_robot *robot = solver->robot;
  double x = 0, y = 0, press = 0, ground = solver->balance->support.height;
  for (int i = 0; i < robot->nlink; i++) {
    const brio_link *link = &robot->links[i];
    if (!(link->mass > 0)) continue;
    brio_vec3 p = brio_transform_point(&b->before[i], link->com);
    brio_vec3 q = brio_transform_point(&b->now[i], link->com);
    brio_vec3 r = brio_transform_point(&b->after[i], link->com);
    double lift = link->mass * (GRAVITY + bend(b, p.z, q.z, r.z)), height = link->mass * (q.z - ground);
    x += lift * q.x - height * bend(b, p.x, q.x, r.x);
    y += lift * q.y - height * bend(b, p.y, q.y, r.y);
    press += lift;
  }
  if (press < LIGHT * robot->mass * GRAVITY) return -INFINITY;
  return slack_at(solver->balance, x / press, y / press);
}

/* Whether the zero moment point stays inside, in the step and while the robot brakes. */
static bool moves_well(brio_solver *solver) {
  const brio_guard *guard = &solver->guard;
  beats b = {solver->past_links[1], solver->past_links[0], NULL, solver->past_dt[0], guard->dt};
  /* The state of each tick: the guard keeps the last ones, so three are there at a time. */
  for (double ticks = 1; ticks <= ceil(guard->end) + 1; ticks++) {
    b.after = brio_guard_state_after(solver, brio_min(ticks, guard->end), NULL)->links;
    if (slack_of_moment(solver, &b) < 0) return false;
    b = (beats){b.now, b.after, NULL, ticks == 1 ? guard->dt : guard->brake_dt, guard->brake_dt};
  }
  return true;
}

bool brio_balance_keeps(brio_solver *solver) {
  brio_balance *balance = solver->balance;
  const brio_support *support = &balance->support;
  double end = solver->guard.end;
  brio_vec3 com = brio_robot_com(solver->robot, solver->past_links[0]);
  /* What is outside now may stay where it is. */
  for (int k = 0; k < support->nedge; k++) {
    double inside = support->x[k] * com.x + support->y[k] * com.y - support->offset[k];
    balance->least[k] = brio_min(balance->margin, inside - 1e-9);
  }
  double now = slack_at(balance, com.x, com.y), next = slack_after(solver, 1);
  if (!stays(solver, 0, now, 1, next)) return false;
  if (end > 1 && !stays(solver, 1, next, end, slack_after(solver, end))) return false;
  return !balance->moving || moves_well(solver);
}

/* Masses of what each link carries, itself included, kg. */
static void sum_masses(const brio_robot *robot, double *masses) {
  for (int i = 0; i < robot->nlink; i++) masses[i] = robot->links[i].mass;
  /* Children come after their parents. */
  for (int i = robot->nlink - 1; i > 0; i--) masses[robot->links[i].parent] += masses[i];
}

/* The greatest motion of the centre of mass for each unit of a coordinate.  False: no memory. */
static bool find_levers(brio_solver *solver, brio_balance *balance) {
  const brio_robot *robot = solver->robot;
  double *masses = BRIO_TAKE(&solver->arena, double, robot->nlink),
         *levers = BRIO_TAKE(&solver->arena, double, robot->njoint + 1);
  balance->levers = BRIO_TAKE(&solver->arena, double, robot->nv);
  if (!masses || !levers || !balance->levers) return false;
  sum_masses(robot, masses);
  brio_robot_levers(robot, levers);
  for (int c = 0; c < BRIO_BASE_NV; c++) balance->levers[c] = c < 3 ? 1 : levers[robot->njoint];
  for (int j = 0; j < robot->njoint; j++)
    for (int k = 0; k < robot->joints[j].nvariable; k++)
      balance->levers[BRIO_BASE_NV + robot->joints[j].variable + k] +=
          masses[robot->joints[j].child] / robot->mass * brio_joint_lever(robot, levers, j, k);
  return true;
}

/* The area that carries the robot, from points on the ground. */
static bool take_points(brio_balance *balance, const brio_balance_options *options, brio_error *err) {
  brio_goal goal;
  if (options->npoint < 3 || options->npoint > BRIO_GOAL_ITEMS)
    return brio_fail(err, BRIO_MISUSE, "balance needs 3 to %d points on the ground, not %d", BRIO_GOAL_ITEMS,
                     options->npoint);
  if (!brio_goal_make(&brio_goal_points, &options->points->x, 3 * options->npoint, &goal, err) ||
      !brio_support_accept(NULL, &goal, err))
    return brio_fail_in(err, "balance");
  brio_support_update(&balance->support, &goal);
  return true;
}

bool brio_solver_set_balance(brio_solver *solver, const brio_balance_options *options, brio_error *err) {
  if (!brio_solver_may_change(solver, err)) return false;
  brio_balance made = {0};
  if (options) {
    if (!(options->margin >= 0 && options->margin <= 10))
      return brio_fail(err, BRIO_MISUSE, "the margin of balance must be from 0 to 10 m, not %g",
                       options->margin);
    if (!(solver->robot->mass > 0))
      return brio_fail(err, BRIO_MISUSE, "balance needs masses, and the robot '%s' has none",
                       solver->robot->name);
    if (!take_points(&made, options, err)) return false;
  }
  /* The levers are found once, with the first area. */
  if (options && !solver->balance_room) {
    solver->balance_room = BRIO_TAKE(&solver->arena, brio_balance, 1);
    if (!solver->balance_room || !find_levers(solver, solver->balance_room))
      return brio_fail(err, BRIO_NO_MEMORY, "no memory to keep the balance");
  }
  if (options) {
    made.margin = options->margin;
    made.moving = options->moving;
    made.levers = solver->balance_room->levers;
    *solver->balance_room = made;
  }
  solver->balance = options ? solver->balance_room : NULL;
  return !solver->base || brio_solver_set_balance(solver->base, options, err);
}
