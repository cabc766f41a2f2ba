/* What a behavior tree says, before it runs: nodes in depth-first order, and the lines made of them.
**
** A plan is filled by brio_tree_plan_add and closed by brio_tree_plan_finish, which finds what names mean,
** makes the lines and says what is wrong.  After that it does not change, and any number of trees (tree.h)
** may run it. */
#ifndef BRIO_TREE_PLAN_H
#define BRIO_TREE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "tree/kind.h"

/* What a node waits for before it begins. */
typedef enum brio_tree_after {
  BRIO_TREE_AFTER_PREVIOUS, /* the unit before it in its line */
  BRIO_TREE_AFTER_BEGINNING,/* nothing */
  /* the node called `anchor`; an open one stands for what is before its first unit */
  BRIO_TREE_AFTER_NODE,
  BRIO_TREE_AFTER_ALL,      /* everything before it in its line */
  BRIO_TREE_AFTER_WHOLE     /* everything inside the node called `anchor` */
} brio_tree_after;

/* In which part of a fallback a child stands. */
typedef enum brio_tree_part {
  BRIO_TREE_ANY,
  BRIO_TREE_TRY,
  BRIO_TREE_CATCH,
  BRIO_TREE_FINALLY
} brio_tree_part;

typedef struct brio_tree_node {
  const char *name;      /* never NULL */
  const char *anchor;    /* the name that `after` gives, or NULL */
  const char *to;        /* the name that a goto or gosub leads to, or NULL; "next": on */
  int32_t anchor_id, to_id; /* the same as ids; -1: by name */
  const char *leaf;      /* of kinds that call: which of the host's leaves it is; never NULL */
  double params[BRIO_TREE_MOST_PARAMS];
  int32_t id;            /* what names it over edits: unique, at least 0 */
  int32_t parent;        /* -1: the root */
  int32_t end;           /* one past the last node inside it: nodes are in depth-first order */
  int32_t call;          /* number of the host's function, for kinds that call */
  int32_t anchor_node, to_node; /* what the names mean; -1: nothing */
  int32_t line, position, past; /* of its first unit, and one past its last: where it stands */
  int32_t lines;         /* number of its first own line, or -1 */
  int32_t line_count;
  uint8_t kind, after;
  uint8_t part, stands;  /* of a fallback's child: what is said of it, and in which part it stands */
  uint8_t depth;         /* 0: the root */
  bool moved;            /* with what it is in, since the plan was copied */
} brio_tree_node;

/* A unit of a line: it may begin when none runs from `low` to `high` of line `wait`, its own or one around
** it. */
typedef struct brio_tree_entry {
  int32_t node;
  int32_t wait, low, high; /* high < low: it waits for nothing */
} brio_tree_entry;

typedef struct brio_tree_line {
  int32_t first, count;  /* its entries */
  int32_t owner;         /* the closed node, or -1: the root's line */
  int32_t child;         /* of branches: the owner's child that it is of; else -1 */
} brio_tree_line;

typedef struct brio_tree_plan {
  brio_arena arena;      /* names */
  brio_tree_node *nodes;
  int32_t *by_id;        /* their numbers in the order of their ids */
  brio_tree_line *lines; /* line 0 is the root's */
  brio_tree_entry *entries;
  int32_t count, capacity;
  int32_t line_count, line_capacity, entry_count, entry_capacity;
  int32_t last_id;       /* the largest that any node had, also one that was taken out */
  bool finished;
} brio_tree_plan;

/* Limits of a plan. */
#define BRIO_TREE_MOST_NODES 1000000
#define BRIO_TREE_MOST_DEPTH 200

/* What is said of a node that is added.  Texts are copied. */
typedef struct brio_tree_say {
  const char *kind, *name;           /* name NULL: that of its kind */
  const char *anchor, *to, *leaf;    /* or NULL */
  int anchor_id, to_id;              /* the same as ids of nodes, which count before names; -1: none */
  double params[BRIO_TREE_MOST_PARAMS]; /* NaN: what the kind says */
  int parent;                        /* what an earlier add returned; -1: the root */
  int id;                            /* -1: its place in depth-first order, or another that is free */
  int call;                          /* of kinds that call */
  brio_tree_after after;
  brio_tree_part part;
} brio_tree_say;

/* Return what says nothing yet: a node of `kind` in `parent`. */
brio_tree_say brio_tree_say_of(const char *kind, int parent);

/* Start an empty plan.  End it with brio_tree_plan_end. */
void brio_tree_plan_start(brio_tree_plan *plan);

/* Add a node, in depth-first order: after all that stand before it.  Return its number, or -1.  Errors:
** misuse (an unknown kind, a parent that is no ancestor of this place or takes no children, a parameter out
** of range), limit, no memory. */
int brio_tree_plan_add(brio_tree_plan *plan, const brio_tree_say *say, brio_error *err);

/* Find what names mean and make the lines.  Errors: misuse (a name that means nothing, an id used twice, an
** empty plan, an anchor that is not earlier), no memory. */
bool brio_tree_plan_finish(brio_tree_plan *plan, brio_error *err);

/* Changing a plan while trees run it: a copy of it is edited and finished, and then they migrate to it
** (tree.h).  1,000 nodes take some 0.2 ms.  Nodes are named by their present numbers in the copy, which each
** edit changes. Start `plan` as a copy of `from`, which is finished, open for edits.  Errors: misuse, no
** memory. */
bool brio_tree_plan_copy(brio_tree_plan *plan, const brio_tree_plan *from, brio_error *err);

/* Put a node with what is inside it, `count` nodes in depth-first order, into `parent` before its child
** `before` (-1: at its end).  `says[i].parent` is a place in `says`, that of the first is not looked at; an
** id of -1 becomes one that no node had before.  Return the number of the first, or -1.  Errors: as
** brio_tree_plan_add. */
int brio_tree_plan_insert(brio_tree_plan *plan, const brio_tree_say *says, int count, int parent, int before,
                          brio_error *err);

/* Take a node out with all that is inside it.  Errors: misuse (the root, which may be set to something
** else). */
bool brio_tree_plan_remove(brio_tree_plan *plan, int node, brio_error *err);

/* Move a node with all that is inside it into `parent` before its child `before` (-1: to its end).  Return
** its new number, or -1.  Errors: misuse. */
int brio_tree_plan_move(brio_tree_plan *plan, int node, int parent, int before, brio_error *err);

/* Say again all that is said of a node but its id, its parent and its children.  Errors: as
** brio_tree_plan_add. */
bool brio_tree_plan_set(brio_tree_plan *plan, int node, const brio_tree_say *say, brio_error *err);

/* Free the memory. */
void brio_tree_plan_end(brio_tree_plan *plan);

/* Return the number of the node with that id, or -1; quickly when the plan is finished. */
int brio_tree_plan_find(const brio_tree_plan *plan, int id);

/* Return the kind of a node. */
static inline const brio_tree_kind *brio_tree_kind_of(const brio_tree_plan *plan, int node) {
  return brio_tree_kinds[plan->nodes[node].kind];
}

/* Return the position in `line` at which running begins for somebody who names `node`: of the unit that it is
** or is inside of, or, for an open node, of the first unit at or after it; -1: it is not in this line. */
int brio_tree_plan_position(const brio_tree_plan *plan, int line, int node);

#endif
