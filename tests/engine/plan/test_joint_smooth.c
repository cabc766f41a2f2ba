/* Path optimization from outside: known optima, paths that become clear, what stays, and what cannot be. */
#include "base/random.h"
#include "plan/joints/smooth/smooth.h"
#include "robot/robot.h"
#include "tests/allocations.h"
#include "tests/check.h"
#include "tests/engine/plan/ball.h"

enum { POINTS = 40, MOST = 7 };

typedef struct scene {
  brio_robot *robot;
  brio_joint_checker *checker;
  int n, variables[MOST];
  double path[POINTS * MOST];
} scene;

static const brio_obstacle post = {
    "post", {.kind = BRIO_SHAPE_BOX, .size = {0.06, 0.06, 1.2}}, {{0.5, 0, 0.6}, {0, 0, 0, 1}}};

static void start(scene *s, brio_robot *robot, int n, const brio_obstacle *list, int count) {
  double q[BRIO_BASE_NQ + 16];
  brio_error err = {0};
  s->robot = robot, s->n = n;
  brio_robot_neutral(robot, q);
  s->checker = brio_joint_checker_new(&(brio_joint_checker_request){.robot = robot,
                                                                    .q = q,
                                                                    .variables = s->variables,
                                                                    .nvariable = n,
                                                                    .obstacles = list,
                                                                    .nobstacle = count},
                                      &err);
  CHECK(s->checker != NULL, "%s", err.message);
}

static void start_ball(scene *s, int count) {
  brio_error err = {0};
  s->variables[0] = 0, s->variables[1] = 1;
  brio_robot *robot = brio_robot_parse(ball_text, sizeof ball_text - 1, "ball", NULL, &err);
  CHECK(robot != NULL, "%s", err.message);
  start(s, robot, 2, &block, count);
}

static void start_panda(scene *s) {
  static const double from[7] = {0.9, 0.6, 0, -1.9, 0, 2.5, 0.8}, to[7] = {-0.9, 0.6, 0, -1.9, 0, 2.5, 0.8};
  brio_error err = {0};
  brio_robot *robot = brio_robot_load("drivers/robots/panda/model.urdf", NULL, &err);
  CHECK(robot != NULL, "%s", err.message);
  for (int i = 0; i < 7; i++) {
    char name[20];
    snprintf(name, sizeof name, "panda_joint%d", i + 1);
    s->variables[i] = brio_robot_variable(robot, name, &err);
  }
  start(s, robot, 7, &post, 1);
  /* Straight through the post, with a bend that says on which side it is to be passed. */
  for (int p = 0; p < POINTS; p++)
    for (int i = 0; i < 7; i++) {
      double t = p / (double)(POINTS - 1);
      s->path[7 * p + i] = from[i] + t * (to[i] - from[i]) - (i == 3 ? 0.15 * sin(BRIO_PI * t) : 0);
    }
}

static void end(scene *s) {
  brio_joint_checker_free(s->checker);
  brio_robot_free(s->robot);
}

/* Optimize to the end, in slices. */
static brio_joint_smooth *optimized(scene *s, const brio_smooth_settings *settings, int slice,
                                    brio_search_status wanted, brio_error *err) {
  brio_joint_smooth *smooth = brio_joint_smooth_new(s->checker, POINTS, settings, err);
  CHECK(smooth && brio_joint_smooth_begin(smooth, s->path, POINTS, err), "%s", err->message);
  size_t before = allocations;
  brio_search_status status;
  while ((status = brio_joint_smooth_work(smooth, slice, err)) == BRIO_SEARCH_GOES_ON) {}
  CHECK(allocations == before, "%zu allocations", allocations - before);
  CHECK(status == wanted, "%d: %s", (int)status, err->message);
  return smooth;
}

/* Check that ends stay, and that all motions are clear. */
static void path_is_clear(scene *s, const brio_joint_smooth *smooth) {
  int count;
  const double *path = brio_joint_smooth_path(smooth, &count);
  CHECK(count == POINTS, "%d", count);
  for (int k = 0; k < s->n; k++) {
    CHECK(path[k] == s->path[k], "the start stays");
    CHECK(path[(POINTS - 1) * s->n + k] == s->path[(POINTS - 1) * s->n + k], "the end stays");
  }
  for (int i = 0; i + 1 < count; i++) {
    double delta[MOST];
    for (int k = 0; k < s->n; k++) delta[k] = path[(i + 1) * s->n + k] - path[i * s->n + k];
    CHECK(brio_joint_motion_clear(s->checker, path + i * s->n, delta), "motion %d", i);
  }
}

/* --- what is known --- */

/* Without anything around, the cost is quadratic: the result is the only one that no change makes better, as
** the sums that the header says tell, computed here. */
static double cost_of(const brio_smooth_settings *w, const double *x, const double *given, int n) {
  double sum = 0, h = 1.0 / (POINTS - 1);
  for (int i = 0; i < POINTS; i++)
    for (int k = 0; k < n; k++) {
      double d = x[i * n + k] - given[i * n + k];
      sum += w->closeness * d * d * h;
      if (i + 1 < POINTS) d = (x[(i + 1) * n + k] - x[i * n + k]) / h, sum += w->length * d * d * h;
      if (i + 2 < POINTS) {
        d = (x[(i + 2) * n + k] - 2 * x[(i + 1) * n + k] + x[i * n + k]) / (h * h);
        sum += w->smoothness * d * d * h;
      }
    }
  return sum;
}

static void no_change_makes_a_path_better(void) {
  static const brio_smooth_settings all[3] = {
      {1, 0, 0, 0.005, 50, 0}, {0, 0.01, 1, 0.005, 50, 0}, {0.1, 0.001, 5, 0.005, 50, 0}};
  scene s;
  brio_error err = {0};
  brio_random random = brio_random_stream(3, "smooth");
  start_ball(&s, 0);
  for (int p = 0; p < POINTS; p++) {
    s.path[2 * p] = -0.6 + 1.2 * p / (POINTS - 1);
    s.path[2 * p + 1] = brio_random_uniform(&random, -0.2, 0.2);
  }
  for (int c = 0; c < 3; c++) {
    brio_joint_smooth *smooth = optimized(&s, &all[c], 100, BRIO_SEARCH_FOUND, &err);
    int count;
    const double *path = brio_joint_smooth_path(smooth, &count);
    double least = cost_of(&all[c], path, s.path, 2);
    for (int trial = 0; trial < 200; trial++) {
      double other[POINTS * MOST];
      memcpy(other, path, sizeof(double) * POINTS * 2);
      double size = pow(10, brio_random_uniform(&random, -4, -1));
      for (int i = 2; i < 2 * (POINTS - 1); i++) other[i] += size * brio_random_normal(&random);
      double cost = cost_of(&all[c], other, s.path, 2);
      CHECK(cost >= least * (1 - 1e-9), "weights %d: %.12g below %.12g", c, cost, least);
    }
    brio_joint_smooth_free(smooth);
  }
  /* Length alone: even steps on the straight line. */
  brio_joint_smooth *smooth = optimized(&s, &all[0], 100, BRIO_SEARCH_FOUND, &err);
  int count;
  const double *path = brio_joint_smooth_path(smooth, &count);
  for (int p = 0; p < POINTS; p++)
    for (int k = 0; k < 2; k++)
      CHECK_NEAR(path[2 * p + k], s.path[k] + (s.path[2 * (POINTS - 1) + k] - s.path[k]) * p / (POINTS - 1),
                 1e-6, "point %d", p);
  brio_joint_smooth_free(smooth);
  end(&s);
}

/* A path through a block comes around it, and nearly as short as it can be with its margin. */
static void a_path_through_a_block_comes_around_it(void) {
  scene s;
  brio_error err = {0};
  brio_smooth_settings settings = brio_smooth_settings_default();
  settings.smoothness = 0;
  start_ball(&s, 1);
  for (int p = 0; p < POINTS; p++) {
    s.path[2 * p] = -0.6 + 1.2 * p / (POINTS - 1);
    s.path[2 * p + 1] = 0.1 * sin(BRIO_PI * p / (POINTS - 1));
  }
  brio_joint_smooth *smooth = optimized(&s, &settings, 50, BRIO_SEARCH_FOUND, &err);
  path_is_clear(&s, smooth);
  /* The tangents, arcs and the side, as test_joint_optimal.c has them, at the ball's radius and the margin.
   */
  double r = 0.055, d = hypot(0.4, 0.2), a = atan2(0.2, 0.4) + asin(r / d);
  double least = 2 * (sqrt(d * d - r * r) + r * a) + 0.4;
  brio_smooth_report report = brio_joint_smooth_report(smooth);
  CHECK(report.length >= 0.99 * least && report.length <= 1.03 * least, "%g, of %g", report.length, least);
  brio_joint_smooth_free(smooth);
  end(&s);
}

static void an_arm_comes_out_of_a_post_and_gets_smoother(void) {
  scene s;
  brio_error err = {0};
  brio_smooth_settings settings = brio_smooth_settings_default();
  start_panda(&s);
  int touching = 0;
  for (int p = 0; p < POINTS; p++) touching += !brio_joint_checker_clear(s.checker, s.path + 7 * p);
  CHECK(touching >= 3, "%d points touch the post", touching);
  brio_joint_smooth *both[2] = {optimized(&s, &settings, 100000, BRIO_SEARCH_FOUND, &err),
                                optimized(&s, &settings, 23, BRIO_SEARCH_FOUND, &err)};
  path_is_clear(&s, both[0]);
  int count;
  const double *a = brio_joint_smooth_path(both[0], &count), *b = brio_joint_smooth_path(both[1], &count);
  CHECK(memcmp(a, b, sizeof(double) * POINTS * 7) == 0, "slices of any size give the same");
  brio_smooth_report report = brio_joint_smooth_report(both[0]);
  printf("#   out of a post: %d rounds, %lld looks, length %.3f to %.3f\n", report.rounds,
         (long long)report.looks, report.before, report.length);
  for (int k = 0; k < 2; k++) brio_joint_smooth_free(both[k]);
  end(&s);
}

static void what_cannot_be_optimized_is_named(void) {
  scene s;
  brio_error err = {0};
  brio_smooth_settings settings = brio_smooth_settings_default();
  start_ball(&s, 1);
  /* Straight through the middle: no slope leads to a side. */
  for (int p = 0; p < POINTS; p++) s.path[2 * p] = -0.6 + 1.2 * p / (POINTS - 1), s.path[2 * p + 1] = 0;
  settings.rounds = 3, settings.checks = 0;
  brio_joint_smooth *smooth = optimized(&s, &settings, 100, BRIO_SEARCH_FAILED, &err);
  CHECK_HAS(err.message, "the motion from point ");
  CHECK_HAS(err.message, " of 40 collides: link 'ball' is ");
  s.path[0] = 0;
  CHECK(!brio_joint_smooth_begin(smooth, s.path, POINTS, &err) && err.code == BRIO_UNREACHABLE,
        "a start inside");
  CHECK_HAS(err.message, "the start collides: link 'ball' is 250.0 mm inside obstacle 1 'block'");
  s.path[3] = NAN;
  CHECK(!brio_joint_smooth_begin(smooth, s.path, POINTS, &err) && err.code == BRIO_MISUSE, "NaN");
  CHECK_HAS(err.message, "point 2 of 40 is not finite");
  brio_joint_smooth_free(smooth);
  settings.margin = 0;
  CHECK(!brio_joint_smooth_new(s.checker, POINTS, &settings, &err), "no margin");
  CHECK_HAS(err.message, "the margin, m, of an optimization: 1e-05 to 1, not 0");
  settings = (brio_smooth_settings){.margin = 0.01, .rounds = 1};
  CHECK(!brio_joint_smooth_new(s.checker, POINTS, &settings, &err), "no weight");
  CHECK_HAS(err.message, "an optimization needs a weight above 0");
  end(&s);
}

CHECK_SUITE(CHECK_TEST(no_change_makes_a_path_better), CHECK_TEST(a_path_through_a_block_comes_around_it),
            CHECK_TEST(an_arm_comes_out_of_a_post_and_gets_smoother),
            CHECK_TEST(what_cannot_be_optimized_is_named))
