/* The tree of frames.  Parents are declared before their children, so there is no cycle, and a
** query walks to the root: O(depth).  All memory is allocated when a frame is declared. */
#include "scene/frames.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "scene/pose_ring.h"

enum { MAX_FRAMES = 4096, MAX_ALIASES = 64, ALIAS_NAME = 48 };

/* Another name of a frame. */
typedef struct alias {
  char name[ALIAS_NAME];
  int handle;
} alias;

/* A frame: its history is relative to its parent. */
typedef struct frame {
  char *name;
  int parent; /* a handle below its own; -1: the world */
  brio_pose_ring ring;
} frame;

/* Frames by their handles, the index of their names, and their other names. */
struct brio_frames {
  frame **list; /* capacity entries, count used: pointers, so that frames never move */
  int count, capacity;
  brio_name_index index;
  alias aliases[MAX_ALIASES];
  int nalias;
};

/* The index has its full size from the start; frames are allocated as they are declared. */
brio_frames *brio_frames_new(brio_error *err) {
  brio_frames *frames = calloc(1, sizeof *frames);
  if (frames && brio_name_index_start(&frames->index, MAX_FRAMES)) return frames;
  free(frames);
  brio_fail(err, BRIO_NO_MEMORY, "no memory for a tree of frames");
  return NULL;
}

/* Each frame owns its name. */
void brio_frames_free(brio_frames *frames) {
  if (!frames) return;
  for (int i = 0; i < frames->count; i++) {
    free(frames->list[i]->name);
    free(frames->list[i]);
  }
  free(frames->list);
  brio_name_index_end(&frames->index);
  free(frames);
}

/* Make room for one more frame, by doubling. */
static bool grow(brio_frames *frames) {
  if (frames->count < frames->capacity) return true;
  int capacity = frames->capacity ? 2 * frames->capacity : 32;
  frame **more = realloc(frames->list, (size_t)capacity * sizeof(frame *));
  if (!more) return false;
  frames->list = more;
  frames->capacity = capacity;
  return true;
}

/* Fail with a sentence; -1 is no handle. */
static int refuse(brio_error *err, brio_code code, const char *sentence) {
  brio_fail(err, code, "%s", sentence);
  return -1;
}

/* Add a frame with a new name. */
static int add(brio_frames *frames, const char *name, int parent, brio_error *err) {
  frame *made = calloc(1, sizeof *made);
  char *copy = strdup(name);
  /* The list may have grown although the index failed: that is harmless. */
  if (!made || !copy || !grow(frames) || !brio_name_index_add(&frames->index, copy, frames->count)) {
    free(copy);
    free(made);
    return refuse(err, BRIO_NO_MEMORY, "no memory for a frame of the scene");
  }
  made->name = copy;
  assert(parent >= BRIO_FRAME_WORLD && parent < frames->count);
  made->parent = parent;
  frames->list[frames->count] = made;
  return frames->count++;
}

/* Handles count up in the order of declaration. */
int brio_frames_declare(brio_frames *frames, const char *name, int parent, brio_error *err) {
  if (!name || !*name) return refuse(err, BRIO_MISUSE, "a frame of the scene must have a name");
  if (strcmp(name, "world") == 0) return refuse(err, BRIO_MISUSE, "the frame 'world' is there already");
  int handle = brio_frames_find(frames, name);
  /* A name keeps its handle for ever: links are declared again by each engine. */
  if (handle >= 0) return handle;
  if (parent < BRIO_FRAME_WORLD || parent >= frames->count)
    return refuse(err, BRIO_MISUSE, "a frame's parent must be one that was declared before");
  if (frames->count >= MAX_FRAMES) return refuse(err, BRIO_LIMIT, "the scene has no space for more frames");
  return add(frames, name, parent, err);
}

void brio_frames_set(brio_frames *frames, int handle, double time, brio_pose pose, bool holds) {
  /* Handles come from declarations; an invalid one (-1) is ignored, as after a failed declaration. */
  if (handle < 0 || handle >= frames->count) return;
  /* The ring thins out poses that are nearer in time than the spacing. */
  brio_pose_ring_put(&frames->list[handle]->ring, time, pose, holds, BRIO_FRAMES_SPACING);
}

/* By the index of names; -1: none. */
int brio_frames_find(const brio_frames *frames, const char *name) {
  return brio_name_index_find(&frames->index, name);
}

/* Index of another name; -1: none. */
static int place_of_alias(const brio_frames *frames, const char *name) {
  for (int i = 0; i < frames->nalias; i++)
    if (strcmp(frames->aliases[i].name, name) == 0) return i;
  return -1;
}

/* Linear: there are at most MAX_ALIASES. */
int brio_frames_find_alias(const brio_frames *frames, const char *name) {
  int i = place_of_alias(frames, name);
  return i < 0 ? -1 : frames->aliases[i].handle;
}

/* A name that is in use already moves to the new handle. */
bool brio_frames_alias(brio_frames *frames, const char *name, int handle, brio_error *err) {
  if (handle < 0 || handle >= frames->count)
    return brio_fail(err, BRIO_MISUSE, "there is no frame with the handle %d", handle);
  /* Names are copied into rows of a fixed length. */
  size_t length = name ? strlen(name) : 0;
  if (length == 0 || length >= ALIAS_NAME)
    return brio_fail(err, BRIO_MISUSE, "another name of a frame must have from 1 to %d letters",
                     ALIAS_NAME - 1);
  int i = place_of_alias(frames, name);
  if (i < 0 && frames->nalias == MAX_ALIASES)
    return brio_fail(err, BRIO_LIMIT, "the scene has no space for more than %d aliases of frames",
                     MAX_ALIASES);
  if (i < 0) i = frames->nalias++;
  memcpy(frames->aliases[i].name, name, length + 1);
  frames->aliases[i].handle = handle;
  return true;
}

/* NULL: no frame has this handle. */
const char *brio_frames_name(const brio_frames *frames, int handle) {
  return handle >= 0 && handle < frames->count ? frames->list[handle]->name : NULL;
}

int brio_frames_count(const brio_frames *frames) { return frames->count; }

/* Report why there is no pose of a frame. */
static bool no_pose(const frame *one, double time, brio_pose_answer answer, brio_error *err) {
  /* Never known, forgotten, or too old to be extrapolated. */
  double oldest = brio_pose_ring_oldest(&one->ring), newest = brio_pose_ring_newest(&one->ring);
  if (answer == BRIO_POSE_NEVER)
    return brio_fail(err, BRIO_UNREACHABLE, "it is not known yet where the frame '%s' is", one->name);
  if (answer == BRIO_POSE_BEFORE)
    return brio_fail(err, BRIO_UNREACHABLE,
                     "where the frame '%s' was at %.3f s is forgotten: it is known from %.3f s on", one->name,
                     time, oldest);
  return brio_fail(
      err, BRIO_UNREACHABLE,
      "the pose of frame '%s' at %.3f s is unknown: its newest pose is from %.3f s, and is extrapolated by "
      "%g s at most",
      one->name, time, newest, BRIO_FRAMES_AHEAD);
}

/* world_from_frame is the product of the poses on the way from the root. O(depth log n), n poses each. */
bool brio_frames_at(const brio_frames *frames, int handle, double time, brio_pose *pose, brio_error *err) {
  if (handle < BRIO_FRAME_WORLD || handle >= frames->count)
    return brio_fail(err, BRIO_MISUSE, "there is no frame with the handle %d", handle);
  /* Multiply from the frame up to the world. */
  brio_pose found = BRIO_POSE_IDENTITY;
  for (int i = handle; i >= 0; i = frames->list[i]->parent) {
    brio_pose in_parent;
    /* One frame without a pose at that time leaves the result unknown. */
    brio_pose_answer answer = brio_pose_ring_at(&frames->list[i]->ring, time, BRIO_FRAMES_AHEAD, &in_parent);
    if (answer != BRIO_POSE_FOUND) return no_pose(frames->list[i], time, answer, err);
    found = brio_pose_mul(in_parent, found);
  }
  *pose = found;
  return true;
}
