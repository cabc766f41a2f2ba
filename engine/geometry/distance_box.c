/* How deep two boxes overlap: the least overlap along the fifteen directions that a face of their
** difference can have, the axes of either box and the products of two. Boxes that are apart are
** handled like any convex shapes.
** Source: Gottschalk, Lin and Manocha, "OBBTree: a hierarchical structure for rapid interference
** detection", 1996. */
#include "geometry/distance_internal.h"

/* Keep `axis` (any length) if the boxes overlap less along it than along the best so far. A direction
** between two edges must be better by `handicap` (m), so that rounding does not replace a face's. */
static void try_axis(const brio_cores *cores, brio_vec3 axis, double handicap, brio_overlap *best) {
  double length = brio_vec3_norm(axis);
  if (!(length > 1e-9)) return; /* parallel edges: no face of their own */
  brio_vec3 n = brio_vec3_scale((brio_vec3_dot(axis, cores->b_in_a.p) < 0 ? -1 : 1) / length, axis);
  double depth = brio_vec3_dot(n, brio_cores_support(cores, n).w);
  if (depth < best->depth - handicap) best->depth = depth, best->normal = n;
}

/* Also the separating axes of boxes that touch: fifteen supports decide. */
static brio_overlap boxes_overlap(const brio_cores *cores, const brio_simplex *simplex) {
  static const brio_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  (void)simplex;
  brio_overlap best = {.depth = INFINITY, .normal = unit[0]};
  double handicap = 1e-12 * (brio_vec3_norm(cores->a->size) + brio_vec3_norm(cores->b->size));
  for (int i = 0; i < 3; i++) {
    try_axis(cores, unit[i], 0, &best);
    try_axis(cores, brio_transform_axis(&cores->b_in_a, i), handicap, &best);
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      try_axis(cores, brio_vec3_cross(unit[i], brio_transform_axis(&cores->b_in_a, j)), handicap, &best);
  /* The points that belong to the best direction. */
  brio_cores_witness(cores, &best);
  return best;
}

brio_distance brio_distance_box_box(const brio_shape *a, const brio_transform *pose_a,
                                    const brio_shape *b, const brio_transform *pose_b, brio_vec3 hint) {
  return brio_distance_of_cores(a, pose_a, b, pose_b, hint, boxes_overlap);
}
