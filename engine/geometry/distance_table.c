/* The table of pairs: which function finds the distance of which two kinds of shape.
** One cell a pair; a pair asked the other way round is swapped and its answer mirrored. */
#include "geometry/distance.h"

#include "geometry/distance_internal.h"

#define CELL(first, second, function) [BRIO_SHAPE_##first][BRIO_SHAPE_##second] = brio_distance_##function

static brio_distance_pair *const pairs[BRIO_NSHAPE][BRIO_NSHAPE] = {
    CELL(SPHERE, SPHERE, sphere_sphere),
    CELL(SPHERE, CAPSULE, sphere_capsule),
    CELL(SPHERE, BOX, sphere_box),
    CELL(SPHERE, CYLINDER, sphere_cylinder),
    CELL(SPHERE, HULL, convex),
    CELL(CAPSULE, CAPSULE, capsule_capsule),
    CELL(CAPSULE, BOX, convex),
    CELL(CAPSULE, CYLINDER, convex),
    CELL(CAPSULE, HULL, convex),
    CELL(BOX, BOX, box_box),
    CELL(BOX, CYLINDER, convex),
    CELL(BOX, HULL, convex),
    CELL(CYLINDER, CYLINDER, convex),
    CELL(CYLINDER, HULL, convex),
    CELL(HULL, HULL, convex),
};

static brio_distance mirrored(brio_distance d) {
  return (brio_distance){d.distance, d.point_b, d.point_a, brio_vec3_scale(-1, d.normal)};
}

brio_distance brio_shape_distance(const brio_shape *a, const brio_transform *pose_a,
                                  const brio_shape *b, const brio_transform *pose_b,
                                  brio_distance_cache *cache) {
  brio_vec3 hint = cache ? cache->direction : (brio_vec3){0, 0, 0};
  brio_distance result =
      pairs[a->kind][b->kind]
          ? pairs[a->kind][b->kind](a, pose_a, b, pose_b, hint)
          : mirrored(pairs[b->kind][a->kind](b, pose_b, a, pose_a, brio_vec3_scale(-1, hint)));
  if (cache) cache->direction = result.normal;
  return result;
}

static bool finite_vec(brio_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

bool brio_shape_check(const brio_shape *shape, brio_error *err) {
  if ((unsigned)shape->kind >= BRIO_NSHAPE)
    return brio_fail(err, BRIO_MISUSE, "shape kind %d does not exist, 0 to %d expected",
                     (int)shape->kind, BRIO_NSHAPE - 1);
  const char *name = brio_shape_kind_name(shape->kind);
  brio_vec3 s = shape->size;
  if (!finite_vec(s) || s.x < 0 || s.y < 0 || s.z < 0)
    return brio_fail(err, BRIO_MISUSE, "%s of size %g %g %g m, finite sizes >= 0 expected", name, s.x,
                     s.y, s.z);
  if (shape->kind != BRIO_SHAPE_HULL) return true;
  if (shape->npoint < 1 || !shape->points)
    return brio_fail(err, BRIO_MISUSE, "hull without corners, at least one expected");
  for (int i = 0; i < shape->npoint; i++)
    if (!finite_vec(shape->points[i]))
      return brio_fail(err, BRIO_MISUSE, "hull corner %d is %g %g %g, finite numbers expected", i + 1,
                       shape->points[i].x, shape->points[i].y, shape->points[i].z);
  return true;
}
