/* The exact Euclidean distance transform in two passes, over columns and then rows, in integers. O(cells)
**
** Source: Meijster, Roerdink and Hesselink, "A general algorithm for computing distance transforms in
** linear time", 2000.
**
** The transform is between middles of cells. A distance changes by no more than the way between two
** points, so each middle around a point gives a lower bound for it; the largest bound counts. An
** occupied cell is taken as a disc around its middle that holds the square. */
#include "plan/distance_map.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define CELL 0.05 /* m, where there is no grid */
enum { MAX_SIDE = 20000 }; /* cells of a side, so that squares are below BRIO_DISTANCE_MAP_FAR */

#define HALF_DIAGONAL 0.70710678118654752440 /* of a cell */

bool brio_distance_map_begin(brio_distance_map *map, brio_arena *arena, const brio_occupancy *grid,
                             const double box[4], brio_error *err) {
  brio_occupancy_info info = {.cell = CELL};
  if (grid) info = brio_occupancy_info_of(grid);
  /* The box in cells of the grid, so that the cells of both lie on each other. */
  double c = info.cell, i0 = floor((box[0] - info.x) / c), j0 = floor((box[1] - info.y) / c);
  double nx = ceil((box[2] - info.x) / c) - i0, ny = ceil((box[3] - info.y) / c) - j0;
  if (!(nx >= 1 && ny >= 1 && nx <= MAX_SIDE && ny <= MAX_SIDE && nx * ny <= BRIO_DISTANCE_MAP_CELLS))
    return brio_fail(
        err, BRIO_LIMIT,
        "a way is looked for in at most %d cells of %g m: from (%.1f, %.1f) to (%.1f, %.1f) are more",
        BRIO_DISTANCE_MAP_CELLS, c, box[0], box[1], box[2], box[3]);
  *map = (brio_distance_map){
      .x = info.x + i0 * c, .y = info.y + j0 * c, .cell = c, .nx = (int)nx, .ny = (int)ny};
  int count = map->nx * map->ny;
  map->states = BRIO_TAKE(arena, uint8_t, count);
  map->squares = BRIO_TAKE(arena, int32_t, count);
  map->scratch = BRIO_TAKE(arena, int32_t, 4 * map->nx);
  if (!map->states || !map->squares || !map->scratch)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory to look for a way in %d cells", count);
  /* Copy the part of each row that lies in the grid; the rest stays 0, which is unknown. */
  const uint8_t *columns = grid ? brio_occupancy_columns(grid) : NULL;
  int from = (int)fmax(0, i0), to = (int)fmin(info.nx, i0 + nx);
  for (int j = 0; j < map->ny && to > from; j++) {
    int row = j + (int)j0;
    if (row >= 0 && row < info.ny)
      memcpy(map->states + (size_t)j * (size_t)map->nx + (from - (int)i0),
             columns + (size_t)row * (size_t)info.nx + from, (size_t)(to - from));
  }
  return true;
}

/* First pass, one column: g, the number of cells up or down to the nearest occupied one; nx + ny if there
** is none. O(ny) */
static void do_column(brio_distance_map *map, int i) {
  assert(i >= 0 && i < map->nx);
  int nx = map->nx, far = map->nx + map->ny, gap = far;
  for (int j = 0; j < map->ny; j++) {
    gap = map->states[j * nx + i] == BRIO_CELL_OCCUPIED ? 0 : gap < far ? gap + 1 : far;
    map->squares[j * nx + i] = gap;
  }
  gap = far;
  for (int j = map->ny - 1; j >= 0; j--) {
    gap = map->squares[j * nx + i] == 0 ? 0 : gap < far ? gap + 1 : far;
    if (gap < map->squares[j * nx + i]) map->squares[j * nx + i] = gap;
  }
}

/* f(at) = (at - i)^2 + g(i)^2: the parabola of column i. */
static int64_t square_at(const int32_t *gaps, int i, int at) {
  assert(i >= 0 && at >= 0);
  return (int64_t)(at - i) * (at - i) + (int64_t)gaps[i] * gaps[i];
}

/* The last column where the parabola of i is not above that of u > i: (u^2 - i^2 + g(u)^2 - g(i)^2)
** / (2 (u - i)), rounded down. */
static int64_t meeting(const int32_t *gaps, int i, int u) {
  assert(i < u);
  int64_t above = (int64_t)u * u - (int64_t)i * i + (int64_t)gaps[u] * gaps[u] - (int64_t)gaps[i] * gaps[i];
  int64_t below = 2 * (int64_t)(u - i);
  return above >= 0 ? above / below : -((-above + below - 1) / below);
}

/* Second pass, one row: the lower envelope of the parabolas, then its value at each cell. O(nx)
**
** at[k] is the column of the k-th parabola of the envelope,
** which is the lowest from column from[k] on. */
static void do_row(brio_distance_map *map, int j) {
  assert(j >= 0 && j < map->ny);
  int nx = map->nx, far = map->nx + map->ny, top = 0;
  int32_t *row = map->squares + (size_t)j * (size_t)nx, *gaps = map->scratch, *at = gaps + nx,
          *from = at + nx;
  memcpy(gaps, row, (size_t)nx * sizeof *gaps);
  at[0] = from[0] = 0;
  /* A parabola above the new one at its own beginning is no part of the envelope. */
  for (int u = 1; u < nx; u++) {
    while (top >= 0 && square_at(gaps, at[top], from[top]) > square_at(gaps, u, from[top])) top--;
    if (top < 0) {
      top = 0, at[0] = u;
      continue;
    }
    int64_t next = 1 + meeting(gaps, at[top], u);
    if (next < nx) top++, at[top] = u, from[top] = (int32_t)next;
  }
  /* Read the envelope from the right: squares, or FAR if no column of the row has anything occupied. */
  for (int u = nx - 1; u >= 0; u--) {
    assert(top >= 0 && at[top] >= 0 && at[top] < nx);
    row[u] = gaps[at[top]] >= far ? BRIO_DISTANCE_MAP_FAR : (int32_t)square_at(gaps, at[top], u);
    if (u == from[top]) top--;
  }
}

/* Columns first, then rows. Return how many lines were done; 0: the map is complete. */
int brio_distance_map_work(brio_distance_map *map, int lines) {
  assert(map->next >= 0 && map->next <= map->nx + map->ny);
  int used = 0;
  for (; used < lines && map->next < map->nx + map->ny; used++, map->next++) {
    if (map->next < map->nx) do_column(map, map->next);
    else do_row(map, map->next - map->nx);
  }
  return used;
}

/* A lower bound of the distance, m; infinite outside the map. */
double brio_distance_map_at(const brio_distance_map *map, double x, double y) {
  double u = (x - map->x) / map->cell - 0.5, v = (y - map->y) / map->cell - 0.5;
  if (!(u >= -0.5 && v >= -0.5 && u <= map->nx - 0.5 && v <= map->ny - 0.5)) return INFINITY;
  int i0 = (int)floor(u), j0 = (int)floor(v);
  double most = -INFINITY;
  /* Lower bounds from the four middles around the point. */
  for (int k = 0; k < 4; k++) {
    int i = i0 + k % 2, j = j0 + k / 2;
    if (i < 0 || j < 0 || i >= map->nx || j >= map->ny) continue;
    int32_t square = map->squares[j * map->nx + i];
    if (square >= BRIO_DISTANCE_MAP_FAR) return INFINITY;
    most = fmax(most, sqrt(square) - hypot(u - i, v - j));
  }
  return (most - HALF_DIAGONAL) * map->cell;
}

brio_cell_state brio_distance_map_state(const brio_distance_map *map, double x, double y) {
  double u = (x - map->x) / map->cell, v = (y - map->y) / map->cell;
  if (!(u >= 0 && v >= 0 && u < map->nx && v < map->ny)) return BRIO_CELL_UNKNOWN;
  return (brio_cell_state)map->states[(int)v * map->nx + (int)u];
}
