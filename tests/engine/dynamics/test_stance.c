/* Standing: the torques of a stance have the ground carry the weight, evenly where everything is even; they
** push the robot back to where it belongs, as hard as friction lets them; what is impossible is said. */
#include "base/random.h"
#include "dynamics/constraint.h"
#include "dynamics/stance.h"
#include "tests/check.h"

/* A body of 20 kg on two legs that slide up and down, 0.3 m apart, with feet of 1 kg. */
static const char stool[] =
    "<robot name='stool'><link name='body'><inertial><origin xyz='0 0 0.1'/><mass value='20'/><inertia "
    "ixx='0.4' "
    "iyy='0.5' izz='0.3' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<link name='left'><inertial><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' "
    "iyz='0'/></inertial></link><link name='right'><inertial><mass value='1'/><inertia ixx='0.01' iyy='0.01' "
    "izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<joint name='left' type='prismatic'><parent link='body'/><child link='left'/><origin xyz='0 0.15 -0.5'/>"
    "<axis xyz='0 0 1'/><limit lower='-1' upper='1' velocity='1' effort='500'/></joint>"
    "<joint name='right' type='prismatic'><parent link='body'/><child link='right'/><origin xyz='0 -0.15 "
    "-0.5'/>"
    "<axis xyz='0 0 1'/><limit lower='-1' upper='1' velocity='1' effort='500'/></joint></robot>";

#define G 9.81
#define MASS 22.0

typedef struct rig {
  brio_robot *robot;
  brio_dynamics dynamics;
  brio_stance stance;
  double q[9], u[8], tau[2];
  brio_stance_goal goal;
} rig;

static const brio_stance_contact feet[] = {{1, {0.1, 0.05, 0}}, {1, {0.1, -0.05, 0}}, {1, {-0.1, 0.05, 0}},
                                           {1, {-0.1, -0.05, 0}}, {2, {0.1, 0.05, 0}}, {2, {0.1, -0.05, 0}},
                                           {2, {-0.1, 0.05, 0}}, {2, {-0.1, -0.05, 0}}};

static bool begin(rig *r, double friction) {
  brio_error err = {0};
  *r = (rig){0};
  brio_robot_options options = {.base = BRIO_BASE_FREE, .base_center = {{0, 0, 0.5}, {0, 0, 0, 1}}};
  r->robot = brio_robot_parse(stool, strlen(stool), "stool.urdf", &options, &err);
  brio_stance_options o = brio_stance_default_options();
  o.contacts = feet, o.ncontact = 8, o.friction = friction;
  bool good = r->robot && brio_dynamics_start(&r->dynamics, r->robot, NULL, &err) &&
              brio_stance_start(&r->stance, &r->dynamics, &o, &err);
  CHECK(good, "%s", err.message);
  if (!good) return false;
  brio_robot_neutral(r->robot, r->q);
  brio_stance_here(&r->stance, r->q, &r->goal);
  return true;
}

static void end(rig *r) {
  brio_stance_end(&r->stance);
  brio_dynamics_end(&r->dynamics);
  brio_robot_free(r->robot);
}

static brio_stance_report stand(rig *r) {
  brio_stance_report report = {0};
  brio_error err;
  CHECK(brio_stance_torques(&r->stance, r->q, r->u, &r->goal, r->tau, &report, &err), "%s", err.message);
  return report;
}

static void two_legs_carry_a_half_each(void) {
  rig r;
  if (!begin(&r, 0.6)) return;
  brio_stance_report report = stand(&r);
  /* Each leg pushes its foot down by half of the body's weight. */
  CHECK_NEAR(r.tau[0], -10 * G, 0.05, "left");
  CHECK_NEAR(r.tau[1], -10 * G, 0.05, "right");
  CHECK_NEAR(report.force, MASS * G, 0.05, "the weight");
  CHECK(report.misfit < 1e-3, "%g", report.misfit);
  CHECK_NEAR(report.press.x, 0, 1e-4, "under the centre of mass");
  CHECK_NEAR(report.com.z, 0.5 + (20 * 0.1 - 2 * 0.5) / MASS, 1e-12, "height");
  end(&r);
}

/* To go left by k e m the right leg has to push less high up: the moment of the side force about the centre
** of mass is taken from the feet. */
static void what_leans_is_pushed_back(void) {
  rig r;
  if (!begin(&r, 0.6)) return;
  r.goal.com.y += 0.01;
  brio_stance_report report = stand(&r);
  double side = MASS * 40 * 0.01, height = report.com.z;
  CHECK(report.misfit < 1e-3, "%g", report.misfit);
  /* Centre of pressure: to the right by side h / weight; the legs share by that. */
  CHECK_NEAR(report.press.y, -side * height / (MASS * G), 3e-4, "pressure");
  CHECK_NEAR(r.tau[0] + r.tau[1], -20 * G, 0.05, "the weight is carried");
  CHECK(r.tau[1] < r.tau[0], "the right leg carries %g N, the left one %g", -r.tau[1], -r.tau[0]);
  /* Damping: it moves there by itself as fast as it should. */
  r.u[1] = 40 * 0.01 / 10;
  report = stand(&r);
  CHECK_NEAR(report.press.y, 0, 1e-3, "no push is left");
  CHECK_NEAR(report.capture.y, 0.04 * sqrt(height / G), 1e-4, "capture point");
  end(&r);
}

static void friction_limits_it(void) {
  rig r;
  if (!begin(&r, 0.1)) return;
  r.goal.com.x += 0.2; /* 8 m/s^2 are asked for, 1 is there */
  brio_stance_report report = stand(&r);
  CHECK(report.misfit > 0.3, "%g", report.misfit);
  r.goal.com.x -= 0.2;
  double misfit = stand(&r).misfit;
  CHECK(misfit < 5e-3, "it does not forget: %g", misfit);
  end(&r);
}

/* The torques hold what they should: forward dynamics with the feet held gives no acceleration. */
static void held_feet_feel_no_acceleration(void) {
  rig r;
  brio_error err;
  brio_random random = brio_random_stream(2, "stance");
  if (!begin(&r, 0.6)) return;
  for (int k = 0; k < 20; k++) {
    r.q[7] = r.q[8] = brio_random_uniform(&random, -0.2, 0.2);
    brio_stance_here(&r.stance, r.q, &r.goal);
    stand(&r);
    brio_dynamics_constraints c;
    CHECK(brio_dynamics_constraints_start(&c, &r.dynamics, 12, &err), "%s", err.message);
    const brio_dynamics_constraint held[] = {{.link = 1,
                                              .on_link = BRIO_POSE_IDENTITY,
                                              .other = -1,
                                              .rigid = true,
                                              .on_other = BRIO_POSE_IDENTITY},
                                             {.link = 2,
                                              .on_link = BRIO_POSE_IDENTITY,
                                              .other = -1,
                                              .rigid = true,
                                              .on_other = BRIO_POSE_IDENTITY}};
    double tau[8] = {0}, du[8], forces[12];
    memcpy(tau + 6, r.tau, sizeof r.tau);
    bool good = brio_dynamics_constrained(&r.dynamics, &c, held, 2, r.q, NULL, tau, du, forces, &err);
    CHECK(good, "%s", err.message);
    for (int i = 0; i < 8; i++) CHECK_NEAR(du[i], 0, 0.02, "acceleration %d", i);
    brio_dynamics_constraints_end(&c);
  }
  end(&r);
}

static void what_cannot_stand_is_told(void) {
  rig r;
  brio_error err;
  if (!begin(&r, 0.6)) return;
  r.u[0] = NAN;
  CHECK(!brio_stance_torques(&r.stance, r.q, r.u, &r.goal, r.tau, NULL, &err), "NaN is taken");
  brio_stance other;
  brio_stance_options o = brio_stance_default_options();
  CHECK(!brio_stance_start(&other, &r.dynamics, &o, &err), "no contacts");
  CHECK_HAS(err.message, "1 to 32 contacts");
  brio_stance_end(&other);
  o.contacts = feet, o.ncontact = 8, o.friction = 0;
  CHECK(!brio_stance_start(&other, &r.dynamics, &o, &err), "no friction");
  CHECK_HAS(err.message, "friction");
  brio_stance_end(&other);
  end(&r);
}

CHECK_SUITE(CHECK_TEST(two_legs_carry_a_half_each), CHECK_TEST(what_leans_is_pushed_back),
            CHECK_TEST(friction_limits_it), CHECK_TEST(held_feet_feel_no_acceleration),
            CHECK_TEST(what_cannot_stand_is_told))
