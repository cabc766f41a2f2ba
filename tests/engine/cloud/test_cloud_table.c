/* The edge of a table: compared with edges that people labeled in a real cloud, and with synthetic tables. */
#include "cloud/objects/table.h"

#include "cloud/surfaces/fit.h"
#include "cloud_scene.h"

/* The error of a line through `a` and `b`, compared with the line through `middle` along `along`, at the ends
** of a stretch of it: m, and degrees. */
static void compare(const brio_cloud_table *table, brio_vec3 middle, brio_vec3 along, double *off,
                    double *angle) {
  *angle = scene_angle(brio_vec3_sub(table->left, table->right), along);
  *off = 0;
  for (int k = 0; k < 2; k++) {
    brio_vec3 d = brio_vec3_sub(k ? table->left : table->right, middle);
    d = brio_vec3_add_scaled(d, -brio_vec3_dot(d, along), along);
    *off = fmax(*off, brio_vec3_norm(d));
  }
}

/* The least-squares line through points, without those far off a first line: its middle and direction. */
static void fit_line(const brio_vec3 *points, int count, brio_vec3 *middle, brio_vec3 *along) {
  brio_cloud_spread spread = {0};
  for (int round = 0; round < 3; round++) {
    brio_cloud_moments sums = {0};
    for (int i = 0; i < count; i++) {
      brio_vec3 d = brio_vec3_sub(points[i], spread.center);
      d = brio_vec3_add_scaled(d, -brio_vec3_dot(d, spread.axis[2]), spread.axis[2]);
      if (round == 0 || brio_vec3_norm(d) < 0.02) brio_cloud_moments_add(&sums, points[i], 1);
    }
    CHECK(brio_cloud_spread_of(&sums, 20, &spread), "an edge of %d points", count);
  }
  *middle = spread.center, *along = spread.axis[2];
}

/* The points of the label's outline in the picture: 0 the left end of each row, 1 the right one, 2 the
** top of each column, as far as the sensor sees beyond. */
static int outline(const brio_cloud *cloud, int side, brio_vec3 *points) {
  int count = 0, lines = side < 2 ? cloud->height : cloud->width,
      places = side < 2 ? cloud->width : cloud->height;
  for (int k = 0; k < lines; k++)
    for (int j = 0; j < places; j++) {
      int i = side == 0   ? k * cloud->width + j
              : side == 1 ? k * cloud->width + places - 1 - j
                          : j * cloud->width + k;
      if (cloud->labels[i] != 1 || !brio_cloud_has(cloud, i)) continue;
      bool cut = j < 4 || (side == 1 && places - 1 - j > 565) || k < 4 ||
                 (side == 2 && (k < 140 || k > 418)) || (side < 2 && k < 112);
      if (!cut) points[count++] = brio_cloud_point(cloud, i);
      break;
    }
  return count;
}

/* The three edges of the labeled table that are in view, each approached from many
** places: 2 cm and 2 degrees. */
static void labeled_edges_are_found_within_2_cm_and_2_degrees(void) {
  brio_error err = {0};
  brio_cloud *cloud = scene_shared("mOSD_learn35_labelled_tabletop.pcd");
  if (!cloud) SKIP("the shared clouds are not on this machine");
  brio_cloud_moments sums = {0};
  brio_cloud_spread top;
  for (int i = 0; i < cloud->count; i++)
    if (brio_cloud_has(cloud, i) && cloud->labels[i] == 1)
      brio_cloud_moments_add(&sums, brio_cloud_point(cloud, i), 1);
  CHECK(brio_cloud_spread_of(&sums, 3, &top), "the table");
  brio_vec3 up = top.axis[0].z > 0 ? top.axis[0] : brio_vec3_scale(-1, top.axis[0]);
  brio_vec3 *points = malloc(700 * sizeof *points);
  double worst_off = 0, worst_angle = 0;
  for (int side = 0; side < 3; side++) {
    brio_vec3 middle, along;
    fit_line(points, outline(cloud, side, points), &middle, &along);
    brio_vec3 forward = brio_vec3_cross(up, along);
    if (brio_vec3_dot(forward, brio_vec3_sub(top.center, middle)) < 0) forward = brio_vec3_scale(-1, forward);
    for (int seed = 0; seed < 4; seed++) {
      brio_random random = brio_random_stream((uint64_t)(10 * side + seed), "stand");
      double yaw = brio_random_uniform(&random, -0.4, 0.4), far = brio_random_uniform(&random, 0.4, 1.2);
      brio_vec3 left = brio_vec3_cross(up, forward);
      brio_vec3 x = brio_vec3_add_scaled(brio_vec3_scale(cos(yaw), forward), sin(yaw), left),
                y = brio_vec3_cross(up, x);
      brio_transform t = {{x.x, y.x, up.x, x.y, y.y, up.y, x.z, y.z, up.z}, {0, 0, 0}};
      t.p = brio_vec3_add_scaled(brio_vec3_add_scaled(middle, -far, x), -0.74, up);
      brio_cloud_table table;
      brio_cloud_table_how how = {.from = brio_pose_of(&t)};
      bool fine = brio_cloud_table_find(&table, cloud, &how, &err);
      CHECK(fine, "side %d seed %d: %s", side, seed, err.message);
      if (!fine) continue;
      double off, angle;
      compare(&table, middle, along, &off, &angle);
      CHECK(off < 0.02 && angle < 2, "side %d seed %d: %.1f mm, %.2f degrees", side, seed, 1e3 * off, angle);
      CHECK_NEAR(table.height, 0.74, 0.01, "height");
      worst_off = fmax(worst_off, off), worst_angle = fmax(worst_angle, angle);
    }
  }
  printf("# labeled edges: at most %.1f mm and %.2f degrees off\n", 1e3 * worst_off, worst_angle);
  free(points);
  brio_cloud_free(cloud);
}

/* A table with objects on it, a floor, a wall behind, a person in front of one side. */
static scene hall(brio_random *random, double yaw, double height, bool person) {
  scene s = {.noise = 0.0015, .width = 320, .height = 240, .half_angle = 0.6};
  s.holes = brio_random_uniform(random, 0, 0.3), s.wild = brio_random_uniform(random, 0, 0.01);
  brio_pose table = scene_look(1.5 + 0.4 * cos(yaw), 0.4 * sin(yaw), height - 0.015, yaw, 0);
  scene_add(&s, (brio_vec3){2, 0, 0}, (brio_vec3){4, 0, 0}, (brio_vec3){0, 3, 0});
  scene_add(&s, (brio_vec3){4, 0, 1.2}, (brio_vec3){0, 3, 0}, (brio_vec3){0, 0, 1.2});
  scene_box(&s, table, 0.8, 1.8, 0.03);
  for (int k = 0; k < 4; k++) {
    brio_vec3 at = {brio_random_uniform(random, -0.25, 0.25), brio_random_uniform(random, -0.6, 0.6), 0.075};
    scene_box(&s, (brio_pose){brio_pose_point(table, at), table.q}, 0.1, 0.15, 0.12);
  }
  if (person)
    scene_box(&s, scene_look(0.95, brio_random_uniform(random, 0.35, 0.6), 0.8, 0.2, 0), 0.2, 0.4, 1.6);
  return s;
}

/* Tables of any height, turned any way, with things on them, holes, wild points and people: whatever
** frame the cloud is in, and whether it is organized or not. */
static void made_tables_are_found(void) {
  double worst_off = 0, worst_angle = 0;
  int count = (int)(12 * check_scale());
  for (int seed = 0; seed < count; seed++) {
    brio_random random = brio_random_stream((uint64_t)seed, "hall");
    brio_error err = {0};
    double yaw = brio_random_uniform(&random, -0.5, 0.5), height = brio_random_uniform(&random, 0.6, 1);
    scene s = hall(&random, yaw, height, seed % 3 == 2);
    brio_cloud *cloud = scene_see(&s, scene_look(-0.1, brio_random_uniform(&random, -0.2, 0.2), 1.6, 0, 0.55),
                                  (uint64_t)seed);
    if (seed % 2) scene_unordered(cloud, (uint64_t)seed);
    brio_pose frame = {{1, -7, 3}, brio_quat_exp((brio_vec3){brio_random_uniform(&random, -2, 2), 1, -1})};
    brio_cloud_transform(cloud, frame);
    brio_cloud_table table;
    brio_cloud_table_how how = {.from = frame};
    bool fine = brio_cloud_table_find(&table, cloud, &how, &err);
    CHECK(fine, "seed %d: %s", seed, err.message);
    if (fine) {
      double off, angle;
      brio_vec3 middle = brio_pose_point(frame, (brio_vec3){1.5, 0, height});
      compare(&table, middle, brio_quat_rotate(frame.q, (brio_vec3){-sin(yaw), cos(yaw), 0}), &off, &angle);
      CHECK(off < 0.02 && angle < 2, "seed %d: %.1f mm, %.2f degrees", seed, 1e3 * off, angle);
      CHECK(table.beyond.open + table.beyond.hidden > 0.6, "seed %d: the floor is seen before the edge",
            seed);
      CHECK_NEAR(table.height, height, 0.01, "seed %d", seed);
      brio_vec3 into =
          brio_quat_rotate(brio_quat_conj(frame.q), brio_quat_rotate(table.pose.q, (brio_vec3){1, 0, 0}));
      CHECK_NEAR(atan2(into.y, into.x), yaw, 0.035, "the pose faces the table, seed %d", seed);
      worst_off = fmax(worst_off, off), worst_angle = fmax(worst_angle, angle);
    }
    brio_cloud_free(cloud);
  }
  printf("# made tables: at most %.1f mm and %.2f degrees off\n", 1e3 * worst_off, worst_angle);
}

/* Where there is no table this is reported in words; invalid settings are refused. */
static void no_table_is_said_in_words(void) {
  brio_error err = {0};
  scene s = {.noise = 0.001, .width = 160, .height = 120, .half_angle = 0.5};
  scene_add(&s, (brio_vec3){2, 0, 0}, (brio_vec3){4, 0, 0}, (brio_vec3){0, 3, 0});
  scene_add(&s, (brio_vec3){2.5, 0, 1.5}, (brio_vec3){0, 3, 0}, (brio_vec3){0, 0, 1.5});
  brio_cloud *cloud = scene_see(&s, scene_look(0, 0, 1.4, 0, 0.4), 1);
  brio_cloud_table table;
  brio_cloud_table_how stand = {.from = BRIO_POSE_IDENTITY};
  CHECK(!brio_cloud_table_find(&table, cloud, &stand, &err) && err.code == BRIO_UNREACHABLE,
        "a wall is no table");
  CHECK_HAS(err.message, "no table edge");
  CHECK_HAS(err.message, "capsule");
  stand.step = -1;
  CHECK(!brio_cloud_table_find(&table, cloud, &stand, &err) && err.code == BRIO_MISUSE, "%s", err.message);
  stand.step = NAN;
  CHECK(!brio_cloud_table_find(&table, cloud, &stand, &err) && err.code == BRIO_MISUSE, "%s", err.message);
  stand.step = 1e-7;
  CHECK(!brio_cloud_table_find(&table, cloud, &stand, &err) && err.code == BRIO_LIMIT, "%s", err.message);
  brio_cloud_free(cloud);
  cloud = brio_cloud_new(&err);
  stand.step = 0;
  CHECK(!brio_cloud_table_find(&table, cloud, &stand, &err) && err.code == BRIO_UNREACHABLE, "%s",
        err.message);
  brio_cloud_free(cloud);
}

CHECK_SUITE(CHECK_TEST(labeled_edges_are_found_within_2_cm_and_2_degrees), CHECK_TEST(made_tables_are_found),
            CHECK_TEST(no_table_is_said_in_words))
