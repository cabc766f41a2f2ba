/* Distances between many solids: bodies fixed to frames, and pairs of them.  Frames are an array of
** transforms, so that a robot's links, a scene's objects and a test's random poses all serve.  This file
** has the records and the plain pass over all pairs, which keeps no state; watch.h serves repeated queries
** about solids that move little. */
#ifndef BRIO_GEOMETRY_PROXIMITY_H
#define BRIO_GEOMETRY_PROXIMITY_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/box.h"
#include "geometry/distance.h"

typedef struct brio_body {
  int frame;             /* index into the frames of a query; -1: the world */
  int group;             /* bodies of one group never move relative to each other: their pairs do not count */
  brio_transform pose;   /* frame_from_shape */
  brio_shape shape;
  double radius;         /* of its bounding sphere about pose.p, m; INFINITY: a half-space */
  bool physical;         /* false: measured only, never kept apart */
  bool present;          /* false: a free slot */
  brio_vec3 velocity;    /* m/s: of the origin of its frame in the world, if it moves by itself */
  brio_vec3 spin;        /* rad/s, in the world */
  uint64_t displaced;    /* set by the user, when it was last set or moved */
  /* Results of a query. */
  brio_vec3 center;      /* world: of the bounding sphere */
  brio_transform world;  /* world_from_shape, when `placed` */
  bool placed;
  /* State of a watch. */
  brio_shape outline;    /* the shape, or the box around a hull */
  brio_vec3 middle;      /* of the outline, in the frame of the shape */
  brio_transform anchor; /* world_from_shape, where its pairs' bounds were true */
  double moved;          /* m: no point of it has moved farther than this since `anchor` */
  double way, chain;     /* m: see brio_reach: of its points, and the length of the chain to them */
  uint64_t changes;      /* counts the queries in which it had moved */
  brio_box around;       /* at the pose after `boxed` changes: see brio_body_around */
  uint64_t boxed;
  brio_box fat;          /* the box in which it may move before its neighbors are updated */
  int leaf;              /* of the tree, plus 1; 0: none yet; -1: needs none */
  double left;           /* m: lower bound of its pairs that found no room in the list; mostly INFINITY */
  bool listed;           /* the next query computes its placement */
  bool stray;            /* its neighbors must be updated */
} brio_body;

/* The fields that every query reads come first, in one cache line. */
typedef struct brio_proximity_pair {
  int body_a, body_b;    /* indices of bodies */
  double bound;          /* a watch's, m: the distance is at least this minus what both have `moved` */
  double inner;          /* a watch's, m: the same minus how far both moved against their carrier */
  uint64_t changes_a, changes_b; /* a watch's: of the bodies, when `near` was measured; 0: it was not */
  bool within;           /* near is exact: the pair is within the range */
  int carrier;           /* the user's: the frame that carries both bodies; -1: unknown */
  brio_distance near;    /* at the last query; unless `within`: only distance, a lower bound */
  double margin;         /* m: the distance at which they were built; no reason to separate them. INFINITY:
                         ** unknown */
  brio_distance_cache cache;
} brio_proximity_pair;

/* Return a pair with unknown distance. */
static inline brio_proximity_pair brio_proximity_pair_of(int body_a, int body_b) {
  return (brio_proximity_pair){.body_a = body_a,
                               .body_b = body_b,
                               .bound = -INFINITY,
                               .inner = -INFINITY,
                               .carrier = -1,
                               .margin = INFINITY};
}

/* Measure every pair of the `nbody` bodies at `frames` (world_from_frame).  Pairs whose
** bounding spheres are more than `range` m apart get only that lower bound.  Return the
** smallest distance; INFINITY when there is no pair.  Cost: a few ns a body and a far
** pair, one brio_shape_distance a near pair. */
double brio_proximity_query(brio_body *bodies, int nbody, const brio_transform *frames,
                            brio_proximity_pair *pairs, int npair, double range);

#endif
