/* Pictures that tests draw: a sheet of tags, seen by a camera of known truth. */
#ifndef BRIO_TESTS_CAMERAS_SCENE_PICTURE_H
#define BRIO_TESTS_CAMERAS_SCENE_PICTURE_H

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "drivers/cameras/finders/tags.h"
#include "drivers/cameras/modes/sheet.h"
#include "drivers/cameras/picture.h"
#include "scene/camera.h"

enum { SHEET_CELLS = 16, SAMPLES = 2 };

/* The cells of a sheet's tags: 1 is white. */
typedef struct sheet {
  const brio_camera_settings *settings;
  int count, total, border; /* tags; cells of a tag with its white border, and of the border */
  double corners[64][2];    /* upper left ones, m */
  uint8_t cells[64][SHEET_CELLS][SHEET_CELLS];
} sheet;

/* Take the tags from libapriltag. */
static inline sheet *sheet_new(const brio_camera_settings *settings) {
  sheet *s = calloc(1, sizeof *s);
  apriltag_family_t *family = brio_tag_family_new(settings->family, NULL);
  s->settings = settings;
  s->count = (int)settings->columns * (int)settings->rows;
  s->total = family->total_width, s->border = (family->total_width - family->width_at_border) / 2;
  for (int i = 0; i < s->count; i++) {
    double corners[4][2];
    brio_board_corners(settings, (int)settings->first + i, corners);
    memcpy(s->corners[i], corners[3], sizeof s->corners[i]);
    image_u8_t *image = apriltag_to_image(family, (uint32_t)((int)settings->first + i));
    for (int y = 0; y < s->total; y++)
      for (int x = 0; x < s->total; x++) s->cells[i][y][x] = image->buf[y * image->stride + x] > 127;
    free(image->buf), free(image);
  }
  brio_tag_family_free(family);
  return s;
}

/* Whether the sheet is white at a point, m. */
static inline int sheet_is_white(const sheet *s, double x, double y) {
  const brio_camera_settings *t = s->settings;
  double step = t->size + t->spacing, cell = t->size / (s->total - 2 * s->border);
  int column = (int)lround(x / step + (t->columns - 1) / 2), row = (int)lround(y / step + (t->rows - 1) / 2);
  if (column < 0 || row < 0 || column >= (int)t->columns || row >= (int)t->rows) return 1;
  int index = row * (int)t->columns + column;
  int i = (int)floor((x - s->corners[index][0]) / cell) + s->border;
  int j = (int)floor((y - s->corners[index][1]) / cell) + s->border;
  return i < 0 || j < 0 || i >= s->total || j >= s->total || s->cells[index][j][i];
}

/* Rays of a camera, SAMPLES x SAMPLES a pixel, so that edges are where they are; made once. */
static inline const brio_vec3 *rays_of(const brio_camera *camera) {
  static brio_vec3 *rays;
  size_t count = (size_t)camera->width * (size_t)camera->height * SAMPLES * SAMPLES;
  if (rays) return rays;
  rays = calloc(count, sizeof *rays);
  for (size_t i = 0; i < count; i++) {
    size_t k = i % (SAMPLES * SAMPLES), at = i / (SAMPLES * SAMPLES), width = (size_t)camera->width;
    double pixel[2] = {(double)(at % width) + ((double)(k % SAMPLES) + 0.5) / SAMPLES - 0.5,
                       (double)(at / width) + ((double)(k / SAMPLES) + 0.5) / SAMPLES - 0.5};
    brio_camera_ray(camera, pixel, &rays[i]);
  }
  return rays;
}

/* Draw what the test's one camera sees of the sheet at `pose` (optical from sheet), with noise of some gray
** levels. */
static inline void draw_sheet(const sheet *s, const brio_camera *camera, brio_pose pose, double noise,
                              brio_picture *out) {
  brio_random random = brio_random_stream(3, "picture");
  brio_pose back = brio_pose_inverse(pose);
  const brio_vec3 *ray = rays_of(camera);
  brio_picture_resize(out, camera->width, camera->height, NULL);
  for (int i = 0; i < camera->width * camera->height; i++) {
    int white = 0;
    for (int k = 0; k < SAMPLES * SAMPLES; k++, ray++) {
      brio_vec3 d = brio_quat_rotate(back.q, *ray);
      double far = -back.p.z / d.z;
      white += far > 0 && sheet_is_white(s, back.p.x + far * d.x, back.p.y + far * d.y);
    }
    /* Uniform noise of that deviation. */
    double level = 30 + 190.0 * white / (SAMPLES * SAMPLES) + brio_random_uniform(&random, -1.7, 1.7) * noise;
    out->gray[i] = (uint8_t)fmax(0, fmin(255, level));
  }
}

#endif
