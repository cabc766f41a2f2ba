/* The robot's center of mass above the area that carries it: the convex hull of points on the ground, less
** a margin. Each edge of the hull has a row
**   max(0, margin - s),  m
** with s how far inside of the edge the center of mass stands, seen from above; so where the margin is more
** than the area has room for, it stands as far from all edges as it can.  The hull is found once a solve
** (Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979). */
#include <assert.h>

#include "solver/terms/term.h"

enum { MAX_EDGES = BRIO_GOAL_ITEMS, SCRATCH = 3 /* rows */ };

typedef struct center_of_mass_support {
  double margin; /* m */
  int nedge;
  double x[MAX_EDGES], y[MAX_EDGES]; /* of each edge: its normal, to the inside */
  double offset[MAX_EDGES];          /* m: s = x cx + y cy - offset */
} center_of_mass_support;

static const double MIN_AREA = 1e-6; /* m^2 */

/* Without masses there is no center of mass. */
static bool bind(void *self, const brio_robot *robot, uint64_t seed, brio_error *err) {
  (void)self, (void)seed;
  return brio_term_must_weigh(robot, err);
}

/* A row for each edge, and three that hold the Jacobian of the center of mass. */
static int rows(const void *self, const brio_robot *robot) {
  (void)self, (void)robot;
  return MAX_EDGES + SCRATCH;
}

/* A point seen from above, m. */
typedef struct point {
  double x, y;
} point;

/* Whether b comes before a in the order along x, then y. */
static bool before(point b, point a) { return b.x != a.x ? b.x < a.x : b.y < a.y; }

/* Sort by insertion, in place: the points are few and
** mostly sorted already, and qsort may allocate. */
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
  point points[MAX_EDGES];
  assert(goal->items <= MAX_EDGES);
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
static bool accept(const void *self, const brio_goal *goal, brio_error *err) {
  (void)self;
  point hull[2 * MAX_EDGES];
  if (area(hull, find_hull(goal, hull)) > MIN_AREA) return true;
  return brio_fail(
      err, BRIO_MISUSE,
      "the points must span an area to stand on, seen from above: at least three, not in a line");
}

/* The hull becomes edges with an inward unit normal; corners that coincide have none. */
static void update(void *self, const brio_goal *goal, const brio_evaluation *last) {
  (void)last;
  center_of_mass_support *term = self;
  point hull[2 * MAX_EDGES];
  int n = find_hull(goal, hull);
  term->nedge = 0;
  for (int i = 0; i < n; i++) {
    point a = hull[i], b = hull[(i + 1) % n];
    double length = hypot(b.x - a.x, b.y - a.y);
    if (!(length > 1e-9) || term->nedge == MAX_EDGES) continue;
    int k = term->nedge++;
    term->x[k] = (a.y - b.y) / length;
    term->y[k] = (b.x - a.x) / length;
    term->offset[k] = term->x[k] * a.x + term->y[k] * a.y;
  }
}

/* Only edges that the center of mass is too near to, or beyond, have a row. */
static int residual(const void *self, const brio_goal *goal, const brio_evaluation *at, double *r,
                    double *jacobian) {
  (void)goal;
  const center_of_mass_support *term = self;
  int nv = at->robot->nv, count = 0;
  /* The Jacobian of the center of mass is computed once, in the rows behind those of the edges. */
  double *of_com = NULL;
  if (jacobian) brio_state_com_jacobian(at->state, of_com = jacobian + MAX_EDGES * nv);
  for (int k = 0; k < term->nedge; k++) {
    double inside = term->x[k] * at->state->com.x + term->y[k] * at->state->com.y - term->offset[k];
    if (inside >= term->margin) continue;
    r[count] = term->margin - inside;
    for (int j = 0; jacobian && j < nv; j++)
      jacobian[count * nv + j] = -term->x[k] * of_com[j] - term->y[k] * of_com[nv + j];
    count++;
  }
  return count;
}

static const brio_param params[] = {{.name = "margin",
                                     .unit = "m",
                                     .doc = "Minimum distance from the edge of the area.",
                                     .offset = offsetof(center_of_mass_support, margin),
                                     .fallback = 0.02,
                                     .lower = 0,
                                     .upper = 10},
                                    {0}};

const brio_objective_kind brio_objective_center_of_mass_support = {
    .name = "center_of_mass_support",
    .doc = "Keeps the center of mass above the hull of points on the ground, by a margin inside it.",
    .example = "{margin = 0.03}",
    .category = "force",
    .params = params,
    .goal = &brio_goal_points,
    .size = sizeof(center_of_mass_support),
    .needs = BRIO_NEEDS_COM,
    .loss = &brio_loss_wall,
    .lively = &brio_loss_wall,
    .bind = bind,
    .accept = accept,
    .rows = rows,
    .update = update,
    .residual = residual,
};
