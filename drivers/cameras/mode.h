/* A mode: what brio_camera does, by its first word.  Each is a row of modes.def. */
#ifndef BRIO_CAMERAS_MODE_H
#define BRIO_CAMERAS_MODE_H

#include "drivers/cameras/settings.h"

typedef struct brio_camera_mode {
  const char *name;
  bool pictures; /* the setting `from` is required */
  /* Run with the words after "--".  Errors: misuse (wrong words), and those of what it calls. */
  bool (*run)(const brio_camera_settings *settings, char **words, int count, brio_error *err);
} brio_camera_mode;

#endif
