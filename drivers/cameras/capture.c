/* Open the source that the settings name, and deliver the pictures of recordings at their rate. */
#include "drivers/cameras/capture.h"

#include <string.h>
#include <time.h>

#include "base/clock.h"

#define X(name) extern const brio_capture_source brio_capture_source_##name;
#include "drivers/cameras/sources.def"
#undef X

/* One record for each file in sources/. */
const brio_capture_source *const brio_capture_sources[] = {
#define X(name) &brio_capture_source_##name,
#include "drivers/cameras/sources.def"
#undef X
    NULL};

#define LONGEST_WAIT 0.01 /* s: longest sleep of one call; the caller does its other work in between */
#define PATIENCE 5.0      /* s without a picture until a device counts as failed */

/* Monotonic time, s. */
static double now(void) {
  return (double)brio_clock_monotonic() * 1e-9;
}

bool brio_capture_open(brio_capture *capture, const brio_camera_settings *settings, bool paced,
                       brio_error *err) {
  *capture = (brio_capture){.settings = settings, .paced = paced, .period = 1 / settings->rate};
  /* find the source whose name stands before the first colon */
  for (int i = 0; brio_capture_sources[i]; i++) {
    const brio_capture_source *source = brio_capture_sources[i];
    size_t length = strlen(source->name);
    if (strncmp(settings->from, source->name, length) != 0 || settings->from[length] != ':') continue;
    capture->source = source;
    if (source->open(capture, settings->from + length + 1, err)) {
      capture->due = paced ? now() : 0;
      return true;
    }
    brio_capture_close(capture);
    return false;
  }
  return brio_fail(err, BRIO_MISUSE,
                   "pictures come from v4l2:/dev/video0, folder:PATH or film:FILE, not from '%.100s'",
                   settings->from);
}

/* Sleep until the next picture of a recording is due, LONGEST_WAIT at most.  Return false: not yet due. */
static bool is_due(brio_capture *capture) {
  double wait = capture->due - now();
  if (wait <= 0) return true;
  double slept = wait < LONGEST_WAIT ? wait : LONGEST_WAIT;
  nanosleep(&(struct timespec){0, (long)(slept * 1e9)}, NULL);
  return capture->due <= now();
}

brio_capture_result brio_capture_next(brio_capture *capture, brio_picture *picture, brio_error *err) {
  bool device = capture->source->device;
  if (!device && capture->paced && !is_due(capture)) return BRIO_CAPTURE_NOTHING;
  brio_capture_result result = capture->source->next(capture, picture, err);
  if (result != BRIO_CAPTURE_PICTURE) {
    /* A picture that cannot be decoded still occupies its period of the recording. */
    if (result == BRIO_CAPTURE_BAD && !device) capture->due += capture->period;
    return result;
  }
  picture->number = capture->number++;
  /* Devices set the time themselves; in a recording it is the scheduled one. */
  if (device) return result;
  picture->time = capture->due;
  capture->due += capture->period;
  /* A caller that is slower than the recording delays it; no picture is dropped. */
  if (capture->paced && capture->due < now()) capture->due = now();
  return result;
}

brio_capture_result brio_capture_wait(brio_capture *capture, brio_picture *picture, brio_error *err) {
  double until = now() + PATIENCE;
  /* poll: each call returns after some milliseconds at most */
  for (;;) {
    brio_capture_result result = brio_capture_next(capture, picture, err);
    if (result != BRIO_CAPTURE_NOTHING) return result;
    if (now() < until) continue;
    brio_fail(err, BRIO_DEVICE, "%.100s gives no pictures", capture->settings->from);
    return BRIO_CAPTURE_FAILED;
  }
}

void brio_capture_close(brio_capture *capture) {
  /* `link` is NULL where the source failed before it allocated anything */
  if (capture->source && capture->link) capture->source->close(capture);
  capture->source = NULL, capture->link = NULL;
}
