/* See trail.h. Script thread; the ring is a copy of what was handed over, so no lock is needed. */
#include "runtime/motor/trail.h"

#include <math.h>
#include <string.h>

bool brio_trail_start(brio_trail *trail, brio_arena *arena, int joints) {
  *trail = (brio_trail){.joints = joints};
  trail->poses = BRIO_TAKE(arena, double, (joints + 1) * BRIO_TRAIL_POSES);
  return trail->poses != NULL;
}

/* A pose by its number; it must be in the ring (keeps). */
static const double *pose_at(const brio_trail *trail, int64_t number) {
  return trail->poses + (size_t)(number % BRIO_TRAIL_POSES) * (size_t)trail->joints;
}

/* Its time from the pose before, s. */
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
  /* From the middle between two corners on, a place belongs to the later one. */
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

/* Motion through a corner: with v the speed before it, w that after it, and h half of the shorter of both
** times, a joint is at x + v at + (w - v) in^2 / (4 h), where `in` = at + h is from 0 to 2 h. */
brio_view brio_trail_view(const brio_trail *trail, brio_path_spot spot) {
  bool ends = !keeps(trail, spot.corner + 1);
  double before = time_at(trail, spot.corner), next = ends ? before : time_at(trail, spot.corner + 1);
  double half = ends ? 0 : 0.5 * (before < next ? before : next), in = spot.at + half;
  /* how far it goes with the speed behind the corner; how much of its speed is that */
  double way = in <= 0 || ends ? 0 : in >= 2 * half ? spot.at : in * in / (4 * half);
  double share = in <= 0 || ends ? 0 : in >= 2 * half ? 1 : in / (2 * half);
  double with[] = {spot.at - way, way}, of[] = {1 - share, share};
  /* Weights: position and speed are sums over the three poses. */
  const double *corner = pose_at(trail, spot.corner);
  return (brio_view){
      {pose_at(trail, spot.corner - 1), corner, ends ? corner : pose_at(trail, spot.corner + 1)},
      {-with[0] / before, 1 + with[0] / before - with[1] / next, with[1] / next},
      {-of[0] / before, of[0] / before - of[1] / next, of[1] / next}};
}
