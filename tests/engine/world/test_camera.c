/* The simulated depth camera: it sees objects where they are, in their colors, and nothing else. */
#include <math.h>

#include "tests/check.h"
#include "world/furniture.h"
#include "world/sensors/camera.h"
#include "world/things/thing.h"

static brio_world *stage(void) {
  brio_error err;
  brio_world *world = brio_world_new(1, &err);
  brio_furniture_form table = {.form = BRIO_FURNITURE_TABLE,
                               .kind = "table",
                               .id = "t",
                               .x = 1,
                               .size = {0.6, 1.2, 0.8},
                               .board = 0.03,
                               .color = {0.2f, 0.4f, 0.6f}};
  brio_thing_form ball = {.kind = "ball", .id = "b", .radius = 0.05, .x = 0.9, .z = NAN, .color = {1, 0, 0}};
  CHECK(brio_world_add_furniture(world, &table, &err) && brio_world_add_thing(world, &ball, &err), "%s",
        err.message);
  return world;
}

static void points_lie_on_what_they_show(void) {
  brio_error err;
  brio_world *world = stage();
  brio_cloud *cloud = brio_cloud_new(&err);
  brio_world_camera camera = {.pose = {{0, 0, 1.5}, brio_quat_from_rpy(0, 0.6, 0)},
                              .width = 160,
                              .height = 120,
                              .view = 1.2,
                              .nearest = 0.2,
                              .range = 5};
  CHECK(brio_world_cloud(world, &camera, cloud, &err), "%s", err.message);
  int red = 0, blue = 0, ground = 0;
  for (int i = 0; i < cloud->count; i++) {
    if (!brio_cloud_has(cloud, i)) continue;
    brio_vec3 p = brio_pose_point(camera.pose, brio_cloud_point(cloud, i));
    if (cloud->colors[i][0] == 255) {
      red++;
      CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(p, (brio_vec3){0.9, 0, 0.85})), 0.05, 1e-5,
                 "place %d is on the ball", i);
    } else if (cloud->colors[i][2] == 153) {
      blue++;
      CHECK(p.z < 0.8 + 1e-5 && fabs(p.y) < 0.6 + 1e-5 && p.x > 0.7 - 1e-5,
            "place %d is on the table: %g %g %g", i, p.x, p.y, p.z);
    } else {
      ground++;
      CHECK_NEAR(p.z, 0, 1e-5, "place %d is on the floor", i);
    }
  }
  CHECK(red > 60 && blue > 4000 && ground > 1000, "%d of the ball, %d of the table, %d of the floor", red,
        blue, ground);
  brio_cloud_free(cloud);
  brio_world_free(world);
}

/* The windows miss nothing: the same picture as every ray against every solid, from many places. */
static void every_view_shows_the_ball_that_is_there(void) {
  brio_error err;
  brio_world *world = stage();
  brio_cloud *cloud = brio_cloud_new(&err);
  for (int k = 0; k < 40; k++) {
    double turn = 0.157 * k, far = 0.4 + 0.05 * k;
    brio_vec3 eye = {0.9 - far * cos(turn), -far * sin(turn), 0.85};
    brio_world_camera camera = {.pose = {eye, brio_quat_from_rpy(0.1 * k, 0, turn)},
                                .width = 31,
                                .height = 31,
                                .view = 0.3,
                                .nearest = 0,
                                .range = 9};
    CHECK(brio_world_cloud(world, &camera, cloud, &err), "%s", err.message);
    int middle = 15 * 31 + 15;
    CHECK_NEAR((double)cloud->points[middle][0], far - 0.05, 1e-4, "view %d", k);
  }
  brio_cloud_free(cloud);
  brio_world_free(world);
}

static void noise_has_its_size_and_repeats(void) {
  brio_error err;
  brio_world *world = stage();
  brio_cloud *a = brio_cloud_new(&err), *b = brio_cloud_new(&err);
  brio_world_camera camera = {.pose = {{0, 0, 2}, brio_quat_from_rpy(0, BRIO_PI / 2, 0)},
                              .width = 80,
                              .height = 80,
                              .view = 0.2,
                              .nearest = 0,
                              .range = 5,
                              .noise = 0.002,
                              .picture = 3};
  CHECK(brio_world_cloud(world, &camera, a, &err) && brio_world_cloud(world, &camera, b, &err), "%s",
        err.message);
  double squares = 0;
  for (int i = 0; i < a->count; i++) {
    brio_vec3 p = brio_cloud_point(a, i);
    CHECK(a->points[i][0] == b->points[i][0], "place %d differs", i);
    squares += (brio_vec3_norm(p) - 2 * brio_vec3_norm(p) / p.x) *
               (brio_vec3_norm(p) - 2 * brio_vec3_norm(p) / p.x);
  }
  CHECK_NEAR(sqrt(squares / a->count), 0.008, 0.0006, "2 mm at 1 m are 8 at 2 m");
  brio_cloud_free(a);
  brio_cloud_free(b);
  brio_world_free(world);
}

static void refuses_what_cannot_be(void) {
  brio_error err;
  brio_world *world = stage();
  brio_cloud *cloud = brio_cloud_new(&err);
  brio_world_camera camera = {.pose = BRIO_POSE_IDENTITY, .width = 0, .height = 10, .view = 1, .range = 1};
  CHECK(!brio_world_cloud(world, &camera, cloud, &err), "no pixels");
  camera.width = 10;
  camera.view = NAN;
  CHECK(!brio_world_cloud(world, &camera, cloud, &err), "a view of NaN");
  camera.view = 1;
  camera.range = 0;
  CHECK(!brio_world_cloud(world, &camera, cloud, &err), "it sees nothing");
  brio_cloud_free(cloud);
  brio_world_free(world);
}

CHECK_SUITE(CHECK_TEST(points_lie_on_what_they_show), CHECK_TEST(every_view_shows_the_ball_that_is_there),
            CHECK_TEST(noise_has_its_size_and_repeats), CHECK_TEST(refuses_what_cannot_be))
