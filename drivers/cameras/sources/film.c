/* Source film: an AVI file with MJPEG frames, read into memory as a whole. */
#include <stdlib.h>

#include "base/text.h"
#include "drivers/cameras/capture.h"
#include "drivers/cameras/sources/avi.h"

#define LONGEST ((size_t)2 << 30) /* most bytes of a film */

/* Private data of the source. */
typedef struct film {
  brio_text file; /* its bytes */
  brio_avi avi;   /* the position in them */
  int64_t frames; /* delivered since the film began (again) */
} film;

static bool open_film(brio_capture *capture, const char *rest, brio_error *err) {
  film *f = calloc(1, sizeof *f);
  if (!f) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a film");
  capture->link = f;
  if (!brio_text_read_file(&f->file, rest, LONGEST, err)) return false;
  if (!brio_avi_open(&f->avi, (const uint8_t *)f->file.bytes, f->file.length, err))
    return brio_fail_in(err, "%s", rest);
  if (f->avi.period > 0) capture->period = f->avi.period;
  return true;
}

static brio_capture_result next(brio_capture *capture, brio_picture *picture, brio_error *err) {
  film *f = capture->link;
  const uint8_t *frame;
  size_t length;
  while (!brio_avi_next(&f->avi, &frame, &length)) {
    /* repeat from the beginning; a film without any frame would loop forever */
    if (f->frames == 0 || !(capture->settings->again > 0)) return BRIO_CAPTURE_END;
    f->frames = 0;
    if (!brio_avi_open(&f->avi, f->avi.bytes, f->avi.length, err)) return BRIO_CAPTURE_FAILED;
  }
  f->frames++;
  return brio_picture_decode(picture, frame, length, err) ? BRIO_CAPTURE_PICTURE : BRIO_CAPTURE_BAD;
}

static void close_film(brio_capture *capture) {
  film *f = capture->link;
  brio_text_end(&f->file);
  free(f);
}

const brio_capture_source brio_capture_source_film = {"film", false, open_film, next, close_film};
