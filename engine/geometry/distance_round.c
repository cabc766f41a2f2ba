/* Distances of spheres and capsules from each other, and of a sphere from a box or a
** cylinder: closed forms.  A round solid is a point or segment with a margin, so its
** depth is exact too.  Two segments: minimize |p + s u - t v| over the square of s and t;
** the free minimum is clamped in s, solved for t, clamped, and solved for s again.
** Source: Lumelsky, "On fast computation of distance between line segments", 1985. */
#include "geometry/distance_internal.h"

static const double NOISE = 1e-12; /* a direction shorter than this share of the sizes is none */

/* Clamp to [-limit, limit]. */
static double clamp(double x, double limit) { return x > limit ? limit : x < -limit ? -limit : x; }

/* The centers are the cores of both. */
brio_distance brio_distance_sphere_sphere(const brio_shape *a, const brio_transform *pose_a,
                                          const brio_shape *b, const brio_transform *pose_b,
                                          brio_vec3 hint) {
  (void)hint;
  /* Spheres with one center touch in no direction: x serves. */
  brio_vec3 normal = brio_vec3_unit(brio_vec3_sub(pose_b->p, pose_a->p), (brio_vec3){1, 0, 0});
  return brio_distance_rounded(pose_a->p, a->size.x, pose_b->p, b->size.x, normal);
}

/* The core of the capsule is a segment along z. */
brio_distance brio_distance_sphere_capsule(const brio_shape *a, const brio_transform *pose_a,
                                           const brio_shape *b, const brio_transform *pose_b,
                                           brio_vec3 hint) {
  (void)hint;
  brio_vec3 axis = brio_transform_axis(pose_b, 2);
  double half = b->size.z / 2;
  /* The nearest point of the segment: the foot of the center, clamped to its ends. */
  double along = clamp(brio_vec3_dot(axis, brio_vec3_sub(pose_a->p, pose_b->p)), half);
  brio_vec3 core_b = brio_vec3_add_scaled(pose_b->p, along, axis);
  brio_vec3 between = brio_vec3_sub(core_b, pose_a->p);
  bool on_axis = !(brio_vec3_norm(between) > NOISE * half);
  brio_vec3 normal = brio_vec3_across(axis);
  if (!on_axis) normal = brio_vec3_unit(between, normal);
  return brio_distance_rounded(pose_a->p, a->size.x, core_b, b->size.x, normal);
}

/* The direction between two segments that touch: at right angles to both, or to the longer one. */
static brio_vec3 across_both(brio_vec3 u, double half_u, brio_vec3 v, double half_v, brio_vec3 between) {
  brio_vec3 cross = brio_vec3_cross(u, v);
  if (half_u > 0 && half_v > 0 && brio_vec3_norm(cross) > 1e-7)
    return brio_vec3_unit(brio_vec3_dot(cross, between) < 0 ? brio_vec3_scale(-1, cross) : cross, u);
  return brio_vec3_across(half_u > 0 ? u : v);
}

/* The cores are two segments along z. */
brio_distance brio_distance_capsule_capsule(const brio_shape *a, const brio_transform *pose_a,
                                            const brio_shape *b, const brio_transform *pose_b,
                                            brio_vec3 hint) {
  (void)hint;
  brio_vec3 u = brio_transform_axis(pose_a, 2), v = brio_transform_axis(pose_b, 2);
  brio_vec3 p = brio_vec3_sub(pose_b->p, pose_a->p), cross = brio_vec3_cross(u, v);
  double half_u = a->size.z / 2, half_v = b->size.z / 2;
  /* Nearly parallel segments have no unique nearest points: one in the middle will do. */
  double cosine = brio_vec3_dot(u, v), sine2 = brio_vec3_dot(cross, cross);
  double pu = brio_vec3_dot(p, u), pv = brio_vec3_dot(p, v);
  double s = sine2 > 1e-20 ? brio_vec3_dot(brio_vec3_cross(p, v), cross) / sine2 : pu;
  /* Clamp s, solve for t, clamp t, solve for s: exact for segments (Lumelsky). */
  double t = clamp(cosine * clamp(s, half_u) - pv, half_v);
  s = clamp(cosine * t + pu, half_u);
  brio_vec3 core_a = brio_vec3_add_scaled(pose_a->p, s, u), core_b = brio_vec3_add_scaled(pose_b->p, t, v);
  brio_vec3 between = brio_vec3_sub(core_b, core_a), normal;
  double length = brio_vec3_norm(between);
  if (length > NOISE * (half_u + half_v)) normal = brio_vec3_scale(1 / length, between);
  else normal = across_both(u, half_u, v, half_v, between);
  return brio_distance_rounded(core_a, a->size.x, core_b, b->size.x, normal);
}

/* The distance of a sphere from a solid: `center` of the sphere in the world, nearest point
** `surface` of the solid and its outward normal in the solid's frame. */
static brio_distance sphere_answer(const brio_shape *sphere, brio_vec3 center, const brio_transform *pose,
                                   brio_vec3 surface, brio_vec3 outward) {
  brio_vec3 normal = brio_transform_direction(pose, brio_vec3_scale(-1, outward));
  return brio_distance_rounded(center, sphere->size.x, brio_transform_point(pose, surface), 0, normal);
}

brio_distance brio_distance_sphere_box(const brio_shape *a, const brio_transform *pose_a,
                                       const brio_shape *b, const brio_transform *pose_b,
                                       brio_vec3 hint) {
  (void)hint;
  /* Outside, the nearest point of the box is the clamped center. */
  brio_vec3 c = brio_transform_undirection(pose_b, brio_vec3_sub(pose_a->p, pose_b->p));
  brio_vec3 half = brio_vec3_scale(0.5, b->size);
  brio_vec3 surface = {clamp(c.x, half.x), clamp(c.y, half.y), clamp(c.z, half.z)};
  brio_vec3 out = brio_vec3_sub(c, surface);
  double length = brio_vec3_norm(out);
  if (length > 0) return sphere_answer(a, pose_a->p, pose_b, surface, brio_vec3_scale(1 / length, out));
  /* Inside, the way out is through the nearest face. */
  double room[3] = {half.x - fabs(c.x), half.y - fabs(c.y), half.z - fabs(c.z)};
  int axis = room[0] <= room[1] ? (room[0] <= room[2] ? 0 : 2) : (room[1] <= room[2] ? 1 : 2);
  double side[3] = {copysign(1, c.x), copysign(1, c.y), copysign(1, c.z)};
  out = (brio_vec3){axis == 0 ? side[0] : 0, axis == 1 ? side[1] : 0, axis == 2 ? side[2] : 0};
  return sphere_answer(a, pose_a->p, pose_b, brio_vec3_add_scaled(c, room[axis], out), out);
}

brio_distance brio_distance_sphere_cylinder(const brio_shape *a, const brio_transform *pose_a,
                                            const brio_shape *b, const brio_transform *pose_b,
                                            brio_vec3 hint) {
  (void)hint;
  /* Outside, the nearest point is clamped along the radius and along the axis. */
  brio_vec3 c = brio_transform_undirection(pose_b, brio_vec3_sub(pose_a->p, pose_b->p));
  double radius = b->size.x, half = b->size.z / 2, away = sqrt(c.x * c.x + c.y * c.y);
  brio_vec3 radial = away > 0 ? (brio_vec3){c.x / away, c.y / away, 0} : (brio_vec3){1, 0, 0};
  brio_vec3 surface = brio_vec3_scale(away < radius ? away : radius, radial);
  surface.z = clamp(c.z, half);
  brio_vec3 out = brio_vec3_add_scaled((brio_vec3){0, 0, c.z - surface.z}, away > radius ? away - radius : 0,
                                       radial);
  double length = brio_vec3_norm(out);
  if (length > 0) return sphere_answer(a, pose_a->p, pose_b, surface, brio_vec3_scale(1 / length, out));
  /* Inside, the way out is through the side or the nearer cap. */
  bool by_side = radius - away < half - fabs(c.z);
  out = by_side ? radial : (brio_vec3){0, 0, copysign(1, c.z)};
  double room = by_side ? radius - away : half - fabs(c.z);
  return sphere_answer(a, pose_a->p, pose_b, brio_vec3_add_scaled(surface, room, out), out);
}
