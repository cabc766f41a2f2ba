/* What joint paths cost on the shared planning problems (MotionBenchMaker), all of one robot: set-up, the
** first path, the shortened one, slices of 20 checks, and how long the paths are.
**   joint_paths SHARED ROBOT */
#include "scripts/bench/bench.h"
#include "tests/engine/plan/problems.h"

enum { MOST = PROBLEM_ENVIRONMENTS * PROBLEMS, MOST_SLICES = 400000, SLICE = 20 };

/* What was measured, by problem: ns, and lengths. */
typedef struct figures {
  double setup[MOST], first[MOST], whole[MOST], lengths[2][MOST], slices[MOST_SLICES];
  int all, valid, found, solved, nslice;
} figures;

/* Work in slices until the first path, or until nothing is left to do. */
static double work(figures *sum, brio_joint_search *search, bool first, brio_error *err) {
  double begin = bench_clock(), before = begin;
  while (!brio_joint_search_over(search) && !(first && brio_joint_search_effort_of(search).goal >= 0)) {
    brio_joint_search_work(search, SLICE, err);
    double now = bench_clock();
    if (sum->nslice < MOST_SLICES) sum->slices[sum->nslice++] = now - before;
    before = now;
  }
  return bench_clock() - begin;
}

static bool measure(figures *sum, const problem *task, const problem_robot *robot, brio_error *err) {
  sum->all++;
  double begin = bench_clock();
  brio_joint_checker *checker = problem_checker(task, robot, err);
  double setup = bench_clock() - begin;
  if (!checker) return false;
  brio_joint_search_request request = {.checker = checker,
                                       .start = task->start,
                                       .goals = task->goal,
                                       .ngoal = 1,
                                       .seed = 1,
                                       .settings = brio_joint_search_settings_default()};
  begin = bench_clock();
  brio_joint_search *search = brio_joint_search_new(&request, err);
  double taken = bench_clock() - begin;
  /* A start or goal that collides is no problem to solve. */
  if (search) {
    sum->valid++;
    double first = taken + work(sum, search, true, err);
    if (brio_joint_search_effort_of(search).goal >= 0) {
      int i = sum->found++;
      sum->setup[i] = setup, sum->first[i] = first, sum->solved += first < 1e9;
      sum->lengths[0][i] = brio_joint_search_effort_of(search).first_length;
      sum->whole[i] = first + work(sum, search, false, err);
      sum->lengths[1][i] = brio_joint_search_effort_of(search).length;
    }
    brio_joint_search_free(search);
  }
  brio_joint_checker_free(checker);
  return true;
}

int main(int argc, char **argv) {
  static figures sum;
  static problem list[PROBLEMS];
  problem_robot robot;
  brio_error err = {0};
  if (argc != 3 || !problem_robot_load(&robot, argv[1], argv[2], &err)) {
    fprintf(stderr, "joint_paths: %s\n", argc == 3 ? err.message : "SHARED ROBOT");
    return 1;
  }
  for (int e = 0; e < PROBLEM_ENVIRONMENTS; e++) {
    int count = problems_read(list, &robot, argv[1], argv[2], problem_environments[e]);
    if (count < 1) {
      fprintf(stderr, "joint_paths: no problems of '%s' to read\n", problem_environments[e]);
      return 1;
    }
    for (int i = 0; i < count; i++)
      if (!measure(&sum, &list[i], &robot, &err)) {
        fprintf(stderr, "joint_paths: %s %d: %s\n", problem_environments[e], list[i].index, err.message);
        return 1;
      }
  }
  bench_print("setup", sum.setup, sum.found, 0, 0);
  bench_print("first", sum.first, sum.found, 0, 0);
  bench_print("whole", sum.whole, sum.found, 0, 0);
  bench_print("slice", sum.slices, sum.nslice, 0, 0);
  for (int k = 0; k < 2; k++) qsort(sum.lengths[k], (size_t)sum.found, sizeof(double), bench_compare);
  printf("{\"row\":\"paths\",\"all\":%d,\"valid\":%d,\"solved\":%d,\"first\":%.3f,\"whole\":%.3f}\n", sum.all,
         sum.valid, sum.solved, sum.lengths[0][sum.found / 2], sum.lengths[1][sum.found / 2]);
  problem_robot_free(&robot);
  return 0;
}
