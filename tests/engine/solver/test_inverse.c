/* Inverse kinematics as its users see it: links are brought to reachable poses, judged by forward kinematics
** that knows nothing of chains; an unreachable pose is reported, with the remaining error; equal requests
** have equal answers to the bit; and nothing allocates. */
#include "inverse.h"
#include "tests/allocations.h"

static void finds_what_can_be_reached(void) {
  static const struct {
    const char *file, *link, *other;
  } cases[] = {
      {"drivers/robots/ur3e/model.urdf", "tool0", NULL},
      {"drivers/robots/panda/model.urdf", "panda_hand", NULL},
      {"drivers/robots/pepper/model.urdf", "l_gripper", NULL},
      {"drivers/robots/probo/model.urdf", "gaze_frame", NULL},
      {"drivers/robots/pepper/model.urdf", "l_gripper", "r_gripper"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bench b;
    int count = 200;
    if (start(&b, brio_robot_load(cases[i].file, NULL, NULL), cases[i].link, cases[i].other,
              (brio_inverse_options){.seed = 3})) {
      int found = round_trips(&b, count, (brio_inverse_request){0}, 11);
      CHECK(found == count, "%s: %d of %d", cases[i].file, found, count);
    }
    CHECK(b.robot, "%s was not read", cases[i].file);
    end(&b);
  }
}

/* The links that most variables move: for any robot. */
static const char *farthest(const brio_robot *robot) {
  int best = 0, most = -1;
  for (int i = 0; i < robot->nlink; i++) {
    int moves = 0;
    for (int l = i; l > 0; l = robot->links[l].parent)
      moves += robot->joints[robot->links[l].joint].type != BRIO_JOINT_FIXED;
    if (moves > most) best = i, most = moves;
  }
  return robot->links[best].name;
}

static void finds_it_on_every_robot(void) {
  static const char *const files[] = {
      "ur3e/ur3e.urdf", "panda/panda.urdf",   "iiwa14/iiwa14.urdf",         "pepper/pepper.urdf",
      "nao/nao.urdf",   "baxter/baxter.urdf", "mycobot280/mycobot280.urdf", "h1/h1.urdf",
      "ur5e/ur5e.urdf", "cassie/cassie.urdf", "lively/panda.urdf",          "lively/pepper.urdf"};
  if (!check_shared()) SKIP("the shared robots are not on this machine");
  int count = (int)(40 * check_scale()), found = 0, tried = 0;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    bench b;
    brio_robot *robot = demo_shared(files[i]);
    CHECK(robot, "%s was not read", files[i]);
    if (!robot) continue;
    if (start(&b, robot, farthest(robot), NULL, (brio_inverse_options){.seed = 3})) {
      int here = round_trips(&b, count, (brio_inverse_request){0}, 5);
      CHECK(here >= 0.95 * count, "%s to '%s': %d of %d", files[i], farthest(robot), here, count);
      found += here, tried += count;
    }
    end(&b);
  }
  CHECK(found >= 0.995 * tried, "%d of %d were found", found, tried);
}

/* --- goals in part --- */

static void a_position_alone(void) {
  bench b;
  brio_pose is, want = {{0.45, 0.1, 0.7}, {0, 0, 0, 1}};
  brio_inverse_goal goal = goal_of(want, NULL, nothing);
  brio_inverse_result result;
  if (start(&b, demo_arm(false), "hand", NULL, (brio_inverse_options){0})) {
    CHECK(brio_inverse_solve(b.inverse, &(brio_inverse_request){.goals = &goal}, &result, &b.err), "%s",
          b.err.message);
    is = link_at(&b, result.q, 0);
    CHECK(gap(is, want) <= 1e-4, "%g m", gap(is, want));
    CHECK(result.orientation == 0, "an angle was not asked for: %g", result.orientation);
  }
  end(&b);
}

/* One axis of the hand points down, at any angle about it; its position is free along the goal's x. */
static void an_axis_points_and_a_line_is_kept(void) {
  bench b;
  if (!start(&b, demo_arm(false), "hand", NULL, (brio_inverse_options){0})) return;
  brio_random stream = brio_random_stream(2, "goals");
  for (int axis = 0; axis < 3; axis++)
    for (int i = 0; i < 20; i++) {
      double there[MOST], pointing[3] = {1e-3, 1e-3, 1e-3}, line[3] = {INFINITY, 1e-4, 1e-4};
      demo_draw(b.robot, &stream, there);
      pointing[axis] = INFINITY;
      brio_inverse_goal goal = goal_of(link_at(&b, there, 0), line, pointing);
      brio_inverse_result result;
      bool found = brio_inverse_solve(b.inverse, &(brio_inverse_request){.goals = &goal}, &result, &b.err);
      CHECK(found, "%s", b.err.message);
      brio_pose is = link_at(&b, result.q, 0);
      brio_vec3 e = {axis == 0, axis == 1, axis == 2};
      brio_vec3 off = brio_quat_rotate(brio_quat_conj(goal.pose.q), brio_vec3_sub(is.p, goal.pose.p));
      double angle =
          acos(fmin(1, brio_vec3_dot(brio_quat_rotate(is.q, e), brio_quat_rotate(goal.pose.q, e))));
      CHECK(angle <= 1.001e-3, "axis %d is off by %g rad", axis, angle);
      CHECK(hypot(off.y, off.z) <= 1.001e-4, "off the line by %g m", hypot(off.y, off.z));
    }
  end(&b);
}

/* A box of tolerance wide enough to reach a goal that is itself out of reach. */
static void wide_tolerances_are_used(void) {
  bench b;
  brio_pose want = {{0.3, 0, 2.0}, {0, 0, 0, 1}}; /* above the arm's reach */
  double wide[3] = {0.05, 0.05, 1.0};
  brio_inverse_goal strict = goal_of(want, NULL, nothing), loose = goal_of(want, wide, nothing);
  brio_inverse_result result;
  if (start(&b, demo_arm(false), "hand", NULL, (brio_inverse_options){0})) {
    CHECK(!brio_inverse_solve(b.inverse, &(brio_inverse_request){.goals = &strict}, &result, &b.err),
          "reached");
    CHECK(brio_inverse_solve(b.inverse, &(brio_inverse_request){.goals = &loose}, &result, &b.err), "%s",
          b.err.message);
    brio_pose is = link_at(&b, result.q, 0);
    double x = (is.p.x - want.p.x) / 0.05, y = (is.p.y - want.p.y) / 0.05, z = is.p.z - want.p.z;
    CHECK(x * x + y * y + z * z <= 1.0001, "%g %g %g of the tolerance", x, y, z);
  }
  end(&b);
}

static void a_tool_is_brought_in_place_of_the_link(void) {
  bench b;
  if (!start(&b, demo_arm(false), "hand", NULL, (brio_inverse_options){0})) return;
  brio_random stream = brio_random_stream(4, "tool");
  brio_pose tool = {{0.1, 0.02, 0.2}, brio_quat_from_rpy(0.3, -0.8, 1.2)};
  for (int i = 0; i < 20; i++) {
    double there[MOST];
    demo_draw(b.robot, &stream, there);
    brio_inverse_goal goal = {.pose = brio_pose_mul(link_at(&b, there, 0), tool), .tool = tool};
    brio_inverse_result result;
    CHECK(brio_inverse_solve(b.inverse, &(brio_inverse_request){.goals = &goal}, &result, &b.err), "%s",
          b.err.message);
    brio_pose is = brio_pose_mul(link_at(&b, result.q, 0), tool);
    CHECK(gap(is, goal.pose) < 1.001e-4 && turn(is, goal.pose) < 1.001e-3, "%g m", gap(is, goal.pose));
  }
  end(&b);
}

/* --- impossible goals --- */

/* The least error is that of geometry: the demo arm's shoulder is 0.43 m up, and its hand 0.78 m from there
** at most (sideways offsets of its joints not counted). */
static void out_of_reach_is_said_with_what_is_left(void) {
  bench b;
  brio_inverse_goal goal = goal_of((brio_pose){{3, 0, 0.43}, {0, 0, 0, 1}}, NULL, nothing);
  brio_inverse_result result;
  if (start(&b, demo_arm(false), "hand", NULL, (brio_inverse_options){0})) {
    CHECK(!brio_inverse_solve(b.inverse, &(brio_inverse_request){.goals = &goal}, &result, &b.err),
          "reached");
    CHECK(b.err.code == BRIO_UNREACHABLE && !result.found && result.nsolution == 0, "%s", b.err.message);
    CHECK_HAS(b.err.message, "'hand'");
    CHECK_HAS(b.err.message, "400 starts");
    CHECK_NEAR(result.position, 3 - 0.78, 0.01, "the arm stretched out");
    CHECK_NEAR(gap(link_at(&b, result.q, 0), goal.pose), result.position, 1e-9, "what q leaves");
    check_limits(b.robot, result.q);
  }
  end(&b);
}

static void goals_that_contradict_each_other(void) {
  bench b;
  brio_inverse_goal goals[2] = {goal_of((brio_pose){{0.4, 0.2, 0.6}, {0, 0, 0, 1}}, NULL, nothing),
                                goal_of((brio_pose){{0.4, -0.2, 0.6}, {0, 0, 0, 1}}, NULL, nothing)};
  brio_inverse_result result;
  if (start(&b, demo_arm(false), "hand", "hand", (brio_inverse_options){0})) {
    CHECK(!brio_inverse_solve(b.inverse, &(brio_inverse_request){.goals = goals}, &result, &b.err), "both");
    CHECK_NEAR(result.position, 0.2, 1e-3, "half way between the two");
  }
  end(&b);
}

static void bad_requests_are_refused(void) {
  bench b;
  if (!start(&b, demo_arm(false), "hand", NULL, (brio_inverse_options){0})) return;
  brio_inverse_goal good = {.pose = {{0.45, 0.1, 0.7}, {0, 0, 0, 1}}}, bad[7];
  double numbers[MOST];
  brio_robot_neutral(b.robot, numbers);
  numbers[9] = NAN;
  for (int i = 0; i < 7; i++) bad[i] = good;
  bad[0].pose.p.x = NAN, bad[1].pose.p.z = 1e300, bad[2].pose.q.w = 0, bad[3].position[1] = -1;
  bad[4].orientation[2] = NAN, bad[5] = goal_of(good.pose, nothing, nothing), bad[6].tool.p.x = INFINITY;
  brio_inverse_request requests[] = {{.goals = &bad[0]},
                                     {.goals = &bad[1]},
                                     {.goals = &bad[2]},
                                     {.goals = &bad[3]},
                                     {.goals = &bad[4]},
                                     {.goals = &bad[5]},
                                     {.goals = &bad[6]},
                                     {.goals = &good, .seed = numbers},
                                     {.goals = &good, .nominal = numbers},
                                     {.goals = &good, .clear = true},
                                     {.goals = &good, .clearance = NAN},
                                     {.goals = &good, .apart = -1},
                                     {.goals = &good, .max_starts = -1},
                                     {.goals = &good, .solutions = 17},
                                     {.goals = &good, .clearance = 5}};
  for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
    brio_inverse_result result;
    b.err = (brio_error){0};
    bool found = brio_inverse_solve(b.inverse, &requests[i], &result, &b.err);
    CHECK(!found && b.err.code == BRIO_MISUSE && b.err.message[0], "request %zu: %s", i, b.err.message);
    CHECK(!result.q && result.starts == 0, "request %zu left a result", i);
  }
  int hand = b.links[0], root = 0, none = 99, all[7] = {0, 1, 2, 3, 4, 5, 6};
  brio_inverse_options options[] = {{.nlink = 0},
                                    {.links = &root, .nlink = 1},
                                    {.links = &none, .nlink = 1},
                                    {.links = &hand, .nlink = 1, .held = &none, .nheld = 1},
                                    {.links = &hand, .nlink = 1, .held = all, .nheld = 7},
                                    {.links = &hand, .nlink = 1, .moves_base = true},
                                    {.links = &hand, .nlink = 1, .max_solutions = -1}};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    b.err = (brio_error){0};
    brio_inverse *made = brio_inverse_new(b.robot, &options[i], &b.err);
    CHECK(!made && b.err.code == BRIO_MISUSE && b.err.message[0], "options %zu: %s", i, b.err.message);
    brio_inverse_free(made);
  }
  end(&b);
}

/* --- the same again --- */

static void equal_requests_have_equal_answers(void) {
  bench a, b;
  brio_inverse_options options = {.seed = 7};
  if (!start(&a, demo_arm(false), "hand", NULL, options) ||
      !start(&b, demo_arm(false), "hand", NULL, options))
    return;
  brio_random stream = brio_random_stream(8, "same");
  for (int i = 0; i < 30; i++) {
    double there[MOST], from[MOST];
    demo_draw(a.robot, &stream, there);
    demo_draw(a.robot, &stream, from);
    brio_inverse_goal goal = {.pose = link_at(&a, there, 0)}, other = goal_of(goal.pose, NULL, nothing);
    brio_inverse_request request = {.goals = &goal, .seed = from},
                         between = {.goals = &other, .nearest = true};
    brio_inverse_result one, two;
    brio_inverse_solve(a.inverse, &request, &one, NULL);
    brio_inverse_solve(b.inverse, &between, &two, NULL); /* leaves nothing behind */
    brio_inverse_solve(b.inverse, &request, &two, NULL);
    CHECK(memcmp(one.q, two.q, (size_t)a.robot->nq * sizeof *one.q) == 0, "goal %d", i);
    CHECK(one.iterations == two.iterations && one.starts == two.starts, "goal %d: other work", i);
  }
  end(&a);
  end(&b);
}

static void a_solve_allocates_nothing(void) {
  bench b;
  brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.1, 0, 0}};
  if (start(&b, demo_arm(false), "hand", NULL, (brio_inverse_options){.watches = true})) {
    CHECK(brio_solver_set_shape(brio_inverse_shapes(b.inverse), "ball", -1,
                                (brio_pose){{0.4, 0, 0.5}, {0, 0, 0, 1}}, &ball, true, &b.err),
          "%s", b.err.message);
    brio_inverse_goal goals[2] = {{.pose = {{0.45, 0.1, 0.7}, {0, 1, 0, 0}}},
                                  {.pose = {{5, 0, 0}, {0, 0, 0, 1}}}};
    size_t before = allocations;
    for (int i = 0; i < 2; i++) {
      brio_inverse_result result;
      brio_inverse_solve(
          b.inverse,
          &(brio_inverse_request){.goals = &goals[i], .nearest = true, .clear = true, .solutions = 4},
          &result, &b.err);
    }
    CHECK(allocations == before, "%zu allocations", allocations - before);
  }
  end(&b);
}

/* The work is bounded, and reaching too small a bound is an answer, too. */
static void work_is_bounded(void) {
  bench b;
  brio_inverse_goal far = {.pose = {{5, 0, 0}, {0, 0, 0, 1}}};
  brio_inverse_result result;
  if (start(&b, demo_arm(false), "hand", NULL, (brio_inverse_options){0}))
    for (int most = 1; most < 200; most += 33) {
      CHECK(!brio_inverse_solve(b.inverse, &(brio_inverse_request){.goals = &far, .max_iterations = most},
                                &result, &b.err),
            "reached");
      CHECK(result.iterations <= most, "%d of at most %d", result.iterations, most);
      CHECK_HAS(b.err.message, "cut after its iterations");
      check_limits(b.robot, result.q);
    }
  end(&b);
}

CHECK_SUITE(CHECK_TEST(finds_what_can_be_reached), CHECK_TEST(finds_it_on_every_robot),
            CHECK_TEST(a_position_alone), CHECK_TEST(an_axis_points_and_a_line_is_kept),
            CHECK_TEST(wide_tolerances_are_used), CHECK_TEST(a_tool_is_brought_in_place_of_the_link),
            CHECK_TEST(out_of_reach_is_said_with_what_is_left), CHECK_TEST(goals_that_contradict_each_other),
            CHECK_TEST(bad_requests_are_refused), CHECK_TEST(equal_requests_have_equal_answers),
            CHECK_TEST(a_solve_allocates_nothing), CHECK_TEST(work_is_bounded))
