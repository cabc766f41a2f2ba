/* Objects on a surface: cells that are neighbors and have points near each other belong to one object (Rusu,
** "Semantic 3D object maps", 2010, Euclidean clusters). Cells are cubes whose edge is the distance, joined in
** a forest of disjoint sets, so that the cost does not grow with the square of the points in an object. */
#include "cloud/objects/clusters.h"

#include <assert.h>
#include <stdlib.h>

#include "cloud/surfaces/outline.h"

enum { TRIED = 64, MIN_SHARE = 2000 }; /* points compared per cell; 1 / the share that makes a thing */

/* Return the root of a cell's set, halving the path to it: nearly O(1) on average. */
static int root_of(int *parent, int cell) {
  assert(cell >= 0);
  while (parent[cell] != cell) cell = parent[cell] = parent[parent[cell]];
  return cell;
}

/* Whether two cells have points within a distance, m. Of many points up to TRIED are compared, evenly spaced.
** O(TRIED^2) */
static bool cells_touch(const brio_cloud_cells *cells, const brio_cloud *cloud, int a, int b,
                        double distance) {
  int na = cells->first[a + 1] - cells->first[a], nb = cells->first[b + 1] - cells->first[b];
  int sa = na / TRIED + 1, sb = nb / TRIED + 1;
  for (int i = 0; i < na; i += sa)
    for (int k = 0; k < nb; k += sb) {
      brio_vec3 p = brio_cloud_point(cloud, cells->items[cells->first[a] + i]);
      brio_vec3 d = brio_vec3_sub(p, brio_cloud_point(cloud, cells->items[cells->first[b] + k]));
      if (brio_vec3_dot(d, d) <= distance * distance) return true;
    }
  return false;
}

/* Select the points that may belong to objects: with a plane, those above its outline from `low` to `high` m.
** Copy them to `part`, and their indices in the cloud to `places`. */
static bool choose(brio_cloud *part, bool *keep, int *places, const brio_cloud *cloud,
                   const brio_cloud_clusters_how *how, brio_error *err) {
  double hull[BRIO_CLOUD_HULL][2];
  const brio_cloud_plane *plane = how->above;
  brio_vec3 u = {0, 0, 0}, v = u;
  if (plane) brio_cloud_across(plane->normal, &u, &v);
  /* The outline of the plane in its own two axes. */
  for (int i = 0; plane && i < plane->corners; i++)
    hull[i][0] = brio_vec3_dot(u, plane->hull[i]), hull[i][1] = brio_vec3_dot(v, plane->hull[i]);
  for (int i = 0, count = 0; i < cloud->count; i++) {
    keep[i] = brio_cloud_has(cloud, i);
    /* The height above the plane, and whether its foot point is within the outline. */
    if (plane && keep[i]) {
      brio_vec3 p = brio_cloud_point(cloud, i);
      double height = brio_vec3_dot(plane->normal, p) - plane->offset,
             at[2] = {brio_vec3_dot(u, p), brio_vec3_dot(v, p)};
      keep[i] = height >= how->low && height <= how->high &&
                brio_cloud_outline_outside((const double(*)[2])hull, plane->corners, at) <= 0;
    }
    if (keep[i]) places[count++] = i;
  }
  return brio_cloud_select(part, cloud, keep, err);
}

/* Join cells that touch, and number the sets of enough points, in the order of their first cells, into
** `number`. Return how many there are. O(cells x neighbors) */
static int join_cells(const brio_cloud_cells *cells, const brio_cloud *part,
                      const brio_cloud_clusters_how *how, int *parent, int *number, int *sizes) {
  int count = 0;
  /* Each cell begins as a set of its own. */
  for (int c = 0; c < cells->count; c++) parent[c] = c, sizes[c] = 0, number[c] = -1;
  /* Each pair of neighbors once; points are compared only if the sets still differ. */
  for (int c = 0; c < cells->count; c++)
    for (int k = cells->first_near[c]; k < cells->first_near[c + 1]; k++) {
      int a = root_of(parent, c), b = root_of(parent, cells->near[k]);
      if (cells->near[k] < c || a == b || !cells_touch(cells, part, c, cells->near[k], how->distance))
        continue;
      /* The lower index is the root: sets are numbered in the order of cells. */
      if (a < b)
        parent[b] = a;
      else
        parent[a] = b;
    }
  /* Only the root of a set has its size. */
  for (int c = 0; c < cells->count; c++) sizes[root_of(parent, c)] += cells->first[c + 1] - cells->first[c];
  for (int c = 0; c < cells->count; c++)
    if (parent[c] == c && sizes[c] >= how->least && sizes[c] <= how->most) number[c] = count++;
  return count;
}

/* Describe a cluster by its points `items`: size, pose, center and mean color. `flat` is scratch for `count`
** points. */
static void describe(brio_cloud_cluster *out, const brio_cloud *cloud, const int *items, int count,
                     double (*flat)[2], brio_vec3 up) {
  brio_vec3 u, v, sum = {0, 0, 0};
  double hull[BRIO_CLOUD_HULL][2], middle[2], direction, low = HUGE_VAL, high = -HUGE_VAL,
                                                         color[3] = {0, 0, 0};
  assert(count > 0);
  brio_cloud_across(up, &u, &v);
  /* Height along `up`, and a flat picture across it. */
  for (int i = 0; i < count; i++) {
    brio_vec3 p = brio_cloud_point(cloud, items[i]);
    double z = brio_vec3_dot(up, p);
    sum = brio_vec3_add(sum, p), low = fmin(low, z), high = fmax(high, z);
    flat[i][0] = brio_vec3_dot(u, p), flat[i][1] = brio_vec3_dot(v, p);
    for (int k = 0; cloud->colors && k < 3; k++) color[k] += cloud->colors[items[i]][k] / 255.0;
  }
  /* The least rectangle around the flat picture gives size and direction. */
  int corners = brio_cloud_outline((const double(*)[2])flat, count, hull, BRIO_CLOUD_HULL);
  brio_cloud_outline_rectangle((const double(*)[2])hull, corners, middle, &direction, out->size);
  out->size[2] = high - low, out->count = count, out->center = brio_vec3_scale(1.0 / count, sum);
  for (int k = 0; k < 3; k++) out->color[k] = cloud->colors ? color[k] / count : (double)NAN;
  /* The pose: x along the longer side, z up, the origin in the middle of the box. */
  brio_vec3 x = brio_vec3_add_scaled(brio_vec3_scale(cos(direction), u), sin(direction), v),
            y = brio_vec3_cross(up, x);
  brio_transform t = {{x.x, y.x, up.x, x.y, y.y, up.y, x.z, y.z, up.z},
                      brio_vec3_scale((low + high) / 2, up)};
  t.p = brio_vec3_add_scaled(brio_vec3_add_scaled(t.p, middle[0], u), middle[1], v);
  out->pose = brio_pose_of(&t);
}

/* A set with its number of points, for sorting. */
typedef struct rank {
  int count, set;
} rank;

/* Most points first; equal ones in the order of cells, so that results repeat. */
static int by_count(const void *a, const void *b) {
  const rank *p = a, *q = b;
  return p->count != q->count ? q->count - p->count : p->set - q->set;
}

/* Sort the sets, largest first, and write labels and descriptions. Return false without memory. O(points +
** sets log sets) */
static bool put_in_order(brio_cloud_clusters *found, const brio_cloud *cloud, const brio_cloud_cells *cells,
                         int *parent, const int *number, const int *sizes, const int *places, brio_vec3 up) {
  size_t room = (size_t)found->count + 1, points = (size_t)(cells->first[cells->count]) + 1;
  rank *ranks = malloc(room * sizeof *ranks);
  int *to = malloc(room * sizeof *to), *next = malloc(room * sizeof *next),
      *items = malloc(points * sizeof *items);
  double(*flat)[2] = malloc(points * sizeof *flat);
  bool fine = ranks && to && next && items && flat;
  /* Only cells that are roots of large enough sets have a number. */
  for (int c = 0; fine && c < cells->count; c++)
    if (number[c] >= 0) ranks[number[c]] = (rank){sizes[c], number[c]};
  if (fine) qsort(ranks, (size_t)found->count, sizeof *ranks, by_count);
  /* Each cluster gets a contiguous range of `items`, in the new order. */
  for (int k = 0, start = 0; fine && k < found->count; start += ranks[k++].count)
    to[ranks[k].set] = k, next[k] = start;
  for (int c = 0; fine && c < cells->count; c++) {
    int set = number[root_of(parent, c)];
    for (int i = cells->first[c]; set >= 0 && i < cells->first[c + 1]; i++) {
      int place = places[cells->items[i]];
      found->labels[place] = to[set], items[next[to[set]]++] = place;
    }
  }
  /* next[k] is now the end of cluster k. */
  for (int k = 0; fine && k < found->count; k++)
    describe(&found->clusters[k], cloud, items + next[k] - ranks[k].count, ranks[k].count, flat, up);
  free(ranks);
  free(to);
  free(next);
  free(items);
  free(flat);
  return fine;
}

/* Find the clusters of `part`, whose points have the indices `places` in the cloud. Errors: limit,
** no_memory. */
static bool find_in(brio_cloud_clusters *found, const brio_cloud *cloud, const brio_cloud *part,
                    const int *places, brio_cloud_clusters_how *how, brio_error *err) {
  brio_cloud_cells cells = {0};
  bool told = how->distance > 0;
  if (!told) { /* as many cubes as give four points to each: about twice as wide as points are apart */
    if (!brio_cloud_cells_cut(&cells, part, BRIO_CELLS_CUBES, 0, part->count / 4 + 1, err))
      return brio_cloud_cells_end(&cells), false;
    how->distance = fmax(0.02, 1.25 * cells.size);
    brio_cloud_cells_end(&cells);
  }
  /* Points within the distance are in the same cube or in neighboring ones. */
  if (!brio_cloud_cells_cut(&cells, part, BRIO_CELLS_CUBES, how->distance, 0, err))
    return brio_cloud_cells_end(&cells), false;
  size_t room = (size_t)cells.count + 1;
  int *parent = malloc(room * sizeof *parent), *number = malloc(room * sizeof *number),
      *sizes = malloc(room * sizeof *sizes);
  bool fine = parent && number && sizes;
  if (fine) {
    found->count = join_cells(&cells, part, how, parent, number, sizes);
    found->clusters = malloc(((size_t)found->count + 1) * sizeof *found->clusters);
    fine = found->clusters && put_in_order(found, cloud, &cells, parent, number, sizes, places, how->up);
  }
  free(parent);
  free(number);
  free(sizes);
  brio_cloud_cells_end(&cells);
  return fine || brio_fail(err, BRIO_NO_MEMORY, "no memory for the clusters of %d points", part->count);
}

/* Replace settings that are 0 by their defaults. Errors: misuse. */
static bool complete(brio_cloud_clusters_how *how, int points, brio_error *err) {
  /* Comparisons with NaN are false, so NaN is rejected. */
  if (!(how->distance >= 0) || !isfinite(how->distance) || how->least < 0 || how->most < 0 ||
      !isfinite(how->low) || !isfinite(how->high))
    return brio_fail(err, BRIO_MISUSE, "clusters: distance, least and most must be numbers, 0 or more");
  /* The least size of an object: a MIN_SHARE-th of the points, from 10 to 100. */
  int share = points / MIN_SHARE < 10 ? 10 : points / MIN_SHARE;
  if (how->least == 0) how->least = share < 100 ? share : 100;
  if (how->most == 0) how->most = BRIO_CLOUD_POINTS;
  if (how->above && how->low == 0) how->low = fmax(0.01, 4 * how->above->noise);
  if (how->high == 0) how->high = 0.6;
  if (how->up.x == 0 && how->up.y == 0 && how->up.z == 0)
    how->up = how->above ? how->above->normal : (brio_vec3){0, 0, 1};
  if (!(fabs(brio_vec3_norm(how->up) - 1) < 1e-3))
    return brio_fail(err, BRIO_MISUSE, "clusters: up must be a direction of length 1");
  return true;
}

/* Settings are completed in a copy: those of the caller are not changed. */
bool brio_cloud_clusters_find(brio_cloud_clusters *found, const brio_cloud *cloud,
                              const brio_cloud_clusters_how *given, brio_error *err) {
  brio_cloud_clusters_how how = *given;
  *found = (brio_cloud_clusters){0};
  if (!complete(&how, cloud->count - cloud->missing, err)) return false;
  if (cloud->missing >= cloud->count) return brio_fail(err, BRIO_UNREACHABLE, "the cloud has no points");
  found->labels = malloc(((size_t)cloud->count + 1) * sizeof *found->labels);
  bool *keep = malloc((size_t)cloud->count + 1), told = false;
  int *places = malloc(((size_t)cloud->count + 1) * sizeof *places);
  brio_cloud *part = brio_cloud_new(err);
  bool fine = found->labels && keep && places && part;
  /* -1: in no cluster. */
  for (int i = 0; fine && i < cloud->count; i++) found->labels[i] = -1;
  if (fine) {
    fine = choose(part, keep, places, cloud, &how, err);
    fine = fine && (part->count == 0 || find_in(found, cloud, part, places, &how, err));
    told = !fine;
  }
  free(keep);
  free(places);
  brio_cloud_free(part);
  if (!fine && !told) brio_fail(err, BRIO_NO_MEMORY, "no memory for the clusters of %d points", cloud->count);
  return fine;
}

void brio_cloud_clusters_end(brio_cloud_clusters *found) {
  free(found->clusters);
  free(found->labels);
  *found = (brio_cloud_clusters){0};
}
