/* Ground as a map of heights.
**
** The ground is sampled at 7 by 5 points below a sole. Its plane is fitted to them by least squares, then
** again to those on or above it, until they stay the same or after four rounds: lower points do not
** carry. */
#include <string.h>

#include "plan/ground/ground_internal.h"

enum { ALONG = 7, ACROSS = 5, POINTS = ALONG * ACROSS, ROUNDS = 4 };

/* The height of the nearest cell; false if it is unknown or outside of the map. */
static bool height_at(const brio_height_map *map, double x, double y, double *z) {
  double i = floor((x - map->x) / map->cell + 0.5), j = floor((y - map->y) / map->cell + 0.5);
  if (!(i >= 0 && j >= 0 && i < map->nx && j < map->ny)) return false;
  *z = map->z[(size_t)j * (size_t)map->nx + (size_t)i];
  return !isnan(*z);
}

/* The height of one cell; false if it is unknown, or above `below`. */
bool brio_heights_height(const brio_ground *ground, double x, double y, double below, double *z) {
  return height_at(&ground->map, x, y, z) && *z <= below;
}

/* Solve three linear equations by Gauss-Jordan elimination with partial pivoting; false if they are
** singular. */
static bool solve3(double m[3][4]) {
  for (int k = 0; k < 3; k++) {
    int pivot = k;
    for (int i = k + 1; i < 3; i++)
      if (fabs(m[i][k]) > fabs(m[pivot][k])) pivot = i;
    if (fabs(m[pivot][k]) < 1e-9) return false;
    double row[4];
    /* Swap the rows, then clear column k in the others. */
    memcpy(row, m[k], sizeof row), memcpy(m[k], m[pivot], sizeof row), memcpy(m[pivot], row, sizeof row);
    for (int i = 0; i < 3; i++)
      for (int j = 3; j >= k && i != k; j--) m[i][j] -= m[i][k] / m[k][k] * m[k][j];
  }
  for (int k = 0; k < 3; k++) m[k][3] /= m[k][k];
  return true;
}

/* The plane of least squares through the points that count; about `middle`, for accuracy far from 0. */
static bool fit(double points[][3], const bool *counts, int count, brio_spot middle,
                brio_ground_slope *slope) {
  double m[3][4] = {{0}};
  for (int p = 0; p < count; p++) {
    double row[4] = {points[p][0] - middle.x, points[p][1] - middle.y, 1, points[p][2]};
    for (int i = 0; i < 3 && counts[p]; i++)
      for (int j = 0; j < 4; j++) m[i][j] += row[i] * row[j];
  }
  if (!solve3(m)) return false;
  *slope = (brio_ground_slope){m[0][3], m[1][3], m[2][3] - m[0][3] * middle.x - m[1][3] * middle.y};
  return true;
}

/* Mark the points that count: those not below a plane by more than `bump`. Return whether any changed. */
static bool drop_low(double points[][3], bool *counts, int count, brio_ground_slope slope, double bump) {
  bool changed = false;
  for (int p = 0; p < count; p++) {
    bool keep = points[p][2] - brio_slope_at(slope, points[p][0], points[p][1]) > -bump;
    changed = changed || keep != counts[p];
    counts[p] = keep;
  }
  return changed;
}

/* Sample the ground below a sole; unknown points are left out. */
static int look(const brio_ground *ground, const brio_plan_settings *settings, brio_spot spot,
                double points[][3]) {
  int count = 0;
  for (int i = 0; i < ALONG; i++)
    for (int j = 0; j < ACROSS; j++) {
      brio_spot at = brio_spot_at(spot, ((i + 0.5) / ALONG - 0.5) * settings->foot_length,
                                  ((j + 0.5) / ACROSS - 0.5) * settings->foot_width, 0);
      double z;
      if (!height_at(&ground->map, at.x, at.y, &z)) continue;
      memcpy(points[count++], (double[]){at.x, at.y, z}, sizeof points[0]);
    }
  return count;
}

/* O(ROUNDS * POINTS). `why` is the reason where the result is false. */
bool brio_heights_carry(const brio_ground *ground, const brio_plan_settings *settings, brio_spot spot,
                        brio_ground_slope *slope, double *area, const char **why) {
  double points[POINTS][3];
  bool counts[POINTS];
  int count = look(ground, settings, spot, points), on = 0;
  /* Points of unknown height count as missing area. */
  *why = "the ground there is not known";
  if (count < settings->least_area * POINTS) return false;
  for (int p = 0; p < count; p++) counts[p] = true;
  *why = "it is too rough";
  for (int round = 0; round < ROUNDS; round++) {
    /* Too few points, or all on a line, give no plane. */
    if (!fit(points, counts, count, spot, slope)) return false;
    if (!drop_low(points, counts, count, *slope, settings->bump)) break;
  }
  /* A point that sticks out lifts the sole off the plane; the others near the plane carry it. */
  for (int p = 0; p < count; p++) {
    double off = points[p][2] - brio_slope_at(*slope, points[p][0], points[p][1]);
    if (off > settings->bump) return false;
    on += off >= -settings->bump;
  }
  /* The area is the share of all points that lie on the plane. */
  *area = (double)on / POINTS;
  *why = "too little of the sole would be on it";
  return *area >= settings->least_area;
}
