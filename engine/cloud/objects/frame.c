/* The posts of a door's frame: a fan of upright capsules around the hinge's post.
**
** Source of the fan and its numbers: the public code of D. Calvert's thesis ("door frame"). Differences: the
** capsule with the most points is chosen instead of the first with enough, points of the panel do not count,
** and the post is at the middle of its points. One pass over the points counts all capsules. */
#include <assert.h>
#include <math.h>

#include "cloud/objects/door.h"

static const double PANEL_THICK = 0.06; /* m to either side of the panel's plane that are the panel's */

/* Replace settings that are 0 by their defaults; a 300th of the points, from 20 to 1000, is enough for a
** post. */
static brio_cloud_frame_how complete(const brio_cloud_frame_how *how, int points) {
  brio_cloud_frame_how all = *how;
  if (all.post == 0) all.post = 0.04;
  if (all.span == 0) all.span = all.width + 2 * all.post;
  if (all.radius == 0) all.radius = 0.07;
  if (all.low == 0 && all.high == 0) all.low = -0.7, all.high = 0.7;
  if (all.widest == 0) all.widest = BRIO_PI / 2;
  if (all.step == 0) all.step = BRIO_PI / 36;
  int share = points / 300 < 20 ? 20 : points / 300;
  if (all.least == 0) all.least = share < 1000 ? share : 1000;
  return all;
}

/* Check the settings. Errors: misuse (not finite, out of range, too many capsules). */
static bool check(const brio_cloud_frame_how *how, brio_error *err) {
  if (!brio_pose_finite(how->panel) ||
      !isfinite(how->width + how->post + how->span + how->radius + how->low + how->high))
    return brio_fail(err, BRIO_MISUSE, "door frame: the panel's pose and all lengths must be numbers");
  if (!(how->width > 0.2 && how->width < 5 && how->radius > 0 && how->span > how->radius &&
        how->high > how->low))
    return brio_fail(err, BRIO_MISUSE,
                     "door frame: width must be 0.2 to 5 m, radius above 0, span above radius, low below "
                     "high");
  if (!(how->step > 0 && how->widest > 0 && how->widest <= BRIO_PI &&
        2 * how->widest / how->step < BRIO_CLOUD_FAN - 0.5))
    return brio_fail(err, BRIO_MISUSE, "door frame: a fan of more than %d capsules, or of none",
                     BRIO_CLOUD_FAN);
  return true;
}

/* A point in the frame of the fan, m. */
typedef struct sight {
  double x, y,
      up; /* m from the hinge's post, x towards the latch of the shut panel; over or under the capsules */
  bool counts;
} sight;

/* Transform a point into the frame of the fan: the hinge's post is the origin, and x leads to the latch of
** the closed panel. */
static sight look(const brio_transform *to_panel, brio_vec3 point, const brio_cloud_frame_how *how) {
  brio_vec3 p = brio_transform_point(to_panel, point);
  sight s = {how->width + how->post - p.x, -p.y,
             p.z < how->low    ? how->low - p.z
             : p.z > how->high ? p.z - how->high
                               : 0,
             true};
  /* Points of the panel do not count, nor do those that no capsule contains. */
  bool panel = fabs(p.y) < PANEL_THICK && p.x > -0.01 && p.x < how->width + 0.01;
  double reach = hypot(s.x, s.y) - how->span;
  s.counts = !panel && s.up <= how->radius && fabs(reach) <= how->radius;
  return s;
}

/* Whether a point is in the capsule at an angle, rad: within the radius of its segment. */
static bool within(const sight *s, double angle, const brio_cloud_frame_how *how) {
  /* The capsule's segment is at distance `span` from the hinge. */
  double x = s->x - how->span * cos(angle), y = s->y - how->span * sin(angle);
  return x * x + y * y + s->up * s->up <= how->radius * how->radius;
}

/* The angle of the mean of the points in the capsule at an angle, rad. O(points) */
static double middle_angle(const brio_cloud *cloud, const brio_transform *to_panel, double angle,
                           const brio_cloud_frame_how *how) {
  double x = 0, y = 0;
  for (int i = 0; i < cloud->count; i++) {
    if (!brio_cloud_has(cloud, i)) continue;
    sight s = look(to_panel, brio_cloud_point(cloud, i), how);
    /* The direction of a sum is that of the mean. */
    if (s.counts && within(&s, angle, how)) x += s.x, y += s.y;
  }
  return atan2(y, x);
}

/* Count the points in all capsules of the fan. O(points + hits) */
static void count_fan(brio_cloud_door_frame *frame, const brio_cloud *cloud, const brio_transform *to_panel,
                      const brio_cloud_frame_how *how) {
  /* Half the angle that a capsule spans, rad, with some slack. */
  double wide = how->radius / how->span * 1.2;
  for (int i = 0; i < cloud->count; i++) {
    if (!brio_cloud_has(cloud, i)) continue;
    sight s = look(to_panel, brio_cloud_point(cloud, i), how);
    if (!s.counts) continue;
    /* The direction of the point from the hinge's post, rad. */
    double at = atan2(s.y, s.x);
    /* A point is in few neighboring capsules: only these are tested. */
    int first = (int)ceil((at - wide + how->widest) / how->step),
        last = (int)floor((at + wide + how->widest) / how->step);
    assert(frame->fan >= 1 && frame->fan <= BRIO_CLOUD_FAN);
    for (int k = first < 0 ? 0 : first; k <= last && k < frame->fan; k++)
      frame->counts[k] += within(&s, k * how->step - how->widest, how);
  }
}

bool brio_cloud_door_frame_find(brio_cloud_door_frame *frame, const brio_cloud *cloud,
                                const brio_cloud_frame_how *given, brio_error *err) {
  brio_cloud_frame_how how = complete(given, cloud->count - cloud->missing);
  *frame = (brio_cloud_door_frame){0};
  if (!check(&how, err)) return false;
  brio_transform to_panel = brio_transform_of(brio_pose_inverse(how.panel));
  /* Capsules from -widest to widest; 0.001 covers rounding. */
  frame->fan = (int)floor(2 * how.widest / how.step + 1.001);
  count_fan(frame, cloud, &to_panel, &how);
  /* The capsule with the most points contains the post. */
  int best = 0;
  for (int k = 1; k < frame->fan; k++)
    if (frame->counts[k] > frame->counts[best]) best = k;
  frame->points = frame->counts[best];
  if (frame->points < how.least)
    return brio_fail(err, BRIO_UNREACHABLE,
                     "no latch post within %.0f degrees of the panel at %.2f m from the hinge: at "
                     "most %d points are in a capsule (%d are enough)",
                     how.widest * 180 / BRIO_PI, how.span, frame->points, how.least);
  /* Refine: the mean of its points instead of the middle of the capsule. */
  double angle = middle_angle(cloud, &to_panel, best * how.step - how.widest, &how);
  /* The hinge's x axis points to the latch's post, its z axis up. */
  brio_pose hinge = {{how.width + how.post, 0, 0}, brio_quat_from_rpy(0, 0, BRIO_PI + angle)};
  frame->hinge = brio_pose_mul(how.panel, hinge);
  frame->latch = brio_pose_mul(frame->hinge, (brio_pose){{how.span, 0, 0}, BRIO_QUAT_IDENTITY});
  frame->angle = -angle;
  return true;
}
