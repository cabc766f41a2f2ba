/* Detects faults of an open camera: pictures that are frozen, black or of another size, or none at all. */
#ifndef BRIO_CAMERAS_WATCH_H
#define BRIO_CAMERAS_WATCH_H

#include "drivers/cameras/picture.h"
#include "drivers/cameras/settings.h"

enum { BRIO_CAMERA_WATCH_WORDS = 200 /* bytes of a fault's sentence */ };

/* What is known of the pictures so far; times are monotonic, s. */
typedef struct brio_camera_watch {
  brio_picture before;                 /* the last picture that differed from the one before it */
  double changed;                      /* s: when it came */
  double bright;                       /* s: when the last picture came that was not black */
  double heard;                        /* s: when the last picture came */
  char words[BRIO_CAMERA_WATCH_WORDS]; /* sentence of the present fault; "": none */
} brio_camera_watch;

/* Start at time `now`, s.  Does not free the picture of an earlier use: call brio_camera_watch_end first. */
void brio_camera_watch_start(brio_camera_watch *watch, double now);

/* Check a picture that came at time `now`, s.  Return the fault's sentence, valid until the next call, or
** NULL: the picture is good. */
const char *brio_camera_watch_picture(brio_camera_watch *watch, const brio_camera_settings *settings,
                                      const brio_picture *picture, double now);

/* Check the time since the last picture, at time `now`, s.  Return the fault's sentence, or NULL. */
const char *brio_camera_watch_silence(brio_camera_watch *watch, const brio_camera_settings *settings,
                                      double now);

/* Free the memory. */
void brio_camera_watch_end(brio_camera_watch *watch);

#endif
