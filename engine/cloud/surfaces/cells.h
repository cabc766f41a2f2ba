/* A cloud cut into small cells with their sums and neighbors: surface detection works on some thousand cells
** instead of all points.
**
** Cells of an organized cloud are square blocks of its picture, which depth noise does not tear apart.  Any
** other is cut by how its sensor sees it, into blocks of directions that are also parted by distance,
** coarsely; or into cubes in space, which also suit clouds of many sensors.  Two cells are neighbors
** when they touch and, except for cubes, their points are near. */
#ifndef BRIO_CLOUD_SURFACES_CELLS_H
#define BRIO_CLOUD_SURFACES_CELLS_H

#include "base/arena.h"
#include "cloud/cloud.h"
#include "cloud/surfaces/fit.h"

typedef enum brio_cloud_way {
  BRIO_CELLS_CUBES,
  BRIO_CELLS_BLOCKS, /* of the picture: the cloud must be organized */
  BRIO_CELLS_RAYS    /* directions from the sensor, by distance */
} brio_cloud_way;

typedef struct brio_cloud_cells {
  int count;          /* cells with a point */
  double size;        /* m: edge of a cube, or of a block half-way into the cloud */
  double step;        /* of rays: tangent of the angle from one to the next; else 0 */
  double layered;     /* of rays: the share of points with others far before or behind them; hardly any in a
                      ** cloud of one sensor at one time */
  brio_vec3 origin;   /* origin of the sums */
  brio_vec3 eye;      /* the sensor, from the origin */
  int *of;            /* of each place of the cloud: its cell, -1: no point */
  int *first, *items; /* cell c holds the places items[first[c]] .. items[first[c + 1] - 1] */
  int *first_near, *near;   /* its neighbors are near[first_near[c]] .. */
  brio_cloud_moments *sums; /* of each cell's own points */
  brio_cloud_moments *wide; /* with its neighbors' points */
  brio_arena arena;         /* memory of all arrays */
} brio_cloud_cells;

/* Cut a judged cloud.  `size` is the edge of cubes in m; 0: about `wanted` cells, of 8 points or more on
** the mean (blocks and rays are always chosen that way).  Takes time and memory in proportion to the
** places. Errors: limit (the cubes would be too many), no_memory, unreachable (no points). */
bool brio_cloud_cells_cut(brio_cloud_cells *cells, const brio_cloud *cloud, brio_cloud_way way, double size,
                          int wanted, brio_error *err);

/* Free the memory.  Also after a failure. */
void brio_cloud_cells_end(brio_cloud_cells *cells);

/* Return place i of the cloud, from the origin of the sums. */
static inline brio_vec3 brio_cloud_cells_point(const brio_cloud_cells *cells, const brio_cloud *cloud,
                                               int i) {
  return brio_vec3_sub(brio_cloud_point(cloud, i), cells->origin);
}

/* Return the center of a cell's points, from the origin of the sums. */
static inline brio_vec3 brio_cloud_cells_center(const brio_cloud_cells *cells, int cell) {
  const brio_cloud_moments *m = &cells->sums[cell];
  return (brio_vec3){m->sum[0] / m->count, m->sum[1] / m->count, m->sum[2] / m->count};
}

#endif
