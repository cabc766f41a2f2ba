/* The box around a solid: how far its shape reaches along each axis of the world. A row of the
** rotation is that axis in the frame of the shape. */
#include "geometry/box.h"

#include <assert.h>

/* How far a shape reaches along a unit vector `row` of its own frame, m. */
static double reach_of_sphere(const brio_shape *s, const double *row) {
  (void)row;
  return s->size.x;
}

/* A segment along z with a radius around it. */
static double reach_of_capsule(const brio_shape *s, const double *row) {
  return s->size.x + fabs(row[2]) * s->size.z / 2;
}

/* Half of what each edge reaches. */
static double reach_of_box(const brio_shape *s, const double *row) {
  return (fabs(row[0]) * s->size.x + fabs(row[1]) * s->size.y + fabs(row[2]) * s->size.z) / 2;
}

/* The rim reaches across z, the caps along it. */
static double reach_of_cylinder(const brio_shape *s, const double *row) {
  return s->size.x * sqrt(row[0] * row[0] + row[1] * row[1]) + fabs(row[2]) * s->size.z / 2;
}

/* A half-space has no end. */
static double reach_of_everything(const brio_shape *s, const double *row) {
  (void)s, (void)row;
  return INFINITY;
}

/* O(corners): a hull is the box around its corners. */
static brio_box around_hull(const brio_shape *shape, const brio_transform *pose) {
  brio_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (int i = 0; i < shape->npoint; i++) {
    brio_vec3 p = brio_transform_direction(pose, shape->points[i]);
    box = brio_box_union(box, (brio_box){p, p});
  }
  return (brio_box){brio_vec3_add(box.lower, pose->p), brio_vec3_add(box.upper, pose->p)};
}

brio_box brio_box_around(const brio_shape *shape, const brio_transform *pose) {
  static double (*const reaches[BRIO_NSHAPE])(const brio_shape *, const double *) = {
      [BRIO_SHAPE_SPHERE] = reach_of_sphere,      [BRIO_SHAPE_CAPSULE] = reach_of_capsule,
      [BRIO_SHAPE_BOX] = reach_of_box,            [BRIO_SHAPE_CYLINDER] = reach_of_cylinder,
      [BRIO_SHAPE_HALF_SPACE] = reach_of_everything,
  };
  /* A half-space has an infinite box, a hull has corners; all others have a closed form. */
  if (shape->kind == BRIO_SHAPE_HULL) return around_hull(shape, pose);
  double (*reach)(const brio_shape *, const double *) = reaches[shape->kind];
  assert(reach);
  brio_vec3 r = {reach(shape, pose->r), reach(shape, pose->r + 3), reach(shape, pose->r + 6)};
  return (brio_box){brio_vec3_sub(pose->p, r), brio_vec3_add(pose->p, r)};
}
