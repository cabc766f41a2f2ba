/* Checks, filters, distances and bearings. */
#include "scene/perception.h"
#include "tests/check.h"

static void bearing_is_yaw_left_and_pitch_up(void) {
  double yaw, pitch;
  brio_pose pose = {{1, 1, 1}, brio_quat_from_rpy(0, 0, BRIO_PI / 2)}; /* looks along y */
  const struct {
    brio_vec3 point;
    double yaw, pitch;
  } cases[] = {
      {{1, 3, 1}, 0, 0},           {{0, 2, 1}, BRIO_PI / 4, 0},  {{2, 2, 1}, -BRIO_PI / 4, 0},
      {{1, 2, 2}, 0, BRIO_PI / 4}, {{1, 2, 0}, 0, -BRIO_PI / 4}, {{1, 1, 1}, 0, 0},
  };
  for (int i = 0; i < 6; i++) {
    brio_perception_bearing(pose, cases[i].point, &yaw, &pitch);
    CHECK_NEAR(yaw, cases[i].yaw, 1e-12, "case %d", i);
    CHECK_NEAR(pitch, cases[i].pitch, 1e-12, "case %d", i);
  }
  CHECK_NEAR(brio_perception_distance((brio_vec3){1, 2, 3}, (brio_vec3){3, 5, 9}), 7, 1e-12, "distance");
}

static void filter_keeps_what_it_says(void) {
  brio_detection d = {.kind = "cup", .pose = {{1, 0, 0}, {0, 0, 0, 1}}, .confidence = 0.5};
  const struct {
    brio_perception_filter filter;
    bool keeps;
  } cases[] = {{{NULL, 0, INFINITY, {0, 0, 0}}, true},   {{"cup", 0.5, 1, {0, 0, 0}}, true},
               {{"cap", 0, INFINITY, {0, 0, 0}}, false}, {{NULL, 0.51, INFINITY, {0, 0, 0}}, false},
               {{NULL, 0, 0.99, {0, 0, 0}}, false},      {{NULL, 0, 0.5, {1.5, 0, 0}}, true}};
  for (int i = 0; i < 6; i++)
    CHECK(brio_perception_keeps(&cases[i].filter, &d) == cases[i].keeps, "case %d", i);
}

static void check_puts_in_order(void) {
  brio_error err;
  brio_detection d = {.kind = "cup", .pose = {{1, 0, 0}, {0, 0, 0, 5}}, .confidence = 7};
  CHECK(brio_perception_check(&d, &err) && d.pose.q.w == 1 && d.confidence == 1, "not in order");
  d.pose.q = (brio_quat){0, 0, 0, 0};
  CHECK(brio_perception_check(&d, &err) && d.pose.q.w == 1, "no orientation");
  d.confidence = NAN;
  CHECK(!brio_perception_check(&d, &err) && err.code == BRIO_MISUSE, "NaN");
  CHECK_HAS(err.message, "'cup'");
  d = BRIO_DETECTION_BLANK;
  CHECK(!brio_perception_check(&d, &err), "a blank one has no kind");
  strcpy(d.kind, "cup");
  CHECK(brio_perception_check(&d, &err) && isnan(d.time) && isnan(d.color[0]) && !d.oriented, "blank");
  memcpy(d.color, (float[]){-1, 0.5f, 7}, sizeof d.color);
  CHECK(brio_perception_check(&d, &err) && d.color[0] == 0 && d.color[2] == 1, "color in range");
  d.color[1] = INFINITY;
  CHECK(brio_perception_check(&d, &err) && isnan(d.color[0]), "half a color is none");
  d.time = INFINITY;
  CHECK(!brio_perception_check(&d, &err), "endless time");
  CHECK_HAS(err.message, "finite time");
}

CHECK_SUITE(CHECK_TEST(bearing_is_yaw_left_and_pitch_up), CHECK_TEST(filter_keeps_what_it_says),
            CHECK_TEST(check_puts_in_order))
