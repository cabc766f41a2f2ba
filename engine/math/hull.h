/* Convex hulls: the points of a set that matter for distances. */
#ifndef BRIO_MATH_HULL_H
#define BRIO_MATH_HULL_H

#include "base/error.h"
#include "math/vec.h"

/* Move the corners of the convex hull of `points` (count, finite, m) to its front, ordered by
** x, then y, then z; return how many there are (at least 1 for count > 0), or -1 with `err`.
** Flat and straight sets of points are fine: their outline, or their two ends.
** Errors: misuse (no points, a coordinate that is not finite), limit, no_memory. */
int brio_hull_corners(brio_vec3 *points, int count, brio_error *err);

#endif
