/* The simulated world: presence, motion between waypoints, detections of the sensor and their loss. */
#include "tests/check.h"
#include "world/world.h"

static const brio_vec3 small = {0.1, 0.1, 0.1};

static brio_waypoint at(double time, double x, double y, double yaw) {
  return (brio_waypoint){time, {{x, y, 1.6}, brio_quat_from_rpy(0, 0, yaw)}};
}

static brio_world *world_with(const brio_waypoint *path, int count, bool loop) {
  brio_error err;
  brio_world *world = brio_world_new(7, &err);
  CHECK(world && brio_world_add(world, "person", "ann", small, path, count, loop, &err), "%s", err.message);
  return world;
}

static double yaw_of(brio_pose pose) {
  brio_vec3 x = brio_quat_rotate(pose.q, (brio_vec3){1, 0, 0});
  return atan2(x.y, x.x);
}

static void moves_between_waypoints(void) {
  brio_waypoint path[] = {at(1, 0, 0, 0), at(3, 2, -4, 3), at(4, 2, -4, -3)};
  brio_world *world = world_with(path, 3, false);
  brio_pose pose;
  CHECK(!brio_world_pose(world, "ann", &pose), "there before the first waypoint");
  CHECK(!brio_world_pose(world, "bob", &pose), "nobody of that name");
  brio_world_advance(world, 1.5);
  CHECK(brio_world_pose(world, "ann", &pose), "absent");
  CHECK_NEAR(pose.p.x, 0.5, 1e-12, "x");
  CHECK_NEAR(pose.p.y, -1, 1e-12, "y");
  CHECK_NEAR(yaw_of(pose), 0.75, 1e-12, "turns evenly");
  brio_world_advance(world, 0.2);
  brio_world_advance(world, NAN);
  CHECK(brio_world_pose(world, "ann", &pose) && pose.p.x == 0.5, "time went back");
  brio_world_advance(world, 3.5);
  brio_world_pose(world, "ann", &pose);
  CHECK_NEAR(fabs(yaw_of(pose)), BRIO_PI, 1e-9, "turns from 3 to -3 rad through pi");
  brio_world_advance(world, 4);
  CHECK(brio_world_pose(world, "ann", &pose), "there at the last waypoint");
  brio_world_advance(world, 4.001);
  CHECK(!brio_world_pose(world, "ann", &pose), "there after the last waypoint");
  brio_world_free(world);
}

static void loops_and_stands(void) {
  brio_waypoint path[] = {at(1, 0, 0, 0), at(3, 2, 0, 0)};
  brio_world *world = world_with(path, 2, true);
  brio_error err;
  brio_pose pose;
  CHECK(brio_world_add(world, "cup", "c", small, path, 1, false, &err), "%s", err.message);
  brio_world_advance(world, 1 + 2 * 1000 + 0.5);
  CHECK(brio_world_pose(world, "ann", &pose), "a loop ended");
  CHECK_NEAR(pose.p.x, 0.5, 1e-9, "the loop starts over");
  CHECK(brio_world_pose(world, "c", &pose) && pose.p.x == 0, "one waypoint stands from then on");
  brio_world_free(world);
}

static int seen_at(double x, double y, double range, double view) {
  brio_waypoint path[] = {at(0, x, y, 0)};
  brio_world *world = world_with(path, 1, false);
  brio_world_sensor sensor = {
      .pose = {{0, 0, 1.6}, brio_quat_from_rpy(0, 0, BRIO_PI / 2)}, .range = range, .view = view};
  brio_error err;
  brio_detection out[4];
  CHECK(brio_world_set_sensor(world, &sensor, &err), "%s", err.message);
  int n = brio_world_detect(world, out, 4);
  brio_world_free(world);
  return n;
}

static void sees_in_range_and_view(void) {
  CHECK(seen_at(0, 2, 3, 1) == 1, "straight ahead of a sensor that looks along y");
  CHECK(seen_at(0, 4, 3, 1) == 0, "beyond the range");
  CHECK(seen_at(2, 2, 3, BRIO_PI / 2 + 0.01) == 1, "45 degrees aside in a view of 90");
  CHECK(seen_at(2, 2, 3, BRIO_PI / 2 - 0.01) == 0, "45 degrees aside in a little less");
  CHECK(seen_at(0, -2, 3, 2 * BRIO_PI) == 1, "behind, when it sees all around");
  CHECK(seen_at(0, -2, 3, 6) == 0, "behind, when it does not");
}

/* Mean and deviation of the noise, and share of lost reports, over many reports. */
static void noise_and_dropout_have_their_size(void) {
  brio_waypoint path[] = {at(0, 1, 2, 0)};
  brio_world *world = world_with(path, 1, false);
  brio_world_sensor sensor = {
      .pose = BRIO_POSE_IDENTITY, .range = INFINITY, .view = 7, .noise = 0.05, .dropout = 0.25};
  brio_error err;
  CHECK(!brio_world_set_sensor(world, &sensor, &err), "a view of 7 rad");
  sensor.view = 2 * BRIO_PI;
  CHECK(brio_world_set_sensor(world, &sensor, &err), "%s", err.message);
  double sum = 0, squares = 0;
  int seen = 0, reports = 20000;
  for (int i = 0; i < reports; i++) {
    brio_detection d;
    if (!brio_world_detect(world, &d, 1)) continue;
    seen++;
    sum += d.pose.p.y - 2;
    squares += (d.pose.p.y - 2) * (d.pose.p.y - 2);
  }
  CHECK_NEAR(seen / (double)reports, 0.75, 0.02, "share of reports");
  CHECK_NEAR(sum / seen, 0, 0.002, "mean");
  CHECK_NEAR(sqrt(squares / seen), 0.05, 0.002, "deviation");
  brio_world_free(world);
}

static void another_person_changes_nobodys_noise(void) {
  brio_waypoint path[] = {at(0, 1, 2, 0)};
  brio_world *one = world_with(path, 1, false), *two = world_with(path, 1, false);
  brio_world_sensor sensor = {
      .pose = BRIO_POSE_IDENTITY, .range = INFINITY, .view = 6, .noise = 0.05, .dropout = 0.5};
  brio_error err;
  brio_world_set_sensor(one, &sensor, &err);
  brio_world_set_sensor(two, &sensor, &err);
  CHECK(brio_world_add(two, "person", "bob", small, path, 1, false, &err), "%s", err.message);
  for (int i = 0; i < 200; i++) {
    brio_detection a[2], b[2];
    int n = brio_world_detect(one, a, 2), m = brio_world_detect(two, b, 2);
    bool ann = m > 0 && strcmp(b[0].id, "ann") == 0;
    CHECK(n == ann && (!n || memcmp(&a[0].pose, &b[0].pose, sizeof a[0].pose) == 0), "report %d differs", i);
  }
  brio_world_free(one);
  brio_world_free(two);
}

static void reports_come_at_their_rate(void) {
  brio_waypoint path[] = {at(0, 1, 2, 0)};
  brio_world *world = world_with(path, 1, false);
  brio_world_sensor sensor = {.pose = BRIO_POSE_IDENTITY, .range = INFINITY, .view = 6, .rate = 30};
  brio_error err;
  brio_world_set_sensor(world, &sensor, &err);
  int reports = 0;
  for (int tick = 0; tick < 2000; tick++) {
    brio_detection d;
    brio_world_advance(world, tick * 0.005);
    reports += brio_world_detect(world, &d, 1);
  }
  CHECK(reports == 300, "%d reports in 10 s at 30 Hz", reports);
  brio_world_free(world);
}

static void refuses_what_cannot_be(void) {
  brio_waypoint falling[] = {at(1, 0, 0, 0), at(1, 1, 0, 0)}, bad[] = {at(0, NAN, 0, 0)},
                good[] = {at(0, 0, 0, 0)};
  brio_error err;
  brio_world *world = world_with(good, 1, false);
  CHECK(!brio_world_add(world, "person", "bob", small, falling, 2, false, &err), "times that do not rise");
  CHECK_HAS(err.message, "waypoint 2");
  CHECK(!brio_world_add(world, "person", "bob", small, bad, 1, false, &err), "NaN");
  CHECK(!brio_world_add(world, "person", "bob", small, good, 0, false, &err), "no waypoints");
  CHECK(!brio_world_add(world, "person", "bob", small, good, -5, false, &err), "fewer than none");
  CHECK(!brio_world_add(world, "person", "bob", small, good, 1, true, &err), "a loop of one");
  CHECK(!brio_world_add(world, "person", "ann", small, good, 1, false, &err), "a name in use");
  CHECK_HAS(err.message, "already has a 'ann'");
  CHECK(!brio_world_add(world, "a kind that is far too long", "b", small, good, 1, false, &err),
        "a long kind");
  CHECK(!brio_world_add(world, "", "b", small, good, 1, false, &err), "no kind");
  CHECK(err.code == BRIO_MISUSE, "code %d", err.code);
  brio_world_free(world);
  brio_world_free(NULL);
}

CHECK_SUITE(CHECK_TEST(moves_between_waypoints), CHECK_TEST(loops_and_stands),
            CHECK_TEST(sees_in_range_and_view), CHECK_TEST(noise_and_dropout_have_their_size),
            CHECK_TEST(another_person_changes_nobodys_noise), CHECK_TEST(reports_come_at_their_rate),
            CHECK_TEST(refuses_what_cannot_be))
