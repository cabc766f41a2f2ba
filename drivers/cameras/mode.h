/* What the program does, by its first word. */
#ifndef BRIO_CAMERAS_MODE_H
#define BRIO_CAMERAS_MODE_H

#include "drivers/cameras/settings.h"

typedef struct brio_camera_mode {
  const char *name;
  bool pictures; /* it needs a source */
  /* Do it with the words that are no settings.  Errors: as they come. */
  bool (*run)(const brio_camera_settings *settings, char **words, int count, brio_error *err);
} brio_camera_mode;

#endif
