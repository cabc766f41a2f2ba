/* Out of memory where a robot and its surroundings are written as a model: see tests/refusals.h. What the
** physics library itself does without memory is its own. */
#include "physics/model.h"
#include "tests/refusals.h"

static const char text[] =
    "<robot name='arm'><link name='base'/><link name='upper'><inertial><mass value='1'/>"
    "<inertia ixx='0' iyy='0' izz='0' ixy='0' ixz='0' iyz='0'/></inertial></link><link name='hand'>"
    "<collision><geometry><sphere radius='0.05'/></geometry></collision></link>"
    "<joint name='shoulder' type='revolute'><parent link='base'/><child link='upper'/><axis xyz='0 1 0'/>"
    "<limit lower='-2' upper='2' velocity='2' effort='9'/></joint>"
    "<joint name='wrist' type='revolute'><parent link='upper'/><child link='hand'/><origin xyz='0 0 0.3'/>"
    "<axis xyz='0 1 0'/><limit lower='-2' upper='2' velocity='2' effort='9'/></joint></robot>";

static const brio_robot *arm;

/* A robot with links of all kinds of notes, a fixture and a thing. */
static bool write_a_model(brio_error *err) {
  brio_model_fixture wall = {.name = "wall", .shape = {.kind = BRIO_SHAPE_BOX, .size = {1, 0.1, 2}},
                             .pose = BRIO_POSE_IDENTITY};
  brio_model_thing ball = {.name = "ball", .shape = {.kind = BRIO_SHAPE_SPHERE, .size = {0.1, 0, 0}},
                           .pose = BRIO_POSE_IDENTITY, .mass = 0.2, .friction = 0.5};
  brio_model_options options = {.robot = arm, .fixtures = &wall, .nfixture = 1, .things = &ball, .nthing = 1,
                                .massless = 0.1, .imu = "hand", .gravity = {0, 0, -9.81}};
  brio_text out = {0};
  brio_model_notes notes = {0};
  bool good = brio_model_write(&out, &options, &notes, err);
  CHECK(!good || (out.length > 0 && notes.nmass > 0), "%zu bytes, %d notes", out.length, notes.nmass);
  brio_text_end(&out);
  brio_text_end(&notes.shapes);
  brio_text_end(&notes.masses);
  brio_text_end(&notes.inertias);
  return good;
}

static void any_allocation_may_fail(void) {
  static const refusals_job job = {"a model", write_a_model};
  brio_error err = {0};
  brio_robot *robot = brio_robot_parse(text, sizeof text - 1, "arm", NULL, &err);
  CHECK(robot != NULL, "%s", err.message);
  arm = robot;
  refusals_of(&job, 1);
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(any_allocation_may_fail))
