/* Goals of objectives.  A goal is of one of a few kinds, each a row in goals.def with its file in goals/: its
** name, its numbers, their check, and the blend of two values. */
#ifndef BRIO_SOLVER_GOAL_H
#define BRIO_SOLVER_GOAL_H

#include "base/error.h"
#include "math/pose.h"

enum {
  BRIO_GOAL_NUMBERS = 192, /* numbers in the longest goal: 64 points */
  BRIO_GOAL_ITEMS = 64,    /* items in the longest list */
};

typedef struct brio_goal_kind brio_goal_kind;

/* A goal's value, flat: each kind says what its numbers mean. */
typedef struct brio_goal {
  const brio_goal_kind *kind; /* NULL: no goal is given or needed */
  int items;                  /* in its list; 0 if the kind has none */
  double v[BRIO_GOAL_NUMBERS]; /* kind->count numbers, then kind->item numbers for each item */
} brio_goal;

struct brio_goal_kind {
  const char *name;        /* as Lua and Lively spell it: "translation", "rotation", "scalar",
                           ** "size", "ellipse", "rotation_range", "scalar_range", "points" */
  const char *doc;         /* one sentence */
  const char *example;     /* a Lua value: printed in docs, read by tests */
  int count;               /* count of the fixed numbers; may be 0 for a kind with a list */
  const char *const *fields; /* count + item names, for tables and messages.  Four in a row that are, or end
                             ** in, .x, .y, .z, .w are a quaternion: normalized, blended on the shortest
                             ** arc */
  /* Fail and name what was expected, unless the numbers are valid (NULL: all finite ones are). */
  bool (*check)(brio_goal *goal, brio_error *err);
  int item;                /* numbers in each item of its list; 0: no list */
  int least, most;         /* most items of the list */
};

/* All kinds, ended by NULL. */
extern const brio_goal_kind *const brio_goal_kinds[];

/* Return the kind of that name, or NULL and an error with the nearest name. */
const brio_goal_kind *brio_goal_kind_find(const char *name, brio_error *err);

/* Fail and name the error unless the record of a kind is complete: names, counts within bounds, a name for
** each number. */
bool brio_goal_kind_check(const brio_goal_kind *kind, brio_error *err);

/* Make a goal of `count` numbers: of a kind with a list, the fixed ones and then all items'.  Errors: misuse
** (wrong count, not finite, refused by the kind). */
bool brio_goal_make(const brio_goal_kind *kind, const double *numbers, int count, brio_goal *out,
                    brio_error *err);

/* How many numbers of v are in use. */
int brio_goal_length(const brio_goal *goal);

/* The numbers of item `i` of its list. */
const double *brio_goal_item(const brio_goal *goal, int i);

/* Whether two goals of one kind are the same, number for number. */
bool brio_goal_same(const brio_goal *a, const brio_goal *b);

/* Write the value `share` (0 to 1) of the way from `from` to `to`, of one kind.  The shorter of two lists is
** extended by copies of its last item; at `share` 1 the list is that of `to`.  `out` may be `from`. */
void brio_goal_blend(const brio_goal *from, const brio_goal *to, double share, brio_goal *out);

#endif
