/* brio_camera MODE [NAME=VALUE ...] [WORD ...]: pictures of a camera, what is in them, and where it is. It
** is a program of its own, so that no fault of a library for pictures reaches a robot. What it writes to
** standard output are JSON lines; `brio camera` shows them to people, and a run reads them as a
** detector's. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "drivers/cameras/message.h"
#include "drivers/cameras/mode.h"

#define X(name) extern const brio_camera_mode brio_camera_mode_##name;
#include "drivers/cameras/modes.def"
#undef X

static const brio_camera_mode *const modes[] = {
#define X(name) &brio_camera_mode_##name,
#include "drivers/cameras/modes.def"
#undef X
};

enum { MODES = sizeof modes / sizeof *modes };

/* Read the settings among the words; the others are moved to the front. Returns their number, or -1. */
static int read_words(brio_camera_settings *settings, char **words, int count, brio_error *err) {
  int left = 0;
  for (int i = 0; i < count; i++) {
    /* Files are behind "--", whatever they are called. */
    if (strcmp(words[i], "--") == 0) {
      while (++i < count) words[left++] = words[i];
      break;
    }
    if (!brio_camera_settings_read(settings, words[i], err)) return -1;
  }
  return left;
}

static bool run(const char *name, char **words, int count, brio_error *err) {
  static brio_camera_settings settings;
  brio_camera_settings_start(&settings);
  for (int i = 0; i < MODES; i++) {
    if (strcmp(modes[i]->name, name) != 0) continue;
    int left = read_words(&settings, words, count, err);
    if (left < 0) return false;
    if (modes[i]->pictures && !settings.from[0])
      return brio_fail(err, BRIO_MISUSE, "from is needed: v4l2:/dev/video0, folder:PATH or film:FILE");
    return modes[i]->run(&settings, words, left, err);
  }
  return brio_fail(err, BRIO_MISUSE, "there is no mode '%s': serve, check, list, show, board, calibrate",
                   name);
}

int main(int count, char **words) {
  brio_error err = {0};
  brio_text line = {0};
  /* A reader that goes away is seen by the write. */
  signal(SIGPIPE, SIG_IGN);
  if (count < 2) {
    fprintf(stderr,
            "usage: brio_camera serve|check|list|show|board|calibrate [NAME=VALUE ...] [-- FILE ...]\n");
    return 2;
  }
  if (run(words[1], words + 2, count - 2, &err)) return 0;
  brio_camera_write_fault(&line, err.message);
  brio_camera_send(&line);
  return err.code == BRIO_MISUSE ? 2 : 1;
}
