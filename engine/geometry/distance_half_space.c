/* Distances of a half-space, everything below the plane z = 0 of its frame: a solid is as far from
** it as its lowest point is above the plane, and up is the only way out, however deep it is in. */
#include "geometry/distance_internal.h"

static const double PARALLEL = 1e-12; /* rad: planes this parallel do not meet within 1e12 m */

brio_distance brio_distance_half_space(const brio_shape *a, const brio_transform *pose_a, const brio_shape *b,
                                       const brio_transform *pose_b, brio_vec3 hint) {
  (void)a, (void)hint;
  /* The lowest point of the solid: its support downwards. */
  brio_vec3 up = brio_transform_axis(pose_a, 2), down = brio_vec3_scale(-1, up);
  brio_vec3 lowest = brio_core_support(b, brio_transform_undirection(pose_b, down));
  lowest = brio_vec3_add_scaled(brio_transform_point(pose_b, lowest), brio_core_margin(b), down);
  double height = brio_vec3_dot(up, brio_vec3_sub(lowest, pose_a->p));
  return (brio_distance){.distance = height,
                         .point_a = brio_vec3_add_scaled(lowest, -height, up),
                         .point_b = lowest,
                         .normal = up};
}

/* Two half-spaces are apart only where their normals are opposite. */
brio_distance brio_distance_half_spaces(const brio_shape *a, const brio_transform *pose_a,
                                        const brio_shape *b, const brio_transform *pose_b, brio_vec3 hint) {
  (void)a, (void)b, (void)hint;
  /* Opposite normals make a gap between the planes, of any sign. */
  brio_vec3 up = brio_transform_axis(pose_a, 2), sum = brio_vec3_add(up, brio_transform_axis(pose_b, 2));
  brio_distance d = {.distance = -INFINITY, .point_a = pose_a->p, .point_b = pose_b->p, .normal = up};
  if (!(brio_vec3_norm(sum) <= PARALLEL)) return d; /* they meet, and no way is out */
  d.distance = brio_vec3_dot(up, brio_vec3_sub(pose_b->p, pose_a->p));
  d.point_b = brio_vec3_add_scaled(pose_a->p, d.distance, up);
  return d;
}
