/* The ground to walk on: planar regions, which are polygons in space, or a map of heights; without either a
** level floor.  Queries: its height, and the pose of a sole on it.
**
** All is seen from above.  A region steeper than 60 degrees is a wall, not ground.  Where regions lie above
** each other, the highest with enough room for a sole carries it, unless a higher one obstructs the sole. */
#ifndef BRIO_PLAN_GROUND_GROUND_H
#define BRIO_PLAN_GROUND_GROUND_H

#include "plan/foot.h"
#include "plan/settings.h"

typedef struct brio_ground brio_ground;

enum { BRIO_GROUND_REGIONS = 1000, BRIO_GROUND_CORNERS = 200, BRIO_GROUND_CELLS = 4000000 };

/* A map of heights: cell (i, j) is about (x + i cell, y + j cell); NAN: unknown. */
typedef struct brio_height_map {
  double x, y, cell;    /* m */
  int nx, ny;
  const double *z;      /* nx * ny, row j after row; m */
} brio_height_map;

/* Support of a sole. */
typedef struct brio_foothold {
  brio_pose pose;       /* of the sole: on the ground, with its tilt */
  double area;          /* share of its area on the plane, 0 to 1 */
} brio_foothold;

/* Create ground that is a floor at `level` m, until regions or heights are set.  Errors: misuse,
** no_memory. */
brio_ground *brio_ground_new(double level, brio_error *err);
/* Free it.  NULL is allowed. */
void brio_ground_free(brio_ground *ground);

/* Add a region: the corners of a polygon (world, m), 3 to 200, in order around it, no farther than 5 cm from
** a plane.  Walls are accepted and carry nothing.  Errors: misuse, limit, no_memory. */
bool brio_ground_add_region(brio_ground *ground, const brio_vec3 *corners, int count, brio_error *err);

/* Set a map of heights, which is copied and replaces the one before.  Errors: misuse, limit, no_memory. */
bool brio_ground_set_heights(brio_ground *ground, const brio_height_map *map, brio_error *err);

/* Find the height of the highest ground below or at `below` (m) at a point; false if none is known.
** `ground` NULL: a floor at 0. */
bool brio_ground_height(const brio_ground *ground, double x, double y, double below, double *z);

/* Find the support of a sole at a place.  False if there is none: `why` gets the reason, a text that does not
** name the place.  `ground` NULL: a floor at 0.  Allocates nothing. */
bool brio_ground_foothold(const brio_ground *ground, const brio_plan_settings *settings, brio_spot spot,
                          brio_foothold *foothold, const char **why);

#endif
