/* Distance map of an occupancy grid: an exact distance transform of a copy of it, computed in slices.  Plans
** search in it while the grid is updated. */
#ifndef BRIO_PLAN_DISTANCE_MAP_H
#define BRIO_PLAN_DISTANCE_MAP_H

#include "base/arena.h"
#include "plan/occupancy.h"

enum { BRIO_DISTANCE_MAP_CELLS = 1000000 };

typedef struct brio_distance_map {
  double x, y, cell;     /* m: the least corner; a cell's side */
  int nx, ny;
  uint8_t *states;       /* ny * nx: brio_cell_state at the time of the copy */
  /* ny * nx: squared distance to the nearest occupied middle, in cells; BRIO_DISTANCE_MAP_FAR: none */
  int32_t *squares;
  int32_t *scratch;      /* 4 * nx */
  int next;              /* the next line: columns, then rows */
} brio_distance_map;

#define BRIO_DISTANCE_MAP_FAR (1 << 30)

/* Begin with a copy of the grid in a box {least x, least y, most x, most y}; cells outside the grid are
** unknown.  `grid` NULL: all are unknown, in cells of 0.05 m.  Errors: limit (the box has too many cells),
** no_memory. */
bool brio_distance_map_begin(brio_distance_map *map, brio_arena *arena, const brio_occupancy *grid,
                             const double box[4], brio_error *err);

/* Work on at most `lines` lines.  Return how many were; 0: it is done. */
int brio_distance_map_work(brio_distance_map *map, int lines);

/* Return a number that is a lower bound of the distance from a point to the nearest occupied cell, m, and at
** most one and a quarter of a cell's side below it; INFINITY without an occupied cell, and outside the
** box. */
double brio_distance_map_at(const brio_distance_map *map, double x, double y);

/* Return the state at a point; outside of the box: unknown. */
brio_cell_state brio_distance_map_state(const brio_distance_map *map, double x, double y);

#endif
