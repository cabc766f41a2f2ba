/* Positions by depth: see look.h. The mask is eroded, and depths far from the median do not count
** (scene/mask.h), as far as the request sets for the class. */
#include "feed/look.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

brio_feed_looker *brio_feed_looker_new(void) {
  /* Aligned for the triple buffer's counters. */
  brio_feed_looker *looker = aligned_alloc(64, (sizeof *looker + 63) / 64 * 64);
  if (looker) memset(looker, 0, sizeof *looker);
  if (looker && brio_triple_start(&looker->depths, sizeof(brio_feed_depth))) return looker;
  free(looker);
  return NULL;
}

void brio_feed_looker_free(brio_feed_looker *looker) {
  if (!looker) return;
  brio_triple_end(&looker->depths);
  brio_mask_free(looker->mask);
  free(looker);
}

bool brio_feed_looker_take(brio_feed_looker *looker, const brio_cloud *cloud) {
  /* Large pictures are reduced by whole rows and columns. */
  brio_feed_depth *depth = brio_triple_back(&looker->depths);
  int step = 1;
  if (cloud->height < 2 || cloud->width < 2) return false;
  /* The smallest step at which the picture fits. */
  while ((int64_t)(cloud->width / step) * (cloud->height / step) > BRIO_FEED_PIXELS) step++;
  depth->width = cloud->width / step;
  depth->height = cloud->height / step;
  for (int y = 0; y < depth->height; y++) {
    /* A cloud's x is the depth along the camera's axis; the other coordinates are not needed. */
    const float(*row)[3] = (const float(*)[3])cloud->points + (size_t)(y * step) * (size_t)cloud->width;
    float *out = depth->meters + (size_t)y * (size_t)depth->width;
    for (int x = 0; x < depth->width; x++) out[x] = row[x * step][0];
  }
  brio_triple_publish(&looker->depths);
  return true;
}

/* Provide a mask of the size of the detector's pictures. False: too large, or no memory. */
static bool has_mask(brio_feed_looker *looker, const brio_camera *camera) {
  if (looker->mask && looker->width == camera->width && looker->height == camera->height) return true;
  brio_mask_free(looker->mask);
  looker->mask = (int64_t)camera->width * camera->height > BRIO_FEED_PICTURE
                     ? NULL
                     : brio_mask_new(camera->width, camera->height, NULL);
  looker->width = camera->width;
  looker->height = camera->height;
  return looker->mask != NULL;
}

/* Fill the mask with a detection's box, polygon or runs. False: its numbers are invalid. */
static bool fill_mask(brio_feed_looker *looker, const brio_feed_frame *frame, const brio_feed_seen *seen,
                      brio_error *err) {
  const float *outline = frame->outline + seen->first;
  const brio_picture_box box = {(double)seen->box[0], (double)seen->box[1], (double)seen->box[2],
                                (double)seen->box[3]};
  brio_mask_clear(looker->mask);
  if (seen->mask == BRIO_FEED_NO_MASK) return brio_mask_box(looker->mask, &box, err);
  assert(seen->first >= 0 && seen->count >= 0 && seen->first + seen->count <= BRIO_FEED_OUTLINE);
  /* The outline's numbers become those of scene/mask.h: a polygon's corners as x, y, x, y, ... */
  if (seen->mask == BRIO_FEED_POLYGON) {
    for (int i = 0; i < seen->count; i++) looker->points[i] = (double)outline[i];
    return brio_mask_polygon(looker->mask, looker->points, seen->count / 2, err);
  }
  /* Runs by rows or by columns, beginning with unset pixels. */
  for (int i = 0; i < seen->count; i++) looker->runs[i] = (uint32_t)outline[i];
  return brio_mask_runs(looker->mask, looker->runs, seen->count, seen->mask == BRIO_FEED_COLUMNS, err);
}

/* The settings for a class, or the general ones where it has none. O(classes). */
static void settings_of(const brio_feed_wanted *wanted, const char *kind, double *erosion, double *outlier) {
  *erosion = wanted->erosion;
  *outlier = wanted->outlier;
  /* A class overrides each setting that it gives. */
  for (int i = 0; i < wanted->count; i++) {
    if (strcmp(wanted->classes[i].name, kind) != 0) continue;
    if (wanted->classes[i].erosion > 0) *erosion = wanted->classes[i].erosion;
    if (wanted->classes[i].outlier > 0) *outlier = wanted->classes[i].outlier;
  }
}

/* Find the position of one detection in the newest depth picture. False: with the reason. */
static bool find_place(brio_feed_looker *looker, const brio_feed_wanted *wanted, const brio_feed_frame *frame,
                       brio_feed_seen *seen, brio_error *err) {
  brio_detection *d = &seen->detection;
  const brio_feed_depth *picture = looker ? brio_triple_front(&looker->depths) : NULL;
  brio_looked found;
  double erosion, outlier;
  /* Both may be missing: a picture, and a mask for this camera. */
  if (!picture || picture->width == 0) return brio_fail(err, BRIO_UNREACHABLE, "there is no depth picture");
  if (!has_mask(looker, &frame->camera))
    return brio_fail(err, BRIO_LIMIT, "pictures of %d x %d pixels", frame->camera.width,
                     frame->camera.height);
  /* Mask, erosion, then the depths under what is left. */
  settings_of(wanted, d->kind, &erosion, &outlier);
  if (!fill_mask(looker, frame, seen, err)) return false;
  brio_mask_erode(looker->mask, erosion);
  /* Picture and mask may differ in size: they show the same view. */
  const brio_depth depth = {.width = picture->width, .height = picture->height, .meters = picture->meters};
  const brio_look look = {.outliers = outlier};
  if (!brio_mask_look(looker->mask, &depth, &frame->camera, &look, &found, err)) return false;
  d->pose.p = found.center;
  /* A size that the detector gave is better than the visible extent. */
  if (d->size.x == 0 && d->size.y == 0 && d->size.z == 0) d->size = found.size;
  seen->has |= BRIO_FEED_HAS_POSE;
  return true;
}

void brio_feed_look_at(brio_feed_looker *looker, const brio_feed_wanted *wanted, brio_feed_frame *frame,
                       brio_feed_meter *meter) {
  int kept = 0;
  brio_error err;
  if (looker) brio_triple_fetch(&looker->depths);
  /* Detections with a position move to the front; the others are counted. */
  for (int i = 0; i < frame->count; i++) {
    brio_feed_seen *seen = &frame->seen[i];
    bool good = seen->has & BRIO_FEED_HAS_POSE || find_place(looker, wanted, frame, seen, &err);
    if (!good) brio_feed_refuse(meter, BRIO_FEED_PLACE, "'%s': %.180s", seen->detection.kind, err.message);
    else if (kept++ < i) frame->seen[kept - 1] = *seen;
  }
  frame->count = kept;
}
