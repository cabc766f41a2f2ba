/* The running tree, for the kinds of nodes. */
#ifndef BRIO_TREE_RUN_H
#define BRIO_TREE_RUN_H

#include "tree/tree.h"

/* A node that runs. */
typedef struct brio_tree_unit {
  int32_t node;
  int32_t run;               /* the line that it is in */
  int32_t previous, next;    /* linked list of the units in that line; -1: none */
  int32_t inside;            /* first of the lines that run inside; -1: none */
  int32_t phase, count, target; /* state of its kind, 0 at first */
  double since;              /* when it began, s; shifted by the time it was held */
  double held;               /* since when it is held, s; NaN: it is not held */
  double stop_at;            /* s: when it will be ended; infinite: never */
  uint32_t stepped;          /* number of the last step that a line inside took */
  bool fresh;                /* this is its first work */
  bool closing;              /* it ends with `result` when finally branches inside it have ended */
  bool finishing;            /* its own finally branch is still to run, or runs */
  bool some_close;           /* lines inside may be closing */
  int32_t result, leads;     /* a status; the target of a jump */
  double closed;             /* s: since when it is closing */
  /* an edit moved it after the line's next position: nothing there begins before it ends */
  bool displaced;
} brio_tree_unit;

/* A line that runs. */
typedef struct brio_tree_run {
  int32_t line;              /* of the plan */
  int32_t number;            /* index among its unit's lines */
  int32_t unit;              /* the unit that contains it; -1: the root's line */
  int32_t next;              /* the next line inside the same unit; -1: none */
  int32_t at, begin, end;    /* next position; its window [begin, end) */
  int32_t limit;             /* step mode: units before this position may begin */
  int32_t first, last;       /* of the units that run */
  int32_t failed;            /* position of the unit that failed first; -1: none */
  bool waits;                /* nothing more begins in this tick */
  bool goes_on;              /* automatic, also in step mode */
  bool closing;              /* nothing begins: running units end, then the line is freed or has `result` */
  /* nothing begins: a unit jumps as soon as finally branches inside it have ended */
  bool pending;
  int32_t result, leads;     /* a status, idle: none; the target of a jump */
} brio_tree_run;

struct brio_tree {
  const brio_tree_plan *plan;
  brio_tree_host host;
  double now, before;        /* time of this tick and of the one before, s */
  int32_t target;            /* of a jump under way: a node */
  int32_t root;              /* the root's running line: a run's index */
  int32_t place;             /* the next position in it */
  int32_t depth;             /* current depth of lines within lines */
  int32_t presses;           /* lines that used the present step */
  uint32_t steps;            /* steps requested so far */
  bool automatic, concurrent, step, stepping;
  brio_tree_status result;   /* of the last pass */
  /* Of each node: */
  unsigned char *status, *changed, *breakpoint;
  double *memory, *began, *ended;
  const char **why;
  uint32_t *told;            /* text of the last reported reason */
  int32_t *unit_of;          /* index of the unit that runs it; -1: none */
  int32_t *changes, change_count;
  /* Pools: a free one's `next` is the next free one. */
  brio_tree_unit *units;
  brio_tree_run *runs;
  int32_t capacity, free_unit, free_run;
};

/* The two plans of a migration: nodes are matched by their ids. */
typedef struct brio_tree_carry {
  const brio_tree_plan *from, *to;
  int32_t *to_new, *to_old;       /* for each node of `from`, of `to`: its number in the other; -1: none */
  int32_t was;                    /* the unit's node in `from` */
  int32_t *scratch;               /* as many as `to` has nodes */
} brio_tree_carry;

/* Return the line of the unit's node in the new plan that corresponds to line `number` in the old one: of
** branches, its child's; -1: the child was removed. */
int brio_tree_carry_line(const brio_tree_carry *carry, int number);

/* The most that a unit counts, above any parameter: a loop without end stays there. */
#define BRIO_TREE_MOST_COUNT (1 << 30)

/* Count one more in `count`; return it. */
static inline int brio_tree_count_up(brio_tree_unit *unit) {
  if (unit->count < BRIO_TREE_MOST_COUNT) unit->count++;
  return unit->count;
}

/* Parameter `index` of a unit's node. */
static inline double brio_tree_param_of(const brio_tree *tree, const brio_tree_unit *unit, int place) {
  return tree->plan->nodes[unit->node].params[place];
}

/* Number of lines of a unit's node. */
static inline int brio_tree_lines_of(const brio_tree *tree, const brio_tree_unit *unit) {
  return tree->plan->nodes[unit->node].line_count;
}

/* Whether line `number` of the unit's node has any units. */
bool brio_tree_has_units(const brio_tree *tree, const brio_tree_unit *unit, int number);

/* Begin line `number` inside the unit without working on it yet; -1: the pool is empty. */
int brio_tree_begin_line(brio_tree *tree, brio_tree_unit *unit, int number);

/* Do one tick's work of line `number` inside the unit, beginning it unless it runs.  A result other
** than running ends the line. */
brio_tree_status brio_tree_work_line(brio_tree *tree, brio_tree_unit *unit, int number);

/* The same for a routine: node `routine`, anywhere in the tree, as a line of the unit. */
brio_tree_status brio_tree_work_routine(brio_tree *tree, brio_tree_unit *unit, int routine);

/* Stop one line inside the unit, if it runs; or all of them.  Finally branches inside still run:
** until they have ended such a line runs, and brio_tree_work_line returns running for it. */
void brio_tree_stop_line(brio_tree *tree, brio_tree_unit *unit, int number);
void brio_tree_stop_lines(brio_tree *tree, brio_tree_unit *unit);

/* Fail with a reason, a text that must last. */
brio_tree_status brio_tree_fail(brio_tree *tree, const brio_tree_unit *unit, const char *why);

#endif
