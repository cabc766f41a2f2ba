/* Dynamics of models in MJCF by brio and by MuJoCo: mass matrix (mj_fullM), bias (qfrc_bias), springs and
** dampers (qfrc_passive), and what closed loops do to accelerations; for random models and for Cassie.
** tests/mujoco_map.h leads from the velocities of one to those of the other.
**
** Two things that differ by design are left out.  MuJoCo finds principal axes of inertia by turns that end
** too early, at some 1e-6 of them, so random models have principal inertias; Cassie's rods and cranks are so
** light that her equation of motion multiplies that.  The armature, springs and dampers of a ball joint are
** those of its three angles in brio. */
#include <mujoco/mujoco.h>

#include "dynamics/constraint.h"
#include "tests/engine/dynamics/creature.h"
#include "tests/mujoco_map.h"
#include "tests/peers/models.h"

enum { N = MUJOCO_MOST, LOOPS = 8, ROWS = 3 * LOOPS };

enum { MASS, BIAS, PASSIVE, MOVED, HELD, NWHAT };
static const char *const names[NWHAT] = {"mass matrix", "bias", "springs and dampers", "equation of motion",
                                         "loops held"};

typedef struct both {
  brio_robot *robot;
  brio_dynamics dynamics;
  brio_dynamics_constraints constraints;
  brio_dynamics_constraint loops[LOOPS];
  mujoco_map map;
  mjModel *model;
  mjData *data;
  double worst[NWHAT]; /* relative, see names */
  int held;            /* configurations whose loops could be held */
} both;

static void note(both *b, int what, double difference) {
  b->worst[what] = isfinite(difference) ? fmax(b->worst[what], difference) : INFINITY;
}

/* What MuJoCo warns about goes here, and not into a file of its own in this folder. */
static void warned(const char *text) {
  printf("#   MuJoCo: %s\n", text);
}

/* Read a model with both; armatures of balls become 0.  False: a failed check. */
static bool start(both *b, const char *path) {
  int failed = check_failures;
  char why[1000] = "";
  double armature[N];
  brio_error err;
  memset(b, 0, sizeof *b);
  mju_user_warning = warned;
  b->model = mj_loadXML(path, NULL, why, sizeof why);
  CHECK(b->model, "MuJoCo: %s", why);
  if (!b->model) return false;
  b->model->opt.disableflags |= mjDSBL_CONTACT;
  b->data = mj_makeData(b->model);
  bool floats = b->model->njnt > 0 && b->model->jnt_type[0] == mjJNT_FREE;
  brio_robot_options options = {.base = floats ? BRIO_BASE_FREE : BRIO_BASE_FIXED};
  b->map.robot = b->robot = brio_robot_load(path, &options, &err);
  CHECK(b->robot, "%s", err.message);
  if (!b->robot || b->robot->nq > N || b->robot->nloop > LOOPS) return false;
  brio_dynamics_file_armature(b->robot, armature);
  for (int j = 0; j < b->model->njnt; j++) {
    const char *name = mj_id2name(b->model, mjOBJ_JOINT, j);
    int type = b->model->jnt_type[j], dof = b->model->jnt_dofadr[j];
    mujoco_map_add(&b->map, name ? name : "", type, b->model->jnt_qposadr[j], dof);
    for (int k = 0; type == mjJNT_BALL && k < 3; k++)
      b->model->dof_armature[dof + k] = armature[b->map.joints[j].variable + k] = 0;
  }
  bool good = brio_dynamics_start(&b->dynamics, b->robot, &(brio_dynamics_options){armature, NULL}, &err) &&
              brio_dynamics_constraints_start(&b->constraints, &b->dynamics, ROWS, &err);
  CHECK(good, "%s", err.message);
  return good && check_failures == failed;
}

static void end(both *b) {
  if (b->constraints.work) brio_dynamics_constraints_end(&b->constraints);
  if (b->dynamics.work) brio_dynamics_end(&b->dynamics);
  if (b->data) mj_deleteData(b->data);
  if (b->model) mj_deleteModel(b->model);
  brio_robot_free(b->robot);
}

/* One state, and MuJoCo's matrices in it. */
typedef struct state {
  double q[N], u[N], g[N * N], drift[N], mass[N * N];
  int first; /* the first tangent number that moves */
} state;

/* Draw a state, and let MuJoCo compute it. */
static void draw(both *b, brio_random *random, state *s) {
  double neutral[N];
  creature_pose(b->robot, random, s->q);
  creature_rates(b->robot, random, s->u);
  s->first = b->robot->base == BRIO_BASE_FIXED ? BRIO_BASE_NV : 0;
  memset(s->u, 0, (size_t)s->first * sizeof *s->u);
  brio_robot_neutral(b->robot, neutral);
  if (s->first > 0) memcpy(s->q, neutral, BRIO_BASE_NQ * sizeof *neutral);
  mujoco_map_rates(&b->map, s->q, s->u, s->g, s->drift);
  mujoco_map_write(&b->map, s->q, b->data->qpos);
  mujoco_map_times(&b->map, s->g, s->u, b->data->qvel);
  mj_fwdPosition(b->model, b->data);
  mj_fwdVelocity(b->model, b->data);
  mj_fullM(b->model, s->mass, b->data->qM);
}

static void compare_matrices(both *b, const state *s) {
  static double expected[N * N];
  double mine[N], theirs[N];
  int nv = b->robot->nv, n = nv - s->first;
  mujoco_map_mass(&b->map, s->g, s->mass, expected);
  note(b, MASS, creature_difference(brio_dynamics_mass(&b->dynamics, s->q), expected, nv * nv));
  mujoco_map_bias(&b->map, s->g, b->data->qfrc_bias, s->mass, s->drift, theirs);
  brio_dynamics_inverse(&b->dynamics, s->q, s->u, NULL, mine);
  note(b, BIAS, creature_difference(mine + s->first, theirs + s->first, n));
  brio_dynamics_passive(&b->dynamics, s->q, s->u, mine);
  mujoco_map_back(&b->map, s->g, b->data->qfrc_passive, theirs);
  for (int j = 0; j < b->map.njoint; j++)
    if (b->map.joints[j].type == MUJOCO_BALL)
      for (int k = 0, v = BRIO_BASE_NV + b->map.joints[j].variable; k < 3; k++)
        mine[v + k] = theirs[v + k] = 0;
  note(b, PASSIVE, creature_difference(mine, theirs, nv));
}

/* Return the link's body in MuJoCo. */
static int body_of(const both *b, int link) {
  return mj_name2id(b->model, mjOBJ_BODY, b->robot->links[link].name);
}

/* Write where a loop's point is on one side, and how it accelerates, as MuJoCo has it. */
static void point_of(const both *b, const brio_loop *loop, int side, double at[3], double out[3]) {
  int body = body_of(b, loop->links[side]);
  brio_vec3 p = loop->frames[side].p;
  double local[3] = {p.x, p.y, p.z}, arm[3], speed[6], rate[6], turn[3], swing[3];
  mju_rotVecMat(arm, local, b->data->xmat + 9 * body);
  mju_add3(at, arm, b->data->xpos + 3 * body);
  mj_objectVelocity(b->model, b->data, mjOBJ_XBODY, body, speed, 0);
  mj_objectAcceleration(b->model, b->data, mjOBJ_XBODY, body, rate, 0);
  mju_cross(turn, rate, arm);
  mju_cross(out, speed, arm);
  mju_cross(swing, speed, out);
  for (int k = 0; k < 3; k++) out[k] = rate[3 + k] + turn[k] + swing[k];
}

/* Add the forces of a loop to `sum`, MuJoCo's way, and note how well its accelerations hold it. */
static void compare_loop(both *b, int i, const double *force, double *sum, bool held) {
  static double jacobian[2][3 * N];
  double at[2][3], rate[2][3];
  for (int side = 0; side < 2; side++) {
    point_of(b, &b->robot->loops[i], side, at[side], rate[side]);
    mj_jac(b->model, b->data, jacobian[side], NULL, at[side], body_of(b, b->robot->loops[i].links[side]));
  }
  for (int v = 0; v < b->map.nv; v++)
    for (int k = 0; k < 3; k++)
      sum[v] += (jacobian[0][k * b->map.nv + v] - jacobian[1][k * b->map.nv + v]) * force[k];
  if (held) note(b, HELD, creature_difference(rate[0], rate[1], 3));
}

/* Accelerate under random forces with loops closed: M' dv + h' is forces and those of the loops. */
static void compare_loops(both *b, brio_random *random, const state *s) {
  double tau[N], du[N], forces[ROWS], dv[N], sum[N], left[N], right[N];
  brio_error err;
  creature_rates(b->robot, random, tau);
  brio_dynamics_loops(b->robot, 0, 0, b->loops);
  bool good = brio_dynamics_constrained(&b->dynamics, &b->constraints, b->loops, b->robot->nloop, s->q, s->u,
                                        tau, du, forces, &err);
  CHECK(good, "%s", err.message);
  mujoco_map_times(&b->map, s->g, du, dv);
  for (int i = 0; i < b->map.nv; i++) b->data->qacc[i] = dv[i] += s->drift[i];
  mj_rnePostConstraint(b->model, b->data);
  /* Loops between bodies that cannot move together contradict each other. */
  bool held = b->constraints.residual < 1e-10;
  b->held += held;
  memset(sum, 0, sizeof sum);
  for (int i = 0; i < b->robot->nloop; i++) compare_loop(b, i, forces + 3 * i, sum, held);
  /* What is left is small beside the greatest of the numbers that were added. */
  double scale = 1;
  for (int i = 0; i < b->map.nv; i++) {
    scale = fmax(scale, fabs(sum[i]));
    sum[i] = b->data->qfrc_bias[i] - sum[i];
    for (int k = 0; k < b->map.nv; k++) {
      double part = s->mass[i * b->map.nv + k] * dv[k];
      scale = fmax(scale, fabs(part));
      sum[i] += part;
    }
  }
  mujoco_map_back(&b->map, s->g, sum, left);
  memcpy(right, tau, sizeof right);
  for (int i = s->first; i < b->robot->nv; i++) left[i] /= scale, right[i] /= scale;
  note(b, MOVED, creature_difference(left + s->first, right + s->first, b->robot->nv - s->first));
}

static void compare(both *b, brio_random *random, int count) {
  static state s;
  for (int i = 0; i < count; i++) {
    draw(b, random, &s);
    compare_matrices(b, &s);
    compare_loops(b, random, &s);
  }
}

static void tell(const char *what, const double *worst) {
  printf("#   %s: ", what);
  for (int k = 0; k < NWHAT; k++) printf("%s %.1e%s", names[k], worst[k], k < NWHAT - 1 ? ", " : "\n");
}

static void random_models_move_as_in_mujoco(void) {
  int count = (int)(300 * check_scale()), held = 0;
  double worst[NWHAT] = {0};
  for (int i = 0; i < count; i++) {
    char name[32], path[] = "/tmp/brio-mujoco-XXXXXX";
    snprintf(name, sizeof name, "moving.%d", i);
    model m = {.random = brio_random_stream(2, name), .principal = true};
    both b;
    int failed = check_failures, file = mkstemp(path);
    model_write(&m);
    CHECK(file >= 0 && write(file, m.text.bytes, m.text.length) == (ssize_t)m.text.length, "%s", path);
    close(file);
    if (start(&b, path)) compare(&b, &m.random, 3);
    for (int k = 0; k < NWHAT; k++) {
      CHECK(b.worst[k] < 1e-9, "%s of %s differs by %g", names[k], name, b.worst[k]);
      worst[k] = fmax(worst[k], b.worst[k]);
    }
    if (b.robot && b.robot->nloop > 0) held += b.held;
    if (check_failures > failed && failed == 0) printf("# %s\n", m.text.bytes);
    end(&b);
    unlink(path);
    brio_text_end(&m.text);
  }
  CHECK(held > count / 3, "only %d states with loops held", held);
  tell("random models", worst);
}

static void cassie_moves_as_in_mujoco(void) {
  char path[512];
  both b;
  brio_random random = brio_random_stream(3, "cassie");
  snprintf(path, sizeof path, "%s/data/robots/cassie_mjcf/cassie_nomesh.xml",
           check_shared() ? check_shared() : "");
  if (access(path, R_OK) != 0) SKIP("the shared reference data is not there");
  if (start(&b, path)) compare(&b, &random, 200);
  for (int k = 0; k < NWHAT; k++)
    CHECK(b.worst[k] < (k == MOVED ? 1e-8 : 1e-9), "%s differs by %g", names[k], b.worst[k]);
  CHECK(b.held > 100, "loops held in %d states", b.held);
  tell("Cassie", b.worst);
  end(&b);
}

CHECK_SUITE(CHECK_TEST(random_models_move_as_in_mujoco), CHECK_TEST(cassie_moves_as_in_mujoco))
