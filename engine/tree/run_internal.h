/* What run.c does for tree.c. */
#ifndef BRIO_TREE_RUN_INTERNAL_H
#define BRIO_TREE_RUN_INTERNAL_H

#include "tree/run.h"

/* Say how a node stands; remembered for the record when that is new. */
void brio_tree_note(brio_tree *tree, int node, brio_tree_status status);

/* Make, of a tree that is all zero, what is known of each node of a plan, unset; give it to another tree in
** place of its own. False: no memory. */
bool brio_tree_make_notes(brio_tree *tree, const brio_tree_plan *plan);
void brio_tree_take_notes(brio_tree *tree, brio_tree *from);

/* Make the pools large enough for a plan; what is in them stays in its place.  False: no memory. */
bool brio_tree_make_room(brio_tree *tree, const brio_tree_plan *plan);

/* Begin a unit of a line; return its place in the pool, -1: there is none free. */
int brio_tree_begin_unit(brio_tree *tree, int in, int node);

/* Forget all that runs, without telling the host. */
void brio_tree_discard(brio_tree *tree);

/* Stop a unit that runs, a line inside one, or what runs in a line, which is put back: without what comes
** finally. */
void brio_tree_drop_unit(brio_tree *tree, int number);
void brio_tree_drop_line(brio_tree *tree, brio_tree_unit *unit, int number);
void brio_tree_end_run(brio_tree *tree, int number);

/* Stop what runs in a line; false: something comes finally there first, and nothing else begins until that is
** over. */
bool brio_tree_close_run(brio_tree *tree, int number);

/* Take a line out of the pool, to run from position `begin` up to `end`; -1: the pool is empty. */
int brio_tree_begin_run(brio_tree *tree, int line, int unit, int number, int begin, int end);

/* One past the concurrent set that begins at the line's next position. */
int brio_tree_set_end(const brio_tree *tree, const brio_tree_run *run);

/* Do one tick's work of a line. */
brio_tree_status brio_tree_work_run(brio_tree *tree, int number);

/* Let what stands next, with a breakpoint, begin this time all the same. */
void brio_tree_pass_breakpoints(brio_tree *tree);

#endif
