/* Camera models: the written-out formula, round trips, derivatives, positions. */
#include "base/random.h"
#include "scene/camera.h"
#include "tests/check.h"

static const brio_camera cameras[] = {
    {.model = BRIO_CAMERA_PINHOLE,
     .width = 640,
     .height = 480,
     .fx = 535.4,
     .fy = 539.2,
     .cx = 320.1,
     .cy = 247.6},
    {.model = BRIO_CAMERA_PINHOLE, /* a Kinect of the TUM RGB-D benchmark, freiburg1: strong distortion */
     .width = 640,
     .height = 480,
     .fx = 517.3,
     .fy = 516.5,
     .cx = 318.6,
     .cy = 255.3,
     .k = {0.2624, -0.9531, 1.1633},
     .p = {-0.0054, 0.0026}},
    {.model = BRIO_CAMERA_PINHOLE, /* rational */
     .width = 1280,
     .height = 720,
     .fx = 610,
     .fy = 611,
     .cx = 640,
     .cy = 364,
     .k = {0.42, -2.1, 1.3, 0.3, -1.9, 1.2},
     .p = {0.0005, -0.0003},
     .body = true},
    {.model = BRIO_CAMERA_FISHEYE, /* a T265's kind */
     .width = 848,
     .height = 800,
     .fx = 286.2,
     .fy = 286.3,
     .cx = 418.9,
     .cy = 396.3,
     .k = {-0.0063, 0.0437, -0.0419, 0.0082}},
    {.model = BRIO_CAMERA_FISHEYE,
     .width = 400,
     .height = 300,
     .fx = 100,
     .fy = 110,
     .cx = 200,
     .cy = 150,
     .body = true},
};

enum { CAMERAS = sizeof cameras / sizeof *cameras };

static void draw_pixel(brio_random *random, const brio_camera *c, double pixel[2]) {
  pixel[0] = brio_random_uniform(random, 0, c->width - 1);
  pixel[1] = brio_random_uniform(random, 0, c->height - 1);
}

/* Worked by hand: r2 = 0.05; s = 1 + 0.1 * 0.05 - 0.2 * 0.0025 + 0.3 * 0.000125 = 1.0045375;
** x' = 0.2 s + 2 * 0.01 * 0.2 * 0.1 + 0.02 (0.05 + 0.08) = 0.2039075,
** y' = 0.1 s + 0.01 (0.05 + 0.02) + 2 * 0.02 * 0.2 * 0.1 = 0.10195375. */
static void distorts_as_the_formula_says(void) {
  brio_camera c = {.width = 640,
                   .height = 480,
                   .fx = 500,
                   .fy = 400,
                   .cx = 320,
                   .cy = 240,
                   .k = {0.1, -0.2, 0.3},
                   .p = {0.01, 0.02}};
  double pixel[2];
  CHECK(brio_camera_project(&c, (brio_vec3){0.4, 0.2, 2}, pixel, NULL), "not seen");
  CHECK_NEAR(pixel[0], 320 + 500 * 0.2039075, 1e-9, "u");
  CHECK_NEAR(pixel[1], 240 + 400 * 0.10195375, 1e-9, "v");
  /* 60 degrees to the right: an equidistant camera sees it at f * pi / 3 */
  c = (brio_camera){
      .model = BRIO_CAMERA_FISHEYE, .width = 640, .height = 480, .fx = 100, .fy = 100, .cx = 320, .cy = 240};
  CHECK(brio_camera_project(&c, (brio_vec3){sqrt(3), 0, 1}, pixel, NULL), "not seen");
  CHECK_NEAR(pixel[0], 320 + 100 * 3.14159265358979323846 / 3, 1e-9, "u");
  CHECK_NEAR(pixel[1], 240, 1e-9, "v");
  /* 120 degrees upwards, and the same with k1: t (1 + 0.1 t^2) */
  c.k[0] = 0.1;
  CHECK(brio_camera_project(&c, (brio_vec3){0, -sqrt(3), -1}, pixel, NULL), "behind a fisheye");
  double t = 2 * 3.14159265358979323846 / 3;
  CHECK_NEAR(pixel[1], 240 - 100 * t * (1 + 0.1 * t * t), 1e-9, "v");
  /* a body looks along x; to its left is to the left of the picture */
  c = cameras[4];
  CHECK(brio_camera_project(&c, (brio_vec3){1, 1, 0}, pixel, NULL), "not seen");
  CHECK_NEAR(pixel[0], 200 - 100 * 3.14159265358979323846 / 4, 1e-9, "u");
}

static void a_pixel_comes_back(void) {
  brio_random random = brio_random_stream(1, "camera");
  for (int i = 0; i < CAMERAS; i++) {
    int seen = 0;
    for (int k = 0; k < 400; k++) {
      double pixel[2], back[2];
      brio_vec3 ray;
      draw_pixel(&random, &cameras[i], pixel);
      if (!brio_camera_ray(&cameras[i], pixel, &ray)) continue;
      seen++;
      CHECK_NEAR(brio_vec3_norm(ray), 1, 1e-12, "length");
      brio_vec3 point = brio_vec3_scale(brio_random_uniform(&random, 0.1, 20), ray);
      CHECK(brio_camera_project(&cameras[i], point, back, NULL), "camera %d: its own ray is not seen", i);
      CHECK_NEAR(back[0], pixel[0], 1e-6, "camera %d: u", i);
      CHECK_NEAR(back[1], pixel[1], 1e-6, "camera %d: v", i);
    }
    CHECK(seen >= 380, "camera %d: %d of 400 pixels have a ray", i, seen);
  }
}

static void derivatives_are_those_of_differences(void) {
  brio_random random = brio_random_stream(2, "camera");
  const double h = 1e-6;
  for (int i = 0; i < CAMERAS; i++)
    for (int k = 0; k < 200; k++) {
      double pixel[2], jacobian[6], up[2], down[2];
      brio_vec3 ray;
      draw_pixel(&random, &cameras[i], pixel);
      if (k == 0) pixel[0] = cameras[i].cx, pixel[1] = cameras[i].cy;
      if (!brio_camera_ray(&cameras[i], pixel, &ray)) continue;
      brio_vec3 p = brio_vec3_scale(brio_random_uniform(&random, 0.5, 3), ray);
      CHECK(brio_camera_project(&cameras[i], p, pixel, jacobian), "not seen");
      for (int axis = 0; axis < 3; axis++) {
        brio_vec3 step = {axis == 0 ? h : 0, axis == 1 ? h : 0, axis == 2 ? h : 0};
        brio_camera_project(&cameras[i], brio_vec3_add(p, step), up, NULL);
        brio_camera_project(&cameras[i], brio_vec3_sub(p, step), down, NULL);
        for (int row = 0; row < 2; row++)
          CHECK_NEAR(jacobian[3 * row + axis], (up[row] - down[row]) / (2 * h),
                     1e-4 * (1 + fabs(jacobian[3 * row + axis])), "camera %d: row %d, axis %d", i, row, axis);
      }
    }
}

static void what_is_not_seen_is_refused(void) {
  double pixel[2];
  brio_vec3 ray;
  CHECK(!brio_camera_project(&cameras[0], (brio_vec3){0, 0, -1}, pixel, NULL), "behind");
  CHECK(!brio_camera_project(&cameras[0], (brio_vec3){0, 0, 0}, pixel, NULL), "at the camera");
  CHECK(!brio_camera_project(&cameras[0], (brio_vec3){NAN, 0, 1}, pixel, NULL), "nowhere");
  CHECK(!brio_camera_project(&cameras[3], (brio_vec3){0, 0, 0}, pixel, NULL), "at the fisheye");
  CHECK(!brio_camera_project(&cameras[3], (brio_vec3){NAN, 0, 1}, pixel, NULL), "nowhere");
  /* 80 degrees aside the distortion of a narrow lens means nothing: the polynomial folds back */
  brio_camera narrow = cameras[0];
  narrow.k[0] = -0.3;
  CHECK(!brio_camera_project(&narrow, (brio_vec3){6, 0, 1}, pixel, NULL), "folded back");
  CHECK(!brio_camera_ray(&narrow, (double[]){3000, 247}, &ray), "no ray falls so far out");
  CHECK(!brio_camera_ray(&cameras[4], (double[]){5000, 5000}, &ray), "nor in a fisheye");
  CHECK(!brio_camera_ray(&cameras[0], (double[]){NAN, 0}, &ray), "no pixel");
}

static void wrong_cameras_are_refused(void) {
  brio_error err = {0};
  brio_camera wrong[7];
  for (int i = 0; i < 7; i++) wrong[i] = cameras[1];
  wrong[0].model = BRIO_CAMERA_MODELS, wrong[1].width = 0, wrong[2].height = 1 << 20, wrong[3].fx = 0;
  wrong[4].fy = NAN, wrong[5].cx = INFINITY, wrong[6].k[2] = NAN;
  for (int i = 0; i < 7; i++)
    CHECK(!brio_camera_check(&wrong[i], &err) && err.code == BRIO_MISUSE, "camera %d", i);
  for (int i = 0; i < CAMERAS; i++) CHECK(brio_camera_check(&cameras[i], &err), "%s", err.message);
  CHECK(strcmp(brio_camera_model_name(BRIO_CAMERA_FISHEYE), "fisheye") == 0, "name");
  CHECK(!brio_camera_model_name(BRIO_CAMERA_MODELS), "no such model");
}

static void half_the_picture_shows_the_same(void) {
  brio_camera half = brio_camera_scaled(&cameras[1], 320, 240);
  double a[2], b[2];
  brio_vec3 point = {0.3, -0.2, 1.5};
  brio_camera_project(&cameras[1], point, a, NULL);
  brio_camera_project(&half, point, b, NULL);
  CHECK_NEAR((a[0] + 0.5) / 2 - 0.5, b[0], 1e-9, "u");
  CHECK_NEAR((a[1] + 0.5) / 2 - 0.5, b[1], 1e-9, "v");
}

static void heights_and_planes_tell_how_far(void) {
  const brio_camera *c = &cameras[0];
  double top[2], foot[2];
  brio_camera_project(c, (brio_vec3){1, -0.85, 5}, top, NULL);
  brio_camera_project(c, (brio_vec3){1, 0.85, 5}, foot, NULL);
  brio_picture_box box = {top[0] - 20, top[1], 40, foot[1] - top[1]};
  brio_vec3 point;
  CHECK(brio_camera_by_height(c, &box, 1.7, &point), "not told");
  CHECK(brio_vec3_norm(brio_vec3_sub(point, (brio_vec3){1, 0, 5})) < 0.06, "at %g %g %g", point.x, point.y,
        point.z);
  box.height = 0;
  CHECK(!brio_camera_by_height(c, &box, 1.7, &point) && !brio_camera_by_height(c, &box, NAN, &point),
        "no height");
  /* a camera 1.2 m high looks 30 degrees down along the world's x */
  brio_pose at = {
      {0, 0, 1.2},
      brio_quat_from_rpy(-(90 + 30) * 3.14159265358979323846 / 180, 0, -3.14159265358979323846 / 2)};
  CHECK(brio_camera_on_plane(c, at, (double[]){c->cx, c->cy}, (brio_vec3){0, 0, 1}, 0.7, 10, &point),
        "not met");
  CHECK_NEAR(point.x, 0.5 / tan(30 * 3.14159265358979323846 / 180), 1e-9, "x");
  CHECK_NEAR(point.z, 0.7, 1e-12, "on the table");
  CHECK(!brio_camera_on_plane(c, at, (double[]){c->cx, c->cy}, (brio_vec3){0, 0, 1}, 1.3, 10, &point),
        "above");
  CHECK(!brio_camera_on_plane(c, at, (double[]){c->cx, c->cy}, (brio_vec3){0, 0, 1}, 0.7, 0.5, &point),
        "too far");
  CHECK(!brio_camera_on_plane(c, at, (double[]){c->cx, c->cy}, (brio_vec3){0, 0, 0}, 0.7, 10, &point),
        "no plane");
}

CHECK_SUITE(CHECK_TEST(distorts_as_the_formula_says), CHECK_TEST(a_pixel_comes_back),
            CHECK_TEST(derivatives_are_those_of_differences), CHECK_TEST(what_is_not_seen_is_refused),
            CHECK_TEST(wrong_cameras_are_refused), CHECK_TEST(half_the_picture_shows_the_same),
            CHECK_TEST(heights_and_planes_tell_how_far))
