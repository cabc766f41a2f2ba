/* The momentum observer against forward dynamics, which is tested by itself: a creature (creature.h) or an
** arm moves under known torques and known external forces, and the residual must be the low-pass of J^T f.
** What is trusted: a Runge-Kutta step of fourth order, whose error is far below the observer's. */
#include "dynamics/observer/observer.h"
#include "robot/kinematics.h"
#include "tests/allocations.h"
#include "tests/engine/dynamics/creature.h"

/* A robot that moves, its observer, and what acts on it. */
typedef struct plant {
  brio_robot *robot;
  brio_dynamics dynamics;
  brio_observer observer;
  int first, link;
  brio_vec3 point, force, moment; /* at `link`, world axes */
  double t, wave;                 /* s; N m: of the torques besides `hold` */
  double q[CREATURE_MOST], u[CREATURE_MOST], hold[CREATURE_MOST], tau[CREATURE_MOST];
} plant;

static void begin(plant *p, brio_robot *robot, bool with_options, const brio_observer_options *options) {
  static double armature[CREATURE_MOST], damping[CREATURE_MOST];
  brio_error err;
  memset(p, 0, sizeof *p);
  for (int i = 0; i < CREATURE_MOST; i++) armature[i] = 0.1 + 0.01 * i, damping[i] = 0.2;
  brio_dynamics_options of_dynamics = {armature, damping};
  p->robot = robot;
  p->first = robot->base == BRIO_BASE_FIXED ? BRIO_BASE_NV : 0;
  p->link = robot->nlink - 1;
  p->wave = 0.3;
  bool good = brio_dynamics_start(&p->dynamics, robot, with_options ? &of_dynamics : NULL, &err);
  CHECK(good, "%s", err.message);
  good = brio_observer_start(&p->observer, &p->dynamics, options, &err);
  CHECK(good, "%s", err.message);
}

static void end(plant *p) {
  brio_observer_end(&p->observer);
  brio_dynamics_end(&p->dynamics);
  brio_robot_free(p->robot);
}

/* J^T f of what acts from outside, in configuration q. */
static void outside(plant *p, const double *q, double *out) {
  static double jacobian[6 * CREATURE_MOST];
  int nv = p->robot->nv;
  const double f[] = {p->force.x, p->force.y, p->force.z, p->moment.x, p->moment.y, p->moment.z};
  brio_dynamics_point(&p->dynamics, q, NULL, p->link, p->point, jacobian, NULL);
  for (int v = 0; v < nv; v++) {
    out[v] = 0;
    for (int k = 0; k < 6; k++) out[v] += jacobian[k * nv + v] * f[k];
  }
}

/* The torques at a moment: what holds the first pose, and a slow wave. */
static void torques(const plant *p, double t, double *out) {
  for (int v = 0; v < p->robot->nv; v++) out[v] = p->hold[v] + p->wave * sin(3 * t + v);
}

/* The acceleration at time t in a state. */
static void accelerate(plant *p, double t, const double *q, const double *u, double *du) {
  double tau[CREATURE_MOST], f[CREATURE_MOST];
  brio_error err;
  torques(p, t, tau);
  outside(p, q, f);
  for (int v = 0; v < p->robot->nv; v++) tau[v] += f[v];
  bool good = brio_dynamics_forward(&p->dynamics, q, u, tau, du, &err);
  CHECK(good, "%s", err.message);
}

/* One step of Runge and Kutta.  A base that turns is brought on by one rotation vector from the step's
** beginning, which leaves errors of third order a step. */
static void advance(plant *p, double dt) {
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  int nv = p->robot->nv;
  double q[CREATURE_MOST], u[CREATURE_MOST], du[4][CREATURE_MOST], rate[4][CREATURE_MOST];
  double step[CREATURE_MOST];
  for (int k = 0; k < 4; k++) {
    for (int v = 0; v < nv; v++) {
      step[v] = k ? at[k] * dt * rate[k - 1][v] : 0;
      rate[k][v] = u[v] = p->u[v] + (k ? at[k] * dt * du[k - 1][v] : 0);
    }
    brio_robot_integrate(p->robot, p->q, step, q);
    accelerate(p, p->t + at[k] * dt, q, u, du[k]);
  }
  for (int v = 0; v < nv; v++) {
    step[v] = 0;
    for (int k = 0; k < 4; k++) step[v] += dt * weight[k] * rate[k][v], p->u[v] += dt * weight[k] * du[k][v];
  }
  brio_robot_integrate(p->robot, p->q, step, p->q);
  p->t += dt;
}

/* Begin in a random pose, held against gravity, at a random velocity of this size. */
static void draw(plant *p, double speed) {
  brio_random random = brio_random_stream(3, "test.observer");
  creature_pose(p->robot, &random, p->q);
  creature_rates(p->robot, &random, p->u);
  for (int v = 0; v < p->robot->nv; v++) p->u[v] = v < p->first ? 0 : speed * p->u[v];
  brio_dynamics_inverse(&p->dynamics, p->q, NULL, NULL, p->hold);
}

/* Update the observer with the state now. */
static void observe(plant *p, double dt) {
  brio_error err;
  torques(p, p->t, p->tau);
  bool good = brio_observer_update(&p->observer, p->q, p->u, p->tau, dt, &err);
  CHECK(good, "%s", err.message);
}

/* p = M u, and its rate is dM/dt u - h by differences of M along the motion. */
static void check_momentum(plant *p, brio_random *random) {
  static double up[CREATURE_MOST * CREATURE_MOST], down[CREATURE_MOST * CREATURE_MOST];
  int nv = p->robot->nv;
  double momentum[CREATURE_MOST], rate[CREATURE_MOST], bias[CREATURE_MOST], sum[CREATURE_MOST];
  double step[CREATURE_MOST], q[CREATURE_MOST], h = 1e-5, expected[CREATURE_MOST];
  creature_pose(p->robot, random, p->q);
  creature_rates(p->robot, random, p->u);
  brio_dynamics_generalized_momentum(&p->dynamics, p->q, p->u, momentum, rate);
  brio_dynamics_inverse(&p->dynamics, p->q, p->u, NULL, bias);
  const double *mass = brio_dynamics_mass(&p->dynamics, p->q);
  for (int i = 0; i < nv; i++) {
    sum[i] = 0;
    for (int k = p->first; k < nv; k++) sum[i] += mass[i * nv + k] * p->u[k];
  }
  CHECK(creature_difference(momentum, sum, nv) < 1e-13, "p is not M u: %g",
        creature_difference(momentum, sum, nv));
  for (int side = -1; side <= 1; side += 2) {
    for (int v = 0; v < nv; v++) step[v] = v < p->first ? 0 : side * h * p->u[v];
    brio_robot_integrate(p->robot, p->q, step, q);
    memcpy(side < 0 ? down : up, brio_dynamics_mass(&p->dynamics, q), (size_t)(nv * nv) * sizeof *up);
  }
  for (int i = 0; i < nv; i++) {
    expected[i] = i < p->first ? 0 : -bias[i];
    for (int k = p->first; k < nv; k++)
      expected[i] += (up[i * nv + k] - down[i * nv + k]) / (2 * h) * p->u[k];
  }
  CHECK(creature_difference(rate, expected, nv) < 1e-8, "rate is off by %g",
        creature_difference(rate, expected, nv));
}

static void momentum_is_mass_times_velocity(void) {
  for (int i = 0; i < 8; i++) {
    plant p;
    brio_observer_options options = brio_observer_default_options();
    brio_random random = brio_random_stream(5, "test.momentum");
    begin(&p, creature_load(i & 1, i & 2 ? BRIO_BASE_FREE : BRIO_BASE_FIXED), i & 4, &options);
    for (int k = 0; k < 20; k++) check_momentum(&p, &random);
    end(&p);
  }
}

/* The largest residual in a third of a second without external forces. */
static double worst_without_force(int variant, double dt) {
  plant p;
  brio_observer_options options = brio_observer_default_options();
  begin(&p, creature_load(variant & 1, variant & 2 ? BRIO_BASE_FREE : BRIO_BASE_FIXED), variant & 4,
        &options);
  draw(&p, 0.5);
  double worst = 0;
  for (int k = 0; k * dt < 0.3; k++) {
    observe(&p, dt);
    for (int v = 0; v < p.robot->nv; v++) worst = fmax(worst, fabs(p.observer.residual[v]));
    advance(&p, dt);
  }
  CHECK(worst > 0 && worst < INFINITY, "%g", worst);
  end(&p);
  return worst;
}

/* The error is that of the trapezoidal rule: below 1e-6 at steps of 0.1 ms, and of second order. */
static void without_a_force_the_residual_is_0(void) {
  for (int i = 0; i < 8; i++) {
    double fine = worst_without_force(i, 1e-4), coarse = worst_without_force(i, 4e-4);
    printf("#   creature %d: %.1e at 0.1 ms, %.1e at 0.4 ms\n", i, fine, coarse);
    CHECK(fine < 1e-6, "creature %d: %g", i, fine);
    CHECK(coarse / fine > 10 && coarse / fine < 24, "not of second order: %g and %g", fine, coarse);
  }
}

/* On a base that moves and turns about one axis, too. */
static void a_base_that_moves_is_observed(void) {
  static const char text[] =
      "<robot name='pair'><link name='a'><inertial><mass value='3'/><origin xyz='0.1 0 0'/><inertia ixx='1' "
      "iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><link name='b'><inertial><mass value='2'/>"
      "<origin xyz='0.4 0 0'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
      "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><origin xyz='0 0.2 0'/>"
      "<axis xyz='0 0 1'/></joint></robot>";
  brio_error err;
  brio_robot_options free = {.base = BRIO_BASE_FREE};
  brio_robot *robot = brio_robot_parse(text, strlen(text), "pair.urdf", &free, &err);
  CHECK(robot, "%s", err.message);
  if (!robot) return;
  plant p;
  brio_observer_options options = brio_observer_default_options();
  begin(&p, robot, false, &options);
  brio_robot_neutral(robot, p.q);
  p.q[3] = 0, p.q[4] = 0, p.q[5] = sin(0.3), p.q[6] = cos(0.3);
  memcpy(p.u, (double[]){0.7, -0.4, 0.3, 0, 0, 1.1, -2}, 7 * sizeof *p.u);
  p.wave = 0;
  for (int force = 0; force < 2; force++) {
    /* Forces in the plane, so that it turns about z alone; it falls, too. */
    if (force) p.force = (brio_vec3){3, -2, 0}, p.moment = (brio_vec3){0, 0, 1}, p.point.x = 0.5;
    double dt = 2e-4, expected[CREATURE_MOST] = {0}, before[CREATURE_MOST], now[CREATURE_MOST], worst = 0;
    brio_observer_reset(&p.observer);
    for (int k = 0; k * dt < 0.5; k++) {
      outside(&p, p.q, now);
      observe(&p, dt);
      for (int v = 0; k && v < robot->nv; v++) {
        expected[v] += -expm1(-options.gain * dt) * ((now[v] + before[v]) / 2 - expected[v]);
        worst = fmax(worst, fabs(p.observer.residual[v] - expected[v]));
      }
      memcpy(before, now, sizeof now);
      advance(&p, dt);
    }
    printf("#   %s a force: off by %.1e\n", force ? "with" : "without", worst);
    CHECK(worst < 2e-4, "%g", worst);
  }
  end(&p);
}

/* At rest, held by its torques against the force, too, the residual is (1 - exp(-K t)) J^T f to rounding,
** whatever the steps; a motion gives the same low-pass of what changes. */
static void the_residual_rises_with_1_over_gain(void) {
  brio_random random = brio_random_stream(9, "test.steps");
  for (int base = 0; base < 2; base++) {
    plant p;
    brio_error err;
    brio_observer_options options = brio_observer_default_options();
    options.gain = 40;
    begin(&p, creature_load(true, base ? BRIO_BASE_FREE : BRIO_BASE_FIXED), false, &options);
    draw(&p, 0);
    p.force = (brio_vec3){5, -3, 8}, p.moment = (brio_vec3){0.4, 0.3, -0.6},
    p.point = (brio_vec3){0, 0.1, 0.2};
    double f[CREATURE_MOST], t = 0, dt = 0;
    outside(&p, p.q, f);
    for (int v = p.first; v < p.robot->nv; v++) p.hold[v] -= f[v];
    for (int k = 0; k < 400; k++, t += dt) {
      bool good = brio_observer_update(&p.observer, p.q, p.u, p.hold, dt, &err);
      CHECK(good, "%s", err.message);
      for (int v = 0; v < p.robot->nv; v++) {
        double wanted = v < p.first ? 0 : -expm1(-40 * t) * f[v];
        CHECK_NEAR(p.observer.residual[v], wanted, 1e-10, "number %d after %g s", v, t);
      }
      dt = brio_random_uniform(&random, 1e-5, 5e-3);
    }
    end(&p);
  }
}

/* A moving arm that is pushed: the residual is the low-pass of J^T f along the motion. */
static void a_push_in_motion_is_followed(void) {
  plant p;
  brio_observer_options options = brio_observer_default_options();
  begin(&p, creature_load(true, BRIO_BASE_FIXED), true, &options);
  draw(&p, 0.5);
  p.point = (brio_vec3){0.05, 0, 0.1};
  double dt = 5e-4, expected[CREATURE_MOST] = {0}, before[CREATURE_MOST], now[CREATURE_MOST], worst = 0;
  double size = 0;
  for (int k = 0; k * dt < 0.4; k++) {
    /* The step of the force falls between two updates. */
    outside(&p, p.q, now);
    observe(&p, dt);
    for (int v = p.first; k && v < p.robot->nv; v++) {
      expected[v] += -expm1(-options.gain * dt) * ((now[v] + before[v]) / 2 - expected[v]);
      worst = fmax(worst, fabs(p.observer.residual[v] - expected[v]));
      size = fmax(size, fabs(now[v]));
    }
    if (k == 200) p.force = (brio_vec3){2, 3, -4};
    outside(&p, p.q, before);
    advance(&p, dt);
  }
  printf("#   torques up to %.2f N m: off by %.1e\n", size, worst);
  CHECK(size > 0.5 && worst < 1e-4 * size, "%g of %g", worst, size);
  end(&p);
}

/* An arm at rest in a bent pose, with thresholds of 2 N m. */
static void begin_arm(plant *p, brio_observer_options *options, const char *link) {
  static const double bent[] = {0.3, -0.4, 0.2, -1.9, 0.4, 1.7, 0.6};
  static double thresholds[CREATURE_MOST];
  brio_error err;
  brio_robot *robot = brio_robot_load("drivers/robots/panda/model.urdf", NULL, &err);
  CHECK(robot, "%s", err.message);
  if (!robot) exit(1);
  for (int i = 0; i < CREATURE_MOST; i++) thresholds[i] = 2;
  options->thresholds = thresholds;
  begin(p, robot, false, options);
  brio_robot_neutral(robot, p->q);
  for (int i = 0; i < 7; i++) p->q[BRIO_BASE_NQ + i] = bent[i];
  brio_dynamics_inverse(&p->dynamics, p->q, NULL, NULL, p->hold);
  p->link = brio_robot_link(robot, link, &err);
  CHECK(p->link >= 0, "%s", err.message);
}

/* Update at rest, pushed by what acts now and held in place by the motors. */
static void rest(plant *p, int steps, double dt) {
  double f[CREATURE_MOST], tau[CREATURE_MOST];
  brio_error err;
  outside(p, p->q, f);
  for (int v = 0; v < p->robot->nv; v++) tau[v] = p->hold[v] - f[v];
  for (int k = 0; k < steps; k++) {
    bool good = brio_observer_update(&p->observer, p->q, p->u, tau, dt, &err);
    CHECK(good, "%s", err.message);
  }
}

static void a_wrench_is_found_at_its_link(void) {
  plant p;
  brio_error err;
  brio_observer_options options = brio_observer_default_options();
  brio_observer_wrench out;
  begin_arm(&p, &options, "panda_hand");
  p.point = (brio_vec3){0.02, -0.01, 0.1}, p.force = (brio_vec3){4, -7, 3};
  bool good = brio_observer_wrench_at(&p.observer, p.link, p.point, 6, &out, &err);
  CHECK(!good, "before any update");
  CHECK_HAS(err.message, "no update yet");
  for (int rows = 6; rows >= 3; rows -= 3) {
    /* A force alone first, then with a moment, which three rows cannot explain. */
    p.moment = (brio_vec3){0, 0, 0};
    rest(&p, 3000, 1e-3);
    good = brio_observer_wrench_at(&p.observer, p.link, p.point, rows, &out, &err);
    CHECK(good && out.rank == rows, "%s, rank %d", good ? "" : err.message, out.rank);
    const double f[] = {4, -7, 3, 0, 0, 0};
    for (int k = 0; k < 6; k++) CHECK_NEAR(out.wrench[k], f[k], 1e-9, "%d rows, number %d", rows, k);
    CHECK(out.misfit < 1e-9, "%g", out.misfit);
    p.moment = (brio_vec3){0.5, -0.2, 0.8};
    rest(&p, 3000, 1e-3);
    good = brio_observer_wrench_at(&p.observer, p.link, p.point, rows, &out, &err);
    if (rows == 6) CHECK_NEAR(out.wrench[5], 0.8, 1e-9, "its moment");
    CHECK(rows == 6 ? out.misfit < 1e-9 : out.misfit > 0.1, "%d rows: misfit %g", rows, out.misfit);
  }
  /* Two joints carry this link: of six directions they feel two, and what they feel is explained. */
  p.link = brio_robot_link(p.robot, "panda_link2", &err);
  p.moment = (brio_vec3){0, 0, 0}, p.point = (brio_vec3){0, -0.1, 0.05};
  rest(&p, 3000, 1e-3);
  good = brio_observer_wrench_at(&p.observer, p.link, p.point, 6, &out, &err);
  CHECK(good && out.rank == 2, "rank %d", out.rank);
  CHECK(out.misfit < 1e-9, "%g", out.misfit);
  double length = 0;
  for (int k = 0; k < 6; k++) length += out.wrench[k] * out.wrench[k];
  CHECK(length < 16 + 49 + 9, "not the least one: %g", length);
  /* The root link moves nothing. */
  good = brio_observer_wrench_at(&p.observer, 0, p.point, 6, &out, &err);
  CHECK(good && out.rank == 0 && out.wrench[0] == 0 && out.misfit > 0.1, "rank %d", out.rank);
  end(&p);
}

/* Return the name of the outermost link in the list; NULL: there is none. */
static const char *outermost(const plant *p) {
  brio_observer_collision list[CREATURE_MOST];
  const char *name = NULL;
  int count = brio_observer_collisions(&p->observer, list);
  for (int i = 0; i < count; i++) {
    CHECK(fabs(list[i].torque) > 0.5 * list[i].threshold && list[i].threshold == 2, "%g", list[i].torque);
    if (!list[i].outermost) continue;
    CHECK(!name, "two on one branch");
    name = p->robot->links[list[i].link].name;
  }
  return name;
}

static void collisions_are_told_apart(void) {
  plant p;
  brio_observer_options options = brio_observer_default_options();
  options.gain = 100, options.time = 0.005;
  begin_arm(&p, &options, "panda_link4");
  rest(&p, 100, 1e-3);
  CHECK(!outermost(&p), "a collision without a force");
  /* At the forearm: the joints beyond it feel nothing. */
  p.point = (brio_vec3){0, 0, 0.05}, p.force = (brio_vec3){20, 20, 20};
  int ticks = 0;
  while (!outermost(&p) && ticks < 100) rest(&p, 1, 1e-3), ticks++;
  CHECK(ticks >= 6 && ticks < 30, "seen after %d ms", ticks);
  rest(&p, 200, 1e-3);
  const char *name = outermost(&p);
  CHECK(name &&
            (!strcmp(name, "panda_link4") || !strcmp(name, "panda_link3") || !strcmp(name, "panda_link2")),
        "found at %s", name ? name : "none");
  /* It ends when the force does, at 70 % of the threshold. */
  brio_observer_collision list[CREATURE_MOST];
  CHECK(brio_observer_collisions(&p.observer, list) > 0 && list[0].since > 0.15, "since %g s", list[0].since);
  p.force = (brio_vec3){0, 0, 0};
  rest(&p, 100, 1e-3);
  CHECK(!outermost(&p), "it goes on");
  end(&p);
}

/* White noise of known size: the residual spreads as brio_observer_noise says, and six times that is never
** exceeded. */
static void check_noise(bool held) {
  plant p;
  brio_error err;
  brio_observer_options options = brio_observer_default_options();
  options.held = held;
  begin_arm(&p, &options, "panda_hand");
  int nv = p.robot->nv, ticks = (int)(20000 * fmax(1, check_scale())), alarms = 0;
  double of_u[CREATURE_MOST], of_tau[CREATURE_MOST], expected[CREATURE_MOST], sum[CREATURE_MOST] = {0};
  double tau[CREATURE_MOST], dt = 1e-3;
  for (int v = 0; v < nv; v++) of_u[v] = 0.01, of_tau[v] = 0.2;
  brio_observer_noise(&p.observer, p.q, of_u, of_tau, dt, expected);
  brio_random random = brio_random_stream(1, "test.noise");
  for (int k = 0; k < ticks; k++) {
    for (int v = 0; v < nv; v++) {
      p.u[v] = v < BRIO_BASE_NV ? 0 : of_u[v] * brio_random_normal(&random);
      tau[v] = p.hold[v] + of_tau[v] * brio_random_normal(&random);
    }
    bool good = brio_observer_update(&p.observer, p.q, p.u, tau, dt, &err);
    CHECK(good, "%s", err.message);
    for (int v = BRIO_BASE_NV; k > 1000 && v < nv; v++) {
      double r = p.observer.residual[v];
      sum[v] += r * r;
      alarms += fabs(r) > 6 * expected[v];
    }
  }
  for (int v = BRIO_BASE_NV; v < nv; v++)
    CHECK_NEAR(sqrt(sum[v] / (ticks - 1001)) / expected[v], 1, 0.1, "%s", p.robot->variables[v - 6].name);
  CHECK(alarms == 0, "%d alarms", alarms);
  end(&p);
}

static void noise_alarms_nobody(void) {
  check_noise(false);
  check_noise(true);
}

static void held_torques_count_as_such(void) {
  plant p;
  brio_error err;
  brio_observer_options options = brio_observer_default_options();
  options.held = true;
  begin_arm(&p, &options, "panda_hand");
  /* Torques that jump from step to step: what was held is integrated without an error of its own. */
  double dt = 1e-4, worst = 0, du[CREATURE_MOST], tau[CREATURE_MOST], step[CREATURE_MOST];
  memcpy(tau, p.hold, sizeof tau);
  for (int k = 0; k < 2000; k++) {
    bool good = brio_observer_update(&p.observer, p.q, p.u, tau, dt, &err);
    CHECK(good, "%s", err.message);
    for (int v = 0; v < p.robot->nv; v++) worst = fmax(worst, fabs(p.observer.residual[v]));
    for (int v = 6; v < p.robot->nv; v++) tau[v] = p.hold[v] + 0.3 * ((k + v) % 3 - 1);
    /* The middle of the step is a step of second order. */
    double q[CREATURE_MOST], u[CREATURE_MOST];
    for (int half = 0; half < 2; half++) {
      good = brio_dynamics_forward(&p.dynamics, half ? q : p.q, half ? u : p.u, tau, du, &err);
      CHECK(good, "%s", err.message);
      for (int v = 0; v < p.robot->nv && !half; v++)
        step[v] = dt / 2 * p.u[v], u[v] = p.u[v] + dt / 2 * du[v];
      if (!half) brio_robot_integrate(p.robot, p.q, step, q);
    }
    for (int v = 0; v < p.robot->nv; v++) step[v] = dt * u[v], p.u[v] += dt * du[v];
    brio_robot_integrate(p.robot, p.q, step, p.q);
  }
  printf("#   off by %.1e\n", worst);
  CHECK(worst < 1e-4, "%g", worst);
  end(&p);
}

static void a_gap_begins_again(void) {
  plant p;
  brio_observer_options options = brio_observer_default_options();
  begin_arm(&p, &options, "panda_hand");
  p.force = (brio_vec3){20, 20, 20};
  rest(&p, 500, 1e-3);
  CHECK(outermost(&p), "not seen");
  double before = p.observer.residual[7];
  rest(&p, 1, 0.09);
  CHECK(p.observer.gaps == 0 && fabs(p.observer.residual[7]) >= fabs(before), "0.09 s are no gap");
  rest(&p, 1, 0.11);
  CHECK(p.observer.gaps == 1 && p.observer.residual[7] == 0 && !outermost(&p), "it goes on after a gap");
  rest(&p, 500, 1e-3);
  CHECK(outermost(&p), "not seen again");
  brio_observer_reset(&p.observer);
  CHECK(p.observer.residual[7] == 0 && !outermost(&p), "reset");
  end(&p);
}

static void wrong_input_is_refused_and_changes_nothing(void) {
  plant p;
  brio_error err;
  brio_observer_options options = brio_observer_default_options();
  begin_arm(&p, &options, "panda_hand");
  p.force = (brio_vec3){20, 20, 20};
  rest(&p, 100, 1e-3);
  double before[CREATURE_MOST], *numbers[] = {p.q, p.u, p.hold};
  const char *const words[] = {"the configuration of panda_joint3", "the velocity of panda_joint4",
                               "the force of panda_joint4"};
  memcpy(before, p.observer.residual, (size_t)p.robot->nv * sizeof *before);
  for (int i = 0; i < 3; i++) {
    double keep = numbers[i][9];
    numbers[i][9] = i == 1 ? INFINITY : NAN;
    CHECK(!brio_observer_update(&p.observer, p.q, p.u, p.hold, 1e-3, &err), "accepted");
    CHECK_HAS(err.message, words[i]);
    numbers[i][9] = keep;
  }
  static const double times[] = {0, -1, NAN, INFINITY};
  for (int i = 0; i < 4; i++) {
    CHECK(!brio_observer_update(&p.observer, p.q, p.u, p.hold, times[i], &err), "accepted dt %g", times[i]);
    CHECK_HAS(err.message, "dt must be a number above 0");
  }
  CHECK(memcmp(before, p.observer.residual, (size_t)p.robot->nv * sizeof *before) == 0, "it has changed");
  p.u[9] = 1e99;
  CHECK(!brio_observer_update(&p.observer, p.q, p.u, p.hold, 1e-3, &err), "accepted");
  CHECK_HAS(err.message, "expected numbers below 1e100");
  p.u[9] = 0, p.hold[9] += 1e101;
  CHECK(!brio_observer_update(&p.observer, p.q, p.u, p.hold, 1e-3, &err), "accepted");
  CHECK_HAS(err.message, "the force of panda_joint4");
  CHECK(memcmp(before, p.observer.residual, (size_t)p.robot->nv * sizeof *before) == 0, "it has changed");
  /* The shortest time there is moves the residual by what is measured, times the gain, at most. */
  brio_dynamics_inverse(&p.dynamics, p.q, NULL, NULL, p.hold);
  p.u[9] = 1e-3;
  CHECK(brio_observer_update(&p.observer, p.q, p.u, p.hold, 5e-324, &err), "%s", err.message);
  for (int v = 0; v < p.robot->nv; v++)
    CHECK_NEAR(p.observer.residual[v], before[v], 2 * 25 * 1e-3 * 5, "number %d", v);
  brio_observer_wrench out;
  CHECK(!brio_observer_wrench_at(&p.observer, 99, p.point, 6, &out, &err), "accepted");
  CHECK_HAS(err.message, "no link 99");
  CHECK(!brio_observer_wrench_at(&p.observer, 1, p.point, 4, &out, &err), "accepted");
  CHECK(!brio_observer_wrench_at(&p.observer, 1, (brio_vec3){NAN, 0, 0}, 3, &out, &err), "accepted");
  end(&p);
}

static void wrong_options_are_refused(void) {
  brio_error err;
  brio_robot *robot = creature_load(false, BRIO_BASE_FIXED);
  brio_dynamics dynamics;
  CHECK(brio_dynamics_start(&dynamics, robot, NULL, &err), "%s", err.message);
  double thresholds[CREATURE_MOST];
  for (int i = 0; i < CREATURE_MOST; i++) thresholds[i] = i == 2 ? 0 : INFINITY;
  const brio_observer_options good = brio_observer_default_options();
  brio_observer_options wrong[7] = {good, good, good, good, good, good, good};
  static const char *const words[] = {"gain", "max_gap", "filter", "time", "release", "threshold", "gain"};
  wrong[0].gain = 0, wrong[1].max_gap = NAN, wrong[2].filter = -1, wrong[3].time = INFINITY;
  wrong[4].release = 1.5, wrong[5].thresholds = thresholds, wrong[6].gain = NAN;
  for (int i = 0; i < 7; i++) {
    brio_observer observer;
    CHECK(!brio_observer_start(&observer, &dynamics, &wrong[i], &err), "accepted: %s", words[i]);
    CHECK_HAS(err.message, words[i]);
  }
  brio_dynamics_end(&dynamics);
  brio_robot_free(robot);
}

static void nothing_is_allocated(void) {
  plant p;
  brio_observer_options options = brio_observer_default_options();
  brio_observer_wrench out;
  begin_arm(&p, &options, "panda_hand");
  size_t before = allocations;
  p.force = (brio_vec3){20, 20, 20};
  rest(&p, 200, 1e-3);
  outermost(&p);
  brio_observer_wrench_at(&p.observer, p.link, p.point, 6, &out, NULL);
  brio_observer_noise(&p.observer, p.q, p.u, NULL, 1e-3, p.tau);
  brio_observer_reset(&p.observer);
  CHECK(allocations == before, "%zu allocations", allocations - before);
  end(&p);
}

CHECK_SUITE(CHECK_TEST(momentum_is_mass_times_velocity), CHECK_TEST(without_a_force_the_residual_is_0),
            CHECK_TEST(a_base_that_moves_is_observed), CHECK_TEST(the_residual_rises_with_1_over_gain),
            CHECK_TEST(a_push_in_motion_is_followed), CHECK_TEST(a_wrench_is_found_at_its_link),
            CHECK_TEST(collisions_are_told_apart), CHECK_TEST(noise_alarms_nobody),
            CHECK_TEST(held_torques_count_as_such), CHECK_TEST(a_gap_begins_again),
            CHECK_TEST(wrong_input_is_refused_and_changes_nothing), CHECK_TEST(wrong_options_are_refused),
            CHECK_TEST(nothing_is_allocated))
