/* The world's depth camera: fixed, or on a link of the robot, with a rate of pictures. */
#ifndef BRIO_WORLD_SENSORS_DEPTH_H
#define BRIO_WORLD_SENSORS_DEPTH_H

#include "world/sensors/camera.h"

typedef struct brio_world_depth {
  /* its pose: world_from_camera; on a link: link_from_camera.  Its picture number is set here */
  brio_world_camera camera;
  double rate;              /* Hz; 0: every tick */
  char link[64];            /* of the robot; "": fixed in the world */
} brio_world_depth;

/* Set the world's depth camera.  Errors: misuse (as brio_world_cloud; no such link of the bound robot),
** no_memory. */
bool brio_world_set_depth(brio_world *world, const brio_world_depth *depth, brio_error *err);

/* Take a picture, if one is due and the camera's pose is known: into `cloud`, in the frame of its link, or
** its own without a link, and `pose` gets that frame's pose.  false: none now. Allocates only when the cloud
** grows. */
bool brio_world_look(brio_world *world, brio_cloud *cloud, brio_pose *pose);

#endif
