/* Cassie's MJCF, with its rotors, springs and four closed loops, compared with MuJoCo's values in the shared
** reference data: 40 configurations, with 13 digits.  The file has mass matrix, bias, spring forces and the
** Jacobian of the loops, whose equation of motion the accelerations must solve. */
#include "dynamics/constraint.h"
#include "tests/allocations.h"
#include "tests/engine/dynamics/creature.h"
#include "tests/mujoco_map.h"
#include "tests/truth.h"

enum { N = MUJOCO_MOST, ROWS = 12 };

/* One state of the file, in MuJoCo's layout. */
typedef struct sample {
  double qpos[N], qvel[N], packed[N * N / 2], mass[N * N], bias[N], spring[N], jacobian[ROWS * N];
} sample;

typedef struct cassie {
  brio_robot *robot;
  brio_dynamics dynamics;
  brio_dynamics_constraints constraints;
  brio_dynamics_constraint loops[8];
  mujoco_map map;
  brio_text text;
  const char *at; /* where the next state begins */
  int nq;         /* MuJoCo's */
} cassie;

/* Whether the data and the robot are there. */
static bool is_there(void) {
  static const char *const files[] = {"truth/cassie_mjcf_closed_loop.json",
                                      "robots/cassie_mjcf/cassie_nomesh.xml"};
  char path[512];
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s/data/%s", check_shared() ? check_shared() : "", files[i]);
    if (access(path, R_OK) != 0) return false;
  }
  return true;
}

static double number(const char *at) {
  return at ? atof(at) : NAN;
}

/* Read the joints of the file, up to the list of bodies. */
static void read_joints(cassie *c) {
  static const char *const types[] = {"free", "ball", "slide", "hinge"};
  const char *at = truth_after(c->text.bytes, "joints"), *last = truth_after(c->text.bytes, "bodies");
  for (at = truth_after(at, "name"); at && at < last; at = truth_after(at, "name")) {
    char name[100], type[16];
    int k = 0;
    truth_text(at, name, sizeof name);
    truth_text(truth_after(at, "type"), type, sizeof type);
    while (k < 3 && strcmp(types[k], type) != 0) k++;
    mujoco_map_add(&c->map, name, k, (int)number(truth_after(at, "qposadr")),
                   (int)number(truth_after(at, "dofadr")));
  }
}

static bool start(cassie *c) {
  char path[512];
  brio_error err;
  memset(c, 0, sizeof *c);
  snprintf(path, sizeof path, "%s/data/truth/cassie_mjcf_closed_loop.json", check_shared());
  CHECK(brio_text_read_file(&c->text, path, 64u << 20, &err), "%s", err.message);
  snprintf(path, sizeof path, "%s/data/robots/cassie_mjcf/cassie_nomesh.xml", check_shared());
  c->robot = brio_robot_load(path, &(brio_robot_options){.base = BRIO_BASE_FREE}, &err);
  CHECK(c->robot, "%s", err.message);
  bool good = c->robot && brio_dynamics_start(&c->dynamics, c->robot, NULL, &err);
  CHECK(good, "%s", err.message);
  if (!good) return false;
  int rows = brio_dynamics_loops(c->robot, 0, 0, NULL);
  CHECK(c->robot->nloop == 4 && rows == ROWS, "%d loops, %d rows", c->robot->nloop, rows);
  if (rows != ROWS) return false;
  brio_dynamics_loops(c->robot, 0, 0, c->loops);
  CHECK(brio_dynamics_constraints_start(&c->constraints, &c->dynamics, ROWS, &err), "%s", err.message);
  c->map.robot = c->robot;
  c->nq = (int)number(truth_after(c->text.bytes, "nq"));
  c->at = truth_after(c->text.bytes, "configs");
  read_joints(c);
  CHECK(c->map.nv == (int)number(truth_after(c->text.bytes, "nv")) && c->nq <= N, "%d speeds", c->map.nv);
  return check_failures == 0;
}

static void end(cassie *c) {
  if (c->constraints.work) brio_dynamics_constraints_end(&c->constraints);
  if (c->dynamics.work) brio_dynamics_end(&c->dynamics);
  brio_robot_free(c->robot);
  brio_text_end(&c->text);
}

/* Read the next state; false: there is none. */
static bool read_sample(cassie *c, sample *s) {
  int nv = c->map.nv;
  const struct {
    const char *key;
    double *out;
    int count;
  } lists[] = {{"qpos", s->qpos, c->nq}, {"qvel", s->qvel, nv},     {"M_lower", s->packed, nv * (nv + 1) / 2},
               {"bias", s->bias, nv},    {"spring", s->spring, nv}, {"Jc", s->jacobian, ROWS * nv}};
  for (int i = 0; i < 6; i++) {
    const char *at = truth_after(c->at, lists[i].key);
    if (!at && i == 0) return false;
    int got = at ? truth_numbers(&at, lists[i].out, lists[i].count) : -1;
    CHECK(got == lists[i].count, "%d numbers of %s", got, lists[i].key);
    if (check_failures) return false;
    c->at = at;
  }
  for (int i = 0, n = 0; i < nv; i++)
    for (int k = 0; k <= i; k++, n++) s->mass[i * nv + k] = s->mass[k * nv + i] = s->packed[n];
  return true;
}

enum { MASS, BIAS, SPRING, HELD, MOVED, NKIND };
static const char *const kinds[NKIND] = {"mass matrix", "bias", "springs", "loops held", "loops' forces"};

/* How well an acceleration and forces solve the file's equations: J G du = 0, and M' G du + bias' = J^T f. */
static void compare_loops(cassie *c, const sample *s, const double *q, const double *g, double worst[NKIND]) {
  int nv = c->map.nv;
  double bias[N], tau[N], du[N], forces[ROWS], dv[N], left[N], right[N], held[ROWS], zeros[ROWS] = {0};
  brio_error err;
  /* At rest, with forces that make the whole bias that of the file. */
  brio_dynamics_inverse(&c->dynamics, q, NULL, NULL, tau);
  mujoco_map_back(&c->map, g, s->bias, bias);
  for (int i = 0; i < c->robot->nv; i++) tau[i] -= bias[i];
  bool good = brio_dynamics_constrained(&c->dynamics, &c->constraints, c->loops, c->robot->nloop, q, NULL,
                                        tau, du, forces, &err);
  CHECK(good, "%s", err.message);
  mujoco_map_times(&c->map, g, du, dv);
  double fastest = 1;
  for (int i = 0; i < nv; i++) {
    fastest = fmax(fastest, fabs(dv[i]));
    left[i] = s->bias[i], right[i] = 0;
    for (int k = 0; k < nv; k++) left[i] += s->mass[i * nv + k] * dv[k];
    for (int k = 0; k < ROWS; k++) right[i] += s->jacobian[k * nv + i] * forces[k];
  }
  for (int k = 0; k < ROWS; k++) {
    held[k] = 0;
    for (int i = 0; i < nv; i++) held[k] += s->jacobian[k * nv + i] * dv[i] / fastest;
  }
  worst[HELD] = fmax(worst[HELD], creature_difference(held, zeros, ROWS));
  worst[MOVED] = fmax(worst[MOVED], creature_difference(left, right, nv));
}

/* Compare one state; `worst` has the largest relative difference of each kind so far. */
static void compare(cassie *c, const sample *s, double worst[NKIND]) {
  static double g[N * N], expected[N * N];
  double q[N], u[N], h[N], drift[N], forces[N], found[NKIND] = {0};
  int nv = c->robot->nv;
  mujoco_map_read(&c->map, s->qpos, q);
  mujoco_map_velocity(&c->map, q, s->qvel, u);
  mujoco_map_rates(&c->map, q, u, g, drift);
  mujoco_map_mass(&c->map, g, s->mass, expected);
  found[MASS] = creature_difference(brio_dynamics_mass(&c->dynamics, q), expected, nv * nv);
  brio_dynamics_inverse(&c->dynamics, q, u, NULL, h);
  mujoco_map_bias(&c->map, g, s->bias, s->mass, drift, expected);
  found[BIAS] = creature_difference(h, expected, nv);
  brio_dynamics_passive(&c->dynamics, q, NULL, forces);
  mujoco_map_back(&c->map, g, s->spring, expected);
  found[SPRING] = creature_difference(forces, expected, nv);
  for (int i = 0; i < HELD; i++) worst[i] = fmax(worst[i], found[i]);
  compare_loops(c, s, q, g, worst);
}

/* Mass matrix, bias, springs and accelerations under closed loops are MuJoCo's. */
static void cassie_is_as_in_mujoco(void) {
  static cassie c;
  static sample s;
  double worst[NKIND] = {0};
  int count = 0;
  if (!is_there()) SKIP("the shared reference data is not there");
  for (bool good = start(&c); good && read_sample(&c, &s); count++) compare(&c, &s, worst);
  CHECK(count == 40 || check_failures, "%d states", count);
  for (int i = 0; i < NKIND; i++) {
    printf("#   %s: %.1e\n", kinds[i], worst[i]);
    CHECK(worst[i] < 1e-9, "%s: off by %g", kinds[i], worst[i]);
  }
  end(&c);
}

/* A point in each of two loops, one of them wholly held, becomes constraints as listed. */
static const char looped[] =
    "<mujoco model='m'><worldbody><body name='a'><freejoint/><geom size='.1'/><body name='b' pos='1 0 0'>"
    "<joint name='j' axis='0 1 0' stiffness='3' springref='20' damping='.5' armature='.25'/><geom size='.1'/>"
    "</body><body name='c' pos='0 1 0'><joint name='k' axis='1 0 0' armature='.5' damping='2'/>"
    "<geom size='.1'/></body></body></worldbody><equality><connect body1='b' body2='c' anchor='.1 .2 .3'/>"
    "<weld body1='c' body2='b'/></equality></mujoco>";

static void loops_springs_and_rotors_are_the_files(void) {
  brio_error err;
  brio_robot *robot =
      brio_robot_parse(looped, strlen(looped), "m.xml", &(brio_robot_options){.base = BRIO_BASE_FREE}, &err);
  brio_dynamics dynamics, bare, damped;
  const double zeros[2] = {0, 0}, dampers[2] = {.5, 2};
  CHECK(robot && robot->nv == 8, "%s", err.message);
  if (!robot) return;
  bool good = brio_dynamics_start(&dynamics, robot, NULL, &err) &&
              brio_dynamics_start(&bare, robot, &(brio_dynamics_options){.armature = zeros}, &err) &&
              brio_dynamics_start(&damped, robot, &(brio_dynamics_options){.damping = dampers}, &err);
  CHECK(good, "%s", err.message);
  double q[16], u[8] = {0, 0, 0, 0, 0, 0, 2, -3}, tau[8], with[8], without[8], values[2];
  brio_robot_neutral(robot, q);
  q[BRIO_BASE_NQ] = .1;
  /* Rotors are on the diagonal. */
  double own = brio_dynamics_mass(&dynamics, q)[7 * 8 + 7];
  CHECK_NEAR(own - brio_dynamics_mass(&bare, q)[7 * 8 + 7], .5, 1e-12, "rotor");
  brio_dynamics_file_armature(robot, values);
  CHECK(values[0] == .25 && values[1] == .5, "%g and %g", values[0], values[1]);
  brio_dynamics_file_damping(robot, values);
  CHECK(values[0] == .5 && values[1] == 2, "%g and %g", values[0], values[1]);
  /* Springs and dampers, which count once. */
  size_t before = allocations;
  brio_dynamics_passive(&dynamics, q, u, tau);
  double rest = 20 * acos(-1) / 180;
  CHECK_NEAR(tau[6], 3 * (rest - .1) - .5 * 2, 1e-12, "spring and damper");
  CHECK_NEAR(tau[7], 2 * 3, 1e-12, "damper");
  CHECK(tau[0] == 0 && tau[5] == 0, "forces on the base");
  brio_dynamics_passive(&damped, q, u, with);
  CHECK_NEAR(with[6], 3 * (rest - .1), 1e-12, "spring alone");
  brio_dynamics_inverse(&damped, q, u, NULL, with);
  brio_dynamics_inverse(&dynamics, q, u, NULL, without);
  CHECK_NEAR(with[7] - without[7], 2 * -3, 1e-12, "damper in h");
  /* Three rows of a point, six of a pose. */
  brio_dynamics_constraint list[2];
  CHECK(brio_dynamics_loops(robot, 4, 5, list) == 9, "rows");
  CHECK(allocations == before, "%zu allocations", allocations - before);
  CHECK(!list[0].rigid && list[1].rigid && list[0].stiffness == 4 && list[1].damping == 5, "constraints");
  CHECK(list[0].link == robot->loops[0].links[0] && list[0].other == robot->loops[0].links[1], "links");
  CHECK_NEAR(list[0].on_link.p.z, .3, 1e-12, "anchor");
  brio_dynamics_end(&dynamics);
  brio_dynamics_end(&bare);
  brio_dynamics_end(&damped);
  brio_robot_free(robot);
}

/* A mimic joint's spring, damper and rotor act on its source. */
static void mimic_joints_pass_their_torques_on(void) {
  static const char text[] =
      "<mujoco model='m'><compiler angle='radian'/><worldbody><body name='a'><joint name='j'/>"
      "<geom size='.1'/><body name='b'><joint name='k' stiffness='3' springref='.7' damping='.5'"
      " armature='.25'/><geom size='.1'/></body></body></worldbody><equality><joint joint1='k' joint2='j'"
      " polycoef='.2 -2 0 0 0'/></equality></mujoco>";
  brio_error err;
  brio_robot *robot = brio_robot_parse(text, strlen(text), "m.xml", NULL, &err);
  brio_dynamics dynamics;
  CHECK(robot && robot->nvariable == 1, "%s", err.message);
  if (!robot || !brio_dynamics_start(&dynamics, robot, NULL, &err)) return;
  double q[8], u[7] = {0, 0, 0, 0, 0, 0, 1.5}, tau[7], value;
  brio_robot_neutral(robot, q);
  q[7] = .3;
  /* k = .2 - 2 j, so it is at -.4 and turns by -3 rad/s. */
  brio_dynamics_passive(&dynamics, q, u, tau);
  CHECK_NEAR(tau[6], -2 * (3 * (.7 + .4) + .5 * 3), 1e-12, "torque on the source");
  brio_dynamics_file_armature(robot, &value);
  CHECK_NEAR(value, 4 * .25, 1e-12, "rotor");
  brio_dynamics_end(&dynamics);
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(cassie_is_as_in_mujoco), CHECK_TEST(loops_springs_and_rotors_are_the_files),
            CHECK_TEST(mimic_joints_pass_their_torques_on))
