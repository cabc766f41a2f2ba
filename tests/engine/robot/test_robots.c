/* Every URDF of the shared reference data loads, and the model is consistent. */
#include "robot/kinematics.h"

#include <glob.h>

#include "tests/check.h"

/* Links, joints, variables and shapes refer to each other consistently. */
static void check_model(const brio_robot *r) {
  for (int i = 0; i < r->nlink; i++) {
    const brio_link *link = &r->links[i];
    CHECK(link->parent < i && (i == 0) == (link->parent < 0), "%s: link %d before its parent", r->file, i);
    CHECK(i == 0 || (r->joints[link->joint].child == i && r->joints[link->joint].parent == link->parent),
          "%s", r->file);
    CHECK(brio_robot_link(r, link->name, NULL) == i, "%s: %s", r->file, link->name);
  }
  int count = 0;
  for (int j = 0; j < r->njoint; j++) {
    const brio_joint *joint = &r->joints[j];
    CHECK_NEAR(brio_vec3_norm(joint->axis), 1, 1e-12, "%s: %s", r->file, joint->name);
    CHECK(joint->mimic >= 0 || joint->nvariable == 0 || joint->variable == count, "%s: %s", r->file,
          joint->name);
    if (joint->mimic >= 0)
      CHECK(r->joints[joint->mimic].mimic < 0, "%s: %s copies a copy", r->file, joint->name);
    else count += joint->nvariable;
  }
  CHECK(count == r->nvariable && r->nq == 7 + count && r->nv == 6 + count && r->njoint == r->nlink - 1, "%s",
        r->file);
  for (int i = 0; i < r->nvariable; i++)
    CHECK(r->variables[i].lower <= r->variables[i].upper && r->variables[i].velocity > 0, "%s: %s", r->file,
          r->variables[i].name);
  for (int i = 0; i < r->ncollision; i++)
    CHECK(brio_shape_radius(&r->collisions[i].shape) > 0, "%s: shape %d", r->file, i);
}

static void check_pose(const brio_robot *r) {
  brio_state state;
  brio_error err;
  double q[256];
  CHECK(r->nq <= 256 && brio_state_start(&state, r, &err), "%s", r->file);
  brio_robot_neutral(r, q);
  brio_state_update(&state, q);
  for (int i = 0; i < r->nlink; i++) {
    const double *m = state.links[i].r;
    double det = m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
                 m[2] * (m[3] * m[7] - m[4] * m[6]);
    CHECK_NEAR(det, 1, 1e-12, "%s: %s is not turned but bent", r->file, r->links[i].name);
    CHECK(brio_vec3_norm(state.links[i].p) < 5, "%s: %s is far away", r->file, r->links[i].name);
  }
  brio_state_end(&state);
}

static void every_file_loads(void) {
  char pattern[512];
  glob_t found;
  brio_error err;
  if (!check_shared()) SKIP("no shared reference data");
  snprintf(pattern, sizeof pattern, "%s/data/robots/*/*.urdf", check_shared());
  bool any = glob(pattern, 0, NULL, &found) == 0;
  CHECK(any && found.gl_pathc >= 28, "%s: where are they?", pattern);
  for (size_t i = 0; any && i < found.gl_pathc; i++) {
    brio_robot *robot = brio_robot_load(found.gl_pathv[i], NULL, &err);
    CHECK(robot, "%s", err.message);
    if (robot) check_model(robot), check_pose(robot);
    brio_robot_free(robot);
  }
  globfree(&found);
}

static brio_robot *load(const char *name) {
  char path[512];
  brio_error err;
  snprintf(path, sizeof path, "%s/data/robots/%s", check_shared(), name);
  brio_robot *robot = brio_robot_load(path, NULL, &err);
  CHECK(robot, "%s", err.message);
  return robot;
}

static int count_warnings(const brio_robot *robot, const char *piece) {
  int n = 0;
  for (int i = 0; i < robot->nwarning; i++) n += strstr(robot->warnings[i], piece) != NULL;
  return n;
}

/* Files that break URDF's rules, and brio's reading of them. */
static void lenient_where_real_files_need_it(void) {
  if (!check_shared()) SKIP("no shared reference data");
  brio_robot *r = load("lively/basic.urdf"); /* parents called "root" that are not declared */
  if (r) {
    CHECK(strcmp(r->links[0].name, "root") == 0 && count_warnings(r, "is not declared") == 1, "basic");
    CHECK(count_warnings(r, "'root_body' is held at the origin of 'root'") == 1 && r->nlink == 14, "basic");
  }
  brio_robot_free(r);
  if ((r = load("lively/ur3e.urdf"))) { /* "world" and "base_link_inertia" */
    CHECK(strcmp(r->links[0].name, "world") == 0 && count_warnings(r, "is not declared") == 2, "ur3e");
    CHECK(r->links[brio_robot_link(r, "base_link_inertia", NULL)].parent == 0 && r->nvariable == 6, "ur3e");
  }
  brio_robot_free(r);
  if ((r = load("cassie/cassie.urdf")))
    CHECK(count_warnings(r, "has no range: +-pi") == 16 && r->nvariable == 16, "cassie");
  brio_robot_free(r);
  if ((r = load("lively/nao.urdf"))) { /* <capsule> */
    int capsules = 0;
    for (int i = 0; i < r->ncollision; i++) capsules += r->collisions[i].shape.kind == BRIO_SHAPE_CAPSULE;
    CHECK(capsules == 6 && r->nvariable == 42 - 17, "%d capsules, %d variables", capsules, r->nvariable);
  }
  brio_robot_free(r);
}

static void masses_and_variables_of_known_robots(void) {
  static const struct { const char *name; int nvariable, nlink; double mass;
  } robots[] = {{"panda/panda.urdf", 9, 12, 18.92},    {"ur3e/ur3e.urdf", 6, 11, 10.63},
                {"pepper/pepper.urdf", 20, 83, 28.68}, {"lively/nao.urdf", 25, 47, 5.195},
                {"ur5e/ur5e.urdf", 6, 11, 20.99},      {"baxter/baxter.urdf", 17, 57, 0}};
  if (!check_shared()) SKIP("no shared reference data");
  for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
    brio_robot *r = load(robots[i].name);
    if (!r) continue;
    CHECK(r->nvariable == robots[i].nvariable && r->nlink == robots[i].nlink, "%s: %d variables, %d links",
          r->file, r->nvariable, r->nlink);
    if (robots[i].mass > 0) CHECK_NEAR(r->mass, robots[i].mass, 0.006, "%s", r->file);
    brio_robot_free(r);
  }
}

CHECK_SUITE(CHECK_TEST(every_file_loads), CHECK_TEST(lenient_where_real_files_need_it),
            CHECK_TEST(masses_and_variables_of_known_robots))
