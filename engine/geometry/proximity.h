/* Distances between many solids at once: bodies fixed to frames, pairs to watch, and one
** pass over all pairs per query.  Frames are given as an array of transforms, so a robot's
** links, a scene's objects and a test's random poses all serve. */
#ifndef BRIO_GEOMETRY_PROXIMITY_H
#define BRIO_GEOMETRY_PROXIMITY_H

#include <stdbool.h>

#include "geometry/distance.h"

typedef struct brio_body {
  int frame;             /* index into the frames of a query; -1: the world */
  brio_transform pose;   /* frame_from_shape */
  brio_shape shape;
  double radius;         /* of its bounding sphere about pose.p, m */
  bool physical;         /* false: measured, never avoided */
  bool present;          /* false: a free place */
  /* What a query computes. */
  brio_vec3 center;      /* world: of the bounding sphere */
  brio_transform world;  /* world_from_shape, when `placed` */
  bool placed;
} brio_body;

typedef struct brio_proximity_pair {
  int body_a, body_b;    /* indices of bodies */
  double margin;         /* m: nearer than this is no reason to part: so they were built.
                         ** INFINITY: nothing known */
  brio_distance near;    /* at the last query; beyond the range: only distance, a lower bound */
  bool within;           /* near is exact: the pair is within the range */
  brio_distance_cache cache;
} brio_proximity_pair;

/* Measure every pair of the `nbody` bodies at `frames` (world_from_frame).  Pairs whose
** bounding spheres are more than `range` m apart get only that lower bound.  Return the
** smallest distance; INFINITY when there is no pair.  Cost: a few ns a body and a far
** pair, one brio_shape_distance a near pair. */
double brio_proximity_query(brio_body *bodies, int nbody, const brio_transform *frames,
                            brio_proximity_pair *pairs, int npair, double range);

#endif
