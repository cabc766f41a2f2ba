/* Derivatives of inverse and forward dynamics against central differences along every tangent direction. */
#include "dynamics/derivative.h"

#include "robot/kinematics.h"
#include "tests/engine/dynamics/creature.h"

enum { SQUARE = CREATURE_MOST * CREATURE_MOST };

typedef struct fixture {
  brio_robot *robot;
  brio_dynamics dynamics;
  double q[CREATURE_MOST], u[CREATURE_MOST], last[CREATURE_MOST]; /* du, or tau */
} fixture;

typedef void (*function)(fixture *f, const double *q, const double *u, double *out);

static void inverse(fixture *f, const double *q, const double *u, double *out) {
  brio_dynamics_inverse(&f->dynamics, q, u, f->last, out);
}

static void forward(fixture *f, const double *q, const double *u, double *out) {
  brio_error err;
  CHECK(brio_dynamics_forward(&f->dynamics, q, u, f->last, out, &err), "%s", err.message);
}

/* Evaluate where tangent number k of q or u is moved by h. */
static void evaluate(fixture *f, function value, bool by_q, int k, double h, double *out) {
  double q[CREATURE_MOST], u[CREATURE_MOST], move[CREATURE_MOST] = {0};
  move[k] = by_q ? h : 0;
  brio_robot_integrate(f->robot, f->q, move, q);
  memcpy(u, f->u, sizeof u);
  u[k] += by_q ? 0 : h;
  value(f, q, u, out);
}

/* Write d(out)/d(q or u), nv x nv, by central differences of fourth order. */
static void differentiate(fixture *f, function value, bool by_q, double *out) {
  int nv = f->robot->nv;
  double step = 2e-4, at[4][CREATURE_MOST];
  for (int k = 0; k < nv; k++) {
    for (int side = 0; side < 4; side++)
      evaluate(f, value, by_q, k, step * (side < 2 ? side - 2 : side - 1), at[side]);
    for (int i = 0; i < nv; i++)
      out[i * nv + k] = (8 * (at[2][i] - at[1][i]) - (at[3][i] - at[0][i])) / (12 * step);
  }
}

/* Rows and columns of a fixed base are 0 by definition. */
static void clear_fixed(const brio_robot *robot, double *matrix) {
  for (int i = 0; robot->base == BRIO_BASE_FIXED && i < robot->nv; i++)
    for (int k = 0; k < robot->nv; k++)
      if (i < BRIO_BASE_NV || k < BRIO_BASE_NV) matrix[i * robot->nv + k] = 0;
}

static void check(fixture *f, function value, const double *by_q, const double *by_u, const char *what) {
  static double expected[SQUARE];
  int size = f->robot->nv * f->robot->nv;
  differentiate(f, value, true, expected);
  clear_fixed(f->robot, expected);
  double worst = creature_difference(by_q, expected, size);
  CHECK(worst < 1e-6, "%s of %s by q: %g", what, f->robot->name, worst);
  differentiate(f, value, false, expected);
  clear_fixed(f->robot, expected);
  worst = creature_difference(by_u, expected, size);
  CHECK(worst < 1e-6, "%s of %s by u: %g", what, f->robot->name, worst);
}

static void check_robot(brio_robot *robot, const brio_dynamics_options *options, int trials) {
  static double by_q[SQUARE], by_u[SQUARE], by_tau[SQUARE], inverse_mass[SQUARE];
  double du[CREATURE_MOST], again[CREATURE_MOST];
  fixture f = {.robot = robot};
  brio_error err;
  brio_random random = brio_random_stream(11, "test.derivative");
  CHECK(brio_dynamics_start(&f.dynamics, robot, options, &err), "%s", err.message);
  for (int k = 0; k < trials; k++) {
    creature_pose(robot, &random, f.q);
    creature_rates(robot, &random, f.u);
    creature_rates(robot, &random, f.last);
    brio_dynamics_inverse_derivatives(&f.dynamics, f.q, f.u, f.last, by_q, by_u);
    check(&f, inverse, by_q, by_u, "forces");
    /* Forces that give such accelerations: any others throw light links about. */
    brio_dynamics_inverse(&f.dynamics, f.q, f.u, f.last, du);
    memcpy(f.last, du, sizeof du);
    bool good =
        brio_dynamics_forward_derivatives(&f.dynamics, f.q, f.u, f.last, du, by_q, by_u, by_tau, &err);
    CHECK(good, "%s", err.message);
    check(&f, forward, by_q, by_u, "acceleration");
    forward(&f, f.q, f.u, again);
    CHECK(creature_difference(du, again, robot->nv) == 0, "another acceleration");
    CHECK(brio_dynamics_inverse_mass(&f.dynamics, f.q, inverse_mass, &err), "%s", err.message);
    CHECK(creature_difference(by_tau, inverse_mass, robot->nv * robot->nv) < 1e-12, "by tau: not M^-1");
  }
  brio_dynamics_end(&f.dynamics);
  brio_robot_free(robot);
}

static void derivatives_are_differences(void) {
  double armature[CREATURE_MOST], damping[CREATURE_MOST];
  for (int i = 0; i < CREATURE_MOST; i++) armature[i] = 0.1 + 0.01 * i, damping[i] = 0.2 - 0.002 * i;
  const brio_dynamics_options options = {armature, damping};
  for (int i = 0; i < 8; i++)
    check_robot(creature_load(i & 1, i & 2 ? BRIO_BASE_FREE : BRIO_BASE_FIXED), i & 4 ? &options : NULL, 5);
}

/* The robots that come with brio. */
static void derivatives_of_real_robots(void) {
  static const char *const names[] = {"ur3e", "panda", "biped", "mycobot280"};
  for (int i = 0; i < 4; i++) {
    char path[128];
    brio_error err;
    snprintf(path, sizeof path, "drivers/robots/%s/model.urdf", names[i]);
    brio_robot_options options = {.base = i == 2 ? BRIO_BASE_FREE : BRIO_BASE_FIXED};
    brio_robot *robot = brio_robot_load(path, &options, &err);
    CHECK(robot && robot->nv <= CREATURE_MOST, "%s: %s", names[i], err.message);
    if (robot) check_robot(robot, NULL, 3);
  }
}

CHECK_SUITE(CHECK_TEST(derivatives_are_differences), CHECK_TEST(derivatives_of_real_robots))
