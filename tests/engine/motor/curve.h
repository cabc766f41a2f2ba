/* An observer's model of the joints' path: the accepted poses, with a braking pose wherever they ended, and
** the curve through them.  It is straight from one pose to the next; each corner is rounded by a parabola
** from half a tick before to half a tick after it; where the two ticks differ, the shorter counts. */
#ifndef BRIO_TESTS_MOTOR_CURVE_H
#define BRIO_TESTS_MOTOR_CURVE_H

#include <string.h>

#include "motor/axis_limits.h"
#include "tests/check.h"

enum { CURVE_POSES = 8000, CURVE_JOINTS = 4 };

typedef struct curve {
  int joints, count;
  double poses[CURVE_POSES][CURVE_JOINTS], times[CURVE_POSES]; /* s: from the pose before */
  /* s: where the joints are, and of the pose before that */
  double at, corner;
  int k;                                                       /* that pose */
} curve;

static inline void curve_add(curve *c, const double *pose, double dt) {
  CHECK(c->count < CURVE_POSES, "too many poses");
  if (c->count == CURVE_POSES) return;
  memcpy(c->poses[c->count], pose, (size_t)c->joints * sizeof *pose);
  c->times[c->count++] = dt;
}

static inline void curve_begin(curve *c, int joints, const double *pose, double dt) {
  c->joints = joints, c->count = c->k = 0;
  c->corner = 0, c->at = -0.5 * dt;
  curve_add(c, pose, dt);
}

/* A tick of braking, each joint at its greatest deceleration. */
static inline void curve_brake(curve *c, const brio_axis_limits *limits, double dt) {
  double next[CURVE_JOINTS];
  const double *last = c->poses[c->count - 1], *before = c->poses[c->count > 1 ? c->count - 2 : 0];
  for (int j = 0; j < c->joints; j++) {
    double v = (last[j] - before[j]) / c->times[c->count - 1], most = limits[j].acceleration * dt;
    next[j] = last[j] + (fabs(v) <= most ? 0 : v - copysign(most, v)) * dt;
  }
  curve_add(c, next, dt);
}

/* The distance of x from the curve `at` s after its beginning. */
static inline double curve_distance(const curve *c, double at, const double *x) {
  int k = c->k;
  double off = 0;
  for (at -= c->corner; k + 2 < c->count && at > 0.5 * c->times[k + 1]; k++) at -= c->times[k + 1];
  for (int j = 0; j < c->joints; j++) {
    double p = c->poses[k][j], after = k + 1 < c->count ? (c->poses[k + 1][j] - p) / c->times[k + 1] : 0;
    double before = k > 0 ? (p - c->poses[k - 1][j]) / c->times[k] : 0,
           next = k + 1 < c->count ? c->times[k + 1] : c->times[k];
    double half = 0.5 * (k > 0 ? fmin(c->times[k], next) : next), in = fmin(fmax(at + half, 0), 2 * half);
    double y = p + before * fmin(at, half) + (after - before) * in * in / (4 * half) +
               after * fmax(0, at - half);
    off = fmax(off, fabs(y - x[j]));
  }
  return off < 1e-12 ? 0 : off; /* which is rounding */
}

/* The time within an interval at which the curve is nearest to x; of equally near ones, the latest. */
static inline double curve_nearest(const curve *c, const double *x, double low, double high) {
  for (int i = 0; i < 80; i++) {
    double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (curve_distance(c, a, x) < curve_distance(c, b, x)) high = b;
    else low = a;
  }
  return 0.5 * (low + high);
}

/* The distance of x from the curve, searched onward from the joints' place h s ago; moves that place along.
** The place after h s is tried first: a joint that turns round passes each point twice. */
static inline double curve_off(curve *c, const double *x, double h) {
  double end = c->corner - 0.5 * c->times[c->count - 1];
  for (int k = c->k + 1; k < c->count; k++) end += c->times[k];
  /* it may stand still at the end */
  double next = fmin(c->at + h, end), at = curve_nearest(c, x, next - 1e-6, next);
  if (curve_distance(c, at, x) > 1e-11) at = curve_nearest(c, x, c->at - 1e-7, fmin(next + 1e-7, end));
  for (c->at = at; c->k + 2 < c->count && at - c->corner > 0.5 * c->times[c->k + 1] + 1e-6; c->k++)
    c->corner += c->times[c->k + 1];
  return curve_distance(c, at, x);
}

#endif
