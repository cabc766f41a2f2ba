/* Motion along a screw: see screw.h.  With r the distance of the start from the axis, dx the shift along
** the axis and da the turn about it:
**
**   D = sqrt((r da)^2 + dx^2)                       the way of the carried point
**   Tbase = max(|da| / wmax, D / vmax)
**   K = ceil(|da| / 10 degrees + |dx| / 0.05 m)     steps, at least 2; N = K + 1 points, limited first
**   dt = Tbase / (N - 1), T = Tbase + 2 dt          for the first and the last step take two dt
**   v = dx/Tbase x + r da/Tbase u,  w = da/Tbase x  at inner points, where
**   u = (x cross r_perp) / |x cross r_perp|
**   T_k = dT T_(k-1)                                which, all steps being about one axis, is
**                                                   turn k da/K, shift k dx/K
**
** Source: see screw.h. */
#include "math/screw.h"

#include <assert.h>
#include <stddef.h>

/* Check the settings and the start. Comparisons are false for NaN, which is rejected. Errors: misuse. */
static bool check(const brio_screw *screw, brio_pose start, brio_error *err) {
  const struct {
    const char *name;
    double value, lower, upper;
  } rows[] = {{"translation", screw->translation, -1e6, 1e6},
              {"rotation", screw->rotation, -1e6, 1e6},
              {"max_linear", screw->max_linear, 0, 1e6},
              {"max_angular", screw->max_angular, 0, 1e6},
              {"step_translation", screw->step_translation, 0, 1e6},
              {"step_rotation", screw->step_rotation, 0, 1e6},
              {"max_points", screw->max_points, 0, BRIO_SCREW_POINTS}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!(rows[i].value >= rows[i].lower && rows[i].value <= rows[i].upper))
      return brio_fail(err, BRIO_MISUSE, "a screw's %s must be from %g to %g, not %g", rows[i].name,
                       rows[i].lower, rows[i].upper, rows[i].value);
  if (screw->translation == 0 && screw->rotation == 0)
    return brio_fail(err, BRIO_MISUSE, "a screw needs a translation or a rotation: both are 0");
  if (!brio_pose_finite(start))
    return brio_fail(err, BRIO_MISUSE, "a screw's start must be a pose of finite numbers");
  return true;
}

/* The setting, or its default where it is 0. */
static double otherwise(double value, double fallback) { return value > 0 ? value : fallback; }

bool brio_screw_plan_from(const brio_screw *screw, brio_pose start, brio_screw_plan *plan, brio_error *err) {
  *plan = (brio_screw_plan){0};
  if (!check(screw, start, err)) return false;
  /* Defaults for all settings that are 0. */
  brio_screw full = {screw->translation,
                     screw->rotation,
                     otherwise(screw->max_linear, 0.1),
                     otherwise(screw->max_angular, 0.6),
                     otherwise(screw->step_translation, 0.05),
                     otherwise(screw->step_rotation, BRIO_PI / 18),
                     screw->max_points > 0 ? screw->max_points : 200};
  start.q = brio_quat_unit(start.q);
  /* The slower of turning and moving decides the time. */
  double radius = hypot(start.p.y, start.p.z), way = hypot(radius * full.rotation, full.translation);
  double base = fmax(fabs(full.rotation) / full.max_angular, way / full.max_linear);
  /* 1e-9 keeps rounding from adding a step. */
  double steps = ceil(fabs(full.rotation) / full.step_rotation +
                      fabs(full.translation) / full.step_translation - 1e-9);
  int points = (int)fmax(3, fmin(steps + 1, full.max_points));
  double step = base / (points - 1);
  if (!isfinite(base))
    return brio_fail(err, BRIO_MISUSE,
                     "a screw of %g m and %g rad, %g m from its axis, has no time at "
                     "%g m/s and %g rad/s",
                     full.translation, full.rotation, radius, full.max_linear, full.max_angular);
  *plan = (brio_screw_plan){full, start, radius, way, base, step, base + 2 * step, points};
  return true;
}

/* share 0 is the start, 1 the end. */
brio_pose brio_screw_pose(const brio_screw_plan *plan, double share) {
  const brio_screw *screw = &plan->screw;
  brio_pose moved = {{share * screw->translation, 0, 0},
                     brio_quat_exp((brio_vec3){share * screw->rotation, 0, 0})};
  brio_pose pose = brio_pose_mul(moved, plan->start);
  pose.q = brio_quat_unit(pose.q);
  return pose;
}

/* An index beyond the ends gives the first or the last point. */
brio_screw_point brio_screw_point_at(const brio_screw_plan *plan, int index) {
  assert(plan->points >= 3);
  int last = plan->points - 1;
  index = index < 0 ? 0 : index > last ? last : index;
  brio_screw_point point = {.pose = brio_screw_pose(plan, (double)index / last)};
  if (index == 0) return point;
  /* The first step takes two dt, and so does the last. */
  point.time = index == last ? plan->seconds : (index + 1) * plan->step;
  if (index == last) return point;
  /* The first and the last point are at rest; between them speeds are constant. */
  const brio_vec3 x = {1, 0, 0}, arm = {0, point.pose.p.y, point.pose.p.z};
  brio_vec3 along = brio_vec3_unit(brio_vec3_cross(x, arm), (brio_vec3){0, 0, 0});
  double turning = plan->screw.rotation / plan->base;
  point.linear = brio_vec3_add_scaled(brio_vec3_scale(plan->screw.translation / plan->base, x),
                                      plan->radius * turning, along);
  point.angular = brio_vec3_scale(turning, x);
  return point;
}
