/* Bodies for collisions, and their pairs: the robot's bodies, and shapes that are added while it runs
** (shapes.c). All are in one array, the robot's first. The robot's own pairs are selected once (pruning.c);
** pairs with shapes are listed by the watch when they may come near. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "math/scalar.h"
#include "solver/solver_internal.h"

/* Put the robot's bodies into the first places of the watch, and count them by group. */
static bool put_own(brio_collision *collision) {
  const brio_robot *robot = collision->robot;
  for (int i = 0; i < robot->ncollision; i++) {
    const brio_link_shape *shape = &robot->collisions[i];
    brio_body body = {.frame = shape->link,
                      .group = collision->group[shape->link],
                      .pose = brio_transform_of(shape->pose),
                      .shape = shape->shape,
                      .radius = brio_shape_radius(&shape->shape),
                      .physical = true};
    assert(body.group >= 0 && body.group <= robot->nlink);
    if (!brio_watch_put(&collision->watch, i, &body)) return false;
    /* Groups are counted for brio_collision_count. */
    collision->own[body.group]++;
  }
  return true;
}

enum { MANY = 256 }; /* pairs: of fewer, each is visited sooner than the motion of all links is summed up */

/* Take memory for the motion since the anchor, which lets pairs rest, where there are many. */
static bool make_ways(brio_collision *collision, brio_solver *solver) {
  const brio_robot *robot = collision->robot;
  if (collision->watch.nfixed < MANY) return brio_watch_let_rest(&collision->watch, 0);
  collision->anchor = BRIO_TAKE(&solver->arena, double, robot->nq);
  collision->reach = BRIO_TAKE(&solver->arena, brio_reach, robot->nlink);
  collision->spread = BRIO_TAKE(&solver->arena, double, robot->nlink);
  collision->longest = BRIO_TAKE(&solver->arena, double, robot->nlink);
  return collision->anchor && collision->reach && collision->spread && collision->longest &&
         brio_watch_let_rest(&collision->watch, robot->nlink);
}

/* Take memory by the number of links; groups include the world's and one to spare. */
static bool make_room(brio_collision *collision) {
  size_t count = (size_t)collision->robot->nlink + 2;
  collision->group = calloc(count, sizeof *collision->group);
  collision->own = calloc(count, sizeof *collision->own);
  collision->added = calloc(count, sizeof *collision->added);
  return collision->group && collision->own && collision->added;
}

/* Find the pairs of the robot's own, or copy those of `like`. */
static bool find_pairs(brio_collision *collision, brio_solver *solver, brio_pairs_memo *memo,
                       const brio_collision *like, brio_error *err) {
  const char *name = solver->robot->name;
  if (!like) return brio_collision_prune(collision, solver, memo, err);
  return brio_pairs_copy(like, collision) ||
         brio_fail(err, BRIO_NO_MEMORY, "no memory for the collision pairs of robot '%.80s'", name);
}

/* Parents come before their children, so the later of both climbs. */
int brio_collision_carrier(const brio_robot *robot, int a, int b) {
  while (a != b) {
    if (a > b) a = robot->links[a].parent;
    else b = robot->links[b].parent;
  }
  return a;
}

/* Find for each pair of the robot's own the link that carries both. */
static void find_carriers(brio_collision *collision) {
  const brio_body *bodies = collision->watch.bodies;
  for (int i = 0; i < collision->watch.npair; i++) {
    brio_proximity_pair *pair = &collision->watch.pairs[i];
    int a = bodies[pair->body_a].frame, b = bodies[pair->body_b].frame;
    pair->carrier = brio_collision_carrier(collision->robot, a, b);
    assert(pair->carrier >= 0);
  }
}

/* Order matters: groups before bodies, bodies before pruning, which samples their distances. */
bool brio_collision_start(brio_collision *collision, brio_solver *solver, const brio_solver_options *options,
                          const brio_collision *like, brio_error *err) {
  int own = solver->robot->ncollision, max_shapes = options->max_shapes;
  collision->robot = solver->robot;
  collision->nrobot = own;
  /* Pairs among the robot's own bodies are listed by pruning; all others by the watch. */
  if (!brio_watch_start(&collision->watch, own + max_shapes, own, err)) return false;
  bool good = make_room(collision) && brio_shapes_start(collision, max_shapes);
  if (good) brio_collision_find_groups(collision);
  if (!good || !put_own(collision))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d shapes", own + max_shapes);
  if (!find_pairs(collision, solver, options->memo, like, err)) return false;
  assert(collision->watch.npair >= 0 && collision->nself_links >= 0);
  collision->watch.nfixed = collision->watch.npair;
  find_carriers(collision);
  if (!make_ways(collision, solver))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for the collision pairs of robot '%.80s'",
                     solver->robot->name);
  brio_watch_forget(&collision->watch); /* pruning placed bodies without it */
  return true;
}

/* Safe for a collision that was started in part. */
void brio_collision_end(brio_collision *collision) {
  brio_shapes_end(collision);
  brio_watch_end(&collision->watch);
  free(collision->group);
  free(collision->own);
  free(collision->added);
  free(collision->self_links);
}

/* The arrays of the watch move when shapes are added, so pointers are set before each use. */
void brio_collision_publish(brio_solver *solver) {
  solver->at.pairs = solver->collision.watch.pairs;
  solver->at.npair = solver->collision.watch.npair;
  solver->at.within = solver->collision.watch.within;
  solver->at.nwithin = solver->collision.watch.nwithin;
}

/* With `nearest` the smallest of all distances is exact up to the range, which costs more. */
void brio_collision_measure(brio_solver *solver, bool nearest) {
  brio_watch *watch = &solver->collision.watch;
  if (solver->collision.reach) brio_collision_sum_ways(solver);
  brio_watch_query query = {.frames = solver->state.links,
                            .reach = solver->collision.reach,
                            .spread = solver->collision.spread,
                            .range = solver->reach,
                            /* Beyond a pair's margin a bound suffices if no active term reads farther. */
                            .margins = solver->margins && !nearest,
                            .list = solver->guard.list,
                            .horizon = nearest ? solver->range : solver->reach,
                            .budget = solver->max_distances};
  double smallest = brio_watch_measure(watch, &query);
  /* Only a query of all pairs finds the smallest distance of all. */
  if (nearest) solver->nearest = smallest;
  brio_collision_publish(solver);
  /* Lively's collision term divides by the number of all pairs. */
  if (solver->lively) solver->at.watched = brio_collision_count(&solver->collision);
}

/* Let motion be reckoned from solver->q. */
static void reckon_from_here(brio_solver *solver) {
  double *anchor = solver->collision.anchor;
  if (anchor) memcpy(anchor, solver->q, (size_t)solver->robot->nq * sizeof *anchor);
}

void brio_collision_anchor(brio_solver *solver) {
  brio_watch_anchor(&solver->collision.watch);
  reckon_from_here(solver);
}

void brio_collision_forget(brio_solver *solver) {
  brio_watch_forget(&solver->collision.watch);
  reckon_from_here(solver);
}

/* O(groups): all pairs of physical bodies, less those of one group, which never move apart. */
/* With an added body:  added * own + added (added - 1) / 2 - same  pairs. */
double brio_collision_count(const brio_collision *collision) {
  const brio_watch *watch = &collision->watch;
  /* `same`: pairs of added bodies with those of their own group. */
  double own = 0, added = 0, same = 0, count = 0;
  for (int g = 0; g <= collision->robot->nlink + 1; g++) {
    own += collision->own[g];
    added += collision->added[g];
    same += collision->added[g] * (collision->own[g] + 0.5 * (collision->added[g] - 1));
  }
  count = added * own + added * (added - 1) / 2 - same;
  /* Pairs of the robot alone are those that pruning left. */
  return watch->nfixed + count;
}

/* The report is a copy, so that looking at it changes nothing; the next call replaces it. */
int brio_solver_pairs(brio_solver *solver, double range, const brio_proximity_pair **pairs) {
  const brio_watch *watch = &solver->collision.watch;
  int count = watch->nfixed;
  brio_proximity_pair *report = brio_watch_report(
      watch, solver->state.links, range > 0 ? range : solver->range, &count);
  if (report) {
    free(solver->report);
    solver->report = report;
  }
  *pairs = report;
  return report ? count : 0;
}

/* Without a pair within the reach nothing needs to be searched. */
int brio_solver_near(const brio_solver *solver, const brio_proximity_pair **pairs, int most) {
  const brio_watch *watch = &solver->collision.watch;
  int count = 0;
  if (!(solver->nearest < solver->reach)) return 0;
  /* Listed pairs are few; the list is walked as it stands. */
  for (int k = 0; k < watch->npair && count < most; k++) {
    const brio_proximity_pair *pair = &watch->pairs[k];
    bool near = pair->within && pair->near.distance < brio_min(solver->reach, pair->margin);
    if (near && brio_solver_pair_physical(solver, pair)) pairs[count++] = pair;
  }
  return count;
}

/* The name of a body: its link's or its shape's key. */
static const char *body_name(const brio_collision *collision, int body) {
  assert(body >= 0 && body < collision->nrobot + collision->used);
  if (body < collision->nrobot) return collision->robot->links[collision->watch.bodies[body].frame].name;
  return collision->shapes[body - collision->nrobot].key;
}

/* The names are valid until the shapes of the pair are removed. */
void brio_solver_pair_names(const brio_solver *solver, const brio_proximity_pair *pair, const char **a,
                            const char **b) {
  *a = body_name(&solver->collision, pair->body_a);
  *b = body_name(&solver->collision, pair->body_b);
}

/* Only pairs of two physical bodies can collide; the others are measured for queries. */
bool brio_solver_pair_physical(const brio_solver *solver, const brio_proximity_pair *pair) {
  const brio_body *bodies = solver->collision.watch.bodies;
  return bodies[pair->body_a].physical && bodies[pair->body_b].physical;
}

/* The distance, m, up to which a pair may cost something. */
double brio_clearance_reach(const brio_solver *solver) {
  return solver->guard.off ? 0 : BRIO_CLEARANCE_ZONE * solver->guard.clearance;
}
