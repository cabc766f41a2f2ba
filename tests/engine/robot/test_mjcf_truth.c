/* Cassie's MJCF, with its closed loops, compared with MuJoCo's values: link poses, centre of mass, mass
** matrix, spring torques, loop closures and their Jacobian at 40 configurations of the loops' manifold.
**
** MuJoCo's velocities differ from brio's in two places: the base turns about its own axes there, about the
** world's here; and a ball joint has an angular velocity in its body there, rates of yaw, pitch and roll
** here.  With v_mujoco = S v_brio the mass matrix here is S^T M S, and the Jacobian of the loops is J S. */
#include "robot/kinematics.h"

#include "tests/truth.h"

enum { MAX = 40, MAX_BODIES = 32, NLOOP_ROW = 12 };

/* A joint of the reference: where its numbers are. */
typedef struct joint_place {
  char type; /* h(inge), b(all), f(ree) */
  int q, dof, variable;
} joint_place;

typedef struct cassie {
  brio_text text;
  brio_robot *robot;
  brio_state state;
  joint_place joints[MAX];
  int njoint, bodies[MAX_BODIES], nbody, nv;
  double worst[6]; /* pose, centre of mass, mass matrix, springs, loops, their Jacobian */
} cassie;

/* Read the joints' table, and find each in the robot; ranges are compared on the way. */
static void read_joint_places(cassie *c) {
  const char *at = truth_after(c->text.bytes, "joints"), *end = truth_after(c->text.bytes, "bodies");
  while ((at = truth_after(at, "name")) && at < end) {
    char name[80], type[20];
    brio_error err;
    double range[2], q, dof;
    joint_place *one = &c->joints[c->njoint++];
    truth_text(at, name, sizeof name);
    truth_text(truth_after(at, "type"), type, sizeof type);
    at = truth_after(at, "qposadr"), truth_numbers(&at, &q, 1);
    at = truth_after(at, "dofadr"), truth_numbers(&at, &dof, 1);
    at = truth_after(at, "range"), truth_numbers(&at, range, 2);
    *one = (joint_place){type[0], (int)q, (int)dof, -1};
    if (type[0] == 'f') continue;
    if (type[0] == 'b') strcat(name, ".yaw");
    one->variable = brio_robot_variable(c->robot, name, &err);
    CHECK(one->variable >= 0, "%s", err.message);
    const brio_variable *v = &c->robot->variables[one->variable < 0 ? 0 : one->variable];
    bool limited = strncmp(truth_after(at, "limited"), "true", 4) == 0;
    CHECK(limited == !v->circular, "%s: limited %d", name, limited);
    if (limited) CHECK(fabs(v->lower - range[0]) + fabs(v->upper - range[1]) < 1e-12, "%s", name);
  }
}

static void read_bodies(cassie *c) {
  const char *at = truth_after(c->text.bytes, "bodies") + 1;
  for (at += strspn(at, " \n"); *at == '"' && c->nbody < MAX_BODIES; at += strspn(at, ", \n")) {
    char name[80];
    at = truth_text(at, name, sizeof name);
    c->bodies[c->nbody++] = brio_robot_link(c->robot, name, NULL); /* the world: -1 */
  }
}

static bool load(cassie *c) {
  char path[512];
  brio_error err;
  double number = 0;
  snprintf(path, sizeof path, "%s/data/truth/cassie_mjcf_closed_loop.json", check_shared());
  bool good = brio_text_read_file(&c->text, path, 64u << 20, &err);
  CHECK(good, "%s", err.message);
  if (!good) return false;
  snprintf(path, sizeof path, "%s/data/robots/cassie_mjcf/cassie_nomesh.xml", check_shared());
  c->robot = brio_robot_load(path, &(brio_robot_options){.base = BRIO_BASE_FREE}, &err);
  CHECK(c->robot, "%s", err.message);
  if (!c->robot || !brio_state_start(&c->state, c->robot, &err)) return false;
  read_joint_places(c);
  read_bodies(c);
  const char *at = truth_after(c->text.bytes, "nv");
  truth_numbers(&at, &number, 1);
  c->nv = (int)number;
  at = truth_after(c->text.bytes, "mass");
  truth_numbers(&at, &number, 1);
  CHECK_NEAR(c->robot->mass, number, 1e-12, "mass");
  CHECK(c->nv == c->robot->nv && c->nv <= MAX, "%d rates, expected %d", c->robot->nv, c->nv);
  return check_failures == 0;
}

/* Yaw, pitch and roll of a unit quaternion w x y z. */
static void angles_of(const double *w, double out[3]) {
  brio_transform t = brio_transform_of((brio_pose){{0, 0, 0}, {w[1], w[2], w[3], w[0]}});
  out[0] = atan2(t.r[3], t.r[0]);
  out[1] = asin(fmax(-1, fmin(1, -t.r[6])));
  out[2] = atan2(t.r[7], t.r[8]);
}

/* A configuration of MuJoCo's as one of brio's. */
static void set_configuration(const cassie *c, const double *qpos, double *q) {
  for (int i = 0; i < c->njoint; i++) {
    const joint_place *one = &c->joints[i];
    const double *from = qpos + one->q;
    double *to = q + BRIO_BASE_NQ + one->variable;
    if (one->type == 'h')
      *to = *from;
    else if (one->type == 'b')
      angles_of(from, to);
    else
      memcpy(q, (double[]){from[0], from[1], from[2], from[4], from[5], from[6], from[3]}, 7 * sizeof *q);
  }
}

/* The matrix S at a configuration, nv x nv. */
static void fill_rates(const cassie *c, const double *q, double *s) {
  memset(s, 0, (size_t)c->nv * (size_t)c->nv * sizeof *s);
  for (int i = 0; i < c->njoint; i++) {
    const joint_place *one = &c->joints[i];
    double *corner = s + one->dof * c->nv + (one->type == 'f' ? 0 : BRIO_BASE_NV + one->variable);
    if (one->type == 'h')
      *corner = 1;
    else if (one->type == 'b') {
      /* Columns: what rates of yaw, pitch and roll turn in the body. */
      double p = q[BRIO_BASE_NQ + one->variable + 1], r = q[BRIO_BASE_NQ + one->variable + 2];
      const double e[9] = {-sin(p), 0, 1, sin(r) * cos(p), cos(r), 0, cos(r) * cos(p), -sin(r), 0};
      for (int k = 0; k < 9; k++) corner[k / 3 * c->nv + k % 3] = e[k];
    } else {
      brio_transform t = brio_transform_of((brio_pose){{0, 0, 0}, {q[3], q[4], q[5], q[6]}});
      for (int k = 0; k < 3; k++) corner[k * c->nv + k] = 1;
      for (int k = 0; k < 9; k++) corner[(3 + k / 3) * c->nv + 3 + k % 3] = t.r[3 * (k % 3) + k / 3];
    }
  }
}

/* out = A B with A rows x n, B n x n; `turned`: A^T with A n x rows. */
static void multiply(const double *a, const double *b, int rows, int n, bool turned, double *out) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += (turned ? a[k * rows + i] : a[i * n + k]) * b[k * n + j];
      out[i * n + j] = sum;
    }
}

/* The mass matrix from what a robot has: masses, inertias, Jacobians of the centres of mass, armature. */
static void fill_mass_matrix(cassie *c, double *m) {
  const brio_robot *robot = c->robot;
  int nv = c->nv;
  static double j[6 * MAX];
  memset(m, 0, (size_t)nv * (size_t)nv * sizeof *m);
  for (int i = 0; i < robot->nlink; i++) {
    const brio_link *link = &robot->links[i];
    const double *n = link->inertia, body[9] = {n[0], n[1], n[2], n[1], n[3], n[4], n[2], n[4], n[5]};
    const double *r = c->state.links[i].r;
    double world[9];
    for (int a = 0; a < 9; a++) {
      world[a] = 0;
      for (int b = 0; b < 9; b++) world[a] += r[a / 3 * 3 + b / 3] * body[b] * r[a % 3 * 3 + b % 3];
    }
    brio_state_jacobian(&c->state, i, brio_transform_point(&c->state.links[i], link->com), j);
    for (int a = 0; a < nv; a++)
      for (int b = 0; b < nv; b++) {
        for (int k = 0; k < 3; k++) m[a * nv + b] += link->mass * j[k * nv + a] * j[k * nv + b];
        for (int k = 0; k < 9; k++)
          m[a * nv + b] += j[(3 + k / 3) * nv + a] * world[k] * j[(3 + k % 3) * nv + b];
      }
  }
  for (int i = 0; i < robot->nvariable; i++)
    m[(BRIO_BASE_NV + i) * (nv + 1)] += robot->joints[robot->variables[i].joint].armature;
}

/* Keep the greatest difference of a kind. */
static void note(cassie *c, int kind, double mine, double expected) {
  c->worst[kind] = fmax(c->worst[kind], fabs(mine - expected));
}

static void compare_poses(cassie *c, const double *xpos, const double *xquat, const double *com) {
  for (int i = 0; i < c->nbody; i++) {
    const double *p = xpos + 3 * i, *w = xquat + 4 * i;
    if (c->bodies[i] < 0) continue;
    const brio_transform *mine = &c->state.links[c->bodies[i]];
    brio_transform expected = brio_transform_of((brio_pose){{p[0], p[1], p[2]}, {w[1], w[2], w[3], w[0]}});
    for (int k = 0; k < 9; k++) note(c, 0, mine->r[k], expected.r[k]);
    note(c, 0, brio_vec3_norm(brio_vec3_sub(mine->p, expected.p)), 0);
  }
  brio_vec3 mine = brio_state_update_com(&c->state);
  note(c, 1, brio_vec3_norm(brio_vec3_sub(mine, (brio_vec3){com[0], com[1], com[2]})), 0);
}

static void compare_mass(cassie *c, const double *lower, const double *s) {
  static double full[MAX * MAX], half[MAX * MAX], expected[MAX * MAX], mine[MAX * MAX];
  int nv = c->nv;
  for (int i = 0; i < nv; i++)
    for (int j = 0; j <= i; j++) full[i * nv + j] = full[j * nv + i] = lower[i * (i + 1) / 2 + j];
  multiply(s, full, nv, nv, true, half);
  multiply(half, s, nv, nv, false, expected);
  fill_mass_matrix(c, mine);
  double most = 0;
  for (int i = 0; i < nv * nv; i++) most = fmax(most, fabs(expected[i]));
  for (int i = 0; i < nv * nv; i++) note(c, 2, mine[i] / most, expected[i] / most);
}

static void compare_springs(cassie *c, const double *q, const double *spring) {
  for (int i = 0; i < c->njoint; i++) {
    const joint_place *one = &c->joints[i];
    if (one->type != 'h') continue;
    const brio_joint *joint = &c->robot->joints[c->robot->variables[one->variable].joint];
    double torque = -joint->stiffness * (q[BRIO_BASE_NQ + one->variable] - joint->springref);
    note(c, 3, torque, spring[one->dof]);
  }
}

static void compare_loops(cassie *c, const double *expected, const double *s) {
  static double mine[NLOOP_ROW * MAX], wanted[NLOOP_ROW * MAX], rows[2][6 * MAX];
  int nv = c->nv;
  CHECK(c->robot->nloop == 4, "%d loops", c->robot->nloop);
  for (int i = 0; i < 4 && i < c->robot->nloop; i++) {
    const brio_loop *loop = &c->robot->loops[i];
    brio_vec3 point[2];
    for (int k = 0; k < 2; k++) {
      point[k] = brio_transform_point(&c->state.links[loop->links[k]], loop->frames[k].p);
      brio_state_jacobian(&c->state, loop->links[k], point[k], rows[k]);
    }
    CHECK(loop->type == BRIO_LOOP_POINT, "connect");
    c->worst[4] = fmax(c->worst[4], brio_vec3_norm(brio_vec3_sub(point[0], point[1])));
    for (int k = 0; k < 3 * nv; k++) mine[3 * i * nv + k] = rows[0][k] - rows[1][k];
  }
  multiply(expected, s, NLOOP_ROW, nv, false, wanted);
  for (int k = 0; k < NLOOP_ROW * nv; k++) note(c, 5, mine[k], wanted[k]);
}

/* Compare one configuration; return where the next one begins, or NULL. */
static const char *compare(cassie *c, const char *at) {
  static double qpos[64], com[3], xpos[3 * MAX_BODIES], xquat[4 * MAX_BODIES], lower[MAX * MAX], spring[MAX],
      jacobian[NLOOP_ROW * MAX], q[64], s[MAX * MAX];
  const struct {
    const char *key;
    double *out;
    int count;
  } lists[] = {{"qpos", qpos, c->nv + 3},
               {"com", com, 3},
               {"xpos", xpos, 3 * c->nbody},
               {"xquat_wxyz", xquat, 4 * c->nbody},
               {"M_lower", lower, c->nv * (c->nv + 1) / 2},
               {"spring", spring, c->nv},
               {"Jc", jacobian, NLOOP_ROW * c->nv}};
  for (int i = 0; i < 7; i++) {
    at = truth_after(at, lists[i].key);
    if (!at && i == 0) return NULL;
    int got = at ? truth_numbers(&at, lists[i].out, lists[i].count) : -1;
    CHECK(got == lists[i].count, "%d numbers of %s, expected %d", got, lists[i].key, lists[i].count);
    if (check_failures) return NULL;
  }
  set_configuration(c, qpos, q);
  brio_state_update(&c->state, q);
  fill_rates(c, q, s);
  compare_poses(c, xpos, xquat, com);
  compare_mass(c, lower, s);
  compare_springs(c, q, spring);
  compare_loops(c, jacobian, s);
  return at;
}

static void cassie_agrees_with_mujoco(void) {
  if (!check_shared()) SKIP("no shared reference data");
  cassie c = {.njoint = 0};
  int count = 0;
  if (load(&c))
    for (const char *at = truth_after(c.text.bytes, "configs"); at && (at = compare(&c, at)); count++)
      continue;
  CHECK(count == 40, "only %d configurations were compared", count);
  printf("#   cassie (MJCF), %d configurations: poses %.1e, centre of mass %.1e, mass matrix %.1e, springs "
         "%.1e, loops "
         "%.1e m, their Jacobian %.1e\n",
         count, c.worst[0], c.worst[1], c.worst[2], c.worst[3], c.worst[4], c.worst[5]);
  /* The file has 13 digits, and closes loops by Gauss-Newton. */
  static const double bounds[6] = {1e-11, 1e-11, 1e-11, 1e-9, 1e-9, 1e-11};
  for (int k = 0; k < 6; k++) CHECK(c.worst[k] < bounds[k], "%d: %g", k, c.worst[k]);
  brio_state_end(&c.state);
  brio_robot_free(c.robot);
  brio_text_end(&c.text);
}

/* The key frame of the file: the base 1 m up, loops closed within what the file's digits allow. */
static void check_home(const brio_robot *robot) {
  brio_state state;
  brio_error err;
  CHECK(robot->npose == 1 && strcmp(robot->poses[0].name, "home") == 0, "%d poses", robot->npose);
  if (robot->npose != 1 || !brio_state_start(&state, robot, &err)) return;
  brio_state_update(&state, robot->poses[0].q);
  CHECK_NEAR(state.links[0].p.z, 1.0059301, 0, "base");
  for (int i = 0; i < robot->nloop; i++) {
    const brio_loop *loop = &robot->loops[i];
    brio_vec3 a = brio_transform_point(&state.links[loop->links[0]], loop->frames[0].p);
    brio_vec3 b = brio_transform_point(&state.links[loop->links[1]], loop->frames[1].p);
    CHECK(brio_vec3_norm(brio_vec3_sub(a, b)) < 2e-3, "%s is open by %g m", loop->name,
          brio_vec3_norm(brio_vec3_sub(a, b)));
  }
  brio_state_end(&state);
}

/* The file as its maker has it, and its scene: meshes are absent, and that costs drawings only. */
static void cassie_loads_with_meshes_absent(void) {
  static const char *const names[] = {"cassie.xml", "scene.xml"};
  if (!check_shared()) SKIP("no shared reference data");
  for (int i = 0; i < 2; i++) {
    char path[512];
    brio_error err;
    snprintf(path, sizeof path, "%s/data/robots/cassie_mjcf/%s", check_shared(), names[i]);
    brio_robot *robot = brio_robot_load(path, NULL, &err);
    CHECK(robot, "%s", err.message);
    if (!robot) continue;
    CHECK(robot->ncollision == 19 && strcmp(robot->links[0].name, "cassie-pelvis") == 0, "%d shapes",
          robot->ncollision);
    CHECK(brio_robot_link(robot, "imu", &err) > 0, "%s", err.message);
    const brio_variable *knee = &robot->variables[brio_robot_variable(robot, "left-knee", NULL)];
    CHECK_NEAR(knee->effort, 16 * 12.2, 1e-12, "gear times control");
    check_home(robot);
    CHECK(isinf(robot->variables[brio_robot_variable(robot, "left-shin", NULL)].effort),
          "a spring has no motor");
    brio_robot_free(robot);
  }
}

CHECK_SUITE(CHECK_TEST(cassie_agrees_with_mujoco), CHECK_TEST(cassie_loads_with_meshes_absent))
