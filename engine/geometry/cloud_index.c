/* Building the index of a point cloud: points in leaves of 64, and a tree of boxes over them.
**
** One pass over the points, in the order of cloud_order.c, turns them from x y z x y z to 64 x, 64 y, 64 z, finds
** the box around those that are points and sums their colors; boxes above are made of those below.  A node that
** lies wholly within a solid is then counted without a look at its points, and one outside costs nothing. */
#include "geometry/cloud_index.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/cloud_index_internal.h"
#include "geometry/four.h"

/* Where the points of a leaf come from: rows of a picture, or a run of sorted points, one row high. */
typedef struct source {
  float (*points)[3];
  const uint32_t *places; /* of each point; NULL: it is its own */
  int width, height, tile_width, tile_height;
  const uint8_t (*colors)[3];
  int last;               /* place: of the cloud */
} source;

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

/* Return four points of a row, from a column on; those past the end of the row or picture are NAN in `spare`. */
static const float *four_points(const source *s, int row, int column, float spare[12]) {
  int n = row < s->height ? s->width - column : 0;
  if (n >= 4) return s->points[(size_t)row * (size_t)s->width + (size_t)column];
  for (int i = 0; i < 12; i++)
    spare[i] = i < 3 * n ? s->points[(size_t)row * (size_t)s->width + (size_t)(column + i / 3)][i % 3] : NAN;
  return spare;
}

/* The box of what went into a leaf, lane by lane. */
typedef struct lanes_box {
  brio_four lower[3], upper[3];
} lanes_box;

static void put_axis(float *to, brio_four value, brio_four there, lanes_box *box, int axis) {
  value = brio_four_or_nan(value, there);
  brio_four_store(to, value);
  box->lower[axis] = brio_four_min(value, box->lower[axis]);
  box->upper[axis] = brio_four_max(value, box->upper[axis]);
}

/* Put four points into a leaf's lanes; return which are points. */
static unsigned put_four(const float *from, brio_cloud_leaf *leaf, int lane, lanes_box *box) {
  brio_four x, y, z, most = brio_four_of(BRIO_CLOUD_FARTHEST);
  brio_four_split(from, &x, &y, &z);
  brio_four there = brio_four_and(brio_four_at_most(brio_four_abs(x), most),
                                  brio_four_and(brio_four_at_most(brio_four_abs(y), most),
                                                brio_four_at_most(brio_four_abs(z), most)));
  put_axis(leaf->x + lane, x, there, box, 0);
  put_axis(leaf->y + lane, y, there, box, 1);
  put_axis(leaf->z + lane, z, there, box, 2);
  return brio_four_bits(there);
}

static void take_box(const lanes_box *box, brio_cloud_node *node) {
  for (int k = 0; k < 3; k++) {
    float lower[4], upper[4];
    brio_four_store(lower, box->lower[k]);
    brio_four_store(upper, box->upper[k]);
    node->lower[k] = fminf(fminf(lower[0], lower[1]), fminf(lower[2], lower[3]));
    node->upper[k] = fmaxf(fmaxf(upper[0], upper[1]), fmaxf(upper[2], upper[3]));
  }
}

/* Fill a leaf with the tile whose first place is in that row and column; return which lanes are points. */
static uint64_t fill_leaf(const source *s, int row, int column, brio_cloud_leaf *leaf, uint32_t *places,
                          brio_cloud_node *node) {
  brio_four most = brio_four_of(INFINITY), least = brio_four_of(-INFINITY);
  lanes_box box = {{most, most, most}, {least, least, least}};
  uint64_t there = 0;
  float spare[12];
  for (int lane = 0, i = 0; i < s->tile_height; i++)
    for (int j = 0; j < s->tile_width; j += 4, lane += 4) {
      there |= (uint64_t)put_four(four_points(s, row + i, column + j, spare), leaf, lane, &box) << lane;
      uint32_t first = (uint32_t)((row + i) * s->width + column + j);
      for (uint32_t k = 0; k < 4; k++) places[lane + (int)k] = first + k;
    }
  take_box(&box, node);
  return there;
}

/* Return the color at a place as blue << 16 | green << 8 | red. */
static uint32_t color_at(const source *s, uint32_t place) {
  const uint8_t *color = s->colors[place];
  uint32_t bits;
  if ((int)place >= s->last) return color[0] | (uint32_t)color[1] << 8 | (uint32_t)color[2] << 16;
  memcpy(&bits, color, sizeof bits); /* and one byte of the next */
  return bits & 0xffffff;
}

/* Take the colors of a leaf's points, and their sums. */
static void take_colors(const source *s, const uint32_t *places, uint64_t there, uint32_t *colors,
                        brio_cloud_node *node) {
  uint32_t red = 0, green = 0, blue = 0;
  for (int i = 0; i < BRIO_CLOUD_LEAF; i++) {
    uint32_t bits = there >> i & 1 ? color_at(s, places[i]) : 0;
    colors[i] = bits;
    red += bits & 0xff;
    green += bits >> 8 & 0xff;
    blue += bits >> 16;
  }
  node->color[0] = red;
  node->color[1] = green;
  node->color[2] = blue;
}

/* Make leaf i of the tile at a row and column. */
static void make_leaf(brio_cloud_index *index, const source *s, int i, int row, int column) {
  uint32_t *places = index->places + (size_t)BRIO_CLOUD_LEAF * (size_t)i;
  brio_cloud_node *node = &index->nodes[0][i];
  uint64_t there = fill_leaf(s, row, column, &index->leaves[i], places, node);
  for (int k = 0; k < BRIO_CLOUD_LEAF && s->places; k++) places[k] = there >> k & 1 ? s->places[places[k]] : 0;
  node->count = __builtin_popcountll(there);
  index->count += node->count;
  node->color[0] = node->color[1] = node->color[2] = 0;
  if (index->colored) take_colors(s, places, there, index->colors + (size_t)BRIO_CLOUD_LEAF * (size_t)i, node);
}

/* ------------------------------------------------------------------ tree */

static int nodes_above(int size) { return (size + BRIO_CLOUD_FAN - 1) / BRIO_CLOUD_FAN; }

/* Make room for `most` leaves, of which there are nleaf now, and the levels above. */
static bool make_room(brio_cloud_index *index, int nleaf, int most) {
  int *growths = &index->growths, lanes = most * BRIO_CLOUD_LEAF;
  bool good = brio_cloud_room(&index->leaves, &index->leaves_room, most, sizeof *index->leaves, growths) &&
              brio_cloud_room(&index->places, &index->places_room, lanes, sizeof *index->places, growths) &&
              (!index->colored ||
               brio_cloud_room(&index->colors, &index->colors_room, lanes, sizeof *index->colors, growths));
  index->nleaf = nleaf;
  index->nlevel = 0;
  for (int size = nleaf; good && size > 0; size = size > 1 ? nodes_above(size) : 0, most = nodes_above(most)) {
    int level = index->nlevel++;
    index->sizes[level] = size;
    good = brio_cloud_room(&index->nodes[level], &index->nodes_room[level], most, sizeof *index->nodes[level], growths);
  }
  return good;
}

static void add_node(brio_cloud_node *to, const brio_cloud_node *from) {
  to->count += from->count;
  for (int k = 0; k < 3; k++) {
    to->lower[k] = from->lower[k] < to->lower[k] ? from->lower[k] : to->lower[k];
    to->upper[k] = from->upper[k] > to->upper[k] ? from->upper[k] : to->upper[k];
    to->color[k] += from->color[k];
  }
}

static void build_levels(brio_cloud_index *index) {
  for (int level = 1; level < index->nlevel; level++)
    for (int i = 0; i < index->sizes[level]; i++) {
      brio_cloud_node node = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0, {0, 0, 0}};
      int first = BRIO_CLOUD_FAN * i, end = first + BRIO_CLOUD_FAN;
      for (int k = first; k < end && k < index->sizes[level - 1]; k++) add_node(&node, &index->nodes[level - 1][k]);
      index->nodes[level][i] = node;
    }
}

/* ------------------------------------------------------------------ building */

static bool build_organized(brio_cloud_index *index, const brio_cloud *cloud) {
  brio_cloud_order *order = &index->order;
  if (!brio_cloud_order_tiles(order, cloud->width, cloud->height, &index->growths) || !make_room(index, order->ntile, order->ntile))
    return false;
  source s = {.points = cloud->points, .width = cloud->width, .height = cloud->height, .tile_width = order->tile_width,
              .tile_height = order->tile_height, .colors = (const uint8_t (*)[3])cloud->colors, .last = cloud->count - 1};
  for (int i = 0; i < order->ntile; i++)
    make_leaf(index, &s, i, (int)(order->tiles[i] >> 16) * s.tile_height, (int)(order->tiles[i] & 0xffff) * s.tile_width);
  return true;
}

static bool build_sorted(brio_cloud_index *index, const brio_cloud *cloud) {
  brio_cloud_order *order = &index->order;
  int count = brio_cloud_order_points(order, cloud, &index->growths);
  int nleaf = (count + BRIO_CLOUD_LEAF - 1) / BRIO_CLOUD_LEAF;
  if (count < 0 || !make_room(index, nleaf, (cloud->count + BRIO_CLOUD_LEAF - 1) / BRIO_CLOUD_LEAF)) return false;
  source s = {.points = order->points, .places = order->places, .width = count, .height = 1,
              .tile_width = BRIO_CLOUD_LEAF, .tile_height = 1, .colors = (const uint8_t (*)[3])cloud->colors,
              .last = cloud->count - 1};
  for (int i = 0; i < index->nleaf; i++) make_leaf(index, &s, i, 0, i * BRIO_CLOUD_LEAF);
  return true;
}

bool brio_cloud_index_build(brio_cloud_index *index, const brio_cloud *cloud, brio_error *err) {
  enum { MOST_SIDE = 65535 * 8 }; /* of a picture whose tiles can be numbered */
  index->count = index->nleaf = index->nlevel = 0;
  index->colored = cloud->colors != NULL;
  bool organized = cloud->height > 1 && cloud->width > 1 && cloud->width < MOST_SIDE && cloud->height < MOST_SIDE;
  if (cloud->count == 0 || (organized ? build_organized(index, cloud) : build_sorted(index, cloud))) {
    build_levels(index);
    return true;
  }
  index->count = index->nleaf = index->nlevel = 0;
  return brio_fail(err, BRIO_NO_MEMORY, "no memory for the index of a cloud of %d points", cloud->count);
}
