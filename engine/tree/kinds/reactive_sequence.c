/* Reactive sequence: works on the children from the first one in every tick, until one does not succeed. */
#include "tree/react.h"

/* `on`: the status after which the next child is tried. O(children) a tick. */
brio_tree_status brio_tree_react(brio_tree *tree, brio_tree_unit *unit, brio_tree_status on) {
  brio_tree_status status = on;
  int at = 0;
  for (; at < brio_tree_lines_of(tree, unit); at++) {
    status = brio_tree_work_line(tree, unit, at);
    if (status != on) break;
  }
  if (status != BRIO_TREE_RUNNING) return status; /* the unit ends: the caller stops what runs inside */
  /* An earlier child runs again, so those behind it must stop. */
  for (int run = unit->inside, next; run >= 0; run = next) {
    next = tree->runs[run].next;
    if (tree->runs[run].number > at) brio_tree_stop_line(tree, unit, tree->runs[run].number);
  }
  return status;
}

/* One tick: a condition that fails ends the sequence. */
static brio_tree_status work(brio_tree *tree, brio_tree_unit *unit) {
  brio_tree_status status = brio_tree_react(tree, unit, BRIO_TREE_SUCCESS);
  return status == BRIO_TREE_FAILURE ? brio_tree_fail(tree, unit, "one of its children failed") : status;
}

const brio_tree_kind brio_tree_kind_reactive_sequence = {
    .name = "reactive_sequence",
    .doc = "Evaluates its first children again in every tick: conditions guard the rest.",
    .shape = BRIO_TREE_BRANCHES,
    .goes_on = true,
    .work = work,
};
