/* Shared by the files of the distance queries, and private to them.
**
** A convex query sees a shape as a core and a margin: a sphere is a point, a capsule a
** segment, both with their radius as margin; the others are all core.  It works in a's
** frame on the difference C = a - b, the set of all points of a minus points of b: how
** far the origin is from C is how far the cores are apart. */
#ifndef BRIO_GEOMETRY_DISTANCE_INTERNAL_H
#define BRIO_GEOMETRY_DISTANCE_INTERNAL_H

#include <stdbool.h>

#include "geometry/distance.h"

/* A cell of the table of pairs: the distance of `a` and `b`.  `hint`: world, from a to b,
** where to look first; zero: unknown. */
typedef brio_distance brio_distance_pair(const brio_shape *a, const brio_transform *pose_a,
                                         const brio_shape *b, const brio_transform *pose_b,
                                         brio_vec3 hint);

/* A point of C and the point of a that it comes from (b's is a - w). */
typedef struct brio_difference_point {
  brio_vec3 w, a;
} brio_difference_point;

typedef struct brio_cores {
  const brio_shape *a, *b;
  brio_transform b_in_a;
} brio_cores;

/* Up to four points of C, and how much each adds to the point nearest to the origin. */
typedef struct brio_simplex {
  int count;
  brio_difference_point point[4];
  double weight[4]; /* >= 0, sum 1 */
} brio_simplex;

/* How two cores overlap, in a's frame. */
typedef struct brio_overlap {
  double depth;     /* m: b must move by this along `normal` to be free */
  brio_vec3 normal; /* unit, from a to b */
  brio_vec3 point_a, point_b;
} brio_overlap;

/* Return the point of C farthest along `direction` (any length). */
brio_difference_point brio_cores_support(const brio_cores *cores, brio_vec3 direction);

/* Return the point of the core of `shape` farthest along `direction` (any length), in its own frame. */
brio_vec3 brio_core_support(const brio_shape *shape, brio_vec3 direction);

/* Return the radius around the core of `shape`, m. */
double brio_core_margin(const brio_shape *shape);

/* Find the point of the simplex nearest to the origin: leave it in `at`, drop the corners
** that do not carry it, and set the weights.  All four stay when the origin is inside.
** Return false, changing nothing, when its square is not below `limit2`. */
bool brio_simplex_nearest(brio_simplex *simplex, double limit2, brio_vec3 *at);

/* Return the point that the weights of the simplex make of a's points. */
brio_vec3 brio_simplex_point_a(const brio_simplex *simplex);

/* Walk to the point of C nearest to the origin, starting along `start`; leave it in
** `nearest` and what carries it in `simplex`.  Return false when the cores overlap. */
bool brio_cores_apart(const brio_cores *cores, brio_vec3 start, brio_simplex *simplex,
                      brio_vec3 *nearest);

/* Return how cores overlap, growing from the simplex that brio_cores_apart left. */
brio_overlap brio_cores_overlap(const brio_cores *cores, const brio_simplex *simplex);

/* Fill the two points of an overlap whose normal and depth are known. */
void brio_cores_witness(const brio_cores *cores, brio_overlap *overlap);

/* Return the distance of two round solids from their cores' nearest points: margins
** `margin_a` and `margin_b` around `core_a` and `core_b`, `normal` from a to b. */
static inline brio_distance brio_distance_rounded(brio_vec3 core_a, double margin_a, brio_vec3 core_b,
                                                  double margin_b, brio_vec3 normal) {
  return (brio_distance){
      .distance = brio_vec3_dot(normal, brio_vec3_sub(core_b, core_a)) - margin_a - margin_b,
      .point_a = brio_vec3_add_scaled(core_a, margin_a, normal),
      .point_b = brio_vec3_add_scaled(core_b, -margin_b, normal),
      .normal = normal};
}

/* Return a unit vector at right angles to the unit vector `u`. */
static inline brio_vec3 brio_vec3_across(brio_vec3 u) {
  brio_vec3 axis = fabs(u.x) < 0.6 ? (brio_vec3){1, 0, 0} : (brio_vec3){0, 1, 0};
  return brio_vec3_unit(brio_vec3_cross(u, axis), (brio_vec3){1, 0, 0});
}

/* Return axis 0, 1 or 2 (x, y, z) of a frame, in its parent. */
static inline brio_vec3 brio_transform_axis(const brio_transform *t, int axis) {
  return (brio_vec3){t->r[axis], t->r[3 + axis], t->r[6 + axis]};
}

/* Return b's frame in a's. */
static inline brio_transform brio_transform_between(const brio_transform *a, const brio_transform *b) {
  brio_transform c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      c.r[3 * i + j] = a->r[i] * b->r[j] + a->r[3 + i] * b->r[3 + j] + a->r[6 + i] * b->r[6 + j];
  c.p = brio_transform_undirection(a, brio_vec3_sub(b->p, a->p));
  return c;
}

/* The cells of the table; the last takes any two shapes, by their supports alone. */
brio_distance_pair brio_distance_sphere_sphere, brio_distance_sphere_capsule, brio_distance_sphere_box,
    brio_distance_sphere_cylinder, brio_distance_capsule_capsule, brio_distance_box_box,
    brio_distance_cylinder, brio_distance_convex, brio_distance_half_space, brio_distance_half_spaces;

/* Return the distance of any two shapes when the cores' overlap is found by `overlap`. */
brio_distance brio_distance_of_cores(const brio_shape *a, const brio_transform *pose_a,
                                     const brio_shape *b, const brio_transform *pose_b, brio_vec3 hint,
                                     brio_overlap (*overlap)(const brio_cores *, const brio_simplex *));

#endif
