/* Shared by the files in goals/.  Private to the solver room. */
#ifndef BRIO_SOLVER_GOALS_GOAL_INTERNAL_H
#define BRIO_SOLVER_GOALS_GOAL_INTERNAL_H

#include "solver/goal.h"

/* The kinds: brio_goal_translation, ... */
#define X(name) extern const brio_goal_kind brio_goal_##name;
#include "solver/goals.def"
#undef X

/* Fail unless numbers `at` .. `at` + count - 1 are within [lower, upper]. */
bool brio_goal_check_range(const brio_goal *goal, int at, int count, double lower, double upper,
                           brio_error *err);

#endif
