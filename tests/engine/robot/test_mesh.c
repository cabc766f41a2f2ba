/* Meshes as convex hulls: STL in both forms, OBJ, search paths, broken files; and the hull of points compared
** with its definition. */
#include "robot/mesh.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "base/text.h"
#include "math/hull.h"
#include "robot/robot.h"
#include "tests/check.h"

static char folder[64]; /* of the test that runs */

static bool make_folder(void) {
  snprintf(folder, sizeof folder, "/tmp/brio-mesh-XXXXXX");
  return mkdtemp(folder) != NULL;
}

static void remove_folder(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  CHECK(system(command) == 0, "cannot remove %s", folder);
}

/* Write a file below the folder; return its path (alive until the next call). */
static const char *write_file(const char *name, const void *bytes, size_t length) {
  static char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  CHECK(file && fwrite(bytes, 1, length, file) == length, "cannot write %s", path);
  if (file) fclose(file);
  return path;
}

/* The corners of a cube of side 2 as 12 triangles would list them, many times, and its middle. */
static const float cube[9][3] = {{-1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}, {-1, 1, 1}, {1, -1, -1},
                                 {1, -1, 1},   {1, 1, -1},  {1, 1, 1},   {0, 0, 0}};

static void add_float(brio_text *text, float value) {
  unsigned char bytes[4];
  memcpy(bytes, &value, 4); /* the machine is little-endian like the format */
  brio_text_add(text, (const char *)bytes, 4);
}

static void binary_stl(brio_text *text, const char *header, unsigned triangles) {
  char start[84] = {0};
  snprintf(start, 80, "%s", header);
  memcpy(start + 80, &triangles, 4);
  brio_text_add(text, start, 84);
  for (unsigned i = 0; i < triangles; i++) {
    for (int k = 0; k < 3; k++) add_float(text, 0);
    for (int corner = 0; corner < 3; corner++)
      for (int k = 0; k < 3; k++) add_float(text, cube[(i * 3 + (unsigned)corner) % 9][k]);
    brio_text_add(text, "\0\0", 2);
  }
}

static void check_cube(const char *path, const char *what) {
  brio_arena arena;
  brio_error err;
  const brio_vec3 *points = NULL;
  brio_arena_start(&arena, 4096);
  int count = brio_mesh_load_hull(path, &arena, &points, &err);
  CHECK(count == 8, "%s: %d corners: %s", what, count, count < 0 ? err.message : "");
  for (int i = 0; i < 8 && count == 8; i++)
    CHECK(points[i].x == cube[i][0] && points[i].y == cube[i][1] && points[i].z == cube[i][2],
          "%s: corner %d", what, i);
  brio_arena_end(&arena);
}

static void every_format_gives_the_same_cube(void) {
  brio_text text = {0};
  if (!make_folder()) SKIP("no folder can be made");
  binary_stl(&text, "made by a test", 12);
  check_cube(write_file("a.stl", text.bytes, text.length), "binary");
  brio_text_clear(&text);
  binary_stl(&text, "solid is no promise", 12);
  check_cube(write_file("b.STL", text.bytes, text.length), "binary that begins with solid");
  brio_text_clear(&text);
  brio_text_format(&text, "solid cube\n facet normal 0 0 1\n  outer loop\n");
  for (int i = 0; i < 9; i++)
    brio_text_format(&text, "   vertex %g %g %ge0\r\n", cube[i][0], cube[i][1], cube[i][2]);
  brio_text_format(&text, "endsolid\n");
  check_cube(write_file("c.stl", text.bytes, text.length), "text");
  brio_text_clear(&text);
  brio_text_format(&text, "# a cube\nvn 5 5 5\nvt 9 9\n");
  for (int i = 0; i < 9; i++) brio_text_format(&text, "v %g %g %g 1.0\n", cube[i][0], cube[i][1], cube[i][2]);
  brio_text_format(&text, "f 1 2 3");
  check_cube(write_file("d.obj", text.bytes, text.length), "OBJ");
  brio_text_end(&text);
  remove_folder();
}

/* Write the cube with lines that begin with `word` and end with `end`. */
static void text_cube(brio_text *text, const char *before, const char *word, const char *end,
                      const char *after) {
  brio_text_clear(text);
  brio_text_format(text, "%s", before);
  for (int i = 0; i < 9; i++)
    brio_text_format(text, "%s %g %g %g%s", word, cube[i][0], cube[i][1], cube[i][2], end);
  brio_text_format(text, "%s", after);
}

static void texts_are_read_as_programs_write_them(void) {
  static const struct { const char *name, *before, *word, *end, *after; } texts[] = {
      {"mac.stl", "solid\r", "vertex", "\r", "endsolid\r"},
      {"windows.stl", "solid\r\n", "\t vertex", "\r\n", "endsolid\r\n"},
      {"upper.stl", "SOLID CUBE\n", "VERTEX", "\n", "ENDSOLID CUBE\n"},
      {"space.stl", "\n  solid\n", "vertex", "\n", "endsolid"},
      {"mark.stl", "\xef\xbb\xbfsolid\n", "vertex", "\n", "endsolid"},
      {"mark.obj", "\xef\xbb\xbf", "v", "\n", ""},
      {"mac.obj", "# a cube\r", "v", "\r", "f -1 -2 -3 -4\r"},
      {"colors.obj", "", "v", " 1 0 0\n", "f 1//1 2//1 4//1 3//1\nl 1 2\n"},
      {"tab.obj", "o cube\n", "  v", "\t\n", "usemtl red\ns off"}};
  brio_text text = {0};
  if (!make_folder()) SKIP("no folder can be made");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    text_cube(&text, texts[i].before, texts[i].word, texts[i].end, texts[i].after);
    check_cube(write_file(texts[i].name, text.bytes, text.length), texts[i].name);
  }
  brio_text_clear(&text);
  binary_stl(&text, "solid, and more behind the triangles", 12);
  brio_text_format(&text, "more");
  check_cube(write_file("more.stl", text.bytes, text.length), "binary with something behind it");
  brio_text_end(&text);
  remove_folder();
}

static void broken_files_say_what_is_wrong(void) {
  static const struct { const char *name, *text; size_t length; const char *piece; } files[] = {
      {"empty.stl", "", 0, "cut off"},
      {"short.stl", "abc", 3, "cut off"},
      {"none.stl", "solid\nendsolid\n", 15, "no corners"},
      {"two.stl", "solid\nvertex 1 2\nvertex 1 2 3\n", 30, "two.stl:2"},
      {"open.stl", "solid\nvertex 1 2 3\nvertex 1 2 4\nvertex 1 3 3\n", 45, "endsolid"},
      {"corner.stl", "solid\nvertex 1 2 3\nvertex 1 2 4\nendsolid\n", 41, "or a corner"},
      {"pointer.stl", "version https://example.org/spec/v1\n", 36, "no STL file"},
      {"zero.obj", "v 1 2 3\n\0v 2 3 4\n", 17, "zero bytes"},
      {"nan.obj", "v 1 2 nan\n", 10, "not finite"},
      {"word.obj", "v 1 2 three\n", 12, "three numbers"},
      {"a.dae", "<COLLADA/>", 10, ".stl and .obj"},
      {"noending", "v 1 2 3\n", 8, ".stl and .obj"}};
  if (!make_folder()) SKIP("no folder can be made");
  brio_arena arena;
  const brio_vec3 *points;
  brio_error err;
  brio_arena_start(&arena, 4096);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    const char *path = write_file(files[i].name, files[i].text, files[i].length);
    CHECK(brio_mesh_load_hull(path, &arena, &points, &err) == -1, "%s was taken", files[i].name);
    CHECK(err.code == BRIO_FORMAT && strstr(err.message, files[i].piece), "%s", err.message);
  }
  brio_text text = {0};
  binary_stl(&text, "cut", 12);
  CHECK(brio_mesh_load_hull(write_file("cut.stl", text.bytes, text.length - 1), &arena, &points, &err) == -1,
        "cut");
  CHECK_HAS(err.message, "cut off");
  memcpy(text.bytes, "solid", 5);
  CHECK(brio_mesh_load_hull(write_file("cut.stl", text.bytes, text.length - 1), &arena, &points, &err) == -1,
        "cut, and begins with solid");
  CHECK_HAS(err.message, "too few for its 12 triangles");
  memset(text.bytes + 80, 0xff, 4); /* four thousand million triangles */
  CHECK(brio_mesh_load_hull(write_file("huge.stl", text.bytes, text.length), &arena, &points, &err) == -1,
        "huge");
  CHECK(brio_mesh_load_hull("/nowhere/a.stl", &arena, &points, &err) == -1 && err.code == BRIO_NO_FILE,
        "absent");
  brio_text_end(&text);
  brio_arena_end(&arena);
  remove_folder();
}

/* Load a robot beside the folder whose one collision shape is `mesh`; return its corners, 0 when
** the mesh was left out. */
static int corners_of(const char *mesh, const char *const *packages) {
  char text[1024], urdf[128];
  brio_error err;
  snprintf(text, sizeof text,
           "<robot name='r'><link name='a'><collision><geometry><mesh filename='%s' scale='2 1 -1'/>"
           "</geometry></collision></link></robot>",
           mesh);
  snprintf(urdf, sizeof urdf, "%s/arm_description/urdf/r.urdf", folder);
  brio_robot *robot =
      brio_robot_parse(text, strlen(text), urdf, &(brio_robot_options){.package_folders = packages}, &err);
  CHECK(robot, "%s", err.message);
  int count = robot && robot->ncollision ? robot->collisions[0].shape.npoint : 0;
  if (count) {
    CHECK(robot->collisions[0].shape.points[0].x == -2 && robot->collisions[0].shape.points[0].z == 1,
          "scale");
    CHECK(strcmp(robot->collisions[0].mesh, mesh) == 0 && robot->nwarning == 0, "as written");
  } else if (robot) {
    CHECK(robot->nwarning == 1 && strstr(robot->warnings[0], mesh), "no warning for %s", mesh);
  }
  brio_robot_free(robot);
  return count;
}

static void meshes_are_found_where_urdf_says(void) {
  char command[400], path[160], other[128], inside[160];
  brio_text text = {0};
  if (!make_folder()) SKIP("no folder can be made");
  snprintf(command, sizeof command,
           "mkdir -p '%s/arm_description/urdf' '%s/arm_description/meshes' '%s/far/hand'", folder, folder,
           folder);
  CHECK(system(command) == 0, "%s", command);
  binary_stl(&text, "cube", 12);
  write_file("arm_description/meshes/a.stl", text.bytes, text.length);
  write_file("far/hand/b.stl", text.bytes, text.length);
  snprintf(path, sizeof path, "file://%s/far/hand/b.stl", folder);
  snprintf(other, sizeof other, "%s/far/", folder);
  snprintf(inside, sizeof inside, "%s/far/hand", folder);
  CHECK(corners_of("../meshes/a.stl", NULL) == 8, "beside the URDF");
  CHECK(corners_of(path, NULL) == 8 && corners_of(path + 7, NULL) == 8, "by its whole path");
  snprintf(path, sizeof path, "file://localhost%s/far/hand/b.stl", folder);
  CHECK(corners_of(path, NULL) == 8, "by an address with this machine's name");
  snprintf(path, sizeof path, "file:%s/far/hand/b.stl", folder);
  CHECK(corners_of(path, NULL) == 8, "by the shortest address");
  CHECK(corners_of("package://arm_description/meshes/a.stl", NULL) == 8,
        "in the package that holds the URDF");
  CHECK(corners_of("package://hand/b.stl", NULL) == 0, "in no package");
  CHECK(corners_of("package://hand/b.stl", (const char *const[]){other, NULL}) == 8,
        "a folder that holds the package");
  CHECK(corners_of("package://hand/b.stl", (const char *const[]){"/none", inside, NULL}) == 8,
        "the package's folder");
  CHECK(corners_of("model://hand/b.stl", (const char *const[]){inside, NULL}) == 8, "as Gazebo writes it");
  CHECK(corners_of("https://example.org/b.stl", NULL) == 0 && corners_of("package://", NULL) == 0,
        "elsewhere");
  brio_text_end(&text);
  remove_folder();
}

/* A point set's hull keeps the farthest point in every direction, and its corners are points of the set. */
static void hulls_keep_every_extreme_point(void) {
  enum { COUNT = 400 };
  brio_random random = brio_random_stream(7, "test.hull");
  for (int round = 0; round < 40; round++) {
    brio_vec3 all[COUNT], points[COUNT];
    int flat = round % 4; /* 0, 1: solid; 2: in a plane; 3: on a line */
    brio_quat turn = brio_quat_exp((brio_vec3){brio_random_normal(&random), brio_random_normal(&random), 1});
    for (int i = 0; i < COUNT; i++) {
      brio_vec3 p = {brio_random_normal(&random), brio_random_normal(&random), brio_random_normal(&random)};
      if (flat >= 2) p.z = 0;
      if (flat == 3) p.y = 0;
      all[i] = points[i] = brio_quat_rotate(turn, p);
    }
    brio_error err;
    int count = brio_hull_corners(points, COUNT, &err);
    CHECK(count >= 2 && count < COUNT, "round %d: %d corners", round, count);
    CHECK(flat != 3 || count == 2, "a line has two ends, not %d", count);
    for (int k = 0; k < 200 && count > 0; k++) {
      brio_vec3 d = {brio_random_normal(&random), brio_random_normal(&random), brio_random_normal(&random)};
      double far_all = -1e9, far_hull = -1e9;
      for (int i = 0; i < COUNT; i++) far_all = fmax(far_all, brio_vec3_dot(d, all[i]));
      for (int i = 0; i < count; i++) far_hull = fmax(far_hull, brio_vec3_dot(d, points[i]));
      CHECK_NEAR(far_hull, far_all, 1e-9, "round %d", round);
    }
  }
}

static void odd_point_sets(void) {
  brio_error err;
  brio_vec3 same[3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, bad[1] = {{0, NAN, 0}};
  brio_vec3 square[6] = {{0, 0, 5}, {1, 0, 5}, {0, 1, 5}, {1, 1, 5}, {0.5, 0.5, 5}, {0.5, 0, 5}};
  CHECK(brio_hull_corners(same, 3, &err) == 1, "one point");
  CHECK(brio_hull_corners(square, 6, &err) == 4, "a square");
  CHECK(brio_hull_corners(bad, 1, &err) == -1 && err.code == BRIO_MISUSE, "nan");
  CHECK(brio_hull_corners(bad, 0, &err) == -1 && err.code == BRIO_MISUSE, "nothing");
}

CHECK_SUITE(CHECK_TEST(every_format_gives_the_same_cube), CHECK_TEST(texts_are_read_as_programs_write_them),
            CHECK_TEST(broken_files_say_what_is_wrong),
            CHECK_TEST(meshes_are_found_where_urdf_says), CHECK_TEST(hulls_keep_every_extreme_point),
            CHECK_TEST(odd_point_sets))
