/* What finds things in pictures: tags, faces, people. */
#ifndef BRIO_CAMERAS_FINDER_H
#define BRIO_CAMERAS_FINDER_H

#include "drivers/cameras/picture.h"
#include "drivers/cameras/settings.h"
#include "math/detection.h"

enum { BRIO_FINDINGS = 256 /* things in a picture, at most */ };

/* Something that was found. */
typedef struct brio_finding {
  char kind[BRIO_DETECTION_KIND];
  char id[BRIO_DETECTION_ID]; /* "": unknown */
  double confidence;          /* 0 to 1 */
  bool oriented;              /* the orientation is known */
  brio_pose pose;        /* in the camera's frame, x forward, y left, z up; of a tag: x out of its face, z
                         ** up */
  bool measured;         /* `covariance` is known */
  double covariance[36]; /* 6 x 6: position (m), then rotation vector in the camera's frame (rad) */
  brio_vec3 size;        /* m; 0: unknown */
  brio_picture_box box;  /* px */
  int corners;           /* of `corner`: 4 or 0 */
  double corner[4][2];   /* px: lower left, lower right, upper right, upper left as printed */
  bool mirrored;         /* there is a second pose */
  brio_quat other;       /* its orientation */
  double ratio;          /* by how much its squared errors are greater, in variances of a corner */
} brio_finding;

typedef struct brio_finder brio_finder;

typedef struct brio_finder_kind {
  const char *name;
  /* Whether the settings ask for it. */
  bool (*wanted)(const brio_camera_settings *settings);
  bool (*open)(brio_finder *finder, brio_error *err);
  /* Write what is in the picture; returns its number. */
  int (*find)(brio_finder *finder, const brio_picture *picture, const brio_camera *camera, brio_finding *out);
  void (*close)(brio_finder *finder);
} brio_finder_kind;

extern const brio_finder_kind *const brio_finder_kinds[]; /* ends at NULL */

struct brio_finder {
  const brio_finder_kind *kind;
  const brio_camera_settings *settings;
  void *link;   /* the kind's */
  bool enabled; /* it may be switched off by a request */
};

enum { BRIO_FINDERS = 8 };

/* All finders of the settings. */
typedef struct brio_finders {
  int count;
  brio_finder finders[BRIO_FINDERS];
} brio_finders;

/* Open those that the settings want.  Errors: misuse, no_file, device. */
bool brio_finders_open(brio_finders *finders, const brio_camera_settings *settings, brio_error *err);

/* Close them. */
void brio_finders_close(brio_finders *finders);

/* The same point or direction with x forward, y left, z up, of one with x right, y down, z forward. */
brio_vec3 brio_finder_body(brio_vec3 optical);

#endif
