/* Persistent detections: tracks of detections.  The scene's memory; for the scene's own files. */
#ifndef BRIO_SCENE_PERSISTENT_PERSISTENT_H
#define BRIO_SCENE_PERSISTENT_PERSISTENT_H

#include "scene/assignment.h"
#include "scene/scene.h"
#include "scene/settings.h"

enum {
  BRIO_PERSISTENT_HISTORY = 64, /* detections kept of each */
  BRIO_PERSISTENT_TAKEN = 1024, /* detections accepted in one update, at most */
  BRIO_PERSISTENT_PICTURES = 32 /* pictures (one time, one detector) in one update, at most */
};

/* A detection of the history, and the state after it. */
typedef struct brio_past_detection {
  double time; /* s */
  brio_pose seen;
  bool oriented;
  float confidence;
  brio_pose pose;     /* smoothed */
  brio_vec3 velocity; /* m/s */
} brio_past_detection;

/* A slot for a persistent detection. */
typedef struct brio_persistent {
  brio_object object; /* number 0: not confirmed yet */
  bool used;
  int serial;                            /* unique in the run, from 1, in the order of beginning */
  uint64_t hash;                         /* of the object's kind */
  int group;                             /* of the classes it may be confused with; -1: none */
  float likelihood[BRIO_SCENE_CONFUSED]; /* of each member, log; the likeliest has 0 */
  brio_scene_settings settings;          /* settings at its beginning */
  double heard;                          /* s of the run when it last got a detection */
  int match;                             /* slot of its detection in this picture; -1: none */
  int first, count;        /* of the ring `history`, oldest first */
  brio_past_detection *history;  /* BRIO_PERSISTENT_HISTORY: separate, for locality of the other fields */
} brio_persistent;

/* The expected state of a persistent detection at the time of a picture. */
typedef struct brio_persistent_place {
  brio_vec3 at;
  double gate, scale;      /* m; 1 / gate^2 */
  uint64_t hash;           /* of its kind */
  brio_persistent *who;
} brio_persistent_place;

typedef struct brio_persistents {
  brio_scene_classes classes;
  int most; /* slots */
  brio_persistent *slots;
  brio_past_detection *histories; /* most x BRIO_PERSISTENT_HISTORY */
  int top;     /* slots used so far; the rest never was */
  bool full;   /* the last search in this update found no free slot */
  int serials; /* given so far */
  double time; /* of the newest update, s */
  brio_scene_refusals refusals;
  bool said;                     /* an error of this update was kept */
  brio_detection *taken;         /* BRIO_PERSISTENT_TAKEN, in order, with their times */
  int *order, *scratch;          /* most or BRIO_PERSISTENT_TAKEN each, the larger */
  double *keys;                  /* as many */
  brio_persistent_place *places; /* most, by x */
  brio_assignment *assignment;
} brio_persistents;

/* Allocate and free memory.  Errors: no_memory. */
bool brio_persistents_start(brio_persistents *all, int most, brio_error *err);
void brio_persistents_end(brio_persistents *all);

/* Assign every detection to a track, creating new ones, and update the tracks.  `all->time` is now. */
void brio_persistents_take(brio_persistents *all, const brio_detection *detections, int count);

/* Update the groups of classes after a change; class evidence is cleared where its group changed. */
void brio_persistents_regroup(brio_persistents *all);

/* Return whether its detections are frequent and certain enough for confirmation, or absent for too long. */
bool brio_persistent_is_sure(const brio_persistents *all, const brio_persistent *one);
bool brio_persistent_is_gone(const brio_persistents *all, const brio_persistent *one);

/* Start a track with its first detection, and update it with another one.  (persistent_follow.c) */
void brio_persistent_begin(brio_persistent *one, const brio_detection *d);
void brio_persistent_follow(brio_persistent *one, const brio_detection *d);

/* The expected position at `time`, and the radius in which a detection may be. */
brio_vec3 brio_persistent_expected(const brio_persistent *one, double time, double *gate);

/* The history before `now`: return the number of detections, and write their rate, Hz, and mean confidence.
** The newest always counts. */
int brio_persistent_recall(const brio_persistent *one, double now, double *frequency, double *confidence);

/* Update the class evidence: the class, with its confidence.  (persistent_class.c) */
void brio_persistent_class_begin(const brio_scene_classes *classes, brio_persistent *one);
void brio_persistent_class_learn(const brio_scene_classes *classes, brio_persistent *one,
                                 const brio_detection *d);

/* Return how unlikely another class is (NULL: one that it is never confused with), 0 to 1; 2: impossible. */
double brio_persistent_class_cost(const brio_persistent *one, const brio_scene_class *seen);

#endif
