/* Solids that block rays and things in the simulated world: oriented boxes and balls. */
#ifndef BRIO_WORLD_SOLID_H
#define BRIO_WORLD_SOLID_H

#include <stdbool.h>

#include "math/pose.h"

typedef enum { BRIO_SOLID_BOX, BRIO_SOLID_BALL } brio_solid_kind;

typedef struct brio_solid {
  brio_solid_kind kind;
  brio_transform at;      /* world_from_solid: its middle */
  brio_vec3 half;         /* m: half lengths; a ball: x is its radius */
  float color[3];         /* sRGB, 0 to 1; NAN: gray */
  int owner;              /* its owner (world_internal.h) */
  /* it moves: a thing, a door or a person.  A loose ball is separated from other balls in pairs, not as a
  ** solid (things.c) */
  bool loose;
  bool hand;              /* of the robot: it hides others, and pushes by its own rules */
} brio_solid;

/* Return the distance from `origin` along the unit vector `direction` to the surface, m; INFINITY: no hit.
** From within: 0.  `normal` (outward, where it is hit) may be NULL. */
double brio_solid_ray(const brio_solid *solid, brio_vec3 origin, brio_vec3 direction, brio_vec3 *normal);

/* Return how far `point` is from the surface, m, below 0 inside, and the outward normal there. */
double brio_solid_distance(const brio_solid *solid, brio_vec3 point, brio_vec3 *normal);

/* Return the radius of the ball about the solid's middle that holds it. */
double brio_solid_radius(const brio_solid *solid);

#endif
