/* Which points are in a solid, and how boxes lie to it.
**
** Arithmetic in double precision on a point turned into the solid's frame decides (`inside` of each
** kind). Leaves are tested four points at a time in single precision, with bounds slightly within
** and slightly beyond the surface: below the inner bound a point is in, above the outer one it is
** not, and the few between are tested one by one in double precision. So the result does not depend
** on rounding, and hardly any point is tested twice.
**
** The bounds: with d the greatest magnitude of the numbers (position of the solid, its size, the
** leaf's corners), a coordinate in the solid's frame is a sum of three products of rounded factors,
** each off by at most 2^-24 of it: less than 20 * 2^-24 * d in all. 32 are taken. */
#include <assert.h>
#include <string.h>

#include "cloud/index/index_internal.h"
#include "geometry/four.h"

static const double LIMIT = 1e9; /* m: greatest position or size */

/* Bounds that the points of a leaf are compared with: [0] slightly inside the surface, [1] slightly
** outside. */
typedef struct bounds {
  brio_four square[2];  /* of the radius */
  brio_four half[3][2]; /* of the half lengths */
  brio_four edge[2];    /* of 0 */
  brio_four axis;       /* half[2], as it is */
} bounds;

/* Return the lanes of a leaf that are in a solid, as bits. */
typedef uint64_t scan_leaf(const brio_cloud_ready *r, const brio_cloud_leaf *leaf,
                           const brio_cloud_node *node);

/* What each kind of solid provides; its axis is z. */
struct brio_cloud_kind {
  int nsize;                                                 /* 1: size.x; 2: and size.z; 3: all */
  bool turned;                                               /* its orientation matters */
  bool (*inside)(const brio_cloud_ready *r, brio_vec3 q);    /* a point in the solid's frame */
  brio_cloud_side (*side)(const brio_cloud_ready *r, brio_vec3 q, const double near[3], const double far[3]);
  scan_leaf *scan;
};

/* As fmax, of numbers that are not NAN, without a call. */
static inline double greater(double a, double b) { return a > b ? a : b; }

/* ------------------------------------------------------------------ points */

/* The tests of single points: `q` is in the solid's frame, m. */
static bool in_sphere(const brio_cloud_ready *r, brio_vec3 q) {
  return brio_vec3_dot(q, q) <= r->radius * r->radius;
}

/* A capsule contains all points within the radius of its segment. */
static bool in_capsule(const brio_cloud_ready *r, brio_vec3 q) {
  /* Zero beside the cylindrical part, else the distance above or below it. */
  double beyond = greater(0, fabs(q.z) - r->half[2]);
  return q.x * q.x + q.y * q.y + beyond * beyond <= r->radius * r->radius;
}

static bool in_cylinder(const brio_cloud_ready *r, brio_vec3 q) {
  return q.x * q.x + q.y * q.y <= r->radius * r->radius && fabs(q.z) <= r->half[2];
}

static bool in_box(const brio_cloud_ready *r, brio_vec3 q) {
  return fabs(q.x) <= r->half[0] && fabs(q.y) <= r->half[1] && fabs(q.z) <= r->half[2];
}

static bool in_half_space(const brio_cloud_ready *r, brio_vec3 q) {
  (void)r;
  return q.z <= 0;
}

/* ------------------------------------------------------------------ boxes */

/* The side of a box whose least and greatest lengths are `near` and `far`; lengths up to `most` are
** inside. */
static brio_cloud_side side_by(double near, double far, double most) {
  return near > most ? BRIO_CLOUD_OUTSIDE : far <= most ? BRIO_CLOUD_WITHIN : BRIO_CLOUD_CROSSING;
}

/* Both conditions must hold: the outer one of two sides. */
static brio_cloud_side both(brio_cloud_side a, brio_cloud_side b) { return a < b ? a : b; }

/* Squared length of the vector of v[0], v[1] and a third coordinate. */
static double square(const double v[3], double along) { return v[0] * v[0] + v[1] * v[1] + along * along; }

/* Also for spheres, which are capsules of length 0. */
static brio_cloud_side side_capsule(const brio_cloud_ready *r, brio_vec3 q, const double near[3],
                                    const double far[3]) {
  (void)q;
  return side_by(square(near, greater(0, near[2] - r->half[2])), square(far, greater(0, far[2] - r->half[2])),
                 r->radius * r->radius);
}

static brio_cloud_side side_cylinder(const brio_cloud_ready *r, brio_vec3 q, const double near[3],
                                     const double far[3]) {
  (void)q;
  return both(side_by(square(near, 0), square(far, 0), r->radius * r->radius),
              side_by(near[2], far[2], r->half[2]));
}

static brio_cloud_side side_box(const brio_cloud_ready *r, brio_vec3 q, const double near[3],
                                const double far[3]) {
  (void)q;
  return both(side_by(near[2], far[2], r->half[2]),
              both(side_by(near[0], far[0], r->half[0]), side_by(near[1], far[1], r->half[1])));
}

/* The signed height of the box reaches from q.z - reach to q.z + reach; `near` and `far` are magnitudes. */
static brio_cloud_side side_half_space(const brio_cloud_ready *r, brio_vec3 q, const double near[3],
                                       const double far[3]) {
  (void)r, (void)near;
  double reach = far[2] - fabs(q.z);
  return side_by(q.z - reach, q.z + reach, 0);
}

/* Write the least and the greatest distance, along an axis of the solid, of a box from the solid's middle;
** the box's own middle is at `at`. */
static inline void put_range(double at, double reach, double *near, double *far) {
  double length = fabs(at), apart = length - reach;
  *near = 0.5 * (apart + fabs(apart)); /* 0 where it reaches over the middle */
  *far = length + reach;
}

/* Return half the extent of a box with half lengths x, y, z along axis k of the solid, with a margin for
** rounding. */
static inline double reach_of(const brio_cloud_ready *r, int k, double x, double y, double z) {
  return r->size[k] * x + r->size[3 + k] * y + r->size[6 + k] * z + r->margin;
}

brio_cloud_side brio_cloud_side_of(const brio_cloud_ready *r, const brio_cloud_node *node) {
  /* An empty node has an inverted box. */
  if (node->count == 0) return BRIO_CLOUD_OUTSIDE;
  assert(r->kind->side);
  const double lower[3] = {node->lower[0], node->lower[1], node->lower[2]};
  const double upper[3] = {node->upper[0], node->upper[1], node->upper[2]};
  double x = (upper[0] - lower[0]) / 2, y = (upper[1] - lower[1]) / 2, z = (upper[2] - lower[2]) / 2, near[3],
         far[3];
  /* The box's middle in the frame of the solid; its extent there is reach_of(). */
  brio_vec3 middle = {(lower[0] + upper[0]) / 2, (lower[1] + upper[1]) / 2, (lower[2] + upper[2]) / 2};
  brio_vec3 q = brio_transform_undirection(&r->pose, brio_vec3_sub(middle, r->pose.p));
  put_range(q.x, reach_of(r, 0, x, y, z), &near[0], &far[0]);
  put_range(q.y, reach_of(r, 1, x, y, z), &near[1], &far[1]);
  put_range(q.z, reach_of(r, 2, x, y, z), &near[2], &far[2]);
  return r->kind->side(r, q, near, far);
}

/* ------------------------------------------------------------------ leaves */

/* Bounds for one leaf: the slack is proportional to the greatest coordinate. */
static void make_bounds(const brio_cloud_ready *r, const brio_cloud_node *node, bounds *b) {
  double size = r->reach;
  for (int k = 0; k < 3; k++)
    size = greater(size, r->reach + greater(fabs(node->lower[k]), fabs(node->upper[k])));
  /* The factor is derived at the head of the file. */
  double slack = 32 * 0x1p-24 * size;
  for (int i = 0; i < 2; i++) {
    double by = i == 0 ? -slack : slack, radius = r->radius + by;
    /* A bound below 0 excludes every point. Squares are rounded, too, hence the factors. */
    b->square[i] = brio_four_of((float)(radius < 0 ? -1 : radius * radius * (1 + (i == 0 ? -1e-6 : 1e-6))));
    for (int k = 0; k < 3; k++) b->half[k][i] = brio_four_of((float)(r->half[k] + by));
    b->edge[i] = brio_four_of((float)by);
  }
  b->axis = brio_four_of((float)r->half[2]);
}

/* Which of four points, in the solid's frame, are within bound i (lanes of all ones). */
typedef brio_four test_four(const bounds *b, int i, brio_four x, brio_four y, brio_four z);

static inline __attribute__((always_inline)) brio_four square_of(brio_four x, brio_four y) {
  return brio_four_add(brio_four_mul(x, x), brio_four_mul(y, y));
}

static inline __attribute__((always_inline)) brio_four test_sphere(const bounds *b, int i, brio_four x,
                                                                   brio_four y, brio_four z) {
  return brio_four_at_most(brio_four_add(square_of(x, y), brio_four_mul(z, z)), b->square[i]);
}

static inline __attribute__((always_inline)) brio_four test_capsule(const bounds *b, int i, brio_four x,
                                                                    brio_four y, brio_four z) {
  brio_four beyond = brio_four_max(brio_four_sub(brio_four_abs(z), b->axis), brio_four_of(0));
  return brio_four_at_most(brio_four_add(square_of(x, y), brio_four_mul(beyond, beyond)), b->square[i]);
}

static inline __attribute__((always_inline)) brio_four test_cylinder(const bounds *b, int i, brio_four x,
                                                                     brio_four y, brio_four z) {
  return brio_four_and(brio_four_at_most(square_of(x, y), b->square[i]),
                       brio_four_at_most(brio_four_abs(z), b->half[2][i]));
}

static inline __attribute__((always_inline)) brio_four test_box(const bounds *b, int i, brio_four x,
                                                                brio_four y, brio_four z) {
  return brio_four_and(brio_four_at_most(brio_four_abs(x), b->half[0][i]),
                       brio_four_and(brio_four_at_most(brio_four_abs(y), b->half[1][i]),
                                     brio_four_at_most(brio_four_abs(z), b->half[2][i])));
}

static inline __attribute__((always_inline)) brio_four test_half_space(const bounds *b, int i, brio_four x,
                                                                       brio_four y, brio_four z) {
  (void)x, (void)y;
  return brio_four_at_most(z, b->edge[i]);
}

/* Decide one point in double precision: the final result for points near the surface. */
static bool ready_inside(const brio_cloud_ready *r, brio_vec3 p) {
  return r->kind->inside(r, brio_transform_undirection(&r->pose, brio_vec3_sub(p, r->pose.p)));
}

/* Decide the doubtful lanes one by one. */
static uint64_t ask(const brio_cloud_ready *r, const brio_cloud_leaf *leaf, uint64_t doubt) {
  uint64_t in = 0;
  for (; doubt; doubt &= doubt - 1) {
    /* The lowest bit, which the loop clears. */
    int i = __builtin_ctzll(doubt);
    if (ready_inside(r, (brio_vec3){leaf->x[i], leaf->y[i], leaf->z[i]})) in |= 1ull << i;
  }
  return in;
}

/* Return column k of the rotation times a vector: coordinate k in the solid's frame. */
static inline __attribute__((always_inline)) brio_four along(const brio_four m[9], int k, brio_four x,
                                                             brio_four y, brio_four z) {
  return brio_four_add(brio_four_add(brio_four_mul(m[k], x), brio_four_mul(m[3 + k], y)),
                       brio_four_mul(m[6 + k], z));
}

/* The lanes of a leaf that are in the solid. `test` is a constant in each caller, so each kind gets its own
** inlined loop; `turned` is false only for spheres. O(64) */
static inline __attribute__((always_inline)) uint64_t scan(const brio_cloud_ready *r,
                                                           const brio_cloud_leaf *leaf,
                                                           const brio_cloud_node *node, bool turned,
                                                           test_four *test) {
  bounds b;
  brio_four m[9], p[3] = {brio_four_of((float)r->pose.p.x), brio_four_of((float)r->pose.p.y),
                          brio_four_of((float)r->pose.p.z)};
  uint64_t sure = 0, maybe = 0;
  /* Rotation and position are rounded to float once; the slack covers that. */
  make_bounds(r, node, &b);
  for (int k = 0; k < 9; k++) m[k] = brio_four_of((float)r->pose.r[k]);
  /* Lanes without a point are NAN, for which every comparison is false. */
  for (int i = 0; i < BRIO_CLOUD_LEAF; i += 4) {
    brio_four x = brio_four_sub(brio_four_load(leaf->x + i), p[0]),
              y = brio_four_sub(brio_four_load(leaf->y + i), p[1]),
              z = brio_four_sub(brio_four_load(leaf->z + i), p[2]);
    brio_four u = turned ? along(m, 0, x, y, z) : x, v = turned ? along(m, 1, x, y, z) : y,
              w = turned ? along(m, 2, x, y, z) : z;
    sure |= (uint64_t)brio_four_bits(test(&b, 0, u, v, w)) << i;
    maybe |= (uint64_t)brio_four_bits(test(&b, 1, u, v, w)) << i;
  }
  return maybe == sure ? sure : sure | ask(r, leaf, maybe & ~sure);
}

static uint64_t scan_sphere(const brio_cloud_ready *r, const brio_cloud_leaf *leaf,
                            const brio_cloud_node *node) {
  return scan(r, leaf, node, false, test_sphere);
}

static uint64_t scan_capsule(const brio_cloud_ready *r, const brio_cloud_leaf *leaf,
                             const brio_cloud_node *node) {
  return scan(r, leaf, node, true, test_capsule);
}

static uint64_t scan_cylinder(const brio_cloud_ready *r, const brio_cloud_leaf *leaf,
                              const brio_cloud_node *node) {
  return scan(r, leaf, node, true, test_cylinder);
}

static uint64_t scan_box(const brio_cloud_ready *r, const brio_cloud_leaf *leaf,
                         const brio_cloud_node *node) {
  return scan(r, leaf, node, true, test_box);
}

static uint64_t scan_half_space(const brio_cloud_ready *r, const brio_cloud_leaf *leaf,
                                const brio_cloud_node *node) {
  return scan(r, leaf, node, true, test_half_space);
}

/* ------------------------------------------------------------------ kinds */

/* A hull has no entry: there is no query for points in a hull. */
static const struct brio_cloud_kind kinds[BRIO_NSHAPE] = {
    [BRIO_SHAPE_SPHERE] = {1, false, in_sphere, side_capsule, scan_sphere},
    [BRIO_SHAPE_CAPSULE] = {2, true, in_capsule, side_capsule, scan_capsule},
    [BRIO_SHAPE_CYLINDER] = {2, true, in_cylinder, side_cylinder, scan_cylinder},
    [BRIO_SHAPE_BOX] = {3, true, in_box, side_box, scan_box},
    [BRIO_SHAPE_HALF_SPACE] = {0, true, in_half_space, side_half_space, scan_half_space}};

void brio_cloud_make_ready(const brio_cloud_solid *solid, brio_cloud_ready *r) {
  /* Sizes that a kind does not use stay 0. */
  const brio_shape *shape = &solid->shape;
  *r = (brio_cloud_ready){.kind = &kinds[shape->kind], .pose = BRIO_TRANSFORM_IDENTITY};
  /* A sphere needs no rotation; its frame is only shifted. */
  if (r->kind->turned) r->pose = brio_transform_of((brio_pose){solid->pose.p, brio_quat_unit(solid->pose.q)});
  r->pose.p = solid->pose.p;
  /* Magnitudes of the rotation bound the extent of a rotated box. */
  for (int k = 0; k < 9; k++) r->size[k] = fabs(r->pose.r[k]);
  r->half[0] = r->kind->nsize == 3 ? shape->size.x / 2 : 0;
  r->half[1] = r->kind->nsize == 3 ? shape->size.y / 2 : 0;
  r->half[2] = r->kind->nsize >= 2 ? shape->size.z / 2 : 0;
  r->radius = r->kind->nsize == 1 || r->kind->nsize == 2 ? shape->size.x : 0;
  r->reach = fabs(r->pose.p.x) + fabs(r->pose.p.y) + fabs(r->pose.p.z) + r->half[0] + r->half[1] +
             r->half[2] + r->radius;
  /* 1e-13 covers rounding of sums of three products in double precision. */
  r->margin = 1e-13 * (r->reach + BRIO_CLOUD_FARTHEST);
}

bool brio_cloud_inside(const brio_cloud_solid *solid, const float point[3]) {
  brio_cloud_ready ready;
  brio_vec3 p = {point[0], point[1], point[2]};
  brio_cloud_make_ready(solid, &ready);
  return isfinite(p.x + p.y + p.z) && ready_inside(&ready, p);
}

/* Whether a number is a valid size, or is not used by the kind. */
static bool good_size(double size, bool used) { return !used || (size >= 0 && size <= LIMIT); }

uint64_t brio_cloud_lanes_in(const brio_cloud_ready *r, const brio_cloud_leaf *leaf,
                             const brio_cloud_node *node) {
  assert(r->kind);
  return r->kind->scan(r, leaf, node);
}

bool brio_cloud_solids_check(const brio_cloud_solid *solids, int count, brio_error *err) {
  if (count < 1 || count > BRIO_CLOUD_SOLIDS)
    return brio_fail(err, BRIO_LIMIT, "a union of %d solids: 1 to %d were expected", count,
                     BRIO_CLOUD_SOLIDS);
  for (int i = 0; i < count; i++) {
    const brio_shape *shape = &solids[i].shape;
    brio_pose pose = solids[i].pose;
    if ((int)shape->kind < 0 || shape->kind >= BRIO_NSHAPE || !kinds[shape->kind].inside)
      return brio_fail(err, BRIO_MISUSE,
                       "points are counted in a sphere, box, capsule, cylinder or half_space, not in a %s",
                       (int)shape->kind >= 0 && shape->kind < BRIO_NSHAPE ? brio_shape_kind_name(shape->kind)
                                                                          : "?");
    /* How many of its sizes the kind uses. */
    int n = kinds[shape->kind].nsize;
    if (!good_size(shape->size.x, n >= 1) || !good_size(shape->size.y, n == 3) ||
        !good_size(shape->size.z, n >= 2))
      return brio_fail(err, BRIO_MISUSE, "a %s of %g, %g, %g m: sizes of 0 to 1e9 were expected",
                       brio_shape_kind_name(shape->kind), shape->size.x, shape->size.y, shape->size.z);
    if (!brio_pose_finite(pose) || fabs(pose.p.x) > LIMIT || fabs(pose.p.y) > LIMIT || fabs(pose.p.z) > LIMIT)
      return brio_fail(err, BRIO_MISUSE, "a %s at %g, %g, %g m: a finite pose was expected",
                       brio_shape_kind_name(shape->kind), pose.p.x, pose.p.y, pose.p.z);
  }
  return true;
}
