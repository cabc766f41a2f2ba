/* Finders detect things in pictures: tags, faces, people.  Each kind is a row of finders.def. */
#ifndef BRIO_CAMERAS_FINDER_H
#define BRIO_CAMERAS_FINDER_H

#include "drivers/cameras/picture.h"
#include "drivers/cameras/settings.h"
#include "math/detection.h"

enum { BRIO_FINDINGS = 256 /* most detections in one picture */ };

/* A detection in one picture. */
typedef struct brio_finding {
  char kind[BRIO_DETECTION_KIND];
  char id[BRIO_DETECTION_ID]; /* "": unknown */
  double confidence;          /* 0 to 1 */
  bool oriented;              /* the orientation of `pose` is known; else only its position */
  brio_pose pose;        /* in the camera's frame (x forward, y left, z up), m; a tag's own axes: x out of
                         ** its face, z up */
  bool measured;         /* `covariance` is known */
  double covariance[36]; /* 6 x 6: position (m), then rotation vector in the camera's frame (rad) */
  brio_vec3 size;        /* m, along x, y, z of its own axes; 0: unknown */
  brio_picture_box box;  /* px */
  int corners;           /* how many of `corner` are known: 4 or 0 */
  double corner[4][2];   /* px, x and y: lower left, lower right, upper right, upper left as printed */
  bool mirrored;         /* a second pose explains the corners nearly as well (vision/plane_pose.h) */
  brio_quat other;       /* if mirrored: orientation of that pose */
  double ratio;          /* if mirrored: its sum of squared errors less that of the best, / variance */
} brio_finding;

typedef struct brio_finder brio_finder;

/* A kind of finder. */
typedef struct brio_finder_kind {
  const char *name; /* the model's name in messages and requests */
  /* Return whether the settings ask for it. */
  bool (*wanted)(const brio_camera_settings *settings);
  /* Set `link`.  A finder that failed to open is not closed. */
  bool (*open)(brio_finder *finder, brio_error *err);
  /* Write the detections in a picture (room for BRIO_FINDINGS); `camera` is in the optical frame.  Return how
  ** many, or -1: the picture was skipped, or the library failed. */
  int (*find)(brio_finder *finder, const brio_picture *picture, const brio_camera *camera, brio_finding *out);
  /* Free `link`. */
  void (*close)(brio_finder *finder);
} brio_finder_kind;

extern const brio_finder_kind *const brio_finder_kinds[]; /* ends at NULL */

struct brio_finder {
  const brio_finder_kind *kind;
  const brio_camera_settings *settings; /* must outlive the finder */
  void *link;                           /* private data of the kind */
  bool enabled;                         /* a request may switch it off */
};

enum { BRIO_FINDERS = 8 /* at least the rows of finders.def */ };

/* All open finders. */
typedef struct brio_finders {
  int count;
  brio_finder finders[BRIO_FINDERS];
} brio_finders;

/* Open the finders that the settings ask for; if one fails, all are closed.  Errors: misuse (unknown family
** of tags), no_file (cascade), device (no OpenCV), no_memory. */
bool brio_finders_open(brio_finders *finders, const brio_camera_settings *settings, brio_error *err);

/* Close all finders; `count` is 0 afterwards. */
void brio_finders_close(brio_finders *finders);

/* Convert a point or direction from the optical frame (x right, y down, z forward) to the camera's frame
** (x forward, y left, z up). */
brio_vec3 brio_finder_body(brio_vec3 optical);

#endif
