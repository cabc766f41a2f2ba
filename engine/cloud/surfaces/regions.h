/* Flat regions of a cloud's cells: the first half of finding planes (planes.h).  Private to it. */
#ifndef BRIO_CLOUD_SURFACES_REGIONS_H
#define BRIO_CLOUD_SURFACES_REGIONS_H

#include "cloud/surfaces/cells.h"
#include "cloud/surfaces/noise.h"

enum { BRIO_CLOUD_REGIONS = 512 };

typedef struct brio_cloud_region {
  brio_cloud_moments sums; /* of its cells' own points */
  brio_vec3 normal;        /* unit */
  double offset;           /* normal . p = offset, from the origin of the cells */
  int cells;
} brio_cloud_region;

/* Grow flat regions of at least `least` points, the flattest cells first; write them into `regions` (room
** for BRIO_CLOUD_REGIONS) and the region of each cell, or -1, into `label` (cells->count).  Return how
** many, -1: no memory.  `gap`: parts of one plane within this distance are merged, m; below 0: only those
** that touch. */
int brio_cloud_regions_grow(const brio_cloud_cells *cells, const brio_cloud_noise *noise, double gap,
                            int least, brio_cloud_region *regions, int *label);

#endif
