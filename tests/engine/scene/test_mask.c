/* Masks, the part of a depth picture under them, boxes from corners. */
#include "tests/allocations.h"

#include "base/random.h"
#include "scene/mask.h"
#include "tests/check.h"

static brio_mask *mask_of(int width, int height) {
  brio_error err;
  brio_mask *mask = brio_mask_new(width, height, &err);
  CHECK(mask, "%s", err.message);
  return mask;
}

static void boxes_runs_and_polygons_fill(void) {
  brio_error err;
  brio_mask *mask = mask_of(8, 6);
  CHECK(brio_mask_box(mask, &(brio_picture_box){1, 2, 3, 2}, &err), "%s", err.message);
  CHECK(brio_mask_count(mask) == 6 && brio_mask_has(mask, 1, 2) && brio_mask_has(mask, 3, 3) &&
            !brio_mask_has(mask, 4, 3) && !brio_mask_has(mask, -1, 0) && !brio_mask_has(mask, 0, 6),
        "a box of 3 x 2: %d", brio_mask_count(mask));
  brio_mask_clear(mask);
  CHECK(brio_mask_count(mask) == 0, "cleared");
  brio_mask_box(mask, &(brio_picture_box){-1e30, -5, 2e30, 1e30}, &err);
  CHECK(brio_mask_count(mask) == 48, "as far as the picture goes");
  brio_mask_clear(mask);
  const uint32_t rows[] = {9, 2, 6, 2, 29}, columns[] = {7, 2, 4, 2, 33};
  CHECK(brio_mask_runs(mask, rows, 5, false, &err), "%s", err.message);
  CHECK(brio_mask_count(mask) == 4 && brio_mask_has(mask, 1, 1) && brio_mask_has(mask, 2, 2), "row by row");
  brio_mask_clear(mask);
  CHECK(brio_mask_runs(mask, columns, 5, true, &err), "%s", err.message);
  CHECK(brio_mask_count(mask) == 4 && brio_mask_has(mask, 1, 1) && brio_mask_has(mask, 2, 2),
        "column by column");
  brio_mask_clear(mask);
  const double triangle[] = {-0.5, -0.5, 7.5, -0.5, -0.5, 5.5};
  CHECK(brio_mask_polygon(mask, triangle, 3, &err), "%s", err.message);
  int n = 0;
  for (int y = 0; y < 6; y++)
    for (int x = 0; x < 8; x++) {
      bool inside = (x + 0.5) / 8 + (y + 0.5) / 6 < 1;
      CHECK(brio_mask_has(mask, x, y) == inside, "pixel %d %d", x, y);
      n += inside;
    }
  CHECK(brio_mask_count(mask) == n, "counted");
  brio_mask_clear(mask);
  const double star[] = {0, 0, 6, 0, 6, 5, 0, 5, 0, 0,
                         2, 1, 4, 1, 4, 3, 2, 3, 2, 1}; /* a frame: a hole inside */
  CHECK(brio_mask_polygon(mask, star, 10, &err), "%s", err.message);
  CHECK(brio_mask_has(mask, 1, 1) && !brio_mask_has(mask, 3, 2), "a hole");
  brio_mask_free(mask);
  brio_mask_free(NULL);
}

static void wrong_ones_are_refused(void) {
  brio_error err;
  brio_mask *mask = mask_of(8, 6);
  const uint32_t runs[] = {1, 2, 3}, huge[] = {0xffffffff, 0xffffffff};
  CHECK(!brio_mask_runs(mask, runs, 3, false, &err) && err.code == BRIO_FORMAT, "runs of 6 pixels");
  CHECK_HAS(err.message, "48 pixels in all, not 6");
  CHECK(!brio_mask_runs(mask, huge, 2, true, &err) && brio_mask_count(mask) == 0, "endless runs");
  CHECK(!brio_mask_runs(mask, runs, -1, true, &err), "fewer than none");
  CHECK(!brio_mask_box(mask, &(brio_picture_box){NAN, 0, 1, 1}, &err), "nowhere");
  CHECK(!brio_mask_box(mask, &(brio_picture_box){0, 0, -1, 1}, &err), "a negative length");
  CHECK(!brio_mask_box(mask, &(brio_picture_box){0, 0, 1, INFINITY}, &err), "an endless length");
  CHECK(!brio_mask_polygon(mask, (double[]){0, 0, 1, 1}, 2, &err), "two points");
  CHECK(!brio_mask_polygon(mask, (double[]){0, 0, 1, 1, NAN, 2}, 3, &err), "a point that is none");
  CHECK(!brio_mask_polygon(mask, (double[]){0, 0, 1, 1, 1, 2}, 5000, &err), "too many points");
  CHECK(!brio_mask_new(0, 5, &err) && !brio_mask_new(1 << 20, 1 << 20, &err) && err.code == BRIO_MISUSE,
        "sizes");
  brio_mask_free(mask);
}

/* Compared with the plain definition: a pixel outside the mask within the radius removes a pixel. */
static void erosion_is_by_distance(void) {
  enum { W = 37, H = 29 };
  brio_random random = brio_random_stream(1, "mask");
  brio_error err;
  for (int run = 0; run < 60; run++) {
    brio_mask *mask = mask_of(W, H), *before = mask_of(W, H);
    double radius = brio_random_uniform(&random, 0, 6), points[20];
    if (run % 4 == 0) radius = floor(radius);
    for (int i = 0; i < 20; i++) points[i] = brio_random_uniform(&random, -6, i & 1 ? H + 6 : W + 6);
    brio_mask_polygon(mask, points, 10, &err);
    brio_mask_polygon(before, points, 10, &err);
    brio_mask_erode(mask, radius);
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        bool in = brio_mask_has(before, x, y);
        for (int v = 0; v < H; v++)
          for (int u = 0; u < W; u++)
            if (radius >= 1 && !brio_mask_has(before, u, v) &&
                (u - x) * (u - x) + (v - y) * (v - y) <= radius * radius)
              in = false;
        CHECK(brio_mask_has(mask, x, y) == in, "run %d, radius %g: pixel %d %d", run, radius, x, y);
      }
    brio_mask_free(mask);
    brio_mask_free(before);
  }
}

enum { WIDE = 160, HIGH = 120 };

static const brio_camera camera = {.width = WIDE, .height = HIGH, .fx = 140, .fy = 141, .cx = 79.5, .cy = 60};

/* A ball of 8 cm before a wall at 2 m, with noise and holes. */
static void take_picture(float *depth, brio_vec3 center, double radius, double noise) {
  brio_random random = brio_random_stream(2, "picture");
  for (int i = 0; i < WIDE * HIGH; i++) {
    brio_vec3 ray;
    double pixel[2] = {i % WIDE, i / WIDE};
    brio_camera_ray(&camera, pixel, &ray);
    double along = brio_vec3_dot(ray, center);
    double inside = radius * radius - (brio_vec3_dot(center, center) - along * along);
    double z = inside > 0 ? (along - sqrt(inside)) * ray.z : 2;
    z += noise * brio_random_normal(&random);
    double chance = brio_random_uniform(&random, 0, 1);
    depth[i] = (float)(chance < 0.05 ? NAN : chance < 0.07 ? INFINITY : chance < 0.09 ? -1 : z);
  }
}

static void a_thing_is_found_before_a_wall(void) {
  static float depth[WIDE * HIGH];
  brio_error err;
  brio_vec3 center = {0.1, -0.05, 0.9};
  brio_looked found;
  take_picture(depth, center, 0.08, 0.002);
  brio_depth picture = {.width = WIDE, .height = HIGH, .meters = depth};
  brio_mask *mask = mask_of(WIDE, HIGH);
  double middle[2];
  brio_camera_project(&camera, center, middle, NULL);
  /* a box around it: a fifth of it is wall */
  brio_mask_box(mask, &(brio_picture_box){middle[0] - 13, middle[1] - 13, 26, 26}, &err);
  brio_mask_erode(mask, 1);
  CHECK(brio_mask_look(mask, &picture, &camera, &(brio_look){0}, &found, &err), "%s", err.message);
  /* the middle of a half sphere is at two thirds of its radius; 4 % of a disc is beyond 0.85 of it */
  center = brio_vec3_scale(1 - 2.0 / 3 * 0.08 / brio_vec3_norm(center), center);
  CHECK_NEAR(found.center.x, center.x, 0.003, "x");
  CHECK_NEAR(found.center.y, center.y, 0.003, "y");
  CHECK_NEAR(found.center.z, center.z, 0.01, "z: of the side that is seen");
  CHECK_NEAR(found.size.x, 0.85 * 0.16, 0.01, "width");
  CHECK_NEAR(found.size.y, 0.85 * 0.16, 0.01, "height");
  CHECK(found.used < found.known && found.used > found.known / 2, "%d of %d", found.used, found.known);
  /* the same as whole millimeters, with a mask of half the size and in a body's frame */
  static uint16_t raw[WIDE * HIGH];
  for (int i = 0; i < WIDE * HIGH; i++)
    raw[i] = depth[i] > 0 && depth[i] < 60 ? (uint16_t)lround(1000.0 * (double)depth[i]) : 0;
  brio_mask *half = mask_of(WIDE / 2, HIGH / 2);
  brio_looked again;
  brio_camera body = camera;
  body.body = true;
  brio_mask_box(half, &(brio_picture_box){middle[0] / 2 - 6, middle[1] / 2 - 6, 12, 12}, &err);
  CHECK(brio_mask_look(half, &(brio_depth){.width = WIDE, .height = HIGH, .raw = raw}, &body, &(brio_look){0},
                       &again, &err),
        "%s", err.message);
  CHECK_NEAR(again.center.x, found.center.z, 0.01, "forward");
  CHECK_NEAR(again.center.y, -found.center.x, 0.01, "to the left");
  CHECK_NEAR(again.center.z, -found.center.y, 0.01, "up");
  brio_mask_free(mask);
  brio_mask_free(half);
}

static void nothing_to_see_is_told(void) {
  static float depth[WIDE * HIGH];
  static uint16_t none[WIDE * HIGH];
  brio_error err;
  brio_looked found;
  brio_mask *mask = mask_of(WIDE, HIGH);
  brio_depth picture = {.width = WIDE, .height = HIGH, .meters = depth};
  take_picture(depth, (brio_vec3){0, 0, 1}, 0.1, 0);
  CHECK(!brio_mask_look(mask, &picture, &camera, &(brio_look){0}, &found, &err) &&
            err.code == BRIO_UNREACHABLE,
        "empty");
  CHECK_HAS(err.message, "only 0 pixels under the mask have a depth");
  brio_mask_box(mask, &(brio_picture_box){0, 0, WIDE, HIGH}, &err);
  CHECK(!brio_mask_look(mask, &(brio_depth){.width = WIDE, .height = HIGH, .raw = none}, &camera,
                        &(brio_look){0}, &found, &err),
        "no depths");
  CHECK(!brio_mask_look(mask, &picture, &camera, &(brio_look){.farthest = 0.5}, &found, &err), "too far");
  CHECK(brio_mask_look(mask, &picture, &camera, &(brio_look){.farthest = 1.5}, &found, &err), "%s",
        err.message);
  CHECK_NEAR(found.median, 0.91, 0.03, "near");
  picture.width = 0;
  CHECK(!brio_mask_look(mask, &picture, &camera, &(brio_look){0}, &found, &err) && err.code == BRIO_MISUSE,
        "no picture");
  picture = (brio_depth){.width = WIDE, .height = HIGH};
  CHECK(!brio_mask_look(mask, &picture, &camera, &(brio_look){0}, &found, &err) && err.code == BRIO_MISUSE,
        "no numbers");
  brio_mask_free(mask);
}

static void looking_allocates_nothing(void) {
#ifdef SANITIZED
  SKIP("a sanitizer has taken malloc's place");
#endif
  static float depth[WIDE * HIGH];
  brio_error err;
  brio_looked found;
  brio_mask *mask = mask_of(WIDE, HIGH);
  take_picture(depth, (brio_vec3){0, 0, 1}, 0.1, 0);
  size_t before = allocations;
  for (int i = 0; i < 3; i++) {
    brio_mask_clear(mask);
    brio_mask_box(mask, &(brio_picture_box){50, 30, 60, 60}, &err);
    brio_mask_erode(mask, 3);
    brio_mask_look(mask, &(brio_depth){.width = WIDE, .height = HIGH, .meters = depth}, &camera,
                   &(brio_look){0}, &found, &err);
  }
  CHECK(allocations == before, "%zu allocations", allocations - before);
  brio_mask_free(mask);
}

/* ------------------------------------------------------------------ corners */

static void corners_make_a_box(void) {
  brio_random random = brio_random_stream(3, "corners");
  brio_error err;
  for (int run = 0; run < 300; run++) {
    brio_vec3 size = {brio_random_uniform(&random, 0.02, 2), brio_random_uniform(&random, 0.02, 2),
                      run % 7 ? brio_random_uniform(&random, 0.02, 2) : 0};
    if (run % 5 == 0) size.y = size.x; /* as wide as long */
    brio_quat q = brio_quat_unit((brio_quat){brio_random_normal(&random), brio_random_normal(&random),
                                             brio_random_normal(&random), brio_random_normal(&random)});
    brio_pose truth = {{brio_random_normal(&random), 2, 3}, q}, pose;
    brio_vec3 corners[8], shuffled[8], got;
    for (int i = 0; i < 8; i++) {
      brio_vec3 at = {(i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y,
                      (i & 4 ? 0.5 : -0.5) * size.z};
      corners[i] = shuffled[(5 * i + 3) % 8] = brio_pose_point(truth, at);
    }
    for (int turned = 0; turned < 2; turned++) {
      CHECK(brio_box_of_corners(turned ? shuffled : corners, turned ? &q : NULL, &pose, &got, &err), "%s",
            err.message);
      CHECK(brio_vec3_norm(brio_vec3_sub(got, size)) < 1e-9, "size %g %g %g", got.x, got.y, got.z);
      CHECK(brio_vec3_norm(brio_vec3_sub(pose.p, truth.p)) < 1e-9, "place in run %d", run);
      CHECK(brio_quat_angle(brio_quat_mul(brio_quat_conj(q), pose.q)) < 1e-6, "turn in run %d: %g", run,
            brio_quat_angle(brio_quat_mul(brio_quat_conj(q), pose.q)));
    }
    CHECK(run % 7 == 0 || !brio_box_of_corners(shuffled, NULL, &pose, &got, &err), "in another order: run %d",
          run);
  }
  brio_vec3 point[8] = {{0, 0, 0}}, got;
  brio_pose pose;
  CHECK(!brio_box_of_corners(point, NULL, &pose, &got, &err), "one point is no box");
  point[3].x = NAN;
  CHECK(!brio_box_of_corners(point, NULL, &pose, &got, &err), "nowhere");
  CHECK_HAS(err.message, "finite");
}

CHECK_SUITE(CHECK_TEST(boxes_runs_and_polygons_fill), CHECK_TEST(wrong_ones_are_refused),
            CHECK_TEST(erosion_is_by_distance), CHECK_TEST(a_thing_is_found_before_a_wall),
            CHECK_TEST(nothing_to_see_is_told), CHECK_TEST(looking_allocates_nothing),
            CHECK_TEST(corners_make_a_box))
