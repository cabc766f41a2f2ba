/* The way out of contact: pushes of one configuration, cut into small steps that are each judged by exact
** distances.  A depth may only fall; what was apart stays so. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "plan/joints/repair/repair_internal.h"

static const double SMALL = 0.02; /* rad or m: of a joint, at most in one step */
static const double WORSE = 2e-4; /* m: a depth may be so much more behind a step, for its curvature */
enum { LOOK = 5 };                /* places of a step that are looked at */

/* Return the distance of the nearest two solids, m. */
static double nearest(brio_joint_checker *checker, const double *x) {
  brio_joint_contact at = brio_joint_checker_nearest(checker, x);
  return at.link < 0 ? INFINITY : at.distance;
}

/* Whether the step by `dx` from `x`, where the nearest distance is `before`, brings nothing deeper; `after`
** gets the distance behind it. */
static bool step_is_good(brio_joint_repair *repair, const double *x, const double *dx, double before,
                         double room, double *after) {
  double least = fmin(before, room);
  for (int k = 1; k <= LOOK; k++) {
    double at[BRIO_JOINTS_PLANNED];
    for (int i = 0; i < repair->space.n; i++) at[i] = x[i] + k / (double)LOOK * dx[i];
    *after = nearest(repair->checker, at);
    if (*after < least - WORSE) return false;
  }
  return *after > before || *after >= room;
}

/* Write the next step, shorter where it has to be.  Return false where none is good. */
static bool next_step(brio_joint_repair *repair, const double *x, double *distance, double room, double *to) {
  double dx[BRIO_JOINTS_PLANNED], most = 0, after;
  int n = repair->space.n;
  brio_repair_step_out(repair, x, dx);
  for (int i = 0; i < n; i++) most = fmax(most, fabs(dx[i]));
  if (!(most > 1e-9)) return false;
  double share = fmin(1, SMALL / most);
  for (int halves = 0; halves < 5; halves++, share /= 2) {
    for (int i = 0; i < n; i++) to[i] = x[i] + share * dx[i];
    brio_repair_limit(repair, to);
    double way[BRIO_JOINTS_PLANNED];
    for (int i = 0; i < n; i++) way[i] = to[i] - x[i];
    if (!step_is_good(repair, x, way, *distance, room, &after)) continue;
    *distance = after;
    return true;
  }
  return false;
}

int brio_joint_way_out(brio_joint_checker *checker, const double *x, double room, double *corners, int most) {
  brio_repair_settings settings = brio_repair_settings_default();
  settings.margin = fmin(fmax(room, 1e-5), 1);
  brio_joint_repair *repair = brio_joint_repair_new(checker, 2, &settings, NULL);
  if (!repair) return 0;
  assert(most >= 2);
  size_t n = (size_t)repair->space.n;
  /* A little more than is asked for, as steps end where it is reached. */
  repair->target = brio_joint_checker_clearance(checker) + 1.1 * settings.margin;
  double goal = brio_joint_checker_clearance(checker) + room, distance = nearest(checker, x);
  int count = 1;
  memcpy(corners, x, n * sizeof *x);
  while (distance < goal && count < most &&
         next_step(repair, corners + n * (size_t)(count - 1), &distance, goal, corners + n * (size_t)count))
    count++;
  brio_joint_repair_free(repair);
  return distance >= goal ? count : 0;
}
