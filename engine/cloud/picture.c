/* Pictures of point clouds, rendered into memory with a depth for each pixel.
**
** Shading is eye-dome lighting (Boucheny, "Interactive scientific visualization of large datasets", 2009): a
** pixel is darker the nearer its neighbors are in front of it; in perspective, the logarithm of the distance
** counts.
**
** Clouds without colors get hues from blue (low) to red (high), between the 2nd and the 98th percentile of
** heights, so that a few outliers do not take up the range of colors. */
#include "cloud/picture.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 2000 }; /* heights that percentiles are taken from */

struct brio_cloud_picture {
  int width, height;
  uint8_t (*pixels)[3];
  float *depth; /* m; INFINITY: nothing there */
};

brio_cloud_picture *brio_cloud_picture_new(int width, int height, const uint8_t color[3], brio_error *err) {
  if (width < 1 || height < 1 || width > BRIO_CLOUD_PIXELS || height > BRIO_CLOUD_PIXELS) {
    brio_fail(err, BRIO_MISUSE, "a picture of %d x %d pixels: 1 to %d were expected", width, height,
              BRIO_CLOUD_PIXELS);
    return NULL;
  }
  size_t count = (size_t)width * (size_t)height;
  brio_cloud_picture *picture = calloc(1, sizeof *picture);
  if (picture)
    *picture = (brio_cloud_picture){width, height, malloc(count * 3), malloc(count * sizeof(float))};
  if (!picture || !picture->pixels || !picture->depth) {
    brio_cloud_picture_free(picture);
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a picture of %d x %d pixels", width, height);
    return NULL;
  }
  /* An empty picture: one color, every depth infinite. */
  for (size_t i = 0; i < count; i++) {
    memcpy(picture->pixels[i], color, 3);
    picture->depth[i] = INFINITY;
  }
  return picture;
}

void brio_cloud_picture_free(brio_cloud_picture *picture) {
  if (!picture) return;
  free(picture->pixels);
  free(picture->depth);
  free(picture);
}

const uint8_t *brio_cloud_picture_pixels(const brio_cloud_picture *picture) { return picture->pixels[0]; }

/* ------------------------------------------------------------------ colors */

/* Order of floats for qsort. */
static int compare(const void *a, const void *b) {
  float x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return x < y ? -1 : x > y;
}

/* Find the heights of the lowest and the highest color, m: the 2nd and 98th percentile of up to SAMPLES
** points. */
static void find_heights(const brio_cloud *cloud, double heights[2]) {
  /* Every step-th point, so that the sample covers the whole cloud. */
  float sample[SAMPLES] = {0};
  int n = 0, step = cloud->count / SAMPLES + 1;
  for (int i = 0; i < cloud->count && n < SAMPLES; i += step)
    if (brio_cloud_has(cloud, i)) sample[n++] = cloud->points[i][2];
  qsort(sample, (size_t)n, sizeof *sample, compare);
  heights[0] = n > 0 ? sample[n / 50] : 0;
  heights[1] = n > 0 ? sample[n - 1 - n / 50] : 1;
}

/* The color of a share from low (0) to high (1): hues from 240 to 0 degrees, in red, green and blue. */
static void color_of_share(double share, uint8_t color[3]) {
  /* In units of 60 degrees: 4 is blue, 2 green, 0 red. */
  double hue = 4 * (1 - fmin(1, fmax(0, share)));
  /* Red, green and blue are each full within 60 degrees of their own hue, and fade over the next 60. */
  for (int k = 0; k < 3; k++) {
    double apart = fabs(remainder(hue - 2 * k, 6));
    color[k] = (uint8_t)lround(255 * (0.3 + 0.6 * fmin(1, fmax(0, 2 - apart))));
  }
}

/* ------------------------------------------------------------------ points */

/* Project a point: pixel coordinates and depth into `at`. Return false if it is not in front of the eye, or
** far outside. */
static bool project(const brio_cloud_view *view, const float p[3], double at[3]) {
  for (int k = 0; k < 3; k++)
    at[k] = view->rows[k][0] * p[0] + view->rows[k][1] * p[1] + view->rows[k][2] * p[2] + view->rows[k][3];
  /* Far outside the picture, the conversion to int would overflow. Parallel projection has no eye, so nothing
  ** is behind it. */
  if (!view->perspective) return fabs(at[0]) < 1e6 && fabs(at[1]) < 1e6;
  if (!(at[2] > 1e-3)) return false;
  at[0] /= at[2];
  at[1] /= at[2];
  return fabs(at[0]) < 1e6 && fabs(at[1]) < 1e6;
}

/* Draw a square about a pixel, in those pixels where nothing nearer is. O(size^2) */
static void put_square(brio_cloud_picture *picture, const double at[3], int size, const uint8_t color[3]) {
  assert(size >= 1);
  /* The square is centered on the point, and clipped to the picture. */
  int left = (int)floor(at[0] - (size - 1) * 0.5), top = (int)floor(at[1] - (size - 1) * 0.5);
  for (int y = top < 0 ? 0 : top; y < top + size && y < picture->height; y++)
    for (int x = left < 0 ? 0 : left; x < left + size && x < picture->width; x++) {
      size_t i = (size_t)y * (size_t)picture->width + (size_t)x;
      /* Something nearer, or as near, is there already. */
      if (!((float)at[2] < picture->depth[i])) continue;
      picture->depth[i] = (float)at[2];
      memcpy(picture->pixels[i], color, 3);
    }
}

void brio_cloud_picture_paint(brio_cloud_picture *picture, const brio_cloud *cloud,
                              const brio_cloud_view *view, const uint8_t *color, bool heights, int size) {
  double between[2] = {0, 1}, at[3];
  uint8_t own[3];
  /* One color for all, or the points' own, or one by height. */
  heights = !color && (heights || !cloud->colors);
  if (heights) find_heights(cloud, between);
  for (int i = 0; i < cloud->count; i++) {
    if (!brio_cloud_has(cloud, i) || !project(view, cloud->points[i], at)) continue;
    if (color) memcpy(own, color, 3);
    else if (!heights) memcpy(own, cloud->colors[i], 3);
    else color_of_share((cloud->points[i][2] - between[0]) / fmax(1e-6, between[1] - between[0]), own);
    put_square(picture, at, size < 1 ? 1 : size, own);
  }
}

/* ------------------------------------------------------------------ shading */

/* The mean of how much nearer the pixels around a pixel are, each counted up to a limit, so that edges of
** objects are dark but not black. Pixels without a point count as far. */
static double drop_at(const brio_cloud_picture *p, const float *depth, int x, int y) {
  static const int around[8][2] = {{-2, 0}, {2, 0}, {0, -2}, {0, 2}, {-4, -4}, {4, -4}, {-4, 4}, {4, 4}};
  /* Four neighbors at 2 pixels, four diagonal ones at 4. */
  double sum = 0, own = depth[(size_t)y * (size_t)p->width + (size_t)x];
  for (int k = 0; k < 8; k++) {
    int u = x + around[k][0], v = y + around[k][1];
    if (u < 0 || v < 0 || u >= p->width || v >= p->height) continue;
    double other = depth[(size_t)v * (size_t)p->width + (size_t)u];
    if (other < own) sum += fmin(own - other, 0.2);
  }
  return sum / 8;
}

bool brio_cloud_picture_shade(brio_cloud_picture *p, bool perspective, brio_error *err) {
  size_t count = (size_t)p->width * (size_t)p->height;
  float *depth = calloc(count, sizeof *depth);
  if (!depth)
    return brio_fail(err, BRIO_NO_MEMORY, "no memory to shade a picture of %d x %d pixels", p->width,
                     p->height);
  /* In perspective, equal differences of the logarithm look equally deep. */
  for (size_t i = 0; i < count; i++) depth[i] = perspective ? logf(fmaxf(p->depth[i], 1e-3f)) : p->depth[i];
  for (int y = 0; y < p->height; y++)
    for (int x = 0; x < p->width; x++) {
      /* Depths are read and colors written: the result does not depend on the order of pixels. */
      size_t i = (size_t)y * (size_t)p->width + (size_t)x;
      if (!isfinite(depth[i])) continue;
      /* The brightness falls exponentially with the mean difference of depths. */
      double light = exp(-18 * drop_at(p, depth, x, y));
      for (int k = 0; k < 3; k++) p->pixels[i][k] = (uint8_t)lround(p->pixels[i][k] * light);
    }
  free(depth);
  return true;
}
