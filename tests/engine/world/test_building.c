/* Walls, people who react, and the depth sensor of the simulated world, from outside. */
#include "tests/check.h"
#include "world/event.h"
#include "world/fixture.h"
#include "world/people/walkers.h"
#include "world/sensors/depth.h"
#include "world/things/hand.h"
#include "world/walls.h"
#include "world/world.h"

#include <string.h>

static brio_error err;

static brio_world *new_world(void) {
  brio_world *world = brio_world_new(1, &err);
  CHECK(world != NULL, "%s", err.message);
  return world;
}

static brio_wall_form wall_of(const char *id, double x0, double y0, double x1, double y1) {
  return (brio_wall_form){.id = id, .x0 = x0, .y0 = y0, .x1 = x1, .y1 = y1, .height = 2.5, .thick = 0.1,
                          .color = {NAN, NAN, NAN}};
}

static void step_till(brio_world *world, double *time, double till) {
  for (; *time < till; *time += 0.005) {
    brio_world_advance(world, *time + 0.005);
    brio_world_step(world, NULL, NULL);
  }
}

static brio_walker_form walker_of(const char *id, const brio_walker_stop *path, int count) {
  return (brio_walker_form){.kind = "person",
                            .id = id,
                            .height = 1.7,
                            .speed = 1,
                            .path = path,
                            .count = count,
                            .near = 1.5,
                            .patience = INFINITY,
                            .keep = 0.7};
}

static bool is_seen(brio_world *world, const char *id) {
  brio_detection seen[32];
  int count = brio_world_detect(world, seen, 32);
  for (int i = 0; i < count; i++)
    if (strcmp(seen[i].id, id) == 0) return true;
  return false;
}

/* A person who walks behind a wall is seen only through its doorway. */
static void walls_hide_and_doorways_show(void) {
  brio_world *world = new_world();
  brio_wall_form wall = wall_of("wall", 2, -3, 2, 3);
  wall.gaps[wall.ngap++] = (brio_wall_gap){.at = 3, .width = 1, .height = 2};
  CHECK(brio_world_add_wall(world, &wall, &err), "%s", err.message);
  const brio_walker_stop path[] = {{4, -2, 0}, {4, 2, 0}};
  brio_walker_form ann = walker_of("ann", path, 2);
  ann.yaw = BRIO_PI / 2;
  CHECK(brio_world_add_walker(world, &ann, &err), "%s", err.message);
  brio_world_sensor sensor = brio_world_sensor_plain();
  sensor.pose.p.z = 1.5;
  CHECK(brio_world_set_sensor(world, &sensor, &err), "%s", err.message);
  double time = 0;
  for (int k = 0; k < 40; k++) {
    step_till(world, &time, 0.1 * (k + 1));
    brio_pose pose;
    CHECK(brio_world_pose(world, "ann", &pose), "there");
    double crosses = pose.p.y / 2; /* where the line of sight crosses the wall */
    if (fabs(crosses) < 0.3) CHECK(is_seen(world, "ann"), "through the doorway, at %.2f", crosses);
    if (fabs(crosses) > 0.7) CHECK(!is_seen(world, "ann"), "behind the wall, at %.2f", crosses);
  }
  brio_world_free(world);
}

static void depth_sees_walls_ground_and_people(void) {
  brio_world *world = new_world();
  brio_wall_form wall = wall_of("wall", 3, -5, 3, 5);
  CHECK(brio_world_add_wall(world, &wall, &err), "%s", err.message);
  const brio_walker_stop path[] = {{1.5, 0, 0}};
  brio_walker_form ann = walker_of("ann", path, 1);
  CHECK(brio_world_add_walker(world, &ann, &err), "%s", err.message);
  brio_world_depth depth = {
      .rate = 10,
      .camera = {.width = 41, .height = 31, .view = 1.2, .range = 4, .pose = {{0, 0, 1.2}, {0, 0, 0, 1}}}};
  CHECK(brio_world_set_depth(world, &depth, &err), "%s", err.message);
  brio_pose pose;
  brio_cloud *cloud = brio_cloud_new(&err);
  CHECK(brio_world_look(world, cloud, &pose) && pose.p.z == 1.2, "the first picture");
  CHECK(!brio_world_look(world, cloud, &pose), "the second is not due");
  int wall_points = 0, ground = 0, person = 0;
  for (int k = 0; k < cloud->count; k++) {
    const float *p = cloud->points[k];
    if (isnan(p[0])) continue;
    double x = (double)p[0], y = (double)p[1], z = (double)p[2] + 1.2;
    CHECK(hypot(hypot(x, y), z - 1.2) <= 4 + 1e-5 && z > -1e-5 && z < 2.51, "point %d", k);
    if (fabs(z) < 1e-5) ground++;
    else if (fabs(x - 1.35) < 1e-5 && fabs(y) < 0.23) person++;
    else wall_points++;
    CHECK(fabs(z) < 1e-5 || fabs(x - 1.35) < 1e-5 || fabs(x - 2.95) < 1e-5,
          "point %d at (%g, %g, %g) is on nothing", k, x, y, z);
  }
  CHECK(wall_points > 60 && ground > 20 && person > 15, "%d of the wall, %d of the ground, %d of the person",
        wall_points, ground, person);
  CHECK_NEAR((double)cloud->points[15 * 41 + 20][0], 1.35, 1e-5, "straight ahead stands the person");
  brio_cloud_free(cloud);
  brio_world_free(world);
}

/* A hand gives the robot's position: steps without a robot have none, so people do not react. */
static void people_walk_stand_and_are_sent(void) {
  brio_world *world = new_world();
  const brio_walker_stop path[] = {{0, 0, 1}, {2, 0, 0.5}, {2, 1, 0}};
  brio_walker_form ann = walker_of("ann", path, 3);
  ann.has_aside = true, ann.aside_x = -1, ann.aside_y = -1;
  CHECK(brio_world_add_walker(world, &ann, &err), "%s", err.message);
  double time = 0;
  brio_pose pose;
  step_till(world, &time, 0.9);
  brio_world_pose(world, "ann", &pose);
  CHECK_NEAR(pose.p.x, 0, 1e-9, "she stands for a second");
  step_till(world, &time, 2.0);
  brio_world_pose(world, "ann", &pose);
  CHECK_NEAR(pose.p.x, 1, 0.05, "and walks 1 m/s");
  step_till(world, &time, 6);
  brio_world_pose(world, "ann", &pose);
  CHECK_NEAR(hypot(pose.p.x - 2, pose.p.y - 1), 0, 1e-3, "to the end of her path");
  brio_world_fact facts[4];
  CHECK(brio_world_state(world, "ann", facts, 4) == 3 && strcmp(facts[0].text, "stands") == 0, "she %s",
        facts[0].text);
  CHECK(brio_world_send_walker(world, "ann", 1, 1), "sent");
  step_till(world, &time, 9);
  brio_world_pose(world, "ann", &pose);
  CHECK_NEAR(hypot(pose.p.x - 1, pose.p.y - 1), 0, 1e-3, "where she is sent");
  brio_world_let_walker_go(world, "ann");
  step_till(world, &time, 12);
  brio_world_pose(world, "ann", &pose);
  CHECK_NEAR(hypot(pose.p.x - 2, pose.p.y - 1), 0, 1e-3, "back on her path");
  CHECK(brio_world_ask_walker(world, "ann") && !brio_world_ask_walker(world, "bob"), "asked");
  step_till(world, &time, 18);
  brio_world_pose(world, "ann", &pose);
  CHECK_NEAR(hypot(pose.p.x + 1, pose.p.y + 1), 0, 1e-3, "aside");
  brio_world_free(world);
}

static void events_move_people(void) {
  brio_world *world = new_world();
  const brio_walker_stop path[] = {{0, 0, 0}};
  brio_walker_form ann = walker_of("ann", path, 1);
  ann.has_aside = true, ann.aside_x = 3;
  CHECK(brio_world_add_walker(world, &ann, &err), "%s", err.message);
  brio_event stand = {.what = brio_disturbance_find("stand", &err),
                      .at = 1,
                      .seconds = 3,
                      .to = {1, 0, NAN},
                      .id = "ann",
                      .given = BRIO_EVENT_ID | BRIO_EVENT_TO | BRIO_EVENT_SECONDS};
  brio_event ask = {.what = brio_disturbance_find("ask", &err), .at = 6, .id = "ann", .given = BRIO_EVENT_ID};
  CHECK(brio_world_add_event(world, &stand, &err) && brio_world_add_event(world, &ask, &err), "%s",
        err.message);
  brio_event nobody = ask;
  strcpy(nobody.id, "bob");
  CHECK(!brio_world_add_event(world, &nobody, &err) && err.code == BRIO_MISUSE, "nobody is called bob");
  double time = 0;
  brio_pose pose;
  step_till(world, &time, 3.5);
  brio_world_pose(world, "ann", &pose);
  CHECK_NEAR(pose.p.x, 1, 1e-3, "she stands where she went to");
  step_till(world, &time, 5.9);
  brio_world_pose(world, "ann", &pose);
  CHECK_NEAR(pose.p.x, 0, 1e-3, "and goes back");
  step_till(world, &time, 12);
  brio_world_pose(world, "ann", &pose);
  CHECK_NEAR(pose.p.x, 3, 1e-3, "she was asked to go aside");
  brio_world_free(world);
}

static void who_is_in_both_worlds_stays(void) {
  brio_world *world = new_world(), *other = new_world();
  const brio_walker_stop path[] = {{0, 0, 0}, {5, 0, 0}}, back[] = {{0, 0, 0}, {-5, 0, 0}};
  brio_walker_form ann = walker_of("ann", path, 2), again = walker_of("ann", back, 2);
  CHECK(brio_world_add_walker(world, &ann, &err) && brio_world_add_walker(other, &again, &err), "%s",
        err.message);
  double time = 0;
  step_till(world, &time, 2);
  brio_pose before, after;
  brio_world_pose(world, "ann", &before);
  brio_world_exchange(world, other);
  brio_world_pose(world, "ann", &after);
  CHECK_NEAR(after.p.x, before.p.x, 1e-12, "she stays where she is");
  step_till(world, &time, 12);
  brio_world_pose(world, "ann", &after);
  CHECK_NEAR(after.p.x, -5, 1e-3, "and goes the new way");
  brio_world_free(other);
  brio_world_free(world);
}

static void wrong_buildings_are_refused(void) {
  brio_world *world = new_world();
  brio_wall_form wall = wall_of("wall", 0, 0, 2, 0);
  wall.gaps[wall.ngap++] = (brio_wall_gap){.at = 1.8, .width = 1, .height = 2};
  CHECK(!brio_world_add_wall(world, &wall, &err) && err.code == BRIO_MISUSE, "an opening beyond its end");
  CHECK_HAS(err.message, "opening at 1.8 m");
  wall.gaps[0].at = 0.6, wall.gaps[wall.ngap++] = (brio_wall_gap){.at = 1.0, .width = 0.5, .height = 2};
  CHECK(!brio_world_add_wall(world, &wall, &err), "openings over each other");
  wall.ngap = 0, wall.x1 = 0;
  CHECK(!brio_world_add_wall(world, &wall, &err), "no length");
  wall.x1 = NAN;
  CHECK(!brio_world_add_wall(world, &wall, &err), "no number");
  wall.x1 = 2, wall.ngap = 100;
  CHECK(!brio_world_add_wall(world, &wall, &err) && err.code == BRIO_LIMIT, "too many openings");
  wall.ngap = 0;
  CHECK(brio_world_add_wall(world, &wall, &err) && !brio_world_add_wall(world, &wall, &err), "a name in use");
  const brio_walker_stop path[] = {{NAN, 0, 0}};
  brio_walker_form ann = walker_of("ann", path, 1);
  CHECK(!brio_world_add_walker(world, &ann, &err), "nowhere");
  ann.count = 0;
  CHECK(!brio_world_add_walker(world, &ann, &err), "no path");
  const brio_world_camera good = {.width = 2, .height = 2, .view = 1, .range = 1, .pose = BRIO_POSE_IDENTITY};
  brio_world_depth bad[] = {
      {.camera = good}, {.camera = good}, {.camera = good}, {.camera = good, .rate = NAN}};
  bad[0].camera.width = 0, bad[1].camera.range = NAN, bad[2].camera.view = 99;
  for (int k = 0; k < 4; k++)
    CHECK(!brio_world_set_depth(world, &bad[k], &err) && err.code == BRIO_MISUSE, "depth %d", k);
  brio_pose pose;
  CHECK(!brio_world_look(world, NULL, &pose), "without a camera there is no picture");
  brio_world_free(world);
}

/* Hands stay when contents are exchanged: also beside contents that were made without any. */
static void all_contents_have_room_beside_the_hands(void) {
  for (int most = 1; most <= 60; most++) {
    brio_world *world = brio_world_new(1, &err), *other = brio_world_new(1, &err);
    char name[16];
    for (int i = 0; i < 8; i++) {
      snprintf(name, sizeof name, "hand %d", i);
      CHECK(brio_world_add_hand(world, &(brio_world_hand_form){.name = name, .link = "l", .grip = name,
            .open = 1, .span = 0.1, .reach = 0.1}, &err), "%s", err.message);
      brio_world_move_hand(world, i, BRIO_POSE_IDENTITY, 0.1);
    }
    for (int i = 0; i < most; i++) {
      snprintf(name, sizeof name, "wall %d", i);
      CHECK(brio_world_add_wall(other, &(brio_wall_form){.id = name, .x1 = 1, .y0 = i, .y1 = i, .height = 1,
            .thick = 0.1}, &err), "%s", err.message);
    }
    brio_world_exchange(world, other);
    brio_world_fixture out[60];
    CHECK(brio_world_fixtures(world, out, 60) == most, "%d walls of %d", brio_world_fixtures(world, out, 60),
          most);
    brio_world_free(world);
    brio_world_free(other);
  }
}

CHECK_SUITE(CHECK_TEST(all_contents_have_room_beside_the_hands),
            CHECK_TEST(walls_hide_and_doorways_show), CHECK_TEST(depth_sees_walls_ground_and_people),
            CHECK_TEST(people_walk_stand_and_are_sent), CHECK_TEST(events_move_people),
            CHECK_TEST(who_is_in_both_worlds_stays), CHECK_TEST(wrong_buildings_are_refused))
