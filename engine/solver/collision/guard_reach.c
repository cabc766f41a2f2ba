/* How far points may get on a way, between two places where every coordinate is monotonic.
**
** A turn of a joint moves no point by more than the turn times the greatest distance from its axis, which
** is no more than the length of the chain from the axis to the point. Along a chain these sums have a
** closed form: with T the sum of all turns, K that of turns times the length up to their axes, and S that
** of slides, the end of a chain of length E goes no farther than  T E - K + S  in the world. Against a link
** that carries it, it goes no farther than the same with the link's own T, K and S subtracted. So a pair of
** the robot's own bodies takes one line, however long its chains are. */
#include <assert.h>

#include "math/scalar.h"
#include "solver/solver_internal.h"

double brio_guard_seconds(const brio_guard *guard, double ticks) {
  return guard->dt * brio_min(ticks, 1) + guard->brake_dt * brio_max(ticks - 1, 0);
}

bool brio_guard_drifts(const brio_body *body) {
  return body->frame < 0 && (brio_vec3_norm(body->velocity) > 0 || brio_vec3_norm(body->spin) > 0);
}

/* How far the points of a body that moves by itself may get in a time, m, those `lever` m from its middle. */
static double drift_at(const brio_body *body, double time, double lever) {
  if (!brio_guard_drifts(body)) return 0;
  double turn = brio_vec3_norm(body->spin) * time;
  return brio_vec3_norm(body->velocity) * time + (turn > 0 ? turn * lever : 0);
}

/* How far any point of a body that moves by itself may get in a time, m. */
static double drift(const brio_body *body, double time) { return drift_at(body, time, body->radius); }

/* A joint between two places: its turn, rad, its slide, m, and the most that it lengthens the chain, m. */
typedef struct brio_joint_travel {
  double turn, slide, length;
} brio_joint_travel;

/* What a joint does between two places on the way; a mimic joint follows its variable. */
static brio_joint_travel joint_motion(const brio_solver *solver, const brio_joint *joint, const double *from,
                                const double *to) {
  brio_joint_travel motion = {0, 0, 0};
  for (int i = 0; i < joint->nvariable; i++) {
    const brio_variable *variable = &solver->robot->variables[joint->variable + i];
    int c = BRIO_BASE_NV + joint->variable + i;
    double way = fabs(joint->multiplier) * brio_couplings_way(solver, c, from, to);
    bool turns = joint->mimic >= 0 ? joint->type != BRIO_JOINT_PRISMATIC : variable->angular;
    if (turns) motion.turn += way;
    else motion.slide += way;
    double reached = fabs(joint->multiplier) * brio_max(fabs(from[c]), fabs(to[c])) + fabs(joint->offset);
    if (!turns) motion.length += reached;
  }
  return motion;
}

/* What the base does between two places: three coordinates slide, three turn. */
static brio_joint_travel base_motion(const double *from, const double *to) {
  brio_joint_travel motion = {0, 0, 0};
  for (int c = 0; c < BRIO_BASE_NV; c++) *(c < 3 ? &motion.slide : &motion.turn) += fabs(to[c] - from[c]);
  return motion;
}

/* Sum up what every link's points may do between two places, reach[0] being that of the root. */
static void sum_reach(const brio_solver *solver, const double *from, const double *to, brio_reach *reach) {
  const brio_robot *robot = solver->robot;
  for (int l = 1; l < robot->nlink; l++) {
    const brio_joint *joint = &robot->joints[robot->links[l].joint];
    const brio_reach *parent = &reach[joint->parent];
    brio_joint_travel motion = joint_motion(solver, joint, from, to);
    double axis = parent->length + brio_vec3_norm(joint->origin.p) + motion.length;
    reach[l] = (brio_reach){.length = axis + brio_vec3_norm(joint->tail.p),
                            .turn = parent->turn + motion.turn,
                            .lever = parent->lever + motion.turn * axis,
                            .slide = parent->slide + motion.slide};
  }
}

/* How far points of a body are from the origin of its link, m. */
static double body_size(const brio_body *body) { return brio_vec3_norm(body->pose.p) + body->radius; }

/* How far any point of a body may move in the world on the whole way. */
static double travel(const brio_solver *solver, const brio_body *body) {
  if (body->frame < 0) return drift(body, brio_guard_seconds(&solver->guard, solver->guard.end));
  const brio_reach *reach = &solver->guard.reach[body->frame];
  return reach->turn * (reach->length + body_size(body)) - reach->lever + reach->slide;
}

/* How far any point of a body may be from the robot's root on the whole way, m. */
static double extent(const brio_solver *solver, const brio_body *body) {
  const brio_reach *reach = solver->guard.reach;
  if (body->frame >= 0) return reach[body->frame].length + body_size(body);
  brio_vec3 way = brio_vec3_sub(body->pose.p, solver->guard.root);
  double time = brio_guard_seconds(&solver->guard, solver->guard.end);
  return brio_vec3_norm(way) + body->radius + reach[0].slide + drift(body, time);
}

/* How far points up to `length` m from the root may be from the middle of a half-space of the world, m. */
static double plane_lever(const brio_solver *solver, const brio_body *plane, double length) {
  brio_vec3 way = brio_vec3_sub(plane->pose.p, solver->guard.root);
  return length + brio_vec3_norm(way) + solver->guard.reach[0].slide;
}

/* How far a half-space may move against points up to `length` m from the root on the whole way. */
static double sweep(const brio_solver *solver, const brio_body *plane, double length) {
  if (plane->frame >= 0) {
    const brio_reach *reach = &solver->guard.reach[plane->frame];
    return reach->turn * length + reach->lever + reach->slide;
  }
  double time = brio_guard_seconds(&solver->guard, solver->guard.end);
  return drift_at(plane, time, plane_lever(solver, plane, length));
}

double brio_guard_pair_reach(const brio_solver *solver, const brio_body *a, const brio_body *b) {
  if (brio_guard_sweeps(b)) return travel(solver, a) + sweep(solver, b, extent(solver, a));
  if (brio_guard_sweeps(a)) return travel(solver, b) + sweep(solver, a, extent(solver, b));
  return travel(solver, a) + travel(solver, b);
}

/* How far any physical body with an end may be from the root on the whole way, m. */
static double farthest_extent(const brio_solver *solver) {
  const brio_watch *watch = &solver->collision.watch;
  double most = 0;
  for (int i = 0; i < watch->used; i++) {
    const brio_body *body = &watch->bodies[i];
    if (body->present && body->physical && !isinf(body->radius)) most = brio_max(most, extent(solver, body));
  }
  return most;
}

/* The most that a pair that is not listed may come nearer on the whole way, m.  All pairs of the robot alone
** are listed, and as far as there is room those of turning half-spaces: so one of the two was added. */
static double farthest(const brio_solver *solver) {
  const brio_collision *collision = &solver->collision;
  const brio_watch *watch = &collision->watch;
  double own = 0, added = 0, swept = 0, length = solver->guard.crowded ? farthest_extent(solver) : 0;
  for (int k = 0; k < watch->nmover; k++) {
    const brio_body *body = &watch->bodies[watch->movers[k]];
    double *most = watch->movers[k] < collision->nrobot ? &own : &added;
    if (!body->physical) continue;
    if (!brio_guard_sweeps(body)) *most = brio_max(*most, travel(solver, body));
    else if (length > 0) swept = brio_max(swept, sweep(solver, body, length));
  }
  return own + added + swept;
}

/* How far any point of a body may move against link `stop` (-1: the world), which carries it, between two
** places on the way; in `reach` how far from that link it may be, m. */
static double travel_from(const brio_solver *solver, const brio_body *body, int stop, const double *from,
                          const double *to, double *reach) {
  const brio_robot *robot = solver->robot;
  double length = body_size(body), sum = 0;
  for (int l = body->frame; l > 0 && l != stop; l = robot->links[l].parent) {
    const brio_joint *joint = &robot->joints[robot->links[l].joint];
    brio_joint_travel motion = joint_motion(solver, joint, from, to);
    length += brio_vec3_norm(joint->tail.p);
    sum += motion.turn * length + motion.slide;
    length += motion.length + brio_vec3_norm(joint->origin.p);
  }
  *reach = length;
  if (stop >= 0 || body->frame < 0) return sum;
  brio_joint_travel base = base_motion(from, to);
  return sum + base.turn * length + base.slide;
}

/* How far the plane of a half-space may move against points up to `length` m from its carrier `stop`
** (-1: the world), between two places on the way: each turn times the way from its axis to the points. */
static double sweep_from(const brio_solver *solver, const brio_body *plane, int stop, const double *from,
                         const double *to, double length) {
  const brio_robot *robot = solver->robot;
  double turn = 0, lever = 0, slide = 0;
  for (int l = plane->frame; l > 0 && l != stop; l = robot->links[l].parent) {
    const brio_joint *joint = &robot->joints[robot->links[l].joint];
    brio_joint_travel motion = joint_motion(solver, joint, from, to);
    lever += turn * brio_vec3_norm(joint->tail.p);
    turn += motion.turn;
    slide += motion.slide;
    lever += turn * (motion.length + brio_vec3_norm(joint->origin.p));
  }
  if (stop < 0) {
    brio_joint_travel base = base_motion(from, to);
    turn += base.turn;
    slide += base.slide;
  }
  return lever + turn * length + slide;
}

double brio_guard_pair_travel(const brio_solver *solver, const brio_nearby *pair, const double *from,
                              const double *to) {
  const brio_body *a = &solver->collision.watch.bodies[pair->body_a],
                  *b = &solver->collision.watch.bodies[pair->body_b];
  int stop = a->frame < 0 || b->frame < 0 ? -1 : brio_collision_carrier(solver->robot, a->frame, b->frame);
  double reach_a, reach_b;
  if (isinf(a->radius)) { /* the half-space comes second */
    const brio_body *plane = a;
    a = b;
    b = plane;
  }
  double way = travel_from(solver, a, stop, from, to, &reach_a);
  if (!isinf(b->radius)) return way + travel_from(solver, b, stop, from, to, &reach_b);
  if (b->frame < 0) return way;
  return way + sweep_from(solver, b, stop, from, to, a->frame < 0 ? extent(solver, a) : reach_a);
}

/* How far a body that moves by itself may get in a time, m, against the points of the other. */
static double drift_of(const brio_solver *solver, const brio_body *body, const brio_body *other,
                       double time) {
  if (!brio_guard_sweeps(body)) return drift(body, time);
  return drift_at(body, time, plane_lever(solver, body, extent(solver, other)));
}

double brio_guard_pair_drift(const brio_solver *solver, const brio_nearby *pair, double time) {
  const brio_body *a = &solver->collision.watch.bodies[pair->body_a];
  const brio_body *b = &solver->collision.watch.bodies[pair->body_b];
  return drift_of(solver, a, b, time) + drift_of(solver, b, a, time);
}

const brio_span *brio_guard_span(brio_solver *solver, brio_span_kind kind, const double *from,
                                 const double *to) {
  const brio_collision *collision = &solver->collision;
  brio_span *span = &solver->guard.spans[kind];
  if (span->summed) return span;
  brio_joint_travel base = base_motion(from, to);
  span->reach[0] = (brio_reach){.turn = base.turn, .slide = base.slide};
  sum_reach(solver, from, to, span->reach);
  for (int i = 0; i < collision->nrobot; i++) {
    const brio_body *body = &collision->watch.bodies[i];
    const brio_reach *reach = &span->reach[body->frame];
    double length = reach->length + body_size(body);
    span->ways[i] = (brio_body_way){reach->turn * length - reach->lever + reach->slide, length};
  }
  span->summed = true;
  return span;
}

void brio_guard_sum_ways(brio_solver *solver) {
  brio_guard *guard = &solver->guard;
  for (int k = 0; k < BRIO_SPANS; k++) guard->spans[k].summed = false;
  brio_guard_span(solver, BRIO_SPAN_WHOLE, solver->coordinates, guard->rest);
  guard->farthest = farthest(solver);
}

/* Turn, lever and slide of the carrier are in both bodies' sums: what they share does not count. */
double brio_guard_own_way(const brio_span *span, const brio_nearby *pair) {
  assert(span->summed && pair->carrier >= 0);
  const brio_body_way *a = &span->ways[pair->body_a], *b = &span->ways[pair->body_b];
  const brio_reach *shared = &span->reach[pair->carrier];
  return a->way + b->way - shared->turn * (a->length + b->length) + 2 * (shared->lever - shared->slide);
}

/* --- since the anchor --- */

/* Write for every link how far any point that it carries may have moved against it: the most that the joints
** beyond it add up to. A turn counts with the longest chain beyond its axis. O(links + bodies). */
static void sum_spread(const brio_collision *collision) {
  const brio_robot *robot = collision->robot;
  const brio_reach *reach = collision->reach;
  double *longest = collision->longest, *spread = collision->spread;
  for (int l = 0; l < robot->nlink; l++) longest[l] = spread[l] = 0;
  for (int i = 0; i < collision->nrobot; i++) {
    const brio_body *body = &collision->watch.bodies[i];
    double length = reach[body->frame].length + body_size(body);
    /* A half-space has no end: its pairs never rest. */
    if (length > longest[body->frame] && !isinf(length)) longest[body->frame] = length;
  }
  /* From the ends inward: children are finished before their parents. */
  for (int l = robot->nlink - 1; l > 0; l--) {
    int parent = robot->links[l].parent;
    double turn = reach[l].turn - reach[parent].turn, lever = reach[l].lever - reach[parent].lever;
    double by_joint = turn * longest[l] - lever + reach[l].slide - reach[parent].slide;
    if (spread[l] + by_joint > spread[parent]) spread[parent] = spread[l] + by_joint;
    if (longest[l] > longest[parent]) longest[parent] = longest[l];
  }
}

/* The base carries all pairs: its motion does not count. Configurations have one number more than coordinates
** before the variables. */
void brio_collision_sum_ways(brio_solver *solver) {
  brio_collision *collision = &solver->collision;
  collision->reach[0] = (brio_reach){0};
  sum_reach(solver, collision->anchor + 1, solver->q + 1, collision->reach);
  sum_spread(collision);
}
