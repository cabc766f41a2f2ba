/* Intrinsics of a camera from pictures of a board with known points.
**
** Zhang's method: each picture gives a homography, all of them the focal lengths; then intrinsics,
** distortion and the poses of the board are refined together, to the least squares of all pixels' errors.
** Source: Zhang, "A flexible new technique for camera calibration", PAMI 2000.  Off the tick: it
** allocates. */
#ifndef BRIO_VISION_CALIBRATION_H
#define BRIO_VISION_CALIBRATION_H

#include "base/error.h"
#include "vision/plane_pose.h"

enum {
  BRIO_CALIBRATION_NUMBERS = 9, /* fx fy cx cy k1 k2 k3 p1 p2 */
  BRIO_CALIBRATION_MIN_VIEWS = 3,
  BRIO_CALIBRATION_MAX_VIEWS = 1000
};

typedef struct brio_calibration_options {
  int width, height; /* px of the pictures */
  int radial;        /* 0 to 3: coefficients of radial distortion that are estimated */
  bool tangential;   /* whether p1, p2 are */
} brio_calibration_options;

typedef struct brio_calibration {
  brio_camera camera;
  double error; /* px: root of the mean of squared distances between pixels and projected points */
  /* standard deviation of each number, from the residuals; 0: not estimated */
  double deviation[BRIO_CALIBRATION_NUMBERS];
  int views, points;
} brio_calibration;

/* Return the name of a number, "fx" .. "p2". */
const char *brio_calibration_number(int index);

/* Calibrate from `count` views of a board, each with at least 4 points.  `poses` (count) receives the
** board's pose and error in each.  Errors: misuse (options, number of views), format (a view without a
** pose; views that do not determine the camera), no_memory. */
bool brio_calibrate(const brio_calibration_options *options, int count, const brio_plane_view *views,
                    brio_calibration *out, brio_plane_pose *poses, brio_error *err);

#endif
