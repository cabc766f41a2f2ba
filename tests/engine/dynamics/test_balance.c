/* The solver's objectives that stand on dynamics: zero moment point, capture point, torques, momentum.  Their
** rows are compared with values by other ways (the wrench of the ground by inverse dynamics, centers of mass
** of poses), and in the solver they must do what they are for. */
#include "dynamics/dynamics.h"
#include "tests/engine/solver/stage.h"

#define DT 0.01

/* An objective with its instance on a stage, and what its values are compared with. */
typedef struct scene {
  brio_robot *robot;
  stage s;
  judged term;
  brio_dynamics dynamics;
  double u[MAX_NV], du[MAX_NV], tau[MAX_NV], r[MAX_ROWS];
} scene;

static const double SQUARE[] = {-0.1, -0.1, 0.05, 0.1, -0.1, 0.05, 0.1, 0.1, 0.05, -0.1, 0.1, 0.05};

static void begin(scene *c, const char *kind, bool bounded, uint64_t seed) {
  brio_error err = {0};
  memset(c, 0, sizeof *c);
  c->robot = demo_arm(bounded);
  stage_start(&c->s, c->robot);
  c->s.needs = BRIO_NEEDS_COM;
  c->term.kind = brio_objective_kind_find(kind, &err);
  CHECK(c->term.kind, "%s", err.message);
  c->term.self = stage_instance(c->term.kind, c->robot, false);
  CHECK(c->term.kind->bind(c->term.self, c->robot, 1, &err), "%s", err.message);
  CHECK(brio_dynamics_start(&c->dynamics, c->robot, NULL, &err), "%s", err.message);
  if (c->term.kind->goal)
    CHECK(brio_goal_make(c->term.kind->goal, SQUARE, 12, &c->term.goal, &err), "%s", err.message);
  brio_random stream = brio_random_stream(seed, "test.balance");
  demo_draw(c->robot, &stream, c->s.q);
  stage_past(&c->s, &stream);
}

static void end(scene *c) {
  c->term.kind->end(c->term.self);
  free(c->term.self);
  brio_dynamics_end(&c->dynamics);
  stage_end(&c->s);
  brio_robot_free(c->robot);
}

/* The rows now; the velocity and acceleration of the step by differences. */
static int judge(scene *c) {
  const brio_evaluation *at = &c->s.at;
  brio_robot_difference(c->robot, at->past[1], at->past[0], c->u);
  for (int i = 0; i < c->robot->nv; i++) {
    c->u[i] /= at->past_dt[0];
    c->du[i] = (at->step[i] / at->dt - c->u[i]) / ((at->dt + at->past_dt[0]) / 2);
  }
  c->term.kind->update(c->term.self, &c->term.goal, at);
  return c->term.kind->residual(c->term.self, &c->term.goal, at, c->r, NULL);
}

/* What the edges of the square would say of a point, with a margin of 2 cm, or as far inside as `rest` is
** where that is less: the sum of squares. */
static double square_of(double x, double y, const brio_vec3 *rest, double scale, int *count) {
  const double inside[] = {x + 0.1, 0.1 - x, y + 0.1, 0.1 - y};
  double margins[] = {0.02, 0.02, 0.02, 0.02};
  if (rest) {
    const double of_rest[] = {rest->x + 0.1, 0.1 - rest->x, rest->y + 0.1, 0.1 - rest->y};
    for (int i = 0; i < 4; i++) margins[i] = fmin(margins[i], of_rest[i]);
  }
  double sum = 0;
  *count = 0;
  for (int i = 0; i < 4; i++) {
    double out = scale * (margins[i] - inside[i]);
    if (out > 1e-12) sum += out * out, ++*count;
  }
  return sum;
}

static double sum_of(const double *r, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += r[i] * r[i];
  return sum;
}

/* The point of the ground about which the wrench of the base, by inverse dynamics, has no horizontal moment;
** return its vertical force. */
static double zero_moment_point(brio_dynamics *dynamics, const double *q, const double *u, const double *du,
                                double height, double point[2]) {
  double tau[MAX_NV];
  brio_dynamics_inverse(dynamics, q, u, du, tau);
  double rise = height - q[2];
  /* Moment about p: m + (root - p) x f, with p.z at the ground. */
  point[0] = q[0] + (-tau[4] + rise * tau[0]) / tau[2];
  point[1] = q[1] + (tau[3] + rise * tau[1]) / tau[2];
  return tau[2];
}

static void zero_moment_point_is_that_of_the_wrench(void) {
  int judged_rows = 0;
  for (int i = 0; i < 40; i++) {
    scene c;
    double point[2];
    int count;
    begin(&c, "zero_moment_point_support", i % 2, (uint64_t)i);
    /* Gentle steps, too, with the point near the square. */
    for (int k = 0; k < 3 && i % 4 < 2; k++) memcpy(c.s.past[k], c.s.q, (size_t)c.robot->nq * sizeof *c.s.q);
    stage_bring(&c.s);
    int rows = judge(&c);
    double force = zero_moment_point(&c.dynamics, c.s.past[0], c.u, c.du, 0.05, point);
    double scale = force / (9.81 * c.robot->mass);
    brio_vec3 com = brio_dynamics_momentum(&c.dynamics, c.s.past[0], NULL, NULL).com;
    double expected = square_of(point[0], point[1], &com, scale, &count);
    if (fabs(expected) > 1e-12) CHECK(rows >= count, "%d rows of %d", rows, count);
    /* The ground does not pull. */
    double light = fmax(0, 0.2 - scale);
    expected += light * light;
    CHECK_NEAR(sum_of(c.r, rows), expected, 1e-9 * (1 + expected), "pose %d", i);
    judged_rows += rows;
    end(&c);
  }
  CHECK(judged_rows > 20, "only %d rows", judged_rows);
}

/* What is measured of three poses, the newest first. */
typedef double measure(brio_dynamics *dynamics, const double *q[3], double half);

/* A run: objectives beside the one that reaches, with their weight, and what is measured. */
typedef struct trial {
  const char *kinds[2]; /* NULL: none */
  double half;          /* m: of the square on the ground that is their goal; 0: they have none */
  double acceleration;  /* rad/s^2: of all joints, at most */
  double weight;
  measure *measured;
} trial;

/* Add the objectives of a trial. */
static void add_objectives(brio_solver *solver, const trial *t) {
  double h = t->half, ground[] = {-h, -h, 0, h, -h, 0, h, h, 0, -h, h, 0};
  brio_error err = {0};
  for (int k = 0; k < 2 && t->kinds[k]; k++) {
    /* The second one keeps a wider margin, so that the first can be met. */
    brio_argument margin = {.name = "margin", .number = 0.02 + 0.02 * k};
    int slot = brio_solver_add(solver, t->kinds[k], t->kinds[k], &margin, h > 0, &err);
    CHECK(slot >= 0, "%s", err.message);
    if (h > 0) CHECK(brio_solver_set_goal(solver, slot, ground, 12, 0, &err), "%s", err.message);
    CHECK(brio_solver_set_weight(solver, slot, t->weight, 0, &err), "%s", err.message);
  }
}

/* Reach for goals that jump from side to side, which must be met; return the greatest measure on the way. */
static double worst_on_the_way(const trial *t) {
  static const double sides[][3] = {{0.3, 0.3, 0.8}, {0.3, -0.3, 0.9}, {0.1, 0.4, 0.8}, {0.4, 0, 0.7}};
  brio_error err = {0};
  brio_robot *robot = demo_arm(false);
  demo_accelerations(robot, t->acceleration);
  brio_dynamics dynamics;
  CHECK(brio_dynamics_start(&dynamics, robot, NULL, &err), "%s", err.message);
  brio_solver *solver = demo_solver(robot, &(brio_solver_options){.unguarded = true});
  double q[4][32], worst = 0, time = 0;
  brio_robot_neutral(robot, q[0]);
  q[0][BRIO_BASE_NQ + 1] = 0.2, q[0][BRIO_BASE_NQ + 3] = 0.9, q[0][BRIO_BASE_NQ + 5] = 0.3;
  brio_solver_reset(solver, q[0], true);
  memcpy(q[1], q[0], sizeof q[0]), memcpy(q[2], q[0], sizeof q[0]);
  int hand = demo_add(solver, "hand", "position_match", "hand", sides[0], 5);
  add_objectives(solver, t);
  double off = 0;
  for (int k = 0; k < 4; k++) {
    CHECK(brio_solver_set_goal(solver, hand, sides[k], 3, 0, &err), "%s", err.message);
    for (int tick = 0; tick < 300; tick++) {
      brio_solution found = demo_run(solver, &time, DT, 1);
      memcpy(q[2], q[1], sizeof q[0]), memcpy(q[1], q[0], sizeof q[0]);
      memcpy(q[0], found.q, (size_t)robot->nq * sizeof *found.q);
      const double *poses[3] = {q[0], q[1], q[2]};
      worst = fmax(worst, t->measured(&dynamics, poses, t->half));
    }
    brio_vec3 at = brio_solver_state(solver)->links[brio_robot_link(robot, "hand", NULL)].p;
    off = fmax(off, hypot(hypot(at.x - sides[k][0], at.y - sides[k][1]), at.z - sides[k][2]));
  }
  CHECK(off < 0.02, "%s: the goal is missed by %g m", t->kinds[0] ? t->kinds[0] : "alone", off);
  brio_solver_free(solver);
  brio_dynamics_end(&dynamics);
  brio_robot_free(robot);
  return worst;
}

/* Velocity and acceleration at the middle one of three poses, the newest first. */
static void differences(const brio_robot *robot, const double *q[3], double *u, double *du) {
  double step[MAX_NV];
  brio_robot_difference(robot, q[2], q[1], u);
  brio_robot_difference(robot, q[1], q[0], step);
  for (int i = 0; i < robot->nv; i++) {
    u[i] /= DT;
    du[i] = (step[i] / DT - u[i]) / DT;
  }
}

/* How far outside of the square the zero moment point is, m. */
static double tipping(brio_dynamics *dynamics, const double *q[3], double half) {
  double u[MAX_NV], du[MAX_NV], point[2];
  differences(dynamics->robot, q, u, du);
  zero_moment_point(dynamics, q[1], u, du, 0, point);
  return fmax(fabs(point[0]), fabs(point[1])) - half;
}

static void hasty_motions_do_not_tip_the_robot(void) {
  double without = worst_on_the_way(&(trial){.half = 0.3, .acceleration = 6, .measured = tipping});
  double with =
      worst_on_the_way(&(trial){{"zero_moment_point_support", "capture_point_support"}, 0.3, 6, 20, tipping});
  printf("#   zero moment point outside by %.3f m, with the objective by %.3f m\n", without, with);
  CHECK(without > 0.1 && with < 0.02, "%g and %g", without, with);
}

/* How far outside of that square the capture point is, m. */
static double falling(brio_dynamics *dynamics, const double *q[3], double half) {
  double u[MAX_NV], step[MAX_NV];
  brio_robot_difference(dynamics->robot, q[1], q[0], step);
  for (int i = 0; i < dynamics->robot->nv; i++) u[i] = step[i] / DT;
  brio_momentum m = brio_dynamics_momentum(dynamics, q[0], u, NULL);
  double time = sqrt(m.com.z / 9.81) / m.mass;
  return fmax(fabs(m.com.x + time * m.linear.x), fabs(m.com.y + time * m.linear.y)) - half;
}

static void the_robot_can_stop_without_a_step(void) {
  double without = worst_on_the_way(&(trial){.half = 0.2, .acceleration = 10, .measured = falling});
  double with = worst_on_the_way(&(trial){{"capture_point_support"}, 0.2, 10, 20, falling});
  printf("#   capture point outside by %.3f m, with the objective by %.3f m\n", without, with);
  CHECK(without > 0.02 && with < 0.005, "%g and %g", without, with);
}

/* The center of mass after the step, and its mean velocity in it, by kinematics. */
static void capture_point_is_that_of_a_pendulum(void) {
  for (int i = 0; i < 20; i++) {
    scene c;
    int count;
    begin(&c, "capture_point_support", i % 2, (uint64_t)i);
    double step[MAX_NV], small = 0.02;
    /* A small step, so that the way of the center of mass is straight. */
    for (int v = 0; v < c.robot->nv; v++)
      step[v] = v < BRIO_BASE_NV && i % 2 == 0 ? 0 : small * c.s.step[v] / c.s.step_slope[v];
    brio_robot_integrate(c.robot, c.s.past[0], step, c.s.q);
    for (int v = 0; v < c.robot->nv; v++) c.s.step_slope[v] = 1;
    stage_bring(&c.s);
    memcpy(c.s.step, step, (size_t)c.robot->nv * sizeof *step);
    int rows = judge(&c);
    brio_state_update(&c.s.state, c.s.past[0]);
    brio_vec3 from = brio_state_update_com(&c.s.state);
    brio_state_update(&c.s.state, c.s.q);
    brio_vec3 to = brio_state_update_com(&c.s.state);
    double time = sqrt(fmax(0.05, from.z - 0.05) / 9.81);
    double x = to.x + time * (to.x - from.x) / DT, y = to.y + time * (to.y - from.y) / DT;
    double expected = square_of(x, y, NULL, 1, &count);
    CHECK_NEAR(sum_of(c.r, rows), expected, 1e-5 * (1 + expected), "pose %d", i);
    end(&c);
  }
}

static void torques_are_those_of_inverse_dynamics(void) {
  int judged_rows = 0;
  for (int i = 0; i < 20; i++) {
    scene c;
    double hold[MAX_NV], sum = 0;
    int count = 0;
    begin(&c, "torque_limits", i % 2, (uint64_t)i);
    int rows = judge(&c), n = c.robot->nvariable;
    brio_dynamics_inverse(&c.dynamics, c.s.past[0], c.u, c.du, c.tau);
    brio_dynamics_inverse(&c.dynamics, c.s.past[0], NULL, NULL, hold);
    for (int v = BRIO_BASE_NV; v < BRIO_BASE_NV + n; v++) {
      double excess = fabs(c.tau[v]) / 50 - fmax(0.9, fabs(hold[v]) / 50);
      if (excess > 0) sum += excess * excess, count++;
    }
    CHECK(rows == count, "%d rows of %d", rows, count);
    CHECK_NEAR(sum_of(c.r, rows), sum, 1e-10 * (1 + sum), "pose %d", i);
    judged_rows += rows;
    /* At rest there is nothing to limit. */
    for (int k = 0; k < 3; k++) memcpy(c.s.past[k], c.s.q, (size_t)c.robot->nq * sizeof *c.s.q);
    stage_bring(&c.s);
    rows = judge(&c);
    CHECK(sum_of(c.r, rows) < 1e-20, "%d rows at rest", rows);
    end(&c);
  }
  CHECK(judged_rows > 20, "only %d rows", judged_rows);
}

/* The greatest torque of a joint on the way, N m. */
static double torque(brio_dynamics *dynamics, const double *q[3], double half) {
  (void)half;
  double u[MAX_NV], du[MAX_NV], tau[MAX_NV], most = 0;
  differences(dynamics->robot, q, u, du);
  brio_dynamics_inverse(dynamics, q[1], u, du, tau);
  for (int i = BRIO_BASE_NV; i < dynamics->robot->nv; i++) most = fmax(most, fabs(tau[i]));
  return most;
}

static void torques_stay_within_their_limits(void) {
  double without = worst_on_the_way(&(trial){.half = 0, .acceleration = 10, .measured = torque});
  double with = worst_on_the_way(&(trial){{"torque_limits"}, 0, 10, 20, torque});
  printf("#   torques up to %.0f N m, with the objective %.0f N m\n", without, with);
  CHECK(with < 0.7 * without, "%g and %g", without, with);
}

static void momentum_is_that_of_dynamics(void) {
  for (int i = 0; i < 20; i++) {
    scene c;
    begin(&c, "momentum_minimization", i % 2, (uint64_t)i);
    int rows = judge(&c);
    double rates[MAX_NV];
    for (int v = 0; v < c.robot->nv; v++) rates[v] = c.s.step[v] / c.s.at.dt;
    brio_momentum m = brio_dynamics_momentum(&c.dynamics, c.s.past[0], rates, NULL);
    double scale = sqrt(1 / (400 * c.s.at.dt)) * c.s.at.dt / (m.mass * 0.3);
    CHECK(rows == 3, "%d rows", rows);
    CHECK_NEAR(c.r[0], scale * m.angular.x, 1e-12, "x");
    CHECK_NEAR(c.r[1], scale * m.angular.y, 1e-12, "y");
    CHECK_NEAR(c.r[2], scale * m.angular.z, 1e-12, "z");
    end(&c);
  }
}

/* The greatest angular momentum on the way, kg m^2/s. */
static double turning(brio_dynamics *dynamics, const double *q[3], double half) {
  (void)half;
  double u[MAX_NV], du[MAX_NV];
  differences(dynamics->robot, q, u, du);
  brio_momentum m = brio_dynamics_momentum(dynamics, q[1], u, NULL);
  return brio_vec3_norm(m.angular);
}

static void the_robot_turns_less_about_itself(void) {
  double without = worst_on_the_way(&(trial){.half = 0, .acceleration = 10, .measured = turning});
  double with = worst_on_the_way(&(trial){{"momentum_minimization"}, 0, 10, 5000, turning});
  printf("#   angular momentum up to %.2f kg m^2/s, with the objective %.2f\n", without, with);
  CHECK(with < 0.7 * without, "%g and %g", without, with);
}

CHECK_SUITE(CHECK_TEST(zero_moment_point_is_that_of_the_wrench),
            CHECK_TEST(hasty_motions_do_not_tip_the_robot), CHECK_TEST(capture_point_is_that_of_a_pendulum),
            CHECK_TEST(the_robot_can_stop_without_a_step), CHECK_TEST(torques_are_those_of_inverse_dynamics),
            CHECK_TEST(torques_stay_within_their_limits), CHECK_TEST(momentum_is_that_of_dynamics),
            CHECK_TEST(the_robot_turns_less_about_itself))
