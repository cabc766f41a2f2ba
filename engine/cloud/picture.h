/* Pictures of point clouds: each point a square of pixels, the nearest on top. */
#ifndef BRIO_CLOUD_PICTURE_H
#define BRIO_CLOUD_PICTURE_H

#include "cloud/cloud.h"

enum { BRIO_CLOUD_PIXELS = 8192 /* columns or rows, at most */ };

typedef struct brio_cloud_picture brio_cloud_picture;

/* Projection: (x, y, z, 1) times each row gives column and row in pixels (from the upper left corner) and the
** distance, m; in perspective the first two are divided by the third. */
typedef struct brio_cloud_view {
  double rows[3][4];
  bool perspective;
} brio_cloud_view;

/* Make a picture of width x height pixels in one color.  Errors: misuse (a size of 1 to BRIO_CLOUD_PIXELS was
** expected), no_memory. */
brio_cloud_picture *brio_cloud_picture_new(int width, int height, const uint8_t color[3], brio_error *err);

/* Free it.  NULL is allowed. */
void brio_cloud_picture_free(brio_cloud_picture *picture);

/* Paint the points of a cloud in `color`; NULL: in their own.  Those without any, or all of them with
** `heights`, go from blue (low) over green to red (high) along the frame's z.  `size`: pixels of a point's
** side, at least 1. */
void brio_cloud_picture_paint(brio_cloud_picture *picture, const brio_cloud *cloud,
                              const brio_cloud_view *view, const uint8_t *color, bool heights, int size);

/* Darken pixels next to nearer ones, so that shapes are visible without colors: at this ratio of distances,
** or in parallel views at this difference in m.  Call it after painting.  Errors: no_memory. */
bool brio_cloud_picture_shade(brio_cloud_picture *picture, bool perspective, brio_error *err);

/* Return the pixels: height rows of width times red, green, blue. */
const uint8_t *brio_cloud_picture_pixels(const brio_cloud_picture *picture);

#endif
