/* Searches for joint paths from outside: a wall with a slot, what cannot be, and what every path keeps. */
#include "plan/joints/search.h"
#include "tests/allocations.h"
#include "tests/engine/plan/joints.h"

static const int arm_variables[ARM_VARIABLES] = {0, 1, 2, 3, 4};

/* A wall through which the arm must reach: a slot of 23 cm between two plates, 4 cm thick; the third closes
** it. */
static const brio_obstacle wall[3] = {
    {"lower", {.kind = BRIO_SHAPE_BOX, .size = {0.9, 0.04, 0.62}}, {{0.75, 0, -0.29}, {0, 0, 0, 1}}},
    {"upper", {.kind = BRIO_SHAPE_BOX, .size = {0.9, 0.04, 0.65}}, {{0.75, 0, 0.575}, {0, 0, 0, 1}}},
    {"lid", {.kind = BRIO_SHAPE_BOX, .size = {0.9, 0.04, 0.23}}, {{0.75, 0, 0.135}, {0, 0, 0, 1}}}};
static const double low[ARM_VARIABLES] = {-0.8, 1.2, 0.05, 1, 0.2},
                    high[ARM_VARIABLES] = {0.8, 0.9, 0.1, -1, 0};

typedef struct scene {
  brio_robot *robot;
  double q[7 + ARM_VARIABLES];
  brio_joint_checker_request checks;
  brio_joint_search_request request;
} scene;

static void scene_start(scene *s, const brio_obstacle *list, int count) {
  brio_error err;
  s->robot = arm_load();
  brio_robot_neutral(s->robot, s->q);
  s->checks = (brio_joint_checker_request){.robot = s->robot,
                                           .q = s->q,
                                           .variables = arm_variables,
                                           .nvariable = ARM_VARIABLES,
                                           .obstacles = list,
                                           .nobstacle = count};
  s->request = (brio_joint_search_request){.checker = brio_joint_checker_new(&s->checks, &err),
                                           .start = low,
                                           .goals = high,
                                           .ngoal = 1,
                                           .seed = 1,
                                           .settings = brio_joint_search_settings_default()};
  CHECK(s->request.checker != NULL, "%s", err.message);
}

static void scene_end(scene *s) {
  brio_joint_checker_free(s->request.checker);
  brio_robot_free(s->robot);
}

/* Search until nothing is left to do, in slices, each of which does no more than it may. */
static brio_joint_search *searched(const scene *s, int slice, brio_error *err) {
  brio_joint_search *search = brio_joint_search_new(&s->request, err);
  CHECK(search != NULL, "%s", err->message);
  int64_t before = 0;
  while (search && !brio_joint_search_over(search)) {
    brio_joint_search_work(search, slice, err);
    int64_t now = brio_joint_search_effort_of(search).checks;
    CHECK(now - before <= slice, "%lld checks in a slice of %d", (long long)(now - before), slice);
    before = now;
  }
  return search;
}

/* A path begins at the start, ends at a goal, and the plain pass finds it free at steps of 1 mm. */
static void path_is_sound(const scene *s, brio_joint_search *search) {
  int count, goal = brio_joint_search_effort_of(search).goal;
  const double *path = brio_joint_search_path(search, &count);
  CHECK(path != NULL && count >= 2 && goal >= 0, "%d corners, goal %d", count, goal);
  if (!path) return;
  plain *truth = plain_new(&s->checks);
  double least = INFINITY, length = 0;
  for (int i = 0; i + 1 < count; i++) {
    double delta[ARM_VARIABLES], square = 0;
    for (int k = 0; k < ARM_VARIABLES; k++) {
      delta[k] = path[ARM_VARIABLES * (i + 1) + k] - path[ARM_VARIABLES * i + k];
      square += delta[k] * delta[k];
    }
    length += sqrt(square);
    least = fmin(least, plain_motion(truth, path + ARM_VARIABLES * i, delta, 1e-3));
  }
  for (int k = 0; k < ARM_VARIABLES; k++) {
    double last = path[ARM_VARIABLES * (count - 1) + k], want = s->request.goals[ARM_VARIABLES * goal + k];
    if (k == 3) last = remainder(last - want, 2 * BRIO_PI) + want;
    CHECK_NEAR(path[k], s->request.start[k], 1e-12, "start");
    CHECK_NEAR(last, want, 1e-12, "goal");
  }
  CHECK(least > 0, "the path comes to %g m", least);
  CHECK_NEAR(length, brio_joint_search_effort_of(search).length, 1e-9, "length");
  plain_free(truth);
}

static void a_slot_in_a_wall_is_found(void) {
  scene s;
  scene_start(&s, wall, 2);
  double delta[ARM_VARIABLES];
  for (int i = 0; i < ARM_VARIABLES; i++) delta[i] = high[i] - low[i];
  CHECK(!brio_joint_motion_clear(s.request.checker, low, delta), "the straight way is blocked");
  int runs = (int)(6 * fmin(check_scale(), 20));
  for (int seed = 0; seed < runs; seed++) {
    brio_error err = {0};
    s.request.seed = (uint64_t)seed;
    brio_joint_search *search = searched(&s, 500, &err);
    if (!search) continue;
    brio_joint_search_effort effort = brio_joint_search_effort_of(search);
    CHECK(effort.goal == 0, "seed %d: %s", seed, err.message);
    path_is_sound(&s, search);
    CHECK(effort.length <= effort.first_length + 1e-9, "%.3f, first %.3f", effort.length,
          effort.first_length);
    brio_joint_search_free(search);
  }
  scene_end(&s);
}

/* Further paths, joined with the best: never longer, mostly shorter, and as free. */
static void alternatives_make_paths_shorter(void) {
  scene s;
  scene_start(&s, wall, 2);
  int shorter = 0, runs = (int)(5 * fmin(check_scale(), 20));
  for (int seed = 0; seed < runs; seed++) {
    double lengths[3];
    for (int k = 0; k < 3; k++) {
      brio_error err = {0};
      s.request.seed = (uint64_t)seed, s.request.settings.alternatives = (int[]){0, 1, 5}[k];
      brio_joint_search *search = searched(&s, 1000, &err);
      lengths[k] = brio_joint_search_effort_of(search).length;
      if (k == 2) path_is_sound(&s, search);
      brio_joint_search_free(search);
    }
    CHECK(lengths[1] <= lengths[0] && lengths[2] <= lengths[1], "%.4f, %.4f, %.4f", lengths[0], lengths[1],
          lengths[2]);
    shorter += lengths[2] < lengths[0] * (1 - 1e-6);
  }
  CHECK(shorter >= runs / 2, "%d of %d paths got shorter", shorter, runs);
  scene_end(&s);
}

/* Two arms side by side, of two links each, that turn in one plane. */
static brio_robot *two_arms(void) {
  static char text[4000];
  int n = snprintf(text, sizeof text, "<robot name='pair'><link name='base'/>");
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < 2; k++) {
      const char *name[] = {"left", "right"};
      char parent[20] = "base";
      if (k) snprintf(parent, sizeof parent, "%s0", name[side]);
      n += snprintf(text + n, sizeof text - (size_t)n,
                    "<link name='%s%d'><collision><origin xyz='0.25 0 0' rpy='0 1.5707963 0'/><geometry>"
                    "<cylinder radius='0.03' length='0.44'/></geometry></collision></link>"
                    "<joint name='%s_joint%d' type='revolute'><parent link='%s'/><child link='%s%d'/>"
                    "<origin xyz='%g %g 0'/><axis xyz='0 0 1'/>"
                    "<limit lower='-2' upper='2' velocity='1' effort='1'/></joint>",
                    name[side], k, name[side], k, parent, name[side], k, k ? 0.5 : 0,
                    k ? 0 : 0.3 - 0.6 * side);
    }
  snprintf(text + n, sizeof text - (size_t)n, "</robot>");
  brio_error err;
  brio_robot *robot = brio_robot_parse(text, strlen(text), "pair", NULL, &err);
  CHECK(robot != NULL, "%s", err.message);
  return robot;
}

/* Search for a path of both arms, and check it densely. */
static void give_way(const brio_joint_checker_request *checks, brio_joint_checker *checker,
                     const double *from, const double *to) {
  brio_error err = {0};
  brio_joint_search_request request = {.checker = checker, .start = from, .goals = to, .ngoal = 1, .seed = 3,
                                       .settings = brio_joint_search_settings_default()};
  brio_joint_search *search = brio_joint_search_new(&request, &err);
  CHECK(search != NULL, "%s", err.message);
  while (search && !brio_joint_search_over(search)) brio_joint_search_work(search, 100, &err);
  int count = 0;
  const double *path = search ? brio_joint_search_path(search, &count) : NULL;
  CHECK(path && count > 2, "%s", err.message);
  plain *truth = plain_new(checks);
  for (int i = 0; i + 1 < count; i++) {
    double delta[4];
    for (int k = 0; k < 4; k++) delta[k] = path[4 * (i + 1) + k] - path[4 * i + k];
    CHECK(plain_motion(truth, path + 4 * i, delta, 1e-3) > 0, "step %d collides", i);
  }
  plain_free(truth);
  brio_joint_search_free(search);
}

/* Both arms are planned at once: where their straight ways cross, one waits for the other. */
static void two_arms_give_way_to_each_other(void) {
  brio_robot *robot = two_arms();
  double q[11];
  brio_robot_neutral(robot, q);
  static const int variables[4] = {0, 1, 2, 3};
  brio_joint_checker_request checks = {.robot = robot, .q = q, .variables = variables, .nvariable = 4};
  brio_error err = {0};
  brio_joint_checker *checker = brio_joint_checker_new(&checks, &err);
  CHECK(checker != NULL, "%s", err.message);
  brio_random random = brio_random_stream(7, "arms");
  /* Both ends are clear, and what is between is not. */
  for (int crossed = 0; crossed < 4;) {
    double from[4], to[4], delta[4];
    for (int i = 0; i < 4; i++) {
      from[i] = brio_random_uniform(&random, -2, 2), to[i] = brio_random_uniform(&random, -2, 2);
      delta[i] = to[i] - from[i];
    }
    if (!brio_joint_checker_clear(checker, from) || !brio_joint_checker_clear(checker, to) ||
        brio_joint_motion_clear(checker, from, delta))
      continue;
    give_way(&checks, checker, from, to);
    crossed++;
  }
  brio_joint_checker_free(checker);
  brio_robot_free(robot);
}

/* Nothing in the way: the straight line, with a circular joint going the short way, beyond half a turn. */
static void the_free_way_is_straight(void) {
  scene s;
  scene_start(&s, NULL, 0);
  double from[ARM_VARIABLES] = {0, 0, 0.1, 3, 0}, to[ARM_VARIABLES] = {0.3, 0, 0.1, -3, 0};
  s.request.start = from, s.request.goals = to;
  brio_error err = {0};
  brio_joint_search *search = searched(&s, 10, &err);
  int count;
  const double *path = brio_joint_search_path(search, &count);
  CHECK(count == 2, "%d corners", count);
  CHECK_NEAR(path[ARM_VARIABLES + 3], 2 * BRIO_PI - 3, 1e-12, "beyond half a turn");
  CHECK_NEAR(brio_joint_search_effort_of(search).length, hypot(0.3, 2 * BRIO_PI - 6), 1e-12, "length");
  path_is_sound(&s, search);
  brio_joint_search_free(search);
  scene_end(&s);
}

/* The same request gives the same path to the last bit, in slices of any size; another seed gives another
** one. */
static void paths_repeat(void) {
  scene s;
  scene_start(&s, wall, 2);
  static double first[4096];
  int count = 0, slices[] = {100000, 1, 37};
  for (int k = 0; k < 4; k++) {
    brio_error err = {0};
    if (k == 3) s.request.seed = 2;
    brio_joint_search *search = searched(&s, slices[k % 3], &err);
    int n;
    const double *path = brio_joint_search_path(search, &n);
    size_t bytes = (size_t)n * ARM_VARIABLES * sizeof *path;
    CHECK(path && bytes <= sizeof first, "%d corners", n);
    if (k == 0)
      memcpy(first, path, bytes), count = n;
    else
      CHECK((n == count && !memcmp(first, path, bytes)) == (k < 3), "search %d", k);
    brio_joint_search_free(search);
  }
  scene_end(&s);
}

/* Two searches share a checker, with another check in between: both paths are what they are alone. */
static void searches_share_a_checker(void) {
  scene s;
  scene_start(&s, wall, 2);
  brio_error err = {0};
  brio_joint_search *both[2];
  double alone[2];
  for (int k = 0; k < 2; k++) {
    s.request.seed = (uint64_t)k + 1;
    brio_joint_search *search = searched(&s, 1000, &err);
    alone[k] = brio_joint_search_effort_of(search).length;
    brio_joint_search_free(search);
    both[k] = brio_joint_search_new(&s.request, &err);
  }
  while (!brio_joint_search_over(both[0]) || !brio_joint_search_over(both[1]))
    for (int k = 0; k < 2; k++) {
      brio_joint_search_work(both[k], 2000, &err);
      brio_joint_checker_clear(s.request.checker, low);
    }
  for (int k = 0; k < 2; k++) {
    CHECK_NEAR(brio_joint_search_effort_of(both[k]).length, alone[k], 0, "search %d", k);
    brio_joint_search_free(both[k]);
  }
  scene_end(&s);
}

static void slices_allocate_nothing(void) {
  scene s;
  scene_start(&s, wall, 2);
  brio_error err = {0};
  brio_joint_search *search = brio_joint_search_new(&s.request, &err);
  size_t before = allocations;
  while (!brio_joint_search_over(search)) brio_joint_search_work(search, 100, &err);
  int count;
  brio_joint_search_path(search, &count);
  CHECK(allocations == before, "%zu allocations", allocations - before);
  CHECK(count >= 2, "a path was found");
  brio_joint_search_free(search);
  scene_end(&s);
}

/* A post whose top is 12.3 mm inside the hand. */
static void a_start_that_collides_is_named_with_its_depth(void) {
  brio_obstacle post = {
      "post", {.kind = BRIO_SHAPE_BOX, .size = {0.02, 0.04, 0.2}}, {{0.75, 0, -0.0277}, {0, 0, 0, 1}}};
  scene s;
  scene_start(&s, &post, 1);
  double straight[ARM_VARIABLES] = {0};
  brio_error err = {0};
  s.request.start = straight;
  CHECK(!brio_joint_search_new(&s.request, &err), "a start in a post");
  CHECK(err.code == BRIO_UNREACHABLE, "%s", brio_code_name(err.code));
  CHECK_HAS(err.message, "the start collides: link 'hand' is 12.3 mm inside obstacle 1 'post'");
  s.request.start = low, s.request.goals = straight;
  CHECK(!brio_joint_search_new(&s.request, &err), "a goal in a post");
  CHECK_HAS(err.message, "the goal collides: link 'hand'");
  scene_end(&s);
}

/* Of several goals those that cannot be had are left out; if none is left, the first one is named. */
static void one_goal_of_several_is_enough(void) {
  scene s;
  scene_start(&s, wall, 2);
  double goals[3][ARM_VARIABLES] = {{0, 0.9, 0, 0, 0}, {5, 0, 0, 0, 0}, {0.8, 0.9, 0.1, -1, 0}};
  s.request.goals = goals[0], s.request.ngoal = 3;
  brio_error err = {0};
  brio_joint_search *search = searched(&s, 1000, &err);
  CHECK(brio_joint_search_effort_of(search).goal == 2, "goal %d", brio_joint_search_effort_of(search).goal);
  path_is_sound(&s, search);
  brio_joint_search_free(search);
  s.request.ngoal = 2;
  CHECK(!brio_joint_search_new(&s.request, &err), "no goal is left");
  CHECK_HAS(err.message, "goal 1 of 2 collides: link ");
  s.request.goals = goals[1], s.request.ngoal = 1;
  CHECK(!brio_joint_search_new(&s.request, &err), "outside");
  CHECK_HAS(err.message, "the goal: 'pan' is 5.0000, outside its limits -2.9000 to 2.9000");
  goals[2][0] = NAN, s.request.goals = goals[2];
  CHECK(!brio_joint_search_new(&s.request, &err) && err.code == BRIO_MISUSE, "NaN");
  CHECK_HAS(err.message, "the goal: 'pan' is not finite");
  scene_end(&s);
}

/* The slot is closed: the search ends, and says what was used up. */
static void what_cannot_be_reached_ends_with_a_reason(void) {
  scene s;
  scene_start(&s, wall, 3);
  brio_error err = {0};
  s.request.settings.checks = 4000;
  brio_joint_search *search = searched(&s, 300, &err);
  int count;
  CHECK(brio_joint_search_work(search, 10, &err) == BRIO_SEARCH_FAILED && err.code == BRIO_UNREACHABLE, "%s",
        err.message);
  CHECK_HAS(err.message, "no path was found: all checks are used up (");
  CHECK(!brio_joint_search_path(search, &count) && count == 0, "no path");
  brio_joint_search_free(search);
  s.request.settings.nodes = 20;
  search = searched(&s, 300, &err);
  CHECK_HAS(err.message, "no path was found: all nodes are used up (");
  brio_joint_search_free(search);
  s.request.settings.range = 0;
  CHECK(!brio_joint_search_new(&s.request, &err), "range");
  CHECK_HAS(err.message, "the range of a search is above 0");
  scene_end(&s);
}

CHECK_SUITE(CHECK_TEST(a_slot_in_a_wall_is_found), CHECK_TEST(alternatives_make_paths_shorter),
            CHECK_TEST(two_arms_give_way_to_each_other), CHECK_TEST(the_free_way_is_straight),
            CHECK_TEST(paths_repeat), CHECK_TEST(searches_share_a_checker),
            CHECK_TEST(slices_allocate_nothing), CHECK_TEST(a_start_that_collides_is_named_with_its_depth),
            CHECK_TEST(one_goal_of_several_is_enough), CHECK_TEST(what_cannot_be_reached_ends_with_a_reason))
