/* Tracking settings by class of thing, and the groups of classes that a detector confuses.  A table of fixed
** size, so that a behavior may change it within a tick. */
#ifndef BRIO_SCENE_SETTINGS_H
#define BRIO_SCENE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "math/detection.h"

enum {
  BRIO_SCENE_CLASSES = 64, /* classes with settings of their own or in a group */
  BRIO_SCENE_CONFUSED = 8  /* classes of a group, at most */
};

/* Tracking settings of a class. */
typedef struct brio_scene_settings {
  double alpha;      /* weight of a new detection in the pose, above 0 to 1; NAN: as `smoothing` sets it */
  double smoothing;  /* s: time constant of position and velocity; negative: none */
  double acceptance; /* mean confidence for confirmation and for stability, 0 to 1 */
  double begins_at;  /* confidence that a detection must have to begin a track, 0 to 1 */
  double stability;  /* Hz: above this rate a track is stable */
  double history;    /* s: length of the history, and the largest delay of a detection */
  double radius;     /* m: radius around the expected position in which a detection is accepted */
  double speed;      /* m/s: growth of the radius while the motion is unknown */
  double lost_after; /* s without detection before it is lost */
  int appear_after;  /* detections before confirmation */
  bool moves;        /* false: it is static, and expected at its last position */
} brio_scene_settings;

typedef struct brio_scene_class {
  char kind[BRIO_DETECTION_KIND];
  uint64_t hash;
  bool own; /* it has settings of its own */
  brio_scene_settings settings;
  int group, member; /* its group of confused classes, and the index there; group -1: none */
} brio_scene_class;

typedef struct brio_scene_classes {
  brio_scene_settings normal; /* of every class without settings of its own */
  brio_scene_class rows[BRIO_SCENE_CLASSES];
  int count;
  int groups; /* the newest group's number */
} brio_scene_classes;

/* Return the defaults. */
brio_scene_settings brio_scene_settings_normal(void);

/* Return false and name the number that is out of range (misuse). */
bool brio_scene_settings_check(const brio_scene_settings *settings, brio_error *err);

/* Return the digest that is the key of a kind. */
uint64_t brio_scene_kind_hash(const char *kind);

/* Return the row of a kind, or NULL. */
const brio_scene_class *brio_scene_class_of(const brio_scene_classes *classes, const char *kind,
                                            uint64_t hash);

/* Return the member of a group, or NULL. */
const brio_scene_class *brio_scene_class_member(const brio_scene_classes *classes, int group, int member);

/* Return the settings of a kind (NULL: of all without their own). */
brio_scene_settings brio_scene_classes_settings(const brio_scene_classes *classes, const char *kind);

/* Set them (kind NULL: of all classes without their own).  Errors: misuse, limit. */
bool brio_scene_classes_configure(brio_scene_classes *classes, const char *kind,
                                  const brio_scene_settings *settings, brio_error *err);

/* Declare that detectors may confuse class `kind` with any of `others`; replaces its earlier ones.  The
** relation is symmetric and transitive.  None: it is never confused.  Errors: misuse, limit (then nothing
** changes). */
bool brio_scene_classes_confuse(brio_scene_classes *classes, const char *kind, const char *const *others,
                                int count, brio_error *err);

#endif
