/* Kinds of nodes of a behavior tree.
**
** A tree is run along lines.  A line is what is left of a part of the tree in depth-first order when
** sequences are opened: its units are leaves and closed nodes.  A closed node (fallback, parallel, loop, ...)
** is one unit from outside; what is inside it has lines of its own.  The root's line is what the thesis of
** the IHMC behavior system (2026) calls "a single sequence": see tree.h for how it is run.
** To add a kind: write kinds/<name>.c and add X(<name>) to kinds.def. */
#ifndef BRIO_TREE_KIND_H
#define BRIO_TREE_KIND_H

#include <stdbool.h>
#include <stddef.h>

struct brio_tree;
struct brio_tree_unit;
struct brio_tree_carry;

/* What a node came to. */
typedef enum brio_tree_status {
  BRIO_TREE_IDLE = 0,   /* not begun since the tree was, or stopped from outside */
  BRIO_TREE_RUNNING,
  BRIO_TREE_SUCCESS,
  BRIO_TREE_FAILURE,
  BRIO_TREE_JUMP,       /* of a unit's work only: a goto leads to brio_tree.target */
  BRIO_TREE_CHOICE = 16 /* of the host's work for a node that chooses: this + n, go on with child n, from 0 */
} brio_tree_status;

/* How a node's children are made into lines. */
typedef enum brio_tree_shape {
  BRIO_TREE_OPEN,       /* none: the children are units of the line that the node is in */
  BRIO_TREE_LEAF,       /* it has no children */
  BRIO_TREE_BODY,       /* all children are one line, number 0 */
  BRIO_TREE_BRANCHES,   /* each child is a line */
  BRIO_TREE_PARTS       /* three lines: what is tried, what catches, what comes finally */
} brio_tree_shape;

/* A number that a node of the kind takes. */
typedef struct brio_tree_param {
  const char *name, *unit, *doc; /* as scripts spell it; "" for a bare number; a sentence */
  double fallback, lower, upper; /* what it is unless said; the range accepted */
} brio_tree_param;

#define BRIO_TREE_MOST_PARAMS 4

typedef struct brio_tree_kind {
  const char *name, *doc;          /* as scripts spell it; a sentence for docs/ */
  brio_tree_shape shape;
  const brio_tree_param *params;   /* ended by name == NULL; NULL: none */
  bool targets;                    /* it names another node: `to` */
  bool calls;                      /* what it does is the host's: it calls one of its functions */
  int last; /* number of the line that comes in any case, also when the unit is ended from outside: for
                                   ** as long as its first parameter says; 0: none */
  bool at_once;                    /* its lines run at once */
  bool goes_on;                    /* what is inside goes on in step mode without being asked */
  bool counts;                     /* what is remembered of its nodes is a count; else it is a time */

  /* Do one tick's work of a unit of this kind; unit->fresh on its first.  NULL for open kinds.  A unit that
  ** has come to an end is closed by the caller, with whatever still runs inside it. */
  brio_tree_status (*work)(struct brio_tree *tree, struct brio_tree_unit *unit);

  /* Bring what a unit keeps in `phase`, `count` and `target` to another plan (run.h); NULL: none of it names
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
