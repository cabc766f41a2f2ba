/* Problems whose answers are known, by formulas or from the literature, with each backend that is here. */
#include "tests/engine/trajectory/problems.h"

/* Move 1 m in 1 s from rest to rest with the least integral of force squared / 2. */
static void make_block(problem *p, const char *scheme, int nodes) {
  problem_load(p, problem_block, scheme);
  problem_phase(p, nodes, 1, 1, 1);
  problem_term(p, "effort", problem_nothing, 0, BRIO_TRAJECTORY_ALL, 1);
  double *from = problem_at(p, 0, 0), *to = problem_at(p, 1, 0);
  problem_pin(p, from, 0, 0), problem_pin(p, to, 0, BRIO_TRAJECTORY_LAST);
  problem_start(p, from, to);
}

/* The force is 6 - 12 t and the cost 6 d^2 m^2 / T^3; the error falls with the square of the step. */
static void block_takes_its_least_effort(void) {
  double error[2];
  for (int i = 0; i < 2; i++) {
    problem p;
    make_block(&p, "trapezoidal", i ? 41 : 21);
    if (!problem_solve(&p, "structured", NULL)) return;
    error[i] = p.outcome.last.cost - 6;
    CHECK(p.outcome.end == BRIO_TRAJECTORY_SOLVED && p.outcome.last.violation < 1e-9, "%g",
          p.outcome.last.violation);
    CHECK_NEAR(p.motion.torque[0], 6, 0.3, "force at the start");
    CHECK_NEAR(p.motion.q[(p.trajectory.nnode / 2) * 8 + 7], 0.5, 1e-6, "half way");
    problem_end(&p);
  }
  CHECK(error[0] > 0 && error[0] < 0.1, "%g", error[0]);
  CHECK_NEAR(error[0] / error[1], 4, 0.2, "order of the scheme");
}

/* With at most 1 N the least time is 2 s: full force ahead, then back. */
static void block_takes_its_least_time(void) {
  static const double effort[1] = {1}, nominal[1] = {0};
  problem p;
  problem_load(&p, problem_block, "trapezoidal");
  p.setup.limits.effort = effort;
  problem_phase(&p, 41, 1, 0.5, 5);
  problem_term(&p, "duration", nominal, 0, 0, 1);
  problem_term(&p, "effort", problem_nothing, 0, BRIO_TRAJECTORY_ALL, 1e-9);
  double *from = problem_at(&p, 0, 0), *to = problem_at(&p, 1, 0);
  problem_pin(&p, from, 0, 0), problem_pin(&p, to, 0, BRIO_TRAJECTORY_LAST);
  problem_start(&p, from, to);
  problem_solve(&p, "structured", NULL);
  CHECK_NEAR(p.motion.stretch[0], 2, 4e-3, "time");
  CHECK_NEAR(p.motion.torque[5], 1, 1e-3, "forward");
  CHECK_NEAR(p.motion.torque[35], -1, 1e-3, "back");
  problem_end(&p);
}

/* Cart and pole swing up, 1 m ahead within 2 s, with the least integral of force squared. The problem is that
** of Kelly, "An introduction to trajectory optimization", SIAM Review 2017, section 6; its cost, 58.8 N^2 s,
** is what two methods find that share no code, Ipopt and ours, also with more nodes. */
static void cart_swings_up(const char *backend) {
  static const int motors[1] = {0};
  problem p;
  problem_load(&p, problem_cart, "hermite_simpson");
  p.setup.motors = motors, p.setup.nmotor = 1;
  problem_phase(&p, 81, 2, 1, 1);
  problem_term(&p, "effort", problem_nothing, 0, BRIO_TRAJECTORY_ALL, 2);
  double *from = problem_at(&p, 0, 0), *to = problem_at(&p, 1, M_PI);
  problem_pin(&p, from, 0, 0), problem_pin(&p, to, 0, BRIO_TRAJECTORY_LAST);
  problem_start(&p, from, to);
  if (!problem_solve(&p, backend, NULL)) {
    check_skip = "Ipopt is not installed";
  } else {
    CHECK(p.outcome.end <= BRIO_TRAJECTORY_FEASIBLE, "%s", brio_trajectory_finish_name(p.outcome.end));
    CHECK_NEAR(p.outcome.last.cost, 58.83, 0.35, "%s", backend);
    CHECK(p.outcome.last.violation <= 1e-7, "%g", p.outcome.last.violation);
  }
  problem_end(&p);
}

static void structured_swings_the_cart_up(void) {
  cart_swings_up("structured");
}
static void ipopt_swings_the_cart_up(void) {
  cart_swings_up("ipopt");
}

/* A foot of the hopper that presses on the ground. */
static const brio_trajectory_contact ground = {.hold = {.link = 2,
                                                        .on_link = {{0, 0, 0}, {0, 0, 0, 1}},
                                                        .other = -1,
                                                        .on_other = {{0, 0, 0}, {0, 0, 0, 1}}},
                                               .friction = 0.6};

/* Stand, fly for 0.4 s, land softly: while it flies the centre of mass falls as all masses do, so that it
** leaves the ground with v - v' = g T. */
static void hopper_flies_as_masses_do(void) {
  static const double share[1] = {1};
  static const int motors[1] = {1};
  problem p;
  problem_load(&p, problem_hopper, "hermite_simpson");
  p.setup.motors = motors, p.setup.nmotor = 1;
  for (int i = 0; i < 3; i++) problem_phase(&p, 16, i == 1 ? 0.4 : 0.5, 1, 1);
  p.phases[0].contacts = p.phases[2].contacts = &ground, p.phases[0].ncontact = p.phases[2].ncontact = 1;
  problem_term(&p, "effort", problem_nothing, BRIO_TRAJECTORY_ALL, BRIO_TRAJECTORY_ALL, 1e-2);
  problem_term(&p, "friction", share, BRIO_TRAJECTORY_ALL, BRIO_TRAJECTORY_ALL, 0);
  problem_term(&p, "closed", NULL, 2, 0, 0);
  double *stand = problem_at(&p, 0.3, 0.3);
  problem_pin(&p, stand, 0, 0), problem_pin(&p, stand, BRIO_TRAJECTORY_LAST, BRIO_TRAJECTORY_LAST);
  problem_start(&p, stand, stand);
  problem_solve(&p, "structured", NULL);
  CHECK(p.outcome.last.violation <= 1e-7, "%s %g", brio_trajectory_finish_name(p.outcome.end),
        p.outcome.last.violation);
  double momentum[2], top = 0;
  for (int i = 0; i < 2; i++) {
    const double *u = p.motion.u + (i ? 31 : 16) * p.robot->nv + BRIO_BASE_NV;
    momentum[i] = 1.1 * u[0] - 0.1 * u[1];
  }
  for (int k = 16; k < 32; k++)
    top = fmax(top, p.motion.q[k * p.robot->nq + 7] - p.motion.q[k * p.robot->nq + 8]);
  CHECK_NEAR(momentum[0] - momentum[1], 1.1 * 9.81 * 0.4, 1e-6, "momentum that gravity takes");
  CHECK(top > 0.01, "the foot leaves the ground: %g m", top);
  problem_end(&p);
}

/* Four bars of equal opposite lengths, 0.5 m; a motor turns one crank. Gravity is along the axes, so that all
** that moves counts as the inertia of the crank: 2 I + m r^2. */
static const char four_bar[] =
    "<mujoco model='four_bar'><compiler angle='radian'/><worldbody><body name='left'>"
    "<joint name='left' type='hinge' axis='0 0 1'/>"
    "<inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/>"
    "<body name='bar' pos='0.5 0 0'><joint name='bar' type='hinge' axis='0 0 1'/>"
    "<inertial pos='0 0.5 0' mass='2' diaginertia='0.1 0.1 0.1'/></body></body>"
    "<body name='right' pos='0 1 0'><joint name='right' type='hinge' axis='0 0 1'/>"
    "<inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/></body></worldbody>"
    "<equality><connect body1='bar' body2='right' anchor='0 1 0'/></equality></mujoco>";

/* Turn it by 1 rad in 1 s: 6 I^2 of N^2 m^2 s, and the loop stays closed. */
static void four_bars_turn_as_one(void) {
  static const int motors[1] = {0};
  problem p;
  problem_load(&p, four_bar, "hermite_simpson");
  p.setup.motors = motors, p.setup.nmotor = 1;
  problem_phase(&p, 31, 1, 1, 1);
  problem_term(&p, "effort", problem_nothing, 0, BRIO_TRAJECTORY_ALL, 1);
  double from[16], to[16];
  brio_robot_neutral(p.robot, from), brio_robot_neutral(p.robot, to);
  to[7] = 1, to[8] = -1, to[9] = 1;
  problem_pin(&p, from, 0, 0);
  problem_pin(&p, to, 0, BRIO_TRAJECTORY_LAST);
  problem_start(&p, from, to);
  problem_solve(&p, "structured", NULL);
  double inertia = 0.1 + 0.1 + 2 * 0.25, gap = 0;
  for (int k = 0; k < p.trajectory.nnode; k++) {
    const double *q = p.motion.q + k * p.robot->nq + 7;
    gap = fmax(gap, fmax(fabs(q[0] + q[1]), fabs(q[0] - q[2])));
  }
  CHECK(p.robot->nloop == 1 && p.outcome.last.violation <= 1e-7, "%d loops, %s %g", p.robot->nloop,
        brio_trajectory_finish_name(p.outcome.end), p.outcome.last.violation);
  CHECK_NEAR(p.outcome.last.cost, 6 * inertia * inertia, 0.02 * 6 * inertia * inertia, "effort");
  CHECK(gap < 1e-4, "the loop opens by %g rad", gap);
  problem_end(&p);
}

CHECK_SUITE(CHECK_TEST(block_takes_its_least_effort), CHECK_TEST(block_takes_its_least_time),
            CHECK_TEST(structured_swings_the_cart_up), CHECK_TEST(ipopt_swings_the_cart_up),
            CHECK_TEST(hopper_flies_as_masses_do), CHECK_TEST(four_bars_turn_as_one))
