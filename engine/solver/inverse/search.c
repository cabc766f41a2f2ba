/* Inverse kinematics: the search over starts, and the report of its result.
**
** Each start goes downhill (descent.c) until it meets the goals or gains too little; then comes the next
** one, from which the goals may be nearer (Beeson and Ames, "TRAC-IK", 2015, measured the value of
** restarts). A solution is then drawn towards a posture, if the request has one, and away from watched
** shapes that it touches. */
#include <assert.h>
#include <string.h>

#include "math/scalar.h"
#include "robot/kinematics.h"
#include "solver/inverse/inverse_internal.h"

enum {
  STEPS = 40,      /* downhill from one start */
  PATIENCE = 2,    /* of these, in a row, that may gain little */
  DRAW_STEPS = 15, /* towards a posture, for each strength */
  MAX_STARTS = 400,
  NEAREST_STARTS = 40,
  MAX_ITERATIONS = 20000,
};

static const double DRAWS[] = {3e-2, 1e-3}; /* strengths, relative to a metre off the goal */
static const double LOOK = 0.3;             /* m: near pairs are reported up to this distance */
static const double MAX_CLEARANCE = 0.2;   /* m */

/* --- the request --- */

/* Whether all numbers are finite; NULL is allowed. */
static bool finite_numbers(const double *numbers, int count) {
  double sum = 0;
  for (int i = 0; numbers && i < count; i++) sum += numbers[i] * 0; /* infinite and NaN give NaN */
  return sum == 0;
}

/* Check everything in a request except its goals. Errors: misuse. */
static bool check(const brio_inverse *inverse, const brio_inverse_request *request, brio_error *err) {
  int nq = inverse->robot->nq;
  if (!finite_numbers(request->seed, nq) || !finite_numbers(request->nominal, nq))
    return brio_fail(err, BRIO_MISUSE, "the seed and the nominal posture must be finite numbers");
  if (request->clear && !inverse->shapes)
    return brio_fail(err, BRIO_MISUSE,
                     "clear configurations are found only by inverse kinematics that watches shapes");
  /* Written so that NaN is rejected, too. */
  if (!(request->clearance >= 0 && request->clearance <= MAX_CLEARANCE))
    return brio_fail(err, BRIO_MISUSE, "the clearance must be from 0 to %g m, not %g", MAX_CLEARANCE,
                     request->clearance);
  if (!(request->apart >= 0) || request->max_starts < 0 || request->max_iterations < 0)
    return brio_fail(err, BRIO_MISUSE,
                     "starts, iterations and how far solutions are apart cannot be below 0");
  if (request->solutions < 0 || request->solutions > inverse->max_solutions)
    return brio_fail(err, BRIO_MISUSE, "the number of solutions is 1 to %d, not %d", inverse->max_solutions,
                     request->solutions);
  return true;
}

/* Write the coordinates of configuration `q`, clamped to their limits. */
static void coordinates_of(const brio_inverse *inverse, const double *q, double *x) {
  /* The base is relative to its center: a difference and a rotation vector. */
  if (inverse->nbase) {
    brio_quat turn = brio_quat_unit((brio_quat){q[3], q[4], q[5], q[6]});
    brio_vec3 u = brio_quat_log(brio_quat_mul(turn, brio_quat_conj(inverse->base_pose.q)));
    brio_vec3 p = brio_vec3_sub((brio_vec3){q[0], q[1], q[2]}, inverse->base_pose.p);
    memcpy(x, (double[]){p.x, p.y, p.z, u.x, u.y, u.z}, BRIO_BASE_NV * sizeof *x);
  }
  for (int i = 0; i < inverse->chain.nvariable; i++)
    x[inverse->nbase + i] = q[BRIO_BASE_NQ + inverse->chain.variables[i]];
  for (int i = 0; i < inverse->n; i++) x[i] = brio_clamp(x[i], inverse->lower[i], inverse->upper[i]);
}

/* Set up a solve: seed, posture, and counters of work. */
static void begin(brio_inverse *inverse, const brio_inverse_request *request) {
  const brio_robot *robot = inverse->robot;
  double *q = inverse->q;
  if (request->seed)
    memcpy(q, request->seed, (size_t)robot->nq * sizeof *q);
  else
    brio_robot_neutral(robot, q);
  /* The seed is clamped to the limits, also where the chain does not move it. */
  for (int i = 0; i < robot->nvariable; i++) {
    const brio_variable *v = &robot->variables[i];
    if (!v->circular && v->lower <= v->upper)
      q[BRIO_BASE_NQ + i] = brio_clamp(q[BRIO_BASE_NQ + i], v->lower, v->upper);
  }
  brio_quat turn = brio_quat_unit((brio_quat){q[3], q[4], q[5], q[6]});
  q[3] = turn.x, q[4] = turn.y, q[5] = turn.z, q[6] = turn.w;
  /* A base that does not move stands where the seed has it. */
  if (!inverse->nbase) inverse->base_pose = (brio_pose){{q[0], q[1], q[2]}, turn};
  inverse->base = brio_transform_of(inverse->base_pose);
  coordinates_of(inverse, q, inverse->home);
  coordinates_of(inverse, request->nominal ? request->nominal : q, inverse->pull);
  /* Every solve draws the same starts. */
  inverse->fresh = inverse->stream;
  inverse->clearance = request->clearance;
  inverse->most = request->max_iterations ? request->max_iterations : MAX_ITERATIONS;
  inverse->iterations = 0;
  inverse->scored = inverse->keeps_clear = false;
  inverse->distance = INFINITY;
  inverse->draw = 0;
  /* What an earlier solve measured is no bound at the new seed. */
  if (request->clear) brio_inverse_forget_near(inverse);
}

/* --- working on a solution --- */

/* Remove whole turns from circular variables, so that they are near the posture. */
static void unwind(brio_inverse *inverse) {
  for (int i = inverse->nbase; i < inverse->n; i++) {
    const brio_variable *v = &inverse->robot->variables[inverse->chain.variables[i - inverse->nbase]];
    if (!v->circular || inverse->held[i]) continue;
    inverse->x[i] = inverse->pull[i] + remainder(inverse->x[i] - inverse->pull[i], 2 * BRIO_PI);
  }
}

/* Squared distance of x from the posture. */
static double apartness(const brio_inverse *inverse, const double *x) {
  double sum = 0;
  for (int i = 0; i < inverse->n; i++) sum += (x[i] - inverse->pull[i]) * (x[i] - inverse->pull[i]);
  return sum;
}

/* Draw a solution at x towards the posture; keep the result if it still meets the goals and is nearer. */
static void settle(brio_inverse *inverse) {
  size_t size = (size_t)inverse->n * sizeof *inverse->x;
  memcpy(inverse->kept, inverse->x, size);
  /* A strong draw first, then a weak one that leaves the goals nearly met. */
  for (size_t i = 0; i < sizeof DRAWS / sizeof *DRAWS; i++) {
    inverse->draw = DRAWS[i];
    brio_inverse_walk(inverse, DRAW_STEPS);
  }
  /* Without the draw, back to the goals exactly. */
  inverse->draw = 0;
  bool met = brio_inverse_descend(inverse, STEPS, PATIENCE);
  if (met && apartness(inverse, inverse->x) <= apartness(inverse, inverse->kept)) return;
  memcpy(inverse->x, inverse->kept, size);
}

/* Whether x, which meets the goals, keeps clear, or can be moved so that it does. */
static bool make_clear(brio_inverse *inverse) {
  inverse->keeps_clear = true;
  bool clear = brio_inverse_descend(inverse, STEPS, PATIENCE);
  inverse->keeps_clear = false;
  return clear;
}

/* Descend from start number `k`. Return whether that leads to a solution. */
static bool try_start(brio_inverse *inverse, const brio_inverse_request *request, int k,
                      brio_inverse_result *result) {
  brio_inverse_take_start(inverse, k, inverse->home);
  bool met = brio_inverse_descend(inverse, STEPS, PATIENCE);
  /* The nearest miss is reported when nothing is found. */
  if (inverse->cost < inverse->least) {
    inverse->least = inverse->cost;
    memcpy(inverse->best, inverse->x, (size_t)inverse->n * sizeof *inverse->x);
  }
  result->starts++;
  if (!met) return false;
  unwind(inverse);
  if (request->nominal || (request->nearest && request->solutions < 2)) settle(inverse);
  if (!request->clear || make_clear(inverse)) return true;
  if (inverse->nearest) inverse->blocker = *inverse->nearest; /* pairs come and go */
  inverse->blocked = inverse->distance;
  result->touching++;
  return false;
}

/* --- keeping solutions --- */

/* Whether two configurations differ by `apart` (rad or m) in a variable or the base. */
static bool differ(brio_inverse *inverse, const double *a, const double *b, double apart) {
  brio_robot_difference(inverse->robot, a, b, inverse->dense);
  for (int i = 0; i < inverse->robot->nv; i++)
    if (fabs(inverse->dense[i]) >= apart) return true;
  return false;
}

/* Whether solution `i` and configuration `q` are one: no variable differs by `apart`. */
static bool is_like(brio_inverse *inverse, int i, const double *q, double apart) {
  return !differ(inverse, inverse->solutions + (size_t)i * (size_t)inverse->robot->nq, q, apart);
}

/* Remove solution `i`; the ones behind it move up. */
static void remove_solution(brio_inverse *inverse, brio_inverse_result *result, int i) {
  assert(i >= 0 && i < result->nsolution);
  size_t nq = (size_t)inverse->robot->nq, behind = (size_t)(result->nsolution - i - 1);
  memmove(inverse->solutions + (size_t)i * nq, inverse->solutions + (size_t)(i + 1) * nq,
          behind * nq * sizeof(double));
  memmove(inverse->apartness + i, inverse->apartness + i + 1, behind * sizeof(double));
  result->nsolution--;
}

/* Insert a solution before the i-th; the ones from there on move down. */
static void insert_solution(brio_inverse *inverse, brio_inverse_result *result, int i, const double *q,
                            double away) {
  assert(i >= 0 && i <= result->nsolution && result->nsolution < inverse->max_solutions);
  size_t nq = (size_t)inverse->robot->nq, behind = (size_t)(result->nsolution - i);
  memmove(inverse->solutions + (size_t)(i + 1) * nq, inverse->solutions + (size_t)i * nq,
          behind * nq * sizeof(double));
  memmove(inverse->apartness + i + 1, inverse->apartness + i, behind * sizeof(double));
  memcpy(inverse->solutions + (size_t)i * nq, q, nq * sizeof *q);
  inverse->apartness[i] = away;
  result->nsolution++;
}

/* Keep the configuration of x if it is another solution than those kept, or a nearer one. O(solutions *
** nv). */
static void keep(brio_inverse *inverse, const brio_inverse_request *request, brio_inverse_result *result) {
  int wanted = request->solutions ? request->solutions : 1, place;
  double apart = request->apart > 0 ? request->apart : 0.1, away = apartness(inverse, inverse->x);
  double *q = inverse->found;
  brio_inverse_configuration(inverse, inverse->x, q);
  /* Solutions closer than `apart` are one: the nearer to the posture stays. The new one may be near to
  ** several that differ: it takes the place of all of them, or of none. */
  for (int i = 0; i < result->nsolution; i++)
    if ((!request->nearest || away >= inverse->apartness[i]) && is_like(inverse, i, q, apart)) return;
  for (int i = result->nsolution - 1; i >= 0; i--)
    if (is_like(inverse, i, q, apart)) remove_solution(inverse, result, i);
  /* With `nearest`, solutions are ordered by their distance from the posture. */
  place = result->nsolution;
  while (request->nearest && place > 0 && away < inverse->apartness[place - 1]) place--;
  /* A full list loses its farthest. */
  if (result->nsolution == wanted) {
    if (place == wanted) return;
    remove_solution(inverse, result, wanted - 1);
  }
  insert_solution(inverse, result, place, q, away);
}

/* --- the report --- */

/* The error of one part of a target, over the axes that are not free, m or rad. */
static double left_of(const brio_inverse_target *target, int part) {
  double square = 0;
  for (int i = 3 * part; i < 3 * part + 3; i++)
    if (target->weight[i] > 0) square += target->left[i] * target->left[i];
  return sqrt(square);
}

/* Report how near `x` is to the goals, and the nearest pair. */
static void report(brio_inverse *inverse, const brio_inverse_request *request, const double *x,
                   brio_inverse_result *result) {
  double most = -1;
  brio_inverse_evaluate(inverse, x);
  if (request->clear) brio_inverse_measure_clear(inverse, x, LOOK);
  /* The worst target, by its tolerances, is named where nothing is found. */
  for (int k = 0; k < inverse->chain.nlink; k++) {
    const brio_inverse_target *target = &inverse->targets[k];
    double excess = fmax(target->excess[0], target->excess[1]);
    result->position = fmax(result->position, left_of(target, 0));
    result->orientation = fmax(result->orientation, left_of(target, 1));
    if (excess > most) most = excess, result->worst = k;
  }
  result->distance = request->clear ? inverse->distance : INFINITY;
}

/* Write the error of a search without result: too near to something, or out of reach. */
static bool unreachable(const brio_inverse *inverse, const brio_inverse_result *result, brio_error *err) {
  assert(result->worst >= 0 && result->worst < inverse->chain.nlink);
  const char *link = inverse->robot->links[inverse->chain.links[result->worst]].name;
  const char *cut = inverse->iterations >= inverse->most ? ", cut after its iterations," : "";
  /* Some starts met the goals: what they touched is the reason. */
  if (result->touching > 0) {
    const char *a, *b;
    brio_solver_pair_names(inverse->shapes, &inverse->blocker, &a, &b);
    return brio_fail(
        err, BRIO_UNREACHABLE,
        "no configuration of robot '%.80s' that keeps clear by %g m was found: %d of %d starts%s reach "
        "the goals, but too near (the last: '%.80s' and '%.80s', %.4f m)",
        inverse->robot->name, inverse->clearance, result->touching, result->starts, cut, a, b,
        inverse->blocked);
  }
  return brio_fail(
      err, BRIO_UNREACHABLE,
      "no configuration of robot '%.80s' within its limits was found that brings link '%.80s' to its "
      "goal: the best of %d starts%s leaves %.6f m and %.6f rad",
      inverse->robot->name, link, result->starts, cut, result->position, result->orientation);
}

bool brio_inverse_solve(brio_inverse *inverse, const brio_inverse_request *request,
                        brio_inverse_result *result, brio_error *err) {
  *result = (brio_inverse_result){.distance = INFINITY};
  if (!check(inverse, request, err) || !brio_inverse_aim(inverse, request->goals, err)) return false;
  begin(inverse, request);
  /* The nearest solution needs all of its starts, so these are fewer. */
  int starts = request->max_starts ? request->max_starts : request->nearest ? NEAREST_STARTS : MAX_STARTS;
  int wanted = request->solutions ? request->solutions : 1;
  inverse->least = INFINITY;
  memcpy(inverse->best, inverse->home, (size_t)inverse->n * sizeof *inverse->home);
  /* Each start is independent; the first solution ends the search unless the nearest is wanted. */
  for (int k = 0; k < starts && inverse->iterations < inverse->most; k++) {
    if (try_start(inverse, request, k, result)) keep(inverse, request, result);
    if (!request->nearest && result->nsolution == wanted) break;
  }
  result->found = result->nsolution > 0;
  result->iterations = inverse->iterations;
  /* Report on the first solution, or on the nearest miss. */
  if (result->found)
    coordinates_of(inverse, inverse->solutions, inverse->x);
  else
    memcpy(inverse->x, inverse->best, (size_t)inverse->n * sizeof *inverse->x);
  report(inverse, request, inverse->x, result);
  brio_inverse_configuration(inverse, inverse->x, inverse->found);
  result->q = result->found ? inverse->solutions : inverse->found;
  result->solutions = inverse->solutions;
  return result->found || unreachable(inverse, result, err);
}
