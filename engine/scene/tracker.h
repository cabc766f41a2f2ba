/* The scene's memory: which detection belongs to which object.  For the scene's own files. */
#ifndef BRIO_SCENE_TRACKER_H
#define BRIO_SCENE_TRACKER_H

#include "scene/scene.h"

/* A slot for an object, or for what may become one. */
typedef struct brio_track {
  brio_object object;      /* number 0: not believed yet */
  bool used;
  int detection;           /* that it took in this update; -1: none */
  double distance;         /* of that detection from where the track was expected, m; -1: by name */
} brio_track;

typedef struct brio_tracker {
  brio_scene_options options; /* every 0 replaced by its default */
  brio_track *tracks;      /* options.most_objects */
  int refused;
  double time;             /* of the newest update */
} brio_tracker;

/* Give every detection to a track, making new ones, and move the tracks. */
void brio_tracker_take(brio_tracker *tracker, const brio_detection *detections, int count);

/* Tell whether a track was seen often enough to be believed, or not for too long. */
bool brio_tracker_is_sure(const brio_tracker *tracker, const brio_track *track);
bool brio_tracker_is_gone(const brio_tracker *tracker, const brio_track *track);

#endif
