/* Four scenes of a biped of 40 kg on position servos, in brio's physics and in ODE (judge.h): it stands,
** steps on the spot, is pushed, and its feet slide apart on a slippery floor.  `make test` has one second of
** the first and the last; `make soak` has all, and 60 s of standing. */
#include "tests/engine/physics/judge/judge.h"
#include "tests/engine/physics/rig.h"

/* A leg: hip (roll, pitch), knee, ankle (pitch, roll), 0.8 m from hip to ankle, and a foot of 26 x 14 cm
** whose sole is 5 cm below the ankle. */
#define TURN(name, parent, child, xyz, axis)                                                                 \
  "<joint name='" name "' type='revolute'><parent link='" parent "'/><child link='" child                    \
  "'/><origin xyz='" xyz "'/><axis xyz='" axis                                                               \
  "'/><limit lower='-2' upper='2' velocity='20' effort='1e-6'/></joint>"
#define PART(name, kg, z, ixx, izz)                                                                          \
  "<link name='" name "'><inertial><mass value='" kg "'/><origin xyz='0 0 " z "'/><inertia ixx='" ixx        \
  "' iyy='" ixx "' izz='" izz "' ixy='0' ixz='0' iyz='0'/></inertial>"
#define BOX(size, xyz)                                                                                       \
  "<collision><origin xyz='" xyz "'/><geometry><box size='" size "'/></geometry></collision></link>"
#define LEG(side, y)                                                                                         \
  PART(side "_hip", "1", "0", "0.004", "0.004")                                                              \
  BOX("0.04 0.04 0.04", "0 0 0")                                                                             \
  PART(side "_thigh", "5", "-0.2", "0.07", "0.01")                                                           \
  BOX("0.1 0.1 0.3", "0 0 -0.2") PART(side "_shin", "3", "-0.2", "0.04", "0.005")                            \
      BOX("0.08 0.08 0.3", "0 0 -0.2") PART(side "_ankle", "0.5", "0", "0.002", "0.002")                     \
          BOX("0.03 0.03 0.03", "0 0 0") PART(side "_foot", "1", "-0.03", "0.006", "0.006")                  \
              BOX("0.26 0.14 0.03", "0.03 0 -0.035")                                                         \
                  TURN(side "_hip_roll", "pelvis", side "_hip", "0 " y " -0.1", "1 0 0")                     \
                      TURN(side "_hip_pitch", side "_hip", side "_thigh", "0 0 0", "0 1 0")                  \
                          TURN(side "_knee", side "_thigh", side "_shin", "0 0 -0.4", "0 1 0")               \
                              TURN(side "_ankle_pitch", side "_shin", side "_ankle", "0 0 -0.4", "0 1 0")    \
                                  TURN(side "_ankle_roll", side "_ankle", side "_foot", "0 0 0", "1 0 0")

static const char biped[] = "<robot name='biped'>" PART("pelvis", "19", "0.1", "0.4", "0.3")
    BOX("0.15 0.25 0.3", "0 0 0.1") LEG("left", "0.1") LEG("right", "-0.1") "</robot>";

enum { HIP_ROLL, HIP_PITCH, KNEE, ANKLE_PITCH, ANKLE_ROLL, LEG_JOINTS, JOINTS = 2 * LEG_JOINTS };

#define HIPS 0.95 /* m: from the pelvis' frame to the soles, with straight legs */
#define BEND 0.2  /* rad: of the legs as it stands */
#define WEIGHT (40 * JUDGE_G)

/* It stands with bent knees: hip and ankle make up for the knee. */
static void bend(double *q, double angle) {
  q[HIP_PITCH] = q[ANKLE_PITCH] = -angle;
  q[KNEE] = 2 * angle;
}

static double height(void) {
  return HIPS - 0.8 * (1 - cos(BEND));
}

/* The biped on its feet, with servos of these gains; friction of the floor. */
static void *begin(const judge_side *side, brio_robot **robot, double friction) {
  static double start[JOINTS];
  static judge_servo servos[JOINTS];
  static brio_pose base;
  static judge_scene scene;
  *robot = robot_of(biped);
  for (int i = 0; i < JOINTS; i++) servos[i] = (judge_servo){4000, 150, 400};
  for (int k = 0; k < 2; k++) bend(start + k * LEG_JOINTS, BEND);
  /* A tenth of a millimeter above the floor, and 2 cm behind the middle of its feet. */
  base = (brio_pose){{0, 0, height() + 1e-4}, {0, 0, 0, 1}};
  scene = (judge_scene){.options = {.robot = *robot,
                                    .free_base = true,
                                    .base = &base,
                                    .friction = friction,
                                    .gravity = {0, 0, -JUDGE_G}},
                        .start = start,
                        .servos = servos};
  return side->open(&scene);
}

static void stand(const judge_side *side, double *out) {
  brio_robot *robot;
  void *world = begin(side, &robot, 0.8);
  if (!world) return;
  judge_go(side, world, 0.5);
  brio_vec3 from = side->pose(world, "pelvis").p;
  out[0] = from.z;
  out[1] = 4000 * fabs(side->joint(world, KNEE) - 2 * BEND);
  judge_go(side, world, check_scale() > 1 ? 60 : 0.25);
  out[2] = 1e3 * brio_vec3_norm(brio_vec3_sub(side->pose(world, "pelvis").p, from));
  side->close(world);
  brio_robot_free(robot);
}

static void a_biped_stands(void) {
  /* Its knees carry what is above them, 25 kg and two thighs, by 0.4 m sin(bend): half of it each, within the
  ** tenth by which the pelvis leans. */
  double knee = (21 * JUDGE_G / 2 * 0.4 + 5 * JUDGE_G * 0.2) * sin(BEND);
  const judge_row rows[] = {{"height of the pelvis", "m", height(), 5e-3},
                            {"torque of a knee", "N m", knee, 0.1 * knee},
                            {check_scale() > 1 ? "moves in 60 s by" : "moves in 0.25 s by", "mm", 0, 2}};
  judge_compare("biped stands", stand, rows, 3);
}

/* Lead the joints from one pose to another, in `seconds`. */
static void lead(const judge_side *side, void *world, const double *from, const double *to, double seconds) {
  int count = (int)lround(seconds / 2e-3);
  for (int i = 1; i <= count; i++) {
    double u = (double)i / count, s = u * u * (3 - 2 * u);
    for (int k = 0; k < JOINTS; k++) side->aim(world, k, from[k] + s * (to[k] - from[k]));
    judge_go(side, world, 2e-3);
  }
}

/* Step on the spot: over the left foot, lift the right one by the knee, hold it, and put it down again. */
static void step_once(const judge_side *side, double *out) {
  brio_robot *robot;
  double both[JOINTS] = {0}, left[JOINTS], lifted[JOINTS];
  void *world = begin(side, &robot, 0.8);
  if (!world) return;
  for (int k = 0; k < 2; k++) bend(both + k * LEG_JOINTS, BEND);
  memcpy(left, both, sizeof both);
  /* Both legs lean by the same angle, so that the pelvis goes to the left by 9 cm and stays level. */
  double lean = asin(0.09 / (0.8 * cos(BEND)));
  left[HIP_ROLL] = left[LEG_JOINTS + HIP_ROLL] = -lean;
  left[ANKLE_ROLL] = left[LEG_JOINTS + ANKLE_ROLL] = lean;
  memcpy(lifted, left, sizeof left);
  bend(lifted + LEG_JOINTS, 0.5);
  judge_go(side, world, 0.5);
  lead(side, world, both, left, 1.5);
  judge_go(side, world, 0.3);
  out[0] = side->pose(world, "pelvis").p.y;
  lead(side, world, left, lifted, 0.8);
  judge_go(side, world, 1);
  out[1] = side->pose(world, "right_foot").p.z - 0.05;
  out[2] = side->pose(world, "pelvis").p.y;
  lead(side, world, lifted, left, 0.8);
  lead(side, world, left, both, 1.5);
  judge_go(side, world, 0.5);
  brio_vec3 end = side->pose(world, "pelvis").p;
  out[3] = end.y;
  out[4] = end.z;
  side->close(world);
  brio_robot_free(robot);
}

static void a_biped_steps_on_the_spot(void) {
  /* The leg is shorter by 0.8 m (cos 0.2 - cos 0.5); servos sag by some mm, more on one leg, so that the foot
  ** comes down some mm from where it was. */
  double lift = 0.8 * (cos(BEND) - cos(0.5));
  const judge_row rows[] = {{"pelvis to the left", "m", 0.09, 0.01},
                            {"foot above the floor", "m", lift, 0.02},
                            {"pelvis on one leg", "m", NAN, 5e-3},
                            {"pelvis at the end", "m", 0, 8e-3},
                            {"its height", "m", height(), 5e-3}};
  judge_compare("stepping", step_once, rows, 5);
}

/* Push the pelvis for 0.2 s; return how far it gets at most, or -1 if the robot falls. */
static double sway(const judge_side *side, brio_vec3 force) {
  brio_robot *robot;
  void *world = begin(side, &robot, 0.8);
  if (!world) return NAN;
  judge_go(side, world, 0.5);
  brio_vec3 from = side->pose(world, "pelvis").p;
  side->push(world, "pelvis", force);
  judge_go(side, world, 0.2);
  side->push(world, "pelvis", (brio_vec3){0, 0, 0});
  double most = 0, lowest = from.z;
  for (int i = 0; i < 100 && lowest > 0.6 * from.z; i++) {
    judge_go(side, world, 0.02);
    brio_vec3 at = side->pose(world, "pelvis").p;
    most = fmax(most, hypot(at.x - from.x, at.y - from.y)), lowest = fmin(lowest, at.z);
  }
  side->close(world);
  brio_robot_free(robot);
  return lowest > 0.6 * from.z ? most : -1;
}

/* The greatest push that it takes, within 5 N. */
static double greatest(const judge_side *side, double x, double y) {
  double low = 0, high = 640;
  while (high - low > 5) {
    double force = (low + high) / 2;
    if (sway(side, (brio_vec3){x * force, y * force, 0}) >= 0)
      low = force;
    else
      high = force;
  }
  return low;
}

static void pushed(const judge_side *side, double *out) {
  out[0] = 1e3 * sway(side, (brio_vec3){60, 0, 0});
  out[1] = 1e3 * sway(side, (brio_vec3){0, 60, 0});
  out[2] = greatest(side, 1, 0);
  out[3] = greatest(side, -1, 0);
  out[4] = greatest(side, 0, 1);
}

static void a_biped_takes_pushes(void) {
  /* Whether it tips over is decided at its toes, heels and edges, where contacts of MuJoCo yield by a
  ** millimeter: a tenth of the push.  So is the way that it sways. */
  const judge_row rows[] = {{"sways by 60 N forward", "mm", NAN, 5},
                            {"sways by 60 N to the left", "mm", NAN, 5},
                            {"greatest push forward", "N", NAN, 30},
                            {"greatest push backward", "N", NAN, 30},
                            {"greatest push to the left", "N", NAN, 30}};
  judge_compare("being pushed", pushed, rows, 5);
}

/* The middle of a sole. */
static double sole(const judge_side *side, void *world) {
  return brio_pose_point(side->pose(world, "left_foot"), (brio_vec3){0, 0, -0.05}).y;
}

/* The legs press outward with the servos of their hips, on a floor of that friction; the left foot's way. */
static double spread(const judge_side *side, double friction, double angle) {
  brio_robot *robot;
  void *world = begin(side, &robot, friction);
  if (!world) return NAN;
  judge_go(side, world, 0.3);
  double from = sole(side, world);
  for (int i = 1; i <= 100; i++) {
    double now = angle * i / 100;
    side->aim(world, HIP_ROLL, now);
    side->aim(world, ANKLE_ROLL, -now);
    side->aim(world, LEG_JOINTS + HIP_ROLL, -now);
    side->aim(world, LEG_JOINTS + ANKLE_ROLL, now);
    judge_go(side, world, 5e-3);
  }
  judge_go(side, world, 0.2);
  double way = sole(side, world) - from;
  side->close(world);
  brio_robot_free(robot);
  return way;
}

static void slide_feet(const judge_side *side, double *out) {
  out[0] = 1e3 * spread(side, 0.15, 0.1);
  out[1] = 1e3 * spread(side, 5, 0.1);
}

static void feet_slide_apart(void) {
  /* On a slippery floor each goes by 0.8 m cos(bend) sin(angle), less what friction bends the servos by; on a
  ** rough one they stay. */
  const judge_row rows[] = {{"a foot's way, friction 0.15", "mm", NAN, 4},
                            {"the same, friction 5", "mm", 0, 4}};
  judge_compare("sliding foot", slide_feet, rows, 2);
}

/* What takes long is left to the soak. */
static void if_long(void (*test)(void)) {
  if (check_scale() > 1)
    test();
  else
    check_skip = "long: make soak runs it";
}

static void stepping_in_both(void) {
  if_long(a_biped_steps_on_the_spot);
}

static void pushes_in_both(void) {
  if_long(a_biped_takes_pushes);
}

CHECK_SUITE(CHECK_TEST(a_biped_stands), CHECK_TEST(stepping_in_both), CHECK_TEST(pushes_in_both),
            CHECK_TEST(feet_slide_apart))
