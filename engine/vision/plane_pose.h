/* Where a plane with known points stands before a camera, from their pixels: tags and printed boards.
**
** A small or distant square looks nearly the same when it is tilted the other way about the line of sight, so
** the error of its pixels can have two minima.  Both are found, with the errors by which they compare.  Pure
** functions, no allocation. */
#ifndef BRIO_VISION_PLANE_POSE_H
#define BRIO_VISION_PLANE_POSE_H

#include "math/pose.h"
#include "scene/camera.h"

enum { BRIO_PLANE_MIN_POINTS = 4, BRIO_PLANE_MAX_POINTS = 1024 };

/* Points of a plane, and where they are in a picture. */
typedef struct brio_plane_view {
  int count;
  const double (*points)[2]; /* count x 2, m: in the plane z = 0 */
  const double (*pixels)[2]; /* count x 2, px */
} brio_plane_view;

typedef struct brio_plane_pose {
  brio_pose pose;        /* optical camera frame (x right, y down, z forward) from plane */
  double squares;        /* px^2: sum of the squared errors of all pixels */
  double covariance[36]; /* 6 x 6: position (m), then rotation vector in the camera's frame (rad), for
                         ** independent errors of 1 px standard deviation in each pixel coordinate */
} brio_plane_pose;

/* Write the homography (3 x 3, row by row, h[8] = 1 up to the scale of the points) from the points to
** `images`, which has count rows.  Least squares of the linear equations.  Return false: fewer than 4 points,
** or points on one line. */
bool brio_plane_homography(int count, const double (*points)[2], const double (*images)[2], double h[9]);

/* Write the pose of a homography to normalized image coordinates (z = 1), the plane before the camera.
** Return false: it is none of a plane. */
bool brio_plane_pose_of_homography(const double h[9], brio_pose *pose);

/* Write the one or two poses that explain the view best, the better one first.  Return their number; 0:
** too few or too many points, points on one line, pixels off the camera's rays. */
int brio_plane_pose_find(const brio_camera *camera, const brio_plane_view *view, brio_plane_pose out[2]);

/* Refine a pose to the nearest minimum of the pixels' squared errors (Levenberg and Marquardt's method), and
** write errors and covariance.  Return false: a point is behind the camera, or the covariance is infinite. */
bool brio_plane_pose_refine(const brio_camera *camera, const brio_plane_view *view, brio_pose start,
                            brio_plane_pose *out);

#endif
