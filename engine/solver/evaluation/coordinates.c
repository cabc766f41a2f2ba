/* The numbers that the backend moves, and the configurations they stand for.
**
** Everything but the base's rotation is its own coordinate.  The rotation is the vector u with
**   R = exp(u) R_center     (axes of the world)
** so that a bounded base's range is a box.  With w the angular velocity, w = Jl(u) du/dt,
**   Jl(u) = I + (1 - cos a)/a^2 [u] + (a - sin a)/a^3 [u]^2,  a = |u|
** (Barfoot, "State Estimation for Robotics", 2017, eq. 7.77); columns of a Jacobian by w
** become columns by u when multiplied with Jl(u). */
#include "robot/derivative.h"
#include "solver/solver_internal.h"

#include <assert.h>
#include <string.h>

#include "math/scalar.h"

enum { TURN = 3 }; /* where the rotation vector begins among the coordinates */

/* The bounds of coordinate `i` of the base: a box around its center, a point where it is fixed. */
static brio_bounds base_bounds(const brio_robot *robot, int i) {
  const double *p = &robot->base_center.p.x, center = i < TURN ? p[i] : 0;
  /* Speed and acceleration of a base are not limited. */
  double range = robot->base == BRIO_BASE_FREE ? INFINITY : robot->base_range[i];
  if (robot->base == BRIO_BASE_FIXED) range = 0;
  return (brio_bounds){center - range, center + range, INFINITY, INFINITY};
}

/* A limit that is NaN or negative is none. */
static double limit(double value) { return value >= 0 ? value : INFINITY; }

/* The bounds of a variable. One that is circular, or whose range is upside down, has no ends. */
static brio_bounds variable_bounds(const brio_variable *variable) {
  brio_bounds bounds = {variable->lower, variable->upper, limit(variable->velocity),
                        limit(variable->acceleration)};
  if (variable->circular || !(bounds.lower <= bounds.upper))
    bounds.lower = -INFINITY, bounds.upper = INFINITY;
  return bounds;
}

/* The first 6 of nv coordinates are the base's, the others the variables. */
brio_bounds brio_solver_limits(const brio_robot *robot, int i) {
  return i < BRIO_BASE_NV ? base_bounds(robot, i) : variable_bounds(&robot->variables[i - BRIO_BASE_NV]);
}

/* Let objectives see the limits of a variable as they are now. */
static void show_limits(brio_solver *solver, int variable) {
  const brio_bounds *now = &solver->bounds[BRIO_BASE_NV + variable];
  solver->limits[variable] = (brio_limits){now->lower, now->upper, now->velocity, now->acceleration};
}

void brio_solver_index_free(brio_solver *solver) {
  /* The inverse of `free`: -1 stands for a coordinate that is locked or follows others. */
  for (int c = 0; c < solver->robot->nv; c++) solver->place[c] = -1;
  for (int i = 0; i < solver->nfree; i++) solver->place[solver->free[i]] = i;
  /* That of other coordinates is void. */
  memset(solver->drift, 0, (size_t)solver->robot->nv * sizeof *solver->drift);
  solver->drifts = false;
}

/* A coordinate is free if its range has a length; the order of `free` is rising. */
static void find_free(brio_solver *solver) {
  for (int i = 0; i < solver->robot->nv; i++) {
    solver->bounds[i] = brio_solver_limits(solver->robot, i);
    solver->hard[i] = solver->bounds[i];
    if (i >= BRIO_BASE_NV) show_limits(solver, i - BRIO_BASE_NV);
    assert(solver->nfree <= i);
    if (solver->bounds[i].lower < solver->bounds[i].upper) solver->free[solver->nfree++] = i;
  }
  brio_solver_index_free(solver);
}

/* Limits may only be tightened. Braking from earlier steps is judged by the hard ones. */
bool brio_solver_set_limits(brio_solver *solver, int variable, const brio_limits *limits, brio_error *err) {
  const brio_robot *robot = solver->robot;
  if (!brio_solver_may_change(solver, err)) return false;
  if (variable < 0 || variable >= robot->nvariable)
    return brio_fail(err, BRIO_MISUSE, "robot '%.80s' has no variable %d: expected 0 to %d", robot->name,
                     variable, robot->nvariable - 1);
  const char *name = robot->variables[variable].name;
  /* NaN stands for the hard limit. */
  const brio_bounds *hard = &solver->hard[BRIO_BASE_NV + variable];
  brio_bounds now = {isnan(limits->lower) ? hard->lower : limits->lower,
                     isnan(limits->upper) ? hard->upper : limits->upper,
                     isnan(limits->velocity) ? hard->velocity : limits->velocity,
                     isnan(limits->acceleration) ? hard->acceleration : limits->acceleration};
  /* Written so that NaN is rejected, too; a limit may not leave the hard one. */
  if (!(now.lower <= now.upper) || now.lower < hard->lower || now.upper > hard->upper)
    return brio_fail(err, BRIO_MISUSE, "variable '%.80s': its range may be within %g to %g, not %g to %g",
                     name, hard->lower, hard->upper, now.lower, now.upper);
  if (!(now.velocity > 0 && now.velocity <= hard->velocity))
    return brio_fail(err, BRIO_MISUSE, "variable '%.80s': its greatest velocity may be up to %g, not %g",
                     name, hard->velocity, now.velocity);
  if (!(now.acceleration > 0 && now.acceleration <= hard->acceleration))
    return brio_fail(err, BRIO_MISUSE, "variable '%.80s': its greatest acceleration may be up to %g, not %g",
                     name, hard->acceleration, now.acceleration);
  /* Objectives see the new limits from now on, the bounds of the next solve include them. */
  solver->bounds[BRIO_BASE_NV + variable] = now;
  show_limits(solver, variable);
  if (solver->ncoupling > 0) brio_couplings_limit(solver);
  return !solver->base || brio_solver_set_limits(solver->base, variable, limits, err);
}

/* Arrays have a fixed length; all are taken from the arena of the solver at once. */
bool brio_solver_start_coordinates(brio_solver *solver) {
  int nv = solver->robot->nv, nq = solver->robot->nq;
  brio_arena *arena = &solver->arena;
  double **of_nv[] = {&solver->coordinates, &solver->trial, &solver->speed,      &solver->x,
                      &solver->lower,       &solver->upper, &solver->pull,       &solver->entry,
                      &solver->least,       &solver->most,  &solver->step,       &solver->step_slope,
                      &solver->rest,        &solver->drift, &solver->guess};
  double **of_nq[] = {&solver->q, &solver->next_q, &solver->past[0], &solver->past[1], &solver->past[2]};
  for (size_t i = 0; i < sizeof of_nv / sizeof *of_nv; i++)
    if (!(*of_nv[i] = BRIO_TAKE(arena, double, nv))) return false;
  for (size_t i = 0; i < sizeof of_nq / sizeof *of_nq; i++)
    if (!(*of_nq[i] = BRIO_TAKE(arena, double, nq))) return false;
  for (int i = 0; i < BRIO_NPAST; i++)
    if (!(solver->past_links[i] = BRIO_TAKE(arena, brio_transform, solver->robot->nlink))) return false;
  /* Bounds, limits, and lists of indices. */
  solver->bounds = BRIO_TAKE(arena, brio_bounds, nv);
  solver->free = BRIO_TAKE(arena, int, nv);
  solver->index = BRIO_TAKE(arena, int, nv);
  solver->place = BRIO_TAKE(arena, int, nv);
  solver->hard = BRIO_TAKE(arena, brio_bounds, nv);
  solver->limits = BRIO_TAKE(arena, brio_limits, solver->robot->nvariable + 1);
  solver->depth = brio_robot_depth(solver->robot);
  solver->bend_columns = BRIO_TAKE(arena, int, solver->depth + 1);
  solver->bends = BRIO_TAKE(arena, double, solver->depth * solver->depth + 1);
  if (!solver->bend_columns || !solver->bends) return false;
  if (!solver->bounds || !solver->hard || !solver->limits || !solver->free) return false;
  if (!solver->index || !solver->place) return false;
  find_free(solver);
  return brio_pace_start(solver);
}

bool brio_solver_base_turns(const brio_solver *solver) {
  for (int i = TURN; i < BRIO_BASE_NV; i++)
    if (solver->bounds[i].lower < solver->bounds[i].upper) return true;
  return false;
}

/* Take the pose of the base. A bounded base is described relative to the center of its range; any
** other has its center where it stands, with a rotation vector of 0. */
static void place_base(brio_solver *solver, brio_pose base) {
  const brio_robot *robot = solver->robot;
  bool bounded = robot->base == BRIO_BASE_BOUNDED;
  solver->center = bounded ? robot->base_center : base;
  brio_vec3 turn = brio_quat_log(brio_quat_mul(base.q, brio_quat_conj(solver->center.q)));
  if (!bounded) turn = (brio_vec3){0, 0, 0};
  double *c = solver->coordinates, *p = &base.p.x, *u = &turn.x;
  for (int i = 0; i < TURN; i++) {
    c[i] = bounded ? brio_clamp(p[i], solver->bounds[i].lower, solver->bounds[i].upper) : p[i];
    c[TURN + i] = brio_clamp(u[i], solver->bounds[TURN + i].lower, solver->bounds[TURN + i].upper);
  }
}

/* Place everything at rest: no speed, no step, and the place of rest is the pose itself. */
void brio_solver_place(brio_solver *solver, const double *q) {
  brio_quat turn = brio_quat_unit((brio_quat){q[3], q[4], q[5], q[6]});
  place_base(solver, (brio_pose){{q[0], q[1], q[2]}, turn});
  /* Hard ends count here: those in force are reached within acceleration limits, not at a jump. */
  for (int i = BRIO_BASE_NV; i < solver->robot->nv; i++)
    solver->coordinates[i] = brio_clamp(q[i + 1], solver->hard[i].lower, solver->hard[i].upper);
  brio_couplings_follow(solver, solver->coordinates);
  memset(solver->speed, 0, (size_t)solver->robot->nv * sizeof *solver->speed);
  memset(solver->step, 0, (size_t)solver->robot->nv * sizeof *solver->step);
  memset(solver->drift, 0, (size_t)solver->robot->nv * sizeof *solver->drift);
  solver->drifts = false;
  memcpy(solver->rest, solver->coordinates, (size_t)solver->robot->nv * sizeof *solver->rest);
}

/* The quaternion is computed only if the base has turned: equal coordinates give equal bits. */
void brio_solver_configuration(const brio_solver *solver, const double *coordinates, double *q) {
  const double *c = coordinates;
  brio_quat turn = solver->center.q;
  if (c[3] != 0 || c[4] != 0 || c[5] != 0)
    turn = brio_quat_unit(brio_quat_mul(brio_quat_exp((brio_vec3){c[3], c[4], c[5]}), turn));
  memcpy(q, (double[]){c[0], c[1], c[2], turn.x, turn.y, turn.z, turn.w}, BRIO_BASE_NQ * sizeof *q);
  memcpy(q + BRIO_BASE_NQ, c + BRIO_BASE_NV, (size_t)solver->robot->nvariable * sizeof *q);
}

/* The 3 x 3 block of each row is multiplied by Jl(u) from the right. */
void brio_solver_rotate_columns(const brio_solver *solver, double *jacobian, int rows) {
  const double *u = solver->trial + TURN;
  double factors[2];
  brio_vec3 back = {-u[0], -u[1], -u[2]}; /* w^T Jl(u) = (Jl(-u) w)^T */
  brio_quat_left_factors(back, factors);
  for (int i = 0; i < rows; i++) {
    double *row = jacobian + i * solver->robot->nv + TURN;
    brio_vec3 turned = brio_quat_left_jacobian(factors, back, (brio_vec3){row[0], row[1], row[2]});
    row[0] = turned.x, row[1] = turned.y, row[2] = turned.z;
  }
}

/* The rotation of the base relative to its center. */
static brio_quat turn_of(const double *c) {
  return brio_quat_exp((brio_vec3){c[TURN], c[TURN + 1], c[TURN + 2]});
}

/* R_trial R_now^T; the center cancels out. */
void brio_solver_turn_step(brio_solver *solver) {
  brio_quat turn = brio_quat_mul(turn_of(solver->trial), brio_quat_conj(turn_of(solver->coordinates)));
  brio_vec3 step = brio_quat_log(turn);
  memcpy(solver->step + TURN, &step.x, TURN * sizeof step.x);
}

/* O(links): a second forward kinematics, needed by Lively's forms only. */
void brio_solver_look_ahead(brio_solver *solver) {
  brio_robot_integrate(solver->robot, solver->past[0], solver->step, solver->next_q);
  brio_state_update(&solver->next, solver->next_q);
}

/* A rotation vector beyond pi is ambiguous: a free base starts at 0 in each solve, so that a vector
** stays as short as one tick's turn. */
void brio_solver_recenter(brio_solver *solver) {
  if (solver->robot->base != BRIO_BASE_FREE) return;
  const double *q = solver->past[0];
  solver->center.q = (brio_quat){q[3], q[4], q[5], q[6]};
  memset(solver->coordinates + TURN, 0, 3 * sizeof(double));
  memset(solver->rest + TURN, 0, 3 * sizeof(double));
}
