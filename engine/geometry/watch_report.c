/* A report of all pairs that are near now: a copy is measured, and the watch does not change. */
#include <stdlib.h>
#include <string.h>

#include "geometry/watch_internal.h"

static const double ROUND = 1e-9; /* m: slack for rounding */
enum { FEW = 64 };                /* pairs: first room beyond those that the caller listed */

/* A copy of the bodies, placed as they stand now, on which a report is made. */
typedef struct view {
  brio_body *bodies;
  int nbody;
  int *frames, nframe; /* those on frames */
  brio_proximity_pair *out;
  int count, room;
} view;

/* Copy and place; the watch itself does not change. Return false when there is no memory. */
static bool open_view(view *v, const brio_watch *watch, const brio_transform *frames) {
  v->nbody = watch->used;
  v->room = watch->nfixed + FEW;
  v->bodies = malloc(((size_t)v->nbody + 1) * sizeof *v->bodies);
  v->frames = malloc(((size_t)v->nbody + 1) * sizeof *v->frames);
  v->out = malloc((size_t)v->room * sizeof *v->out);
  if (!v->bodies || !v->frames || !v->out) return false;
  memcpy(v->bodies, watch->bodies, (size_t)v->nbody * sizeof *v->bodies);
  for (int i = 0; i < v->nbody; i++) {
    if (!v->bodies[i].present) continue;
    brio_body_place(&v->bodies[i], frames);
    if (v->bodies[i].frame >= 0) v->frames[v->nframe++] = i;
  }
  return true;
}

/* Make room for more results. Return false when there is no memory. */
static bool lengthen(view *v) {
  brio_proximity_pair *longer = realloc(v->out, 2 * (size_t)v->room * sizeof *longer);
  if (!longer) return false;
  v->out = longer;
  v->room *= 2;
  return true;
}

/* Measure a pair exactly if its bound is within `range`. */
static void look(const view *v, double range, brio_proximity_pair *pair) {
  brio_body *a = &v->bodies[pair->body_a], *b = &v->bodies[pair->body_b];
  pair->near = (brio_distance){.distance = brio_body_apart(a, b)};
  if (!(pair->near.distance > range + ROUND))
    pair->near = brio_shape_distance(&a->shape, &a->world, &b->shape, &b->world, NULL);
  pair->within = pair->near.distance <= range;
}

/* Report the pairs of body `a` with those after it.
** Return false when there is no memory. O(bodies). */
static bool look_around(view *v, const brio_watch *watch, double range, int a) {
  bool world = v->bodies[a].frame < 0;
  for (int k = world ? 0 : a + 1; k < (world ? v->nframe : v->nbody); k++) {
    int b = world ? v->frames[k] : k;
    if (b <= a || !brio_watch_pairs_up(watch, a, b)) continue;
    brio_proximity_pair pair = brio_proximity_pair_of(a, b);
    look(v, range, &pair);
    if (!pair.within) continue;
    if (v->count == v->room && !lengthen(v)) return false;
    v->out[v->count++] = pair;
  }
  return true;
}

brio_proximity_pair *brio_watch_report(const brio_watch *watch, const brio_transform *frames, double range,
                                       int *count) {
  view v = {0};
  bool good = open_view(&v, watch, frames);
  /* The caller's pairs come first, all of them, then those within the range. */
  for (int i = 0; good && i < watch->nfixed; i++) {
    v.out[v.count] = watch->pairs[i];
    look(&v, range, &v.out[v.count++]);
  }
  for (int i = 0; good && i < v.nbody; i++)
    if (v.bodies[i].present) good = look_around(&v, watch, range, i);
  free(v.bodies);
  free(v.frames);
  *count = v.count;
  if (good) return v.out;
  free(v.out);
  return NULL;
}
