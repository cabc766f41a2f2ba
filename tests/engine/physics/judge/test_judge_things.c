/* Six scenes of things, a pendulum, a door and a gripper, in brio's physics and in ODE (judge.h).  Under
** `make soak` they last longer: a grasp and a stack for ten minutes. */
#include "tests/engine/physics/judge/judge.h"
#include "tests/engine/physics/rig.h"

#define DOWN                                                                                                 \
  { 0, 0, -JUDGE_G }
#define SIDE 0.1 /* m: of the cubes */

static const brio_vec3 none = {0, 0, 0};

static brio_model_thing cube(const char *name, double x, double z, double friction) {
  return (brio_model_thing){.name = name,
                            .shape = {.kind = BRIO_SHAPE_BOX, .size = {SIDE, SIDE, SIDE}},
                            .pose = {{x, 0, z}, {0, 0, 0, 1}},
                            .mass = 1,
                            .friction = friction};
}

static brio_model_thing ball(double radius, double mass, brio_vec3 at, double friction) {
  return (brio_model_thing){.name = "ball",
                            .shape = {.kind = BRIO_SHAPE_SPHERE, .size = {radius, 0, 0}},
                            .pose = {at, {0, 0, 0, 1}},
                            .mass = mass,
                            .friction = friction};
}

/* A ball falls by 1 m and lies on the floor. */
static void drop(const judge_side *side, double *out) {
  const brio_model_thing things[] = {ball(0.1, 1, (brio_vec3){0, 0, 1.1}, 0.5)};
  const judge_scene scene = {.options = {.things = things, .nthing = 1, .gravity = DOWN}};
  void *world = side->open(&scene);
  if (!world) return;
  judge_go(side, world, 0.3);
  out[0] = side->pose(world, "ball").p.z;
  int steps = 600;
  while (side->pose(world, "ball").p.z > 0.1 && steps < 4000) side->step(world, 1), steps++;
  out[1] = steps * BRIO_MODEL_STEP;
  /* The highest after the impact: it does not bounce. */
  judge_go(side, world, 0.02);
  out[2] = 0;
  for (int i = 0; i < 50; i++) {
    judge_go(side, world, 0.01);
    out[2] = fmax(out[2], side->pose(world, "ball").p.z);
  }
  out[3] = side->pose(world, "ball").p.z;
  side->close(world);
}

static void a_ball_drops(void) {
  /* Euler's method falls by g t h / 2 too far, 0.7 mm.  In the step of the impact the ball gets 2 mm deep,
  ** and what pushes it out of there leaves it a tenth of its speed: 1 % of its energy, 1 cm of 1 m. */
  const judge_row rows[] = {{"height after 0.3 s", "m", 1.1 - JUDGE_G * 0.09 / 2, 1e-3},
                            {"time of the impact", "s", sqrt(2 / JUDGE_G), 1e-3},
                            {"highest after it", "m", 0.1, 12e-3},
                            {"height at rest", "m", 0.1, 1e-3}};
  judge_compare("drop", drop, rows, 4);
}

/* A cube slides over the floor, along it and at 30 degrees to the axes, until it stands. */
static void slide(const judge_side *side, double *out) {
  for (int k = 0; k < 2; k++) {
    const brio_model_thing things[] = {cube("cube", 0, SIDE / 2, 0.5)};
    const judge_scene scene = {.options = {.things = things, .nthing = 1, .friction = 0.5, .gravity = DOWN}};
    void *world = side->open(&scene);
    if (!world) return;
    judge_go(side, world, 0.2); /* it has settled */
    brio_vec3 from = side->pose(world, "cube").p;
    double angle = k * BRIO_PI / 6;
    side->start(world, "cube", (brio_vec3){1.5 * cos(angle), 1.5 * sin(angle), 0});
    judge_go(side, world, 0.15);
    brio_vec3 way = brio_vec3_sub(side->pose(world, "cube").p, from);
    out[2 * k] = hypot(way.x, way.y);
    judge_go(side, world, 0.65);
    way = brio_vec3_sub(side->pose(world, "cube").p, from);
    out[2 * k + 1] = hypot(way.x, way.y);
    side->close(world);
  }
}

static void a_block_slides_until_it_stands(void) {
  /* 2 % of the whole way, as of Coulomb's angle. */
  double a = 0.5 * JUDGE_G, whole = 1.5 * 1.5 / (2 * a), part = 1.5 * 0.15 - a * 0.15 * 0.15 / 2;
  const judge_row rows[] = {{"way in 0.15 s", "m", part, 0.02 * whole},
                            {"whole way", "m", whole, 0.02 * whole},
                            {"way in 0.15 s, askew", "m", part, 0.02 * whole},
                            {"whole way, askew", "m", whole, 0.02 * whole}};
  judge_compare("slide", slide, rows, 4);
}

static const char bob[] =
    "<robot name='pendulum'><link name='base'/>"
    "<link name='bob'><inertial><mass value='1'/><origin xyz='0 0 -0.5'/>"
    "<inertia ixx='0.002' iyy='0.003' izz='0.004' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<joint name='hinge' type='continuous'><parent link='base'/><child link='bob'/><axis xyz='0 1 0'/>"
    "<limit effort='1e-6' velocity='100'/></joint></robot>";

#define SWING 1.5 /* rad: the pendulum begins there */

/* A pendulum of large swings: the time of five, and the turning point after them. */
static void swing(const judge_side *side, double *out) {
  brio_robot *robot = robot_of(bob);
  const double begins = SWING;
  const judge_scene scene = {.options = {.robot = robot, .no_floor = true, .gravity = DOWN},
                             .start = &begins};
  void *world = side->open(&scene);
  if (!world) return;
  double before = SWING, at = SWING, top = 0;
  int crossings = 0, steps = 0;
  /* It crosses 0 a quarter, three quarters ... of a swing after its start. */
  while (crossings < 11 && steps < 60000) {
    side->step(world, 1), steps++;
    at = side->joint(world, 0);
    if (before * at < 0 && ++crossings == 1) out[0] = (steps - at / (at - before)) * BRIO_MODEL_STEP;
    if (before * at < 0 && crossings == 11) out[1] = (steps - at / (at - before)) * BRIO_MODEL_STEP - out[0];
    if (crossings == 10) top = fmax(top, fabs(at));
    before = at;
  }
  out[2] = top;
  side->close(world);
  brio_robot_free(robot);
}

/* The period of a pendulum by the arithmetic-geometric mean: 2 pi sqrt(I / m g l) / agm(1, cos(swing / 2)).
 */
static double period(void) {
  double inertia = 0.003 + 0.25, a = 1, b = cos(SWING / 2);
  for (int i = 0; i < 20; i++) {
    double mean = (a + b) / 2;
    b = sqrt(a * b), a = mean;
  }
  return 2 * BRIO_PI * sqrt(inertia / (JUDGE_G * 0.5)) / a;
}

static void a_pendulum_swings(void) {
  /* Steps of first order: some 1e-4 of a swing each. */
  const judge_row rows[] = {{"time from its start to the lowest place", "s", period() / 4, 1e-3},
                            {"time of five swings", "s", 5 * period(), 1e-3 * 5 * period()},
                            {"turning point after them", "rad", SWING, 5e-3}};
  judge_compare("pendulum", swing, rows, 3);
}

static const char pusher[] =
    "<robot name='pusher'><link name='base'/>"
    "<link name='finger'><inertial><mass value='1'/>"
    "<inertia ixx='0.001' iyy='0.001' izz='0.001' ixy='0' ixz='0' iyz='0'/></inertial>"
    "<collision><geometry><sphere radius='0.03'/></geometry></collision></link>"
    "<joint name='slide' type='prismatic'><parent link='base'/><child link='finger'/><axis xyz='1 0 0'/>"
    "<limit lower='-1' upper='2' velocity='10' effort='1e-3'/></joint></robot>";

/* A finger pushes a door open at 0.3 m/s and stops; the panel swings on, and its friction stops it. */
static void push_door(const judge_side *side, double *out) {
  brio_robot *robot = robot_of(pusher);
  brio_door_settings settings = brio_door_defaults(BRIO_DOOR_PULL);
  const brio_model_door door = {"door", &settings};
  const brio_pose base = {{-0.25, 0.1, 1}, {0, 0, 0, 1}};
  const judge_servo servo = {2e4, 400, 500};
  const judge_scene scene = {
      .options = {.robot = robot, .doors = &door, .ndoor = 1, .base = &base, .gravity = DOWN},
      .servos = &servo};
  void *world = side->open(&scene);
  if (!world) return;
  for (int i = 1; i <= 1500; i++) {
    side->aim(world, 0, 0.3 * i * 1e-3);
    judge_go(side, world, 1e-3);
  }
  out[0] = side->door(world);
  judge_go(side, world, 0.3);
  out[1] = side->door(world);
  judge_go(side, world, 3);
  out[2] = side->door(world);
  out[3] = side->joint(world, 0);
  side->close(world);
  brio_robot_free(robot);
}

static void a_pushed_door_swings_on(void) {
  /* The panel leaves the finger with its speed, so the impact and both kinds of resistance count: 0.02 rad
  ** are 1 cm at the place that is pushed. */
  const judge_row rows[] = {{"angle when the finger stops", "rad", NAN, 0.02},
                            {"0.3 s later", "rad", NAN, 0.02},
                            {"angle at rest", "rad", NAN, 0.02},
                            {"the finger", "m", 0.45, 2e-3}};
  judge_compare("pushed door", push_door, rows, 4);
}

static const char gripper[] =
    "<robot name='gripper'><link name='base'/>"
    "<link name='left'><inertial><mass value='0.2'/>"
    "<inertia ixx='0.0001' iyy='0.0001' izz='0.0001' ixy='0' ixz='0' iyz='0'/></inertial>"
    "<collision><geometry><box size='0.04 0.02 0.06'/></geometry></collision></link>"
    "<link name='right'><inertial><mass value='0.2'/>"
    "<inertia ixx='0.0001' iyy='0.0001' izz='0.0001' ixy='0' ixz='0' iyz='0'/></inertial>"
    "<collision><geometry><box size='0.04 0.02 0.06'/></geometry></collision></link>"
    "<joint name='from_left' type='prismatic'><parent link='base'/><child link='left'/>"
    "<origin xyz='0 0.06 0'/><axis xyz='0 -1 0'/><limit lower='0' upper='0.05' velocity='1' "
    "effort='1e-3'/></joint>"
    "<joint name='from_right' type='prismatic'><parent link='base'/><child link='right'/>"
    "<origin xyz='0 -0.06 0'/><axis xyz='0 1 0'/><limit lower='0' upper='0.05' velocity='1' "
    "effort='1e-3'/></joint>"
    "</robot>";

enum { GRIP_STIFFNESS = 2000 };
#define GRIP_FRICTION 0.8
#define BALL_MASS 0.2

/* The force at which a ball slips out of the fingers that press with 10 N each, pulled down ever harder. */
static double slip_force(const judge_side *side, void *world) {
  brio_vec3 from = side->pose(world, "ball").p;
  double pull = 0;
  while (pull < 40 && from.z - side->pose(world, "ball").p.z < 5e-3) {
    pull += 0.05;
    side->push(world, "ball", (brio_vec3){0, 0, -pull});
    judge_go(side, world, 0.01);
  }
  side->push(world, "ball", none);
  return pull + BALL_MASS * JUDGE_G;
}

/* Two fingers take a ball, hold it, and lose it to a pull. */
static void grasp(const judge_side *side, double *out) {
  brio_robot *robot = robot_of(gripper);
  const brio_model_thing things[] = {ball(0.03, BALL_MASS, (brio_vec3){0, 0, 1}, GRIP_FRICTION)};
  const brio_pose base = {{0, 0, 1}, {0, 0, 0, 1}};
  /* The fingers touch it at 0.02 m; 5 mm more are 10 N. */
  const judge_servo servo = {GRIP_STIFFNESS, 40, 30}, servos[] = {servo, servo};
  const double start[] = {0.0198, 0.0198};
  const judge_scene scene = {
      .options = {.robot = robot, .things = things, .nthing = 1, .base = &base, .gravity = DOWN},
      .start = start,
      .servos = servos};
  void *world = side->open(&scene);
  if (!world) return;
  for (int i = 0; i < 2; i++) side->aim(world, i, 0.025);
  judge_go(side, world, 0.5);
  out[0] = GRIP_STIFFNESS * (0.025 - side->joint(world, 0));
  brio_vec3 from = side->pose(world, "ball").p;
  judge_go(side, world, check_scale() > 1 ? 600 : 1);
  out[1] = 1e3 * brio_vec3_norm(brio_vec3_sub(side->pose(world, "ball").p, from));
  out[2] = slip_force(side, world);
  side->close(world);
  brio_robot_free(robot);
}

static void a_grasped_ball_stays_and_slips(void) {
  /* 2 mm in ten minutes is the promise; Coulomb's force within 5 %, as the fingers yield while it begins. */
  double press = GRIP_STIFFNESS * 5e-3, most = 2 * GRIP_FRICTION * press;
  const judge_row rows[] = {{"each finger presses", "N", press, 0.02 * press},
                            {check_scale() > 1 ? "slip in ten minutes" : "slip in 1 s", "mm", 0, 2},
                            {"slips at", "N", most, 0.05 * most}};
  judge_compare("grasped ball", grasp, rows, 3);
}

/* A stack of five, and a cube that stands on another, off its middle by 4 and by 6 cm of its 10. */
static void stack(const judge_side *side, double *out) {
  const char *names[] = {"c1", "c2", "c3", "c4", "c5"};
  brio_model_thing things[5];
  for (int i = 0; i < 5; i++) things[i] = cube(names[i], i % 2 ? 0.004 : -0.003, SIDE / 2 + SIDE * i, 0.6);
  const judge_scene five = {.options = {.things = things, .nthing = 5, .gravity = DOWN}};
  void *world = side->open(&five);
  if (!world) return;
  brio_vec3 from[5];
  judge_go(side, world, 0.2);
  for (int i = 0; i < 5; i++) from[i] = side->pose(world, names[i]).p;
  judge_go(side, world, check_scale() > 1 ? 600 : 1);
  out[0] = 0;
  for (int i = 0; i < 5; i++)
    out[0] = fmax(out[0], 1e3 * brio_vec3_norm(brio_vec3_sub(side->pose(world, names[i]).p, from[i])));
  side->close(world);
  for (int k = 0; k < 2; k++) {
    const brio_model_thing two[] = {cube("low", 0, SIDE / 2, 0.6),
                                    cube("high", k ? 0.06 : 0.04, 1.5 * SIDE, 0.6)};
    const judge_scene scene = {.options = {.things = two, .nthing = 2, .gravity = DOWN}};
    world = side->open(&scene);
    if (!world) return;
    judge_go(side, world, 1.2);
    out[1 + k] = side->pose(world, "high").p.z;
    side->close(world);
  }
}

static void stacked_boxes_stand_and_topple(void) {
  const judge_row rows[] = {
      {check_scale() > 1 ? "stack of five in ten minutes" : "stack of five in 1 s", "mm", 0, 2},
      {"4 cm off the middle: height", "m", 1.5 * SIDE, 1e-3},
      {"6 cm off: it lies on the floor", "m", SIDE / 2, 2e-3}};
  judge_compare("stacked boxes", stack, rows, 3);
}

CHECK_SUITE(CHECK_TEST(a_ball_drops), CHECK_TEST(a_block_slides_until_it_stands),
            CHECK_TEST(a_pendulum_swings), CHECK_TEST(a_pushed_door_swings_on),
            CHECK_TEST(a_grasped_ball_stays_and_slips), CHECK_TEST(stacked_boxes_stand_and_topple))
