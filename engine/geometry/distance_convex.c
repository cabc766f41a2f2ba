/* The distance of any two convex shapes from their supports (the farthest point along a direction)
** alone: a walk over simplices of C = a - b towards the origin. Each step costs two supports,
** O(corners) for hulls; a hint from the last query mostly leaves two or three steps.
** Sources: Gilbert, Johnson and Keerthi, "A fast procedure for computing the distance between
** complex objects in three-dimensional space", 1988; stopping and rounding after van den Bergen,
** "Collision detection in interactive 3D environments", 2003. */
#include <assert.h>

#include "geometry/distance_internal.h"

static const double GAP = 1e-11;   /* of |v|^2: how far below |v| the distance may still be */
static const double ROUND = 1e-15; /* of |v||w|: what rounding leaves of that */
static const double TOUCH = 1e-10; /* of the size of C: nearer than this is touching */
static const double NEAR = 1e-6;   /* of the size of C: rounding may turn what is nearer */
enum { STEPS = 128 };             /* a walk that takes more goes round in rounding */

/* Supports of each core in its own frame: the farthest point along d, of any length. */
static brio_vec3 support_sphere(const brio_shape *shape, brio_vec3 d) {
  (void)shape, (void)d;
  return (brio_vec3){0, 0, 0};
}

/* A core that is a segment along z. */
static brio_vec3 support_capsule(const brio_shape *shape, brio_vec3 d) {
  return (brio_vec3){0, 0, copysign(shape->size.z / 2, d.z)};
}

/* The corner on the side of d. */
static brio_vec3 support_box(const brio_shape *shape, brio_vec3 d) {
  brio_vec3 s = shape->size;
  return (brio_vec3){copysign(s.x / 2, d.x), copysign(s.y / 2, d.y), copysign(s.z / 2, d.z)};
}

/* Along the rim on the side of d; straight up or down any point of the cap will do. */
static brio_vec3 support_cylinder(const brio_shape *shape, brio_vec3 d) {
  double across = sqrt(d.x * d.x + d.y * d.y), k = across > 0 ? shape->size.x / across : 0;
  return (brio_vec3){across > 0 ? k * d.x : shape->size.x, k * d.y, copysign(shape->size.z / 2, d.z)};
}

/* O(corners): branch-free, which for some hundred corners beats climbing from one to the next. */
static brio_vec3 support_hull(const brio_shape *shape, brio_vec3 d) {
  const brio_vec3 *points = shape->points;
  double most = brio_vec3_dot(points[0], d);
  int best = 0;
  for (int i = 1; i < shape->npoint; i++) {
    double along = brio_vec3_dot(points[i], d);
    best = along > most ? i : best;
    most = along > most ? along : most;
  }
  return points[best];
}

/* By kind; a half-space has no support. */
static brio_vec3 (*const supports[BRIO_NSHAPE])(const brio_shape *, brio_vec3) = {
    [BRIO_SHAPE_SPHERE] = support_sphere, [BRIO_SHAPE_CAPSULE] = support_capsule,
    [BRIO_SHAPE_BOX] = support_box,       [BRIO_SHAPE_CYLINDER] = support_cylinder,
    [BRIO_SHAPE_HULL] = support_hull,
};

brio_vec3 brio_core_support(const brio_shape *shape, brio_vec3 direction) {
  assert(supports[shape->kind]);
  return supports[shape->kind](shape, direction);
}

/* The support of a difference is a's along the direction minus b's against it. */
brio_difference_point brio_cores_support(const brio_cores *cores, brio_vec3 direction) {
  brio_vec3 back = brio_transform_undirection(&cores->b_in_a, brio_vec3_scale(-1, direction));
  brio_vec3 a = supports[cores->a->kind](cores->a, direction);
  brio_vec3 b = brio_transform_point(&cores->b_in_a, supports[cores->b->kind](cores->b, back));
  return (brio_difference_point){brio_vec3_sub(a, b), a};
}

/* The radius around the core, m: only spheres and capsules have one. */
double brio_core_margin(const brio_shape *shape) {
  return shape->kind == BRIO_SHAPE_SPHERE || shape->kind == BRIO_SHAPE_CAPSULE ? shape->size.x : 0;
}

/* Whether two points are equal to the bit. */
static bool same(brio_vec3 a, brio_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* Whether the simplex has a corner already: a support that comes again means no progress. */
static bool holds(const brio_simplex *simplex, brio_vec3 w) {
  for (int i = 0; i < simplex->count; i++)
    if (same(simplex->point[i].w, w)) return true;
  return false;
}

bool brio_cores_apart(const brio_cores *cores, brio_vec3 start, brio_simplex *simplex, brio_vec3 *nearest) {
  /* v is the nearest point so far; size2 the largest |w|^2, the scale of rounding. */
  simplex->point[0] = brio_cores_support(cores, start);
  simplex->weight[0] = 1;
  simplex->count = 1;
  brio_vec3 v = simplex->point[0].w;
  double v2 = brio_vec3_dot(v, v), size2 = v2;
  /* Stop when the plane through the support proves that |v| is the distance, or nearly. */
  for (int step = 0; step < STEPS && v2 > TOUCH * TOUCH * size2; step++) {
    brio_difference_point next = brio_cores_support(cores, brio_vec3_scale(-1, v));
    double w2 = brio_vec3_dot(next.w, next.w);
    size2 = w2 > size2 ? w2 : size2;
    double gap = v2 - brio_vec3_dot(v, next.w);
    if (!(gap > GAP * v2 && gap * gap > ROUND * ROUND * v2 * size2) || holds(simplex, next.w)) break;
    assert(simplex->count < 4);
    simplex->point[simplex->count++] = next;
    if (!brio_simplex_nearest(simplex, v2, &v)) { /* nothing but rounding is left */
      simplex->count--;
      break;
    }
    v2 = brio_vec3_dot(v, v);
  }
  *nearest = v;
  return v2 > TOUCH * TOUCH * size2;
}

/* The direction from core to core, `nearest` being C's point nearest to the
** origin. Where that is so near that rounding turns it, the normal of the
** triangle that carries it is taken if its planes separate more. */
static brio_vec3 direction_between(const brio_cores *cores, const brio_simplex *s, brio_vec3 nearest) {
  double length = brio_vec3_norm(nearest);
  brio_vec3 normal = brio_vec3_scale(-1 / length, nearest);
  if (s->count < 3 || length > NEAR * brio_vec3_norm(s->point[0].w)) return normal;
  brio_vec3 a = s->point[0].w;
  brio_vec3 up = brio_vec3_cross(brio_vec3_sub(s->point[1].w, a), brio_vec3_sub(s->point[2].w, a));
  if (brio_vec3_dot(up, nearest) > 0) up = brio_vec3_scale(-1, up);
  up = brio_vec3_unit(up, normal);
  double depth = brio_vec3_dot(normal, brio_cores_support(cores, normal).w);
  return brio_vec3_dot(up, brio_cores_support(cores, up).w) < depth ? up : normal;
}

brio_distance brio_distance_of_cores(const brio_shape *a, const brio_transform *pose_a,
                                     const brio_shape *b, const brio_transform *pose_b, brio_vec3 hint,
                                     brio_overlap (*overlap)(const brio_cores *, const brio_simplex *)) {
  /* Start along the hint of the last query, or along the line between the origins of both. */
  brio_cores cores = {a, b, brio_transform_between(pose_a, pose_b)};
  bool hinted = brio_vec3_dot(hint, hint) > 0;
  brio_vec3 start = hinted ? brio_transform_undirection(pose_a, hint) : cores.b_in_a.p, nearest;
  brio_simplex simplex;
  brio_overlap o;
  /* Apart, the walk gives both points; overlapping, `overlap` finds the way out. */
  if (brio_cores_apart(&cores, start, &simplex, &nearest)) {
    o.normal = direction_between(&cores, &simplex, nearest);
    o.point_a = brio_simplex_point_a(&simplex);
    o.point_b = brio_vec3_sub(o.point_a, nearest);
  } else {
    o = overlap(&cores, &simplex);
  }
  return brio_distance_rounded(brio_transform_point(pose_a, o.point_a), brio_core_margin(a),
                               brio_transform_point(pose_a, o.point_b), brio_core_margin(b),
                               brio_transform_direction(pose_a, o.normal));
}

/* The points of an overlap are the nearest ones with b moved out along the normal, moved back. */
void brio_cores_witness(const brio_cores *cores, brio_overlap *overlap) {
  brio_vec3 n = overlap->normal, nearest;
  brio_simplex simplex;
  brio_cores moved = *cores;
  /* Clearly apart, so that rounding does not decide the walk. */
  double aside = overlap->depth + 0.1 * brio_vec3_norm(brio_cores_support(cores, n).w) + 1e-3;
  moved.b_in_a.p = brio_vec3_add_scaled(cores->b_in_a.p, aside, n);
  brio_cores_apart(&moved, n, &simplex, &nearest);
  brio_vec3 a = brio_simplex_point_a(&simplex);
  brio_vec3 b = brio_vec3_add_scaled(brio_vec3_sub(a, nearest), -aside, n);
  double miss = -overlap->depth - brio_vec3_dot(n, brio_vec3_sub(b, a)); /* rounding of the walk */
  overlap->point_a = brio_vec3_add_scaled(a, -miss / 2, n);
  overlap->point_b = brio_vec3_add_scaled(b, miss / 2, n);
}
