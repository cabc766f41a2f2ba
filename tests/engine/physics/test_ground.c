/* Soft and slippery ground: how deep things lie in it, with and without physics, how far they slide on it,
** and that neither a fall into it nor its depth stops the simulation. */
#include "tests/engine/physics/scene.h"
#include "world/fixture.h"

static const char post[] =
    "<robot name='post'><link name='base'/><link name='tip'><inertial><mass value='1'/><inertia ixx='0.01' "
    "iyy='0.01' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<joint name='lift' type='prismatic'><parent link='base'/><child link='tip'/><origin xyz='-3 0 1'/>"
    "<axis xyz='0 0 1'/><limit lower='0' upper='0.5' velocity='0.5' effort='200'/></joint></robot>";

static brio_world_ground next;

/* A ball that falls from 1 m, one that is heavy, and a box. */
static void fill(brio_world *world) {
  brio_error err;
  brio_thing_form ball = {.kind = "ball", .id = "ball", .radius = 0.05, .color = {NAN, NAN, NAN}, .x = 2,
                          .z = 1, .friction = 1, .rolling = 0.05, .mass = 0.2},
                  heavy = ball, box = scene_box("box", (brio_vec3){0.2, 0.2, 0.1}, 4, 0, NAN, 3);
  heavy.id = "heavy", heavy.x = 3, heavy.z = 0.1, heavy.mass = 10;
  CHECK(brio_world_set_ground(world, &next, &err), "%s", err.message);
  scene_thing(world, &ball);
  scene_thing(world, &heavy);
  scene_thing(world, &box);
}

static void things_lie_in_soft_ground(void) {
  scene s;
  brio_error err;
  next = (brio_world_ground){.soft = 0.01};
  if (!scene_begin(&s, post, fill, NULL)) return;
  scene_go(&s, NULL, 4);
  CHECK(!brio_physics_fault_of(s.physics), "%s", brio_physics_fault_of(s.physics));
  /* The same things in a world without physics. */
  brio_world *kinematic = brio_world_new(1, &err);
  fill(kinematic);
  for (int i = 1; i <= 800; i++) {
    brio_world_advance(kinematic, i * 5e-3);
    brio_world_step(kinematic, NULL, NULL);
  }
  const struct {
    const char *id;
    double z;
  } rows[] = {{"ball", 0.05 - 0.01}, {"heavy", 0.05 - 0.01}, {"box", 0.05 - 0.0025}};
  for (int i = 0; i < 3; i++) {
    brio_pose pose = BRIO_POSE_IDENTITY;
    CHECK_NEAR(scene_pose(&s, rows[i].id).p.z, rows[i].z, 5e-4, "%s with physics", rows[i].id);
    CHECK(brio_world_pose(kinematic, rows[i].id, &pose), "%s", rows[i].id);
    CHECK_NEAR(pose.p.z, rows[i].z, 1e-6, "%s without", rows[i].id);
  }
  brio_world_free(kinematic);
  scene_end(&s);
}

/* A block that starts at 1.5 m/s slides v^2 / (2 c g) on hard ground with friction c, less than its own. */
static void things_slide_on_slippery_ground(void) {
  scene s;
  void *simulation;
  next = (brio_world_ground){.friction = 0.2};
  if (!scene_begin(&s, post, fill, NULL)) return;
  scene_go(&s, NULL, 0.2);
  const brio_physics_library *library = brio_physics_library_of(s.physics, &simulation);
  brio_pose from = scene_pose(&s, "box");
  const brio_physics_body state = {.pose = from, .linear = {1.5, 0, 0}};
  library->put(simulation, library->body(simulation, "box#thing"), &state);
  scene_go(&s, NULL, 2);
  CHECK_NEAR(scene_pose(&s, "box").p.x - from.p.x, 1.5 * 1.5 / (2 * 0.2 * 9.81), 0.02, "its way");
  scene_end(&s);
}

static void wrong_grounds_are_refused(void) {
  const brio_world_ground rows[] = {{0.03, 0}, {-1, 0}, {NAN, 0}, {0, NAN}, {0, 11}};
  brio_error err = {0};
  brio_world *world = brio_world_new(1, &err);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    CHECK(!brio_world_set_ground(world, &rows[i], &err), "row %zu is taken", i);
    CHECK_HAS(err.message, "of the ground must be a number from 0 to");
  }
  CHECK(brio_world_ground_of(world).soft == 0 && brio_world_ground_of(world).friction == 0,
        "it is as it was");
  brio_world_free(world);
}

CHECK_SUITE(CHECK_TEST(things_lie_in_soft_ground), CHECK_TEST(things_slide_on_slippery_ground),
            CHECK_TEST(wrong_grounds_are_refused))
