/* Walks: where people face. */
#include "tests/check.h"
#include "world/people/walk.h"

static double yaw_at(brio_world *world, const char *id, double time) {
  brio_pose pose;
  brio_world_advance(world, time);
  if (!brio_world_pose(world, id, &pose)) return NAN;
  brio_vec3 x = brio_quat_rotate(pose.q, (brio_vec3){1, 0, 0});
  return atan2(x.y, x.x);
}

static brio_world *world_with(const brio_walk *walk) {
  brio_error err;
  brio_world *world = brio_world_new(1, &err);
  CHECK(world && brio_world_add_walk(world, walk, &err), "%s", err.message);
  return world;
}

static void people_face_where_they_walk(void) {
  brio_walk_point path[] = {
      {0, 4, 0, NAN, NAN}, {2, 2, 0, NAN, NAN}, {6, 2, 0, NAN, NAN}, {8, 2, 3, NAN, NAN}};
  brio_walk walk = {"person", "ann", {0, 0, 0}, 0, path, 4, false};
  brio_world *world = world_with(&walk);
  brio_pose pose;
  CHECK_NEAR(fabs(yaw_at(world, "ann", 0)), BRIO_PI, 1e-9, "walks towards -x");
  CHECK(brio_world_pose(world, "ann", &pose) && fabs(pose.p.z - 1.6) < 1e-12, "a head of 1.7 m is at 1.6");
  CHECK_NEAR(fabs(yaw_at(world, "ann", 1.9)), BRIO_PI, 1e-9, "still");
  CHECK_NEAR(fabs(yaw_at(world, "ann", 4)), BRIO_PI, 1e-9, "stands and keeps the heading");
  CHECK_NEAR(fabs(yaw_at(world, "ann", 6)), BRIO_PI * 3 / 4, 1e-9, "half way round the corner");
  CHECK_NEAR(yaw_at(world, "ann", 6.3), BRIO_PI / 2, 1e-9, "walks towards +y");
  CHECK_NEAR(yaw_at(world, "ann", 8), BRIO_PI / 2, 1e-9, "to the end");
  brio_world_free(world);
}

static void turning_does_not_bend_the_way(void) {
  brio_walk_point path[] = {
      {0, 0, 0, NAN, NAN}, {1, 1, 0, NAN, NAN}, {1.2, 1, 0.2, NAN, NAN}, {4, 1, 5, 1, NAN}};
  brio_walk walk = {"person", "ann", {0, 0, 0}, 1.2, path, 4, false};
  brio_world *world = world_with(&walk);
  for (int i = 0; i < 3; i++)
    for (double u = 0; u < 1; u += 0.05) {
      double t = path[i].time + u * (path[i + 1].time - path[i].time);
      brio_pose pose;
      brio_world_advance(world, t);
      CHECK(brio_world_pose(world, "ann", &pose), "absent at %g", t);
      CHECK_NEAR(pose.p.x, path[i].x + u * (path[i + 1].x - path[i].x), 1e-9, "x at %g", t);
      CHECK_NEAR(pose.p.y, path[i].y + u * (path[i + 1].y - path[i].y), 1e-9, "y at %g", t);
    }
  brio_world_free(world);
}

static void who_never_walked_faces_the_origin(void) {
  brio_walk_point here[] = {{0, 0, 2, NAN, NAN}}, told[] = {{0, 0, 2, 1.2, 0.5}},
                  twice[] = {{0, 3, 3, NAN, NAN}, {9, 3, 3, NAN, NAN}};
  brio_walk ann = {"person", "ann", {0, 0, 0}, 0, here, 1, false},
            bob = {"person", "bob", {0, 0, 0}, 0, told, 1, false};
  brio_walk eve = {"person", "eve", {0, 0, 0}, 0, twice, 2, true};
  brio_error err;
  brio_pose pose;
  brio_world *world = world_with(&ann);
  CHECK(brio_world_add_walk(world, &bob, &err) && brio_world_add_walk(world, &eve, &err), "%s", err.message);
  CHECK_NEAR(yaw_at(world, "ann", 1), -BRIO_PI / 2, 1e-9, "ann");
  CHECK_NEAR(yaw_at(world, "bob", 1), 0.5, 1e-9, "bob was told");
  CHECK(brio_world_pose(world, "bob", &pose) && pose.p.z == 1.2, "and sits");
  CHECK_NEAR(yaw_at(world, "eve", 2), -BRIO_PI * 3 / 4, 1e-9, "eve");
  brio_world_free(world);
}

static void yaw_is_obeyed_at_its_point(void) {
  brio_walk_point path[] = {{0, 0, 0, NAN, 1}, {2, 2, 0, NAN, NAN}, {4, 2, 0, NAN, 1}, {6, 2, 0, NAN, 2}};
  brio_walk walk = {"person", "ann", {0, 0, 0}, 0, path, 4, false};
  brio_world *world = world_with(&walk);
  CHECK_NEAR(yaw_at(world, "ann", 0), 1, 1e-9, "at the first point");
  CHECK_NEAR(yaw_at(world, "ann", 1), 0, 1e-9, "on the way");
  CHECK_NEAR(yaw_at(world, "ann", 4), 1, 1e-9, "at the third");
  CHECK_NEAR(yaw_at(world, "ann", 5), 1.5, 1e-9, "evenly between two that are given");
  brio_world_free(world);
}

static void objects_keep_their_yaw(void) {
  brio_walk_point path[] = {{0, 1, 0, 0.7, NAN}, {2, 1, 2, 0.7, NAN}};
  brio_walk walk = {"cup", "c", {0.1, 0.1, 0.2}, 0, path, 2, false};
  brio_world *world = world_with(&walk);
  brio_detection d;
  CHECK_NEAR(yaw_at(world, "c", 1), 0, 1e-12, "moved along y");
  CHECK(brio_world_detect(world, &d, 1) == 1 && d.size.z == 0.2 && strcmp(d.kind, "cup") == 0, "reported");
  CHECK_NEAR(d.pose.p.y, 1, 1e-12, "half way");
  brio_world_free(world);
}

static void refuses_what_cannot_be(void) {
  brio_walk_point back[] = {{0, 1, 0, NAN, NAN}, {-1, 1, 0, NAN, NAN}}, bad[] = {{0, INFINITY, 0, NAN, NAN}};
  brio_walk walks[] = {
      {"person", "ann", {0, 0, 0}, 0, back, 2, false}, {"person", "ann", {0, 0, 0}, 0, bad, 1, false},
      {"person", "ann", {0, 0, 0}, 9, back, 1, false}, {"person", "ann", {0, 0, 0}, 0, back, 0, false},
      {NULL, "ann", {0, 0, 0}, 0, back, 1, false},     {"person", "", {0, 0, 0}, 0, back, 1, false},
      {"cup", "ann", {-1, 0, 0}, 0, back, 1, false}};
  brio_error err;
  brio_world *world = brio_world_new(1, &err);
  for (int i = 0; i < (int)(sizeof walks / sizeof *walks); i++)
    CHECK(!brio_world_add_walk(world, &walks[i], &err) && err.code == BRIO_MISUSE, "walk %d", i);
  brio_world_free(world);
}

CHECK_SUITE(CHECK_TEST(people_face_where_they_walk), CHECK_TEST(turning_does_not_bend_the_way),
            CHECK_TEST(who_never_walked_faces_the_origin), CHECK_TEST(yaw_is_obeyed_at_its_point),
            CHECK_TEST(objects_keep_their_yaw), CHECK_TEST(refuses_what_cannot_be))
