/* Dynamics compared with the values of Pinocchio, which agree with DART, RBDL, KDL and MuJoCo: the JSON files
** of the shared reference data, up to 200 states for each of 15 robots.  Their mimic joints are independent;
** all samples obey the mimic law, so coupled models are compared through G.  The files have 13 digits. */
#include "tests/truth.h"

#include "tests/engine/dynamics/creature.h"

enum { NUMBERS = TRUTH_MOST + 8 };

/* One state of a file, in brio's layout. */
typedef struct sample {
  double q[NUMBERS], u[NUMBERS], du[NUMBERS];
  double mass[NUMBERS * NUMBERS / 2], gravity[NUMBERS], bias[NUMBERS], tau[NUMBERS], drift[6], momentum[6];
} sample;

typedef struct truth {
  brio_text text;
  brio_robot *robot;
  brio_dynamics dynamics;
  bool floats;
  int first, n; /* columns that the file has: n, from `first` on */
  int ee;
} truth;

static bool load(truth *t, const char *name) {
  char link[128];
  brio_error err;
  t->robot = truth_robot(name, true, &t->text);
  if (!t->robot) return false;
  bool good = brio_dynamics_start(&t->dynamics, t->robot, NULL, &err);
  CHECK(good, "%s: %s", name, err.message);
  t->floats = t->robot->base == BRIO_BASE_FREE;
  t->first = t->floats ? 0 : BRIO_BASE_NV;
  t->n = t->robot->nv - t->first;
  truth_text(truth_after(t->text.bytes, "ee"), link, sizeof link);
  t->ee = brio_robot_link(t->robot, link, &err);
  return good && t->ee >= 0;
}

static void end(truth *t) {
  if (t->dynamics.work) brio_dynamics_end(&t->dynamics);
  brio_robot_free(t->robot);
  brio_text_end(&t->text);
}

/* Read one state; return where the next begins, or NULL. */
static const char *read_sample(const truth *t, const char *at, sample *s) {
  int nq = t->robot->nq - (t->floats ? 0 : BRIO_BASE_NQ), n = t->n;
  const struct {
    const char *key;
    double *out;
    int count;
  } lists[] = {{"q", s->q + t->robot->nq - nq, nq},
               {"u", s->u + t->first, n},
               {"du", s->du + t->first, n},
               {"Jdv", s->drift, 6},
               {"M_lower", s->mass, n * (n + 1) / 2},
               {"g", s->gravity, n},
               {"h", s->bias, n},
               {"tau", s->tau, n},
               {"hG", s->momentum, 6}};
  memset(s, 0, sizeof *s);
  brio_robot_neutral(t->robot, s->q);
  for (int i = 0; i < (t->floats ? 9 : 8); i++) {
    at = truth_after(at, lists[i].key);
    if (!at && i == 0) return NULL; /* that was the last one */
    int got = at ? truth_numbers(&at, lists[i].out, lists[i].count) : -1;
    CHECK(got == lists[i].count, "%d numbers of %s", got, lists[i].key);
    if (check_failures) return NULL;
  }
  return at;
}

enum { MASS, GRAVITY, BIAS, TAU, FORWARD, DRIFT, MOMENTUM, NKIND };
static const char *const kinds[NKIND] = {"mass matrix", "gravity", "bias",    "inverse",
                                         "forward",     "drift",   "momentum"};

/* The largest difference from M, packed. */
static double mass_difference(truth *t, const sample *s) {
  const double *mass = brio_dynamics_mass(&t->dynamics, s->q), *expected = s->mass;
  int nv = t->robot->nv;
  double scale = 1, worst = 0;
  for (int i = t->first; i < nv; i++)
    for (int k = t->first; k <= i; k++, expected++) {
      scale = fmax(scale, fabs(*expected));
      worst = fmax(worst, fmax(fabs(mass[i * nv + k] - *expected), fabs(mass[k * nv + i] - *expected)));
    }
  return worst / scale;
}

/* Compare one state; `worst` has the largest relative difference of each kind so far. */
static void compare(truth *t, const sample *s, double worst[NKIND]) {
  static double got[NUMBERS];
  brio_dynamics *d = &t->dynamics;
  brio_error err;
  int first = t->first;
  double found[NKIND] = {mass_difference(t, s)};
  brio_dynamics_inverse(d, s->q, NULL, NULL, got);
  found[GRAVITY] = creature_difference(got + first, s->gravity, t->n);
  brio_dynamics_inverse(d, s->q, s->u, NULL, got);
  found[BIAS] = creature_difference(got + first, s->bias, t->n);
  brio_dynamics_inverse(d, s->q, s->u, s->du, got);
  found[TAU] = creature_difference(got + first, s->tau, t->n);
  brio_point_motion point = brio_dynamics_point(d, s->q, s->u, t->ee, (brio_vec3){0, 0, 0}, NULL, NULL);
  found[DRIFT] = creature_difference(point.drift, s->drift, 6);
  if (t->floats) {
    brio_momentum m = brio_dynamics_momentum(d, s->q, s->u, NULL);
    found[MOMENTUM] = creature_difference(&m.linear.x, s->momentum, 6);
  }
  /* The forces as they were computed: those of the file have lost digits, which light links multiply. */
  double tau[NUMBERS];
  memcpy(tau, got, sizeof tau);
  bool good = brio_dynamics_forward(d, s->q, s->u, tau, got, &err);
  CHECK(good, "%s", err.message);
  found[FORWARD] = good ? creature_difference(got + first, s->du + first, t->n) : INFINITY;
  for (int i = 0; i < NKIND; i++) worst[i] = fmax(worst[i], found[i]);
}

static void agrees_with_reference_values(void) {
  static sample s;
  if (!check_shared()) SKIP("no shared reference data");
  for (int i = 0; i < TRUTH_NNAME; i++) {
    truth t = {0};
    double worst[NKIND] = {0};
    int count = 0;
    if (load(&t, truth_names[i]))
      for (const char *at = truth_after(t.text.bytes, "configs"); at && (at = read_sample(&t, at, &s));
           count++)
        compare(&t, &s, worst);
    CHECK(count >= 40, "%s: only %d states were compared", truth_names[i], count);
    printf("#   %-14s %3d states:", truth_names[i], count);
    for (int k = 0; k < NKIND; k++) printf(" %s %.1e", kinds[k], worst[k]);
    printf("\n");
    for (int k = 0; k < NKIND; k++) CHECK(worst[k] < 1e-9, "%s: %s %g", truth_names[i], kinds[k], worst[k]);
    end(&t);
  }
}

/* Column k of G: how fast variable j of the independent robot moves with variable k of the coupled one. */
static double coupling(const brio_robot *coupled, const brio_robot *independent, int j, int k) {
  const brio_joint *joint = &coupled->joints[independent->variables[j].joint];
  return joint->variable == k ? joint->multiplier : 0;
}

/* G^T x of joints; the base as it is. */
static void project(const brio_robot *coupled, const brio_robot *independent, const double *x, double *out) {
  memset(out, 0, (size_t)coupled->nv * sizeof *out);
  for (int i = 0; i < BRIO_BASE_NV; i++) out[i] = x[i];
  for (int k = 0; k < coupled->nvariable; k++)
    for (int j = 0; j < independent->nvariable; j++)
      out[BRIO_BASE_NV + k] += coupling(coupled, independent, j, k) * x[BRIO_BASE_NV + j];
}

/* The numbers of a sample that the coupled robot has. */
static void take_own(const brio_robot *coupled, const brio_robot *independent, const double *from, int base,
                     double *out) {
  memcpy(out, from, (size_t)base * sizeof *out);
  for (int k = 0; k < coupled->nvariable; k++) {
    int j = brio_robot_variable(independent, coupled->variables[k].name, NULL);
    out[base + k] = from[base + j];
  }
}

/* Forces of a robot with mimic joints are G^T times those of independent ones. */
static void mimic_joints_are_projected(void) {
  static sample s;
  static double q[NUMBERS], u[NUMBERS], du[NUMBERS], got[NUMBERS], expected[NUMBERS], back[NUMBERS];
  if (!check_shared()) SKIP("no shared reference data");
  static const char *const names[] = {"pepper", "nao", "panda"};
  for (int i = 0; i < 3; i++) {
    truth t = {0};
    brio_text text = {0};
    brio_error err;
    brio_dynamics coupled = {0};
    double worst[2] = {0};
    brio_robot *robot = truth_robot(names[i], false, &text);
    bool good = load(&t, names[i]) && robot && brio_dynamics_start(&coupled, robot, NULL, &err);
    for (const char *at = good ? truth_after(t.text.bytes, "configs") : NULL;
         at && (at = read_sample(&t, at, &s));) {
      take_own(robot, t.robot, s.q, BRIO_BASE_NQ, q);
      take_own(robot, t.robot, s.u, BRIO_BASE_NV, u);
      take_own(robot, t.robot, s.du, BRIO_BASE_NV, du);
      memmove(s.tau + t.first, s.tau, (size_t)t.n * sizeof *s.tau);
      project(robot, t.robot, s.tau, expected);
      brio_dynamics_inverse(&coupled, q, u, du, got);
      worst[0] = fmax(worst[0], creature_difference(got + t.first, expected + t.first, robot->nv - t.first));
      bool solved = brio_dynamics_forward(&coupled, q, u, got, back, &err);
      CHECK(solved, "%s", err.message);
      worst[1] = fmax(worst[1], creature_difference(back + t.first, du + t.first, robot->nv - t.first));
    }
    printf("#   %s: %d of %d variables, inverse %.1e, forward %.1e\n", names[i], robot ? robot->nvariable : 0,
           t.robot ? t.robot->nvariable : 0, worst[0], worst[1]);
    CHECK(good && worst[0] < 1e-9 && worst[1] < 1e-9, "%s: %g %g", names[i], worst[0], worst[1]);
    brio_dynamics_end(&coupled);
    brio_robot_free(robot);
    brio_text_end(&text);
    end(&t);
  }
}

CHECK_SUITE(CHECK_TEST(agrees_with_reference_values), CHECK_TEST(mimic_joints_are_projected))
