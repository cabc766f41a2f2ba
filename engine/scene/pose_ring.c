/* A ring of poses with their times.  Poses are kept a spacing apart, the newest always as it is;
** between two of them a frame moves straight and turns on the shortest arc (slerp: Shoemake,
** "Animating rotation with quaternion curves", 1985).  With poses dt apart and an acceleration a
** the error is at most a dt^2 / 8.  Adding is O(1), a query O(log n). */
#include "scene/pose_ring.h"

#include <assert.h>
#include <math.h>

#define SHORTEST 0.004 /* s between two poses whose difference is a motion: less than any usual tick */

/* Entry n, counted from the oldest. */
static const brio_pose_sample *nth(const brio_pose_ring *ring, int n) {
  assert(n >= 0 && n < ring->count);
  return &ring->samples[(ring->first + n) % BRIO_POSE_RING];
}

void brio_pose_ring_clear(brio_pose_ring *ring) { ring->first = ring->count = 0; }

double brio_pose_ring_oldest(const brio_pose_ring *ring) { return ring->count ? nth(ring, 0)->time : NAN; }

double brio_pose_ring_newest(const brio_pose_ring *ring) {
  return ring->count ? nth(ring, ring->count - 1)->time : NAN;
}

void brio_pose_ring_put(brio_pose_ring *ring, double time, brio_pose pose, bool holds, double spacing) {
  /* Invalid poses are dropped: the ring keeps its last valid one. */
  if (!isfinite(time) || !brio_pose_finite(pose)) return;
  /* Time ran back: what is kept is no history of this pose. */
  if (ring->count && time < brio_pose_ring_newest(ring)) brio_pose_ring_clear(ring);
  int n = ring->count;
  /* Replace the newest one if the time is the same, or if it is too near to the one before it. */
  bool instead = n > 0 && nth(ring, n - 1)->time == time;
  if (n > 1 && nth(ring, n - 1)->time - nth(ring, n - 2)->time < spacing) instead = true;
  /* A full ring overwrites the oldest. */
  if (!instead && n == BRIO_POSE_RING) ring->first = (ring->first + 1) % BRIO_POSE_RING;
  else if (!instead) ring->count++;
  ring->samples[(ring->first + ring->count - 1) % BRIO_POSE_RING] = (brio_pose_sample){time, pose, holds};
}

/* Index of the last sample at or before `time`, by bisection; `time` is not before the oldest. */
static int last_before(const brio_pose_ring *ring, double time) {
  assert(ring->count > 0);
  /* Invariant: samples[low] is at or before `time`, samples[high] after it, if it exists. */
  int low = 0, high = ring->count;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (nth(ring, middle)->time <= time) low = middle;
    else high = middle;
  }
  return low;
}

/* Extrapolate to `time`, beyond the newest sample, with the last motion.  It is that over at least SHORTEST:
** the noise of two poses that were set at nearly the same time would be a great speed. */
static brio_pose beyond(const brio_pose_ring *ring, double time) {
  const brio_pose_sample *newest = nth(ring, ring->count - 1);
  int n = ring->count - 2;
  while (n >= 0 && newest->time - nth(ring, n)->time < SHORTEST) n--;
  if (newest->holds || n < 0) return newest->pose;
  const brio_pose_sample *before = nth(ring, n);
  return brio_pose_mix(before->pose, newest->pose, (time - before->time) / (newest->time - before->time));
}

/* NaN is the time of the newest pose. O(log n). */
brio_pose_answer brio_pose_ring_at(const brio_pose_ring *ring, double time, double ahead, brio_pose *pose) {
  if (!ring->count) return BRIO_POSE_NEVER;
  const brio_pose_sample *newest = nth(ring, ring->count - 1);
  if (isnan(time) || time == newest->time) {
    *pose = newest->pose;
    return BRIO_POSE_FOUND;
  }
  if (time > newest->time) {
    if (!newest->holds && time - newest->time > ahead) return BRIO_POSE_AFTER;
    *pose = beyond(ring, time);
    return BRIO_POSE_FOUND;
  }
  /* Between the samples: interpolate, unless the frame stood still in between. */
  if (time < brio_pose_ring_oldest(ring)) return BRIO_POSE_BEFORE;
  int n = last_before(ring, time);
  const brio_pose_sample *a = nth(ring, n), *b = nth(ring, n + 1);
  if (a->holds && b->time - a->time > ahead) *pose = a->pose;
  else *pose = brio_pose_mix(a->pose, b->pose, (time - a->time) / (b->time - a->time));
  return BRIO_POSE_FOUND;
}
