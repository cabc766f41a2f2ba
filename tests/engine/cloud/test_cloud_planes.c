/* Planes in clouds: compared with rooms whose walls are known, and with labels of real clouds. */
#include "cloud/surfaces/planes.h"

#include "cloud_scene.h"

static const scene empty = {.noise = 0.002, .width = 256, .height = 192, .half_angle = 0.5};

/* A room with a floor, two walls and a table with a box on it. */
static scene room(void) {
  scene s = empty;
  scene_add(&s, (brio_vec3){2, 0, 0}, (brio_vec3){3, 0, 0}, (brio_vec3){0, 3, 0});
  scene_add(&s, (brio_vec3){4, 0, 1.5}, (brio_vec3){0, 3, 0}, (brio_vec3){0, 0, 1.5});
  scene_add(&s, (brio_vec3){2, 1.6, 1.5}, (brio_vec3){3, 0, 0}, (brio_vec3){0, 0, 1.5});
  scene_box(&s, scene_look(2, 0, 0.72, 0.3, 0), 0.8, 1.4, 0.04);
  scene_box(&s, scene_look(2, 0.2, 0.84, 0.9, 0), 0.2, 0.3, 0.2);
  return s;
}

/* A plane of `found` within `angle` degrees and `off` m of a known one; NULL: none. */
static const brio_cloud_plane *nearest(const brio_cloud_planes *found, brio_vec3 normal, double angle,
                                       double off, brio_vec3 at) {
  for (int i = 0; i < found->count; i++) {
    const brio_cloud_plane *p = &found->planes[i];
    if (scene_angle(p->normal, normal) > angle) continue;
    if (fabs(brio_vec3_dot(p->normal, at) - p->offset) > off) continue;
    return p;
  }
  return NULL;
}

/* Every wall of the room is found at its position, in any frame of the room, for organized and
** unorganized clouds. */
static void walls_of_a_room_are_found_where_they_are(void) {
  static const struct {
    const char *name;
    brio_vec3 normal, at;
    double least;
  } truth[] = {{"floor", {0, 0, 1}, {2.2, -1, 0}, 0.5},
               {"wall", {1, 0, 0}, {4, 0, 1}, 0.5},
               {"side", {0, 1, 0}, {3, 1.6, 0.9}, 0.3},
               {"table", {0, 0, 1}, {2, 0, 0.74}, 0.5}};
  for (uint64_t seed = 0; seed < 8; seed++) {
    brio_random random = brio_random_stream(seed, "room");
    brio_error err = {0};
    scene s = room();
    s.holes = brio_random_uniform(&random, 0, 0.3), s.wild = brio_random_uniform(&random, 0, 0.02);
    brio_cloud *cloud = scene_see(&s, scene_look(-0.3, -0.4, 1.5, 0.1, 0.45), seed);
    brio_pose turn = {{brio_random_uniform(&random, -5, 5), 2, -3},
                      brio_quat_exp((brio_vec3){brio_random_uniform(&random, -2, 2), 1, -0.5})};
    if (seed % 2) scene_unordered(cloud, seed);
    brio_cloud_transform(cloud, turn);
    brio_cloud_planes found;
    bool fine = brio_cloud_planes_find(&found, cloud, &(brio_cloud_planes_how){0}, &err);
    CHECK(fine, "seed %d: %s", (int)seed, err.message);
    for (int t = 0; fine && t < 4; t++) {
      brio_vec3 normal = brio_quat_rotate(turn.q, truth[t].normal), at = brio_pose_point(turn, truth[t].at);
      const brio_cloud_plane *p = nearest(&found, normal, 1.5, 0.015, at);
      CHECK(p != NULL, "seed %d: no %s", (int)seed, truth[t].name);
      if (!p) continue;
      CHECK(p->area > truth[t].least, "seed %d: %s of %g m2", (int)seed, truth[t].name, p->area);
      CHECK(brio_vec3_dot(p->normal, cloud->viewpoint.p) > p->offset, "the normal is towards the sensor");
      CHECK(brio_cloud_plane_beside(p, at, NULL) < 0.05, "the %s is where it is", truth[t].name);
    }
    brio_cloud_planes_end(&found);
    brio_cloud_free(cloud);
  }
}

/* Settings have their effect. */
static void settings_choose(void) {
  brio_error err = {0};
  scene s = room();
  brio_cloud *cloud = scene_see(&s, scene_look(-0.3, -0.4, 1.5, 0.1, 0.45), 3);
  brio_cloud_planes level, upright, few;
  brio_cloud_planes_how how = {.up = {0, 0, 1}, .tilt = 0.1}, walls = {.up = {0, 0, 1}, .lean = 0.1},
                        one = {.most = 1};
  CHECK(brio_cloud_planes_find(&level, cloud, &how, &err), "%s", err.message);
  CHECK(brio_cloud_planes_find(&upright, cloud, &walls, &err), "%s", err.message);
  CHECK(brio_cloud_planes_find(&few, cloud, &one, &err), "%s", err.message);
  CHECK(level.count >= 2 && upright.count >= 2 && few.count == 1, "%d %d %d", level.count, upright.count,
        few.count);
  for (int i = 0; i < level.count; i++) CHECK(level.planes[i].normal.z > 0.99, "a level plane");
  for (int i = 0; i < upright.count; i++) CHECK(fabs(upright.planes[i].normal.z) < 0.11, "an upright plane");
  int labeled = 0;
  for (int i = 0; i < cloud->count; i++) labeled += few.labels[i] == 0;
  CHECK(labeled == few.planes[0].count, "%d labels, %d points", labeled, few.planes[0].count);
  brio_cloud_planes_end(&level);
  brio_cloud_planes_end(&upright);
  brio_cloud_planes_end(&few);
  brio_cloud_free(cloud);
}

/* The same cloud gives the same planes, bit for bit. */
static void the_same_cloud_gives_the_same(void) {
  brio_error err = {0};
  scene s = room();
  brio_cloud *cloud = scene_see(&s, scene_look(-0.3, -0.4, 1.5, 0.1, 0.45), 5);
  brio_cloud_planes a, b;
  CHECK(brio_cloud_planes_find(&a, cloud, &(brio_cloud_planes_how){0}, &err), "%s", err.message);
  CHECK(brio_cloud_planes_find(&b, cloud, &(brio_cloud_planes_how){0}, &err), "%s", err.message);
  CHECK(a.count == b.count && a.count > 3, "%d, %d", a.count, b.count);
  CHECK(memcmp(a.planes[0].hull, b.planes[0].hull, (size_t)a.planes[0].corners * sizeof *a.planes[0].hull) ==
            0,
        "hull");
  CHECK(memcmp(a.labels, b.labels, (size_t)cloud->count * sizeof *a.labels) == 0, "labels");
  brio_cloud_planes_end(&a);
  brio_cloud_planes_end(&b);
  brio_cloud_free(cloud);
}

/* Empty, one point, a line, one position many times, a blob: no plane, and no crash. */
static void what_is_no_plane_gives_none(void) {
  for (int kind = 0; kind < 6; kind++) {
    brio_error err = {0};
    brio_random random = brio_random_stream((uint64_t)kind, "odd");
    brio_cloud *cloud = brio_cloud_new(&err);
    CHECK(brio_cloud_resize(cloud, kind == 1 ? 1 : 3000, 1, 0, &err), "%s", err.message);
    for (int i = 0; i < cloud->count; i++)
      for (int k = 0; k < 3; k++) {
        double blob = brio_random_normal(&random);
        double value = kind == 0   ? NAN
                       : kind == 1 ? 1
                       : kind == 2 ? i * 1e-3
                       : kind == 3 ? 7
                       : kind == 4 ? 1e30
                                   : blob;
        cloud->points[i][k] = (float)value;
      }
    brio_cloud_judge(cloud);
    brio_cloud_planes found;
    bool fine = brio_cloud_planes_find(&found, cloud, &(brio_cloud_planes_how){0}, &err);
    if (kind == 0 || kind == 4)
      CHECK_HAS(err.message, "no points");
    else
      CHECK(fine, "kind %d: %s", kind, err.message);
    CHECK(found.count == 0, "kind %d: %d planes", kind, found.count);
    brio_cloud_planes_end(&found);
    brio_cloud_free(cloud);
  }
  brio_error err = {0};
  brio_cloud *cloud = brio_cloud_new(&err);
  brio_cloud_planes found;
  CHECK(!brio_cloud_planes_find(&found, cloud, &(brio_cloud_planes_how){.tolerance = NAN}, &err),
        "NaN is refused");
  CHECK(err.code == BRIO_MISUSE, "%s", err.message);
  brio_cloud_planes_end(&found);
  CHECK(!brio_cloud_planes_find(&found, cloud, &(brio_cloud_planes_how){.tilt = 0.1}, &err), "no up");
  CHECK_HAS(err.message, "up");
  brio_cloud_planes_end(&found);
  brio_cloud_free(cloud);
}

/* The table that people labeled is one plane: with nearly all of its points, and the plane through them. */
static void a_labeled_table_is_found(void) {
  brio_error err = {0};
  brio_cloud *cloud = scene_shared("mOSD_learn35_labelled_tabletop.pcd");
  if (!cloud) SKIP("the shared clouds are not on this machine");
  brio_cloud_moments sums = {0};
  for (int i = 0; i < cloud->count; i++)
    if (brio_cloud_has(cloud, i) && cloud->labels[i] == 1)
      brio_cloud_moments_add(&sums, brio_cloud_point(cloud, i), 1);
  brio_cloud_spread truth;
  CHECK(brio_cloud_spread_of(&sums, 3, &truth), "labels");
  brio_cloud_planes found;
  CHECK(brio_cloud_planes_find(&found, cloud, &(brio_cloud_planes_how){0}, &err), "%s", err.message);
  CHECK(found.count > 0, "planes");
  int both = 0, table = 0;
  for (int i = 0; i < cloud->count; i++) {
    table += cloud->labels[i] == 1 && brio_cloud_has(cloud, i);
    both += cloud->labels[i] == 1 && found.labels[i] == 0;
  }
  CHECK(scene_angle(found.planes[0].normal, truth.axis[0]) < 0.5, "%g degrees",
        scene_angle(found.planes[0].normal, truth.axis[0]));
  CHECK_NEAR(brio_vec3_dot(found.planes[0].normal, truth.center), found.planes[0].offset, 0.003, "height");
  CHECK(both > 0.9 * table && found.planes[0].count < 1.08 * both, "%d of %d, %d claimed", both, table,
        found.planes[0].count);
  brio_cloud_planes_end(&found);
  brio_cloud_free(cloud);
}

CHECK_SUITE(CHECK_TEST(walls_of_a_room_are_found_where_they_are), CHECK_TEST(settings_choose),
            CHECK_TEST(the_same_cloud_gives_the_same), CHECK_TEST(what_is_no_plane_gives_none),
            CHECK_TEST(a_labeled_table_is_found))
