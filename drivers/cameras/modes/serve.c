/* Mode serve: a detector for a run.  Each picture gives a message for each finder; requests arrive on
** standard input, which is closed when the run ends.  A fault of the camera is reported at once, then once a
** second, and a camera that failed is opened again at growing intervals. */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "drivers/cameras/capture.h"
#include "drivers/cameras/look.h"
#include "drivers/cameras/message.h"
#include "drivers/cameras/mode.h"
#include "drivers/cameras/watch.h"

#define SAY_EVERY 1.0    /* s between two messages about the same fault */
#define AGAIN_FIRST 0.25 /* s until a failed camera is opened again; doubled after each attempt */
#define AGAIN_MOST 2.0   /* s: limit of that doubling */

/* Bytes of the longest request, levels of its JSON, and the priority (nice) of the process. */
enum { REQUEST = 1 << 16, DEEP = 16, NICE = 5 };

/* The state of the mode; too large for the stack. */
typedef struct server {
  const brio_camera_settings *settings;
  brio_capture capture;
  brio_picture picture;
  brio_camera_watch watch;
  brio_camera_look look;
  brio_finders finders;
  brio_finding found[BRIO_FINDINGS];
  brio_text line;
  int64_t number;                      /* of the next message */
  double again, pause;                 /* s: when a closed camera is opened next; the last pause, 0: none */
  char fault[BRIO_CAMERA_WATCH_WORDS]; /* the fault that was reported last; "": none since a good picture */
  double said;                         /* s: when that was */
  char request[REQUEST];               /* the beginning of the next request's line */
  size_t length;                       /* bytes of it */
  bool skips;                          /* the line is too long: ignore it up to its end */
  bool over;                           /* finished: no reader, or the run or the recording has ended */
} server;

/* Monotonic time, s. */
static double now(void) {
  return (double)brio_clock_monotonic() * 1e-9;
}

/* Report a fault: at once if it differs from the last one, else once a second. */
static void say_fault(server *s, const char *sentence) {
  double t = now();
  if (strncmp(s->fault, sentence, sizeof s->fault - 1) == 0 && t - s->said < SAY_EVERY) return;
  s->said = t;
  if (sentence != s->fault) snprintf(s->fault, sizeof s->fault, "%s", sentence);
  brio_camera_write_fault(&s->line, sentence);
  s->over = !brio_camera_send(&s->line) || s->over;
}

/* ---- requests ---- */

/* Read a list of models, and enable exactly these finders.  If one is unknown, write the first such name into
** `wrong` and change nothing.  Return false: this is no list of names. */
static bool use_models(server *s, brio_json *json, char *wrong, size_t room) {
  bool asked[BRIO_FINDERS] = {false};
  brio_json_text name;
  if (!brio_json_take(json, '[')) return false;
  for (bool more = !brio_json_take(json, ']'); more;) {
    int k = 0;
    if (!brio_json_string(json, &name) || name.length == 0) return false;
    while (k < s->finders.count && !brio_json_is(&name, s->finders.finders[k].kind->name)) k++;
    if (k < s->finders.count)
      asked[k] = true;
    else if (!wrong[0])
      brio_json_copy(&name, wrong, room);
    more = brio_json_take(json, ',');
    if (!more && !brio_json_take(json, ']')) return false;
  }
  /* all names are known: switch finders on and off */
  for (int k = 0; k < s->finders.count && !wrong[0]; k++) s->finders.finders[k].enabled = asked[k];
  return true;
}

/* Execute a request {"request": number, "use": [models], ...}, and acknowledge its number.  Other fields, as
** thresholds and classes, are ignored: the run applies them itself. */
static void answer(server *s, const char *bytes, size_t length) {
  brio_json json = {bytes, bytes + length, true};
  brio_json_text key;
  double number = -1;
  bool used = false;
  char wrong[64] = "";
  if (!brio_json_take(&json, '{')) return;
  do {
    if (!brio_json_key(&json, &key)) break;
    if (brio_json_is(&key, "request"))
      brio_json_number(&json, &number);
    else if (brio_json_is(&key, "use"))
      used = use_models(s, &json, wrong, sizeof wrong);
    else
      brio_json_skip(&json, DEEP);
  } while (brio_json_take(&json, ','));
  /* a request without "use" enables all finders */
  for (int k = 0; k < s->finders.count && !used && !wrong[0]; k++) s->finders.finders[k].enabled = true;
  /* without a number (a double is exact up to 2^53) there is nothing to acknowledge */
  if (!(number >= 0 && number < 9e15)) return;
  brio_text_format(&s->line, "{\"ack\": %.0f", number);
  if (wrong[0]) {
    char sentence[160];
    snprintf(sentence, sizeof sentence, "there is no model '%s': this camera has those of its settings",
             wrong);
    brio_text_format(&s->line, ", \"refused\": ");
    brio_text_json(&s->line, sentence, strlen(sentence));
  }
  brio_text_format(&s->line, "}\n");
  s->over = !brio_camera_send(&s->line) || s->over;
}

/* Read and execute all requests that have arrived, without blocking.  End of input: the run has ended. */
static void read_requests(server *s) {
  struct pollfd wait = {.fd = STDIN_FILENO, .events = POLLIN};
  while (!s->over && poll(&wait, 1, 0) > 0) {
    /* the buffer is full without a line end: discard the line, and what follows of it */
    if (s->length == sizeof s->request) s->length = 0, s->skips = true;
    assert(s->length < sizeof s->request);
    ssize_t count = read(STDIN_FILENO, s->request + s->length, sizeof s->request - s->length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      s->over = true;
      return;
    }
    s->length += (size_t)count;
    /* execute each complete line, and move the rest to the front */
    char *end;
    while ((end = memchr(s->request, '\n', s->length))) {
      if (!s->skips) answer(s, s->request, (size_t)(end - s->request));
      s->skips = false;
      s->length -= (size_t)(end + 1 - s->request);
      memmove(s->request, end + 1, s->length);
    }
  }
}

/* ---- pictures ---- */

/* Close a camera that failed, and schedule its opening: after a pause that doubles up to AGAIN_MOST. */
static void lose(server *s, const char *sentence) {
  brio_capture_close(&s->capture);
  s->pause = s->pause > 0 && 2 * s->pause < AGAIN_MOST ? 2 * s->pause
             : s->pause > 0                            ? AGAIN_MOST
                                                       : AGAIN_FIRST;
  s->again = now() + s->pause;
  say_fault(s, sentence);
}

/* Open the camera if that is due; else repeat the fault, and sleep 10 ms. */
static void open_again(server *s) {
  brio_error err = {0};
  if (now() < s->again) {
    say_fault(s, s->fault);
    nanosleep(&(struct timespec){0, 10000000}, NULL);
  } else if (!brio_capture_open(&s->capture, s->settings, true, &err))
    lose(s, err.message);
  else {
    brio_camera_watch_end(&s->watch); /* the picture from before the failure */
    brio_camera_watch_start(&s->watch, now());
  }
}

/* Send the detections in the picture, a message for each enabled finder. */
static void process(server *s) {
  brio_camera model;
  if (!brio_camera_settings_model(s->settings, s->picture.width, s->picture.height, &model, NULL)) return;
  for (int k = 0; k < s->finders.count && !s->over; k++) {
    brio_finder *finder = &s->finders.finders[k];
    if (!finder->enabled) continue;
    int count = finder->kind->find(finder, &s->picture, &model, s->found);
    /* a finder that skips this picture sends nothing */
    if (count < 0) continue;
    brio_camera_message(&s->line, &s->picture, now(), s->number++, finder->kind->name, &model, s->found,
                        count, s->settings->details > 0);
    s->over = !brio_camera_send(&s->line);
  }
  /* the camera works: the next failure starts with the shortest pause again */
  s->pause = 0;
}

/* Show the picture to people who look.  What they cannot see is no fault of the camera: it is said once. */
static void show(server *s) {
  brio_error err = {0};
  if (brio_camera_look_show(&s->look, &s->picture, now(), &err)) return;
  say_fault(s, err.message);
  brio_camera_look_end(&s->look);
}

/* One cycle: wait some milliseconds for a picture, and process it or report the fault. */
static void work(server *s) {
  brio_error err = {0};
  const char *fault = NULL;
  switch (brio_capture_next(&s->capture, &s->picture, &err)) {
  case BRIO_CAPTURE_PICTURE:
    fault = brio_camera_watch_picture(&s->watch, s->settings, &s->picture, now());
    if (fault) break;
    /* a good picture ends the fault: the same one is reported at once when it returns */
    s->fault[0] = 0;
    show(s);
    process(s);
    return;
  case BRIO_CAPTURE_NOTHING:
    fault = brio_camera_watch_silence(&s->watch, s->settings, now());
    break;
  case BRIO_CAPTURE_BAD:
    fault = err.message;
    break;
  case BRIO_CAPTURE_END:
    s->over = true;
    return;
  case BRIO_CAPTURE_FAILED:
    lose(s, err.message);
    return;
  }
  if (fault) say_fault(s, fault);
}

static bool serve(const brio_camera_settings *settings, char **words, int count, brio_error *err) {
  (void)words, (void)count;
  server *s = calloc(1, sizeof *s);
  if (!s) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a camera");
  s->settings = settings;
  /* lower priority than the robot's own threads */
  setpriority(PRIO_PROCESS, 0, NICE);
  brio_error blind = {0};
  bool good = brio_finders_open(&s->finders, settings, err);
  if (good && settings->look[0] && !brio_camera_look_open(&s->look, settings->look, &blind))
    say_fault(s, blind.message);
  while (good && !s->over) {
    read_requests(s);
    if (!s->capture.source)
      open_again(s);
    else
      work(s);
  }
  brio_camera_look_end(&s->look);
  brio_capture_close(&s->capture);
  brio_finders_close(&s->finders);
  brio_camera_watch_end(&s->watch);
  brio_picture_end(&s->picture);
  brio_text_end(&s->line);
  free(s);
  return good;
}

const brio_camera_mode brio_camera_mode_serve = {"serve", true, serve};
