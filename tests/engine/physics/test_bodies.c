/* The laws that a simulation keeps: momentum in free flight, energy of a pendulum, Coulomb's angle, a stack
** of boxes, equal runs; and that it stops, with the body named, when it cannot go on. */
#include "base/random.h"
#include "tests/engine/physics/rig.h"

#define G 9.81

/* A box of side 0.1 m and 1 kg. */
static brio_model_thing cube(const char *name, double z, double friction) {
  return (brio_model_thing){.name = name,
                           .shape = {.kind = BRIO_SHAPE_BOX, .size = {0.1, 0.1, 0.1}},
                           .pose = {{0, 0, z}, {0, 0, 0, 1}},
                           .mass = 1,
                           .friction = friction};
}

/* Steps of so many seconds. */
static int steps_of(double seconds) {
  return (int)lround(seconds / BRIO_MODEL_STEP);
}

static brio_vec3 place_of(const brio_physics_library *library, const void *simulation, const char *name) {
  brio_physics_body body;
  library->read_body(simulation, library->body(simulation, name), &body);
  return body.pose.p;
}

static const char twin[] =
    "<robot name='twin'>"
    "<link name='a'><inertial><mass value='1'/><origin xyz='0 0 -0.25'/>"
    "<inertia ixx='0.02' iyy='0.02' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<link name='b'><inertial><mass value='0.7'/><origin xyz='0 0 -0.2'/>"
    "<inertia ixx='0.01' iyy='0.012' izz='0.008' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<link name='c'><inertial><mass value='0.5'/><origin xyz='0.02 0 -0.2'/>"
    "<inertia ixx='0.01' iyy='0.011' izz='0.006' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<joint name='ab' type='continuous'><parent link='a'/><child link='b'/><origin xyz='0 0 -0.5'/>"
    "<axis xyz='0 1 0'/></joint>"
    "<joint name='bc' type='continuous'><parent link='b'/><child link='c'/><origin xyz='0 0 -0.4'/>"
    "<axis xyz='1 0 0'/></joint></robot>";

/* How far the momenta of a body that flies and bends for a second change, as shares of what they were. */
static void fly(const brio_physics_library *library, const brio_robot *robot, bool exact, double step,
                double *linear, double *angular) {
  const brio_model_options options = {
      .robot = robot, .free_base = true, .no_floor = true, .exact = exact, .step = step};
  brio_physics_totals before, after;
  void *simulation = simulate(library, &options, &wide);
  if (!simulation) return;
  brio_physics_body start = {.pose = BRIO_POSE_IDENTITY, .linear = {0.3, -0.2, 0.5}, .angular = {1, 2, -1.5}};
  library->put(simulation, library->body(simulation, "a"), &start);
  library->spin(simulation, library->joint(simulation, "ab"), 2);
  library->spin(simulation, library->joint(simulation, "bc"), -3);
  library->totals(simulation, &before);
  CHECK(library->step(simulation, (int)lround(1 / step), NULL), "it stopped");
  CHECK_NEAR(library->time(simulation), 1, 1e-9, "its time");
  library->totals(simulation, &after);
  *linear = brio_vec3_norm(brio_vec3_sub(after.linear, before.linear)) / brio_vec3_norm(before.linear);
  *angular = brio_vec3_norm(brio_vec3_sub(after.angular, before.angular)) / brio_vec3_norm(before.angular);
  library->close(simulation);
}

/* Both integrators: the bound for a step of a run, and by how much less it must be with half the step: the
** exact one is of the 4th order, the usual one of the 1st. */
static const struct {
  bool exact;
  double linear, angular, falls;
} flights[] = {{true, 1e-9, 1e-9, 0.08}, {false, 5e-3, 2e-3, 0.6}};

static void free_flight_keeps_momentum(void) {
  const brio_physics_library *library = the_library();
  if (!library) return;
  brio_robot *robot = robot_of(twin);
  for (size_t i = 0; i < sizeof flights / sizeof *flights; i++) {
    double linear[3] = {NAN, NAN, NAN}, angular[3] = {NAN, NAN, NAN};
    /* With four times a run's step, and a half and a quarter of that: less is rounding alone. */
    for (int k = 0; k < 3; k++)
      fly(library, robot, flights[i].exact, 4 * BRIO_MODEL_STEP / (1 << k), &linear[k], &angular[k]);
    printf("# %s: momentum after 1 s: linear %.2g, %.2g, %.2g, angular %.2g, %.2g, %.2g\n",
           flights[i].exact ? "exact" : "usual", linear[0], linear[1], linear[2], angular[0], angular[1],
           angular[2]);
    CHECK(linear[2] < flights[i].linear && angular[2] < flights[i].angular, "%g and %g", linear[2],
          angular[2]);
    for (int k = 1; k < 3; k++)
      CHECK(linear[k] < flights[i].falls * linear[k - 1] && angular[k] < flights[i].falls * angular[k - 1],
            "it does not fall with the step");
  }
  brio_robot_free(robot);
}

static void a_pendulum_keeps_its_energy(void) {
  const brio_physics_library *library = the_library();
  if (!library) return;
  brio_robot *robot = robot_of(twin);
  const brio_model_options options = {.robot = robot, .no_floor = true, .gravity = {0, 0, -G}};
  void *simulation = simulate(library, &options, &wide);
  brio_physics_totals now;
  double sums[2] = {0}, scale = 0;
  int seconds = 10;
  if (!simulation) return;
  library->place(simulation, library->joint(simulation, "ab"), 0.8);
  library->settle(simulation);
  library->totals(simulation, &now);
  scale = 0.7 * G * 0.2 * 2 + 0.5 * G * 0.6 * 2; /* from the lowest to the highest place */
  /* The energy of a step swings with the motion: the mean over a second at the beginning and at the end. */
  for (int s = 0; s < seconds; s++)
    for (int k = 0; k < 100; k++) {
      library->step(simulation, steps_of(0.01), NULL);
      library->totals(simulation, &now);
      if (s == 0 || s == seconds - 1) sums[s > 0] += (now.kinetic + now.potential) / 100;
    }
  double drift = fabs(sums[1] - sums[0]) / scale / (seconds - 1);
  printf("# energy drifts by %.3g %% of its range a second\n", 100 * drift);
  CHECK(drift < 1e-4, "%g", drift);
  library->close(simulation);
  brio_robot_free(robot);
}

/* How far a cube slides within 2 s on a slope with that tangent, m. */
static double slide(const brio_physics_library *library, double friction, double tangent) {
  const brio_model_thing things[] = {cube("cube", 0.05, friction)};
  double angle = atan(tangent);
  /* The slope is the floor, and gravity leans. */
  const brio_model_options options = {
      .things = things, .nthing = 1, .friction = friction, .gravity = {G * sin(angle), 0, -G * cos(angle)}};
  void *simulation = simulate(library, &options, &wide);
  if (!simulation) return NAN;
  library->step(simulation, steps_of(0.5), NULL);
  double from = place_of(library, simulation, "cube").x;
  library->step(simulation, steps_of(2), NULL);
  double way = place_of(library, simulation, "cube").x - from;
  library->close(simulation);
  return way;
}

static void a_block_sticks_and_slips_at_coulombs_angle(void) {
  const brio_physics_library *library = the_library();
  if (!library) return;
  const double frictions[] = {0.2, 0.5, 0.8};
  for (int i = 0; i < 3; i++) {
    double mu = frictions[i], sticks = slide(library, mu, 0.98 * tan(atan(mu))),
           slips = slide(library, mu, 1.02 * mu);
    /* Slipping, it accelerates by g (sin - mu cos). */
    double angle = atan(1.02 * mu), a = G * (sin(angle) - mu * cos(angle));
    printf("# friction %.1f: 2 %% below Coulomb's angle %.3g m in 2 s, above it %.3g m of %.3g\n", mu, sticks,
           slips, 0.5 * a * (2.5 * 2.5 - 0.5 * 0.5));
    CHECK(fabs(sticks) < 1e-3, "friction %g: it slides by %g m", mu, sticks);
    CHECK(slips > 0.3 * a * 6, "friction %g: it sticks (%g m)", mu, slips);
  }
}

static void a_block_slides_as_fast_as_newton_says(void) {
  const brio_physics_library *library = the_library();
  if (!library) return;
  /* Twice Coulomb's tangent: s = a t^2 / 2 from rest, in the first 2.5 s less those in the first 0.5 s. */
  double mu = 0.4, angle = atan(2 * mu), a = G * (sin(angle) - mu * cos(angle)),
         way = slide(library, mu, 2 * mu);
  CHECK_NEAR(way, 0.5 * a * (2.5 * 2.5 - 0.5 * 0.5), 0.02 * way, "sliding");
}

static void a_stack_of_five_stands(void) {
  const brio_physics_library *library = the_library();
  if (!library) return;
  const char *names[] = {"c1", "c2", "c3", "c4", "c5"};
  brio_model_thing things[5];
  /* Askew by some millimeters and degrees, as a person stacks them. */
  for (int i = 0; i < 5; i++) {
    things[i] = cube(names[i], 0.05 + 0.1 * i, 0.6);
    things[i].pose.p.x = i % 2 ? 0.004 : -0.003;
    things[i].pose.q = brio_quat_from_rpy(0, 0, 0.1 * i);
  }
  const brio_model_options options = {.things = things, .nthing = 5, .gravity = {0, 0, -G}};
  void *simulation = simulate(library, &options, &wide);
  if (!simulation) return;
  /* A sample of 3 s; ten minutes under make soak. */
  double seconds = check_scale() > 1 ? 600 : 3, worst = 0;
  library->step(simulation, steps_of(0.5), NULL);
  brio_vec3 from[5];
  for (int i = 0; i < 5; i++) from[i] = place_of(library, simulation, names[i]);
  for (int s = 0; s < (int)seconds; s++) library->step(simulation, steps_of(1), NULL);
  for (int i = 0; i < 5; i++)
    worst = fmax(worst, brio_vec3_norm(brio_vec3_sub(place_of(library, simulation, names[i]), from[i])));
  printf("# a stack of five moves by %.3g mm in %.0f s\n", 1000 * worst, seconds);
  CHECK(worst < 2e-3, "%g m", worst);
  /* The lowest one carries all five: the floor presses with their weight. */
  brio_physics_contact list[64];
  double press = 0, lift = 0;
  int count = library->contacts(simulation, list, 64);
  for (int i = 0; i < count; i++) {
    bool floor = strcmp(list[i].body, "floor") == 0, on_floor = strcmp(list[i].other, "floor") == 0;
    if (floor || on_floor) press += list[i].press, lift += floor ? list[i].force.z : -list[i].force.z;
    CHECK_NEAR(brio_vec3_norm(list[i].force), hypot(list[i].press, list[i].shear), 1e-9, "the force's parts");
    CHECK_NEAR(brio_vec3_dot(list[i].force, list[i].normal), list[i].press, 1e-9, "along the normal");
  }
  CHECK_NEAR(press, 5 * G, 0.02 * 5 * G, "weight on the floor");
  CHECK_NEAR(lift, 5 * G, 0.02 * 5 * G, "what the floor lifts");
  library->close(simulation);
}

static void equal_runs_have_equal_bits(void) {
  const brio_physics_library *library = the_library();
  if (!library) return;
  brio_model_thing things[] = {cube("a", 0.3, 0.5), cube("b", 0.42, 0.5), cube("c", 0.55, 0.5)};
  things[1].pose.q = brio_quat_from_rpy(0.3, 0.2, 0.1);
  const brio_model_options options = {.things = things, .nthing = 3, .gravity = {0, 0, -G}};
  void *one = simulate(library, &options, &wide), *other = simulate(library, &options, &wide);
  brio_physics_body a, b;
  if (!one || !other) return;
  /* In other portions. */
  library->step(one, 3000, NULL);
  for (int i = 0; i < 1500; i++) library->step(other, 2, NULL);
  for (int i = 0; i < 3; i++) {
    library->read_body(one, library->body(one, things[i].name), &a);
    library->read_body(other, library->body(other, things[i].name), &b);
    CHECK(memcmp(&a, &b, sizeof a) == 0, "'%s' is elsewhere", things[i].name);
  }
  library->close(one);
  library->close(other);
}

/* The numbers of a sensor with three. */
static brio_vec3 sensed(const brio_physics_library *library, const void *simulation, const char *name) {
  double v[3] = {NAN, NAN, NAN};
  int sensor = library->sensor(simulation, name);
  CHECK(sensor >= 0 && library->sense(simulation, sensor, v, 3) == 3, "no sensor '%s'", name);
  return (brio_vec3){v[0], v[1], v[2]};
}

static void an_inertial_unit_feels_what_holds_it(void) {
  const brio_physics_library *library = the_library();
  if (!library) return;
  static const char block[] =
      "<robot name='block'><link name='body'><inertial><mass value='3'/>"
      "<inertia ixx='0.01' iyy='0.02' izz='0.03' ixy='0' ixz='0' iyz='0'/></inertial>"
      "<collision><geometry><box size='0.2 0.2 0.1'/></geometry></collision></link></robot>";
  brio_robot *robot = robot_of(block);
  brio_pose above = {{0, 0, 2}, {0, 0, 0, 1}};
  const brio_model_options options = {
      .robot = robot, .free_base = true, .base = &above, .imu = "body", .gravity = {0, 0, -G}};
  void *simulation = simulate(library, &options, &wide);
  if (!simulation) return;
  /* Falling and turning about its own z: no force is felt, and the turn is. */
  brio_physics_body start = {.pose = above, .angular = {0, 0, 1.5}};
  library->put(simulation, library->body(simulation, "body"), &start);
  library->step(simulation, steps_of(0.1), NULL);
  CHECK_NEAR(brio_vec3_norm(sensed(library, simulation, BRIO_MODEL_ACCELERATION)), 0, 1e-9, "falling");
  CHECK_NEAR(sensed(library, simulation, BRIO_MODEL_TURN).z, 1.5, 1e-9, "turning");
  /* Lying on the floor, it is held up by g. */
  library->step(simulation, steps_of(6), NULL);
  brio_vec3 felt = sensed(library, simulation, BRIO_MODEL_ACCELERATION);
  CHECK_NEAR(felt.z, G, 0.01 * G, "at rest");
  CHECK_NEAR(hypot(felt.x, felt.y), 0, 0.01 * G, "at rest");
  library->close(simulation);
  brio_robot_free(robot);
}

/* The fault of a simulation within 2 s; its state stays finite. */
static brio_physics_fault fault_of(const brio_physics_library *library, void *simulation, char *sentence) {
  brio_physics_fault fault = {0};
  for (int i = 0; i < steps_of(2) && library->step(simulation, 1, &fault); i++) {}
  brio_physics_tell(&fault, sentence, 512);
  CHECK(fault.end != BRIO_PHYSICS_GOES_ON, "it goes on");
  CHECK(!library->step(simulation, 1, NULL), "it goes on after all");
  return fault;
}

static void what_cannot_go_on_stops_with_body_and_time(void) {
  const brio_physics_library *library = the_library();
  if (!library) return;
  const brio_physics_bounds bounds = {5, 100, 0.03};
  brio_model_thing things[] = {cube("low", 0.05, 0.5), cube("high", 20, 0.5)};
  char sentence[512];
  /* It falls: 5 m/s after 0.51 s. */
  const brio_model_options falling = {.things = things, .nthing = 2, .gravity = {0, 0, -G}};
  void *simulation = simulate(library, &falling, &bounds);
  if (!simulation) return;
  brio_physics_fault fault = fault_of(library, simulation, sentence);
  CHECK(fault.end == BRIO_PHYSICS_TOO_FAST && strcmp(fault.body, "high") == 0, "%s", sentence);
  CHECK_NEAR(fault.time, 5 / G, 1e-3, "%s", sentence);
  CHECK_HAS(sentence, "the motion of 'high' is too fast (5");
  library->close(simulation);
  /* One is in the other. */
  things[1].pose.p.z = 0.1;
  simulation = simulate(library, &falling, &bounds);
  fault = fault_of(library, simulation, sentence);
  CHECK(fault.end == BRIO_PHYSICS_TOO_DEEP && fault.time == 0, "%s", sentence);
  CHECK_HAS(sentence, "'high' is too deep in 'low' (0.025, at most 0.02), at 0.0000 s");
  library->close(simulation);
}

static void a_number_that_is_none_stops_it(void) {
  const brio_physics_library *library = the_library();
  if (!library) return;
  brio_robot *robot = robot_of(twin);
  const brio_model_options options = {.robot = robot, .no_floor = true};
  char sentence[512];
  for (int k = 0; k < 2; k++) {
    void *simulation = simulate(library, &options, &wide);
    if (!simulation) break;
    if (k)
      library->spin(simulation, library->joint(simulation, "bc"), NAN);
    else
      library->place(simulation, library->joint(simulation, "bc"), NAN);
    brio_physics_fault fault = fault_of(library, simulation, sentence);
    CHECK(fault.end == BRIO_PHYSICS_NO_NUMBER && strcmp(fault.body, "c") == 0, "%s", sentence);
    library->close(simulation);
  }
  brio_robot_free(robot);
}

static void a_model_that_is_none_is_refused(void) {
  const brio_physics_library *library = the_library();
  if (!library) return;
  char why[256];
  CHECK(!library->open("<mujoco><worl", 13, &wide, why, sizeof why) && why[0], "taken");
  CHECK(!strchr(why, '\n'), "two lines: %s", why);
  CHECK(access("MUJOCO_LOG.TXT", F_OK) != 0, "a file was written");
}

static void another_library_is_refused(void) {
  brio_error err;
  CHECK(!brio_physics_find("bullet", &err) && err.code == BRIO_MISUSE, "taken");
  CHECK_HAS(err.message, "there is no physics 'bullet': expected none or mujoco");
}

CHECK_SUITE(CHECK_TEST(free_flight_keeps_momentum), CHECK_TEST(a_pendulum_keeps_its_energy),
            CHECK_TEST(a_block_sticks_and_slips_at_coulombs_angle),
            CHECK_TEST(a_block_slides_as_fast_as_newton_says), CHECK_TEST(a_stack_of_five_stands),
            CHECK_TEST(an_inertial_unit_feels_what_holds_it), CHECK_TEST(equal_runs_have_equal_bits),
            CHECK_TEST(what_cannot_go_on_stops_with_body_and_time),
            CHECK_TEST(a_number_that_is_none_stops_it), CHECK_TEST(a_model_that_is_none_is_refused),
            CHECK_TEST(another_library_is_refused))
