/* Out of memory where clouds are read, and where planes, edges, things, tables and doors are found in them:
** see tests/refusals.h. */
#include "cloud/objects/clusters.h"
#include "cloud/objects/door.h"
#include "cloud/objects/edges.h"
#include "cloud/objects/table.h"
#include "cloud_scene.h"
#include "tests/refusals.h"

static brio_cloud *room; /* a floor, a table with a box on it, and a wall with a door */

/* The view of a camera that stands before the table. */
static brio_cloud *see_room(void) {
  scene s = {.noise = 0.001, .width = 64, .height = 48, .half_angle = 0.6};
  scene_add(&s, (brio_vec3){2, 0, 0}, (brio_vec3){4, 0, 0}, (brio_vec3){0, 4, 0});
  scene_add(&s, (brio_vec3){3, 0, 1.5}, (brio_vec3){0, 3, 0}, (brio_vec3){0, 0, 1.5});
  scene_add(&s, (brio_vec3){2.9, 0, 1}, (brio_vec3){0, 0.45, 0}, (brio_vec3){0, 0, 1});
  scene_box(&s, (brio_pose){{1.2, 0, 0.4}, {0, 0, 0, 1}}, 0.6, 1.2, 0.8);
  scene_box(&s, (brio_pose){{1.1, 0.2, 0.9}, {0, 0, 0, 1}}, 0.2, 0.2, 0.2);
  return scene_see(&s, scene_look(0, 0, 1.5, 0, 0.45), 1);
}

static const char pcd[] =
    "# .PCD v.7\nVERSION .7\nFIELDS x y z rgb label\nSIZE 4 4 4 4 4\nTYPE F F F F U\n"
    "COUNT 1 1 1 1 1\nWIDTH 3\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 3\nDATA ascii\n"
    "1 2 3 4.2e-39 1\n2 3 4 0 2\nnan 0 0 0 3\n";

static const char ply[] = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
                          "property float z\nend_header\n1 2 3\n2 3 4\n";

/* Read bytes into a new cloud. */
static bool take(const void *bytes, size_t length, brio_error *err) {
  brio_cloud *cloud = brio_cloud_new(err);
  bool good = cloud && brio_cloud_read(cloud, bytes, length, NULL, err);
  brio_cloud_free(cloud);
  return good;
}

static bool read_pcd(brio_error *err) { return take(pcd, sizeof pcd - 1, err); }
static bool read_ply(brio_error *err) { return take(ply, sizeof ply - 1, err); }

static unsigned char frame[1 << 16];

static bool read_a_frame(brio_error *err) {
  size_t length = brio_cloud_frame_size(room);
  return take(frame, length, err);
}

static bool load_a_file(brio_error *err) {
  char path[64];
  snprintf(path, sizeof path, "/tmp/%s.pcd", check_own);
  brio_cloud *cloud = brio_cloud_new(err);
  bool good = cloud && brio_cloud_load(cloud, path, NULL, err);
  brio_cloud_free(cloud);
  return good;
}

static bool find_planes_and_edges(brio_error *err) {
  static brio_cloud_edge edges[BRIO_CLOUD_EDGES];
  brio_cloud_planes found = {0};
  brio_cloud_planes_how how = {.least = 30};
  bool good = brio_cloud_planes_find(&found, room, &how, err) &&
              brio_cloud_edges_find(edges, room, &found, 0, err) >= 0;
  brio_cloud_planes_end(&found);
  return good;
}

static bool find_things(brio_error *err) {
  brio_cloud_clusters found = {0};
  brio_cloud_clusters_how how = {.distance = 0.05, .least = 10};
  bool good = brio_cloud_clusters_find(&found, room, &how, err);
  brio_cloud_clusters_end(&found);
  return good;
}

static bool find_a_table(brio_error *err) {
  brio_cloud_table table;
  brio_cloud_table_how how = {.from = BRIO_POSE_IDENTITY, .least = 12};
  return brio_cloud_table_find(&table, room, &how, err);
}

static bool find_doors(brio_error *err) {
  static brio_cloud_door doors[BRIO_CLOUD_DOORS];
  int count;
  brio_cloud_door_how how = {0};
  return brio_cloud_door_panels(doors, &count, room, &how, err);
}

static void any_allocation_may_fail(void) {
  static const refusals_job jobs[] = {
    {"a PCD", read_pcd}, {"a PLY", read_ply}, {"a raw frame", read_a_frame}, {"a file", load_a_file},
    {"planes and edges", find_planes_and_edges}, {"things", find_things}, {"a table", find_a_table},
    {"doors", find_doors},
  };
  char path[64];
  snprintf(path, sizeof path, "/tmp/%s.pcd", check_own);
  FILE *file = fopen(path, "w");
  CHECK(file && fwrite(pcd, sizeof pcd - 1, 1, file) == 1 && fclose(file) == 0, "%s is written", path);
  room = see_room();
  if (!room) return;
  CHECK(brio_cloud_frame_size(room) <= sizeof frame, "%zu bytes", brio_cloud_frame_size(room));
  brio_cloud_frame_write(room, 1, frame);
  refusals_of(jobs, sizeof jobs / sizeof *jobs);
  brio_cloud_free(room);
  remove(path);
}

CHECK_SUITE(CHECK_TEST(any_allocation_may_fail))
