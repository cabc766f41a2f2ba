/* What joints keep: paths and regions of a Panda, judged by the robot's own kinematics at steps of 2 mm or
** so, which know nothing of rows, projections or proofs. */
#include "plan/joints/keep/region.h"
#include "plan/joints/search.h"
#include "plan/joints/smooth/smooth.h"
#include "robot/kinematics.h"
#include "tests/allocations.h"
#include "tests/check.h"

enum { N = 7, STEPS = 40 };

static const double low[N] = {0.9, 0.6, 0, -1.9, 0, 2.5, 0.8};

typedef struct scene {
  brio_robot *robot;
  brio_state state;
  double q[BRIO_BASE_NQ + 16];
  int variables[N], hand;
  brio_joint_checker_request checks;
  brio_joint_checker *checker;
} scene;

static void scene_robot(scene *s) {
  brio_error err = {0};
  memset(s, 0, sizeof *s);
  s->robot = brio_robot_load("drivers/robots/panda/model.urdf", NULL, &err);
  CHECK(s->robot != NULL, "%s", err.message);
  brio_robot_neutral(s->robot, s->q);
  CHECK(brio_state_start(&s->state, s->robot, &err), "%s", err.message);
  for (int i = 0; i < N; i++) {
    char name[20];
    snprintf(name, sizeof name, "panda_joint%d", i + 1);
    s->variables[i] = brio_robot_variable(s->robot, name, &err);
  }
  s->hand = brio_robot_link(s->robot, "panda_hand", &err);
  CHECK(s->hand >= 0, "%s", err.message);
}

/* Where the hand is, by the robot's own kinematics. */
static brio_pose hand_at(scene *s, const double *x) {
  for (int i = 0; i < N; i++) s->q[BRIO_BASE_NQ + s->variables[i]] = x[i];
  brio_state_update(&s->state, s->q);
  return brio_pose_of(&s->state.links[s->hand]);
}

static void scene_checker(scene *s, const brio_obstacle *list, int count, const brio_joint_keep *keeps,
                          int nkeep) {
  brio_error err = {0};
  s->checks = (brio_joint_checker_request){.robot = s->robot,
                                           .q = s->q,
                                           .variables = s->variables,
                                           .nvariable = N,
                                           .obstacles = list,
                                           .nobstacle = count,
                                           .keeps = keeps,
                                           .nkeep = nkeep};
  s->checker = brio_joint_checker_new(&s->checks, &err);
  CHECK(s->checker != NULL, "%s", err.message);
}

static void scene_end(scene *s) {
  brio_joint_checker_free(s->checker);
  brio_state_end(&s->state);
  brio_robot_free(s->robot);
}

/* The angle between an axis of the hand and a direction of the world. */
static double angle_of(brio_pose hand, brio_vec3 axis, brio_vec3 along) {
  brio_vec3 a = brio_quat_rotate(hand.q, axis);
  return atan2(brio_vec3_norm(brio_vec3_cross(a, along)), brio_vec3_dot(a, along));
}

static const brio_obstacle post = {
    "post", {.kind = BRIO_SHAPE_BOX, .size = {0.06, 0.06, 1.2}}, {{0.5, 0, 0.6}, {0, 0, 0, 1}}};

/* Search to the end, in slices. */
static brio_joint_search *searched(scene *s, const double *start, const double *goal, int slice,
                                   uint64_t seed, brio_error *err) {
  brio_joint_search_request request = {.checker = s->checker,
                                       .start = start,
                                       .goals = goal,
                                       .ngoal = 1,
                                       .seed = seed,
                                       .settings = brio_joint_search_settings_default()};
  brio_joint_search *search = brio_joint_search_new(&request, err);
  while (search && !brio_joint_search_over(search)) brio_joint_search_work(search, slice, err);
  return search;
}

/* Return the greatest of a measure along all straight steps of a path. */
static double most_along(scene *s, brio_joint_search *search, double (*measure)(scene *, const double *)) {
  int count;
  double most = 0, x[N];
  const double *path = brio_joint_search_path(search, &count);
  CHECK(path && count >= 2, "there is a path");
  for (int i = 0; path && i + 1 < count; i++)
    for (int k = 0; k <= STEPS; k++) {
      for (int j = 0; j < N; j++)
        x[j] = path[N * i + j] + k / (double)STEPS * (path[N * (i + 1) + j] - path[N * i + j]);
      most = fmax(most, measure(s, x));
    }
  return most;
}

/* --- a cup --- */

static brio_vec3 up_in_hand;

static double tilt(scene *s, const double *x) {
  return angle_of(hand_at(s, x), up_in_hand, (brio_vec3){0, 0, 1});
}

/* The hand keeps what points up at the start up, on the way around a post; without that it tilts. */
static void a_cup_stays_upright_on_the_way_around_a_post(void) {
  scene s;
  brio_error err = {0};
  scene_robot(&s);
  up_in_hand = brio_quat_rotate(brio_quat_conj(hand_at(&s, low).q), (brio_vec3){0, 0, 1});
  double high[N];
  memcpy(high, low, sizeof high);
  high[0] = -0.9; /* a turn about the vertical keeps it upright, and leads through the post */
  brio_joint_keep keep = brio_joint_keep_of(s.hand);
  keep.axis = up_in_hand, keep.angle = 0.1;
  scene_checker(&s, &post, 1, &keep, 1);
  brio_joint_search *search = searched(&s, low, high, 100, 1, &err);
  CHECK(search && brio_joint_search_effort_of(search).goal == 0, "%s", err.message);
  double most = most_along(&s, search, tilt);
  CHECK(most <= 0.1 + 1e-9, "tilted by %g rad", most);
  /* Its steps are clear, as the checker without the keep sees them. */
  scene plain = s;
  scene_checker(&plain, &post, 1, NULL, 0);
  int count;
  const double *path = brio_joint_search_path(search, &count);
  for (int i = 0; i + 1 < count; i++) {
    double delta[N];
    for (int j = 0; j < N; j++) delta[j] = path[N * (i + 1) + j] - path[N * i + j];
    CHECK(brio_joint_motion_clear(plain.checker, path + N * i, delta), "step %d", i);
  }
  CHECK_NEAR(path[N * (count - 1)], high[0], 1e-9, "it ends at the goal");
  /* The same without: that the keep is what does it. */
  brio_joint_search *free_search = searched(&plain, low, high, 100, 1, &err);
  CHECK(most_along(&plain, free_search, tilt) > 0.15, "it would tilt otherwise");
  brio_joint_search_free(free_search);
  brio_joint_checker_free(plain.checker);
  brio_joint_search_free(search);
  scene_end(&s);
}

static void kept_paths_repeat_in_slices_of_any_size(void) {
  scene s;
  brio_error err = {0};
  scene_robot(&s);
  brio_joint_keep keep = brio_joint_keep_of(s.hand);
  keep.axis = brio_quat_rotate(brio_quat_conj(hand_at(&s, low).q), (brio_vec3){0, 0, 1}), keep.angle = 0.15;
  double high[N];
  memcpy(high, low, sizeof high);
  high[0] = -0.9;
  scene_checker(&s, &post, 1, &keep, 1);
  brio_joint_search *both[2] = {searched(&s, low, high, 17, 3, &err),
                                searched(&s, low, high, 100000, 3, &err)};
  int counts[2];
  const double *a = brio_joint_search_path(both[0], &counts[0]),
               *b = brio_joint_search_path(both[1], &counts[1]);
  CHECK(a && counts[0] == counts[1] && memcmp(a, b, (size_t)counts[0] * N * sizeof *a) == 0,
        "%d and %d corners", counts[0], counts[1]);
  for (int k = 0; k < 2; k++) brio_joint_search_free(both[k]);
  scene_end(&s);
}

/* A path that keeps it, but leads through the post, is repaired, and optimized, to one that keeps it all
** along. */
static void a_path_with_a_cup_is_repaired(void) {
  enum { POINTS = 60 };
  scene s;
  brio_error err = {0};
  double path[POINTS * N];
  scene_robot(&s);
  up_in_hand = brio_quat_rotate(brio_quat_conj(hand_at(&s, low).q), (brio_vec3){0, 0, 1});
  brio_joint_keep keep = brio_joint_keep_of(s.hand);
  keep.axis = up_in_hand, keep.angle = 0.1;
  scene_checker(&s, &post, 1, &keep, 1);
  for (int i = 0; i < POINTS; i++) {
    memcpy(path + N * i, low, sizeof low);
    path[N * i] = 0.9 - 1.8 * i / (POINTS - 1);
  }
  brio_smooth_settings settings = brio_smooth_settings_default();
  brio_joint_smooth *smooth = brio_joint_smooth_new(s.checker, POINTS, &settings, &err);
  CHECK(smooth && brio_joint_smooth_begin(smooth, path, POINTS, &err), "%s", err.message);
  while (brio_joint_smooth_work(smooth, 1000, &err) == BRIO_SEARCH_GOES_ON) {}
  CHECK(brio_joint_smooth_report(smooth).blocked == 0, "%s", err.message);
  int count;
  const double *made = brio_joint_smooth_path(smooth, &count);
  double most = 0;
  for (int i = 0; i + 1 < count; i++) {
    double delta[N], x[N];
    for (int j = 0; j < N; j++) delta[j] = made[N * (i + 1) + j] - made[N * i + j];
    CHECK(brio_joint_motion_clear(s.checker, made + N * i, delta), "motion %d", i);
    for (int k = 0; k <= 10; k++) {
      for (int j = 0; j < N; j++) x[j] = made[N * i + j] + k / 10.0 * delta[j];
      most = fmax(most, tilt(&s, x));
    }
  }
  CHECK(most <= 0.1 + 1e-9, "tilted by %g rad", most);
  brio_joint_smooth_free(smooth);
  scene_end(&s);
}

/* --- a line --- */

static brio_pose line_start;

static double off_line(scene *s, const double *x) {
  brio_vec3 p = brio_vec3_sub(hand_at(s, x).p, line_start.p);
  return fmax(fabs(p.x), fabs(p.z));
}

static double turned(scene *s, const double *x) {
  return brio_quat_angle(brio_quat_mul(brio_quat_conj(line_start.q), hand_at(s, x).q));
}

/* The hand goes along y, turned as it was, to a place in a region of the same line: a goal that no list of
** values says. */
static void a_hand_goes_along_a_line_to_a_region(void) {
  static const double at[N] = {0.3, 0.3, 0, -2.0, 0, 2.3, 0.8};
  scene s;
  brio_error err = {0};
  scene_robot(&s);
  line_start = hand_at(&s, at);
  brio_joint_keep keep = brio_joint_keep_of(s.hand), goal = keep;
  keep.reference = line_start;
  keep.reference.q = BRIO_QUAT_IDENTITY;
  keep.lower[0] = keep.lower[2] = -0.01, keep.upper[0] = keep.upper[2] = 0.01;
  brio_joint_keep as_it_was = brio_joint_keep_of(s.hand);
  as_it_was.reference = line_start;
  for (int i = 0; i < 3; i++) as_it_was.turn_lower[i] = -0.1, as_it_was.turn_upper[i] = 0.1;
  goal.reference = keep.reference;
  goal.lower[1] = -0.32, goal.upper[1] = -0.28;
  scene_checker(&s, NULL, 0, (brio_joint_keep[]){keep, as_it_was}, 2);
  brio_joint_search_request request = {.checker = s.checker,
                                       .start = at,
                                       .region = &goal,
                                       .nregion = 1,
                                       .seed = 1,
                                       .settings = brio_joint_search_settings_default()};
  brio_joint_search *search = brio_joint_search_new(&request, &err);
  CHECK(search != NULL, "%s", err.message);
  size_t before = allocations;
  while (!brio_joint_search_over(search)) brio_joint_search_work(search, 100, &err);
  CHECK(allocations == before, "%zu allocations", allocations - before);
  CHECK(brio_joint_search_effort_of(search).goal >= 0, "%s", err.message);
  double most = most_along(&s, search, off_line), turn = most_along(&s, search, turned);
  CHECK(most <= 0.01 + 1e-9, "%g m off the line", most);
  CHECK(turn <= 0.1 * sqrt(3) + 1e-9, "turned by %g rad", turn);
  int count;
  const double *path = brio_joint_search_path(search, &count);
  double y = hand_at(&s, path + N * (count - 1)).p.y - line_start.p.y;
  CHECK(y >= -0.32 && y <= -0.28, "it ends at %g m", y);
  brio_joint_search_free(search);
  scene_end(&s);
}

/* --- proofs --- */

/* Random motions: none is taken for kept that leaves its bounds at a dense sample; and many are taken. */
static void no_motion_is_taken_for_kept_that_is_not(void) {
  scene s;
  brio_random random = brio_random_stream(5, "keep");
  int kept = 0, all = (int)(300 * check_scale());
  scene_robot(&s);
  for (int m = 0; m < all; m++) {
    double x[N], delta[N], size = brio_random_uniform(&random, 0.02, 0.6);
    for (int i = 0; i < N; i++) {
      const brio_variable *v = &s.robot->variables[s.variables[i]];
      x[i] = brio_random_uniform(&random, v->lower, v->upper);
      delta[i] = size * brio_random_normal(&random);
    }
    /* Bounds about the pose at the beginning, of all kinds. */
    brio_pose at = hand_at(&s, x);
    brio_joint_keep keep = brio_joint_keep_of(s.hand);
    keep.frame.p = (brio_vec3){0.05, 0, 0.1};
    keep.reference = at;
    keep.reference.p = brio_pose_point(at, keep.frame.p);
    if (m % 3 == 0)
      for (int i = 0; i < 3; i++) keep.lower[i] = -0.15, keep.upper[i] = 0.2;
    if (m % 3 == 1) keep.angle = brio_random_uniform(&random, 0.1, 3);
    if (m % 3 == 2)
      for (int i = 0; i < 3; i++) keep.turn_lower[i] = -0.6, keep.turn_upper[i] = 1.2;
    scene one = s;
    scene_checker(&one, NULL, 0, &keep, 1);
    if (brio_joint_checker_motion_keeps(one.checker, x, delta)) {
      kept++;
      for (int k = 0; k <= 100; k++) {
        double y[N];
        for (int i = 0; i < N; i++) y[i] = x[i] + k / 100.0 * delta[i];
        brio_pose now = hand_at(&s, y);
        brio_vec3 p = brio_pose_point(brio_pose_inverse(keep.reference), brio_pose_point(now, keep.frame.p));
        brio_vec3 r = brio_quat_log(brio_quat_mul(brio_quat_conj(at.q), now.q));
        double place[3] = {p.x, p.y, p.z}, turn[3] = {r.x, r.y, r.z};
        for (int i = 0; i < 3; i++) {
          CHECK(place[i] >= keep.lower[i] - 1e-9 && place[i] <= keep.upper[i] + 1e-9, "motion %d: %g m", m,
                place[i]);
          CHECK(turn[i] >= keep.turn_lower[i] - 1e-9 && turn[i] <= keep.turn_upper[i] + 1e-9,
                "motion %d: %g rad", m, turn[i]);
        }
        double angle = angle_of(now, keep.axis, brio_quat_rotate(at.q, keep.along));
        CHECK(angle <= keep.angle + 1e-9, "motion %d: %g rad of %g", m, angle, keep.angle);
      }
    }
    brio_joint_checker_free(one.checker);
  }
  CHECK(kept > all / 4, "%d of %d are proven", kept, all);
  s.checker = NULL;
  scene_end(&s);
}

/* --- regions --- */

/* Draws of a pose with tolerances are there, and many are found. */
static void draws_are_in_their_region(void) {
  scene s;
  brio_error err = {0};
  scene_robot(&s);
  scene_checker(&s, &post, 1, NULL, 0);
  brio_joint_keep goal = brio_joint_keep_of(s.hand);
  goal.reference = hand_at(&s, low);
  for (int i = 0; i < 3; i++) {
    goal.lower[i] = -0.005, goal.upper[i] = 0.005;
    goal.turn_lower[i] = -0.02, goal.turn_upper[i] = 0.02;
  }
  brio_joint_region region;
  CHECK(brio_joint_region_start(&region, s.checker, &goal, 1, 7, &err), "%s", err.message);
  int found = 0;
  for (int i = 0; i < 100; i++) {
    double x[N];
    if (!brio_joint_region_draw(&region, x)) continue;
    found++;
    brio_pose off = brio_pose_mul(brio_pose_inverse(goal.reference), hand_at(&s, x));
    brio_vec3 r = brio_quat_log(off.q);
    CHECK(fmax(fabs(off.p.x), fmax(fabs(off.p.y), fabs(off.p.z))) <= 0.005, "%g %g %g m", off.p.x, off.p.y,
          off.p.z);
    CHECK(fmax(fabs(r.x), fmax(fabs(r.y), fabs(r.z))) <= 0.02, "%g %g %g rad", r.x, r.y, r.z);
    CHECK(brio_joint_checker_clear(s.checker, x), "it is clear");
    for (int k = 0; k < N; k++) {
      const brio_variable *v = &s.robot->variables[s.variables[k]];
      CHECK(x[k] >= v->lower && x[k] <= v->upper, "within the limits");
    }
  }
  CHECK(found >= 25, "%d of 100, %d missed, %d blocked", found, region.missed, region.blocked);
  brio_joint_region_end(&region);
  scene_end(&s);
}

/* --- what cannot be --- */

static void what_is_not_kept_is_named(void) {
  scene s;
  brio_error err = {0};
  scene_robot(&s);
  brio_joint_keep keep = brio_joint_keep_of(s.hand);
  keep.name = "cup", keep.axis = brio_quat_rotate(brio_quat_conj(hand_at(&s, low).q), (brio_vec3){0, 0, 1});
  keep.angle = 0.1;
  double tilted[N];
  memcpy(tilted, low, sizeof tilted);
  tilted[5] += 0.3;
  scene_checker(&s, NULL, 0, &keep, 1);
  CHECK(!searched(&s, tilted, low, 100, 1, &err), "a start that is tilted");
  CHECK_HAS(err.message, "the start: 'cup' is tilted by 0.300 rad, and 0.100 are kept");
  CHECK(!searched(&s, low, tilted, 100, 1, &err), "a goal that is tilted");
  CHECK_HAS(err.message, "the goal: 'cup' is tilted by 0.300 rad");
  brio_joint_checker_free(s.checker);
  /* A region out of reach. */
  scene_checker(&s, NULL, 0, NULL, 0);
  brio_joint_keep far = brio_joint_keep_of(s.hand);
  far.lower[0] = 2, far.upper[0] = 2.1;
  brio_joint_search_request request = {.checker = s.checker,
                                       .start = low,
                                       .region = &far,
                                       .nregion = 1,
                                       .settings = brio_joint_search_settings_default()};
  brio_joint_search *search = brio_joint_search_new(&request, &err);
  while (!brio_joint_search_over(search)) brio_joint_search_work(search, 100, &err);
  CHECK_HAS(err.message,
            "no path was found: no configuration of its region was found: of 480 tries 480 did not");
  brio_joint_search_free(search);
  brio_joint_checker_free(s.checker);
  /* Bounds without room, and a link that nothing moves. */
  far.upper[0] = 2.00001;
  s.checks.keeps = &far, s.checks.nkeep = 1;
  CHECK(!brio_joint_checker_new(&s.checks, &err) && err.code == BRIO_MISUSE, "no room");
  CHECK_HAS(err.message,
            "what 'panda_hand' keeps: a coordinate from 2 to 2.00001 has no room: 0.0001 at least");
  keep.link = brio_robot_link(s.robot, "panda_link0", &err), s.checks.keeps = &keep;
  CHECK(!brio_joint_checker_new(&s.checks, &err) && err.code == BRIO_MISUSE, "the root");
  CHECK_HAS(err.message, "what 'cup' keeps: no planned joint moves it");
  far = brio_joint_keep_of(s.hand), far.turn_lower[2] = -1, far.turn_upper[2] = 1, s.checks.keeps = &far;
  CHECK(!brio_joint_checker_new(&s.checks, &err) && err.code == BRIO_MISUSE, "one turn");
  CHECK_HAS(err.message, "bounds of its turn are three ranges");
  s.checker = NULL;
  scene_end(&s);
}

CHECK_SUITE(CHECK_TEST(a_cup_stays_upright_on_the_way_around_a_post),
            CHECK_TEST(kept_paths_repeat_in_slices_of_any_size), CHECK_TEST(a_path_with_a_cup_is_repaired),
            CHECK_TEST(a_hand_goes_along_a_line_to_a_region),
            CHECK_TEST(no_motion_is_taken_for_kept_that_is_not), CHECK_TEST(draws_are_in_their_region),
            CHECK_TEST(what_is_not_kept_is_named))
