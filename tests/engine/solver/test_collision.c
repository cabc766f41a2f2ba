/* Collision: the pairs that are watched, and no motion into an obstacle. */
#include <time.h>

#include "demo.h"

static const double DT = 0.005;

static bool watches(const brio_solver *solver, const char *a, const char *b) {
  const brio_robot *robot = brio_solver_robot(solver);
  int i = brio_robot_link(robot, a, NULL), j = brio_robot_link(robot, b, NULL);
  const int(*pairs)[2];
  int count = brio_solver_self_pairs(solver, &pairs);
  for (int k = 0; k < count; k++)
    if ((pairs[k][0] == i && pairs[k][1] == j) || (pairs[k][0] == j && pairs[k][1] == i)) return true;
  return false;
}

static void neighbours_are_left_out(void) {
  brio_robot *robot = demo_arm(false);
  brio_solver *solver = demo_solver(robot, NULL);
  CHECK(!watches(solver, "base", "link1"), "base and link1");
  CHECK(!watches(solver, "link3", "link4"), "link3 and link4");
  CHECK(watches(solver, "base", "hand"), "the hand can reach the base");
  CHECK(watches(solver, "link2", "hand"), "the hand can reach the upper arm");
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* A chain in which one link has no shape, one hangs by a fixed joint, one overlaps its second
** neighbour, and one is far from all. */
static const char CHAIN[] =
  "<robot name='chain'>" DEMO_LINK("root", "0 0 0", "<sphere radius='.1'/>") "<link name='bare'/>"
  DEMO_LINK("arm", ".2 0 0", "<sphere radius='.1'/>") DEMO_LINK("plate", ".2 0 .02", "<sphere radius='.05'/>")
  DEMO_LINK("wheel", "0 0 0", "<sphere radius='.12'/>") DEMO_LINK("tower", "0 0 0", "<sphere radius='.1'/>")
  DEMO_JOINT("a", "root", "bare", "0 0 .1", "0 0 1", "lower='-2' upper='2'")
  DEMO_JOINT("b", "bare", "arm", "0 0 .1", "0 1 0", "lower='-1' upper='1'")
  "<joint name='c' type='fixed'><parent link='arm'/><child link='plate'/></joint>"
  DEMO_JOINT("d", "plate", "wheel", ".2 0 0", "1 0 0", "lower='-2' upper='2'")
  DEMO_JOINT("e", "root", "tower", "0 0 -5", "0 0 1", "lower='-2' upper='2'") "</robot>";

static void pruning_finds_what_cannot_collide(void) {
  brio_error err = {0};
  brio_robot *robot = brio_robot_parse(CHAIN, sizeof CHAIN - 1, "chain.urdf", NULL, &err);
  CHECK(robot != NULL, "%s", err.message);
  if (!robot) return;
  brio_solver *solver = demo_solver(robot, NULL);
  CHECK(!watches(solver, "root", "arm"), "neighbours across a link without shapes");
  CHECK(!watches(solver, "arm", "plate"), "rigid together");
  CHECK(!watches(solver, "plate", "wheel"), "joined");
  CHECK(!watches(solver, "arm", "wheel"), "joined across a fixed joint");
  CHECK(!watches(solver, "tower", "wheel"), "never near");
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* A slider beyond 2 m, without an end, and a ball 1 m away: they never meet.  Nor do they where the
** slider stays below -2 m. */
#define RAIL(RANGE, WHERE)                                                                         \
  "<robot name='rail'>" DEMO_LINK("root", "0 0 -3", "<sphere radius='.1'/>")                       \
  DEMO_LINK("car", "0 0 0", "<sphere radius='.1'/>")                                               \
  DEMO_LINK("ball", WHERE, "<sphere radius='.1'/>")                                                \
  "<joint name='slide' type='prismatic'><parent link='root'/><child link='car'/><axis xyz='1 0 0'/>" \
  "<limit " RANGE " velocity='1' effort='1'/></joint>"                                             \
  DEMO_JOINT("turn", "root", "ball", "0 0 0", "1 0 0", "lower='-2' upper='2'") "</robot>"

static void random_poses_keep_to_a_range_with_one_end(void) {
  static const char *const rails[] = {RAIL("lower='2' upper='1e10'", "1 0 0"),
                                      RAIL("lower='-1e10' upper='-2'", "-1 0 0")};
  for (int i = 0; i < 2; i++) {
    brio_error err = {0};
    brio_robot *robot = brio_robot_parse(rails[i], strlen(rails[i]), "rail.urdf", NULL, &err);
    CHECK(robot != NULL, "%s", err.message);
    if (!robot) return;
    CHECK(!isfinite(robot->variables[0].upper - robot->variables[0].lower), "one end");
    brio_solver *solver = demo_solver(robot, NULL);
    CHECK(!watches(solver, "car", "ball"), "%d: they met outside the range", i);
    brio_solver_free(solver);
    brio_robot_free(robot);
  }
}

/* A row of `count` boxes of 0.1 m that turn about the upright, `apart` m from each other; every box
** but the first `moving` copies joint 0. */
static brio_robot *row(int count, double apart, int moving) {
  size_t size = (size_t)count * 512 + 1024, n = 0;
  char *text = malloc(size);
  n += (size_t)snprintf(text, size, "<robot name='row'><link name='root'/>");
  for (int i = 0; i < count; i++) {
    char mimic[40] = "";
    if (i >= moving) strcpy(mimic, "<mimic joint='j0'/>");
    n += (size_t)snprintf(text + n, size - n,
                          "<link name='l%d'><collision><geometry><box size='.1 .1 .1'/></geometry>"
                          "</collision></link><joint name='j%d' type='revolute'><parent link='root'/>"
                          "<child link='l%d'/><origin xyz='%g 0 0'/><axis xyz='0 0 1'/><limit lower='-1' "
                          "upper='1' velocity='1' effort='1'/>%s</joint>",
                          i, i, i, apart * i, mimic);
  }
  snprintf(text + n, size - n, "</robot>");
  brio_error err = {0};
  brio_robot *robot = brio_robot_parse(text, strlen(text), "row.urdf", NULL, &err);
  CHECK(robot != NULL, "%s", err.message);
  free(text);
  return robot;
}

static void the_work_on_many_links_is_bounded(void) {
  brio_robot *robot = row(400, 0, 400);
  clock_t start = clock();
  brio_solver *solver = demo_solver(robot, NULL);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  CHECK(seconds < 8, "400 links took %g s", seconds); /* 0.4 s, and far more under a sanitizer */
  const int(*pairs)[2];
  int count = brio_solver_self_pairs(solver, &pairs);
  CHECK(count == 0, "all of them overlap in every pose, yet %d pairs are watched", count);
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* So many boxes at such density that few poses are sampled: boxes whose corners can meet, in few poses only,
** are watched; those far apart are not. */
static void few_poses_still_find_who_may_touch(void) {
  brio_robot *robot = row(600, 0.0007, 600);
  brio_solver *solver = demo_solver(robot, NULL);
  char names[3][16];
  for (int i = 0; i + 400 < 600; i++) {
    int with[3] = {i, i + 195, i + 400}; /* 0.1365 m: the diagonal is 0.1414 m; 0.28 m */
    for (int k = 0; k < 3; k++) snprintf(names[k], sizeof names[k], "l%d", with[k]);
    CHECK(watches(solver, names[0], names[1]), "%s may touch %s", names[0], names[1]);
    CHECK(!watches(solver, names[0], names[2]), "%s cannot touch %s", names[0], names[2]);
  }
  brio_solver_free(solver);
  brio_robot_free(robot);
}

static void too_large_a_robot_is_refused(void) {
  static const struct { int links, moving; const char *why; } rows[] = {
    {1001, 1001, "robot 'row' has 1001 numbers that move: a solver takes at most 1000"},
    {2000, 10, "1999000 pairs of collision shapes of robot 'row'"},
  };
  for (int i = 0; i < 2; i++) {
    brio_robot *robot = row(rows[i].links, 0, rows[i].moving);
    brio_error err = {0};
    brio_solver *solver = brio_solver_new(robot, NULL, &err);
    CHECK(!solver && err.code == BRIO_LIMIT, "%d links", rows[i].links);
    CHECK_HAS(err.message, rows[i].why);
    brio_solver_free(solver);
    brio_robot_free(robot);
  }
}

static double least_distance(brio_solver *solver, const char *shape) {
  const brio_proximity_pair *pairs;
  int count = brio_solver_pairs(solver, 0, &pairs);
  double least = INFINITY;
  for (int i = 0; i < count; i++) {
    const char *a, *b;
    brio_solver_pair_names(solver, &pairs[i], &a, &b);
    if (strcmp(a, shape) == 0 || strcmp(b, shape) == 0) least = fmin(least, pairs[i].near.distance);
  }
  return least;
}

/* A goal in the middle of an obstacle: with a high weight of collision the robot does not enter it. */
static void obstacles_are_not_entered(void) {
  static const brio_shape shapes[] = {{.kind = BRIO_SHAPE_SPHERE, .size = {0.15, 0, 0}},
                                      {.kind = BRIO_SHAPE_BOX, .size = {0.3, 0.3, 0.3}},
                                      {.kind = BRIO_SHAPE_CAPSULE, .size = {0.1, 0, 0.3}},
                                      {.kind = BRIO_SHAPE_CYLINDER, .size = {0.15, 0, 0.3}}};
  for (int k = 0; k < 4; k++) {
    brio_robot *robot = demo_arm(false);
    brio_solver *solver = demo_solver(robot, NULL);
    brio_error err = {0};
    brio_pose pose = {{0.55, 0.05, 0.6}, {0, 0, 0, 1}};
    CHECK(brio_solver_set_shape(solver, "thing", -1, pose, &shapes[k], true, &err), "%s", err.message);
    demo_add(solver, "reach", "position_match", "hand", (double[]){0.55, 0.05, 0.6}, 10);
    demo_add(solver, "clear", "collision_avoidance", NULL, NULL, 20);
    demo_add(solver, "calm", "joint_velocity_minimization", NULL, NULL, 5);
    demo_add(solver, "limits", "joint_limits", NULL, NULL, 5);
    double time = 0, least = INFINITY;
    demo_run(solver, &time, DT, 1);
    double start = least_distance(solver, "thing");
    for (int tick = 0; tick < 2000; tick++) {
      demo_run(solver, &time, DT, 1);
      least = fmin(least, least_distance(solver, "thing"));
    }
    CHECK(least > 0, "%s entered by %g m", brio_shape_kind_name(shapes[k].kind), -least);
    CHECK(least < fmin(0.05, start), "%s approached to %g m", brio_shape_kind_name(shapes[k].kind), least);
    CHECK_NEAR(least_distance(solver, "thing"), demo_run(solver, &time, DT, 1).distance, 0.05, "reported");
    brio_solver_free(solver);
    brio_robot_free(robot);
  }
}

static void what_is_not_physical_is_ignored(void) {
  brio_robot *robot = demo_arm(false);
  brio_solver *solver = demo_solver(robot, NULL);
  brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.15, 0, 0}};
  brio_pose pose = {{0.5, 0.05, 0.6}, {0, 0, 0, 1}};
  CHECK(brio_solver_set_shape(solver, "ghost", -1, pose, &ball, false, NULL), "shape");
  demo_add(solver, "reach", "position_match", "hand", (double[]){0.5, 0.05, 0.6}, 10);
  demo_add(solver, "clear", "collision_avoidance", NULL, NULL, 20);
  double time = 0;
  demo_run(solver, &time, DT, 1000);
  CHECK(least_distance(solver, "ghost") < -0.1, "%g", least_distance(solver, "ghost"));
  brio_solver_free(solver);
  brio_robot_free(robot);
}

static void shapes_come_move_and_go(void) {
  brio_robot *robot = demo_arm(false);
  brio_solver *solver = demo_solver(robot, &(brio_solver_options){.max_shapes = 3});
  const brio_proximity_pair *pairs;
  brio_error err = {0};
  int own = brio_solver_pairs(solver, 0, &pairs), hand = brio_robot_link(robot, "hand", NULL);
  brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.1, 0, 0}};
  brio_pose here = {{0, 0, 0.1}, {0, 0, 0, 1}}, there = {{5, 0, 0}, {0, 0, 0, 1}};
  CHECK(brio_solver_set_shape(solver, "table", -1, there, &ball, true, &err), "%s", err.message);
  CHECK(brio_solver_pairs(solver, 0, &pairs) == own, "what is far is not told");
  CHECK(brio_solver_set_shape(solver, "cup", hand, here, &ball, true, &err), "%s", err.message);
  CHECK(least_distance(solver, "cup") < 0.2, "next to link6: %g", least_distance(solver, "cup"));
  CHECK(brio_solver_set_shape(solver, "cup", hand, here, &ball, true, &err), "replaced: %s", err.message);
  double time = 0;
  demo_run(solver, &time, DT, 1);
  CHECK(least_distance(solver, "table") == INFINITY, "far");
  brio_pose above = {{0, 0, 1.2}, {0, 0, 0, 1}};
  CHECK(brio_solver_move_shape(solver, "table", above, &err), "%s", err.message);
  demo_run(solver, &time, DT, 1);
  CHECK(least_distance(solver, "table") < 0.5, "near: %g", least_distance(solver, "table"));
  CHECK(brio_solver_set_shape(solver, "third", -1, there, &ball, true, &err), "%s", err.message);
  CHECK(!brio_solver_set_shape(solver, "fourth", -1, there, &ball, true, &err), "no room");
  CHECK(err.code == BRIO_LIMIT, "%s", err.message);
  CHECK(brio_solver_remove_shape(solver, "third", &err) && brio_solver_remove_shape(solver, "cup", &err) &&
        brio_solver_remove_shape(solver, "table", &err), "%s", err.message);
  CHECK(brio_solver_pairs(solver, 0, &pairs) == own, "as before");
  CHECK(!brio_solver_move_shape(solver, "table", here, &err), "gone");
  CHECK_HAS(err.message, "no shape with the key 'table'");
  brio_solver_free(solver);
  brio_robot_free(robot);
}

static void bad_shapes_are_refused(void) {
  brio_robot *robot = demo_arm(false);
  brio_solver *solver = demo_solver(robot, NULL);
  brio_error err = {0};
  brio_pose here = BRIO_POSE_IDENTITY, nowhere = {{NAN, 0, 0}, {0, 0, 0, 1}};
  brio_pose flat = {{0, 0, 0}, {0, 0, 0, 0}};
  brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.1, 0, 0}};
  brio_shape bad = {.kind = BRIO_SHAPE_BOX, .size = {NAN, 1, 1}};
  brio_shape empty = {.kind = BRIO_SHAPE_HULL};
  CHECK(!brio_solver_set_shape(solver, "x", -1, here, &bad, true, &err), "NaN size");
  CHECK(!brio_solver_set_shape(solver, "x", -1, here, &empty, true, &err), "hull without corners");
  CHECK(!brio_solver_set_shape(solver, "x", -1, nowhere, &ball, true, &err), "NaN pose");
  CHECK(!brio_solver_set_shape(solver, "x", -1, flat, &ball, true, &err), "no rotation");
  CHECK(!brio_solver_set_shape(solver, "x", 99, here, &ball, true, &err), "no link");
  brio_shape point = {.kind = BRIO_SHAPE_SPHERE};
  brio_pose up = {{0.3, 0, 0.6}, {0, 0, 0, 1}};
  CHECK(brio_solver_set_shape(solver, "point", -1, up, &point, true, &err), "%s", err.message);
  demo_add(solver, "clear", "collision_avoidance", NULL, NULL, 20);
  double time = 0;
  brio_solution solution = demo_run(solver, &time, DT, 10);
  for (int i = 0; i < robot->nq; i++) CHECK(isfinite(solution.q[i]), "q[%d]", i);
  brio_solver_free(solver);
  brio_robot_free(robot);
}

static void shared_robots_keep_plausible_pairs(void) {
  static const struct { const char *file, *a, *b; int most; } rows[] = {
    {"panda/panda.urdf", "panda_link2", "panda_hand", 60},
    {"ur3e/ur3e_cylinders_collision.urdf", NULL, NULL, 60},
    {"nao/nao.urdf", NULL, NULL, 200},
  };
  if (!check_shared()) SKIP("no shared robots here");
  for (int i = 0; i < 3; i++) {
    brio_robot *robot = demo_shared(rows[i].file);
    CHECK(robot != NULL, "%s", rows[i].file);
    if (!robot) continue;
    brio_solver *solver = demo_solver(robot, NULL);
    const int(*pairs)[2];
    int count = brio_solver_self_pairs(solver, &pairs);
    CHECK(count > 0 && count <= rows[i].most, "%s: %d pairs", rows[i].file, count);
    if (rows[i].a) CHECK(watches(solver, rows[i].a, rows[i].b), "%s and %s", rows[i].a, rows[i].b);
    brio_solver_free(solver);
    brio_robot_free(robot);
  }
}

/* Compare the self pairs of two solvers, to the bit. */
static void same_pairs(brio_solver *a, brio_solver *b, const char *what) {
  const int(*links_a)[2], (*links_b)[2];
  const brio_proximity_pair *pairs_a = NULL, *pairs_b = NULL;
  int n = brio_solver_self_pairs(a, &links_a), m = brio_solver_pairs(a, 0, &pairs_a);
  CHECK(brio_solver_self_pairs(b, &links_b) == n && brio_solver_pairs(b, 0, &pairs_b) == m, "%s", what);
  CHECK(memcmp(links_a, links_b, (size_t)n * sizeof *links_a) == 0, "%s: links", what);
  for (int i = 0; i < m && pairs_a && pairs_b; i++)
    CHECK(pairs_a[i].body_a == pairs_b[i].body_a && pairs_a[i].body_b == pairs_b[i].body_b &&
              pairs_a[i].margin == pairs_b[i].margin && pairs_a[i].near.distance == pairs_b[i].near.distance,
          "%s: pair %d", what, i);
}

static void pairs_are_remembered_of_the_same_robot(void) {
  brio_pairs_memo *memo = brio_pairs_memo_new();
  brio_solver_options options = {.memo = memo};
  brio_robot *robot = demo_arm(false), *twin = demo_arm(false), *other = demo_arm(true);
  brio_solver *plain = demo_solver(robot, NULL), *first = demo_solver(robot, &options);
  CHECK(brio_pairs_memo_hits(memo) == 0, "nothing to remember yet");
  brio_solver *second = demo_solver(twin, &options);
  CHECK(brio_pairs_memo_hits(memo) == 1, "%d", brio_pairs_memo_hits(memo));
  same_pairs(plain, first, "found with a memo");
  same_pairs(plain, second, "remembered");
  brio_solver *third = demo_solver(other, &options);
  CHECK(brio_pairs_memo_hits(memo) == 1, "another base");
  brio_limits limits = {-0.1, 0.1, NAN, NAN};
  CHECK(brio_robot_set_limits(twin, 3, &limits, NULL), "limits");
  brio_solver *fourth = demo_solver(twin, &options), *fresh = demo_solver(twin, NULL);
  CHECK(brio_pairs_memo_hits(memo) == 1, "other limits");
  same_pairs(fresh, fourth, "other limits");
  for (int i = 0; i < 100; i++) { /* more robots than it keeps */
    limits = (brio_limits){-0.1 + 0.0005 * i, 0.1, NAN, NAN};
    CHECK(brio_robot_set_limits(twin, 3, &limits, NULL), "limits");
    brio_solver_free(demo_solver(twin, &options));
  }
  brio_pairs_memo_free(memo);
  brio_solver *all[] = {plain, first, second, third, fourth, fresh};
  for (int i = 0; i < 6; i++) brio_solver_free(all[i]);
  brio_robot_free(robot);
  brio_robot_free(twin);
  brio_robot_free(other);
}

CHECK_SUITE(CHECK_TEST(pairs_are_remembered_of_the_same_robot), CHECK_TEST(neighbours_are_left_out),
            CHECK_TEST(pruning_finds_what_cannot_collide),
            CHECK_TEST(random_poses_keep_to_a_range_with_one_end),
            CHECK_TEST(the_work_on_many_links_is_bounded), CHECK_TEST(few_poses_still_find_who_may_touch),
            CHECK_TEST(too_large_a_robot_is_refused), CHECK_TEST(obstacles_are_not_entered),
            CHECK_TEST(what_is_not_physical_is_ignored), CHECK_TEST(shapes_come_move_and_go),
            CHECK_TEST(bad_shapes_are_refused), CHECK_TEST(shared_robots_keep_plausible_pairs))
