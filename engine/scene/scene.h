/* The scene: what the robot believes is around it.  Detections come in and go; objects
** made of them persist: one appears when it was seen often enough, keeps its identity while
** it moves, and is lost when it was not seen for a while.  Link frames are pushed in, so a
** scene replays without a robot. */
#ifndef BRIO_SCENE_SCENE_H
#define BRIO_SCENE_SCENE_H

#include <stdbool.h>

#include "base/error.h"
#include "math/detection.h"

typedef struct brio_scene brio_scene;

typedef struct brio_scene_options {
  int most_objects;       /* 0: 256 */
  int appear_after;       /* detections before an object is believed; 0: 3 */
  double lost_after;      /* s without detection before it is lost; 0: 1.0 */
  double same_within;     /* m: an unnamed detection this near an object is that object; 0: 0.5 */
  double smoothing;       /* s: time constant of position and velocity; 0: 0.1; negative: none */
} brio_scene_options;

typedef struct brio_object {
  char kind[BRIO_DETECTION_KIND];
  char id[BRIO_DETECTION_ID];  /* the sensor's, or "<kind>-<number>" */
  int number;                  /* unique in the run, from 1 */
  brio_pose pose;              /* world, smoothed */
  brio_vec3 velocity;          /* m/s, world */
  brio_vec3 size;              /* m */
  double confidence, first_seen, last_seen; /* s */
  int sightings;
  bool believed;               /* appeared and not lost */
} brio_object;

typedef enum brio_scene_change { BRIO_SCENE_APPEARED, BRIO_SCENE_LOST } brio_scene_change;

typedef struct brio_scene_event {
  brio_scene_change change;
  brio_object object;          /* as it was then */
} brio_scene_event;

/* Make an empty scene.  `options` may be NULL.  Errors: misuse, no_memory. */
brio_scene *brio_scene_new(const brio_scene_options *options, brio_error *err);
void brio_scene_free(brio_scene *scene);

/* Take the detections of one tick at `time` (s).  Never allocates.  Bad ones (not finite)
** are counted and left out. */
void brio_scene_update(brio_scene *scene, double time, const brio_detection *detections, int count);

/* Take the next change since the last update; false: no more. */
bool brio_scene_next_event(brio_scene *scene, brio_scene_event *event);

/* Believed objects in order of their number; return how many. */
int brio_scene_objects(const brio_scene *scene, const brio_object **const *objects);

/* Return the believed object of that id, or NULL. */
const brio_object *brio_scene_find(const brio_scene *scene, const char *id);

/* Return the believed object of `kind` (NULL: any) nearest to `point`, or NULL beyond
** `within` m. */
const brio_object *brio_scene_nearest(const brio_scene *scene, const char *kind, brio_vec3 point,
                                      double within);

/* Push a named frame (a link's) into the scene; a name in use is replaced.  Frame names are
** declared once, off the tick (return the handle, -1: limit), then set every tick. */
int brio_scene_declare_frame(brio_scene *scene, const char *name, brio_error *err);
void brio_scene_set_frame(brio_scene *scene, int handle, brio_pose world_from_frame);

/* Return the pose of a declared frame or a believed object by name; false: no such name. */
bool brio_scene_frame(const brio_scene *scene, const char *name, brio_pose *pose);

/* Detections refused so far for not being finite, and objects refused for want of room. */
int brio_scene_refused(const brio_scene *scene);

#endif
