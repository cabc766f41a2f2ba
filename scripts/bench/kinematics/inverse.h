/* What the benchmarks of inverse kinematics share, in C and C++ alike: the same goals and starts, read from
** a file that inverse_goals.lua writes, the same clock, and the same judgement: a solution is one within
** limits that leaves at most INVERSE_POSITION and INVERSE_ORIENTATION. */
#ifndef BRIO_SCRIPTS_BENCH_KINEMATICS_INVERSE_H
#define BRIO_SCRIPTS_BENCH_KINEMATICS_INVERSE_H

#include "scripts/bench/bench.h"

enum { INVERSE_JOINTS = 32, INVERSE_NAME = 128 };

#define INVERSE_POSITION 1e-4    /* m */
#define INVERSE_ORIENTATION 1e-3 /* rad */
#define INVERSE_SECONDS 5e-3     /* of CPU time that a peer has for one goal, restarts and all */

/* The head of a file of goals. */
typedef struct inverse_problem {
  FILE *file;
  char model[1024], base[INVERSE_NAME], tip[INVERSE_NAME], joints[INVERSE_JOINTS][INVERSE_NAME];
  int njoint, count;
  double lower[INVERSE_JOINTS], upper[INVERSE_JOINTS];
} inverse_problem;

/* One goal: where the tip is to be in the base's frame, and a start. */
typedef struct inverse_goal {
  double position[3], orientation[4], seed[INVERSE_JOINTS]; /* quaternion x y z w */
} inverse_goal;

static inline bool inverse_numbers(FILE *file, double *out, int count) {
  for (int i = 0; i < count; i++)
    if (fscanf(file, "%lf", &out[i]) != 1) return false;
  return true;
}

/* Open a file of goals; false: it is none. */
static inline bool inverse_open(inverse_problem *problem, const char *path) {
  problem->file = fopen(path, "r");
  if (!problem->file) return false;
  if (fscanf(problem->file, "%1023s %127s %127s %d %d", problem->model, problem->base, problem->tip,
             &problem->njoint, &problem->count) != 5 ||
      problem->njoint > INVERSE_JOINTS || problem->count < 1)
    return false;
  for (int i = 0; i < problem->njoint; i++)
    if (fscanf(problem->file, "%127s", problem->joints[i]) != 1) return false;
  return inverse_numbers(problem->file, problem->lower, problem->njoint) &&
         inverse_numbers(problem->file, problem->upper, problem->njoint);
}

/* Read the next goal. */
static inline bool inverse_next(inverse_problem *problem, inverse_goal *goal) {
  return inverse_numbers(problem->file, goal->position, 3) &&
         inverse_numbers(problem->file, goal->orientation, 4) &&
         inverse_numbers(problem->file, goal->seed, problem->njoint);
}

/* Find joint values for a goal within `seconds`; write them to `q` and return whether they are a solution. */
typedef bool (*inverse_solver)(void *context, const inverse_goal *goal, double *q);

/* Solve all goals of a file and print one line of JSON: microseconds of CPU time a goal, successes counted
** by `judge`, which knows only forward kinematics. */
static inline int inverse_measure(const char *row, inverse_problem *problem, inverse_solver solve,
                                  inverse_solver judge, void *context) {
  double *times = (double *)malloc((size_t)problem->count * sizeof *times), first = 0;
  inverse_goal goal;
  int found = 0, count = 0;
  for (; times && count < problem->count && inverse_next(problem, &goal); count++) {
    double q[INVERSE_JOINTS], from = bench_clock();
    bool claimed = solve(context, &goal, q);
    times[count] = (bench_clock() - from) / 1e3;
    if (count == 0) first = times[0];
    bool within = claimed;
    for (int i = 0; i < problem->njoint; i++)
      within = within && q[i] >= problem->lower[i] - 1e-9 && q[i] <= problem->upper[i] + 1e-9;
    found += within && judge(context, &goal, q);
  }
  if (count == 0) return free(times), 1;
  qsort(times, (size_t)count, sizeof *times, bench_compare);
  printf("{\"row\":\"%s\",\"count\":%d,\"found\":%d,\"p50\":%.3f,\"p95\":%.3f,\"p99\":%.3f,\"most\":%.3f,"
         "\"first\":%.3f}\n",
         row, count, found, times[count / 2], times[count * 95 / 100], times[count * 99 / 100],
         times[count - 1], first);
  free(times);
  return 0;
}

#endif
