/* The distance of a cylinder from another solid, except spheres.
**
** Mostly the nearest point of a cylinder lies on its side or on a cap, for which there is a short way:
** - on the side, strictly between the caps, the cylinder is as far as the capsule about it, whose
**   core is a segment: it lies inside the capsule, and the capsule's nearest point is its own;
** - on a cap, the plane of the cap has the other solid above it, and the nearest point below that
**   one's lowest point lies on the cap.
** Both are verified, so nothing is guessed.  What remains, the rim and overlaps, is found by supports
** alone, which converge slowly on a round edge. */
#include "geometry/distance_internal.h"

static const double INSIDE = 1e-9; /* share of the size by which a point must be within an edge */
static const double ACROSS = 1e-7; /* rad: a normal less across the axis than this is not a side's */
static const double STEEP = 1e-3;  /* a last normal this far from a side's and a cap's was a rim's */

/* Whether the nearest point of the capsule about a cylinder is also the cylinder's: on its side,
** with a normal across its axis. */
static bool is_on_side(const brio_shape *shape, const brio_transform *pose, brio_vec3 surface,
                       brio_vec3 outward) {
  if (shape->kind != BRIO_SHAPE_CYLINDER) return true;
  brio_vec3 core = brio_vec3_add_scaled(surface, -shape->size.x, outward);
  brio_vec3 axis = brio_transform_axis(pose, 2);
  double along = brio_vec3_dot(axis, brio_vec3_sub(core, pose->p));
  return fabs(along) < (1 - INSIDE) * shape->size.z / 2 && fabs(brio_vec3_dot(axis, outward)) < ACROSS;
}

/* Try the sides: the distance of the capsules, if it is that of the cylinders. Return whether it is. */
static bool try_sides(const brio_shape *a, const brio_transform *pose_a, const brio_shape *b,
                      const brio_transform *pose_b, brio_vec3 hint, brio_distance *answer) {
  brio_shape p = *a, q = *b;
  brio_distance_cache cache = {hint};
  if (p.kind == BRIO_SHAPE_CYLINDER) p.kind = BRIO_SHAPE_CAPSULE;
  if (q.kind == BRIO_SHAPE_CYLINDER) q.kind = BRIO_SHAPE_CAPSULE;
  *answer = brio_shape_distance(&p, pose_a, &q, pose_b, &cache);
  return answer->distance > 0 && is_on_side(a, pose_a, answer->point_a, answer->normal) &&
         is_on_side(b, pose_b, answer->point_b, brio_vec3_scale(-1, answer->normal));
}

/* Try the cap of cylinder `c` that faces the solid `other`.
** The normal of the answer leads from c to it. */
static bool try_cap(const brio_shape *c, const brio_transform *pose, const brio_shape *other,
                    const brio_transform *pose_other, brio_distance *answer) {
  brio_vec3 axis = brio_transform_axis(pose, 2), between = brio_vec3_sub(pose_other->p, pose->p);
  brio_vec3 up = brio_vec3_scale(copysign(1, brio_vec3_dot(axis, between)), axis);
  /* The lowest point of the other solid, seen from the cap. */
  brio_vec3 down = brio_vec3_scale(-1, up);
  brio_vec3 lowest = brio_core_support(other, brio_transform_undirection(pose_other, down));
  lowest = brio_vec3_add_scaled(brio_transform_point(pose_other, lowest), brio_core_margin(other), down);
  /* Its height above the cap, and its distance from the axis. */
  brio_vec3 from = brio_vec3_sub(lowest, pose->p);
  double above = brio_vec3_dot(up, from) - c->size.z / 2;
  double along = brio_vec3_dot(up, from), beside2 = brio_vec3_dot(from, from) - along * along;
  double edge = (1 - INSIDE) * c->size.x;
  *answer = (brio_distance){above, brio_vec3_add_scaled(lowest, -above, up), lowest, up};
  return above > 0 && beside2 < edge * edge;
}

/* Try the caps of both; the answer of b is mirrored. */
static bool try_caps(const brio_shape *a, const brio_transform *pose_a, const brio_shape *b,
                     const brio_transform *pose_b, brio_distance *answer) {
  if (a->kind == BRIO_SHAPE_CYLINDER && try_cap(a, pose_a, b, pose_b, answer)) return true;
  if (b->kind != BRIO_SHAPE_CYLINDER || !try_cap(b, pose_b, a, pose_a, answer)) return false;
  *answer = (brio_distance){answer->distance, answer->point_b, answer->point_a,
                            brio_vec3_scale(-1, answer->normal)};
  return true;
}

/* Whether the last normal was that of a rim: neither along nor across the axis of a cylinder. */
static bool was_rim(const brio_shape *shape, const brio_transform *pose, brio_vec3 hint) {
  if (shape->kind != BRIO_SHAPE_CYLINDER) return false;
  double along = fabs(brio_vec3_dot(brio_transform_axis(pose, 2), hint));
  return along > STEEP && along < 1 - STEEP * STEEP;
}

brio_distance brio_distance_cylinder(const brio_shape *a, const brio_transform *pose_a, const brio_shape *b,
                                     const brio_transform *pose_b, brio_vec3 hint) {
  brio_distance answer;
  /* Near a rim both short ways would fail: go straight to the general one. */
  bool rim = brio_vec3_dot(hint, hint) > 0 && (was_rim(a, pose_a, hint) || was_rim(b, pose_b, hint));
  if (!rim && (try_caps(a, pose_a, b, pose_b, &answer) || try_sides(a, pose_a, b, pose_b, hint, &answer)))
    return answer;
  return brio_distance_convex(a, pose_a, b, pose_b, hint);
}
