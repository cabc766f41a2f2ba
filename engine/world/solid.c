/* Rays and distances of boxes and balls, each O(1). Boxes by slabs (Kay and Kajiya, "Ray tracing complex
** scenes", 1986), balls by the quadratic formula. */
#include "world/solid.h"

/* Ray and ball: |o + t d - c|^2 = r^2 with |d| = 1 gives t^2 + 2 t along + rest = 0; the smaller root is
** the entry. */
static double ball_ray(const brio_solid *ball, brio_vec3 origin, brio_vec3 direction, brio_vec3 *normal) {
  brio_vec3 from = brio_vec3_sub(origin, ball->at.p);
  double along = brio_vec3_dot(from, direction), radius = ball->half.x;
  double rest = brio_vec3_dot(from, from) - radius * radius, root = along * along - rest;
  /* The origin is inside. */
  if (rest <= 0) return 0;
  /* Missed, or behind the origin. */
  if (root < 0 || along > 0) return INFINITY;
  double distance = -along - sqrt(root);
  if (normal) *normal = brio_vec3_unit(brio_vec3_add_scaled(from, distance, direction), (brio_vec3){0, 0, 1});
  return distance;
}

/* Ray and box, in the box's frame: the ray is inside where it is between all three pairs of planes. */
static double box_ray(const brio_solid *box, brio_vec3 origin, brio_vec3 direction, brio_vec3 *normal) {
  brio_vec3 o = brio_transform_undirection(&box->at, brio_vec3_sub(origin, box->at.p));
  brio_vec3 d = brio_transform_undirection(&box->at, direction);
  const double from[3] = {o.x, o.y, o.z}, along[3] = {d.x, d.y, d.z};
  const double half[3] = {box->half.x, box->half.y, box->half.z};
  double enter = -INFINITY, leave = INFINITY;
  int face = 0;
  for (int i = 0; i < 3; i++) {
    /* Parallel to these planes: between them, or never. */
    if (fabs(along[i]) < 1e-12) {
      if (fabs(from[i]) > half[i]) return INFINITY;
      continue;
    }
    /* Where the ray enters and leaves the slab; the last entry and the first exit count. */
    double near = (-copysign(half[i], along[i]) - from[i]) / along[i];
    double far = (copysign(half[i], along[i]) - from[i]) / along[i];
    if (near > enter) {
      enter = near;
      face = i;
    }
    leave = fmin(leave, far);
  }
  /* The slabs' intervals do not overlap, or the box is behind. */
  if (enter > leave || leave < 0) return INFINITY;
  /* The face of the last entry is the one that is hit. */
  if (normal) {
    double side[3] = {0, 0, 0};
    side[face] = -copysign(1, along[face]);
    *normal = brio_transform_direction(&box->at, (brio_vec3){side[0], side[1], side[2]});
  }
  /* From inside the entry is behind: 0. */
  return fmax(enter, 0);
}

double brio_solid_ray(const brio_solid *solid, brio_vec3 origin, brio_vec3 direction, brio_vec3 *normal) {
  return solid->kind == BRIO_SOLID_BALL ? ball_ray(solid, origin, direction, normal)
                                        : box_ray(solid, origin, direction, normal);
}

/* Signed distance from a box: outside to the nearest point of the surface, inside (negative) to the nearest
** face. */
static double box_distance(const brio_solid *box, brio_vec3 point, brio_vec3 *normal) {
  brio_vec3 p = brio_transform_undirection(&box->at, brio_vec3_sub(point, box->at.p)), out;
  double x = fabs(p.x) - box->half.x, y = fabs(p.y) - box->half.y, z = fabs(p.z) - box->half.z, distance;
  /* Outside: the vector from the nearest point of the box. */
  if (x > 0 || y > 0 || z > 0) {
    out = (brio_vec3){copysign(fmax(x, 0), p.x), copysign(fmax(y, 0), p.y), copysign(fmax(z, 0), p.z)};
    distance = brio_vec3_norm(out);
    /* 1e-300 protects against a division by 0 for denormal distances. */
    out = brio_vec3_scale(1 / fmax(distance, 1e-300), out);
  } else {
    /* Inside: the face with the least depth. */
    distance = fmax(z, fmax(x, y));
    out = distance == z ? (brio_vec3){0, 0, copysign(1, p.z)}
          : distance == x ? (brio_vec3){copysign(1, p.x), 0, 0} : (brio_vec3){0, copysign(1, p.y), 0};
  }
  *normal = brio_transform_direction(&box->at, out);
  return distance;
}

double brio_solid_distance(const brio_solid *solid, brio_vec3 point, brio_vec3 *normal) {
  if (solid->kind == BRIO_SOLID_BOX) return box_distance(solid, point, normal);
  brio_vec3 out = brio_vec3_sub(point, solid->at.p);
  *normal = brio_vec3_unit(out, (brio_vec3){0, 0, 1});
  return brio_vec3_norm(out) - solid->half.x;
}

double brio_solid_radius(const brio_solid *solid) {
  return solid->kind == BRIO_SOLID_BALL ? solid->half.x : brio_vec3_norm(solid->half);
}
