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

/* Return a box around a body that is placed; most bodies are far enough from all others to need none. */
static inline const brio_box *brio_body_around(brio_body *body) {
  if (body->boxed != body->changes) body->around = brio_body_box(body, &body->world);
  body->boxed = body->changes;
  return &body->around;
}

/* Return how far the sphere about `body` is from a half-space, m. */
static inline double brio_body_apart_from_plane(const brio_body *plane, const brio_body *body) {
  brio_vec3 up = {plane->world.r[2], plane->world.r[5], plane->world.r[8]};
  return brio_vec3_dot(up, brio_vec3_sub(body->center, plane->center)) - body->radius;
}

/* Return a lower bound of the distance of two bodies that are placed, m: of the spheres about them, of
** the boxes about them. */
static inline double brio_body_apart(brio_body *a, brio_body *b) {
  /* A half-space has neither box nor sphere: its plane stands against the other body's sphere. */
  if (brio_body_endless(a)) return brio_body_endless(b) ? -INFINITY : brio_body_apart_from_plane(a, b);
  if (brio_body_endless(b)) return brio_body_apart_from_plane(b, a);
  double spheres = brio_vec3_norm(brio_vec3_sub(b->center, a->center)) - a->radius - b->radius;
  double boxes = brio_box_gap(brio_body_around(a), brio_body_around(b));
  return boxes > 0 && boxes > spheres ? boxes : spheres;
}

/* Place a body by the transforms of frames. */
void brio_body_place(brio_body *body, const brio_transform *frames);

/* Return how far the bodies of a pair may have moved against each other since the anchor, reckoned from the
** frame that carries both, m: what they share with it does not count.  INFINITY: unknown; NaN: a
** half-space. */
static inline double brio_watch_way(const brio_watch *watch, const brio_proximity_pair *pair) {
  if (!watch->reach || pair->carrier < 0) return INFINITY;
  const brio_body *a = &watch->bodies[pair->body_a], *b = &watch->bodies[pair->body_b];
  const brio_reach *shared = &watch->reach[pair->carrier];
  return a->way + b->way - shared->turn * (a->chain + b->chain) + 2 * (shared->lever - shared->slide);
}

/* Pairs that rest: the others among those that the caller listed are awake. */
typedef struct brio_watch_rest {
  int *awake, nawake;         /* rising */
  bool valid;                 /* the list is that of the present anchor */
  int nframe;                 /* 0: motion is that of bodies in the world, of which there is one slack */
  double range;               /* m: of the queries that it serves */
  double *slack;              /* nframe: how far both bodies of a pair with this carrier may move against it,
                              ** together, before one that rests may come within the range */
  double *spread;             /* nframe: the most that they moved in a query since the last list */
} brio_watch_rest;

/* Return whether only pairs that are awake may be within the range of a query, or below their margins. */
bool brio_watch_may_rest(brio_watch *watch, const brio_watch_query *query);
/* Let all pairs rest that are far enough for motions like those of the last queries. */
void brio_watch_put_to_rest(brio_watch *watch);
/* Free its memory. */
void brio_watch_rest_end(brio_watch *watch);

/* Find again the bodies that may be within watch->range of those that left their boxes. */
void brio_watch_list(brio_watch *watch);

/* Update the list of pairs that are `within`, from all pairs. */
void brio_watch_find_within(brio_watch *watch);

/* Remove the body in slot `i` and its pairs from the trees and lists. */
void brio_watch_unlist(brio_watch *watch, int i);

#endif
