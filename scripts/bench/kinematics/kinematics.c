/* How long brio's kinematics takes, a call: every link's pose, the Jacobian of one link, the
** centre of mass and its Jacobian.
**   kinematics FILE.urdf LINK fixed|free
** One line of JSON for each row.  peers_kdl.cpp and peers_dart.cpp do the same work. */
#include "scripts/bench/bench.h"

#include <string.h>

#include "math/quat.h"
#include "robot/kinematics.h"

enum { STATES = 16 }; /* configurations ready at once, for work that begins behind the poses */

typedef struct bench {
  brio_robot *robot;
  int link;
  double *q; /* BENCH_CONFIGURATIONS x nq */
  double *jacobian;
  brio_state states[STATES];
} bench;

static void fill_configuration(const bench *b, int k) {
  const brio_robot *robot = b->robot;
  double *q = b->q + (size_t)k * (size_t)robot->nq;
  brio_robot_neutral(robot, q);
  if (robot->base == BRIO_BASE_FREE) {
    double base[6];
    bench_base(k, base);
    brio_quat turn = brio_quat_exp((brio_vec3){base[3], base[4], base[5]});
    double pose[] = {base[0], base[1], base[2], turn.x, turn.y, turn.z, turn.w};
    memcpy(q, pose, sizeof pose);
  }
  for (int i = 0; i < robot->nvariable; i++) {
    const brio_variable *variable = &robot->variables[i];
    q[BRIO_BASE_NQ + i] = bench_value(variable->name, variable->angular, k);
  }
}

static brio_state *update(bench *b, int k) {
  brio_state_update(&b->states[0], b->q + (size_t)k * (size_t)b->robot->nq);
  return &b->states[0];
}

static double poses(void *context, int k) {
  bench *b = context;
  return update(b, k)->links[b->link].p.x;
}

static double jacobian(void *context, int k) {
  bench *b = context;
  brio_state *state = &b->states[0];
  brio_state_update_link(state, b->q + (size_t)k * (size_t)b->robot->nq, b->link);
  brio_state_jacobian(state, b->link, state->links[b->link].p, b->jacobian);
  return b->jacobian[b->robot->nv - 1];
}

static double com(void *context, int k) { return brio_state_update_com(update(context, k)).x; }

static double com_jacobian(void *context, int k) {
  bench *b = context;
  brio_state *state = update(b, k);
  brio_state_update_com(state);
  brio_state_com_jacobian(state, b->jacobian);
  return b->jacobian[b->robot->nv - 1];
}

static double jacobian_alone(void *context, int k) {
  bench *b = context;
  brio_state *state = &b->states[k % STATES];
  brio_state_jacobian(state, b->link, state->links[b->link].p, b->jacobian);
  return b->jacobian[b->robot->nv - 1];
}

static double com_alone(void *context, int k) {
  bench *b = context;
  return brio_state_update_com(&b->states[k % STATES]).x;
}

/* The checks: sums over all configurations, of all links, of all columns of joints. */

static double check_poses(bench *b) {
  double sum = 0;
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) {
    const brio_state *state = update(b, k);
    for (int i = 0; i < b->robot->nlink; i++) {
      const brio_transform *link = &state->links[i];
      sum += link->p.x + 2 * link->p.y + 3 * link->p.z + link->r[0] + 2 * link->r[4] + 3 * link->r[8];
    }
  }
  return sum;
}

static double check_com(bench *b) {
  double sum = 0;
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) {
    brio_vec3 at = brio_state_update_com(update(b, k));
    sum += at.x + 2 * at.y + 3 * at.z;
  }
  return sum;
}

static double check_jacobian(bench *b, bench_work work, int rows) {
  double sum = 0;
  int nv = b->robot->nv;
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) {
    work(b, k);
    for (int row = 0; row < rows; row++)
      for (int i = BRIO_BASE_NV; i < nv; i++) sum += (row + 1) * b->jacobian[row * nv + i];
  }
  return sum;
}

static bool start(bench *b, char **arguments, brio_error *err) {
  /* The peers know no mimic joints: every joint moves on its own. */
  brio_robot_options options = {.independent_mimic = true};
  if (strcmp(arguments[2], "free") == 0) options.base = BRIO_BASE_FREE;
  b->robot = brio_robot_load(arguments[0], &options, err);
  if (!b->robot) return false;
  b->link = brio_robot_link(b->robot, arguments[1], err);
  if (b->link < 0) return false;
  b->q = calloc(BENCH_CONFIGURATIONS * (size_t)b->robot->nq, sizeof *b->q);
  b->jacobian = calloc(6 * (size_t)b->robot->nv, sizeof *b->jacobian);
  if (!b->q || !b->jacobian) return brio_fail(err, BRIO_NO_MEMORY, "no memory for configurations");
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) fill_configuration(b, k);
  for (int i = 0; i < STATES; i++) {
    if (!brio_state_start(&b->states[i], b->robot, err)) return false;
    brio_state_update(&b->states[i], b->q + (size_t)i * (size_t)b->robot->nq);
  }
  return true;
}

static void finish(bench *b) {
  for (int i = 0; i < STATES; i++) brio_state_end(&b->states[i]);
  brio_robot_free(b->robot);
  free(b->q);
  free(b->jacobian);
}

int main(int count, char **arguments) {
  if (count != 4) {
    fprintf(stderr, "usage: kinematics FILE.urdf LINK fixed|free\n");
    return 2;
  }
  bench b = {0};
  brio_error err = {0};
  bool good = start(&b, arguments + 1, &err);
  if (good) {
    bench_measure("poses", poses, &b, check_poses(&b));
    bench_measure("jacobian", jacobian, &b, check_jacobian(&b, jacobian, 6));
    bench_measure("com", com, &b, check_com(&b));
    bench_measure("com_jacobian", com_jacobian, &b, check_jacobian(&b, com_jacobian, 3));
    for (int i = 1; i < STATES; i++) brio_state_update_com(&b.states[i]);
    bench_measure("jacobian_alone", jacobian_alone, &b, 0);
    bench_measure("com_alone", com_alone, &b, 0);
  } else {
    fprintf(stderr, "kinematics: %s\n", err.message);
  }
  finish(&b);
  return good ? 0 : 1;
}
