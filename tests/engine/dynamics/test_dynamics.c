/* Dynamics without reference data: what must hold between its functions, and with kinematics, for a robot
** with every kind of joint (creature.h), with and without a base that moves, mimic joints, rotors and
** dampers. */
#include "dynamics/derivative.h"
#include "robot/derivative.h"
#include "robot/kinematics.h"
#include "tests/allocations.h"
#include "tests/engine/dynamics/creature.h"

enum { TRIALS = 20 };

/* A creature with its dynamics and one random state. */
typedef struct fixture {
  brio_robot *robot;
  brio_dynamics dynamics;
  int first;
  bool damped;
  brio_random random;
  double armature[CREATURE_MOST], damping[CREATURE_MOST];
  double q[CREATURE_MOST], u[CREATURE_MOST], du[CREATURE_MOST], tau[CREATURE_MOST];
} fixture;

static void start(fixture *f, bool independent, brio_base_type base, bool with_options) {
  brio_error err;
  memset(f, 0, sizeof *f);
  f->robot = creature_load(independent, base);
  f->random = brio_random_stream(7, "test.dynamics");
  for (int i = 0; i < f->robot->nvariable; i++) {
    f->armature[i] = brio_random_uniform(&f->random, 0, 0.3);
    f->damping[i] = brio_random_uniform(&f->random, 0, 0.3);
  }
  brio_dynamics_options options = {f->armature, f->damping};
  bool good = brio_dynamics_start(&f->dynamics, f->robot, with_options ? &options : NULL, &err);
  CHECK(good, "%s", err.message);
  f->first = base == BRIO_BASE_FIXED ? BRIO_BASE_NV : 0;
  f->damped = with_options;
}

static void draw(fixture *f) {
  creature_pose(f->robot, &f->random, f->q);
  creature_rates(f->robot, &f->random, f->u);
  creature_rates(f->robot, &f->random, f->du);
  for (int i = 0; i < f->first; i++) f->u[i] = f->du[i] = 0;
}

static void end(fixture *f) {
  brio_dynamics_end(&f->dynamics);
  brio_robot_free(f->robot);
}

/* Run `test` for all creatures. */
static void each(void (*test)(fixture *f)) {
  for (int i = 0; i < 8; i++) {
    fixture f;
    start(&f, i & 1, i & 2 ? BRIO_BASE_FREE : BRIO_BASE_FIXED, i & 4);
    for (int k = 0; k < TRIALS; k++) {
      draw(&f);
      test(&f);
    }
    end(&f);
  }
}

/* M du + h = tau, M symmetric, x^T M x > 0. */
static void check_mass(fixture *f) {
  int nv = f->robot->nv;
  double bias[CREATURE_MOST], tau[CREATURE_MOST], sum[CREATURE_MOST], energy = 0;
  const double *mass = brio_dynamics_mass(&f->dynamics, f->q);
  for (int i = 0; i < nv; i++)
    for (int k = 0; k < nv; k++) CHECK_NEAR(mass[i * nv + k], mass[k * nv + i], 1e-13, "%d %d", i, k);
  for (int i = f->first; i < nv; i++)
    for (int k = f->first; k < nv; k++) energy += f->du[i] * mass[i * nv + k] * f->du[k];
  CHECK(energy > 0, "%g", energy);
  for (int i = 0; i < nv; i++) {
    sum[i] = 0;
    for (int k = 0; k < nv; k++) sum[i] += mass[i * nv + k] * f->du[k];
  }
  brio_dynamics_inverse(&f->dynamics, f->q, f->u, NULL, bias);
  brio_dynamics_inverse(&f->dynamics, f->q, f->u, f->du, tau);
  for (int i = f->first; i < nv; i++) sum[i] += bias[i];
  CHECK(creature_difference(sum + f->first, tau + f->first, nv - f->first) < 1e-12, "M du + h is not tau");
}

static void mass_matrix_is_that_of_inverse_dynamics(void) {
  each(check_mass);
}

static void check_forward(fixture *f) {
  int nv = f->robot->nv;
  double tau[CREATURE_MOST], back[CREATURE_MOST], inverse[CREATURE_MOST * CREATURE_MOST];
  brio_error err;
  brio_dynamics_inverse(&f->dynamics, f->q, f->u, f->du, tau);
  bool good = brio_dynamics_forward(&f->dynamics, f->q, f->u, tau, back, &err);
  CHECK(good, "%s", err.message);
  CHECK(creature_difference(back, f->du, nv) < 1e-11, "%g", creature_difference(back, f->du, nv));
  good = brio_dynamics_inverse_mass(&f->dynamics, f->q, inverse, &err);
  CHECK(good, "%s", err.message);
  const double *mass = brio_dynamics_mass(&f->dynamics, f->q);
  for (int i = f->first; i < nv; i++)
    for (int k = f->first; k < nv; k++) {
      double sum = 0;
      for (int j = 0; j < nv; j++) sum += inverse[i * nv + j] * mass[j * nv + k];
      CHECK_NEAR(sum, i == k, 1e-10, "%d %d", i, k);
    }
}

static void forward_undoes_inverse(void) {
  each(check_forward);
}

/* The forces of gravity that kinematics computes from mass moments. */
static void check_gravity(fixture *f) {
  brio_state state;
  brio_error err;
  double tau[CREATURE_MOST], expected[CREATURE_MOST];
  CHECK(brio_state_start(&state, f->robot, &err), "%s", err.message);
  brio_state_update(&state, f->q);
  brio_state_update_com(&state);
  brio_state_gravity(&state, expected, NULL);
  brio_dynamics_inverse(&f->dynamics, f->q, NULL, NULL, tau);
  int count = f->robot->nvariable;
  CHECK(creature_difference(tau + BRIO_BASE_NV, expected, count) < 1e-12, "other torques of gravity");
  CHECK_NEAR(tau[2], 9.81 * f->robot->mass, 1e-9, "the base's weight");
  CHECK_NEAR(brio_dynamics_potential_energy(&f->dynamics, f->q), 9.81 * f->robot->mass * state.com.z, 1e-9,
             "potential energy");
  brio_state_end(&state);
}

static void gravity_is_that_of_kinematics(void) {
  each(check_gravity);
}

/* q moved along u for `t`, with rates growing by du: third order for the variables, the base by its mean
** rotation. */
static void advance(const fixture *f, double t, double *q, double *u) {
  double step[CREATURE_MOST];
  for (int i = 0; i < f->robot->nv; i++) {
    step[i] = t * f->u[i] + t * t / 2 * f->du[i];
    u[i] = f->u[i] + t * f->du[i];
  }
  brio_robot_integrate(f->robot, f->q, step, q);
}

/* Energy changes as the forces work, less what dampers take. */
static void check_energy(fixture *f) {
  double tau[CREATURE_MOST], q[CREATURE_MOST], u[CREATURE_MOST], power = 0, energy[2], step = 1e-5;
  brio_dynamics_inverse(&f->dynamics, f->q, f->u, f->du, tau);
  for (int i = f->first; i < f->robot->nv; i++) power += tau[i] * f->u[i];
  for (int i = 0; f->damped && i < f->robot->nvariable; i++)
    power -= f->damping[i] * f->u[BRIO_BASE_NV + i] * f->u[BRIO_BASE_NV + i];
  for (int k = 0; k < 2; k++) {
    advance(f, k ? step : -step, q, u);
    energy[k] =
        brio_dynamics_kinetic_energy(&f->dynamics, q, u) + brio_dynamics_potential_energy(&f->dynamics, q);
  }
  double rate = (energy[1] - energy[0]) / (2 * step);
  CHECK_NEAR(rate, power, 2e-6 * (1 + fabs(power)), "energy grows by %g W, forces give %g W", rate, power);
}

static void energy_is_balanced(void) {
  each(check_energy);
}

/* The momentum of all links, one by one, from kinematics. */
static void check_momentum(fixture *f) {
  int nv = f->robot->nv;
  brio_state state;
  brio_error err;
  double jacobian[6 * CREATURE_MOST], matrix[6 * CREATURE_MOST], product[6] = {0}, sum[6] = {0};
  CHECK(brio_state_start(&state, f->robot, &err), "%s", err.message);
  brio_state_update(&state, f->q);
  brio_vec3 com = brio_state_update_com(&state);
  for (int i = 0; i < f->robot->nlink; i++) {
    const brio_link *link = &f->robot->links[i];
    const brio_transform *at = &state.links[i];
    brio_vec3 center = brio_transform_point(at, link->com);
    double move[6] = {0};
    brio_state_jacobian(&state, i, center, jacobian);
    for (int r = 0; r < 6; r++)
      for (int k = 0; k < nv; k++) move[r] += jacobian[r * nv + k] * f->u[k];
    brio_vec3 p = brio_vec3_scale(link->mass, (brio_vec3){move[0], move[1], move[2]});
    brio_vec3 w = brio_transform_undirection(at, (brio_vec3){move[3], move[4], move[5]});
    const double *in = link->inertia;
    brio_vec3 turn = {in[0] * w.x + in[1] * w.y + in[2] * w.z, in[1] * w.x + in[3] * w.y + in[4] * w.z,
                      in[2] * w.x + in[4] * w.y + in[5] * w.z};
    brio_vec3 about =
        brio_vec3_add(brio_transform_direction(at, turn), brio_vec3_cross(brio_vec3_sub(center, com), p));
    sum[0] += p.x, sum[1] += p.y, sum[2] += p.z, sum[3] += about.x, sum[4] += about.y, sum[5] += about.z;
  }
  brio_momentum m = brio_dynamics_momentum(&f->dynamics, f->q, f->u, matrix);
  for (int r = 0; r < 6; r++)
    for (int k = 0; k < nv; k++) product[r] += matrix[r * nv + k] * f->u[k];
  CHECK(creature_difference(&m.linear.x, sum, 6) < 1e-12, "momentum is not that of the links");
  CHECK(creature_difference(product, sum, 6) < 1e-12, "the matrix gives another momentum");
  CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(m.com, com)), 0, 1e-12, "center of mass");
  brio_state_end(&state);
}

static void momentum_is_that_of_the_links(void) {
  each(check_momentum);
}

/* The rate of momentum without acceleration, by differences. */
static void check_momentum_rate(fixture *f) {
  double q[CREATURE_MOST], u[CREATURE_MOST], got[2][6], step = 1e-5;
  memset(f->du, 0, sizeof f->du);
  brio_momentum here = brio_dynamics_momentum(&f->dynamics, f->q, f->u, NULL);
  for (int k = 0; k < 2; k++) {
    advance(f, k ? step : -step, q, u);
    brio_momentum m = brio_dynamics_momentum(&f->dynamics, q, u, NULL);
    memcpy(got[k], &m.linear, sizeof got[k]);
  }
  for (int i = 0; i < 6; i++) got[0][i] = (got[1][i] - got[0][i]) / (2 * step);
  CHECK(creature_difference(got[0], &here.force.x, 6) < 1e-7, "%g",
        creature_difference(got[0], &here.force.x, 6));
}

static void momentum_changes_as_told(void) {
  each(check_momentum_rate);
}

/* Jacobians of points are those of kinematics; their rates and the drift are differences along u. */
static void check_point(fixture *f) {
  int nv = f->robot->nv, size = 6 * nv;
  int link = (int)brio_random_below(&f->random, (uint64_t)f->robot->nlink);
  brio_vec3 point = {0.1, -0.3, 0.2};
  static double jacobian[6 * CREATURE_MOST], rate[6 * CREATURE_MOST], near[2][6 * CREATURE_MOST];
  double q[CREATURE_MOST], u[CREATURE_MOST], velocity[2][6], step = 1e-5;
  brio_state state;
  brio_error err;
  memset(f->du, 0, sizeof f->du);
  brio_point_motion here = brio_dynamics_point(&f->dynamics, f->q, f->u, link, point, jacobian, rate);
  CHECK(brio_state_start(&state, f->robot, &err), "%s", err.message);
  brio_state_update(&state, f->q);
  brio_vec3 at = brio_transform_point(&state.links[link], point);
  brio_state_jacobian(&state, link, at, near[0]);
  for (int r = 0; r < 6; r++)
    for (int i = 0; i < f->first; i++) near[0][r * nv + i] = 0;
  CHECK(creature_difference(jacobian, near[0], size) < 1e-13, "another Jacobian");
  CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(at, here.at)), 0, 1e-13, "another place");
  for (int k = 0; k < 2; k++) {
    advance(f, k ? step : -step, q, u);
    brio_point_motion m = brio_dynamics_point(&f->dynamics, q, u, link, point, near[k], NULL);
    memcpy(velocity[k], m.velocity, sizeof velocity[k]);
  }
  for (int i = 0; i < size; i++) near[0][i] = (near[1][i] - near[0][i]) / (2 * step);
  for (int i = 0; i < 6; i++) velocity[0][i] = (velocity[1][i] - velocity[0][i]) / (2 * step);
  CHECK(creature_difference(rate, near[0], size) < 1e-8, "rate: %g",
        creature_difference(rate, near[0], size));
  CHECK(creature_difference(here.drift, velocity[0], 6) < 1e-8, "drift");
  for (int r = 0; r < 6; r++) {
    double sum = 0;
    for (int k = 0; k < nv; k++) sum += rate[r * nv + k] * f->u[k];
    CHECK_NEAR(sum, here.drift[r], 1e-11, "dJ/dt u, row %d", r);
  }
  brio_state_end(&state);
}

static void points_move_as_their_jacobians_say(void) {
  each(check_point);
}

/* A body thrown into the air keeps its momentum and its energy. */
static void free_flight_keeps_momentum(void) {
  fixture f;
  brio_error err;
  double next[CREATURE_MOST];
  start(&f, true, BRIO_BASE_FREE, false);
  draw(&f);
  f.dynamics.gravity = (brio_vec3){0, 0, 0};
  brio_momentum before = brio_dynamics_momentum(&f.dynamics, f.q, f.u, NULL);
  double energy = brio_dynamics_kinetic_energy(&f.dynamics, f.q, f.u), step = 2e-5;
  for (int k = 0; k < 2000; k++) {
    /* midpoint rule */
    double half[CREATURE_MOST], rate[CREATURE_MOST] = {0}, move[CREATURE_MOST] = {0};
    CHECK(brio_dynamics_forward(&f.dynamics, f.q, f.u, NULL, f.du, &err), "%s", err.message);
    for (int i = 0; i < f.robot->nv; i++) {
      move[i] = step / 2 * f.u[i];
      rate[i] = f.u[i] + step / 2 * f.du[i];
    }
    brio_robot_integrate(f.robot, f.q, move, half);
    CHECK(brio_dynamics_forward(&f.dynamics, half, rate, NULL, f.du, &err), "%s", err.message);
    for (int i = 0; i < f.robot->nv; i++) {
      move[i] = step * rate[i];
      f.u[i] += step * f.du[i];
    }
    brio_robot_integrate(f.robot, f.q, move, next);
    memcpy(f.q, next, sizeof next);
  }
  brio_momentum after = brio_dynamics_momentum(&f.dynamics, f.q, f.u, NULL);
  CHECK(creature_difference(&after.linear.x, &before.linear.x, 6) < 1e-6, "%g",
        creature_difference(&after.linear.x, &before.linear.x, 6));
  CHECK_NEAR(brio_dynamics_kinetic_energy(&f.dynamics, f.q, f.u) / energy, 1, 1e-6, "energy");
  end(&f);
}

/* Bad input is refused with what is wrong. */
static void bad_input_is_refused(void) {
  brio_error err;
  brio_robot *robot = creature_load(true, BRIO_BASE_FIXED);
  brio_dynamics dynamics;
  double bad[CREATURE_MOST] = {0}, q[CREATURE_MOST], du[CREATURE_MOST];
  bad[2] = -1;
  brio_dynamics_options options = {.armature = bad};
  CHECK(!brio_dynamics_start(&dynamics, robot, &options, &err) && err.code == BRIO_MISUSE, "accepted");
  CHECK_HAS(err.message, "armature of variable 'drift.x'");
  brio_robot_free(robot);
  static const char text[] =
      "<robot name='light'><link name='a'/><link name='b'/><joint name='j' type='continuous'>"
      "<parent link='a'/><child link='b'/></joint></robot>";
  robot = brio_robot_parse(text, strlen(text), "light.urdf", NULL, &err);
  CHECK(robot && brio_dynamics_start(&dynamics, robot, NULL, &err), "%s", err.message);
  brio_robot_neutral(robot, q);
  CHECK(!brio_dynamics_forward(&dynamics, q, NULL, NULL, du, &err), "a link without mass moved");
  CHECK_HAS(err.message, "variable j");
  brio_dynamics_end(&dynamics);
  brio_robot_free(robot);
}

/* After set-up nothing allocates. */
static void check_allocations(fixture *f) {
  static double matrices[4][CREATURE_MOST * CREATURE_MOST];
  double tau[CREATURE_MOST], du[CREATURE_MOST];
  brio_error err;
  size_t before = allocations;
  brio_dynamics_inverse(&f->dynamics, f->q, f->u, f->du, tau);
  brio_dynamics_mass(&f->dynamics, f->q);
  brio_dynamics_momentum(&f->dynamics, f->q, f->u, matrices[0]);
  brio_dynamics_point(&f->dynamics, f->q, f->u, 1, (brio_vec3){0, 0, 0}, matrices[0], matrices[1]);
  bool good = brio_dynamics_forward_derivatives(&f->dynamics, f->q, f->u, tau, du, matrices[0], matrices[1],
                                                matrices[2], &err);
  CHECK(good && allocations == before, "%zu allocations", allocations - before);
}

static void nothing_allocates(void) {
  each(check_allocations);
}

/* Without memory, set-up fails with that as its cause, and frees what it has. */
static void missing_memory_is_told(void) {
#ifdef SANITIZED
  SKIP("a sanitizer has its own malloc");
#endif
  brio_robot *robot = creature_load(true, BRIO_BASE_FREE);
  brio_dynamics dynamics;
  brio_error err;
  bool good = false;
  size_t failed = 0;
  while (!good && failed < 100) {
    long held = allocations_held;
    allocations_refused_from = allocations + 1 + failed;
    allocations_refused = 1;
    good = brio_dynamics_start(&dynamics, robot, NULL, &err);
    allocations_refused = 0;
    if (good) break;
    CHECK(err.code == BRIO_NO_MEMORY, "%s", err.message);
    CHECK(allocations_held == held, "%ld blocks are left", allocations_held - held);
    failed++;
  }
  CHECK(good && failed > 2, "%zu allocations", failed);
  brio_dynamics_end(&dynamics);
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(mass_matrix_is_that_of_inverse_dynamics), CHECK_TEST(forward_undoes_inverse),
            CHECK_TEST(gravity_is_that_of_kinematics), CHECK_TEST(energy_is_balanced),
            CHECK_TEST(momentum_is_that_of_the_links), CHECK_TEST(momentum_changes_as_told),
            CHECK_TEST(points_move_as_their_jacobians_say), CHECK_TEST(free_flight_keeps_momentum),
            CHECK_TEST(bad_input_is_refused), CHECK_TEST(nothing_allocates),
            CHECK_TEST(missing_memory_is_told))
