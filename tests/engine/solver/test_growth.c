/* The cost of a solve as the number of joints grows, counted and not timed: two arms with hands of more and
** more fingers.  And the optimizations change no result: linear systems compared with the full matrix, costs
** with and without the distances that do not matter. */
#include "solver/solver_internal.h"
#include "demo.h"

enum { MOST = 128 };

/* --- linear systems --- */

/* A matrix in its stored form, and the same in full. */
typedef struct both {
  brio_arena arena;
  brio_curvature h;
  double full[MOST][MOST];
} both;

static void add(both *b, const int *index, const double *entry, int count, double scale) {
  brio_curvature_add(&b->h, index, entry, count, scale);
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) b->full[index[i]][index[j]] += scale * entry[i] * entry[j];
}

/* Fill it with rows that reach from a number up a random tree, and `wide` ones that touch all. */
static void draw(both *b, int n, int wide, brio_random *stream) {
  int index[MOST], reversed[MOST], parent[MOST];
  double entry[MOST];
  memset(b->full, 0, sizeof b->full);
  brio_curvature_clear(&b->h);
  for (int i = 0; i < n; i++) parent[i] = i == 0 ? -1 : (int)brio_random_uniform(stream, fmax(0, i - 6), i);
  for (int i = 0; i < n; i++) {
    int count = 0;
    for (int k = i; k >= 0; k = parent[k]) reversed[count++] = k;
    for (int k = 0; k < count; k++) {
      index[k] = reversed[count - 1 - k];
      entry[k] = brio_random_uniform(stream, -1, 1);
    }
    add(b, index, entry, count, brio_random_uniform(stream, 0.1, 2));
  }
  for (int k = 0; k < wide; k++) {
    for (int i = 0; i < n; i++) index[i] = i, entry[i] = brio_random_uniform(stream, -1, 1);
    add(b, index, entry, n, brio_random_uniform(stream, 0.1, 20));
  }
}

static void check_system(both *b, int n, brio_random *stream, const char *what) {
  bool fixed[MOST] = {0};
  double added[MOST] = {0}, rhs[MOST], x[MOST], column[MOST] = {0}, diagonal[MOST], square = 0;
  for (int i = 0; i < n; i++) {
    fixed[i] = brio_random_uniform(stream, 0, 1) < 0.2;
    added[i] = brio_random_uniform(stream, 0.01, 0.1);
    rhs[i] = x[i] = brio_random_uniform(stream, -1, 1);
  }
  brio_curvature_diagonal(&b->h, diagonal);
  brio_curvature_factor(&b->h, fixed, added);
  brio_curvature_solve(&b->h, x);
  for (int i = 0; i < n; i++) {
    double sum = added[i] * x[i];
    for (int j = 0; j < n; j++) sum += b->full[i][j] * x[j];
    if (fixed[i]) CHECK(x[i] == 0, "%s: number %d is fixed", what, i);
    else CHECK_NEAR(sum, rhs[i], 1e-9, "%s: row %d", what, i);
    CHECK_NEAR(diagonal[i], b->full[i][i], 1e-11, "%s: diagonal %d", what, i);
    for (int j = 0; j < n; j++) square += x[i] * b->full[i][j] * x[j];
  }
  CHECK_NEAR(brio_curvature_square(&b->h, x), square, 1e-9 * fmax(1, square), "%s: square", what);
  brio_curvature_add_column(&b->h, n / 2, 2, column);
  for (int i = 0; i < n; i++)
    CHECK_NEAR(column[i], 2 * b->full[i][n / 2], 1e-11, "%s: column at %d", what, i);
}

static void solves_what_the_full_matrix_says(void) {
  static both b;
  brio_random stream = brio_random_stream(1, "curvature");
  static const int sizes[] = {1, 2, 7, 33, 90, MOST}, wides[] = {0, 1, 3, BRIO_MOST_WIDE, BRIO_MOST_WIDE + 3};
  for (int s = 0; s < 6; s++)
    for (int w = 0; w < 5; w++) {
      char what[64];
      snprintf(what, sizeof what, "%d numbers, %d wide rows", sizes[s], wides[w]);
      brio_arena_start(&b.arena, 4096);
      CHECK(brio_curvature_start(&b.h, sizes[s], &b.arena), "memory");
      draw(&b, sizes[s], wides[w], &stream);
      check_system(&b, sizes[s], &stream, what);
      brio_arena_end(&b.arena);
    }
}

/* --- a robot with many fingers --- */

static int put_joint(char *text, size_t size, const char *name, const char *parent, const char *origin,
                     const char *axis, double radius) {
  return snprintf(text, size,
                  "<link name='%s'><collision><origin xyz='0.02 0 0'/><geometry><sphere radius='%g'/>"
                  "</geometry></collision></link>"
                  "<joint name='j_%s' type='revolute'><parent link='%s'/><child link='%s'/>"
                  "<origin xyz='%s'/><axis xyz='%s'/>"
                  "<limit lower='-.1' upper='1.5' velocity='2' effort='1'/></joint>",
                  name, radius, name, parent, name, origin, axis);
}

/* Two arms of five joints, on each a hand of this many fingers of four joints, 21 mm apart. */
static brio_robot *many_fingers(int fingers) {
  static char text[1 << 17];
  size_t room = sizeof text, at = (size_t)snprintf(text, room, "<robot name='fingers'><link name='base'/>");
  for (int side = 0; side < 2; side++) {
    char name[32], parent[32] = "base", origin[64];
    for (int i = 0; i < 5; i++) {
      snprintf(name, sizeof name, "arm_%d_%d", side, i);
      snprintf(origin, sizeof origin, "%s %g 0", i ? "0.15" : "0", i ? 0 : side - 0.5);
      at += (size_t)put_joint(text + at, room - at, name, parent, origin, i % 2 ? "0 1 0" : "0 0 1", 0.04);
      memcpy(parent, name, sizeof parent);
    }
    for (int f = 0; f < fingers; f++) {
      char hand[32];
      memcpy(hand, parent, sizeof hand);
      for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "finger_%d_%d_%d", side, f, i);
        snprintf(origin, sizeof origin, "%g %g 0", i ? 0.025 : 0.1, i ? 0 : 0.021 * f);
        at += (size_t)put_joint(text + at, room - at, name, i ? parent : hand, origin, "0 1 0", 0.008);
        memcpy(parent, name, sizeof parent);
      }
      memcpy(parent, hand, sizeof parent);
    }
  }
  at += (size_t)snprintf(text + at, room - at, "</robot>");
  brio_error err = {0};
  brio_robot *robot = brio_robot_parse(text, at, "fingers.urdf", NULL, &err);
  CHECK(robot != NULL, "%s", err.message);
  demo_accelerations(robot, 20);
  return robot;
}

/* A solver for it whose hand follows a goal, as a behavior would have it. */
static brio_solver *new_solver(const brio_robot *robot) {
  brio_solver *solver = demo_solver(robot, NULL);
  demo_add(solver, "place", "position_match", "arm_0_4", (double[]){0.4, -0.4, 0.2}, 3);
  demo_add(solver, "limits", "joint_limits", NULL, NULL, 0);
  demo_add(solver, "smooth", "smoothness_macro", NULL, NULL, 0);
  demo_add(solver, "clear", "collision_avoidance", NULL, NULL, 0);
  return solver;
}

/* Multiplications for a factorization of the second derivatives, in the middle of a motion. */
static double work_of(int fingers, int *numbers) {
  brio_robot *robot = many_fingers(fingers);
  brio_solver *solver = new_solver(robot);
  brio_arena arena;
  brio_curvature h;
  double gradient[MOST], added[MOST], time = 0;
  bool fixed[MOST] = {false};
  demo_run(solver, &time, 0.005, 20);
  *numbers = solver->nfree;
  CHECK(solver->nfree <= MOST, "%d numbers", solver->nfree);
  brio_arena_start(&arena, 4096);
  CHECK(brio_curvature_start(&h, solver->nfree, &arena), "memory");
  for (int i = 0; i < solver->nfree; i++) added[i] = 1e-6;
  brio_solver_cost(solver, solver->x);
  brio_solver_slopes(solver, gradient, &h);
  brio_curvature_factor(&h, fixed, added);
  double work = (double)h.operations;
  brio_arena_end(&arena);
  brio_solver_free(solver);
  brio_robot_free(robot);
  return work;
}

static void fingers_cost_what_they_touch(void) {
  int few, many;
  double first = work_of(2, &few), last = work_of(11, &many);
  CHECK(few == 26 && many == 98, "%d and %d numbers", few, many);
  CHECK(last <= 1.5 * first * many / few, "%g multiplications of %d numbers, %g of %d", first,
        few, last, many);
  CHECK(last < 0.1 * many * many * many / 6, "%g multiplications of %d numbers: the full matrix",
        last, many);
}

static void distances_that_matter_not_change_nothing(void) {
  brio_robot *robot = many_fingers(5);
  brio_solver *solver = new_solver(robot);
  double time = 0, gradients[2][MOST], costs[2];
  int measured[2];
  for (int pose = 0; pose < 10; pose++) {
    demo_run(solver, &time, 0.005, 10);
    CHECK(solver->margins, "only collision avoidance reads distances");
    for (int all = 0; all < 2; all++) {
      solver->margins = !all;
      brio_watch_forget(&solver->collision.watch);
      costs[all] = brio_solver_cost(solver, solver->x);
      measured[all] = solver->collision.watch.measured;
      brio_solver_slopes(solver, gradients[all], NULL);
    }
    CHECK_NEAR(costs[0], costs[1], 1e-12 * fmax(1, costs[1]), "pose %d", pose);
    for (int i = 0; i < solver->nfree; i++)
      CHECK_NEAR(gradients[0][i], gradients[1][i], 1e-9, "pose %d: number %d", pose, i);
    CHECK(2 * measured[0] < measured[1], "pose %d: %d distances of %d", pose, measured[0], measured[1]);
  }
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* --- forms of the step --- */

/* A solver in the middle of a motion, with smoothness by its quadratic forms or by rows. */
static brio_solver *in_motion(const brio_robot *robot, const brio_objective_kind *smoothness) {
  brio_error err;
  brio_solver *solver = demo_solver(robot, NULL);
  double time = 0;
  demo_add(solver, "place", "position_match", "arm_0_4", (double[]){0.4, -0.4, 0.2}, 3);
  int slot = brio_solver_add_kind(solver, "smooth", smoothness, NULL, 0, &err);
  CHECK(slot >= 0 && brio_solver_set_weight(solver, slot, 4, 0, &err), "%s", err.message);
  demo_run(solver, &time, 0.005, 20);
  return solver;
}

/* The place of rest where cost and slopes are compared: off the solution. */
static void draw_place(brio_solver *solver, brio_random *stream, double *x) {
  for (int i = 0; i < solver->nfree; i++) x[i] = solver->x[i] + brio_random_uniform(stream, -0.05, 0.05);
}

static void forms_say_what_rows_say(void) {
  static const char *const names[] = {"smoothness_macro", "link_velocity_minimization",
                                      "link_jerk_minimization"};
  brio_robot *robot = many_fingers(4);
  brio_random stream = brio_random_stream(3, "forms");
  for (int k = 0; k < 3; k++) {
    brio_error err;
    brio_objective_kind by_rows = *brio_objective_kind_find(names[k], &err);
    CHECK(by_rows.forms != NULL, "%s has forms", names[k]);
    by_rows.forms = NULL;
    brio_solver *solvers[2] = {in_motion(robot, brio_objective_kind_find(names[k], &err)),
                               in_motion(robot, &by_rows)};
    static double gradients[2][MOST], columns[2][MOST], x[MOST];
    double costs[2];
    brio_curvature h[2];
    brio_arena arena;
    brio_arena_start(&arena, 4096);
    for (int c = 0; c < robot->nv; c++)
      CHECK_NEAR(solvers[0]->coordinates[c], solvers[1]->coordinates[c], 1e-9, "%s: the same motion",
                 names[k]);
    memcpy(solvers[0]->coordinates, solvers[1]->coordinates, (size_t)robot->nv * sizeof *x);
    draw_place(solvers[0], &stream, x);
    for (int way = 0; way < 2; way++) {
      CHECK(brio_curvature_start(&h[way], solvers[way]->nfree, &arena), "memory");
      costs[way] = brio_solver_cost(solvers[way], x);
      brio_solver_slopes(solvers[way], gradients[way], &h[way]);
    }
    CHECK_NEAR(costs[0], costs[1], 1e-9 * fmax(1, costs[1]), "%s: cost", names[k]);
    for (int i = 0; i < solvers[0]->nfree; i++) {
      CHECK_NEAR(gradients[0][i], gradients[1][i], 1e-7 * fmax(1, fabs(gradients[1][i])), "%s: slope %d",
                 names[k], i);
      for (int way = 0; way < 2; way++) {
        memset(columns[way], 0, sizeof columns[way]);
        brio_curvature_add_column(&h[way], i, 1, columns[way]);
      }
      for (int j = 0; j < solvers[0]->nfree; j++)
        CHECK_NEAR(columns[0][j], columns[1][j], 1e-7 * fmax(1, fabs(columns[1][j])), "%s: entry %d, %d",
                   names[k], i, j);
    }
    brio_arena_end(&arena);
    for (int way = 0; way < 2; way++) brio_solver_free(solvers[way]);
  }
  brio_robot_free(robot);
}

/* --- pairs that rest --- */

static void pairs_that_rest_change_nothing(void) {
  brio_robot *robot = many_fingers(6);
  brio_solver *resting = new_solver(robot), *all = new_solver(robot);
  double times[2] = {0, 0}, least = INFINITY;
  brio_watch *watch = &resting->collision.watch;
  all->collision.reach = NULL; /* nothing is known of the motion of joints */
  int awake = 0;
  for (int tick = 0; tick < 300; tick++) {
    double goal[3] = {0.4 + 0.1 * sin(0.1 * tick), -0.4, 0.2 + 0.2 * cos(0.07 * tick)};
    for (int k = 0; k < 2; k++) brio_solver_set_goal(k ? all : resting, 0, goal, 3, 0, NULL);
    brio_solution one = demo_run(resting, &times[0], 0.005, 1), other = demo_run(all, &times[1], 0.005, 1);
    CHECK_NEAR(one.distance, other.distance, 1e-6, "tick %d: the smallest distance", tick);
    for (int i = 0; i < robot->nq; i++)
      CHECK_NEAR(one.q[i], other.q[i], 1e-6, "tick %d: number %d", tick, i);
    awake += brio_watch_awake(watch);
    CHECK(brio_watch_awake(&all->collision.watch) == watch->nfixed, "without motion none rests");
    least = fmin(least, one.distance);
  }
  CHECK(least < 0.01, "fingers are near each other: %g m", least);
  CHECK(4 * awake < 300 * watch->nfixed, "%d of %d pairs are awake", awake / 300, watch->nfixed);
  brio_solver_free(resting), brio_solver_free(all);
  brio_robot_free(robot);
}

/* --- bends --- */

/* A solver with one objective, the arms in a drawn pose. */
static brio_solver *with_one(brio_robot *robot, const char *kind, const char *link, const double *goal,
                             brio_random *stream) {
  static double q[MOST + 8];
  brio_solver *solver = demo_solver(robot, &(brio_solver_options){.unguarded = true});
  double time = 0;
  demo_draw(robot, stream, q);
  brio_solver_reset(solver, q, false);
  demo_add(solver, "one", kind, link, goal, 2);
  demo_run(solver, &time, 0.005, 1);
  return solver;
}

/* Compare the second derivatives, with bends, with differences of the gradient at `x`. */
static void check_bends(brio_solver *solver, double *x, const char *what) {
  static double gradients[2][MOST], column[MOST];
  const double h = 1e-5;
  brio_arena arena;
  brio_curvature curvature;
  int n = solver->nfree;
  brio_arena_start(&arena, 4096);
  CHECK(brio_curvature_start(&curvature, n, &arena), "memory");
  curvature.wants_bends = true;
  brio_solver_cost(solver, x);
  brio_solver_slopes(solver, gradients[0], &curvature);
  brio_curvature_bend_to(&curvature, true);
  for (int j = 0; j < n; j++) {
    memset(column, 0, sizeof column);
    brio_curvature_add_column(&curvature, j, 1, column);
    double at = x[j];
    for (int side = 0; side < 2; side++) {
      x[j] = side ? at - h : at + h;
      brio_solver_cost(solver, x);
      brio_solver_slopes(solver, gradients[side], NULL);
    }
    x[j] = at;
    for (int i = 0; i < n; i++) {
      double difference = (gradients[0][i] - gradients[1][i]) / (2 * h);
      CHECK_NEAR(column[i], difference, 1e-6 * fmax(1, fabs(difference)), "%s: entry %d, %d", what, i, j);
    }
  }
  brio_arena_end(&arena);
}

static void bends_are_second_derivatives(void) {
  static double x[MOST];
  brio_random stream = brio_random_stream(4, "bends");
  for (int pose = 0; pose < 20; pose++) {
    brio_robot *robot = many_fingers(1);
    demo_accelerations(robot, INFINITY); /* the place of rest is the next pose */
    /* Farther than the groove is wide, the loss does not bend. */
    brio_solver *solver = with_one(robot, "position_match", "finger_0_0_3", (double[]){3, -1, 2}, &stream);
    memcpy(x, solver->x, (size_t)solver->nfree * sizeof *x);
    check_bends(solver, x, "a point out of reach");
    brio_solver_free(solver);
    solver = with_one(robot, "joint_limits", NULL, NULL, &stream);
    for (int i = 0; i < solver->nfree; i++) {
      brio_bounds bounds = brio_solver_limits(robot, solver->free[i]);
      double side = brio_random_uniform(&stream, -0.88, 0.88); /* the sum stays below the groove's width */
      x[i] = 0.5 * (bounds.lower + bounds.upper) + 0.5 * side * (bounds.upper - bounds.lower);
    }
    check_bends(solver, x, "the ends of joints");
    brio_solver_free(solver);
    brio_robot_free(robot);
  }
}

static void a_goal_out_of_reach_takes_few_iterations(void) {
  brio_robot *robot = many_fingers(11);
  brio_solver *solver = new_solver(robot);
  double time = 0;
  int iterations = 0, cut = 0;
  for (int tick = 0; tick < 400; tick++) {
    double goal[3] = {4, -0.4 + sin(0.005 * tick), 1 + cos(0.005 * tick)};
    brio_solver_set_goal(solver, 0, goal, 3, 0, NULL);
    brio_solution solution = demo_run(solver, &time, 0.005, 1);
    iterations += solution.iterations, cut += solution.status == BRIO_SOLVER_CUT;
  }
  CHECK(iterations < 400 * 8, "%d iterations in 400 solves", iterations);
  CHECK(cut <= 4, "%d solves used up their iterations", cut);
  /* The arm is stretched towards the goal: nothing moves the hand nearer to it. */
  brio_vec3 shoulder = brio_solver_state(solver)->links[brio_robot_link(robot, "arm_0_0", NULL)].p;
  brio_vec3 hand = brio_solver_state(solver)->links[brio_robot_link(robot, "arm_0_4", NULL)].p;
  CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(hand, shoulder)), 0.6, 0.002, "the length of the arm");
  brio_solver_free(solver);
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(solves_what_the_full_matrix_says), CHECK_TEST(fingers_cost_what_they_touch),
            CHECK_TEST(distances_that_matter_not_change_nothing),
            CHECK_TEST(forms_say_what_rows_say), CHECK_TEST(pairs_that_rest_change_nothing),
            CHECK_TEST(bends_are_second_derivatives), CHECK_TEST(a_goal_out_of_reach_takes_few_iterations))
