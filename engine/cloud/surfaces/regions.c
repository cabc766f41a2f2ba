/* Growing flat regions over cells.
**
** Seeds are the flattest cells first. A region includes a neighboring cell whose points are off its plane by
** no more than the noise and whose normal agrees, and is fitted again while it grows (Poppinga et al., "Fast
** plane detection and polygonalization in noisy 3D range images", 2008). Then regions that are parts of one
** plane are joined, and each cell is assigned to the nearby plane that fits it best, which separates planes
** where they meet. Growing is O(cells log cells); joining is O(regions^2 * cells) in the worst case. */
#include "cloud/surfaces/regions.h"

#include <assert.h>
#include <stdlib.h>

enum { SEED_POINTS = 10, MIN_CELLS = 4, SETTLE = 3 };

static const double SAME_WAY = 0.82;     /* cosine: a cell that is clearly flat may be turned by 35 degrees */
static const double CLEARLY_FLAT = 0.04; /* the share of its variance that is across */

/* The state of a search. */
typedef struct grower {
  const brio_cloud_cells *cells;
  const brio_cloud_noise *noise;
  brio_cloud_spread *spread; /* of each cell with its neighbors; axis[0] NAN: too few points */
  double *sigma;             /* of each cell, m */
  int *label, *queue;
  brio_vec3 *centers; /* room for those of all cells */
  brio_cloud_region *regions;
  int count;
} grower;

/* Fit the region's plane to its sums. Return false if they do not determine one. */
static bool fit(brio_cloud_region *region) {
  brio_cloud_spread spread;
  if (!brio_cloud_spread_of(&region->sums, 3, &spread)) return false;
  region->normal = spread.axis[0];
  region->offset = brio_vec3_dot(spread.axis[0], spread.center);
  return true;
}

/* How far the points of a cell are off a region's plane (root mean square), relative to the allowed distance
** there: up to 1 they belong to it. */
static double misfit(const grower *g, const brio_cloud_region *region, int cell) {
  double error = sqrt(brio_cloud_moments_error(&g->cells->sums[cell], region->normal, region->offset));
  return error / (2 * g->sigma[cell] + g->noise->floor + 1e-12);
}

/* Whether a cell may belong to a region: it is near the plane, and not clearly turned to another
** direction. */
static bool belongs(const grower *g, const brio_cloud_region *region, int cell) {
  const brio_cloud_spread *s = &g->spread[cell];
  if (!(misfit(g, region, cell) <= 1)) return false;
  /* Only the normal of a clearly flat cell is reliable. */
  if (!(s->variance[0] < CLEARLY_FLAT * s->variance[1])) return true;
  return fabs(brio_vec3_dot(s->axis[0], region->normal)) > SAME_WAY;
}

/* Grow region number g->count from cell `seed`, breadth first. Afterwards the queue lists its cells. O(cells
** of the region) */
static void grow(grower *g, brio_cloud_region *region, int seed) {
  const brio_cloud_cells *cells = g->cells;
  int ends = 0, fitted = 1;
  /* The seed's neighborhood determines the first plane. */
  *region = (brio_cloud_region){.normal = g->spread[seed].axis[0], .cells = 1, .sums = cells->sums[seed]};
  region->offset = brio_vec3_dot(region->normal, g->spread[seed].center);
  g->label[seed] = g->count;
  g->queue[ends++] = seed;
  for (int next = 0; next < ends; next++) {
    int cell = g->queue[next];
    for (int k = cells->first_near[cell]; k < cells->first_near[cell + 1]; k++) {
      int other = cells->near[k];
      assert(other >= 0 && other < cells->count);
      if (g->label[other] >= 0 || !belongs(g, region, other)) continue;
      g->label[other] = g->count;
      g->queue[ends++] = other;
      brio_cloud_moments_join(&region->sums, &cells->sums[other], 1);
      region->cells++;
    }
    /* Fit again whenever the region has grown by half: O(log cells) fits. */
    if (region->cells < 9 || 2 * region->cells < 3 * fitted) continue;
    fitted = region->cells;
    fit(region);
  }
  fit(region);
}

/* Whether a cell is free, and flat enough to start a region. */
static bool may_seed(const grower *g, int cell) {
  const brio_cloud_spread *s = &g->spread[cell];
  return g->label[cell] < 0 && g->cells->wide[cell].count >= SEED_POINTS &&
         sqrt(s->variance[0]) <= 2 * g->sigma[cell] + g->noise->floor &&
         /* Not a line, and not a blob. */
         s->variance[1] > 0.03 * s->variance[2] && s->variance[0] < 0.3 * s->variance[1];
}

/* A possible seed and its flatness: least variance divided by the middle one. */
typedef struct seed {
  double rank;
  int cell;
} seed;

/* Flattest first; equal ones in the order of cells, so that results repeat. */
static int by_rank(const void *a, const void *b) {
  const seed *p = a, *q = b;
  return p->rank != q->rank ? (p->rank > q->rank) - (p->rank < q->rank) : p->cell - q->cell;
}

/* Grow regions from the flattest cells on, and release those that stay too small. Return false without
** memory. */
static bool grow_all(grower *g, int least) {
  int count = 0;
  seed *seeds = malloc(((size_t)g->cells->count + 1) * sizeof *seeds);
  if (!seeds) return false;
  for (int c = 0; c < g->cells->count; c++)
    if (may_seed(g, c)) seeds[count++] = (seed){g->spread[c].variance[0] / g->spread[c].variance[1], c};
  qsort(seeds, (size_t)count, sizeof *seeds, by_rank);
  /* A cell of the list may belong to a region by now. */
  for (int i = 0; i < count && g->count < BRIO_CLOUD_REGIONS; i++) {
    if (!may_seed(g, seeds[i].cell)) continue;
    brio_cloud_region *region = &g->regions[g->count];
    grow(g, region, seeds[i].cell);
    /* Half of `least` suffices here: planes.c counts points again. */
    if (region->cells >= MIN_CELLS && region->sums.count * 2 >= least) {
      g->count++;
      continue;
    }
    /* The next region gets the same number. */
    for (int k = 0; k < region->cells; k++) g->label[g->queue[k]] = -1;
  }
  free(seeds);
  return true;
}

/* How far the points of a region are off another plane, relative to the allowed distance at their center. */
static double region_misfit(const grower *g, const brio_cloud_region *part, const brio_cloud_region *plane) {
  double n = part->sums.count, sum[3] = {part->sums.sum[0] / n, part->sums.sum[1] / n, part->sums.sum[2] / n};
  double sigma = brio_cloud_noise_at(g->noise, (brio_vec3){sum[0], sum[1], sum[2]});
  double error = sqrt(brio_cloud_moments_error(&part->sums, plane->normal, plane->offset));
  return error / (2 * sigma + g->noise->floor + 1e-12);
}

/* List the centers of the cells of region r and the box around them; return their number. O(cells) */
static int list_centers(const grower *g, int r, brio_vec3 *centers, brio_box *around) {
  int count = 0;
  *around = (brio_box){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  for (int c = 0; c < g->cells->count; c++) {
    if (g->label[c] != r) continue;
    brio_vec3 p = centers[count++] = brio_cloud_cells_center(g->cells, c);
    *around = brio_box_union(*around, (brio_box){p, p});
  }
  return count;
}

/* Whether two regions touch, or have cells nearer to each other than `gap` m. O(cells^2) in the worst case */
static bool meet(const grower *g, int a, int b, double gap) {
  const brio_cloud_cells *cells = g->cells;
  /* Touching: a cell of b has a neighbor in a. */
  for (int c = 0; c < cells->count; c++)
    for (int k = cells->first_near[c]; g->label[c] == b && k < cells->first_near[c + 1]; k++)
      if (g->label[cells->near[k]] == a) return true;
  if (gap <= 0) return false;
  /* Near: compare centers, except those far from the other region's box. Both lists are in one array. */
  brio_vec3 *mine = g->centers, *other;
  brio_box box, other_box;
  int count = list_centers(g, a, mine, &box), others = list_centers(g, b, other = mine + count, &other_box);
  for (int i = 0; i < others; i++) {
    if (brio_box_gap(&box, &(brio_box){other[i], other[i]}) > gap + cells->size) continue;
    for (int k = 0; k < count; k++)
      if (brio_vec3_norm(brio_vec3_sub(mine[k], other[i])) < gap + cells->size) return true;
  }
  return false;
}

/* Join region b to a if both are in one plane and near each other. Return whether they were joined. */
static bool join(grower *g, int a, int b, double gap) {
  assert(a != b);
  brio_cloud_region *keep = &g->regions[a], *gone = &g->regions[b], both = *keep;
  /* Cheap conditions first; a region that was joined has no cells. */
  if (keep->cells == 0 || gone->cells == 0 || fabs(brio_vec3_dot(keep->normal, gone->normal)) < SAME_WAY)
    return false;
  /* The plane through the points of both must fit either of them. */
  brio_cloud_moments_join(&both.sums, &gone->sums, 1);
  if (!fit(&both) || region_misfit(g, keep, &both) > 1 || region_misfit(g, gone, &both) > 1) return false;
  if (!meet(g, a, b, gap)) return false;
  both.cells += gone->cells;
  *keep = both;
  gone->cells = 0;
  /* The empty region keeps its number until renumber(). */
  for (int c = 0; c < g->cells->count; c++)
    if (g->label[c] == b) g->label[c] = a;
  return true;
}

/* Assign each cell to the plane nearest to its points, among those of its own and its neighbors' regions.
** O(cells) */
static void settle(grower *g, int *next) {
  const brio_cloud_cells *cells = g->cells;
  for (int c = 0; c < cells->count; c++) {
    int best = g->label[c];
    /* A slight advantage for the present region prevents oscillation. */
    double least = best >= 0 ? 0.9 * misfit(g, &g->regions[best], c) : 1;
    /* Points that no longer fit their region leave it. */
    if (least > 1) least = 1, best = -1;
    for (int k = cells->first_near[c]; k < cells->first_near[c + 1]; k++) {
      int other = g->label[cells->near[k]];
      if (other < 0 || other == best || !belongs(g, &g->regions[other], c)) continue;
      double off = misfit(g, &g->regions[other], c);
      if (off < least) least = off, best = other;
    }
    next[c] = best;
  }
  /* Sum up and fit the regions again by the new labels. */
  for (int r = 0; r < g->count; r++) g->regions[r].sums = (brio_cloud_moments){0}, g->regions[r].cells = 0;
  for (int c = 0; c < cells->count; c++) {
    g->label[c] = next[c];
    if (next[c] < 0) continue;
    brio_cloud_moments_join(&g->regions[next[c]].sums, &cells->sums[c], 1);
    g->regions[next[c]].cells++;
  }
  for (int r = 0; r < g->count; r++)
    if (g->regions[r].cells > 0) fit(&g->regions[r]);
}

/* Renumber the regions without gaps, and drop those with too few points. */
static void renumber(grower *g, int least) {
  int to[BRIO_CLOUD_REGIONS], count = 0;
  assert(g->count <= BRIO_CLOUD_REGIONS);
  for (int r = 0; r < g->count; r++) {
    bool keep = g->regions[r].cells >= MIN_CELLS && g->regions[r].sums.count * 2 >= least;
    to[r] = keep ? count : -1;
    if (keep) g->regions[count++] = g->regions[r];
  }
  for (int c = 0; c < g->cells->count; c++)
    if (g->label[c] >= 0) g->label[c] = to[g->label[c]];
  g->count = count;
}

/* Prepare: spread and noise of each cell with its neighbors; no cell has a region. */
static void look(grower *g) {
  for (int c = 0; c < g->cells->count; c++) {
    /* Too few points for a plane: variances of 0, with which the cell is no seed. */
    if (!brio_cloud_spread_of(&g->cells->wide[c], 1, &g->spread[c]))
      g->spread[c] = (brio_cloud_spread){.axis = {{NAN, NAN, NAN}}};
    g->sigma[c] = brio_cloud_noise_at(g->noise, brio_cloud_cells_center(g->cells, c));
    g->label[c] = -1;
  }
}

int brio_cloud_regions_grow(const brio_cloud_cells *cells, const brio_cloud_noise *noise, double gap,
                            int least, brio_cloud_region *regions, int *label) {
  size_t room = (size_t)cells->count + 1;
  grower g = {cells,
              noise,
              malloc(room * sizeof *g.spread),
              malloc(room * sizeof *g.sigma),
              label,
              malloc(room * sizeof *g.queue),
              malloc(room * sizeof *g.centers),
              regions,
              0};
  bool fine = g.spread && g.sigma && g.queue && g.centers;
  if (fine) {
    look(&g);
    fine = grow_all(&g, least);
  }
  /* Joining changes planes, settling changes regions: a few rounds make both stable. */
  for (int round = 0; fine && round < SETTLE; round++) {
    for (int a = 0; a < g.count; a++)
      for (int b = 0; b < g.count; b++)
        if (a != b && g.regions[a].cells >= g.regions[b].cells) join(&g, a, b, gap);
    settle(&g, g.queue);
    renumber(&g, least);
  }
  free(g.spread);
  free(g.sigma);
  free(g.queue);
  free(g.centers);
  return fine ? g.count : -1;
}
