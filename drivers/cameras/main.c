/* brio_camera MODE [NAME=VALUE ...] [-- WORD ...]: reads pictures of a camera and detects things in them.
** It is a process of its own, so that a crash in an image library cannot take a robot's run with it.  It
** writes JSON lines to standard output; `brio camera` formats them for people, and a run reads them as those
** of any detector. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "drivers/cameras/message.h"
#include "drivers/cameras/mode.h"

#define X(name) extern const brio_camera_mode brio_camera_mode_##name;
#include "drivers/cameras/modes.def"
#undef X

/* One record for each file in modes/. */
static const brio_camera_mode *const modes[] = {
#define X(name) &brio_camera_mode_##name,
#include "drivers/cameras/modes.def"
#undef X
};

enum { MODES = sizeof modes / sizeof *modes };

/* Read the words before "--" as settings, and move those after it to the front.  Return how many of these
** there are, or -1: a setting is wrong. */
static int read_words(brio_camera_settings *settings, char **words, int count, brio_error *err) {
  int left = 0;
  for (int i = 0; i < count; i++) {
    /* file names may contain '=': they stand after "--" */
    if (strcmp(words[i], "--") == 0) {
      while (++i < count) words[left++] = words[i];
      break;
    }
    if (!brio_camera_settings_read(settings, words[i], err)) return -1;
  }
  return left;
}

/* Run the mode of that name with settings and file names. */
static bool run(const char *name, char **words, int count, brio_error *err) {
  static brio_camera_settings settings; /* too large for the stack */
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
  /* a reader that has gone shows as a failed write, not as a signal */
  signal(SIGPIPE, SIG_IGN);
  if (count < 2) {
    fprintf(stderr,
            "usage: brio_camera serve|check|list|show|board|calibrate [NAME=VALUE ...] [-- FILE ...]\n");
    return 2;
  }
  /* exit status: 0 done, 1 failed, 2 misuse; the reason is a JSON line */
  if (run(words[1], words + 2, count - 2, &err)) return 0;
  brio_camera_write_fault(&line, err.message);
  brio_camera_send(&line);
  return err.code == BRIO_MISUSE ? 2 : 1;
}
