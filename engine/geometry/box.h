/* Axis-aligned boxes in the world frame, and the smallest one around a solid. */
#ifndef BRIO_GEOMETRY_BOX_H
#define BRIO_GEOMETRY_BOX_H

#include "math/pose.h"
#include "math/scalar.h"
#include "math/shape.h"

typedef struct brio_box {
  brio_vec3 lower, upper; /* m */
} brio_box;

/* Return the smallest box around `shape` at `pose`; of a half-space all of space. */
brio_box brio_box_around(const brio_shape *shape, const brio_transform *pose);

/* Return the box grown by `by` (m) on every side. */
static inline brio_box brio_box_grown(brio_box box, double by) {
  return (brio_box){{box.lower.x - by, box.lower.y - by, box.lower.z - by},
                    {box.upper.x + by, box.upper.y + by, box.upper.z + by}};
}

/* Return the smallest box around both. */
static inline brio_box brio_box_union(brio_box a, brio_box b) {
  brio_vec3 lower = {brio_min(a.lower.x, b.lower.x), brio_min(a.lower.y, b.lower.y),
                     brio_min(a.lower.z, b.lower.z)};
  brio_vec3 upper = {brio_max(a.upper.x, b.upper.x), brio_max(a.upper.y, b.upper.y),
                     brio_max(a.upper.z, b.upper.z)};
  return (brio_box){lower, upper};
}

/* Return whether `outer` contains all of `inner`; false if a number is NaN. */
static inline bool brio_box_holds(const brio_box *outer, const brio_box *inner) {
  return outer->lower.x <= inner->lower.x && outer->lower.y <= inner->lower.y &&
         outer->lower.z <= inner->lower.z && outer->upper.x >= inner->upper.x &&
         outer->upper.y >= inner->upper.y && outer->upper.z >= inner->upper.z;
}

/* Return whether two boxes have a point in common. */
static inline bool brio_box_meets(const brio_box *a, const brio_box *b) {
  return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y &&
         b->lower.y <= a->upper.y && a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}

/* Return the distance of two boxes, m; 0 if they overlap. */
static inline double brio_box_gap(const brio_box *a, const brio_box *b) {
  double x = brio_max(0, brio_max(a->lower.x - b->upper.x, b->lower.x - a->upper.x));
  double y = brio_max(0, brio_max(a->lower.y - b->upper.y, b->lower.y - a->upper.y));
  double z = brio_max(0, brio_max(a->lower.z - b->upper.z, b->lower.z - a->upper.z));
  return sqrt(x * x + y * y + z * z);
}

#endif
