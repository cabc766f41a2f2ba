/* Joint paths for the shared planning problems: each path that is found is free at steps that move no point
** over 1 mm, as the plain pass over all pairs sees it.  `make test` takes one Panda problem of each
** environment, `make soak` all of three robots. */
#include "base/clock.h"
#include "tests/engine/plan/joints.h"
#include "tests/engine/plan/problems.h"

static const double LEAST_SOLVED = 0.995; /* of the valid problems */

/* Of a robot: problems, those whose ends are clear, and those solved within a second of processor time. */
typedef struct tally {
  int all, valid, solved;
  double first, shortened; /* sums of lengths */
} tally;

/* Check a path densely. */
static void recheck(const problem *task, const problem_robot *robot, brio_joint_search *search,
                    const char *where) {
  int count;
  const double *path = brio_joint_search_path(search, &count);
  plain *truth = plain_new(&(brio_joint_checker_request){.robot = robot->robot,
                                                         .q = robot->q,
                                                         .variables = robot->variables,
                                                         .nvariable = robot->nx,
                                                         .obstacles = task->obstacles,
                                                         .nobstacle = task->nobstacle,
                                                         .allowed = robot->allowed,
                                                         .nallowed = robot->nallowed});
  double least = plain_path(truth, path, count, 1e-3);
  CHECK(least > 0, "%s %d: the path comes to %g m", where, task->index, least);
  for (int k = 0; k < robot->nx; k++) {
    CHECK_NEAR(path[k], task->start[k], 1e-9, "%s %d: start", where, task->index);
    CHECK_NEAR(path[robot->nx * (count - 1) + k], task->goal[k], 1e-9, "%s %d: goal", where, task->index);
  }
  plain_free(truth);
}

static void solve(const problem *task, const problem_robot *robot, const char *where, tally *sum) {
  brio_error err = {0};
  sum->all++;
  brio_joint_checker *checker = problem_checker(task, robot, &err);
  CHECK(checker != NULL, "%s", err.message);
  brio_joint_search_request request = {.checker = checker,
                                       .start = task->start,
                                       .goals = task->goal,
                                       .ngoal = 1,
                                       .seed = 1,
                                       .settings = brio_joint_search_settings_default()};
  brio_joint_search *search = brio_joint_search_new(&request, &err);
  if (search) {
    sum->valid++;
    int64_t begin = brio_clock_thread_cpu(), now = begin;
    while (brio_joint_search_work(search, 1000, &err) == BRIO_SEARCH_GOES_ON && now - begin < 1000000000)
      now = brio_clock_thread_cpu();
    if (brio_joint_search_effort_of(search).goal >= 0) {
      while (!brio_joint_search_over(search)) brio_joint_search_work(search, 1000, &err);
      sum->solved++;
      sum->first += brio_joint_search_effort_of(search).first_length;
      sum->shortened += brio_joint_search_effort_of(search).length;
      recheck(task, robot, search, where);
    }
    brio_joint_search_free(search);
  } else {
    CHECK(err.code == BRIO_UNREACHABLE, "%s", err.message);
  }
  brio_joint_checker_free(checker);
}

/* Solve `each` problems of each environment. */
static tally solve_robot(const char *name, int each) {
  static problem list[PROBLEMS];
  tally sum = {0};
  problem_robot robot;
  brio_error err = {0};
  CHECK(problem_robot_load(&robot, check_shared(), name, &err), "%s", err.message);
  for (int e = 0; e < PROBLEM_ENVIRONMENTS && robot.robot; e++) {
    int count = problems_read(list, &robot, check_shared(), name, problem_environments[e]);
    CHECK(count == PROBLEMS, "%s: %d problems", problem_environments[e], count);
    for (int i = 0; i < count && i < each; i++) solve(&list[i], &robot, problem_environments[e], &sum);
  }
  problem_robot_free(&robot);
  printf("#   %s: %d of %d valid problems solved (%d in all), mean length %.2f, shortened %.2f\n", name,
         sum.solved, sum.valid, sum.all, sum.first / sum.solved, sum.shortened / sum.solved);
  return sum;
}

/* Whether the problems are here, and can be unpacked. */
static bool present(void) {
  char path[600];
  if (!check_shared()) return false;
  snprintf(path, sizeof path, "%s/data/planning/README.md", check_shared());
  return access(path, R_OK) == 0 && system("xzcat --version >/dev/null 2>&1") == 0;
}

static void paths_of_shared_problems_are_free(void) {
  if (!present()) SKIP("no shared planning problems, or no xzcat");
  bool soak = check_scale() > 1;
  for (int r = 0; r < (soak ? PROBLEM_ROBOTS : 1); r++) {
    tally sum = solve_robot(problem_robots[r], soak ? PROBLEMS : 1);
    CHECK(sum.solved >= LEAST_SOLVED * sum.valid, "%s: %d of %d", problem_robots[r], sum.solved,
          sum.valid);
    CHECK(sum.valid >= 0.9 * sum.all, "%s: %d of %d are valid", problem_robots[r], sum.valid, sum.all);
    CHECK(sum.shortened <= sum.first, "%s: shortening makes paths longer", problem_robots[r]);
  }
}

CHECK_SUITE(CHECK_TEST(paths_of_shared_problems_are_free))
