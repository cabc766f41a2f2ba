/* Measures of paths and of how alike two are. Curvature of a path r(s) over its arc
** length s is |r''(s)|: points are put at equal distances first, then differenced
** twice. Time warping is Sakoe and Chiba's (1978), with steps to the right, down and
** diagonally, each costing the distance of the pair it leads to. */
#include "math/quality.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The distance of two points of any dimension. */
static double distance(const double *a, const double *b, int dimensions) {
  double sum = 0;
  for (int d = 0; d < dimensions; d++) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sqrt(sum);
}

/* Whether all numbers are finite. */
static bool all_finite(const double *points, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(points[i])) return false;
  return true;
}

/* Put `count` points at equal distances along the path through as many. O(count). */
static void spread(const double *points, int count, int dimensions, double length, double *out) {
  assert(count >= 2 && length > 0);
  double done = 0;
  int from = 0;
  for (int i = 0; i < count; i++) {
    double wanted = length * i / (count - 1),
           piece = distance(points + from * dimensions, points + (from + 1) * dimensions, dimensions);
    /* Advance to the piece in which the next point lies. */
    while (from < count - 2 && done + piece < wanted) {
      done += piece;
      from++;
      piece = distance(points + from * dimensions, points + (from + 1) * dimensions, dimensions);
    }
    double share = piece > 0 ? fmin((wanted - done) / piece, 1) : 0;
    const double *a = points + from * dimensions, *b = a + dimensions;
    for (int d = 0; d < dimensions; d++) out[i * dimensions + d] = a[d] + share * (b[d] - a[d]);
  }
}

/* |r''| at an inner point of a path with equal steps, by second differences. */
static double curvature_at(const double *at, int dimensions, double step) {
  double sum = 0;
  for (int d = 0; d < dimensions; d++) {
    double second = (at[d + dimensions] - 2 * at[d] + at[d - dimensions]) / (step * step);
    sum += second * second;
  }
  return sqrt(sum);
}

/* The means of curvature and of its change over the inner points. */
static void measure_bend(const double *even, int count, int dimensions, brio_quality_path *out) {
  double step = out->length / (count - 1), before = NAN, sum = 0, changes = 0;
  for (int i = 1; i < count - 1; i++) {
    double here = curvature_at(even + i * dimensions, dimensions, step);
    sum += here;
    if (i > 1) changes += fabs(here - before) / step;
    before = here;
  }
  out->curvature = sum / (count - 2);
  out->change = changes / (count - 3);
}

/* O(count). False: numbers are missing or not finite, or there is no memory. */
bool brio_quality_bend(const double *points, int count, int dimensions, brio_quality_path *out) {
  if (count < 2 || dimensions < 1 || !all_finite(points, (size_t)count * (size_t)dimensions)) return false;
  *out = (brio_quality_path){0, distance(points, points + (count - 1) * dimensions, dimensions), NAN, NAN};
  for (int i = 1; i < count; i++)
    out->length += distance(points + (i - 1) * dimensions, points + i * dimensions, dimensions);
  /* Fewer points, or no length, have no curvature: NaN. */
  if (count < 5 || !(out->length > 0)) return true;
  double *even = malloc((size_t)count * (size_t)dimensions * sizeof *even);
  if (!even) return false;
  spread(points, count, dimensions, out->length, even);
  measure_bend(even, count, dimensions, out);
  free(even);
  return true;
}

/* A cell of the alignment: the least cost of reaching it, and the number of pairs on that way. */
typedef struct cell {
  double cost;
  int pairs;
} cell;

/* The cheapest of three predecessors; the first one wins a tie. */
static cell cheapest(cell a, cell b, cell c) {
  if (b.cost < a.cost) a = b;
  return c.cost < a.cost ? c : a;
}

/* Fill in one row of the alignment, within its band. */
static void next_row(const double *a, const double *b, int nb, int dimensions, int first, int last,
                     const cell *above, cell *row) {
  static const cell nowhere = {INFINITY, 0};
  for (int j = 0; j <= nb; j++) row[j] = nowhere;
  for (int j = first; j <= last; j++) {
    cell best = cheapest(above[j - 1], above[j], row[j - 1]);
    row[j] = (cell){best.cost + distance(a, b + (j - 1) * dimensions, dimensions), best.pairs + 1};
  }
}

double brio_quality_warp(const double *a, int na, const double *b, int nb, int dimensions, int band) {
  if (na < 1 || nb < 1 || dimensions < 1 || !all_finite(a, (size_t)na * (size_t)dimensions) ||
      !all_finite(b, (size_t)nb * (size_t)dimensions))
    return NAN;
  /* Two rows suffice, as each depends on the one before only. O(na * width of the band). */
  cell *rows = calloc(2 * ((size_t)nb + 1), sizeof *rows), *above = rows, *row = rows ? rows + nb + 1 : NULL;
  if (!rows) return NAN;
  for (int j = 0; j <= nb; j++) above[j] = (cell){j == 0 ? 0 : INFINITY, 0};
  /* The band follows the diagonal, wide enough that its rows overlap. */
  double slope = (double)nb / na, room = fmax(band, slope + 1);
  for (int i = 1; i <= na; i++) {
    int first = band < 0 ? 1 : (int)fmax(1, floor(i * slope - room)),
        last = band < 0 ? nb : (int)fmin(nb, ceil(i * slope + room));
    next_row(a + (i - 1) * dimensions, b, nb, dimensions, first, last, above, row);
    cell *other = above;
    above = row;
    row = other;
  }
  /* The mean cost of the pairs, so that long series compare with short ones. */
  double result = above[nb].cost / above[nb].pairs;
  free(rows);
  return result;
}
