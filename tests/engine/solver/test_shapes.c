/* Shapes that are added, moved and removed by the thousand while the solver runs. */
#include "tests/engine/solver/demo.h"

#include "tests/allocations.h"

enum { TICKS = 300 };

static const double DT = 0.005;

static void put(brio_solver *solver, const char *key, int link, brio_vec3 at, const brio_shape *shape) {
  brio_error err = {0};
  brio_pose pose = {at, {0, 0, 0, 1}};
  CHECK(brio_solver_set_shape(solver, key, link, pose, shape, true, &err), "%s: %s", key, err.message);
}

static void move(brio_solver *solver, const char *key, brio_vec3 at) {
  brio_error err = {0};
  CHECK(brio_solver_move_shape(solver, key, (brio_pose){at, {0, 0, 0, 1}}, &err), "%s: %s", key, err.message);
}

static void want_all(brio_solver *solver, brio_vec3 goal) {
  demo_add(solver, "reach", "position_match", "hand", &goal.x, 10);
  demo_add(solver, "clear", "collision_avoidance", NULL, NULL, 20);
  demo_add(solver, "calm", "joint_velocity_minimization", NULL, NULL, 5);
  demo_add(solver, "limits", "joint_limits", NULL, NULL, 5);
}

/* Put `count` boxes at random between 2.2 m and 6 m away: beyond the reach of the arm and the range. */
static void scatter(brio_solver *solver, int count) {
  brio_random r = brio_random_stream(4, "far");
  brio_shape box = {.kind = BRIO_SHAPE_BOX, .size = {0.1, 0.2, 0.15}};
  for (int i = 0; i < count; i++) {
    char key[16];
    brio_vec3 d = {brio_random_normal(&r), brio_random_normal(&r), brio_random_normal(&r)};
    snprintf(key, sizeof key, "far%d", i);
    put(solver, key, -1, brio_vec3_scale(brio_random_uniform(&r, 2.2, 6), brio_vec3_unit(d, d)), &box);
  }
}

/* Far shapes make no difference, to the last bit. */
static void far_shapes_change_nothing(void) {
  static double q[2][TICKS][16];
  brio_robot *robot = demo_arm(false);
  for (int run = 0; run < 2; run++) {
    brio_solver *solver = demo_solver(robot, NULL);
    brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.1, 0, 0}};
    if (run) scatter(solver, 3000);
    put(solver, "ball", -1, (brio_vec3){0.4, 0.1, 0.6}, &ball);
    want_all(solver, (brio_vec3){0.5, 0.2, 0.6});
    double time = 0;
    for (int i = 0; i < TICKS; i++) {
      brio_solution solution = demo_run(solver, &time, DT, 1);
      memcpy(q[run][i], solution.q, (size_t)robot->nq * sizeof(double));
      CHECK(solution.unmeasured == 0, "tick %d", i);
    }
    brio_solver_free(solver);
  }
  for (int i = 0; i < TICKS; i++)
    CHECK(memcmp(q[0][i], q[1][i], (size_t)robot->nq * sizeof(double)) == 0, "tick %d", i);
  brio_robot_free(robot);
}

/* After a reset the same motion comes again, bit for bit, also with shapes added in another order. */
static void the_order_of_shapes_does_not_matter(void) {
  static double q[3][TICKS][16];
  brio_robot *robot = demo_arm(false);
  brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.08, 0, 0}};
  brio_vec3 at[3] = {{0.4, 0.1, 0.6}, {0.3, -0.3, 0.8}, {0, 0.5, 0.5}};
  brio_solver *solver = demo_solver(robot, NULL);
  for (int run = 0; run < 3; run++) {
    char key[8];
    for (int i = 0; i < 3; i++) {
      int k = run == 1 ? 2 - i : i;
      snprintf(key, sizeof key, "b%d", k);
      put(solver, key, -1, at[k],
          &ball); /* replaced: another place in the tree, the same place in the list */
    }
    if (!run) want_all(solver, (brio_vec3){0.5, 0.2, 0.6});
    brio_solver_reset(solver, NULL, false);
    double time = 0;
    for (int i = 0; i < TICKS; i++) {
      brio_solution solution = demo_run(solver, &time, DT, 1);
      memcpy(q[run][i], solution.q, (size_t)robot->nq * sizeof(double));
    }
  }
  for (int i = 0; i < TICKS; i++) {
    CHECK(memcmp(q[0][i], q[2][i], (size_t)robot->nq * sizeof(double)) == 0, "again, tick %d", i);
    for (int k = 0; k < robot->nq; k++)
      CHECK_NEAR(q[0][i][k], q[1][i][k], 1e-9, "in another order, tick %d", i);
  }
  brio_solver_free(solver);
  brio_robot_free(robot);
}

static void moving_shapes_allocates_nothing(void) {
#ifdef SANITIZED
  SKIP("the sanitizer counts instead");
#endif
  brio_robot *robot = demo_arm(true);
  brio_solver *solver = demo_solver(robot, NULL);
  brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {0.05, 0, 0}},
             plane = {.kind = BRIO_SHAPE_HALF_SPACE};
  char keys[200][8];
  for (int i = 0; i < 200; i++) snprintf(keys[i], sizeof keys[i], "s%d", i);
  for (int i = 0; i < 200; i++) put(solver, keys[i], -1, (brio_vec3){3, 0.01 * i, 0}, &ball);
  put(solver, "cup", brio_robot_link(robot, "hand", NULL), (brio_vec3){0, 0, 0.1}, &ball);
  put(solver, "floor", -1, (brio_vec3){0, 0, -2}, &plane);
  want_all(solver, (brio_vec3){0.5, 0.2, 0.6});
  brio_random r = brio_random_stream(4, "flock");
  double time = 0;
  demo_run(solver, &time, DT, 1);
  size_t before = allocations;
  for (int tick = 0; tick < 200; tick++) {
    for (int i = 0; i < 200; i++) /* together around the arm and away again, some by jumps */
      move(solver, keys[i],
           (brio_vec3){3 * cos(tick * 0.05) + brio_random_uniform(&r, -0.3, 0.3), 0.01 * i - 1,
                       brio_random_uniform(&r, 0, 1)});
    demo_run(solver, &time, DT, 1);
  }
  CHECK(allocations == before, "%zu allocations", allocations - before);
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* Read a shape's motion from the bodies that objectives see. */
static void check_motion(const brio_solver *solver, brio_vec3 velocity, brio_vec3 spin, const char *when) {
  brio_vec3 v, w;
  CHECK(brio_solver_shape_motion(solver, "ball", &v, &w, NULL), "%s", when);
  CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(v, velocity)), 0, 1e-9, "%s: %g %g %g", when, v.x, v.y, v.z);
  CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(w, spin)), 0, 1e-9, "%s: spin %g %g %g", when, w.x, w.y, w.z);
}

static void motion_is_seen_or_told(void) {
  brio_robot *robot = demo_arm(false);
  brio_solver *solver = demo_solver(robot, NULL);
  brio_shape ball = {.kind = BRIO_SHAPE_BOX, .size = {0.1, 0.1, 0.1}};
  brio_vec3 none = {0, 0, 0};
  brio_error err = {0};
  double time = 0;
  put(solver, "ball", -1, (brio_vec3){1, 0, 0}, &ball);
  demo_run(solver, &time, DT, 20);
  check_motion(solver, none, none, "standing");
  move(solver, "ball", (brio_vec3){1.001, 0, 0});
  demo_run(solver, &time, DT, 1);
  check_motion(solver, none, none, "the first move tells no speed");
  move(solver, "ball", (brio_vec3){1, 0, 0});
  demo_run(solver, &time, DT, 1);
  for (int i = 1; i <= 5; i++) {
    brio_pose pose = {{1 - 0.002 * i, 0, 0}, brio_quat_exp((brio_vec3){0, 0, 0.001 * i})};
    CHECK(brio_solver_move_shape(solver, "ball", pose, &err), "%s", err.message);
    demo_run(solver, &time, DT, 1);
    check_motion(solver, (brio_vec3){-0.4, 0, 0}, (brio_vec3){0, 0, 0.2}, "moved every tick");
  }
  demo_run(solver, &time, DT, 1);
  check_motion(solver, (brio_vec3){-0.4, 0, 0}, (brio_vec3){0, 0, 0.2}, "a tick without news");
  demo_run(solver, &time, DT, 2);
  check_motion(solver, none, none, "no news");
  for (int i = 1; i <= 3; i++) {
    CHECK(brio_solver_move_shape(solver, "ball", (brio_pose){{1, 0.04 * i, 0}, {0, 0, 0, 1}}, &err), "%s",
          err.message);
    demo_run(solver, &time, DT, 4);
  }
  check_motion(solver, (brio_vec3){0, 2, 0}, none, "moved every fourth tick");
  CHECK(brio_solver_move_shape(solver, "ball", (brio_pose){{3, 0, 0}, {0, 0, 0, 1}}, &err), "%s",
        err.message);
  demo_run(solver, &time, DT, 1);
  check_motion(solver, none, none, "a jump");
  CHECK(brio_solver_set_shape_motion(solver, "ball", (brio_vec3){0.1, 0, 0}, (brio_vec3){0, 1, 0}, &err),
        "%s", err.message);
  move(solver, "ball", (brio_vec3){3, 0.1, 0});
  demo_run(solver, &time, DT, 10);
  check_motion(solver, (brio_vec3){0.1, 0, 0}, (brio_vec3){0, 1, 0}, "told");
  CHECK(!brio_solver_set_shape_motion(solver, "ball", (brio_vec3){NAN, 0, 0}, none, &err), "NaN");
  CHECK(!brio_solver_set_shape_motion(solver, "ball", (brio_vec3){1e9, 0, 0}, none, &err), "huge");
  CHECK(!brio_solver_set_shape_motion(solver, "bal", none, none, &err), "no such shape");
  CHECK_HAS(err.message, "did you mean 'ball'");
  brio_solver_free(solver);
  brio_robot_free(robot);
}

/* A movable base gives way to an approaching shape. */
static void a_base_that_may_move_evades(void) {
  brio_robot *robot = demo_arm(true);
  brio_solver *solver = demo_solver(robot, NULL);
  brio_shape wall = {.kind = BRIO_SHAPE_HALF_SPACE};
  brio_error err = {0};
  demo_add(solver, "clear", "collision_avoidance", NULL, NULL, 20);
  demo_add(solver, "calm", "joint_velocity_minimization", NULL, NULL, 0.1);
  brio_quat facing = brio_quat_exp((brio_vec3){0, BRIO_PI / 2, 0}); /* outside is where x points */
  brio_pose far = {{-2, 0, 0}, facing};
  CHECK(brio_solver_set_shape(solver, "wall", -1, far, &wall, true, &err), "%s", err.message);
  double time = 0, from = demo_run(solver, &time, DT, 50).q[0], least = INFINITY;
  const brio_proximity_pair *pairs;
  double start = INFINITY;
  int count = brio_solver_pairs(solver, 10, &pairs);
  for (int i = 0; i < count; i++)
    if (pairs[i].body_b >= robot->ncollision) start = fmin(start, pairs[i].near.distance);
  for (int i = 0; i < 400; i++) { /* until it has come 0.1 m farther than where it would touch */
    brio_pose pose = {{-2 + (start + 0.1) * (i + 1) / 400, 0, 0}, facing};
    CHECK(brio_solver_move_shape(solver, "wall", pose, &err), "%s", err.message);
    brio_solution solution = demo_run(solver, &time, DT, 1);
    least = fmin(least, solution.distance);
    if (i == 399) CHECK(solution.q[0] > from + 0.05, "the base moved by %g", solution.q[0] - from);
  }
  CHECK(least > 0, "touched: %g", least);
  brio_solver_free(solver);
  brio_robot_free(robot);
}

static void a_budget_leaves_bounds_not_hopes(void) {
  brio_robot *robot = demo_arm(false);
  brio_solver *solver = demo_solver(robot, &(brio_solver_options){.max_distances = 1});
  brio_shape box = {.kind = BRIO_SHAPE_BOX, .size = {0.1, 0.1, 0.1}};
  char key[8];
  for (int i = 0; i < 60; i++) {
    snprintf(key, sizeof key, "b%d", i);
    double angle = i * 2 * BRIO_PI / 60;
    put(solver, key, -1, (brio_vec3){0.2 * cos(angle), 0.2 * sin(angle), 0.3 + 0.01 * i}, &box);
  }
  want_all(solver, (brio_vec3){0.5, 0.2, 0.6});
  double time = 0;
  int left = 0;
  for (int i = 0; i < 100; i++) {
    brio_solution solution = demo_run(solver, &time, DT, 1);
    const brio_proximity_pair *pairs;
    int count = brio_solver_pairs(solver, 0.3, &pairs);
    double least = INFINITY;
    for (int k = 0; k < count; k++) least = fmin(least, pairs[k].near.distance);
    CHECK(solution.distance <= least + 1e-9, "tick %d: %g told, %g true", i, solution.distance, least);
    left += solution.unmeasured;
  }
  CHECK(left > 0, "the budget was enough");
  brio_solver_free(solver);
  brio_robot_free(robot);
}

static void bad_shapes_are_told(void) {
  brio_robot *robot = demo_arm(false);
  brio_solver *solver = demo_solver(robot, NULL);
  brio_error err = {0};
  brio_pose here = BRIO_POSE_IDENTITY;
  brio_shape large = {.kind = BRIO_SHAPE_BOX, .size = {1, 1, 1e7}}, ball = {.kind = BRIO_SHAPE_SPHERE};
  brio_vec3 *corners = calloc(5000, sizeof *corners);
  brio_shape hull = {.kind = BRIO_SHAPE_HULL, .npoint = 5000, .points = corners};
  CHECK(!brio_solver_set_shape(solver, "x", -1, here, &large, true, &err), "huge");
  CHECK_HAS(err.message, "shape 'x': box of size 1 1 1e+07 m, sizes from 0 to 1e+06 expected");
  CHECK(!brio_solver_set_shape(solver, "x", -1, here, &hull, true, &err) && err.code == BRIO_LIMIT,
        "corners");
  CHECK_HAS(err.message, "hull of 5000 corners, at most 4096 expected");
  CHECK(!brio_solver_set_shape(solver, "", -1, here, &ball, true, &err), "no key");
  hull.npoint = 4; /* all in one place: a point */
  CHECK(
      brio_solver_set_shape(solver, "point", -1, (brio_pose){{0.3, 0, 0.6}, {0, 0, 0, 1}}, &hull, true, &err),
      "%s", err.message);
  want_all(solver, (brio_vec3){0.3, 0, 0.6});
  double time = 0;
  brio_solution solution = demo_run(solver, &time, DT, 200);
  for (int i = 0; i < robot->nq; i++) CHECK(isfinite(solution.q[i]), "q[%d]", i);
  free(corners);
  brio_solver_free(solver);
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(far_shapes_change_nothing), CHECK_TEST(the_order_of_shapes_does_not_matter),
            CHECK_TEST(moving_shapes_allocates_nothing), CHECK_TEST(motion_is_seen_or_told),
            CHECK_TEST(a_base_that_may_move_evades), CHECK_TEST(a_budget_leaves_bounds_not_hopes),
            CHECK_TEST(bad_shapes_are_told))
