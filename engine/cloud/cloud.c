/* Point clouds: their memory, and operations on single points.
**
** The arrays are in blocks that only grow, each separately: a stream of clouds of one size allocates for the
** first one and never again. Points are stored as float, as sensors and files provide them; a pose is applied
** in double precision. Everything here is O(points). */
#include "cloud/cloud.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cloud/room.h"

/* The blocks of a cloud, which are kept between uses: a cloud without colors may own memory for them. */
struct brio_cloud_memory {
  float (*points)[3];
  uint8_t (*colors)[3];
  uint32_t *labels;
  int npoint, ncolor, nlabel; /* places there is room for */
};

brio_cloud *brio_cloud_new(brio_error *err) {
  brio_cloud *cloud = calloc(1, sizeof *cloud);
  struct brio_cloud_memory *memory = calloc(1, sizeof *memory);
  if (!cloud || !memory) {
    free(cloud);
    free(memory);
    brio_fail(err, BRIO_NO_MEMORY, "no memory for a point cloud");
    return NULL;
  }
  cloud->memory = memory;
  /* An empty cloud is valid: 0 x 1 points, no colors, no labels. */
  brio_cloud_resize(cloud, 0, 1, 0, NULL);
  return cloud;
}

void brio_cloud_free(brio_cloud *cloud) {
  if (!cloud) return;
  free(cloud->memory->points);
  free(cloud->memory->colors);
  free(cloud->memory->labels);
  free(cloud->memory);
  free(cloud);
}

/* Make room for `count` items of `size` bytes. Contents are not kept: a block that is too small is replaced,
** not copied. `growths` counts replacements (may be NULL). False: no memory, and the block is empty. */
bool brio_cloud_room(void *block, int *room, int count, size_t size, int *growths) {
  assert(*room >= 0);
  if (count <= 0 || count <= *room || size == 0) return true;
  void *bytes;
  /* `block` points to a pointer of any type: copied by bytes, as C's aliasing rules require. */
  memcpy(&bytes, block, sizeof bytes);
  free(bytes);
  bytes = malloc((size_t)count * size);
  memcpy(block, &bytes, sizeof bytes);
  *room = bytes ? count : 0;
  if (growths) ++*growths;
  return *room == count; // cppcheck-suppress memleak ; the caller's pointer has it
}

/* Reset a cloud to its initial state, but keep its memory. */
static void empty(brio_cloud *cloud) {
  struct brio_cloud_memory *memory = cloud->memory;
  *cloud = (brio_cloud){.height = 1, .time = NAN, .viewpoint = BRIO_POSE_IDENTITY, .memory = memory};
}

bool brio_cloud_resize(brio_cloud *cloud, int width, int height, int parts, brio_error *err) {
  struct brio_cloud_memory *memory = cloud->memory;
  /* Empty it first, so that a failure leaves an empty cloud. */
  empty(cloud);
  if (width < 0 || height < 0)
    return brio_fail(err, BRIO_MISUSE, "a point cloud cannot be %d x %d points", width, height);
  /* The product of two ints fits into 64 bits. */
  long long count = (long long)width * height;
  if (count > BRIO_CLOUD_POINTS)
    return brio_fail(err, BRIO_LIMIT, "a cloud of %lld points: at most %d are taken", count,
                     BRIO_CLOUD_POINTS);
  /* Every block is grown, also after a failure: blocks that could grow keep their new size. */
  bool room = brio_cloud_room(&memory->points, &memory->npoint, (int)count, sizeof *memory->points, NULL);
  if (parts & BRIO_CLOUD_COLORS)
    room = brio_cloud_room(&memory->colors, &memory->ncolor, (int)count, sizeof *memory->colors, NULL) &&
           room;
  if (parts & BRIO_CLOUD_LABELS)
    room = brio_cloud_room(&memory->labels, &memory->nlabel, (int)count, sizeof *memory->labels, NULL) &&
           room;
  if (!room) return brio_fail(err, BRIO_NO_MEMORY, "no memory for a cloud of %lld points", count);
  /* Only the requested parts are visible, though the blocks of others may exist. */
  cloud->count = (int)count;
  cloud->width = width;
  cloud->height = height;
  cloud->points = memory->points;
  cloud->colors = parts & BRIO_CLOUD_COLORS ? memory->colors : NULL;
  cloud->labels = parts & BRIO_CLOUD_LABELS ? memory->labels : NULL;
  return true;
}

void brio_cloud_judge(brio_cloud *cloud) {
  /* A point with a coordinate that is not finite or too far away becomes NAN in all three. */
  const float most = BRIO_CLOUD_FARTHEST;
  cloud->missing = cloud->far = 0;
  for (int i = 0; i < cloud->count; i++) {
    float *p = cloud->points[i];
    if (fabsf(p[0]) <= most && fabsf(p[1]) <= most && fabsf(p[2]) <= most) continue;
    cloud->missing++;
    /* Of the missing ones, those that were finite but too far. */
    cloud->far += isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
    p[0] = p[1] = p[2] = NAN;
  }
}

/* Facts of the recording: time, frame and viewpoint, but not the counts. */
void brio_cloud_facts(brio_cloud *to, const brio_cloud *from) {
  to->time = from->time;
  memcpy(to->frame, from->frame, sizeof to->frame);
  to->viewpoint = from->viewpoint;
}

/* The parts that a cloud has in addition to its points, as bits. */
static int parts_of(const brio_cloud *cloud) {
  return (cloud->colors ? BRIO_CLOUD_COLORS : 0) | (cloud->labels ? BRIO_CLOUD_LABELS : 0);
}

bool brio_cloud_copy(brio_cloud *to, const brio_cloud *from, brio_error *err) {
  assert(from->count == from->width * from->height);
  if (to == from) return true;
  if (!brio_cloud_resize(to, from->width, from->height, parts_of(from), err)) return false;
  size_t count = (size_t)from->count;
  if (count) memcpy(to->points, from->points, count * sizeof *to->points);
  if (count && from->colors) memcpy(to->colors, from->colors, count * sizeof *to->colors);
  if (count && from->labels) memcpy(to->labels, from->labels, count * sizeof *to->labels);
  brio_cloud_facts(to, from);
  /* Copied exactly, places without a point included. */
  to->missing = from->missing;
  to->far = from->far;
  return true;
}

void brio_cloud_transform(brio_cloud *cloud, brio_pose pose) {
  brio_transform t = brio_transform_of(pose);
  for (int i = 0; i < cloud->count; i++) {
    brio_vec3 p = brio_transform_point(&t, brio_cloud_point(cloud, i));
    cloud->points[i][0] = (float)p.x;
    cloud->points[i][1] = (float)p.y;
    cloud->points[i][2] = (float)p.z;
  }
  /* The viewpoint moves with the points. */
  cloud->viewpoint = brio_pose_mul(pose, cloud->viewpoint);
}

/* Count, then copy. The result is not organized, and has valid points only. */
bool brio_cloud_select(brio_cloud *to, const brio_cloud *from, const bool *keep, brio_error *err) {
  int count = 0;
  for (int i = 0; i < from->count; i++) count += keep[i] && brio_cloud_has(from, i);
  if (!brio_cloud_resize(to, count, 1, parts_of(from), err)) return false;
  brio_cloud_facts(to, from);
  for (int i = 0, k = 0; i < from->count; i++) {
    if (!keep[i] || !brio_cloud_has(from, i)) continue;
    memcpy(to->points[k], from->points[i], sizeof *to->points);
    if (to->colors) memcpy(to->colors[k], from->colors[i], sizeof *to->colors);
    if (to->labels) to->labels[k] = from->labels[i];
    k++;
  }
  assert(to->count == count);
  return true;
}

/* Whether a point is within a box. NAN is not: comparisons with it are false. */
static bool within(const float *p, const brio_box *box) {
  return p[0] >= box->lower.x && p[0] <= box->upper.x && p[1] >= box->lower.y && p[1] <= box->upper.y &&
         p[2] >= box->lower.z && p[2] <= box->upper.z;
}

bool brio_cloud_crop(brio_cloud *to, const brio_cloud *from, const brio_box *box, brio_error *err) {
  bool *keep = malloc((size_t)from->count + 1);
  if (!keep) return brio_fail(err, BRIO_NO_MEMORY, "no memory to crop a cloud of %d points", from->count);
  /* A box without points gives an empty cloud, which is no error. */
  for (int i = 0; i < from->count; i++) keep[i] = within(from->points[i], box);
  bool done = brio_cloud_select(to, from, keep, err);
  free(keep);
  return done;
}

bool brio_cloud_extent(const brio_cloud *cloud, brio_box *box) {
  float lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < cloud->count; i++)
    for (int k = 0; k < 3; k++) {
      float v = cloud->points[i][k];
      lower[k] = v < lower[k] ? v : lower[k]; /* NAN is neither less nor more */
      upper[k] = v > upper[k] ? v : upper[k];
    }
  *box = (brio_box){{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}};
  /* Without valid points the box is inverted. */
  return lower[0] <= upper[0];
}
