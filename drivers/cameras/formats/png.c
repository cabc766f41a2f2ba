/* PNG, by libpng's simplified interface. */
#include <stdio.h>
#include <string.h>

#include <png.h>

#include "drivers/cameras/picture.h"

/* The signature of 8 bytes. */
static bool is(const uint8_t *bytes, size_t length) {
  return length > 8 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0;
}

/* Fail with libpng's message.  There is no error code: a failed allocation shows only in its words. */
static bool fail_with(const png_image *image, brio_error *err) {
  bool memory = strstr(image->message, "memory");
  return brio_fail(err, memory ? BRIO_NO_MEMORY : BRIO_FORMAT, "%s: %s",
                   memory ? "no memory for a PNG" : "no valid PNG", image->message);
}

/* Decode to gray; transparent pixels are composed onto white, the color of paper around tags. */
static bool decode(const uint8_t *bytes, size_t length, brio_picture *picture, brio_error *err) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, bytes, length)) return fail_with(&image, err);
  image.format = PNG_FORMAT_GRAY;
  png_color white = {255, 255, 255};
  /* The size is checked before libpng allocates for it. */
  bool good = image.width <= BRIO_PICTURE_MAX_SIDE && image.height <= BRIO_PICTURE_MAX_SIDE
                  ? brio_picture_resize(picture, (int)image.width, (int)image.height, err)
                  : brio_fail(err, BRIO_LIMIT, "a PNG of %u x %u px is too large", (unsigned)image.width,
                              (unsigned)image.height);
  if (good && !png_image_finish_read(&image, &white, picture->gray, picture->width, NULL))
    good = fail_with(&image, err);
  png_image_free(&image);
  return good;
}

const brio_picture_format brio_picture_format_png = {"png", is, decode};
