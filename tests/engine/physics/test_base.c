/* Robots whose base is free: they are set down and stand, feel it, fall without power, and the solver's base
** is where forces have put theirs. */
#include "solver/solver.h"
#include "tests/allocations.h"
#include "tests/engine/physics/scene.h"
#include "world/fixture.h"

#define G 9.81
#define MASS 16.0 /* kg, of the robot below */

/* A leg: hip, knee and ankle about y, 30 cm each, and a foot of 24 x 10 cm. */
#define LEG(s, y)                                                                                            \
  "<link name='" s "_thigh'><inertial><mass value='1.5'/><origin xyz='0 0 -0.15'/><inertia ixx='0.011' "     \
  "iyy='0.011' izz='0.001' ixy='0' ixz='0' iyz='0'/></inertial></link>"                                      \
  "<link name='" s "_shank'><inertial><mass value='1'/><origin xyz='0 0 -0.15'/><inertia ixx='0.008' "       \
  "iyy='0.008' izz='0.001' ixy='0' ixz='0' iyz='0'/></inertial></link>"                                      \
  "<link name='" s "_foot'><inertial><mass value='0.5'/><origin xyz='0.02 0 -0.03'/><inertia ixx='0.0006' "  \
  "iyy='0.0024' izz='0.0028' ixy='0' ixz='0' iyz='0'/></inertial><collision><origin xyz='0.02 0 -0.03'/>"    \
  "<geometry><box size='0.24 0.1 0.04'/></geometry></collision></link>"                                      \
  "<joint name='" s "_hip' type='revolute'><parent link='torso'/><child link='" s "_thigh'/>"                \
  "<origin xyz='0 " y                                                                                        \
  " -0.2'/><axis xyz='0 1 0'/><limit lower='-1.5' upper='1.5' velocity='6' effort='80'/>"                    \
  "</joint><joint name='" s "_knee' type='revolute'><parent link='" s "_thigh'/><child link='" s "_shank'/>" \
  "<origin xyz='0 0 -0.3'/><axis xyz='0 1 0'/><limit lower='-0.1' upper='2' velocity='6' "                   \
  "effort='80'/></joint>"                                                                                    \
  "<joint name='" s "_ankle' type='revolute'><parent link='" s "_shank'/><child link='" s "_foot'/>"         \
  "<origin xyz='0 0 -0.3'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' velocity='6' "                     \
  "effort='60'/></joint>"

static const char biped[] =
    "<robot name='biped'><link name='torso'><inertial><mass value='10'/><inertia ixx='0.21' iyy='0.17' "
    "izz='0.11' ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry><box size='0.2 0.3 0.4'/></geometry>"
    "</collision></link>" LEG("l", "0.1") LEG("r", "-0.1") "</robot>";

static const char *const feet[] = {"l_foot", "r_foot"};

static double soft; /* m, of the ground */

static void fill(brio_world *world) {
  const brio_world_ground ground = {.soft = soft};
  brio_error err;
  CHECK(brio_world_set_ground(world, &ground, &err), "%s", err.message);
}

/* The robot with bent knees, its base free, an inertial unit in the torso and feet that feel. */
static bool stand(scene *s, const brio_pose *base) {
  static const double bent[] = {-0.25, 0.5, -0.25, -0.25, 0.5, -0.25};
  const brio_physics_options options = {
      .floats = true, .base = base, .imu = "torso", .touches = feet, .ntouch = 2};
  if (!scene_begin_with(s, biped, soft > 0 ? fill : NULL, bent, options)) return false;
  scene_go(s, bent, 5e-3);
  return true;
}

static const float *base_of(const scene *s) {
  const brio_world_mover *mover = brio_physics_mover(s->physics);
  return mover->base(mover->context)->numbers;
}

static void a_robot_is_set_down_and_stands_on_its_servos(void) {
  scene s;
  if (!stand(&s, NULL)) return;
  /* 0.2 + 2 (0.3 cos 0.25) + 0.05 m, as its soles lie flat. */
  double height = 0.25 + 0.6 * cos(0.25);
  CHECK_NEAR((double)base_of(&s)[2], height, 2e-3, "set down");
  scene_go(&s, NULL, 3);
  const float *base = base_of(&s);
  CHECK_NEAR((double)base[2], height, 0.01, "it stands");
  CHECK((double)hypotf(base[3], base[4]) < 0.02, "it leans by %g", 2 * (double)hypotf(base[3], base[4]));
  CHECK_NEAR((double)base[9], 0, 5e-3, "at rest");
  CHECK(!brio_physics_fault_of(s.physics), "%s", brio_physics_fault_of(s.physics));
  scene_end(&s);
}

/* It sinks more than a free body, as its weight is on links that are light, and rests. */
static void it_stands_on_soft_ground(void) {
  scene s;
  soft = 0.01;
  bool good = stand(&s, NULL);
  soft = 0;
  if (!good) return;
  scene_go(&s, NULL, 5);
  const float *base = base_of(&s);
  double height = 0.25 + 0.6 * cos(0.25), sunk = height - (double)base[2];
  CHECK(sunk > 0.005 && sunk < 0.02, "sunk by %g m", sunk);
  CHECK((double)hypotf(base[3], base[4]) < 0.03, "it leans by %g", 2 * (double)hypotf(base[3], base[4]));
  CHECK_NEAR((double)base[9], 0, 5e-3, "at rest");
  CHECK(!brio_physics_fault_of(s.physics), "%s", brio_physics_fault_of(s.physics));
  scene_end(&s);
}

static void it_feels_its_weight_and_how_it_is_held_up(void) {
  scene s;
  if (!stand(&s, NULL)) return;
  double forces[2] = {NAN, NAN}, up[3] = {NAN, NAN, NAN};
  for (int i = 0; i < 500; i++) {
    scene_tick(&s);
    for (int k = 0; k < 2; k++) {
      const brio_world_moved *touch = brio_physics_sensed(s.physics, k);
      if (touch) forces[k] = (double)touch->numbers[0];
    }
    const brio_world_moved *imu = brio_physics_sensed(s.physics, -1);
    for (int k = 0; imu && k < 3; k++) up[k] = (double)imu->numbers[k];
  }
  CHECK_NEAR(forces[0] + forces[1], MASS * G, 0.02 * MASS * G, "weight on both feet");
  CHECK_NEAR(forces[0], forces[1], 1, "each bears its half");
  CHECK_NEAR(up[2], G, 0.15, "held up");
  CHECK(!brio_physics_sensed(s.physics, 2), "a third foot");
  scene_end(&s);
}

static void without_power_it_falls(void) {
  scene s;
  const bool off[6] = {false};
  if (!stand(&s, NULL)) return;
  s.kind->power(s.device, off, NULL);
  scene_go(&s, NULL, 2);
  CHECK((double)base_of(&s)[2] < 0.45, "its base is at %g m", (double)base_of(&s)[2]);
  CHECK(!brio_physics_fault_of(s.physics), "%s", brio_physics_fault_of(s.physics));
  scene_end(&s);
}

static void a_base_begins_where_it_is_said_and_falls_as_galilei_says(void) {
  scene s;
  const brio_pose above = {{1, 2, 3}, brio_quat_from_rpy(0, 0, 0.5)};
  if (!stand(&s, &above)) return;
  scene_go(&s, NULL, 0.3);
  const float *base = base_of(&s);
  CHECK_NEAR((double)base[0], 1, 2e-3, "x");
  CHECK_NEAR((double)base[1], 2, 2e-3, "y");
  CHECK_NEAR((double)base[2], 3 - 0.5 * G * 0.305 * 0.305, 0.01, "z");
  scene_end(&s);
}

static void equal_runs_have_equal_bits(void) {
  float places[2][BRIO_WORLD_MOVED];
  const bool off[6] = {false};
  for (int k = 0; k < 2; k++) {
    scene s;
    if (!stand(&s, NULL)) return;
    scene_go(&s, NULL, 0.5);
    s.kind->power(s.device, off, NULL);
    scene_go(&s, NULL, 0.8);
    memcpy(places[k], base_of(&s), sizeof *places);
    scene_end(&s);
  }
  CHECK(memcmp(places[0], places[1], sizeof *places) == 0, "%g and %g", (double)places[0][2],
        (double)places[1][2]);
}

static void what_is_no_link_feels_nothing(void) {
  scene s = {0};
  const brio_physics_library *library = the_library();
  const char *const hands[] = {"hand"};
  brio_error err;
  if (!library) return;
  s.robot = robot_of(biped);
  brio_physics_options options = {
      .simulator = library, .robot = s.robot, .floats = true, .touches = hands, .ntouch = 1};
  CHECK(!brio_physics_new(&options, &err), "taken");
  CHECK_HAS(err.message, "a sensor of touch");
  options = (brio_physics_options){.simulator = library, .robot = s.robot, .floats = true, .imu = "head"};
  CHECK(!brio_physics_new(&options, &err), "taken");
  CHECK_HAS(err.message, "an inertial unit must be on a link of the robot, not on 'head'");
  scene_end(&s);
}

static void a_solver_is_carried_with_its_base(void) {
  brio_robot *robot = robot_of(biped);
  brio_error err = {0};
  brio_solver *solver = brio_solver_new(robot, &(brio_solver_options){.with_base = true}, &err);
  CHECK(solver, "%s", err.message);
  if (!solver) return;
  brio_solution solution = {0};
  brio_argument joint = {.name = "joint", .text = "l_knee"};
  double goal = 0.5;
  int slot = brio_solver_add(solver, "knee", "joint_match", &joint, 1, &err);
  CHECK(slot >= 0 && brio_solver_set_goal(solver, slot, &goal, 1, 0, &err) &&
            brio_solver_set_weight(solver, slot, 10, 0, &err),
        "%s", err.message);
  for (int i = 0; i < 6; i++) brio_solver_solve(solver, 0.005 * i, 0.005, &solution);
  int knee = brio_robot_variable(robot, "l_knee", &err);
  double speed = brio_solver_speed(solver, knee, false), at = solution.q[BRIO_BASE_NQ + knee];
  CHECK(speed > 0.1, "it moves by %g rad/s", speed);
  /* Carried, its links are where the kinematics has them, and the knee goes on as it went. */
  const brio_pose base = {{0.4, -0.3, 0.8}, brio_quat_from_rpy(0.2, -0.1, 1)};
  size_t before = allocations;
  brio_solver_carry(solver, base);
  CHECK(allocations == before, "it allocates");
  brio_pose torso = brio_pose_of(&brio_solver_state(solver)->links[0]);
  CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(torso.p, base.p)), 0, 1e-12, "base");
  brio_solver_solve(solver, 0.03, 0.005, &solution);
  CHECK_NEAR(solution.q[BRIO_BASE_NQ + knee] - at, speed * 0.005, 0.3 * speed * 0.005, "knee");
  CHECK_NEAR(solution.q[0], 0.4, 1e-12, "the base stays");
  brio_solver_free(solver);
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(a_robot_is_set_down_and_stands_on_its_servos), CHECK_TEST(it_stands_on_soft_ground),
            CHECK_TEST(it_feels_its_weight_and_how_it_is_held_up), CHECK_TEST(without_power_it_falls),
            CHECK_TEST(a_base_begins_where_it_is_said_and_falls_as_galilei_says),
            CHECK_TEST(equal_runs_have_equal_bits), CHECK_TEST(what_is_no_link_feels_nothing),
            CHECK_TEST(a_solver_is_carried_with_its_base))
