/* A depth camera in the simulated world: a cloud from ray casting. */
#ifndef BRIO_WORLD_SENSORS_CAMERA_H
#define BRIO_WORLD_SENSORS_CAMERA_H

#include "cloud/cloud.h"
#include "world/world.h"

typedef struct brio_world_camera {
  brio_pose pose;        /* world_from_camera: x forward, y left, z up */
  int width, height;     /* pixels */
  double view;           /* rad: full angle of a row, below pi */
  double nearest, range; /* m along the ray: nearer or farther surfaces give no point */
  /* standard deviation along the ray, m at 1 m; grows with the square of the distance */
  double noise;
  uint64_t picture;      /* of the noise: equal numbers, equal noise */
} brio_world_camera;

/* Fill `cloud` with the camera's view of furniture, things, walls, doors, hands and the floor at the last
** step: organized, in the camera's own frame, with colors; places whose ray hits nothing have no point.
** Time: some 15 ns for each pixel that a solid may cover.  Errors: misuse (a size below 1 or above 4096, a
** view that is not between 0 and pi), no_memory. */
bool brio_world_cloud(const brio_world *world, const brio_world_camera *camera, brio_cloud *cloud,
                      brio_error *err);

#endif
