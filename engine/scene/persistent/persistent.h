/* Persistent detections: what many detections became.  The scene's memory; for the scene's own
** files. */
#ifndef BRIO_SCENE_PERSISTENT_PERSISTENT_H
#define BRIO_SCENE_PERSISTENT_PERSISTENT_H

#include "scene/assignment.h"
#include "scene/scene.h"
#include "scene/settings.h"

enum {
  BRIO_PERSISTENT_HISTORY = 64, /* detections remembered of each */
  BRIO_PERSISTENT_TAKEN = 1024, /* detections taken in one update, at most */
  BRIO_PERSISTENT_PICTURES = 32 /* pictures (one time, one detector) in one update, at most */
};

/* A detection remembered, and what was thought of the thing after it. */
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
  brio_object object; /* number 0: not believed yet */
  bool used;
  int serial;                            /* unique in the run, from 1, in the order of beginning */
  uint64_t hash;                         /* of the object's kind */
  int group;                             /* of the classes it may be taken for; -1: none */
  float likelihood[BRIO_SCENE_CONFUSED]; /* of each member, log, the likeliest 0 */
  brio_scene_settings settings;          /* as they were when it began */
  double heard;                          /* s of the run when it last took a detection */
  int match;                             /* place of the one it took of this picture; -1: none */
  int first, count;        /* of the ring `history`, oldest first */
  brio_past_detection *history;  /* BRIO_PERSISTENT_HISTORY: apart, so that what is asked often is together */
} brio_persistent;

/* Where a persistent detection is expected when a picture was taken. */
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
  int top;     /* slots used so far; those beyond never were */
  bool full;   /* nothing was free when last looked for in this update */
  int serials; /* given so far */
  double time; /* of the newest update, s */
  brio_scene_refusals refusals;
  bool said;                     /* a sentence was kept in this update */
  brio_detection *taken;         /* BRIO_PERSISTENT_TAKEN, in order, with their times */
  int *order, *scratch;          /* most or BRIO_PERSISTENT_TAKEN each, the larger */
  double *keys;                  /* as many */
  brio_persistent_place *places; /* most, by x */
  brio_assignment *assignment;
} brio_persistents;

/* Take and give back memory.  Errors: no_memory. */
bool brio_persistents_start(brio_persistents *all, int most, brio_error *err);
void brio_persistents_end(brio_persistents *all);

/* Give every detection to somebody, making new ones, and move what was seen.  `all->time` is now. */
void brio_persistents_take(brio_persistents *all, const brio_detection *detections, int count);

/* Learn to which groups the classes belong, after they were changed; what was learned of classes is
** forgotten where its group changed. */
void brio_persistents_regroup(brio_persistents *all);

/* Tell whether it was seen often and surely enough to be believed, or not for too long. */
bool brio_persistent_is_sure(const brio_persistents *all, const brio_persistent *one);
bool brio_persistent_is_gone(const brio_persistents *all, const brio_persistent *one);

/* Begin with its first detection, and take one more.  (persistent_follow.c) */
void brio_persistent_begin(brio_persistent *one, const brio_detection *d);
void brio_persistent_follow(brio_persistent *one, const brio_detection *d);

/* Where it should have been at `time`, and how far from there it may be seen. */
brio_vec3 brio_persistent_expected(const brio_persistent *one, double time, double *gate);

/* What is remembered of the time before `now`: return how many detections within its history, and
** write how often it was seen, Hz, and the mean confidence.  The newest always counts. */
int brio_persistent_recall(const brio_persistent *one, double now, double *frequency, double *confidence);

/* Learn of which class it was seen, with what confidence.  (persistent_class.c) */
void brio_persistent_class_begin(const brio_scene_classes *classes, brio_persistent *one);
void brio_persistent_class_learn(const brio_scene_classes *classes, brio_persistent *one,
                                 const brio_detection *d);

/* How unlikely it is that it is seen as another class (NULL: one that nothing is taken for), 0 to 1;
** 2: impossible. */
double brio_persistent_class_cost(const brio_persistent *one, const brio_scene_class *seen);

#endif
