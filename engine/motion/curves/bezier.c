/* Bezier's cubic with handles: control points beside the keys, some seconds and some value away, as
** animation editors have them. Time is a cubic of a parameter z, which is found by Newton's method
** within a bracket; handles are cut in time so that it never runs back. A missing handle is a third
** of the way at the key's own height, which makes a smooth start or end. */
#include <math.h>

#include "motion/curve.h"

/* The times of both handles as shares of the width, from 0 to 1. */
static void times_of(const brio_stretch *stretch, double t[2]) {
  t[0] = isnan(stretch->out[0]) ? 1.0 / 3 : fmin(fmax(stretch->out[0] / stretch->width, 0), 1);
  t[1] = isnan(stretch->into[0]) ? 2.0 / 3 : fmin(fmax(1 + stretch->into[0] / stretch->width, 0), 1);
}

/* A cubic from 0 to 1 with control values p1 and p2. */
static double cubic(double p1, double p2, double z) {
  double y = 1 - z;
  return z * (3 * y * (y * p1 + z * p2) + z * z);
}

/* Its derivative by z. */
static double cubic_slope(double p1, double p2, double z) {
  double y = 1 - z;
  return 3 * (y * y * p1 + 2 * y * z * (p2 - p1) + z * z * (1 - p2));
}

/* The parameter at which the time is `x`: bisection where a Newton step leaves the bracket, so that it
** always converges. */
static double parameter(const double t[2], double x) {
  double low = 0, high = 1, z = x;
  for (int i = 0; i < 40; i++) {
    double off = cubic(t[0], t[1], z) - x;
    if (off == 0) return z;
    if (off > 0) high = z; else low = z;
    double slope = cubic_slope(t[0], t[1], z), next = z - off / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (fabs(next - z) < 1e-15) return next;
    z = next;
  }
  return z;
}

/* d z / d x; bounded, as it is infinite where a handle has no length in time. */
static double speed(const double t[2], double z) { return 1 / fmax(cubic_slope(t[0], t[1], z), 1e-9); }

/* Between kinds of keys: an even share, at the pace that the handles give. */
static void share(const brio_stretch *stretch, double x, double *out, double *slope) {
  double t[2];
  times_of(stretch, t);
  double z = parameter(t, x);
  *out = z * z * (3 - 2 * z);
  *slope = 6 * z * (1 - z) * speed(t, z);
}

/* The cubic of the values at the same parameter, and its slope per second. */
static void value(const brio_stretch *stretch, double x, double *out, double *slope) {
  double t[2];
  times_of(stretch, t);
  double z = parameter(t, x), y = 1 - z;
  double p1 = stretch->from + (isnan(stretch->out[1]) ? 0 : stretch->out[1]);
  double p2 = stretch->to + (isnan(stretch->into[1]) ? 0 : stretch->into[1]);
  *out = y * y * y * stretch->from + 3 * y * z * (y * p1 + z * p2) + z * z * z * stretch->to;
  double rise = 3 * (y * y * (p1 - stretch->from) + 2 * y * z * (p2 - p1) + z * z * (stretch->to - p2));
  *slope = rise * speed(t, z) / stretch->width;
}

const brio_curve brio_curve_bezier = {
  .name = "bezier",
  .doc = "Bezier's cubic: the key's handle `out`, and the next key's handle `into`, pull at it.",
  .share = share,
  .value = value,
  .handles = true,
};
