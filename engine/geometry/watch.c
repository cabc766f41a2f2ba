/* Distances kept between queries: see watch.h.
**
** How far the points of a body may have moved: with c the center of the sphere of radius rho about
** the body, and R its rotation, then and now, no point has moved farther than
**     |c' - c| + rho |R' - R|,   |R' - R| being the spectral norm, 2 sin(angle / 2),
** which is the Frobenius norm over sqrt 2. A pair whose distance was d at the anchors of both
** bodies is never nearer than d less both ways. When anchors are set again, the bounds of pairs
** shrink by the ways so far: this loss occurs once per step of the robot, not once per pose
** tried.
**
** A query costs O(movers + listed pairs) plus one brio_shape_distance for each pair that is due. */
#include "geometry/watch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/watch_internal.h"
#include "math/scalar.h"

static const double FAR = 0.25;    /* m: a body that moved farther is anchored again at once */
static const double ROUND = 1e-9;  /* m: slack for rounding */
enum { FEW = 64, ROOM = 4096 };    /* pairs: first capacity; least capacity once there are shapes */

/* --- room --- */

/* O(1) in time whatever nbody is: places are initialized when they are first used. */
bool brio_watch_start(brio_watch *watch, int nbody, int nown, brio_error *err) {
  *watch = (brio_watch){.nbody = nbody, .nown = nown};
  size_t places = (size_t)nbody + 1;
  watch->scratch = calloc(1, sizeof *watch->scratch);
  watch->bodies = malloc(places * sizeof *watch->bodies); /* large, and mostly never touched */
  watch->movers = malloc(places * sizeof *watch->movers);
  watch->endless = malloc(places * sizeof *watch->endless);
  bool good = watch->scratch && watch->bodies && watch->movers && watch->endless;
  if (good) {
    watch->scratch->strays = malloc(places * sizeof *watch->scratch->strays);
    watch->scratch->found = malloc(places * sizeof *watch->scratch->found);
    watch->scratch->order = malloc(places * sizeof *watch->scratch->order);
    good = watch->scratch->strays && watch->scratch->found && watch->scratch->order;
  }
  good = good && brio_watch_reserve(watch, FEW);
  for (int i = 0; i < 2; i++) good = good && brio_box_tree_start(&watch->tree[i], nbody);
  if (good) return true;
  brio_watch_end(watch);
  return brio_fail(err, BRIO_NO_MEMORY, "no memory for %d shapes", nbody);
}

void brio_watch_end(brio_watch *watch) {
  brio_watch_scratch *scratch = watch->scratch;
  if (scratch) {
    void *taken[] = {scratch->due, scratch->spare, scratch->fresh, scratch->strays, scratch->found,
                     scratch->order};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) free(taken[i]);
  }
  for (int i = 0; i < 2; i++) brio_box_tree_end(&watch->tree[i]);
  brio_watch_rest_end(watch);
  free(scratch);
  free(watch->bodies);
  free(watch->movers);
  free(watch->endless);
  free(watch->pairs);
  free(watch->within);
  *watch = (brio_watch){0};
}

/* Make an array longer. Return false when there is no memory: the array is then unchanged. */
static bool lengthen(void *array, size_t size, int count) {
  void *now, *longer;
  /* The array is passed by its address, as arrays of several types are. */
  memcpy(&now, array, sizeof now);
  longer = realloc(now, size * (size_t)count);
  if (longer) memcpy(array, &longer, sizeof longer);
  /* cppcheck-suppress memleak ; it stands in the array */
  return longer != NULL;
}

bool brio_watch_reserve(brio_watch *watch, int count) {
  if (count <= watch->capacity) return true;
  brio_watch_scratch *scratch = watch->scratch;
  bool good = lengthen(&watch->pairs, sizeof *watch->pairs, count) &&
              lengthen(&watch->within, sizeof *watch->within, count) &&
              lengthen(&scratch->spare, sizeof *scratch->spare, count) &&
              lengthen(&scratch->due, sizeof *scratch->due, count) &&
              lengthen(&scratch->fresh, sizeof *scratch->fresh, count);
  if (good) watch->capacity = count;
  return good;
}

/* Make room for the pairs that may be near at a time. Growth is geometric, so that putting n bodies costs
** O(n). */
static bool reserve_near(brio_watch *watch) {
  double frames = watch->count[1], added = brio_max(0, frames + watch->count[0] - watch->nown),
         all = added * frames;
  /* Each body on a frame has at most 256 listed neighbors (watch_list.c), a half-space all of them. */
  double most = brio_max(ROOM, 256 * frames) + (double)watch->nendless * (frames + watch->count[0]);
  double want = watch->nfixed + brio_min(all, most) + 1;
  /* A list this long would take some 30 GB. */
  if (want > 1e8) return false;
  int capacity = watch->capacity;
  while (capacity < want) capacity += capacity / 2;
  return brio_watch_reserve(watch, capacity);
}

/* --- bodies come, move and go --- */

/* Invariants that any call relies on: counts are within their arrays. */
static bool is_consistent(const brio_watch *w) {
  return w->used <= w->nbody && w->nmover <= w->used && w->nendless <= w->used && w->nfixed <= w->npair &&
         w->npair <= w->capacity && w->nwithin <= w->npair && w->scratch->nstray <= w->used;
}

/* Let the next query place the body in place `i`. */
static void list_mover(brio_watch *watch, int i) {
  if (watch->bodies[i].listed) return;
  watch->bodies[i].listed = true;
  watch->movers[watch->nmover++] = i;
}

/* Take a body off the list of movers. O(movers). */
static void unlist_mover(brio_watch *watch, int i) {
  int kept = 0;
  if (!watch->bodies[i].listed) return;
  for (int k = 0; k < watch->nmover; k++)
    if (watch->movers[k] != i) watch->movers[kept++] = watch->movers[k];
  watch->nmover = kept;
  watch->bodies[i].listed = false;
}

/* Empty place `i`; the count of changes stays, so that no pair takes the next body for the old one. */
static void take_out(brio_watch *watch, int i) {
  brio_body *body = &watch->bodies[i];
  if (!body->present) return;
  unlist_mover(watch, i);
  brio_watch_unlist(watch, i);
  watch->count[body->frame >= 0]--;
  *body = (brio_body){.changes = body->changes};
}

/* Find the box around a hull, in its own frame; other shapes are their own outline. Boxes are cheap to
** move, hulls are not. */
static void find_outline(brio_body *body) {
  brio_box box;
  body->outline = body->shape;
  body->middle = (brio_vec3){0, 0, 0};
  if (body->shape.kind != BRIO_SHAPE_HULL) return;
  box = brio_box_around(&body->shape, &BRIO_TRANSFORM_IDENTITY);
  body->outline = (brio_shape){.kind = BRIO_SHAPE_BOX, .size = brio_vec3_sub(box.upper, box.lower)};
  body->middle = brio_vec3_scale(0.5, brio_vec3_add(box.lower, box.upper));
}

bool brio_watch_put(brio_watch *watch, int i, const brio_body *body) {
  assert(i >= 0 && i < watch->nbody);
  brio_body *place = &watch->bodies[i];
  while (watch->used <= i) watch->bodies[watch->used++] = (brio_body){0};
  take_out(watch, i);
  if (!body) return true;
  /* The record is the caller's; everything that the watch remembers starts empty. */
  uint64_t changes = place->changes;
  *place = *body;
  place->present = true;
  place->placed = place->listed = place->stray = false;
  place->changes = changes;
  place->leaf = 0;
  place->left = INFINITY;
  find_outline(place);
  watch->count[place->frame >= 0]++;
  if (brio_body_endless(place)) watch->endless[watch->nendless++] = i;
  /* The first query places the body and looks up its neighbors. */
  list_mover(watch, i);
  if (reserve_near(watch)) return true;
  take_out(watch, i);
  assert(is_consistent(watch));
  return false;
}

void brio_watch_move(brio_watch *watch, int i, const brio_transform *pose) {
  if (i >= watch->used || !watch->bodies[i].present) return;
  watch->bodies[i].pose = *pose;
  list_mover(watch, i);
}

/* O(pairs). Only after the list has changed: queries keep `within` up to date themselves. */
void brio_watch_find_within(brio_watch *watch) {
  watch->nwithin = 0;
  for (int i = 0; i < watch->npair; i++)
    if (watch->pairs[i].within) watch->within[watch->nwithin++] = i;
}

/* Let a pair be as if it had never been measured. */
static void forget_pair(brio_proximity_pair *pair) {
  pair->cache = (brio_distance_cache){0};
  pair->near = (brio_distance){.distance = 0};
  pair->bound = pair->inner = -INFINITY;
  pair->changes_a = pair->changes_b = 0;
}

/* Trees and bounds are left empty: the next query fills them for all bodies. */
void brio_watch_forget(brio_watch *watch) {
  watch->npair = watch->nfixed;
  watch->nmover = 0;
  if (watch->rest) watch->rest->valid = false;
  for (int i = 0; i < watch->used; i++) {
    brio_body *body = &watch->bodies[i];
    if (!body->present) continue;
    if (body->leaf > 0) brio_box_tree_remove(&watch->tree[body->frame >= 0], body->leaf - 1);
    body->leaf = 0;
    body->placed = body->listed = false;
    list_mover(watch, i);
  }
  for (int i = 0; i < watch->npair; i++) forget_pair(&watch->pairs[i]);
  brio_watch_find_within(watch);
}

/* --- how far bodies have moved --- */

/* Return how far any point of the body may be from where it was at its anchor, m. */
static double way(const brio_body *body) {
  double turn2 = 0;
  if (brio_body_endless(body)) return 0; /* its pairs have no bounds that last */
  for (int i = 0; i < 9; i++) {
    double change = body->world.r[i] - body->anchor.r[i];
    turn2 += change * change;
  }
  double turned = body->shape.kind == BRIO_SHAPE_SPHERE ? 0 : sqrt(turn2 / 2);
  return brio_vec3_norm(brio_vec3_sub(body->world.p, body->anchor.p)) + body->radius * turned;
}

/* Equal transforms, to the bit, count as no motion. */
void brio_body_place(brio_body *body, const brio_transform *frames) {
  brio_transform world = body->frame < 0 ? body->pose : brio_transform_mul(&frames[body->frame], &body->pose);
  if (body->placed && memcmp(&world, &body->world, sizeof world) == 0) return;
  body->world = world;
  body->center = world.p;
  if (!body->placed) body->anchor = world;
  body->placed = true;
  body->changes++;
  body->moved = way(body);
}

/* Set the anchors of all that moves to where it stands now. O(listed pairs + movers). */
static void anchor(brio_watch *watch) {
  /* The world moves again, which changes the bounds. */
  if (watch->rest && watch->rest->nframe == 0) watch->rest->valid = false;
  for (int i = 0; i < watch->npair; i++) {
    brio_proximity_pair *pair = &watch->pairs[i];
    /* The distance at the new anchors is at least the old bound less what both have moved. */
    pair->bound -= watch->bodies[pair->body_a].moved + watch->bodies[pair->body_b].moved;
    if (!(pair->bound > -INFINITY)) forget_pair(pair); /* a pose that was no number */
  }
  for (int i = 0; i < watch->nmover; i++) {
    brio_body *body = &watch->bodies[watch->movers[i]];
    body->anchor = body->world;
    body->moved = 0;
  }
}

/* What is known by the motion of frames holds at the new anchor less the way there; it is unknown where the
** last query knew no motion. O(listed pairs + movers). */
void brio_watch_anchor(brio_watch *watch) {
  bool frames = watch->rest && watch->rest->nframe > 0;
  for (int i = 0; i < watch->nfixed && frames; i++)
    watch->pairs[i].inner -= brio_watch_way(watch, &watch->pairs[i]);
  anchor(watch);
  brio_watch_put_to_rest(watch);
}

/* Queue a body whose neighbors have to be looked up again. */
static void note_stray(brio_watch *watch, int i) {
  if (watch->bodies[i].stray) return;
  watch->bodies[i].stray = true;
  watch->scratch->strays[watch->scratch->nstray++] = i;
}

/* Whether a body has left its fat box, or has none yet (leaf -1: a half-space needs none). */
static bool has_strayed(brio_body *body) {
  return body->leaf == 0 || (body->leaf > 0 && !brio_box_holds(&body->fat, brio_body_around(body)));
}

/* Set the range up to which pairs are listed. A longer range makes all moving bodies look for
** neighbors again, a shorter one takes effect as they stray. */
static void set_range(brio_watch *watch, double range) {
  if (range < watch->range / 2) watch->range = range; /* lists grow shorter as bodies stray */
  if (!(range > watch->range)) return;
  watch->range = range;
  for (int k = 0; k < watch->nmover; k++)
    if (watch->bodies[watch->movers[k]].frame >= 0) note_stray(watch, watch->movers[k]);
}

/* Note how far a body's points may have moved by the motion of the frames that carry it. */
static void note_way(brio_body *body, const brio_reach *reach) {
  const brio_reach *of = &reach[body->frame];
  assert(body->frame >= 0);
  body->chain = of->length + brio_vec3_norm(body->pose.p) + body->radius;
  body->way = of->turn * body->chain - of->lever + of->slide;
}

/* Whether there are bodies whose pairs the caller has not given: without them there are no neighbors. */
static bool has_others(const brio_watch *watch) {
  return watch->count[0] + watch->count[1] > watch->nown;
}

/* Take bodies of the world off the list of movers once they stand where their anchor is. */
static void unlist_resting(brio_watch *watch) {
  int kept = 0;
  for (int k = 0; k < watch->nmover; k++) {
    brio_body *body = &watch->bodies[watch->movers[k]];
    body->listed = body->frame >= 0 || body->moved != 0;
    if (body->listed) watch->movers[kept++] = watch->movers[k];
  }
  watch->nmover = kept;
}

/* Place the movers, and look up the neighbors of those that strayed. */
static void place_movers(brio_watch *watch, const brio_watch_query *query) {
  bool far = false, others = has_others(watch);
  set_range(watch, brio_max(query->range, query->list));
  watch->reach = query->reach;
  for (int k = 0; k < watch->nmover; k++) {
    int i = watch->movers[k];
    brio_body_place(&watch->bodies[i], query->frames);
    if (i < watch->nown && query->reach) note_way(&watch->bodies[i], query->reach);
    if (others && has_strayed(&watch->bodies[i])) note_stray(watch, i);
    /* Written so that NaN counts as far. */
    far |= !(watch->bodies[i].moved <= FAR);
  }
  if (watch->scratch->nstray > 0) brio_watch_list(watch);
  /* Bodies that moved far lose their old bounds anyway: anchor all of them now. */
  if (far) anchor(watch);
  if (others) unlist_resting(watch);
}

/* --- pairs --- */

/* Whether both bodies stand as they stood when the pair was measured last: `near` is exact. */
static bool is_known(const brio_watch *watch, const brio_proximity_pair *pair) {
  return pair->changes_a == watch->bodies[pair->body_a].changes &&
         pair->changes_b == watch->bodies[pair->body_b].changes;
}

/* Return the bound at the anchors of two bodies that are `distance` apart now, m.  A half-space that turns
** sweeps everything, so that nothing lasts. */
static double lasting(const brio_body *a, const brio_body *b, double distance) {
  bool endless = brio_body_endless(a) || brio_body_endless(b);
  return endless ? -INFINITY : distance - (a->moved + b->moved);
}

/* Give a pair the bound that is known without measuring it, unless it is known exactly.  A bound that
** would let it within `range` is held against spheres and boxes around both bodies.  Return whether it may
** be within the range, and is not known. */
static inline bool bound(const brio_watch *watch, brio_proximity_pair *pair, double range) {
  brio_body *a = &watch->bodies[pair->body_a], *b = &watch->bodies[pair->body_b];
  pair->within = false;
  if (pair->changes_a != 0) {
    if (is_known(watch, pair)) return false;
    pair->near = (brio_distance){.distance = 0};
    pair->changes_a = pair->changes_b = 0;
  }
  /* First the bounds from the last measurement; if they do not suffice, spheres and boxes. */
  double way = watch->reach ? brio_watch_way(watch, pair) : INFINITY;
  double lower = pair->bound - (a->moved + b->moved);
  if (watch->reach && pair->inner - way > lower) lower = pair->inner - way;
  if (!(lower > range + ROUND)) {
    double least = brio_body_apart(a, b);
    if (least > lower) lower = least, pair->bound = lasting(a, b, least);
    if (least - way > pair->inner) pair->inner = least - way;
  }
  pair->near.distance = lower;
  return !(lower > range + ROUND);
}

/* Measure a pair exactly; the new bound holds at both anchors. */
static void measure(brio_watch *watch, brio_proximity_pair *pair) {
  const brio_body *a = &watch->bodies[pair->body_a], *b = &watch->bodies[pair->body_b];
  pair->near = brio_shape_distance(&a->shape, &a->world, &b->shape, &b->world, &pair->cache);
  pair->bound = lasting(a, b, pair->near.distance);
  double inner = pair->near.distance - brio_watch_way(watch, pair);
  if (inner > pair->inner) pair->inner = inner;
  pair->changes_a = a->changes;
  pair->changes_b = b->changes;
  watch->measured++;
}

/* Whether pair `i` comes before pair `j`: it may be nearer. */
static bool comes_first(const brio_watch *watch, int i, int j) {
  double a = watch->pairs[i].near.distance, b = watch->pairs[j].near.distance;
  return a != b ? a < b : i < j;
}

/* Exchange two numbers. */
static void swap(int *a, int *b) {
  int c = *a;
  *a = *b;
  *b = c;
}

/* Partition `due` so that the `most` pairs that come first stand in front, in any order. O(count) on the
** mean.
** Source: Hoare, "Algorithm 65: find", 1961. */
static void select_first(const brio_watch *watch, int *due, int count, int most) {
  int lower = 0, upper = count - 1;
  while (lower < upper) {
    /* The middle is the pivot: lists are often nearly sorted. */
    swap(&due[upper], &due[lower + (upper - lower) / 2]);
    int kept = lower;
    for (int k = lower; k < upper; k++)
      if (comes_first(watch, due[k], due[upper])) swap(&due[k], &due[kept++]);
    swap(&due[upper], &due[kept]);
    /* kept pairs come before the pivot: search on in the side that holds place `most`. */
    if (kept == most) return;
    if (kept < most) lower = kept + 1;
    else upper = kept - 1;
  }
}

/* Keep the pair that may be nearer. */
static int nearer(const brio_watch *watch, int i, int first) {
  return first < 0 || comes_first(watch, i, first) ? i : first;
}

/* Remove the pairs that turned out not to be within the range. */
static void keep_within(brio_watch *watch) {
  int kept = 0;
  for (int k = 0; k < watch->nwithin; k++)
    if (watch->pairs[watch->within[k]].within) watch->within[kept++] = watch->within[k];
  watch->nwithin = kept;
}

/* The pair that comes `k`-th in a query that leaves out pairs that rest: those awake, then those that the
** watch listed. */
static int awake(const brio_watch *watch, int k) {
  int nawake = watch->rest->nawake;
  return k < nawake ? watch->rest->awake[k] : watch->nfixed + k - nawake;
}

/* Measure the pairs that may be within the range, the likely nearest first if the budget does not suffice
** for all, and mark those that are. Return the pair that may be nearest of all, or -1; it is not needed
** where only margins count. */
static int measure_due(brio_watch *watch, const brio_watch_query *query) {
  int count = 0, first = -1, *due = watch->scratch->due, most = watch->npair;
  bool rested = brio_watch_may_rest(watch, query);
  if (rested) most = watch->rest->nawake + watch->npair - watch->nfixed;
  watch->nwithin = 0;
  /* One pass over the list: bounds, known distances, and which pairs are due. */
  for (int k = 0; k < most; k++) {
    int i = rested ? awake(watch, k) : k;
    brio_proximity_pair *pair = &watch->pairs[i];
    bool nearer_margin = query->margins && pair->margin < query->range;
    bool is_due = bound(watch, pair, nearer_margin ? pair->margin : query->range);
    if (is_due) due[count++] = i;
    else {
      pair->within = pair->near.distance <= query->range && is_known(watch, pair);
      if (!query->margins) first = nearer(watch, i, first);
    }
    if (is_due || pair->within) watch->within[watch->nwithin++] = i; /* for now */
  }
  /* Measure as many as the budget allows; the others keep their bounds. */
  most = query->budget > 0 && query->budget < count ? query->budget : count;
  if (most < count) select_first(watch, due, count, most);
  for (int k = 0; k < count; k++) {
    brio_proximity_pair *pair = &watch->pairs[due[k]];
    if (k < most) {
      measure(watch, pair);
      pair->within = pair->near.distance <= query->range;
    }
    if (!query->margins) first = nearer(watch, due[k], first);
  }
  watch->left = count - most;
  keep_within(watch);
  if (query->margins && !rested) brio_watch_put_to_rest(watch);
  return first;
}

/* --- the smallest distance --- */

/* The listed pair with the least distance or bound. O(pairs). */
static int find_first(const brio_watch *watch) {
  int first = 0;
  for (int i = 1; i < watch->npair; i++)
    if (comes_first(watch, i, first)) first = i;
  return first;
}

/* Whether the budget of exact distances is used up. */
static bool is_spent(const brio_watch *watch, const brio_watch_query *query) {
  return watch->left > 0 || (query->budget > 0 && watch->measured >= query->budget);
}

/* Return the smallest distance of the pairs that are listed, measuring those that may have it. */
static double nearest_listed(brio_watch *watch, const brio_watch_query *query, int first) {
  if (first < 0) return INFINITY;
  /* The least is certain once it was measured, or lies beyond the horizon. */
  while (!is_known(watch, &watch->pairs[first]) && !(watch->pairs[first].near.distance > query->horizon)) {
    if (is_spent(watch, query)) break;
    measure(watch, &watch->pairs[first]);
    first = find_first(watch);
  }
  return watch->pairs[first].near.distance;
}

/* What brio_box_tree_nearest passes to measure_found. */
typedef struct search {
  brio_watch *watch;
  const brio_watch_query *query;
  int body;
} search;

/* Measure one body against the one that is searched for; beyond the budget, return the bound of all pairs
** that are not listed. */
static double measure_found(void *context, int other, double most) {
  const search *s = context;
  brio_body *a = &s->watch->bodies[s->body], *b = &s->watch->bodies[other];
  if (!brio_watch_pairs_up(s->watch, s->body, other) || brio_body_apart(a, b) >= most) return INFINITY;
  if (is_spent(s->watch, s->query)) return s->watch->range;
  s->watch->measured++;
  return brio_shape_distance(&a->shape, &a->world, &b->shape, &b->world, NULL).distance;
}

/* Return the least of `most` and the distances of the pairs that are not listed. */
static double nearest_unlisted(brio_watch *watch, const brio_watch_query *query, double most) {
  search s = {watch, query, 0};
  for (int k = 0; k < watch->nmover; k++) {
    brio_body *body = &watch->bodies[watch->movers[k]];
    s.body = watch->movers[k];
    if (body->frame < 0 || brio_body_endless(body) || body->leaf == 0) continue;
    for (int t = 0; t < 2; t++)
      most = brio_box_tree_nearest(&watch->tree[t], brio_body_around(body), most, measure_found, &s);
  }
  return most;
}

/* Return the least bound of the pairs that had no room in the list, and count their bodies. */
static double nearest_left_out(brio_watch *watch, double range) {
  double least = INFINITY;
  for (int k = 0; k < watch->nmover; k++) {
    double left = watch->bodies[watch->movers[k]].left;
    if (left <= range) watch->left++;
    least = brio_min(least, left);
  }
  return least;
}

double brio_watch_measure(brio_watch *watch, const brio_watch_query *query) {
  /* Place bodies, measure what is due, then search for the smallest distance of all. */
  watch->measured = 0;
  place_movers(watch, query);
  int first = measure_due(watch, query);
  double smallest = query->margins ? -INFINITY : nearest_listed(watch, query, first);
  /* Pairs that are not listed are beyond watch->range; only a longer horizon needs the trees. */
  if (!has_others(watch)) return smallest;
  double unlisted = nearest_left_out(watch, query->range), edge = brio_max(query->horizon, watch->range);
  if (watch->count[1] > 0 && smallest > watch->range) {
    double most = brio_min(smallest, edge);
    smallest = query->horizon > watch->range ? nearest_unlisted(watch, query, most) : most;
  }
  return brio_min(smallest, unlisted);
}
