/* The scene: what the robot believes is around it.  Detections come in and go; objects
** made of them persist: one appears when it was seen often enough, keeps its identity while
** it moves, and is lost when it was not seen for a while.  Link frames are pushed in, so a
** scene replays without a robot. */
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
  int appear_after;       /* detections before an object is believed; 0: 3 */
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
  float color[3];              /* sRGB, 0 to 1, of the newest detection that knew; NAN: unknown */
  uint8_t detector;            /* which one saw it last */
  bool oriented;               /* pose.q means something */
  int sightings;
  bool believed;               /* appeared and not lost */
} brio_object;

typedef enum brio_scene_change { BRIO_SCENE_APPEARED, BRIO_SCENE_LOST } brio_scene_change;

typedef struct brio_scene_event {
  brio_scene_change change;
  brio_object object;          /* as it was then */
} brio_scene_event;

/* A persistent detection: believed, and then an object, or not yet. */
typedef struct brio_scene_track {
  brio_object object;          /* number 0 and, where the sensor knows none, no id: not believed yet */
  int track;                   /* unique in the run, from 1, in the order of the first detections */
  int history;                 /* detections remembered of the last settings.history seconds, at most 64 */
  double frequency;            /* Hz: how often it was seen in that time */
  double mean_confidence;      /* of those */
  bool stable;                 /* seen more often and more surely than its settings ask for */
} brio_scene_track;

/* What was refused since the scene was made. */
typedef struct brio_scene_refusals {
  int bad;                     /* not finite, without kind, too far */
  int late, future;            /* sensed before what is remembered, or more than 0.5 s from now */
  int flood;                   /* more in one update than are taken */
  int room;                    /* for want of room for another object */
  int clamped;                 /* not refused: from less than 0.5 s in the future, taken as of now */
  brio_error last;             /* the first refusal of the last update that had any, in words */
} brio_scene_refusals;

/* Return the defaults that a 0 stands for. */
brio_scene_options brio_scene_defaults(void);

/* Make an empty scene.  `options` may be NULL.  Errors: misuse, no_memory. */
brio_scene *brio_scene_new(const brio_scene_options *options, brio_error *err);
void brio_scene_free(brio_scene *scene);

/* Take the detections of one tick at `time` (s; never before the last update's).  Each counts from
** when it was sensed: a late one is put where it belongs as far back as its class remembers.  Never
** allocates.  What is refused is counted and left out: see brio_scene_refusals.  At most 1024
** detections and 32 different times and detectors are taken, so that a flood ends. */
void brio_scene_update(brio_scene *scene, double time, const brio_detection *detections, int count);

/* Return the settings that hold for detections of a class (NULL: of every class without its own). */
brio_scene_settings brio_scene_settings_of(const brio_scene *scene, const char *kind);

/* Set them, for what is seen for the first time from now on.  May be called in a tick.  Errors:
** misuse (a number out of range), limit (64 classes have settings). */
bool brio_scene_configure(brio_scene *scene, const char *kind, const brio_scene_settings *settings,
                          brio_error *err);

/* Say that a thing of class `kind` may be reported as any of `others`, and they as it: it stays one
** thing, of the class that all its detections make likeliest.  They replace what was said of `kind`
** before; none: it is taken for nothing else.  Errors: misuse, limit (8 classes). */
bool brio_scene_confuse(brio_scene *scene, const char *kind, const char *const *others, int count,
                        brio_error *err);

/* Write the next persistent detection of a kind (NULL: any) behind place `*at` (begin with 0), in
** the order of slots; false: no more. */
bool brio_scene_next_track(const brio_scene *scene, const char *kind, int *at, brio_scene_track *track);

/* Take the next change since the last update; false: no more. */
bool brio_scene_next_event(brio_scene *scene, brio_scene_event *event);

/* Believed objects in order of their number; return how many. */
int brio_scene_objects(const brio_scene *scene, const brio_object *const **objects);

/* Return the believed object of that id (the one believed first, where kinds share it), or NULL. */
const brio_object *brio_scene_find(const brio_scene *scene, const char *id);

/* Tell whether an object is of a kind (NULL: any). */
bool brio_scene_is_kind(const brio_object *object, const char *kind);

/* Return the believed object of `kind` (NULL: any) nearest to `point`, or NULL beyond
** `within` m. */
const brio_object *brio_scene_nearest(const brio_scene *scene, const char *kind, brio_vec3 point,
                                      double within);

/* Push a named frame (a link's) into the scene; a name in use is replaced.  Frame names are
** declared once, off the tick (return the handle, or -1: misuse, limit, no_memory), then set
** every tick; until then they are nowhere.  Handles out of range do nothing.  Set so, a frame stays
** there until it is set again; what moves is better set in brio_scene_frames with its time. */
int brio_scene_declare_frame(brio_scene *scene, const char *name, brio_error *err);
void brio_scene_set_frame(brio_scene *scene, int handle, brio_pose world_from_frame);

/* Return the scene's frames, and the objects that were chosen, for whoever changes them. */
brio_frames *brio_scene_frames(brio_scene *scene);
brio_objects *brio_scene_chosen(brio_scene *scene);

/* Return the time of the newest update, s. */
double brio_scene_time(const brio_scene *scene);

/* Return the pose of a frame in the world now: "world", a declared frame, a chosen object, or what is
** believed, by name; false: no such name. */
bool brio_scene_frame(const brio_scene *scene, const char *name, brio_pose *pose);

/* The same at `time`, s (NAN: the newest of all).  What is believed is told by its velocity, near its newest
** detection alone.  False, saying why: unreachable. */
bool brio_scene_frame_at(const brio_scene *scene, const char *name, double time, brio_pose *pose,
                         brio_error *err);

/* Write a_from_b at `time`, s (NAN: now): where the frame b is, as a sees it.  False, saying why:
** unreachable. */
bool brio_scene_pose(const brio_scene *scene, const char *a, const char *b, double time, brio_pose *pose,
                     brio_error *err);

/* Return how many detections were refused so far, and which why. */
int brio_scene_refused(const brio_scene *scene);
brio_scene_refusals brio_scene_refused_why(const brio_scene *scene);

#endif
