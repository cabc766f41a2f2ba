/* Frames of a film: an AVI file whose video is MJPEG.  Pure functions over its bytes; malformed files are
** safe.  Source: Microsoft, "AVI RIFF File Reference"; further RIFF chunks of OpenDML files are read, too. */
#ifndef BRIO_CAMERAS_AVI_H
#define BRIO_CAMERAS_AVI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A position in a film. */
typedef struct brio_avi {
  const uint8_t *bytes; /* the whole file, which must outlive this */
  size_t length, at;    /* bytes of the file; offset of the next chunk */
  double period;        /* s between frames; 0: not given */
  const uint8_t *frame; /* the newest frame; NULL: none yet */
  size_t size;          /* its bytes */
} brio_avi;

/* Read the headers of a whole file.  Errors: format (no AVI file, or its video is not MJPEG). */
bool brio_avi_open(brio_avi *avi, const uint8_t *bytes, size_t length, brio_error *err);

/* Get the next frame, a JPEG picture within the file's bytes; the previous one again where the film repeats
** it.  Return false: the film has ended.  O(chunks between frames). */
bool brio_avi_next(brio_avi *avi, const uint8_t **frame, size_t *length);

#endif
