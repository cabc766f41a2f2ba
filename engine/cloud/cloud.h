/* Point clouds of depth cameras and lasers.
**
** Points are in meters in the cloud's own frame: of a camera the link's (x forward, y left, z up), whatever
** axes the file or the sensor uses (files/file.h converts them).  A place without a point is NAN in x, y and
** z.  An organized cloud keeps the rows and columns of its picture; else height is 1.
**
** Memory is kept: a cloud that is read or resized again allocates only when it grows.  There are no locks:
** one thread writes, or many read. */
#ifndef BRIO_CLOUD_CLOUD_H
#define BRIO_CLOUD_CLOUD_H

#include <stdint.h>

#include "base/error.h"
#include "geometry/box.h"
#include "math/pose.h"

enum {
  BRIO_CLOUD_POINTS = 16000000, /* of one cloud, at most */
  BRIO_CLOUD_FARTHEST = 100000, /* m: points farther along an axis are removed, but counted */
  BRIO_CLOUD_FRAME = 32         /* bytes of a frame's name with its terminating 0 */
};

/* Optional parts of a cloud. */
enum { BRIO_CLOUD_COLORS = 1, BRIO_CLOUD_LABELS = 2 };

typedef struct brio_cloud {
  int count;              /* places, including those without a point: width * height */
  int width, height;      /* height 1: not organized; else place = row * width + column */
  float (*points)[3];     /* count; x, y, z, m; NAN: no point there */
  uint8_t (*colors)[3];   /* count; red, green, blue (sRGB); NULL: none */
  uint32_t *labels;       /* count; the label of a point, as in the file; NULL: none */
  double time;            /* s of the run when it was measured; NAN: unknown */
  char frame[BRIO_CLOUD_FRAME]; /* link or frame from which the points are seen; "": unknown */
  brio_pose viewpoint;    /* of the sensor in the cloud's frame */
  int missing;            /* places without a point, including those too far away */
  int far;                /* places with a point beyond BRIO_CLOUD_FARTHEST, which were removed */
  long long unread;       /* bytes of a file after the end that its header announces */
  struct brio_cloud_memory *memory; /* memory of the arrays; private */
} brio_cloud;

/* Make an empty cloud.  Errors: no_memory. */
brio_cloud *brio_cloud_new(brio_error *err);

/* Free it.  NULL is allowed. */
void brio_cloud_free(brio_cloud *cloud);

/* Make room for width * height places with `parts` (BRIO_CLOUD_COLORS | BRIO_CLOUD_LABELS) with the
** points; the arrays' contents are undefined afterwards, all else is as in a new cloud.  Allocates only
** what it had no room for yet.  On failure the cloud is empty.  Errors: misuse (a size below 0), limit,
** no_memory. */
bool brio_cloud_resize(brio_cloud *cloud, int width, int height, int parts, brio_error *err);

/* Remove invalid points: where one of x, y, z is not finite or beyond BRIO_CLOUD_FARTHEST all three become
** NAN. Sets `missing` and `far`.  Call it after writing points directly. */
void brio_cloud_judge(brio_cloud *cloud);

/* Make `to` a copy of `from`.  Errors: no_memory. */
bool brio_cloud_copy(brio_cloud *to, const brio_cloud *from, brio_error *err);

/* Copy the attributes of `from` to `to`: time, frame and viewpoint. */
void brio_cloud_facts(brio_cloud *to, const brio_cloud *from);

/* Transform all points, and the viewpoint: `pose` is the cloud's frame in the new one. */
void brio_cloud_transform(brio_cloud *cloud, brio_pose pose);

/* Write the points that `keep` (count flags) names, in order, to `to`, which is not organized; colors and
** labels go with them, places without a point do not.  Errors: no_memory. */
bool brio_cloud_select(brio_cloud *to, const brio_cloud *from, const bool *keep, brio_error *err);

/* Write the points within `box` to `to`, as brio_cloud_select.  Errors: no_memory. */
bool brio_cloud_crop(brio_cloud *to, const brio_cloud *from, const brio_box *box, brio_error *err);

/* Write one point for each cube of side `size` (1e-4 m or more; in a grid about the frame's origin) that
** holds any: the mean of their places and colors, and the label that more than half of them have, if one
** does.  They come in the order in which the cubes are first met; `to` is not organized and not `from`.
** Errors: misuse (the size), no_memory. */
bool brio_cloud_voxels(brio_cloud *to, const brio_cloud *from, double size, brio_error *err);

/* The least box around all points; false: there are none. */
bool brio_cloud_extent(const brio_cloud *cloud, brio_box *box);

/* Whether place i holds a point, in a judged cloud. */
static inline bool brio_cloud_has(const brio_cloud *cloud, int i) {
  return cloud->points[i][0] == cloud->points[i][0];
}

/* Return point i. */
static inline brio_vec3 brio_cloud_point(const brio_cloud *cloud, int i) {
  return (brio_vec3){cloud->points[i][0], cloud->points[i][1], cloud->points[i][2]};
}

#endif
