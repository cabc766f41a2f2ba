/* The world's depth camera: it stands or rides on a link of the robot, and has a picture at a rate. */
#ifndef BRIO_WORLD_SENSORS_DEPTH_H
#define BRIO_WORLD_SENSORS_DEPTH_H

#include "world/sensors/camera.h"

typedef struct brio_world_depth {
  /* its pose: world_from_camera; on a link: link_from_camera.  Its picture is counted here */
  brio_world_camera camera;
  double rate;              /* Hz; 0: every tick */
  char link[64];            /* of the robot; "": it stands in the world */
} brio_world_depth;

/* Give the world a depth camera.  Errors: misuse (as brio_world_cloud; no such link of a robot that
** is bound), no_memory. */
bool brio_world_set_depth(brio_world *world, const brio_world_depth *depth, brio_error *err);

/* Take a picture, if one is due and it is known where the camera is: `cloud` gets it, in the frame of its
** link, or its own where it rides on none, and `pose` where that frame is.  false: none now.
** Allocates only when the cloud grows. */
bool brio_world_look(brio_world *world, brio_cloud *cloud, brio_pose *pose);

#endif
