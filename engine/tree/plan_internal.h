/* What the files of a plan share. */
#ifndef BRIO_TREE_PLAN_INTERNAL_H
#define BRIO_TREE_PLAN_INTERNAL_H

#include "tree/plan.h"

/* Find what `anchor` and `to` of every node mean.  Errors: misuse. */
bool brio_tree_resolve(brio_tree_plan *plan, brio_error *err);

/* Make all lines.  Errors: no memory, misuse. */
bool brio_tree_make_lines(brio_tree_plan *plan, brio_error *err);

#endif
