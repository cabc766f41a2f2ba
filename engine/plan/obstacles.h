/* Obstacles for a walking body: distances from solids to a vertical line through the body. */
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

/* Copies of the solids that reach into the space of a body on ground at `level`: from 0.25 to 1.8 m above
** it.  Lower ones are stepped on or over, higher ones walked under. */
typedef struct brio_obstacles {
  int count;
  struct brio_obstacle_kept *kept;
  double level;
} brio_obstacles;

/* Copy them into memory of the arena.  Errors: misuse (a bad shape or pose), limit, no_memory. */
bool brio_obstacles_take(brio_obstacles *obstacles, brio_arena *arena, const brio_obstacle *list, int count,
                         double level, brio_error *err);

/* Return the distance of the body's line at a point from the nearest one, m; INFINITY: none.  `name` (may be
** NULL) gets its name. */
double brio_obstacles_distance(const brio_obstacles *obstacles, double x, double y, const char **name);

/* Extend a box {least x, least y, most x, most y} so that it contains all of them. */
void brio_obstacles_box(const brio_obstacles *obstacles, double box[4]);

#endif
