/* Repairs of paths from outside: paths through random boxes become clear by an independent check, and stay
** what they were where they could; what cannot be is named. */
#include "plan/joints/repair/repair.h"
#include "tests/allocations.h"
#include "tests/engine/plan/joints.h"

enum { POINTS = 60, BOXES = 4, N = ARM_VARIABLES };

static const int variables[N] = {0, 1, 2, 3, 4};

/* An arm among boxes, and a path. */
typedef struct scene {
  brio_robot *robot;
  double q[7 + N];
  brio_obstacle boxes[BOXES];
  brio_joint_checker_request request;
  brio_joint_checker *checker;
  plain *truth;
  double path[POINTS * N];
} scene;

static double between(brio_random *random, double lower, double upper) {
  return brio_random_uniform(random, lower, upper);
}

static void scene_start(scene *s, int nbox) {
  brio_error err;
  s->robot = arm_load();
  brio_robot_neutral(s->robot, s->q);
  s->request = (brio_joint_checker_request){.robot = s->robot,
                                            .q = s->q,
                                            .variables = variables,
                                            .nvariable = N,
                                            .obstacles = s->boxes,
                                            .nobstacle = nbox};
  s->checker = brio_joint_checker_new(&s->request, &err);
  CHECK(s->checker != NULL, "%s", err.message);
  s->truth = plain_new(&s->request);
}

static void scene_end(scene *s) {
  plain_free(s->truth);
  brio_joint_checker_free(s->checker);
  brio_robot_free(s->robot);
}

static void random_boxes(scene *s, brio_random *random) {
  for (int i = 0; i < BOXES; i++) {
    double turn = between(random, 0, 3), far = between(random, 0.35, 0.8);
    s->boxes[i] = (brio_obstacle){
        .name = "box",
        .shape = {.kind = BRIO_SHAPE_BOX,
                  .size = {between(random, 0.05, 0.2), between(random, 0.05, 0.2),
                           between(random, 0.05, 0.2)}},
        .pose = {{far * cos(turn), far * sin(turn), between(random, -0.3, 0.5)}, {0, 0, 0, 1}}};
  }
}

static void random_values(const brio_robot *robot, brio_random *random, double *x) {
  for (int i = 0; i < N; i++) {
    const brio_variable *variable = &robot->variables[i];
    x[i] = variable->circular ? between(random, -2, 2)
                              : between(random, 0.8 * variable->lower, 0.8 * variable->upper);
  }
}

/* A smooth path between random configurations that are clear: a Bezier curve with two more of them.  Return
** the number of its points that are not clear. */
static int random_path(scene *s, brio_random *random) {
  double corner[4][N];
  for (int c = 0; c < 4; c++) do
      random_values(s->robot, random, corner[c]);
    while ((c == 0 || c == 3) && !brio_joint_checker_clear(s->checker, corner[c]));
  int bad = 0;
  for (int i = 0; i < POINTS; i++) {
    double t = (double)i / (POINTS - 1), u = 1 - t, *x = s->path + (size_t)i * N;
    for (int k = 0; k < N; k++)
      x[k] = u * u * u * corner[0][k] + 3 * u * u * t * corner[1][k] + 3 * u * t * t * corner[2][k] +
             t * t * t * corner[3][k];
    bad += !brio_joint_checker_clear(s->checker, x);
  }
  return bad;
}

/* Fail unless a path is within the limits, and clear by the plain pass, between its points too. */
static void check_clear(scene *s, const double *path, int round) {
  for (int i = 0; i < POINTS; i++) {
    const double *x = path + (size_t)i * N;
    double delta[N];
    for (int k = 0; k < N; k++) {
      const brio_variable *v = &s->robot->variables[k];
      CHECK(v->circular || (x[k] >= v->lower && x[k] <= v->upper), "round %d: point %d: %g", round, i, x[k]);
      if (i + 1 < POINTS) delta[k] = x[N + k] - x[k];
    }
    double d = i + 1 < POINTS ? plain_motion(s->truth, x, delta, 0.004) : plain_distance(s->truth, x);
    CHECK(d > 0, "round %d: behind point %d: %.5f m", round, i, d);
  }
}

/* --- slopes --- */

/* The slopes of what is near are differences of exact distances. */
static void slopes_of_distances_are_their_differences(void) {
  static scene s;
  brio_random random = brio_random_stream(1, "slopes");
  enum { MOST = 40 };
  brio_joint_contact contacts[MOST], other[MOST];
  double slopes[MOST * N], x[N], h = 1e-6;
  int seen = 0;
  random_boxes(&s, &random);
  scene_start(&s, BOXES);
  for (int round = 0; round < 300; round++) {
    random_values(s.robot, &random, x);
    int n = brio_joint_checker_near(s.checker, x, 0.1, MOST, contacts, slopes);
    for (int k = 0; k < N; k++) {
      double at[2][MOST];
      for (int side = 0; side < 2; side++) {
        double keep = x[k];
        x[k] += side ? h : -h;
        int count = brio_joint_checker_near(s.checker, x, 0.11, MOST, other, NULL);
        x[k] = keep;
        for (int i = 0; i < n; i++) at[side][i] = NAN;
        for (int i = 0; i < n; i++)
          for (int j = 0; j < count; j++)
            if (other[j].link == contacts[i].link && other[j].other == contacts[i].other &&
                other[j].obstacle == contacts[i].obstacle)
              at[side][i] = other[j].distance;
      }
      for (int i = 0; i < n; i++) {
        /* Where the nearest points jump, there is no slope: both sides differ. */
        double up = (at[1][i] - contacts[i].distance) / h, down = (contacts[i].distance - at[0][i]) / h;
        if (!(fabs(up - down) < 1e-3)) continue;
        CHECK_NEAR(slopes[i * N + k], (up + down) / 2, 2e-3, "round %d: pair %d, joint %d", round, i, k);
        seen++;
      }
    }
  }
  CHECK(seen > 1000, "%d slopes", seen);
  scene_end(&s);
}

/* Of more than asked for the nearest are given, and nothing beyond the limit. */
static void the_nearest_pairs_are_given(void) {
  static scene s;
  brio_random random = brio_random_stream(2, "nearest");
  brio_joint_contact few[2], all[40];
  double x[N];
  random_boxes(&s, &random);
  scene_start(&s, BOXES);
  for (int round = 0; round < 200; round++) {
    random_values(s.robot, &random, x);
    int n = brio_joint_checker_near(s.checker, x, 0.2, 40, all, NULL);
    int m = brio_joint_checker_near(s.checker, x, 0.2, 2, few, NULL), nearer = 0;
    CHECK(m == (n < 2 ? n : 2), "%d of %d", m, n);
    for (int i = 0; i < n; i++) {
      CHECK(all[i].distance < 0.2, "%g", all[i].distance);
      nearer += m == 2 && all[i].distance < fmin(few[0].distance, few[1].distance);
    }
    CHECK(nearer == 0, "%d are nearer than both", nearer);
    brio_joint_contact least = brio_joint_checker_nearest(s.checker, x);
    if (m)
      CHECK_NEAR(fmin(few[0].distance, m > 1 ? few[1].distance : INFINITY), least.distance, 1e-9, "nearest");
    else
      CHECK(least.distance >= 0.2, "%g", least.distance);
  }
  scene_end(&s);
}

/* --- repairs --- */

static brio_joint_repair *repair_of(scene *s, brio_repair_settings settings) {
  brio_error err;
  brio_joint_repair *repair = brio_joint_repair_new(s->checker, POINTS, &settings, &err);
  CHECK(repair != NULL, "%s", err.message);
  return repair;
}

/* Whether a search leads from the start to the end. */
static bool search_finds(scene *s) {
  brio_joint_search_settings settings = brio_joint_search_settings_default();
  settings.checks = 40000, settings.shortenings = settings.alternatives = 0;
  brio_joint_search_request request = {.checker = s->checker,
                                       .start = s->path,
                                       .goals = s->path + (size_t)(POINTS - 1) * N,
                                       .ngoal = 1,
                                       .seed = 1,
                                       .settings = settings};
  brio_joint_search *search = brio_joint_search_new(&request, NULL);
  int count;
  while (!brio_joint_search_over(search)) brio_joint_search_work(search, 1000, NULL);
  bool found = brio_joint_search_path(search, &count) != NULL;
  brio_joint_search_free(search);
  return found;
}

/* Paths through random boxes: clear by the plain pass, with both ends as they were, and repeatable.  Where
** there is a way at all, it is found. */
static void paths_through_boxes_become_clear(void) {
  int tried = 0, repaired = 0, rounds = (int)(30 * check_scale());
  for (int round = 0; round < rounds; round++) {
    static scene s;
    brio_random random = brio_random_stream((uint64_t)round, "boxes");
    random_boxes(&s, &random);
    scene_start(&s, BOXES);
    int bad = random_path(&s, &random);
    if (bad > 0 && bad < POINTS / 2) {
      double path[POINTS * N], again[POINTS * N];
      memcpy(path, s.path, sizeof path), memcpy(again, s.path, sizeof again);
      brio_joint_repair *repair = repair_of(&s, brio_repair_settings_default());
      brio_repair_report report;
      brio_error err = {0};
      tried++;
      if (brio_joint_repair_path(repair, path, POINTS, &report, &err)) {
        repaired++;
        check_clear(&s, path, round);
        CHECK(report.colliding == bad && report.left == 0, "round %d: %d of %d", round, report.colliding,
              bad);
        CHECK(report.moved >= bad, "round %d: %d moved", round, report.moved);
      } else {
        CHECK(report.left > 0 && err.code == BRIO_UNREACHABLE, "round %d: %s", round, err.message);
        CHECK(!search_finds(&s), "round %d: there is a way: %s", round, err.message);
      }
      for (int k = 0; k < N; k++) {
        CHECK(path[k] == s.path[k], "start");
        CHECK(path[(POINTS - 1) * N + k] == s.path[(POINTS - 1) * N + k], "end");
      }
      brio_joint_repair_path(repair, again, POINTS, NULL, &err);
      CHECK(memcmp(path, again, sizeof path) == 0, "round %d: another path the second time", round);
      brio_joint_repair_free(repair);
    }
    scene_end(&s);
  }
  CHECK(tried >= rounds / 4 && repaired >= 0.7 * tried, "%d of %d repaired", repaired, tried);
}

/* A path that is clear stays as it is, to the last bit. */
static void a_clear_path_stays(void) {
  static scene s;
  scene_start(&s, 0);
  brio_random random = brio_random_stream(5, "clear");
  while (random_path(&s, &random)) {}
  double path[POINTS * N];
  memcpy(path, s.path, sizeof path);
  for (int m = 0; m < BRIO_REPAIR_NMETHOD; m++) {
    brio_repair_settings settings = brio_repair_settings_default();
    settings.method = (brio_repair_method)m;
    brio_joint_repair *repair = repair_of(&s, settings);
    brio_repair_report report;
    brio_error err = {0};
    CHECK(brio_joint_repair_path(repair, path, POINTS, &report, &err), "%s", err.message);
    CHECK(memcmp(path, s.path, sizeof path) == 0 && report.moved == 0 && report.rounds == 0, "%d moved",
          report.moved);
    brio_joint_repair_free(repair);
  }
  scene_end(&s);
}

/* Where the hand is. */
static brio_vec3 hand_at(scene *s, const double *x) {
  plain *p = s->truth;
  brio_error err;
  memcpy(p->q + BRIO_BASE_NQ, x, N * sizeof *x);
  brio_state_update(&p->state, p->q);
  return p->state.links[brio_robot_link(s->robot, "hand", &err)].p;
}

/* How far the hand is from where it was, on average, m. */
static double deviation(scene *s, const double *path) {
  double sum = 0;
  for (int i = 0; i < POINTS; i++) {
    size_t at = (size_t)i * N;
    sum += brio_vec3_norm(brio_vec3_sub(hand_at(s, path + at), hand_at(s, s->path + at)));
  }
  return sum / POINTS;
}

/* Beside swarms, pushes move the hand less. */
static void pushes_change_less_than_swarms(void) {
  double change[2] = {0};
  int both = 0, rounds = (int)(50 * check_scale());
  for (int round = 0; round < rounds; round++) {
    static scene s;
    brio_random random = brio_random_stream((uint64_t)round, "beside");
    random_boxes(&s, &random);
    scene_start(&s, BOXES);
    int bad = random_path(&s, &random);
    double paths[2][POINTS * N];
    bool good = bad > 0 && bad < POINTS / 4;
    for (int m = 0; m < 2 && good; m++) {
      brio_repair_settings settings = brio_repair_settings_default();
      settings.method = (brio_repair_method)m;
      if (m) settings.rounds = 6, settings.particles = 30, settings.iterations = 20;
      brio_joint_repair *repair = repair_of(&s, settings);
      memcpy(paths[m], s.path, sizeof s.path);
      brio_joint_repair_path(repair, paths[m], POINTS, NULL, NULL);
      /* Swarms judge points alone. */
      for (int i = 0; i < POINTS; i++) good &= brio_joint_checker_clear(s.checker, paths[m] + (size_t)i * N);
      brio_joint_repair_free(repair);
    }
    if (good) {
      both++;
      for (int m = 0; m < 2; m++) change[m] += deviation(&s, paths[m]);
    }
    scene_end(&s);
  }
  CHECK(both >= 2, "%d paths that both have repaired", both);
  CHECK(change[0] <= change[1], "%.4f and %.4f m", change[0] / both, change[1] / both);
}

/* Without searches a repair allocates nothing. */
static void pushes_allocate_nothing(void) {
  static scene s;
  brio_random random = brio_random_stream(7, "boxes");
  do {
    random_boxes(&s, &random);
    scene_start(&s, BOXES);
    int bad = random_path(&s, &random);
    if (bad > 2 && bad < POINTS / 3) break;
    scene_end(&s);
  } while (true);
  brio_repair_settings settings = brio_repair_settings_default();
  settings.checks = 0;
  brio_joint_repair *repair = repair_of(&s, settings);
  brio_repair_report report;
  size_t before = allocations;
  brio_joint_repair_path(repair, s.path, POINTS, &report, NULL);
  CHECK(allocations == before && report.rounds > 0, "%zu allocations", allocations - before);
  brio_joint_repair_free(repair);
  scene_end(&s);
}

/* --- what cannot be --- */

/* One joint alone, and a wall across its way. */
static void what_cannot_be_repaired_is_named(void) {
  static scene s;
  s.boxes[0] =
      (brio_obstacle){"wall", {.kind = BRIO_SHAPE_BOX, .size = {1, 0.05, 2}}, {{0.8, 0, 0}, {0, 0, 0, 1}}};
  scene_start(&s, 1);
  brio_joint_checker_request request = s.request;
  static const int pan[1] = {0};
  request.variables = pan, request.nvariable = 1;
  brio_error err = {0};
  brio_joint_checker *checker = brio_joint_checker_new(&request, &err);
  brio_repair_settings settings = brio_repair_settings_default();
  brio_joint_repair *repair = brio_joint_repair_new(checker, 21, &settings, &err);
  double path[21];
  for (int i = 0; i < 21; i++) path[i] = -1 + 0.1 * i;
  brio_repair_report report;
  CHECK(!brio_joint_repair_path(repair, path, 21, &report, &err) && err.code == BRIO_UNREACHABLE, "%s",
        err.message);
  CHECK(report.left > 0 && report.colliding > 0, "%d left", report.left);
  CHECK(strstr(err.message, "of 21") && strstr(err.message, "obstacle 1 'wall'") && strstr(err.message, "mm"),
        "%s", err.message);
  /* An end that collides is no path to repair. */
  double short_path[2] = {-1, 0};
  CHECK(!brio_joint_repair_path(repair, short_path, 2, &report, &err), "an end inside the wall");
  CHECK_HAS(err.message, "the end collides: link '");
  short_path[1] = 4;
  CHECK(!brio_joint_repair_path(repair, short_path, 2, &report, &err), "an end beyond its limit");
  CHECK_HAS(err.message, "the end: 'pan' is 4.0000, outside its limits");
  short_path[1] = NAN;
  CHECK(!brio_joint_repair_path(repair, short_path, 2, &report, &err) && err.code == BRIO_MISUSE, "NaN");
  CHECK(!brio_joint_repair_path(repair, path, 22, &report, &err), "too many points");
  settings.margin = 0;
  CHECK(!brio_joint_repair_new(checker, 21, &settings, &err), "margin");
  CHECK_HAS(err.message, "the margin, m, of a repair: 1e-05 to 1, not 0");
  brio_joint_repair_free(repair);
  brio_joint_checker_free(checker);
  scene_end(&s);
}

/* Points beyond the limits come back within them. */
static void points_outside_of_limits_come_back(void) {
  static scene s;
  scene_start(&s, 0);
  for (int i = 0; i < POINTS; i++)
    for (int k = 0; k < N; k++) s.path[i * N + k] = k == 0 ? 3.2 * sin(BRIO_PI * i / (POINTS - 1)) : 0.1;
  brio_joint_repair *repair = repair_of(&s, brio_repair_settings_default());
  brio_repair_report report;
  brio_error err = {0};
  CHECK(brio_joint_repair_path(repair, s.path, POINTS, &report, &err), "%s", err.message);
  CHECK(report.outside > 5 && report.outside < POINTS / 2, "%d outside", report.outside);
  check_clear(&s, s.path, 0);
  brio_joint_repair_free(repair);
  scene_end(&s);
}

CHECK_SUITE(CHECK_TEST(slopes_of_distances_are_their_differences), CHECK_TEST(the_nearest_pairs_are_given),
            CHECK_TEST(paths_through_boxes_become_clear), CHECK_TEST(a_clear_path_stays),
            CHECK_TEST(pushes_change_less_than_swarms), CHECK_TEST(pushes_allocate_nothing),
            CHECK_TEST(what_cannot_be_repaired_is_named), CHECK_TEST(points_outside_of_limits_come_back))
