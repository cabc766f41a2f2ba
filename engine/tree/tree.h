/* A behavior tree that runs.
**
** How a line is run (Calvert, thesis of the IHMC behavior system, 2026): a unit begins when what
** it waits for does not run; then the unit after it is considered, in the same tick; the first
** that may not begin ends that.  It does not wait for units in between.  After a failure nothing more of the
** line begins; running units end, and then the line has failed.  When the root's line has failed the tree
** stops where it failed (automatic is off), so that a person can repair it and continue.
**
** The finally branch of a fallback runs in any case: also when the fallback is ended from
** outside, because the tree is halted, begun again or reset, a timeout around it expires, a goto
** leads out of its surroundings, a guard before it fails, or a person stops it.  The try or catch
** branch is stopped at once; then the finally branch runs, automatically (also in step mode and in
** a halted tree), for `grace` seconds at most.  Until then the fallback and everything around it
** that ends keep running: a timeout has failed when the finally branch inside it has ended, a
** halted tree is running until then.  Inner ones come first.  It does not run in a fallback that
** is removed by an edit, or in a tree that is freed.
**
** A goto back, and each turn of a loop, go on with the next tick: a tick always ends.
**
** The cost of a tick depends on what runs, not on the size of the tree; it allocates nothing.  A
** tree is used by one thread at a time. */
#ifndef BRIO_TREE_TREE_H
#define BRIO_TREE_TREE_H

#include "tree/plan.h"

/* The executor of leaves whose kind calls.  `unit` is the same number from the first call of one execution to
** its end. */
typedef struct brio_tree_host {
  void *data;
  /* Begin (`fresh`) or continue: return running, success or failure, or idle: not called in this tick, what
  ** was to begin begins in a later one; write the reason of a failure, a text that must last, to `why`. */
  brio_tree_status (*work)(void *data, int call, int unit, bool fresh, double elapsed, const char **why);
  /* Stop a leaf from outside; hold it, or release it.  NULL: no effect. */
  void (*stop)(void *data, int call, int unit);
  void (*pause)(void *data, int call, int unit, bool on);
} brio_tree_host;

typedef struct brio_tree brio_tree;

/* Create a tree that runs `plan`, which must be finished and outlive the tree; nothing runs yet.
** Errors: misuse, no memory. */
brio_tree *brio_tree_new(const brio_tree_plan *plan, const brio_tree_host *host, brio_error *err);

/* Let a tree run another plan, which must be finished and outlive it: an edited copy of its plan (plan.h), or
** any other.  Not during a tick.  Nodes are matched by their ids:
**   - A running node continues if it still exists, has the same kind (and leaf), and is in the same line
**     as before: in the same closed node, there in the same part or branch, at any position.  Other running
**     nodes are stopped, and the host is notified by their old numbers.
**   - The next position of a line: nodes that had begun do not begin again, inserted nodes before them do
**     not begin, and a node inserted between them and the next one is next.  A node moved behind the next
**     position begins (again) in its turn, and nothing before it begins while it still runs; one moved before
**     that position does not begin.  In a running parallel, inserted nodes begin.
**   - The state of a node moves with it: status and reason, times, counts and rests, breakpoints, holds,
**     pending stops, failures of lines.  A node with another kind or leaf keeps its breakpoint only.  A
**     failure is removed with its node.
**   - Waits follow from the new plan from now on.
** Errors: misuse (not finished), no memory: then nothing changes.  O(nodes); 1,000 take some 30 us. */
bool brio_tree_migrate(brio_tree *tree, const brio_tree_plan *plan, brio_error *err);

/* Stop the nodes that would not continue in that plan, as brio_tree_migrate does: so that they can be
** recorded by their old numbers. Errors: as brio_tree_migrate. */
bool brio_tree_prepare(brio_tree *tree, const brio_tree_plan *plan, brio_error *err);

/* Stop a running node and begin it again in its place with the next tick.  Errors: misuse (it does
** not run). */
bool brio_tree_again(brio_tree *tree, int node, brio_error *err);

/* Write the state of a tree as numbers for brio_tree_restore, at most `room` of them; return how
** many there are.  Breakpoints and holds are not included. */
size_t brio_tree_save(const brio_tree *tree, double *numbers, size_t room);

/* Put a tree into the saved state of another one with the same plan, perhaps of another process:
** what is done stays done, lines continue where they were, waits and timeouts keep the time that has
** passed.  Leaves that ran begin again as soon as the tree works; everything else that ran continues.
** `now`: s; times are later by `shift` here than there.  What this tree ran before is forgotten
** without notifying the host.  Errors: format (no numbers of this plan): then it begins from the
** root. */
bool brio_tree_restore(brio_tree *tree, const double *numbers, size_t count, double now, double shift,
                       brio_error *err);

/* Stop what runs and free the tree.  NULL is allowed. */
void brio_tree_free(brio_tree *tree);

/* Do one tick at time `now` (s, never less than before).  Return the status of the tree: running while a node
** runs or may begin automatically, idle when it waits for a person, success at its end, failure after one. */
brio_tree_status brio_tree_work(brio_tree *tree, double now);

/* Begin again from the root: stop running nodes, clear results and counts, set automatic. */
void brio_tree_begin(brio_tree *tree);

/* Stop all running nodes; the next node stays next.  Automatic is off.  Finally branches run in the next
** ticks: the tree has ended when brio_tree_work does not return running any more. */
void brio_tree_halt(brio_tree *tree);

/* Whether leaves begin automatically.  When off, brio_tree_step lets the next concurrent set of each line
** without running units further inside begin with the next tick. */
void brio_tree_set_automatic(brio_tree *tree, bool on);
bool brio_tree_automatic(const brio_tree *tree);
void brio_tree_step(brio_tree *tree);

/* Off: every unit waits until nothing of its line runs. */
void brio_tree_set_concurrency(brio_tree *tree, bool on);

/* The number of the next node in the root's line; -1: none, the end.  Setting it to a node inside a closed
** node means that closed node; running nodes continue.  Errors of setting: misuse. */
int brio_tree_next(const brio_tree *tree);
bool brio_tree_set_next(brio_tree *tree, int node, brio_error *err);

/* Clear failures, and stop running nodes, without changing the next node. */
void brio_tree_reset(brio_tree *tree);

/* Hold a running node (its time stands still, also inside) and release it, or end it as failed after `delay`
** s.  Errors: misuse (it does not run). */
bool brio_tree_pause(brio_tree *tree, int node, bool on, brio_error *err);
bool brio_tree_stop(brio_tree *tree, int node, double delay, brio_error *err);

/* A unit with a breakpoint does not begin automatically: the tree turns automatic off before it.  Errors:
** misuse. */
bool brio_tree_set_breakpoint(brio_tree *tree, int node, bool on, brio_error *err);

/* The status of a node, the reason of its failure (or NULL), and the seconds of its current or last run.  Of
** an open node: running while any of its units is, failure when one has failed, success when all have
** succeeded. */
brio_tree_status brio_tree_status_of(const brio_tree *tree, int node);
const char *brio_tree_why(const brio_tree *tree, int node);
double brio_tree_elapsed(const brio_tree *tree, int node);

/* The number of completed turns of a running loop, or of failures of a retry, so far; 0 if it does not
** run. */
int brio_tree_turn(const brio_tree *tree, int node);

/* Write the numbers of the leaves and closed nodes that run, outer ones first; return how many there are. */
int brio_tree_running(const brio_tree *tree, int32_t *nodes, int room);

/* Write the numbers of the nodes that a step would begin, of each line the next concurrent set; return how
** many there are. */
int brio_tree_coming(const brio_tree *tree, int32_t *nodes, int room);

/* The name of a status: "idle", "running", "success", "failure". */
const char *brio_tree_status_name(brio_tree_status status);

/* A node has changed when its status differs, when it began, and when it ended as it did before,
** but not in the tick before: an answer that stays the same tick after tick is one change.
**
** Pack what changed since the last pack, for the record, each node with its present status, as a text
** without a terminator.  Few changes: "[", numbers separated by commas, "]", as JSON has them:
** number of the node times four + status.  Many: a digit of base 64 (0 to 9, A to Z, a to z, -,
** _) for two nodes each, the first one's part + 8 times the second one's; a part is the status,
** + 4 if it changed.  Return the bytes written; 0: nothing changed.  `room` must be at least
** brio_tree_pack_room(tree). */
size_t brio_tree_pack(brio_tree *tree, char *text, size_t room);
size_t brio_tree_pack_room(const brio_tree *tree);

/* Number of nodes that changed since the last pack, or since their numbers were read. */
int brio_tree_changes(const brio_tree *tree);

/* Write the numbers of those nodes, each once, in the order in which they changed first, even if
** their status is the same as before; return how many.  With less `room` than that: 0, and nothing
** changes.  `keep`: they stay changed. */
int brio_tree_take_changes(brio_tree *tree, int32_t *nodes, int room, bool keep);

/* Write the numbers of those that failed with another reason than the last one reported; return how many.
** Call it before packing or reading them, with room for brio_tree_changes of them. */
int brio_tree_take_words(brio_tree *tree, int32_t *nodes);

/* Apply a packed difference to `statuses` (`count` nodes).  Errors: format. */
bool brio_tree_unpack(const char *text, size_t length, unsigned char *statuses, int count, brio_error *err);

#endif
