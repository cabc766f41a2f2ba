/* Memory of pictures, and decoding by the first format that recognizes the bytes. */
#include "drivers/cameras/picture.h"

#include <stdlib.h>

#include "base/text.h"

#define X(name) extern const brio_picture_format brio_picture_format_##name;
#include "drivers/cameras/formats.def"
#undef X

/* One record for each file in formats/. */
const brio_picture_format *const brio_picture_formats[] = {
#define X(name) &brio_picture_format_##name,
#include "drivers/cameras/formats.def"
#undef X
    NULL};

bool brio_picture_resize(brio_picture *picture, int width, int height, brio_error *err) {
  if (width < 1 || height < 1 || width > BRIO_PICTURE_MAX_SIDE || height > BRIO_PICTURE_MAX_SIDE ||
      (int64_t)width * height > BRIO_PICTURE_MAX_PIXELS)
    return brio_fail(err, BRIO_LIMIT, "a picture of %d x %d px: at most %d px a side, and %d in all", width,
                     height, BRIO_PICTURE_MAX_SIDE, BRIO_PICTURE_MAX_PIXELS);
  size_t need = (size_t)width * (size_t)height;
  /* the memory only grows: pictures of the same size allocate once */
  if (need > picture->room) {
    uint8_t *larger = realloc(picture->gray, need);
    if (!larger)
      return brio_fail(err, BRIO_NO_MEMORY, "no memory for a picture of %d x %d px", width, height);
    picture->gray = larger, picture->room = need;
  }
  picture->width = width, picture->height = height;
  return true;
}

bool brio_picture_decode(brio_picture *picture, const uint8_t *bytes, size_t length, brio_error *err) {
  for (int i = 0; brio_picture_formats[i]; i++)
    if (brio_picture_formats[i]->is(bytes, length))
      return brio_picture_formats[i]->decode(bytes, length, picture, err);
  return brio_fail(err, BRIO_FORMAT, "no picture: JPEG, PNG, PGM and PPM are read");
}

bool brio_picture_read(brio_picture *picture, const char *path, brio_error *err) {
  brio_text file = {0};
  /* errors of decoding get the path in front; those of reading have it */
  bool good = brio_text_read_file(&file, path, BRIO_PICTURE_MAX_BYTES, err);
  if (good && !brio_picture_decode(picture, (const uint8_t *)file.bytes, file.length, err))
    good = brio_fail_in(err, "%s", path);
  brio_text_end(&file);
  return good;
}

void brio_picture_end(brio_picture *picture) {
  free(picture->gray);
  *picture = (brio_picture){0};
}
