/* Articulated motion, estimated from noisy tracks with known truth. */
#include "scene/articulation.h"

#include "base/random.h"
#include "tests/check.h"

typedef struct made {
  brio_pose track[120];
  int count;
  brio_vec3 axis, point;
  double radius;
} made;

static brio_vec3 any_direction(brio_random *random) {
  brio_vec3 v = {brio_random_normal(random), brio_random_normal(random), brio_random_normal(random)};
  return brio_vec3_unit(v, (brio_vec3){0, 0, 1});
}

/* A track of a kind: along a path of `range` (m or rad), with noise, and a share of random positions. */
static made make(uint64_t seed, brio_articulation_kind kind, double range, double noise, double wild) {
  brio_random random = brio_random_stream(seed, "track");
  made m = {.count = 40 + (int)brio_random_below(&random, 60), .axis = any_direction(&random)};
  m.point = (brio_vec3){brio_random_uniform(&random, -2, 2), 1, 0.5};
  brio_quat turned =
      brio_quat_exp(brio_vec3_scale(brio_random_uniform(&random, 0, 2), any_direction(&random)));
  brio_vec3 arm = brio_vec3_cross(m.axis, any_direction(&random));
  m.radius = brio_random_uniform(&random, 0.25, 0.9);
  arm = brio_vec3_scale(m.radius, brio_vec3_unit(arm, (brio_vec3){1, 0, 0}));
  for (int i = 0; i < m.count; i++) {
    double value = range * i / (m.count - 1);
    brio_pose pose = {m.point, turned};
    if (kind == BRIO_ARTICULATION_SLIDER) pose.p = brio_vec3_add_scaled(m.point, value, m.axis);
    if (kind == BRIO_ARTICULATION_HINGE) {
      brio_quat turn = brio_quat_exp(brio_vec3_scale(value, m.axis));
      pose = (brio_pose){brio_vec3_add(m.point, brio_quat_rotate(turn, arm)), brio_quat_mul(turn, turned)};
    }
    brio_vec3 off = {brio_random_normal(&random), brio_random_normal(&random), brio_random_normal(&random)};
    pose.p = brio_vec3_add_scaled(pose.p, noise, off);
    pose.q = brio_quat_mul(
        brio_quat_exp(brio_vec3_scale(brio_random_normal(&random) * 0.02, any_direction(&random))), pose.q);
    if (brio_random_uniform(&random, 0, 1) < wild)
      pose.p = brio_vec3_add_scaled(pose.p, 0.5, any_direction(&random));
    m.track[i] = pose;
  }
  return m;
}

/* The distance of a point from the line through another. */
static double off_line(brio_vec3 p, brio_vec3 on, brio_vec3 axis) {
  return brio_vec3_norm(brio_vec3_cross(brio_vec3_sub(p, on), axis));
}

/* Fixed, sliding and turning objects are told apart in nearly every track, with orientations and without. */
static void kinds_are_told_apart(void) {
  int wrong = 0, all = 0, count = (int)(10 * check_scale());
  for (int seed = 0; seed < count; seed++)
    for (int kind = 0; kind < BRIO_ARTICULATION_NKIND; kind++)
      for (int oriented = 0; oriented < 2; oriented++) {
        brio_error err = {0};
        made m = make((uint64_t)(seed * 3 + kind), (brio_articulation_kind)kind, kind == 1 ? 0.3 : 0.9, 0.004,
                      0.1);
        brio_articulation a;
        brio_articulation_how how = {.turning = oriented ? 0 : -1};
        bool fine = brio_articulation_estimate(&a, m.track, m.count, &how, &err);
        CHECK(fine, "seed %d: %s", seed, err.message);
        wrong += (int)a.kind != kind, all++;
        CHECK_NEAR(a.probability[0] + a.probability[1] + a.probability[2], 1, 1e-9, "seed %d", seed);
      }
  CHECK(10 * wrong <= all, "%d of %d tracks are taken for another kind", wrong, all);
  printf("# articulation: %d of %d tracks taken for another kind\n", wrong, all);
}

/* The axis of a door, its radius and its angle. */
static void a_hinge_is_where_it_is(void) {
  double worst_angle = 0, worst_off = 0;
  for (uint64_t seed = 0; seed < 10; seed++)
    for (int oriented = 0; oriented < 2; oriented++) {
      brio_error err = {0};
      made m = make(seed, BRIO_ARTICULATION_HINGE, 1.2, 0.003, 0.15);
      brio_articulation a;
      brio_articulation_how how = {.turning = oriented ? 0.02 : -1};
      CHECK(brio_articulation_estimate(&a, m.track, m.count, &how, &err), "%s", err.message);
      CHECK(a.kind == BRIO_ARTICULATION_HINGE, "seed %d: %s", (int)seed, brio_articulation_name(a.kind));
      double angle = acos(fmin(1, brio_vec3_dot(a.axis, m.axis))) * 180 / BRIO_PI,
             off = off_line(m.point, a.point, a.axis);
      worst_angle = fmax(worst_angle, angle), worst_off = fmax(worst_off, off);
      CHECK(angle < 3 && off < 0.03, "seed %d: %.2f degrees, %.1f mm", (int)seed, angle, 1e3 * off);
      CHECK_NEAR(a.radius, m.radius, 0.03, "seed %d", (int)seed);
      CHECK_NEAR(a.high - a.low, 1.2, 0.15, "seed %d", (int)seed);
      brio_pose half = brio_articulation_pose(&a, 0.6);
      CHECK(brio_vec3_norm(brio_vec3_sub(half.p, m.track[m.count / 2].p)) < 0.55, "seed %d: half open",
            (int)seed);
      CHECK_NEAR(brio_articulation_value(&a, half.p, 0.5), 0.6, 1e-9, "a value comes back");
      if (oriented) {
        brio_quat back = brio_quat_mul(brio_quat_conj(m.track[0].q), brio_articulation_pose(&a, 0).q);
        CHECK(brio_quat_angle(back) < 0.12, "seed %d: %g rad", (int)seed, brio_quat_angle(back));
      }
    }
  printf("# articulation: hinges at most %.2f degrees and %.1f mm off\n", worst_angle, 1e3 * worst_off);
}

/* The line of a drawer. */
static void a_slider_is_where_it_is(void) {
  for (uint64_t seed = 0; seed < 10; seed++) {
    brio_error err = {0};
    made m = make(seed, BRIO_ARTICULATION_SLIDER, 0.4, 0.003, 0.15);
    brio_articulation a;
    CHECK(brio_articulation_estimate(&a, m.track, m.count, &(brio_articulation_how){0}, &err), "%s",
          err.message);
    CHECK(a.kind == BRIO_ARTICULATION_SLIDER, "seed %d: %s", (int)seed, brio_articulation_name(a.kind));
    CHECK(brio_vec3_dot(a.axis, m.axis) > cos(0.03), "seed %d", (int)seed);
    CHECK(off_line(a.point, m.point, m.axis) < 0.005, "seed %d", (int)seed);
    CHECK_NEAR(a.high - a.low, 0.4, 0.04, "seed %d", (int)seed);
    CHECK_NEAR(a.noise, 0.003, 0.0015, "seed %d: the noise is told", (int)seed);
    brio_pose out = brio_articulation_pose(&a, 0.25);
    CHECK_NEAR(brio_articulation_value(&a, out.p, 0), 0.25, 1e-9, "a value comes back");
  }
}

/* A knob turns in place: only orientations show it. */
static void a_knob_is_told_by_its_orientation(void) {
  for (uint64_t seed = 0; seed < 5; seed++) {
    brio_error err = {0};
    made m = make(seed, BRIO_ARTICULATION_HINGE, 1.2, 0, 0);
    brio_random random = brio_random_stream(seed, "knob");
    for (int i = 0; i < m.count; i++)
      m.track[i].p =
          brio_vec3_add_scaled(m.point, 0.002 * brio_random_normal(&random), any_direction(&random));
    brio_articulation a;
    CHECK(brio_articulation_estimate(&a, m.track, m.count, &(brio_articulation_how){0}, &err), "%s",
          err.message);
    CHECK(a.kind == BRIO_ARTICULATION_HINGE && a.radius < 0.02, "seed %d: %s, radius %g", (int)seed,
          brio_articulation_name(a.kind), a.radius);
    CHECK(brio_vec3_dot(a.axis, m.axis) > cos(0.06), "seed %d: the axis", (int)seed);
    CHECK_NEAR(a.high - a.low, 1.2, 0.15, "seed %d", (int)seed);
  }
}

/* One position, a line without noise, few and wrong numbers. */
static void odd_tracks_are_stood(void) {
  brio_error err = {0};
  brio_articulation a;
  brio_pose track[20];
  for (int i = 0; i < 20; i++) track[i] = BRIO_POSE_IDENTITY;
  CHECK(brio_articulation_estimate(&a, track, 20, &(brio_articulation_how){0}, &err), "%s", err.message);
  CHECK(a.kind == BRIO_ARTICULATION_FIXED, "%s", brio_articulation_name(a.kind));
  for (int i = 0; i < 20; i++) track[i].p.x = 0.01 * i;
  CHECK(brio_articulation_estimate(&a, track, 20, &(brio_articulation_how){0}, &err), "%s", err.message);
  CHECK(a.kind == BRIO_ARTICULATION_SLIDER, "%s", brio_articulation_name(a.kind));
  CHECK_NEAR(a.axis.x, 1, 1e-6, "along x");
  CHECK(brio_articulation_estimate(&a, track, 20,
                                   &(brio_articulation_how){.only = 1 + BRIO_ARTICULATION_HINGE}, &err),
        "%s", err.message);
  CHECK(a.kind == BRIO_ARTICULATION_HINGE, "it is told to be a hinge");
  CHECK(!brio_articulation_estimate(&a, track, 5, &(brio_articulation_how){0}, &err) &&
            err.code == BRIO_UNREACHABLE,
        "5");
  CHECK_HAS(err.message, "at least 6");
  CHECK(!brio_articulation_estimate(&a, track, 20, &(brio_articulation_how){.noise = NAN}, &err) &&
            err.code == BRIO_MISUSE,
        "NaN");
  track[3].p.y = INFINITY;
  CHECK(!brio_articulation_estimate(&a, track, 20, &(brio_articulation_how){0}, &err) &&
            err.code == BRIO_MISUSE,
        "infinite");
  CHECK_HAS(err.message, "place 4");
}

CHECK_SUITE(CHECK_TEST(kinds_are_told_apart), CHECK_TEST(a_hinge_is_where_it_is),
            CHECK_TEST(a_slider_is_where_it_is), CHECK_TEST(a_knob_is_told_by_its_orientation),
            CHECK_TEST(odd_tracks_are_stood))
