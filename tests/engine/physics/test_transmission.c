/* What is between a motor and its joint: a rotor and a link on a spring swing as two bodies do, a backlash
** is passed before the link moves, and a joint in a run is off by what both give. */
#include "physics/physics.h"

#include "tests/engine/physics/scene.h"

#define G 9.81
#define WEIGHT (2 * G * 0.2) /* N m: of the arm, when it is level */
#define LINK 0.11            /* kg m^2: of the arm about its joint, 0.03 + 2 0.2^2 */
#define ROTOR 0.05           /* kg m^2 */

/* An arm about y; its joint has a dry friction of 0.5 N m. */
static const char arm[] =
    "<robot name='arm'><link name='base'/>"
    "<link name='upper'><inertial><mass value='2'/><origin xyz='0 0 0.2'/>"
    "<inertia ixx='0.03' iyy='0.03' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<joint name='shoulder' type='revolute'><parent link='base'/><child link='upper'/><origin xyz='0 0 1'/>"
    "<axis xyz='0 1 0'/><limit lower='-3' upper='3' velocity='9' effort='400'/>FRICTION</joint></robot>";

/* The arm's text with or without friction. */
static brio_robot *arm_of(bool friction) {
  char text[sizeof arm + 40];
  const char *mark = strstr(arm, "FRICTION");
  snprintf(text, sizeof text, "%.*s%s%s", (int)(mark - arm), arm,
           friction ? "<dynamics friction='0.5'/>" : "", mark + strlen("FRICTION"));
  return robot_of(text);
}

/* The arm behind a transmission, without gravity, and the numbers of its joints and servo. */
typedef struct rig {
  const brio_physics_library *simulator;
  brio_robot *robot;
  void *simulation;
  int joint, rotor, servo;
} rig;

static bool begin(rig *r, brio_model_transmission transmission, bool friction) {
  *r = (rig){.simulator = the_library()};
  if (!r->simulator) return false;
  r->robot = arm_of(friction);
  const brio_model_options options = {.robot = r->robot, .transmissions = &transmission, .no_floor = true};
  r->simulation = simulate(r->simulator, &options, &wide);
  if (!r->simulation) return brio_robot_free(r->robot), false;
  r->joint = r->simulator->joint(r->simulation, "shoulder");
  r->rotor = r->simulator->joint(r->simulation, "shoulder" BRIO_MODEL_ROTOR);
  r->servo = r->simulator->servo(r->simulation, "shoulder");
  CHECK(r->rotor >= 0 && r->rotor != r->joint, "it has no rotor of its own");
  return true;
}

static void end(rig *r) {
  r->simulator->close(r->simulation);
  brio_robot_free(r->robot);
}

static double position(const rig *r, int joint) {
  brio_physics_joint now;
  r->simulator->read_joint(r->simulation, joint, &now);
  return now.position;
}

/* The frequency (rad/s) of `x` over some periods: between the first and the last time that it rises
** through 0. */
static double frequency(rig *r, double (*x)(const rig *r), int periods) {
  double first = NAN, last = NAN, before = x(r), now;
  int rises = -1;
  for (int i = 0; i < 20000 && rises < periods; i++, before = now) {
    r->simulator->step(r->simulation, 1, NULL);
    now = x(r);
    if (!(before < 0 && now >= 0)) continue;
    last = r->simulator->time(r->simulation) - BRIO_MODEL_STEP * now / (now - before);
    if (rises++ < 0) first = last;
  }
  return 2 * BRIO_PI * rises / (last - first);
}

static double ahead(const rig *r) {
  return position(r, r->rotor) - position(r, r->joint);
}

static double angle(const rig *r) {
  return position(r, r->joint);
}

static void rotor_and_link_swing_as_two_bodies_on_a_spring(void) {
  rig r;
  /* w^2 = k (1 / I + 1 / J), and the centre of both moves on as it did. */
  double k = 200, w = sqrt(k * (1 / LINK + 1 / ROTOR));
  if (!begin(&r, (brio_model_transmission){.rotor = ROTOR, .stiffness = k}, false)) return;
  r.simulator->spin(r.simulation, r.rotor, 2);
  double found = frequency(&r, ahead, 20), t = r.simulator->time(r.simulation);
  printf("# rotor and link swing with %.4f rad/s of %.4f\n", found, w);
  CHECK_NEAR(found, w, 2e-4 * w, "resonance");
  CHECK_NEAR((ROTOR * position(&r, r.rotor) + LINK * position(&r, r.joint)) / (ROTOR + LINK),
             ROTOR * 2 / (ROTOR + LINK) * t, 1e-6, "their centre");
  end(&r);
}

static void a_link_swings_alone_where_its_rotor_is_held(void) {
  rig r;
  double k = 200, w = sqrt(k / LINK);
  if (!begin(&r, (brio_model_transmission){.rotor = ROTOR, .stiffness = k}, false)) return;
  /* A servo that holds the rotor: 5000 times as stiff. */
  const brio_physics_servo servo = {.stiffness = 1e6 * ROTOR, .damping = 2e3 * ROTOR, .torque = INFINITY,
                                    .speed = INFINITY, .friction = NAN, .viscous = NAN};
  r.simulator->set_servo(r.simulation, r.servo, &servo);
  r.simulator->spin(r.simulation, r.joint, 1);
  double found = frequency(&r, angle, 10);
  printf("# a link at a held rotor swings with %.4f rad/s of %.4f\n", found, w);
  CHECK_NEAR(found, w, 3e-3 * w, "antiresonance");
  end(&r);
}

/* Lead the rotor to a target and to rest there, so slowly that friction stops the link before it runs
** ahead. */
static void lead(rig *r, double from, double to) {
  int steps = 4000;
  for (int i = 1; i <= steps; i++) {
    r->simulator->aim(r->simulation, r->servo, from + (to - from) * 0.5 * (1 - cos(BRIO_PI * i / steps)),
                      true);
    r->simulator->step(r->simulation, 1, NULL);
  }
  r->simulator->step(r->simulation, 400, NULL);
}

/* To and fro by `gap`: the link stays while the rotor is within the play, and follows beyond it. */
static void check_play(brio_model_transmission transmission, double yield) {
  rig r;
  double gap = transmission.backlash;
  if (!begin(&r, transmission, true)) return;
  const brio_physics_servo servo = {.stiffness = 4e4 * ROTOR, .damping = 400 * ROTOR, .torque = INFINITY,
                                    .speed = INFINITY, .friction = NAN, .viscous = NAN};
  r.simulator->set_servo(r.simulation, r.servo, &servo);
  /* It begins in the middle of its play: half of that is free. */
  lead(&r, 0, 0.49 * gap);
  CHECK_NEAR(position(&r, r.rotor), 0.49 * gap, 1e-4, "the rotor moves");
  CHECK_NEAR(angle(&r), 0, 1e-9, "the link stays");
  /* Beyond it the link follows, held by a friction of 0.5 N m, which the servo's spring yields to. */
  lead(&r, 0.49 * gap, 0.3);
  double there = angle(&r);
  CHECK_NEAR(ahead(&r), 0.5 * gap + yield, 0.1 * yield + 2e-4, "the rotor is ahead");
  CHECK_NEAR(there, 0.3 - 0.5 * gap - yield - 0.5 / servo.stiffness, 0.1 * yield + 4e-4, "the link follows");
  /* Back: all of the play is free, and what the spring gave. */
  lead(&r, 0.3, 0.3 - 0.98 * gap);
  CHECK_NEAR(angle(&r), there, 1e-5 + 0.02 * yield, "the link stays");
  lead(&r, 0.3 - 0.98 * gap, -0.3);
  CHECK_NEAR(ahead(&r), -0.5 * gap - yield, 0.2 * yield + 2e-4, "the rotor is ahead on the other side");
  end(&r);
}

static void a_rotor_passes_its_play_before_the_link_moves(void) {
  check_play((brio_model_transmission){.rotor = ROTOR, .backlash = 0.04}, 0);
  /* With a spring behind it: 0.5 N m of friction bend it by 0.5 / k. */
  check_play((brio_model_transmission){.rotor = ROTOR, .backlash = 0.04, .stiffness = 100, .damping = 0.5},
             5e-3);
}

/* The arm's servo holds it level: what is measured is the joint. */
static void check_sag(const brio_model_transmission *transmission, double gives) {
  scene s;
  const double level = BRIO_PI / 2, targets[] = {level};
  brio_axis_state state;
  brio_error err;
  char text[sizeof arm];
  const char *mark = strstr(arm, "FRICTION");
  snprintf(text, sizeof text, "%.*s%s", (int)(mark - arm), arm, mark + strlen("FRICTION"));
  const brio_physics_options options = {.transmissions = transmission};
  if (!scene_begin_with(&s, text, NULL, targets, options)) return;
  scene_go(&s, targets, 3);
  CHECK(s.kind->read(s.device, &state, &err) && state.valid, "%s", err.message);
  /* The servo moves rotor and link; its stiffness is (I + J) w^2, and it sags by weight / stiffness. */
  double stiffness = (LINK + ROTOR) * pow(2 * BRIO_PI * 8, 2), load = WEIGHT * sin(state.position);
  CHECK_NEAR(state.position - level, load / stiffness + gives, 2e-4, "sag");
  CHECK_NEAR(state.torque, -load, 1e-3, "torque");
  CHECK_NEAR(state.load, -load / 400, 1e-5, "load");
  scene_end(&s);
}

static void a_joint_in_a_run_is_off_by_what_its_transmission_gives(void) {
  const brio_model_transmission rotor = {.rotor = ROTOR},
                                spring = {.rotor = ROTOR, .stiffness = 300, .damping = 2},
                                play = {.rotor = ROTOR, .backlash = 0.05},
                                both = {.rotor = ROTOR, .stiffness = 300, .damping = 2, .backlash = 0.05};
  check_sag(&rotor, 0);
  check_sag(&spring, WEIGHT / 300);
  check_sag(&play, 0.025);
  check_sag(&both, WEIGHT / 300 + 0.025);
}

static void transmissions_out_of_range_are_refused(void) {
  static const struct {
    brio_model_transmission transmission;
    const char *why;
  } cases[] = {
      {{.rotor = -1}, "the transmission of 'shoulder': its rotor must be from 0 to 10000, not -1"},
      {{.stiffness = NAN}, "its stiffness must be from 0 to 1e+09, not nan"},
      {{.backlash = 2}, "its backlash must be from 0 to 1, not 2"},
      {{.damping = 1}, "damping needs a stiffness"},
      {{.stiffness = 1e8, .rotor = ROTOR}, "its spring swings with 8584 Hz, and steps of 0.5 ms allow 318"},
  };
  const brio_physics_library *library = the_library();
  if (!library) return;
  brio_robot *robot = arm_of(false);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    brio_error err = {0};
    const brio_physics_options options = {
        .simulator = library, .robot = robot, .transmissions = &cases[i].transmission};
    CHECK(!brio_physics_new(&options, &err) && err.code == BRIO_MISUSE, "taken");
    CHECK_HAS(err.message, cases[i].why);
  }
  brio_robot_free(robot);
}

/* A jaw of 2 kg that hangs, and copies a grip whose servo holds it. */
static const char gripper[] =
    "<robot name='gripper'><link name='base'/><link name='shaft'><inertial><mass value='0.02'/>"
    "<inertia ixx='1e-6' iyy='1e-6' izz='1e-6' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<link name='jaw'><inertial><mass value='2'/>"
    "<inertia ixx='1e-3' iyy='1e-3' izz='1e-3' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<joint name='grip' type='revolute'><parent link='base'/><child link='shaft'/><axis xyz='1 0 0'/>"
    "<limit lower='-2' upper='2' velocity='4' effort='5'/></joint>"
    "<joint name='jaw' type='prismatic'><parent link='base'/><child link='jaw'/><axis xyz='0 0 1'/>"
    "<limit lower='-1' upper='1' velocity='1' effort='100'/><mimic joint='grip' "
    "multiplier='0.04'/></joint></robot>";

static void a_copy_holds_its_source_under_load(void) {
  rig r = {.simulator = the_library()};
  if (!r.simulator) return;
  r.robot = robot_of(gripper);
  const brio_model_options options = {.robot = r.robot, .no_floor = true, .gravity = {0, 0, -G}};
  r.simulation = simulate(r.simulator, &options, &wide);
  if (!r.simulation) return brio_robot_free(r.robot);
  int grip = r.simulator->joint(r.simulation, "grip"), jaw = r.simulator->joint(r.simulation, "jaw");
  const brio_physics_servo servo = {.stiffness = 10, .damping = 1, .torque = INFINITY, .speed = INFINITY,
                                    .friction = NAN, .viscous = NAN};
  r.simulator->set_servo(r.simulation, r.simulator->servo(r.simulation, "grip"), &servo);
  r.simulator->step(r.simulation, 4000, NULL);
  /* 2 g 0.04 N m bend the servo, and the jaw stays where the grip leads it. */
  CHECK_NEAR(position(&r, grip), -2 * G * 0.04 / 10, 2e-4, "the grip gives way");
  CHECK_NEAR(position(&r, jaw), 0.04 * position(&r, grip), 1e-4, "the jaw follows");
  end(&r);
}

CHECK_SUITE(CHECK_TEST(a_copy_holds_its_source_under_load),
            CHECK_TEST(rotor_and_link_swing_as_two_bodies_on_a_spring),
            CHECK_TEST(a_link_swings_alone_where_its_rotor_is_held),
            CHECK_TEST(a_rotor_passes_its_play_before_the_link_moves),
            CHECK_TEST(a_joint_in_a_run_is_off_by_what_its_transmission_gives),
            CHECK_TEST(transmissions_out_of_range_are_refused))
