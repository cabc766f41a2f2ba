/* Objects, edges and normals in clouds: compared with synthetic scenes, and with labels by people. */
#include "cloud/objects/clusters.h"
#include "cloud/objects/edges.h"
#include "cloud/surfaces/normals.h"
#include "cloud_scene.h"

/* A table with three boxes, apart. */
static scene table_with_boxes(void) {
  scene s = {.noise = 0.001, .width = 320, .height = 240, .half_angle = 0.5};
  scene_add(&s, (brio_vec3){2, 0, 0}, (brio_vec3){3, 0, 0}, (brio_vec3){0, 3, 0});
  scene_add(&s, (brio_vec3){1.2, 0, 0.75}, (brio_vec3){0.35, 0, 0}, (brio_vec3){0, 0.6, 0});
  scene_box(&s, scene_look(1.1, 0.3, 0.81, 0.5, 0), 0.1, 0.14, 0.12);
  scene_box(&s, scene_look(1.2, 0, 0.83, 0, 0), 0.12, 0.12, 0.16);
  scene_box(&s, scene_look(1.15, -0.3, 0.79, -0.7, 0), 0.16, 0.08, 0.08);
  return s;
}

/* The objects on a table are counted, each at its position and with its height. */
static void things_on_a_table_are_told_apart(void) {
  static const double x[3] = {1.1, 1.2, 1.15}, y[3] = {0.3, 0, -0.3}, high[3] = {0.12, 0.16, 0.08};
  for (uint64_t seed = 0; seed < 4; seed++) {
    brio_error err = {0};
    scene s = table_with_boxes();
    s.holes = 0.1 * (double)seed;
    brio_cloud *cloud = scene_see(&s, scene_look(0.1, 0, 1.4, 0, 0.55), seed);
    if (seed % 2) scene_unordered(cloud, seed);
    brio_cloud_planes planes;
    brio_cloud_clusters found;
    brio_cloud_planes_how level = {.up = {0, 0, 1}, .tilt = 0.1};
    CHECK(brio_cloud_planes_find(&planes, cloud, &level, &err), "%s", err.message);
    const brio_cloud_plane *top = NULL;
    for (int k = 0; k < planes.count && !top; k++)
      if (fabs(planes.planes[k].pose.p.z - 0.75) < 0.02) top = &planes.planes[k];
    CHECK(top != NULL, "seed %d: a table", (int)seed);
    if (!top) continue;
    CHECK(brio_cloud_clusters_find(&found, cloud, &(brio_cloud_clusters_how){.above = top}, &err), "%s",
          err.message);
    CHECK(found.count == 3, "seed %d: %d things", (int)seed, found.count);
    for (int t = 0; t < 3; t++) {
      bool there = false;
      for (int k = 0; k < found.count; k++) {
        const brio_cloud_cluster *c = &found.clusters[k];
        there = there ||
                (hypot(c->pose.p.x - x[t], c->pose.p.y - y[t]) < 0.05 && fabs(c->size[2] - high[t]) < 0.03);
      }
      CHECK(there, "seed %d: thing %d", (int)seed, t);
    }
    int labeled = 0;
    for (int i = 0; i < cloud->count; i++) labeled += found.labels[i] == 0;
    CHECK(found.count > 0 && labeled == found.clusters[0].count, "labels");
    brio_cloud_clusters_end(&found);
    brio_cloud_planes_end(&planes);
    brio_cloud_free(cloud);
  }
}

/* The largest clusters over a labeled table are the labeled things: each has nearly all
** points of one of them. */
static void labeled_things_are_found(void) {
  brio_error err = {0};
  brio_cloud *cloud = scene_shared("mOSD_learn35_labelled_tabletop.pcd");
  if (!cloud) SKIP("the shared clouds are not on this machine");
  brio_cloud_planes planes;
  brio_cloud_clusters found;
  CHECK(brio_cloud_planes_find(&planes, cloud, &(brio_cloud_planes_how){0}, &err), "%s", err.message);
  CHECK(brio_cloud_clusters_find(&found, cloud, &(brio_cloud_clusters_how){.above = &planes.planes[0]}, &err),
        "%s", err.message);
  CHECK(found.count >= 3 && found.count <= 5, "%d things", found.count);
  static const uint32_t things[3] = {
      20, 30, 41}; /* the bowl's outside (40) is apart from its inside (41) in the picture */
  for (int t = 0; t < 3; t++) {
    int all = 0, most = 0, in[8] = {0};
    for (int i = 0; i < cloud->count; i++) {
      if (!brio_cloud_has(cloud, i) || cloud->labels[i] != things[t]) continue;
      all++;
      if (found.labels[i] >= 0 && found.labels[i] < 8) in[found.labels[i]]++;
    }
    for (int k = 0; k < 8; k++) most = in[k] > most ? in[k] : most;
    CHECK(most > 0.85 * all, "label %d: %d of %d points in one cluster", (int)things[t], most, all);
  }
  brio_cloud_clusters_end(&found);
  brio_cloud_planes_end(&planes);
  brio_cloud_free(cloud);
}

/* Objects farther apart than twice the distance are two, nearer ones are one, wherever the grid lies. */
static void the_distance_parts_things(void) {
  for (uint64_t seed = 0; seed < 20; seed++) {
    brio_random random = brio_random_stream(seed, "gap");
    brio_error err = {0};
    brio_cloud *cloud = brio_cloud_new(&err);
    CHECK(brio_cloud_resize(cloud, 2000, 1, 0, &err), "%s", err.message);
    double gap = seed % 2 ? 0.09 : 0.034, shift = brio_random_uniform(&random, -1, 1);
    for (int i = 0; i < 2000; i++) {
      double x = i / 2000.0 + (i >= 1000 ? gap : 0);
      cloud->points[i][0] = (float)(x + shift), cloud->points[i][1] = (float)shift,
      cloud->points[i][2] = (float)x;
    }
    brio_cloud_judge(cloud);
    brio_cloud_clusters found;
    CHECK(brio_cloud_clusters_find(&found, cloud, &(brio_cloud_clusters_how){.distance = 0.05}, &err), "%s",
          err.message);
    CHECK(found.count == (seed % 2 ? 2 : 1), "seed %d: %d", (int)seed, found.count);
    brio_cloud_clusters_end(&found);
    CHECK(!brio_cloud_clusters_find(&found, cloud, &(brio_cloud_clusters_how){.distance = NAN}, &err), "NaN");
    brio_cloud_clusters_end(&found);
    brio_cloud_free(cloud);
  }
}

/* The rims of the table's top are found, and told apart from edges of the view. */
static void edges_are_found_and_told_apart(void) {
  brio_error err = {0};
  scene s = table_with_boxes();
  brio_cloud *cloud = scene_see(&s, scene_look(0.1, 0, 1.4, 0, 0.55), 1);
  brio_cloud_planes planes;
  brio_cloud_edge *edges = malloc(BRIO_CLOUD_EDGES * sizeof *edges);
  CHECK(brio_cloud_planes_find(&planes, cloud, &(brio_cloud_planes_how){0}, &err), "%s", err.message);
  int count = brio_cloud_edges_find(edges, cloud, &planes, 0.4, &err), front = 0, unseen = 0;
  for (int i = 0; i < count; i++) {
    brio_vec3 middle = brio_vec3_scale(0.5, brio_vec3_add(edges[i].from, edges[i].to));
    bool top = fabs(planes.planes[edges[i].plane].pose.p.z - 0.75) < 0.02;
    if (top && fabs(middle.x - 0.85) < 0.015) {
      front++;
      CHECK(edges[i].kind == BRIO_EDGE_RIM, "the front is a %s", brio_cloud_edge_name(edges[i].kind));
      CHECK(scene_angle(brio_vec3_sub(edges[i].to, edges[i].from), (brio_vec3){0, 1, 0}) < 1.5,
            "its direction");
    }
    unseen += !top && edges[i].kind == BRIO_EDGE_UNSEEN;
  }
  CHECK(front == 1, "%d front edges of %d", front, count);
  CHECK(unseen >= 1, "the floor ends with the view");
  free(edges);
  brio_cloud_planes_end(&planes);
  brio_cloud_free(cloud);
}

/* Normals equal those of floor and wall, except along the crease; they face the sensor; pixels without a
** point have none. */
static void normals_are_those_of_the_surface(void) {
  for (int ordered = 0; ordered < 2; ordered++) {
    brio_error err = {0};
    scene s = {.noise = 0.0005, .holes = 0.1, .width = 160, .height = 120, .half_angle = 0.5};
    scene_add(&s, (brio_vec3){2, 0, 0}, (brio_vec3){3, 0, 0}, (brio_vec3){0, 3, 0});
    scene_add(&s, (brio_vec3){3, 0, 1.5}, (brio_vec3){0, 3, 0}, (brio_vec3){0, 0, 1.5});
    brio_cloud *cloud = scene_see(&s, scene_look(0, 0, 1.2, 0, 0.3), 1);
    if (!ordered) scene_unordered(cloud, 1);
    float(*normals)[3] = malloc((size_t)cloud->count * sizeof *normals);
    CHECK(brio_cloud_normals(normals, cloud, ordered ? 0 : 0.12, &err), "%s", err.message);
    int good = 0, all = 0;
    for (int i = 0; i < cloud->count; i++) {
      CHECK(brio_cloud_has(cloud, i) || isnan(normals[i][0]), "place %d has no point", i);
      if (!brio_cloud_has(cloud, i) || isnan(normals[i][0])) continue;
      brio_vec3 p = brio_cloud_point(cloud, i), n = {normals[i][0], normals[i][1], normals[i][2]};
      bool floor = p.z < 0.05;
      if (p.x > 2.8 && p.z < 0.2) continue;
      all++;
      good += brio_vec3_dot(n, floor ? (brio_vec3){0, 0, 1} : (brio_vec3){-1, 0, 0}) > cos(0.2);
    }
    CHECK(all > 8000 && good > 0.95 * all, "%d of %d normals within 11 degrees (ordered %d)", good, all,
          ordered);
    CHECK(!brio_cloud_normals(normals, cloud, -1, &err) && err.code == BRIO_MISUSE, "a radius below 0");
    free(normals);
    brio_cloud_free(cloud);
  }
}

CHECK_SUITE(CHECK_TEST(things_on_a_table_are_told_apart), CHECK_TEST(labeled_things_are_found),
            CHECK_TEST(the_distance_parts_things), CHECK_TEST(edges_are_found_and_told_apart),
            CHECK_TEST(normals_are_those_of_the_surface))
