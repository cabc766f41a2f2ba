/* The scene: the robot's model of its surroundings.  Detections come in; persistent objects are made of them:
** one appears when it was seen often enough, keeps its identity while it moves, and is lost when it was not
** seen for a while.  Link frames are set from outside, so a scene replays without a robot. */
#ifndef BRIO_SCENE_SCENE_H
#define BRIO_SCENE_SCENE_H

#include <stdbool.h>

#include "base/error.h"
#include "math/detection.h"
#include "scene/settings.h"

typedef struct brio_scene brio_scene;
typedef struct brio_frames brio_frames;   /* scene/frames.h */
typedef struct brio_objects brio_objects; /* scene/objects.h */

typedef struct brio_scene_options {
  int most_objects;       /* 0: 256 */
  int appear_after;       /* detections before an object is confirmed; 0: 3 */
  double lost_after;      /* s without detection before it is lost; 0: 1.0 */
  double same_within;     /* m: an unnamed detection this near an object is that object; 0: 0.5 */
  double smoothing;       /* s: time constant of position and velocity; 0: 0.1; negative: none */
} brio_scene_options;

typedef struct brio_object {
  char kind[BRIO_DETECTION_KIND];
  char id[BRIO_DETECTION_ID];  /* the sensor's, or "<kind>-<number>" */
  int number;                  /* unique in the run, from 1, in the order of appearing */
  brio_pose pose;              /* world, smoothed */
  brio_vec3 velocity;          /* m/s, world */
  brio_vec3 size;              /* m */
  double confidence, first_seen, last_seen; /* s */
  double time;                 /* s: when its newest detection was sensed */
  float color[3];              /* sRGB, 0 to 1, of the newest detection that has it; NAN: unknown */
  uint8_t detector;            /* the detector of the newest detection */
  bool oriented;               /* pose.q is valid */
  int sightings;
  bool believed;               /* appeared and not lost */
} brio_object;

typedef enum brio_scene_change { BRIO_SCENE_APPEARED, BRIO_SCENE_LOST } brio_scene_change;

typedef struct brio_scene_event {
  brio_scene_change change;
  brio_object object;          /* as it was then */
} brio_scene_event;

/* A persistent detection: confirmed, and then an object, or not yet. */
typedef struct brio_scene_track {
  brio_object object;          /* number 0 and, where the sensor gives none, no id: not confirmed yet */
  int track;                   /* unique in the run, from 1, in the order of the first detections */
  int history;                 /* detections of the last settings.history seconds, at most 64 */
  double frequency;            /* Hz: detections in that time */
  double mean_confidence;      /* of those */
  bool stable;                 /* seen more often and more surely than its settings require */
} brio_scene_track;

/* Counts of rejected detections since the scene was created. */
typedef struct brio_scene_refusals {
  int bad;                     /* not finite, without kind, too far */
  int late, future;            /* sensed before the history, or more than 0.5 s from now */
  int flood;                   /* more than the most in one update */
  int room;                    /* no room for another object */
  int clamped;                 /* accepted: from less than 0.5 s in the future, used as of now */
  brio_error last;             /* the first rejection of the last update that had any, in words */
} brio_scene_refusals;

/* Return the defaults that a 0 stands for. */
brio_scene_options brio_scene_defaults(void);

/* Make an empty scene.  `options` may be NULL.  Errors: misuse, no_memory. */
brio_scene *brio_scene_new(const brio_scene_options *options, brio_error *err);
void brio_scene_free(brio_scene *scene);

/* Take the detections of one tick at `time` (s; never before the last update's).  Each counts from
** when it was sensed: a late one is inserted at its time if that is within the history of its class.  Never
** allocates.  Rejected ones are counted: see brio_scene_refusals.  At most 1024
** detections and 32 different times and detectors are accepted, to limit the work. */
void brio_scene_update(brio_scene *scene, double time, const brio_detection *detections, int count);

/* Return the settings of a class (NULL: of every class without its own). */
brio_scene_settings brio_scene_settings_of(const brio_scene *scene, const char *kind);

/* Set them, for tracks that begin from now on.  May be called in a tick.  Errors: misuse (a number out of
** range), limit (64 classes have settings). */
bool brio_scene_configure(brio_scene *scene, const char *kind, const brio_scene_settings *settings,
                          brio_error *err);

/* Declare that detectors may confuse class `kind` with any of `others`: such detections belong to one track,
** of the class that is likeliest by all of them.  Replaces earlier `others` of `kind`; none: it is never
** confused. Errors: misuse, limit (8 classes). */
bool brio_scene_confuse(brio_scene *scene, const char *kind, const char *const *others, int count,
                        brio_error *err);

/* Write the next persistent detection of a kind (NULL: any) from slot `*at` on (begin with 0); false:
** none. */
bool brio_scene_next_track(const brio_scene *scene, const char *kind, int *at, brio_scene_track *track);

/* Whether there is a change to get, of this or of the chosen objects. */
bool brio_scene_stirs(const brio_scene *scene);

/* Get the next change since the last update; false: none. */
bool brio_scene_next_event(brio_scene *scene, brio_scene_event *event);

/* Confirmed objects in order of their number; return how many. */
int brio_scene_objects(const brio_scene *scene, const brio_object *const **objects);

/* Return the confirmed object of that id (the one confirmed first, where kinds share it), or NULL. */
const brio_object *brio_scene_find(const brio_scene *scene, const char *id);

/* Return whether an object is of a kind (NULL: any). */
bool brio_scene_is_kind(const brio_object *object, const char *kind);

/* Return the confirmed object of `kind` (NULL: any) nearest to `point`, or NULL if it is farther than
** `within` m. */
const brio_object *brio_scene_nearest(const brio_scene *scene, const char *kind, brio_vec3 point,
                                      double within);

/* Set a named frame (a link's) in the scene; a name in use is replaced.  Frame names are declared once, off
** the tick (return the handle, or -1: misuse, limit, no_memory), then set every tick; before that their pose
** is unknown.  Handles out of range are ignored.  Set so, a frame stays there until it is set again; for
** moving frames use brio_scene_frames with the time. */
int brio_scene_declare_frame(brio_scene *scene, const char *name, brio_error *err);
void brio_scene_set_frame(brio_scene *scene, int handle, brio_pose world_from_frame);

/* Return the scene's frames, and its chosen objects, for changes. */
brio_frames *brio_scene_frames(brio_scene *scene);
brio_objects *brio_scene_chosen(brio_scene *scene);

/* Return the time of the newest update, s. */
double brio_scene_time(const brio_scene *scene);

/* Return the current pose of a frame in the world: "world", a declared frame, a chosen object, or a confirmed
** one, by name; false: no such name. */
bool brio_scene_frame(const brio_scene *scene, const char *name, brio_pose *pose);

/* The same at `time`, s (NAN: the newest of all).  A confirmed object is extrapolated by its velocity, only
** near its newest detection.  False and an error: unreachable. */
bool brio_scene_frame_at(const brio_scene *scene, const char *name, double time, brio_pose *pose,
                         brio_error *err);

/* Write a_from_b at `time`, s (NAN: now): the pose of frame b in a.  False and an error: unreachable. */
bool brio_scene_pose(const brio_scene *scene, const char *a, const char *b, double time, brio_pose *pose,
                     brio_error *err);

/* Return how many detections were rejected so far, by cause. */
int brio_scene_refused(const brio_scene *scene);
brio_scene_refusals brio_scene_refused_why(const brio_scene *scene);

#endif
