/* The tick: blend, bound, minimize, accept.
**
** The backend's variables are not the next pose but the pose of rest: where the robot would stop if it
** braked as hard as it may after the coming step. The next pose follows from it, coordinate by coordinate
** (limits/bounds.c). A next pose that is chosen directly, with limited acceleration, would overshoot its
** goal and oscillate about it. With the pose of rest the robot brakes in time for goals, shapes and limits,
** whatever the weights. A goal that moves at speed v is followed with a lag of the stopping distance, v^2 /
** (2 A). */
#include "solver/solver_internal.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "math/scalar.h"

/* Ticks outside this range, s, are rejected: the pose is held. */
static const double SHORTEST = 1e-6, LONGEST = 1e3; /* s */

/* Bound every free coordinate for a tick of dt, and start at the place nearest to `from` (nv). */
static void bound(brio_solver *solver, double dt, const double *from) {
  assert(solver->nfree <= solver->robot->nv);
  for (int i = 0; i < solver->nfree; i++) {
    int c = solver->free[i];
    const brio_bounds *bounds = &solver->bounds[c];
    double at = solver->coordinates[c], *least = &solver->least[i], *most = &solver->most[i];
    /* The interval of the next pose: limits first, then the speed of points and the tempo. */
    brio_bounds_tightened(&solver->hard[c], bounds, at, solver->speed[c], dt, least, most);
    brio_pace_narrow(solver, c, dt, least, most);
    /* From the interval of the next pose follows the interval of where it comes to rest. */
    solver->lower[i] = brio_bounds_rest(bounds, at, dt, *least);
    solver->upper[i] = brio_bounds_rest(bounds, at, dt, *most);
    solver->x[i] = brio_clamp(from[c], solver->lower[i], solver->upper[i]);
  }
}

/* Whether all n numbers are finite. */
static bool all_finite(const double *v, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(v[i])) return false;
  return true;
}

/* Return where the search for a tick of dt may begin (nfree), or NULL: the last place of rest, moved on by as
** much as in the tick before, while two searches in a row have moved it alike. */
static const double *guess_rest(brio_solver *solver, double dt) {
  double share = dt / solver->past_dt[0];
  if (!solver->drifts || solver->nactive == 0) return NULL;
  for (int i = 0; i < solver->nfree; i++) {
    double to = solver->rest[solver->free[i]] + share * solver->drift[i];
    solver->guess[i] = brio_clamp(to, solver->lower[i], solver->upper[i]);
  }
  return solver->guess;
}

/* A place of rest that moves by less counts as one that stays: a slower motion needs no help, and what
** trembles gets none. */
static const double STAYS = 1e-5; /* rad or m a tick */
static const double ALIKE = 0.1;  /* of the greatest drift: by no more may two in a row differ */

/* Note by how much the search has moved the place of rest, which is still the one before. What the cost does
** not curve along stays where it is: there nothing would end a motion. So does a robot whose base moves: base
** and joints move the same links, and which of them does is not for the last tick to say. */
static void note_drift(brio_solver *solver, bool found) {
  double *drift = solver->drift, *now = solver->guess, most = 0, change = 0;
  solver->drifts = false;
  for (int i = 0; i < solver->nfree; i++) {
    now[i] = solver->x[i] - solver->rest[solver->free[i]];
    most = brio_max(most, fabs(now[i]));
    change = brio_max(change, fabs(now[i] - drift[i]));
  }
  memcpy(drift, now, (size_t)solver->nfree * sizeof *drift);
  if (!found || most <= STAYS || change > ALIKE * most || solver->robot->base != BRIO_BASE_FIXED) return;
  solver->drifts = solver->backend->curved && solver->backend->curved(solver->workspace, drift) &&
                   all_finite(drift, solver->nfree);
}

/* How often the search starts again after objectives failed; then the pose is held. */
enum { MAX_ROUNDS = 8 };

/* Let the backend find the best pose of rest within the bounds, and leave it in solver->x.  HELD: none had
** a finite cost, and x may hold anything. */
static brio_solver_status minimize(brio_solver *solver, const double *guess, brio_solution *solution) {
  brio_problem problem = {solver->nfree, solver->lower,    solver->upper,     guess,
                          solver,        brio_solver_cost, brio_solver_slopes};
  brio_outcome outcome = {0};
  /* Locked coordinates keep their values in the trial. */
  memcpy(solver->trial, solver->coordinates, (size_t)solver->robot->nv * sizeof *solver->trial);
  solver->backend->run(solver->workspace, &problem, solver->max_iterations, solver->x, &outcome);
  solution->iterations += outcome.iterations;
  solution->evaluations += outcome.evaluations;
  if (!outcome.converged) solution->expected = outcome.expected;
  /* The caller bounds x again where it is not valid. */
  if (!outcome.found || !all_finite(solver->x, solver->nfree)) return BRIO_SOLVER_HELD;
  return outcome.converged ? BRIO_SOLVER_CONVERGED : BRIO_SOLVER_CUT;
}

/* The same without objectives that fail. A failure makes the search start again from its beginning,
** as costs that include the failed one are void; first without the guess, at which alone they may fail. */
static brio_solver_status minimize_sound(brio_solver *solver, brio_solution *solution) {
  const double *guess = guess_rest(solver, solver->at.dt);
  for (int round = 0; round < MAX_ROUNDS; round++) {
    brio_solver_status status = minimize(solver, guess, solution);
    if (!solver->failed) return status;
    if (guess) brio_slots_try_failed(solver);
    else brio_slots_drop_failed(solver);
    guess = NULL;
    bound(solver, solver->at.dt, solver->nactive ? solver->rest : solver->coordinates);
    if (solver->nactive == 0) return BRIO_SOLVER_CONVERGED;
  }
  return BRIO_SOLVER_HELD;
}

/* Leave in solver->x the best pose to come to rest at, and return how it was found. */
static brio_solver_status seek(brio_solver *solver, brio_solution *solution) {
  if (solver->nactive == 0 || solver->nfree == 0) return BRIO_SOLVER_CONVERGED;
  return solver->max_iterations > 0 ? minimize_sound(solver, solution) : BRIO_SOLVER_HELD;
}

/* Append the trial to the history, as the pose dt s after the last one. */
static void accept(brio_solver *solver, double dt) {
  double *oldest = solver->past[BRIO_NPAST - 1];
  brio_transform *oldest_links = solver->past_links[BRIO_NPAST - 1];
  /* Rotate the buffers: the newest pose takes the memory of the oldest. */
  for (int i = BRIO_NPAST - 1; i > 0; i--) {
    solver->past[i] = solver->past[i - 1];
    solver->past_links[i] = solver->past_links[i - 1];
  }
  solver->past[0] = oldest;
  solver->past_links[0] = oldest_links;
  solver->past_dt[1] = solver->past_dt[0];
  solver->past_dt[0] = dt;
  /* Speeds are differences of accepted poses, so that limits hold for what is sent and not for what was
  ** searched. Followers are not free, and come after the free coordinates. */
  for (int i = 0; i < solver->nfree; i++) {
    int c = solver->free[i];
    solver->speed[c] = (solver->trial[c] - solver->coordinates[c]) / dt;
    solver->coordinates[c] = solver->trial[c];
  }
  for (int k = 0; k < solver->ncoupling; k++) {
    int c = solver->couplings[k].follower;
    solver->speed[c] = (solver->trial[c] - solver->coordinates[c]) / dt;
    solver->coordinates[c] = solver->trial[c];
  }
  brio_solver_configuration(solver, solver->coordinates, oldest);
}

/* Evaluate state, pairs and costs at the trial; return its cost. The history is still that before the
** solve, so that terms that read it cost the same as in the search. */
static double settle(brio_solver *solver) {
  unsigned needs = solver->needs;
  /* Everything that readers of the solution may want is computed, whatever the objectives need. */
  solver->needs = BRIO_NEEDS_PAIRS | BRIO_NEEDS_NEAREST | BRIO_NEEDS_COM;
  double cost = brio_solver_judge(solver);
  solver->needs = needs;
  /* Bounds of distances are measured from poses that were accepted, not from those only tried. */
  brio_collision_anchor(solver);
  return cost;
}

/* Let objectives see the past poses. Buffers rotate, so this is due after each accept. */
static void publish_history(brio_solver *solver) {
  for (int i = 0; i < BRIO_NPAST; i++) {
    solver->at.past[i] = solver->past[i];
    solver->at.past_links[i] = solver->past_links[i];
  }
  memcpy(solver->at.past_dt, solver->past_dt, sizeof solver->past_dt);
}

/* Fill what every solution has; a cost that is NaN is reported as infinite. */
static void report(const brio_solver *solver, double cost, brio_solution *solution) {
  solution->q = solver->past[0];
  solution->cost = isnan(cost) ? INFINITY : cost;
  solution->nactive = solver->nactive;
  solution->distance = solver->nearest;
  solution->unmeasured = solver->collision.watch.left;
}

/* Copy the names of the pair at fault: a shape may be removed before they are read. */
static void note_fault(brio_solver *solver, const brio_verdict *verdict, brio_solution *solution) {
  const char *names[2];
  brio_proximity_pair pair = brio_proximity_pair_of(verdict->fault[0], verdict->fault[1]);
  for (int i = 0; i < 2; i++) solver->fault[i][0] = 0;
  if (verdict->fault[0] < 0) return;
  brio_solver_pair_names(solver, &pair, &names[0], &names[1]);
  for (int i = 0; i < 2; i++) {
    snprintf(solver->fault[i], sizeof solver->fault[i], "%s", names[i]);
    solution->fault[i] = solver->fault[i];
  }
}

bool brio_solver_fault(const brio_solver *solver, const char *names[2]) {
  for (int i = 0; i < 2; i++) names[i] = solver->fault[i];
  return solver->fault[0][0] != 0;
}

/* O(links + pairs) for each evaluation of the backend. Each of the steps below reads what the ones before
** it wrote, so their order is fixed. */
void brio_solver_solve(brio_solver *solver, double time, double dt, brio_solution *solution) {
  /* Reject bad times before anything changes; `busy` means that an objective calls its own solver. */
  *solution = (brio_solution){.status = BRIO_SOLVER_HELD};
  if (!isfinite(time) || !(dt >= SHORTEST && dt <= LONGEST) || solver->busy) {
    report(solver, 0, solution);
    return;
  }
  solver->busy = true;
  solver->solves++;
  solver->time = time;
  /* Shapes that changed since the last solve come first: the guard checks whether one came too near. */
  brio_verdict verdict = brio_guard_begin(solver);
  publish_history(solver);
  /* Time as objectives see it lags behind the clock by what the tempo saved. */
  solver->behind += (1 - solver->pace.tempo) * dt;
  solver->at.time = time - solver->behind;
  solver->at.dt = dt;
  /* Prepare: motion of shapes, weights and goals, stiffness of near pairs, speed of points. */
  brio_shapes_advance(&solver->collision, dt);
  brio_collision_publish(solver);
  brio_slots_advance(solver, dt);
  brio_clearance_begin(solver, dt);
  brio_solver_recenter(solver);
  brio_pace_begin(solver);
  brio_pulls_take(solver);
  /* Search from where the last search ended; a held search restarts from the pose itself. */
  bound(solver, dt, solver->nactive ? solver->rest : solver->coordinates);
  solution->status = seek(solver, solution);
  if (solution->status == BRIO_SOLVER_HELD) bound(solver, dt, solver->coordinates);
  note_drift(solver, solution->status == BRIO_SOLVER_CONVERGED && solver->nactive > 0);
  /* The step follows from the pose of rest; the guard grants a share of it. */
  brio_solver_take_step(solver, dt);
  brio_guard_step(solver, dt, &verdict);
  solution->granted = verdict.granted;
  note_fault(solver, &verdict, solution);
  /* Measure at the granted pose, then make it the newest of history. */
  double cost = settle(solver);
  brio_guard_look(solver);
  accept(solver, dt);
  assert(solver->past[0] != solver->past[1] && solver->past[1] != solver->past[2]);
  memcpy(solver->past_links[0], solver->state.links, (size_t)solver->robot->nlink * sizeof(brio_transform));
  publish_history(solver);
  brio_slots_finish(solver);
  solver->busy = solver->failed = false;
  report(solver, cost, solution);
}

/* Evaluate the pose of `coordinates` without history: no bound of an earlier query is used. */
static void look_at_place(brio_solver *solver) {
  brio_solver_configuration(solver, solver->coordinates, solver->q);
  brio_collision_forget(solver);
  brio_solver_evaluate(solver, BRIO_NEEDS_PAIRS | BRIO_NEEDS_NEAREST | BRIO_NEEDS_COM);
}

/* Write the evaluated pose into history at `age`, 0 being the newest. */
static void remember(brio_solver *solver, int age) {
  memcpy(solver->past[age], solver->q, (size_t)solver->robot->nq * sizeof *solver->q);
  memcpy(solver->past_links[age], solver->state.links, (size_t)solver->robot->nlink * sizeof(brio_transform));
}

/* Move all variables by `time` s at their present speeds; the base rests. */
static void glide(brio_solver *solver, double time) {
  for (int c = BRIO_BASE_NV; c < solver->robot->nv; c++) solver->coordinates[c] += solver->speed[c] * time;
}

/* History becomes three poses at even speed, the newest of them q. */
void brio_solver_resume(brio_solver *solver, const double *q, const double *speeds, double dt) {
  assert(solver->past_dt[0] > 0 && solver->past_dt[1] > 0);
  /* Bad numbers leave the solver as it was. */
  if (solver->busy || !all_finite(q, solver->robot->nq) || !all_finite(speeds, solver->robot->nvariable))
    return;
  if (!(dt >= SHORTEST && dt <= LONGEST)) return;
  solver->solves++;
  brio_solver_place(solver, q);
  for (int i = 0; i < solver->robot->nvariable; i++) solver->speed[BRIO_BASE_NV + i] = speeds[i];
  /* Begin with the oldest of three poses, two ticks back, and go forward to q. */
  for (int age = BRIO_NPAST - 1; age >= 0; age--) {
    glide(solver, age == BRIO_NPAST - 1 ? -age * dt : dt);
    look_at_place(solver);
    remember(solver, age);
  }
  /* The step and the place of rest are those of a tick that went at this speed. */
  for (int c = BRIO_BASE_NV; c < solver->robot->nv; c++) {
    double at = solver->coordinates[c];
    solver->trial[c] = at;
    solver->step[c] = solver->speed[c] * dt;
    solver->rest[c] = brio_bounds_rest(&solver->bounds[c], at - solver->step[c], dt, at);
  }
  solver->past_dt[0] = solver->past_dt[1] = dt;
  solver->collision.changed = false;
  /* Distances at q are exact now: the guard lists near pairs by them. */
  brio_guard_look(solver);
  publish_history(solver);
}

void brio_solver_carry(brio_solver *solver, brio_pose base) {
  assert(solver->robot->base == BRIO_BASE_FIXED);
  if (solver->base) brio_solver_carry(solver->base, base);
  /* The newest pose on another base, at the speeds of the last solve: resume reads both before it writes. */
  const double start[] = {base.p.x, base.p.y, base.p.z, base.q.x, base.q.y, base.q.z, base.q.w};
  memcpy(solver->q, solver->past[0], (size_t)solver->robot->nq * sizeof *solver->q);
  memcpy(solver->q, start, sizeof start);
  memcpy(solver->trial, solver->speed + BRIO_BASE_NV,
         (size_t)solver->robot->nvariable * sizeof *solver->trial);
  brio_solver_resume(solver, solver->q, solver->trial, solver->past_dt[0]);
}

/* The limit in force, which may be tighter than the robot's, in rad/s^2 or m/s^2. */
double brio_solver_braking(const brio_solver *solver, int variable) {
  bool there = variable >= 0 && variable < solver->robot->nvariable;
  return there ? solver->bounds[BRIO_BASE_NV + variable].acceleration : INFINITY;
}

/* rad or m: a joint displaced by no more than this was braking, and not moved by hand. */
static const double UNMOVED = 0.1;

/* Displace the base by the same amounts as the robot. Where nobody moved the robot the base keeps its own
** values: overrides make the difference again. */
static void reset_base(brio_solver *solver, const double *q, bool zero_weights) {
  brio_solver *base = solver->base;
  /* Without a valid pose, or with weights at 0, the base starts like the robot. */
  if (!q || !all_finite(q, solver->robot->nq) || zero_weights) {
    brio_solver_reset(base, q, zero_weights);
    return;
  }
  /* q has one number more than the coordinates before the variables: the quaternion's fourth. */
  memcpy(base->q, q, (size_t)solver->robot->nq * sizeof *q);
  for (int c = BRIO_BASE_NV; c < solver->robot->nv; c++) {
    double moved = q[c + 1] - solver->coordinates[c];
    base->q[c + 1] = base->coordinates[c] + (fabs(moved) > UNMOVED ? moved : 0);
  }
  brio_solver_reset(base, base->q, zero_weights);
}

/* O(links + pairs): the pose is evaluated once, and all of history is made of it. */
void brio_solver_reset(brio_solver *solver, const double *q, bool zero_weights) {
  if (solver->busy) return;
  if (solver->base) reset_base(solver, q, zero_weights);
  solver->solves++;
  solver->time = NAN;
  /* `q` may be solver->q itself, as in reset_base. */
  if (q && all_finite(q, solver->robot->nq)) memmove(solver->q, q, (size_t)solver->robot->nq * sizeof *q);
  else brio_robot_neutral(solver->robot, solver->q);
  brio_solver_place(solver, solver->q);
  look_at_place(solver);
  /* A robot at rest brakes by standing still, which is known to be free. */
  solver->collision.changed = false;
  solver->guard.sure = true;
  brio_guard_look(solver);
  /* Three equal poses are a robot at rest; the length of past ticks is then arbitrary. */
  for (int age = 0; age < BRIO_NPAST; age++) remember(solver, age);
  solver->past_dt[0] = solver->past_dt[1] = 1.0 / 30;
  brio_slots_reset(solver, zero_weights);
  publish_history(solver);
}
