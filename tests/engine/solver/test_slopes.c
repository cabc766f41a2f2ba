/* The total cost that a backend gets: its gradient agrees with central differences, on a base that is fixed,
** bounded and free, rotated away from its center, with limits of acceleration and without. And what the
** method of Gauss and Newton makes of cost and slopes. */
#include "solver/solver_internal.h"
#include "stage.h"

enum { MOST = 64 };

/* Objectives about everything that moves, with goals near by. */
static void add_some(brio_solver *solver) {
  static const struct {
    const char *kind, *link;
    int numbers;
    double goal[10];
  } rows[] = {
    {"position_match", "hand", 3, {0.3, 0.2, 0.9}},
    {"orientation_match", "link4", 4, {0.1, 0.2, 0.3, 0.9}},
    {"look_at", "hand", 3, {2, 1, 0}},
    {"keep_upright", "base", 0, {0}},
    {"center_of_mass_match", NULL, 3, {0.1, 0, 0.5}},
    {"gravity_effort", NULL, 0, {0}},
    {"momentum_minimization", NULL, 0, {0}},
    {"manipulability", "hand", 0, {0}},
    {"nominal_posture", NULL, 0, {0}},
    {"origin_velocity_minimization", NULL, 0, {0}},
    {"origin_acceleration_minimization", NULL, 0, {0}},
    {"origin_jerk_minimization", NULL, 0, {0}},
    {"link_velocity_minimization", NULL, 0, {0}},
    {"link_jerk_minimization", NULL, 0, {0}},
    {"joint_acceleration_minimization", NULL, 0, {0}},
    {"position_liveliness", "hand", 3, {0.05, 0.05, 0.05}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    demo_add(solver, rows[i].kind, rows[i].kind, rows[i].link, rows[i].numbers ? rows[i].goal : NULL, 3);
  brio_error err = {0};
  brio_argument everything = {.name = "origin", .number = 1, .truth = true};
  int slot = brio_solver_add(solver, "macro", "smoothness_macro", &everything, 1, &err);
  CHECK(slot >= 0, "%s", err.message);
  brio_solver_set_weight(solver, slot, 5, 0, NULL);
}

static void compare(brio_solver *solver, const char *what, brio_random *stream) {
  double x[MOST], gradient[MOST], length = 0;
  const double h = 1e-6;
  CHECK(solver->nfree <= MOST, "%d numbers", solver->nfree);
  for (int i = 0; i < solver->nfree; i++) x[i] = solver->x[i] + brio_random_uniform(stream, -0.01, 0.01);
  brio_solver_cost(solver, x);
  brio_solver_slopes(solver, gradient, NULL);
  for (int i = 0; i < solver->nfree; i++) length += gradient[i] * gradient[i];
  for (int i = 0; i < solver->nfree; i++) {
    double from = x[i];
    x[i] = from + h;
    double up = brio_solver_cost(solver, x);
    x[i] = from - h;
    double down = brio_solver_cost(solver, x);
    x[i] = from;
    CHECK_NEAR(gradient[i], (up - down) / (2 * h), 1e-6 * fmax(1, sqrt(length)), "%s: number %d", what, i);
  }
}

static void the_whole_cost(void) {
  static const char *const names[] = {"a base that stands", "a base within bounds", "a free base"};
  for (int which = 0; which < 12; which++) {
    int base = which % 3;
    bool lively = which / 3 % 2, braked = which / 6;
    brio_robot_options options = {
        .base = (brio_base_type[]){BRIO_BASE_FIXED, BRIO_BASE_BOUNDED, BRIO_BASE_FREE}[base],
        .base_center = {{0.1, -0.2, 0.3}, {0, 0, 0, 1}},
        .base_range = {0.5, 0.5, 0.5, 1.5, 1.5, 1.5}};
    brio_error err = {0};
    brio_robot *robot = brio_robot_parse(DEMO_ARM, sizeof DEMO_ARM - 1, "demo.urdf", &options, &err);
    CHECK(robot != NULL, "%s", err.message);
    if (braked) demo_accelerations(robot, 30);
    brio_solver_options how = {.lively_losses = lively, .seed = 2};
    brio_solver *solver = demo_solver(robot, &how);
    brio_random stream = brio_random_stream(1, names[base]);
    double time = 0;
    add_some(solver);
    for (int pose = 0; pose < 10; pose++) {
      demo_run(solver, &time, 0.01, 13);
      compare(solver, names[base], &stream);
    }
    const double *c = solver->coordinates + 3;
    if (base == 1)
      CHECK(fabs(c[0]) + fabs(c[1]) + fabs(c[2]) > 0.05, "it has not turned: %g %g %g", c[0], c[1], c[2]);
    brio_solver_free(solver);
    brio_robot_free(robot);
  }
}

/* Add an objective of a joint; without `known` its kind does not tell its only variable. */
static void add_of_joint(brio_solver *solver, const char *kind, int joint, double goal, bool known) {
  brio_error err = {0};
  static brio_objective_kind rows[2]; /* solvers keep the addresses of kinds */
  const brio_objective_kind *row = brio_objective_kind_find(kind, &err);
  brio_objective_kind *own = &rows[row->life];
  char key[64];
  const char *name = brio_solver_robot(solver)->variables[joint].name;
  brio_argument argument = {.name = "joint", .text = name};
  snprintf(key, sizeof key, "%s %s", kind, name);
  CHECK(row->variable != NULL, "%s depends on one variable", kind);
  *own = *row;
  own->variable = NULL;
  int slot = brio_solver_add_kind(solver, key, known ? row : own, &argument, 1, &err);
  CHECK(slot >= 0, "%s", err.message);
  brio_solver_set_goal(solver, slot, &goal, 1, 0, NULL);
  brio_solver_set_weight(solver, slot, 10 + joint, 0, NULL);
}

/* Poses of an arm over 150 ticks whose joints have objectives with one entry a row, among others. */
static void poses_of(bool known, int which, double poses[150][MOST]) {
  brio_error err = {0};
  brio_robot *robot = demo_arm(which % 2);
  brio_solver_options how = {.lively_losses = which / 2 % 2, .seed = 4};
  brio_solver *solver = demo_solver(robot, &how);
  if (which >= 4)
    CHECK(brio_solver_couple(solver, (int[]){4, 6}, (double[]){1, -0.5}, 2, 0.1, &err), "%s", err.message);
  add_some(solver);
  for (int i = 0; i < robot->nvariable; i++) {
    add_of_joint(solver, "joint_match", i, 0.3 * i - 1, known);
    if (i % 2) add_of_joint(solver, "joint_liveliness", i, 0.2, known);
  }
  for (int tick = 0; tick < 150; tick++) {
    brio_solution solution;
    brio_solver_solve(solver, (tick + 1) * 0.01, 0.01, &solution);
    memcpy(poses[tick], solution.q, (size_t)robot->nq * sizeof *solution.q);
    if (tick == 70) brio_solver_set_limits(solver, 2, &(brio_limits){-0.1, 0.1, 1, 5}, &err);
  }
  brio_solver_free(solver);
  brio_robot_free(robot);
}

static void rows_of_one_entry_sum_up_as_others_do(void) {
  static double known[150][MOST], searched[150][MOST];
  for (int which = 0; which < 6; which++) {
    memset(known, 0, sizeof known);
    memset(searched, 0, sizeof searched);
    poses_of(true, which, known);
    poses_of(false, which, searched);
    /* The order of sums differs where other objectives are quadratic forms. */
    double most = 0;
    for (int tick = 0; tick < 150; tick++)
      for (int i = 0; i < MOST; i++) most = fmax(most, fabs(known[tick][i] - searched[tick][i]));
    CHECK(most <= 1e-12, "case %d: the poses differ by %g", which, most);
    CHECK(known[149][8] != known[20][8], "case %d: it does not move", which);
  }
}

/* --- the method of Gauss and Newton by itself, without a robot: where it begins, and where it ends --- */

enum { N = 4 };

/* Residuals  x0 - 1,  10 (x1 - x0^2),  x2 - sin(x0),  x3^2 - 1:  valleys at x3 = 1 and x3 = -1, each with its
** minimum, 0, at (1, 1, sin 1, +-1). The cost is half their squares. */
typedef struct valley {
  double x[N];
  int costs, slopes;
} valley;

static void residuals(const double *x, double r[N]) {
  r[0] = x[0] - 1, r[1] = 10 * (x[1] - x[0] * x[0]), r[2] = x[2] - sin(x[0]), r[3] = x[3] * x[3] - 1;
}

static double cost(void *context, const double *x) {
  valley *v = context;
  double r[N], sum = 0;
  v->costs++;
  memcpy(v->x, x, sizeof v->x);
  residuals(x, r);
  for (int i = 0; i < N; i++) sum += r[i] * r[i] / 2;
  return sum;
}

static void slopes(void *context, double *gradient, brio_curvature *curvature) {
  valley *v = context;
  const double *x = v->x;
  static const int index[N] = {0, 1, 2, 3};
  double r[N], rows[N][N] = {{1}, {-20 * x[0], 10}, {-cos(x[0]), 0, 1}, {0, 0, 0, 2 * x[3]}};
  v->slopes++;
  residuals(x, r);
  memset(gradient, 0, N * sizeof *gradient);
  brio_curvature_clear(curvature);
  for (int k = 0; k < N; k++) {
    for (int i = 0; i < N; i++) gradient[i] += r[k] * rows[k][i];
    brio_curvature_add(curvature, index, rows[k], N, 1);
  }
}

/* Minimize from `from`, with a guess or NULL, and leave the place found in `x`; return what was counted. */
static valley minimize(const double *from, const double *guess, double *x) {
  static const double lower[N] = {-3, -3, -3, -3}, upper[N] = {3, 3, 3, 3};
  valley v = {.costs = 0};
  brio_error err = {0};
  const brio_backend *backend = brio_backend_find("gauss_newton", &err);
  void *workspace = backend->start(N, &err);
  brio_problem problem = {N, lower, upper, guess, &v, cost, slopes};
  brio_outcome outcome = {0};
  memcpy(x, from, N * sizeof *x);
  backend->run(workspace, &problem, 60, x, &outcome);
  CHECK(outcome.converged && outcome.found, "cost %g", outcome.cost);
  CHECK(outcome.evaluations == v.costs, "%d of %d", outcome.evaluations, v.costs);
  backend->end(workspace);
  return v;
}

/* How far x is from the minimum of the valley of that sign. */
static double away(const double *x, double sign) {
  const double best[N] = {1, 1, sin(1), sign};
  double most = 0;
  for (int i = 0; i < N; i++) most = fmax(most, fabs(x[i] - best[i]));
  return most;
}

/* Distances of starts over seven decades, with and without the minimum nearly guessed. */
static void ends_at_the_minimum(void) {
  for (double far = 1e-7; far < 0.5; far *= 3) {
    double from[N] = {1 + far, 1 - far, sin(1) + far, 1 + far}, x[N];
    valley alone = minimize(from, NULL, x);
    CHECK(away(x, 1) < 1e-7, "from %g: %g away", far, away(x, 1));
    double guess[N] = {1 + 0.01 * far, 1 - 0.01 * far, sin(1) + 0.01 * far, 1 + 0.01 * far};
    valley led = minimize(from, guess, x);
    CHECK(away(x, 1) < 1e-7, "with a guess from %g: %g away", far, away(x, 1));
    CHECK(led.costs <= alone.costs && led.slopes <= alone.slopes, "%d in place of %d", led.costs,
          alone.costs);
  }
}

/* A guess that leads elsewhere, farther away or nowhere costs one evaluation, and changes nothing else. */
static void a_bad_guess_changes_nothing(void) {
  const double from[N] = {1.1, 0.9, 0.8, 1.2};
  const double bad[][N] = {{1.1, 0.9, 0.8, -0.4}, {-2, 2, -1, 2}, {1.2, 0.8, 0.7, 1.5}, {1.1, 0.9, 0.8, 1.2},
                           {NAN, 1, 1, 1}};
  double x[N], alone[N];
  valley before = minimize(from, NULL, alone);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    valley now = minimize(from, bad[i], x);
    CHECK(memcmp(x, alone, sizeof x) == 0, "guess %zu: %g away", i, away(x, 1));
    CHECK(now.costs == before.costs + 1, "guess %zu: %d after %d", i, now.costs, before.costs);
  }
}

/* Half the square of x0 - 1, of a valley with `costs` only above 1; nothing else costs. */
static double plain_cost(void *context, const double *x) {
  valley *v = context;
  memcpy(v->x, x, sizeof v->x);
  double r = v->costs && x[0] < 1 ? 0 : x[0] - 1;
  return r * r / 2;
}

static void plain_slopes(void *context, double *gradient, brio_curvature *curvature) {
  const valley *v = context;
  double row[N] = {v->costs && v->x[0] < 1 ? 0 : 1};
  static const int index[N] = {0};
  memset(gradient, 0, N * sizeof *gradient);
  gradient[0] = row[0] * (v->x[0] - 1);
  brio_curvature_clear(curvature);
  if (row[0] != 0) brio_curvature_add(curvature, index, row, 1, 1);
}

/* Where nothing pulls a guess counts for nothing, and of a change only what is pulled remains: not what is
** free, nor what stands at a bound without being pushed there. */
static void what_nothing_pulls_stays(void) {
  static const double lower[N] = {-3, -1, -1, -1}, upper[N] = {3, 1, 1, 1};
  const double guess[N] = {0.4, 0.1, 0.1, 0.1};
  brio_error err = {0};
  const brio_backend *backend = brio_backend_find("gauss_newton", &err);
  void *workspace = backend->start(N, &err);
  for (int flat = 0; flat < 2; flat++) {
    double x[N] = {0.5, 1, 0.2, -1}, change[N] = {0.1, 0.1, 0.1, 0.1};
    valley v = {.costs = flat};
    brio_problem problem = {N, lower, upper, flat ? guess : NULL, &v, plain_cost, plain_slopes};
    brio_outcome outcome = {0};
    backend->run(workspace, &problem, 60, x, &outcome);
    CHECK(outcome.converged && fabs(x[0] - (flat ? 0.5 : 1)) < 1e-6, "flat %d: x0 = %g", flat, x[0]);
    CHECK(x[1] == 1 && x[2] == 0.2 && x[3] == -1, "%g %g %g", x[1], x[2], x[3]);
    CHECK(backend->curved(workspace, change), "it is known");
    CHECK(fabs(change[0] - (flat ? 0 : 0.1)) < 1e-6, "flat %d: %g remains", flat, change[0]);
    for (int i = 1; i < N; i++)
      CHECK(fabs(change[i]) < 1e-6, "flat %d: %g of %d remains", flat, change[i], i);
  }
  backend->end(workspace);
}

CHECK_SUITE(CHECK_TEST(the_whole_cost), CHECK_TEST(rows_of_one_entry_sum_up_as_others_do),
            CHECK_TEST(ends_at_the_minimum), CHECK_TEST(a_bad_guess_changes_nothing),
            CHECK_TEST(what_nothing_pulls_stays))
