/* The checker of configurations and straight motions, beside the plain pass over all pairs: what it calls
** clear is clear everywhere, and what it calls blocked is. */
#include "tests/engine/plan/joints.h"

#include "plan/joints/cover.h"
#include "plan/joints/field.h"
#include "plan/joints/frames.h"

static double between(brio_random *random, double lower, double upper) {
  return brio_random_uniform(random, lower, upper);
}

static brio_vec3 random_point(brio_random *random, double far) {
  return (brio_vec3){between(random, -far, far), between(random, -far, far), between(random, -far, far)};
}

static brio_pose random_pose(brio_random *random, double far) {
  brio_quat q = {brio_random_normal(random), brio_random_normal(random), brio_random_normal(random),
                 brio_random_normal(random)};
  return (brio_pose){random_point(random, far), brio_quat_unit(q)};
}

/* A solid of each kind in turn; `points` are the corners of a hull. */
static brio_shape random_shape(brio_random *random, int kind, brio_vec3 points[8]) {
  brio_shape shape = {.kind = (brio_shape_kind)kind};
  shape.size =
      (brio_vec3){between(random, 0.005, 0.2), between(random, 0.005, 0.2), between(random, 0.005, 0.3)};
  if (kind == BRIO_SHAPE_HALF_SPACE || kind == BRIO_SHAPE_HULL) shape.size = (brio_vec3){0, 0, 0};
  if (kind == BRIO_SHAPE_SPHERE) shape.size.z = 0;
  if (kind != BRIO_SHAPE_BOX) shape.size.y = 0;
  if (kind == BRIO_SHAPE_HULL) {
    for (int i = 0; i < 8; i++) points[i] = random_point(random, 0.12);
    shape.npoint = 8, shape.points = points;
  }
  return shape;
}

static void random_values(const brio_robot *robot, brio_random *random, double *x) {
  for (int i = 0; i < robot->nvariable; i++) {
    const brio_variable *variable = &robot->variables[i];
    x[i] = variable->circular ? between(random, -BRIO_PI, BRIO_PI)
                              : between(random, variable->lower, variable->upper);
  }
}

/* --- frames --- */

/* Frames of all or some joints, and links in them, are where the robot's kinematics has them. */
static void frames_stand_where_kinematics_has_them(void) {
  brio_robot *robot = arm_load();
  brio_random random = brio_random_stream(1, "frames");
  brio_error err;
  brio_state state;
  CHECK(brio_state_start(&state, robot, &err), "%s", err.message);
  for (int round = 0; round < 40; round++) {
    static const int orders[4][ARM_VARIABLES] = {{0, 1, 2, 3, 4}, {3, 1, 0}, {2}, {4, 0}};
    static const int sizes[4] = {5, 3, 1, 2};
    double q[7 + ARM_VARIABLES] = {0}, x[ARM_VARIABLES];
    brio_robot_neutral(robot, q);
    brio_pose base = random_pose(&random, 1);
    memcpy(q, &base, sizeof base);
    random_values(robot, &random, q + 7);
    brio_arena arena;
    brio_arena_start(&arena, 4096);
    brio_joint_frames frames;
    int n = sizes[round % 4];
    const int *order = orders[round % 4];
    CHECK(brio_joint_frames_start(&frames, &arena, robot, q, order, n, &err), "%s", err.message);
    random_values(robot, &random, q + 7);
    /* What is not planned stays. */
    for (int i = 0; i < robot->nvariable; i++) {
      bool planned = false;
      for (int k = 0; k < n; k++) planned |= order[k] == i;
      if (!planned) q[7 + i] = 0.1;
    }
    brio_joint_frames_start(&frames, &arena, robot, q, order, n, &err);
    for (int k = 0; k < n; k++) x[k] = q[7 + order[k]];
    brio_joint_frames_place(&frames, x);
    brio_state_update(&state, q);
    for (int i = 0; i < robot->nlink; i++) {
      brio_transform frame = brio_joint_place_transform(frames.places[frames.frame_of[i]].world);
      brio_transform got = brio_transform_mul(&frame, &frames.link_places[i]), *want = &state.links[i];
      CHECK_NEAR(brio_vec3_norm(brio_vec3_sub(got.p, want->p)), 0, 1e-12, "link %d", i);
      for (int k = 0; k < 9; k++) CHECK_NEAR(got.r[k], want->r[k], 1e-12, "link %d", i);
    }
    brio_arena_end(&arena);
  }
  brio_state_end(&state);
  brio_robot_free(robot);
}

/* No point goes farther than both bounds have it, and the velocity is the derivative. */
static void points_go_no_farther_than_the_bounds(void) {
  brio_robot *robot = arm_load();
  brio_random random = brio_random_stream(2, "bounds");
  double q[7 + ARM_VARIABLES];
  brio_robot_neutral(robot, q);
  static const int all[ARM_VARIABLES] = {0, 1, 2, 3, 4};
  brio_arena arena;
  brio_arena_start(&arena, 4096);
  brio_joint_frames frames;
  brio_error err;
  CHECK(brio_joint_frames_start(&frames, &arena, robot, q, all, 5, &err), "%s", err.message);
  double tightest = INFINITY;
  for (int round = 0; round < 3000; round++) {
    double a[ARM_VARIABLES], b[ARM_VARIABLES], delta[ARM_VARIABLES], at[ARM_VARIABLES];
    random_values(robot, &random, a);
    random_values(robot, &random, b);
    double t = between(&random, 0.2, 0.8), h = between(&random, 0, 0.2), s = between(&random, -h, h);
    int f = 1 + (int)brio_random_below(&random, (uint64_t)frames.count - 1);
    brio_vec3 point = random_point(&random, 0.3);
    for (int i = 0; i < 5; i++) delta[i] = b[i] - a[i];
    for (int i = 0; i < 5; i++) at[i] = a[i] + t * delta[i];
    brio_joint_frames_place(&frames, at);
    brio_joint_frames_move(&frames, delta);
    brio_joint_frames_bound(&frames, delta);
    const brio_joint_place *place = &frames.places[f];
    const brio_joint_bound *bound = &frames.bounds[f];
    brio_vec3 here = brio_joint_place_point(place->world, point);
    brio_vec3 arm = brio_joint_place_direction(place->world, point);
    brio_vec3 velocity = brio_vec3_add(place->velocity, brio_vec3_cross(place->spin, arm));
    double extent = brio_vec3_norm(point), speed = bound->base + extent * bound->turn;
    double curvature = bound->bend_base + extent * bound->bend;
    for (int i = 0; i < 5; i++) at[i] = a[i] + (t + s) * delta[i];
    brio_joint_frames_place(&frames, at);
    brio_vec3 gone = brio_vec3_sub(brio_joint_place_point(frames.places[f].world, point), here);
    double far = brio_vec3_norm(gone), first = fabs(s) * speed;
    double second = fabs(s) * brio_vec3_norm(velocity) + s * s / 2 * curvature;
    CHECK(far <= first + 1e-12, "frame %d: %.6f beyond %.6f", f, far, first);
    CHECK(far <= second + 1e-12, "frame %d: %.6f beyond %.6f", f, far, second);
    double off = brio_vec3_norm(brio_vec3_add_scaled(gone, -s, velocity));
    CHECK(off <= s * s / 2 * curvature + 1e-12, "frame %d: %.3g off the tangent, at most %.3g", f, off,
          s * s / 2 * curvature);
    if (far > 1e-3) tightest = fmin(tightest, second / far);
  }
  CHECK(tightest < 1.01, "the bounds are close to some motions: %.3f", tightest);
  brio_arena_end(&arena);
  brio_robot_free(robot);
}

/* --- filters --- */

/* A random point of a solid: a convex sum of support points, which brio_shape_distance confirms. */
static void covers_hold_their_solids(void) {
  brio_random random = brio_random_stream(3, "covers");
  int inside = 0;
  for (int round = 0; round < 200; round++) {
    brio_vec3 corners[8];
    brio_shape shape = random_shape(&random, round % BRIO_SHAPE_HALF_SPACE, corners);
    brio_cover_sphere cover[BRIO_COVER_SPHERES];
    int n = brio_cover_shape(&shape, cover);
    CHECK(n >= 1 && n <= BRIO_COVER_SPHERES, "%d spheres", n);
    for (int k = 0; k < 200; k++) {
      brio_transform here = BRIO_TRANSFORM_IDENTITY, there = BRIO_TRANSFORM_IDENTITY;
      brio_shape point = {.kind = BRIO_SHAPE_SPHERE};
      there.p = random_point(&random, 0.35);
      if (brio_shape_distance(&shape, &here, &point, &there, NULL).distance > 0) continue;
      double least = INFINITY;
      for (int i = 0; i < n; i++)
        least = fmin(least, brio_vec3_norm(brio_vec3_sub(there.p, cover[i].center)) - cover[i].radius);
      CHECK(least <= 1e-12, "%s: a point is %.3g m outside its cover", brio_shape_kind_name(shape.kind),
            least);
      inside++;
    }
  }
  CHECK(inside > 500, "%d points were in solids", inside);
}

/* The filter is the distance itself where it says so, and never more than it. */
static void filter_is_never_farther_than_the_obstacle(void) {
  brio_random random = brio_random_stream(4, "field");
  for (int round = 0; round < 60; round++) {
    enum { MANY = 13 };
    brio_obstacle list[MANY];
    brio_vec3 corners[MANY][8];
    for (int i = 0; i < MANY; i++)
      list[i] = (brio_obstacle){NULL, random_shape(&random, (i + round) % BRIO_NSHAPE, corners[i]),
                                random_pose(&random, 2)};
    brio_arena arena;
    brio_arena_start(&arena, 4096);
    brio_field field;
    brio_error err;
    CHECK(brio_field_start(&field, &arena, list, MANY, &err), "%s", err.message);
    int seen = 0;
    for (int g = 0; g < field.nfour; g++)
      for (int k = 0; k < 20; k++) {
        brio_transform at = BRIO_TRANSFORM_IDENTITY;
        at.p = random_point(&random, 2);
        float d[4];
        brio_four_store(d, brio_field_distance(&field.fours[g], (float)at.p.x, (float)at.p.y, (float)at.p.z));
        for (int i = 0; i < 4; i++) {
          int o = field.fours[g].obstacle[i];
          brio_shape point = {.kind = BRIO_SHAPE_SPHERE};
          if (o < 0) {
            CHECK(d[i] > 1e8f, "a free place is %g m away", d[i]);
            continue;
          }
          double truth = brio_shape_distance(&list[o].shape, &field.poses[o], &point, &at, NULL).distance;
          bool exact = field.fours[g].exact >> i & 1;
          CHECK(d[i] <= fmax(truth, 0) + 4e-6, "%s: %.7f, but %.7f", brio_shape_kind_name(list[o].shape.kind),
                d[i], truth);
          if (exact && truth > 0)
            CHECK_NEAR(d[i], truth, 4e-6, "%s", brio_shape_kind_name(list[o].shape.kind));
          seen++;
        }
      }
    CHECK(seen == MANY * 20, "%d", seen);
    brio_arena_end(&arena);
  }
}

/* --- checks --- */

static const int arm_variables[ARM_VARIABLES] = {0, 1, 2, 3, 4};

static brio_joint_checker_request arm_request(const brio_robot *robot, double *q, const brio_obstacle *list,
                                              int count) {
  brio_robot_neutral(robot, q);
  return (brio_joint_checker_request){.robot = robot,
                                      .q = q,
                                      .variables = arm_variables,
                                      .nvariable = ARM_VARIABLES,
                                      .obstacles = list,
                                      .nobstacle = count};
}

/* Random scenes of all kinds of solids; the plain pass looks at every configuration, and densely at every
** motion: what is clear has no contact anywhere, and what is blocked has something nearer than resolution and
** steps allow. */
static void verdicts_are_those_of_the_plain_pass(void) {
  brio_robot *robot = arm_load();
  brio_random random = brio_random_stream(5, "verdicts");
  int clear = 0, blocked = 0, free = 0, scenes = (int)(12 * fmin(check_scale(), 20));
  for (int scene = 0; scene < scenes; scene++) {
    enum { MANY = 7 };
    brio_obstacle list[MANY];
    brio_vec3 corners[MANY][8];
    double q[7 + ARM_VARIABLES], x[ARM_VARIABLES], y[ARM_VARIABLES], delta[ARM_VARIABLES];
    for (int i = 0; i < MANY; i++) {
      list[i] = (brio_obstacle){"thing", random_shape(&random, i % BRIO_NSHAPE, corners[i]),
                                random_pose(&random, 0.9)};
      /* A half-space is below the arm. */
      if (list[i].shape.kind == BRIO_SHAPE_HALF_SPACE)
        list[i].pose = (brio_pose){{0, 0, -0.5}, {0.05, 0, 0, 0.99875}};
    }
    brio_joint_checker_request request = arm_request(robot, q, list, MANY);
    brio_error err;
    brio_joint_checker *checker = brio_joint_checker_new(&request, &err);
    CHECK(checker != NULL, "%s", err.message);
    if (!checker) break;
    plain *truth = plain_new(&request);
    for (int k = 0; k < 12; k++) {
      random_values(robot, &random, x);
      random_values(robot, &random, y);
      double here = plain_distance(truth, x);
      CHECK(brio_joint_checker_clear(checker, x) == (here > 0), "distance %.6g", here);
      brio_joint_contact contact = brio_joint_checker_nearest(checker, x);
      if (here < 0.05) CHECK_NEAR(contact.distance, here, 1e-6, "nearest pair");
      if (here <= 0) continue;
      free++;
      for (int i = 0; i < ARM_VARIABLES; i++) delta[i] = (y[i] - x[i]) * (k % 3 ? 0.2 : 1);
      bool got = brio_joint_motion_clear(checker, x, delta);
      double least = plain_motion(truth, x, delta, 2e-3);
      /* Between two steps a point goes at most 2 mm, and the two nearest points of a pair as much each. */
      if (got)
        CHECK(least > 0, "a motion called clear comes to %.3g m", least);
      else
        CHECK(least < 1e-4 + 2e-3, "a motion called blocked keeps %.3g m", least);
      *(got ? &clear : &blocked) += 1;
    }
    plain_free(truth);
    brio_joint_checker_free(checker);
  }
  CHECK(clear > 10 && blocked > 10 && free > 30, "%d clear, %d blocked", clear, blocked);
  brio_robot_free(robot);
}

/* A plate in the way of the arm, from 1 mm down to a tenth of a micrometer thick. */
static void thin_plates_are_not_jumped_over(void) {
  brio_robot *robot = arm_load();
  for (int k = 0; k < 5; k++) {
    double q[7 + ARM_VARIABLES], x[ARM_VARIABLES] = {-1.2, 0, 0.1, 0, 0},
                                 delta[ARM_VARIABLES] = {2.4, 0, 0, 0, 0};
    brio_obstacle plate = {"plate",
                           {.kind = BRIO_SHAPE_BOX, .size = {0.2, pow(10, -3 - k), 0.2}},
                           {{0.8, 0.05 * k - 0.1, 0.1}, {0, 0, 0, 1}}};
    brio_joint_checker_request request = arm_request(robot, q, &plate, 1);
    brio_error err;
    brio_joint_checker *checker = brio_joint_checker_new(&request, &err);
    CHECK(checker != NULL, "%s", err.message);
    if (!checker) continue;
    double end[ARM_VARIABLES] = {1.2, 0, 0.1, 0, 0};
    CHECK(brio_joint_checker_clear(checker, x) && brio_joint_checker_clear(checker, end),
          "both ends are clear");
    CHECK(!brio_joint_motion_clear(checker, x, delta), "a plate of %g m is jumped over", plate.shape.size.y);
    brio_joint_checker_free(checker);
    /* Out of the way it stops nothing. */
    plate.pose.p.x = 1.2;
    checker = brio_joint_checker_new(&request, &err);
    CHECK(brio_joint_motion_clear(checker, x, delta), "the plate is out of reach");
    brio_joint_checker_free(checker);
  }
  brio_robot_free(robot);
}

/* The elbow swings the hand through the upper arm: links against each other, not neighbors. */
static void links_do_not_pass_through_each_other(void) {
  brio_robot *robot = arm_load();
  double q[7 + ARM_VARIABLES], x[ARM_VARIABLES] = {0, -2, 0, 0, 0}, delta[ARM_VARIABLES] = {0, -2.3, 0, 0, 0},
                               behind[ARM_VARIABLES] = {0, -4.3, 0, 0, 0},
                               within[ARM_VARIABLES] = {0, BRIO_PI, 0, 0, 0};
  brio_joint_checker_request request = arm_request(robot, q, NULL, 0);
  brio_error err;
  brio_joint_checker *checker = brio_joint_checker_new(&request, &err);
  CHECK(brio_joint_checker_clear(checker, x) && brio_joint_checker_clear(checker, behind),
        "both ends are clear");
  CHECK(!brio_joint_motion_clear(checker, x, delta), "the hand passes through the upper arm");
  CHECK(!brio_joint_checker_clear(checker, within), "the hand is in the upper arm");
  brio_joint_checker_explain(checker, within, "the start", &err);
  CHECK_HAS(err.message, "the start collides: link 'upper' is ");
  brio_joint_checker_free(checker);
  /* Pairs that the request lets touch do not count; farther down is the base. */
  delta[1] = -1.15;
  int upper = brio_robot_link(robot, "upper", &err);
  brio_link_pair pairs[] = {{{brio_robot_link(robot, "hand", &err), upper}},
                            {{upper, brio_robot_link(robot, "finger", &err)}},
                            {{upper, brio_robot_link(robot, "thumb", &err)}}};
  request.allowed = pairs, request.nallowed = 3;
  checker = brio_joint_checker_new(&request, &err);
  CHECK(brio_joint_motion_clear(checker, x, delta), "what may touch does not block");
  brio_joint_checker_free(checker);
  brio_robot_free(robot);
}

/* With a clearance everything is as if it were larger by that. */
static void a_clearance_is_kept(void) {
  brio_robot *robot = arm_load();
  double q[7 + ARM_VARIABLES], x[ARM_VARIABLES] = {0, 0, 0, 0, 0};
  brio_obstacle ball = {
      "ball", {.kind = BRIO_SHAPE_SPHERE, .size = {0.1, 0, 0}}, {{0.75, 0, 0.26}, {0, 0, 0, 1}}};
  brio_joint_checker_request request = arm_request(robot, q, &ball, 1);
  brio_error err;
  for (int k = 0; k < 3; k++) {
    /* The ball is 2 cm above the hand. */
    request.clearance = (double[]){0, 0.019, 0.021}[k];
    brio_joint_checker *checker = brio_joint_checker_new(&request, &err);
    CHECK(brio_joint_checker_clear(checker, x) == (k < 2), "clearance %g", request.clearance);
    if (k == 2) {
      CHECK(!brio_joint_checker_explain(checker, x, "the start", &err), "-");
      CHECK_HAS(err.message,
                "the start is too near: link 'hand' is 20.00 mm from obstacle 1 'ball', and 21.00 mm");
    }
    brio_joint_checker_free(checker);
  }
  brio_robot_free(robot);
}

/* What is not a number is not clear, and a slide beyond its limits, where no bound holds, is blocked. */
static void values_without_bounds_are_blocked(void) {
  brio_robot *robot = arm_load();
  double q[7 + ARM_VARIABLES], x[ARM_VARIABLES] = {0}, delta[ARM_VARIABLES] = {0.1, 0, 0.15, 0, 0};
  brio_joint_checker_request request = arm_request(robot, q, NULL, 0);
  brio_error err;
  brio_joint_checker *checker = brio_joint_checker_new(&request, &err);
  CHECK(brio_joint_motion_clear(checker, x, delta), "within the limits");
  delta[2] = 0.25;
  CHECK(!brio_joint_motion_clear(checker, x, delta), "beyond them");
  delta[2] = 0, delta[0] = NAN;
  CHECK(!brio_joint_motion_clear(checker, x, delta), "NaN");
  x[1] = INFINITY;
  CHECK(!brio_joint_checker_clear(checker, x), "infinite");
  brio_joint_checker_free(checker);
  brio_robot_free(robot);
}

/* A sphere that the hand carries is as one that its file gives it: the same verdicts and distances; and the
** clearance may be set later. */
static void carried_shapes_are_as_the_links_own(void) {
  static const char own[] = "<collision><geometry><sphere radius='0.04'/></geometry></collision>";
  char bare[sizeof arm_text];
  const char *at = strstr(arm_text, own);
  CHECK(at != NULL, "the hand's sphere");
  if (!at) return;
  snprintf(bare, sizeof bare, "%.*s%s", (int)(at - arm_text), arm_text, at + sizeof own - 1);
  brio_error err;
  brio_robot *whole = arm_load(), *without = brio_robot_parse(bare, strlen(bare), "arm", NULL, &err);
  CHECK(without != NULL, "%s", err.message);
  brio_random random = brio_random_stream(9, "carried");
  brio_vec3 points[8];
  brio_obstacle obstacles[6];
  for (int i = 0; i < 6; i++)
    obstacles[i] =
        (brio_obstacle){"", random_shape(&random, BRIO_SHAPE_BOX, points), random_pose(&random, 0.8)};
  double q[7 + ARM_VARIABLES];
  brio_robot_neutral(whole, q);
  brio_joint_checker_request request = arm_request(whole, q, obstacles, 6);
  brio_joint_checker *first = brio_joint_checker_new(&request, &err);
  CHECK(first != NULL, "%s", err.message);
  brio_link_shape sphere = {.name = "ball", .pose = BRIO_POSE_IDENTITY,
                            .shape = {.kind = BRIO_SHAPE_SPHERE, .size = {0.04, 0, 0}}};
  sphere.link = brio_robot_link(without, "hand", &err);
  request.robot = without, request.carried = &sphere, request.ncarried = 1;
  brio_joint_checker *second = brio_joint_checker_new(&request, &err);
  CHECK(second != NULL, "%s", err.message);
  int blocked = 0;
  for (int round = 0; round < 2000; round++) {
    double x[ARM_VARIABLES], delta[ARM_VARIABLES], clearance = round % 2 ? 0.02 : 0;
    brio_joint_checker_set_clearance(first, clearance);
    brio_joint_checker_set_clearance(second, clearance);
    random_values(whole, &random, x);
    for (int i = 0; i < ARM_VARIABLES; i++) delta[i] = between(&random, -0.1, 0.1);
    bool clear = brio_joint_checker_clear(first, x);
    blocked += !clear;
    CHECK(brio_joint_checker_clear(second, x) == clear, "configuration %d", round);
    CHECK_NEAR(brio_joint_checker_nearest(first, x).distance, brio_joint_checker_nearest(second, x).distance,
               1e-12, "configuration %d", round);
    if (clear)
      CHECK(brio_joint_motion_clear(second, x, delta) == brio_joint_motion_clear(first, x, delta),
            "motion %d", round);
  }
  CHECK(blocked > 200 && blocked < 1900, "%d blocked", blocked);
  /* A thing without an end, or on no link. */
  sphere.link = 99;
  CHECK(!brio_joint_checker_new(&request, &err), "no link");
  CHECK_HAS(err.message, "carried shape 1 (ball): there is no link 99");
  sphere.link = 1, sphere.shape = (brio_shape){.kind = BRIO_SHAPE_HALF_SPACE};
  CHECK(!brio_joint_checker_new(&request, &err), "a half-space");
  CHECK_HAS(err.message, "carried shape 1 (ball) has no end");
  brio_joint_checker_free(first);
  brio_joint_checker_free(second);
  brio_robot_free(whole);
  brio_robot_free(without);
}

static void bad_requests_are_refused(void) {
  brio_robot *robot = arm_load();
  double q[7 + ARM_VARIABLES];
  brio_error err;
  brio_obstacle bad = {"bar", {.kind = BRIO_SHAPE_BOX, .size = {1, -1, 1}}, BRIO_POSE_IDENTITY};
  brio_joint_checker_request request = arm_request(robot, q, &bad, 1);
  CHECK(!brio_joint_checker_new(&request, &err), "a bad box");
  CHECK_HAS(err.message, "obstacle 1 (bar)");
  request.nobstacle = 0;
  request.variables = (int[]){0, 1, 1, 2, 3};
  CHECK(!brio_joint_checker_new(&request, &err), "twice");
  CHECK_HAS(err.message, "variable 'elbow' is planned twice");
  request.variables = (int[]){0, 9}, request.nvariable = 2;
  CHECK(!brio_joint_checker_new(&request, &err), "no such variable");
  CHECK_HAS(err.message, "robot 'arm' has no variable 9");
  request.variables = arm_variables, request.clearance = NAN;
  CHECK(!brio_joint_checker_new(&request, &err), "clearance");
  CHECK_HAS(err.message, "a clearance is 0 or more");
  request.clearance = 0, q[8] = INFINITY;
  CHECK(!brio_joint_checker_new(&request, &err), "q");
  CHECK_HAS(err.message, "number 9 of q is not finite");
  brio_robot_free(robot);
}

CHECK_SUITE(CHECK_TEST(frames_stand_where_kinematics_has_them),
            CHECK_TEST(points_go_no_farther_than_the_bounds), CHECK_TEST(covers_hold_their_solids),
            CHECK_TEST(filter_is_never_farther_than_the_obstacle),
            CHECK_TEST(verdicts_are_those_of_the_plain_pass), CHECK_TEST(thin_plates_are_not_jumped_over),
            CHECK_TEST(links_do_not_pass_through_each_other), CHECK_TEST(a_clearance_is_kept),
            CHECK_TEST(values_without_bounds_are_blocked),
            CHECK_TEST(carried_shapes_are_as_the_links_own), CHECK_TEST(bad_requests_are_refused))
