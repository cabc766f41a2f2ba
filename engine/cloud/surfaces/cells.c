/* Dividing a cloud into cells.
**
** Blocks of the picture: Feng, Taguchi and Kamat, "Fast plane extraction in organized point clouds using
** agglomerative hierarchical clustering", 2014. Cubes in space: an open hash table from the three numbers of
** a cube to its cell. Cells are numbered in the order of the points, so that the same cloud always has the
** same cells. Everything is O(points + cells) on average. */
#include "cloud/surfaces/cells.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "math/scalar.h"

enum { MAX_CELLS = 1 << 20, SAMPLE = 4096, MAX_NEAR = 26, KEY_HALF = 1 << 20 };
enum {
  SIDE = 1 << 18,
  LAYERS = 3
}; /* numbers of a side of the cube around the sensor; layers to a doubling */

/* Cubes by their keys: an open hash table. */
typedef struct cubes {
  uint64_t *keys; /* 0: free */
  int *cells;
  uint64_t mask;
} cubes;

/* Blocks of the picture: block (row, column) is cells[row * wide + column]; -1: it has no point. */
typedef struct blocks {
  int *cells, edge, wide, high;
} blocks;

/* The key of a cube: its three numbers, 21 bits each, behind a leading 1, so that it is never 0. */
static uint64_t cube_key(const int at[3]) {
  uint64_t key = 1;
  for (int k = 0; k < 3; k++) key = key << 21 | (uint64_t)(at[k] + KEY_HALF);
  return key;
}

/* The cube of a key: the inverse of cube_key. */
static void cube_at(uint64_t key, int at[3]) {
  for (int k = 2; k >= 0; k--, key >>= 21) at[k] = (int)(key & ((1 << 21) - 1)) - KEY_HALF;
}

/* Return the slot of a key, or the free slot where it belongs. Linear probing in a table that is at most half
** full: O(1) on average. */
static uint64_t cube_slot(const cubes *table, uint64_t key) {
  /* Multiply by the golden ratio and mix, as the keys of neighboring cubes differ in few bits. */
  uint64_t slot = (key ^ key >> 29) * 0x9e3779b97f4a7c15ULL;
  slot = (slot ^ slot >> 32) & table->mask;
  while (table->keys[slot] && table->keys[slot] != key) slot = (slot + 1) & table->mask;
  return slot;
}

/* Write the three numbers of the cube of a point. For rays: two numbers of the direction in which the sensor
** sees it, on the sides of a cube around the sensor, and one of the distance's logarithm. Return false if a
** number is out of range. */
static bool cube_of(const brio_cloud_cells *cells, brio_vec3 p, int at[3]) {
  /* The axis of the greatest component determines the side of the cube; each side has its own range of
  ** numbers. */
  double size = cells->size, v[3] = {floor(p.x / size), floor(p.y / size), floor(p.z / size)};
  if (cells->step > 0) {
    const double d[3] = {p.x - cells->eye.x, p.y - cells->eye.y, p.z - cells->eye.z};
    int m = fabs(d[0]) >= fabs(d[1]) && fabs(d[0]) >= fabs(d[2]) ? 0 : fabs(d[1]) >= fabs(d[2]) ? 1 : 2;
    double depth = fabs(d[m]), side = (2 * m + (d[m] > 0)) * SIDE - KEY_HALF + SIDE / 2;
    if (!(depth > 1e-3)) return false;
    v[0] = floor(brio_clamp(d[(m + 1) % 3] / depth / cells->step, -SIDE / 2 + 2, SIDE / 2 - 2)) + side;
    v[1] = floor(d[(m + 2) % 3] / depth / cells->step), v[2] = floor(LAYERS * log2(depth));
  }
  for (int k = 0; k < 3; k++) {
    if (!(fabs(v[k]) < KEY_HALF - 2)) return false;
    at[k] = (int)v[k];
  }
  return true;
}

/* Free the table; it is empty then, and may be grown again. */
static void cubes_end(cubes *table) {
  free(table->keys);
  free(table->cells);
  *table = (cubes){0};
}

/* Double the table (1024 slots at first). Return false without memory. O(size) */
static bool cubes_grow(cubes *table) {
  uint64_t size = table->keys ? 2 * (table->mask + 1) : 1024;
  cubes old = *table;
  *table = (cubes){calloc(size, sizeof *table->keys), malloc(size * sizeof *table->cells), size - 1};
  bool fine = table->keys && table->cells;
  /* Slots depend on the size, so every key is inserted again. */
  for (uint64_t i = 0; fine && old.keys && i <= old.mask; i++) {
    if (!old.keys[i]) continue;
    uint64_t slot = cube_slot(table, old.keys[i]);
    table->keys[slot] = old.keys[i];
    table->cells[slot] = old.cells[i];
  }
  cubes_end(&old);
  return fine;
}

/* Assign each point to the cell of its cube, of edge cells->size. Errors: limit (more than MAX_CELLS),
** no_memory. O(points) on average */
static bool cut_cubes(brio_cloud_cells *cells, const brio_cloud *cloud, cubes *table, brio_error *err) {
  cubes_end(table);
  cells->count = 0;
  bool room = cubes_grow(table);
  for (int i = 0; room && i < cloud->count; i++) {
    int at[3];
    cells->of[i] = -1;
    if (!brio_cloud_has(cloud, i) || !cube_of(cells, brio_cloud_cells_point(cells, cloud, i), at)) continue;
    /* The first point of a cube creates its cell. */
    uint64_t key = cube_key(at), slot = cube_slot(table, key);
    if (!table->keys[slot]) {
      if (cells->count == MAX_CELLS)
        return brio_fail(err, BRIO_LIMIT,
                         "cubes of %g m would be more than %d in this cloud: take larger ones", cells->size,
                         MAX_CELLS);
      table->keys[slot] = key;
      table->cells[slot] = cells->count++;
      cells->of[i] = table->cells[slot];
      if (2 * (uint64_t)cells->count > table->mask) room = cubes_grow(table);
    } else {
      cells->of[i] = table->cells[slot];
    }
  }
  return room || brio_fail(err, BRIO_NO_MEMORY, "no memory to cut a cloud of %d points", cloud->count);
}

/* Choose an edge that makes about `wanted` cubes, with 8 points or more in each on average: a coarse division
** first, then the edge that follows from its number of cells, which for surfaces is proportional to the
** inverse square of the edge. */
static bool choose_cubes(brio_cloud_cells *cells, const brio_cloud *cloud, cubes *table, double extent,
                         int wanted, brio_error *err) {
  int here = cloud->count - cloud->missing, want = here / 8 < wanted ? here / 8 + 1 : wanted;
  double *edge = cells->step > 0 ? &cells->step : &cells->size;
  cells->size = fmax(extent / 48, 1e-4);
  for (int pass = 0; pass < 3; pass++) {
    if (!cut_cubes(cells, cloud, table, err)) return false;
    double share = (double)cells->count / want;
    /* Near enough: another division would cost more than it improves. */
    if (share > 0.6 && share < 1.5) break;
    if (pass < 2) *edge = fmax(*edge * brio_clamp(sqrt(share), 0.1, 4), 1e-4);
  }
  return true;
}

/* Divide the picture into square blocks, of which about `wanted` would fill it. False: no memory.
** O(points) */
static bool cut_blocks(brio_cloud_cells *cells, const brio_cloud *cloud, blocks *grid, int wanted) {
  /* At least 3 x 3 pixels, so that a block can determine a plane. */
  int edge = (int)lround(sqrt((double)cloud->count / wanted));
  grid->edge = edge < 3 ? 3 : edge;
  grid->wide = (cloud->width + grid->edge - 1) / grid->edge;
  grid->high = (cloud->height + grid->edge - 1) / grid->edge;
  size_t all = (size_t)grid->wide * (size_t)grid->high;
  grid->cells = malloc(all * sizeof *grid->cells);
  if (!grid->cells) return false;
  for (size_t b = 0; b < all; b++) grid->cells[b] = -1;
  /* Blocks are numbered in the order of their first points. */
  for (int i = 0; i < cloud->count; i++) {
    int *cell = &grid->cells[i / cloud->width / grid->edge * grid->wide + i % cloud->width / grid->edge];
    cells->of[i] = -1;
    if (!brio_cloud_has(cloud, i)) continue;
    if (*cell < 0) *cell = cells->count++;
    cells->of[i] = *cell;
  }
  return true;
}

/* List the places of each cell, and sum up their moments: a counting sort, O(points + cells). False: no
** memory. */
static bool list_items(brio_cloud_cells *cells, const brio_cloud *cloud) {
  brio_arena *arena = &cells->arena;
  cells->first = BRIO_TAKE(arena, int, cells->count + 2);
  cells->items = BRIO_TAKE(arena, int, cloud->count - cloud->missing + 1);
  cells->sums = BRIO_TAKE(arena, brio_cloud_moments, cells->count + 1);
  if (!cells->first || !cells->items || !cells->sums) return false;
  int *end = cells->first + 1; /* first where a cell starts; moved to its end while it is filled */
  for (int i = 0; i < cloud->count; i++)
    if (cells->of[i] >= 0) end[cells->of[i] + 1]++;
  for (int c = 0; c < cells->count; c++) end[c + 1] += end[c];
  for (int i = 0; i < cloud->count; i++) {
    int c = cells->of[i];
    if (c < 0) continue;
    cells->items[end[c]++] = i;
    brio_cloud_moments_add(&cells->sums[c], brio_cloud_cells_point(cells, cloud, i), 1);
  }
  return true;
}

/* List the cells of the 26 cubes around a cube that have points; return their number. */
static int near_cubes(const cubes *table, uint64_t key, int near[MAX_NEAR]) {
  int at[3], count = 0;
  cube_at(key, at);
  for (int step = 0; step < 27; step++) {
    int to[3] = {at[0] + step / 9 - 1, at[1] + step / 3 % 3 - 1, at[2] + step % 3 - 1};
    /* The cube itself. */
    if (step == 13) continue;
    uint64_t slot = cube_slot(table, cube_key(to));
    if (table->keys[slot]) near[count++] = table->cells[slot];
  }
  return count;
}

/* The edge of a square whose points vary as much as the block's, m: sqrt(6 trace of the covariance). */
static double block_edge(const brio_cloud_cells *cells, int cell) {
  const brio_cloud_moments *m = &cells->sums[cell];
  double sum = 0;
  /* A square of edge e has the variance e^2 / 12 along each of its sides. */
  for (int k = 0; k < 3; k++) {
    /* The places of xx, yy and zz among the sums of products. */
    static const int square[3] = {0, 3, 5};
    double mean = m->sum[k] / m->count;
    sum += fmax(0, m->product[square[k]] / m->count - mean * mean);
  }
  return sqrt(6 * sum);
}

/* Remove from `near` the cells that a leap in depth separates from cell `self`; return how many remain. */
static int without_leaps(const brio_cloud_cells *cells, int self, int *near, int count) {
  brio_vec3 center = brio_cloud_cells_center(cells, self);
  double edge = block_edge(cells, self);
  int kept = 0;
  for (int k = 0; k < count; k++) {
    double apart = brio_vec3_norm(brio_vec3_sub(brio_cloud_cells_center(cells, near[k]), center));
    /* If centers are farther apart than the blocks are wide, one surface ends before the other. */
    double other = block_edge(cells, near[k]), most = 3 * fmin(edge, other) + fmax(edge, other) / 2;
    if (apart <= most) near[kept++] = near[k];
  }
  return kept;
}

/* List the cells of the up to 8 blocks around block `at`; return their number. */
static int near_blocks(const blocks *grid, int at, int near[MAX_NEAR]) {
  int row = at / grid->wide, column = at % grid->wide, count = 0;
  for (int step = 0; step < 9; step++) {
    int r = row + step / 3 - 1, c = column + step % 3 - 1;
    if (step == 4 || r < 0 || c < 0 || r >= grid->high || c >= grid->wide) continue;
    int other = grid->cells[r * grid->wide + c];
    if (other >= 0) near[count++] = other;
  }
  return count;
}

/* List the neighbors of each cell, and sum up their moments with its own. Return false without memory.
** O(cells) */
static bool list_near(brio_cloud_cells *cells, const cubes *table, const blocks *grid) {
  size_t places = grid->cells ? (size_t)grid->wide * (size_t)grid->high : table->mask + 1;
  int most = grid->cells ? 8 : MAX_NEAR;
  int *where = malloc(((size_t)cells->count + 1) * sizeof *where);
  cells->first_near = BRIO_TAKE(&cells->arena, int, cells->count + 1);
  cells->near = BRIO_TAKE(&cells->arena, int, (size_t)cells->count *(size_t)most + 1);
  cells->wide = BRIO_TAKE(&cells->arena, brio_cloud_moments, cells->count + 1);
  bool fine = where && cells->first_near && cells->near && cells->wide;
  /* The slot or block of each cell. */
  for (size_t i = 0; fine && i < places; i++) {
    int cell = grid->cells ? grid->cells[i] : table->keys[i] ? table->cells[i] : -1;
    if (cell >= 0) where[cell] = (int)i;
  }
  for (int c = 0, listed = 0; fine && c < cells->count; c++) {
    int near[MAX_NEAR];
    int count =
        grid->cells ? near_blocks(grid, where[c], near) : near_cubes(table, table->keys[where[c]], near);
    if (grid->cells || cells->step > 0) count = without_leaps(cells, c, near, count);
    /* The cell itself and its neighbors: enough points for a normal. */
    cells->wide[c] = cells->sums[c];
    assert(count <= most);
    for (int i = 0; i < count; i++) {
      cells->near[listed++] = near[i];
      brio_cloud_moments_join(&cells->wide[c], &cells->sums[near[i]], 1);
    }
    cells->first_near[c + 1] = listed;
  }
  free(where);
  return fine;
}

/* Order of doubles for qsort. */
static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sample up to SAMPLE points evenly. Write the median of each axis into the origin, and return the extent of
** most of the cloud, m: the longest side of the box around all but the outermost 2 of 100 points. -1: no
** memory. */
static double look_over(brio_cloud_cells *cells, const brio_cloud *cloud) {
  int stride = (cloud->count - cloud->missing) / SAMPLE + 1, taken = 0, seen = 0;
  double(*sample)[SAMPLE] = malloc(3 * sizeof *sample), extent = -1, middle[3] = {0, 0, 0};
  for (int i = 0; sample && i < cloud->count; i++) {
    if (!brio_cloud_has(cloud, i) || seen++ % stride) continue;
    assert(taken < SAMPLE);
    for (int k = 0; k < 3; k++) sample[k][taken] = (double)cloud->points[i][k];
    taken++;
  }
  /* Moments are about the median, which keeps them accurate far from the sensor. */
  for (int k = 0; k < 3 && taken > 0; k++) {
    qsort(sample[k], (size_t)taken, sizeof **sample, by_value);
    middle[k] = sample[k][taken / 2];
    extent = fmax(extent, sample[k][taken - 1 - taken / 50] - sample[k][taken / 50]);
  }
  cells->origin = (brio_vec3){middle[0], middle[1], middle[2]};
  free(sample);
  return extent;
}

/* The mean edge of the cells, by the spread of their points, m. */
static double mean_edge(const brio_cloud_cells *cells) {
  double sum = 0;
  for (int c = 0; c < cells->count; c++) sum += block_edge(cells, c);
  return sum / cells->count;
}

/* For rays, determine the share of points that have others on their ray at least two layers away. It is near
** 0 if the cloud was seen from one place. O(cells) */
static void count_layers(brio_cloud_cells *cells, const cubes *table) {
  /* Weighted by points, as far cells have few. */
  double layered = 0, all = 0;
  for (uint64_t i = 0; i <= table->mask; i++) {
    int at[3], found = 0;
    if (!table->keys[i]) continue;
    cube_at(table->keys[i], at);
    /* Search in front of and behind the cube, up to four doublings of the distance. */
    for (int k = 2; k <= 4 * LAYERS && !found; k++)
      for (int way = -k; way <= k; way += 2 * k) {
        int to[3] = {at[0], at[1], at[2] + way};
        found = found || table->keys[cube_slot(table, cube_key(to))];
      }
    double points = cells->sums[table->cells[i]].count;
    layered += found ? points : 0, all += points;
  }
  cells->layered = all > 0 ? layered / all : 0;
}

bool brio_cloud_cells_cut(brio_cloud_cells *cells, const brio_cloud *cloud, brio_cloud_way way, double size,
                          int wanted, brio_error *err) {
  bool picture = way == BRIO_CELLS_BLOCKS;
  *cells = (brio_cloud_cells){.size = size};
  if (cloud->count - cloud->missing <= 0) return brio_fail(err, BRIO_UNREACHABLE, "the cloud has no points");
  brio_arena_start(&cells->arena, 1 << 20);
  cells->of = BRIO_TAKE(&cells->arena, int, cloud->count);
  double extent = cells->of ? look_over(cells, cloud) : -1;
  cells->step = way == BRIO_CELLS_RAYS ? 0.02 : 0;
  cells->eye = brio_vec3_sub(cloud->viewpoint.p, cells->origin);
  /* Rays and cubes use the table, blocks the grid; the other one stays empty. */
  cubes table = {0};
  blocks grid = {0};
  bool told = false, fine = extent >= 0;
  if (fine && picture) {
    fine = cut_blocks(cells, cloud, &grid, wanted);
  } else if (fine) {
    fine = size > 0 && way == BRIO_CELLS_CUBES ? cut_cubes(cells, cloud, &table, err)
                                               : choose_cubes(cells, cloud, &table, extent, wanted, err);
    told = !fine;
  }
  fine = fine && list_items(cells, cloud) && list_near(cells, &table, &grid);
  if (fine && way == BRIO_CELLS_RAYS) count_layers(cells, &table);
  if (fine && way != BRIO_CELLS_CUBES) cells->size = mean_edge(cells);
  cubes_end(&table);
  free(grid.cells);
  /* All points may be out of range. */
  if (fine && cells->count == 0)
    return brio_fail(err, BRIO_UNREACHABLE, "no points of the cloud are near each other");
  if (!fine && !told) brio_fail(err, BRIO_NO_MEMORY, "no memory to cut a cloud of %d points", cloud->count);
  return fine;
}

void brio_cloud_cells_end(brio_cloud_cells *cells) {
  brio_arena_end(&cells->arena);
  *cells = (brio_cloud_cells){0};
}
