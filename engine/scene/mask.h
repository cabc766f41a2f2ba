/* Pixels of a picture that belong to a thing, and its position by a depth picture: a mask from a box, runs or
** a polygon, eroded at its border; the depths under it without outliers; their middle and extent in space.
** Also boxes in space from their corners. */
#ifndef BRIO_SCENE_MASK_H
#define BRIO_SCENE_MASK_H

#include <stdint.h>

#include "scene/camera.h"

enum { BRIO_MASK_MOST = 1 << 24 /* pixels */ };

typedef struct brio_mask brio_mask;

/* Make an empty mask for pictures of that size, and free it.  Errors: misuse, no_memory.  All other
** functions allocate nothing. */
brio_mask *brio_mask_new(int width, int height, brio_error *err);
void brio_mask_free(brio_mask *mask);

/* Clear the mask; return whether a pixel is set, and how many are. */
void brio_mask_clear(brio_mask *mask);
bool brio_mask_has(const brio_mask *mask, int x, int y);
int brio_mask_count(const brio_mask *mask);

/* Set the pixels whose centers are in the box, as far as the picture goes.  False: the box has a number that
** is not finite, or a negative length (misuse). */
bool brio_mask_box(brio_mask *mask, const brio_picture_box *box, brio_error *err);

/* Set pixels by run lengths: unset, set, unset, ... row by row from the upper left, or column by column where
** `columns` is set (COCO's order).  The runs must end with the picture.  False, with nothing set: they do not
** (format). */
bool brio_mask_runs(brio_mask *mask, const uint32_t *runs, int count, bool columns, brio_error *err);

/* Set the pixels whose centers are within a closed polygon x y x y ... (px), by the even-odd rule.  False:
** fewer than 3 or more than 4096 points, or one that is not finite (misuse). */
bool brio_mask_polygon(brio_mask *mask, const double *points, int count, brio_error *err);

/* Erode: clear pixels within `radius` px (0 to 255; clamped) of an unset pixel.  The picture's border counts
** as set. */
void brio_mask_erode(brio_mask *mask, double radius);

/* A depth picture: one of two kinds of numbers, row by row. */
typedef struct brio_depth {
  int width, height;
  const uint16_t *raw; /* times `unit`; 0: unknown; NULL: `meters` has them */
  const float *meters; /* NaN, infinite or not above 0: unknown */
  double unit;         /* m, of one step of raw; 0: 0.001 */
} brio_depth;

/* Options of brio_mask_look. */
typedef struct brio_look {
  double nearest, farthest; /* m: depths beyond count as unknown; farthest 0: 100 */
  double outliers;          /* deviations from the median beyond which a depth does not count; 0: 3.5 */
  int least;                /* pixels that must be left; 0: 8 */
} brio_look;

/* Its result. */
typedef struct brio_looked {
  brio_vec3 center;         /* m, in the camera's frame: the mean of all points */
  brio_vec3 size;           /* m, along the frame's axes: from the 2nd to the 98th percentile */
  double median, deviation; /* m, of the depths: 1.4826 times the median of the deviations */
  int known, used;          /* pixels of the mask whose depth is known, and without outliers */
} brio_looked;

/* Find the thing under the mask.  Mask and depth picture may differ in size, and so may the camera's
** pictures: all show the same view.  False and an error: invalid sizes (misuse), too few pixels
** with a depth (unreachable). */
bool brio_mask_look(brio_mask *mask, const brio_depth *depth, const brio_camera *camera,
                    const brio_look *look, brio_looked *found, brio_error *err);

/* Write pose and size of a box out of its eight corners (m).  With `turned` not NULL the box is turned
** so, and the corners come in any order; else corner i is at +x where i has bit 1, at +y where it has
** bit 2, at +z where it has bit 4.  False and an error (misuse): numbers that are not finite, or corners that
** do not form a box. */
bool brio_box_of_corners(const brio_vec3 corners[8], const brio_quat *turned, brio_pose *pose,
                         brio_vec3 *size, brio_error *err);

#endif
