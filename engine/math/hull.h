/* Convex hulls: the points of a set that matter for distances, and its mass properties. */
#ifndef BRIO_MATH_HULL_H
#define BRIO_MATH_HULL_H

#include "base/error.h"
#include "math/vec.h"

/* Move the corners of the convex hull of `points` (count, finite, m) to its front, ordered by
** x, then y, then z; return how many there are (at least 1 for count > 0), or -1 with `err`.
** Flat and straight sets of points are fine: their outline, or their two ends.
** Errors: misuse (no points, a coordinate that is not finite), limit, no_memory. */
int brio_hull_corners(brio_vec3 *points, int count, brio_error *err);

/* Mass properties of a hull of density 1. */
typedef struct brio_hull_solid {
  double volume;      /* m^3; 0: the points are in a plane */
  brio_vec3 center;   /* of mass, m; without a volume the mean of the points */
  double inertia[6];  /* about the centre: xx xy xz yy yz zz, m^5 */
} brio_hull_solid;

/* Write volume, centre and inertia of the convex hull of `points` (count, finite, m).
** Errors: as of brio_hull_corners. */
bool brio_hull_mass_properties(const brio_vec3 *points, int count, brio_hull_solid *out, brio_error *err);

#endif
