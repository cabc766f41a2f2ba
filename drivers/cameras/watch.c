/* Watching pictures: see watch.h. A sensor has noise, so that two pictures are never equal to the last bit.
 */
#include "drivers/cameras/watch.h"

#include <stdio.h>
#include <string.h>

enum { EVERY = 7 /* pixels between two that the brightness is taken of */ };

void brio_camera_watch_start(brio_camera_watch *watch, double now) {
  *watch = (brio_camera_watch){.changed = now, .bright = now, .heard = now};
}

/* Whether a pixel is brighter than `level`. */
static bool is_bright(const brio_picture *picture, double level) {
  size_t count = (size_t)picture->width * (size_t)picture->height;
  for (size_t i = 0; i < count; i += EVERY)
    if (picture->gray[i] > level) return true;
  return false;
}

/* Whether a picture is the one before, bit by bit; if not, it is kept. */
static bool is_same(brio_camera_watch *watch, const brio_picture *picture) {
  brio_picture *before = &watch->before;
  size_t count = (size_t)picture->width * (size_t)picture->height;
  if (before->gray && before->width == picture->width && before->height == picture->height &&
      memcmp(before->gray, picture->gray, count) == 0)
    return true;
  if (brio_picture_resize(before, picture->width, picture->height, NULL))
    memcpy(before->gray, picture->gray, count);
  return false;
}

const char *brio_camera_watch_picture(brio_camera_watch *watch, const brio_camera_settings *s,
                                      const brio_picture *picture, double now) {
  brio_camera model;
  brio_error err;
  watch->heard = now;
  watch->words[0] = 0;
  if (!is_same(watch, picture)) watch->changed = now;
  if (is_bright(picture, s->black)) watch->bright = now;
  /* The size first: without it there are no positions. */
  if (!brio_camera_settings_model(s, picture->width, picture->height, &model, &err))
    snprintf(watch->words, sizeof watch->words, "%.190s", err.message);
  else if (s->black > 0 && now - watch->bright >= s->frozen)
    snprintf(watch->words, sizeof watch->words, "black: no pixel is brighter than %g of 255", s->black);
  else if (s->frozen > 0 && now - watch->changed >= s->frozen)
    snprintf(watch->words, sizeof watch->words, "frozen: the same picture again and again");
  return watch->words[0] ? watch->words : NULL;
}

const char *brio_camera_watch_silence(brio_camera_watch *watch, const brio_camera_settings *s, double now) {
  if (now - watch->heard < s->gap) return NULL;
  snprintf(watch->words, sizeof watch->words, "no picture comes");
  return watch->words;
}

void brio_camera_watch_end(brio_camera_watch *watch) {
  brio_picture_end(&watch->before);
}
