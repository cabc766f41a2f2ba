/* Settings of a camera and of detection in its pictures: words NAME=VALUE on the command line of brio_camera.
** Each has a row with its range in settings.c. */
#ifndef BRIO_CAMERAS_SETTINGS_H
#define BRIO_CAMERAS_SETTINGS_H

#include <stdbool.h>

#include "base/error.h"
#include "scene/camera.h"

enum {
  BRIO_CAMERA_TEXT = 512, /* bytes of a text with its closing 0 */
  BRIO_CAMERA_TAGS = 256  /* tags with a size or a name of their own */
};

/* A tag with a size or a class of its own. */
typedef struct brio_camera_tag {
  int id;
  double size;   /* m; 0: as the others */
  char name[24]; /* class of its detections; "": "tag", as of the others */
} brio_camera_tag;

/* Numbers are doubles, as the table reads them; flags are 0 or 1. */
typedef struct brio_camera_settings {
  char from[BRIO_CAMERA_TEXT];            /* v4l2:PATH, folder:PATH, film:FILE */
  char format[16];                        /* of a device: yuyv, mjpeg, jpeg, grey; "": the best one */
  char family[32];                        /* of tags, "tag36h11" */
  char cascade[BRIO_CAMERA_TEXT];         /* file of the face cascade; "": OpenCV's */
  char look[BRIO_CAMERA_TEXT];            /* file of the newest picture for people; "": none */
  double width, height;                   /* px, asked of a device; 0: 640 x 480 */
  double rate;                            /* pictures a second */
  double again;                           /* 1: a folder or film repeats */
  double fx, fy, cx, cy, cwidth, cheight; /* intrinsics and the size they are for, px; fx 0: unknown */
  double fisheye, k[6], p[2];             /* its distortion */
  double fov;                             /* degrees across, where fx is unknown */
  double tags, faces, people;             /* 1: they are found */
  double size;                            /* m: of tags, between the corners */
  /* parameters of libapriltag's detector; `margin`: least decision margin of a tag that is reported */
  double decimate, blur, sharpening, refine, hamming, margin;
  double face, person;       /* m: usual height of a face, of a person */
  double every;              /* search every n-th picture for faces and people */
  double frozen, black, gap; /* faults (watch.h): s, gray level, s; frozen and black 0: not watched */
  double columns, rows, spacing,
      first;                 /* of a board of tags: their number, m between them, the first one's id */
  double radial, tangential; /* calibration: number of radial coefficients; 1: two tangential ones, too */
  double details;            /* 1: messages have boxes, corners and second poses, too */
  int ntags;
  brio_camera_tag known[BRIO_CAMERA_TAGS]; /* ntags */
} brio_camera_settings;

/* Set the defaults. */
void brio_camera_settings_start(brio_camera_settings *settings);

/* Read one word NAME=VALUE.  Errors: misuse, with the name and what was expected; of a calibration's file:
** no_file, io, limit, format. */
bool brio_camera_settings_read(brio_camera_settings *settings, const char *word, brio_error *err);

/* Write the camera model for pictures of width x height px, in the optical frame.  Errors: format (the
** intrinsics are for another aspect ratio), those of brio_camera_check. */
bool brio_camera_settings_model(const brio_camera_settings *settings, int width, int height, brio_camera *out,
                                brio_error *err);

/* Return the entry of a tag, or NULL: it is as the others.  O(ntags). */
const brio_camera_tag *brio_camera_settings_tag(const brio_camera_settings *settings, int id);

#endif
