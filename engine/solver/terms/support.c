/* The hull of points on the ground, and the rows of a point that must stay inside it.  Source of the hull:
** Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979. */
#include "solver/terms/support.h"

#include <assert.h>

#include "math/scalar.h"

static const double MIN_AREA = 1e-6; /* m^2 */

/* A row for each edge, and three that hold the slopes of the point. */
int brio_support_rows(const void *self, const brio_robot *robot) {
  (void)self, (void)robot;
  return BRIO_SUPPORT_EDGES + BRIO_SUPPORT_SCRATCH;
}

/* A point seen from above, m. */
typedef struct point {
  double x, y;
} point;

/* Whether b comes before a in the order along x, then y. */
static bool before(point b, point a) {
  return b.x != a.x ? b.x < a.x : b.y < a.y;
}

/* Sort by insertion, in place: the points are few and mostly sorted already, and qsort may allocate. */
static void sort(point *points, int n) {
  for (int i = 1; i < n; i++) {
    point p = points[i];
    int k = i;
    for (; k > 0 && before(p, points[k - 1]); k--) points[k] = points[k - 1];
    points[k] = p;
  }
}

/* Twice the signed area of the triangle a b c: positive where it turns left. */
static double left_turn(point a, point b, point c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Add one side of the hull: those of `n` sorted points that keep it turning left. Points of the
** other side stay. Return the number of corners, without the last, which begins the next side. */
static int add_side(const point *points, int n, int step, point *hull, int count) {
  int least = count + 1;
  for (int k = 0; k < n; k++) {
    point p = points[step > 0 ? k : n - 1 - k];
    /* Corners that do not turn left are inside of the hull. */
    while (count > least && left_turn(hull[count - 2], hull[count - 1], p) <= 0) count--;
    hull[count++] = p;
  }
  return count - 1; /* the last one begins the other side */
}

/* Write the hull of the goal's points, counterclockwise; return the number of its corners. */
static int find_hull(const brio_goal *goal, point *hull) {
  point points[BRIO_SUPPORT_EDGES];
  assert(goal->items <= BRIO_SUPPORT_EDGES);
  for (int i = 0; i < goal->items; i++) {
    const double *p = brio_goal_item(goal, i);
    points[i] = (point){p[0], p[1]};
  }
  sort(points, goal->items);
  /* The lower side from left to right, then the upper one back. */
  int count = add_side(points, goal->items, 1, hull, 0);
  return add_side(points, goal->items, -1, hull, count);
}

/* The area of a convex polygon, m^2, as a fan of triangles. */
static double area(const point *hull, int n) {
  double twice = 0;
  for (int i = 1; i + 1 < n; i++) twice += left_turn(hull[0], hull[i], hull[i + 1]);
  return twice / 2;
}

/* A goal must span an area, or no edge has an inside. */
bool brio_support_accept(const void *self, const brio_goal *goal, brio_error *err) {
  (void)self;
  point hull[2 * BRIO_SUPPORT_EDGES];
  if (area(hull, find_hull(goal, hull)) > MIN_AREA) return true;
  return brio_fail(
      err, BRIO_MISUSE,
      "the points must span an area to stand on, seen from above: at least three, not in a line");
}

/* The hull becomes edges with an inward unit normal; corners that coincide have none. */
void brio_support_update(brio_support *support, const brio_goal *goal) {
  point hull[2 * BRIO_SUPPORT_EDGES];
  int n = find_hull(goal, hull);
  support->nedge = 0;
  for (int i = 0; i < n; i++) {
    point a = hull[i], b = hull[(i + 1) % n];
    double length = hypot(b.x - a.x, b.y - a.y);
    if (!(length > 1e-9) || support->nedge == BRIO_SUPPORT_EDGES) continue;
    int k = support->nedge++;
    support->x[k] = (a.y - b.y) / length;
    support->y[k] = (b.x - a.x) / length;
    support->offset[k] = support->x[k] * a.x + support->y[k] * a.y;
  }
  /* The ground is level, at the mean height of all points. */
  support->height = 0;
  for (int i = 0; i < goal->items; i++) support->height += brio_goal_item(goal, i)[2] / goal->items;
}

/* How far inside of edge k a point is, m, times its third number. */
static double inside_of(const brio_support *support, int k, double x, double y, double w) {
  return support->x[k] * x + support->y[k] * y - support->offset[k] * w;
}

/* Only edges that the point is too near to, or beyond, have a row. */
int brio_support_residual(const brio_support *support, double margin, const double *rest, const double p[3],
                          const double *slopes, int nv, double *r, double *jacobian) {
  int count = 0;
  for (int k = 0; k < support->nedge; k++) {
    double own = rest ? brio_min(margin, inside_of(support, k, rest[0], rest[1], 1)) : margin;
    double inside = inside_of(support, k, p[0], p[1], p[2]);
    if (inside >= own * p[2]) continue;
    r[count] = own * p[2] - inside;
    double share = own + support->offset[k];
    for (int j = 0; jacobian && j < nv; j++)
      jacobian[count * nv + j] =
          share * slopes[2 * nv + j] - support->x[k] * slopes[j] - support->y[k] * slopes[nv + j];
    count++;
  }
  assert(count <= BRIO_SUPPORT_EDGES);
  return count;
}
