/* Settings of a camera and of what is found in its pictures: words NAME=VALUE on the command line of
** brio_camera.  Each has a row with its range in settings.c. */
#ifndef BRIO_CAMERAS_SETTINGS_H
#define BRIO_CAMERAS_SETTINGS_H

#include <stdbool.h>

#include "base/error.h"
#include "scene/camera.h"

enum {
  BRIO_CAMERA_TEXT = 512, /* bytes of a text with its 0 */
  BRIO_CAMERA_TAGS = 256  /* tags with a size or a name of their own */
};

/* A tag that differs from the others. */
typedef struct brio_camera_tag {
  int id;
  double size;   /* m; 0: as the others */
  char name[24]; /* class of its detections; "": as the others */
} brio_camera_tag;

typedef struct brio_camera_settings {
  char from[BRIO_CAMERA_TEXT];            /* v4l2:PATH, folder:PATH, film:FILE */
  char format[16];                        /* of a device: mjpeg, yuyv, grey; "": its best */
  char family[32];                        /* of tags, "tag36h11" */
  char cascade[BRIO_CAMERA_TEXT];         /* file of the face cascade; "": OpenCV's */
  double width, height;                   /* px; 0: as the device has them */
  double rate;                            /* pictures a second */
  double again;                           /* 1: a folder or film repeats */
  double fx, fy, cx, cy, cwidth, cheight; /* intrinsics and the size they are for, px; fx 0: unknown */
  double fisheye, k[6], p[2];             /* its distortion */
  double fov;                             /* degrees across, where fx is unknown */
  double tags, faces, people;             /* 1: they are found */
  double size;                            /* m: of tags, between the corners */
  double decimate, blur, sharpening, refine, hamming, margin; /* of libapriltag */
  double face, person;                                        /* m: heights of their boxes */
  double every;                                               /* faces and people in every n-th picture */
  double frozen, black, gap;                                  /* s, gray level, s: faults; 0: not watched */
  double columns, rows, spacing,
      first;                 /* of a board of tags: their number, m between them, the first one's id */
  double radial, tangential; /* coefficients that a calibration estimates */
  double details;            /* 1: corners and second poses are written, too */
  int ntags;
  brio_camera_tag known[BRIO_CAMERA_TAGS];
} brio_camera_settings;

/* The defaults. */
void brio_camera_settings_start(brio_camera_settings *settings);

/* Read one word NAME=VALUE.  Errors: misuse, with the name and what was expected. */
bool brio_camera_settings_read(brio_camera_settings *settings, const char *word, brio_error *err);

/* The camera model for pictures of that size, in the optical frame.  False: the given intrinsics are for
** another shape of picture.  Errors: format. */
bool brio_camera_settings_model(const brio_camera_settings *settings, int width, int height, brio_camera *out,
                                brio_error *err);

/* The row of a tag, or NULL. */
const brio_camera_tag *brio_camera_settings_tag(const brio_camera_settings *settings, int id);

#endif
