/* A robot in the simulator with physics: its servos against gravity, limits of torque, power, contact with
** furniture, and what happens when the simulation stops. */
#include "physics/physics.h"

#include "drivers/driver.h"
#include "robot/kinematics.h"
#include "tests/allocations.h"
#include "tests/engine/physics/rig.h"
#include "world/furniture.h"
#include "world/things/thing.h"

#define G 9.81
#define MASS 2.0      /* kg, of the arm below */
#define LEVER 0.2     /* m: from the joint to its centre of mass */
#define ARMATURE 0.01 /* kg m^2: what model_robot.c adds */

enum {
  FREQUENCY,
  DAMPING,
  NOISE,
  VELOCITY_NOISE,
  LATENCY,
  INERTIA,
  TORQUE,
  FRICTION,
  VISCOUS,
  BACKLASH,
  NSETTING
};

/* An arm that turns about y, 1 m above the floor; up at 0, forward at pi/2. */
static const char arm[] =
    "<robot name='arm'><link name='base'/>"
    "<link name='upper'><inertial><mass value='2'/><origin xyz='0 0 0.2'/>"
    "<inertia ixx='0.03' iyy='0.03' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial>"
    "<collision><origin xyz='0 0 0.2'/><geometry><capsule radius='0.03' "
    "length='0.4'/></geometry></collision></link>"
    "<joint name='shoulder' type='revolute'><parent link='base'/><child link='upper'/><origin xyz='0 0 1'/>"
    "<axis xyz='0 1 0'/><limit lower='-1' upper='3' velocity='3' effort='40'/></joint></robot>";

/* A robot in its world, with its physics and a device. */
typedef struct rig {
  brio_robot *robot;
  brio_world *world;
  brio_physics *physics;
  const brio_driver_kind *kind;
  void *device;
} rig;

/* Open the device with changed settings (NAN: as they are). */
static bool plug(rig *scene, const brio_axis *axes, int count, const double *changes, brio_error *err) {
  double settings[NSETTING];
  scene->kind = brio_driver_find("sim", err);
  for (int i = 0; i < NSETTING; i++)
    settings[i] = changes && changes[i] > 0 ? changes[i] : scene->kind->settings[i].fallback;
  scene->device = scene->kind->open(axes, count, settings, 1, scene->world, err);
  return scene->device != NULL;
}

static void end_scene(rig *scene) {
  if (scene->device) scene->kind->close(scene->device);
  brio_physics_free(scene->physics);
  brio_world_free(scene->world);
  brio_robot_free(scene->robot);
}

/* The arm, and a box of that height before it (0: none).  False: the test is skipped, or failed. */
static bool begin_scene(rig *scene, double box, double start, const double *changes) {
  const brio_axis axis = {"shoulder", -1, 3, 3, 50, start};
  brio_error err = {0};
  const brio_physics_library *library = the_library();
  *scene = (rig){0};
  if (!library) return false;
  scene->robot = robot_of(arm);
  scene->world = brio_world_new(1, &err);
  const brio_furniture_form form = {.form = BRIO_FURNITURE_BOX,
                                    .kind = "box",
                                    .id = "block",
                                    .x = 0.4,
                                    .size = {0.3, 0.6, box},
                                    .board = 0.02,
                                    .color = {NAN, NAN, NAN}};
  if (box > 0) CHECK(brio_world_add_furniture(scene->world, &form, &err), "%s", err.message);
  const brio_physics_options options = {.simulator = library, .robot = scene->robot, .world = scene->world};
  scene->physics = brio_physics_new(&options, &err);
  bool good = scene->physics && plug(scene, &axis, 1, changes, &err);
  CHECK(good, "%s", err.message);
  if (!good) end_scene(scene);
  return good;
}

/* Let time pass in periods of 1 ms with a target; the report. */
static brio_axis_state go(rig *scene, double target, double seconds) {
  brio_axis_state state = {0};
  brio_error err = {0};
  scene->kind->write(scene->device, &target, &err);
  for (int i = 0; i < (int)lround(1000 * seconds); i++) scene->kind->step(scene->device, 1e-3);
  CHECK(scene->kind->read(scene->device, &state, &err) && state.valid, "%s", err.message);
  return state;
}

/* Inertia and stiffness of the shoulder's servo at 8 Hz. */
static double inertia(void) {
  return 0.03 + MASS * LEVER * LEVER + ARMATURE;
}
static double stiffness(void) {
  return inertia() * pow(2 * BRIO_PI * 8, 2);
}

static void a_servo_sags_under_the_weight_that_it_holds(void) {
  rig scene;
  if (!begin_scene(&scene, 0, BRIO_PI / 2, NULL)) return;
  brio_axis_state state = go(&scene, BRIO_PI / 2, 2);
  /* stiffness (q - target) = m g l sin q */
  double weight = MASS * G * LEVER, sag = weight * sin(state.position) / stiffness();
  CHECK_NEAR(state.position - BRIO_PI / 2, sag, 1e-5, "sag");
  CHECK_NEAR(state.velocity, 0, 1e-6, "at rest");
  CHECK(state.knows & BRIO_KNOWS_LOAD, "no load");
  CHECK_NEAR(state.load, -weight * sin(state.position) / 40, 1e-4, "load");
  end_scene(&scene);
}

static void a_small_step_is_that_of_the_second_order_servo(void) {
  rig scene;
  if (!begin_scene(&scene, 0, 0, NULL)) return;
  /* Critical damping, beside gravity that grows with the angle: 1 - (1 + w t) exp(-w t), within 3 %. */
  double w = 2 * BRIO_PI * 8, step = 0.02, worst = 0;
  for (int i = 1; i <= 20; i++) {
    double t = 0.01 * i, expected = step * (1 - (1 + w * t) * exp(-w * t));
    worst = fmax(worst, fabs(go(&scene, step, 0.01).position - expected));
  }
  CHECK(worst < 0.03 * step, "%g of %g rad", worst, step);
  end_scene(&scene);
}

static void a_motor_that_is_too_weak_falls(void) {
  rig scene;
  const double weak[NSETTING] = {[TORQUE] = 3};
  if (!begin_scene(&scene, 0, BRIO_PI / 2, weak)) return;
  /* 3.9 N m of weight: it goes to where 3 N m hold it, or beyond, down to its end at 3 rad. */
  brio_axis_state state = go(&scene, BRIO_PI / 2, 3);
  CHECK(state.position > 2.2, "it stays at %g", state.position);
  CHECK_NEAR(state.load, -1, 1e-9, "load");
  end_scene(&scene);
}

static void an_arm_without_power_falls_to_its_end(void) {
  rig scene;
  const bool off = false, on = true;
  if (!begin_scene(&scene, 0, BRIO_PI / 2, NULL)) return;
  scene.kind->power(scene.device, &off, NULL);
  brio_axis_state state = go(&scene, BRIO_PI / 2, 3);
  CHECK_NEAR(state.position, 3, 0.02, "the end of its range");
  /* With power again it holds where it is, and then follows. */
  scene.kind->power(scene.device, &on, NULL);
  CHECK_NEAR(go(&scene, NAN, 0.5).position, 3, 0.02, "held");
  CHECK_NEAR(go(&scene, 0, 2).position, 0, 1e-3, "it follows again");
  end_scene(&scene);
}

static void an_arm_does_not_go_through_furniture(void) {
  rig scene;
  if (!begin_scene(&scene, 0.9, 1, NULL)) return;
  /* Its lower side meets the block's edge, 0.4 m from the joint at the most: 0.07 m below it. */
  brio_axis_state state = go(&scene, 2.6, 2);
  CHECK(state.position > BRIO_PI / 2 + 0.1 && state.position < BRIO_PI / 2 + 0.35, "it is at %g rad",
        state.position);
  CHECK(state.load > 0.05, "it presses with %g of its torque", state.load);
  CHECK(!brio_physics_fault_of(scene.physics), "%s", brio_physics_fault_of(scene.physics));
  /* The contact is known, with the force that the motor presses with. */
  void *simulation;
  brio_physics_contact list[8];
  const brio_physics_library *library = brio_physics_library_of(scene.physics, &simulation);
  int count = library->contacts(simulation, list, 8);
  bool between = count > 0 && (strcmp(list[0].body, "block") == 0 || strcmp(list[0].other, "block") == 0) &&
                 (strcmp(list[0].body, "upper") == 0 || strcmp(list[0].other, "upper") == 0);
  CHECK(between && list[0].press > 1 && list[0].depth < 1e-3, "%d contacts", count);
  end_scene(&scene);
}

static void a_step_allocates_nothing(void) {
  rig scene;
  if (!begin_scene(&scene, 0.9, 1, NULL)) return;
  go(&scene, 2.6, 0.1);
  size_t before = allocations;
  /* Into the block, and onto it. */
  for (int i = 0; i < 1000; i++) scene.kind->step(scene.device, 1e-3);
  CHECK(allocations == before, "%zu allocations", allocations - before);
  end_scene(&scene);
}

static void equal_runs_have_equal_bits(void) {
  brio_axis_state reports[2];
  for (int k = 0; k < 2; k++) {
    rig scene;
    if (!begin_scene(&scene, 0.9, 1, NULL)) return;
    go(&scene, 2.6, 0.7);
    reports[k] = go(&scene, 0.3, 0.3333);
    end_scene(&scene);
  }
  CHECK(memcmp(&reports[0], &reports[1], sizeof *reports) == 0, "%.17g and %.17g", reports[0].position,
        reports[1].position);
}

static void an_arm_in_a_wall_stops_the_simulation(void) {
  rig scene;
  const double target = 1.6;
  if (!begin_scene(&scene, 1.2, BRIO_PI / 2, NULL)) return;
  brio_axis_state state;
  brio_error err = {0};
  scene.kind->write(scene.device, &target, &err);
  scene.kind->step(scene.device, 0.01);
  CHECK(!scene.kind->read(scene.device, &state, &err) && err.code == BRIO_DEVICE, "it goes on");
  CHECK_HAS(err.message, "the body 'upper' is too deep in 'block'");
  CHECK_HAS(err.message, "at 0.0000 s: the simulation has stopped");
  CHECK(brio_physics_fault_of(scene.physics), "unknown");
  /* Opened again, it is still so. */
  const brio_axis axis = {"shoulder", -1, 3, 3, 50, 1};
  scene.kind->close(scene.device);
  CHECK(!plug(&scene, &axis, 1, NULL, &err), "opened again");
  CHECK_HAS(err.message, "the simulation has stopped");
  end_scene(&scene);
}

static void a_device_that_comes_back_finds_the_arm_where_it_is(void) {
  rig scene;
  brio_error err = {0};
  const brio_axis axis = {"shoulder", -1, 3, 3, 50, 0};
  if (!begin_scene(&scene, 0, 1, NULL)) return;
  double before = go(&scene, 1.5, 2).position;
  scene.kind->close(scene.device);
  CHECK(plug(&scene, &axis, 1, NULL, &err), "%s", err.message);
  CHECK_NEAR(go(&scene, NAN, 1).position, before, 0.03, "it holds there, and sags once more");
  end_scene(&scene);
}

static void what_physics_does_not_have_is_refused(void) {
  rig scene, second;
  brio_error err = {0};
  const brio_axis shoulder = {"shoulder", -1, 3, 3, 50, 1}, light = {"light", 0, 1, 1, 1, 0};
  const double backlash[NSETTING] = {[BACKLASH] = 0.1};
  if (!begin_scene(&scene, 0, 1, NULL)) return;
  /* Another device that has joints, too. */
  second = scene;
  CHECK(!plug(&second, &shoulder, 1, NULL, &err), "taken");
  CHECK_HAS(err.message, "all joints must be on one simulated device");
  scene.kind->close(scene.device);
  CHECK(!plug(&scene, &shoulder, 1, backlash, &err), "taken");
  CHECK_HAS(err.message, "with physics backlash is a field of `transmissions`");
  end_scene(&scene);
  /* Joints that are on no simulated device. */
  if (!begin_scene(&scene, 0, 1, NULL)) return;
  scene.kind->close(scene.device);
  scene.device = NULL;
  brio_physics_free(scene.physics);
  const brio_physics_options options = {
      .simulator = the_library(), .robot = scene.robot, .world = scene.world};
  scene.physics = brio_physics_new(&options, &err);
  CHECK(!plug(&scene, &light, 1, NULL, &err), "taken");
  CHECK_HAS(err.message, "the simulator must move all joints, but 'shoulder' is elsewhere");
  /* More things than there is memory for. */
  for (int i = 0; i <= BRIO_ASSEMBLY_THINGS; i++) {
    char id[16];
    snprintf(id, sizeof id, "ball_%d", i);
    const brio_thing_form ball = {.kind = "ball",
                                  .id = id,
                                  .shape = BRIO_THING_BALL,
                                  .radius = 0.03,
                                  .x = i,
                                  .z = 1,
                                  .color = {NAN, NAN, NAN}};
    CHECK(brio_world_add_thing(scene.world, &ball, &err), "%s", err.message);
  }
  CHECK(!brio_physics_new(&options, &err), "taken");
  CHECK_HAS(err.message, "physics simulates at most 64 things and 32 doors, and the world has 65 and 0");
  end_scene(&scene);
}

CHECK_SUITE(CHECK_TEST(a_servo_sags_under_the_weight_that_it_holds),
            CHECK_TEST(a_small_step_is_that_of_the_second_order_servo),
            CHECK_TEST(a_motor_that_is_too_weak_falls), CHECK_TEST(an_arm_without_power_falls_to_its_end),
            CHECK_TEST(an_arm_does_not_go_through_furniture), CHECK_TEST(a_step_allocates_nothing),
            CHECK_TEST(equal_runs_have_equal_bits), CHECK_TEST(an_arm_in_a_wall_stops_the_simulation),
            CHECK_TEST(a_device_that_comes_back_finds_the_arm_where_it_is),
            CHECK_TEST(what_physics_does_not_have_is_refused))
