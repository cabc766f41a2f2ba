/* Tags in drawn pictures of known truth, and a camera calibrated by drawn pictures of a board. */
#include <fcntl.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "drivers/cameras/finder.h"
#include "drivers/cameras/mode.h"
#include "tests/check.h"
#include "tests/engine/cameras/scene_picture.h"

static const brio_camera lens = {.width = 400,
                                 .height = 300,
                                 .fx = 330,
                                 .fy = 326,
                                 .cx = 204,
                                 .cy = 146,
                                 .k = {-0.12, 0.03},
                                 .p = {0.001, -0.0005}};

extern const brio_camera_mode brio_camera_mode_calibrate;

/* Settings from words; fails the test where one is wrong. */
static brio_camera_settings settings_of(const char *const *words) {
  brio_camera_settings s;
  brio_error err = {0};
  brio_camera_settings_start(&s);
  for (; *words; words++) CHECK(brio_camera_settings_read(&s, *words, &err), "%s: %s", *words, err.message);
  return s;
}

/* Find the tags in a picture; returns their number. */
static int find(brio_finders *finders, const brio_picture *picture, brio_finding *out) {
  return finders->finders[0].kind->find(&finders->finders[0], picture, &lens, out);
}

static double angle_between(brio_quat a, brio_quat b) {
  return brio_quat_angle(brio_quat_mul(brio_quat_conj(a), b));
}

/* The object's axes of the truth: x out of the tag's face, y right, z up, in the body's frame. */
static brio_quat truth_of(brio_quat optical_from_tag) {
  brio_vec3 axes[3] = {{0, 0, -1}, {1, 0, 0}, {0, -1, 0}};
  double m[9];
  for (int k = 0; k < 3; k++) {
    brio_vec3 v = brio_finder_body(brio_quat_rotate(optical_from_tag, axes[k]));
    m[k] = v.x, m[3 + k] = v.y, m[6 + k] = v.z;
  }
  return brio_quat_from_matrix(m);
}

/* Near tags stand where they are, as they are turned. */
static void tags_stand_where_they_are(void) {
  static const char *const words[] = {"size=0.1", "columns=1", "rows=1", "first=7", "tag=7:0:cup", NULL};
  brio_camera_settings s = settings_of(words);
  brio_finders finders;
  brio_picture picture = {0};
  static brio_finding found[BRIO_FINDINGS];
  CHECK(brio_finders_open(&finders, &s, NULL) && finders.count == 1, "tags");
  sheet *one = sheet_new(&s);
  const brio_pose truths[] = {{{0, 0, 0.4}, brio_quat_exp((brio_vec3){0, 0.6, 0})},
                              {{0.08, -0.05, 0.5}, brio_quat_exp((brio_vec3){0.7, 0.1, 0.3})},
                              {{-0.1, 0.06, 0.45}, brio_quat_exp((brio_vec3){-0.3, -0.5, 1.2})}};
  for (int i = 0; i < 3; i++) {
    draw_sheet(one, &lens, truths[i], 2, &picture);
    picture.time = 10 * i;
    int count = find(&finders, &picture, found);
    CHECK(count == 1 && strcmp(found[0].id, "tag36h11:7") == 0 && strcmp(found[0].kind, "cup") == 0,
          "%d found", count);
    if (count != 1) continue;
    brio_vec3 error = brio_vec3_sub(found[0].pose.p, brio_finder_body(truths[i].p));
    double deviation = sqrt(found[0].covariance[0] + found[0].covariance[7] + found[0].covariance[14]);
    CHECK(brio_vec3_norm(error) < 0.01 * truths[i].p.z, "picture %d: %.4f m off", i, brio_vec3_norm(error));
    CHECK(brio_vec3_norm(error) < 4 * deviation, "%.4f m off, with a deviation of %.4f",
          brio_vec3_norm(error), deviation);
    CHECK(found[0].oriented, "picture %d: ambiguous", i);
    CHECK_NEAR(angle_between(found[0].pose.q, truth_of(truths[i].q)), 0, 0.035, "picture %d", i);
    CHECK(found[0].pose.q.w != 0 && found[0].confidence > 0.5 && found[0].size.y == 0.1, "the rest");
  }
  brio_finders_close(&finders);
  brio_picture_end(&picture);
  free(one);
}

/* A small tag gives no orientation by itself; after a near view it keeps the right one of both. */
static void ambiguous_tags_have_no_orientation(void) {
  static const char *const words[] = {"size=0.1", "columns=1", "rows=1", "decimate=1", "margin=5", NULL};
  brio_camera_settings s = settings_of(words);
  brio_finders finders;
  brio_picture far = {0}, near = {0};
  static brio_finding found[BRIO_FINDINGS];
  brio_quat turn = brio_quat_exp((brio_vec3){0, 0.35, 0});
  CHECK(brio_finders_open(&finders, &s, NULL), "tags");
  sheet *one = sheet_new(&s);
  draw_sheet(one, &lens, (brio_pose){{0.02, 0.01, 1.6}, turn}, 1, &far);
  draw_sheet(one, &lens, (brio_pose){{0.02, 0.01, 0.35}, turn}, 1, &near);
  CHECK(find(&finders, &far, found) == 1 && !found[0].oriented, "a far tag has an orientation: ratio %g",
        found[0].ratio);
  CHECK(found[0].mirrored && found[0].measured, "the other pose and the covariance are told");
  near.time = 1, far.time = 1.1;
  CHECK(find(&finders, &near, found) == 1 && found[0].oriented, "a near tag has none");
  CHECK(find(&finders, &far, found) == 1 && found[0].oriented, "the last pose decides");
  CHECK(angle_between(found[0].pose.q, truth_of(turn)) < 0.4, "and it is the right one");
  /* An old pose is none. */
  far.time = 3;
  CHECK(find(&finders, &far, found) == 1 && !found[0].oriented, "a pose of two seconds ago");
  brio_finders_close(&finders);
  brio_picture_end(&far), brio_picture_end(&near);
  free(one);
}

/* Two tags with one number have no identity. */
static void doubled_tags_have_no_identity(void) {
  static const char *const words[] = {"size=0.06", "columns=2", "rows=1", "spacing=0.03", NULL};
  brio_camera_settings s = settings_of(words);
  brio_finders finders;
  brio_picture picture = {0};
  static brio_finding found[BRIO_FINDINGS];
  CHECK(brio_finders_open(&finders, &s, NULL), "tags");
  sheet *two = sheet_new(&s);
  draw_sheet(two, &lens, (brio_pose){{0, 0, 0.4}, BRIO_QUAT_IDENTITY}, 1, &picture);
  CHECK(find(&finders, &picture, found) == 2 && found[0].id[0] && found[1].id[0], "two tags");
  memcpy(two->cells[1], two->cells[0], sizeof two->cells[0]);
  draw_sheet(two, &lens, (brio_pose){{0, 0, 0.4}, BRIO_QUAT_IDENTITY}, 1, &picture);
  CHECK(find(&finders, &picture, found) == 2 && !found[0].id[0] && !found[1].id[0], "'%s' '%s'", found[0].id,
        found[1].id);
  brio_finders_close(&finders);
  brio_picture_end(&picture);
  free(two);
}

static void write_pgm(const char *path, const brio_picture *picture) {
  FILE *file = fopen(path, "wb");
  fprintf(file, "P5\n%d %d\n255\n", picture->width, picture->height);
  fwrite(picture->gray, 1, (size_t)picture->width * (size_t)picture->height, file);
  fclose(file);
}

/* Run the mode with its standard output in a file, and read that. */
static bool calibrate_into(const char *path, const brio_camera_settings *s, char **files, int count,
                           brio_text *out, brio_error *err) {
  fflush(stdout);
  int kept = dup(STDOUT_FILENO), fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  dup2(fd, STDOUT_FILENO);
  bool good = brio_camera_mode_calibrate.run(s, files, count, err);
  dup2(kept, STDOUT_FILENO);
  close(kept), close(fd);
  return brio_text_read_file(out, path, 1 << 20, NULL) && good;
}

/* A number behind `name` in the result; NAN: it is not there. */
static double number_in(const brio_text *text, const char *name) {
  const char *at = text->bytes ? strstr(text->bytes, name) : NULL;
  return at ? strtod(at + strlen(name), NULL) : NAN;
}

/* Drawn pictures of a board calibrate the camera that drew them; a sample of five pictures, more under a
** scale. */
static void drawn_boards_calibrate_the_camera(void) {
  static const char *const words[] = {"size=0.03",     "columns=5",  "rows=4",
                                      "spacing=0.009", "decimate=1", NULL};
  enum { MOST = 20 };
  int views = check_scale() > 1 ? MOST : 5;
  brio_camera_settings s = settings_of(words);
  brio_picture picture = {0};
  brio_random random = brio_random_stream(4, "boards");
  sheet *board = sheet_new(&s);
  char folder[] = "/tmp/brio.boards.XXXXXX", paths[MOST + 1][64], *files[MOST + 1];
  CHECK(mkdtemp(folder) != NULL, "a folder");
  for (int i = 0; i < views; i++) {
    /* Tilted to all sides, near enough to fill the picture. */
    double a = 2 * BRIO_PI * i / views, z = brio_random_uniform(&random, 0.2, 0.26);
    brio_pose pose = {{0.03 * cos(3 * a), 0.02 * sin(3 * a), z},
                      brio_quat_exp((brio_vec3){0.55 * cos(a), 0.55 * sin(a), 0.2 * i})};
    draw_sheet(board, &lens, pose, 2, &picture);
    snprintf(paths[i], sizeof paths[i], "%s/%02d.pgm", folder, i);
    files[i] = paths[i];
    write_pgm(paths[i], &picture);
  }
  brio_text out = {0};
  brio_error err = {0};
  snprintf(paths[views], sizeof paths[views], "%s/result", folder);
  CHECK(calibrate_into(paths[views], &s, files, views, &out, &err), "%s", err.message);
  CHECK_NEAR(number_in(&out, "\"fx\": "), lens.fx, 0.01 * lens.fx, "fx");
  CHECK_NEAR(number_in(&out, "\"fy\": "), lens.fy, 0.01 * lens.fy, "fy");
  CHECK_NEAR(number_in(&out, "\"cx\": "), lens.cx, 2.5, "cx");
  CHECK_NEAR(number_in(&out, "\"cy\": "), lens.cy, 2.5, "cy");
  CHECK_NEAR(number_in(&out, "\"k\": ["), lens.k[0], 0.04, "k1");
  CHECK_NEAR(number_in(&out, "\"error\": "), 0, 0.4, "reprojection error, px");
  CHECK_NEAR(number_in(&out, "\"views\": "), views, 0, "views");
  /* What it wrote is read as a calibration. */
  char setting[128];
  snprintf(setting, sizeof setting, "calibration=%s", paths[views]);
  CHECK(brio_camera_settings_read(&s, setting, &err) && fabs(s.fx - lens.fx) < 4 && s.cwidth == 400, "%s",
        err.message);
  for (int i = 0; i <= views; i++) unlink(paths[i]);
  rmdir(folder);
  brio_text_end(&out);
  brio_picture_end(&picture);
  free(board);
}

CHECK_SUITE(CHECK_TEST(tags_stand_where_they_are), CHECK_TEST(ambiguous_tags_have_no_orientation),
            CHECK_TEST(doubled_tags_have_no_identity), CHECK_TEST(drawn_boards_calibrate_the_camera))
