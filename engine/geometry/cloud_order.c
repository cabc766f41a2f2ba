/* The order in which a cloud's points stand in the index: near points near each other.
**
** An organized cloud is near in its picture: tiles of 64 places, in the order of a Z-shaped curve (Morton), which
** depends on the size of the picture alone and is kept.  Other points are sorted by the cell of a grid they are in,
** the cells along the same curve, by counting.  The grid spans what 9 of 10 of some sampled points span and a
** little more; what lies outside counts to the outermost cells.  The order is about speed only: what is found
** does not depend on it, so neither outliers nor bad samples do harm. */
#include <stdlib.h>
#include <string.h>

#include "geometry/cloud_index_internal.h"
#include "geometry/four.h"

enum { SAMPLES = 256, MOST_BITS = 7 };

bool brio_cloud_room(void *block, int *room, int count, size_t size, int *growths) {
  if (count <= *room) return true;
  void *bytes;
  memcpy(&bytes, block, sizeof bytes);
  free(bytes);
  bytes = malloc((size_t)count * size);
  memcpy(block, &bytes, sizeof bytes);
  *room = bytes ? count : 0;
  ++*growths;
  return bytes != NULL;
}

void brio_cloud_order_end(brio_cloud_order *order) {
  free(order->tiles);
  free(order->keys);
  free(order->starts);
  free(order->points);
  free(order->places);
}

/* ------------------------------------------------------------------ organized */

/* Put the lowest 16 bits on every second place. */
static uint32_t spread_two(uint32_t bits) {
  bits = (bits | bits << 8) & 0x00ff00ff;
  bits = (bits | bits << 4) & 0x0f0f0f0f;
  bits = (bits | bits << 2) & 0x33333333;
  return (bits | bits << 1) & 0x55555555;
}

static uint32_t curve_of_tile(uint32_t tile) { return spread_two(tile >> 16) << 1 | spread_two(tile & 0xffff); }

static int compare_tiles(const void *a, const void *b) {
  uint32_t x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  x = curve_of_tile(x);
  y = curve_of_tile(y);
  return x < y ? -1 : x > y;
}

bool brio_cloud_order_tiles(brio_cloud_order *order, int width, int height, int *growths) {
  if (order->width == width && order->height == height) return true;
  order->width = order->height = 0;
  order->tile_height = height >= 8 ? 8 : height >= 4 ? 4 : 2;
  order->tile_width = BRIO_CLOUD_LEAF / order->tile_height;
  int columns = (width + order->tile_width - 1) / order->tile_width;
  int rows = (height + order->tile_height - 1) / order->tile_height;
  order->ntile = columns * rows;
  if (!brio_cloud_room(&order->tiles, &order->tiles_room, order->ntile, sizeof *order->tiles, growths)) return false;
  for (int i = 0; i < order->ntile; i++) order->tiles[i] = (uint32_t)(i / columns) << 16 | (uint32_t)(i % columns);
  qsort(order->tiles, (size_t)order->ntile, sizeof *order->tiles, compare_tiles);
  order->width = width;
  order->height = height;
  return true;
}

/* ------------------------------------------------------------------ not organized */

typedef struct grid {
  float lower[3], scale[3]; /* m, cells per m */
  int bits;                 /* cells along an axis: 1 << bits */
} grid;

static int compare_floats(const void *a, const void *b) {
  float x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return x < y ? -1 : x > y;
}

/* Take up to SAMPLES points from all over the cloud; return how many. */
static int sample(const brio_cloud *cloud, float values[3][SAMPLES]) {
  int n = 0, step = cloud->count / SAMPLES + 1;
  for (int start = 0; start < step && n < SAMPLES / 2; start += step / 4 + 1)
    for (int i = start; i < cloud->count && n < SAMPLES; i += step)
      if (brio_cloud_has(cloud, i)) {
        for (int k = 0; k < 3; k++) values[k][n] = cloud->points[i][k];
        n++;
      }
  return n;
}

/* Choose a grid of cubes, so that a cell of a surface holds about a leaf. */
static grid choose_grid(const brio_cloud *cloud) {
  float values[3][SAMPLES], span[3], most = 0;
  grid g = {.bits = 5};
  int n = sample(cloud, values);
  for (int k = 0; k < 3 && n > 0; k++) {
    qsort(values[k], (size_t)n, sizeof values[k][0], compare_floats);
    float low = values[k][n / 20], high = values[k][n - 1 - n / 20];
    span[k] = 1.2f * (high - low);
    g.lower[k] = low - 0.1f * (high - low);
    most = span[k] > most ? span[k] : most;
  }
  while (g.bits < MOST_BITS && cloud->count > 64 << 2 * g.bits) g.bits++;
  for (int k = 0; k < 3; k++) g.scale[k] = most > 1e-6f ? (float)(1 << g.bits) / most : 0;
  return g;
}

/* Fill a table with bits on every third place. */
static void make_spread(uint32_t *table, int bits) {
  for (uint32_t i = 0; i < 1u << bits; i++) {
    table[i] = 0;
    for (int k = 0; k < bits; k++) table[i] |= (i >> k & 1) << 3 * k;
  }
}

/* Return the cells of four coordinates, from 0 to the last. */
static void cells_of(brio_four value, const grid *g, int k, int32_t to[4]) {
  brio_four cell = brio_four_mul(brio_four_sub(value, brio_four_of(g->lower[k])), brio_four_of(g->scale[k]));
  cell = brio_four_min(cell, brio_four_of((float)((1 << g->bits) - 1)));
  brio_four_whole(brio_four_max(cell, brio_four_of(0)), to);
}

/* Find the cell of each place and count the points of each cell, one behind it; places without a point are in the
** cell after the last. */
static void find_cells(const brio_cloud *cloud, const grid *g, uint32_t *keys, uint32_t *counts) {
  uint32_t spread[1 << MOST_BITS], none = 1u << 3 * g->bits;
  make_spread(spread, g->bits);
  for (int i = 0; i < cloud->count; i += 4) {
    float spare[12];
    int32_t x[4], y[4], z[4], n = cloud->count - i < 4 ? cloud->count - i : 4;
    const float *from = cloud->points[i];
    if (n < 4) from = memcpy(spare, from, (size_t)n * sizeof *cloud->points);
    for (int k = 3 * n; k < 12 && n < 4; k++) spare[k] = NAN;
    brio_four px, py, pz, most = brio_four_of(BRIO_CLOUD_FARTHEST);
    brio_four_split(from, &px, &py, &pz);
    unsigned there = brio_four_bits(brio_four_and(brio_four_at_most(brio_four_abs(px), most),
                         brio_four_and(brio_four_at_most(brio_four_abs(py), most), brio_four_at_most(brio_four_abs(pz), most))));
    cells_of(px, g, 0, x);
    cells_of(py, g, 1, y);
    cells_of(pz, g, 2, z);
    for (int k = 0; k < n; k++) {
      uint32_t key = there >> k & 1 ? spread[x[k]] | spread[y[k]] << 1 | spread[z[k]] << 2 : none;
      keys[i + k] = key;
      counts[key]++;
    }
  }
}

int brio_cloud_order_points(brio_cloud_order *order, const brio_cloud *cloud, int *growths) {
  grid g = choose_grid(cloud);
  int ncell = (1 << 3 * g.bits) + 1;
  if (!brio_cloud_room(&order->keys, &order->keys_room, cloud->count, sizeof *order->keys, growths) ||
      !brio_cloud_room(&order->starts, &order->starts_room, ncell, sizeof *order->starts, growths) ||
      !brio_cloud_room(&order->points, &order->points_room, cloud->count, sizeof *order->points, growths) ||
      !brio_cloud_room(&order->places, &order->places_room, cloud->count, sizeof *order->places, growths))
    return -1;
  memset(order->starts, 0, (size_t)ncell * sizeof *order->starts);
  find_cells(cloud, &g, order->keys, order->starts);
  uint32_t sum = 0, all = (uint32_t)cloud->count - order->starts[ncell - 1];
  for (int i = 0; i < ncell; i++) {
    uint32_t count = order->starts[i];
    order->starts[i] = sum;
    sum += count;
  }
  for (int i = 0; i < cloud->count; i++) {
    uint32_t to = order->starts[order->keys[i]]++;
    memcpy(order->points[to], cloud->points[i], sizeof *order->points);
    order->places[to] = (uint32_t)i;
  }
  return (int)all;
}
