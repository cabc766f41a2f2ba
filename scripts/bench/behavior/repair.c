/* What the repair of a path costs: 200 points of an arm of six joints, of which about 20 % collide with the
** arm itself or its table; and how far it moves the tool, beside swarms.
**   repair MODEL.urdf */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "plan/joints/repair/repair.h"
#include "robot/kinematics.h"
#include "scripts/bench/bench.h"

enum { POINTS = 200, N = 6, PATHS = 20, SWARMS = 2, WAVES = 3 };

static brio_robot *robot;
static brio_joint_checker *checker;
static double q[BRIO_BASE_NQ + N];

/* A sum of slow waves around a random configuration. */
static void random_path(brio_random *random, double *path) {
  for (int k = 0; k < N; k++) {
    const brio_variable *v = &robot->variables[k];
    double range = v->upper - v->lower, middle = v->lower + range * brio_random_uniform(random, 0.3, 0.7);
    double phase[WAVES], size[WAVES];
    for (int w = 0; w < WAVES; w++) {
      phase[w] = brio_random_uniform(random, 0, 2 * BRIO_PI);
      size[w] = range * brio_random_uniform(random, 0, 0.12);
    }
    for (int i = 0; i < POINTS; i++) {
      double value = middle;
      for (int w = 0; w < WAVES; w++)
        value += size[w] * sin(phase[w] + (w + 1) * 2 * BRIO_PI * i / POINTS);
      path[i * N + k] = fmin(fmax(value, v->lower), v->upper);
    }
  }
}

/* Draw paths until one has 15 to 25 % of points that collide, and its ends are clear. */
static void draw_path(brio_random *random, double *path) {
  for (;;) {
    int bad = 0;
    random_path(random, path);
    if (!brio_joint_checker_clear(checker, path) ||
        !brio_joint_checker_clear(checker, path + (POINTS - 1) * N))
      continue;
    for (int i = 0; i < POINTS; i++) bad += !brio_joint_checker_clear(checker, path + i * N);
    if (bad >= 0.15 * POINTS && bad <= 0.25 * POINTS) return;
  }
}

/* How far the tool is moved on average, m. */
static double deviation(brio_state *state, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < POINTS; i++) {
    brio_vec3 at[2];
    for (int k = 0; k < 2; k++) {
      memcpy(q + BRIO_BASE_NQ, (k ? b : a) + i * N, N * sizeof *q);
      brio_state_update(state, q);
      at[k] = state->links[robot->nlink - 1].p;
    }
    sum += brio_vec3_norm(brio_vec3_sub(at[1], at[0]));
  }
  return sum / POINTS;
}

/* Repair paths by a method, and print a row. */
static void measure(brio_repair_method method, int count, brio_state *state) {
  brio_repair_settings settings = brio_repair_settings_default();
  brio_random random = brio_random_stream(1, "bench repair");
  double times[PATHS], moved = 0, before[POINTS * N], path[POINTS * N];
  int good = 0;
  settings.method = method;
  /* One round shows what it costs. */
  if (method == BRIO_REPAIR_SWARM) settings.rounds = 1;
  brio_joint_repair *repair = brio_joint_repair_new(checker, POINTS, &settings, NULL);
  for (int p = 0; repair && p < count; p++) {
    draw_path(&random, before);
    memcpy(path, before, sizeof path);
    double begin = bench_clock();
    good += brio_joint_repair_path(repair, path, POINTS, NULL, NULL);
    times[p] = bench_clock() - begin;
    moved += deviation(state, before, path) / count;
  }
  bench_print(brio_repair_method_names[method], times, count, (double)good / count, 1e3 * moved);
  fflush(stdout);
  brio_joint_repair_free(repair);
}

int main(int argc, char **argv) {
  brio_error err = {0};
  brio_state state;
  static const int variables[N] = {0, 1, 2, 3, 4, 5};
  static const brio_obstacle table = {
      "table", {.kind = BRIO_SHAPE_HALF_SPACE}, {{0, 0, -0.03}, {0, 0, 0, 1}}};
  robot = argc == 2 ? brio_robot_load(argv[1], NULL, &err) : NULL;
  if (!robot || robot->nvariable != N || !brio_state_start(&state, robot, &err)) {
    fprintf(stderr, "repair: %s\n", err.message[0] ? err.message : "MODEL.urdf, of six joints");
    return 1;
  }
  brio_robot_neutral(robot, q);
  brio_joint_checker_request request = {
      .robot = robot, .q = q, .variables = variables, .nvariable = N, .obstacles = &table, .nobstacle = 1};
  checker = brio_joint_checker_new(&request, &err);
  if (!checker) {
    fprintf(stderr, "repair: %s\n", err.message);
    return 1;
  }
  measure(BRIO_REPAIR_PUSH, PATHS, &state);
  measure(BRIO_REPAIR_SWARM, SWARMS, &state);
  brio_joint_checker_free(checker);
  brio_state_end(&state);
  brio_robot_free(robot);
  return 0;
}
