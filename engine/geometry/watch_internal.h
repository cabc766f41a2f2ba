/* What the files of a watch share: watch.c measures, watch_list.c says who may be near. */
#ifndef BRIO_GEOMETRY_WATCH_INTERNAL_H
#define BRIO_GEOMETRY_WATCH_INTERNAL_H

#include "geometry/watch.h"

/* A pair by its bodies, a < b: a in the upper half. */
typedef uint64_t brio_pair_key;

/* Room taken beforehand. */
typedef struct brio_watch_scratch {
  int *due;                   /* capacity: pairs to measure */
  brio_proximity_pair *spare; /* capacity: the list that is being made */
  brio_pair_key *fresh;       /* capacity: pairs of bodies that strayed */
  int nfresh;
  int *strays, nstray;        /* nbody */
  int *found;                 /* nbody: who is near */
  brio_pair_key *order;       /* nbody: the same, to be put in order */
} brio_watch_scratch;

/* Whether two bodies are a pair that the watch lists by itself. */
static inline bool brio_watch_pairs_up(const brio_watch *watch, int a, int b) {
  const brio_body *p = &watch->bodies[a], *q = &watch->bodies[b];
  return p->present && q->present && p->group != q->group && !(a < watch->nown && b < watch->nown) &&
         !(p->shape.kind == BRIO_SHAPE_HALF_SPACE && q->shape.kind == BRIO_SHAPE_HALF_SPACE);
}

/* Whether a body has no end: a half-space. */
static inline bool brio_body_endless(const brio_body *body) {
  return body->shape.kind == BRIO_SHAPE_HALF_SPACE;
}

/* Return a box around the body standing at `pose`. */
static inline brio_box brio_body_box(const brio_body *body, const brio_transform *pose) {
  brio_transform at = *pose;
  at.p = brio_transform_point(pose, body->middle);
  return brio_box_around(&body->outline, &at);
}

/* Look up again the bodies that may be within watch->range of those that strayed. */
void brio_watch_list(brio_watch *watch);

/* List the pairs that are `within` again, all pairs being looked at. */
void brio_watch_find_within(brio_watch *watch);

/* Take the body in place `i` out of the trees and lists; its pairs with it. */
void brio_watch_unlist(brio_watch *watch, int i);

#endif
