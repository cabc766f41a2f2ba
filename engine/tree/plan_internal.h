/* Shared by the files of a plan. */
#ifndef BRIO_TREE_PLAN_INTERNAL_H
#define BRIO_TREE_PLAN_INTERNAL_H

#include "tree/plan.h"

/* Allocate for `count` nodes.  Errors: no memory, limit. */
bool brio_tree_plan_room(brio_tree_plan *plan, int count, brio_error *err);

/* Create a node from its description, with its texts copied; `id` is the given one, also -1.  Errors: misuse,
** no memory. */
bool brio_tree_make_node(brio_tree_plan *plan, const brio_tree_say *say, brio_tree_node *node,
                         brio_error *err);

/* Set the end and the depth of every node from its parent.  Errors: limit. */
bool brio_tree_set_ends(brio_tree_plan *plan, brio_error *err);

/* Resolve `anchor` and `to` of every node.  Errors: misuse. */
bool brio_tree_resolve(brio_tree_plan *plan, brio_error *err);

/* Make all lines.  Errors: no memory, misuse. */
bool brio_tree_make_lines(brio_tree_plan *plan, brio_error *err);

#endif
