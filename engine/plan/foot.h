/* Footholds: the side of the foot, its place seen from above, and a step of a plan.  The sole's frame is in
** the middle of the sole: x to the toes, y to the left, z up from the ground. */
#ifndef BRIO_PLAN_FOOT_H
#define BRIO_PLAN_FOOT_H

#include "math/pose.h"

typedef enum brio_side { BRIO_LEFT, BRIO_RIGHT } brio_side;

/* A place seen from above: m, m, rad. */
typedef struct brio_spot {
  double x, y, yaw;
} brio_spot;

typedef struct brio_footstep {
  brio_side side;
  brio_pose pose;          /* of the sole, in the world, at the end of the step */
  double transfer, swing;  /* s: the weight goes over the other foot, then this one swings */
} brio_footstep;

/* Return 1 for the left, -1 for the right: the sign of y on that side. */
static inline double brio_side_sign(brio_side side) { return side == BRIO_LEFT ? 1 : -1; }

/* Return "left" or "right". */
static inline const char *brio_side_name(brio_side side) { return side == BRIO_LEFT ? "left" : "right"; }

/* Return the other side. */
static inline brio_side brio_side_other(brio_side side) { return side == BRIO_LEFT ? BRIO_RIGHT : BRIO_LEFT; }

/* Return an angle in (-pi, pi]. */
static inline double brio_angle_wrap(double angle) {
  double wrapped = remainder(angle, 2 * BRIO_PI);
  return wrapped <= -BRIO_PI ? BRIO_PI : wrapped;
}

/* Return the place (x, y, yaw) in the frame `from`. */
static inline brio_spot brio_spot_at(brio_spot from, double x, double y, double yaw) {
  double c = cos(from.yaw), s = sin(from.yaw);
  return (brio_spot){from.x + c * x - s * y, from.y + s * x + c * y, brio_angle_wrap(from.yaw + yaw)};
}

/* Return `to` in the frame `from`. */
static inline brio_spot brio_spot_seen(brio_spot from, brio_spot to) {
  double c = cos(from.yaw), s = sin(from.yaw), x = to.x - from.x, y = to.y - from.y;
  return (brio_spot){c * x + s * y, c * y - s * x, brio_angle_wrap(to.yaw - from.yaw)};
}

/* Return the place of a pose seen from above; the yaw is where its x axis points. */
static inline brio_spot brio_spot_of(brio_pose pose) {
  brio_vec3 ahead = brio_quat_rotate(pose.q, (brio_vec3){1, 0, 0});
  return (brio_spot){pose.p.x, pose.p.y, atan2(ahead.y, ahead.x)};
}

/* Return the place in the middle between two, facing between them. */
static inline brio_spot brio_spot_middle(brio_spot a, brio_spot b) {
  double turn = brio_angle_wrap(b.yaw - a.yaw);
  return (brio_spot){(a.x + b.x) / 2, (a.y + b.y) / 2, brio_angle_wrap(a.yaw + turn / 2)};
}

/* Return how far two places are apart, m. */
static inline double brio_spot_distance(brio_spot a, brio_spot b) { return hypot(b.x - a.x, b.y - a.y); }

/* Return whether two places are the same for a foot: within 1 cm and 0.09 rad. */
static inline bool brio_spot_same(brio_spot a, brio_spot b) {
  return brio_spot_distance(a, b) <= 0.01 && fabs(brio_angle_wrap(b.yaw - a.yaw)) <= 0.09;
}

#endif
