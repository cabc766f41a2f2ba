/* The straight front of points in a plane: where a table begins, seen along x.  Found strip
** by strip, so that it does not matter how dense the points are, what stands on the table, or who stands
** before a part of it. */
#ifndef BRIO_CLOUD_SURFACES_RIM_H
#define BRIO_CLOUD_SURFACES_RIM_H

#include "cloud/cloud.h"

enum { BRIO_CLOUD_RIM_STRIPS = 96 };

typedef struct brio_cloud_rim {
  double middle[2];    /* m: the middle of what was seen of it */
  double direction[2]; /* unit, along it, towards greater y */
  double low, high;    /* m along it from the middle: where it begins and ends */
  double error;        /* m: root of the mean squared distance of the strips' fronts */
  double share;        /* of the strips that have points, how many begin on it */
  int strips;          /* how many those are */
} brio_cloud_rim;

/* Find the front along x of `points` (count of x, y in m) with y from `low` to `high`; `noise` (m) is how
** far off points may be along x.  False: there are too few points, or no line that a third of the strips
** begin on. */
bool brio_cloud_rim_find(brio_cloud_rim *rim, const double (*points)[2], int count, double low, double high,
                         double noise);

/* What a sensor sees just outside of an edge: shares of the stretch from `from` to `to`.  `out` is the
** unit direction away from the surface.  Beyond an edge that is one it sees farther; where something
** stands before it the edge is hidden; where it sees nothing the edge may be that of its view. */
typedef struct brio_cloud_beyond {
  double open, hidden, unseen; /* their sum is 1 */
} brio_cloud_beyond;

/* Tell it from at most some 20,000 points of a judged cloud, evenly taken. */
brio_cloud_beyond brio_cloud_rim_beyond(const brio_cloud *cloud, brio_vec3 from, brio_vec3 to, brio_vec3 out);

#endif
