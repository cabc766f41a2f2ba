/* A gray picture, and the file formats that can be decoded to one. */
#ifndef BRIO_CAMERAS_PICTURE_H
#define BRIO_CAMERAS_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

enum {
  BRIO_PICTURE_MAX_SIDE = 16384, /* px */
  BRIO_PICTURE_MAX_PIXELS = 1 << 26, /* width x height */
  BRIO_PICTURE_MAX_BYTES = 1 << 28 /* of a file */
};

/* A picture; all zeros: an empty one, without memory. */
typedef struct brio_picture {
  int width, height; /* px */
  uint8_t *gray;     /* height x width, row by row from the upper left; 0: black, 255: white */
  size_t room;       /* bytes allocated */
  double time;    /* s: when it was taken, on this machine's monotonic clock, or since a film's beginning */
  int64_t number; /* of the picture in its source, from 0 */
} brio_picture;

/* A format of encoded pictures: a row of formats.def. */
typedef struct brio_picture_format {
  const char *name;
  /* Return whether the bytes begin as this format does. */
  bool (*is)(const uint8_t *bytes, size_t length);
  /* Decode to gray; sets size and pixels, not time and number.  Errors: format, limit, no_memory. */
  bool (*decode)(const uint8_t *bytes, size_t length, brio_picture *picture, brio_error *err);
} brio_picture_format;

extern const brio_picture_format *const brio_picture_formats[]; /* ends at NULL */

/* Set the size, and allocate if the memory is too small; the pixels are undefined afterwards.  Errors: limit,
** no_memory. */
bool brio_picture_resize(brio_picture *picture, int width, int height, brio_error *err);

/* Decode a picture of any format.  Errors: format (unknown or invalid), limit, no_memory. */
bool brio_picture_decode(brio_picture *picture, const uint8_t *bytes, size_t length, brio_error *err);

/* Read and decode a file.  Errors: as above, no_file, io. */
bool brio_picture_read(brio_picture *picture, const char *path, brio_error *err);

/* Write a picture into an open file as gray JPEG of medium quality.  False: disk or memory are full. */
bool brio_picture_write_jpeg(const brio_picture *picture, FILE *file);

/* Free the memory; the picture is empty then. */
void brio_picture_end(brio_picture *picture);

#endif
