/* Distances kept between queries: see watch.h.
**
** How far a body's points may have moved: with c the center of the sphere of radius rho about the
** body, and R its rotation, then and now, no point has moved farther than
**     |c' - c| + rho |R' - R|,   |R' - R| being the spectral norm, 2 sin(angle / 2),
** which is the Frobenius norm over sqrt 2.  A pair whose distance was d at the anchors of both bodies
** is never nearer than d less both ways.  When anchors are taken anew, the bounds of pairs shrink by the
** ways so far: what is lost by that is lost once a step of the robot, not once a pose tried. */
#include "geometry/watch.h"

#include <stdlib.h>
#include <string.h>

static const double FAR = 0.1;     /* m: who has moved farther is anchored anew at once */
static const double ROUND = 1e-9;  /* m, and of coordinates: what rounding may hide */

bool brio_watch_start(brio_watch *watch, int nbody, brio_error *err) {
  *watch = (brio_watch){.nbody = nbody};
  watch->bodies = calloc((size_t)nbody + 1, sizeof *watch->bodies);
  watch->movers = calloc((size_t)nbody + 1, sizeof *watch->movers);
  if (watch->bodies && watch->movers && brio_watch_reserve(watch, 64)) return true;
  brio_watch_end(watch);
  return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d shapes", nbody);
}

void brio_watch_end(brio_watch *watch) {
  free(watch->bodies);
  free(watch->movers);
  free(watch->pairs);
  free(watch->due);
  *watch = (brio_watch){0};
}

bool brio_watch_reserve(brio_watch *watch, int count) {
  if (count <= watch->capacity) return true;
  int capacity = watch->capacity < 64 ? 64 : watch->capacity;
  while (capacity < count) capacity *= 2;
  brio_proximity_pair *pairs = realloc(watch->pairs, (size_t)capacity * sizeof *pairs);
  if (pairs) watch->pairs = pairs;
  int *due = realloc(watch->due, (size_t)capacity * sizeof *due);
  if (due) watch->due = due;
  if (!pairs || !due) return false;
  watch->capacity = capacity;
  return true;
}

/* Let the next query place the body in place `i`. */
static void list_mover(brio_watch *watch, int i) {
  if (watch->bodies[i].listed) return;
  watch->bodies[i].listed = true;
  watch->movers[watch->nmover++] = i;
}

/* Let queries place the body no longer. */
static void unlist_mover(brio_watch *watch, int i) {
  int kept = 0;
  for (int k = 0; watch->bodies[i].listed && k < watch->nmover; k++)
    if (watch->movers[k] != i) watch->movers[kept++] = watch->movers[k];
  if (watch->bodies[i].listed) watch->nmover = kept;
  watch->bodies[i].listed = false;
}

void brio_watch_put(brio_watch *watch, int i, const brio_body *body) {
  uint64_t changes = watch->bodies[i].changes;
  unlist_mover(watch, i);
  watch->bodies[i] = body ? *body : (brio_body){0};
  watch->bodies[i].changes = changes;
  watch->bodies[i].placed = watch->bodies[i].listed = false;
  if (body) list_mover(watch, i);
}

void brio_watch_move(brio_watch *watch, int i, const brio_transform *pose) {
  watch->bodies[i].pose = *pose;
  list_mover(watch, i);
}

static void forget_pair(brio_proximity_pair *pair) {
  pair->cache = (brio_distance_cache){0};
  pair->bound = -INFINITY;
  pair->changes_a = pair->changes_b = 0;
}

void brio_watch_forget(brio_watch *watch) {
  for (int i = 0; i < watch->nbody; i++) {
    watch->bodies[i].placed = false;
    if (watch->bodies[i].present) list_mover(watch, i);
  }
  for (int i = 0; i < watch->npair; i++) forget_pair(&watch->pairs[i]);
}

/* --- how far bodies have moved --- */

/* Return how far any point of the body may be from where it was at its anchor, m. */
static double way(const brio_body *body) {
  double turn2 = 0;
  for (int i = 0; i < 9; i++) {
    double change = body->world.r[i] - body->anchor.r[i];
    turn2 += change * change;
  }
  double turned = body->shape.kind == BRIO_SHAPE_SPHERE ? 0 : sqrt(turn2 / 2);
  return brio_vec3_norm(brio_vec3_sub(body->world.p, body->anchor.p)) + body->radius * turned;
}

/* Put a body where `frames` says; tell whether it has gone so far that bounds want new anchors. */
static bool place(brio_body *body, const brio_transform *frames) {
  brio_transform world = body->frame < 0 ? body->pose : brio_transform_mul(&frames[body->frame], &body->pose);
  if (!body->placed) {
    body->world = body->anchor = world;
    body->center = world.p;
    body->moved = 0;
    body->changes++;
    body->placed = true;
    return false;
  }
  if (memcmp(&world, &body->world, sizeof world) == 0) return false;
  body->world = world;
  body->center = world.p;
  body->changes++;
  body->moved = way(body);
  return !(body->moved <= FAR);
}

void brio_watch_anchor(brio_watch *watch) {
  for (int i = 0; i < watch->npair; i++) {
    brio_proximity_pair *pair = &watch->pairs[i];
    pair->bound -= watch->bodies[pair->body_a].moved + watch->bodies[pair->body_b].moved;
    if (!(pair->bound > -INFINITY)) forget_pair(pair); /* a pose that was no number */
  }
  for (int i = 0; i < watch->nmover; i++) {
    brio_body *body = &watch->bodies[watch->movers[i]];
    body->anchor = body->world;
    body->moved = 0;
  }
}

/* Place what moves.  Bodies of the world, once placed, are movers no longer. */
static void place_movers(brio_watch *watch, const brio_transform *frames) {
  bool far = false;
  int kept = 0;
  for (int i = 0; i < watch->nmover; i++) far |= place(&watch->bodies[watch->movers[i]], frames);
  if (far) brio_watch_anchor(watch);
  for (int i = 0; i < watch->nmover; i++) {
    brio_body *body = &watch->bodies[watch->movers[i]];
    body->listed = body->frame >= 0 || body->moved != 0;
    if (body->listed) watch->movers[kept++] = watch->movers[i];
  }
  watch->nmover = kept;
}

/* --- pairs --- */

/* Whether both bodies stand as they stood when the pair was measured last: `near` is exact. */
static bool is_known(const brio_watch *watch, const brio_proximity_pair *pair) {
  return pair->changes_a == watch->bodies[pair->body_a].changes &&
         pair->changes_b == watch->bodies[pair->body_b].changes;
}

/* Give a pair the bound that is known without measuring it, unless it is known exactly.  A bound that
** would let it within `range` is held against the spheres around both bodies. */
static void bound(const brio_watch *watch, brio_proximity_pair *pair, double range) {
  const brio_body *a = &watch->bodies[pair->body_a], *b = &watch->bodies[pair->body_b];
  pair->within = false;
  if (is_known(watch, pair)) return;
  double moved = a->moved + b->moved, lower = pair->bound - moved;
  if (!(lower > range + ROUND)) {
    double apart = brio_vec3_norm(brio_vec3_sub(b->center, a->center)) - a->radius - b->radius;
    if (apart > lower) lower = apart, pair->bound = apart - moved;
  }
  pair->near = (brio_distance){.distance = lower};
}

static void measure(brio_watch *watch, brio_proximity_pair *pair) {
  const brio_body *a = &watch->bodies[pair->body_a], *b = &watch->bodies[pair->body_b];
  pair->near = brio_shape_distance(&a->shape, &a->world, &b->shape, &b->world, &pair->cache);
  pair->bound = pair->near.distance - (a->moved + b->moved);
  pair->changes_a = a->changes;
  pair->changes_b = b->changes;
  watch->measured++;
}

/* Whether pair `i` comes before pair `j`: it may be nearer. */
static bool comes_first(const brio_watch *watch, int i, int j) {
  double a = watch->pairs[i].near.distance, b = watch->pairs[j].near.distance;
  return a != b ? a < b : i < j;
}

static void swap(int *a, int *b) {
  int c = *a;
  *a = *b;
  *b = c;
}

/* Bring the `most` pairs that come first to the front of due (count), in any order.
** Source: Hoare, "Algorithm 65: find", 1961. */
static void select_first(brio_watch *watch, int count, int most) {
  int *due = watch->due, lower = 0, upper = count - 1;
  while (lower < upper) {
    swap(&due[upper], &due[lower + (upper - lower) / 2]);
    int kept = lower;
    for (int k = lower; k < upper; k++)
      if (comes_first(watch, due[k], due[upper])) swap(&due[k], &due[kept++]);
    swap(&due[upper], &due[kept]);
    if (kept == most) return;
    if (kept < most) lower = kept + 1;
    else upper = kept - 1;
  }
}

/* Measure the pairs that may be within the range, those that may be nearest first where the budget
** does not do for all. */
static void measure_due(brio_watch *watch, const brio_watch_query *query) {
  int count = 0;
  for (int i = 0; i < watch->npair; i++) {
    brio_proximity_pair *pair = &watch->pairs[i];
    bound(watch, pair, query->range);
    if (!(pair->near.distance > query->range + ROUND) && !is_known(watch, pair)) watch->due[count++] = i;
  }
  int most = query->budget > 0 && query->budget < count ? query->budget : count;
  if (most < count) select_first(watch, count, most);
  for (int k = 0; k < most; k++) measure(watch, &watch->pairs[watch->due[k]]);
  watch->left = count - most;
}

/* Mark the pairs within the range; return the one that may be nearest, or -1. */
static int mark_near(brio_watch *watch, double range) {
  int first = -1;
  for (int i = 0; i < watch->npair; i++) {
    brio_proximity_pair *pair = &watch->pairs[i];
    pair->within = pair->near.distance <= range && is_known(watch, pair);
    if (first < 0 || comes_first(watch, i, first)) first = i;
  }
  return first;
}

static int find_first(const brio_watch *watch) {
  int first = 0;
  for (int i = 1; i < watch->npair; i++)
    if (comes_first(watch, i, first)) first = i;
  return first;
}

double brio_watch_measure(brio_watch *watch, const brio_watch_query *query) {
  watch->measured = 0;
  place_movers(watch, query->frames);
  measure_due(watch, query);
  int first = mark_near(watch, query->range);
  if (first < 0) return INFINITY;
  while (watch->left == 0 && !is_known(watch, &watch->pairs[first]) &&
         !(watch->pairs[first].near.distance > query->horizon)) {
    if (query->budget > 0 && watch->measured >= query->budget) break;
    measure(watch, &watch->pairs[first]);
    first = find_first(watch);
  }
  return watch->pairs[first].near.distance;
}

void brio_watch_report(const brio_watch *watch, const brio_transform *frames, double range,
                       brio_proximity_pair *out) {
  for (int i = 0; i < watch->npair; i++) {
    brio_proximity_pair *pair = &out[i];
    *pair = watch->pairs[i];
    brio_body a = watch->bodies[pair->body_a], b = watch->bodies[pair->body_b];
    place(&a, frames);
    place(&b, frames);
    double apart = brio_vec3_norm(brio_vec3_sub(b.center, a.center)) - a.radius - b.radius;
    pair->near = (brio_distance){.distance = fmax(apart, pair->bound - a.moved - b.moved)};
    if (!(pair->near.distance > range + ROUND))
      pair->near = brio_shape_distance(&a.shape, &a.world, &b.shape, &b.world, &pair->cache);
    pair->within = pair->near.distance <= range;
  }
}
