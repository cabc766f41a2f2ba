/* The recent poses of something that moves: a ring of poses, each with its time.  Fixed in size, so that a
** ring can be a member of its owner. */
#ifndef BRIO_SCENE_POSE_RING_H
#define BRIO_SCENE_POSE_RING_H

#include <stdbool.h>

#include "math/pose.h"

enum { BRIO_POSE_RING = 128 };

typedef struct brio_pose_sample {
  double time;    /* s */
  brio_pose pose;
  bool holds;     /* it stays there until the next pose; else it is a sample of a motion */
} brio_pose_sample;

typedef struct brio_pose_ring {
  brio_pose_sample samples[BRIO_POSE_RING];
  int first, count; /* index of the oldest one; their number */
} brio_pose_ring;

/* Result of a query at a time. */
typedef enum brio_pose_answer {
  BRIO_POSE_FOUND,
  BRIO_POSE_NEVER,  /* there is no pose */
  BRIO_POSE_BEFORE, /* the time is before the history */
  BRIO_POSE_AFTER   /* the time is too far behind the newest pose */
} brio_pose_answer;

/* Add a pose at `time` (s).  Poses nearer to each other than `spacing` s are thinned, the newest always
** stays. A time before the newest pose's clears the ring: the clock jumped.  Poses that are not finite are
** ignored. */
void brio_pose_ring_put(brio_pose_ring *ring, double time, brio_pose pose, bool holds, double spacing);

/* Write the pose at `time` (NAN: the newest pose, whatever its age): interpolated between two poses on a
** straight line and the shortest arc; extrapolated beyond the newest for at most `ahead` s, unless the newest
** holds. */
brio_pose_answer brio_pose_ring_at(const brio_pose_ring *ring, double time, double ahead, brio_pose *pose);

/* The times of the oldest and the newest pose, s; NAN without any. */
double brio_pose_ring_oldest(const brio_pose_ring *ring);
double brio_pose_ring_newest(const brio_pose_ring *ring);

/* Forget all. */
void brio_pose_ring_clear(brio_pose_ring *ring);

#endif
