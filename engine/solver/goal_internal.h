/* What the files in goals/ share.  Not for use outside the solver room. */
#ifndef BRIO_SOLVER_GOAL_INTERNAL_H
#define BRIO_SOLVER_GOAL_INTERNAL_H

#include "solver/goal.h"

/* The kinds: brio_goal_translation, ... */
#define X(name) extern const brio_goal_kind brio_goal_##name;
#include "solver/goals.def"
#undef X

/* Blend all numbers of the goal in a straight line. */
void brio_goal_blend_linear(const brio_goal *from, const brio_goal *to, double share, brio_goal *out);

/* Blend the quaternion at `at` .. `at` + 3 on the shortest arc, the rest in a straight line. */
void brio_goal_blend_arc(const brio_goal *from, const brio_goal *to, double share, int at, brio_goal *out);

/* Accept any numbers. */
bool brio_goal_check_any(brio_goal *goal, brio_error *err);

/* Put the quaternion at `at` at length 1; fail when it has none. */
bool brio_goal_check_rotation(brio_goal *goal, int at, brio_error *err);

/* Fail unless numbers `at` .. `at` + count - 1 are within [lower, upper]. */
bool brio_goal_check_range(const brio_goal *goal, int at, int count, double lower, double upper,
                           brio_error *err);

#endif
