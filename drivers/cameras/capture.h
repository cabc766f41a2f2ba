/* Sources of pictures: a device, or a folder or a film that stands for one. */
#ifndef BRIO_CAMERAS_CAPTURE_H
#define BRIO_CAMERAS_CAPTURE_H

#include "drivers/cameras/picture.h"
#include "drivers/cameras/settings.h"

typedef enum brio_capture_result {
  BRIO_CAPTURE_PICTURE, /* a new one */
  BRIO_CAPTURE_NOTHING, /* none within some milliseconds */
  BRIO_CAPTURE_BAD,     /* one that cannot be decoded: the next may be good */
  BRIO_CAPTURE_END,     /* a folder or film is over */
  BRIO_CAPTURE_FAILED   /* the source is gone: close it */
} brio_capture_result;

typedef struct brio_capture brio_capture;

/* A kind of source. */
typedef struct brio_capture_source {
  const char *name; /* the part before the colon */
  bool device;      /* it has a pace and a clock of its own; others have the pictures of a recording */
  bool (*open)(brio_capture *capture, const char *rest, brio_error *err);
  brio_capture_result (*next)(brio_capture *capture, brio_picture *picture, brio_error *err);
  void (*close)(brio_capture *capture);
} brio_capture_source;

extern const brio_capture_source *const brio_capture_sources[]; /* ends at NULL */

struct brio_capture {
  const brio_capture_source *source; /* NULL: closed */
  const brio_camera_settings *settings;
  void *link;     /* the source's */
  bool paced;     /* recordings come at their rate; else at once, with times from 0 */
  double period;  /* s between pictures of a recording; a film sets it */
  double due;     /* s: when the next picture of a recording counts */
  int64_t number; /* of the next picture */
};

/* Open the source of the settings.  Errors: misuse (no such kind), no_file, device, format, no_memory. */
bool brio_capture_open(brio_capture *capture, const brio_camera_settings *settings, bool paced,
                       brio_error *err);

/* Get the next picture; waits some milliseconds at most.  `err` is set by BAD and FAILED. */
brio_capture_result brio_capture_next(brio_capture *capture, brio_picture *picture, brio_error *err);

/* The same, but wait for the picture; of a device that gives none for 5 s: FAILED.  For sources that are not
** paced. */
brio_capture_result brio_capture_wait(brio_capture *capture, brio_picture *picture, brio_error *err);

/* Close it; a closed one is allowed. */
void brio_capture_close(brio_capture *capture);

#endif
