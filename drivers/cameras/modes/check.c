/* Mode check: write a message for each picture and finder, as fast as possible.  Times of recordings start at
** 0, so that the output can be replayed by a run on the fast clock. */
#include <stdlib.h>

#include "drivers/cameras/capture.h"
#include "drivers/cameras/message.h"
#include "drivers/cameras/mode.h"

enum { PICTURES_OF_A_DEVICE = 30 /* a camera never ends: this many are enough */ };

/* All that a run of the mode needs; too large for the stack. */
typedef struct checker {
  const brio_camera_settings *settings;
  brio_capture capture;
  brio_picture picture;
  brio_finders finders;
  brio_finding found[BRIO_FINDINGS];
  brio_text line;
  int64_t number;
} checker;

/* Send the detections in the picture, a message for each finder.  Return false: nobody reads them. */
static bool process(checker *c) {
  brio_camera model;
  brio_error err = {0};
  if (!brio_camera_settings_model(c->settings, c->picture.width, c->picture.height, &model, &err)) {
    brio_camera_write_fault(&c->line, err.message);
    return brio_camera_send(&c->line);
  }
  for (int k = 0; k < c->finders.count; k++) {
    brio_finder *finder = &c->finders.finders[k];
    int count = finder->kind->find(finder, &c->picture, &model, c->found);
    /* skipped by this finder */
    if (count < 0) continue;
    brio_camera_message(&c->line, &c->picture, c->picture.time, c->number++, finder->kind->name, &model,
                        c->found, count, c->settings->details > 0);
    if (!brio_camera_send(&c->line)) return false;
  }
  return true;
}

/* Process all pictures; those that cannot be decoded are reported as faults.  A reader that has gone ends it
** without an error. */
static bool go(checker *c, brio_error *err) {
  for (;;) {
    brio_capture_result result = brio_capture_wait(&c->capture, &c->picture, err);
    if (result == BRIO_CAPTURE_END) return true;
    if (result == BRIO_CAPTURE_FAILED) return false;
    if (result == BRIO_CAPTURE_BAD) {
      brio_camera_write_fault(&c->line, err->message);
      if (!brio_camera_send(&c->line)) return true;
    }
    if (result == BRIO_CAPTURE_PICTURE && !process(c)) return true;
    if (c->capture.source->device && c->capture.number == PICTURES_OF_A_DEVICE) return true;
  }
}

static bool check(const brio_camera_settings *settings, char **words, int count, brio_error *err) {
  (void)words, (void)count;
  checker *c = calloc(1, sizeof *c);
  if (!c) return brio_fail(err, BRIO_NO_MEMORY, "no memory for pictures");
  c->settings = settings;
  bool good = brio_finders_open(&c->finders, settings, err) &&
              brio_capture_open(&c->capture, settings, false, err) && go(c, err);
  brio_capture_close(&c->capture);
  brio_finders_close(&c->finders);
  brio_picture_end(&c->picture);
  brio_text_end(&c->line);
  free(c);
  return good;
}

const brio_camera_mode brio_camera_mode_check = {"check", true, check};
