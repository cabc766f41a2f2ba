/* Screws: formulas of the source, rigid motion about and along one axis, ends that are reached. */
#include "math/screw.h"

#include "base/random.h"
#include "tests/check.h"

enum { ROUNDS = 300 };

static brio_quat random_turn(brio_random *r) {
  return brio_quat_unit((brio_quat){brio_random_normal(r), brio_random_normal(r), brio_random_normal(r),
                                    brio_random_normal(r)});
}

static brio_pose random_pose(brio_random *r) {
  return (brio_pose){
      {brio_random_uniform(r, -2, 2), brio_random_uniform(r, -2, 2), brio_random_uniform(r, -2, 2)},
      random_turn(r)};
}

static brio_screw random_screw(brio_random *r, int round) {
  return (brio_screw){.translation = round % 3 == 0 ? 0 : brio_random_uniform(r, -0.6, 0.6),
                      .rotation = round % 3 == 1 ? 0 : brio_random_uniform(r, -7, 7),
                      .max_linear = brio_random_uniform(r, 0.01, 0.5),
                      .max_angular = brio_random_uniform(r, 0.1, 2)};
}

static double apart(brio_vec3 a, brio_vec3 b) { return brio_vec3_norm(brio_vec3_sub(a, b)); }

static double turned_apart(brio_quat a, brio_quat b) {
  return brio_quat_angle(brio_quat_mul(brio_quat_conj(a), b));
}

/* A knob, worked out by hand: 0.05 m from the axis, a quarter of a turn. */
static void figures_of_a_knob(void) {
  brio_screw knob = {.rotation = BRIO_PI / 2};
  brio_screw_plan plan;
  brio_error err;
  CHECK(brio_screw_plan_from(&knob, (brio_pose){{0.1, 0.03, 0.04}, BRIO_QUAT_IDENTITY}, &plan, &err), "%s",
        err.message);
  CHECK_NEAR(plan.radius, 0.05, 1e-15, "radius");
  CHECK_NEAR(plan.way, 0.05 * BRIO_PI / 2, 1e-15, "way");
  CHECK_NEAR(plan.base, BRIO_PI / 2 / 0.6, 1e-12, "turning takes longer than going");
  CHECK(plan.points == 10, "nine steps of 10 degrees: %d points", plan.points);
  CHECK_NEAR(plan.seconds, plan.base * (1 + 2.0 / 9), 1e-12, "two steps more");
  brio_screw_point first = brio_screw_point_at(&plan, 0), second = brio_screw_point_at(&plan, 1);
  brio_screw_point last = brio_screw_point_at(&plan, 9);
  CHECK_NEAR(second.time - first.time, 2 * plan.step, 1e-12, "the first step takes two");
  CHECK_NEAR(brio_screw_point_at(&plan, 8).time + 2 * plan.step, last.time, 1e-12, "and the last");
  CHECK_NEAR(apart(last.pose.p, (brio_vec3){0.1, -0.04, 0.03}), 0, 1e-15, "a quarter of a turn about x");
  CHECK_NEAR(brio_vec3_norm(second.linear), 0.05 * 0.6, 1e-12, "speed on the circle");
}

/* The plan keeps its speed limits, and reaches one of them. */
static void speeds_are_kept_and_used(void) {
  brio_random r = brio_random_stream(1, "screw");
  for (int i = 0; i < ROUNDS; i++) {
    brio_screw screw = random_screw(&r, i);
    brio_screw_plan plan;
    brio_error err;
    CHECK(brio_screw_plan_from(&screw, random_pose(&r), &plan, &err), "%s", err.message);
    brio_screw_point inner = brio_screw_point_at(&plan, 1 + i % (plan.points - 2));
    double linear = brio_vec3_norm(inner.linear) / screw.max_linear,
           angular = brio_vec3_norm(inner.angular) / screw.max_angular;
    CHECK_NEAR(fmax(linear, angular), 1, 1e-9, "round %d", i);
    for (int k = 0; k < plan.points; k += plan.points - 1) {
      brio_screw_point end = brio_screw_point_at(&plan, k);
      CHECK(brio_vec3_norm(end.linear) == 0 && brio_vec3_norm(end.angular) == 0, "rests at its ends");
    }
  }
}

/* Each pose is the step times the one before, from the left; and the end is one whole
** step times the start. */
static void steps_go_from_the_left_and_reach_the_end(void) {
  brio_random r = brio_random_stream(2, "screw");
  for (int i = 0; i < ROUNDS; i++) {
    brio_screw screw = random_screw(&r, i);
    screw.max_points = i % 5 == 4 ? 5 : 0; /* fewer than it would have */
    brio_screw_plan plan;
    brio_error err;
    brio_pose start = random_pose(&r);
    CHECK(brio_screw_plan_from(&screw, start, &plan, &err), "%s", err.message);
    int steps = plan.points - 1;
    brio_pose step = {{screw.translation / steps, 0, 0},
                      brio_quat_exp((brio_vec3){screw.rotation / steps, 0, 0})};
    brio_pose pose = start;
    for (int k = 1; k <= steps; k++) {
      pose = brio_pose_mul(step, pose);
      brio_pose point = brio_screw_point_at(&plan, k).pose;
      CHECK_NEAR(apart(point.p, pose.p), 0, 1e-12, "round %d, point %d", i, k);
      CHECK_NEAR(turned_apart(point.q, pose.q), 0, 1e-7, "round %d, point %d", i, k);
    }
    brio_pose whole = {{screw.translation, 0, 0}, brio_quat_exp((brio_vec3){screw.rotation, 0, 0})};
    CHECK_NEAR(apart(brio_screw_point_at(&plan, steps).pose.p, brio_pose_mul(whole, start).p), 0, 1e-12,
               "the end, round %d", i);
  }
}

/* Two grasps of one body keep their relative pose, and move along the axis with the same
** distance between them. */
static void bodies_stay_rigid(void) {
  brio_random r = brio_random_stream(3, "screw");
  for (int i = 0; i < ROUNDS; i++) {
    brio_screw screw = random_screw(&r, i);
    brio_pose start = random_pose(&r), grasp = random_pose(&r);
    brio_screw_plan one, other;
    brio_error err;
    CHECK(brio_screw_plan_from(&screw, start, &one, &err), "%s", err.message);
    CHECK(brio_screw_plan_from(&screw, brio_pose_mul(start, grasp), &other, &err), "%s", err.message);
    CHECK(one.points == other.points, "as many steps wherever it is held");
    for (double share = 0; share <= 1; share += 0.25) {
      brio_pose a = brio_screw_pose(&one, share), b = brio_screw_pose(&other, share);
      brio_pose between = brio_pose_mul(brio_pose_inverse(a), b);
      CHECK_NEAR(apart(between.p, grasp.p), 0, 1e-12, "round %d", i);
      CHECK_NEAR(turned_apart(between.q, grasp.q), 0, 1e-7, "round %d", i);
      CHECK_NEAR(hypot(a.p.y, a.p.z), one.radius, 1e-12, "as far from the axis");
    }
  }
}

/* The stated speeds are those of the poses at full speed. */
static void speeds_are_those_of_the_poses(void) {
  brio_random r = brio_random_stream(4, "screw");
  const double h = 1e-6;
  for (int i = 0; i < ROUNDS; i++) {
    brio_screw screw = random_screw(&r, i);
    brio_screw_plan plan;
    brio_error err;
    CHECK(brio_screw_plan_from(&screw, random_pose(&r), &plan, &err), "%s", err.message);
    int index = 1 + i % (plan.points - 2);
    double share = (double)index / (plan.points - 1);
    brio_screw_point point = brio_screw_point_at(&plan, index);
    brio_pose before = brio_screw_pose(&plan, share - h / plan.base),
              after = brio_screw_pose(&plan, share + h / plan.base);
    brio_vec3 linear = brio_vec3_scale(1 / (2 * h), brio_vec3_sub(after.p, before.p));
    brio_vec3 angular = brio_vec3_scale(1 / (2 * h),
                                        brio_quat_log(brio_quat_mul(after.q, brio_quat_conj(before.q))));
    CHECK_NEAR(apart(linear, point.linear), 0, 1e-8, "round %d", i);
    CHECK_NEAR(apart(angular, point.angular), 0, 1e-8, "round %d", i);
    CHECK_NEAR(apart(brio_screw_pose(&plan, share).p, point.pose.p), 0, 1e-12, "the same place");
  }
}

static void bad_screws_are_refused(void) {
  const brio_screw bad[] = {{.translation = 0},
                            {.translation = NAN},
                            {.rotation = INFINITY},
                            {.rotation = 1, .max_linear = -1},
                            {.rotation = 1, .step_rotation = -1},
                            {.rotation = 1, .max_angular = NAN},
                            {.rotation = 1, .max_points = BRIO_SCREW_POINTS + 1},
                            {.rotation = 1, .max_points = -1},
                            {.translation = 1e6, .max_linear = 1e-310}};
  brio_screw_plan plan;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    brio_error err = {0};
    CHECK(!brio_screw_plan_from(&bad[i], BRIO_POSE_IDENTITY, &plan, &err), "screw %zu", i);
    CHECK(err.code == BRIO_MISUSE && err.message[0], "screw %zu: %s", i, err.message);
  }
  brio_error err = {0};
  CHECK(!brio_screw_plan_from(&(brio_screw){.rotation = 1}, (brio_pose){{NAN, 0, 0}, BRIO_QUAT_IDENTITY},
                              &plan, &err),
        "no pose");
  brio_screw many = {.rotation = 1e6, .step_rotation = 1e-300};
  CHECK(brio_screw_plan_from(&many, BRIO_POSE_IDENTITY, &plan, &err) && plan.points == 200,
        "points have an end: %d", plan.points);
  CHECK(brio_screw_plan_from(&(brio_screw){.rotation = 1e-9}, BRIO_POSE_IDENTITY, &plan, &err) &&
            plan.points == 3,
        "and a beginning");
}

CHECK_SUITE(CHECK_TEST(figures_of_a_knob), CHECK_TEST(speeds_are_kept_and_used),
            CHECK_TEST(steps_go_from_the_left_and_reach_the_end), CHECK_TEST(bodies_stay_rigid),
            CHECK_TEST(speeds_are_those_of_the_poses), CHECK_TEST(bad_screws_are_refused))
