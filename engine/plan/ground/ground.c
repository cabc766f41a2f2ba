/* Ground as a whole: regions if there are any, else heights, else a level floor. */
#include "plan/ground/ground.h"

#include <stdlib.h>
#include <string.h>

#include "plan/ground/ground_internal.h"

#define FARTHEST 1e5 /* m: of corners and heights */

/* A level floor, until there are regions or heights. */
brio_ground *brio_ground_new(double level, brio_error *err) {
  if (!(fabs(level) <= FARTHEST)) {
    brio_fail(err, BRIO_MISUSE, "the floor's level must be within %g m, not %g", FARTHEST, level);
    return NULL;
  }
  brio_ground *ground = calloc(1, sizeof *ground);
  if (!ground) {
    brio_fail(err, BRIO_NO_MEMORY, "no memory for the ground");
    return NULL;
  }
  ground->level = level;
  brio_arena_start(&ground->arena, 1 << 14);
  return ground;
}

/* Corners of regions are in the arena; the list of regions and the heights are not. */
void brio_ground_free(brio_ground *ground) {
  if (!ground) return;
  brio_arena_end(&ground->arena);
  free(ground->regions);
  free(ground->heights);
  free(ground);
}

/* O(cells): the map is copied. */
bool brio_ground_set_heights(brio_ground *ground, const brio_height_map *map, brio_error *err) {
  /* Written so that NaN is rejected, too. */
  if (!(map->cell > 1e-4 && map->cell <= 10 && fabs(map->x) <= FARTHEST && fabs(map->y) <= FARTHEST))
    return brio_fail(err, BRIO_MISUSE,
                     "a map of heights needs a place, and cells from 0.0001 to 10 m, not %g", map->cell);
  if (map->nx < 1 || map->ny < 1)
    return brio_fail(err, BRIO_MISUSE, "a map of heights needs at least a cell");
  /* Dividing avoids the overflow of nx * ny. */
  if (map->nx > BRIO_GROUND_CELLS / map->ny)
    return brio_fail(err, BRIO_LIMIT, "a map of heights may have %d cells, not %d times %d",
                     BRIO_GROUND_CELLS, map->nx, map->ny);
  size_t count = (size_t)map->nx * (size_t)map->ny;
  /* NaN is an unknown height, infinity is an error. */
  for (size_t i = 0; i < count; i++)
    if (!isnan(map->z[i]) && !(fabs(map->z[i]) <= FARTHEST))
      return brio_fail(err, BRIO_MISUSE, "a height must be within %g m or NaN, not %g", FARTHEST, map->z[i]);
  /* The old map stays if there is no memory for the new one. */
  double *z = malloc(count * sizeof *z);
  if (!z) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a map of %zu heights", count);
  memcpy(z, map->z, count * sizeof *z);
  free(ground->heights);
  ground->map = *map;
  ground->map.z = ground->heights = z;
  return true;
}

/* Ground above `below` does not count: a table is no ground for a foot under it. */
bool brio_ground_height(const brio_ground *ground, double x, double y, double below, double *z) {
  if (ground && ground->nregion > 0) return brio_regions_height(ground, x, y, below, z);
  if (ground && ground->heights) return brio_heights_height(ground, x, y, below, z);
  /* Without any ground there is a level floor at 0. */
  *z = ground ? ground->level : 0;
  return *z <= below;
}

/* Where the corners of a sole are, seen from above, m. */
void brio_sole_corners(const brio_plan_settings *settings, brio_spot spot, double corners[4][2]) {
  /* Counterclockwise from the front left corner, which cutting along the sides relies on. */
  static const double signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  double c = cos(spot.yaw), s = sin(spot.yaw);
  for (int i = 0; i < 4; i++) {
    double x = signs[i][0] * settings->foot_length / 2, y = signs[i][1] * settings->foot_width / 2;
    corners[i][0] = spot.x + c * x - s * y;
    corners[i][1] = spot.y + s * x + c * y;
  }
}

/* The pose of a sole on a plane: its z axis is the plane's normal, its x axis lies above the heading. */
static brio_pose pose_on(brio_ground_slope slope, brio_spot spot) {
  /* The normal of  z = a x + b y + c  is along (-a, -b, 1). */
  brio_vec3 z = brio_vec3_unit((brio_vec3){-slope.a, -slope.b, 1}, (brio_vec3){0, 0, 1});
  double c = cos(spot.yaw), s = sin(spot.yaw);
  brio_vec3 x = brio_vec3_unit((brio_vec3){c, s, slope.a * c + slope.b * s}, (brio_vec3){1, 0, 0});
  brio_vec3 y = brio_vec3_cross(z, x);
  double r[9] = {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
  return (brio_pose){{spot.x, spot.y, brio_slope_at(slope, spot.x, spot.y)}, brio_quat_from_matrix(r)};
}

/* Plane and area come from regions or heights; a floor carries the whole sole. */
bool brio_ground_foothold(const brio_ground *ground, const brio_plan_settings *settings, brio_spot spot,
                          brio_foothold *foothold, const char **why) {
  brio_ground_slope slope = {0, 0, ground ? ground->level : 0};
  double area = 1;
  if (ground && ground->nregion > 0) {
    if (!brio_regions_carry(ground, settings, spot, &slope, &area, why)) return false;
  } else if (ground && ground->heights && !brio_heights_carry(ground, settings, spot, &slope, &area, why)) {
    return false;
  }
  /* A plane that is too steep carries no foot, however much of the sole is on it. */
  if (brio_slope_angle(slope) > settings->most_slope) {
    *why = "it is too steep";
    return false;
  }
  *foothold = (brio_foothold){pose_on(slope, spot), area};
  return true;
}
