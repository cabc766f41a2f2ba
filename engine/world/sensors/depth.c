/* The depth camera of a world: when and from where it takes pictures; camera.c computes them. */
#include "world/sensors/depth.h"

#include <stdio.h>
#include <string.h>

#include "world/world_internal.h"

bool brio_world_set_depth(brio_world *world, const brio_world_depth *depth, brio_error *err) {
  if (!(depth->rate >= 0 && depth->rate <= 1e6))
    return brio_fail(err, BRIO_MISUSE, "the world's depth camera: rate must be from 0 to 1e6 Hz, not %g",
                     depth->rate);
  int link = world->robot && depth->link[0] ? brio_robot_link(world->robot, depth->link, err) : -1;
  if (world->robot && depth->link[0] && link < 0) return brio_fail_in(err, "the world's depth camera");
  /* A trial picture validates the camera, and proves that there is memory for one. */
  brio_cloud *cloud = brio_cloud_new(err);
  bool good = cloud && brio_world_cloud(world, &depth->camera, cloud, err); /* checks it */
  brio_cloud_free(cloud);
  if (!good) return false;
  /* The new camera counts from here on; its first picture is due at once. */
  world->depth = *depth;
  world->depth.camera.pose.q = brio_quat_unit(depth->camera.pose.q);
  world->depth_index = link;
  world->pictures = -1;
  world->has_depth = true;
  return true;
}

/* Whether a picture is due: at most one in each period of the rate; with rate 0 one in each call. Counts
** it. */
static bool picture_due(brio_world *world) {
  double number = world->depth.rate > 0 ? floor(world->time * world->depth.rate + 1e-9) : world->pictures + 1;
  if (number <= world->pictures) return false;
  world->pictures = number;
  return true;
}

bool brio_world_look(brio_world *world, brio_cloud *cloud, brio_pose *pose) {
  const brio_world_depth *depth = &world->depth;
  if (!world->has_depth || (depth->link[0] && !world->depth_known) || !picture_due(world)) return false;
  /* A disturbance may blind all sensors. */
  for (int i = 0; i < world->nblind; i++)
    if (strcmp(world->blind[i], "*") == 0) return false;
  brio_world_camera camera = depth->camera;
  *pose = camera.pose = depth->link[0] ? world->depth_eye : depth->camera.pose;
  /* Each picture has noise of its own, which depends on the world's seed. */
  camera.picture = world->seed ^ (uint64_t)world->pictures;
  brio_error err;
  if (!brio_world_cloud(world, &camera, cloud, &err)) return false;
  /* On a link the points are in the link's frame, else in the camera's. */
  snprintf(cloud->frame, sizeof cloud->frame, "%.*s", BRIO_CLOUD_FRAME - 1, depth->link);
  if (!depth->link[0]) return true;
  brio_cloud_transform(cloud, depth->camera.pose); /* its points are in the frame that it bears the name of */
  *pose = brio_pose_mul(camera.pose, brio_pose_inverse(depth->camera.pose));
  return true;
}
