/* The parts of ground, shared by its own files. */
#ifndef BRIO_PLAN_GROUND_GROUND_INTERNAL_H
#define BRIO_PLAN_GROUND_GROUND_INTERNAL_H

#include "base/arena.h"
#include "plan/ground/ground.h"

/* A plane over the ground: z = a x + b y + c. */
typedef struct brio_ground_slope {
  double a, b, c;
} brio_ground_slope;

typedef struct brio_region {
  int count;
  const brio_vec3 *corners;
  brio_ground_slope slope;
  bool wall;
  double lower[2], upper[2];  /* of the box around it, seen from above */
} brio_region;

struct brio_ground {
  double level;
  int nregion, room;
  brio_region *regions;
  brio_height_map map;        /* z NULL: none */
  double *heights;
  brio_arena arena;
};

/* Return how high a plane is over a point. */
static inline double brio_slope_at(brio_ground_slope slope, double x, double y) {
  return slope.a * x + slope.b * y + slope.c;
}

/* Return how steep a plane is, rad. */
static inline double brio_slope_angle(brio_ground_slope slope) { return atan(hypot(slope.a, slope.b)); }

/* Write the corners of a sole, seen from above, in order around it. */
void brio_sole_corners(const brio_plan_settings *settings, brio_spot spot, double corners[4][2]);

/* Find the support of a sole on regions, or on the map of heights: its plane and its area. */
bool brio_regions_carry(const brio_ground *ground, const brio_plan_settings *settings, brio_spot spot,
                        brio_ground_slope *slope, double *area, const char **why);
bool brio_heights_carry(const brio_ground *ground, const brio_plan_settings *settings, brio_spot spot,
                        brio_ground_slope *slope, double *area, const char **why);

/* The same of their height at a point. */
bool brio_regions_height(const brio_ground *ground, double x, double y, double below, double *z);
bool brio_heights_height(const brio_ground *ground, double x, double y, double below, double *z);

#endif
