/* Which pairs may be near: the list that a watch measures.
**
** Every body has a fat box, somewhat larger than itself, in one of two trees: the world's
** or the frames'. Two bodies are listed as a pair when their fat boxes are no farther
** apart than the range. While both stay inside their boxes, a pair that is not listed is
** beyond the range; a body that leaves its box gets another one, and its neighbors are
** looked up. What stands still in the world has a box without slack. A half-space is in
** no tree but paired with all that move against it.
**
** The list has a fixed capacity, so that no query allocates: each body on a frame has its MAX_NEIGHBORS
** nearest. For a pair left out, both bodies keep a lower bound of the distance, which a query reports.
**
** Costs: O(log n + found) to look up one body, O(k log k) to sort k new pairs, O(pairs) to merge. */
#include <assert.h>
#include <string.h>

#include "geometry/watch_internal.h"
#include "math/scalar.h"

static const double SLACK = 0.06; /* m: to every side of a box that moves */
static const double LEAP = 0.3;   /* m: a body that came farther than this will not be back at once */
enum { MAX_NEIGHBORS = 256 };              /* listed neighbors of a body; of a half-space all are listed */

/* --- pairs by their bodies --- */

/* The key of a pair: the lower index in the upper half, so that keys order like pairs. */
static brio_pair_key key_of(int a, int b) {
  return a < b ? (brio_pair_key)a << 32 | (uint32_t)b : (brio_pair_key)b << 32 | (uint32_t)a;
}

/* Let keys[i] sink to its place in a heap of `count` keys with the greatest on top. */
static void sink(brio_pair_key *keys, int i, int count) {
  for (int child = 2 * i + 1; child < count; child = 2 * i + 1) {
    if (child + 1 < count && keys[child + 1] > keys[child]) child++;
    if (keys[i] >= keys[child]) return;
    brio_pair_key key = keys[i];
    keys[i] = keys[child];
    keys[child] = key;
    i = child;
  }
}

/* Sort keys in place: a heap sort, as qsort may allocate.
** Source: Williams, "Algorithm 232: heapsort", 1964. */
static void sort_keys(brio_pair_key *keys, int count) {
  /* Build the heap from the last parent up; then move its top behind the rest until none is left. */
  for (int i = count / 2 - 1; i >= 0; i--) sink(keys, i, count);
  for (int last = count - 1; last > 0; last--) {
    brio_pair_key key = keys[0];
    keys[0] = keys[last];
    keys[last] = key;
    sink(keys, 0, last);
  }
}

/* Note that a pair could not be listed. Where the fat boxes meet,
** the solids may overlap as deep as their spheres allow. */
static void leave_out(brio_watch *watch, int a, int b) {
  brio_body *p = &watch->bodies[a], *q = &watch->bodies[b];
  double gap = brio_box_gap(&p->fat, &q->fat);
  if (!(gap > 0)) gap = -p->radius - q->radius;
  p->left = brio_min(p->left, gap);
  q->left = brio_min(q->left, gap);
}

/* Add a pair to the new ones, or leave it out when there is no room. */
static void add_fresh(brio_watch *watch, int a, int b) {
  assert(a != b);
  brio_watch_scratch *scratch = watch->scratch;
  if (scratch->nfresh < watch->capacity) scratch->fresh[scratch->nfresh++] = key_of(a, b);
  else leave_out(watch, a, b);
}

/* --- boxes --- */

/* Whether all bounds of a box are finite and of a sensible size. */
static bool is_sane(const brio_box *box) {
  const double *x = &box->lower.x;
  for (int i = 0; i < 6; i++)
    if (!(fabs(x[i]) < 1e9)) return false;
  return true;
}

/* Give a body that strayed another box. A body without a sensible pose gets none, and all its pairs
** are left out; a half-space needs none. */
static void fatten(brio_watch *watch, int i) {
  brio_body *body = &watch->bodies[i];
  brio_box_tree *tree = &watch->tree[body->frame >= 0];
  /* A body of the world that already had a box has moved, and may move again. */
  bool moves = body->frame >= 0 || body->leaf > 0;
  if (body->leaf > 0) brio_box_tree_remove(tree, body->leaf - 1);
  body->leaf = 0;
  body->left = INFINITY;
  body->fat = *brio_body_around(body);
  if (brio_body_endless(body)) {
    body->leaf = -1;
    return;
  }
  if (!is_sane(&body->fat)) {
    body->left = -INFINITY;
    return;
  }
  /* A body near its anchor will swing back: its box includes the anchor, so that it strays less often. */
  if (moves && body->moved < LEAP)
    body->fat = brio_box_union(body->fat, brio_body_box(body, &body->anchor));
  if (moves) body->fat = brio_box_grown(body->fat, SLACK);
  assert(body->leaf == 0);
  body->leaf = 1 + brio_box_tree_add(tree, &body->fat, i);
}

/* --- neighbors --- */

/* Keep the nearest of the bodies found, and leave out the others. O(count log count). */
static int keep_nearest(brio_watch *watch, int i, int *found, int count) {
  brio_pair_key *order = watch->scratch->order;
  /* Sort by gap, then by index: non-negative floats order like their bits. */
  for (int k = 0; k < count; k++) {
    float gap = (float)brio_box_gap(&watch->bodies[i].fat, &watch->bodies[found[k]].fat);
    uint32_t bits; /* of numbers that are not negative, these are ordered as they are */
    memcpy(&bits, &gap, sizeof bits);
    order[k] = (brio_pair_key)bits << 32 | (uint32_t)found[k];
  }
  sort_keys(order, count);
  for (int k = 0; k < count; k++) found[k] = (int)(uint32_t)order[k];
  for (int k = MAX_NEIGHBORS; k < count; k++) leave_out(watch, i, found[k]);
  return count < MAX_NEIGHBORS ? count : MAX_NEIGHBORS;
}

/* List the neighbors of a body that strayed.  Two that strayed find each other once, but for a body on a
** frame and one of the world, where the former finds the latter. */
static void look_up(brio_watch *watch, int i) {
  const brio_body *body = &watch->bodies[i];
  int *found = watch->scratch->found, count = 0, kept = 0;
  if (body->leaf <= 0) return;
  /* Boxes within the range of each other: search with the box grown by the range. */
  brio_box box = brio_box_grown(body->fat, watch->range);
  if (body->frame >= 0) count = brio_box_tree_find(&watch->tree[0], &box, found);
  count += brio_box_tree_find(&watch->tree[1], &box, found + count);
  /* Of two that strayed only one adds the pair. */
  for (int k = 0; k < count; k++) {
    const brio_body *other = &watch->bodies[found[k]];
    bool again = other->stray && other->frame >= 0 && (body->frame < 0 || found[k] < i);
    if (!again && brio_watch_pairs_up(watch, i, found[k])) found[kept++] = found[k];
  }
  if (kept > MAX_NEIGHBORS) kept = keep_nearest(watch, i, found, kept);
  assert(kept <= MAX_NEIGHBORS);
  for (int k = 0; k < kept; k++) add_fresh(watch, i, found[k]);
}

/* List a body that strayed against all half-spaces, or a half-space against all bodies. */
static void look_up_endless(brio_watch *watch, int i) {
  bool endless = brio_body_endless(&watch->bodies[i]);
  /* A half-space meets everything there is; another body meets the half-spaces. */
  int count = endless ? watch->used : watch->nendless;
  for (int k = 0; k < count; k++) {
    int other = endless ? k : watch->endless[k];
    bool again = !endless && watch->bodies[other].stray;
    if (!again && brio_watch_pairs_up(watch, i, other)) add_fresh(watch, i, other);
  }
}

/* --- the list --- */

/* The key of a listed pair. */
static brio_pair_key key_of_pair(const brio_proximity_pair *pair) {
  return key_of(pair->body_a, pair->body_b);
}

/* Whether a body of the pair strayed, so that its pairs are looked up again. */
static bool strayed(const brio_watch *watch, const brio_proximity_pair *pair) {
  return watch->bodies[pair->body_a].stray || watch->bodies[pair->body_b].stray;
}

/* Merge the pairs listed so far, less those of bodies that strayed, with the fresh ones, which are in order;
** a pair that is in both is kept as it is. */
static void merge(brio_watch *watch) {
  brio_watch_scratch *scratch = watch->scratch;
  brio_proximity_pair *out = scratch->spare;
  int n = watch->nfixed, at = 0;
  /* Pairs of the caller stay in front. Then both lists, sorted by key, are merged. */
  memcpy(out, watch->pairs, (size_t)n * sizeof *out);
  for (int k = watch->nfixed; k <= watch->npair; k++) {
    const brio_proximity_pair *old = k < watch->npair ? &watch->pairs[k] : NULL;
    /* After the last old pair, the greatest key lets all remaining new pairs in. */
    brio_pair_key key = old ? key_of_pair(old) : UINT64_MAX;
    for (; at < scratch->nfresh && scratch->fresh[at] < key; at++) {
      int a = (int)(scratch->fresh[at] >> 32), b = (int)(uint32_t)scratch->fresh[at];
      if (n < watch->capacity) out[n++] = brio_proximity_pair_of(a, b);
      else leave_out(watch, a, b);
    }
    /* A pair in both lists keeps what is known of it. */
    bool again = at < scratch->nfresh && scratch->fresh[at] == key;
    if (!old || (!again && strayed(watch, old))) continue;
    at += again;
    if (n < watch->capacity) out[n++] = *old;
    else leave_out(watch, old->body_a, old->body_b);
  }
  /* The spare array becomes the list, and the list the spare one. */
  scratch->spare = watch->pairs;
  watch->pairs = out;
  assert(n >= watch->nfixed && n <= watch->capacity);
  watch->npair = n;
}

void brio_watch_list(brio_watch *watch) {
  brio_watch_scratch *scratch = watch->scratch;
  /* Boxes first: neighbors are looked up among the new boxes. */
  scratch->nfresh = 0;
  for (int k = 0; k < scratch->nstray; k++) fatten(watch, scratch->strays[k]);
  for (int k = 0; k < scratch->nstray; k++) {
    int i = scratch->strays[k];
    look_up(watch, i);
    look_up_endless(watch, i);
  }
  sort_keys(scratch->fresh, scratch->nfresh);
  merge(watch);
  /* Nothing strays now, until the next query. */
  for (int k = 0; k < scratch->nstray; k++) watch->bodies[scratch->strays[k]].stray = false;
  scratch->nstray = 0;
}

void brio_watch_unlist(brio_watch *watch, int i) {
  brio_body *body = &watch->bodies[i];
  int kept = watch->nfixed;
  /* Out of the tree, then out of the list, which keeps its order. */
  if (body->leaf > 0) brio_box_tree_remove(&watch->tree[body->frame >= 0], body->leaf - 1);
  body->leaf = 0;
  for (int k = watch->nfixed; k < watch->npair; k++)
    if (watch->pairs[k].body_a != i && watch->pairs[k].body_b != i) watch->pairs[kept++] = watch->pairs[k];
  watch->npair = kept;
  brio_watch_find_within(watch);
  kept = 0;
  for (int k = 0; k < watch->nendless; k++)
    if (watch->endless[k] != i) watch->endless[kept++] = watch->endless[k];
  watch->nendless = kept;
}
