/* Frames of a film: an AVI file whose video is MJPEG.  Pure functions over its bytes, which may be invalid.
** Source: Microsoft, "AVI RIFF File Reference"; OpenDML's further RIFF chunks are read, too. */
#ifndef BRIO_CAMERAS_AVI_H
#define BRIO_CAMERAS_AVI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct brio_avi {
  const uint8_t *bytes;
  size_t length, at; /* `at`: of the next chunk */
  double period;     /* s between frames; 0: not given */
  const uint8_t *frame; /* the newest frame; NULL: none yet */
  size_t size;          /* its bytes */
} brio_avi;

/* Begin with a whole file.  Errors: format (no AVI, or none of MJPEG). */
bool brio_avi_open(brio_avi *avi, const uint8_t *bytes, size_t length, brio_error *err);

/* Get the next frame, a JPEG picture within the file's bytes; where the film repeats a frame, the same again.
** Return false: the end. */
bool brio_avi_next(brio_avi *avi, const uint8_t **frame, size_t *length);

#endif
