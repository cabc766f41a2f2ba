/* Functions of run.c for tree.c. */
#ifndef BRIO_TREE_RUN_INTERNAL_H
#define BRIO_TREE_RUN_INTERNAL_H

#include "tree/run.h"

/* Set the status of a node; a new one is recorded. */
void brio_tree_note(brio_tree *tree, int node, brio_tree_status status);

/* Allocate, for a zeroed tree, the state of each node of a plan; move it into another tree in place of its
** own. False: no memory. */
bool brio_tree_make_notes(brio_tree *tree, const brio_tree_plan *plan);
void brio_tree_take_notes(brio_tree *tree, brio_tree *from);

/* Make the pools large enough for a plan; their contents stay.  False: no memory. */
bool brio_tree_make_room(brio_tree *tree, const brio_tree_plan *plan);

/* Begin a unit of a line; return its index in the pool, -1: none is free. */
int brio_tree_begin_unit(brio_tree *tree, int in, int node);

/* Clear all running state, without notifying the host. */
void brio_tree_discard(brio_tree *tree);

/* Stop a running unit, a line inside one, or the contents of a line, and free it: without finally
** branches. */
void brio_tree_drop_unit(brio_tree *tree, int number);
void brio_tree_drop_line(brio_tree *tree, brio_tree_unit *unit, int number);
void brio_tree_end_run(brio_tree *tree, int number);

/* Stop the contents of a line; false: a finally branch runs there first, and nothing else begins until it has
** ended. */
bool brio_tree_close_run(brio_tree *tree, int number);

/* Allocate a line from the pool, to run from position `begin` up to `end`; -1: the pool is empty. */
int brio_tree_begin_run(brio_tree *tree, int line, int unit, int number, int begin, int end);

/* One past the concurrent set that begins at the line's next position. */
int brio_tree_set_end(const brio_tree *tree, const brio_tree_run *run);

/* Do one tick's work of a line. */
brio_tree_status brio_tree_work_run(brio_tree *tree, int number);

/* Let the next unit, which has a breakpoint, begin this time. */
void brio_tree_pass_breakpoints(brio_tree *tree);

#endif
