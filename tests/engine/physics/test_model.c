/* Models of robots: what is written, what is refused, and that the library sees the robots that brio sees. */
#include <glob.h>

#include "base/random.h"
#include "robot/kinematics.h"
#include "tests/engine/physics/rig.h"

enum { POSES = 5, MOST_NUMBERS = 256 };

#define ARM                                                                                                  \
  "<robot name='arm'><link name='base'/>"                                                                    \
  "<link name='upper'><inertial><mass value='2'/><origin xyz='0 0 0.2'/>"                                    \
  "<inertia ixx='0.02' iyy='0.03' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial></link>"                    \
  "<link name='tip'/>"                                                                                       \
  "<joint name='shoulder' type='revolute'><parent link='base'/><child link='upper'/>"                        \
  "<axis xyz='0 1 0'/><limit lower='-1' upper='2' velocity='3' effort='40'/></joint>"

#define TIP(TYPE)                                                                                            \
  "<joint name='wrist' type='" TYPE "'><parent link='upper'/><child link='tip'/>"                            \
  "<origin xyz='0 0 0.4'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' velocity='3' effort='4'/></joint>"  \
  "</robot>"

/* Write a robot's model; the text is the caller's. */
static bool write_model(const char *urdf, double massless, brio_text *out, brio_model_notes *notes,
                        brio_error *err) {
  brio_robot *robot = robot_of(urdf);
  brio_model_options options = {.robot = robot, .massless = massless};
  bool good = brio_model_write(out, &options, notes, err);
  brio_robot_free(robot);
  return good;
}

static void end_notes(brio_model_notes *notes) {
  brio_text_end(&notes->shapes);
  brio_text_end(&notes->masses);
  brio_text_end(&notes->inertias);
}

static void masses_and_shapes_are_made_up_and_listed(void) {
  brio_text text = {0};
  brio_model_notes notes = {0};
  brio_error err = {0};
  CHECK(write_model(ARM TIP("revolute"), 0.1, &text, &notes, &err), "%s", err.message);
  CHECK(notes.nmass == 1 && strcmp(notes.masses.bytes, "tip") == 0, "%d", notes.nmass);
  CHECK(notes.nshape == 2 && strcmp(notes.shapes.bytes, "upper, tip") == 0, "%d", notes.nshape);
  CHECK_HAS(text.bytes, "<body name=\"tip\" pos=\"0 0 0.4\"");
  CHECK_HAS(text.bytes, "range=\"-1 2\"");
  brio_text_end(&text);
  end_notes(&notes);
}

static void a_link_without_mass_is_refused_where_none_is_stated(void) {
  brio_text text = {0};
  brio_model_notes notes = {0};
  brio_error err = {0};
  CHECK(!write_model(ARM TIP("revolute"), 0, &text, &notes, &err) && err.code == BRIO_MISUSE, "taken");
  CHECK_HAS(err.message, "link 'tip' moves and has no mass");
  brio_text_end(&text);
  end_notes(&notes);
  /* What is fixed needs none. */
  notes = (brio_model_notes){0};
  CHECK(write_model(ARM TIP("fixed"), 0, &text, &notes, &err) && notes.nmass == 0, "%s", err.message);
  brio_text_end(&text);
  end_notes(&notes);
}

static void a_joint_of_several_numbers_is_refused(void) {
  brio_text text = {0};
  brio_model_notes notes = {0};
  brio_error err = {0};
  CHECK(!write_model(ARM TIP("planar"), 0.1, &text, &notes, &err), "taken");
  CHECK_HAS(err.message, "joint 'wrist' is planar, which physics does not have");
  brio_text_end(&text);
  end_notes(&notes);
}

static void options_out_of_range_are_refused(void) {
  const brio_model_thing heavy = {
      .name = "cube", .shape = {.kind = BRIO_SHAPE_BOX, .size = {1, 1, 1}}, .mass = NAN};
  const struct {
    brio_model_options options;
    const char *sentence;
  } cases[] = {
      {{.step = 0.1}, "a step of the physics must be from 1e-05 to 0.005 s, not 0.1"},
      {{.step = NAN}, "a step of the physics must be"},
      {{.massless = -1}, "the mass of links without one must be"},
      {{.friction = -0.1}, "the friction of links, fixtures and floor must be from 0 to 100, not -0.1"},
      {{.friction = NAN}, "the friction of links"},
      {{.gravity = {0, NAN, -9.81}}, "gravity must be three finite numbers"},
      {{.gravity = {0, 0, -INFINITY}}, "gravity must be three finite numbers, m/s^2, not 0 0 -inf"},
      {{.things = &heavy, .nthing = 1}, "'cube': its mass must be above 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    brio_text text = {0};
    brio_model_notes notes = {0};
    brio_error err = {0};
    CHECK(!brio_model_write(&text, &cases[i].options, &notes, &err) && err.code == BRIO_MISUSE, "case %zu",
          i);
    CHECK_HAS(err.message, cases[i].sentence);
    brio_text_end(&text);
  }
}

static void rotors_and_springs_are_those_of_the_file(void) {
  brio_robot *robot = robot_of(
      "<mujoco model='pendulum'><compiler angle='radian'/><worldbody><body name='bob'>"
      "<joint name='swing' axis='0 1 0' armature='0.5' stiffness='8' springref='0.3' damping='4'/>"
      "<inertial mass='2' pos='0 0 0' diaginertia='0.1 0.2 0.1'/></body></worldbody></mujoco>");
  const brio_model_options options = {.robot = robot, .no_floor = true};
  const brio_physics_library *library = the_library();
  void *simulation = robot && library ? simulate(library, &options, &wide) : NULL;
  if (simulation) {
    brio_physics_joint swing;
    int number = library->joint(simulation, "swing");
    CHECK_NEAR(library->inertia(simulation, number, false), 0.7, 1e-12, "the bob's 0.2 and the rotor's 0.5");
    /* Without gravity it creeps to where its spring rests: damping / stiffness = 0.5 s. */
    CHECK(library->step(simulation, 20000, NULL), "it stopped");
    library->read_joint(simulation, number, &swing);
    CHECK_NEAR(swing.position, 0.3, 1e-6, "after 10 s");
    library->close(simulation);
  }
  brio_robot_free(robot);
}

static void names_are_escaped(void) {
  const brio_model_thing thing = {.name = "a<b>&\"c\"",
                                 .shape = {.kind = BRIO_SHAPE_SPHERE, .size = {0.1, 0, 0}},
                                 .pose = {{0, 0, 1}, {0, 0, 0, 1}},
                                 .mass = 1};
  const brio_model_options options = {.things = &thing, .nthing = 1};
  const brio_physics_library *library = the_library();
  if (!library) return;
  void *simulation = simulate(library, &options, &wide);
  if (!simulation) return;
  CHECK(library->body(simulation, thing.name) == 1, "not found by its name");
  library->close(simulation);
}

/* Place all joints at random, as brio has them in `q`, and compare the poses of all links. */
static void compare_poses(const brio_physics_library *library, void *simulation, brio_state *state, double *q,
                          brio_random *stream) {
  const brio_robot *robot = state->robot;
  brio_robot_neutral(robot, q);
  for (int i = 0; i < robot->nvariable; i++) {
    const brio_variable *variable = &robot->variables[i];
    q[BRIO_BASE_NQ + i] = brio_random_uniform(stream, fmax(variable->lower, -3), fmin(variable->upper, 3));
  }
  for (int j = 0; j < robot->njoint; j++) {
    const brio_joint *joint = &robot->joints[j];
    if (joint->nvariable == 0) continue;
    int number = library->joint(simulation, joint->name);
    CHECK(number >= 0, "%s: no joint '%s'", robot->name, joint->name);
    if (number >= 0)
      library->place(simulation, number,
                     joint->multiplier * q[BRIO_BASE_NQ + joint->variable] + joint->offset);
  }
  library->settle(simulation);
  brio_state_update(state, q);
  for (int i = 0; i < robot->nlink; i++) {
    int number = library->body(simulation, strcmp(robot->links[i].name, "world") == 0 ? "robot's world"
                                                                                      : robot->links[i].name);
    brio_physics_body body;
    CHECK(number > 0, "%s: no body '%s'", robot->name, robot->links[i].name);
    if (number <= 0) continue;
    library->read_body(simulation, number, &body);
    brio_pose mine = brio_pose_of(&state->links[i]);
    CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(body.pose.p, mine.p)), 0, 1e-9, "%s: '%s'", robot->file,
               robot->links[i].name);
    CHECK_NEAR(brio_quat_angle(brio_quat_mul(brio_quat_conj(mine.q), body.pose.q)), 0, 1e-7, "%s: '%s'",
               robot->file, robot->links[i].name);
  }
}

/* The library's kinematics, masses and centre of mass of a robot are brio's.  False: it has joints of several
** numbers. */
static bool compare_robot(const brio_physics_library *library, const char *file) {
  brio_robot_options options = {.stands_on = "base_footprint"};
  brio_error err = {0};
  brio_robot *robot = brio_robot_load(file, &options, &err);
  CHECK(robot && robot->nq <= MOST_NUMBERS, "%s", err.message);
  if (!robot) return false;
  for (int j = 0; j < robot->njoint; j++)
    if (robot->joints[j].nvariable > 1) {
      brio_robot_free(robot);
      return false;
    }
  brio_model_options model = {.robot = robot, .massless = 0.05, .no_floor = true};
  void *simulation = simulate(library, &model, &wide);
  brio_state state;
  if (simulation && brio_state_start(&state, robot, &err)) {
    brio_random stream = brio_random_stream(7, robot->name);
    double q[MOST_NUMBERS];
    for (int k = 0; k < POSES; k++) compare_poses(library, simulation, &state, q, &stream);
    brio_state_end(&state);
  }
  if (simulation) library->close(simulation);
  brio_robot_free(robot);
  return true;
}

static void check_files(const brio_physics_library *library, const char *pattern, int least) {
  glob_t found;
  int count = 0;
  CHECK(glob(pattern, 0, NULL, &found) == 0, "nothing is at %s", pattern);
  for (size_t i = 0; i < found.gl_pathc; i++) count += compare_robot(library, found.gl_pathv[i]);
  CHECK(count >= least, "%d robots at %s", count, pattern);
  globfree(&found);
}

static void the_library_sees_the_robots_that_brio_sees(void) {
  const brio_physics_library *library = the_library();
  if (library) check_files(library, "drivers/robots/*/model.urdf", 6);
}

static void robots_that_nobody_tuned_are_taken(void) {
  char pattern[512];
  const brio_physics_library *library = the_library();
  if (!library) return;
  if (!check_shared()) SKIP("no shared reference data");
  snprintf(pattern, sizeof pattern, "%s/data/robots/*/*.urdf", check_shared());
  check_files(library, pattern, 20);
}

/* Drop a robot without power on the floor: it falls, loses energy, and lies on it. */
static void drop_robot(const brio_physics_library *library, const char *file) {
  brio_error err = {0};
  brio_robot *robot = brio_robot_load(file, NULL, &err);
  CHECK(robot, "%s", err.message);
  for (int j = 0; robot && j < robot->njoint; j++)
    if (robot->joints[j].nvariable > 1) {
      brio_robot_free(robot);
      return;
    }
  if (!robot) return;
  brio_pose above = {{0, 0, 2}, {0, 0, 0, 1}};
  const brio_model_options model = {
      .robot = robot, .massless = 0.05, .free_base = true, .base = &above, .gravity = {0, 0, -9.81}};
  const brio_physics_bounds bounds = {50, 300, 0.05};
  void *simulation = simulate(library, &model, &bounds);
  brio_physics_totals before, after;
  brio_physics_fault fault;
  char sentence[512] = "";
  if (simulation) {
    library->totals(simulation, &before);
    bool good = library->step(simulation, (int)(1.5 / BRIO_MODEL_STEP), &fault);
    if (!good) brio_physics_tell(&fault, sentence, sizeof sentence);
    CHECK(good, "%s: %s", file, sentence);
    library->totals(simulation, &after);
    double energy = after.kinetic + after.potential;
    CHECK(energy < before.kinetic + before.potential && after.com.z > -0.05, "%s: %g J, %g m", file, energy,
          after.com.z);
    library->close(simulation);
  }
  brio_robot_free(robot);
}

static void robots_without_power_fall_and_stay_whole(void) {
  char pattern[512];
  const brio_physics_library *library = the_library();
  if (!library) return;
  if (!check_shared()) SKIP("no shared reference data");
  snprintf(pattern, sizeof pattern, "%s/data/robots/*/*.urdf", check_shared());
  glob_t found;
  CHECK(glob(pattern, 0, NULL, &found) == 0, "nothing is at %s", pattern);
  size_t every = check_scale() > 1 ? 1 : 4; /* a sample: all of them under make soak */
  for (size_t i = 0; i < found.gl_pathc; i += every) drop_robot(library, found.gl_pathv[i]);
  globfree(&found);
}

CHECK_SUITE(CHECK_TEST(robots_without_power_fall_and_stay_whole),
            CHECK_TEST(masses_and_shapes_are_made_up_and_listed),
            CHECK_TEST(a_link_without_mass_is_refused_where_none_is_stated),
            CHECK_TEST(a_joint_of_several_numbers_is_refused), CHECK_TEST(options_out_of_range_are_refused),
            CHECK_TEST(rotors_and_springs_are_those_of_the_file), CHECK_TEST(names_are_escaped),
            CHECK_TEST(the_library_sees_the_robots_that_brio_sees),
            CHECK_TEST(robots_that_nobody_tuned_are_taken))
