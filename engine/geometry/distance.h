/* The distance of two solids, their nearest points, and the direction between them.  Shapes know no joints:
** poses are arguments, so the solver, the scene and tests share this. */
#ifndef BRIO_GEOMETRY_DISTANCE_H
#define BRIO_GEOMETRY_DISTANCE_H

#include "base/error.h"
#include "math/pose.h"
#include "math/shape.h"

typedef struct brio_distance {
  double distance;       /* m between the surfaces; negative: depth of penetration */
  brio_vec3 point_a;     /* world: nearest (apart) or deepest (inside) point of a's surface */
  brio_vec3 point_b;     /* world: the same of b's surface */
  brio_vec3 normal;      /* world, unit: from a to b; moving b along it adds to the distance.
                         ** distance = normal . (point_b - point_a) */
} brio_distance;

/* Warm start of the next query of the same pair: all zero at first. */
typedef struct brio_distance_cache {
  brio_vec3 direction;
} brio_distance_cache;

/* Return the signed distance of two shapes standing at `pose_a` and `pose_b`.
** `cache` may be NULL.  Never fails: sizes must be finite and >= 0, a hull must have a
** point (brio_shape_check), poses must be finite; a solid without volume is still a point,
** segment or disc.  Apart: exact for round pairs, else to 1e-11 of the distance.  Inside:
** to 1e-8 of the shapes' size and never less than the true depth; where round solids are
** nearly coaxial, or films and needles touch, to 5e-6.  Two half-spaces that face each other are as far
** apart as their planes; any other two intersect without bound: the distance is
** -INFINITY, with the origins of both frames and a's normal.  No allocation. */
brio_distance brio_shape_distance(const brio_shape *a, const brio_transform *pose_a,
                                  const brio_shape *b, const brio_transform *pose_b,
                                  brio_distance_cache *cache);

/* Return a number that the distance is never below, m, from the spheres around both
** shapes: `radius_a` and `radius_b` are their brio_shape_radius, kept by the caller.
** A pair whose bound is large enough needs no query. */
static inline double brio_shape_distance_bound(double radius_a, const brio_transform *pose_a,
                                               double radius_b, const brio_transform *pose_b) {
  return brio_vec3_norm(brio_vec3_sub(pose_b->p, pose_a->p)) - radius_a - radius_b;
}

/* Check a shape for distance queries.  Errors: misuse, naming the size or corner that is negative, not finite
** or above 1e6 m, or a hull without corners or with more than 4,096: only the corners of the convex hull
** matter (math/hull.h finds them). */
bool brio_shape_check(const brio_shape *shape, brio_error *err);

#endif
