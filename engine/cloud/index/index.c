/* Building the index of a point cloud: points in leaves of 64, and a tree of boxes over them.
**
** One pass over the points, in the order of order.c, rearranges them from x y z x y z to 64 x, 64 y, 64 z,
** finds the box around the valid ones and sums their colors; boxes above are made from those below. A query
** then counts a node that is within a solid without reading its points, and skips one that is outside.
** Building is O(points), and allocates only when a cloud is larger than all before it. */
#include "cloud/index/index.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cloud/index/index_internal.h"
#include "geometry/four.h"

brio_cloud_index *brio_cloud_index_new(brio_error *err) {
  brio_cloud_index *index = calloc(1, sizeof *index);
  if (!index) brio_fail(err, BRIO_NO_MEMORY, "no memory for the index of a point cloud");
  return index;
}

void brio_cloud_index_free(brio_cloud_index *index) {
  if (!index) return;
  free(index->leaves);
  free(index->colors);
  free(index->places);
  for (int i = 0; i < BRIO_CLOUD_LEVELS; i++) free(index->nodes[i]);
  brio_cloud_order_end(&index->order);
  free(index);
}

int brio_cloud_index_count(const brio_cloud_index *index) { return index->count; }

int brio_cloud_index_growths(const brio_cloud_index *index) { return index->growths; }

/* ------------------------------------------------------------------ leaves */

/* A leaf that is being filled, four lanes at a time. */
typedef struct filling {
  brio_cloud_leaf *leaf;
  uint32_t *places, *colors;    /* colors: NULL without */
  uint64_t there;               /* lanes that are points */
  brio_four lower[3], upper[3]; /* of what went in, lane by lane */
} filling;

/* Start leaf `i`: no lane has a point yet, and the box is empty. */
static inline filling begin_leaf(brio_cloud_index *index, int i) {
  brio_four most = brio_four_of(INFINITY), least = brio_four_of(-INFINITY);
  assert(i >= 0 && i < index->nleaf);
  size_t lane = (size_t)BRIO_CLOUD_LEAF * (size_t)i;
  return (filling){&index->leaves[i], index->places + lane, index->colored ? index->colors + lane : NULL, 0,
                   {most, most, most}, {least, least, least}};
}

/* Store four values of one axis and widen the box; lanes without a point become NAN, which min and max
** ignore. */
static inline void put_axis(filling *f, float *to, brio_four value, brio_four there, int axis) {
  value = brio_four_or_nan(value, there);
  brio_four_store(to, value);
  f->lower[axis] = brio_four_min(value, f->lower[axis]);
  f->upper[axis] = brio_four_max(value, f->upper[axis]);
}

/* Store four points in lanes `lane` to `lane + 3`, and mark in f->there which of them are valid. */
static inline void put_four(filling *f, int lane, brio_four x, brio_four y, brio_four z) {
  brio_four there = brio_cloud_are_points(x, y, z);
  put_axis(f, f->leaf->x + lane, x, there, 0);
  put_axis(f, f->leaf->y + lane, y, there, 1);
  put_axis(f, f->leaf->z + lane, z, there, 2);
  f->there |= (uint64_t)brio_four_bits(there) << lane;
}

/* The least of four lanes. */
static float least(const float v[4]) {
  float a = v[0] < v[1] ? v[0] : v[1], b = v[2] < v[3] ? v[2] : v[3];
  return a < b ? a : b;
}

/* The greatest of four lanes. */
static float greatest(const float v[4]) {
  float a = v[0] > v[1] ? v[0] : v[1], b = v[2] > v[3] ? v[2] : v[3];
  return a > b ? a : b;
}

/* Write the node of leaf `i`, all of whose lanes are set: count, box and sums of colors. */
static void end_leaf(brio_cloud_index *index, int i, const filling *f) {
  brio_cloud_node *node = &index->nodes[0][i];
  float lanes[4];
  /* The bits of f->there are the valid lanes. */
  node->count = brio_four_count(f->there);
  index->count += node->count;
  node->color[0] = node->color[1] = node->color[2] = 0;
  for (int k = 0; k < 3; k++) {
    brio_four_store(lanes, f->lower[k]);
    node->lower[k] = least(lanes);
    brio_four_store(lanes, f->upper[k]);
    node->upper[k] = greatest(lanes);
  }
  if (f->colors) brio_four_add_bytes(f->colors, f->there, node->color);
}

/* Return four places of a row from column x on, of which the row has only n; the rest are NAN, in `spare`. */
static const float *four_points(const brio_cloud *cloud, int x, int y, int n, float spare[12]) {
  for (int i = 0; i < 12; i++)
    spare[i] = i < 3 * n ? cloud->points[(size_t)y * (size_t)cloud->width + (size_t)(x + i / 3)][i % 3] : NAN;
  return spare;
}

/* Pack the colors of four single places, as brio_cloud_pack_colors does for four in a row. */
static void four_colors(const brio_cloud *cloud, const uint32_t places[4], uint32_t to[4]) {
  for (int k = 0; k < 4; k++) {
    const uint8_t *color = cloud->colors[places[k]];
    to[k] = color[0] | (uint32_t)color[1] << 8 | (uint32_t)color[2] << 16;
  }
}

/* Fill leaf `i` with a tile of the picture; lanes of a tile at the border may have no place. */
static void fill_tile(brio_cloud_index *index, const brio_cloud *cloud, int i) {
  assert(i >= 0 && i < index->order.ntile);
  const brio_cloud_order *order = &index->order;
  /* The number of a tile has its row and its column, in tiles. */
  int row = (int)(order->tiles[i] >> 16) * order->tile_height, lane = 0;
  int column = (int)(order->tiles[i] & 0xffff) * order->tile_width;
  filling f = begin_leaf(index, i);
  for (int y = row; y < row + order->tile_height; y++)
    for (int x = column; x < column + order->tile_width; x += 4, lane += 4) {
      float spare[12];
      int n = y < cloud->height && x < cloud->width ? cloud->width - x : 0; /* places left in the row */
      /* Not used where the row has no places left (n = 0). */
      uint32_t place = (uint32_t)(y * cloud->width + x);
      brio_four px, py, pz;
      bool whole = n >= 4;
      brio_four_split(whole ? cloud->points[place] : four_points(cloud, x, y, n, spare), &px, &py, &pz);
      /* Four places at once; only at the end of a row they are copied first. */
      put_four(&f, lane, px, py, pz);
      for (int k = 0; k < 4; k++) f.places[lane + k] = k < n ? place + (uint32_t)k : 0;
      if (!f.colors) continue;
      if (whole) brio_cloud_pack_colors((const uint8_t (*)[3])cloud->colors + place, f.colors + lane);
      else four_colors(cloud, f.places + lane, f.colors + lane);
    }
  assert(lane == BRIO_CLOUD_LEAF);
  end_leaf(index, i, &f);
}

/* Fill leaf `i` with the next 64 of `count` sorted points. */
static void fill_run(brio_cloud_index *index, int i, int count) {
  float spare[4][4];
  int first = i * BRIO_CLOUD_LEAF;
  filling f = begin_leaf(index, i);
  for (int lane = 0; lane < BRIO_CLOUD_LEAF; lane += 4) {
    brio_four x, y, z, place;
    bool whole = first + lane + 4 <= count;
    /* Lanes after the last point are NAN, with place 0. */
    for (int k = 0; k < 4 && !whole; k++)
      memcpy(spare[k],
             first + lane + k < count ? index->order.points[first + lane + k] : (float[4]){NAN, NAN, NAN, 0},
             sizeof spare[k]);
    brio_four_turn(whole ? index->order.points[first + lane] : spare[0], &x, &y, &z, &place);
    put_four(&f, lane, x, y, z);
    memcpy(f.places + lane, &place, sizeof place);
    for (int k = 0; k < 4 && f.colors; k++)
      f.colors[lane + k] = whole || first + lane + k < count ? index->order.colors[first + lane + k] : 0;
  }
  end_leaf(index, i, &f);
}

/* ------------------------------------------------------------------ tree */

/* The number of nodes on the level above `size` nodes: a node has up to BRIO_CLOUD_CHILDREN children. */
static int nodes_above(int size) { return (size + BRIO_CLOUD_CHILDREN - 1) / BRIO_CLOUD_CHILDREN; }

/* Make room for `most` leaves, of which nleaf are used now, and for the levels above them. False: no
** memory. */
static bool make_room(brio_cloud_index *index, int nleaf, int most) {
  assert(nleaf <= most);
  int *growths = &index->growths, lanes = most * BRIO_CLOUD_LEAF;
  bool good = brio_cloud_room(&index->leaves, &index->leaves_room, most, sizeof *index->leaves, growths) &&
              brio_cloud_room(&index->places, &index->places_room, lanes, sizeof *index->places, growths) &&
              (!index->colored ||
               brio_cloud_room(&index->colors, &index->colors_room, lanes, sizeof *index->colors, growths));
  index->nleaf = nleaf;
  index->nlevel = 0;
  /* Levels shrink by eight until one node is left. */
  for (int size = nleaf; good && size > 0;
       size = size > 1 ? nodes_above(size) : 0, most = nodes_above(most)) {
    assert(index->nlevel < BRIO_CLOUD_LEVELS);
    int level = index->nlevel++;
    index->sizes[level] = size;
    good = brio_cloud_room(&index->nodes[level], &index->nodes_room[level], most, sizeof *index->nodes[level],
                           growths);
  }
  return good;
}

/* Add a node to the node above it: count, box and sums of colors. */
static void add_node(brio_cloud_node *to, const brio_cloud_node *from) {
  to->count += from->count;
  for (int k = 0; k < 3; k++) {
    to->lower[k] = from->lower[k] < to->lower[k] ? from->lower[k] : to->lower[k];
    to->upper[k] = from->upper[k] > to->upper[k] ? from->upper[k] : to->upper[k];
    to->color[k] += from->color[k];
  }
}

/* Build the levels from the leaves upward: node i is above nodes 8 i to 8 i + 7. O(leaves) */
static void build_levels(brio_cloud_index *index) {
  for (int level = 1; level < index->nlevel; level++)
    for (int i = 0; i < index->sizes[level]; i++) {
      brio_cloud_node node = {
          {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0, {0, 0, 0}};
      int first = BRIO_CLOUD_CHILDREN * i, end = first + BRIO_CLOUD_CHILDREN;
      for (int k = first; k < end && k < index->sizes[level - 1]; k++)
        add_node(&node, &index->nodes[level - 1][k]);
      index->nodes[level][i] = node;
    }
}

/* ------------------------------------------------------------------ building */

/* An organized cloud: leaves are tiles of the picture, and nothing is sorted. */
static bool build_organized(brio_cloud_index *index, const brio_cloud *cloud) {
  brio_cloud_order *order = &index->order;
  if (!brio_cloud_order_tiles(order, cloud->width, cloud->height, &index->growths) ||
      !make_room(index, order->ntile, order->ntile))
    return false;
  for (int i = 0; i < order->ntile; i++) fill_tile(index, cloud, i);
  return true;
}

/* Any other cloud: leaves are runs of points sorted along a curve. */
static bool build_sorted(brio_cloud_index *index, const brio_cloud *cloud) {
  int count = brio_cloud_order_points(&index->order, cloud, &index->growths);
  int nleaf = (count + BRIO_CLOUD_LEAF - 1) / BRIO_CLOUD_LEAF;
  /* Room for all places, so that a cloud of the same size with more valid points allocates nothing. */
  if (count < 0 || !make_room(index, nleaf, (cloud->count + BRIO_CLOUD_LEAF - 1) / BRIO_CLOUD_LEAF))
    return false;
  for (int i = 0; i < nleaf; i++) fill_run(index, i, count);
  return true;
}

bool brio_cloud_index_build(brio_cloud_index *index, const brio_cloud *cloud, brio_error *err) {
  enum { MAX_SIDE = 65535 * 8 }; /* of a picture whose tiles can be numbered */
  index->count = index->nleaf = index->nlevel = 0;
  index->colored = cloud->colors != NULL;
  /* A picture of one row or column is no picture: its points are sorted. */
  bool organized = cloud->height > 1 && cloud->width > 1 && cloud->width < MAX_SIDE &&
                   cloud->height < MAX_SIDE;
  if (cloud->count == 0 || (organized ? build_organized(index, cloud) : build_sorted(index, cloud))) {
    build_levels(index);
    return true;
  }
  /* After an error the index is empty, not half built. */
  index->count = index->nleaf = index->nlevel = 0;
  return brio_fail(err, BRIO_NO_MEMORY, "no memory for the index of a cloud of %d points", cloud->count);
}
