/* Mode calibrate: estimate the intrinsics from pictures of a board of tags (vision/calibration.h), and write
** them as one JSON object on a line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/cameras/capture.h"
#include "drivers/cameras/finder.h"
#include "drivers/cameras/message.h"
#include "drivers/cameras/mode.h"
#include "drivers/cameras/modes/sheet.h"
#include "vision/calibration.h"

enum { MIN_TAGS = 4 /* in a picture that is used */, PLACE = BRIO_PLANE_MAX_POINTS };

/* The corners of tags in one picture of the board. */
typedef struct view {
  const char *file;
  int count;                                 /* of corners, 4 for each tag */
  double points[PLACE][2], pixels[PLACE][2]; /* on the board, m; in the picture, px */
} view;

/* All pictures. */
typedef struct work {
  const brio_camera_settings *settings;
  int width, height; /* px, of all pictures; 0: none was read yet */
  int nviews;        /* pictures that are used */
  view *views;       /* room for one more than nviews while pictures are read */
  brio_text line;
} work;

/* Add the corners of the board's tags among the detections to a view. */
static void add_tags(const brio_camera_settings *settings, const brio_finding *found, int count, view *v) {
  for (int i = 0; i < count && v->count + 4 <= PLACE; i++) {
    /* an id is FAMILY:NUMBER; tags without one, or of no board, are ignored */
    double corners[4][2];
    const char *colon = strrchr(found[i].id, ':');
    if (!colon || !brio_board_corners(settings, atoi(colon + 1), corners)) continue;
    for (int k = 0; k < 4; k++, v->count++) {
      memcpy(v->points[v->count], corners[k], sizeof corners[k]);
      memcpy(v->pixels[v->count], found[i].corner[k], sizeof corners[k]);
    }
  }
}

/* Read a picture and add its view if it shows at least MIN_TAGS tags; if not, report a fault and go on.
** Return false: it cannot be read, or has another size than the first. */
static bool add_picture(work *w, brio_finder *finder, const char *file, brio_picture *picture,
                        brio_error *err) {
  static brio_finding found[BRIO_FINDINGS];
  brio_camera model;
  view *v = &w->views[w->nviews];
  if (!brio_picture_read(picture, file, err)) return false;
  if (w->width == 0) w->width = picture->width, w->height = picture->height;
  if (picture->width != w->width || picture->height != w->height)
    return brio_fail(err, BRIO_FORMAT,
                     "%s has %d x %d px, the first picture %d x %d: all must be of one camera and size", file,
                     picture->width, picture->height, w->width, w->height);
  *v = (view){.file = file};
  /* the finder needs a camera model, of which corners are independent */
  if (!brio_camera_settings_model(w->settings, w->width, w->height, &model, err)) return false;
  add_tags(w->settings, found, finder->kind->find(finder, picture, &model, found), v);
  if (v->count >= 4 * MIN_TAGS) {
    w->nviews++;
    return true;
  }
  char sentence[400];
  snprintf(sentence, sizeof sentence,
           "%.300s is left out: %d tags of the board are seen in it, %d are needed", file, v->count / 4,
           MIN_TAGS);
  brio_camera_write_fault(&w->line, sentence);
  return true;
}

/* Write the result: intrinsics, their standard deviations, and the error (RMS, px) of each picture. */
static void write(work *w, const brio_calibration *c, const brio_plane_pose *poses) {
  brio_text *out = &w->line;
  brio_text_format(out, "{\"camera\": ");
  brio_camera_write_model(out, &c->camera);
  brio_text_format(out, ", \"error\": %.6g, \"views\": %d, \"points\": %d, \"deviation\": {", c->error,
                   c->views, c->points);
  bool first = true;
  for (int i = 0; i < BRIO_CALIBRATION_NUMBERS; i++) {
    /* 0: the number was not estimated */
    if (!(c->deviation[i] > 0)) continue;
    brio_text_format(out, "%s\"%s\": %.6g", first ? "" : ", ", brio_calibration_number(i), c->deviation[i]);
    first = false;
  }
  brio_text_format(out, "}, \"pictures\": [");
  for (int i = 0; i < w->nviews; i++) {
    brio_text_format(out, "%s{\"file\": ", i ? ", " : "");
    brio_text_json(out, w->views[i].file, strlen(w->views[i].file));
    brio_text_format(out, ", \"points\": %d, \"error\": %.6g}", w->views[i].count,
                     sqrt(poses[i].squares / w->views[i].count));
  }
  brio_text_format(out, "]}\n");
}

/* Calibrate from the views, and write the result. */
static bool solve(work *w, brio_error *err) {
  const brio_camera_settings *s = w->settings;
  brio_calibration_options options = {w->width, w->height, (int)s->radial, s->tangential > 0};
  brio_calibration result;
  brio_plane_view *views = calloc((size_t)w->nviews + 1, sizeof *views);
  brio_plane_pose *poses = calloc((size_t)w->nviews + 1, sizeof *poses);
  bool good = (views && poses) || brio_fail(err, BRIO_NO_MEMORY, "no memory for a calibration");
  for (int i = 0; good && i < w->nviews; i++)
    views[i] = (brio_plane_view){w->views[i].count, (const double(*)[2])w->views[i].points,
                                 (const double(*)[2])w->views[i].pixels};
  good = good && brio_calibrate(&options, w->nviews, views, &result, poses, err);
  if (good) write(w, &result, poses);
  free(views);
  free(poses);
  return good;
}

static bool calibrate(const brio_camera_settings *given, char **words, int count, brio_error *err) {
  brio_camera_settings settings = *given;
  brio_picture picture = {0};
  brio_finders finders = {0};
  /* only the finder of tags is opened */
  settings.tags = 1, settings.faces = settings.people = 0;
  work w = {.settings = &settings};
  if (count < 1 || count > BRIO_CALIBRATION_MAX_VIEWS)
    return brio_fail(err, BRIO_MISUSE, "calibrate expects 3 to %d pictures of the board",
                     BRIO_CALIBRATION_MAX_VIEWS);
  w.views = calloc((size_t)count, sizeof *w.views);
  bool good = (w.views || brio_fail(err, BRIO_NO_MEMORY, "no memory for pictures")) &&
              brio_finders_open(&finders, &settings, err);
  for (int i = 0; good && i < count; i++)
    good = add_picture(&w, &finders.finders[0], words[i], &picture, err);
  good = good && solve(&w, err);
  /* faults about unused pictures are sent even if the calibration fails */
  brio_camera_send(&w.line);
  brio_finders_close(&finders);
  brio_picture_end(&picture);
  brio_text_end(&w.line);
  free(w.views);
  return good;
}

const brio_camera_mode brio_camera_mode_calibrate = {"calibrate", false, calibrate};
