/* Reference frames by name: a tree whose root is the world.  Each frame stands in its parent and
** remembers where it was in the last seconds, so that a delayed camera detection is placed with the camera's
** pose at that time. */
#ifndef BRIO_SCENE_FRAMES_H
#define BRIO_SCENE_FRAMES_H

#include <stdbool.h>

#include "base/error.h"
#include "math/pose.h"

typedef struct brio_frames brio_frames;

enum { BRIO_FRAME_WORLD = -1 };

/* A moving frame is extrapolated beyond its newest pose for at most this time, s. */
#define BRIO_FRAMES_AHEAD 0.1

/* Poses of a frame are remembered this far apart, s: BRIO_POSE_RING of them, 2.5 s in all. */
#define BRIO_FRAMES_SPACING 0.02

/* Make an empty tree.  Return NULL: no_memory. */
brio_frames *brio_frames_new(brio_error *err);
void brio_frames_free(brio_frames *frames);

/* Declare a frame in a parent (a handle, or BRIO_FRAME_WORLD), off the tick.  Return its handle;
** a known name keeps its own, and its parent.  -1: misuse (no name, "world", no such parent),
** limit, no_memory. */
int brio_frames_declare(brio_frames *frames, const char *name, int parent, brio_error *err);

/* Set the pose of a frame in its parent at `time`, s.  `holds`: it stays there until the next pose.  Handles
** out of range are ignored.  Never allocates. */
void brio_frames_set(brio_frames *frames, int handle, double time, brio_pose parent_from_frame, bool holds);

/* Return the handle of a frame, or -1. */
int brio_frames_find(const brio_frames *frames, const char *name);

/* Give a frame a second name, as the role of a link: used if no frame has it as its own name.  A second name
** in use moves to this frame.  False: misuse (no such frame, no name, longer than 47 letters), limit (64
** names). */
bool brio_frames_alias(brio_frames *frames, const char *name, int handle, brio_error *err);

/* Return the handle of a frame by its second name, or -1. */
int brio_frames_find_alias(const brio_frames *frames, const char *name);

/* Return a frame's name, or NULL. */
const char *brio_frames_name(const brio_frames *frames, int handle);

/* Return how many frames there are. */
int brio_frames_count(const brio_frames *frames);

/* Write world_from_frame at `time` (NAN: the newest of each).  False and an error: unreachable (it was never
** set, the time is before its history or too far beyond it), misuse (no such frame). */
bool brio_frames_at(const brio_frames *frames, int handle, double time, brio_pose *pose, brio_error *err);

#endif
