/* Binary PGM (P5) and PPM (P6) with up to 255 levels.  Source: Netpbm, pgm(5) and ppm(5). */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "drivers/cameras/picture.h"

enum { LEVELS = 255 };

/* "P5" or "P6" and white space. */
static bool is(const uint8_t *bytes, size_t length) {
  return length > 2 && bytes[0] == 'P' && (bytes[1] == '5' || bytes[1] == '6') && isspace(bytes[2]);
}

/* Read a whole number after white space and comments, and move `at` behind it.  Return -1 if there is none.
** Reading stops after the first digit that exceeds BRIO_PICTURE_MAX_SIDE, so that it cannot overflow. */
static int read_number(const uint8_t **at, const uint8_t *end) {
  int value = 0;
  const uint8_t *p = *at;
  while (p < end && (isspace(*p) || *p == '#')) {
    /* a comment extends to the end of its line */
    if (*p == '#')
      while (p < end && *p != '\n') p++;
    else
      p++;
  }
  if (p == end || !isdigit(*p)) return -1;
  for (; p < end && isdigit(*p) && value <= BRIO_PICTURE_MAX_SIDE; p++) value = 10 * value + (*p - '0');
  *at = p;
  return value;
}

/* Luma of a color (3 bytes, 0 to `levels`), with the weights of ITU-R BT.601 that JPEG uses:
** 0.299 R + 0.587 G + 0.114 B, rounded to 0 .. 255. */
static uint8_t gray_of(const uint8_t *c, int levels) {
  int sum = 299 * c[0] + 587 * c[1] + 114 * c[2];
  assert(levels > 0);
  /* Samples above `levels` are invalid: the result is limited to 255. */
  int gray = (sum * LEVELS + 500 * levels) / (1000 * levels);
  return (uint8_t)(gray < LEVELS ? gray : LEVELS);
}

static bool decode(const uint8_t *bytes, size_t length, brio_picture *picture, brio_error *err) {
  /* header: width, height, number of the brightest level */
  const uint8_t *at = bytes + 2, *end = bytes + length;
  int width = read_number(&at, end), height = read_number(&at, end), levels = read_number(&at, end);
  int colors = bytes[1] == '6' ? 3 : 1;
  if (width < 1 || height < 1 || levels < 1 || levels > LEVELS)
    return brio_fail(err, BRIO_FORMAT,
                     "no valid PGM or PPM: width, height and up to 255 levels are expected");
  if (!brio_picture_resize(picture, width, height, err)) return false;
  /* one white space, then the samples, row by row */
  size_t count = (size_t)width * (size_t)height;
  if (at == end || (size_t)(end - at - 1) < count * (size_t)colors)
    return brio_fail(err, BRIO_FORMAT, "a PGM or PPM of %d x %d px that is cut off", width, height);
  at++;
  /* scale to 0 .. 255 */
  for (size_t i = 0; i < count; i++) {
    uint8_t one = at[i] > levels ? (uint8_t)levels : at[i];
    picture->gray[i] = colors == 3 ? gray_of(at + 3 * i, levels) : (uint8_t)(one * LEVELS / levels);
  }
  return true;
}

const brio_picture_format brio_picture_format_pnm = {"pnm", is, decode};
