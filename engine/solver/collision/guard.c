/* The guard: no step is taken from which the robot could not stop in time.
**
** From the accepted pose, the way of a step is the step itself and then greatest braking, each coordinate
** for itself, until all stand still (bounds.c). A step is taken only if every watched pair of physical
** bodies keeps its least distance on the whole way. Greatest braking from the next pose is then the rest of
** that way, which is free: so by induction there always is a free step, whatever was asked, as long as
** nothing else moves. This bounds the speed of approach by  sqrt(2 a (d - margin))  in all directions. A
** pair that is nearer already (started so, or something moved) keeps the distance it has.
**
** A way is judged without sampling gaps. Every coordinate is monotonic, so between two places on it no
** point of one body moves by more than L against the other, L being the sum over the joints between them of
** what each turns times its longest lever. A pair d0 apart at one place and d1 at the other is nowhere
** between them nearer than (d0 + d1 - L) / 2 (Schwarzer, Saha and Latombe, "Adaptive dynamic collision
** checking", 2005); where that does not suffice, the way is halved. A shape that moves adds its speed times
** the time.
**
** A half-space that turns sweeps all that is far from its axis. What counts is how far the points of the
** other body move in its frame: each turn times the way from its axis to those points. All pairs of such a
** half-space are examined, however far apart. */
#include "solver/collision/guard.h"

#include <assert.h>
#include <string.h>

#include "math/scalar.h"
#include "solver/solver_internal.h"

enum { MAX_WORK = 3000 }; /* distances in a solve; what is undecided then counts as not free */

static const double RESOLUTION = 2.5e-4; /* m: between two good places this near, or as near as the least
                                 ** distance, all is good: half of that is left, if it comes to the worst */
static const double INTRUSION = 1e-3;    /* m: greatest braking missing its distance by less is no fault */
static const double FORGETTING = 0.01;   /* of the shortest tick, a tick */
static const double LIST = 0.1;          /* m: how near pairs are examined one by one, at least */
static const double LONGEST_LIST = 10;   /* m */
static const double SHARES[] = {0.5, 0.25, 0.125, 0.03125};

bool brio_guard_start(brio_solver *solver, brio_error *err) {
  brio_guard *guard = &solver->guard;
  const brio_robot *robot = solver->robot;
  bool good = true;
  for (int i = 0; i < BRIO_GUARD_MOMENTS; i++) {
    if (!brio_state_start(&guard->moments[i].state, robot, err)) return false;
    good = good && (guard->moments[i].place = BRIO_TAKE(&solver->arena, double, robot->nv)) != NULL;
  }
  guard->brake_dt = INFINITY;
  guard->list = LIST;
  guard->nearby = BRIO_TAKE(&solver->arena, brio_nearby, BRIO_GUARD_NEARBY);
  guard->rest = BRIO_TAKE(&solver->arena, double, robot->nv);
  guard->q = BRIO_TAKE(&solver->arena, double, robot->nq);
  guard->row = BRIO_TAKE(&solver->arena, double, robot->nv);
  guard->pull = BRIO_TAKE(&solver->arena, double, robot->nv);
  for (int k = 0; k < BRIO_SPANS; k++) {
    brio_span *span = &guard->spans[k];
    span->reach = BRIO_TAKE(&solver->arena, brio_reach, robot->nlink);
    span->ways = BRIO_TAKE(&solver->arena, brio_body_way, robot->ncollision + 1);
    good = good && span->reach && span->ways;
  }
  guard->reach = guard->spans[BRIO_SPAN_WHOLE].reach;
  if (good && guard->nearby && guard->row && guard->pull && guard->rest && guard->q) return true;
  return brio_fail(err, BRIO_NO_MEMORY, "no memory to guard robot '%.80s'", robot->name);
}

void brio_guard_end(brio_guard *guard) {
  for (int i = 0; i < BRIO_GUARD_MOMENTS; i++) brio_state_end(&guard->moments[i].state);
}

/* Where a tick of braking would have begun that ends in the trial at the speed of the step. */
static double before_trial(const brio_solver *solver, int c) {
  const brio_guard *guard = &solver->guard;
  double next = solver->trial[c];
  if (guard->brake_dt == guard->dt) return solver->coordinates[c];
  return next - (next - solver->coordinates[c]) * guard->brake_dt / guard->dt;
}

/* Where coordinate `c` is after `ticks` of the way: the step, then ticks of braking. */
static double coordinate_after(const brio_solver *solver, int c, double ticks) {
  const brio_guard *guard = &solver->guard;
  double at = solver->coordinates[c], next = solver->trial[c];
  if (ticks <= 1) return at + ticks * (next - at);
  if (ticks >= guard->end) return guard->rest[c];
  return brio_bounds_after(&solver->bounds[c], before_trial(solver, c), guard->brake_dt, next, ticks);
}

/* Return the moment after `ticks` of the way, from a ring of the last ones. O(moments + nv). */
static brio_moment *moment_after(brio_solver *solver, double ticks) {
  assert(ticks >= 0);
  brio_guard *guard = &solver->guard;
  for (int i = 0; i < BRIO_GUARD_MOMENTS; i++) {
    if (guard->moments[i].ticks != ticks) continue;
    if (guard->oldest == i) guard->oldest = (i + 1) % BRIO_GUARD_MOMENTS;
    return &guard->moments[i];
  }
  brio_moment *moment = &guard->moments[guard->oldest];
  guard->oldest = (guard->oldest + 1) % BRIO_GUARD_MOMENTS;
  memcpy(moment->place, solver->coordinates, (size_t)solver->robot->nv * sizeof *moment->place);
  for (int i = 0; i < solver->nfree; i++)
    moment->place[solver->free[i]] = coordinate_after(solver, solver->free[i], ticks);
  brio_couplings_follow(solver, moment->place);
  moment->placed = false;
  moment->ticks = ticks;
  return moment;
}

/* Return the links at a moment; forward kinematics runs once per moment. */
static const brio_state *state_of(brio_solver *solver, brio_moment *moment) {
  if (!moment->placed) {
    brio_solver_configuration(solver, moment->place, solver->guard.q);
    brio_state_update(&moment->state, solver->guard.q);
    moment->placed = true;
  }
  return &moment->state;
}

const brio_state *brio_guard_state_after(brio_solver *solver, double ticks, const double **place) {
  brio_moment *moment = moment_after(solver, ticks);
  if (place) *place = moment->place;
  return state_of(solver, moment);
}

/* Return where a body is at a moment, one that moves by itself going on as it does. */
static brio_transform place_body(const brio_guard *guard, const brio_body *body, const brio_state *state,
                                 double ticks) {
  if (body->frame >= 0) return brio_transform_mul(&state->links[body->frame], &body->pose);
  if (!brio_guard_drifts(body)) return body->pose;
  double time = brio_guard_seconds(guard, ticks);
  brio_pose turn = {{0, 0, 0}, brio_quat_exp(brio_vec3_scale(time, body->spin))};
  brio_transform at = body->pose, turned = brio_transform_of(turn);
  at.p = (brio_vec3){0, 0, 0};
  at = brio_transform_mul(&turned, &at);
  at.p = brio_vec3_add_scaled(body->pose.p, time, body->velocity);
  return at;
}

/* The distance of a pair after `ticks` of the way, m; above `enough` a lower bound may stand for it. */
static double distance_after(brio_solver *solver, brio_nearby *pair, double ticks, double enough) {
  brio_guard *guard = &solver->guard;
  const brio_body *a = &solver->collision.watch.bodies[pair->body_a];
  const brio_body *b = &solver->collision.watch.bodies[pair->body_b];
  const brio_state *state = state_of(solver, moment_after(solver, ticks));
  brio_transform pose_a = place_body(guard, a, state, ticks), pose_b = place_body(guard, b, state, ticks);
  double bound = brio_shape_distance_bound(a->radius, &pose_a, b->radius, &pose_b);
  if (bound > enough) return bound;
  guard->work++;
  return brio_shape_distance(&a->shape, &pose_a, &b->shape, &pose_b, &pair->cache).distance;
}

/* --- whether a way is free --- */

/* How far the bodies of a pair may move against each other on a part of the way, between two places, by the
** joints. For pairs of the robot's own its sums suffice; for a half-space they say nothing. */
static double way_on(brio_solver *solver, const brio_nearby *pair, brio_span_kind kind, const double *from,
                     const double *to) {
  double way = NAN;
  if (pair->carrier >= 0 && kind < BRIO_SPANS)
    way = brio_guard_own_way(brio_guard_span(solver, kind, from, to), pair);
  return isnan(way) ? brio_guard_pair_travel(solver, pair, from, to) : way;
}

/* The same between two moments. */
static double way_between(brio_solver *solver, const brio_nearby *pair, double from, double to) {
  const double *first = moment_after(solver, from)->place, *last = moment_after(solver, to)->place;
  bool step = from == 0 && to == 1, braking = from == 1 && to == solver->guard.end;
  brio_span_kind kind = step ? BRIO_SPAN_STEP : braking ? BRIO_SPAN_BRAKING : BRIO_SPANS;
  return way_on(solver, pair, kind, first, last);
}

/* Whether a pair keeps `least` between two moments of the way, being `d0` and `d1` apart there.
** Halves the way until the bound decides, RESOLUTION is reached or the work is used up. */
static bool keeps(brio_solver *solver, brio_nearby *pair, double least, double from, double d0,
                  double to, double d1) {
  assert(from < to);
  if (d0 < least || d1 < least) return false;
  double time = brio_guard_seconds(&solver->guard, to) - brio_guard_seconds(&solver->guard, from);
  double way = way_between(solver, pair, from, to) + brio_guard_pair_drift(solver, pair, time);
  if (d0 + d1 - way >= 2 * least || way < brio_max(RESOLUTION, least)) return true;
  if (solver->guard.work >= MAX_WORK) return false;
  double middle = 0.5 * (from + to), d = distance_after(solver, pair, middle, least + 0.5 * way);
  return keeps(solver, pair, least, from, d0, middle, d) && keeps(solver, pair, least, middle, d, to, d1);
}

/* By how much a pair may come nearer than it is, m. */
static double room_of(const brio_nearby *pair, double grace) {
  return (pair->distance <= pair->least ? 0 : pair->distance - pair->least) + grace;
}

/* Whether a pair keeps its distance, less `grace`, on the whole way. */
static bool pair_is_free(brio_solver *solver, brio_nearby *pair, double grace) {
  const brio_body *bodies = solver->collision.watch.bodies;
  double end = solver->guard.end, now, room = room_of(pair, grace);
  if (room >= brio_guard_pair_reach(solver, &bodies[pair->body_a], &bodies[pair->body_b])) return true;
  double way = way_on(solver, pair, BRIO_SPAN_WHOLE, solver->coordinates, solver->guard.rest);
  way += brio_guard_pair_drift(solver, pair, brio_guard_seconds(&solver->guard, end));
  if (room >= way) return true;
  now = distance_after(solver, pair, 0, pair->least + way);
  double least = brio_min(pair->least, now) - grace, next = distance_after(solver, pair, 1, least + way);
  if (!keeps(solver, pair, least, 0, now, 1, next)) return false;
  return end <= 1 || keeps(solver, pair, least, 1, next, end, distance_after(solver, pair, end, least + way));
}

/* Get ready to judge the way of the trial. */
static void begin_way(brio_solver *solver) {
  brio_guard *guard = &solver->guard;
  guard->end = 1;
  for (int i = 0; i < BRIO_GUARD_MOMENTS; i++) guard->moments[i].ticks = NAN;
  memcpy(guard->rest, solver->coordinates, (size_t)solver->robot->nv * sizeof *guard->rest);
  for (int i = 0; i < solver->nfree; i++) {
    int c = solver->free[i];
    double before = before_trial(solver, c), ticks;
    ticks = brio_bounds_ticks(&solver->bounds[c], before, guard->brake_dt, solver->trial[c]);
    guard->end = brio_max(guard->end, ticks);
    guard->rest[c] = brio_bounds_after(&solver->bounds[c], before, guard->brake_dt, solver->trial[c], ticks);
  }
  brio_couplings_follow(solver, guard->rest);
  guard->root = solver->past_links[0][0].p;
  brio_guard_sum_ways(solver);
}

/* Whether a pair is the one that was hit last. */
static bool is_suspect(const brio_guard *guard, const brio_nearby *pair) {
  return pair->body_a == guard->suspect[0] && pair->body_b == guard->suspect[1];
}

/* Make a pair the suspect (NULL: no pair), and return true. */
static bool hit(brio_guard *guard, const brio_nearby *pair) {
  guard->suspect[0] = pair ? pair->body_a : -1;
  guard->suspect[1] = pair ? pair->body_b : -1;
  return true;
}

/* Whether all that follows other joints stays within its ends: it goes evenly between ticks. */
static bool followers_stay(brio_solver *solver) {
  for (double ticks = 1; ticks <= solver->guard.end; ticks++)
    if (!brio_couplings_within(solver, moment_after(solver, ticks)->place)) return false;
  return true;
}

/* Whether the way of the trial brings a pair too near, which then is the suspect, by more than `grace`. */
static bool hits(brio_solver *solver, double grace) {
  brio_guard *guard = &solver->guard;
  begin_way(solver);
  if (solver->ncoupling > 0 && !followers_stay(solver)) return hit(guard, NULL);
  if (solver->balance && !brio_balance_keeps(solver)) return hit(guard, NULL);
  if (guard->off) return false;
  const brio_span *whole = &guard->spans[BRIO_SPAN_WHOLE];
  /* What was hit last is likely to be hit again. */
  for (int k = 0; k < guard->nnearby && guard->suspect[0] >= 0; k++) {
    brio_nearby *pair = &guard->nearby[k];
    if (is_suspect(guard, pair) && !pair_is_free(solver, pair, grace)) return hit(guard, pair);
  }
  for (int k = 0; k < guard->nnearby; k++) {
    brio_nearby *pair = &guard->nearby[k];
    if (k < guard->nown && room_of(pair, grace) >= brio_guard_own_way(whole, pair)) continue;
    if (!is_suspect(guard, pair) && !pair_is_free(solver, pair, grace)) return hit(guard, pair);
  }
  return guard->farthest + guard->clearance > guard->horizon ? hit(guard, NULL) : false;
}

/* --- the step --- */

double brio_guard_least(const brio_solver *solver, const brio_proximity_pair *pair) {
  double half = 0.5 * pair->margin, clearance = solver->guard.clearance;
  return half < clearance ? half : clearance;
}

/* Whether a nearby pair comes before pair `i` of the watch: those of the robot alone stay where they are
** listed, the others are listed by their bodies. */
static bool comes_before(const brio_nearby *nearby, const brio_watch *watch, int i) {
  const brio_proximity_pair *pair = &watch->pairs[i];
  if (i < watch->nfixed) return nearby->pair < i;
  return nearby->body_a != pair->body_a ? nearby->body_a < pair->body_a : nearby->body_b < pair->body_b;
}

const brio_nearby *brio_guard_find(const brio_solver *solver, int i) {
  assert(i >= 0 && i < solver->collision.watch.npair);
  const brio_guard *guard = &solver->guard;
  const brio_watch *watch = &solver->collision.watch;
  const brio_proximity_pair *pair = &watch->pairs[i];
  bool own = i < watch->nfixed;
  int least = own ? 0 : guard->nown, end = own ? guard->nown : guard->nnearby, last = end;
  while (least < last) {
    int middle = least + (last - least) / 2;
    if (comes_before(&guard->nearby[middle], watch, i)) least = middle + 1;
    else last = middle;
  }
  const brio_nearby *nearby = &guard->nearby[least];
  return least < end && nearby->body_a == pair->body_a && nearby->body_b == pair->body_b ? nearby : NULL;
}

/* Whether a pair is to be kept apart: both are physical, and it is no half-space on a link with a part of the
** robot that is behind its plane now, as those that carry it are. */
static bool counts(const brio_watch *watch, const brio_proximity_pair *pair) {
  const brio_body *a = &watch->bodies[pair->body_a], *b = &watch->bodies[pair->body_b];
  if (!a->physical || !b->physical) return false;
  bool carried = a->frame >= 0 && b->frame >= 0 && (isinf(a->radius) || isinf(b->radius));
  return !(carried && pair->within && pair->near.distance < 0);
}

/* Whether one of a pair is a half-space that may turn. */
static bool is_swept(const brio_watch *watch, const brio_proximity_pair *pair) {
  return brio_guard_sweeps(&watch->bodies[pair->body_a]) || brio_guard_sweeps(&watch->bodies[pair->body_b]);
}

/* The distance up to which all pairs are listed, m. */
static double listed(const brio_watch *watch) {
  double least = watch->range;
  for (int k = 0; k < watch->nmover; k++) least = brio_min(least, watch->bodies[watch->movers[k]].left);
  return least;
}

void brio_guard_look(brio_solver *solver) {
  brio_guard *guard = &solver->guard;
  const brio_watch *watch = &solver->collision.watch;
  guard->nnearby = guard->nown = 0;
  guard->nearest = INFINITY;
  guard->horizon = listed(watch);
  guard->crowded = false;
  for (int i = 0; i < watch->npair && !guard->off; i++) {
    const brio_proximity_pair *pair = &watch->pairs[i];
    double distance = pair->near.distance;
    bool own = i < watch->nfixed;
    if (!(distance < guard->horizon || own || is_swept(watch, pair)) || !counts(watch, pair)) continue;
    guard->nearest = distance < guard->nearest ? distance : guard->nearest;
    guard->crowded |= guard->nnearby == BRIO_GUARD_NEARBY && is_swept(watch, pair);
    if (guard->nnearby == BRIO_GUARD_NEARBY) guard->horizon = brio_min(guard->horizon, distance);
    else guard->nearby[guard->nnearby++] =
        (brio_nearby){pair->body_a, pair->body_b, i, pair->carrier, distance, brio_guard_least(solver, pair),
                      pair->cache};
    assert(guard->nown <= guard->nnearby && guard->nnearby <= BRIO_GUARD_NEARBY);
    if (own) guard->nown = guard->nnearby;
  }
  double want = 1.5 * guard->asked + 2 * guard->clearance;
  /* The list follows the steps: doubled at once where it is short, halved where it is 4 times too long. */
  if (want < guard->list / 4) guard->list = brio_max(guard->list / 2, LIST);
  while (guard->list < brio_min(want, LONGEST_LIST)) guard->list *= 2;
}

/* The first verdict: whether a shape of the world that was set or moved came nearer than the robot may. */
static brio_verdict find_intruder(const brio_solver *solver) {
  const brio_guard *guard = &solver->guard;
  const brio_collision *collision = &solver->collision;
  const brio_body *bodies = collision->watch.bodies;
  for (int k = 0; k < guard->nnearby; k++) {
    const brio_nearby *near = &guard->nearby[k];
    bool came = false;
    for (int i = 0; i < 2; i++) {
      const brio_body *body = &bodies[i ? near->body_b : near->body_a];
      came |= body->frame < 0 && body->displaced == collision->epoch;
    }
    if (came && near->distance < 0.5 * near->least) return (brio_verdict){1, {near->body_a, near->body_b}};
  }
  return (brio_verdict){1, {-1, -1}};
}

brio_verdict brio_guard_begin(brio_solver *solver) {
  brio_collision *collision = &solver->collision;
  brio_verdict verdict = {1, {-1, -1}};
  if (collision->changed && !solver->guard.off) {
    solver->guard.sure = false;
    solver->reach = brio_max(solver->reach, brio_clearance_reach(solver));
    brio_collision_measure(solver, false);
    brio_guard_look(solver);
    verdict = find_intruder(solver);
  }
  collision->changed = false;
  collision->epoch++;
  return verdict;
}

/* Write to solver->upper where each free coordinate rests if it brakes as hard as it may at once. */
static void find_braking(brio_solver *solver, double dt) {
  for (int i = 0; i < solver->nfree; i++) {
    int c = solver->free[i];
    const brio_bounds *bounds = &solver->bounds[c];
    double at = solver->coordinates[c], way = fabs(solver->speed[c]) * dt - bounds->acceleration * dt * dt;
    double next = at + copysign(brio_max(way, 0), solver->speed[c]);
    solver->upper[i] = brio_bounds_rest(bounds, at, dt, brio_clamp(next, solver->least[i], solver->most[i]));
  }
}

/* Take a share of the way from greatest braking (solver->upper) to the best pose (solver->lower). */
static void take_share(brio_solver *solver, double share, double dt) {
  for (int i = 0; i < solver->nfree; i++)
    solver->x[i] = solver->upper[i] + share * (solver->lower[i] - solver->upper[i]);
  brio_solver_take_step(solver, dt);
}

/* Braking that is checked in ticks shorter than those that come is checked farther than it goes: so ticks
** of changing length are checked as their shortest, which is forgotten slowly. */
static void set_ticks(brio_guard *guard, double dt) {
  assert(dt > 0);
  guard->dt = dt;
  guard->brake_dt = dt < guard->brake_dt ? dt : guard->brake_dt + FORGETTING * (dt - guard->brake_dt);
  guard->work = 0;
}

/* Whether the way of the trial, a share of what was asked for, is free; then braking from its end is, too. */
static bool granted(brio_solver *solver, double share, brio_verdict *verdict) {
  bool free = !hits(solver, 0);
  if (share == 1) solver->guard.asked = solver->guard.farthest;
  verdict->granted = share;
  if (free) solver->guard.sure = true;
  return free;
}

void brio_guard_step(brio_solver *solver, double dt, brio_verdict *verdict) {
  brio_guard *guard = &solver->guard;
  set_ticks(guard, dt);
  bool nothing = guard->off && solver->ncoupling == 0 && !solver->balance;
  if (nothing || granted(solver, 1, verdict)) return;
  memcpy(solver->lower, solver->x, (size_t)solver->nfree * sizeof *solver->lower);
  find_braking(solver, dt);
  /* Not all of it: try smaller shares of the way from greatest braking to what was asked. */
  for (size_t i = 0; i < sizeof SHARES / sizeof *SHARES; i++) {
    take_share(solver, SHARES[i], dt);
    if (granted(solver, SHARES[i], verdict)) return;
  }
  take_share(solver, 0, dt);
  verdict->granted = 0;
  if (guard->sure) return;
  guard->work = 0;
  if (hits(solver, INTRUSION)) memcpy(verdict->fault, guard->suspect, sizeof verdict->fault);
}
