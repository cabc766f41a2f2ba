/* Pieces of a path that no push makes clear: a search finds a way around, and the piece's points are laid on
** it at the same shares of its length as before. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "plan/repair/repair_internal.h"

enum { NODES = 5000, SHORTENINGS = 60, SLICE = 1000, MOST_PASSES = 200 };

/* Return the distance of two configurations. */
static double apart(const double *a, const double *b, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += (b[k] - a[k]) * (b[k] - a[k]);
  return sqrt(sum);
}

/* Write the point at the length `at` of a path of `count` corners. */
static void place_on(const double *path, int count, int n, double at, double *out) {
  for (int i = 0; i + 1 < count; i++, path += n) {
    double piece = apart(path, path + n, n);
    if (at > piece && i + 2 < count) {
      at -= piece;
      continue;
    }
    double share = piece > 0 ? fmin(1, at / piece) : 0;
    for (int k = 0; k < n; k++) out[k] = path[k] + share * (path[n + k] - path[k]);
    return;
  }
  assert(false);
}

/* Return the length of a path from corner `first` to `last`. */
static double length_of(const double *path, int first, int last, int n) {
  double sum = 0;
  for (int i = first; i < last; i++) {
    const double *corner = path + (size_t)i * (size_t)n;
    sum += apart(corner, corner + n, n);
  }
  return sum;
}

/* Lay the points between `a` and `b` on a path, where they were as shares of the way. */
static void lay(brio_joint_repair *repair, int a, int b, const double *path, int count) {
  int n = repair->space.n;
  double whole = length_of(repair->before, a, b, n), length = length_of(path, 0, count - 1, n), gone = 0;
  for (int i = a + 1; i < b; i++) {
    gone += apart(repair->before + (size_t)(i - 1) * (size_t)n, repair->before + (size_t)i * (size_t)n, n);
    double share = whole > 0 ? gone / whole : (double)(i - a) / (b - a);
    place_on(path, count, n, share * length, brio_repair_point(repair, i));
    brio_repair_touch(repair, i);
  }
}

/* Round the corners between two points, which stay: passes of weights 1, 2, 1, whose variances add up to that
 *of
 ** the spread. */
static void smooth(brio_joint_repair *repair, int a, int b) {
  int n = repair->space.n, passes = (int)(2 * repair->settings.spread * repair->settings.spread);
  for (int pass = 0; pass < passes && pass < MOST_PASSES; pass++) {
    double before[BRIO_JOINTS_PLANNED];
    memcpy(before, brio_repair_point(repair, a), (size_t)n * sizeof *before);
    for (int i = a + 1; i < b; i++)
      for (int k = 0; k < n; k++) {
        double *x = brio_repair_point(repair, i) + k, now = *x;
        *x = (before[k] + 2 * now + x[n]) / 4;
        before[k] = now;
      }
  }
}

/* Whether a path leads to the very numbers of `to`: a circular joint may end whole turns away. */
static bool arrives(const double *end, const double *to, int n) {
  for (int k = 0; k < n; k++)
    if (fabs(end[k] - to[k]) > 1e-6) return false;
  return true;
}

/* Lead the path around from point `a` to `b`, which are clear; leave it where there is no way. */
static void lead(brio_joint_repair *repair, int a, int b) {
  brio_joint_search_settings settings = brio_joint_search_settings_default();
  settings.checks = repair->settings.checks, settings.nodes = NODES;
  settings.shortenings = SHORTENINGS, settings.alternatives = 0;
  const double *from = brio_repair_point(repair, a), *to = brio_repair_point(repair, b);
  brio_joint_search_request request = {repair->checker, from, to, 1, repair->settings.seed, settings};
  brio_joint_search *search = brio_joint_search_new(&request, NULL);
  if (!search) return;
  while (!brio_joint_search_over(search)) brio_joint_search_work(search, SLICE, NULL);
  int count, n = repair->space.n;
  const double *path = brio_joint_search_path(search, &count);
  if (path && arrives(path, from, n) && arrives(path + (size_t)(count - 1) * (size_t)n, to, n)) {
    lay(repair, a, b, path, count);
    smooth(repair, a, b);
    repair->report.detours++;
  }
  brio_joint_search_free(search);
}

/* Whether something at point `i`, or between it and the next one, is not clear. */
static bool wrong(const brio_joint_repair *repair, int i) {
  return repair->bad[i] || repair->blocked[i];
}

/* Return the first clear point from `i` on in steps of `step`; -1: there is none. */
static int clear_from(const brio_joint_repair *repair, int i, int step) {
  int last = repair->count - 1;
  i = i < 0 ? 0 : i > last ? last : i;
  while (i >= 0 && i <= last && repair->bad[i]) i += step;
  return i > last ? -1 : i;
}

void brio_repair_lead_around(brio_joint_repair *repair, int wider) {
  for (int i = 0; i < repair->count; i++) {
    if (!wrong(repair, i)) continue;
    /* To the end of the piece, across gaps that the widening would close. */
    int last = i;
    for (int k = i; k < repair->count && k <= last + 2 * wider; k++)
      if (wrong(repair, k)) last = k;
    int a = clear_from(repair, i - wider, -1), b = clear_from(repair, last + 1 + wider, 1);
    /* No way begins or ends where something collides, as free ends may. */
    if (b < 0) return;
    if (a >= 0) lead(repair, a, b);
    i = b;
  }
}
