/* Random models in MJCF, read by brio and by MuJoCo: where every body is at random values of its joints, what
** it weighs, its centre of mass and its inertia, ranges, zeros, springs and armature of joints, and where
** loops are closed. */
#include <mujoco/mujoco.h>

#include "robot/kinematics.h"
#include "tests/check.h"
#include "tests/peers/models.h"

enum { MAX_Q = 128 };

/* --- both of them --- */

enum { NWHAT = 5 };
static const char *const names[NWHAT] = {"poses", "masses", "joints", "loops", "inertias"};
static const double bounds[NWHAT] = {1e-12, 1e-10, 1e-12, 1e-12, 1e-5};

typedef struct both {
  brio_robot *robot;
  brio_state state;
  mjModel *model;
  mjData *data;
  double worst[NWHAT]; /* see names */
} both;

static void note(both *b, int what, double mine, double theirs, double scale) {
  b->worst[what] = fmax(b->worst[what], fabs(mine - theirs) / scale);
}

/* A random configuration in both. */
static void draw(both *b, brio_random *random, double *q) {
  brio_robot_neutral(b->robot, q);
  for (int i = 0; i < b->model->nq; i++) b->data->qpos[i] = brio_random_uniform(random, -2, 2);
  mj_normalizeQuat(b->model, b->data->qpos);
  for (int j = 0; j < b->model->njnt; j++) {
    char name[40];
    const double *from = b->data->qpos + b->model->jnt_qposadr[j];
    snprintf(name, sizeof name, "%s%s", mj_id2name(b->model, mjOBJ_JOINT, j),
             b->model->jnt_type[j] == mjJNT_BALL ? ".yaw" : "");
    if (b->model->jnt_type[j] == mjJNT_FREE) {
      memcpy(q, (double[]){from[0], from[1], from[2], from[4], from[5], from[6], from[3]}, 7 * sizeof *q);
      continue;
    }
    double *to = q + BRIO_BASE_NQ + brio_robot_variable(b->robot, name, NULL);
    *to = *from;
    if (b->model->jnt_type[j] != mjJNT_BALL) continue;
    brio_transform t = brio_transform_of((brio_pose){{0, 0, 0}, {from[1], from[2], from[3], from[0]}});
    to[0] = atan2(t.r[3], t.r[0]), to[1] = asin(fmax(-1, fmin(1, -t.r[6]))), to[2] = atan2(t.r[7], t.r[8]);
  }
}

/* Compare where bodies and their centres of mass are. */
static void compare_places(both *b, brio_random *random) {
  static double q[MAX_Q];
  draw(b, random, q);
  mj_kinematics(b->model, b->data);
  brio_state_update(&b->state, q);
  for (int i = 1; i < b->model->nbody; i++) {
    int place = brio_robot_link(b->robot, mj_id2name(b->model, mjOBJ_BODY, i), NULL);
    const brio_transform *t = &b->state.links[place];
    brio_vec3 com = brio_transform_point(t, b->robot->links[place].com);
    const double mine[6] = {t->p.x, t->p.y, t->p.z, com.x, com.y, com.z};
    for (int k = 0; k < 9; k++) note(b, 0, t->r[k], b->data->xmat[9 * i + k], 1);
    for (int k = 0; k < 3; k++) note(b, 0, mine[k], b->data->xpos[3 * i + k], 1);
    for (int k = 0; k < 3; k++) note(b, 1, mine[3 + k], b->data->xipos[3 * i + k], 1);
  }
}

/* Compare masses and inertias. MuJoCo has the latter about principal axes, which it finds by turns that end
** too early: the axes are off by some 1e-6. So what does not depend on them (trace, sum of squares) is
** compared closely, and the rest less so. */
static void compare_masses(both *b) {
  for (int i = 1; i < b->model->nbody; i++) {
    const brio_link *link =
        &b->robot->links[brio_robot_link(b->robot, mj_id2name(b->model, mjOBJ_BODY, i), NULL)];
    const double *w = b->model->body_iquat + 4 * i, *d = b->model->body_inertia + 3 * i;
    brio_transform t = brio_transform_of((brio_pose){{0, 0, 0}, {w[1], w[2], w[3], w[0]}});
    const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    double trace = d[0] + d[1] + d[2], squares[2] = {0, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]};
    note(b, 1, link->mass, b->model->body_mass[i], link->mass);
    note(b, 1, link->inertia[0] + link->inertia[3] + link->inertia[5], trace, trace);
    for (int k = 0; k < 6; k++) {
      double sum = 0;
      for (int n = 0; n < 3; n++) sum += t.r[3 * row[k] + n] * d[n] * t.r[3 * column[k] + n];
      note(b, 4, link->inertia[k], sum, trace);
      squares[0] += (row[k] == column[k] ? 1 : 2) * link->inertia[k] * link->inertia[k];
    }
    note(b, 1, squares[0], squares[1], squares[1]);
  }
}

/* Compare hinges and slides; for a ball the damping and armature that its angles have. */
static void compare_joints(both *b) {
  for (int j = 0; j < b->model->njnt; j++) {
    const char *name = mj_id2name(b->model, mjOBJ_JOINT, j);
    int dof = b->model->jnt_dofadr[j], at = b->model->jnt_qposadr[j];
    if (b->model->jnt_type[j] == mjJNT_FREE || b->model->jnt_type[j] == mjJNT_BALL) continue;
    const brio_variable *v = &b->robot->variables[brio_robot_variable(b->robot, name, NULL)];
    const brio_joint *joint = &b->robot->joints[v->joint];
    CHECK(isfinite(v->lower) == (b->model->jnt_limited[j] != 0), "%s: limited", name);
    if (b->model->jnt_limited[j])
      note(b, 2, v->lower, b->model->jnt_range[2 * j], 1),
          note(b, 2, v->upper, b->model->jnt_range[2 * j + 1], 1);
    note(b, 2, joint->stiffness, b->model->jnt_stiffness[j], 1);
    note(b, 2, joint->springref, b->model->qpos_spring[at], 1);
    note(b, 2, joint->armature, b->model->dof_armature[dof], 1);
    note(b, 2, joint->damping, b->model->dof_damping[dof], 1);
  }
}

/* Compare the points that loops share. */
static void compare_loops(both *b) {
  CHECK(b->robot->nloop == b->model->neq, "%d loops, expected %d", b->robot->nloop, b->model->neq);
  for (int i = 0; i < b->model->neq && i < b->robot->nloop; i++) {
    const double *points = b->model->eq_data + mjNEQDATA * i;
    for (int k = 0; k < 2; k++) {
      brio_vec3 p = b->robot->loops[i].frames[k].p;
      note(b, 3, p.x, points[3 * k], 1), note(b, 3, p.y, points[3 * k + 1], 1),
          note(b, 3, p.z, points[3 * k + 2], 1);
    }
  }
}

/* Read a model with both, and compare. */
static void compare(both *b, const brio_text *text, brio_random *random) {
  char path[] = "/tmp/brio-mujoco-XXXXXX", why[1000] = "";
  brio_error err;
  int file = mkstemp(path);
  CHECK(file >= 0 && write(file, text->bytes, text->length) == (ssize_t)text->length, "%s", path);
  close(file);
  b->model = mj_loadXML(path, NULL, why, sizeof why);
  b->robot = brio_robot_load(path, &(brio_robot_options){.base = BRIO_BASE_FREE}, &err);
  CHECK(b->model, "MuJoCo: %s\n%s", why, text->bytes);
  CHECK(b->robot, "%s\n%s", err.message, text->bytes);
  b->data = b->model ? mj_makeData(b->model) : NULL;
  if (b->robot && b->data && b->robot->nq <= MAX_Q && brio_state_start(&b->state, b->robot, &err)) {
    compare_masses(b);
    compare_joints(b);
    compare_loops(b);
    for (int n = 0; n < 5; n++) compare_places(b, random);
    brio_state_end(&b->state);
  }
  if (b->data) mj_deleteData(b->data);
  if (b->model) mj_deleteModel(b->model);
  brio_robot_free(b->robot);
  unlink(path);
}

static void random_models_agree(void) {
  int count = (int)(500 * check_scale());
  double worst[NWHAT] = {0};
  for (int i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "model.%d", i);
    model m = {.random = brio_random_stream(1, name)};
    both b = {.robot = NULL};
    model_write(&m);
    int failed = check_failures;
    compare(&b, &m.text, &m.random);
    for (int k = 0; k < NWHAT; k++) {
      CHECK(b.worst[k] < bounds[k], "%s of %s differ by %g", names[k], name, b.worst[k]);
      worst[k] = fmax(worst[k], b.worst[k]);
    }
    if (check_failures > failed && failed == 0) printf("# %s\n", m.text.bytes);
    brio_text_end(&m.text);
  }
  printf("#   %d models: ", count);
  for (int k = 0; k < NWHAT; k++) printf("%s %.1e%s", names[k], worst[k], k < NWHAT - 1 ? ", " : "\n");
}

CHECK_SUITE(CHECK_TEST(random_models_agree))
