/* The metric of link motion is the sum of J^T J over all links, term by term. */
#include "robot/metric.h"

#include "base/random.h"
#include "tests/check.h"

#define JOINT(NAME, TYPE, PARENT, CHILD, XYZ, RPY, AXIS, MORE)                                               \
  "<joint name='" NAME "' type='" TYPE "'><parent link='" PARENT "'/><child link='" CHILD "'/>"              \
  "<origin xyz='" XYZ "' rpy='" RPY "'/><axis xyz='" AXIS                                                    \
  "'/><limit lower='-3' upper='3' velocity='1' effort='1'/>" MORE "</joint>"

/* Turns, slides, a fork, a fixed link, and mimics: in the same chain and beside it. */
static const char ROBOT[] =
    "<robot name='fork'><link name='root'/><link name='a'/><link name='b'/><link name='c'/><link name='d'/>"
    "<link name='e'/><link name='f'/><link name='g'/>" JOINT("j1", "revolute", "root", "a", "0.1 0 0.3",
                                                             "0.3 0 0", "0 0 1", "")
        JOINT("j2", "prismatic", "a", "b", "0 0.2 0.1", "0 0.4 0", "1 0 0", "")
            JOINT("j3", "revolute", "b", "c", "0.2 0 0.1", "0 0 1", "0 1 0", "")
                JOINT("j4", "revolute", "c", "d", "0 0 0.4", "1 0 0", "1 1 0",
                      "<mimic joint='j3' multiplier='-0.5'/>")
                    JOINT("j5", "fixed", "d", "e", "0.1 0.1 0.1", "0 0 0", "0 0 1", "")
                        JOINT("j6", "prismatic", "a", "f", "0 -0.2 0.1", "0.5 0 0", "0 0 1",
                              "<mimic joint='j3' multiplier='2'/>")
                            JOINT("j7", "revolute", "f", "g", "0.3 0 0", "0 0 0", "0 1 1", "") "</robot>";

enum { MOST = 64 };

/* The same, link by link. */
static void link_by_link(const brio_state *state, double *metric) {
  static double jacobian[3 * MOST];
  int nv = state->robot->nv;
  memset(metric, 0, (size_t)(nv * nv) * sizeof *metric);
  for (int l = 0; l < state->robot->nlink; l++) {
    brio_state_point_jacobian(state, l, state->links[l].p, jacobian);
    for (int i = 0; i < nv; i++)
      for (int k = 0; k <= i; k++)
        for (int x = 0; x < 3; x++) metric[i * nv + k] += jacobian[x * nv + i] * jacobian[x * nv + k];
  }
}

static void compare(const brio_robot *robot) {
  static double q[MOST + 8], got[MOST * MOST], expected[MOST * MOST];
  brio_state state;
  brio_error err;
  brio_random stream = brio_random_stream(5, robot->name);
  double *scratch = calloc((size_t)brio_robot_metric_scratch(robot), sizeof *scratch);
  CHECK(brio_state_start(&state, robot, &err), "%s", err.message);
  CHECK(robot->nv <= MOST, "%d", robot->nv);
  for (int pose = 0; pose < 50; pose++) {
    brio_robot_neutral(robot, q);
    for (int i = 0; i < 3; i++) q[i] = brio_random_uniform(&stream, -100, 100);
    for (int i = 3; i < robot->nq; i++) q[i] = brio_random_uniform(&stream, -1, 1);
    brio_state_update(&state, q);
    int first = pose % 2 ? BRIO_BASE_NV : 0; /* with the base, and without */
    brio_state_link_metric(&state, first, scratch, got);
    link_by_link(&state, expected);
    for (int i = 0; i < robot->nv; i++)
      for (int k = 0; k <= i; k++)
        CHECK_NEAR(got[i * robot->nv + k], k < first ? 0 : expected[i * robot->nv + k],
                   1e-11 * (1 + robot->nlink), "%s: entry %d, %d", robot->file, i, k);
  }
  brio_state_end(&state);
  free(scratch);
}

static void it_is_the_sum_of_all_links(void) {
  brio_error err;
  brio_robot *robot = brio_robot_parse(ROBOT, sizeof ROBOT - 1, "fork.urdf", NULL, &err);
  CHECK(robot != NULL, "%s", err.message);
  if (!robot) return;
  compare(robot);
  brio_robot_free(robot);
}

static void on_shared_robots_too(void) {
  static const char *const names[] = {"panda/panda", "pepper/pepper", "nao/nao", "cassie/cassie"};
  if (!check_shared()) SKIP("no shared robots here");
  for (int i = 0; i < 4; i++) {
    char path[512];
    brio_error err;
    snprintf(path, sizeof path, "%s/data/robots/%s.urdf", check_shared(), names[i]);
    brio_robot *robot = brio_robot_load(path, NULL, &err);
    CHECK(robot != NULL, "%s", err.message);
    if (robot) compare(robot);
    brio_robot_free(robot);
  }
}

CHECK_SUITE(CHECK_TEST(it_is_the_sum_of_all_links), CHECK_TEST(on_shared_robots_too))
