/* Sources of pictures: a camera device, or a recording (a folder of pictures or a film) in its place. */
#ifndef BRIO_CAMERAS_CAPTURE_H
#define BRIO_CAMERAS_CAPTURE_H

#include "drivers/cameras/picture.h"
#include "drivers/cameras/settings.h"

typedef enum brio_capture_result {
  BRIO_CAPTURE_PICTURE, /* a new picture */
  BRIO_CAPTURE_NOTHING, /* no picture within some milliseconds: try again */
  BRIO_CAPTURE_BAD,     /* a picture that cannot be decoded; the next one may be good */
  BRIO_CAPTURE_END,     /* the folder or film has ended */
  BRIO_CAPTURE_FAILED   /* the source is gone: close it */
} brio_capture_result;

typedef struct brio_capture brio_capture;

/* A kind of source: a row of sources.def. */
typedef struct brio_capture_source {
  const char *name; /* the part of `from` before the colon */
  bool device;      /* true: sets rate and time of its pictures itself; false: a recording */
  /* Open what follows the colon.  A failure may leave `link` set: the caller closes it. */
  bool (*open)(brio_capture *capture, const char *rest, brio_error *err);
  /* Get the next picture, without `number` and, of a recording, without `time`. */
  brio_capture_result (*next)(brio_capture *capture, brio_picture *picture, brio_error *err);
  /* Free `link`; called only if it is not NULL. */
  void (*close)(brio_capture *capture);
} brio_capture_source;

extern const brio_capture_source *const brio_capture_sources[]; /* ends at NULL */

struct brio_capture {
  const brio_capture_source *source; /* NULL: closed */
  const brio_camera_settings *settings; /* must outlive the capture */
  void *link;                           /* private data of the source */
  bool paced;     /* recordings are delivered at their rate; else as fast as possible, with times from 0 */
  double period;  /* s between pictures of a recording: 1 / rate, or what the film says */
  double due;     /* s: time of a recording's next picture; monotonic if paced, else since the beginning */
  int64_t number; /* of the next picture, from 0 */
};

/* Open the source `from` of the settings.  On failure the capture is closed.  Errors: misuse (unknown kind of
** source), no_file, device, format, no_memory. */
bool brio_capture_open(brio_capture *capture, const brio_camera_settings *settings, bool paced,
                       brio_error *err);

/* Get the next picture; waits some milliseconds at most.  `err` is set by BAD and FAILED. */
brio_capture_result brio_capture_next(brio_capture *capture, brio_picture *picture, brio_error *err);

/* Get the next picture as above, but wait for it; FAILED if a device gives none for 5 s.  Never returns
** NOTHING.  Only for a capture that was opened with `paced` false. */
brio_capture_result brio_capture_wait(brio_capture *capture, brio_picture *picture, brio_error *err);

/* Close the source.  May be called again, and for a capture that is all zeros. */
void brio_capture_close(brio_capture *capture);

#endif
