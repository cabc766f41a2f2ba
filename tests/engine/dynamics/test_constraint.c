/* Constrained dynamics: the equations hold, constraints that repeat each other change nothing, a closed loop
** moves as its one angle does, impacts stop what they hold and take energy. */
#include "dynamics/constraint.h"

#include "tests/engine/dynamics/creature.h"

enum { ROWS = 24 };

typedef struct fixture {
  brio_robot *robot;
  brio_dynamics dynamics;
  brio_dynamics_constraints constraints;
  brio_random random;
  double q[CREATURE_MOST], u[CREATURE_MOST], tau[CREATURE_MOST], du[CREATURE_MOST], forces[ROWS];
} fixture;

static void start(fixture *f, brio_robot *robot) {
  brio_error err;
  memset(f, 0, sizeof *f);
  f->robot = robot;
  f->random = brio_random_stream(13, "test.constraint");
  CHECK(brio_dynamics_start(&f->dynamics, robot, NULL, &err), "%s", err.message);
  CHECK(brio_dynamics_constraints_start(&f->constraints, &f->dynamics, ROWS, &err), "%s", err.message);
}

static void draw(fixture *f) {
  creature_pose(f->robot, &f->random, f->q);
  creature_rates(f->robot, &f->random, f->u);
  creature_rates(f->robot, &f->random, f->tau);
}

static void end(fixture *f) {
  brio_dynamics_constraints_end(&f->constraints);
  brio_dynamics_end(&f->dynamics);
  brio_robot_free(f->robot);
}

static void solve(fixture *f, const brio_dynamics_constraint *list, int count) {
  brio_error err;
  bool good = brio_dynamics_constrained(&f->dynamics, &f->constraints, list, count, f->q, f->u, f->tau, f->du,
                                        f->forces, &err);
  CHECK(good, "%s", err.message);
}

/* A wrist in the world, and two branches that hold each other. */
static int list_of(const fixture *f, brio_dynamics_constraint list[2]) {
  memset(list, 0, 2 * sizeof *list);
  list[0] = (brio_dynamics_constraint){.link = brio_robot_link(f->robot, "tip", NULL),
                                       .on_link = {{0.1, 0.2, -0.1}, {0, 0, 0, 1}},
                                       .other = -1,
                                       .on_other = BRIO_POSE_IDENTITY,
                                       .rigid = true};
  list[1] = (brio_dynamics_constraint){.link = brio_robot_link(f->robot, "e", NULL),
                                       .on_link = {{0, 0.1, 0}, {0, 0, 0, 1}},
                                       .other = brio_robot_link(f->robot, "f", NULL),
                                       .on_other = {{0.3, 0, 0}, {0, 0, 0, 1}}};
  return 2;
}

/* Write J of one side and its dJ/dt u; add scale times both. */
static void add_side(fixture *f, int link, brio_vec3 point, double scale, double *jacobian, double *drift) {
  static double own[6 * CREATURE_MOST];
  brio_point_motion m = brio_dynamics_point(&f->dynamics, f->q, f->u, link, point, own, NULL);
  for (int i = 0; i < 6 * f->robot->nv; i++) jacobian[i] += scale * own[i];
  for (int i = 0; i < 6; i++) drift[i] += scale * m.drift[i];
}

/* Check M du + h - J^T f = tau and J du + dJ/dt u = 0, with J from points. */
static void check_solution(fixture *f, const brio_dynamics_constraint *list, int count, double tolerance) {
  int nv = f->robot->nv, first = f->robot->base == BRIO_BASE_FIXED ? BRIO_BASE_NV : 0;
  double tau[CREATURE_MOST];
  const double *force = f->forces;
  brio_dynamics_inverse(&f->dynamics, f->q, f->u, f->du, tau);
  for (int i = 0; i < count; i++) {
    static double jacobian[6 * CREATURE_MOST];
    double drift[6] = {0};
    memset(jacobian, 0, sizeof jacobian);
    add_side(f, list[i].link, list[i].on_link.p, 1, jacobian, drift);
    if (list[i].other >= 0) add_side(f, list[i].other, list[i].on_other.p, -1, jacobian, drift);
    for (int r = 0; r < (list[i].rigid ? 6 : 3); r++, force++) {
      for (int v = 0; v < nv; v++) {
        drift[r] += jacobian[r * nv + v] * f->du[v];
        tau[v] -= jacobian[r * nv + v] * *force;
      }
      CHECK_NEAR(drift[r], 0, tolerance, "constraint %d, row %d accelerates", i, r);
    }
  }
  double worst = creature_difference(tau + first, f->tau + first, nv - first);
  CHECK(worst < tolerance, "forces are off by %g", worst);
}

static void equations_hold(void) {
  for (int i = 0; i < 4; i++) {
    fixture f;
    brio_dynamics_constraint list[2];
    start(&f, creature_load(i & 1, i & 2 ? BRIO_BASE_FREE : BRIO_BASE_FIXED));
    for (int k = 0; k < 20; k++) {
      draw(&f);
      solve(&f, list, list_of(&f, list));
      check_solution(&f, list, 2, 1e-8);
    }
    end(&f);
  }
}

/* The same constraint twice: the same motion, each with half the force. */
static void repeated_constraints_share_their_force(void) {
  fixture f;
  brio_dynamics_constraint list[4];
  double du[CREATURE_MOST], forces[ROWS];
  start(&f, creature_load(true, BRIO_BASE_FREE));
  for (int k = 0; k < 10; k++) {
    draw(&f);
    list_of(&f, list);
    solve(&f, list, 2);
    memcpy(du, f.du, sizeof du);
    memcpy(forces, f.forces, sizeof forces);
    memcpy(list + 2, list, 2 * sizeof *list);
    solve(&f, list, 4);
    CHECK(creature_difference(f.du, du, f.robot->nv) < 1e-7, "another motion: %g",
          creature_difference(f.du, du, f.robot->nv));
    for (int i = 0; i < 18; i++) f.forces[i] *= 2;
    CHECK(creature_difference(f.forces, forces, 9) < 1e-6, "not half the force");
    CHECK(creature_difference(f.forces + 9, forces, 9) < 1e-6, "not half the force");
    CHECK(f.constraints.nrow == 18 && f.constraints.iterations < f.constraints.niteration,
          "%d rows, %d iterations", f.constraints.nrow, f.constraints.iterations);
  }
  end(&f);
}

/* A gap and its rate are pulled to 0 as asked. */
static void gaps_are_pulled(void) {
  fixture f;
  brio_dynamics_constraint one;
  start(&f, creature_load(true, BRIO_BASE_FREE));
  draw(&f);
  int link = brio_robot_link(f.robot, "d", NULL);
  brio_vec3 point = {0.1, 0, 0.2};
  brio_point_motion here = brio_dynamics_point(&f.dynamics, f.q, f.u, link, point, NULL, NULL);
  one = (brio_dynamics_constraint){.link = link,
                                   .on_link = {point, {0, 0, 0, 1}},
                                   .other = -1,
                                   .on_other = {{1, 2, 3}, {0, 0, 0, 1}},
                                   .stiffness = 100,
                                   .damping = 20};
  solve(&f, &one, 1);
  static double jacobian[6 * CREATURE_MOST];
  brio_dynamics_point(&f.dynamics, f.q, f.u, link, point, jacobian, NULL);
  const double gap[] = {here.at.x - 1, here.at.y - 2, here.at.z - 3};
  for (int r = 0; r < 3; r++) {
    double got = here.drift[r];
    for (int v = 0; v < f.robot->nv; v++) got += jacobian[r * f.robot->nv + v] * f.du[v];
    CHECK_NEAR(got, -100 * gap[r] - 20 * here.velocity[r], 1e-6, "row %d", r);
  }
  end(&f);
}

/* Two cranks and a coupler as long as the ground between them: a parallelogram, which swings as
**   (2 m L^2 / 3 + M L^2) angle'' = -(m + M) g L sin angle,   m of a crank, M of the coupler. */
static const char loop_text[] =
    "<robot name='loop'><link name='ground'/>"
    "<link name='left'><inertial><origin xyz='0 0 -0.2'/><mass value='1.5'/>"
    "<inertia ixx='0.02' ixy='0' ixz='0' iyy='0.02' iyz='0' izz='0.02'/></inertial></link>"
    "<link name='right'><inertial><origin xyz='0 0 -0.2'/><mass value='1.5'/>"
    "<inertia ixx='0.02' ixy='0' ixz='0' iyy='0.02' iyz='0' izz='0.02'/></inertial></link>"
    "<link name='coupler'><inertial><origin xyz='0.4 0 0'/><mass value='2'/>"
    "<inertia ixx='0.05' ixy='0' ixz='0' iyy='0.05' iyz='0' izz='0.05'/></inertial></link>"
    "<joint name='a' type='continuous'><parent link='ground'/><child link='left'/><axis xyz='0 1 0'/></joint>"
    "<joint name='b' type='continuous'><parent link='ground'/><child link='right'/><origin xyz='0.8 0 0'/>"
    "<axis xyz='0 1 0'/></joint>"
    "<joint name='c' type='continuous'><parent link='left'/><child link='coupler'/><origin xyz='0 0 -0.4'/>"
    "<axis xyz='0 1 0'/></joint></robot>";

static void closed_loop_moves_as_one_angle(void) {
  fixture f;
  brio_error err;
  brio_robot *robot = brio_robot_parse(loop_text, strlen(loop_text), "loop.urdf", NULL, &err);
  CHECK(robot, "%s", err.message);
  if (!robot) return;
  start(&f, robot);
  brio_dynamics_constraint loop = {.link = brio_robot_link(robot, "coupler", NULL),
                                   .on_link = {{0.8, 0, 0}, {0, 0, 0, 1}},
                                   .other = brio_robot_link(robot, "right", NULL),
                                   .on_other = {{0, 0, -0.4}, {0, 0, 0, 1}}};
  double m = 1.5, other = 2, length = 0.4;
  double inertia = 2 * (0.02 + m * 0.04) + other * length * length;
  for (int k = 0; k < 10; k++) {
    double angle = -1.4 + 0.3 * k, rate = 0.5 * k;
    brio_robot_neutral(robot, f.q);
    f.q[7] = f.q[8] = angle, f.q[9] = -angle;
    f.u[6] = f.u[7] = rate, f.u[8] = -rate;
    solve(&f, &loop, 1);
    double expected = -(m + other) * 9.81 * length * sin(angle) / inertia;
    CHECK_NEAR(f.du[6], expected, 1e-9 * (1 + fabs(expected)), "left, at %g", angle);
    CHECK_NEAR(f.du[7], expected, 1e-9 * (1 + fabs(expected)), "right, at %g", angle);
    CHECK_NEAR(f.du[8], -expected, 1e-9 * (1 + fabs(expected)), "coupler, at %g", angle);
    /* The row across the plane is redundant: no force is needed there. */
    CHECK_NEAR(f.forces[1], 0, 1e-9, "a force across the plane");
  }
  end(&f);
}

static void impacts_stop_what_they_hold(void) {
  fixture f;
  brio_error err;
  brio_dynamics_constraint list[2];
  double after[CREATURE_MOST], impulses[ROWS];
  start(&f, creature_load(false, BRIO_BASE_FREE));
  for (int k = 0; k < 20; k++) {
    draw(&f);
    int count = list_of(&f, list);
    bool good =
        brio_dynamics_impact(&f.dynamics, &f.constraints, list, count, f.q, f.u, after, impulses, &err);
    CHECK(good, "%s", err.message);
    brio_point_motion m =
        brio_dynamics_point(&f.dynamics, f.q, after, list[0].link, list[0].on_link.p, NULL, NULL);
    for (int r = 0; r < 6; r++) CHECK_NEAR(m.velocity[r], 0, 1e-8, "row %d still moves", r);
    double before = brio_dynamics_kinetic_energy(&f.dynamics, f.q, f.u);
    double left = brio_dynamics_kinetic_energy(&f.dynamics, f.q, after);
    CHECK(left >= 0 && left < before, "%g J became %g J", before, left);
  }
  end(&f);
}

/* A link that has two joints cannot be held at a point that flees in three directions: the rest is told, and
** forces stay those that do something. */
static void contradictions_are_told(void) {
  fixture f;
  start(&f, creature_load(true, BRIO_BASE_FIXED));
  draw(&f);
  brio_dynamics_constraint one = {.link = brio_robot_link(f.robot, "c", NULL),
                                  .other = -1,
                                  .on_link = {{0.1, 0, 0}, {0, 0, 0, 1}},
                                  .on_other = {{5, 4, 3}, {0, 0, 0, 1}},
                                  .stiffness = 50};
  solve(&f, &one, 1);
  CHECK(f.constraints.residual > 1, "residual %g", f.constraints.residual);
  brio_vec3 force = {f.forces[0], f.forces[1], f.forces[2]};
  CHECK(brio_vec3_norm(force) < 1e5, "%g N", brio_vec3_norm(force));
  /* The least error: what is left has no component along the joints. */
  static double jacobian[6 * CREATURE_MOST];
  int nv = f.robot->nv;
  brio_point_motion m = brio_dynamics_point(&f.dynamics, f.q, f.u, one.link, one.on_link.p, jacobian, NULL);
  double wanted[] = {5 - m.at.x, 4 - m.at.y, 3 - m.at.z}, left[3];
  for (int r = 0; r < 3; r++) {
    left[r] = 50 * wanted[r] - m.drift[r];
    for (int v = 0; v < nv; v++) left[r] -= jacobian[r * nv + v] * f.du[v];
  }
  for (int v = BRIO_BASE_NV; v < nv; v++) {
    double along = 0;
    for (int r = 0; r < 3; r++) along += jacobian[r * nv + v] * left[r];
    CHECK_NEAR(along, 0, 1e-6, "variable %d", v);
  }
  end(&f);
}

static void bad_constraints_are_refused(void) {
  fixture f;
  brio_error err;
  start(&f, creature_load(true, BRIO_BASE_FIXED));
  draw(&f);
  brio_dynamics_constraint many[5], wrong = {.link = 99, .other = -1};
  for (int i = 0; i < 5; i++) many[i] = (brio_dynamics_constraint){.link = 1, .other = -1, .rigid = true};
  CHECK(
      !brio_dynamics_constrained(&f.dynamics, &f.constraints, many, 5, f.q, f.u, f.tau, f.du, f.forces, &err),
      "30 rows in 24");
  CHECK_HAS(err.message, "30 rows");
  CHECK(!brio_dynamics_constrained(&f.dynamics, &f.constraints, &wrong, 1, f.q, f.u, f.tau, f.du, f.forces,
                                   &err),
        "link 99");
  CHECK_HAS(err.message, "links 99");
  end(&f);
}

/* A loop between links that cannot move against each other holds nothing, and takes no forces. */
static void loops_of_one_body_change_nothing(void) {
  fixture f;
  double free_du[CREATURE_MOST];
  brio_error err;
  start(&f, creature_load(true, BRIO_BASE_FREE));
  /* h carries the tip, where the URDF has it. */
  brio_quat turn = brio_quat_mul(
      brio_quat_exp((brio_vec3){0, 0, 0.6}),
      brio_quat_mul(brio_quat_exp((brio_vec3){0, -0.5, 0}), brio_quat_exp((brio_vec3){0.4, 0, 0})));
  brio_dynamics_constraint loop = {.link = brio_robot_link(f.robot, "tip", NULL),
                                   .other = brio_robot_link(f.robot, "h", NULL)};
  for (int n = 0; n < 50; n++) {
    draw(&f);
    loop.on_link = (brio_pose){{f.q[0], f.q[1], f.q[2]}, {0, 0, 0, 1}};
    loop.on_other = brio_pose_mul((brio_pose){{0.1, 0.2, 0.3}, turn}, loop.on_link);
    loop.rigid = n % 2 == 0;
    CHECK(brio_dynamics_forward(&f.dynamics, f.q, f.u, f.tau, free_du, &err), "%s", err.message);
    solve(&f, &loop, 1);
    CHECK(creature_difference(f.du, free_du, f.robot->nv) < 1e-12, "%g",
          creature_difference(f.du, free_du, f.robot->nv));
    for (int k = 0; k < (loop.rigid ? 6 : 3); k++)
      CHECK(fabs(f.forces[k]) < 1e-6, "force %g", f.forces[k]);
  }
  end(&f);
}

static void gains_that_open_a_gap_are_refused(void) {
  static const double bad[][2] = {{-1, 0}, {0, -1e-9}, {NAN, 0}, {0, NAN}, {INFINITY, 0}, {0, INFINITY}};
  fixture f;
  brio_error err;
  start(&f, creature_load(true, BRIO_BASE_FIXED));
  draw(&f);
  brio_dynamics_constraint list[] = {{.link = 1, .other = -1, .on_link = BRIO_POSE_IDENTITY},
                                     {.link = 1, .other = -1, .on_link = BRIO_POSE_IDENTITY}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    list[1].stiffness = bad[i][0], list[1].damping = bad[i][1];
    CHECK(!brio_dynamics_constrained(&f.dynamics, &f.constraints, list, 2, f.q, f.u, f.tau, f.du, f.forces,
                                     &err),
          "stiffness %g, damping %g", bad[i][0], bad[i][1]);
    CHECK_HAS(err.message, "constraint 2: stiffness");
    CHECK_HAS(err.message, "expected finite numbers of at least 0");
  }
  list[1].stiffness = list[1].damping = 0;
  solve(&f, list, 2);
  end(&f);
}

CHECK_SUITE(CHECK_TEST(equations_hold), CHECK_TEST(repeated_constraints_share_their_force),
            CHECK_TEST(gaps_are_pulled), CHECK_TEST(closed_loop_moves_as_one_angle),
            CHECK_TEST(impacts_stop_what_they_hold), CHECK_TEST(contradictions_are_told),
             CHECK_TEST(bad_constraints_are_refused), CHECK_TEST(loops_of_one_body_change_nothing),
             CHECK_TEST(gains_that_open_a_gap_are_refused))
