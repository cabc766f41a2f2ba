/* Mode show: draw the detections into the first picture of a source, and write it as a PNG file. */
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "drivers/cameras/capture.h"
#include "drivers/cameras/finder.h"
#include "drivers/cameras/message.h"
#include "drivers/cameras/mode.h"

/* A picture in color: height x width x 3 bytes (red, green, blue), from the upper left. */
typedef struct canvas {
  int width, height;
  uint8_t *bytes;
} canvas;

/* Colors of the outline, the x axis and the z axis. */
static const uint8_t outline[3] = {255, 60, 0}, forward[3] = {0, 120, 255}, up[3] = {0, 200, 60};

/* Color a pixel; those outside of the picture are ignored. */
static void dot(canvas *c, int x, int y, const uint8_t color[3]) {
  if (x >= 0 && y >= 0 && x < c->width && y < c->height)
    memcpy(c->bytes + 3 * ((size_t)y * (size_t)c->width + (size_t)x), color, 3);
}

/* Draw a line two pixels wide, from a to b, px. */
static void draw_line(canvas *c, const double a[2], const double b[2], const uint8_t color[3]) {
  /* two samples a pixel; limited, as projected ends may be far outside */
  int steps = (int)fmin(2 * fmax(fabs(b[0] - a[0]), fabs(b[1] - a[1])) + 1, 1e5);
  for (int i = 0; i <= steps; i++) {
    int x = (int)lround(a[0] + (b[0] - a[0]) * i / steps), y = (int)lround(a[1] + (b[1] - a[1]) * i / steps);
    dot(c, x, y, color), dot(c, x + 1, y, color), dot(c, x, y + 1, color);
  }
}

/* Draw an axis of a detection from its middle, as long as the thing is tall, or 0.1 m. */
static void draw_axis(canvas *c, const brio_camera *model, const brio_finding *s, brio_vec3 axis,
                      const uint8_t color[3]) {
  brio_camera body = *model;
  double from[2], to[2], length = s->size.z > 0 ? s->size.z : 0.1;
  body.body = true;
  brio_vec3 tip = brio_pose_point(s->pose, brio_vec3_scale(length, axis));
  if (brio_camera_project(&body, s->pose.p, from, NULL) && brio_camera_project(&body, tip, to, NULL))
    draw_line(c, from, to, color);
}

/* Draw a detection: the outline of its corners or else its box, then its axes if the orientation is known. */
static void draw(canvas *c, const brio_camera *model, const brio_finding *s) {
  double box[4][2] = {{s->box.x, s->box.y + s->box.height},
                      {s->box.x + s->box.width, s->box.y + s->box.height},
                      {s->box.x + s->box.width, s->box.y},
                      {s->box.x, s->box.y}};
  const double(*corner)[2] = s->corners == 4 ? s->corner : (const double(*)[2])box;
  for (int i = 0; i < 4; i++) draw_line(c, corner[i], corner[(i + 1) % 4], outline);
  if (!s->oriented) return;
  draw_axis(c, model, s, (brio_vec3){1, 0, 0}, forward);
  draw_axis(c, model, s, (brio_vec3){0, 0, 1}, up);
}

/* Write the canvas as a PNG file.  Errors: io. */
static bool write_png(const canvas *c, const char *path, brio_error *err) {
  png_image image = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)c->width,
                     .height = (png_uint_32)c->height,
                     .format = PNG_FORMAT_RGB};
  return png_image_write_to_file(&image, path, 0, c->bytes, 0, NULL) ||
         brio_fail(err, BRIO_IO, "%s cannot be written: %s", path, image.message);
}

/* Run all finders on the picture, draw their detections, and send a message for each finder. */
static bool draw_all(const brio_camera_settings *settings, const brio_picture *picture, brio_finders *finders,
                     canvas *c, brio_error *err) {
  static brio_finding found[BRIO_FINDINGS];
  brio_text line = {0};
  brio_camera model;
  if (!brio_camera_settings_model(settings, picture->width, picture->height, &model, err)) return false;
  for (int k = 0; k < finders->count; k++) {
    brio_finder *finder = &finders->finders[k];
    int count = finder->kind->find(finder, picture, &model, found);
    for (int i = 0; i < count; i++) draw(c, &model, &found[i]);
    brio_camera_message(&line, picture, picture->time, k, finder->kind->name, &model, found,
                        count > 0 ? count : 0, true);
    brio_camera_send(&line);
  }
  brio_text_end(&line);
  return true;
}

/* Get the first picture.  Errors: format (none, or it cannot be decoded), those of the source. */
static bool first_picture(brio_capture *capture, brio_picture *picture, brio_error *err) {
  brio_capture_result result = brio_capture_wait(capture, picture, err);
  if (result == BRIO_CAPTURE_END)
    return brio_fail(err, BRIO_FORMAT, "%s has no picture", capture->settings->from);
  return result == BRIO_CAPTURE_PICTURE;
}

static bool show(const brio_camera_settings *settings, char **words, int count, brio_error *err) {
  brio_capture capture = {0};
  brio_picture picture = {0};
  brio_finders finders = {0};
  canvas c = {0};
  if (count != 1) return brio_fail(err, BRIO_MISUSE, "show expects the name of one PNG file");
  bool good = brio_capture_open(&capture, settings, false, err) && first_picture(&capture, &picture, err) &&
              brio_finders_open(&finders, settings, err);
  /* start from the gray picture: its level in all three colors */
  size_t pixels = (size_t)picture.width * (size_t)picture.height;
  if (good) {
    c = (canvas){picture.width, picture.height, malloc(3 * pixels)};
    good = c.bytes || brio_fail(err, BRIO_NO_MEMORY, "no memory for a picture");
  }
  for (size_t i = 0; good && i < 3 * pixels; i++) c.bytes[i] = picture.gray[i / 3];
  good = good && draw_all(settings, &picture, &finders, &c, err) && write_png(&c, words[0], err);
  free(c.bytes);
  brio_finders_close(&finders);
  brio_picture_end(&picture);
  brio_capture_close(&capture);
  return good;
}

const brio_camera_mode brio_camera_mode_show = {"show", true, show};
