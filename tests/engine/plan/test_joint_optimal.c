/* Optimal searches from outside: lengths only fall, and come to a shortest one that geometry says. */
#include "plan/joints/search.h"
#include "robot/robot.h"
#include "tests/allocations.h"
#include "tests/check.h"
#include "tests/engine/plan/ball.h"

/* From (-0.6, 0) to (0.6, 0): a tangent to the circle of the ball's radius r about a corner, an arc, along
** the side, and the same again: 2 (sqrt(d^2 - r^2) + r a) + 0.4 with d from the start to the corner, and a
** the angle that the tangent turns by. */
static double shortest_way(void) {
  double r = 0.05, d = hypot(0.4, 0.2), a = atan2(0.2, 0.4) + asin(r / d);
  return 2 * (sqrt(d * d - r * r) + r * a) + 0.4;
}

/* Work in slices until all checks are used up; the length never rises.  Return the last one. */
static double improve(brio_joint_search *search, int slice, const char *where) {
  brio_error err = {0};
  double last = INFINITY;
  while (!brio_joint_search_over(search)) {
    brio_search_status status = brio_joint_search_work(search, slice, &err);
    CHECK(status != BRIO_SEARCH_FAILED, "%s: %s", where, err.message);
    brio_joint_search_effort done = brio_joint_search_effort_of(search);
    if (done.goal < 0) continue;
    /* Before the first path has been shortened it is at hand, and shrinks as well. */
    CHECK(done.length <= last + 1e-9, "%s: from %g to %g", where, last, done.length);
    last = done.length;
  }
  return last;
}

static void a_ball_comes_to_the_shortest_way_around_a_block(void) {
  static const int variables[2] = {0, 1};
  static const double start[2] = {-0.6, 0}, goal[2] = {0.6, 0};
  brio_error err = {0};
  brio_robot *robot = brio_robot_parse(ball_text, sizeof ball_text - 1, "ball", NULL, &err);
  CHECK(robot != NULL, "%s", err.message);
  double q[BRIO_BASE_NQ + 2];
  brio_robot_neutral(robot, q);
  brio_joint_checker *checker = brio_joint_checker_new(&(brio_joint_checker_request){.robot = robot,
                                                                                     .q = q,
                                                                                     .variables = variables,
                                                                                     .nvariable = 2,
                                                                                     .obstacles = &block,
                                                                                     .nobstacle = 1},
                                                       &err);
  CHECK(checker != NULL, "%s", err.message);
  brio_joint_search_request request = {.checker = checker,
                                       .start = start,
                                       .goals = goal,
                                       .ngoal = 1,
                                       .settings = brio_joint_search_settings_default()};
  request.settings.optimal = true, request.settings.checks = 40000, request.settings.range = 0.3;
  for (request.seed = 1; request.seed <= 3; request.seed++) {
    brio_joint_search *search = brio_joint_search_new(&request, &err);
    CHECK(search != NULL, "%s", err.message);
    size_t before = allocations;
    double length = improve(search, 500, "ball"), least = shortest_way();
    CHECK(allocations == before, "%zu allocations", allocations - before);
    CHECK(length >= least - 1e-6, "%g is shorter than the shortest way, %g", length, least);
    CHECK(length <= 1.005 * least, "%g, of %g", length, least);
    CHECK(brio_joint_search_effort_of(search).improvements > 0, "it was improved");
    brio_joint_search_free(search);
  }
  request.settings.checks = 0;
  CHECK(!brio_joint_search_new(&request, &err) && err.code == BRIO_MISUSE, "without end");
  CHECK_HAS(err.message, "an optimal search goes on until its checks are used up");
  brio_joint_checker_free(checker);
  brio_robot_free(robot);
}

/* The Panda around a post: other seeds come to the same length, which no plain search is below; the same seed
** gives the same path in slices of any size. */
static void other_seeds_come_to_the_same_length(void) {
  static const double from[7] = {0.9, 0.6, 0, -1.9, 0, 2.5, 0.8}, to[7] = {-0.9, 0.6, 0, -1.9, 0, 2.5, 0.8};
  static const brio_obstacle post = {
      "post", {.kind = BRIO_SHAPE_BOX, .size = {0.06, 0.06, 1.2}}, {{0.5, 0, 0.6}, {0, 0, 0, 1}}};
  int variables[7];
  brio_error err = {0};
  brio_robot *robot = brio_robot_load("drivers/robots/panda/model.urdf", NULL, &err);
  CHECK(robot != NULL, "%s", err.message);
  double q[BRIO_BASE_NQ + 16], usual = INFINITY, least = INFINITY, most = 0;
  brio_robot_neutral(robot, q);
  for (int i = 0; i < 7; i++) {
    char name[20];
    snprintf(name, sizeof name, "panda_joint%d", i + 1);
    variables[i] = brio_robot_variable(robot, name, &err);
  }
  brio_joint_checker_request checks = {
      .robot = robot, .q = q, .variables = variables, .nvariable = 7, .obstacles = &post, .nobstacle = 1};
  brio_joint_search_request request = {.checker = brio_joint_checker_new(&checks, &err),
                                       .start = from,
                                       .goals = to,
                                       .ngoal = 1,
                                       .settings = brio_joint_search_settings_default()};
  double same[2];
  for (request.seed = 1; request.seed <= 3; request.seed++) {
    request.settings.optimal = false;
    brio_joint_search *search = brio_joint_search_new(&request, &err);
    usual = fmin(usual, improve(search, 1000, "plain"));
    brio_joint_search_free(search);
    request.settings.optimal = true, request.settings.checks = 50000;
    search = brio_joint_search_new(&request, &err);
    double length = improve(search, request.seed == 1 ? 137 : 5000, "panda");
    least = fmin(least, length), most = fmax(most, length);
    if (request.seed == 1) same[0] = length;
    brio_joint_search_free(search);
  }
  request.seed = 1;
  brio_joint_search *again = brio_joint_search_new(&request, &err);
  same[1] = improve(again, 100000, "again");
  brio_joint_search_free(again);
  CHECK(same[0] == same[1], "%.17g and %.17g", same[0], same[1]);
  printf("#   around a post: plain %.4f at best, optimal %.4f to %.4f\n", usual, least, most);
  CHECK(most <= 1.05 * least, "%g to %g", least, most);
  CHECK(least <= usual && most <= 1.02 * usual, "%g to %g, plain %g", least, most, usual);
  brio_joint_checker_free(request.checker);
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(a_ball_comes_to_the_shortest_way_around_a_block),
            CHECK_TEST(other_seeds_come_to_the_same_length))
