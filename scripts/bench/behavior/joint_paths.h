/* What the benchmark of joint paths asks of OMPL, in C and C++ alike. */
#ifndef BRIO_SCRIPTS_JOINT_PATHS_H
#define BRIO_SCRIPTS_JOINT_PATHS_H

#include <stdbool.h>

typedef struct ompl_task {
  int n;
  const double *lower, *upper, *start, *goal; /* n each */
  bool (*clear)(void *context, const double *x);
  bool (*motion)(void *context, const double *from, const double *to); /* `from` is clear */
  void *context;
  double seconds; /* it may take */
  double range;   /* of edges */
  unsigned seed;
  bool optimal; /* a planner that improves its path for all the time, else RRT-Connect and simplification */
} ompl_task;

typedef struct ompl_answer {
  bool solved;
  double seconds, whole_seconds; /* of processor time, to the first path, and with simplification */
  double first, length;          /* of both */
} ompl_answer;

typedef void (*ompl_plan_function)(const ompl_task *task, ompl_answer *answer);

#endif
