/* What is in the way of a body that walks: solids, as an upright line through the body sees them. */
#ifndef BRIO_PLAN_OBSTACLES_H
#define BRIO_PLAN_OBSTACLES_H

#include "base/arena.h"
#include "geometry/distance.h"
#include "plan/foot.h"

enum { BRIO_OBSTACLES = 1000, BRIO_OBSTACLE_NAME = 48 };

typedef struct brio_obstacle {
  const char *name;      /* for sentences; NULL: none */
  brio_shape shape;
  brio_pose pose;        /* in the world */
} brio_obstacle;

/* A copy of solids that reach into the space of a body on ground at `level`: from 0.25 to 1.8 m above it.
** What is lower is stepped on or over, what is higher walked under. */
typedef struct brio_obstacles {
  int count;
  struct brio_obstacle_kept *kept;
  double level;
} brio_obstacles;

/* Copy them into memory of the arena.  Errors: misuse (a bad shape or pose), limit, no_memory. */
bool brio_obstacles_take(brio_obstacles *obstacles, brio_arena *arena, const brio_obstacle *list, int count,
                         double level, brio_error *err);

/* Return how far the body's line at a point is from the nearest, m; INFINITY: there is none.  `name` (may be
** NULL) gets its name. */
double brio_obstacles_distance(const brio_obstacles *obstacles, double x, double y, const char **name);

/* Widen a box {least x, least y, most x, most y} so that all of them are in it. */
void brio_obstacles_box(const brio_obstacles *obstacles, double box[4]);

#endif
