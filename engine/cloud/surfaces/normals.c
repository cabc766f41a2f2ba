/* Normals: the plane through a point's neighbors by least squares (Hoppe et al., "Surface reconstruction from
** unorganized points", 1992; Klasing et al., "Comparison of surface normal estimation methods", 2009).
** Neighbors come from the picture of an organized cloud, otherwise from cells. O(points), with at most some
** 50 neighbors each. */
#include "cloud/surfaces/normals.h"

#include <assert.h>

#include "cloud/surfaces/cells.h"

enum { HALF = 3, TRIED = 48, MIN_POINTS = 5 };

static const double LEAP =
    4; /* a neighbor farther than this many distances between pixels is on another surface */

/* Write the normal from the moments about a point, directed to the sensor; NAN: it is undefined, as for
** points on a line. */
static void write(float normal[3], const brio_cloud_moments *sums, brio_vec3 to_sensor) {
  brio_cloud_spread spread;
  normal[0] = normal[1] = normal[2] = NAN;
  if (!brio_cloud_spread_of(sums, MIN_POINTS, &spread) || !(spread.variance[1] > 1e-3 * spread.variance[2]))
    return;
  /* Of the two unit normals, the one on the sensor's side. */
  double sign = brio_vec3_dot(spread.axis[0], to_sensor) < 0 ? -1 : 1;
  normal[0] = (float)(sign * spread.axis[0].x), normal[1] = (float)(sign * spread.axis[0].y);
  normal[2] = (float)(sign * spread.axis[0].z);
}

/* The distance to the nearest of the up to four pixels next to a place, m; infinite: none of them has a
** point. */
static double pixel_apart(const brio_cloud *cloud, int place) {
  int row = place / cloud->width, column = place % cloud->width;
  double least = HUGE_VAL;
  for (int k = 0; k < 4; k++) {
    int r = row + (k == 0) - (k == 1), c = column + (k == 2) - (k == 3), other = r * cloud->width + c;
    if (r < 0 || c < 0 || r >= cloud->height || c >= cloud->width || !brio_cloud_has(cloud, other)) continue;
    brio_vec3 d = brio_vec3_sub(brio_cloud_point(cloud, other), brio_cloud_point(cloud, place));
    least = fmin(least, brio_vec3_norm(d));
  }
  return least;
}

/* Sum up the pixels around a place: those within `radius` m, or without a radius (0) within LEAP. */
static brio_cloud_moments around_pixel(const brio_cloud *cloud, int place, double radius) {
  brio_cloud_moments sums = {0};
  /* Moments are about the point itself, so rounding is relative to the size of the neighborhood. */
  brio_vec3 p = brio_cloud_point(cloud, place);
  double apart = radius > 0 ? 0 : pixel_apart(cloud, place);
  int row = place / cloud->width, column = place % cloud->width;
  for (int r = row - HALF; r <= row + HALF; r++)
    for (int c = column - HALF; c <= column + HALF; c++) {
      if (r < 0 || c < 0 || r >= cloud->height || c >= cloud->width ||
          !brio_cloud_has(cloud, r * cloud->width + c))
        continue;
      brio_vec3 d = brio_vec3_sub(brio_cloud_point(cloud, r * cloud->width + c), p);
      /* The distance in pixels: points of one surface are farther apart the more pixels are between them. */
      double steps = sqrt((double)((r - row) * (r - row) + (c - column) * (c - column)));
      double most = radius > 0 ? radius : LEAP * apart * steps;
      if (brio_vec3_dot(d, d) <= most * most) brio_cloud_moments_add(&sums, d, 1);
    }
  return sums;
}

/* Sum up the points within `radius` m of a place; of many, about TRIED are used. */
static brio_cloud_moments around_point(const brio_cloud *cloud, const brio_cloud_cells *cells, int place,
                                       double radius) {
  brio_cloud_moments sums = {0};
  brio_vec3 p = brio_cloud_point(cloud, place);
  assert(cells->of[place] >= 0 && cells->of[place] < cells->count);
  int cell = cells->of[place], all = (int)cells->wide[cell].count, stride = all / TRIED + 1;
  /* The point's own cell, then the cells next to it. */
  for (int k = cells->first_near[cell] - 1; k < cells->first_near[cell + 1]; k++) {
    int c = k < cells->first_near[cell] ? cell : cells->near[k];
    for (int i = cells->first[c]; i < cells->first[c + 1]; i += stride) {
      brio_vec3 d = brio_vec3_sub(brio_cloud_point(cloud, cells->items[i]), p);
      if (brio_vec3_dot(d, d) <= radius * radius) brio_cloud_moments_add(&sums, d, 1);
    }
  }
  return sums;
}

bool brio_cloud_normals(float (*normals)[3], const brio_cloud *cloud, double radius, brio_error *err) {
  brio_cloud_cells cells = {0};
  if (!(radius >= 0) || !isfinite(radius))
    return brio_fail(err, BRIO_MISUSE, "normals: the radius must be a length in m, not %g", radius);
  /* An organized cloud needs no cells. */
  bool picture = cloud->height > 1;
  if (cloud->missing >= cloud->count) return brio_fail(err, BRIO_UNREACHABLE, "the cloud has no points");
  if (!picture && !brio_cloud_cells_cut(&cells, cloud, BRIO_CELLS_CUBES, radius, cloud->count / 8 + 1, err))
    return brio_cloud_cells_end(&cells), false;
  for (int i = 0; i < cloud->count; i++) {
    normals[i][0] = normals[i][1] = normals[i][2] = NAN;
    if (!brio_cloud_has(cloud, i) || (!picture && cells.of[i] < 0)) continue;
    brio_cloud_moments sums = picture ? around_pixel(cloud, i, radius)
                                      : around_point(cloud, &cells, i, radius > 0 ? radius : cells.size);
    write(normals[i], &sums, brio_vec3_sub(cloud->viewpoint.p, brio_cloud_point(cloud, i)));
  }
  brio_cloud_cells_end(&cells);
  return true;
}
