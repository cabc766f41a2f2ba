/* Pairs that rest: a query does not visit them.
**
** A robot with hands has thousands of pairs of its own, nearly all of which are far from their margins in
** every tick. When the anchor is set, each pair is at least `inner` apart there, so that it cannot come
** within its limit before its bodies have moved by  inner - limit  against the frame that carries both. The
** least of these over the pairs of a carrier is its slack. A query compares the slack of each carrier with
** the most that anything has moved against it: O(frames) in place of O(pairs).
**
** Where the motion of frames is not known, that of the bodies in the world counts, of all pairs alike.
**
** Pairs that are nearer than the motions of the last queries require stay awake, so that the comparison
** mostly holds; where it does not, the query visits all pairs, and the list is made again. */
#include <assert.h>
#include <stdlib.h>

#include "geometry/watch_internal.h"

static const double ROUND = 1e-9;     /* m: slack for rounding */
static const double LEAST_ROOM = 2e-3; /* m: nearer pairs stay awake, however little moves */
static const double MORE = 1.5;       /* the motion that is prepared for, of the greatest one of late */
static const double FADING = 0.8;     /* of that, from list to list */

void brio_watch_rest_end(brio_watch *watch) {
  if (!watch->rest) return;
  free(watch->rest->awake);
  free(watch->rest->slack);
  free(watch->rest->spread);
  free(watch->rest);
  watch->rest = NULL;
}

bool brio_watch_let_rest(brio_watch *watch, int nframe) {
  assert(!watch->rest && watch->nfixed == watch->npair);
  brio_watch_rest *rest = watch->rest = calloc(1, sizeof *rest);
  if (!rest) return false;
  rest->nframe = nframe;
  rest->awake = malloc(((size_t)watch->nfixed + 1) * sizeof *rest->awake);
  rest->slack = calloc((size_t)nframe + 1, sizeof *rest->slack);
  rest->spread = calloc((size_t)nframe + 1, sizeof *rest->spread);
  if (rest->awake && rest->slack && rest->spread) return true;
  brio_watch_rest_end(watch);
  return false;
}

int brio_watch_awake(const brio_watch *watch) {
  return watch->rest && watch->rest->valid ? watch->rest->nawake : watch->nfixed;
}

/* Whether pairs whose bodies may both have moved by `way` may rest, and note that motion.  NaN lets nothing
** rest. */
static inline bool allows(brio_watch_rest *rest, int f, double way) {
  double spread = 2 * way;
  if (!(spread <= rest->spread[f])) rest->spread[f] = spread;
  return spread < rest->slack[f];
}

bool brio_watch_may_rest(brio_watch *watch, const brio_watch_query *query) {
  brio_watch_rest *rest = watch->rest;
  if (!rest || !query->margins || (rest->nframe > 0 && !query->reach)) return false;
  bool may = rest->valid && query->range <= rest->range;
  rest->range = query->range;
  for (int f = 0; f < rest->nframe; f++) may &= allows(rest, f, query->spread[f]);
  for (int k = 0; k < watch->nmover && rest->nframe == 0; k++)
    may &= allows(rest, 0, watch->bodies[watch->movers[k]].moved);
  return may;
}

void brio_watch_put_to_rest(brio_watch *watch) {
  brio_watch_rest *rest = watch->rest;
  if (!rest) return;
  int count = rest->nframe > 0 ? rest->nframe : 1;
  rest->nawake = 0;
  rest->valid = rest->nframe == 0 || watch->reach != NULL;
  for (int f = 0; f < count; f++) rest->slack[f] = INFINITY;
  for (int i = 0; i < watch->nfixed && rest->valid; i++) {
    const brio_proximity_pair *pair = &watch->pairs[i];
    double limit = pair->margin < rest->range ? pair->margin : rest->range;
    int f = rest->nframe > 0 ? pair->carrier : 0;
    double *slack = &rest->slack[f];
    double room = (rest->nframe > 0 ? pair->inner : pair->bound) - limit - ROUND;
    assert(f >= 0 && f < count);
    if (!(room > LEAST_ROOM + MORE * rest->spread[f])) rest->awake[rest->nawake++] = i;
    else if (room < *slack) *slack = room;
  }
  for (int f = 0; f < count; f++) rest->spread[f] *= FADING;
}
