/* The newest positions of all axes for viewers: from the motor side, which writes them in each of its periods
** while somebody watches, to the front's thread, which sends them; and the pose of a base that moves, which
** the tick writes.  No lock, no allocation after the start, and nothing of it passes Lua. */
#ifndef BRIO_RUNTIME_LIVE_POSES_H
#define BRIO_RUNTIME_LIVE_POSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/pose.h"

/* What a frame shows of an axis. */
typedef enum brio_live_source { BRIO_LIVE_MEASURED, BRIO_LIVE_COMMAND, BRIO_LIVE_SOURCES } brio_live_source;

/* A frame for the wire, little-endian: version (1 byte), source (1), axes (2), number (4), robot time in s
** (8, IEEE 754), then a single-precision value for each axis, in its unit.  If the source has the bit
** BRIO_LIVE_BASED, the base's pose in the world follows: position (3, m) and quaternion (4, x y z w). */
enum {
  BRIO_LIVE_VERSION = 2,
  BRIO_LIVE_HEAD = 16,
  BRIO_LIVE_AXES = 1024,
  BRIO_LIVE_BASED = 0x80,
  BRIO_LIVE_BASE = 7, /* numbers of a base's pose */
  BRIO_LIVE_MOST = BRIO_LIVE_HEAD + 4 * (BRIO_LIVE_AXES + BRIO_LIVE_BASE), /* bytes of a frame */
};

/* Positions at a time; values: BRIO_LIVE_SOURCES x axes. */
typedef struct brio_live_pose {
  double time;     /* robot time of the newest pose in it, s */
  uint32_t number; /* of the period */
  float values[];
} brio_live_pose;

typedef struct brio_live_poses brio_live_poses;

/* Make a board for that many axes, with one reference.  NULL: no memory, or more than BRIO_LIVE_AXES axes. */
brio_live_poses *brio_live_poses_new(int axes);

/* Add a reference; drop one, and free the board with the last. */
brio_live_poses *brio_live_poses_keep(brio_live_poses *board);
void brio_live_poses_drop(brio_live_poses *board);

/* How many axes it is for. */
int brio_live_poses_axes(const brio_live_poses *board);

/* Reader: whether anybody watches.  Writer: whether it is worth writing. */
void brio_live_poses_watch(brio_live_poses *board, bool watched);
bool brio_live_poses_watched(const brio_live_poses *board);

/* Writer: the pose to fill, and hand it over. */
brio_live_pose *brio_live_poses_back(brio_live_poses *board);
void brio_live_poses_publish(brio_live_poses *board);

/* Reader: the newest pose; NULL before the first. */
const brio_live_pose *brio_live_poses_newest(brio_live_poses *board);

/* Tick: the pose of the root link in the world, from now on. */
void brio_live_poses_stand(brio_live_poses *board, const brio_pose *base);

/* Reader: the newest pose of the base (BRIO_LIVE_BASE numbers); NULL: it has never moved. */
const float *brio_live_poses_base(brio_live_poses *board);

/* Write a frame of `pose`, at most BRIO_LIVE_MOST bytes; return how many.  `base`: NULL for one that stands
** where the model has it. */
size_t brio_live_pose_frame(const brio_live_pose *pose, const float *base, int axes, brio_live_source source,
                            unsigned char *out);

#endif
