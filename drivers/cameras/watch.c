/* Monitoring of pictures: see watch.h.  Sensors are noisy: two pictures of a working camera are never
** identical. */
#include "drivers/cameras/watch.h"

#include <stdio.h>
#include <string.h>

enum { EVERY = 7 /* brightness is sampled at every 7th pixel */ };

void brio_camera_watch_start(brio_camera_watch *watch, double now) {
  *watch = (brio_camera_watch){.changed = now, .bright = now, .heard = now};
}

/* Return whether any sampled pixel is brighter than `level`.  O(pixels). */
static bool is_bright(const brio_picture *picture, double level) {
  size_t count = (size_t)picture->width * (size_t)picture->height;
  for (size_t i = 0; i < count; i += EVERY)
    if (picture->gray[i] > level) return true;
  return false;
}

/* Return whether a picture is identical to the previous one; if not, keep a copy.  O(pixels). */
static bool is_same(brio_camera_watch *watch, const brio_picture *picture) {
  brio_picture *before = &watch->before;
  size_t count = (size_t)picture->width * (size_t)picture->height;
  if (before->gray && before->width == picture->width && before->height == picture->height &&
      memcmp(before->gray, picture->gray, count) == 0)
    return true;
  /* without memory for the copy pictures count as changed */
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
  /* the worst fault first: of another size, positions cannot be computed at all */
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
