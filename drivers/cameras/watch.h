/* Faults of a camera that still gives pictures, or gives none: frozen, black, of another size, silent. */
#ifndef BRIO_CAMERAS_WATCH_H
#define BRIO_CAMERAS_WATCH_H

#include "drivers/cameras/picture.h"
#include "drivers/cameras/settings.h"

enum { BRIO_CAMERA_WATCH_WORDS = 200 };

typedef struct brio_camera_watch {
  brio_picture before;                 /* the last picture that was a new one */
  double changed;                      /* s: when it came */
  double bright;                       /* s: when a picture was bright last */
  double heard;                        /* s: when any picture came */
  char words[BRIO_CAMERA_WATCH_WORDS]; /* of the present fault; "": none */
} brio_camera_watch;

/* Begin at `now`, s. */
void brio_camera_watch_start(brio_camera_watch *watch, double now);

/* Judge a new picture that came at `now`.  Return the fault, or NULL: it is good. */
const char *brio_camera_watch_picture(brio_camera_watch *watch, const brio_camera_settings *settings,
                                      const brio_picture *picture, double now);

/* Judge the silence since the last picture.  Return the fault, or NULL. */
const char *brio_camera_watch_silence(brio_camera_watch *watch, const brio_camera_settings *settings,
                                      double now);

/* Free the memory. */
void brio_camera_watch_end(brio_camera_watch *watch);

#endif
