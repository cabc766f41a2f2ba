/* Chunks of AVI files: see avi.h.  A chunk is a name (4 bytes), a size (32 bits, little-endian), and that
** many bytes; a list is a chunk whose bytes begin with its form (4 bytes) and go on with chunks. */
#include "drivers/cameras/sources/avi.h"

#include <assert.h>
#include <string.h>

enum { HEAD = 8, LIST_HEAD = 12 /* bytes of the header of a chunk, of a list */ };

/* Read a little-endian number. */
static uint32_t u32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static bool is_name(const uint8_t *p, const char *name) {
  return memcmp(p, name, 4) == 0;
}

/* Return whether there is a chunk at `at`, and its size; a truncated chunk ends with the file. */
static bool chunk_at(const brio_avi *avi, size_t at, size_t *size) {
  assert(avi->bytes);
  if (at > avi->length || avi->length - at < HEAD) return false;
  *size = u32(avi->bytes + at + 4);
  if (*size > avi->length - at - HEAD) *size = avi->length - at - HEAD;
  return true;
}

/* Return whether a chunk contains others: RIFF and LIST.  Their sizes are ignored, as they are 0 in a
** recording that was interrupted. */
static bool is_list(const brio_avi *avi, size_t at) {
  const uint8_t *chunk = avi->bytes + at;
  return avi->length - at >= LIST_HEAD && (is_name(chunk, "RIFF") || is_name(chunk, "LIST"));
}

/* Return the offset of the next chunk: behind this one (padded to an even size), or inside a list. */
static size_t after(const brio_avi *avi, size_t at, size_t size) {
  return is_list(avi, at) ? at + LIST_HEAD : at + HEAD + size + (size & 1);
}

bool brio_avi_open(brio_avi *avi, const uint8_t *bytes, size_t length, brio_error *err) {
  size_t size, at = 0;
  bool motion_jpeg = false;
  *avi = (brio_avi){.bytes = bytes, .length = length};
  if (length < LIST_HEAD || !is_name(bytes, "RIFF") || !is_name(bytes + HEAD, "AVI "))
    return brio_fail(err, BRIO_FORMAT, "no AVI film");
  /* read the headers, up to the list of frames */
  for (; chunk_at(avi, at, &size); at = after(avi, at, size)) {
    const uint8_t *chunk = bytes + at;
    if (is_list(avi, at) && is_name(chunk + HEAD, "movi")) break;
    if (is_name(chunk, "avih") && size >= 4) avi->period = u32(chunk + HEAD) * 1e-6;
    /* codec of a stream: in its header behind the type "vids", or at 16 of its format (BITMAPINFOHEADER) */
    if (is_name(chunk, "strh") && size >= 8 && is_name(chunk + HEAD, "vids"))
      motion_jpeg = motion_jpeg || is_name(chunk + HEAD + 4, "MJPG") || is_name(chunk + HEAD + 4, "mjpg");
    if (is_name(chunk, "strf") && size >= 20) motion_jpeg = motion_jpeg || is_name(chunk + HEAD + 16, "MJPG");
  }
  avi->at = at;
  /* an implausible period counts as not given */
  if (!(avi->period > 0.0005 && avi->period < 3600)) avi->period = 0;
  return motion_jpeg || brio_fail(err, BRIO_FORMAT,
                                  "an AVI film whose video is not MJPEG: convert it, for example by "
                                  "ffmpeg -i FILE -c:v mjpeg -q:v 3 film.avi");
}

bool brio_avi_next(brio_avi *avi, const uint8_t **frame, size_t *length) {
  size_t size;
  while (chunk_at(avi, avi->at, &size)) {
    const uint8_t *chunk = avi->bytes + avi->at;
    avi->at = after(avi, avi->at, size);
    /* "00dc" or "00db": a frame of stream 0 (or of another number); an empty one repeats the frame before for
    ** one more period */
    if (chunk[2] != 'd' || (chunk[3] != 'c' && chunk[3] != 'b')) continue;
    if (size > 0) avi->frame = chunk + HEAD, avi->size = size;
    if (!avi->frame) continue;
    *frame = avi->frame, *length = avi->size;
    return true;
  }
  return false;
}
