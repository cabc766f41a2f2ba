/* The order of a cloud's points in the index: points that are near each other in space are near each other in
** it.
**
** In an organized cloud, near points are near in the picture: it is divided into tiles of 64 places in the
** order of a Z-shaped curve (Morton), which depends on the size of the picture alone and is kept. Other
** points are sorted by their cell of a grid, with the cells along the same curve, by counting: O(points +
** cells). The grid spans slightly more than 9 of 10 of some sampled points; points outside belong to the
** outermost cells. The order affects speed only: results do not depend on it, so outliers and bad samples do
** no harm. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cloud/index/index_internal.h"
#include "geometry/four.h"

enum { SAMPLES = 256, MAX_BITS = 7 };

void brio_cloud_order_end(brio_cloud_order *order) {
  free(order->tiles);
  free(order->keys);
  free(order->starts);
  free(order->curve);
  free(order->points);
  free(order->colors);
}

/* ------------------------------------------------------------------ organized */

/* Spread the lowest 16 bits to every second bit. */
static uint32_t spread_two(uint32_t bits) {
  bits = (bits | bits << 8) & 0x00ff00ff;
  bits = (bits | bits << 4) & 0x0f0f0f0f;
  bits = (bits | bits << 2) & 0x33333333;
  return (bits | bits << 1) & 0x55555555;
}

/* The position of a tile on the curve: bits of row and column, alternating. */
static uint32_t curve_of_tile(uint32_t tile) {
  return spread_two(tile >> 16) << 1 | spread_two(tile & 0xffff);
}

/* Order of tiles for qsort. */
static int compare_tiles(const void *a, const void *b) {
  uint32_t x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  x = curve_of_tile(x);
  y = curve_of_tile(y);
  return x < y ? -1 : x > y;
}

/* The tiles are computed once for a size of picture: the clouds of a camera have one size. O(tiles log
** tiles) */
bool brio_cloud_order_tiles(brio_cloud_order *order, int width, int height, int *growths) {
  if (order->width == width && order->height == height) return true;
  /* No tiles are valid until all of this succeeds. */
  order->width = order->height = 0;
  /* Tiles are 8 x 8 places, flatter where the picture is low. */
  order->tile_height = height >= 8 ? 8 : height >= 4 ? 4 : 2;
  order->tile_width = BRIO_CLOUD_LEAF / order->tile_height;
  int columns = (width + order->tile_width - 1) / order->tile_width;
  int rows = (height + order->tile_height - 1) / order->tile_height;
  order->ntile = columns * rows;
  if (!brio_cloud_room(&order->tiles, &order->tiles_room, order->ntile, sizeof *order->tiles, growths))
    return false;
  for (int i = 0; i < order->ntile; i++)
    order->tiles[i] = (uint32_t)(i / columns) << 16 | (uint32_t)(i % columns);
  qsort(order->tiles, (size_t)order->ntile, sizeof *order->tiles, compare_tiles);
  order->width = width;
  order->height = height;
  return true;
}

/* ------------------------------------------------------------------ not organized */

/* The grid over a cloud that is not organized. */
typedef struct grid {
  float lower[3], scale; /* m, cells per m */
  int bits;              /* cells along an axis: 1 << bits */
} grid;

/* Order of floats for qsort; there are no NaN among them. */
static int compare_floats(const void *a, const void *b) {
  float x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return x < y ? -1 : x > y;
}

/* Sample up to SAMPLES valid points from the whole cloud; return their number. */
static int sample(const brio_cloud *cloud, float values[3][SAMPLES]) {
  int n = 0, step = cloud->count / SAMPLES + 1;
  /* Further passes start at other places, in case many places have no point. */
  for (int start = 0; start < step && n < SAMPLES / 2; start += step / 4 + 1)
    for (int i = start; i < cloud->count && n < SAMPLES; i += step)
      if (brio_cloud_has(cloud, i)) {
        for (int k = 0; k < 3; k++) values[k][n] = cloud->points[i][k];
        n++;
      }
  return n;
}

/* Choose a grid of cubes, coarse enough that visiting all cells costs little compared with the points. */
static grid choose_grid(const brio_cloud *cloud) {
  float values[3][SAMPLES], most = 0;
  grid g = {.bits = 5};
  /* Five percent at each end of an axis are ignored as outliers. */
  int n = sample(cloud, values);
  for (int k = 0; k < 3 && n > 0; k++) {
    qsort(values[k], (size_t)n, sizeof values[k][0], compare_floats);
    float low = values[k][n / 20], high = values[k][n - 1 - n / 20];
    most = high - low > most ? high - low : most;
    g.lower[k] = low - 0.1f * (high - low);
  }
  /* Double the cells along each axis while a cell still has many points on average. */
  while (g.bits < MAX_BITS && cloud->count > 1024 << 2 * g.bits) g.bits++;
  g.scale = most > 1e-6f ? (float)(1 << g.bits) / (1.2f * most) : 0;
  return g;
}

/* List the cells of a grid along the curve, whose bits are those of x, y and z in turn. Kept for the next
** cloud. */
static bool make_curve(brio_cloud_order *order, int bits, int *growths) {
  if (order->curve_bits == bits) return true;
  /* No curve is valid until all of this succeeds. */
  order->curve_bits = 0;
  assert(bits > 0 && bits <= MAX_BITS);
  if (!brio_cloud_room(&order->curve, &order->curve_room, 1 << 3 * bits, sizeof *order->curve, growths))
    return false;
  for (uint32_t i = 0; i < 1u << 3 * bits; i++) {
    uint32_t cell = 0;
    /* Bit k of the curve is bit k / 3 of the axis k % 3. */
    for (int k = 0; k < 3 * bits; k++) cell |= (i >> k & 1) << (k / 3 + k % 3 * bits);
    order->curve[i] = cell;
  }
  order->curve_bits = bits;
  return true;
}

/* Return coordinates in cells, clamped from 0 to the last cell; for NAN the result is any cell. */
static brio_four cells_of(brio_four value, const grid *g, int k) {
  brio_four cell = brio_four_mul(brio_four_sub(value, brio_four_of(g->lower[k])), brio_four_of(g->scale));
  return brio_four_max(brio_four_min(cell, brio_four_of((float)((1 << g->bits) - 1))), brio_four_of(0));
}

/* Write the cells of four points; places without a point belong to one more cell, behind all others. */
static void find_four(const float *from, const grid *g, uint32_t key[4]) {
  brio_four x, y, z;
  brio_four_split(from, &x, &y, &z);
  unsigned there = brio_four_bits(brio_cloud_are_points(x, y, z));
  brio_four_key(cells_of(x, g, 0), cells_of(y, g, 1), cells_of(z, g, 2), g->bits, key);
  for (int k = 0; k < 4 && there != 15; k++)
    if (!(there >> k & 1)) key[k] = 1u << 3 * g->bits;
}

/* Whether four keys are equal: neighbors often share a cell, and one addition of four does not wait for three
** others. */
static inline bool all_same(const uint32_t keys[4]) {
  return ((keys[0] ^ keys[1]) | (keys[0] ^ keys[2]) | (keys[0] ^ keys[3])) == 0;
}

/* Find the cell of each place, and count the points of each cell. O(points) */
static void find_cells(const brio_cloud *cloud, const grid *g, uint32_t *keys, uint32_t *counts) {
  int i = 0;
  for (; i + 4 <= cloud->count; i += 4) {
    uint32_t *key = keys + i;
    find_four(cloud->points[i], g, key);
    if (all_same(key)) counts[key[0]] += 4;
    else counts[key[0]]++, counts[key[1]]++, counts[key[2]]++, counts[key[3]]++;
  }
  /* Up to three places at the end, filled up with NAN. */
  if (i == cloud->count) return;
  float rest[12];
  uint32_t key[4];
  for (int k = 0; k < 12; k++) rest[k] = k < 3 * (cloud->count - i) ? cloud->points[i + k / 3][k % 3] : NAN;
  find_four(rest, g, key);
  for (int k = 0; i < cloud->count; i++, k++) counts[keys[i] = key[k]]++;
}

/* Write four points, from place i on, to the positions of their cells, each with the number of its place. */
static inline void put_four(const float *from, const uint32_t *keys, uint32_t i, uint32_t *starts,
                            float (*points)[4], uint32_t at[4]) {
  brio_four x, y, z, place, row[4];
  const uint32_t places[4] = {i, i + 1, i + 2, i + 3};
  brio_four_split(from, &x, &y, &z);
  memcpy(&place, places, sizeof place);
  float columns[16];
  brio_four_store(columns, x);
  brio_four_store(columns + 4, y);
  brio_four_store(columns + 8, z);
  brio_four_store(columns + 12, place);
  /* From columns to rows: each point and its place are one row of 16 bytes. */
  brio_four_turn(columns, &row[0], &row[1], &row[2], &row[3]);
  /* The start of each cell moves behind the points written to it. */
  if (all_same(keys)) {
    at[0] = starts[keys[0]];
    at[1] = at[0] + 1, at[2] = at[0] + 2, at[3] = at[0] + 3;
    starts[keys[0]] += 4;
  } else {
    at[0] = starts[keys[0]]++, at[1] = starts[keys[1]]++;
    at[2] = starts[keys[2]]++, at[3] = starts[keys[3]]++;
  }
  brio_four_store(points[at[0]], row[0]);
  brio_four_store(points[at[1]], row[1]);
  brio_four_store(points[at[2]], row[2]);
  brio_four_store(points[at[3]], row[3]);
}

/* Write the point and the color of place i to the position of its cell. */
static void put_one(brio_cloud_order *order, const brio_cloud *cloud, uint32_t i) {
  uint32_t at = order->starts[order->keys[i]]++;
  memcpy(order->points[at], cloud->points[i], sizeof cloud->points[i]);
  /* The place is kept in the bits of the fourth number. */
  memcpy(&order->points[at][3], &i, sizeof i);
  if (!cloud->colors) return;
  const uint8_t *color = cloud->colors[i];
  order->colors[at] = color[0] | (uint32_t)color[1] << 8 | (uint32_t)color[2] << 16;
}

/* Write all points to the positions of their cells. Destinations are prefetched AHEAD places before they are
** written. */
static void put_all(brio_cloud_order *order, const brio_cloud *cloud) {
  enum { AHEAD = 16 };
  const uint8_t (*from_colors)[3] = (const uint8_t (*)[3])cloud->colors;
  const uint32_t *keys = order->keys;
  uint32_t packed[4], at[4], i = 0, n = (uint32_t)cloud->count, *starts = order->starts,
                             *colors = order->colors;
  float (*points)[4] = order->points;
  for (; i + AHEAD + 4 <= n; i += 4) {
    const uint32_t *soon = keys + i + AHEAD;
    __builtin_prefetch(points[starts[soon[0]]], 1), __builtin_prefetch(points[starts[soon[1]]], 1);
    __builtin_prefetch(points[starts[soon[2]]], 1), __builtin_prefetch(points[starts[soon[3]]], 1);
    put_four(cloud->points[i], keys + i, i, starts, points, at);
    if (!from_colors) continue;
    brio_cloud_pack_colors(from_colors + i, packed);
    colors[at[0]] = packed[0], colors[at[1]] = packed[1], colors[at[2]] = packed[2],
    colors[at[3]] = packed[3];
  }
  /* The last places, behind which there is nothing to prefetch. */
  for (; i < n; i++) put_one(order, cloud, i);
}

int brio_cloud_order_points(brio_cloud_order *order, const brio_cloud *cloud, int *growths) {
  grid g = choose_grid(cloud);
  int ncell = 1 << 3 * g.bits;
  if (!make_curve(order, g.bits, growths) ||
      !brio_cloud_room(&order->keys, &order->keys_room, cloud->count, sizeof *order->keys, growths) ||
      !brio_cloud_room(&order->starts, &order->starts_room, ncell + 1, sizeof *order->starts, growths) ||
      !brio_cloud_room(&order->points, &order->points_room, cloud->count, sizeof *order->points, growths) ||
      (cloud->colors &&
       !brio_cloud_room(&order->colors, &order->colors_room, cloud->count, sizeof *order->colors, growths)))
    return -1;
  /* Counting sort: count, sum up along the curve, then distribute. O(points + cells) */
  memset(order->starts, 0, ((size_t)ncell + 1) * sizeof *order->starts);
  find_cells(cloud, &g, order->keys, order->starts);
  /* Each cell's start is the number of points before it along the curve. */
  uint32_t sum = 0;
  for (int i = 0; i < ncell; i++) {
    uint32_t *start = &order->starts[order->curve[i]], count = *start;
    *start = sum;
    sum += count;
  }
  order->starts[ncell] = sum; /* places without a point, behind all others */
  put_all(order, cloud);
  assert(sum <= (uint32_t)cloud->count);
  return (int)sum;
}
