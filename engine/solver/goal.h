/* What an objective is asked for.  A goal is one of a few kinds, each a row in
** goals.def with its file in goals/: how it is named, read from numbers, checked and
** blended from one value to the next. */
#ifndef BRIO_SOLVER_GOAL_H
#define BRIO_SOLVER_GOAL_H

#include "base/error.h"
#include "math/pose.h"

enum { BRIO_GOAL_NUMBERS = 10 }; /* numbers in the longest goal: an ellipse */

typedef struct brio_goal_kind brio_goal_kind;

/* A goal's value, flat: each kind says what its numbers mean. */
typedef struct brio_goal {
  const brio_goal_kind *kind; /* NULL: no goal is given or needed */
  double v[BRIO_GOAL_NUMBERS];
} brio_goal;

struct brio_goal_kind {
  const char *name;        /* as Lua and Lively spell it: "translation", "rotation", "scalar",
                           ** "size", "ellipse", "rotation_range", "scalar_range" */
  const char *doc;         /* one sentence */
  const char *example;     /* a Lua value: docs print it, tests read it */
  int count;               /* numbers used in v */
  const char *const *fields; /* count names, for tables and messages: "x", "y", ... */
  /* Check the numbers and put them in normal form (a quaternion at length 1).
  ** Return false and say what was expected. */
  bool (*check)(brio_goal *goal, brio_error *err);
  /* Write the value `share` (0 to 1) of the way from `from` to `to`. */
  void (*blend)(const brio_goal *from, const brio_goal *to, double share, brio_goal *out);
};

/* All kinds, ended by NULL. */
extern const brio_goal_kind *const brio_goal_kinds[];

/* Return the kind of that name, or NULL and an error with the nearest name. */
const brio_goal_kind *brio_goal_kind_find(const char *name, brio_error *err);

#endif
