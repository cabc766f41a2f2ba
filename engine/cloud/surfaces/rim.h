/* The straight front edge of points in a plane, such as a table's, seen along x.  It is found strip by strip,
** so the density of points, things on the table and people in front of a part of it do not matter. */
#ifndef BRIO_CLOUD_SURFACES_RIM_H
#define BRIO_CLOUD_SURFACES_RIM_H

#include "cloud/cloud.h"

enum { BRIO_CLOUD_RIM_STRIPS = 96 };

typedef struct brio_cloud_rim {
  double middle[2];    /* m: the middle of the visible part */
  double direction[2]; /* unit, along it, towards greater y */
  double low, high;    /* m along it from the middle: its ends */
  double error;        /* m: root of the mean squared distance of the strips' fronts */
  double share;        /* share of the strips with points that begin on it */
  int strips;          /* number of those */
} brio_cloud_rim;

/* Find the front along x of `points` (count of x, y in m) with y from `low` to `high`; `noise` (m) is how
** far off points may be along x.  False: there are too few points, or no line that a third of the strips
** begin on. */
bool brio_cloud_rim_find(brio_cloud_rim *rim, const double (*points)[2], int count, double low, double high,
                         double noise);

/* Observations just outside of an edge: shares of the stretch from `from` to `to`.  `out` is the
** unit direction away from the surface.  Beyond a true edge the sensor sees farther; points in front of it
** mean that the edge is hidden; without points it may be the edge of the view. */
typedef struct brio_cloud_beyond {
  double open, hidden, unseen; /* their sum is 1 */
} brio_cloud_beyond;

/* Compute them from at most some 20,000 evenly sampled points of a judged cloud. */
brio_cloud_beyond brio_cloud_rim_beyond(const brio_cloud *cloud, brio_vec3 from, brio_vec3 to, brio_vec3 out);

#endif
