/* What run.c does for tree.c. */
#ifndef BRIO_TREE_RUN_INTERNAL_H
#define BRIO_TREE_RUN_INTERNAL_H

#include "tree/run.h"

/* Say how a node stands; remembered for the record when that is new. */
void brio_tree_note(brio_tree *tree, int node, brio_tree_status status);

/* Take a line out of the pool, to run from position `begin` up to `end`; -1: the pool is empty. */
int brio_tree_begin_run(brio_tree *tree, int line, int unit, int number, int begin, int end);

/* Stop what runs in a line and put it back. */
void brio_tree_end_run(brio_tree *tree, int number);

/* One past the concurrent set that begins at the line's next position. */
int brio_tree_set_end(const brio_tree *tree, const brio_tree_run *run);

/* Do one tick's work of a line. */
brio_tree_status brio_tree_work_run(brio_tree *tree, int number);

/* Let what stands next, with a breakpoint, begin this time all the same. */
void brio_tree_pass_breakpoints(brio_tree *tree);

#endif
