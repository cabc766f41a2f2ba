/* The base: the robot's pose without overlays, compared with a solver that has no overlays; and a joint
** follows a track without lag. */
#include "demo.h"

#define DT 0.005

typedef struct wish {
  int match, alive, avoid, over; /* slots; over: -1 where there is none */
} wish;

static brio_objective_kind laid_over;

/* Request from a solver what every solver of these tests is to do. */
static wish ask(brio_solver *solver, bool with_over) {
  brio_error err = {0};
  brio_argument elbow = {.name = "joint", .text = "joint4"}, wrist = {.name = "joint", .text = "joint6"};
  wish made = {.over = -1};
  made.match = brio_solver_add(solver, "match", "joint_match", &elbow, 1, &err);
  made.alive = brio_solver_add(solver, "alive", "joint_liveliness", &wrist, 1, &err);
  made.avoid = brio_solver_add(solver, "avoid", "collision_avoidance", NULL, 0, &err);
  CHECK(made.match >= 0 && made.alive >= 0 && made.avoid >= 0, "%s", err.message);
  laid_over = *brio_objective_kind_find("joint_follow", &err);
  laid_over.above = true;
  if (with_over) made.over = brio_solver_add_kind(solver, "track", &laid_over, &elbow, 1, &err);
  brio_solver_set_weight(solver, made.match, 50, 0.1, NULL);
  brio_solver_set_weight(solver, made.alive, 20, 0.1, NULL);
  brio_solver_set_weight(solver, made.avoid, 10, 0.1, NULL);
  brio_solver_set_goal(solver, made.alive, (double[]){0.2}, 1, 0, NULL);
  return made;
}

static double goal_at(int i) { return 1.2 + 0.3 * sin(0.9 * i * DT); }

static brio_solver *make(const brio_robot *robot, bool with_base) {
  brio_error err = {0};
  brio_solver *solver = brio_solver_new(robot, &(brio_solver_options){.seed = 7, .with_base = with_base},
                                        &err);
  CHECK(solver != NULL, "%s", err.message);
  return solver;
}

static void test_the_base_is_where_the_robot_would_be(void) {
  brio_robot *robot = demo_arm(false);
  demo_accelerations(robot, 20);
  brio_solver *alone = make(robot, false), *both = make(robot, true);
  wish a = ask(alone, false), b = ask(both, true);
  brio_shape box = {.kind = BRIO_SHAPE_BOX, .size = {0.2, 0.2, 0.2}};
  double apart = 0, together = 0;
  for (int i = 0; i < 1200; i++) {
    double goal = goal_at(i), track = 1.7 + 0.2 * sin(2.0 * i * DT), time = i * DT;
    bool over = i >= 300 && i < 900;
    brio_solution plain, base, whole;
    brio_solver_set_goal(alone, a.match, &goal, 1, 0.05, NULL);
    brio_solver_set_goal(both, b.match, &goal, 1, 0.05, NULL);
    if (i == 500) {
      brio_pose there = {{0.6, 0.2, 0.3}, {0, 0, 0, 1}};
      CHECK(brio_solver_set_shape(alone, "box", -1, there, &box, true, NULL), "a box");
      CHECK(brio_solver_set_shape(both, "box", -1, there, &box, true, NULL), "a box for both");
    }
    if (over) brio_solver_solve_base(both, time, DT, i == 300, &base);
    brio_solver_set_goal(both, b.over, &track, 1, 0, NULL);
    brio_solver_set_weight(both, b.over, over ? 500 : 0, 0, NULL);
    brio_solver_solve(alone, time, DT, &plain);
    brio_solver_solve(both, time, DT, &whole);
    for (int k = 0; over && k < robot->nq; k++)
      CHECK(base.q[k] == plain.q[k], "tick %d, number %d: %.17g is not %.17g", i, k, base.q[k], plain.q[k]);
    if (i > 400 && i < 900) apart = fmax(apart, fabs(whole.q[BRIO_BASE_NQ + 3] - plain.q[BRIO_BASE_NQ + 3]));
    if (i > 1100) together = fmax(together, fabs(whole.q[BRIO_BASE_NQ + 3] - plain.q[BRIO_BASE_NQ + 3]));
  }
  CHECK(apart > 0.2, "what is laid over moves the elbow by %g only", apart);
  CHECK(together < 2e-3, "afterwards it is %g from where it would be", together);
  brio_solver_free(alone);
  brio_solver_free(both);
  brio_robot_free(robot);
}

/* A robot that restarts where it stands, as after a stall, has its base there; one that was moved meanwhile
** is displaced as a whole. */
static void test_the_base_is_displaced_as_the_robot_is(void) {
  brio_robot *robot = demo_arm(false);
  demo_accelerations(robot, 20);
  brio_solver *solver = make(robot, true);
  brio_argument elbow = {.name = "joint", .text = "joint4"};
  laid_over = *brio_objective_kind_find("joint_follow", NULL);
  laid_over.above = true;
  int over = brio_solver_add_kind(solver, "track", &laid_over, &elbow, 1, NULL);
  double start = 0, there = 0, told = 0, where[3];
  double *q = calloc((size_t)robot->nq, sizeof *q);
  CHECK(over >= 0 && q, "an arm with a track");
  start = brio_solver_configuration_of(solver)[BRIO_BASE_NQ + 3];
  there = start + 0.4;
  brio_solver_set_goal(solver, over, &there, 1, 0, NULL);
  brio_solver_set_weight(solver, over, 500, 0, NULL);
  for (int i = 0; i < 900; i++) {
    brio_solution base, whole;
    brio_solver_solve_base(solver, i * DT, DT, i == 0, &base);
    where[i / 300] = base.q[BRIO_BASE_NQ + 3];
    brio_solver_solve(solver, i * DT, DT, &whole);
    if (i % 300 != 299) continue;
    memcpy(q, whole.q, (size_t)robot->nq * sizeof *q);
    told = q[BRIO_BASE_NQ + 3];
    CHECK(fabs(told - there) < 1e-3, "the track leads to %g, not to %g", told, there);
    if (i == 599) q[BRIO_BASE_NQ + 3] += 0.2;
    brio_solver_reset(solver, q, false);
  }
  CHECK(fabs(where[0] - start) < 1e-9 && fabs(where[1] - start) < 1e-9, "the base went to %g, %g", where[0],
        where[1]);
  CHECK(fabs(where[2] - start - 0.2) < 1e-4, "a robot that was moved by 0.2 has its base at %g", where[2]);
  free(q);
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* An objective that yields leaves the pose to the overlay, and the base as it is; when
** restored, it counts again. */
static void test_what_yields_counts_in_the_base_alone(void) {
  brio_robot *robot = demo_arm(false);
  demo_accelerations(robot, 20);
  brio_solver *alone = make(robot, false), *both = make(robot, true);
  wish a = ask(alone, false), b = ask(both, true);
  brio_error err = {0};
  double goal = 1.2, track = 1.5, pulled = 0, free = 0, after = 0;
  for (int i = 0; i < 1600; i++) {
    brio_solution plain, base, whole;
    bool over = i >= 300 && i < 1200;
    brio_solver_set_goal(alone, a.match, &goal, 1, 0, NULL);
    brio_solver_set_goal(both, b.match, &goal, 1, 0, NULL);
    if (i == 700) CHECK(brio_solver_set_yield(both, b.match, 1, 0.05, &err), "%s", err.message);
    if (i == 1200) CHECK(brio_solver_set_yield(both, b.match, 0, 0.05, &err), "%s", err.message);
    if (over) brio_solver_solve_base(both, i * DT, DT, i == 300, &base);
    brio_solver_set_goal(both, b.over, &track, 1, 0, NULL);
    brio_solver_set_weight(both, b.over, over ? 100 : 0, 0, NULL);
    brio_solver_solve(alone, i * DT, DT, &plain);
    brio_solver_solve(both, i * DT, DT, &whole);
    for (int k = 0; over && k < robot->nq; k++) CHECK(base.q[k] == plain.q[k], "tick %d, number %d", i, k);
    double elbow = whole.q[BRIO_BASE_NQ + 3];
    if (i == 699) pulled = fabs(elbow - track);
    if (i == 1199) free = fabs(elbow - track);
    if (i == 1599) after = fabs(elbow - goal);
  }
  CHECK(pulled > 0.01 && free < 0.3 * pulled && after < 2e-3,
        "off by %g while it pulls, %g while it yields (clearance pulls as well); %g afterwards", pulled, free,
        after);
  CHECK(!brio_solver_set_yield(both, b.match, 1.5, 0, &err) &&
            !brio_solver_set_yield(both, b.match, NAN, 0, &err) &&
            !brio_solver_set_yield(both, 1000, 1, 0, &err) &&
            !brio_solver_set_yield(both, b.match, 1, -1, &err),
        "what is none");
  brio_solver_free(alone);
  brio_solver_free(both);
  brio_robot_free(robot);
}

/* Slots and shapes that are added and removed keep both in step. */
static void test_slots_and_shapes_come_and_go_in_both(void) {
  brio_robot *robot = demo_arm(false);
  demo_accelerations(robot, 20);
  brio_solver *solver = make(robot, true);
  brio_error err = {0};
  brio_argument joint = {.name = "joint", .text = "joint2"};
  brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.05, 0, 0}};
  for (int round = 0; round < 50; round++) {
    char key[16];
    snprintf(key, sizeof key, "k%d", round % 7);
    int slot = brio_solver_slot(solver, key, &err);
    if (slot >= 0) brio_solver_remove(solver, slot);
    else
      CHECK(brio_solver_add(solver, key, "joint_match", &joint, 1, &err) >= 0, "round %d: %s", round,
            err.message);
    brio_pose there = {{1, 0.1 * (round % 3), 1}, {0, 0, 0, 1}};
    if (round % 3) CHECK(brio_solver_set_shape(solver, key, -1, there, &ball, true, &err), "%s", err.message);
    else brio_solver_remove_shape(solver, key, NULL);
    brio_solution base, whole;
    brio_solver_solve_base(solver, round * DT, DT, round % 5 == 0, &base);
    brio_solver_solve(solver, round * DT, DT, &whole);
    for (int k = 0; k < robot->nq; k++) CHECK(isfinite(base.q[k]), "round %d", round);
  }
  CHECK(brio_solver_add(solver, "bad", "joint_match", &(brio_argument){.name = "joint", .text = "nose"}, 1,
                        &err) < 0,
        "no such joint");
  CHECK(brio_solver_add(solver, "good", "joint_match", &joint, 1, &err) >= 0, "after a failure: %s",
        err.message);
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* A track within limits is followed in the same tick; one with corners, with little overshoot. */
static void test_a_joint_follows_without_lag_or_swing(void) {
  brio_robot *robot = demo_arm(false);
  demo_accelerations(robot, 20);
  brio_solver *solver = make(robot, false);
  brio_error err = {0};
  brio_argument elbow = {.name = "joint", .text = "joint4"};
  int slot = brio_solver_add(solver, "track", "joint_follow", &elbow, 1, &err);
  CHECK(slot >= 0, "%s", err.message);
  brio_solver_set_weight(solver, slot, 500, 0, NULL);
  brio_solution solution;
  brio_solver_solve(solver, 0, DT, &solution);
  double start = solution.q[BRIO_BASE_NQ + 3], worst = 0, beyond = 0;
  for (int i = 1; i < 1000; i++) {
    double x = fmin(i * DT / 2, 1), goal = start + 0.5 * x * x * x * (10 + x * (6 * x - 15));
    if (i > 500) goal = start + 0.5 - 0.4 * fmin((i - 500) * DT, 0.5); /* a corner, and another */
    brio_solver_set_goal(solver, slot, &goal, 1, 0, NULL);
    brio_solver_solve(solver, i * DT, DT, &solution);
    double off = solution.q[BRIO_BASE_NQ + 3] - goal;
    if (i <= 500) worst = fmax(worst, fabs(off));
    else if (i > 600) beyond = fmax(beyond, -off);
  }
  CHECK(worst < 1e-6, "late by %g", worst);
  CHECK(beyond < 0.02, "%g beyond the corner", beyond);
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* Every kind of the category liveliness: arguments and a goal that let it move the demo arm. */
static const struct {
  const char *kind;
  brio_argument arguments[3];
  int narguments;
  double goal[7];
  int ngoal;
} lively[] = {
    {"joint_liveliness", {{.name = "joint", .text = "joint6"}}, 1, {0.2}, 1},
    {"position_liveliness", {{.name = "link", .text = "hand"}}, 1, {0.1, 0.1, 0.1}, 3},
    {"orientation_liveliness", {{.name = "link", .text = "hand"}}, 1, {0.2, 0.2, 0.2}, 3},
    {"relative_motion_liveliness",
     {{.name = "link1", .text = "hand"}, {.name = "link2", .text = "link2"}},
     2,
     {0.05},
     1},
    {"perspective_noise", {{.name = "link", .text = "hand"}}, 1, {0.3, 0.4, 0.4, 0, 0, 0, 0}, 7},
};

/* Return the row of a kind in `lively`, or -1. */
static int lively_row(const char *kind) {
  for (int i = 0; i < (int)(sizeof lively / sizeof *lively); i++)
    if (strcmp(lively[i].kind, kind) == 0) return i;
  return -1;
}

/* Return the largest distance of a joint between two configurations, rad. */
static double farthest(const brio_robot *robot, const double *a, const double *b) {
  double far = 0;
  for (int k = BRIO_BASE_NQ; k < robot->nq; k++) far = fmax(far, fabs(a[k] - b[k]));
  return far;
}

/* Set the arm to a bent pose: stretched out, the distance of its links could not change. */
static void bend(brio_solver *solver, const brio_robot *robot, double *q) {
  const double bent[7] = {0, 0.4, 0, 1.4, 0, 0.9, 0};
  brio_robot_neutral(robot, q);
  memcpy(q + BRIO_BASE_NQ, bent, sizeof bent);
  brio_solver_reset(solver, q, true);
}

/* Liveliness moves the base, but not the quiet base, so that `alive = 0` leaves it out. The quiet base starts
** with the speed of the base, and brakes. */
static void test_the_quiet_base_is_without_liveliness(void) {
  int count = 0;
  for (int k = 0; brio_objective_kinds[k]; k++) {
    if (strcmp(brio_objective_kinds[k]->category, "liveliness") != 0) continue;
    const char *kind = brio_objective_kinds[k]->name;
    int row = lively_row(kind);
    CHECK(row >= 0, "%s has no row in this test", kind);
    if (row < 0) continue;
    count++;
    brio_robot *robot = demo_arm(false);
    demo_accelerations(robot, 20);
    brio_solver *solver = make(robot, true);
    brio_error err = {0};
    double *start = calloc((size_t)robot->nq, sizeof *start), moved = 0, stirred = 0;
    bend(solver, robot, start);
    int slot = brio_solver_add(solver, "alive", kind, lively[row].arguments, lively[row].narguments, &err);
    CHECK(slot >= 0, "%s: %s", kind, err.message);
    brio_solver_set_goal(solver, slot, lively[row].goal, lively[row].ngoal, 0, NULL);
    brio_solver_set_weight(solver, slot, 20, 0, NULL);
    for (int i = 0; i < 1500; i++) {
      brio_solution base, quiet;
      brio_solver_solve_base(solver, i * DT, DT, i == 0, &base);
      moved = fmax(moved, farthest(robot, base.q, start));
      brio_solver_solve_quiet(solver, i * DT, DT, i == 0, &quiet);
      stirred = fmax(stirred, farthest(robot, quiet.q, start));
    }
    CHECK(moved > 0.02, "%s: the base moves by %g rad only", kind, moved);
    CHECK(stirred < 2e-3, "%s: the quiet base moves by %g rad", kind, stirred);
    free(start);
    brio_solver_free(solver);
    brio_robot_free(robot);
  }
  CHECK(count == (int)(sizeof lively / sizeof *lively), "%d kinds of liveliness", count);
}

CHECK_SUITE(CHECK_TEST(test_the_base_is_where_the_robot_would_be),
            CHECK_TEST(test_the_base_is_displaced_as_the_robot_is),
            CHECK_TEST(test_what_yields_counts_in_the_base_alone),
            CHECK_TEST(test_slots_and_shapes_come_and_go_in_both),
            CHECK_TEST(test_a_joint_follows_without_lag_or_swing),
            CHECK_TEST(test_the_quiet_base_is_without_liveliness))
