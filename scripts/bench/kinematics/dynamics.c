/* How long brio's dynamics takes, a call: inverse dynamics, mass matrix, forward dynamics, derivatives; and
** where links are named, forward dynamics while these are held in the world.
**   dynamics FILE.urdf fixed|free [LINK ...]
** One line of JSON for each row, and "check": a sum of the results over all states. */
#include "scripts/bench/bench.h"

#include <string.h>

#include "dynamics/constraint.h"
#include "dynamics/derivative.h"

enum { MAX_HELD = 4 };

typedef struct bench {
  brio_robot *robot;
  brio_dynamics dynamics;
  double *q, *u, *du; /* BENCH_CONFIGURATIONS x nq, nv, nv */
  double *tau, *by_q, *by_u, *by_tau;
  int nheld;
  brio_dynamics_constraint held[MAX_HELD];
  brio_dynamics_constraints constraints;
  double *slopes, forces[6 * MAX_HELD]; /* slopes: of forces, 3 x 6 MAX_HELD x nv */
} bench;

static void fill_state(const bench *b, int k) {
  const brio_robot *robot = b->robot;
  double *q = b->q + (size_t)k * (size_t)robot->nq;
  double *u = b->u + (size_t)k * (size_t)robot->nv, *du = b->du + (size_t)k * (size_t)robot->nv;
  brio_robot_neutral(robot, q);
  if (robot->base == BRIO_BASE_FREE) {
    bench_base(k, u);
    bench_base(k + BENCH_CONFIGURATIONS, du);
    brio_quat turn = brio_quat_exp((brio_vec3){u[3], u[4], u[5]});
    double pose[] = {u[0], u[1], u[2], turn.x, turn.y, turn.z, turn.w};
    memcpy(q, pose, sizeof pose);
  }
  for (int i = 0; i < robot->nvariable; i++) {
    const brio_variable *variable = &robot->variables[i];
    q[BRIO_BASE_NQ + i] = bench_value(variable->name, variable->angular, k);
    u[BRIO_BASE_NV + i] = bench_uniform(variable->name, k + BENCH_CONFIGURATIONS);
    du[BRIO_BASE_NV + i] = bench_uniform(variable->name, k + 2 * BENCH_CONFIGURATIONS);
  }
}

/* The state of number k. */
typedef struct state {
  const double *q, *u, *du;
} state;

static state state_of(const bench *b, int k) {
  size_t nq = (size_t)b->robot->nq, nv = (size_t)b->robot->nv, at = (size_t)k;
  return (state){b->q + at * nq, b->u + at * nv, b->du + at * nv};
}

static double inverse(void *context, int k) {
  bench *b = context;
  state s = state_of(b, k);
  brio_dynamics_inverse(&b->dynamics, s.q, s.u, s.du, b->tau);
  return b->tau[b->robot->nv - 1];
}

static double mass(void *context, int k) {
  bench *b = context;
  const double *m = brio_dynamics_mass(&b->dynamics, state_of(b, k).q);
  return m[b->robot->nv * b->robot->nv - 1];
}

static double forward(void *context, int k) {
  bench *b = context;
  state s = state_of(b, k);
  /* Any forces do: the time does not depend on them. */
  bool good = brio_dynamics_forward(&b->dynamics, s.q, s.u, s.du, b->tau, NULL);
  return good ? b->tau[b->robot->nv - 1] : NAN;
}

static double inverse_derivatives(void *context, int k) {
  bench *b = context;
  state s = state_of(b, k);
  brio_dynamics_inverse_derivatives(&b->dynamics, s.q, s.u, s.du, b->by_q, b->by_u);
  return b->by_q[b->robot->nv * b->robot->nv - 1];
}

static double forward_derivatives(void *context, int k) {
  bench *b = context;
  state s = state_of(b, k);
  bool good = brio_dynamics_forward_derivatives(&b->dynamics, s.q, s.u, s.du, b->tau, b->by_q, b->by_u,
                                                b->by_tau, NULL);
  return good ? b->by_q[b->robot->nv * b->robot->nv - 1] : NAN;
}

static double constrained(void *context, int k) {
  bench *b = context;
  state s = state_of(b, k);
  bool good = brio_dynamics_constrained(&b->dynamics, &b->constraints, b->held, b->nheld, s.q, s.u, s.du,
                                        b->tau, b->forces, NULL);
  return good ? b->tau[b->robot->nv - 1] : NAN;
}

static double constrained_derivatives(void *context, int k) {
  bench *b = context;
  state s = state_of(b, k);
  size_t size = (size_t)(6 * MAX_HELD * b->robot->nv);
  const brio_dynamics_constrained_slopes out = {b->by_q,   b->by_u,          b->by_tau,
                                                b->slopes, b->slopes + size, b->slopes + 2 * size};
  bool good = brio_dynamics_constrained_derivatives(&b->dynamics, &b->constraints, b->held, b->nheld, s.q,
                                                    s.u, s.du, b->tau, b->forces, &out, NULL);
  return good ? b->by_q[b->robot->nv * b->robot->nv - 1] : NAN;
}

/* Hold the links that are named. */
static bool hold(bench *b, char **names, int count, brio_error *err) {
  for (int i = 0; i < count && i < MAX_HELD; i++) {
    int link = brio_robot_link(b->robot, names[i], err);
    if (link < 0) return false;
    b->held[b->nheld++] = (brio_dynamics_constraint){.link = link,
                                                     .on_link = BRIO_POSE_IDENTITY,
                                                     .other = -1,
                                                     .on_other = BRIO_POSE_IDENTITY,
                                                     .rigid = true};
  }
  b->slopes = calloc((size_t)(18 * MAX_HELD * b->robot->nv), sizeof *b->slopes);
  if (!b->slopes) return brio_fail(err, BRIO_NO_MEMORY, "no memory for slopes");
  return brio_dynamics_constraints_start(&b->constraints, &b->dynamics, 6 * MAX_HELD, err);
}

static bool start(bench *b, char **arguments, brio_error *err) {
  /* The peers know no mimic joints: every joint moves on its own. */
  brio_robot_options options = {.independent_mimic = true};
  if (strcmp(arguments[1], "free") == 0) options.base = BRIO_BASE_FREE;
  b->robot = brio_robot_load(arguments[0], &options, err);
  if (!b->robot || !brio_dynamics_start(&b->dynamics, b->robot, NULL, err)) return false;
  size_t nv = (size_t)b->robot->nv, nq = (size_t)b->robot->nq;
  b->q = calloc(BENCH_CONFIGURATIONS * nq, sizeof *b->q);
  b->u = calloc(2 * BENCH_CONFIGURATIONS * nv, sizeof *b->u);
  b->tau = calloc(nv + 3 * nv * nv, sizeof *b->tau);
  if (!b->q || !b->u || !b->tau) return brio_fail(err, BRIO_NO_MEMORY, "no memory for states");
  b->du = b->u + BENCH_CONFIGURATIONS * nv;
  b->by_q = b->tau + nv, b->by_u = b->by_q + nv * nv, b->by_tau = b->by_u + nv * nv;
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) fill_state(b, k);
  return true;
}

static double sum_of(bench *b, bench_work work) {
  double sum = 0;
  for (int k = 0; k < BENCH_CONFIGURATIONS; k++) sum += work(b, k);
  return sum;
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: dynamics FILE.urdf fixed|free [LINK ...]\n");
    return 2;
  }
  bench b = {0};
  brio_error err = {0};
  bool good = start(&b, arguments + 1, &err) && hold(&b, arguments + 3, count - 3, &err);
  static const struct {
    const char *row;
    bench_work work;
  } works[] = {{"inverse", inverse},
               {"mass", mass},
               {"forward", forward},
               {"inverse_derivatives", inverse_derivatives},
               {"forward_derivatives", forward_derivatives},
               {"constrained", constrained},
               {"constrained_derivatives", constrained_derivatives}};
  for (int i = 0; good && i < (b.nheld ? 7 : 5); i++) {
    double check = sum_of(&b, works[i].work);
    /* A link without mass cannot be accelerated by forces. */
    if (isfinite(check)) bench_measure(works[i].row, works[i].work, &b, check);
  }
  if (!good) fprintf(stderr, "dynamics: %s\n", err.message);
  if (b.constraints.work) brio_dynamics_constraints_end(&b.constraints);
  if (b.dynamics.work) brio_dynamics_end(&b.dynamics);
  brio_robot_free(b.robot);
  free(b.q), free(b.u), free(b.tau), free(b.slopes);
  return good ? 0 : 1;
}
