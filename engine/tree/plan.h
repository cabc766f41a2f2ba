/* The static description of a behavior tree: nodes in depth-first order, and the lines made of them.
**
** A plan is filled by brio_tree_plan_add and closed by brio_tree_plan_finish, which resolves names, makes the
** lines and reports errors.  After that it does not change, and any number of trees (tree.h) may run it. */
#ifndef BRIO_TREE_PLAN_H
#define BRIO_TREE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "tree/kind.h"

/* The nodes that a node waits for before it begins. */
typedef enum brio_tree_after {
  BRIO_TREE_AFTER_PREVIOUS, /* the unit before it in its line */
  BRIO_TREE_AFTER_BEGINNING,/* nothing */
  /* the node called `anchor`; an open one stands for everything before its first unit */
  BRIO_TREE_AFTER_NODE,
  BRIO_TREE_AFTER_ALL,      /* everything before it in its line */
  BRIO_TREE_AFTER_WHOLE     /* everything inside the node called `anchor` */
} brio_tree_after;

/* The part of a fallback that a child is in. */
typedef enum brio_tree_part {
  BRIO_TREE_ANY,
  BRIO_TREE_TRY,
  BRIO_TREE_CATCH,
  BRIO_TREE_FINALLY
} brio_tree_part;

typedef struct brio_tree_node {
  const char *name;      /* never NULL */
  const char *anchor;    /* the name that `after` gives, or NULL */
  const char *to;        /* the target of a goto or gosub, or NULL; "next": the next node */
  int32_t anchor_id, to_id; /* the same as ids; -1: by name */
  const char *leaf;      /* for kinds that call: name of the host's leaf; never NULL */
  double params[BRIO_TREE_MOST_PARAMS];
  int32_t id;            /* key of the node over edits: unique, at least 0 */
  int32_t parent;        /* -1: the root */
  int32_t end;           /* one past the last node inside it: nodes are in depth-first order */
  int32_t call;          /* number of the host's function, for kinds that call */
  int32_t anchor_node, to_node; /* the resolved names; -1: none */
  int32_t line, position, past; /* position of its first unit, and one past its last */
  int32_t lines;         /* number of its first own line, or -1 */
  int32_t line_count;
  uint8_t kind, after;
  uint8_t part, stands;  /* for a fallback's child: the given part, and the resolved one */
  uint8_t depth;         /* 0: the root */
  bool moved;            /* changed, or inside a changed node, since the plan was copied */
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
  int32_t last_id;       /* the largest id that any node had, removed ones included */
  bool finished;
} brio_tree_plan;

/* Limits of a plan. */
#define BRIO_TREE_MOST_NODES 1000000
#define BRIO_TREE_MOST_DEPTH 200

/* Description of a node to add.  Texts are copied. */
typedef struct brio_tree_say {
  const char *kind, *name;           /* name; NULL: the kind's */
  const char *anchor, *to, *leaf;    /* or NULL */
  int anchor_id, to_id;              /* the same as ids of nodes, which take precedence over names; -1:
                                     ** none */
  double params[BRIO_TREE_MOST_PARAMS]; /* NaN: the kind's default */
  int parent;                        /* what an earlier add returned; -1: the root */
  int id;                            /* -1: its index in depth-first order, or another free id */
  int call;                          /* of kinds that call */
  brio_tree_after after;
  brio_tree_part part;
} brio_tree_say;

/* Return an empty description: a node of `kind` in `parent`. */
brio_tree_say brio_tree_say_of(const char *kind, int parent);

/* Start an empty plan.  End it with brio_tree_plan_end. */
void brio_tree_plan_start(brio_tree_plan *plan);

/* Append a node, in depth-first order.  Return its number, or -1.  Errors:
** misuse (an unknown kind, a parent that is not an ancestor of this place or accepts no children, a parameter
** out of range), limit, no memory. */
int brio_tree_plan_add(brio_tree_plan *plan, const brio_tree_say *say, brio_error *err);

/* Resolve names and make the lines.  Errors: misuse (an unknown name, an id used twice, an empty plan, an
** anchor that is not earlier), no memory. */
bool brio_tree_plan_finish(brio_tree_plan *plan, brio_error *err);

/* Changing a plan while trees run it: a copy of it is edited and finished, and then they migrate to it
** (tree.h).  1,000 nodes take some 0.2 ms.  Nodes are named by their present numbers in the copy, which each
** edit changes. Start `plan` as a copy of `from`, which is finished, open for edits.  Errors: misuse, no
** memory. */
bool brio_tree_plan_copy(brio_tree_plan *plan, const brio_tree_plan *from, brio_error *err);

/* Insert a node with its descendants, `count` nodes in depth-first order, into `parent` before its child
** `before` (-1: at its end).  `says[i].parent` is an index in `says`, ignored for the first; an id of -1
** becomes one that no node had before.  Return the number of the first, or -1.  Errors: as
** brio_tree_plan_add. */
int brio_tree_plan_insert(brio_tree_plan *plan, const brio_tree_say *says, int count, int parent, int before,
                          brio_error *err);

/* Remove a node with its descendants.  Errors: misuse (the root, which may only be replaced). */
bool brio_tree_plan_remove(brio_tree_plan *plan, int node, brio_error *err);

/* Move a node with its descendants into `parent` before its child `before` (-1: to its end).  Return its new
** number, or -1. Errors: misuse. */
int brio_tree_plan_move(brio_tree_plan *plan, int node, int parent, int before, brio_error *err);

/* Replace a node's description except its id, its parent and its children.  Errors: as brio_tree_plan_add. */
bool brio_tree_plan_set(brio_tree_plan *plan, int node, const brio_tree_say *say, brio_error *err);

/* Free the memory. */
void brio_tree_plan_end(brio_tree_plan *plan);

/* Return the number of the node with that id, or -1; quickly when the plan is finished. */
int brio_tree_plan_find(const brio_tree_plan *plan, int id);

/* Return the kind of a node. */
static inline const brio_tree_kind *brio_tree_kind_of(const brio_tree_plan *plan, int node) {
  return brio_tree_kinds[plan->nodes[node].kind];
}

/* Return the position in `line` at which execution begins for a reference to `node`: of the unit that it is
** or is inside of, or, for an open node, of the first unit at or after it; -1: it is not in this line. */
int brio_tree_plan_position(const brio_tree_plan *plan, int line, int node);

#endif
