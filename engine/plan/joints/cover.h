/* Spheres that cover a solid: a first filter for distances.  What keeps away from all of them keeps away from
** the solid. */
#ifndef BRIO_PLAN_JOINTS_COVER_H
#define BRIO_PLAN_JOINTS_COVER_H

#include "math/shape.h"

enum { BRIO_COVER_SPHERES = 16 }; /* of one solid, at most */

typedef struct brio_cover_sphere {
  brio_vec3 center; /* m, in the frame of the shape */
  double radius;
} brio_cover_sphere;

/* Write spheres that hold all points of a bounded shape; return their number.  One sphere, itself, for a
** sphere; capsules and cylinders are sliced, boxes and the boxes around hulls are cut in cells. */
int brio_cover_shape(const brio_shape *shape, brio_cover_sphere out[BRIO_COVER_SPHERES]);

/* Write the middle and the full lengths of the box around a bounded shape, along the axes of its frame. */
void brio_cover_box(const brio_shape *shape, brio_vec3 *middle, brio_vec3 *size);

#endif
