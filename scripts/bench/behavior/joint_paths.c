/* What joint paths cost on the shared planning problems (MotionBenchMaker), all of one robot: set-up, the
** first path, the shortened one, slices of 20 checks, and how long the paths are.  Each path is checked at
** steps that move no point over 1 mm, outside of the times.  Of some problems also: the length that an
** optimal search comes to in 10 and 100 ms, and, with a shared object of OMPL's planners
** (joint_paths_ompl.cpp), the same of these, with the same checks of configurations and motions.
**   joint_paths SHARED ROBOT [OMPL.so] */
#include <dlfcn.h>

#include "scripts/bench/behavior/joint_paths.h"
#include "scripts/bench/bench.h"
#include "tests/engine/plan/plain.h"
#include "tests/engine/plan/problems.h"

enum { MOST = PROBLEM_ENVIRONMENTS * PROBLEMS, MOST_SLICES = 400000, SLICE = 20, EACH = 8 };

static const double LIMITS[2] = {1e7, 1e8}; /* ns: of optimal searches */

/* Of the problems of which optimal searches, and another program's planners, are measured. */
typedef struct beside {
  double ours[2][MOST], first[MOST], simple[MOST], times[2][MOST], anytime[2][MOST];
  int count, solved, reached[2];
} beside;

/* What was measured, by problem: ns, and lengths. */
typedef struct figures {
  double setup[MOST], first[MOST], whole[MOST], lengths[2][MOST], slices[MOST_SLICES];
  int all, valid, found, solved, nslice, hits;
  beside beside;
  ompl_plan_function ompl; /* NULL: absent */
} figures;

/* Whether a path touches something, as the independent check sees it. */
static bool touches(const problem *task, const problem_robot *robot, const double *path, int count) {
  plain *truth = plain_new(&(brio_joint_checker_request){.robot = robot->robot,
                                                         .q = robot->q,
                                                         .variables = robot->variables,
                                                         .nvariable = robot->nx,
                                                         .obstacles = task->obstacles,
                                                         .nobstacle = task->nobstacle,
                                                         .allowed = robot->allowed,
                                                         .nallowed = robot->nallowed});
  bool hit = !(plain_path(truth, path, count, 1e-3) > 0);
  plain_free(truth);
  return hit;
}

/* What OMPL asks about configurations and motions. */
static bool ompl_clear(void *context, const double *x) {
  return brio_joint_checker_clear(context, x);
}
static bool ompl_motion(void *context, const double *from, const double *to) {
  double delta[PROBLEM_JOINTS];
  for (int i = 0; i < brio_joint_checker_size(context, NULL); i++) delta[i] = to[i] - from[i];
  return brio_joint_motion_clear(context, from, delta);
}

/* The same problem by OMPL: the first path and the simplified one, then a planner that improves. */
static void measure_ompl(figures *sum, const problem *task, const problem_robot *robot,
                         brio_joint_checker *checker) {
  beside *b = &sum->beside;
  double lower[PROBLEM_JOINTS], upper[PROBLEM_JOINTS];
  for (int i = 0; i < robot->nx; i++) {
    lower[i] = robot->robot->variables[robot->variables[i]].lower;
    upper[i] = robot->robot->variables[robot->variables[i]].upper;
  }
  ompl_task request = {robot->nx,   lower,   upper, task->start, task->goal, ompl_clear,
                       ompl_motion, checker, 1,     1,           1,          false};
  ompl_answer answer = {0};
  sum->ompl(&request, &answer);
  int i = b->solved;
  if (answer.solved) {
    b->times[0][i] = 1e9 * answer.seconds, b->times[1][i] = 1e9 * answer.whole_seconds;
    b->first[i] = answer.first, b->simple[i] = answer.length;
    b->solved++;
  }
  for (int k = 0; k < 2; k++) {
    request.optimal = true, request.seconds = LIMITS[k] / 1e9;
    sum->ompl(&request, &answer);
    if (answer.solved) b->anytime[k][b->reached[k]++] = answer.length;
  }
}

/* Lengths that an optimal search comes to. */
static void measure_optimal(figures *sum, const brio_joint_search_request *given, brio_error *err) {
  brio_joint_search_request request = *given;
  beside *b = &sum->beside;
  request.settings.optimal = true;
  brio_joint_search *search = brio_joint_search_new(&request, err);
  double begin = bench_clock();
  for (int k = 0; k < 2; k++) {
    while (!brio_joint_search_over(search) && bench_clock() - begin < LIMITS[k])
      brio_joint_search_work(search, 10 * SLICE, err);
    b->ours[k][b->count] =
        brio_joint_search_effort_of(search).goal < 0 ? INFINITY : brio_joint_search_effort_of(search).length;
  }
  b->count++;
  brio_joint_search_free(search);
}

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
      int count;
      const double *path = brio_joint_search_path(search, &count);
      sum->hits += touches(task, robot, path, count);
    }
    if (sum->all % EACH == 0) {
      measure_optimal(sum, &request, err);
      if (sum->ompl) measure_ompl(sum, task, robot, checker);
    }
    brio_joint_search_free(search);
  }
  brio_joint_checker_free(checker);
  return true;
}

/* The median of numbers, which are sorted for that. */
static double median(double *list, int count) {
  qsort(list, (size_t)count, sizeof *list, bench_compare);
  return count ? list[count / 2] : NAN;
}

static void print_beside(beside *b, bool ompl) {
  printf("{\"row\":\"optimal\",\"of\":%d,\"soon\":%.3f,\"late\":%.3f}\n", b->count,
         median(b->ours[0], b->count), median(b->ours[1], b->count));
  if (!ompl || !b->solved) return;
  bench_print("ompl_first", b->times[0], b->solved, 0, 0);
  bench_print("ompl_whole", b->times[1], b->solved, 0, 0);
  printf("{\"row\":\"ompl\",\"of\":%d,\"solved\":%d,\"first\":%.3f,\"whole\":%.3f", b->count, b->solved,
         median(b->first, b->solved), median(b->simple, b->solved));
  printf(",\"soon\":%.3f,\"late\":%.3f,\"reached\":%d,\"reached_late\":%d}\n",
         b->reached[0] ? median(b->anytime[0], b->reached[0]) : 0,
         b->reached[1] ? median(b->anytime[1], b->reached[1]) : 0, b->reached[0], b->reached[1]);
}

int main(int argc, char **argv) {
  static figures sum;
  static problem list[PROBLEMS];
  problem_robot robot;
  brio_error err = {0};
  if (argc < 3 || argc > 4 || !problem_robot_load(&robot, argv[1], argv[2], &err)) {
    fprintf(stderr, "joint_paths: %s\n", argc == 3 || argc == 4 ? err.message : "SHARED ROBOT [OMPL.so]");
    return 1;
  }
  void *object = argc == 4 ? dlopen(argv[3], RTLD_NOW) : NULL;
  if (object) *(void **)&sum.ompl = dlsym(object, "ompl_plan");
  if (argc == 4 && !sum.ompl) {
    fprintf(stderr, "joint_paths: %s\n", dlerror());
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
  printf("{\"row\":\"paths\",\"all\":%d,\"valid\":%d,\"solved\":%d,\"hits\":%d", sum.all, sum.valid,
         sum.solved, sum.hits);
  printf(",\"first\":%.3f,\"whole\":%.3f}\n", sum.lengths[0][sum.found / 2], sum.lengths[1][sum.found / 2]);
  print_beside(&sum.beside, sum.ompl != NULL);
  problem_robot_free(&robot);
  return 0;
}
