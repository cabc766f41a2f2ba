/* Calibration against cameras of known truth: boards drawn by numbers, with and without noise. */
#include "base/random.h"
#include "tests/check.h"
#include "vision/calibration.h"

enum { COLUMNS = 9, ROWS = 6, POINTS = COLUMNS * ROWS, VIEWS = 14 };

static const brio_camera truth = {.width = 1280,
                                  .height = 800,
                                  .fx = 910,
                                  .fy = 905,
                                  .cx = 655,
                                  .cy = 388,
                                  .k = {-0.21, 0.06, 0},
                                  .p = {0.0012, -0.0008}};

static double board[POINTS][2], pixels[VIEWS][POINTS][2];
static brio_plane_view views[VIEWS];

/* Pictures of the board by `camera`, tilted by up to `tilt` rad, with noise, px. */
static void take_pictures(const brio_camera *camera, double tilt, double noise) {
  brio_random random = brio_random_stream(5, "vision.board");
  for (int i = 0; i < POINTS; i++)
    board[i][0] = 0.03 * (i % COLUMNS - 4), board[i][1] = 0.03 * ((i - i % COLUMNS) / COLUMNS - 2.5);
  for (int v = 0; v < VIEWS; v++) {
    /* Within the picture, around its middle and towards its borders. */
    bool inside = false;
    while (!inside) {
      double z = brio_random_uniform(&random, 0.3, 0.6);
      brio_vec3 turn = {brio_random_uniform(&random, -tilt, tilt), brio_random_uniform(&random, -tilt, tilt),
                        brio_random_uniform(&random, -0.5, 0.5)};
      brio_pose pose = {
          {brio_random_uniform(&random, -0.4, 0.4) * z, brio_random_uniform(&random, -0.25, 0.25) * z, z},
          brio_quat_exp(turn)};
      inside = true;
      for (int i = 0; i < POINTS && inside; i++) {
        double *p = pixels[v][i];
        inside = brio_camera_project(camera, brio_pose_point(pose, (brio_vec3){board[i][0], board[i][1], 0}),
                                     p, NULL) &&
                 p[0] > 0 && p[1] > 0 && p[0] < camera->width && p[1] < camera->height;
      }
    }
    for (int i = 0; i < 2 * POINTS; i++) pixels[v][i / 2][i % 2] += noise * brio_random_normal(&random);
    views[v] = (brio_plane_view){POINTS, (const double(*)[2])board, (const double(*)[2])pixels[v]};
  }
}

static void number_list(const brio_camera *c, double out[BRIO_CALIBRATION_NUMBERS]) {
  double list[BRIO_CALIBRATION_NUMBERS] = {c->fx,   c->fy,   c->cx,   c->cy,  c->k[0],
                                           c->k[1], c->k[2], c->p[0], c->p[1]};
  memcpy(out, list, sizeof list);
}

/* Without noise all numbers come back. */
static void exact_boards_give_all_numbers(void) {
  brio_calibration_options options = {1280, 800, 2, true};
  brio_calibration found;
  brio_plane_pose poses[VIEWS];
  brio_error err = {0};
  double want[BRIO_CALIBRATION_NUMBERS], got[BRIO_CALIBRATION_NUMBERS];
  take_pictures(&truth, 0.7, 0);
  CHECK(brio_calibrate(&options, VIEWS, views, &found, poses, &err), "%s", err.message);
  number_list(&truth, want), number_list(&found.camera, got);
  for (int i = 0; i < BRIO_CALIBRATION_NUMBERS; i++)
    CHECK_NEAR(got[i], want[i], i < 4 ? 1e-3 : 1e-5, "%s", brio_calibration_number(i));
  CHECK(found.error < 1e-5 && found.views == VIEWS && found.points == VIEWS * POINTS, "error %g",
        found.error);
}

/* With noise the error is the noise's, and the numbers lie within their deviations. */
static void noise_stays_within_the_deviations(void) {
  brio_calibration_options options = {1280, 800, 2, true};
  brio_calibration found;
  brio_plane_pose poses[VIEWS];
  brio_error err = {0};
  double want[BRIO_CALIBRATION_NUMBERS], got[BRIO_CALIBRATION_NUMBERS];
  take_pictures(&truth, 0.7, 0.3);
  CHECK(brio_calibrate(&options, VIEWS, views, &found, poses, &err), "%s", err.message);
  number_list(&truth, want), number_list(&found.camera, got);
  for (int i = 0; i < BRIO_CALIBRATION_NUMBERS; i++) {
    if (i == 6) continue; /* k3 is not estimated */
    CHECK(found.deviation[i] > 0, "%s has no deviation", brio_calibration_number(i));
    CHECK_NEAR(got[i], want[i], 4 * found.deviation[i], "%s", brio_calibration_number(i));
  }
  CHECK_NEAR(found.deviation[0], 0, 3, "deviation of fx, px");
  CHECK_NEAR(found.error, 0.3 * sqrt(2), 0.02, "root mean square of distances");
}

/* What does not determine a camera is refused with a sentence. */
static void boards_that_do_not_determine_a_camera_are_refused(void) {
  brio_calibration_options options = {1280, 800, 2, true}, small = {8, 8, 2, true};
  brio_calibration found;
  brio_plane_pose poses[VIEWS];
  brio_error err = {0};
  take_pictures(&truth, 0.7, 0.1);
  CHECK(!brio_calibrate(&options, 2, views, &found, poses, &err) && err.code == BRIO_MISUSE, "two views");
  CHECK(!brio_calibrate(&small, VIEWS, views, &found, poses, &err) && err.code == BRIO_MISUSE,
        "tiny pictures");
  views[3].count = 3;
  CHECK(!brio_calibrate(&options, VIEWS, views, &found, poses, &err) && err.code == BRIO_FORMAT,
        "three points");
  CHECK_HAS(err.message, "view 4");
  /* A board that is never tilted says nothing of the focal length. */
  take_pictures(&truth, 0, 0.1);
  CHECK(!brio_calibrate(&options, VIEWS, views, &found, poses, &err) && err.code == BRIO_FORMAT,
        "frontal boards: fx %g", found.camera.fx);
  CHECK_HAS(err.message, "tilt");
}

CHECK_SUITE(CHECK_TEST(exact_boards_give_all_numbers), CHECK_TEST(noise_stays_within_the_deviations),
            CHECK_TEST(boards_that_do_not_determine_a_camera_are_refused))
