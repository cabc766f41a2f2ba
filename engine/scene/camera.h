/* Camera models: where a point in space falls in the picture, and which ray a pixel looks along.
** Pixels are counted from the center of the first one at the upper left, (0, 0): u to the right, v
** down.  The camera's frame is optical (x right, y down, z forward), or a body's (x forward, y left,
** z up) where `body` is set.  Pure functions. */
#ifndef BRIO_SCENE_CAMERA_H
#define BRIO_SCENE_CAMERA_H

#include <stdbool.h>

#include "base/error.h"
#include "math/pose.h"

enum { BRIO_CAMERA_RADIAL = 6 };

typedef enum brio_camera_model {
  BRIO_CAMERA_PINHOLE, /* Brown-Conrady: k1 k2 k3 and, rational, k4 k5 k6; p1 p2 */
  BRIO_CAMERA_FISHEYE, /* equidistant: k1 k2 k3 k4 */
  BRIO_CAMERA_MODELS
} brio_camera_model;

typedef struct brio_camera {
  brio_camera_model model;
  int width, height;            /* px of the pictures that the numbers below are for */
  double fx, fy, cx, cy;        /* px */
  double k[BRIO_CAMERA_RADIAL]; /* radial distortion */
  double p[2];                  /* tangential; pinhole only */
  bool body;                    /* points and rays are in a body's frame */
} brio_camera;

/* A box in the picture: the upper left corner and lengths, px. */
typedef struct brio_picture_box {
  double x, y, width, height;
} brio_picture_box;

/* Return the name of a model, "pinhole" or "fisheye", or NULL. */
const char *brio_camera_model_name(brio_camera_model model);

/* Return false and name the invalid number (misuse). */
bool brio_camera_check(const brio_camera *camera, brio_error *err);

/* Return the same camera for pictures of another size. */
brio_camera brio_camera_scaled(const brio_camera *camera, int width, int height);

/* Write where `point` (m) falls in the picture, also beyond its border, and, unless `jacobian` is
** NULL, how that moves with the point: du/dx du/dy du/dz dv/dx dv/dy dv/dz, px/m.  Return false where
** it does not: behind a pinhole, at the camera itself, or so far out that the distortion's formula
** folds back. */
bool brio_camera_project(const brio_camera *camera, brio_vec3 point, double pixel[2], double jacobian[6]);

/* Write the ray of length 1 along which a pixel looks.  Return false where no ray falls there. */
bool brio_camera_ray(const brio_camera *camera, const double pixel[2], brio_vec3 *ray);

/* Write the position of a thing of known height (m) from its box in the picture: the ray through the middle
** of the box, at the distance that follows from the height.  Return false for a box without height or off the
** picture's rays. */
bool brio_camera_by_height(const brio_camera *camera, const brio_picture_box *box, double height,
                           brio_vec3 *point);

/* Write where the ray of a pixel meets the plane normal . x = offset, which is in the world, as is
** the camera.  Return false where it does not, within `most` m. */
bool brio_camera_on_plane(const brio_camera *camera, brio_pose world_from_camera, const double pixel[2],
                          brio_vec3 normal, double offset, double most, brio_vec3 *point);

#endif
