/* Shared by the files of a watch: watch.c measures, watch_list.c finds neighbors. */
#ifndef BRIO_GEOMETRY_WATCH_INTERNAL_H
#define BRIO_GEOMETRY_WATCH_INTERNAL_H

#include "geometry/watch.h"

/* A pair by its bodies, a < b: a in the upper half. */
typedef uint64_t brio_pair_key;

/* Preallocated memory. */
typedef struct brio_watch_scratch {
  int *due;                   /* capacity: pairs to measure */
  brio_proximity_pair *spare; /* capacity: the list under construction */
  brio_pair_key *fresh;       /* capacity: pairs of bodies that strayed */
  int nfresh;
  int *strays, nstray;        /* nbody */
  int *found;                 /* nbody: neighbors */
  brio_pair_key *order;       /* nbody: the same, to be sorted */
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

/* Find again the bodies that may be within watch->range of those that left their boxes. */
void brio_watch_list(brio_watch *watch);

/* Update the list of pairs that are `within`, from all pairs. */
void brio_watch_find_within(brio_watch *watch);

/* Remove the body in slot `i` and its pairs from the trees and lists. */
void brio_watch_unlist(brio_watch *watch, int i);

#endif
