/* Frames: their past poses, interpolated and a little extrapolated; unknown poses are never made up. */
#include "scene/frames.h"
#include "base/random.h"
#include "scene/pose_ring.h"
#include "tests/check.h"

static brio_frames *tree(void) {
  brio_error err;
  brio_frames *frames = brio_frames_new(&err);
  CHECK(frames, "%s", err.message);
  return frames;
}

/* A head that nods and turns while it moves. */
static brio_pose head_at(double t) {
  return (brio_pose){{0.3 * sin(t), 0.1 * t, 1.2}, brio_quat_from_rpy(0, 0.4 * sin(2 * t), 0.8 * sin(t))};
}

static double turned(brio_quat a, brio_quat b) {
  return brio_quat_angle(brio_quat_mul(brio_quat_conj(a), b));
}

static void between_poses_it_is_where_it_was(void) {
  brio_frames *frames = tree();
  brio_random random = brio_random_stream(3, "frames");
  brio_error err;
  int head = brio_frames_declare(frames, "head", BRIO_FRAME_WORLD, &err);
  for (int k = 0; k <= 2000; k++) brio_frames_set(frames, head, k * 0.005, head_at(k * 0.005), false);
  for (int k = 0; k < 2000; k++) {
    double t = brio_random_uniform(&random, 7.6, 10);
    brio_pose pose;
    CHECK(brio_frames_at(frames, head, t, &pose, &err), "at %g: %s", t, err.message);
    brio_pose truth = head_at(t);
    CHECK(brio_vec3_norm(brio_vec3_sub(pose.p, truth.p)) < 1e-4, "place at %g", t);
    CHECK(turned(pose.q, truth.q) < 2e-4, "turn at %g", t);
  }
  brio_frames_free(frames);
}

static void beyond_the_newest_only_a_little(void) {
  brio_frames *frames = tree();
  brio_error err;
  brio_pose pose;
  int head = brio_frames_declare(frames, "head", BRIO_FRAME_WORLD, &err);
  CHECK(!brio_frames_at(frames, head, NAN, &pose, &err) && strstr(err.message, "not known yet"), "%s",
        err.message);
  for (int k = 0; k <= 400; k++)
    brio_frames_set(frames, head, k * 0.01, (brio_pose){{k * 0.01, 0, 0}, {0, 0, 0, 1}}, false);
  CHECK(brio_frames_at(frames, head, 4.09, &pose, &err) && fabs(pose.p.x - 4.09) < 1e-9, "goes on: %g",
        pose.p.x);
  CHECK(!brio_frames_at(frames, head, 4.11, &pose, &err) && err.code == BRIO_UNREACHABLE, "too far ahead");
  CHECK(strstr(err.message, "'head'") && strstr(err.message, "4.110"), "%s", err.message);
  CHECK(!brio_frames_at(frames, head, 0.5, &pose, &err) && strstr(err.message, "forgotten"), "%s",
        err.message);
  CHECK(brio_frames_at(frames, head, NAN, &pose, &err) && pose.p.x == 4, "the newest, whenever it was");
  CHECK(!brio_frames_at(frames, head, INFINITY, &pose, &err), "at infinity");
  CHECK(!brio_frames_at(frames, 7, NAN, &pose, &err) && err.code == BRIO_MISUSE, "no such handle");
  brio_frames_free(frames);
}

static void what_stands_stands(void) {
  brio_frames *frames = tree();
  brio_error err;
  brio_pose pose;
  int shelf = brio_frames_declare(frames, "shelf", BRIO_FRAME_WORLD, &err);
  brio_frames_set(frames, shelf, 1, (brio_pose){{1, 0, 0}, {0, 0, 0, 1}}, true);
  brio_frames_set(frames, shelf, 5, (brio_pose){{2, 0, 0}, {0, 0, 0, 1}}, true);
  CHECK(brio_frames_at(frames, shelf, 1e6, &pose, &err) && pose.p.x == 2, "ever after");
  CHECK(brio_frames_at(frames, shelf, 4.9, &pose, &err) && pose.p.x == 1, "until it was moved");
  CHECK(!brio_frames_at(frames, shelf, 0.9, &pose, &err), "before it was there");
  brio_frames_free(frames);
}

static void children_move_with_their_parents(void) {
  brio_frames *frames = tree();
  brio_error err;
  brio_pose pose;
  int head = brio_frames_declare(frames, "head", BRIO_FRAME_WORLD, &err);
  int camera = brio_frames_declare(frames, "camera", head, &err);
  brio_pose mount = {{0.1, 0, 0.05}, brio_quat_from_rpy(-1.5707963, 0, -1.5707963)};
  brio_frames_set(frames, camera, 0, mount, true);
  CHECK(!brio_frames_at(frames, camera, NAN, &pose, &err) && strstr(err.message, "'head'"), "%s",
        err.message);
  for (int k = 0; k <= 200; k++) brio_frames_set(frames, head, k * 0.01, head_at(k * 0.01), false);
  CHECK(brio_frames_at(frames, camera, 1.5, &pose, &err), "%s", err.message);
  brio_pose truth = brio_pose_mul(head_at(1.5), mount);
  CHECK(brio_vec3_norm(brio_vec3_sub(pose.p, truth.p)) < 1e-4 && turned(pose.q, truth.q) < 2e-4,
        "the camera");
  CHECK(brio_frames_declare(frames, "camera", BRIO_FRAME_WORLD, &err) == camera, "a name keeps its handle");
  CHECK(brio_frames_declare(frames, "x", 99, &err) == -1 && err.code == BRIO_MISUSE, "no such parent");
  CHECK(brio_frames_declare(frames, "world", -1, &err) == -1, "the world is there");
  CHECK(brio_frames_find(frames, "camera") == camera && brio_frames_find(frames, "x") == -1, "found by name");
  CHECK(brio_frames_count(frames) == 2 && strcmp(brio_frames_name(frames, head), "head") == 0 &&
            !brio_frames_name(frames, 2), "names");
  brio_frames_free(frames);
}

static void other_names(void) {
  brio_frames *frames = tree();
  brio_error err;
  int palm = brio_frames_declare(frames, "l_palm", BRIO_FRAME_WORLD, &err),
      foot = brio_frames_declare(frames, "l_foot", -1, &err);
  CHECK(brio_frames_alias(frames, "left_hand", palm, &err) &&
            brio_frames_find_alias(frames, "left_hand") == palm,
        "%s", err.message);
  CHECK(brio_frames_alias(frames, "left_hand", foot, &err) &&
            brio_frames_find_alias(frames, "left_hand") == foot,
        "goes over");
  CHECK(brio_frames_find(frames, "left_hand") == -1 && brio_frames_find_alias(frames, "l_palm") == -1,
        "they are apart");
  CHECK(!brio_frames_alias(frames, "x", 9, &err) && err.code == BRIO_MISUSE, "no such frame");
  CHECK(!brio_frames_alias(frames, "", palm, &err) && !brio_frames_alias(frames, NULL, palm, &err),
        "no name");
  char name[64] = "a name that is longer than any role of any robot is";
  CHECK(!brio_frames_alias(frames, name, palm, &err) && err.code == BRIO_MISUSE, "too long");
  for (int i = 1; i < 64; i++) {
    snprintf(name, sizeof name, "role-%d", i);
    CHECK(brio_frames_alias(frames, name, palm, &err), "name %d", i);
  }
  CHECK(!brio_frames_alias(frames, "one more", palm, &err) && err.code == BRIO_LIMIT, "there is an end");
  brio_frames_free(frames);
}

static void clocks_that_jump(void) {
  static brio_pose_ring ring;
  brio_pose pose, here = {{1, 2, 3}, {0, 0, 0, 1}};
  for (int k = 0; k < 1000; k++) brio_pose_ring_put(&ring, 100 + k, here, false, 0.02);
  CHECK(brio_pose_ring_oldest(&ring) == 1099 - (BRIO_POSE_RING - 1), "the oldest is %g",
        brio_pose_ring_oldest(&ring));
  brio_pose_ring_put(&ring, NAN, here, false, 0.02);
  brio_pose_ring_put(&ring, INFINITY, here, false, 0.02);
  brio_pose_ring_put(&ring, 1100, (brio_pose){{NAN, 0, 0}, {0, 0, 0, 1}}, false, 0.02);
  CHECK(brio_pose_ring_newest(&ring) == 1099, "what is no number is left out");
  brio_pose_ring_put(&ring, 5, here, false, 0.02);
  CHECK(ring.count == 1 && brio_pose_ring_at(&ring, 5, 0.1, &pose) == BRIO_POSE_FOUND, "it begins anew");
  CHECK(brio_pose_ring_at(&ring, 1099, 0.1, &pose) == BRIO_POSE_AFTER, "nothing is left of before");
  brio_pose_ring_put(&ring, 5, (brio_pose){{7, 0, 0}, {0, 0, 0, 1}}, false, 0.02);
  CHECK(ring.count == 1 && brio_pose_ring_at(&ring, NAN, 0.1, &pose) == BRIO_POSE_FOUND && pose.p.x == 7,
        "the same time");
}

static void a_name_for_each_of_many(void) {
  brio_frames *frames = tree();
  brio_error err;
  char name[32];
  int made = 0;
  for (int i = 0; i < 5000; i++) {
    snprintf(name, sizeof name, "frame-%d", i);
    int handle = brio_frames_declare(frames, name, made - 1, &err);
    if (handle < 0) break;
    CHECK(handle == made, "handle %d", handle);
    made++;
  }
  CHECK(made == 4096 && err.code == BRIO_LIMIT, "%d: %s", made, err.message);
  for (int i = 0; i < made; i++) brio_frames_set(frames, i, 0, (brio_pose){{1, 0, 0}, {0, 0, 0, 1}}, true);
  brio_pose pose;
  CHECK(brio_frames_at(frames, made - 1, NAN, &pose, &err) && pose.p.x == 4096, "a chain of all");
  brio_frames_free(frames);
  brio_frames_free(NULL);
}

/* Two poses within 0.1 ms of each other, 1 mm apart: no motion of 10 m/s. */
static void two_poses_at_nearly_the_same_time(void) {
  static brio_pose_ring ring;
  brio_pose pose, here = {{0, 0, 0}, {0, 0, 0, 1}};
  for (int earlier = 0; earlier < 2; earlier++) {
    brio_pose_ring_clear(&ring);
    if (earlier) brio_pose_ring_put(&ring, 9.9, (brio_pose){{-0.1, 0, 0}, {0, 0, 0, 1}}, false, 0.02);
    brio_pose_ring_put(&ring, 10, here, false, 0.02);
    brio_pose_ring_put(&ring, 10.0001, (brio_pose){{0.001, 0, 0}, {0, 0, 0, 1}}, false, 0.02);
    CHECK(brio_pose_ring_at(&ring, 10.05, 0.1, &pose) == BRIO_POSE_FOUND, "a little later");
    /* 1 m/s where there was a motion before, otherwise none is known. */
    CHECK_NEAR(pose.p.x, earlier ? 0.051 : 0.001, 1e-3, "%d poses before", earlier);
  }
}

CHECK_SUITE(CHECK_TEST(between_poses_it_is_where_it_was), CHECK_TEST(beyond_the_newest_only_a_little),
            CHECK_TEST(two_poses_at_nearly_the_same_time), CHECK_TEST(what_stands_stands),
            CHECK_TEST(children_move_with_their_parents), CHECK_TEST(clocks_that_jump),
            CHECK_TEST(other_names), CHECK_TEST(a_name_for_each_of_many))
