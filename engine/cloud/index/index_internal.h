/* Shared by the files of the index.
**
** Points are in leaves of 64, near ones together; a lane without a point is NAN.  Above them is a tree of
** boxes without pointers: node i of a level is above nodes 8 i to 8 i + 7 of the level below. */
#ifndef BRIO_CLOUD_INDEX_INDEX_INTERNAL_H
#define BRIO_CLOUD_INDEX_INDEX_INTERNAL_H

#include "cloud/index/index.h"
#include "cloud/room.h"
#include "geometry/four.h"

enum { BRIO_CLOUD_LEAF = 64, BRIO_CLOUD_CHILDREN = 8, BRIO_CLOUD_LEVELS = 8 };

typedef struct brio_cloud_leaf {
  float x[BRIO_CLOUD_LEAF], y[BRIO_CLOUD_LEAF], z[BRIO_CLOUD_LEAF]; /* m; NAN: no point */
} brio_cloud_leaf;

typedef struct brio_cloud_node {
  float lower[3], upper[3]; /* m; lower > upper: no points */
  int count;
  uint32_t color[3];        /* sums over the points */
} brio_cloud_node;

/* Scratch for the order of points (order.c). */
typedef struct brio_cloud_order {
  uint32_t *tiles;    /* organized: the tiles of the picture in order: row << 16 | column, counted in tiles */
  int width, height;  /* size of the picture they were computed for; 0: none */
  int tile_width, tile_height, ntile;
  uint32_t *keys;     /* not organized: the cell of each place */
  uint32_t *starts;   /* of each cell: where its next point goes */
  uint32_t *curve;    /* the cells along the curve */
  float (*points)[4]; /* all points, cell by cell: x, y, z, and the bits of its index in the cloud */
  uint32_t *colors;   /* of each, packed; only with colors */
  int tiles_room, keys_room, starts_room, curve_room, points_room, colors_room;
  int curve_bits;     /* of the grid that the curve is for; 0: none */
} brio_cloud_order;

struct brio_cloud_index {
  int count, nleaf, nlevel, growths;
  bool colored;
  brio_cloud_leaf *leaves;                      /* nleaf */
  /* 64 nleaf: blue << 16 | green << 8 | red; 0: no point; colored only */
  uint32_t *colors;
  /* 64 nleaf: index of the point in the cloud; 0: no point */
  uint32_t *places;
  brio_cloud_node *nodes[BRIO_CLOUD_LEVELS];    /* level by level, leaves first */
  int sizes[BRIO_CLOUD_LEVELS];
  int leaves_room, colors_room, places_room, nodes_room[BRIO_CLOUD_LEVELS];
  brio_cloud_order order;
};

/* Order the tiles of a picture of that size so that near ones are close.  False: no memory. */
bool brio_cloud_order_tiles(brio_cloud_order *order, int width, int height, int *growths);

/* Order the points of a cloud, without empty places; return how many there are.  -1: no memory. */
int brio_cloud_order_points(brio_cloud_order *order, const brio_cloud *cloud, int *growths);

/* Free the memory of the order. */
void brio_cloud_order_end(brio_cloud_order *order);

/* Return which of four are points: finite and not too far. */
static inline brio_four brio_cloud_are_points(brio_four x, brio_four y, brio_four z) {
  brio_four most = brio_four_of(BRIO_CLOUD_FARTHEST);
  return brio_four_and(
      brio_four_at_most(brio_four_abs(x), most),
      brio_four_and(brio_four_at_most(brio_four_abs(y), most), brio_four_at_most(brio_four_abs(z), most)));
}

/* Pack four colors in a row as blue << 16 | green << 8 | red. */
static inline void brio_cloud_pack_colors(const uint8_t (*from)[3], uint32_t to[4]) {
  uint32_t word[3];
  memcpy(word, from, sizeof word);
  to[0] = word[0] & 0xffffff;
  to[1] = word[0] >> 24 | (word[1] & 0xffff) << 8;
  to[2] = word[1] >> 16 | (word[2] & 0xff) << 16;
  to[3] = word[2] >> 8;
}

/* ---- solids (solid.c) */

/* A solid prepared for queries: radius and half lengths in its own frame, where z is the axis. */
typedef struct brio_cloud_ready {
  brio_transform pose;     /* cloud_from_solid; of a sphere without its rotation */
  double size[9];          /* absolute values of the rotation's numbers */
  double half[3];          /* box: half lengths; capsule, cylinder: half[2] along z */
  double radius;
  double reach, margin;    /* magnitudes, for rounding: |position| + size, m; slack of box tests, m */
  const struct brio_cloud_kind *kind;
} brio_cloud_ready;

typedef enum brio_cloud_side { BRIO_CLOUD_OUTSIDE, BRIO_CLOUD_CROSSING, BRIO_CLOUD_WITHIN } brio_cloud_side;

/* Prepare a solid, which must have passed brio_cloud_solids_check. */
void brio_cloud_make_ready(const brio_cloud_solid *solid, brio_cloud_ready *ready);

/* Return how a node's box lies to a solid; CROSSING if that is uncertain. */
brio_cloud_side brio_cloud_side_of(const brio_cloud_ready *ready, const brio_cloud_node *node);

/* Return the lanes of a leaf that are in the solid, as bits. */
uint64_t brio_cloud_lanes_in(const brio_cloud_ready *ready, const brio_cloud_leaf *leaf,
                             const brio_cloud_node *node);

#endif
