/* Kinds of nodes of a behavior tree.
**
** A tree is run along lines.  A line is a part of the tree in depth-first order with its sequences opened:
** its units are leaves and closed nodes.  A closed node (fallback, parallel, loop, ...) is one unit from
** outside; what is inside it has lines of its own.  The root's line is what the thesis of the IHMC behavior
** system (2026) calls "a single sequence": see tree.h for how it is run. To add a kind: write kinds/<name>.c
** and add X(<name>) to kinds.def. */
#ifndef BRIO_TREE_KIND_H
#define BRIO_TREE_KIND_H

#include <stdbool.h>
#include <stddef.h>

struct brio_tree;
struct brio_tree_unit;
struct brio_tree_carry;

/* Result of a node. */
typedef enum brio_tree_status {
  BRIO_TREE_IDLE = 0,   /* not begun since the tree began, or stopped from outside */
  BRIO_TREE_RUNNING,
  BRIO_TREE_SUCCESS,
  BRIO_TREE_FAILURE,
  BRIO_TREE_JUMP,       /* only for a unit's work: a goto leads to brio_tree.target */
  BRIO_TREE_CHOICE = 16 /* only for the host's work on a node that chooses: this + n, continue with child n,
                        ** from 0 */
} brio_tree_status;

/* How a node's children form lines. */
typedef enum brio_tree_shape {
  BRIO_TREE_OPEN,       /* none: the children are units of the line that the node is in */
  BRIO_TREE_LEAF,       /* it has no children */
  BRIO_TREE_BODY,       /* all children are one line, number 0 */
  BRIO_TREE_BRANCHES,   /* each child is a line */
  BRIO_TREE_PARTS       /* three lines: try, catch and finally */
} brio_tree_shape;

/* A numeric parameter of the kind. */
typedef struct brio_tree_param {
  const char *name, *unit, *doc; /* as scripts spell it; "" for a bare number; a sentence */
  double fallback, lower, upper; /* default; accepted range */
} brio_tree_param;

#define BRIO_TREE_MOST_PARAMS 4

typedef struct brio_tree_kind {
  const char *name, *doc;          /* as scripts spell it; a sentence for docs/ */
  brio_tree_shape shape;
  const brio_tree_param *params;   /* ended by name == NULL; NULL: none */
  bool targets;                    /* it names another node: `to` */
  bool calls;                      /* the host does its work: it calls one of the host's functions */
  int last; /* number of the finally line, which runs also when the unit is ended from outside: for at most
            ** the seconds of its first parameter; 0: none */
  bool at_once;                    /* its lines run at once */
  bool goes_on;                    /* its inside continues in step mode without a step */
  bool counts;                     /* the saved state of its nodes is a count; else a time */

  /* Do one tick's work of a unit of this kind; unit->fresh on its first.  NULL for open kinds.  The caller
  ** closes a unit that has ended, with everything that still runs inside it. */
  brio_tree_status (*work)(struct brio_tree *tree, struct brio_tree_unit *unit);

  /* Map a unit's `phase`, `count` and `target` to another plan (run.h); NULL: none of them refers to
  ** children. */
  void (*carry)(struct brio_tree *tree, struct brio_tree_unit *unit, const struct brio_tree_carry *carry);
} brio_tree_kind;

/* All kinds, ended by NULL; their count. */
extern const brio_tree_kind *const brio_tree_kinds[];
extern const int brio_tree_kind_count;

/* Return the number of the kind of that name in brio_tree_kinds, or -1. */
int brio_tree_kind_find(const char *name);

/* Return the number of the kind's parameter of that name, or -1. */
int brio_tree_param_find(const brio_tree_kind *kind, const char *name);

#endif
