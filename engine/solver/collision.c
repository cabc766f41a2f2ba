/* What may touch what: the robot's bodies, shapes added while it runs, and the pairs to
** watch.  Bodies are kept in one array, the robot's first; pairs likewise, the robot's own first. */
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "solver/solver_internal.h"

/* Make room for shapes and their keys. */
static bool start_bodies(brio_collision *collision, int max_shapes, brio_error *err) {
  const brio_robot *robot = collision->robot;
  collision->nrobot = robot->ncollision;
  collision->keys = calloc((size_t)max_shapes, sizeof *collision->keys);
  collision->group = calloc((size_t)robot->nlink + 1, sizeof *collision->group);
  if (!brio_watch_start(&collision->watch, robot->ncollision + max_shapes, err)) return false;
  if (!collision->keys || !collision->group)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d shapes", max_shapes);
  for (int i = 0; i < robot->ncollision; i++) {
    const brio_link_shape *shape = &robot->collisions[i];
    brio_body body = {.frame = shape->link,
                      .pose = brio_transform_of(shape->pose),
                      .shape = shape->shape,
                      .radius = brio_shape_radius(&shape->shape),
                      .physical = true,
                      .present = true};
    brio_watch_put(&collision->watch, i, &body);
  }
  return true;
}

bool brio_collision_start(brio_collision *collision, brio_solver *solver, int max_shapes, brio_error *err) {
  collision->robot = solver->robot;
  if (!start_bodies(collision, max_shapes, err)) return false;
  brio_collision_find_groups(collision);
  if (!brio_collision_prune(collision, solver, err)) return false;
  collision->nself = collision->watch.npair;
  return true;
}

/* Return how many shapes there is room for. */
static int places(const brio_collision *collision) { return collision->watch.nbody - collision->nrobot; }

/* Give back what the shape in place `i` owns, and free the place. */
static void clear(brio_collision *collision, int i) {
  int place = collision->nrobot + i;
  free((void *)collision->watch.bodies[place].shape.points);
  free(collision->keys[i]);
  collision->keys[i] = NULL;
  brio_watch_put(&collision->watch, place, NULL);
}

void brio_collision_end(brio_collision *collision) {
  for (int i = 0; collision->keys && i < places(collision); i++) clear(collision, i);
  brio_watch_end(&collision->watch);
  free(collision->keys);
  free(collision->group);
  free(collision->self_links);
}

void brio_collision_measure(brio_solver *solver, bool nearest) {
  brio_watch *watch = &solver->collision.watch;
  brio_watch_query query = {.frames = solver->state.links,
                            .range = solver->reach,
                            .horizon = nearest ? solver->range : solver->reach};
  double smallest = brio_watch_measure(watch, &query);
  if (nearest) solver->nearest = smallest;
  solver->at.pairs = watch->pairs;
  solver->at.npair = watch->npair;
}

/* Make room for a report of all pairs. */
static bool reserve_report(brio_solver *solver) {
  int count = solver->collision.watch.npair;
  if (count <= solver->report_room) return true;
  brio_proximity_pair *report = realloc(solver->report, (size_t)count * sizeof *report);
  if (!report) return false;
  solver->report = report;
  solver->report_room = count;
  return true;
}

int brio_solver_pairs(brio_solver *solver, const brio_proximity_pair **pairs) {
  brio_watch *watch = &solver->collision.watch;
  *pairs = watch->pairs;
  if (!reserve_report(solver)) return watch->npair;
  brio_watch_report(watch, solver->state.links, solver->range, solver->report);
  *pairs = solver->report;
  return watch->npair;
}

static int group_of(const brio_collision *collision, const brio_body *body) {
  return collision->group[body->frame < 0 ? collision->robot->nlink : body->frame];
}

/* Whether a shape is to be watched against another body: they can come nearer. */
static bool watched(const brio_collision *collision, int shape, int other) {
  const brio_body *a = &collision->watch.bodies[shape], *b = &collision->watch.bodies[other];
  if (!a->present || !b->present || other == shape) return false;
  if (other >= collision->nrobot && other > shape) return false; /* once is enough */
  return group_of(collision, a) != group_of(collision, b);
}

/* Count the pairs of shapes, and with `write` list them. */
static int shape_pairs(brio_collision *collision, bool write) {
  int count = collision->nself;
  const brio_watch *watch = &collision->watch;
  for (int shape = collision->nrobot; shape < watch->nbody; shape++)
    for (int other = 0; watch->bodies[shape].present && other <= shape; other++) {
      if (!watched(collision, shape, other)) continue;
      if (write) watch->pairs[count] = brio_proximity_pair_of(other, shape);
      count++;
    }
  return count;
}

static bool rebuild_pairs(brio_collision *collision, brio_error *err) {
  int count = shape_pairs(collision, false);
  if (!brio_watch_reserve(&collision->watch, count))
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d collision pairs", count);
  collision->watch.npair = shape_pairs(collision, true);
  return true;
}

static const char *key_at(const void *list, int i) {
  const brio_collision *collision = list;
  for (int k = 0; k < places(collision); k++)
    if (collision->keys[k] && i-- == 0) return collision->keys[k];
  return NULL;
}

/* Return the place of a shape's key, or -1. */
static int find(const brio_collision *collision, const char *key) {
  for (int i = 0; i < places(collision); i++)
    if (collision->keys[i] && strcmp(collision->keys[i], key) == 0) return i;
  return -1;
}

static int must_find(const brio_collision *collision, const char *key, brio_error *err) {
  int i = find(collision, key);
  char hint[96];
  if (i < 0)
    brio_fail(err, BRIO_MISUSE, "the solver has no shape with the key '%.64s'%s", key,
              brio_name_hint(key, key_at, collision, hint));
  return i;
}

/* Return a place for `key`: its own, or a free one. */
static int place_for(const brio_collision *collision, const char *key, brio_error *err) {
  int i = find(collision, key), most = places(collision);
  if (i >= 0) return i;
  for (i = 0; i < most; i++)
    if (!collision->keys[i]) return i;
  return brio_fail(err, BRIO_LIMIT, "the solver holds at most %d shapes", most), -1;
}

static bool check_pose(const char *key, brio_pose pose, brio_error *err) {
  double length = hypot(hypot(pose.q.x, pose.q.y), hypot(pose.q.z, pose.q.w));
  double far = fmax(fabs(pose.p.x), fmax(fabs(pose.p.y), fabs(pose.p.z)));
  if (far < 1e6 && !isnan(pose.p.x + pose.p.y + pose.p.z) && length > 0.5 && length < 2) return true;
  return brio_fail(err, BRIO_MISUSE,
                   "shape '%.64s': its pose must be within 1e6 m with a quaternion of length 1", key);
}

static brio_transform transform_of(brio_pose pose) {
  return brio_transform_of((brio_pose){pose.p, brio_quat_unit(pose.q)});
}

/* Make a body that owns a copy of the shape's points. */
static bool make_body(brio_body *body, int link, brio_pose pose, const brio_shape *shape, bool physical) {
  *body = (brio_body){.frame = link, .pose = transform_of(pose), .shape = *shape, .physical = physical,
                      .present = true};
  body->shape.points = NULL;
  if (shape->kind == BRIO_SHAPE_HULL) {
    brio_vec3 *points = malloc((size_t)shape->npoint * sizeof *points);
    if (!points) return false;
    memcpy(points, shape->points, (size_t)shape->npoint * sizeof *points);
    body->shape.points = points;
  }
  body->radius = brio_shape_radius(&body->shape);
  return true;
}

bool brio_solver_set_shape(brio_solver *solver, const char *key, int link, brio_pose pose,
                           const brio_shape *shape, bool physical, brio_error *err) {
  brio_collision *collision = &solver->collision;
  if (!brio_solver_may_change(solver, err)) return false;
  if (!brio_shape_check(shape, err) || !check_pose(key, pose, err)) return false;
  if (link < -1 || link >= solver->robot->nlink)
    return brio_fail(err, BRIO_MISUSE, "shape '%.64s': there is no link %d", key, link);
  int place = place_for(collision, key, err);
  if (place < 0) return false;
  brio_body body;
  char *copy = strdup(key);
  if (!copy || !make_body(&body, link, pose, shape, physical)) {
    free(copy);
    return brio_fail(err, BRIO_NO_MEMORY, "no memory for shape '%.64s'", key);
  }
  clear(collision, place);
  brio_watch_put(&collision->watch, collision->nrobot + place, &body);
  collision->keys[place] = copy;
  if (rebuild_pairs(collision, err)) return true;
  clear(collision, place);
  collision->watch.npair = shape_pairs(collision, true); /* fewer: there is room */
  return false;
}

bool brio_solver_move_shape(brio_solver *solver, const char *key, brio_pose pose, brio_error *err) {
  brio_collision *collision = &solver->collision;
  int place = brio_solver_may_change(solver, err) ? must_find(collision, key, err) : -1;
  if (place < 0 || !check_pose(key, pose, err)) return false;
  brio_transform at = transform_of(pose);
  brio_watch_move(&collision->watch, collision->nrobot + place, &at);
  return true;
}

bool brio_solver_remove_shape(brio_solver *solver, const char *key, brio_error *err) {
  brio_collision *collision = &solver->collision;
  int place = brio_solver_may_change(solver, err) ? must_find(collision, key, err) : -1;
  if (place < 0) return false;
  clear(collision, place);
  return rebuild_pairs(collision, err);
}

static const char *body_name(const brio_collision *collision, int body) {
  if (body < collision->nrobot) return collision->robot->links[collision->watch.bodies[body].frame].name;
  return collision->keys[body - collision->nrobot];
}

void brio_solver_pair_names(const brio_solver *solver, const brio_proximity_pair *pair, const char **a,
                            const char **b) {
  *a = body_name(&solver->collision, pair->body_a);
  *b = body_name(&solver->collision, pair->body_b);
}

bool brio_solver_pair_physical(const brio_solver *solver, const brio_proximity_pair *pair) {
  const brio_body *bodies = solver->collision.watch.bodies;
  return bodies[pair->body_a].physical && bodies[pair->body_b].physical;
}
