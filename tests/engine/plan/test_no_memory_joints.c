/* Paths of joints when memory is refused: any allocation of a checker and a search may fail. */
#include "plan/joints/search.h"
#include "tests/engine/plan/joints.h"
#include "tests/refusals.h"

static const int arm_variables[ARM_VARIABLES] = {0, 1, 2, 3, 4};
static const double from[ARM_VARIABLES] = {-0.8, 1.2, 0.05, 1, 0.2};
static const double to[ARM_VARIABLES] = {0.8, 0.9, 0.1, -1, 0};
static const brio_obstacle post[1] = {
    {"post", {.kind = BRIO_SHAPE_CYLINDER, .size = {0.05, 0, 0.5}}, {{0.6, 0, 0}, {0, 0, 0, 1}}}};

/* Around a post. */
static bool search_a_path(brio_error *err) {
  brio_robot *robot = brio_robot_parse(arm_text, sizeof arm_text - 1, "arm", NULL, err);
  if (!robot) return false;
  double q[7 + ARM_VARIABLES];
  brio_robot_neutral(robot, q);
  brio_joint_checker_request checks = {.robot = robot, .q = q, .variables = arm_variables,
                                       .nvariable = ARM_VARIABLES, .obstacles = post, .nobstacle = 1};
  brio_joint_search_request request = {.start = from, .goals = to, .ngoal = 1, .seed = 1,
                                       .settings = brio_joint_search_settings_default()};
  /* Small trees and little shortening, so that each of the searches is short. */
  request.settings.nodes = 200, request.settings.shortenings = 2, request.settings.alternatives = 0;
  request.checker = brio_joint_checker_new(&checks, err);
  brio_joint_search *search = request.checker ? brio_joint_search_new(&request, err) : NULL;
  brio_search_status status = search ? BRIO_SEARCH_GOES_ON : BRIO_SEARCH_FAILED;
  while (status == BRIO_SEARCH_GOES_ON) status = brio_joint_search_work(search, 500, err);
  brio_joint_search_free(search);
  brio_joint_checker_free(request.checker);
  brio_robot_free(robot);
  return status == BRIO_SEARCH_FOUND;
}

static void any_allocation_of_a_search_may_fail(void) {
  static const refusals_job job = {"a path of joints", search_a_path};
  refusals_of(&job, 1);
}

CHECK_SUITE(CHECK_TEST(any_allocation_of_a_search_may_fail))
