/* Names of shapes, and the spheres around them. */
#include "math/shape.h"

const char *brio_shape_kind_name(brio_shape_kind kind) {
  static const char *const names[BRIO_NSHAPE] = {"sphere", "capsule", "box", "cylinder", "hull",
                                                "half_space"};
  return (unsigned)kind < BRIO_NSHAPE ? names[kind] : "unknown";
}

/* About the origin of the shape's frame, m. */
double brio_shape_radius(const brio_shape *shape) {
  brio_vec3 s = shape->size;
  /* Closed forms; the box and the cylinder are farthest at their corners and edges. */
  double farthest = 0;
  switch (shape->kind) {
    case BRIO_SHAPE_SPHERE: return s.x;
    case BRIO_SHAPE_CAPSULE: return s.x + s.z / 2;
    case BRIO_SHAPE_BOX: return brio_vec3_norm(s) / 2;
    case BRIO_SHAPE_CYLINDER: return hypot(s.x, s.z / 2);
    case BRIO_SHAPE_HALF_SPACE: return INFINITY;
    default: break;
  }
  /* A hull reaches as far as its farthest corner. */
  for (int i = 0; i < shape->npoint; i++) farthest = fmax(farthest, brio_vec3_norm(shape->points[i]));
  return farthest;
}
