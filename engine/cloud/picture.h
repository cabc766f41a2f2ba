/* Pictures of point clouds: each point a square of pixels, the nearest on top. */
#ifndef BRIO_CLOUD_PICTURE_H
#define BRIO_CLOUD_PICTURE_H

#include "cloud/cloud.h"

enum { BRIO_CLOUD_PIXELS = 8192 /* columns or rows, at most */ };

typedef struct brio_cloud_picture brio_cloud_picture;

/* Where a point is in the picture: with (x, y, z, 1) times each row, column and row in pixels (from the upper
** left corner) and how far it is away, m; in perspective the first two are divided by the third. */
typedef struct brio_cloud_view {
  double rows[3][4];
  bool perspective;
} brio_cloud_view;

/* Make a picture of width x height pixels in one color.  Errors: misuse (a size of 1 to BRIO_CLOUD_PIXELS was
** expected), no_memory. */
brio_cloud_picture *brio_cloud_picture_new(int width, int height, const uint8_t color[3], brio_error *err);

/* Give it back.  NULL is allowed. */
void brio_cloud_picture_free(brio_cloud_picture *picture);

/* Paint the points of a cloud in `color`; NULL: in their own.  Those without any, or all of them with
** `heights`, go from blue (low) over green to red (high) along the frame's z.  `size`: pixels of a point's
** side, at least 1. */
void brio_cloud_picture_paint(brio_cloud_picture *picture, const brio_cloud *cloud,
                              const brio_cloud_view *view, const uint8_t *color, bool heights, int size);

/* Darken pixels beside nearer ones, so that shapes show without colors: by how many times nearer these are,
** or in parallel views by how many m.  Once all is painted.  Errors: no_memory. */
bool brio_cloud_picture_shade(brio_cloud_picture *picture, bool perspective, brio_error *err);

/* Return the pixels: height rows of width times red, green, blue. */
const uint8_t *brio_cloud_picture_pixels(const brio_cloud_picture *picture);

#endif
