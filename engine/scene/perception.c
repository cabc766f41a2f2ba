/* Checks and measures of detections: what the scene refuses, the filter of scripts, and the bearing
** of a point, each defined once. */
#include "scene/perception.h"

#include <string.h>

#include "math/scalar.h"

#define MAX_DISTANCE 1e6 /* m: farther detections are mistakes */

/* Validate all numbers; comparisons with NaN fail, so NaN is refused. */
static bool check_numbers(const brio_detection *d, brio_error *err) {
  if (!brio_pose_finite(d->pose) || !isfinite(d->confidence))
    return brio_fail(err, BRIO_MISUSE, "a detection of '%s' must have finite numbers", d->kind);
  if (!(d->size.x >= 0 && d->size.y >= 0 && d->size.z >= 0) || !brio_vec3_finite(d->size))
    return brio_fail(err, BRIO_MISUSE, "a detection of '%s' must have lengths of at least 0", d->kind);
  if (!(brio_vec3_norm(d->pose.p) <= MAX_DISTANCE))
    return brio_fail(err, BRIO_MISUSE, "a detection of '%s' must be within %g m", d->kind, MAX_DISTANCE);
  /* NaN means "now"; only infinity is wrong. */
  if (isinf(d->time))
    return brio_fail(err, BRIO_MISUSE, "a detection of '%s' must have a finite time", d->kind);
  return true;
}

/* A color is known entirely or not at all. */
static void order_color(float color[3]) {
  bool known = isfinite(color[0]) && isfinite(color[1]) && isfinite(color[2]);
  for (int i = 0; i < 3; i++) color[i] = known ? (float)brio_clamp(color[i], 0, 1) : (float)NAN;
}

/* In place: texts end, quaternion and color are normalized, the confidence is put within 0 to 1. */
bool brio_perception_check(brio_detection *detection, brio_error *err) {
  /* Texts may come from elsewhere: terminate them first. */
  detection->kind[BRIO_DETECTION_KIND - 1] = 0;
  detection->id[BRIO_DETECTION_ID - 1] = 0;
  if (!detection->kind[0]) return brio_fail(err, BRIO_MISUSE, "a detection must have a kind");
  if (!check_numbers(detection, err)) return false;
  /* Normalize what may be off by rounding. */
  detection->pose.q = brio_quat_unit(detection->pose.q);
  order_color(detection->color);
  detection->confidence = brio_clamp(detection->confidence, 0, 1);
  return true;
}

/* Without a kind the filter keeps all kinds. */
bool brio_perception_keeps(const brio_perception_filter *filter, const brio_detection *detection) {
  if (filter->kind && strcmp(filter->kind, detection->kind) != 0) return false;
  return detection->confidence >= filter->min_confidence &&
         brio_perception_distance(filter->of, detection->pose.p) <= filter->within;
}

/* The distance of two points, m. */
double brio_perception_distance(brio_vec3 a, brio_vec3 b) { return brio_vec3_norm(brio_vec3_sub(a, b)); }

/* Yaw turns from x to y; pitch rises from their plane to z; rad. */
void brio_perception_bearing(brio_pose pose, brio_vec3 point, double *yaw, double *pitch) {
  /* The point in the frame of the pose: x forward, y left, z up. */
  brio_vec3 ray = brio_quat_rotate(brio_quat_conj(pose.q), brio_vec3_sub(point, pose.p));
  *yaw = atan2(ray.y, ray.x);
  *pitch = atan2(ray.z, hypot(ray.x, ray.y));
}
