/* How each class of thing is tracked: settings by class, and which classes a detector takes for
** one another.  A table of fixed size, so that a behavior may change it within a tick. */
#ifndef BRIO_SCENE_SETTINGS_H
#define BRIO_SCENE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "math/detection.h"

enum {
  BRIO_SCENE_CLASSES = 64, /* classes with settings of their own or taken for others */
  BRIO_SCENE_CONFUSED = 8  /* classes that are taken for one another, at most */
};

/* How the things of one class are tracked. */
typedef struct brio_scene_settings {
  double alpha;      /* share of a new detection in the pose, above 0 to 1; NAN: as `smoothing` says */
  double smoothing;  /* s: time constant of position and velocity; negative: none */
  double acceptance; /* mean confidence from which it is believed and may be stable, 0 to 1 */
  double begins_at;  /* confidence that a detection must have to begin a track, 0 to 1 */
  double stability;  /* Hz: what is seen more often is stable */
  double history;    /* s: detections remembered, and how late one may come */
  double radius;     /* m: how far from where it is expected it may be seen */
  double speed;      /* m/s: widens the radius while its motion is not known */
  double lost_after; /* s without detection before it is lost */
  int appear_after;  /* detections before it is believed */
  bool moves;        /* false: it stands still, and is expected where it was */
} brio_scene_settings;

typedef struct brio_scene_class {
  char kind[BRIO_DETECTION_KIND];
  uint64_t hash;
  bool own; /* it has settings of its own */
  brio_scene_settings settings;
  int group, member; /* those taken for one another, and which of them; group -1: for none */
} brio_scene_class;

typedef struct brio_scene_classes {
  brio_scene_settings normal; /* of every class without settings of its own */
  brio_scene_class rows[BRIO_SCENE_CLASSES];
  int count;
} brio_scene_classes;

/* Return the defaults. */
brio_scene_settings brio_scene_settings_normal(void);

/* Return false, saying which number is out of range (misuse). */
bool brio_scene_settings_check(const brio_scene_settings *settings, brio_error *err);

/* Return the digest by which a kind is looked up. */
uint64_t brio_scene_kind_hash(const char *kind);

/* Return the row of a kind, or NULL. */
const brio_scene_class *brio_scene_class_of(const brio_scene_classes *classes, const char *kind,
                                            uint64_t hash);

/* Return the member of a group, or NULL. */
const brio_scene_class *brio_scene_class_member(const brio_scene_classes *classes, int group, int member);

/* Return the settings that hold for a kind (NULL: for those without their own). */
brio_scene_settings brio_scene_classes_settings(const brio_scene_classes *classes, const char *kind);

/* Set them (kind NULL: of all classes without their own).  Errors: misuse, limit. */
bool brio_scene_classes_configure(brio_scene_classes *classes, const char *kind,
                                  const brio_scene_settings *settings, brio_error *err);

/* Say that a thing of class `kind` may be reported as any of `others` and the other way round; they
** replace what was said of it before, and what is taken for one of them is of the same group.
** None: it is taken for nothing else.  Errors: misuse, limit (then nothing changes). */
bool brio_scene_classes_confuse(brio_scene_classes *classes, const char *kind, const char *const *others,
                                int count, brio_error *err);

#endif
