/* Why a joint moves: shares of objectives compared with differences of their costs; the
** query changes no bit. */
#include "demo.h"

#define DT 0.005

static int add(brio_solver *solver, const char *key, const char *kind, const char *of, const char *name,
               double weight, const double *goal, int count) {
  brio_error err = {0};
  brio_argument argument = {.name = of, .text = name};
  int slot = brio_solver_add(solver, key, kind, &argument, of ? 1 : 0, &err);
  CHECK(slot >= 0, "%s", err.message);
  if (goal) CHECK(brio_solver_set_goal(solver, slot, goal, count, 0, &err), "%s", err.message);
  CHECK(brio_solver_set_weight(solver, slot, weight, 0, &err), "%s", err.message);
  return slot;
}

enum { SLOTS = 4 };

/* The tests' objectives: a hand's position, two goals of one joint that contradict each other, and the middle
** of ranges. */
static brio_solver *make(const brio_robot *robot, int slots[SLOTS]) {
  brio_error err = {0};
  brio_solver *solver = brio_solver_new(robot, &(brio_solver_options){.seed = 3}, &err);
  CHECK(solver != NULL, "%s", err.message);
  slots[0] = add(solver, "hand", "position_match", "link", "hand", 30, (double[]){0.4, 0.2, 0.6}, 3);
  slots[1] = add(solver, "up", "joint_match", "joint", "joint4", 20, (double[]){1.5}, 1);
  slots[2] = add(solver, "down", "joint_match", "joint", "joint4", 5, (double[]){0.1}, 1);
  slots[3] = add(solver, "limits", "joint_limits", NULL, NULL, 2, NULL, 0);
  return solver;
}

/* The weighted cost of an objective at a pose at rest. */
static double cost_at(brio_solver *solver, int slot, const double *q) {
  brio_solution solution;
  brio_slot known;
  brio_solver_reset(solver, q, false);
  brio_solver_solve(solver, 0, DT, &solution);
  CHECK(brio_solver_look(solver, slot, &known), "slot %d", slot);
  return known.weight * known.cost;
}

static double share_of(const brio_solver *solver, int variable, int slot) {
  brio_pull pulls[BRIO_PULLS];
  int count = brio_solver_pulls(solver, variable, pulls);
  for (int i = 0; i < count; i++)
    if (pulls[i].slot == slot) return pulls[i].share;
  return 0;
}

static void test_shares_are_slopes_of_weighted_costs(void) {
  brio_robot *robot = demo_arm(false);
  demo_accelerations(robot, 20);
  int slots[SLOTS];
  brio_solver *solver = make(robot, slots), *still = make(robot, slots);
  brio_solver_set_iterations(still, 0); /* it holds every pose that it is put at */
  double q[BRIO_BASE_NQ + 7], beside[BRIO_BASE_NQ + 7], h = 1e-5;
  brio_random stream = brio_random_stream(5, "pulls");
  brio_solution solution;
  for (int round = 0; round < 20; round++) {
    demo_draw(robot, &stream, q);
    brio_solver_reset(solver, q, false);
    brio_solver_explain(solver);
    brio_solver_solve(solver, 0, DT, &solution);
    for (int j = 0; j < robot->nvariable; j++) {
      double pull[SLOTS], sum = 0, sign = solution.q[BRIO_BASE_NQ + j] < q[BRIO_BASE_NQ + j] ? -1 : 1;
      for (int k = 0; k < SLOTS; k++) {
        memcpy(beside, q, sizeof q);
        beside[BRIO_BASE_NQ + j] = q[BRIO_BASE_NQ + j] - h;
        pull[k] = cost_at(still, slots[k], beside);
        beside[BRIO_BASE_NQ + j] = q[BRIO_BASE_NQ + j] + h;
        pull[k] = (pull[k] - cost_at(still, slots[k], beside)) / (2 * h);
        sum += fabs(pull[k]);
      }
      /* some poses fold the arm onto itself */
      double own = 1 - fabs(share_of(solver, j, BRIO_PULL_CLEARANCE));
      for (int k = 0; k < SLOTS && sum > 1e-3; k++)
        CHECK_NEAR(share_of(solver, j, slots[k]), own * sign * pull[k] / sum, 1e-4,
                   "round %d, joint %d, objective %d", round, j, k);
    }
  }
  brio_solver_free(solver);
  brio_solver_free(still);
  brio_robot_free(robot);
}

static void test_a_share_has_the_sign_of_the_motion(void) {
  brio_robot *robot = demo_arm(false);
  demo_accelerations(robot, 20);
  brio_error err = {0};
  brio_solver *solver = brio_solver_new(robot, NULL, &err);
  double q[BRIO_BASE_NQ + 7];
  brio_pull pulls[BRIO_PULLS];
  brio_solution solution;
  brio_robot_neutral(robot, q);
  q[BRIO_BASE_NQ + 3] = 1;
  brio_solver_reset(solver, q, true);
  CHECK(brio_solver_pulls(solver, 3, pulls) == 0, "nothing was explained yet");
  int strong = add(solver, "strong", "joint_match", "joint", "joint4", 20, (double[]){0.2}, 1);
  int weak = add(solver, "weak", "joint_match", "joint", "joint4", 1, (double[]){1.8}, 1);
  for (int i = 0; i < 20; i++) {
    brio_solver_explain(solver);
    brio_solver_solve(solver, i * DT, DT, &solution);
  }
  CHECK(brio_solver_pulls(solver, 3, pulls) == 2 && pulls[0].slot == strong && pulls[1].slot == weak,
        "hardest first");
  CHECK(pulls[0].share > 0.5 && pulls[1].share < 0, "it goes down: %g %g", pulls[0].share, pulls[1].share);
  CHECK_NEAR(fabs(pulls[0].share) + fabs(pulls[1].share), 1, 1e-12, "shares of all");
  CHECK(brio_solver_pulls(solver, 2, pulls) == 0, "nothing pulls at another joint");
  CHECK(brio_solver_pulls(solver, 7, pulls) == 0 && brio_solver_pulls(solver, -1, pulls) == 0,
        "no such joint");
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* The objectives of both solvers, and their obstacles. */
static void ask_both(brio_solver *const both[2], int tick) {
  brio_error err = {0};
  brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.1, 0, 0}};
  brio_pose there = {{0.35 - 0.0005 * tick, 0.15, 0.6}, {0, 0, 0, 1}};
  for (int k = 0; k < 2; k++) {
    if (tick == 100)
      CHECK(brio_solver_set_shape(both[k], "ball", -1, there, &ball, true, &err), "%s", err.message);
    if (tick > 100) CHECK(brio_solver_move_shape(both[k], "ball", there, &err), "%s", err.message);
    int slot = brio_solver_slot(both[k], "hand", &err);
    brio_solver_set_goal(both[k], slot, (double[]){0.4, 0.3 * sin(0.02 * tick), 0.6}, 3, 0.05, &err);
  }
}

static void test_asking_changes_no_bit(void) {
  brio_robot *robot = demo_arm(false);
  demo_accelerations(robot, 20);
  int slots[SLOTS], near = 0;
  brio_solver *both[2] = {make(robot, slots), make(robot, slots)};
  for (int k = 0; k < 2; k++) {
    add(both[k], "alive", "joint_liveliness", "joint", "joint6", 10, (double[]){0.2}, 1);
    add(both[k], "avoid", "collision_avoidance", NULL, NULL, 10, NULL, 0);
    add(both[k], "smooth", "smoothness_macro", NULL, NULL, 5, NULL, 0);
  }
  for (int i = 0; i < 500; i++) {
    brio_solution plain, asked;
    ask_both(both, i);
    if (i % 3 == 0) brio_solver_explain(both[1]);
    brio_solver_solve(both[0], i * DT, DT, &plain);
    brio_solver_solve(both[1], i * DT, DT, &asked);
    for (int k = 0; k < robot->nq; k++)
      CHECK(plain.q[k] == asked.q[k], "tick %d, number %d: %.17g is not %.17g", i, k, asked.q[k], plain.q[k]);
    CHECK(plain.cost == asked.cost && plain.evaluations == asked.evaluations, "tick %d: cost, or work", i);
    for (int j = 0; j < robot->nvariable; j++) near += share_of(both[1], j, BRIO_PULL_CLEARANCE) != 0;
  }
  CHECK(near > 0, "the ball never came near");
  brio_solver_free(both[0]);
  brio_solver_free(both[1]);
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(test_shares_are_slopes_of_weighted_costs),
            CHECK_TEST(test_a_share_has_the_sign_of_the_motion), CHECK_TEST(test_asking_changes_no_bit))
