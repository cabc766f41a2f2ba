/* Scene objects: the things that a behavior has chosen from all detections, a short list of names.  An object
** follows the detection that it was set up from.  Its last pose stays usable when the detection is lost
** (stale), and when it is frozen.  Other objects are placed by a person, or derived from frames. */
#ifndef BRIO_SCENE_OBJECTS_H
#define BRIO_SCENE_OBJECTS_H

#include <stdbool.h>

#include "base/error.h"
#include "math/pose.h"
#include "scene/pose_ring.h"
#include "scene/scene.h"

enum { BRIO_SCENE_NAME = 48, BRIO_SCENE_MOST = 64 };

/* Where the pose of a scene object comes from. */
typedef enum brio_origin {
  BRIO_ORIGIN_SEEN,    /* a detection, which it follows */
  BRIO_ORIGIN_PLACED,  /* a person or a leaf has put it there */
  BRIO_ORIGIN_DERIVED, /* computed from other frames */
  BRIO_ORIGIN_NOMINAL  /* expected by its author: in a preview */
} brio_origin;

typedef struct brio_scene_object {
  char name[BRIO_SCENE_NAME];
  char kind[BRIO_DETECTION_KIND]; /* the detection's, or the kind of derived object */
  char source[BRIO_DETECTION_ID]; /* the detection that it follows; "": none */
  int number;                     /* of that detection; 0: none */
  brio_origin origin;
  brio_pose pose;                 /* world */
  brio_vec3 velocity, size;       /* m/s, m */
  float color[3];                 /* sRGB, 0 to 1; NAN: unknown */
  double confidence;              /* 0 to 1 */
  double since, seen;             /* s: set up, and when its pose was renewed last */
  bool frozen;                    /* does not move until it is set up again */
  bool stale;                     /* the detection that it follows is lost */
  bool oriented;                  /* pose.q is its own orientation */
  bool turned;                    /* its orientation is its own: detections without one leave it */
} brio_scene_object;

typedef enum brio_object_change {
  BRIO_OBJECT_SET_UP, BRIO_OBJECT_FROZEN, BRIO_OBJECT_DELETED, BRIO_OBJECT_PLACED, BRIO_OBJECT_NUDGED,
  BRIO_OBJECT_STALE, BRIO_OBJECT_SEEN, BRIO_OBJECT_NCHANGE
} brio_object_change;

typedef struct brio_object_event {
  brio_object_change change;
  double time;               /* s */
  brio_scene_object object;  /* as it was then */
  char who[BRIO_SCENE_NAME]; /* "": the behavior, or no person */
} brio_object_event;

typedef struct brio_objects brio_objects;

/* Make an empty list.  Return NULL: no_memory. */
brio_objects *brio_objects_new(brio_error *err);
void brio_objects_free(brio_objects *objects);

/* Put an object on the list, or renew that of its name: it is unfrozen, and as `wanted` says; `since` and
** `stale` are set here.  `change` is reported.  False: misuse (no name, numbers that are not
** finite), limit (the list is full; farther than 1e6 m). */
bool brio_objects_put(brio_objects *objects, const brio_scene_object *wanted, brio_object_change change,
                      const char *who, brio_error *err);

/* Freeze an object, or take it off the list.  False: no such object. */
bool brio_objects_freeze(brio_objects *objects, const char *name, const char *who);
bool brio_objects_delete(brio_objects *objects, const char *name, const char *who);

/* The same for all objects; return the number of those that were not frozen, or of all. */
int brio_objects_freeze_all(brio_objects *objects, const char *who);
int brio_objects_clear(brio_objects *objects, const char *who);

/* Move a derived object; no effect if it is frozen or not derived.  `stale`: of its sources. */
void brio_objects_move(brio_objects *objects, const char *name, brio_pose pose, bool stale);

/* Advance by a tick: the time, and all confirmed detections, in the order of their numbers. */
void brio_objects_follow(brio_objects *objects, double time, const brio_object *const *believed, int count);

/* Return the object of that name, or NULL; the i-th in the order of being set up, or NULL past the end. */
const brio_scene_object *brio_objects_find(const brio_objects *objects, const char *name);
const brio_scene_object *brio_objects_at(const brio_objects *objects, int i);

/* Write where an object was at `time`, s (NAN: now). */
brio_pose_answer brio_objects_pose(const brio_objects *objects, const char *name, double time,
                                   brio_pose *pose);

/* Whether there is a change to get. */
bool brio_objects_stir(const brio_objects *objects);

/* Get the next change; false: none.  Only the newest 256 are kept. */
bool brio_objects_next_event(brio_objects *objects, brio_object_event *event);

/* Return a change's or an origin's word: "set_up", "frozen", ... and "seen", "placed", ... */
const char *brio_object_change_word(brio_object_change change);
const char *brio_origin_word(brio_origin origin);

#endif
