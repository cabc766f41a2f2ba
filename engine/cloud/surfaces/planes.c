/* From flat regions of cells to planes of points: each point is assigned to its nearest plane, each plane is
** fitted to its points with less weight for distant ones (Tukey's biweight), and gets its hull and least
** rectangle. */
#include "cloud/surfaces/planes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cloud/surfaces/outline.h"
#include "cloud/surfaces/regions.h"

enum { WANTED_CELLS = 6000, MIN_POINTS = 50, FITS = 3 };

static const double FLATTEST_BLOB = 0.05; /* of its lesser extent, squared: as thick as a plane may be */
static const double MAX_LAYERED = 0.25; /* share of points with others behind them, of what one sensor saw */
static const double WIDEST_RAY = 0.1;    /* wider ones, for few points all around, tell less than cubes */

/* The state of a search. */
typedef struct finder {
  const brio_cloud *cloud;
  const brio_cloud_planes_how *how;
  brio_cloud_planes *found;
  brio_cloud_region *regions; /* from the origin of the cells */
  int *cell_label;
  int count;
} finder;

/* The distance that a point may have from its plane, m: as set, or three times the noise at the point. */
static double allowed(const finder *f, brio_vec3 p) {
  const brio_cloud_noise *noise = &f->found->noise;
  return f->how->tolerance > 0 ? f->how->tolerance : 3 * brio_cloud_noise_at(noise, p) + noise->floor;
}

/* Label each point with the nearest plane among those of its cell and the cell's neighbors, within the
** allowed distance. O(points * planes of a neighborhood) */
static void label_points(finder *f) {
  const brio_cloud_cells *cells = &f->found->cells;
  for (int i = 0; i < f->cloud->count; i++) f->found->labels[i] = -1;
  for (int c = 0; c < cells->count; c++) {
    /* The different labels of the cell and its neighbors. */
    int near[32], count = 0;
    for (int k = cells->first_near[c] - 1; k < cells->first_near[c + 1]; k++) {
      int label = f->cell_label[k < cells->first_near[c] ? c : cells->near[k]];
      bool new = label >= 0;
      for (int n = 0; n < count; n++) new = new &&near[n] != label;
      if (new) near[count++] = label;
    }
    assert(count <= 32);
    if (count == 0) continue;
    /* The allowed distance hardly changes within a cell. */
    double most = allowed(f, brio_cloud_cells_center(cells, c));
    for (int k = cells->first[c]; k < cells->first[c + 1]; k++) {
      brio_vec3 p = brio_cloud_cells_point(cells, f->cloud, cells->items[k]);
      double least = most;
      for (int n = 0; n < count; n++) {
        const brio_cloud_region *region = &f->regions[near[n]];
        double off = fabs(brio_vec3_dot(region->normal, p) - region->offset);
        if (off <= least) least = off, f->found->labels[cells->items[k]] = near[n];
      }
    }
  }
}

/* Fit all planes to their points again. Weights fall smoothly to 0 at 1.5 times the allowed distance.
** O(points) */
static void refit(finder *f) {
  for (int r = 0; r < f->count; r++) f->regions[r].sums = (brio_cloud_moments){0};
  for (int i = 0; i < f->cloud->count; i++) {
    if (f->found->labels[i] < 0) continue;
    brio_cloud_region *region = &f->regions[f->found->labels[i]];
    /* Tukey's biweight, (1 - u^2)^2 within |u| < 1. */
    brio_vec3 p = brio_cloud_cells_point(&f->found->cells, f->cloud, i);
    double u = (brio_vec3_dot(region->normal, p) - region->offset) / (1.5 * allowed(f, p) + 1e-12);
    double weight = u * u < 1 ? (1 - u * u) * (1 - u * u) : 0;
    brio_cloud_moments_add(&region->sums, p, weight);
  }
  /* The normal is the axis of least variance. */
  for (int r = 0; r < f->count; r++) {
    brio_cloud_spread spread;
    if (!brio_cloud_spread_of(&f->regions[r].sums, 3, &spread)) continue;
    f->regions[r].normal = spread.axis[0];
    f->regions[r].offset = brio_vec3_dot(spread.axis[0], spread.center);
  }
}

/* Write the plane of region r without its outline. Return false if it does not meet the settings, or is no
** plane. */
static bool describe(const finder *f, int r, brio_cloud_plane *plane) {
  const brio_cloud_region *region = &f->regions[r];
  brio_cloud_spread spread;
  if (!brio_cloud_spread_of(&region->sums, 3, &spread)) return false;
  /* The normal points towards the sensor. */
  brio_vec3 to = brio_vec3_sub(f->found->noise.sensor, spread.center), normal = region->normal;
  if (brio_vec3_dot(normal, to) < 0) normal = brio_vec3_scale(-1, normal);
  /* tilt: the angle from level; lean: the angle from upright. */
  double slope = fabs(brio_vec3_dot(normal, f->how->up));
  if (f->how->tilt > 0 && slope < cos(f->how->tilt)) return false;
  if (f->how->lean > 0 && slope > sin(f->how->lean)) return false;
  /* Too thick for a plane. */
  if (!(spread.variance[0] < FLATTEST_BLOB * spread.variance[1])) return false;
  *plane =
      (brio_cloud_plane){.normal = normal, .noise = brio_cloud_noise_at(&f->found->noise, spread.center)};
  plane->offset = brio_vec3_dot(normal, spread.center) + brio_vec3_dot(normal, f->found->cells.origin);
  return true;
}

/* Write the outline of a plane from its points, given as `flat` (coordinates along the axes u, v): hull, area
** and least rectangle, whose longer side is the pose's x axis. */
static void draw(brio_cloud_plane *plane, const double (*flat)[2], int count, brio_vec3 base, brio_vec3 u,
                 brio_vec3 v) {
  double hull[BRIO_CLOUD_HULL][2], middle[2], direction;
  plane->corners = brio_cloud_outline(flat, count, hull, BRIO_CLOUD_HULL);
  const double(*corners)[2] = (const double(*)[2])hull;
  plane->area = brio_cloud_outline_area(corners, plane->corners);
  brio_cloud_outline_rectangle(corners, plane->corners, middle, &direction, plane->size);
  for (int i = 0; i < plane->corners; i++)
    plane->hull[i] = brio_vec3_add_scaled(brio_vec3_add_scaled(base, hull[i][0], u), hull[i][1], v);
  brio_vec3 x = brio_vec3_add_scaled(brio_vec3_scale(cos(direction), u), sin(direction), v);
  brio_vec3 y = brio_vec3_cross(plane->normal, x), z = plane->normal;
  /* Columns of the rotation: x along the longer side, z the normal. */
  brio_transform t = {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}, {0, 0, 0}};
  t.p = brio_vec3_add_scaled(brio_vec3_add_scaled(base, middle[0], u), middle[1], v);
  plane->pose = brio_pose_of(&t);
}

/* Write count, error (root mean square, m) and outline of a plane from the points `items` of the cloud.
** `flat` is scratch. */
static void measure(const finder *f, brio_cloud_plane *plane, const int *items, int count,
                    double (*flat)[2]) {
  assert(count > 0);
  brio_vec3 u, v, base = brio_vec3_scale(plane->offset, plane->normal);
  double square = 0;
  brio_cloud_across(plane->normal, &u, &v);
  for (int i = 0; i < count; i++) {
    brio_vec3 p = brio_cloud_point(f->cloud, items[i]);
    double off = brio_vec3_dot(plane->normal, p) - plane->offset;
    square += off * off;
    flat[i][0] = brio_vec3_dot(u, p), flat[i][1] = brio_vec3_dot(v, p);
  }
  plane->count = count;
  plane->error = sqrt(square / count);
  draw(plane, (const double(*)[2])flat, count, base, u, v);
}

/* A region with its number of points, for sorting. */
typedef struct rank {
  int count, region;
} rank;

/* Most points first; equal ones in the order of regions, so that results repeat. */
static int by_count(const void *a, const void *b) {
  const rank *p = a, *q = b;
  return p->count != q->count ? q->count - p->count : p->region - q->region;
}

/* List the points of each region: those of r are items[first[r]] up to items[first[r + 1]]. A counting sort,
** O(points). */
static void sort_points(const finder *f, int *first, int *items) {
  for (int i = 0; i < f->cloud->count; i++)
    if (f->found->labels[i] >= 0) first[f->found->labels[i] + 2]++;
  for (int r = 0; r < f->count; r++) first[r + 2] += first[r + 1];
  for (int i = 0; i < f->cloud->count; i++)
    if (f->found->labels[i] >= 0) items[first[f->found->labels[i] + 1]++] = i;
}

/* Describe the regions, largest first, and renumber the labels in that order; labels of dropped regions
** become -1. */
static void put_in_order(finder *f, const int *first, const int *items, double (*flat)[2]) {
  rank ranks[BRIO_CLOUD_REGIONS];
  int here = f->cloud->count - f->cloud->missing, to[BRIO_CLOUD_REGIONS];
  int most = f->how->most > 0 && f->how->most < BRIO_CLOUD_PLANES ? f->how->most : BRIO_CLOUD_PLANES;
  /* By default half a percent of the points make a plane, at least MIN_POINTS. */
  int least = f->how->least > 0 ? f->how->least : here / 200 > MIN_POINTS ? here / 200 : MIN_POINTS;
  for (int r = 0; r < f->count; r++) {
    ranks[r] = (rank){.count = first[r + 1] - first[r], .region = r};
    to[r] = -1;
  }
  /* cppcheck-suppress uninitvar ; the loop above fills f->count of them */
  qsort(ranks, (size_t)f->count, sizeof *ranks, by_count);
  for (int k = 0; k < f->count && f->found->count < most; k++) {
    int r = ranks[k].region;
    brio_cloud_plane *plane = &f->found->planes[f->found->count];
    /* Too few points, or not as the settings want it. */
    if (ranks[k].count < least || !describe(f, r, plane)) continue;
    measure(f, plane, items + first[r], ranks[k].count, flat);
    to[r] = f->found->count++;
  }
  for (int i = 0; i < f->cloud->count; i++)
    if (f->found->labels[i] >= 0) f->found->labels[i] = to[f->found->labels[i]];
}

/* Check the settings. Comparisons with NaN are false, so NaN is rejected. Errors: misuse. */
static bool check(const brio_cloud_planes_how *how, brio_error *err) {
  if (!(how->tolerance >= 0) || !isfinite(how->tolerance) || !isfinite(how->gap) || !(how->tilt >= 0) ||
      !(how->lean >= 0) || how->least < 0 || how->most < 0)
    return brio_fail(err, BRIO_MISUSE,
                     "planes: tolerance, tilt, lean, least and most must be numbers, 0 or more");
  if ((how->tilt > 0 || how->lean > 0) && !(fabs(brio_vec3_norm(how->up) - 1) < 1e-3))
    return brio_fail(err, BRIO_MISUSE, "planes: tilt and lean need `up`, a direction of length 1");
  return true;
}

/* Find and fit all planes, in memory allocated by the caller. False: no memory. */
static bool find(finder *f, int *first, int *items, double (*flat)[2]) {
  int here = f->cloud->count - f->cloud->missing;
  int least = f->how->least > 0 ? f->how->least : here / 200 > MIN_POINTS ? here / 200 : MIN_POINTS;
  double gap = f->how->gap < 0 || f->how->gap > 0 ? f->how->gap : 0.25;
  f->count =
      brio_cloud_regions_grow(&f->found->cells, &f->found->noise, gap, least, f->regions, f->cell_label);
  if (f->count < 0) return false;
  /* Labels depend on planes and planes on labels: a few rounds make both stable. */
  for (int k = 0; k < FITS; k++) {
    label_points(f);
    refit(f);
  }
  sort_points(f, first, items);
  put_in_order(f, first, items, flat);
  return true;
}

/* Order of doubles for qsort. */
static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The upper quartile of the noise over all distances, m. */
static double upper_noise(const brio_cloud_noise *noise) {
  double sigma[BRIO_CLOUD_NOISE_BINS];
  memcpy(sigma, noise->sigma, sizeof sigma);
  qsort(sigma, (size_t)noise->count, sizeof *sigma, by_size);
  return noise->count > 0 ? sigma[noise->count * 3 / 4] : 0;
}

/* Divide the cloud in one way and measure its noise. Errors: as brio_cloud_cells_cut. */
static bool cut_as(brio_cloud_planes *found, const brio_cloud *cloud, brio_cloud_way way, double size,
                   brio_error *err) {
  brio_cloud_cells_end(&found->cells);
  return brio_cloud_cells_cut(&found->cells, cloud, way, size, WANTED_CELLS, err) &&
         brio_cloud_noise_measure(&found->noise, cloud, &found->cells, err);
}

/* Divide the cloud by its picture; without one, by rays from its sensor; if it was seen from many sides, into
** cubes. Cubes are made again, larger, if they are so small that noise splits planes into layers. */
static bool cut(brio_cloud_planes *found, const brio_cloud *cloud, brio_error *err) {
  if (cloud->height > 1) return cut_as(found, cloud, BRIO_CELLS_BLOCKS, 0, err);
  if (!cut_as(found, cloud, BRIO_CELLS_RAYS, 0, err)) return false;
  if (found->cells.layered < MAX_LAYERED && found->cells.step < WIDEST_RAY) return true;
  if (!cut_as(found, cloud, BRIO_CELLS_CUBES, 0, err)) return false;
  double thick = fmin(5 * upper_noise(&found->noise), 4 * found->cells.size);
  return thick <= found->cells.size || cut_as(found, cloud, BRIO_CELLS_CUBES, thick, err);
}

bool brio_cloud_planes_find(brio_cloud_planes *found, const brio_cloud *cloud,
                            const brio_cloud_planes_how *how, brio_error *err) {
  *found = (brio_cloud_planes){0};
  if (!check(how, err) || !cut(found, cloud, err)) return false;
  /* A given tolerance replaces the measured noise. */
  if (how->tolerance > 0) brio_cloud_noise_told(&found->noise, how->tolerance / 3);
  /* Room for all valid points. */
  size_t here = (size_t)(cloud->count - cloud->missing) + 1;
  finder f = {.cloud = cloud, .how = how, .found = found};
  found->planes = malloc(BRIO_CLOUD_PLANES * sizeof *found->planes);
  found->labels = malloc((size_t)cloud->count * sizeof *found->labels);
  f.regions = malloc(BRIO_CLOUD_REGIONS * sizeof *f.regions);
  f.cell_label = malloc(((size_t)found->cells.count + 1) * sizeof *f.cell_label);
  int *first = calloc(BRIO_CLOUD_REGIONS + 3, sizeof *first), *items = malloc(here * sizeof *items);
  double(*flat)[2] = malloc(here * sizeof *flat);
  bool fine = found->planes && found->labels && f.regions && f.cell_label && first && items && flat &&
              find(&f, first, items, flat);
  free(f.regions);
  free(f.cell_label);
  free(first);
  free(items);
  free(flat);
  return fine ||
         brio_fail(err, BRIO_NO_MEMORY, "no memory to find planes in a cloud of %d points", cloud->count);
}

void brio_cloud_planes_end(brio_cloud_planes *found) {
  free(found->planes);
  free(found->labels);
  brio_cloud_cells_end(&found->cells);
  *found = (brio_cloud_planes){0};
}

/* The distance of a point's foot point from the hull (0: inside). The hull is projected onto the plane again,
** as planes store it in space. O(corners) */
double brio_cloud_plane_beside(const brio_cloud_plane *plane, brio_vec3 point, double *height) {
  double hull[BRIO_CLOUD_HULL][2], at[2];
  assert(plane->corners <= BRIO_CLOUD_HULL);
  brio_vec3 u, v;
  brio_cloud_across(plane->normal, &u, &v);
  for (int i = 0; i < plane->corners; i++)
    hull[i][0] = brio_vec3_dot(u, plane->hull[i]), hull[i][1] = brio_vec3_dot(v, plane->hull[i]);
  at[0] = brio_vec3_dot(u, point), at[1] = brio_vec3_dot(v, point);
  if (height) *height = brio_vec3_dot(plane->normal, point) - plane->offset;
  return brio_cloud_outline_outside((const double(*)[2])hull, plane->corners, at);
}
