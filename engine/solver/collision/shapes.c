/* Shapes that are added, moved and removed while the robot runs.
**
** The motion of a shape is either set by the caller, or estimated: the way from one move to the next over
** the time between the solves that saw them. A shape that is not moved again within twice that time stands
** still. The first move after a REST gives no estimate, as its beginning is not known. A way that would
** need more than JUMP is a jump: the shape then stands where it is.
**
** Shapes have places behind the robot's bodies; free places are reused, the last one freed first. `moving`
** lists the places whose motion is estimated. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "solver/solver_internal.h"

static const double JUMP = 10;   /* m/s: nothing near a robot is faster */
static const double REST = 0.25; /* s without a move */
enum { HINTS = 1000 };           /* keys that are searched for a similar one */

/* O(1) whatever max_shapes is: only places that were used are ever touched. */
bool brio_shapes_start(brio_collision *collision, int max_shapes) {
  size_t count = (size_t)max_shapes + 1;
  collision->nshape = max_shapes;
  collision->shapes = malloc(count * sizeof *collision->shapes); /* large, and mostly never touched */
  collision->spare = malloc(count * sizeof *collision->spare);
  collision->moving = malloc(count * sizeof *collision->moving);
  if (!collision->shapes || !collision->spare || !collision->moving) return false;
  return brio_name_index_start(&collision->index, max_shapes + 1);
}

/* Only used places own anything; the memory behind them was never written. */
void brio_shapes_end(brio_collision *collision) {
  for (int i = 0; i < collision->used; i++) {
    if (!collision->shapes[i].key) continue;
    free((void *)collision->watch.bodies[collision->nrobot + i].shape.points);
    free(collision->shapes[i].key);
  }
  brio_name_index_end(&collision->index);
  free(collision->shapes);
  free(collision->spare);
  free(collision->moving);
}

/* Counts are within their arrays, and the last entries of both lists agree with the shapes. */
static bool is_consistent(const brio_collision *c) {
  return c->used <= c->nshape && c->nspare <= c->used && c->nmoving <= c->used &&
         (c->nspare == 0 || !c->shapes[c->spare[c->nspare - 1]].key) &&
         (c->nmoving == 0 || c->shapes[c->moving[c->nmoving - 1]].moving);
}

/* Return the body of the shape in place `i`. */
static brio_body *body_of(const brio_collision *collision, int i) {
  assert(i >= 0 && i < collision->nshape);
  return &collision->watch.bodies[collision->nrobot + i];
}

/* Take a shape off the list of those whose motion is estimated. O(moving). */
static void stop_moving(brio_collision *collision, int i) {
  int kept = 0;
  if (!collision->shapes[i].moving) return;
  for (int k = 0; k < collision->nmoving; k++)
    if (collision->moving[k] != i) collision->moving[kept++] = collision->moving[k];
  collision->nmoving = kept;
  collision->shapes[i].moving = false;
}

/* Free what the shape in place `i` owns, and its place. */
static void clear(brio_collision *collision, int i) {
  brio_added_shape *shape = &collision->shapes[i];
  brio_body *body = body_of(collision, i);
  void *points = (void *)body->shape.points;
  /* The watch reads the points until the body is out, so they are freed after it. */
  stop_moving(collision, i);
  if (body->physical) collision->added[body->group]--;
  brio_watch_put(&collision->watch, collision->nrobot + i, NULL);
  brio_name_index_remove(&collision->index, shape->key);
  free(points);
  free(shape->key);
  *shape = (brio_added_shape){0};
  collision->changed = true;
  /* Room for a spare place exists for each place. */
  collision->spare[collision->nspare++] = i;
}

/* --- looking up --- */

/* The i-th key for brio_name_hint; NULL ends the list. Of many shapes only the first are compared. */
static const char *key_at(const void *list, int i) {
  const brio_collision *collision = list;
  for (int k = 0; k < collision->used && i < HINTS; k++)
    if (collision->shapes[k].key && i-- == 0) return collision->shapes[k].key;
  return NULL;
}

/* Return the place of a key, or -1 and a sentence with the nearest key. */
static int must_find(const brio_collision *collision, const char *key, brio_error *err) {
  int i = brio_name_index_find(&collision->index, key);
  char hint[96];
  if (i < 0)
    brio_fail(err, BRIO_MISUSE, "the solver has no shape with the key '%.64s'%s", key,
              brio_name_hint(key, key_at, collision, hint));
  return i;
}

/* Check that a pose is finite, near and has a quaternion; lengths near 1 are accepted and put at 1. */
static bool check_pose(const char *key, brio_pose pose, brio_error *err) {
  double length = hypot(hypot(pose.q.x, pose.q.y), hypot(pose.q.z, pose.q.w));
  /* Written so that NaN fails each comparison. */
  double far = fmax(fabs(pose.p.x), fmax(fabs(pose.p.y), fabs(pose.p.z)));
  if (far < 1e6 && !isnan(pose.p.x + pose.p.y + pose.p.z) && length > 0.5 && length < 2) return true;
  return brio_fail(err, BRIO_MISUSE,
                   "shape '%.64s': its pose must be within 1e6 m with a quaternion of length 1", key);
}

/* Return the pose with its quaternion at length 1. */
static brio_pose unit_pose(brio_pose pose) { return (brio_pose){pose.p, brio_quat_unit(pose.q)}; }

/* --- coming and going --- */

/* Fill a body with a copy of the shape's points; return false when there is no memory. */
static bool make_body(const brio_collision *collision, int link, brio_pose pose, const brio_shape *shape,
                      bool physical, brio_body *body) {
  /* A shape on a link never moves against that link's group; -1 is the world's group. */
  int group = collision->group[link < 0 ? collision->robot->nlink : link];
  *body = (brio_body){.frame = link,
                      .group = group,
                      .pose = brio_transform_of(pose),
                      .shape = *shape,
                      .radius = brio_shape_radius(shape),
                      .physical = physical};
  body->shape.points = NULL;
  /* Only hulls have points. */
  if (shape->kind != BRIO_SHAPE_HULL) return true;
  size_t size = (size_t)shape->npoint * sizeof *shape->points;
  brio_vec3 *points = malloc(size);
  if (points) memcpy(points, shape->points, size);
  body->shape.points = points;
  return points != NULL;
}

/* The guard checks in the next solve whether shapes that changed came too near. */
static void note_change(brio_collision *collision, int i) {
  body_of(collision, i)->displaced = collision->epoch;
  collision->changed = true;
}

/* Put a shape into a free place; on success the place owns `key` and the body's points. */
static bool put(brio_collision *collision, char *key, brio_pose pose, const brio_body *body) {
  /* Take the place only after the watch has: a failure leaves all lists as they were. */
  bool again = collision->nspare > 0;
  int i = again ? collision->spare[collision->nspare - 1] : collision->used;
  if (!brio_watch_put(&collision->watch, collision->nrobot + i, body)) return false;
  if (again) collision->nspare--;
  else collision->used++;
  collision->shapes[i] = (brio_added_shape){.key = key, .pose = pose, .before = pose};
  brio_name_index_add(&collision->index, key, i);
  if (body->physical) collision->added[body->group]++;
  note_change(collision, i);
  assert(is_consistent(collision));
  return true;
}

/* Check the arguments of brio_solver_set_shape. */
static bool check_shape(const brio_solver *solver, const char *key, int link, brio_pose pose,
                        const brio_shape *shape, brio_error *err) {
  const brio_collision *collision = &solver->collision;
  if (!key[0]) return brio_fail(err, BRIO_MISUSE, "a shape's key must not be empty");
  if (!brio_shape_check(shape, err)) return brio_fail_in(err, "shape '%.64s'", key);
  if (!check_pose(key, pose, err)) return false;
  if (link < -1 || link >= solver->robot->nlink)
    return brio_fail(err, BRIO_MISUSE, "shape '%.64s': there is no link %d", key, link);
  /* A key in use is replaced, for which there always is a place. */
  if (collision->nspare == 0 && collision->used == collision->nshape &&
      brio_name_index_find(&collision->index, key) < 0)
    return brio_fail(err, BRIO_LIMIT, "the solver holds at most %d shapes", collision->nshape);
  return true;
}

bool brio_solver_set_shape(brio_solver *solver, const char *key, int link, brio_pose pose,
                           const brio_shape *shape, bool physical, brio_error *err) {
  brio_collision *collision = &solver->collision;
  if (!brio_solver_may_change(solver, err)) return false;
  if (!check_shape(solver, key, link, pose, shape, err)) return false;
  /* All that may fail by lack of memory comes before the old shape is removed. */
  brio_body body = {0};
  pose = unit_pose(pose);
  char *copy = strdup(key);
  bool good = copy && make_body(collision, link, pose, shape, physical, &body);
  int place = brio_name_index_find(&collision->index, key);
  if (good && place >= 0) clear(collision, place);
  if (good && put(collision, copy, pose, &body))
    return !solver->base || brio_solver_set_shape(solver->base, key, link, pose, shape, physical, err);
  free(copy);
  free((void *)body.shape.points);
  return brio_fail(err, BRIO_NO_MEMORY, "no memory for shape '%.64s'", key);
}

bool brio_solver_remove_shape(brio_solver *solver, const char *key, brio_error *err) {
  int place = brio_solver_may_change(solver, err) ? must_find(&solver->collision, key, err) : -1;
  if (place < 0) return false;
  /* The base solvers have the same shapes in the same places. */
  for (brio_solver *each = solver; each; each = each->base) clear(&each->collision, place);
  assert(is_consistent(&solver->collision));
  return true;
}

/* --- moving --- */

/* O(1): the watch places the body again in the next query. */
bool brio_solver_move_shape(brio_solver *solver, const char *key, brio_pose pose, brio_error *err) {
  brio_collision *collision = &solver->collision;
  int place = brio_solver_may_change(solver, err) ? must_find(collision, key, err) : -1;
  if (place < 0 || !check_pose(key, pose, err)) return false;
  brio_added_shape *shape = &collision->shapes[place];
  shape->pose = unit_pose(pose);
  brio_transform at = brio_transform_of(shape->pose);
  brio_watch_move(&collision->watch, collision->nrobot + place, &at);
  shape->moved = true;
  note_change(collision, place);
  /* The first estimate needs a second move: after the first one `timed` is set. */
  if (!shape->moving && !shape->told) {
    shape->moving = true;
    shape->since = shape->interval = 0;
    shape->timed = false;
    collision->moving[collision->nmoving++] = place;
  }
  return !solver->base || brio_solver_move_shape(solver->base, key, pose, err);
}

/* O(moving). */
bool brio_solver_set_shape_motion(brio_solver *solver, const char *key, brio_vec3 velocity, brio_vec3 spin,
                                  brio_error *err) {
  brio_collision *collision = &solver->collision;
  int place = brio_solver_may_change(solver, err) ? must_find(collision, key, err) : -1;
  if (place < 0) return false;
  /* Written so that NaN is rejected too. */
  if (!(brio_vec3_norm(velocity) <= 1e3 && brio_vec3_norm(spin) <= 1e3))
    return brio_fail(err, BRIO_MISUSE,
                     "shape '%.64s': expected a velocity up to 1000 m/s and a spin up to 1000 rad/s", key);
  /* A motion that was set replaces the estimate. */
  stop_moving(collision, place);
  collision->shapes[place].told = true;
  body_of(collision, place)->velocity = velocity;
  body_of(collision, place)->spin = spin;
  return !solver->base || brio_solver_set_shape_motion(solver->base, key, velocity, spin, err);
}

bool brio_solver_shape_motion(const brio_solver *solver, const char *key, brio_vec3 *velocity,
                              brio_vec3 *spin, brio_error *err) {
  int place = must_find(&solver->collision, key, err);
  if (place < 0) return false;
  *velocity = body_of(&solver->collision, place)->velocity;
  *spin = body_of(&solver->collision, place)->spin;
  return true;
}

/* Estimate the motion of a shape from the pose at which it was seen moving last. */
static void see_motion(brio_added_shape *shape, brio_body *body) {
  brio_vec3 way = brio_vec3_sub(shape->pose.p, shape->before.p);
  brio_quat turn = brio_quat_mul(shape->pose.q, brio_quat_conj(shape->before.q));
  /* Without a time of the last move, or after a jump, the shape counts as at rest. */
  bool known = shape->timed && brio_vec3_norm(way) <= JUMP * shape->since;
  double rate = known ? 1 / shape->since : 0;
  body->velocity = brio_vec3_scale(rate, way);
  body->spin = brio_vec3_scale(rate, brio_quat_log(turn));
  /* This pose is the reference of the next estimate. */
  shape->before = shape->pose;
  shape->interval = shape->since;
  shape->since = 0;
  shape->timed = true;
  shape->moved = false;
}

/* O(moving). Places that rest leave the list, which keeps its order. */
void brio_shapes_advance(brio_collision *collision, double dt) {
  int kept = 0;
  for (int k = 0; k < collision->nmoving; k++) {
    int i = collision->moving[k];
    brio_added_shape *shape = &collision->shapes[i];
    brio_body *body = body_of(collision, i);
    shape->since += dt;
    if (shape->moved) see_motion(shape, body);
    /* No move for twice the usual interval: it stands still. */
    if (shape->since > 2 * shape->interval) body->velocity = body->spin = (brio_vec3){0, 0, 0};
    shape->moving = shape->since <= fmax(REST, 2 * shape->interval);
    if (shape->moving) collision->moving[kept++] = i;
  }
  assert(kept <= collision->nmoving);
  collision->nmoving = kept;
}

/* Each solver owns its keys; everything else about the motion is copied. */
void brio_shapes_copy(const brio_collision *from, brio_collision *to) {
  for (int i = 0; i < from->used && i < to->used; i++) {
    char *key = to->shapes[i].key;
    if (!key || !from->shapes[i].key) continue;
    to->shapes[i] = from->shapes[i];
    to->shapes[i].key = key;
    body_of(to, i)->velocity = body_of(from, i)->velocity;
    body_of(to, i)->spin = body_of(from, i)->spin;
  }
  to->nmoving = from->nmoving;
  assert(from->nmoving <= to->nshape);
  memcpy(to->moving, from->moving, (size_t)from->nmoving * sizeof *to->moving);
}
