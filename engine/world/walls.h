/* Walls of the simulated world: upright solids that block view and motion, with openings. */
#ifndef BRIO_WORLD_WALLS_H
#define BRIO_WORLD_WALLS_H

#include "world/world.h"

enum { BRIO_WALL_GAPS = 8 };

/* An opening: a doorway from the ground up to its height. */
typedef struct brio_wall_gap {
  double at, width, height; /* m: of its middle from the wall's beginning; width, height */
} brio_wall_gap;

typedef struct brio_wall_form {
  const char *id;
  double x0, y0, x1, y1;    /* m: ends */
  double height, thick;     /* m */
  brio_wall_gap gaps[BRIO_WALL_GAPS];
  int ngap;
  float color[3];           /* sRGB; NAN: unknown */
} brio_wall_form;

/* Add a wall.  No detector knows it; depth sensors see it.  Errors: misuse (no length, openings beyond its
** ends or over each other), limit, no_memory. */
bool brio_world_add_wall(brio_world *world, const brio_wall_form *form, brio_error *err);

#endif
