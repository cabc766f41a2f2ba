/* The configuration that inverse kinematics chooses, on different robots: near a seed, like a posture,
** several that differ, with joints of every kind, within limits, and clear of obstacles. */
#include "inverse.h"

static double away(const bench *b, const double *q, const double *from) {
  double sum = 0;
  for (int i = 0; i < b->robot->nvariable; i++)
    sum += (q[BRIO_BASE_NQ + i] - from[BRIO_BASE_NQ + i]) * (q[BRIO_BASE_NQ + i] - from[BRIO_BASE_NQ + i]);
  return sqrt(sum);
}

static void the_nearest_is_nearer(void) {
  bench b;
  if (!start(&b, demo_arm(false), "hand", NULL, (brio_inverse_options){0})) return;
  brio_random stream = brio_random_stream(9, "near");
  double first = 0, nearest = 0;
  for (int i = 0; i < 50; i++) {
    double there[MOST], from[MOST];
    demo_draw(b.robot, &stream, there);
    demo_draw(b.robot, &stream, from);
    brio_inverse_goal goal = {.pose = link_at(&b, there, 0)};
    brio_inverse_request request = {.goals = &goal, .seed = from};
    brio_inverse_result result;
    CHECK(brio_inverse_solve(b.inverse, &request, &result, &b.err), "%s", b.err.message);
    first += away(&b, result.q, from) / 50;
    request.nearest = true;
    CHECK(brio_inverse_solve(b.inverse, &request, &result, &b.err), "%s", b.err.message);
    CHECK(gap(link_at(&b, result.q, 0), goal.pose) < 1.001e-4, "still there");
    CHECK(away(&b, result.q, from) <= away(&b, there, from) + 1e-2, "goal %d: %g, though there is %g", i,
          away(&b, result.q, from), away(&b, there, from));
    nearest += away(&b, result.q, from) / 50;
  }
  CHECK(nearest < 0.8 * first, "%g from the seed on average, the first found %g", nearest, first);
  end(&b);
}

/* The freedom that a goal leaves is used for the posture. */
static void a_posture_is_drawn_to(void) {
  bench b;
  double posture[MOST], from[MOST];
  brio_inverse_goal goal = goal_of((brio_pose){{0.4, 0.2, 0.6}, {0, 0, 0, 1}}, NULL, nothing);
  brio_inverse_result result;
  if (start(&b, demo_arm(false), "hand", NULL, (brio_inverse_options){0})) {
    brio_robot_neutral(b.robot, from);
    memcpy(posture, from, sizeof from);
    posture[BRIO_BASE_NQ + 2] = 1.0, posture[BRIO_BASE_NQ + 6] = -0.7;
    brio_inverse_request request = {.goals = &goal, .seed = from, .nominal = posture};
    CHECK(brio_inverse_solve(b.inverse, &request, &result, &b.err), "%s", b.err.message);
    CHECK(gap(link_at(&b, result.q, 0), goal.pose) < 1.001e-4, "still there");
    CHECK_NEAR(result.q[BRIO_BASE_NQ + 6], -0.7, 0.01,
               "the last joint is free to stand as the posture has it");
    double drawn = away(&b, result.q, posture);
    request.nominal = NULL;
    CHECK(brio_inverse_solve(b.inverse, &request, &result, &b.err), "%s", b.err.message);
    CHECK(drawn < away(&b, result.q, posture), "%g from the posture, without it %g", drawn,
          away(&b, result.q, posture));
  }
  end(&b);
}

/* An arm of six joints reaches a pose in several ways: all solutions differ, and all reach it. */
static void distinct_solutions(void) {
  bench b;
  double there[MOST];
  brio_random stream = brio_random_stream(10, "several");
  brio_robot *robot = brio_robot_load("drivers/robots/ur3e/model.urdf", NULL, NULL);
  for (int i = 0; robot && i < robot->nvariable; i++)
    brio_robot_set_limits(robot, i, &(brio_limits){-3.1, 3.1, NAN, NAN}, NULL); /* no whole turns */
  if (start(&b, robot, "tool0", NULL, (brio_inverse_options){0})) {
    demo_draw(b.robot, &stream, there);
    brio_inverse_goal goal = {.pose = link_at(&b, there, 0)};
    brio_inverse_request request = {
        .goals = &goal, .solutions = 4, .nearest = true, .seed = there, .max_starts = 200};
    brio_inverse_result result;
    CHECK(brio_inverse_solve(b.inverse, &request, &result, &b.err), "%s", b.err.message);
    CHECK(result.nsolution == 4, "%d solutions", result.nsolution);
    CHECK(away(&b, result.solutions, there) < 1e-2, "the seed is the first: it is one itself");
    for (int i = 0; i < result.nsolution; i++) {
      const double *q = result.solutions + i * b.robot->nq;
      CHECK(gap(link_at(&b, q, 0), goal.pose) < 1.001e-4, "solution %d does not reach", i);
      check_limits(b.robot, q);
      for (int j = 0; j < i; j++)
        CHECK(away(&b, q, result.solutions + j * b.robot->nq) >= 0.1, "%d is %d", i, j);
      if (i) CHECK(away(&b, q, there) >= away(&b, q - b.robot->nq, there), "not by distance");
    }
  }
  end(&b);
}

/* --- robots of other kinds --- */

static const char ODD[] = "<robot name='odd'>" DEMO_LINK("root", "0 0 0", "<sphere radius='.1'/>") DEMO_LINK(
    "car", "0 0 0",
    "<sphere radius='.1'/>") DEMO_LINK("mast", "0 0 0",
                                       "<sphere radius='.05'/>") DEMO_LINK("boom", "0 0 0",
                                                                           "<sphere radius='.05'/>")
    DEMO_LINK("arm", "0 0 0", "<sphere radius='.05'/>") DEMO_LINK(
        "tip", "0 0 0",
        "<sphere radius='.05'/>") "<joint name='drive' type='planar'><parent link='root'/><child "
                                  "link='car'/><axis xyz='0 0 1'/></joint>"
                                  "<joint name='lift' type='prismatic'><parent link='car'/><child "
                                  "link='mast'/><axis xyz='0 0 1'/>"
                                  "<limit lower='0.1' upper='0.6' velocity='1' effort='1'/></joint>"
                                  "<joint name='swivel' type='continuous'><parent link='mast'/><child "
                                  "link='boom'/><origin xyz='.1 0 0'/>"
                                  "<axis xyz='0 1 0'/></joint>" DEMO_JOINT(
                                      "bend", "boom", "arm", ".3 0 0", "0 0 1",
                                      "lower='-1.5' upper='1.5'") "<joint name='copy' "
                                                                  "type='revolute'><parent "
                                                                  "link='arm'/><child link='tip'/><origin "
                                                                  "xyz='.2 0 0'/><axis xyz='1 0 0'/>"
                                                                  "<limit lower='-3' upper='3' velocity='1' "
                                                                  "effort='1'/><mimic joint='bend' "
                                                                  "multiplier='-2' offset='.1'/></joint>"
                                                                  "</robot>";

static void slides_wheels_and_mimics(void) {
  bench b;
  brio_error err = {0};
  brio_robot *robot = brio_robot_parse(ODD, sizeof ODD - 1, "odd.urdf", NULL, &err);
  CHECK(robot, "%s", err.message);
  if (start(&b, robot, "tip", NULL, (brio_inverse_options){0})) {
    int found = round_trips(&b, 100, (brio_inverse_request){0}, 12);
    CHECK(found == 100, "%d of 100", found);
  }
  end(&b);
}

/* A continuous joint makes no whole turns: a solution is within half a turn of the seed. */
static void wheels_stay_near_the_seed(void) {
  bench b;
  double q[MOST];
  brio_robot *robot = brio_robot_parse(ODD, sizeof ODD - 1, "odd.urdf", NULL, NULL);
  if (start(&b, robot, "tip", NULL, (brio_inverse_options){0})) {
    int swivel = BRIO_BASE_NQ + brio_robot_variable(b.robot, "swivel", NULL);
    brio_random stream = brio_random_stream(13, "wheels");
    for (int i = 0; i < 20; i++) {
      demo_draw(b.robot, &stream, q);
      brio_inverse_goal goal = {.pose = link_at(&b, q, 0)};
      demo_draw(b.robot, &stream, q);
      q[swivel] += 8 * BRIO_PI;
      brio_inverse_result result;
      CHECK(
          brio_inverse_solve(b.inverse, &(brio_inverse_request){.goals = &goal, .seed = q}, &result, &b.err),
          "%s", b.err.message);
      CHECK(fabs(result.q[swivel] - q[swivel]) <= BRIO_PI + 1e-9, "turned by %g",
            result.q[swivel] - q[swivel]);
    }
  }
  end(&b);
}

static void a_bounded_base_moves_within_its_range(void) {
  bench b;
  if (start(&b, demo_arm(true), "hand", NULL, (brio_inverse_options){.moves_base = true})) {
    int found = round_trips(&b, 100, (brio_inverse_request){0}, 14);
    CHECK(found == 100, "%d of 100", found);
    brio_inverse_goal far = goal_of((brio_pose){{4, 0, 0}, {0, 0, 0, 1}}, NULL, nothing);
    brio_inverse_result result;
    CHECK(!brio_inverse_solve(b.inverse, &(brio_inverse_request){.goals = &far}, &result, NULL), "reached");
    for (int i = 0; i < 3; i++)
      CHECK(fabs(result.q[i] - (&b.robot->base_center.p.x)[i]) <= b.robot->base_range[i] * (1 + 1e-12),
            "base %d", i);
    CHECK_NEAR(result.q[0], 0.1 + 0.2, 1e-9, "as far forward as it may");
  }
  end(&b);
}

/* A held joint stays where the seed has it, to the bit, and so does a base that is not to move. */
static void what_is_held_stays(void) {
  bench b;
  double q[MOST];
  int held[] = {0, 4};
  brio_random stream = brio_random_stream(15, "held");
  if (start(&b, demo_arm(true), "hand", NULL, (brio_inverse_options){.held = held, .nheld = 2})) {
    int found = 0;
    for (int i = 0; i < 40; i++) {
      demo_draw(b.robot, &stream, q);
      brio_inverse_goal goal = goal_of(link_at(&b, q, 0), NULL, nothing);
      for (int k = 0; k < b.robot->nvariable; k++)
        if (k != 0 && k != 4) q[BRIO_BASE_NQ + k] *= 0.5;
      brio_inverse_result result;
      found +=
          brio_inverse_solve(b.inverse, &(brio_inverse_request){.goals = &goal, .seed = q}, &result, &b.err);
      CHECK(result.q[BRIO_BASE_NQ] == q[BRIO_BASE_NQ] && result.q[BRIO_BASE_NQ + 4] == q[BRIO_BASE_NQ + 4],
            "moved");
      CHECK(gap((brio_pose){{result.q[0], result.q[1], result.q[2]}, {0, 0, 0, 1}},
                (brio_pose){{q[0], q[1], q[2]}, {0, 0, 0, 1}}) == 0,
            "the base moved");
    }
    CHECK(found == 40, "%d of 40", found);
  }
  end(&b);
}

/* --- keeping clear --- */

/* The least distance of any shape of the arm from a ball, found without the solver. */
static double ball_distance(bench *b, const double *q, brio_vec3 center, double radius) {
  double least = INFINITY;
  brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {radius, 0, 0}};
  brio_transform at = brio_transform_of((brio_pose){center, {0, 0, 0, 1}});
  brio_state_update(&b->state, q);
  for (int i = 0; i < b->robot->ncollision; i++) {
    const brio_link_shape *shape = &b->robot->collisions[i];
    if (shape->link == 0) continue; /* cannot move */
    brio_transform own = brio_transform_of(shape->pose),
                   world = brio_transform_mul(&b->state.links[shape->link], &own);
    least = fmin(least, brio_shape_distance(&shape->shape, &world, &ball, &at, NULL).distance);
  }
  return least;
}

/* The least distance at `q`, by a solver of its own. */
static double watched_distance(brio_solver *solver, const double *q) {
  brio_solution solution;
  brio_solver_reset(solver, q, true);
  brio_solver_add(solver, "clear", "collision_avoidance", NULL, 0, NULL);
  brio_solver_set_weight(solver, 0, 1e-12, 0, NULL);
  brio_solver_solve(solver, 0, 1e-6, &solution);
  return solution.distance;
}

static void what_is_watched_is_kept_clear_of(void) {
  bench b;
  brio_vec3 center = {0.25, 0.1, 0.6};
  double radius = 0.1, q[MOST];
  brio_shape ball = {.kind = BRIO_SHAPE_SPHERE, .size = {radius, 0, 0}};
  if (!start(&b, demo_arm(false), "hand", NULL, (brio_inverse_options){.watches = true})) return;
  CHECK(brio_solver_set_shape(brio_inverse_shapes(b.inverse), "ball", -1, (brio_pose){center, {0, 0, 0, 1}},
                              &ball, true, &b.err),
        "%s", b.err.message);
  brio_random stream = brio_random_stream(16, "clear");
  brio_solver *judge = demo_solver(b.robot, NULL);
  CHECK(brio_solver_set_shape(judge, "ball", -1, (brio_pose){center, {0, 0, 0, 1}}, &ball, true, &b.err),
        "%s", b.err.message);
  int count = 0, found = 0, touching = 0;
  for (int i = 0; i < 400; i++) {
    demo_draw(b.robot, &stream, q);
    if (watched_distance(judge, q) < 0.012) continue; /* so it can be reached, and be clear */
    brio_inverse_goal goal = {.pose = link_at(&b, q, 0)};
    demo_draw(b.robot, &stream, q);
    brio_inverse_result result;
    brio_inverse_request request = {.goals = &goal, .seed = q, .clear = true, .clearance = 0.01};
    count++;
    if (brio_inverse_solve(b.inverse, &request, &result, &b.err)) {
      found++;
      touching += result.touching > 0;
      CHECK(ball_distance(&b, result.q, center, radius) >= 0.01 - 1e-9, "%g m from the ball",
            ball_distance(&b, result.q, center, radius));
      CHECK(gap(link_at(&b, result.q, 0), goal.pose) < 1.001e-4, "still there");
    }
  }
  CHECK(count > 100 && found >= 0.98 * count, "%d of %d", found, count);
  CHECK(touching > 0, "no start ever touched: the test shows nothing");
  brio_solver_free(judge);
  end(&b);
}

/* Put `count` boxes at random around the robot, none of them at its foot. */
static void scatter_boxes(brio_solver *shapes, int count) {
  brio_random stream = brio_random_stream(17, "boxes");
  for (int i = 0; i < count; i++) {
    char key[16];
    double v[6];
    do {
      for (int k = 0; k < 3; k++) v[k] = brio_random_uniform(&stream, -0.9, 0.9);
    } while (hypot(v[0], v[1]) < 0.3);
    for (int k = 3; k < 6; k++) v[k] = brio_random_uniform(&stream, 0.02, 0.1);
    brio_shape box = {.kind = BRIO_SHAPE_BOX, .size = {v[3], v[4], v[5]}};
    snprintf(key, sizeof key, "box%d", i);
    CHECK(brio_solver_set_shape(shapes, key, -1, (brio_pose){{v[0], v[1], v[2] + 0.5}, {0, 0, 0, 1}}, &box,
                                true, NULL),
          "%s", key);
  }
}

/* A pose that one configuration reaches clear of all boxes is reached so from other seeds. */
static void a_way_between_a_hundred_boxes(void) {
  bench b;
  double q[MOST];
  brio_robot *robot = brio_robot_load("drivers/robots/panda/model.urdf", NULL, NULL);
  if (!start(&b, robot, "panda_hand", NULL, (brio_inverse_options){.watches = true})) return;
  scatter_boxes(brio_inverse_shapes(b.inverse), 100);
  brio_random stream = brio_random_stream(18, "between");
  int tried = 0, found = 0, count = (int)(150 * check_scale());
  for (int i = 0; i < count; i++) {
    brio_inverse_result result;
    demo_draw(b.robot, &stream, q);
    brio_inverse_goal goal = {.pose = link_at(&b, q, 0)};
    brio_inverse_request request = {
        .goals = &goal, .seed = q, .clear = true, .clearance = 0.005, .max_starts = 1};
    if (!brio_inverse_solve(b.inverse, &request, &result, NULL)) continue;
    demo_draw(b.robot, &stream, q);
    request.max_starts = 200;
    tried++;
    found += brio_inverse_solve(b.inverse, &request, &result, NULL);
    CHECK(!result.found || result.distance >= 0.005, "%g m", result.distance);
  }
  CHECK(tried > 0.2 * count && found >= 0.97 * tried, "%d of %d, of %d poses", found, tried, count);
  end(&b);
}

static void a_goal_inside_a_shape_is_named(void) {
  bench b;
  brio_shape box = {.kind = BRIO_SHAPE_BOX, .size = {0.3, 0.3, 0.3}};
  brio_inverse_goal goal = goal_of((brio_pose){{0.45, 0, 0.6}, {0, 0, 0, 1}}, NULL, nothing);
  brio_inverse_result result;
  if (start(&b, demo_arm(false), "hand", NULL, (brio_inverse_options){.watches = true})) {
    brio_solver *shapes = brio_inverse_shapes(b.inverse);
    CHECK(brio_solver_set_shape(shapes, "crate", -1, goal.pose, &box, true, &b.err), "%s", b.err.message);
    brio_inverse_request request = {.goals = &goal, .clear = true, .max_starts = 20};
    CHECK(!brio_inverse_solve(b.inverse, &request, &result, &b.err) && b.err.code == BRIO_UNREACHABLE,
          "reached");
    CHECK_HAS(b.err.message, "'crate'");
    CHECK(result.touching > 0, "no start reached the goal");
    CHECK(brio_solver_remove_shape(shapes, "crate", &b.err), "%s", b.err.message);
    CHECK(brio_inverse_solve(b.inverse, &request, &result, &b.err), "%s", b.err.message);
  }
  end(&b);
}

CHECK_SUITE(CHECK_TEST(the_nearest_is_nearer), CHECK_TEST(a_posture_is_drawn_to),
            CHECK_TEST(distinct_solutions), CHECK_TEST(slides_wheels_and_mimics),
            CHECK_TEST(wheels_stay_near_the_seed), CHECK_TEST(a_bounded_base_moves_within_its_range),
            CHECK_TEST(what_is_held_stays), CHECK_TEST(what_is_watched_is_kept_clear_of),
            CHECK_TEST(a_way_between_a_hundred_boxes), CHECK_TEST(a_goal_inside_a_shape_is_named))
