/* Queries on the index of a point cloud. All solids of a union descend the tree together: a node within one
** of them counts completely, a node outside all of them is skipped, and otherwise the search continues with
** the solids that cross it. O(nodes that a surface crosses), plus the points that are listed. */
#include <assert.h>
#include <string.h>

#include "cloud/index/index_internal.h"

/* A query, and its actions for nodes and lanes that are in the union. */
typedef struct query {
  const brio_cloud_index *index;
  const brio_cloud_ready *solids;
  void (*node)(struct query *q, int level, int i);       /* all points below are in */
  void (*lanes)(struct query *q, int leaf, uint64_t in); /* these are */
  int count;
  uint64_t color[3];
  int *places, room; /* of a list */
} query;

/* ------------------------------------------------------------------ down the tree */

/* Test a leaf against the solids that cross it. A point counts once, even where solids overlap. */
static void look_at_leaf(query *q, int i, const uint8_t *active, int nactive) {
  uint64_t in = 0;
  for (int k = 0; k < nactive; k++)
    in |= brio_cloud_lanes_in(&q->solids[active[k]], &q->index->leaves[i], &q->index->nodes[0][i]);
  if (in) q->lanes(q, i, in);
}

/* Visit node `i` of a level. `above` lists the solids that cross its parent: only these can cross the
** node. */
static void descend(query *q, int level, int i, const uint8_t *above, int nabove) {
  assert(level >= 0 && level < q->index->nlevel && i < q->index->sizes[level]);
  uint8_t active[BRIO_CLOUD_SOLIDS];
  int nactive = 0;
  for (int k = 0; k < nabove; k++) {
    brio_cloud_side side = brio_cloud_side_of(&q->solids[above[k]], &q->index->nodes[level][i]);
    /* Within one solid is within the union. */
    if (side == BRIO_CLOUD_WITHIN) {
      q->node(q, level, i);
      return;
    }
    if (side == BRIO_CLOUD_CROSSING) active[nactive++] = above[k];
  }
  /* Outside all solids. */
  if (nactive == 0) return;
  if (level == 0) {
    look_at_leaf(q, i, active, nactive);
    return;
  }
  int first = BRIO_CLOUD_CHILDREN * i, end = first + BRIO_CLOUD_CHILDREN, size = q->index->sizes[level - 1];
  for (int k = first; k < end && k < size; k++) descend(q, level - 1, k, active, nactive);
}

/* Prepare the solids, then descend from the root. Errors: as brio_cloud_solids_check. */
static bool run(query *q, const brio_cloud_solid *solids, int count, brio_error *err) {
  brio_cloud_ready ready[BRIO_CLOUD_SOLIDS];
  uint8_t all[BRIO_CLOUD_SOLIDS];
  if (!brio_cloud_solids_check(solids, count, err)) return false;
  for (int i = 0; i < count; i++) {
    brio_cloud_make_ready(&solids[i], &ready[i]);
    all[i] = (uint8_t)i;
  }
  /* Only during this call: `ready` is on the stack. */
  q->solids = ready;
  if (q->index->nlevel > 0) descend(q, q->index->nlevel - 1, 0, all, count);
  q->solids = NULL;
  return true;
}

/* ------------------------------------------------------------------ counting */

/* A whole node: its count and color sums are in it. */
static void tally_node(query *q, int level, int i) {
  const brio_cloud_node *node = &q->index->nodes[level][i];
  q->count += node->count;
  for (int k = 0; k < 3; k++) q->color[k] += node->color[k];
}

/* Single points of a leaf: count the bits of `in`, and add their colors. */
static void tally_lanes(query *q, int leaf, uint64_t in) {
  uint32_t sums[3] = {0, 0, 0};
  q->count += brio_four_count(in);
  if (!q->index->colored) return;
  brio_four_add_bytes(q->index->colors + (size_t)BRIO_CLOUD_LEAF * (size_t)leaf, in, sums);
  for (int k = 0; k < 3; k++) q->color[k] += sums[k];
}

bool brio_cloud_count(const brio_cloud_index *index, const brio_cloud_solid *solids, int count,
                      brio_cloud_tally *tally, brio_error *err) {
  query q = {.index = index, .node = tally_node, .lanes = tally_lanes};
  /* Without points or colors the mean color is NAN. */
  *tally = (brio_cloud_tally){0, {NAN, NAN, NAN}};
  if (!run(&q, solids, count, err)) return false;
  tally->count = q.count;
  /* Shares of full color, 0 to 1. */
  for (int k = 0; k < 3 && index->colored && q.count > 0; k++)
    tally->color[k] = (double)q.color[k] / (255.0 * q.count);
  return true;
}

/* ------------------------------------------------------------------ listing */

/* List the points of a leaf that are in. Those without room are counted, so that the caller learns how many
** there are. */
static void list_lanes(query *q, int leaf, uint64_t in) {
  const uint32_t *places = q->index->places + (size_t)BRIO_CLOUD_LEAF * (size_t)leaf;
  for (; in; in &= in - 1, q->count++)
    if (q->count < q->room) q->places[q->count] = (int)places[__builtin_ctzll(in)];
}

/* Return the lanes of a leaf that are points. */
static uint64_t points_of(const brio_cloud_leaf *leaf) {
  uint64_t there = 0;
  /* NAN is not equal to itself. */
  for (int i = 0; i < BRIO_CLOUD_LEAF; i++) there |= (uint64_t)(leaf->x[i] == leaf->x[i]) << i;
  return there;
}

/* List a whole node, leaf by leaf. */
static void list_node(query *q, int level, int i) {
  if (level == 0) {
    list_lanes(q, i, points_of(&q->index->leaves[i]));
    return;
  }
  int first = BRIO_CLOUD_CHILDREN * i, end = first + BRIO_CLOUD_CHILDREN, size = q->index->sizes[level - 1];
  for (int k = first; k < end && k < size; k++) list_node(q, level - 1, k);
}

int brio_cloud_list(const brio_cloud_index *index, const brio_cloud_solid *solids, int count, int *places,
                    int room, brio_error *err) {
  query q = {.index = index, .node = list_node, .lanes = list_lanes, .places = places, .room = room};
  return run(&q, solids, count, err) ? q.count : -1;
}
