/* The total cost that a backend gets: its gradient agrees with central differences, on a base that is fixed,
** bounded and free, rotated away from its center, with limits of acceleration and without. */
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

CHECK_SUITE(CHECK_TEST(the_whole_cost), CHECK_TEST(rows_of_one_entry_sum_up_as_others_do))
