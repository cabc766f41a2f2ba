/* Solid shapes: plain data shared by a robot's links, the scene's objects and the proximity queries.  The
** frame is the middle of the solid, or on the surface of a half-space. */
#ifndef BRIO_MATH_SHAPE_H
#define BRIO_MATH_SHAPE_H

#include "math/vec.h"

typedef enum brio_shape_kind {
  BRIO_SHAPE_SPHERE,   /* size.x: radius */
  BRIO_SHAPE_CAPSULE,  /* size.x: radius, size.z: length of the cylindrical part along z */
  BRIO_SHAPE_BOX,      /* size: full lengths along x, y, z */
  BRIO_SHAPE_CYLINDER, /* size.x: radius, size.z: full length along z */
  BRIO_SHAPE_HULL,     /* convex hull of `points` */
  BRIO_SHAPE_HALF_SPACE, /* all below the plane z = 0: z points outside.  Unbounded */
  BRIO_NSHAPE
} brio_shape_kind;

enum { BRIO_HULL_CORNERS = 4096 }; /* of one hull, at most */

typedef struct brio_shape {
  brio_shape_kind kind;
  brio_vec3 size;          /* m, by kind; unused: 0 */
  int npoint;              /* hull: corners; else 0 */
  const brio_vec3 *points; /* hull: npoint corners in the shape's frame, m; not owned */
} brio_shape;

/* Return "sphere", "capsule", "box", "cylinder", "hull" or "half_space". */
const char *brio_shape_kind_name(brio_shape_kind kind);

/* Return the distance from the shape's frame to its farthest point, m; INFINITY of a half-space. */
double brio_shape_radius(const brio_shape *shape);

#endif
