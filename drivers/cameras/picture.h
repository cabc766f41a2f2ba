/* A gray picture, and the formats that one is decoded from. */
#ifndef BRIO_CAMERAS_PICTURE_H
#define BRIO_CAMERAS_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
  BRIO_PICTURE_MAX_SIDE = 16384, /* px */
  BRIO_PICTURE_MAX_PIXELS = 1 << 26,
  BRIO_PICTURE_MAX_BYTES = 1 << 28 /* of a file */
};

typedef struct brio_picture {
  int width, height; /* px */
  uint8_t *gray;     /* width x height, row by row from the upper left */
  size_t room;       /* bytes allocated */
  double time;    /* s: when it was taken, by this machine's monotonic clock, or since a film's beginning */
  int64_t number; /* counts from 0; rises by 1 with each */
} brio_picture;

/* A format of encoded pictures. */
typedef struct brio_picture_format {
  const char *name;
  bool (*is)(const uint8_t *bytes, size_t length);
  /* Decode to gray.  Errors: format, limit, no_memory. */
  bool (*decode)(const uint8_t *bytes, size_t length, brio_picture *picture, brio_error *err);
} brio_picture_format;

extern const brio_picture_format *const brio_picture_formats[]; /* ends at NULL */

/* Set the size, and allocate.  Errors: limit, no_memory. */
bool brio_picture_resize(brio_picture *picture, int width, int height, brio_error *err);

/* Decode by the format that the bytes begin as.  Errors: format (none of them, or invalid), limit, no_memory.
 */
bool brio_picture_decode(brio_picture *picture, const uint8_t *bytes, size_t length, brio_error *err);

/* Read a file.  Errors: as above, no_file, io. */
bool brio_picture_read(brio_picture *picture, const char *path, brio_error *err);

/* Free the memory. */
void brio_picture_end(brio_picture *picture);

#endif
