/* The newest picture of a camera for people who look at it, as a small gray JPEG file: written while somebody
** asks for it by touching a file beside it, a few times a second. */
#ifndef BRIO_CAMERAS_LOOK_H
#define BRIO_CAMERAS_LOOK_H

#include "drivers/cameras/picture.h"
#include "drivers/cameras/settings.h"

#define BRIO_LOOK_EVERY 0.2  /* s between two pictures */
#define BRIO_LOOK_WANTED 3.0 /* s for which a touch of the file counts */
enum { BRIO_LOOK_SIDE = 320 /* px: the longer side at most */ };

/* All zeros: nobody can look. */
typedef struct brio_camera_look {
  char path[BRIO_CAMERA_TEXT];       /* of the picture; "": nobody can look */
  char wanted[BRIO_CAMERA_TEXT + 8]; /* the file that is touched: PATH.wanted */
  char begun[BRIO_CAMERA_TEXT + 8];  /* the picture until it is complete: PATH.begun */
  double next;                       /* s, monotonic: not before */
  brio_picture small;
} brio_camera_look;

/* Begin: make the folder of `path`, for this user alone.  Errors: no_file (the folder belongs to somebody
** else, others may use it, or it cannot be made), misuse (no absolute path of a file in a folder). */
bool brio_camera_look_open(brio_camera_look *look, const char *path, brio_error *err);

/* Write a picture that came at time `now` (s, monotonic), if somebody wants it and one is due.  Return false:
** it cannot be written.  Errors: io, no_memory. */
bool brio_camera_look_show(brio_camera_look *look, const brio_picture *picture, double now,
                           brio_error *err);

/* Make `small` of a picture: its sides divided by the whole number with which they fit, each pixel the mean
** of what falls into it.  Errors: no_memory. */
bool brio_camera_look_shrink(const brio_picture *picture, brio_picture *small, brio_error *err);

/* Remove the files, and the folder if it is empty then. */
void brio_camera_look_end(brio_camera_look *look);

#endif
