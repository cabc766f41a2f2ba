/* See trail.h. */
#include "runtime/motor/trail.h"

#include <math.h>
#include <string.h>

bool brio_trail_start(brio_trail *trail, brio_arena *arena, int joints) {
  *trail = (brio_trail){.joints = joints};
  trail->poses = BRIO_TAKE(arena, double, (joints + 1) * BRIO_TRAIL_POSES);
  return trail->poses != NULL;
}

static const double *pose_at(const brio_trail *trail, int64_t number) {
  return trail->poses + (size_t)(number % BRIO_TRAIL_POSES) * (size_t)trail->joints;
}

static double time_at(const brio_trail *trail, int64_t number) {
  return trail->times[number % BRIO_TRAIL_POSES];
}

/* Whether a pose is in the ring. */
static bool keeps(const brio_trail *trail, int64_t number) {
  return number > 0 && number <= trail->count && number > trail->count - BRIO_TRAIL_POSES;
}

void brio_trail_add(brio_trail *trail, const double *pose, double dt) {
  trail->count++;
  memcpy(trail->poses + (size_t)(trail->count % BRIO_TRAIL_POSES) * (size_t)trail->joints, pose,
         (size_t)trail->joints * sizeof *pose);
  trail->times[trail->count % BRIO_TRAIL_POSES] = dt;
}

brio_path_spot brio_trail_move(const brio_trail *trail, brio_path_spot spot, double dt) {
  spot.at += dt;
  while (keeps(trail, spot.corner + 1) && spot.at > 0.5 * time_at(trail, spot.corner + 1))
    spot.at -= time_at(trail, ++spot.corner);
  while (keeps(trail, spot.corner - 1) && keeps(trail, spot.corner) &&
         spot.at < -0.5 * time_at(trail, spot.corner))
    spot.at += time_at(trail, spot.corner--);
  return spot;
}

bool brio_trail_knows(const brio_trail *trail, brio_path_spot spot) {
  return keeps(trail, spot.corner - 1) && keeps(trail, spot.corner) &&
         fabs(spot.at) < 2 * time_at(trail, spot.corner);
}

double brio_trail_at(const brio_trail *trail, brio_path_spot spot, int joint, double *speed) {
  double x = pose_at(trail, spot.corner)[joint], time = time_at(trail, spot.corner), none;
  double before = (x - pose_at(trail, spot.corner - 1)[joint]) / time, after = before, half = 0;
  if (!speed) speed = &none;
  if (keeps(trail, spot.corner + 1)) {
    double next = time_at(trail, spot.corner + 1);
    after = (pose_at(trail, spot.corner + 1)[joint] - x) / next;
    half = 0.5 * fmin(time, next);
  }
  /* straight up to half a tick before the corner, and from there on; the acceleration between is constant */
  *speed = spot.at < 0 ? before : after;
  if (fabs(spot.at) >= half) return x + *speed * spot.at;
  double in = spot.at + half;
  *speed = before + (after - before) * in / (2 * half);
  return x + before * spot.at + (after - before) * in * in / (4 * half);
}
