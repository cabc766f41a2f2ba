/* Point clouds: what a depth camera or a laser sees.
**
** Points are in meters in the cloud's own frame: of a camera the link's (x forward, y left, z up), whatever
** axes the file or the sensor uses (files/file.h turns them).  A place without a point is NAN in x, y and z.
** An organized cloud keeps the rows and columns of its picture; else height is 1.
**
** Memory is kept: a cloud that is read or resized again allocates only when it grows.  Nothing here is
** locked: one thread writes, or many read. */
#ifndef BRIO_CLOUD_CLOUD_H
#define BRIO_CLOUD_CLOUD_H

#include <stdint.h>

#include "base/error.h"
#include "geometry/box.h"
#include "math/pose.h"

enum {
  BRIO_CLOUD_POINTS = 16000000, /* of one cloud, at most */
  BRIO_CLOUD_FARTHEST = 100000, /* m: what is farther along an axis is no point, but counted */
  BRIO_CLOUD_FRAME = 32         /* bytes of a frame's name, its closing 0 among them */
};

/* What a cloud may have beside its points. */
enum { BRIO_CLOUD_COLORS = 1, BRIO_CLOUD_LABELS = 2 };

typedef struct brio_cloud {
  int count;              /* places, those without a point among them: width * height */
  int width, height;      /* height 1: not organized; else place = row * width + column */
  float (*points)[3];     /* count; x, y, z, m; NAN: no point there */
  uint8_t (*colors)[3];   /* count; red, green, blue (sRGB); NULL: none */
  uint32_t *labels;       /* count; what a point belongs to, as the file says it; NULL: none */
  double time;            /* s of the run when it was seen; NAN: not known */
  char frame[BRIO_CLOUD_FRAME]; /* what the points are seen from: a link or frame by name; "": not known */
  brio_pose viewpoint;    /* of the sensor in the cloud's frame */
  int missing;            /* places without a point, those that were too far among them */
  int far;                /* places that held a point beyond BRIO_CLOUD_FARTHEST, taken out */
  long long unread;       /* bytes of a file behind all that its header announces */
  struct brio_cloud_memory *memory; /* what the arrays stand in; not yours */
} brio_cloud;

/* Make an empty cloud.  Errors: no_memory. */
brio_cloud *brio_cloud_new(brio_error *err);

/* Give it back.  NULL is allowed. */
void brio_cloud_free(brio_cloud *cloud);

/* Make room for width * height places with `parts` (BRIO_CLOUD_COLORS | BRIO_CLOUD_LABELS) beside the
** points; the arrays' contents are undefined afterwards, all else is as in a new cloud.  Allocates only
** what it had no room for yet.  On failure the cloud is empty.  Errors: misuse (a size below 0), limit,
** no_memory. */
bool brio_cloud_resize(brio_cloud *cloud, int width, int height, int parts, brio_error *err);

/* Take out what is no point: where one of x, y, z is not finite or beyond BRIO_CLOUD_FARTHEST all three
** become NAN.  Sets `missing` and `far`.  Call it after writing points by hand. */
void brio_cloud_judge(brio_cloud *cloud);

/* Make `to` a copy of `from`.  Errors: no_memory. */
bool brio_cloud_copy(brio_cloud *to, const brio_cloud *from, brio_error *err);

/* Give `to` what `from` says beside its places: time, frame and viewpoint. */
void brio_cloud_facts(brio_cloud *to, const brio_cloud *from);

/* Turn and shift all points, and the viewpoint: `pose` is the cloud's frame in the new one. */
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

/* Whether place i holds a point, of a cloud that was judged. */
static inline bool brio_cloud_has(const brio_cloud *cloud, int i) {
  return cloud->points[i][0] == cloud->points[i][0];
}

/* Return point i. */
static inline brio_vec3 brio_cloud_point(const brio_cloud *cloud, int i) {
  return (brio_vec3){cloud->points[i][0], cloud->points[i][1], cloud->points[i][2]};
}

#endif
