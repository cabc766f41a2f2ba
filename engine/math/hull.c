/* Convex hulls by Qhull (Barber, Dobkin, Huhdanpaa, "The Quickhull algorithm for convex hulls",
** 1996). Qhull rejects flat input, so points in a plane are handled here by Andrew's monotone
** chain, 1979, and points on a line by their two ends. O(n log n) on the mean. */
#include "math/hull.h"

#include <assert.h>
#include <libqhull_r/libqhull_r.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double FLAT = 1e-9; /* thickness below this share of the size counts as none */

/* Order by x, then y, then z, for qsort. */
static int by_coordinates(const void *a, const void *b) {
  const brio_vec3 *p = a, *q = b;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  if (p->y != q->y) return p->y < q->y ? -1 : 1;
  return (p->z > q->z) - (p->z < q->z);
}

/* Sort the points and remove duplicates; return how many are left. */
static int sort_unique(brio_vec3 *points, int count) {
  assert(count >= 1);
  qsort(points, (size_t)count, sizeof *points, by_coordinates);
  int kept = 1;
  for (int i = 1; i < count; i++)
    if (by_coordinates(&points[kept - 1], &points[i]) != 0) points[kept++] = points[i];
  return kept;
}

/* The space that the points span: unit axes along, across and out of them. */
typedef struct hull_frame {
  brio_vec3 axis[3];
  int dimension; /* 0 a point, 1 a line, 2 a plane, 3 a solid */
} hull_frame;

/* The part of v at right angles to a unit axis. */
static brio_vec3 without(brio_vec3 v, brio_vec3 axis) {
  return brio_vec3_add_scaled(v, -brio_vec3_dot(v, axis), axis);
}

/* Find the point farthest from the first, then from the line to it, then from the plane of the three. */
static hull_frame find_frame(const brio_vec3 *points, int count) {
  hull_frame frame = {.dimension = 0};
  double size = 0;
  for (int d = 0; d < 3; d++) {
    brio_vec3 best = {0, 0, 0};
    /* The part of each point that the axes so far do not explain. */
    for (int i = 1; i < count; i++) {
      brio_vec3 v = brio_vec3_sub(points[i], points[0]);
      for (int k = 0; k < d; k++) v = without(v, frame.axis[k]);
      if (brio_vec3_dot(v, v) > brio_vec3_dot(best, best)) best = v;
    }
    double extent = brio_vec3_norm(best);
    if (d == 0) size = extent;
    if (!(extent > FLAT * size)) break;
    frame.axis[d] = brio_vec3_scale(1 / extent, best);
    frame.dimension = d + 1;
  }
  return frame;
}

/* A point with its coordinates in the plane. */
typedef struct plane_point {
  double u, v;
  brio_vec3 point;
} plane_point;

/* Order by u, then v, for qsort. */
static int by_plane(const void *a, const void *b) {
  const plane_point *p = a, *q = b;
  if (p->u != q->u) return p->u < q->u ? -1 : 1;
  return (p->v > q->v) - (p->v < q->v);
}

/* Twice the signed area of the triangle a b c: positive where it turns left. */
static double turn(const plane_point *a, const plane_point *b, const plane_point *c) {
  return (b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u);
}

/* Add one side of the hull: walk over the sorted points, removing corners that do not turn left.
** Return the number of corners without the last, which begins the other side. */
static int add_chain(const plane_point *sorted, int count, int step, plane_point *chain) {
  int n = 0;
  for (int i = step > 0 ? 0 : count - 1; i >= 0 && i < count; i += step) {
    while (n >= 2 && turn(&chain[n - 2], &chain[n - 1], &sorted[i]) <= 0) n--;
    chain[n++] = sorted[i];
  }
  return n - 1; /* the last one begins the other chain */
}

/* Reduce points in a plane to the corners of their hull; return how many, or -1 and an error. */
static int flat_corners(brio_vec3 *points, int count, const hull_frame *frame, brio_error *err) {
  /* One block: the sorted points, then both chains, which together are at most twice as long. */
  plane_point *sorted = malloc(3 * (size_t)count * sizeof *sorted);
  if (!sorted) return brio_fail(err, BRIO_NO_MEMORY, "no memory for the hull of %d points", count), -1;
  plane_point *chain = sorted + count;
  /* Coordinates in the plane, along its two axes. */
  for (int i = 0; i < count; i++) {
    brio_vec3 v = brio_vec3_sub(points[i], points[0]);
    sorted[i] = (plane_point){brio_vec3_dot(v, frame->axis[0]), brio_vec3_dot(v, frame->axis[1]), points[i]};
  }
  qsort(sorted, (size_t)count, sizeof *sorted, by_plane);
  int n = add_chain(sorted, count, 1, chain);
  n += add_chain(sorted, count, -1, chain + n);
  for (int i = 0; i < n; i++) points[i] = chain[i].point;
  free(sorted);
  return n;
}

/* Keep the two ends of points on a line; they are sorted. */
static int line_corners(brio_vec3 *points, int count) {
  assert(count >= 2);
  points[1] = points[count - 1];
  return 2;
}

/* Let Qhull find the hull of a solid, and `visit` see it; return Qhull's exit code, 0 on success. Qhull
** writes its complaints to a file: one in memory, which is dropped. */
static int visit_hull(const brio_vec3 *points, int count, const char *options,
                      void (*visit)(qhT *qh, void *context), void *context) {
  qhT qhull;
  char *said = NULL, command[40];
  size_t length = 0;
  int curlong, totlong, code;
  FILE *log = open_memstream(&said, &length);
  if (!log) return qh_ERRmem;
  snprintf(command, sizeof command, "qhull %s", options);
  qh_zero(&qhull, log);
  code = qh_new_qhull(&qhull, 3, count, (coordT *)(void *)points, False, command, NULL, log);
  if (code == 0) visit(&qhull, context);
  qh_freeqhull(&qhull, !qh_ALL);
  qh_memfreeshort(&qhull, &curlong, &totlong);
  fclose(log);
  free(said);
  return code;
}

/* Mark the corners of a hull. */
static void mark_corners(qhT *qh, void *context) {
  bool *corner = context;
  vertexT *vertex;
  FORALLvertices corner[qh_pointid(qh, vertex->point)] = true;
}

/* Fail with a code of Qhull's. */
static bool fail_qhull(int code, int count, brio_error *err) {
  if (code == qh_ERRmem) return brio_fail(err, BRIO_NO_MEMORY, "no memory for the hull of %d points", count);
  return brio_fail(err, BRIO_LIMIT, "Qhull finds no hull of %d points (its code %d)", count, code);
}

/* Reduce the points of a solid to the corners of their hull; return how many, or -1 and an error. */
static int solid_corners(brio_vec3 *points, int count, brio_error *err) {
  bool *corner = calloc((size_t)count, sizeof *corner);
  int code = corner ? visit_hull(points, count, "", mark_corners, corner) : qh_ERRmem, kept = 0;
  for (int i = 0; code == 0 && i < count; i++)
    if (corner[i]) points[kept++] = points[i];
  free(corner);
  return code == 0 ? kept : (fail_qhull(code, count, err), -1);
}

/* Whether all points are finite and near enough for Qhull; else an error. */
static bool check_points(const brio_vec3 *points, int count, brio_error *err) {
  if (count < 1) return brio_fail(err, BRIO_MISUSE, "a hull needs at least one point");
  for (int i = 0; i < count; i++)
    if (!(fabs(points[i].x) < 1e9 && fabs(points[i].y) < 1e9 && fabs(points[i].z) < 1e9))
      return brio_fail(err, BRIO_MISUSE, "point %d is not finite or farther than 1e9 m", i + 1);
  return true;
}

/* In place, O(n log n) on the mean. Corners come first, in the order of their coordinates. */
int brio_hull_corners(brio_vec3 *points, int count, brio_error *err) {
  if (!check_points(points, count, err)) return -1;
  /* Sorting first makes the result independent of the order of the points. */
  count = sort_unique(points, count);
  hull_frame frame = find_frame(points, count);
  if (frame.dimension == 0) return 1;
  if (frame.dimension == 1) return line_corners(points, count);
  assert(frame.dimension == 2 || frame.dimension == 3);
  int n = frame.dimension == 2 ? flat_corners(points, count, &frame, err) : solid_corners(points, count, err);
  /* The corners leave in the same order, whichever algorithm found them. */
  return n > 0 ? sort_unique(points, n) : n;
}

/* Sums over the tetrahedra from one point inside to every face: volume, and the integrals of the coordinates
** and of their products (xx xy xz yy yz zz), all from `inside`. */
typedef struct hull_sums {
  brio_vec3 inside;
  double volume, first[3], second[6];
} hull_sums;

/* Add the tetrahedron from the origin to three corners. Its volume V is a sixth of their determinant, its
** centre is a quarter of their sum, and the integral of x y is V/20 (sum of x_i y_i + sum of x_i times sum of
** y_i). Source: Tonon, "Explicit exact formulas for the 3-D tetrahedron inertia tensor", 2004. */
static void add_tetrahedron(hull_sums *sums, const brio_vec3 corner[3]) {
  static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
  double v = fabs(brio_vec3_dot(corner[0], brio_vec3_cross(corner[1], corner[2]))) / 6, sum[3], c[3][3];
  for (int i = 0; i < 3; i++) c[i][0] = corner[i].x, c[i][1] = corner[i].y, c[i][2] = corner[i].z;
  for (int k = 0; k < 3; k++) sum[k] = c[0][k] + c[1][k] + c[2][k];
  sums->volume += v;
  for (int k = 0; k < 3; k++) sums->first[k] += v * sum[k] / 4;
  for (int k = 0; k < 6; k++) {
    double products = sum[row[k]] * sum[column[k]];
    for (int i = 0; i < 3; i++) products += c[i][row[k]] * c[i][column[k]];
    sums->second[k] += v * products / 20;
  }
}

/* Add all faces, which are triangles (Qhull's Qt). */
static void add_faces(qhT *qh, void *context) {
  hull_sums *sums = context;
  facetT *facet;
  vertexT *vertex, **vertexp;
  FORALLfacets {
    brio_vec3 corner[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    int n = 0;
    FOREACHvertex_(facet->vertices) {
      assert(n < 3);
      const coordT *p = vertex->point;
      corner[n++] = brio_vec3_sub((brio_vec3){p[0], p[1], p[2]}, sums->inside);
    }
    add_tetrahedron(sums, corner);
  }
}

/* From sums to a solid: the centre, then the inertia about it from the products about it. */
static void settle_solid(const hull_sums *sums, brio_hull_solid *out) {
  double v = sums->volume, c[3], p[6];
  static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int k = 0; k < 3; k++) c[k] = sums->first[k] / v;
  for (int k = 0; k < 6; k++) p[k] = sums->second[k] - v * c[row[k]] * c[column[k]];
  out->volume = v;
  out->center = brio_vec3_add(sums->inside, (brio_vec3){c[0], c[1], c[2]});
  memcpy(out->inertia, (double[]){p[3] + p[5], -p[1], -p[2], p[0] + p[5], -p[4], p[0] + p[3]},
         sizeof out->inertia);
}

/* A copy of the points is sorted, so that the sums do not depend on their order. */
bool brio_hull_mass_properties(const brio_vec3 *points, int count, brio_hull_solid *out, brio_error *err) {
  hull_sums sums = {.volume = 0};
  if (!check_points(points, count, err)) return false;
  brio_vec3 *sorted = malloc((size_t)count * sizeof *sorted);
  if (!sorted) return fail_qhull(qh_ERRmem, count, err);
  memcpy(sorted, points, (size_t)count * sizeof *sorted);
  int kept = sort_unique(sorted, count), code = 0;
  /* The mean of the points is inside their hull. */
  for (int i = 0; i < kept; i++) sums.inside = brio_vec3_add_scaled(sums.inside, 1.0 / kept, sorted[i]);
  *out = (brio_hull_solid){.center = sums.inside};
  if (find_frame(sorted, kept).dimension == 3) code = visit_hull(sorted, kept, "Qt", add_faces, &sums);
  free(sorted);
  if (code != 0) return fail_qhull(code, count, err);
  if (sums.volume > 0) settle_solid(&sums, out);
  return true;
}
