/* Where something that moves was in the last seconds: a ring of poses, each with its time.
** Fixed in size, so that a ring lives inside whatever it belongs to. */
#ifndef BRIO_SCENE_POSE_RING_H
#define BRIO_SCENE_POSE_RING_H

#include <stdbool.h>

#include "math/pose.h"

enum { BRIO_POSE_RING = 128 };

typedef struct brio_pose_sample {
  double time;    /* s */
  brio_pose pose;
  bool holds;     /* it stays there until another pose is said; else it is one of a motion */
} brio_pose_sample;

typedef struct brio_pose_ring {
  brio_pose_sample samples[BRIO_POSE_RING];
  int first, count; /* the oldest one's place; how many there are */
} brio_pose_ring;

/* What a question about a time comes to. */
typedef enum brio_pose_answer {
  BRIO_POSE_FOUND,
  BRIO_POSE_NEVER,  /* no pose was ever said */
  BRIO_POSE_BEFORE, /* the time is before what is remembered */
  BRIO_POSE_AFTER   /* the time is too far behind the newest pose */
} brio_pose_answer;

/* Say where it is at `time` (s).  Poses nearer to each other than `spacing` s are thinned, the
** newest always stays.  A time before the newest pose's begins anew: the clock jumped.  What is
** not finite is left out. */
void brio_pose_ring_put(brio_pose_ring *ring, double time, brio_pose pose, bool holds, double spacing);

/* Write where it was at `time` (NAN: the newest pose, whatever its age): between two poses on the
** straight way, turning on the shortest arc; beyond the newest as it moved last, for at most
** `ahead` s, unless the newest holds. */
brio_pose_answer brio_pose_ring_at(const brio_pose_ring *ring, double time, double ahead, brio_pose *pose);

/* The times of the oldest and the newest pose, s; NAN without any. */
double brio_pose_ring_oldest(const brio_pose_ring *ring);
double brio_pose_ring_newest(const brio_pose_ring *ring);

/* Forget all. */
void brio_pose_ring_clear(brio_pose_ring *ring);

#endif
