/* Outlines in a plane. The hull: Andrew's monotone chain (1979), O(n log n); of many points only the
** outermost of narrow strips are used, O(n). The rectangle of least area has a side along one of the hull's
** sides (Freeman and Shapira, 1975), O(corners^2). */
#include "cloud/surfaces/outline.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { STRIPS = 256, MAX_EXACT = 2 * STRIPS };

/* Twice the signed area of the triangle a b c: positive for a left turn. */
static double turn(const double a[2], const double b[2], const double c[2]) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Order along the first axis, then the second, for qsort. */
static int by_place(const void *a, const void *b) {
  const double *p = a, *q = b;
  return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

/* Write the lowest and the highest point of each strip along the first axis; return their number. The hull of
** these is that of all points, except for what bends within a strip. O(points) */
static int outermost(const double (*points)[2], int count, double (*out)[2]) {
  double low = INFINITY, high = -INFINITY;
  int under[STRIPS], over[STRIPS], listed = 0;
  for (int i = 0; i < count; i++) low = fmin(low, points[i][0]), high = fmax(high, points[i][0]);
  for (int s = 0; s < STRIPS; s++) under[s] = over[s] = -1;
  /* All points at one place are in the first strip. */
  double scale = high > low ? (STRIPS - 1) / (high - low) : 0;
  for (int i = 0; i < count; i++) {
    int s = (int)((points[i][0] - low) * scale + 0.5);
    if (under[s] < 0 || points[i][1] < points[under[s]][1]) under[s] = i;
    if (over[s] < 0 || points[i][1] > points[over[s]][1]) over[s] = i;
  }
  for (int s = 0; s < STRIPS; s++) {
    const int pick[2] = {under[s], over[s]};
    for (int k = 0; k < 2; k++)
      if (pick[k] >= 0) out[listed][0] = points[pick[k]][0], out[listed++][1] = points[pick[k]][1];
  }
  assert(listed <= MAX_EXACT);
  return listed;
}

/* Write the hull of sorted points, counterclockwise; `hull` has room for 2 count + 1. Return the number of
** corners. O(count) */
static int chain(const double (*points)[2], int count, double (*hull)[2]) {
  int size = 0;
  /* The lower side from left to right, then the upper side back; corners that do not turn left are
  ** removed. */
  for (int pass = 0, least = 2; pass < 2; pass++, least = size + 1)
    for (int n = pass; n < count; n++) {
      const double *p = points[pass ? count - 1 - n : n];
      while (size >= least && turn(hull[size - 2], hull[size - 1], p) <= 0) size--;
      hull[size][0] = p[0], hull[size++][1] = p[1];
    }
  return size > 1 ? size - 1 : size;
}

/* Remove the corners that add the least area until `most` are left. O(size^2) */
static int thin(double (*hull)[2], int size, int most) {
  while (size > most) {
    int worst = 0;
    double least = INFINITY;
    for (int i = 0; i < size; i++) {
      /* The area of the triangle that its removal cuts off, twice. */
      double area = turn(hull[(i + size - 1) % size], hull[i], hull[(i + 1) % size]);
      if (area < least) least = area, worst = i;
    }
    for (int i = worst; i + 1 < size; i++) hull[i][0] = hull[i + 1][0], hull[i][1] = hull[i + 1][1];
    size--;
  }
  return size;
}

int brio_cloud_outline(const double (*points)[2], int count, double (*hull)[2], int most) {
  double outer[MAX_EXACT][2], full[2 * MAX_EXACT + 1][2];
  int size = count;
  if (count <= 0) return 0;
  /* On a copy, as chain() needs sorted points. */
  if (count > MAX_EXACT)
    size = outermost(points, count, outer);
  else
    for (int i = 0; i < count; i++) outer[i][0] = points[i][0], outer[i][1] = points[i][1];
  qsort(outer, (size_t)size, sizeof *outer, by_place);
  size = thin(full, chain((const double(*)[2])outer, size, full), most);
  assert(size <= most);
  for (int i = 0; i < size; i++) hull[i][0] = full[i][0], hull[i][1] = full[i][1];
  return size;
}

/* The area of a hull as a fan of triangles, m^2. */
double brio_cloud_outline_area(const double (*hull)[2], int corners) {
  double area = 0;
  for (int i = 1; i + 1 < corners; i++) area += turn(hull[0], hull[i], hull[i + 1]) / 2;
  return area;
}

/* Write size and middle of the rectangle around a hull with a side along the unit vector (x, y). Return its
** area. O(corners) */
static double rectangle_along(const double (*hull)[2], int corners, double x, double y, double middle[2],
                              double size[2]) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < corners; i++) {
    /* Coordinates along the side and across it. */
    double at[2] = {x * hull[i][0] + y * hull[i][1], -y * hull[i][0] + x * hull[i][1]};
    for (int k = 0; k < 2; k++) low[k] = fmin(low[k], at[k]), high[k] = fmax(high[k], at[k]);
  }
  double u = (low[0] + high[0]) / 2, v = (low[1] + high[1]) / 2;
  middle[0] = x * u - y * v, middle[1] = y * u + x * v;
  for (int k = 0; k < 2; k++) size[k] = high[k] - low[k];
  return size[0] * size[1];
}

/* The least of the rectangles along each side of the hull; size[0] is the longer side. */
void brio_cloud_outline_rectangle(const double (*hull)[2], int corners, double middle[2], double *direction,
                                  double size[2]) {
  double best = INFINITY, x = 1, y = 0;
  for (int i = 0; i < corners; i++) {
    const double *a = hull[i], *b = hull[(i + 1) % corners];
    double u = b[0] - a[0], v = b[1] - a[1], n = sqrt(u * u + v * v), m[2], s[2];
    /* Two corners at one place have no direction. */
    if (!(n > 0)) continue;
    double area = rectangle_along(hull, corners, u / n, v / n, m, s);
    if (area < best) best = area, x = u / n, y = v / n;
  }
  rectangle_along(hull, corners, x, y, middle, size);
  *direction = atan2(y, x);
  /* Else exchange the sides, a quarter turn. */
  if (size[0] >= size[1]) return;
  double swap = size[0];
  size[0] = size[1], size[1] = swap;
  *direction = atan2(x, -y);
}

/* The distance of p from the segment a b, m. */
static double off_stretch(const double a[2], const double b[2], const double p[2]) {
  double x = b[0] - a[0], y = b[1] - a[1], square = x * x + y * y;
  /* The foot point, clamped to the ends of the segment. */
  double u = square > 0 ? ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / square : 0;
  u = u < 0 ? 0 : u > 1 ? 1 : u;
  return hypot(p[0] - a[0] - u * x, p[1] - a[1] - u * y);
}

/* 0 inside, that is left of all sides; else the distance to the nearest side. O(corners) */
double brio_cloud_outline_outside(const double (*hull)[2], int corners, const double point[2]) {
  double least = INFINITY;
  int inside = corners > 2;
  for (int i = 0; i < corners; i++) {
    const double *a = hull[i], *b = hull[(i + 1) % corners];
    inside = inside && turn(a, b, point) >= 0;
    least = fmin(least, off_stretch(a, b, point));
  }
  return inside ? 0 : least;
}
