/* What kinds of nodes see of the tree that runs them. */
#ifndef BRIO_TREE_RUN_H
#define BRIO_TREE_RUN_H

#include "tree/tree.h"

/* A node that runs. */
typedef struct brio_tree_unit {
  int32_t node;
  int32_t run;               /* the line it is in, as it runs */
  int32_t previous, next;    /* of what runs in that line; -1: none */
  int32_t inside;            /* first of the lines that run inside; -1: none */
  int32_t phase, count, target; /* its kind's own, 0 at first */
  double since;              /* when it began, s: later by how long it was held */
  double held;               /* since when it is held; NaN: it is not */
  double stop_at;            /* when it is to be ended; infinite: never */
  uint32_t stepped;          /* number of the last step that a line inside took */
  bool fresh;                /* this is its first work */
  bool closing;              /* it ends, with `result`, when what is inside has come to its end */
  bool finishing;            /* and its last line, which comes in any case, has */
  bool some_close;           /* lines inside may be closing */
  int32_t result, leads;     /* a status; where a jump then leads */
  double closed;             /* since when it is closing, s */
  bool displaced;            /* an edit moved it behind what is next in its line: nothing there begins until it is over */
} brio_tree_unit;

/* A line that runs. */
typedef struct brio_tree_run {
  int32_t line;              /* of the plan */
  int32_t number;            /* which of its unit's lines */
  int32_t unit;              /* it is inside of; -1: the root's line */
  int32_t next;              /* of the lines inside the same unit; -1: none */
  int32_t at, begin, end;    /* next position; where it begins and ends */
  int32_t limit;             /* step mode: what is before this position may begin */
  int32_t first, last;       /* of the units that run */
  int32_t failed;            /* position of the first that failed; -1: none */
  bool waits;                /* nothing more begins in this tick */
  bool goes_on;              /* also in step mode */
  bool closing;              /* nothing begins: what runs comes to its end, then it is gone, or has come to `result` */
  bool pending;              /* nothing begins: one of its units leads elsewhere as soon as what is inside it has ended */
  int32_t result, leads;     /* a status, idle: none; where a jump then leads */
} brio_tree_run;

struct brio_tree {
  const brio_tree_plan *plan;
  brio_tree_host host;
  double now, before;        /* time of this tick and of the one before, s */
  int32_t target;            /* of a jump under way */
  int32_t root;              /* the root's line as it runs; -1: it does not */
  int32_t place;             /* what is next in it */
  int32_t depth;             /* lines inside lines that are being worked on */
  int32_t presses;           /* lines that took the step under way */
  uint32_t steps;            /* how often a person has asked for a step */
  bool automatic, concurrent, step, stepping;
  brio_tree_status result;   /* of the last time through */
  /* Of each node: */
  unsigned char *status, *changed, *breakpoint;
  double *memory, *began, *ended;
  const char **why;
  uint32_t *told;            /* a number that stands for the reason that was taken last */
  int32_t *unit_of;          /* that runs it, -1: none */
  int32_t *changes, change_count;
  /* Pools: a free one's `next` is the next free one. */
  brio_tree_unit *units;
  brio_tree_run *runs;
  int32_t capacity, free_unit, free_run;
};

/* From which plan to which a tree goes: nodes are the same by their ids. */
typedef struct brio_tree_carry {
  const brio_tree_plan *from, *to;
  int32_t *to_new, *to_old;       /* of each node of `from` and of `to`: its number in the other one, or -1 */
  int32_t was;                    /* the unit's node in `from` */
  int32_t *scratch;               /* as many as `to` has nodes */
} brio_tree_carry;

/* Return which line of the unit's node in the new plan is that of line `number` before: of branches, its child's; -1: the
** child is there no more. */
int brio_tree_carry_line(const brio_tree_carry *carry, int number);

/* The parameter of that place of a unit's node. */
static inline double brio_tree_param_of(const brio_tree *tree, const brio_tree_unit *unit, int place) {
  return tree->plan->nodes[unit->node].params[place];
}

/* How many lines a unit's node has. */
static inline int brio_tree_lines_of(const brio_tree *tree, const brio_tree_unit *unit) {
  return tree->plan->nodes[unit->node].line_count;
}

/* Whether line `number` of the unit's node has units at all. */
bool brio_tree_has_units(const brio_tree *tree, const brio_tree_unit *unit, int number);

/* Begin line `number` inside the unit without working on it yet; -1: too much runs. */
int brio_tree_begin_line(brio_tree *tree, brio_tree_unit *unit, int number);

/* Do one tick's work of line `number` inside the unit, which begins unless it runs already.  What it returns that is
** not `running` ends the line. */
brio_tree_status brio_tree_work_line(brio_tree *tree, brio_tree_unit *unit, int number);

/* The same of a routine: node `routine`, wherever it stands, as a line of the unit. */
brio_tree_status brio_tree_work_routine(brio_tree *tree, brio_tree_unit *unit, int routine);

/* Stop a line inside the unit, if it runs; stop all of them.  What comes finally in what is inside is done all the same: until then
** such a line runs on, and brio_tree_work_line of it says `running`. */
void brio_tree_stop_line(brio_tree *tree, brio_tree_unit *unit, int number);
void brio_tree_stop_lines(brio_tree *tree, brio_tree_unit *unit);

/* Fail, with words that last. */
brio_tree_status brio_tree_fail(brio_tree *tree, const brio_tree_unit *unit, const char *why);

#endif
