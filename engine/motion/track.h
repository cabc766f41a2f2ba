/* A track: keyframes of one DOF, and its value at a time: a + b u, with u the value below (keyframe.h). */
#ifndef BRIO_MOTION_TRACK_H
#define BRIO_MOTION_TRACK_H

#include <stdint.h>

#include "motion/curve.h"
#include "motion/keyframe.h"

typedef struct brio_track {
  int dof;                 /* its number among the player's */
  int first, count;        /* its keys in the sequence's list */
  double begin, end;       /* s: of its first and last key; it is active from one to the other */
  double follow;           /* weight; NaN: the player's default */
  double alive;            /* share of a joint's liveliness that stays on top of it, 0 to 1 */
} brio_track;

/* The value of a track at a time: a + b u, with the rate va + vb u + b u'. */
typedef struct brio_sample {
  double a, b, va, vb;     /* rad, 1; per s */
} brio_sample;

/* Return which of `count` (at least 1) keys with rising times is the last not after `time`; 0 before the
** first. `cursor` is where it was last, or any number: near it the search is quick, else it is
** logarithmic. */
int brio_track_seek(const brio_keyframe *keys, int count, int cursor, double time);

/* Write the value of a track with these keys at `time`, clamped to its range.  `pass` seeds its random keys;
** `cursor` is kept between calls. The rate is 0 where the time is before or after all keys. */
void brio_track_sample(const brio_keyframe *keys, int count, int *cursor, double time, uint64_t pass,
                       brio_sample *out);

#endif
