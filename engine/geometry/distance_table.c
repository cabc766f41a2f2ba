/* The table of pairs: which function finds the distance of which two kinds of shape. One cell
** serves a pair; in the other order shapes are swapped and the answer is mirrored. */
#include <assert.h>

#include "geometry/distance.h"

#include "geometry/distance_internal.h"

static const double FAR = 1e6; /* m: nothing is larger but a half-space */

#define CELL(first, second, function) [BRIO_SHAPE_##first][BRIO_SHAPE_##second] = brio_distance_##function

/* One cell for each pair of kinds, in one of its two orders. */
static brio_distance_pair *const pairs[BRIO_NSHAPE][BRIO_NSHAPE] = {
    CELL(SPHERE, SPHERE, sphere_sphere),
    CELL(SPHERE, CAPSULE, sphere_capsule),
    CELL(SPHERE, BOX, sphere_box),
    CELL(SPHERE, CYLINDER, sphere_cylinder),
    CELL(SPHERE, HULL, convex),
    CELL(CAPSULE, CAPSULE, capsule_capsule),
    CELL(CAPSULE, BOX, convex),
    CELL(CAPSULE, CYLINDER, cylinder),
    CELL(CAPSULE, HULL, convex),
    CELL(BOX, BOX, box_box),
    CELL(BOX, CYLINDER, cylinder),
    CELL(BOX, HULL, convex),
    CELL(CYLINDER, CYLINDER, cylinder),
    CELL(CYLINDER, HULL, cylinder),
    CELL(HULL, HULL, convex),
    CELL(HALF_SPACE, SPHERE, half_space),
    CELL(HALF_SPACE, CAPSULE, half_space),
    CELL(HALF_SPACE, BOX, half_space),
    CELL(HALF_SPACE, CYLINDER, half_space),
    CELL(HALF_SPACE, HULL, half_space),
    CELL(HALF_SPACE, HALF_SPACE, half_spaces),
};

/* The same answer with a and b exchanged. */
static brio_distance mirrored(brio_distance d) {
  return (brio_distance){d.distance, d.point_b, d.point_a, brio_vec3_scale(-1, d.normal)};
}

/* `cache` may be NULL. It carries the normal from query to query, which shortens the walk of convex pairs. */
brio_distance brio_shape_distance(const brio_shape *a, const brio_transform *pose_a,
                                  const brio_shape *b, const brio_transform *pose_b,
                                  brio_distance_cache *cache) {
  assert(pairs[a->kind][b->kind] || pairs[b->kind][a->kind]);
  brio_vec3 hint = cache ? cache->direction : (brio_vec3){0, 0, 0};
  brio_distance result =
      pairs[a->kind][b->kind]
          ? pairs[a->kind][b->kind](a, pose_a, b, pose_b, hint)
          : mirrored(pairs[b->kind][a->kind](b, pose_b, a, pose_a, brio_vec3_scale(-1, hint)));
  /* The next query of this pair starts from this normal. */
  if (cache) cache->direction = result.normal;
  return result;
}

/* Whether all three numbers are valid sizes; NaN is not. */
static bool is_size(brio_vec3 v) {
  return v.x >= 0 && v.y >= 0 && v.z >= 0 && v.x <= FAR && v.y <= FAR && v.z <= FAR;
}

/* Whether all three numbers are valid coordinates; NaN is not. */
static bool is_place(brio_vec3 v) { return fabs(v.x) <= FAR && fabs(v.y) <= FAR && fabs(v.z) <= FAR; }

/* Check the corners of a hull. Errors: misuse, limit. */
static bool check_corners(const brio_shape *shape, brio_error *err) {
  if (shape->npoint < 1 || !shape->points)
    return brio_fail(err, BRIO_MISUSE, "hull without corners, at least one expected");
  if (shape->npoint > BRIO_HULL_CORNERS)
    return brio_fail(err, BRIO_LIMIT, "hull of %d corners, at most %d expected", shape->npoint,
                     BRIO_HULL_CORNERS);
  for (int i = 0; i < shape->npoint; i++)
    if (!is_place(shape->points[i]))
      return brio_fail(err, BRIO_MISUSE, "hull corner %d is %g %g %g, finite numbers up to %g expected",
                       i + 1, shape->points[i].x, shape->points[i].y, shape->points[i].z, FAR);
  return true;
}

/* Errors: misuse (kind, size, corners), limit (the number of corners). */
bool brio_shape_check(const brio_shape *shape, brio_error *err) {
  /* As unsigned, a negative kind is too large as well. */
  if ((unsigned)shape->kind >= BRIO_NSHAPE)
    return brio_fail(err, BRIO_MISUSE, "shape kind %d does not exist, 0 to %d expected",
                     (int)shape->kind, BRIO_NSHAPE - 1);
  brio_vec3 s = shape->size;
  if (!is_size(s))
    return brio_fail(err, BRIO_MISUSE, "%s of size %g %g %g m, sizes from 0 to %g expected",
                     brio_shape_kind_name(shape->kind), s.x, s.y, s.z, FAR);
  return shape->kind != BRIO_SHAPE_HULL || check_corners(shape, err);
}
